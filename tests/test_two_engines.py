"""What holds of a campaign holds on both engines: whole recorded campaigns, two who write at once,
and a server that is killed in the middle of a commit."""

import random
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.commands.state_document import build_state_document
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage.errors import StaleCampaignError, UnreachableError
from brt_cg.storage.place import Address, Place
from brt_cg.storage.postgres import close_idle
from brt_cg.storage.reader import newest_entry
from tests.postgres import Server
from tests.reading import read_entries
from tests.settings import count
from tests.test_recorded import CAMPAIGNS, replay

KILLS = count(ci=2, full=50)


def note(desk: OpenCampaign, words: str) -> None:
    desk.run_command("note", {"words": words, "side": None, "about": None})


def notes(place: Place) -> list[str]:
    """The words of the notes in a journal, in order."""
    return [entry.asked["words"] for entry in read_entries(place) if entry.kind == "note"]


# --- recorded campaigns ---------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.parametrize(
    "folder", CAMPAIGNS[: count(ci=1, full=len(CAMPAIGNS))], ids=lambda folder: folder.name
)
def test_a_recorded_campaign_ends_on_a_server_as_in_a_file(
    folder: Path, address: Address, tmp_path: Path
) -> None:
    here = replay(folder, tmp_path / "t.brt")
    there = replay(folder, address)
    for desk in (here, there):  # the whole of a phase, with its rolls
        desk.undo_or_request(whole_call=True)
        desk.redo()
        desk.undo_or_request(whole_call=True)
    assert unrestricted_campaign(there).head == unrestricted_campaign(here).head
    assert build_state_document(unrestricted_campaign(there).campaign) == build_state_document(
        unrestricted_campaign(here).campaign
    )
    assert (
        unrestricted_campaign(OpenCampaign.open(address)).head == unrestricted_campaign(here).head
    )
    assert [str(finding) for finding in audit_campaign(address).findings] == []
    there.close()
    here.close()


# --- two who write --------------------------------------------------------------------------------


def correct(desk: OpenCampaign, number: int) -> None:
    """Enters what depends on what others entered."""
    desk.run_command("edit", {"id": "marine", "set": {"cvp": number + 1}, "reason": "miscounted"})


# Every order of four turns is in it once.
TURNS = "aaaabaabbababbbbaaa"


def test_two_alternating_writers_never_overwrite_each_other(place: Place) -> None:
    orders = {"".join(turns) for turns in product("ab", repeat=4)}
    assert {TURNS[at : at + 4] for at in range(len(TURNS) - 3)} == orders
    OpenCampaign.create(place, {"cg": "III"}).close()
    desks = {"a": OpenCampaign.open(place), "b": OpenCampaign.open(place)}
    entered = []
    for number, turn in enumerate(TURNS):
        words = f"{turn}{number}"
        if desks[turn].has_new_entries():
            with pytest.raises(StaleCampaignError, match="has added entries"):
                correct(desks[turn], number)
            desks[turn].reload()
        correct(desks[turn], number)
        note(desks["ab"[turn == "a"]], words)  # after what the other entered
        entered.append(words)
    assert notes(place) == entered
    for desk in desks.values():
        desk.close()
    assert audit_campaign(place).ok


def test_simultaneous_notes_of_two_writers_are_both_stored(place: Place) -> None:
    OpenCampaign.create(place, {"cg": "III"}).close()
    rounds, told = 8, list[str]()
    start = threading.Barrier(2, timeout=30)  # a writer that failed leaves the other waiting

    def write(name: str) -> None:
        desk = OpenCampaign.open(place)
        for number in range(rounds):
            start.wait()
            try:
                note(desk, f"{name}{number}")
            except StaleCampaignError as moved:
                told.append(str(moved))
            start.wait()
        desk.close()

    writers = [threading.Thread(target=write, args=(name,)) for name in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert told == []
    assert sorted(notes(place)) == sorted(
        f"{name}{number}" for name in "ab" for number in range(rounds)
    )
    assert audit_campaign(place).ok


# --- a server that is killed ----------------------------------------------------------------------


@pytest.fixture
def mortal() -> Iterator[Server]:
    """A server of one's own, to be killed."""
    server = Server()
    yield server
    server.remove()


def write_until(died: threading.Event, address: Address, kill: int, stored: list[str]) -> None:
    """Enters notes until the server is gone; `stored` gets the words of each that it took."""
    desk = OpenCampaign.open(address)
    with suppress(UnreachableError):
        for number in range(10_000):
            note(desk, f"{kill}.{number}")
            stored.append(f"{kill}.{number}")
            if died.is_set():
                break
    desk.close()


@pytest.mark.postgres
def test_a_server_that_is_killed_in_the_middle_of_commits_loses_nothing(mortal: Server) -> None:
    address = mortal.new_address()
    OpenCampaign.create(address, {"cg": "III"}).close()
    chance = random.Random(7)
    due: list[str] = []
    for kill in range(KILLS):
        died, stored = threading.Event(), list[str]()
        writer = threading.Thread(target=write_until, args=(died, address, kill, stored))
        writer.start()
        while not stored and writer.is_alive():
            time.sleep(0.001)
        time.sleep(chance.random() * 0.05)
        mortal.kill()
        died.set()
        writer.join()
        close_idle(address)
        mortal.start()
        due += stored
        stand = notes(address)
        # One that was being committed may stand without its writer having heard of it.
        assert stand[: len(due)] == due
        assert len(stand) - len(due) <= 1
        due = stand
    assert newest_entry(address)[0] == len(due) + 1
    assert len(due) > KILLS
    assert [str(finding) for finding in audit_campaign(address).findings] == []
    close_idle(address)
