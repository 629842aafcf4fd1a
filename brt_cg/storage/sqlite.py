"""Everything particular to SQLite: connections, transactions, raw cells, copies, and its errors.

SQLAlchemy is imported only for migrations.
"""

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import TYPE_CHECKING

from brt_cg.connections import UNLOCKED, Connection, connect, inode_of, read_header
from brt_cg.files import (
    IN_USE,
    TO_READ,
    TO_WRITE,
    check_file_name,
    check_parent_folder_exists,
    create_private_file,
    fsync_folder,
    is_in_use,
    retry_if_blocked,
    wait_for_release,
)
from brt_cg.questions import RefusedError
from brt_cg.resources import migrations_folder
from brt_cg.storage.cells import RawTable, Value, quote_name
from brt_cg.storage.errors import (
    BUSY,
    TAKEN,
    BusyError,
    DamagedError,
    NotACampaignError,
    ReplacedError,
    StaleCampaignError,
    StorageError,
)

if TYPE_CHECKING:
    from sqlalchemy import Engine

HALF_MADE = ".part"
PATIENCE = 5.0  # seconds to wait for another connection to finish
# A commit deletes the rollback journal, and EXTRA syncs the folder after that. With FULL a power
# cut may bring the journal back, and with it the state before the newest entry.
SYNCHRONOUS = "EXTRA"
# The tables of the newest revision; `python -m tests.tools.migrations --write` makes it.
TEXT = "tables.sql"

_moment: ContextVar[sqlite3.Connection | None] = ContextVar("_moment", default=None)
_shared: ContextVar["_SharedConnection | None"] = ContextVar("_shared", default=None)


# --- reading ----------------------------------------------------------------------------------


def open_to_read(path: Path) -> Connection:
    """Return a read-only connection, which makes no file. Raises StorageError.

    Only after a crash in the middle of a commit is the file opened for writing, once, because
    SQLite must then roll that commit back before anyone can read. A file that another program left
    in WAL mode is read unchanged, because SQLite would otherwise make files next to it.
    """
    if path.is_dir():
        raise NotACampaignError(f"{path} is a folder; name a campaign file in it")
    if not path.is_file():
        raise NotACampaignError(f"{path}: there is no such file")
    _check_released(path, TO_READ)
    alone = is_in_wal_mode(path) and not _is_open_in_wal_mode(path)
    with translate_errors(path):
        connection = _connect(path, f"ro&{UNLOCKED}" if alone else "ro")
        try:
            _touch(connection)
        except sqlite3.Error as error:
            connection.close()
            if _name(error) != "SQLITE_READONLY_ROLLBACK":
                raise
            with closing(_connect(path, "rw")) as recovering:
                _touch(recovering)
            connection = _connect(path, "ro")
    return connection


def _is_open_in_wal_mode(path: Path) -> bool:
    """Whether another program has the file open, or left its newest pages in another file."""
    pages = path.with_name(f"{path.name}-wal")
    is_filled = pages.is_file() and pages.stat().st_size > 0
    return is_filled or path.with_name(f"{path.name}-shm").exists()


@contextmanager
def reading_only(path: Path) -> Iterator[Connection]:
    """Yield a read-only connection for the `with` block. Raises StorageError if `open_to_read`
    does, or if a file that is read without locks was changed during the block."""
    before = _stamp(path)
    with closing(open_to_read(path)) as connection:
        try:
            yield connection
        except Exception as error:
            _check_unchanged(path, connection, before, error)
            raise
        _check_unchanged(path, connection, before)


def _stamp(path: Path) -> object:
    with suppress(OSError, ValueError):  # for a name that no system allows
        found = path.stat()
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
    return None


def _check_unchanged(
    path: Path, connection: Connection, before: object, error: Exception | None = None
) -> None:
    if connection.is_unlocked and (_stamp(path) != before or _is_open_in_wal_mode(path)):
        raise BusyError(f"{path}: {BUSY}") from error


def open_damaged_copy(path: Path) -> Connection:
    """Return a connection to a copy of a file that may be truncated or damaged; SQLite reads as
    much as it can. Text is not checked. Raises sqlite3.Error when it is used."""
    connection = _connect(path, "rw")
    connection.execute("PRAGMA writable_schema = ON")
    connection.text_factory = decode_leniently
    return connection


def _connect(path: Path, mode: str) -> Connection:
    try:
        return connect(path, mode, PATIENCE)
    except RuntimeError:  # before Python 3.13
        raise StorageError(f"{path}: this link leads to itself") from None


def _check_released(path: Path, access: int) -> None:
    """Raise StorageError if another program, such as a virus scanner, fails to release a file."""
    if not wait_for_release(path, access):
        raise StorageError(f"{path}: {IN_USE}")


def is_in_wal_mode(path: Path) -> bool:
    """Whether a file is in WAL mode, with its newest pages in another file. Raises StorageError if
    it cannot be read."""
    try:
        # The version needed to write it, and to read it.
        return read_header(path, 20)[18:] == b"\x02\x02"
    except OSError as error:
        raise StorageError(f"{path}: the file cannot be opened ({error.strerror})") from error


def _touch(connection: sqlite3.Connection) -> None:
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()


@contextmanager
def reading_connection(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a campaign file. Raises StorageError; DamagedError if a query asks for
    a missing table or column."""
    held, shared = _moment.get(), _shared.get()
    if held is None and shared is not None:
        held = shared.connection_to(path)
    with nullcontext(held) if held else reading_only(path) as connection, translate_errors(path):
        try:
            yield connection
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorname", "SQLITE_ERROR") != "SQLITE_ERROR":
                raise
            raise DamagedError(
                f"{path}: the tables are not those of a campaign ({error})"
            ) from error


class _SharedConnection:
    """A connection to one file, opened when the file is first read; or the connection that locks
    the file (`holding`)."""

    def __init__(self, path: Path, holding: Connection | None = None) -> None:
        self._path, self._holding = path, holding
        self._connection: Connection | None = None

    def connection_to(self, path: Path) -> Connection | None:
        """Return the connection; None for another file, or for a file that is read without
        locks."""
        if path != self._path:
            return None
        if self._holding is not None:
            return self.holding(path)
        if self._connection is None or self._connection.inode != inode_of(path):
            self.close()
            self._connection = open_to_read(path)
        if self._connection.is_unlocked:
            self.close()
        return self._connection

    def holding(self, path: Path) -> Connection | None:
        """Return the connection that holds a file, if any. Raises ReplacedError if the file is a
        different one now."""
        if path != self._path or self._holding is None:
            return None
        if self._holding.inode != inode_of(path):
            raise ReplacedError(path)
        return self._holding

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None


@contextmanager
def reuse_connection(path: Path) -> Iterator[None]:
    """Make all reads in the `with` block use one connection."""
    shared = _SharedConnection(path)
    token = _shared.set(shared)
    try:
        yield
    finally:
        _shared.reset(token)
        shared.close()


@contextmanager
def exclusive_file_lock(path: Path) -> Iterator[None]:
    """Keep everybody else from a campaign file, until it is next written to or the `with` block
    ends. Reads and writes there use the connection that holds it. Raises StorageError."""
    with translate_errors(path), closing(open_to_write(path)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # locks outlive their transaction
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
        token = _shared.set(_SharedConnection(path, connection))
        try:
            yield
        finally:
            _shared.reset(token)


def take_exclusive_connection(path: Path) -> Connection | None:
    """Return the connection that holds a file; it releases the file with its next transaction. None
    if no connection holds it. Raises ReplacedError if the file is a different one now."""
    shared = _shared.get()
    connection = shared.holding(path) if shared is not None else None
    if connection is not None:
        connection.execute("PRAGMA locking_mode = NORMAL")
    return connection


@contextmanager
def consistent_reads(path: Path) -> Iterator[None]:
    """Make all reads in the `with` block use one connection and see one state: nobody can write
    during it. If a file is too damaged for that, each read reports it."""
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(reading_connection(path))
        except DamagedError:
            yield
            return
        connection.execute("BEGIN")
        token = _moment.set(connection)
        try:
            yield
        finally:
            _moment.reset(token)
            connection.execute("ROLLBACK")


def not_a_campaign_text(names: set[str]) -> str:
    """Return the message for a file that holds objects with these names but no campaign."""
    if names:
        return "is a database, but not a brt-cg campaign"
    return "is empty; make a campaign in it with `new`"


def object_names(connection: sqlite3.Connection) -> set[str]:
    """Return the names of everything in a file."""
    return {str(name) for (name,) in run_query(connection, "SELECT name FROM sqlite_master")}


def list_tables(connection: sqlite3.Connection) -> list[str]:
    """Return all tables except SQLite's own, sorted."""
    rows = run_query(
        connection,
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
        "ESCAPE '\\' ORDER BY name",
    )
    return [str(name) for (name,) in rows]


def run_query(connection: sqlite3.Connection, query: str) -> list[tuple[Value, ...]]:
    """Return the result of a query. Text that is not UTF-8 gets lone surrogates in place of the
    stray bytes; this is rare, so it is done only after ordinary decoding fails."""
    try:
        return connection.execute(query).fetchall()
    except sqlite3.OperationalError as error:
        if "UTF-8" not in str(error):
            raise
        connection.text_factory = decode_leniently
        return connection.execute(query).fetchall()
    finally:
        connection.text_factory = str


def decode_leniently(text: bytes) -> str:
    """Decode text for a connection; stray bytes become lone surrogates."""
    return text.decode("utf-8", "surrogateescape")


def read_raw_table(connection: sqlite3.Connection, table: str, order: str | None) -> RawTable:
    """Return a table unchecked, read without an index, which might be damaged; ordered by a column
    if one is named."""
    connection.text_factory = decode_leniently
    columns = tuple(
        name for _, name, *_ in connection.execute(f"PRAGMA table_info({quote_name(table)})")
    )
    connection.text_factory = str
    wanted = ", ".join(map(quote_name, columns))
    query = f"SELECT {wanted} FROM {quote_name(table)} NOT INDEXED"
    ordered = f"{query} ORDER BY {quote_name(order)}" if order else query
    return RawTable(columns, tuple(run_query(connection, ordered)))


def integrity_problems(connection: sqlite3.Connection) -> list[str]:
    """Return the problems that SQLite itself finds in the file: pages and indexes."""
    return [line for (line,) in connection.execute("PRAGMA integrity_check") if line != "ok"]


def broken_references(connection: sqlite3.Connection) -> list[str]:
    """Return the rows that refer to a missing row, in words."""
    rows = connection.execute("PRAGMA foreign_key_check")
    return [f"{table} row {row} points to no row of {parent}" for table, row, parent, _ in rows]


# --- writing ----------------------------------------------------------------------------------


def check_can_create(path: Path) -> None:
    """Raise StorageError if no new campaign can be made there: the name is already used, or the
    folder is missing or closed to the player."""
    try:
        check_file_name(path)
        check_parent_folder_exists(path)
    except RefusedError as refused:
        raise StorageError(str(refused)) from None
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}") from None
    if path.exists() and not is_zero_byte_file(path):
        raise StorageError(f"{path} {TAKEN}")
    folder = path.absolute().parent
    if not os.access(folder, os.W_OK | os.X_OK):  # SQLite writes its journal beside the file
        raise StorageError(
            f"{path}: you may not write in the folder {folder}; choose another folder"
        )


def is_zero_byte_file(path: Path) -> bool:
    """Whether a file is empty. If a `new` was killed before it was complete, SQLite first rolls
    back its unfinished commit."""
    if not path.is_file():
        return False
    if path.stat().st_size and path.with_name(f"{path.name}-journal").is_file():
        with suppress(StorageError), reading_only(path):
            pass
    return path.stat().st_size == 0


def open_to_write(path: Path, new: bool = False, foreign_keys: str = "ON") -> Connection:
    """Return a connection that writes a campaign file; if `new` and there is none, a file is made
    that only its owner may read. Raises sqlite3.Error; StorageError if another program holds the
    file."""
    connection = _made(path) if new else _connect_to_write(path)
    try:
        connection.execute(f"PRAGMA foreign_keys = {foreign_keys}")
        connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        # macOS reports a write as done before it is on disk; no effect elsewhere.
        connection.execute("PRAGMA fullfsync = ON")
        # Players mail the file, so there must be no -wal beside it.
        connection.execute("PRAGMA journal_mode = DELETE")
    except BaseException:
        connection.close()
        raise
    return connection


def _made(path: Path) -> Connection:
    """Return a connection to a new file. SQLite itself would make a file that everybody may read;
    its journal has the mode of the file."""
    with suppress(OSError):  # it exists, or SQLite reports the reason
        create_private_file(path)
    return _connect_to_write(path)


def _connect_to_write(path: Path) -> Connection:
    """Return a connection that writes. While another program holds the file, SQLite would open it
    read-only."""
    _check_released(path, TO_WRITE)
    _drop_second_name(path)
    return _connect(path, "rw")


@contextmanager
def atomically_created_file(path: Path) -> Iterator[Path]:
    """Yield the path where a new file is made before it gets its name, completely or not at all.
    Unfinished files are deleted first. Raises StorageError if another file gets that name first."""
    beside = path.with_name(f"{path.name}.{token_hex(4)}{HALF_MADE}")
    try:
        check_parent_folder_exists(path)
        _clear(path)
        yield beside
        _name_new(beside, path)
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}; nothing was stored") from error
    finally:
        with suppress(OSError):
            _clear(path)


def _clear(path: Path) -> None:
    for each in _half_made(path):
        each.unlink(missing_ok=True)


def _half_made(path: Path) -> list[Path]:
    """Return the temporary names under which a file was made."""
    half_made = re.compile(rf"{re.escape(path.name)}\.[0-9a-f]{{8}}{HALF_MADE}(-journal)?")
    return [each for each in path.absolute().parent.iterdir() if half_made.fullmatch(each.name)]


def _drop_second_name(path: Path) -> None:
    """Delete the temporary name of a new file, if a crash left it, because SQLite would use a
    different rollback journal under that name."""
    with suppress(OSError):
        if path.stat().st_nlink > 1:
            for each in _half_made(path):
                if each.samefile(path):
                    each.unlink()


def _name_new(beside: Path, path: Path) -> None:
    """Give a file its name, unless another file has it."""
    if is_zero_byte_file(path):  # left by a killed `new` of an older brt-cg
        path.unlink()
    if not path.exists():  # a journal that belongs to no file would corrupt the new one
        path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
    try:
        os.link(beside, path)
    except (FileExistsError, FileNotFoundError):
        raise StorageError(f"{path} {TAKEN}") from None
    except OSError:  # a disk without links
        if path.exists():
            raise StorageError(f"{path} {TAKEN}") from None
        retry_if_blocked(lambda: beside.rename(path))
    fsync_folder(path.absolute().parent)


# If a transaction began with a read, SQLite would refuse to write while another program writes.
BEGIN = "BEGIN IMMEDIATE"


@contextmanager
def transaction(connection: Connection) -> Iterator[Connection]:
    """Commit everything written in the `with` block as a whole at its end."""
    connection.execute(BEGIN)
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables of a new campaign, in the connection's transaction. They are made from one
    SQL script with the result of all revisions, because loading Alembic would take ten times as
    long as using it."""
    for statement in (migrations_folder() / TEXT).read_text("utf-8").split("\n\n"):
        connection.execute(statement)


def make_migrating_engine(path: Path) -> "Engine":
    """Return an engine for migrations, with real transactions (DDL and savepoints included).
    Foreign keys are off, because they would delete dependent rows while a table is rebuilt; they
    are checked before the commit."""
    from sqlalchemy import create_engine, event
    from sqlalchemy.pool import QueuePool

    engine = create_engine(
        "sqlite://",
        creator=lambda: open_to_write(path, foreign_keys="OFF"),
        poolclass=QueuePool,
        pool_size=1,
        max_overflow=0,
    )
    event.listen(engine, "begin", lambda begun: begun.exec_driver_sql(BEGIN))
    return engine


# --- copies -----------------------------------------------------------------------------------


def copy_to_new_file(path: Path, target: Path) -> None:
    """Copy a campaign file, which may be in use, into a new file that only its owner may read.
    Raises StorageError."""
    if target.exists():
        raise StorageError(f"{target} {TAKEN}")
    with (
        reading_connection(path) as source,
        atomically_created_file(target) as beside,
        translate_errors(target),
        closing(_made(beside)) as copied,
    ):
        copied.execute("PRAGMA fullfsync = ON")
        # An unfinished copy is deleted, never rolled back.
        copied.execute("PRAGMA journal_mode = OFF")
        _copy_all(source, copied, path)


def file_change_token(path: Path) -> object:
    """Return a value that changes whenever a file is written to or replaced; None for a file that
    SQLite cannot use. Raises StorageError."""
    try:
        if is_in_wal_mode(path):  # in that mode the header counts no changes
            with translate_errors(path):
                open_to_write(path).close()
        with consistent_reads(path), reading_connection(path) as connection:
            _touch(connection)
            return _version_now(path)
    except (DamagedError, NotACampaignError):
        return None


def _version_now(path: Path) -> object:
    """Return the change token of a file while no other program can write."""
    return inode_of(path), read_header(path, 28)[24:]


def copy_over_existing_file(path: Path, target: Path, known: object = None) -> None:
    """Copy a campaign file over another one, which may be open elsewhere, as a whole or not at all.
    Raises StorageError; StaleCampaignError if the target has changed since its `known` version;
    DamagedError or NotACampaignError if SQLite cannot use the existing file."""

    def check() -> None:
        if known is not None and _version_now(target) != known:
            raise StaleCampaignError

    connection = take_exclusive_connection(target)
    with (
        reading_connection(path) as source,
        translate_errors(target),
        nullcontext(connection) if connection else closing(_connect_to_write(target)) as replaced,
    ):
        replaced.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        replaced.execute("PRAGMA fullfsync = ON")
        _copy_all(source, replaced, target, check)


def _copy_all(
    source: sqlite3.Connection,
    target: sqlite3.Connection,
    busy: Path,
    check: Callable[[], None] = lambda: None,
) -> None:
    """Copy with SQLite's own backup function, limiting how long it waits for another program.
    `check` is called as soon as nobody else can write to the target, when only the first page of
    the copy is in memory."""
    until, is_locked = monotonic() + PATIENCE, False

    def progress(status: int, remaining: int, pages: int) -> None:
        nonlocal is_locked
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            if monotonic() > until:
                raise BusyError(f"{busy}: {BUSY}")
        elif not is_locked:
            is_locked = True
            check()

    source.backup(target, pages=1, progress=progress)


# --- errors -----------------------------------------------------------------------------------

_MESSAGES: dict[str, tuple[type[StorageError], str]] = {
    "SQLITE_FULL": (StorageError, "the disk is full; nothing was stored"),
    "SQLITE_READONLY": (StorageError, "the file, or its folder, is read-only; nothing was stored"),
    "SQLITE_BUSY": (BusyError, BUSY),
    "SQLITE_LOCKED": (BusyError, BUSY),
    "SQLITE_CANTOPEN": (
        StorageError,
        "the file cannot be opened, or its folder cannot be written to; nothing was stored",
    ),
    "SQLITE_PERM": (StorageError, "you have no permission to use the file; nothing was stored"),
    "SQLITE_IOERR": (
        StorageError,
        "the disk reports an error (is it full, or has it been taken out?); nothing was stored",
    ),
    "SQLITE_NOTADB": (NotACampaignError, "this is not a campaign file"),
    "SQLITE_CORRUPT": (
        DamagedError,
        "the file is damaged; `backups` lists its copies, `repair` saves what can still be read",
    ),
}
# SQLite's message about a file that another program locked in the middle of the work.
_HELD_AS = ("SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_PERM", "SQLITE_READONLY")


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Turn a database's error into a StorageError with a clear message."""
    try:
        yield
    except Exception as error:
        refusal = _storage_error(path, error)
        if refusal is None:
            raise
        raise refusal from error


def _storage_error(path: Path, error: Exception) -> StorageError | None:
    raised = getattr(error, "orig", None) or error
    if isinstance(raised, UnicodeError):  # raised for a text in the file
        return DamagedError(f"{path} contains damaged text")
    if not isinstance(raised, sqlite3.Error):
        return None
    name = _name(raised)
    if name.startswith(_HELD_AS) and is_in_use(path, TO_WRITE):
        return StorageError(f"{path}: {IN_USE}")
    if name == "SQLITE_ERROR" and "no such table" in str(raised):
        return DamagedError(f"{path}: its tables are gone; nothing was stored")
    for start, (kind, message) in _MESSAGES.items():
        if name.startswith(start):
            return kind(f"{path}: {message}")
    return None


def _name(error: sqlite3.Error) -> str:
    return str(getattr(error, "sqlite_errorname", ""))
