"""The reading of a campaign with plain SQL, which is quick to load, without writing or
upgrading."""

import json
import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Any, NamedTuple

from brt_cg.journal.entries import NO_HASH, Entry, chain_hash, log_lines_from_json
from brt_cg.journal.journal import Journal
from brt_cg.model import Situation
from brt_cg.resources import migrations_folder
from brt_cg.storage.cells import RawTable, Value
from brt_cg.storage.engine import engine_of
from brt_cg.storage.errors import DamagedError, NewerFileError, NotACampaignError
from brt_cg.storage.place import Place

# Every revision of the tables, first to last: "0002_pillboxes_that_fell.py" is 0002.
REVISIONS = tuple(
    sorted(path.name[:4] for path in (migrations_folder() / "versions").glob("[0-9]*.py"))
)
HEAD = REVISIONS[-1]
JOURNAL = "journal"
VERSION = "alembic_version"


class RawEntry(NamedTuple):
    """A row of the journal, unchecked."""

    seq: Value
    payload: Value
    hash: Value
    said: Value


# --- the format of a file ---------------------------------------------------------------------


def read_revision(path: Place) -> str:
    """Return the revision of a campaign file's tables. Raises NotACampaignError; NewerFileError if
    this brt-cg does not know the revision yet; DamagedError if the name cannot be a revision."""
    with engine_of(path).reading_connection(path) as connection:
        return _known_revision(path, connection)


def _known_revision(path: Place, connection: Any) -> str:
    _check_named(path, connection)
    rows = engine_of(path).run_query(connection, f"SELECT version_num FROM {VERSION}")
    if not rows:
        raise NotACampaignError(f"{path} is a campaign without a revision number")
    revision = rows[0][0]
    if isinstance(revision, str) and revision in REVISIONS:
        return revision
    check_not_newer(path, revision)
    raise DamagedError(f"{path}: there is no revision {revision!r} of the tables{_AUDIT}")


def check_not_newer(path: Place, revision: object) -> None:
    """Raise NewerFileError if the tables are of a revision that this brt-cg does not know yet."""
    if isinstance(revision, str) and re.fullmatch(r"[0-9]{4}", revision) and revision > HEAD:
        raise NewerFileError(
            f"{path} was made by a newer brt-cg (its tables are of revision {revision}, this one "
            f"knows up to {HEAD}): install the newer version to open it"
        )


def _check_named(path: Place, connection: Any) -> None:
    """Raise NotACampaignError if the tables of a campaign are missing."""
    engine = engine_of(path)
    names = engine.object_names(connection)
    if not {JOURNAL, VERSION} <= names:
        raise NotACampaignError(f"{path} {engine.not_a_campaign_text(names)}")


# --- the journal ------------------------------------------------------------------------------


def stream_entries(path: Place, after: tuple[int, str] = (0, NO_HASH)) -> Iterator[Entry]:
    """Yield the journal entry by entry, with numbers and hash chain verified; or the part `after`
    an entry with that number and hash. Raises StorageError; DamagedError at a break."""
    due, before = after[0] + 1, after[1]
    with engine_of(path).reading_connection(path) as connection:
        _known_revision(path, connection)
        rows = connection.execute(f"{ROWS} WHERE seq >= {due:d} ORDER BY seq")
        for seq, text, digest, said in rows:
            if seq != due:
                raise DamagedError(f"{path}: entry {due} of the journal is missing{_AUDIT}")
            if not isinstance(text, str) or chain_hash(before, seq, text) != digest:
                raise DamagedError(
                    f"{path}: entry {seq} of the journal was changed after it was written{_AUDIT}"
                )
            yield _entry(path, seq, text, digest, said)
            before, due = digest, due + 1


def load_journal(journal: Journal, path: Place, after: tuple[int, str] = (0, NO_HASH)) -> None:
    """Read the journal, or the part `after` an entry, into a Journal. Raises StorageError;
    DamagedError also if an entry does not fit the entries before it."""
    try:
        journal.load(stream_entries(path, after))
    except ValueError as misfit:
        raise DamagedError(f"{path}: {misfit}{_AUDIT}") from misfit


def read_range(path: Place, first: int, last: int) -> list[Entry]:
    """Return the entries numbered `first` to `last`, of a journal that has been streamed before.
    Raises StorageError; DamagedError if any are missing now."""
    numbered = f"{ROWS} WHERE seq BETWEEN {first:d} AND {last:d} ORDER BY seq"
    with engine_of(path).reading_connection(path) as connection:
        found = [_entry(path, *row) for row in connection.execute(numbered)]
    if [entry.seq for entry in found] != list(range(first, last + 1)):
        raise DamagedError(f"{path}: entries {first} to {last} are missing{_AUDIT}")
    return found


ROWS = f"SELECT seq, payload, hash, said FROM {JOURNAL}"
FIRST = f"SELECT hash FROM {JOURNAL} ORDER BY seq LIMIT 1"
NEWEST = f"SELECT seq, hash FROM {JOURNAL} ORDER BY seq DESC LIMIT 1"
_AUDIT = "; `audit` lists the errors"


def _entry(path: Place, seq: int, text: str, digest: str, said: str) -> Entry:
    try:
        return Entry(seq, text, digest, json.loads(text), log_lines_from_json(said))
    except (ValueError, TypeError) as error:
        raise DamagedError(f"{path}: entry {seq} of the journal cannot be read{_AUDIT}") from error


def newest_entry(path: Place) -> tuple[int, str]:
    """Return the number of entries and the hash of the newest one; these show whether others have
    added entries. Raises StorageError."""
    with engine_of(path).reading_connection(path) as connection:
        _known_revision(path, connection)
        row = connection.execute(NEWEST).fetchone()
    return (row[0], row[1]) if row else (0, NO_HASH)


def first_hash(path: Place) -> str:
    """Return the hash of the first entry, which identifies the campaign. Raises StorageError."""
    with engine_of(path).reading_connection(path) as connection:
        _known_revision(path, connection)
        row = connection.execute(FIRST).fetchone()
    return str(row[0]) if row else NO_HASH


def current_date_and_phase(path: Place) -> tuple[str, str]:
    """Return the current CG Date and phase of a campaign. Raises StorageError."""
    with engine_of(path).reading_connection(path) as connection:
        row = connection.execute(f"SELECT date, phase FROM {Situation.TABLE}").fetchone()
    if row is None:
        raise DamagedError(f"{path}: the state of the campaign is missing{_AUDIT}")
    return str(row[0]), str(row[1])


# --- for the audit ----------------------------------------------------------------------------


def raw_journal(path: Place) -> list[RawEntry]:
    """Return the rows of the journal by number, unverified. Raises StorageError; DamagedError also
    if a column is missing."""
    with engine_of(path).reading_connection(path) as connection:
        _check_named(path, connection)
    table = raw_table(path, JOURNAL, "seq")
    for name in RawEntry._fields:
        if name not in table.columns:
            raise DamagedError(f"{path}: the journal has no column {name!r}")
    cells = itemgetter(*map(table.columns.index, RawEntry._fields))
    return [RawEntry(*row) for row in map(cells, table.rows)]


def table_names_besides_journal(path: Place) -> list[str]:
    """Return all tables except the journal, Alembic's own and the engine's own."""
    engine = engine_of(path)
    with engine.reading_connection(path) as connection:
        return [name for name in engine.list_tables(connection) if name not in (JOURNAL, VERSION)]


def raw_table(path: Place, name: str, order: str | None = None) -> RawTable:
    """Return a table unchecked, ordered by a column if one is named."""
    engine = engine_of(path)
    with engine.reading_connection(path) as connection:
        return engine.read_raw_table(connection, name, order)


def integrity_problems(path: Place) -> list[str]:
    """Return the problems that the engine itself finds in its storage.

    CHECKs are not included, because SQLite does not verify them on a read-only connection.
    """
    engine = engine_of(path)
    with engine.reading_connection(path) as connection:
        return engine.integrity_problems(connection)


def broken_references(path: Place) -> list[str]:
    """Return the rows that refer to a missing row, in words."""
    engine = engine_of(path)
    with engine.reading_connection(path) as connection:
        return engine.broken_references(connection)
