"""The seats of a campaign on a server: a server role for each, and what its player may read and ask
for.

They have a schema beside the campaign's, brtseats_NAME, which is all that a player's role may use.
Row-level security lets him read only his side's rows: the pages that the journal's writer stores
for him in the same transaction, and his requests. He may only add requests, for his side; the
keeper of the campaign carries them out, and answers each in the transaction that stores the result.
Only the requests are original data; `make` can rebuild the rest.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, cast

from psycopg import errors, sql

from brt_cg.journal.entries import canonical
from brt_cg.journal.seat_pages import Pages, Request
from brt_cg.model.counters import Side
from brt_cg.storage import postgres
from brt_cg.storage.cells import quoted
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Address

PREFIX = "brtseats_"
UMPIRE = "umpire"
SEATS = (*Side, UMPIRE)
LISTS = {"rows": "row", "links": "link"}  # the tables of numbered texts, and their column

_SIDE = "side text NOT NULL CHECK (side IN ('marine', 'japanese'))"
_TABLES = {
    **{
        table: f"{_SIDE}, number integer, {text} text NOT NULL, PRIMARY KEY (side, number)"
        for table, text in LISTS.items()
    },
    "stands": f"{_SIDE} PRIMARY KEY, stands text NOT NULL, digest text NOT NULL",
    "requests": (
        f"{_SIDE}, number integer, work text NOT NULL CHECK (length(work) < 1000000), "
        "at timestamptz NOT NULL DEFAULT clock_timestamp(), "
        "outcome text CHECK (outcome IN ('done', 'refused')), said text, "
        "PRIMARY KEY (side, number)"
    ),
}


@dataclass(frozen=True, slots=True)
class SeatRole:
    """The role of a seat; `password` is None if it had one already."""

    seat: str
    address: Address
    password: str | None


def schema_of(address: Address) -> str:
    """The schema of a campaign's seats. Raises StorageError if the address names none."""
    postgres.schema_of(address)
    return f"{PREFIX}{address.campaign}"


def role_of(address: Address, seat: str) -> str:
    """The role of a seat, one of SEATS."""
    return f"{postgres.schema_of(address)}_{seat}"


def channel_of(address: Address, side: Side | None) -> str:
    """The channel that announces new pages and answers to a side, or (None) requests to the
    keeper."""
    return f"{schema_of(address)} {side}" if side else schema_of(address)


# --- made -----------------------------------------------------------------------------------------


def make(address: Address, pages: Mapping[Side, Pages], anew: Sequence[str] = ()) -> list[SeatRole]:
    """Creates the missing roles, tables and grants, and writes the pages. A new role gets a
    password, and the seats in `anew` get a new one. Raises StorageError."""
    with postgres.transaction(address) as connection:
        try:
            made = [_role(connection, address, seat, seat in anew) for seat in SEATS]
            names = {seat: role_of(address, seat) for seat in SEATS}
            names |= {"seats": schema_of(address), "campaign": postgres.schema_of(address)}
            identifiers = {name: sql.Identifier(named) for name, named in names.items()}
            for statement in _statements():
                connection.execute(sql.SQL(cast(Any, statement)).format(**identifiers))
        except errors.InsufficientPrivilege as refused:
            raise StorageError(
                f"{address}: the seats are made by who made the campaign, with a role that may "
                f"make roles (CREATEROLE): {postgres.in_words(address, refused)}"
            ) from None
        write(connection, address, pages)
    return made


def _role(connection: postgres.Connection, address: Address, seat: str, anew: bool) -> SeatRole:
    name = role_of(address, seat)
    database = connection.info.dbname
    found = connection.execute(
        "SELECT shobj_description(oid, 'pg_authid') FROM pg_roles WHERE rolname = %s", (name,)
    ).fetchone()
    if found is not None and found[0] != _comment(database):
        raise StorageError(
            f"{address}: there is a role {name} on the server that is not this campaign's; "
            "nothing was changed: give the campaign another name (brt-cg copy)"
        )
    role, password = sql.Identifier(name), None
    if found is None or anew:
        password = secrets.token_urlsafe(18)
        # The server and its log see only the verifier of the password.
        check = connection.pgconn.encrypt_password(
            password.encode(), name.encode(), b"scram-sha-256"
        )
        verb = "CREATE" if found is None else "ALTER"
        statement = sql.SQL(cast(Any, f"{verb} ROLE {{}} LOGIN PASSWORD {{}}"))
        connection.execute(statement.format(role, check.decode()))
        comment = sql.SQL("COMMENT ON ROLE {} IS {}").format(role, _comment(database))
        connection.execute(comment)
    return SeatRole(seat, replace(_as_user(address, name), password=None), password)


def _comment(database: str) -> str:
    return f"a seat of brt-cg, in the database {database}"


def _as_user(address: Address, user: str) -> Address:
    scheme, _, rest = address.server.partition("://")
    host, slash, database = rest.partition("/")
    return replace(address, server=f"{scheme}://{user}@{host.rpartition('@')[2]}{slash}{database}")


def _statements() -> Iterator[str]:
    """The statements for everything but the roles; {names} stand for the schemas and the roles."""
    everybody = ", ".join(f"{{{seat}}}" for seat in SEATS)
    players = ", ".join(f"{{{side}}}" for side in Side)
    yield "CREATE SCHEMA IF NOT EXISTS {seats}"
    yield f"GRANT USAGE ON SCHEMA {{seats}} TO {everybody}"
    for table, columns in _TABLES.items():
        yield f"CREATE TABLE IF NOT EXISTS {{seats}}.{table} ({columns})"
        yield f"ALTER TABLE {{seats}}.{table} ENABLE ROW LEVEL SECURITY"
        yield f"GRANT SELECT ON {{seats}}.{table} TO {players}"
        yield f"GRANT SELECT, INSERT, UPDATE, DELETE ON {{seats}}.{table} TO {{umpire}}"
        yield f"DROP POLICY IF EXISTS umpire ON {{seats}}.{table}"
        yield f"CREATE POLICY umpire ON {{seats}}.{table} TO {{umpire}} USING (true)"
        for side in Side:
            own = f"side = '{side}'"
            yield f"DROP POLICY IF EXISTS {side} ON {{seats}}.{table}"
            yield (
                f"CREATE POLICY {side} ON {{seats}}.{table} FOR SELECT TO {{{side}}} USING ({own})"
            )
    for side in Side:
        yield f"DROP POLICY IF EXISTS {side}_asks ON {{seats}}.requests"
        yield (
            f"CREATE POLICY {side}_asks ON {{seats}}.requests FOR INSERT TO {{{side}}} "
            f"WITH CHECK (side = '{side}' AND outcome IS NULL AND said IS NULL)"
        )
    yield f"GRANT INSERT (side, number, work) ON {{seats}}.requests TO {players}"
    # The planner's statistics of the texts could leak to the other side.
    for table, column in {**LISTS, "stands": "stands", "requests": "work"}.items():
        yield f"ALTER TABLE {{seats}}.{table} ALTER {column} SET STATISTICS 0"
    yield "ALTER TABLE {seats}.requests ALTER said SET STATISTICS 0"
    yield "GRANT USAGE ON SCHEMA {campaign} TO {umpire}"
    yield "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {campaign} TO {umpire}"
    yield "REVOKE UPDATE, DELETE ON {campaign}.journal FROM {umpire}"
    yield "REVOKE INSERT, UPDATE, DELETE ON {campaign}.alembic_version FROM {umpire}"


# --- the pages ------------------------------------------------------------------------------------


def has_seats(connection: postgres.Connection, address: Address) -> bool:
    """Whether a campaign has seats."""
    wanted = "SELECT 1 FROM pg_namespace WHERE nspname = %s"
    return connection.execute(wanted, (schema_of(address),)).fetchone() is not None


def write(
    connection: postgres.Connection,
    address: Address,
    pages: Mapping[Side, Pages],
    held: Mapping[Side, Pages] | None = None,
) -> None:
    """Writes the changed pages and notifies their sides, within the transaction. `held` is what
    this program wrote last."""
    schema = quoted(schema_of(address))
    stand = dict(_run(connection, f"SELECT side, digest FROM {schema}.stands"))
    for side, page in pages.items():
        if stand.get(side.value) == page.digest:
            continue
        before = (held or {}).get(side)
        if before is None or before.digest != stand.get(side.value):
            before = _pages(connection, schema, side)
        with connection.pipeline():
            _write_list(connection, f"{schema}.rows", side, before.rows, page.rows)
            _write_list(connection, f"{schema}.links", side, before.links, page.links)
            _run(
                connection,
                f"INSERT INTO {schema}.stands VALUES (%s, %s, %s) ON CONFLICT (side) "
                "DO UPDATE SET stands = excluded.stands, digest = excluded.digest",
                *(side, page.stands, page.digest),
            )
            _tell(connection, channel_of(address, side))


def _write_list(
    connection: postgres.Connection,
    table: str,
    side: Side,
    before: Sequence[str],
    now: Sequence[str],
) -> None:
    """Replaces a list of rows from the first difference on."""
    pairs = enumerate(zip(before, now, strict=False))
    shorter = min(len(before), len(now))
    alike = next((at for at, (held, text) in pairs if held != text), shorter)
    if alike < len(before):
        _run(connection, f"DELETE FROM {table} WHERE side = %s AND number > %s", side, alike)
    for number, text in enumerate(now[alike:], start=alike + 1):
        _run(connection, f"INSERT INTO {table} VALUES (%s, %s, %s)", side, number, text)


def read(address: Address, side: Side) -> Pages:
    """The pages of a side, read at one moment. Raises StorageError."""
    with postgres.at_one_moment(address), postgres.reading(address) as connection:
        return _pages(connection, quoted(schema_of(address)), side)


def _pages(connection: postgres.Connection, schema: str, side: Side) -> Pages:
    queries = (
        f"SELECT {column} FROM {schema}.{table} WHERE side = %s ORDER BY number"
        for table, column in LISTS.items()
    )
    lists = [_run(connection, query, side) for query in queries]
    rows, links = (tuple(text for (text,) in found) for found in lists)
    stands = _run(connection, f"SELECT stands FROM {schema}.stands WHERE side = %s", side)
    return Pages(rows, stands[0][0] if stands else "", links)


def tip(address: Address, side: Side) -> str:
    """The digest of a side's current pages. Raises StorageError."""
    schema = quoted(schema_of(address))
    with postgres.reading(address) as connection:
        rows = _run(connection, f"SELECT digest FROM {schema}.stands WHERE side = %s", side)
    return str(rows[0][0]) if rows else ""


def refresh(address: Address, pages: Mapping[Side, Pages]) -> None:
    """Repairs the pages where they are not as they should be: a brt-cg that does not know seats may
    have added entries. Raises StorageError."""
    with postgres.transaction(address) as connection:
        write(connection, address, pages)


@contextmanager
def keeping(address: Address) -> Iterator[Callable[[float], None]]:
    """Marks the campaign as kept by this process in the `with` block. Yields a function that waits
    at most so many seconds for a request. Raises StorageError if it has no seats, or is kept
    already."""
    with postgres.plain_errors(address), postgres.connect(address) as connection:
        if not has_seats(connection, address):
            raise StorageError(f"{address} has no seats yet: brt-cg seats makes them")
        lock = "SELECT pg_try_advisory_lock(hashtext(%s))"
        if not _run(connection, lock, schema_of(address))[0][0]:
            raise StorageError(f"{address} is kept already, from another window or machine")
        connection.execute(f"LISTEN {quoted(channel_of(address, None))}".encode())

        def heard(seconds: float) -> None:
            for _ in connection.notifies(timeout=seconds, stop_after=1):
                pass

        try:
            yield heard
        finally:  # so that the next keeper need not wait for the server to notice
            if not connection.broken:
                _run(connection, "SELECT pg_advisory_unlock_all()")


def seat_of(address: Address) -> Side | None:
    """The side whose seat an address's role is; None if the role may see the campaign itself, or
    belongs to nobody. Raises StorageError, also for a role with both seats."""
    usable = "SELECT nspname FROM pg_namespace WHERE nspname = %s AND has_schema_privilege(oid, %s)"
    with postgres.reading(address) as connection:
        if _run(connection, usable, postgres.schema_of(address), "USAGE"):
            return None
        if not _run(connection, usable, schema_of(address), "USAGE"):
            return None
        schema = quoted(schema_of(address))
        sides = _run(connection, f"SELECT side FROM {schema}.stands ORDER BY side")
    if len(sides) > 1:
        raise StorageError(f"{address}: your role has both players' seats: open it as one of them")
    return Side(sides[0][0]) if sides else None


# --- requests -------------------------------------------------------------------------------------


def enter(address: Address, side: Side, work: Any) -> int:
    """Adds a request. Returns its number among the side's. Raises StorageError."""
    table = _requests(address)
    new = (
        f"INSERT INTO {table} (side, number, work) SELECT %s, coalesce(max(number), 0) + 1, %s "
        f"FROM {table} RETURNING number"
    )
    with postgres.transaction(address) as connection:
        try:
            rows = _run(connection, new, side, canonical(work))
        except errors.UniqueViolation:
            raise StorageError(
                "another window of yours entered something too; nothing was stored: try again"
            ) from None
        _tell(connection, channel_of(address, None))
    return int(rows[0][0])


def outcome_of(address: Address, side: Side, number: int) -> tuple[str, str] | None:
    """The outcome of a request, "done" or "refused", and its message; None while it waits. Raises
    StorageError."""
    table = _requests(address)
    wanted = f"SELECT outcome, said FROM {table} WHERE side = %s AND number = %s"
    with postgres.reading(address) as connection:
        rows = _run(connection, wanted, side, number)
    return (rows[0][0], rows[0][1] or "") if rows and rows[0][0] else None


def waiting(address: Address, side: Side | None = None) -> list[Request]:
    """The waiting requests of a side (None: both), oldest first. Raises StorageError."""
    table = _requests(address)
    wanted = f"SELECT side, number, work FROM {table} WHERE outcome IS NULL"
    with postgres.reading(address) as connection:
        rows = _run(connection, f"{wanted} ORDER BY at, side, number")
    found = [Request(Side(whose), number, work) for whose, number, work in rows]
    return [request for request in found if side in (None, request.side)]


def answer(
    connection: postgres.Connection, address: Address, request: Request, outcome: str, said: str
) -> None:
    """Answers a request within the transaction, and notifies its side. Raises StorageError if
    another keeper has answered it."""
    table = _requests(address)
    rows = _run(
        connection,
        f"UPDATE {table} SET outcome = %s, said = %s "
        "WHERE side = %s AND number = %s AND outcome IS NULL RETURNING number",
        *(outcome, said, request.side, request.number),
    )
    if not rows:
        raise StorageError(f"{address}: another keeper has answered that request already")
    _tell(connection, channel_of(address, request.side))


def settle(address: Address, request: Request, outcome: str, said: str) -> None:
    """Answers a request in a transaction of its own. Raises StorageError."""
    with postgres.transaction(address) as connection:
        answer(connection, address, request, outcome, said)


def _requests(address: Address) -> str:
    return f"{quoted(schema_of(address))}.requests"


def _tell(connection: postgres.Connection, channel: str) -> None:
    _run(connection, "SELECT pg_notify(%s, '')", channel)


def _run(connection: postgres.Connection, query: str, *values: Any) -> list[Any]:
    plain = [value.value if isinstance(value, Side) else value for value in values]
    found = connection.execute(cast(Any, query), plain)
    return found.fetchall() if found.description else []
