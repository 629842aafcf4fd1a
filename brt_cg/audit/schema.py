"""The file as SQLite has it: whole, with the tables and columns of a campaign and no others, and a
journal that refuses changes."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from brt_cg.audit.finding import Finding
from brt_cg.campaign import TABLES
from brt_cg.fields import public_name
from brt_cg.storage import reader
from brt_cg.storage.engine import open_to_read, plain_errors
from brt_cg.storage.errors import StorageError
from brt_cg.storage.projection import ROLLS

STORAGE = "storage"
ROLL = ("seq", "date", "rule", "subject", "position", "dice", "modifiers", "original", "final")
COLUMNS: Mapping[str, frozenset[str]] = {
    reader.JOURNAL: frozenset({"seq", "payload", "hash", "said"}),
    reader.VERSION: frozenset({"version_num"}),
    ROLLS: frozenset({*ROLL, "row"}),
    **{kind.TABLE: frozenset(map(public_name, kind.names())) for kind in TABLES},
}
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

Objects = dict[tuple[str, str], str]  # the SQL of each object by its type and name


def integrity(path: Path) -> Iterator[Finding]:
    """The file is whole, as SQLite itself sees it."""
    try:
        for line in reader.integrity(path):
            yield Finding("integrity", STORAGE, f"the file is damaged: {line}")
    except StorageError as error:
        yield Finding("integrity", STORAGE, str(error))


def schema(path: Path) -> Iterator[Finding]:
    """Every table and column of a campaign is there, and nothing else."""
    objects = _objects(path)
    tables = {name for kind, name in objects if kind == "table"}
    for name in sorted(COLUMNS.keys() - tables):
        yield Finding("schema", STORAGE, f"the table {name} is missing", (name,))
    for kind, name in sorted(objects):
        known = name in (COLUMNS if kind == "table" else TRIGGERS if kind == "trigger" else ())
        if not known:
            yield Finding("schema", STORAGE, f"the {kind} {name} is unknown", (name,))
        elif kind == "table":
            yield from _columns(name, _columns_of(path, name))


def _columns(table: str, found: set[str]) -> Iterator[Finding]:
    due = COLUMNS[table]
    for words, names in (("is unknown", found - due), ("is missing", due - found)):
        for name in sorted(names):
            what = f"the column {table}.{name} {words}"
            yield Finding("schema", STORAGE, what, (f"{table}.{name}",))


def append_only(path: Path) -> Iterator[Finding]:
    """The journal refuses every change but a next entry."""
    objects = _objects(path)
    for name, body in TRIGGERS.items():
        found = objects.get(("trigger", name))
        if found is None:
            yield Finding("append-only", STORAGE, f"the trigger {name} is gone", (name,))
        elif _words(found) != _words(f"CREATE TRIGGER {name} {body}"):
            what = f"the trigger {name} does something else than it should"
            yield Finding("append-only", STORAGE, what, (name,))


def _words(sql: str) -> list[str]:
    return sql.replace('"', "").split()


def _objects(path: Path) -> Objects:
    """What SQLite's own list names, but for what SQLite makes by itself."""
    with plain_errors(path), closing(open_to_read(path)) as connection:
        connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        rows = connection.execute("SELECT type, name, sql FROM sqlite_master")
        return {(kind, name): sql or "" for kind, name, sql in rows if name[:7] != "sqlite_"}


def _columns_of(path: Path, table: str) -> set[str]:
    with plain_errors(path), closing(open_to_read(path)) as connection:
        connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        found = connection.execute("SELECT name FROM pragma_table_xinfo(?)", (table,))
        return {name for (name,) in found}
