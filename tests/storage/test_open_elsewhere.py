"""A campaign that another window has open while it is backed up, put back, repaired or replaced. On
Windows a file in use can be neither replaced nor renamed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from brt_cg import files
from brt_cg.cli import main
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage.backups import BackupReason, make_backup, restore_backup
from brt_cg.storage.errors import StorageError
from brt_cg.storage.watch import FileWatch
from tests.cli.shell import Shell
from tests.reading import read_entries

WINDOW = """
import sys
from pathlib import Path
from brt_cg.service.open_campaign import OpenCampaign
desk = OpenCampaign.open(Path(sys.argv[1]))
desk.run_command("note", {"words": "from the window", "side": None, "about": None})
print("open", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    path = tmp_path / "campaign.brt"
    assert main(["new", str(path), "--cg", "III"]) == 0
    return path


@contextmanager
def open_elsewhere(path: Path) -> Iterator[None]:
    """Another window, which has written to the file and keeps it open."""
    with subprocess.Popen(
        [sys.executable, "-c", WINDOW, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as window:
        assert window.stdout is not None
        assert window.stdout.readline().strip() == b"open"
        yield
        window.communicate(b"\n")


def kinds(path: Path) -> list[str]:
    return [entry.kind for entry in read_entries(path)]


def test_a_file_open_elsewhere_is_backed_up_and_restored(campaign: Path, brt: Shell) -> None:
    with open_elsewhere(campaign):
        first = make_backup(campaign, BackupReason.BEFORE_IMPORT)
        assert brt("note", campaign, "after").code == 0
        assert brt("restore", campaign, first, "--yes").code == 0
        assert kinds(campaign) == ["new", "note", "restore"]
    assert brt("audit", campaign).code == 0


def test_a_file_open_elsewhere_is_copied_and_repaired(campaign: Path, brt: Shell) -> None:
    with open_elsewhere(campaign):
        copied, repaired = (campaign.with_name(f"{name}.brt") for name in ("copy", "repaired"))
        assert brt("copy", campaign, copied).code == 0
        assert brt("repair", campaign, "-o", repaired).code == 0
        for made in (copied, repaired):
            assert brt("audit", made).code == 0


def test_a_file_open_elsewhere_is_watched_and_written_to(campaign: Path, brt: Shell) -> None:
    watch = FileWatch(campaign)
    before = watch.change_token()
    with open_elsewhere(campaign):
        assert watch.change_token() != before
        assert brt("note", campaign, "beside it").code == 0
    watch.close()
    assert kinds(campaign) == ["new", "note", "note"]


def test_a_damaged_open_file_is_restored_or_the_player_must_close_it(
    campaign: Path,
) -> None:
    backup = make_backup(campaign, BackupReason.BEFORE_IMPORT)
    with open_elsewhere(campaign):
        campaign.write_bytes(b"no database at all" * 1000)
        if os.name == "nt":
            with pytest.raises(StorageError, match="Close it there and try again"):
                restore_backup(campaign, backup)
            assert campaign.read_bytes() == b"no database at all" * 1000
    restore_backup(campaign, backup)
    assert kinds(campaign) == ["new"]


def test_a_damaged_file_that_windows_cannot_replace_is_left_alone(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = make_backup(campaign, BackupReason.BEFORE_IMPORT)
    campaign.write_bytes(b"no database at all")
    monkeypatch.setattr(files, "is_in_use", lambda path, access: access == files.TO_REPLACE)
    with pytest.raises(StorageError, match="Close it there and try again"):
        restore_backup(campaign, backup)
    assert campaign.read_bytes() == b"no database at all"
    assert [each.name for each in campaign.parent.glob("*.part")] == []


def test_a_window_whose_file_was_replaced_stores_nothing_in_the_old_one(
    campaign: Path,
) -> None:
    backup = make_backup(campaign, BackupReason.BEFORE_IMPORT)
    desk = OpenCampaign.open(campaign)
    desk.run_command("note", {"words": "mine", "side": None, "about": None})
    if os.name == "nt":
        desk.close()
    campaign.write_bytes(b"no database at all" * 1000)
    restore_backup(campaign, backup)
    with pytest.raises(StorageError):
        desk.run_command("edit", {"id": "marine", "set": {"cvp": 4}, "reason": "miscounted"})
    desk.close()
    assert kinds(campaign) == ["new"]
