"""What happens to a file outside of brt-cg: it is cut short, copied over, made read-only, its disk
is full, its rollback journal is lost or another file's. Nothing ends in a traceback, nothing that
was entered is changed in silence, and what the program says happened is what happened."""

import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.cli import main
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage.errors import StorageError
from tests.faults.children import in_child, left_by_kills
from tests.faults.commands import run_hushed
from tests.faults.rim import IOERR, OK, Rim
from tests.reading import read_entries
from tests.settings import count

NOTE = {"words": "seen", "side": None, "about": None}
WORDS = ["note", "FILE", "seen"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A campaign of a few entries."""
    path = tmp_path / "campaign.brt"
    desk = OpenCampaign.create(path, {"cg": "III"})
    for _ in range(4):
        desk.run_command("note", NOTE)
    desk.close()
    return path


@pytest.fixture
def desk(path: Path) -> Iterator[OpenCampaign]:
    """A window that has that campaign open, and has written to it."""
    desk = OpenCampaign.open(path)
    desk.run_command("note", NOTE)
    yield desk
    desk.close()


# --- while it is open -------------------------------------------------------------------------


def shortened(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 3)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def copied_over(path: Path) -> None:
    other = path.with_name("other.brt")
    OpenCampaign.create(other, {"cg": "II"}).close()
    path.write_bytes(other.read_bytes())
    other.unlink()


def replaced(path: Path) -> None:
    other = path.with_name("other.brt")
    OpenCampaign.create(other, {"cg": "II"}).close()
    other.replace(path)


def spoilt(path: Path) -> None:
    path.write_bytes(b"words" * 2000)


def gone(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("harm", [shortened, emptied, copied_over, replaced, spoilt, gone])
def test_a_file_damaged_by_others_is_not_written_to(
    desk: OpenCampaign, path: Path, harm: Callable[[Path], None]
) -> None:
    harm(path)
    left = path.read_bytes() if path.exists() else None
    before = len(unrestricted_campaign(desk).entries)
    with pytest.raises(StorageError):
        desk.run_command("note", NOTE)
    assert len(unrestricted_campaign(desk).entries) == before
    assert (path.read_bytes() if path.exists() else None) == left


def test_a_failing_disk_loses_no_stored_answer(path: Path) -> None:
    def work() -> int:
        desk = OpenCampaign.open(path)
        desk.run_command("note", NOTE)
        rim = Rim(lambda name: IOERR if name == "sync" else OK)
        try:
            desk.close()
            desk.run_command("note", NOTE)
        except StorageError:
            return 0
        finally:
            rim.before = lambda _: OK
        return 1

    assert in_child(work) == 0
    assert len(read_entries(path)) == 6
    assert audit_campaign(path).ok


# --- a disk with no room ------------------------------------------------------------------------


def test_on_a_full_disk_an_answer_is_stored_completely_or_not_at_all(
    path: Path, tmp_path: Path
) -> None:
    start = path.read_bytes()
    most = len(start) + 200_000
    sizes = range(1024, most, max(1024, most // count(ci=10, full=300)))
    stored = []
    for size in sizes:
        path.write_bytes(start)

        def work(size: int = size) -> int:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            return main(["note", str(path), "x" * 20_000])

        code = in_child(work)
        now = len(read_entries(path))
        assert (code, now) in ((0, 6), (2, 5)), size
        stored.append(now)
    assert set(stored) == {5, 6}
    assert run_hushed(WORDS, path) == 0


# --- its rollback journal -----------------------------------------------------------------------


def half_done(path: Path, kept: Path) -> None:
    """A write that was killed: in `kept` the file and its rollback journal as they then were."""
    (folder := kept.with_name("writing")).mkdir()
    words = ["note", str(shutil.copy(path, folder / kept.name)), "y" * 30_000]
    for left in left_by_kills(lambda: main(words), folder, kept.with_name("left")):
        half = left / kept.name
        if half.read_bytes() != path.read_bytes() and journal_of(half).exists():
            shutil.copytree(left, kept.parent, dirs_exist_ok=True)
            return
    raise AssertionError("no write is half done")


def journal_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-journal")


def test_a_killed_write_is_rolled_back(path: Path, tmp_path: Path) -> None:
    half_done(path, tmp_path / "kept.brt")
    assert len(read_entries(tmp_path / "kept.brt")) == 5
    assert audit_campaign(tmp_path / "kept.brt").ok


def test_an_unfinished_write_without_its_journal_is_detected(path: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.brt"
    half_done(path, kept)
    journal_of(kept).unlink()
    code = run_hushed(["audit", "FILE"], kept)
    assert code in (0, 1, 2)
    if code == 0:
        assert len(read_entries(kept)) in (5, 6)


def test_another_files_journal_changes_nothing_silently(path: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.brt"
    half_done(path, kept)
    other = tmp_path / "other.brt"
    OpenCampaign.create(other, {"cg": "II"}).close()
    before = [one.hash for one in read_entries(other)]
    shutil.copy(journal_of(kept), journal_of(other))
    code = run_hushed(["audit", "FILE"], other)
    assert code in (0, 1, 2)
    if code == 0:
        # It was no campaign of ours that came back: it is a whole one, with a head of its own.
        known = {before[-1], read_entries(path)[-1].hash}
        assert read_entries(other)[-1].hash in known


def test_a_leftover_empty_journal_does_no_harm(path: Path) -> None:
    journal_of(path).write_bytes(b"no journal")
    assert run_hushed(WORDS, path) == 0
    assert len(read_entries(path)) == 6
    assert audit_campaign(path).ok


# --- any bytes at all ---------------------------------------------------------------------------


def test_another_programs_database_is_left_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "others.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE letters (words)")
        connection.commit()
    before = path.read_bytes()
    for words in (WORDS, ["status", "FILE"], ["backups", "FILE"], ["restore", "FILE", "1"]):
        assert run_hushed(words, path) in (0, 2)
    assert path.read_bytes() == before
