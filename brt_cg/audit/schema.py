"""The file at SQLite's level: intact, with exactly the tables and columns of a campaign, and
triggers that protect the journal."""

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import closing
from functools import cache
from pathlib import Path

from brt_cg import resources
from brt_cg.audit.finding import Finding
from brt_cg.storage import reader
from brt_cg.storage.cells import quoted
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Place
from brt_cg.storage.sqlite import cells, in_wal_mode, reading

STORAGE = "storage"
REFUSING = ("trigger", "function")  # the triggers that protect the journal

Objects = Mapping[tuple[str, str], object]  # the definition of each object, by type and name
Columns = Callable[[str], Set[str]]  # columns of a table


def integrity(path: Place) -> list[Finding]:
    """Checks that the storage is intact by the engine's own check, and a file is a single one."""
    found = [*_damage(reader.integrity, path), *_damage(reader.broken_references, path)]
    if isinstance(path, Path) and in_wal_mode(path):
        what = "the file is in WAL mode, its newest pages in another file; a campaign is one file"
        found.append(Finding("integrity", STORAGE, what))
    return list(dict.fromkeys(found))


def _damage(check: Callable[[Place], list[str]], path: Place) -> list[Finding]:
    """The findings of a check of the storage itself."""
    try:
        lines = [f"the file is damaged: {line}" for line in check(path)]
    except StorageError as error:
        lines = [str(error)]
    return [Finding("integrity", STORAGE, line) for line in lines]


def schema(path: Path, revision: str) -> list[Finding]:
    """Checks that there is every table of a campaign, as its revision makes it, and nothing else;
    and the triggers that stop every change to the journal but appending."""
    due, _ = _of_revision(revision)
    with reading(path) as connection:
        found = _objects(connection)
        return [*differences(found, due, revision, lambda name: _columns(connection, name))]


def differences(found: Objects, due: Objects, revision: str, columns: Columns) -> Iterator[Finding]:
    """The objects that differ from those of the revision, are missing, or are too many."""
    for kind, name in sorted(found.keys() | due.keys()):
        made, wanted = found.get((kind, name)), due.get((kind, name))
        code, gone = ("append-only", "gone") if kind in REFUSING else ("schema", "missing")
        if wanted is None:
            yield Finding("schema", STORAGE, f"the {kind} {name} is unknown", (name,))
        elif made is None:
            yield Finding(code, STORAGE, f"the {kind} {name} is {gone}", (name,))
        elif made != wanted and kind in REFUSING:
            what = f"the {kind} {name} does something else than it should"
            yield Finding(code, STORAGE, what, (name,))
        elif made != wanted:
            yield from _of_a_table(name, revision, columns)


def _of_a_table(table: str, revision: str, columns: Columns) -> Iterator[Finding]:
    """The extra or missing columns of a table; or else its types and constraints differ."""
    held = tables_of(revision)
    found = columns(table) if table in held else frozenset[str]()
    due = held.get(table, frozenset())
    for words, names in (("is unknown", found - due), ("is missing", due - found)):
        for name in sorted(names):
            what = f"the column {table}.{name} {words}"
            yield Finding("schema", STORAGE, what, (f"{table}.{name}",))
    if found == due:
        what = f"the types or constraints of {table} are not those of revision {revision}"
        yield Finding("schema", STORAGE, what, (table,))


def one_revision(path: Place) -> list[Finding]:
    """Checks that the file names its revision exactly once."""
    count = len(reader.raw_table(path, reader.VERSION).rows)
    if count == 1:
        return []
    what = f"{reader.VERSION} has {count} rows instead of one"
    return [Finding("schema", STORAGE, what, (reader.VERSION,))]


def tables_of(revision: str) -> Mapping[str, Set[str]]:
    """The columns of each table of a revision."""
    return _of_revision(revision)[1]


@cache
def _of_revision(revision: str) -> tuple[Objects, Mapping[str, Set[str]]]:
    """The objects of a revision, and the columns of its tables; each revision adds to those before
    it."""
    with closing(sqlite3.connect(":memory:")) as made:
        for script in sorted((resources.migrations() / "tables").glob("*.sql")):
            if script.stem <= revision:
                made.executescript(script.read_text("utf-8"))
        objects = _objects(made)
        return objects, {name: _columns(made, name) for kind, name in objects if kind == "table"}


def _objects(connection: sqlite3.Connection) -> Objects:
    """The objects in SQLite's own list, except SQLite's internal ones: each with its SQL, without
    spaces and quotes of names."""
    rows = cells(connection, "SELECT type, name, sql FROM sqlite_master")
    return {
        (str(kind), str(name)): re.findall(r"'[^']*'|\w+|[^\s\w\"]", str(sql or ""))
        for kind, name, sql in rows
        if str(name)[:7] != "sqlite_"
    }


def _columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    found = cells(connection, f"PRAGMA table_xinfo({quoted(table)})")
    return frozenset(str(name) for _, name, *_ in found)
