"""Reads a campaign file with plain sqlite3: quick to load, never writing, never upgrading."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from brt_cg.journal.entries import NO_HASH, Entry, chain_hash, said_from
from brt_cg.records import Situation
from brt_cg.storage.engine import open_to_read, plain_errors
from brt_cg.storage.errors import Damaged, NewerFile, NotACampaign

REVISIONS = ("0001",)  # every released revision of the tables, first to last
HEAD = REVISIONS[-1]
JOURNAL = "journal"
VERSION = "alembic_version"

Value = str | int | float | bytes | None
Cell = tuple[Value, str]  # a value and SQLite's storage class: null integer real text blob


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table as the file has it, whatever it holds: names of columns, and rows of cells."""

    columns: tuple[str, ...]
    rows: tuple[dict[str, Cell], ...]


@dataclass(frozen=True, slots=True)
class RawEntry:
    """A row of the journal as the file has it, checked in nothing."""

    seq: Cell
    payload: Cell
    hash: Cell
    said: Cell

    def entry(self) -> Entry:
        """The entry that this row holds. Raises Damaged if it can hold none; its hash and number
        are not checked against its neighbours."""
        cells = (self.seq, self.payload, self.hash, self.said)
        if [kind for _, kind in cells] != ["integer", "text", "text", "text"]:
            raise Damaged(f"entry {self.seq[0]!r}: a cell is not of its type")
        (seq, _), (text, _), (digest, _), (said, _) = cells
        return _entry(int(str(seq)), str(text), str(digest), str(said))


# --- what file it is --------------------------------------------------------------------------


def is_campaign_file(path: Path) -> bool:
    """Whether there is a campaign in that file, of whatever revision."""
    try:
        _revision_of(path)
    except NotACampaign:
        return False
    return True


def read_revision(path: Path) -> str:
    """The revision of a campaign file's tables. Raises NotACampaign; NewerFile if this brt-cg does
    not know the revision yet; Damaged if there can be none of that name."""
    revision = _revision_of(path)
    if isinstance(revision, str) and revision in REVISIONS:
        return revision
    if isinstance(revision, str) and re.fullmatch(r"[0-9]{4}", revision) and revision > HEAD:
        raise NewerFile(
            f"{path} was made by a newer brt-cg (its tables are of revision {revision}, this one "
            f"knows up to {HEAD}): install the newer version to open it"
        )
    raise Damaged(f"{path}: there is no revision {revision!r} of the tables{_AUDIT}")


def _revision_of(path: Path) -> Value:
    with _reading(path) as connection:
        _check_named(path, connection)
        connection.text_factory = as_it_stands
        row = connection.execute(f"SELECT version_num FROM {VERSION}").fetchone()
    if row is None:
        raise NotACampaign(f"{path} is a campaign that does not say its revision")
    found: Value = row[0]
    return found


def _check_named(path: Path, connection: sqlite3.Connection) -> None:
    """Raises NotACampaign if a file has not the tables that every campaign has."""
    connection.text_factory = as_it_stands
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    connection.text_factory = str
    if not names:
        raise NotACampaign(f"{path} is empty: make a campaign in it with `new`")
    if not {JOURNAL, VERSION} <= names:
        raise NotACampaign(f"{path} is a database, but not a campaign of brt-cg")


def as_it_stands(text: bytes) -> str:
    """For a connection: text that is not UTF-8 comes with its stray bytes as lone surrogates."""
    return text.decode("utf-8", "surrogateescape")


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_to_read(path)) as connection, plain_errors(path):
        try:
            yield connection
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorname", "SQLITE_ERROR") != "SQLITE_ERROR":
                raise
            raise Damaged(f"{path}: the tables are not those of a campaign ({error})") from error


# --- the journal ------------------------------------------------------------------------------


def read_entries(path: Path) -> list[Entry]:
    """The whole journal at once. Raises as `stream` does."""
    return list(stream(path))


def stream(path: Path) -> Iterator[Entry]:
    """The journal entry by entry, numbers and hash chain verified. Raises StorageError; Damaged
    at a break."""
    read_revision(path)
    before, due = NO_HASH, 1
    with _reading(path) as connection:
        rows = connection.execute(f"{_ROWS} ORDER BY seq")
        for seq, text, digest, said in rows:
            if seq != due:
                raise Damaged(f"{path}: entry {due} of the journal is missing{_AUDIT}")
            if not isinstance(text, str) or chain_hash(before, seq, text) != digest:
                raise Damaged(
                    f"{path}: entry {seq} of the journal is not as it was written{_AUDIT}"
                )
            yield _entry(seq, text, digest, said)
            before, due = digest, due + 1


def read_range(path: Path, first: int, last: int) -> list[Entry]:
    """The entries numbered `first` to `last`, of a journal that has been streamed before. Raises
    StorageError; Damaged where they are not there any more."""
    numbered = f"{_ROWS} WHERE seq BETWEEN ? AND ? ORDER BY seq"
    with _reading(path) as connection:
        found = [_entry(*row) for row in connection.execute(numbered, (first, last))]
    if [entry.seq for entry in found] != list(range(first, last + 1)):
        raise Damaged(f"{path}: entries {first} to {last} are not there any more{_AUDIT}")
    return found


_ROWS = f"SELECT seq, payload, hash, said FROM {JOURNAL}"
_AUDIT = ": `audit` tells what was found"


def _entry(seq: int, text: str, digest: str, said: str) -> Entry:
    try:
        return Entry(seq, text, digest, json.loads(text), said_from(said))
    except (ValueError, TypeError) as error:
        raise Damaged(f"entry {seq} of the journal cannot be read{_AUDIT}") from error


def tip(path: Path) -> tuple[int, str]:
    """How many entries there are, and the hash of the newest: to see that a campaign moved on.

    Raises StorageError.
    """
    read_revision(path)
    with _reading(path) as connection:
        newest = f"SELECT seq, hash FROM {JOURNAL} ORDER BY seq DESC LIMIT 1"
        row = connection.execute(newest).fetchone()
    return (row[0], row[1]) if row else (0, NO_HASH)


def stands(path: Path) -> tuple[str, str]:
    """The CG Date and the phase in which a campaign stands. Raises StorageError."""
    with _reading(path) as connection:
        row = connection.execute(f"SELECT date, phase FROM {Situation.TABLE}").fetchone()
    if row is None:
        raise Damaged(f"{path}: it does not say where the campaign stands{_AUDIT}")
    return str(row[0]), str(row[1])


# --- for the audit ----------------------------------------------------------------------------


def raw_journal(path: Path) -> list[RawEntry]:
    """The rows of the journal as they stand, by number; nothing is verified. Raises StorageError;
    Damaged also if a column is missing."""
    with _reading(path) as connection:
        _check_named(path, connection)
    rows = _raw(path, JOURNAL, "seq").rows
    names = ("seq", "payload", "hash", "said")
    try:
        return [RawEntry(*(row[name] for name in names)) for row in rows]
    except KeyError as missing:
        raise Damaged(f"{path}: the journal has no column {missing}") from None


def table_names(path: Path) -> list[str]:
    """Every table of the file but the journal, Alembic's own and SQLite's own."""
    with _reading(path) as connection:
        connection.text_factory = as_it_stands
        rows = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
            "ESCAPE '\\' ORDER BY name"
        )
        return [name for (name,) in rows if name not in (JOURNAL, VERSION)]


def raw_table(path: Path, name: str) -> RawTable:
    """A table: each cell with its value and storage class."""
    return _raw(path, name, "1")


def raw_tables(path: Path) -> dict[str, RawTable]:
    """Every table of the file but the journal and Alembic's own, by name."""
    return {name: raw_table(path, name) for name in table_names(path)}


def revisions(path: Path) -> RawTable:
    """What the file says of its revision, in one row if all is well."""
    return _raw(path, VERSION, "1")


def integrity(path: Path) -> list[str]:
    """What SQLite itself finds wrong with the file: pages and indexes.

    Not CHECKs, which SQLite leaves alone on a connection that only reads."""
    with _reading(path) as connection:
        return [line for (line,) in connection.execute("PRAGMA integrity_check") if line != "ok"]


def broken_references(path: Path) -> list[str]:
    """The rows that point to a row that is not there, in words."""
    with _reading(path) as connection:
        rows = connection.execute("PRAGMA foreign_key_check")
        return [f"{table} row {row} points to no row of {parent}" for table, row, parent, _ in rows]


def _raw(path: Path, table: str, order: str) -> RawTable:
    with _reading(path) as connection:
        connection.text_factory = as_it_stands
        info = connection.execute(f"PRAGMA table_info({_quoted(table)})")
        columns = tuple(name for _, name, *_ in info)
        wanted = ", ".join(f"{_quoted(name)}, typeof({_quoted(name)})" for name in columns)
        # Not by way of an index, which may be damaged or lie.
        query = f"SELECT {wanted} FROM {_quoted(table)} NOT INDEXED ORDER BY {order}"
        rows = tuple(
            dict(zip(columns, zip(row[::2], row[1::2], strict=True), strict=True))
            for row in _cells(connection, query)
        )
    return RawTable(columns, rows)


def _cells(connection: sqlite3.Connection, query: str) -> list[tuple[Value, ...]]:
    """The rows of a query. To look for stray bytes in each text takes its time, and there are
    hardly ever any."""
    try:
        connection.text_factory = str
        return connection.execute(query).fetchall()
    except sqlite3.OperationalError as error:
        if "UTF-8" not in str(error):
            raise
        connection.text_factory = as_it_stands
        return connection.execute(query).fetchall()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
