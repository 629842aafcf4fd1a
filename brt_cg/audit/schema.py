"""The file as SQLite has it: whole, with the tables and columns of a campaign and no others, and a
journal that refuses changes."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from brt_cg import resources
from brt_cg.audit.finding import Finding
from brt_cg.fields import public_name
from brt_cg.records import TABLES
from brt_cg.storage import reader
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Place
from brt_cg.storage.projection import ROLLS
from brt_cg.storage.sqlite import as_it_stands, in_wal_mode, open_to_read, plain_errors

STORAGE = "storage"
ROLL = ("seq", "date", "rule", "subject", "position", "dice", "modifiers", "original", "final")
COLUMNS: Mapping[str, frozenset[str]] = {
    reader.JOURNAL: frozenset({"seq", "payload", "hash", "said"}),
    reader.VERSION: frozenset({"version_num"}),
    ROLLS: frozenset({*ROLL, "row"}),
    **{kind.TABLE: frozenset(map(public_name, kind.names())) for kind in TABLES},
}
LATER_COLUMNS = {("fortifications", "fell"): "0002"}  # those that a later revision brought
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
    objects, due = _objects(path), _due(revision)
    there = {name for kind, name in objects if kind == "table"}
    found = [
        Finding("schema", STORAGE, f"the table {name} is missing", (name,))
        for name in sorted(COLUMNS.keys() - there)
    ]
    for (kind, name), sql in sorted(objects.items()):
        known = name in (COLUMNS if kind == "table" else TRIGGERS if kind == "trigger" else ())
        if not known:
            found.append(Finding("schema", STORAGE, f"the {kind} {name} is unknown", (name,)))
        elif kind == "table":
            wrong = list(unknown_columns(name, _columns_there(path, name), revision))
            found += wrong or _making(name, sql, due[name], revision)
    return found


def _making(table: str, sql: str, due: list[str], revision: str) -> list[Finding]:
    """Whether a table with the right columns has the right types and constraints too."""
    if _tokens(sql) == due:
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


def _due(revision: str) -> dict[str, list[str]]:
    """What each table of a revision is made with, as it is compared."""
    text = (resources.migrations() / "tables" / f"{revision}.sql").read_text("utf-8")
    statements = re.finditer(r"^CREATE TABLE (\w+) .*?(?=;$)", text, re.DOTALL | re.MULTILINE)
    return {statement[1]: _tokens(statement[0]) for statement in statements}


def _tokens(sql: str) -> list[str]:
    """SQL without its spaces, and without the quotes of names."""
    return re.findall(r"'[^']*'|\w+|[^\s\w\"]", sql)


def columns_of(revision: str) -> dict[str, frozenset[str]]:
    """The columns of each table of a revision: an older file has those of its own."""
    later = LATER_COLUMNS if revision < reader.HEAD else {}
    return {
        table: frozenset(name for name in names if revision >= later.get((table, name), ""))
        for table, names in COLUMNS.items()
    }


def unknown_columns(table: str, found: set[str], revision: str) -> Iterator[Finding]:
    """The columns that a table of a campaign has too many or too few."""
    due = columns_of(revision)[table]
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


def _columns_there(path: Path, table: str) -> set[str]:
    with plain_errors(path), closing(open_to_read(path)) as connection:
        connection.text_factory = as_it_stands
        found = connection.execute("SELECT name FROM pragma_table_xinfo(?)", (table,))
        return {name for (name,) in found}
