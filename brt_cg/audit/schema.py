"""The file as SQLite has it: whole, with the tables and columns of a campaign and no others, and a
journal that refuses changes."""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from brt_cg import resources
from brt_cg.audit.finding import Finding
from brt_cg.storage import reader
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Place
from brt_cg.storage.sqlite import as_it_stands, in_wal_mode, open_to_read, plain_errors

STORAGE = "storage"
REFUSAL = "BEGIN SELECT RAISE(ABORT, 'entries are only ever added to the journal'); END"
# As the first revision makes them; a journal that has lost one of them takes any change.
TRIGGERS: Mapping[str, str] = {
    "journal_refuses_update": f"BEFORE UPDATE ON journal {REFUSAL}",
    "journal_refuses_delete": f"BEFORE DELETE ON journal {REFUSAL}",
    "journal_refuses_disorder": (
        "BEFORE INSERT ON journal "
        f"WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM journal) {REFUSAL}"
    ),
}

P = TypeVar("P", bound=Place)
Objects = dict[tuple[str, str], str]  # the SQL of each object by its type and name


def integrity(path: Path) -> list[Finding]:
    """The file is whole, as SQLite itself sees it, and one file."""
    found = [*damage(reader.integrity, path), *damage(reader.broken_references, path)]
    if in_wal_mode(path):
        what = "the file is in WAL mode, its newest pages in another file; a campaign is one file"
        found.append(Finding("integrity", STORAGE, what))
    return list(dict.fromkeys(found))


def damage(check: Callable[[P], list[str]], path: P) -> list[Finding]:
    """What a check of the storage itself finds."""
    try:
        told = [f"the file is damaged: {line}" for line in check(path)]
    except StorageError as error:
        told = [str(error)]
    return [Finding("integrity", STORAGE, line) for line in told]


def schema(path: Path, revision: str) -> list[Finding]:
    """Every table of a campaign is there, made as its revision makes it, and nothing else."""
    objects, due = _objects(path), tables_of(revision)
    there = {name for kind, name in objects if kind == "table"}
    columns = _columns_there(path, due.keys() & there)
    found = [
        Finding("schema", STORAGE, f"the table {name} is missing", (name,))
        for name in sorted(due.keys() - there)
    ]
    for (kind, name), sql in sorted(objects.items()):
        known = name in (due if kind == "table" else TRIGGERS if kind == "trigger" else ())
        if not known:
            found.append(Finding("schema", STORAGE, f"the {kind} {name} is unknown", (name,)))
        elif kind == "table":
            wrong = list(unknown_columns(name, columns[name], revision))
            found += wrong or _making(name, sql, due[name].sql, revision)
    return found


def _making(table: str, sql: str, due: str, revision: str) -> list[Finding]:
    """Whether a table with the right columns has the right types and constraints too."""
    if _tokens(sql) == _tokens(due):
        return []
    what = f"the types or constraints of {table} are not those of revision {revision}"
    return [Finding("schema", STORAGE, what, (table,))]


def one_revision(path: Place) -> list[Finding]:
    """The file says once of which revision its tables are."""
    count = len(reader.revisions(path).rows)
    if count == 1:
        return []
    what = f"{reader.VERSION} has {count} rows instead of one"
    return [Finding("schema", STORAGE, what, (reader.VERSION,))]


class Table(NamedTuple):
    """A table of a campaign: what makes it, and its columns."""

    sql: str
    columns: frozenset[str]


@cache
def tables_of(revision: str) -> Mapping[str, Table]:
    """The tables of a revision by name: each revision adds to those before it."""
    with closing(sqlite3.connect(":memory:")) as made:
        for script in sorted((resources.migrations() / "tables").glob("*.sql")):
            if script.stem <= revision:
                made.executescript(script.read_text("utf-8"))
        tables = made.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        return {name: Table(sql, _columns(made, name)) for name, sql in tables.fetchall()}


def _columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    found = connection.execute("SELECT name FROM pragma_table_xinfo(?)", (table,))
    return frozenset(name for (name,) in found)


def _tokens(sql: str) -> list[str]:
    """SQL without its spaces, and without the quotes of names."""
    return re.findall(r"'[^']*'|\w+|[^\s\w\"]", sql)


def unknown_columns(table: str, found: Set[str], revision: str) -> Iterator[Finding]:
    """The columns that a table of a campaign has too many or too few."""
    due = tables_of(revision)[table].columns
    for words, names in (("is unknown", found - due), ("is missing", due - found)):
        for name in sorted(names):
            what = f"the column {table}.{name} {words}"
            yield Finding("schema", STORAGE, what, (f"{table}.{name}",))


def append_only(path: Path, revision: str) -> list[Finding]:
    """The journal refuses every change but a next entry."""
    objects = _objects(path)
    found = []
    for name, body in TRIGGERS.items():
        sql = objects.get(("trigger", name))
        if sql is None:
            found.append(Finding("append-only", STORAGE, f"the trigger {name} is gone", (name,)))
        elif _words(sql) != _words(f"CREATE TRIGGER {name} {body}"):
            what = f"the trigger {name} does something else than it should"
            found.append(Finding("append-only", STORAGE, what, (name,)))
    return found


def _words(sql: str) -> list[str]:
    return sql.replace('"', "").split()


def _objects(path: Path) -> Objects:
    """What SQLite's own list names, but for what SQLite makes by itself."""
    with plain_errors(path), closing(open_to_read(path)) as connection:
        connection.text_factory = as_it_stands
        rows = connection.execute("SELECT type, name, sql FROM sqlite_master")
        return {(kind, name): sql or "" for kind, name, sql in rows if name[:7] != "sqlite_"}


def _columns_there(path: Path, tables: Iterable[str]) -> dict[str, frozenset[str]]:
    with plain_errors(path), closing(open_to_read(path)) as connection:
        connection.text_factory = as_it_stands
        return {table: _columns(connection, table) for table in tables}
