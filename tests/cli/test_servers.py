"""A campaign on a server, on the command line: an address stands where a file stands."""

import json
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from brt_cg.cli import main
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import close_idle, schema_name
from tests.cli.shell import Shell
from tests.postgres import Server
from tests.reading import read_entries

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the demo was played from."""
    return tmp_path_factory.mktemp("club")


@pytest.fixture(scope="module")
def demo(server: Server, folder: Path) -> Iterator[Address]:
    """The demo, laid out at an address and played; for tests that leave it as it is."""
    address = server.address("played-demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["demo", "--headless", "--seed", "1", "-o", str(address)]) == 0
    yield address
    close_idle(address)


def sql(address: Address, *statements: str) -> None:
    with psycopg.connect(address.server, autocommit=True) as connection:
        connection.execute(f'SET search_path = "{schema_name(address)}"')
        for statement in statements:
            connection.execute(statement)


def test_the_demo_is_played_on_a_server_with_local_rosters(
    demo: Address, brt: Shell, folder: Path
) -> None:
    assert brt("status", demo, "--json").json["date"] == "21 AM"
    assert list((folder / "brt-demo").glob("*.md"))
    audited = brt("audit", demo)
    assert (audited.code, audited.err) == (0, "")
    assert "no errors found" in audited.out


def test_commands_work_on_a_server_as_on_a_file(brt: Shell, address: Address) -> None:
    at = str(address)
    assert brt("new", at, "--cg", "III", "--name", "Club").code == 0
    assert brt("new", at, "--cg", "III").err.strip() == f"{at} already exists; choose another name"
    assert brt("note", at, "tea at four").code == 0
    assert brt("undo", at).code == 0
    assert brt("redo", at).code == 0
    assert "tea at four" in brt("export", at, "journal").out
    assert brt("audit", at).code == 0
    assert "pg_dump" in brt("backups", at).err


def test_campaigns_on_a_server_are_listed_with_their_state(
    demo: Address, brt: Shell, server: Server
) -> None:
    got = brt("campaigns", server.address())
    assert f"{demo.campaign} · 21 AM · scenario · no open question · entry " in got.out
    rows = {row["campaign"]: row for row in brt("campaigns", demo, "--json").json}
    assert rows[demo.campaign]["name"] == "Demo: Betio, 20 Nov 1943"
    assert rows[demo.campaign]["problem"] is None


def test_a_server_campaign_shows_whose_turn_it_is(
    demo: Address, brt: Shell, address: Address
) -> None:
    assert brt("copy", demo, address).code == 0
    while brt("status", str(address), "--json").json["asks"] is None:
        assert brt("undo", str(address)).code == 0
    asked = {row["campaign"]: row for row in brt("campaigns", str(address), "--json").json}
    assert asked[address.campaign]["turn"] in (
        "Marine player to answer",
        "Japanese player to answer",
    )


def test_a_campaign_is_copied_to_a_file_and_back_with_the_same_hashes(
    demo: Address, brt: Shell, address: Address, tmp_path: Path
) -> None:
    assert brt("copy", demo, "home.brt").code == 0
    assert brt("copy", "home.brt", address).code == 0
    entries = read_entries(demo)
    assert read_entries(tmp_path / "home.brt") == read_entries(address) == entries
    assert entries[-1].hash in brt("audit", "home.brt", "--head", entries[-1].hash).out
    assert brt("audit", address).code == 0
    assert "already exists" in brt("copy", demo, "home.brt").err
    assert "already exists" in brt("copy", "home.brt", demo).err


@pytest.mark.parametrize(
    "tampered",
    [
        {
            "CREATE TABLE extra (id integer)": "the table extra is unknown",
            "DROP TABLE terrain": "the table terrain is missing",
            "ALTER TABLE units DROP CONSTRAINT ck_units_fate": "the types or constraints of units",
            "DROP TRIGGER journal_refuses_update ON journal": "journal_refuses_update is gone",
            "ALTER TABLE journal DISABLE TRIGGER USER": "journal_refuses_delete is wrong",
            "CREATE OR REPLACE FUNCTION journal_refuses() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RETURN NEW; END $$": "the function journal_refuses is wrong",
            "GRANT UPDATE ON journal TO PUBLIC": "everybody may update journal entries",
            "INSERT INTO alembic_version VALUES ('0000')": "has 2 rows instead of one",
            "UPDATE units SET name = 'forged' WHERE id = 'm-sq-26'": "'forged'",
        },
        {
            "CREATE VIEW extra AS SELECT 1": "the view extra is unknown",
            "ALTER TABLE units ADD COLUMN extra text": "the column units.extra is unknown",
        },
        {
            "CREATE INDEX extra ON units (id)": "the index extra is unknown",
            "ALTER TABLE units ALTER name TYPE varchar(40)": "the types or constraints of units",
        },
    ],
)
def test_all_tampering_on_a_server_is_found(
    tampered: dict[str, str], brt: Shell, address: Address
) -> None:
    assert brt("new", str(address), "--cg", "III").code == 0
    reinforced = {"format": "brt-cg/state", "version": 1, "units": [SQUAD]}
    Path("more.json").write_text(json.dumps(reinforced))
    assert brt("reinforce", str(address), "more.json").err == ""
    sql(address, *tampered)
    audited = brt("audit", str(address))
    assert audited.code == 1
    assert [finding for finding in tampered.values() if finding not in audited.out] == []


SQUAD = {"id": "m-sq-26", "side": "marine", "kind": "squad", "type": "7-6-8", "location": "N18"}


def test_a_campaign_may_be_called_audit(brt: Shell, server: Server) -> None:
    address = server.address("audit")
    assert brt("new", str(address), "--cg", "I").code == 0
    assert "no errors found" in brt("audit", str(address)).out
    close_idle(address)


def test_an_address_without_a_campaign_is_refused_with_the_missing_part(
    brt: Shell, server: Server
) -> None:
    got = brt("status", str(server.address()))
    assert got.code == 2
    assert "names no campaign; add ?campaign=NAME to it" in got.err
    assert "is not the address of a server" in brt("campaigns", "tarawa.brt").err


def test_a_missing_server_is_reported_in_one_line(brt: Shell, tmp_path: Path) -> None:
    got = brt("status", f"postgresql://ann:geheim@/club?host={tmp_path}&campaign=t")
    assert got.code == 2
    assert "no connection to the server" in got.err
    assert len(got.err.strip().splitlines()) == 1
    assert "geheim" not in got.err
