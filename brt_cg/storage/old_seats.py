"""Removes the players' roles that an older brt-cg made on a server.

It gave each seat of a campaign a role, and kept what the roles could read in a schema beside the
campaign's, brtseats_NAME. This brt-cg does not write there. But a role keeps its password, and can
still read what is there, until it is dropped.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from psycopg import errors, sql

from brt_cg.storage import postgres
from brt_cg.storage.cells import quoted
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Address

PREFIX = "brtseats_"
SEATS = ("marine", "japanese", "umpire")
_RIGHTS = "REVOKE ALL ON ALL TABLES IN SCHEMA {0} FROM {1}; REVOKE ALL ON SCHEMA {0} FROM {1}"


@dataclass(frozen=True, slots=True)
class Dropped:
    """What was removed for a campaign: the schema and the roles."""

    schema: str
    roles: tuple[str, ...]


def campaigns_with_seats(address: Address) -> list[str]:
    """The names of the campaigns that have such roles; only the address's, if it names one. Raises
    StorageError."""
    with postgres.looking(address) as connection:
        rows = connection.execute(
            "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s) ORDER BY nspname",
            (PREFIX,),
        ).fetchall()
    names = [str(schema).removeprefix(PREFIX) for (schema,) in rows]
    return [name for name in names if address.campaign in (None, name)]


def drop_seats(address: Address) -> list[Dropped]:
    """Removes the schema and the roles of the campaign's seats, or of every campaign's if the
    address names none; of all of them, or of none. Raises StorageError, also while requests of the
    players wait to be carried out."""
    names = campaigns_with_seats(address)
    with postgres.transaction(address) as connection:
        try:
            waiting = [line for name in names for line in _waiting(connection, name)]
            if waiting:
                raise StorageError(
                    f"{address}: what the players entered still waits; nothing was removed. Have "
                    "it carried out by the older brt-cg (brt-cg keep ADDRESS --once):\n"
                    + "\n".join(waiting)
                )
            return [_drop(connection, name) for name in names]
        except errors.InsufficientPrivilege as refused:
            raise StorageError(
                f"{address}: the seats are removed by the role that made them: "
                f"{postgres.in_words(address, refused)}"
            ) from None
        except errors.DependentObjectsStillExist as refused:
            raise StorageError(
                f"{address}: a role was given rights or objects beyond its seat; nothing was "
                f"removed: {postgres.in_words(address, refused)}"
            ) from None


def _waiting(connection: postgres.Connection, name: str) -> Iterator[str]:
    """The requests of a campaign's players that nobody has carried out; none can be added
    afterwards."""
    schema = quoted(f"{PREFIX}{name}")
    _run(connection, f"LOCK TABLE {schema}.requests IN ACCESS EXCLUSIVE MODE")
    lock = "SELECT pg_try_advisory_xact_lock(hashtext(%s))"
    if not _run(connection, lock, f"{PREFIX}{name}")[0][0]:
        yield f"  {name}: a keeper is running (brt-cg keep): stop it first"
    found = _run(
        connection,
        f"SELECT side, number, work, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') "
        f"FROM {schema}.requests WHERE outcome IS NULL ORDER BY at, side, number",
    )
    for side, number, work, at in found:
        yield f"  {name}: {side} {number}, {at} UTC: {_work(work)}"


def _work(text: str) -> str:
    """A request in a few words: "command buy"."""
    with suppress(ValueError, TypeError, AttributeError):
        asked = json.loads(text)
        return " ".join(str(asked[key]) for key in ("do", "kind") if asked.get(key))
    return "unreadable"


def _drop(connection: postgres.Connection, name: str) -> Dropped:
    ours = f"a seat of brt-cg, in the database {connection.info.dbname}"
    campaign = f"{postgres.PREFIX}{name}"
    there = _run(connection, "SELECT 1 FROM pg_namespace WHERE nspname = %s", campaign)
    _run(connection, f"DROP SCHEMA {quoted(PREFIX + name)} CASCADE")
    dropped = []
    for role in (f"{campaign}_{seat}" for seat in SEATS):
        made = "SELECT shobj_description(oid, 'pg_authid') FROM pg_roles WHERE rolname = %s"
        if _run(connection, made, role) != [(ours,)]:
            continue
        if there:
            rights = sql.SQL(_RIGHTS).format(sql.Identifier(campaign), sql.Identifier(role))
            connection.execute(rights)
        _run(connection, f"DROP ROLE {quoted(role)}")
        dropped.append(role)
    return Dropped(f"{PREFIX}{name}", tuple(dropped))


def _run(connection: postgres.Connection, query: str, *values: Any) -> list[Any]:
    found = connection.execute(cast(Any, query), values or None)
    return found.fetchall() if found.description else []
