"""What a player finds on the server with tools of his own: nothing that his side may not know, and
nothing that he may change."""

import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql

from brt_cg.model.counters import Side
from brt_cg.service.desk import Desk
from brt_cg.storage import seats
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import release, schema_of
from tests.exports.journals import NOON
from tests.postgres import Server
from tests.seats import at, make_seats, release_seats
from tests.secrets.test_commands import twin

pytestmark = pytest.mark.postgres

# What only the Japanese know of the twins: counters, purchases, places, decisions.
SECRETS = (
    *("j-sq-1", "j-sq-2", "j-sq-6", "j-sq-7", "j-ldr-1", "j-ldr-2", "j-gun-1", "j-tank-1"),
    *("j-pb-1", "j-pb-2", "j-pb-3", "pj1", "pj2", "hmg", "japanese/red_one", "Type 95", "37L"),
)


MARINE_SECRET = "the tanks mean to land on Green"


@pytest.fixture(scope="module")
def twins(server: Server) -> Iterator[list[Address]]:
    """Two campaigns that differ in Japanese secrets only, with seats, alone in a database: all that
    is in it will be read."""
    server.make_database("twins")
    places = [server.address(f"seat-twin-{number}", database="twins") for number in range(2)]
    for number, place in enumerate(places):
        twin(place, number)
        desk = Desk.open(place, lambda: NOON)
        desk.command("note", {"words": MARINE_SECRET, "side": "marine", "about": None}, "marine")
        desk.close()
        make_seats(place)
    yield places
    for place in places:
        release_seats(place)
        release(place)


def connected(address: Address) -> psycopg.Connection[Any]:
    return psycopg.connect(address.server, autocommit=True)


def all_that_is_there(
    connection: psycopg.Connection[Any], inside: str | None = None
) -> Iterator[tuple[str, str]]:
    """Every relation of the database (or inside one schema) that may be read, the server's own too,
    with its rows as text; and what may not be read, with the refusal."""
    relations = connection.execute(
        "SELECT nspname, relname FROM pg_class "
        "JOIN pg_namespace ON pg_namespace.oid = relnamespace "
        "WHERE relkind IN ('r', 'v', 'm', 'p', 'f', 'S') "
        "AND nspname = coalesce(%s, nspname) ORDER BY 1, 2",
        (inside,),
    ).fetchall()
    for schema, name in relations:
        relation = sql.SQL("{}.{}").format(sql.Identifier(schema), sql.Identifier(name))
        try:
            rows = connection.execute(sql.SQL("SELECT * FROM {}").format(relation)).fetchall()
        except psycopg.Error as refused:
            yield f"{schema}.{name}", str(refused)
        else:
            yield f"{schema}.{name}", "\n".join(map(str, rows))


def secrets_in(text: str) -> list[str]:
    held = [secret for secret in SECRETS if secret in text]  # which is quick, and seldom so
    return [secret for secret in held if re.search(rf"(?<![\w-]){re.escape(secret)}\b", text)]


@pytest.fixture(scope="module")
def read_by(twins: list[Address]) -> dict[str, dict[str, str]]:
    """All that is there, as each side's player reads it."""
    read = {}
    for side in Side:
        with connected(at(twins[0], side)) as player:
            read[side.value] = dict(all_that_is_there(player))
    return read


# --- reading --------------------------------------------------------------------------------------


def test_a_player_with_psql_reads_no_byte_of_a_japanese_secret(
    twins: list[Address], read_by: dict[str, dict[str, str]]
) -> None:
    with connected(twins[0]) as umpire:
        whole = "".join(text for _, text in all_that_is_there(umpire, schema_of(twins[0])))
    assert len(secrets_in(whole)) > 12, "there is something to be found"
    found = {name: secrets_in(text) for name, text in read_by["marine"].items()}
    assert {name: secrets for name, secrets in found.items() if secrets} == {}
    assert len(found) > 100


def test_nor_of_a_marine_secret(read_by: dict[str, dict[str, str]]) -> None:
    holding = {
        side
        for side, relations in read_by.items()
        if any(MARINE_SECRET in text for text in relations.values())
    }
    assert holding == {"marine"}


def test_what_he_reads_of_two_campaigns_is_alike_to_the_byte(twins: list[Address]) -> None:
    """His schema; and of the server's catalogues what is no count, number or time of its own."""
    read = []
    for place in twins:
        with connected(at(place, "marine")) as marine:
            schema = seats.schema_of(place)
            found = all_that_is_there(marine, schema)
            read.append({name.removeprefix(schema): text for name, text in found})
    assert read[0] == read[1]
    assert set(read[0]) == {".rows", ".links", ".stands", ".requests"}
    assert len(read[0][".rows"]) > 1000


@pytest.mark.parametrize("side", [*Side])
def test_the_campaign_itself_is_closed_to_players(side: Side, twins: list[Address]) -> None:
    with connected(at(twins[0], side)) as player:
        theirs = schema_of(twins[0])
        refusals = dict(all_that_is_there(player, theirs))
        assert f"{theirs}.journal" in refusals
        assert {text.split("\n")[0] for text in refusals.values()} == {
            f"permission denied for schema {theirs}"
        }
        functions = player.execute(
            "SELECT proname FROM pg_proc WHERE pronamespace = "
            "(SELECT oid FROM pg_namespace WHERE nspname = %s)",
            (theirs,),
        ).fetchall()
        for (name,) in functions:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                player.execute(f'SELECT "{theirs}".{name}()')


def test_each_reads_his_own_rows_and_no_others(twins: list[Address]) -> None:
    for side in Side:
        with connected(at(twins[0], side)) as player:
            for table in ("rows", "links", "stands", "requests"):
                name = f'"{seats.schema_of(twins[0])}".{table}'
                sides = player.execute(f"SELECT DISTINCT side FROM {name}").fetchall()
                assert sides in ([], [(side.value,)])
    with connected(at(twins[0], "japanese")) as japanese:
        name = f'"{seats.schema_of(twins[0])}".rows'
        text = "".join(row for (row,) in japanese.execute(f"SELECT row FROM {name}"))
        assert len(secrets_in(text)) > 5


def test_nothing_is_told_by_statistics_plans_comments_or_what_others_are_doing(
    twins: list[Address],
) -> None:
    busy = Desk.open(twins[0])
    with connected(twins[0]) as owner:
        for table in ("rows", "links", "stands", "requests"):
            owner.execute(f'ANALYZE "{seats.schema_of(twins[0])}".{table}')
        owner.execute(f'ANALYZE "{schema_of(twins[0])}".units')
        owner.execute("SELECT 'j-sq-1 hides in L38'")  # what stands in pg_stat_activity
        with connected(at(twins[0], "marine")) as marine:
            told = dict(all_that_is_there(marine, "pg_catalog"))
            for name in ("pg_stats", "pg_stat_activity", "pg_description", "pg_shdescription"):
                assert secrets_in(told[f"pg_catalog.{name}"]) == []
            plan = f"EXPLAIN SELECT * FROM \"{seats.schema_of(twins[0])}\".rows WHERE row ~ 'j-sq'"
            assert secrets_in(str(marine.execute(plan).fetchall())) == []
    busy.close()


def test_what_is_notified_holds_nothing(twins: list[Address]) -> None:
    place = twins[0]
    with connected(at(place, "marine")) as marine:
        for channel in (
            schema_of(place),
            seats.schema_of(place),
            *(seats.channel_of(place, side) for side in Side),
            "over",
        ):
            marine.execute(f'LISTEN "{channel}"')
        desk = Desk.open(place)
        words = {"words": "j-sq-1 hides in L38", "side": "japanese", "about": None}
        desk.command("note", words)
        desk.undo()
        desk.close()
        marine.execute("NOTIFY over")
        heard = []
        for note in marine.notifies(timeout=30):
            if note.channel == "over":
                break
            heard.append(note.payload)
    assert heard
    assert set(heard) == {""}


# --- writing --------------------------------------------------------------------------------------

FORBIDDEN = {
    "another's request": "INSERT INTO {s}.requests (side, number, work) "
    "VALUES ('japanese', 1, '{{}}')",
    "a request answered by himself": "INSERT INTO {s}.requests (side, number, work, outcome) "
    "VALUES ('marine', 9, '{{}}', 'done')",
    "a request of yesterday": "INSERT INTO {s}.requests (side, number, work, at) "
    "VALUES ('marine', 9, '{{}}', now() - interval '1 day')",
    "a row": "INSERT INTO {s}.rows VALUES ('marine', 9999, '{{}}')",
    "rows changed": "UPDATE {s}.rows SET row = ''",
    "rows deleted": "DELETE FROM {s}.rows",
    "where it stands": "UPDATE {s}.stands SET stands = ''",
    "the chain": "DELETE FROM {s}.links",
    "requests changed": "UPDATE {s}.requests SET work = ''",
    "requests deleted": "DELETE FROM {s}.requests",
    "rows emptied": "TRUNCATE {s}.rows",
    "requests emptied": "TRUNCATE {s}.requests",
    "the other's role": "SET ROLE {japanese}",
    "the umpire's role": "SET ROLE {umpire}",
    "the owner's role": "SET ROLE {owner}",
    "another session": "SET SESSION AUTHORIZATION {umpire}",
    "no more row security": "ALTER TABLE {s}.rows DISABLE ROW LEVEL SECURITY",
    "a policy": "CREATE POLICY mine ON {s}.rows USING (true)",
    "a trigger": "CREATE TRIGGER mine AFTER INSERT ON {s}.requests EXECUTE FUNCTION version()",
    "a table in the way": "CREATE TABLE {s}.mine (id integer)",
    "a table in the campaign": "CREATE TABLE {c}.mine (id integer)",
    "an entry": "INSERT INTO {c}.journal VALUES (1, '', '', '')",
    "a lock": "BEGIN; LOCK TABLE {s}.rows IN ACCESS EXCLUSIVE MODE",
    "another password": "ALTER ROLE {umpire} PASSWORD 'mine'",
    "a grant": "GRANT {umpire} TO {marine}",
    "row security off": "SET row_security = off; SELECT * FROM {s}.rows",
}


@pytest.mark.parametrize("statement", FORBIDDEN.values(), ids=FORBIDDEN)
def test_a_player_changes_nothing_and_becomes_nobody_else(
    statement: str, twins: list[Address]
) -> None:
    place = twins[1]
    names = {
        "s": f'"{seats.schema_of(place)}"',
        "c": f'"{schema_of(place)}"',
        "owner": "umpire",
        **{seat: f'"{seats.role_of(place, seat)}"' for seat in seats.SEATS},
    }
    with connected(at(place, "marine")) as marine, pytest.raises(psycopg.Error) as refused:
        marine.execute(statement.format(**names))
    assert re.search(
        "permission denied|must be owner|row-level security|must have admin|affected by row-level",
        str(refused.value),
    )


def test_what_the_umpires_role_may_not_do_either(twins: list[Address]) -> None:
    with connected(at(twins[1], "umpire")) as umpire:
        for statement in ("DELETE FROM journal", "UPDATE journal SET payload = ''"):
            umpire.execute(f'SET search_path = "{schema_of(twins[1])}"')
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                umpire.execute(statement)


# --- making them ----------------------------------------------------------------------------------


def test_they_are_made_again_without_harm(twins: list[Address]) -> None:
    desk = Desk.open(twins[1])
    again = seats.make(twins[1], desk.pages())
    assert [one.password for one in again] == [None, None, None]
    new = seats.make(twins[1], desk.pages(), ["marine"])
    assert [one.password is None for one in new] == [False, True, True]
    desk.close()


def test_a_role_of_another_campaign_is_left_alone(server: Server, address: Address) -> None:
    Desk.create(address, {"cg": "III"}).close()
    role = seats.role_of(address, "marine")
    with server.connect() as superuser:
        superuser.execute(f'CREATE ROLE "{role}" LOGIN')
    with pytest.raises(StorageError, match="that is not this campaign's"):
        make_seats(address)
    with connected(address) as owner:
        made = owner.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (role,)).fetchall()
    assert made == []


def test_a_player_opens_no_journal(twins: list[Address]) -> None:
    with pytest.raises(StorageError):
        Desk.open(at(twins[0], "marine"))
