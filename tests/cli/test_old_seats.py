"""Players' roles on a server, which an older brt-cg made: they are removed, and its commands say
what took their place."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from brt_cg.storage.old_seats import SEATS
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import schema_of
from tests.cli.shell import Shell
from tests.postgres import Server

pytestmark = pytest.mark.postgres

MADE = Path(__file__).parents[1] / "storage" / "files" / "old_seats.sql"
ASKED = "INSERT INTO {seats}.requests (side, number, work) VALUES ('marine', 1, {work})"


def run(connection: psycopg.Connection, address: Address, text: str, **values: str) -> None:
    """Runs statements, with the names of the schemas and the roles filled in."""
    schema = schema_of(address)
    names = {seat: f"{schema}_{seat}" for seat in SEATS}
    names |= {"campaign": schema, "seats": f"brtseats_{address.campaign}"}
    filled = {name: sql.Identifier(named) for name, named in names.items()}
    filled |= {name: sql.Literal(value) for name, value in values.items()}  # type: ignore[misc]
    connection.execute(sql.SQL(text).format(**filled))  # type: ignore[arg-type]


@pytest.fixture
def seated(brt: Shell, address: Address) -> Iterator[Address]:
    """A campaign with the seats as an older brt-cg made them."""
    assert brt("new", str(address), "--cg", "III").code == 0
    with psycopg.connect(address.server, autocommit=True) as connection:
        for seat in SEATS:
            run(connection, address, f"CREATE ROLE {{{seat}}} LOGIN PASSWORD 'geheim'")
            comment = f"a seat of brt-cg, in the database {connection.info.dbname}"
            run(connection, address, f"COMMENT ON ROLE {{{seat}}} IS {{words}}", words=comment)
        run(connection, address, MADE.read_text("utf-8"))
    yield address
    with psycopg.connect(address.server, autocommit=True) as connection:
        run(connection, address, "DROP SCHEMA IF EXISTS {seats} CASCADE")


def left(server: Server, address: Address) -> tuple[list[str], list[str]]:
    """The roles and the schemas that a campaign has."""
    with server.connect() as superuser:
        roles = superuser.execute(
            "SELECT rolname FROM pg_roles WHERE starts_with(rolname, %s) ORDER BY 1",
            (f"{schema_of(address)}_",),
        ).fetchall()
        schemas = superuser.execute(
            "SELECT nspname FROM pg_namespace WHERE nspname IN (%s, %s) ORDER BY 1",
            (schema_of(address), f"brtseats_{address.campaign}"),
        ).fetchall()
    return [name for (name,) in roles], [name for (name,) in schemas]


def test_the_roles_and_their_schema_are_removed_and_the_campaign_stays(
    brt: Shell, seated: Address, server: Server
) -> None:
    assert "--drop-seats removes them" in brt("campaigns", str(seated)).err
    dropped = brt("campaigns", str(seated), "--drop-seats")
    assert dropped.code == 0, dropped.err
    assert f"brtseats_{seated.campaign}" in dropped.out
    assert left(server, seated) == ([], [schema_of(seated)])
    assert brt("audit", str(seated)).code == 0
    again = brt("campaigns", str(seated), "--drop-seats")
    assert (again.code, again.out) == (0, "")
    assert "nothing was removed" in again.err


def test_what_a_player_entered_and_nobody_carried_out_is_listed_and_nothing_is_removed(
    brt: Shell, seated: Address, server: Server
) -> None:
    before = left(server, seated)
    with psycopg.connect(seated.server, autocommit=True) as connection:
        run(connection, seated, ASKED, work='{"do": "command", "kind": "buy", "asked": []}')
    refused = brt("campaigns", str(seated), "--drop-seats")
    assert (refused.code, refused.out) == (2, "")
    assert f"{seated.campaign}: marine 1, " in refused.err
    assert "command buy" in refused.err
    assert left(server, seated) == before
    assert len(before[0]) == len(SEATS)


def test_while_a_keeper_runs_nothing_is_removed(
    brt: Shell, seated: Address, server: Server
) -> None:
    before = left(server, seated)
    with psycopg.connect(seated.server, autocommit=True) as keeper:
        keeper.execute("SELECT pg_advisory_lock(hashtext(%s))", (f"brtseats_{seated.campaign}",))
        refused = brt("campaigns", str(seated), "--drop-seats")
    assert refused.code == 2
    assert "a keeper is running" in refused.err
    assert left(server, seated) == before


def test_a_role_that_was_given_more_is_not_dropped_blindly(
    brt: Shell, seated: Address, server: Server
) -> None:
    with psycopg.connect(seated.server, autocommit=True) as connection:
        run(connection, seated, "GRANT CREATE ON DATABASE club TO {marine}")
    before = left(server, seated)
    refused = brt("campaigns", str(seated), "--drop-seats")
    assert refused.code == 2
    assert "beyond its seat" in refused.err
    assert left(server, seated) == before


def test_another_role_removes_nothing(brt: Shell, seated: Address, server: Server) -> None:
    before = left(server, seated)
    marine = server.address(seated.campaign, user=f"{schema_of(seated)}_marine")
    refused = brt("campaigns", str(marine), "--drop-seats")
    assert (refused.code, refused.out) == (2, "")
    assert left(server, seated) == before


@pytest.mark.parametrize("command", ["seats", "keep"])
def test_the_commands_of_old_say_what_took_their_place(command: str, brt: Shell) -> None:
    gone = brt(command, "postgresql://ann@club.example/games?campaign=tarawa")
    assert (gone.code, gone.out) == (2, "")
    assert len(gone.err.splitlines()) == 1
    assert "brt-cg serve ADDRESS" in gone.err
