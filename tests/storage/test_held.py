"""A campaign that another program holds: OneDrive, a virus scanner."""

from contextlib import closing
from pathlib import Path

import pytest

from brt_cg import files
from brt_cg.cli import main
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage import sqlite
from brt_cg.storage.errors import StorageError
from brt_cg.storage.sqlite import open_to_write, translate_errors
from tests.cli.shell import Shell
from tests.holding import Holder
from tests.reading import read_entries

SAID = "Another program is using the file. Try again."


@pytest.fixture
def campaign(path: Path) -> Path:
    assert main(["new", str(path), "--cg", "III"]) == 0
    return path


def test_a_file_locked_for_a_moment_is_waited_for(
    campaign: Path, brt: Shell, held: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(files.time, "sleep", lambda pause: slept.append(pause) or held.release())
    held.hold(campaign)
    assert brt("note", campaign, "Held to the last").code == 0
    assert slept == [files.PAUSE]
    assert len(read_entries(campaign)) == 2


@pytest.mark.parametrize("from_readers_too", [False, True])
def test_a_file_that_stays_locked_is_refused(
    campaign: Path, brt: Shell, held: Holder, from_readers_too: bool
) -> None:
    held.hold(campaign, from_readers_too)
    got = brt("note", campaign, "Held to the last")
    assert (got.code, got.err.strip()) == (2, f"{campaign}: {SAID}")
    held.release()
    assert len(read_entries(campaign)) == 1
    assert brt("note", campaign, "Held to the last").code == 0


def test_a_file_locked_for_writing_can_be_read(campaign: Path, brt: Shell, held: Holder) -> None:
    held.hold(campaign)
    assert brt("status", campaign).code == 0


def test_a_file_locked_while_open_keeps_earlier_entries(campaign: Path, held: Holder) -> None:
    desk = OpenCampaign.open(campaign)
    desk.run_command("note", {"words": "one", "side": None, "about": None})
    desk.close()
    desk = OpenCampaign.open(campaign)
    held.hold(campaign)
    with pytest.raises(StorageError, match=SAID):
        desk.run_command("note", {"words": "two", "side": None, "about": None})
    held.release()
    desk.run_command("note", {"words": "three", "side": None, "about": None})
    desk.close()
    assert [entry.payload["asked"]["words"] for entry in read_entries(campaign)[1:]] == [
        "one",
        "three",
    ]


def test_a_campaign_is_not_restored_over_a_locked_file(
    campaign: Path, brt: Shell, held: Holder
) -> None:
    assert brt("note", campaign, "Held to the last").code == 0
    copied = campaign.with_name("copy.brt")
    assert brt("copy", campaign, copied).code == 0
    before = campaign.read_bytes()
    held.hold(campaign)
    got = brt("restore", campaign, copied)
    assert got.code == 2
    assert SAID in got.err
    held.release()
    assert campaign.read_bytes() == before


def test_a_file_locked_during_the_work_is_reported_as_locked(
    campaign: Path, held: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    held.hold(campaign)
    monkeypatch.setattr(sqlite, "_check_released", lambda path, access: None)
    with pytest.raises(StorageError, match=SAID):
        write_nothing(campaign)


def write_nothing(campaign: Path) -> None:
    """Writes as on Windows, where SQLite would open what is held to read only."""
    with translate_errors(campaign), closing(open_to_write(campaign)) as connection:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("CREATE TABLE more (id TEXT)")
