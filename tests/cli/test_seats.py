"""Seats on a server, on the command line: who made the campaign makes roles, the players open it
with them, and the keeper carries out what they enter."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from brt_cg import seat_desk
from brt_cg.storage import seats
from brt_cg.storage.place import Address
from tests.cli.shell import Shell
from tests.exports.journals import squad, state
from tests.postgres import Server
from tests.seats import at, kept, release_seats
from tests.test_readme import examples_of, guide_to

pytestmark = pytest.mark.postgres

HIDING = squad("j-sq-1", "L38", status=["hidden"])
WOUNDED = squad("m-ldr-1", "N20", status=["wounded"])


@pytest.fixture
def campaign(brt: Shell, address: Address, tmp_path: Path) -> Iterator[Address]:
    """A Refit Phase is due; there are seats."""
    Path("end.json").write_text(json.dumps(state(squad("m-sq-1", "N19"), WOUNDED, HIDING)))
    assert brt("new", str(address), "--cg", "III").code == 0
    assert brt("import", str(address), "end.json", "--yes").code == 0
    assert brt("seats", str(address)).code == 0
    yield address
    release_seats(address)


def test_they_are_made_with_a_password_each_that_is_shown_once(
    brt: Shell, campaign: Address, server: Server
) -> None:
    again = brt("seats", str(campaign))
    assert again.code == 0
    assert "password" not in again.out
    assert [line.split()[0] for line in again.out.splitlines()] == ["marine", "japanese", "umpire"]
    assert f"//{seats.role_of(campaign, 'marine')}@" in again.out
    anew = brt("seats", str(campaign), "--anew", "marine")
    (line,) = (line for line in anew.out.splitlines() if "password" in line)
    password = line.split()[-1]
    assert line.startswith("marine password ")
    with server.connect() as superuser:
        role = seats.role_of(campaign, "marine")
        held = "SELECT rolpassword FROM pg_authid WHERE rolname = %s"
        ((check,),) = superuser.execute(held, (role,)).fetchall()
    assert check.startswith("SCRAM-SHA-256$")
    assert password not in check
    assert "is not stored" in anew.err


def test_the_log_of_the_server_gets_to_know_no_password(
    brt: Shell, campaign: Address, server: Server
) -> None:
    with server.connect() as superuser:
        superuser.execute("ALTER SYSTEM SET log_statement = 'all'")
        superuser.execute("SELECT pg_reload_conf()")
    anew = brt("seats", str(campaign), "--anew", "japanese")
    with server.connect() as superuser:
        superuser.execute("ALTER SYSTEM RESET log_statement")
        superuser.execute("SELECT pg_reload_conf()")
    password = anew.out.split()[-1]
    told = (server.folder / "log").read_text("utf-8", "replace")
    assert "ALTER ROLE" in told
    assert not any(word in told for word in anew.out.split() if len(word) == len(password) == 24)


def test_a_player_types_the_commands_and_sees_his_side(brt: Shell, campaign: Address) -> None:
    marine, japanese = str(at(campaign, "marine")), str(at(campaign, "japanese"))
    assert "j-sq-1" not in brt("export", marine, "state").out
    assert "j-sq-1" in brt("export", japanese, "state").out
    assert brt("status", marine, "--json").json["view"] == "marine"
    assert "the Marine seat" in brt("status", marine, "--side", "japanese").err
    assert brt("audit", marine).out.endswith("nothing found\n")
    assert brt("explain", marine, "j-sq-1").code == 2
    assert "the Marine seat only" in brt("serve", marine).err
    with kept(campaign):
        assert "tea at four" in brt("note", marine, "tea at four").out
        assert "undone: Note" in brt("undo", marine).out
        assert "redone: Note" in brt("redo", marine).out
        refused = brt("edit", marine, "j-sq-1", "strength=reduced", "--reason", "no")
        assert (refused.code, refused.out) == (2, "")
    assert "tea at four" in brt("export", str(campaign), "journal").out
    assert brt("audit", str(campaign)).code == 0


def test_a_player_answers_and_has_dice_rolled(brt: Shell, campaign: Address) -> None:
    places = {side: str(at(campaign, side)) for side in ("marine", "japanese")}
    with kept(campaign):
        for _ in range(60):
            status = brt("status", places["marine"], "--json").json
            asks = status["asks"]
            if asks is not None and asks["kind"] == "roll":
                break
            for place in places.values():
                brt("refit", place, "--auto", "--through", "15.6111")
            brt("refit", places["marine"])
        else:
            pytest.fail("no dice are asked for")
        assert "The keeper rolls the dice" in brt("answer", places["marine"], "3").err
        rolled = brt("answer", places["marine"], "roll")
    assert rolled.code == 0
    assert "dr " in rolled.out


def test_a_player_who_only_looks_what_is_asked_is_told_nothing_again(
    brt: Shell, campaign: Address
) -> None:
    with kept(campaign):
        begun = brt("refit", str(at(campaign, "japanese")))
    assert begun.code == 3
    asked = brt("refit", str(at(campaign, "japanese")))
    assert (asked.code, asked.out, asked.err) == (3, "", begun.err)


def test_a_player_hears_that_the_other_decides_in_private(brt: Shell, campaign: Address) -> None:
    """Hidden counters are asked about at 15.602."""
    marine, japanese = str(at(campaign, "marine")), str(at(campaign, "japanese"))
    text = "the Japanese side has something to decide in private"
    with kept(campaign):
        assert text not in brt("status", marine).err
        assert "15.602 j-sq-1" in brt("refit", japanese).err
        for words in (["refit", marine], ["refit", marine, "--auto"]):
            waits = brt(*words)
            assert (waits.code, waits.out) == (3, "")
            assert waits.err.startswith(text)
        assert text in brt("status", marine).err
        assert text not in brt("status", japanese).err


def test_the_keeper_may_be_asked_for_what_waits_and_no_more(
    brt: Shell, campaign: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_desk, "PATIENCE", 0.0)
    entered = brt("note", str(at(campaign, "marine")), "later")
    assert entered.code == 2
    assert "The keeper is not running (brt-cg keep): nothing has changed yet" in entered.err
    done = brt("keep", str(at(campaign, "umpire")), "--once")
    assert (done.code, done.out) == (0, "")
    assert "Marine 1: done" in done.err
    assert "later" in brt("export", str(at(campaign, "marine")), "journal").out
    assert "a player's role keeps no campaign" in brt("keep", str(at(campaign, "marine"))).err


def test_a_player_finds_his_campaigns_on_the_server(brt: Shell, campaign: Address) -> None:
    server = str(at(campaign, "marine")).partition("?campaign=")[0].partition("&campaign=")[0]
    rows = {row["campaign"]: row for row in brt("campaigns", server, "--json").json}
    found = rows[campaign.campaign]
    assert (found["date"], found["phase"], found["problem"]) == ("20 AM", "refit", None)
    assert len(rows) == 1


@pytest.mark.parametrize("command", ["seats", "keep"])
def test_the_examples_of_the_help_do_what_they_say(
    command: str, brt: Shell, campaign: Address
) -> None:
    database = f"club.example/games?campaign={campaign.campaign}"
    for line in examples_of(guide_to(command)):
        for seat in seats.SEATS:
            line = line.replace(f"brt_tarawa_{seat}@", f"{seats.role_of(campaign, seat)}@")
        words = shlex.split(line.replace("campaign=tarawa", f"campaign={campaign.campaign}"))
        host = campaign.server.rpartition("@")[2]
        typed = [word.replace("ann@", "umpire@") for word in words[1:]]
        there = [word.replace(database, f"{host}&campaign={campaign.campaign}") for word in typed]
        more = ["--once"] if there[0] == "keep" and "--once" not in there else []
        done = brt(*there, *more)
        assert done.code == 0, f"{line}: {done.err}"


def test_a_copy_has_no_seats_and_the_roles_go_on(
    brt: Shell, campaign: Address, tmp_path: Path
) -> None:
    assert brt("copy", str(campaign), "home.brt").code == 0
    assert brt("audit", "home.brt").code == 0
    refused = brt("copy", str(at(campaign, "marine")), "mine.brt")
    assert refused.code == 2
    assert not (tmp_path / "mine.brt").exists()


def test_they_are_refused_where_there_can_be_none(
    brt: Shell, server: Server, address: Address
) -> None:
    assert "is not the address of a server" in brt("seats", "tarawa.brt").err
    assert "is not the address of a server" in brt("keep", "tarawa.brt").err
    assert brt("new", str(address), "--cg", "III").code == 0
    assert "has no seats yet" in brt("keep", str(address), "--once").err
    with server.connect() as superuser:
        superuser.execute("CREATE ROLE nobody_special LOGIN")
        superuser.execute(f'GRANT USAGE ON SCHEMA "brt_{address.campaign}" TO nobody_special')
        superuser.execute(
            f'GRANT SELECT ON ALL TABLES IN SCHEMA "brt_{address.campaign}" TO nobody_special'
        )
    plain = server.address(address.campaign, "nobody_special")
    assert "CREATEROLE" in brt("seats", str(plain)).err
    with psycopg.connect(address.server) as connection:
        roles = connection.execute("SELECT rolname FROM pg_roles").fetchall()
    assert (seats.role_of(address, "marine"),) not in roles


def test_the_umpires_role_is_told_which_role_audits(brt: Shell, campaign: Address) -> None:
    refused = brt("audit", str(at(campaign, "umpire")))
    assert (refused.code, refused.out) == (2, "")
    assert "as that of who made the campaign is: use that role" in refused.err
