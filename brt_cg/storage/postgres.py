"""Everything particular to PostgreSQL: connections, transactions, raw cells, and its errors.

Each campaign has a separate schema, brt_NAME, with the same tables, migrations, constraints and
triggers as a file. So each can be dumped, dropped and granted separately, and a query about one
cannot touch another.
"""

import atexit
import selectors
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, cast

import psycopg
from psycopg import errors, pq

from brt_cg.storage.cells import OtherValue, RawTable, Value, quote_name, storage_class
from brt_cg.storage.errors import (
    BUSY,
    REFUSAL,
    TAKEN,
    DamagedError,
    StaleCampaignError,
    StorageError,
    UnreachableError,
    UnstorableError,
)
from brt_cg.storage.place import Address

if TYPE_CHECKING:
    import sqlalchemy

PATIENCE = 5  # seconds to wait for the server, or for another connection to finish
PREFIX = "brt_"  # the prefix of a campaign's schema

Connection = psycopg.Connection[Any]


def schema_name(address: Address) -> str:
    """Return the schema of a campaign. Raises StorageError if the address does not name one."""
    if address.campaign is None:
        raise StorageError(
            f"{address} names no campaign; add ?campaign=NAME to it (`brt-cg campaigns "
            f"ADDRESS` lists its campaigns)"
        )
    return PREFIX + address.campaign


# --- connections --------------------------------------------------------------------------------


def connect(address: Address, **settings: str) -> Connection:
    """Return a connection whose tables are those of the campaign, if the address names one. Raises
    psycopg.Error."""
    asked = {
        "lock_timeout": f"{PATIENCE}s",
        "synchronous_commit": "on",  # a commit waits for the server's disk
        "search_path": f'"{schema_name(address)}"' if address.campaign is not None else '""',
        **settings,
    }
    return psycopg.connect(
        address.server,
        password=address.password,
        autocommit=True,
        application_name="brt-cg",
        client_encoding="utf8",
        connect_timeout=None if "connect_timeout=" in address.server else PATIENCE,
        # Notice a lost network instead of waiting for it.
        keepalives_idle=PATIENCE,
        keepalives_interval=PATIENCE,
        keepalives_count=2,
        tcp_user_timeout=PATIENCE * 1000,
        options=" ".join(f"-c {name}={value}" for name, value in asked.items()),
    )


# Connections are kept here for the next use, those that only read separately: making one takes
# longer than using it. psycopg_pool was measured: a read took 75 µs instead of 59, a start 16 ms
# and four threads more. It asks the server before each use whether the connection is still open,
# although a look at the socket shows it; and it reports that a server is gone only after its
# timeout, in its own words.
_idle: dict[tuple[Address, bool], list[Connection]] = {}
_lock = Lock()
_moment: ContextVar[Connection | None] = ContextVar("_moment", default=None)


@contextmanager
def reading_connection(address: Address) -> Iterator[Connection]:
    """Yield a read-only connection to a campaign. Raises StorageError; DamagedError if a query asks
    for a missing table or column."""
    schema_name(address)
    with server_reading_connection(address) as connection:
        yield connection


@contextmanager
def server_reading_connection(address: Address) -> Iterator[Connection]:
    """Yield a read-only connection to a server, whether or not the address names a campaign."""
    held = _moment.get()
    with translate_errors(address), nullcontext(held) if held else _lent(address) as connection:
        yield connection


@contextmanager
def transaction(address: Address) -> Iterator[Connection]:
    """Commit everything written in the `with` block as a whole at its end. Raises StorageError."""
    lent = _lent(address, reads=False)
    with translate_errors(address), lent as connection, connection.transaction():
        yield connection


def reuse_connection(address: Address) -> AbstractContextManager[None]:
    """Do nothing: connections are kept here for the next read."""
    return nullcontext()


def exclusive_file_lock(address: Address) -> AbstractContextManager[None]:
    """Lock nothing: on a server, a transaction is over sooner than another attempt."""
    return nullcontext()


@contextmanager
def consistent_reads(address: Address) -> Iterator[None]:
    """Make all reads in the `with` block see the campaign at the same moment, even while others
    write."""
    with reading_connection(address) as connection:
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        token = _moment.set(connection)
        try:
            yield
        finally:
            _moment.reset(token)
            if not connection.broken:
                connection.execute("ROLLBACK")


@contextmanager
def _lent(address: Address, reads: bool = True) -> Iterator[Connection]:
    """Yield an idle connection, or a new one; after the `with` block it is idle again, unless a
    transaction was left open."""
    connection = _idle_one(address, reads)
    if connection is None:
        connection = connect(address, default_transaction_read_only="on" if reads else "off")
    try:
        yield connection
    finally:
        if connection.info.transaction_status == pq.TransactionStatus.IDLE:
            with _lock:
                _idle.setdefault((address, reads), []).append(connection)
        else:
            connection.close()


def _idle_one(address: Address, reads: bool) -> Connection | None:
    with _lock:
        waiting = _idle.get((address, reads), [])
        while waiting:
            connection = waiting.pop()
            if _is_quiet(connection):
                return connection
            connection.close()
    return None


def _is_quiet(connection: Connection) -> bool:
    """Whether a server has sent nothing on an idle connection; a message would mean that the server
    is closing it."""
    if connection.closed:
        return False
    with selectors.DefaultSelector() as selector:
        selector.register(connection.fileno(), selectors.EVENT_READ)
        return not selector.select(0)


def close_idle(address: Address) -> None:
    """Close the idle connections."""
    with _lock:
        waiting = [*_idle.pop((address, True), []), *_idle.pop((address, False), [])]
    for connection in waiting:
        connection.close()


@atexit.register
def _release_all() -> None:
    for address, _ in [*_idle]:
        close_idle(address)


# --- reading ------------------------------------------------------------------------------------

HERE = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"


def not_a_campaign_text(names: set[str]) -> str:
    """Return the message for a schema that holds objects with these names but no campaign."""
    if names:
        return "is a schema of the database, but not a brt-cg campaign"
    return "does not exist, or your role may not read it; make a campaign with `new`"


def object_names(connection: Connection) -> set[str]:
    """Return the tables, views and indexes of the campaign's schema."""
    rows = connection.execute(f"SELECT relname FROM pg_class WHERE relnamespace = {HERE}")
    return {name for (name,) in rows}


def list_tables(connection: Connection) -> list[str]:
    """Return the tables of the campaign's schema, sorted."""
    wanted = f"relnamespace = {HERE} AND relkind IN ('r', 'p', 'f')"
    rows = connection.execute(f"SELECT relname FROM pg_class WHERE {wanted}")
    return sorted(name for (name,) in rows)


def run_query(connection: Connection, query: str) -> list[tuple[Value, ...]]:
    """Return the result of a query. A server stores only text that is UTF-8."""
    return connection.execute(cast(Any, query)).fetchall()


def read_raw_table(connection: Connection, table: str, order: str | None) -> RawTable:
    """Return a table unchecked, ordered by a column if one is named."""
    wanted = f"SELECT * FROM {quote_name(table)}"
    wanted += f" ORDER BY {quote_name(order)}" if order else ""
    found = connection.execute(cast(Any, wanted))
    columns = tuple(column.name for column in found.description or ())
    return RawTable(columns, tuple(tuple(map(_value, row)) for row in found))


def _value(value: Any) -> Value:
    return OtherValue(value) if storage_class(value) == "other" else cast(Value, value)


def integrity_problems(connection: Connection) -> list[str]:
    """Return the indexes and constraints that the server marks as invalid."""
    rows = connection.execute(
        "SELECT 'the index ' || relname || ' is not valid' FROM pg_index JOIN pg_class "
        f"ON pg_class.oid = indexrelid WHERE NOT indisvalid AND relnamespace = {HERE} "
        "UNION ALL SELECT 'the constraint ' || conname || ' was never checked' FROM pg_constraint "
        f"WHERE NOT convalidated AND connamespace = {HERE} ORDER BY 1"
    )
    return [line for (line,) in rows]


def broken_references(connection: Connection) -> list[str]:
    """Return the rows that refer to a missing row, in words."""
    keys = connection.execute(
        "SELECT child.relname, had.attname, parent.relname, due.attname FROM pg_constraint "
        "JOIN pg_class child ON child.oid = conrelid "
        "JOIN pg_class parent ON parent.oid = confrelid "
        "JOIN pg_attribute had ON had.attrelid = conrelid AND had.attnum = conkey[1] "
        "JOIN pg_attribute due ON due.attrelid = confrelid AND due.attnum = confkey[1] "
        f"WHERE contype = 'f' AND connamespace = {HERE} ORDER BY conname"
    ).fetchall()
    found = []
    for child, column, parent, key in keys:
        query = (
            f"SELECT {quote_name(column)} FROM {quote_name(child)} EXCEPT "
            f"SELECT {quote_name(key)} FROM {quote_name(parent)} ORDER BY 1"
        )
        rows = connection.execute(cast(Any, query))
        found += [f"{child} row {row} points to no row of {parent}" for (row,) in rows]
    return found


# --- writing ------------------------------------------------------------------------------------


@contextmanager
def migration_transaction(address: Address) -> Iterator["sqlalchemy.Connection"]:
    """Yield a transaction for migrations, on a separate connection. Raises StorageError."""
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    def connect_to_migrate() -> Connection:
        connection = connect(address)
        connection.autocommit = False
        return connection

    engine = create_engine(
        "postgresql+psycopg://",
        creator=connect_to_migrate,
        poolclass=NullPool,
        use_native_hstore=False,  # saves a query for its type
    )
    with translate_errors(address), engine.begin() as connection:
        yield connection


# --- errors -------------------------------------------------------------------------------------

_MESSAGES: Mapping[type[Exception], str] = {
    errors.DiskFull: "the server's disk is full, so nothing was stored",
    errors.ReadOnlySqlTransaction: "the server is read-only, so nothing was stored",
    errors.InsufficientPrivilege: "your role on the server may not do that, so nothing was stored",
    errors.LockNotAvailable: BUSY,
    errors.QueryCanceled: "the server canceled the operation (perhaps it took longer than "
    "statement_timeout allows), so nothing was stored",
    errors.SerializationFailure: "others were also writing, so nothing was stored; try again",
    errors.DeadlockDetected: "others were also writing, so nothing was stored; try again",
}


@contextmanager
def translate_errors(address: Address) -> Iterator[None]:
    """Turn a server's error into a StorageError with a clear message, which shows no password."""
    try:
        yield
    except Exception as error:
        refusal = _storage_error(address, error)
        if refusal is None:
            raise
        raise refusal from None


def _storage_error(address: Address, error: Exception) -> StorageError | None:
    raised = getattr(error, "orig", None) or error
    if not isinstance(raised, psycopg.Error):
        return None
    if is_entry_number_taken(raised):
        return StaleCampaignError()
    if is_connection_lost(raised):
        why = error_text(address, raised)
        return UnreachableError(f"{address}: no connection to the server ({why})")
    if isinstance(raised, errors.UndefinedTable | errors.UndefinedColumn):
        return DamagedError(
            f"{address}: the tables are not those of a campaign ({raised.diag.message_primary})"
        )
    if isinstance(raised, errors.DuplicateSchema) or _is_same_schema(raised):
        return StorageError(f"{address} {TAKEN}")
    if isinstance(raised, errors.CheckViolation | errors.DataError | errors.ProgramLimitExceeded):
        return UnstorableError()
    for kind, message in _MESSAGES.items():
        if isinstance(raised, kind):
            return StorageError(f"{address}: {message}")
    if isinstance(raised, psycopg.OperationalError | psycopg.InternalError):
        return StorageError(f"{address}: {error_text(address, raised)}; nothing was stored")
    return None


def is_entry_number_taken(error: psycopg.Error) -> bool:
    """Whether the server refused an entry because its number is already used."""
    diag = error.diag
    if isinstance(error, errors.UniqueViolation):
        return diag.constraint_name == "pk_journal"
    return isinstance(error, errors.IntegrityError) and diag.message_primary == REFUSAL


def _is_same_schema(error: psycopg.Error) -> bool:
    """Whether two programs made a campaign with the same name at the same moment."""
    same = isinstance(error, errors.UniqueViolation)
    return same and error.diag.constraint_name == "pg_namespace_nspname_index"


def is_connection_lost(error: psycopg.Error) -> bool:
    """Whether the connection could not be made or was lost."""
    if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    return error.sqlstate is None or (
        error.sqlstate[:2] in ("08", "57", "28", "3D", "53")
        and not isinstance(error, errors.DiskFull | errors.QueryCanceled)
    )


def error_text(address: Address, error: psycopg.Error) -> str:
    """Return the server's or the network's message, in one line."""
    text = " ".join(str(error).split())
    if address.password:
        text = text.replace(address.password, "…")
    return text


# --- listening for new entries, and watching the connection ---------------------------------------

AGAIN = 1.0  # seconds between two attempts to connect
BREATH = 1.0  # seconds between checks whether it has been closed


class Listener:
    """A listener in a separate thread, until it is closed, that calls `notify` there: with None
    when entries may have been added (also at the start and after a reconnect), with a message when
    the connection is lost."""

    def __init__(self, address: Address, notify: Callable[[str | None], None]) -> None:
        self._address = address
        self._channel = schema_name(address)
        self._notify = notify
        self._closed = Event()
        Thread(target=self._listen, name="listening", daemon=True).start()

    def close(self) -> None:
        """Stop listening."""
        self._closed.set()

    def _listen(self) -> None:
        while not self._closed.is_set():
            try:
                with connect(self._address) as connection:
                    self._hear(connection)
            except psycopg.Error as error:
                if not self._closed.is_set():
                    self._notify(error_text(self._address, error))
            self._closed.wait(AGAIN)

    def _hear(self, connection: Connection) -> None:
        connection.execute(f"LISTEN {quote_name(self._channel)}".encode())
        self._notify(None)
        while not self._closed.is_set():
            for _ in connection.notifies(timeout=BREATH, stop_after=1):
                self._notify(None)
