"""Backups beside a campaign, and going back to one of them."""

import sqlite3
from pathlib import Path, PureWindowsPath

import pytest

from brt_cg.storage import backups, engine
from brt_cg.storage.backups import KEPT, Why, find, folder_of, listed, make, restore
from brt_cg.storage.engine import uri_of
from brt_cg.storage.errors import NoBackup, NotACampaign, StorageError
from brt_cg.storage.reader import read_entries
from tests.storage.pen import Pen, dump, heal, write_a_campaign


def names(path: Path) -> list[str]:
    return sorted(each.name for each in folder_of(path).iterdir())


def test_a_backup_is_a_campaign(pen: Pen) -> None:
    made = make(pen.path, Why.BEFORE_IMPORT)
    assert made.parent == pen.path.with_name(f"{pen.path.stem}.backups")
    assert read_entries(made) == pen.entries
    assert dump(made) == dump(pen.path)
    assert names(pen.path) == [made.name]


def test_what_is_not_a_campaign_is_not_backed_up(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    with pytest.raises(NoBackup, match="before the import cannot be made, so nothing was done"):
        make(notes, Why.BEFORE_IMPORT)
    assert list(tmp_path.iterdir()) == [notes]


def test_a_list_tells_the_date_the_entries_and_the_head(pen: Pen) -> None:
    make(pen.path, Why.BEFORE_REFIT)
    pen.enter("edit", heal)
    make(pen.path, Why.AFTER_REFIT)
    newest, older = listed(pen.path)
    assert (newest.number, newest.why, newest.entries) == (2, "after-refit", 6)
    assert (older.number, older.why, older.entries) == (1, "before-refit", 5)
    assert newest.head == pen.entries[-1].hash
    assert (newest.date, newest.phase, newest.problem) == ("20 AM", "refit", None)


def test_the_very_same_is_not_kept_twice(pen: Pen) -> None:
    assert make(pen.path, Why.AFTER_REFIT) == make(pen.path, Why.BEFORE_IMPORT)
    assert len(listed(pen.path)) == 1


def test_the_newest_ten_are_kept(pen: Pen) -> None:
    for _ in range(KEPT + 3):
        pen.enter("edit", heal)
        make(pen.path, Why.BEFORE_REFIT)
    assert [one.number for one in listed(pen.path)] == list(range(KEPT + 3, 3, -1))


def test_another_campaign_in_the_folder_keeps_its_own(pen: Pen) -> None:
    other = write_a_campaign(pen.path.with_suffix(".old"))
    make(other.path, Why.BEFORE_REFIT)
    for _ in range(KEPT + 1):
        pen.enter("edit", heal)
        make(pen.path, Why.BEFORE_REFIT)
    assert len(listed(other.path)) == 1
    assert len(listed(pen.path)) == KEPT
    other.file.close()


def test_what_a_crash_left_half_made_is_no_backup_and_goes(pen: Pen) -> None:
    folder = folder_of(pen.path)
    folder.mkdir()
    left = f"{pen.path.stem}-0001-before-refit{pen.path.suffix}.part"
    for name in (left, f"{left}-journal"):
        (folder / name).write_text("half")
    assert listed(pen.path) == []
    made = make(pen.path, Why.BEFORE_REFIT)
    assert names(pen.path) == [made.name]


def test_a_spoilt_backup_is_told_in_the_list(pen: Pen) -> None:
    make(pen.path, Why.BEFORE_REFIT).write_text("spoilt")
    (found,) = listed(pen.path)
    assert found.problem is not None
    assert "not a campaign" in found.problem


def test_a_full_disk_refuses_what_the_backup_is_for(
    pen: Pen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, target: Path) -> None:
        target.write_text("half")
        raise StorageError(f"{target}: the disk is full; nothing was stored")

    monkeypatch.setattr(backups, "copy", full)
    with pytest.raises(NoBackup, match=r"before the Refit Phase.*disk is full.*--no-backup"):
        make(pen.path, Why.BEFORE_REFIT)
    assert not folder_of(pen.path).exists()


def test_a_folder_that_cannot_be_made_refuses_it_too(pen: Pen) -> None:
    folder_of(pen.path).write_text("in the way")
    with pytest.raises(NoBackup, match="--no-backup"):
        make(pen.path, Why.BEFORE_REFIT)


# --- going back -------------------------------------------------------------------------------


def test_going_back_keeps_what_was_there(pen: Pen) -> None:
    backup = make(pen.path, Why.BEFORE_REFIT)
    before = dump(pen.path)
    pen.enter("edit", heal)
    gone_on = dump(pen.path)
    kept = restore(pen.path, backup)
    assert dump(pen.path) == before
    assert kept is not None
    assert kept.name.endswith("-0002-before-restore.brt")
    assert dump(kept) == gone_on


def test_the_backup_that_is_gone_back_to_is_not_let_go(pen: Pen) -> None:
    for _ in range(KEPT):
        pen.enter("edit", heal)
        make(pen.path, Why.BEFORE_REFIT)
    oldest = listed(pen.path)[-1]
    pen.enter("edit", heal)
    restore(pen.path, oldest.path)
    assert len(read_entries(pen.path)) == oldest.entries
    assert oldest.path.exists()


def test_without_a_backup_only_if_that_is_said(pen: Pen) -> None:
    backup = make(pen.path, Why.BEFORE_REFIT)
    pen.enter("edit", heal)
    assert restore(pen.path, backup, keep=False) is None
    assert len(listed(pen.path)) == 1


def test_a_window_that_is_open_is_told_that_the_campaign_moved_on(pen: Pen) -> None:
    backup = make(pen.path, Why.BEFORE_REFIT)
    pen.enter("edit", heal)
    restore(pen.path, backup)
    with pytest.raises(StorageError, match="moved on"):
        pen.enter("edit", heal)


@pytest.mark.parametrize("spoilt", [b"no database at all", b""], ids=["spoilt", "empty"])
def test_a_damaged_file_is_kept_as_it_is(pen: Pen, spoilt: bytes) -> None:
    backup = make(pen.path, Why.BEFORE_REFIT)
    pen.file.close()
    pen.path.write_bytes(spoilt)
    pen.path.with_name(f"{pen.path.name}-journal").write_bytes(b"of a file that is no more")
    kept = restore(pen.path, backup)
    assert read_entries(pen.path) == pen.entries
    assert kept is not None
    assert kept.read_bytes() == spoilt


def test_a_file_cut_short_is_put_right(pen: Pen) -> None:
    backup = make(pen.path, Why.BEFORE_REFIT)
    pen.file.close()
    with pen.path.open("r+b") as file:
        file.truncate(5000)
    restore(pen.path, backup)
    assert dump(pen.path) == dump(backup)


def test_a_file_that_is_gone_comes_back(pen: Pen) -> None:
    backup = make(pen.path, Why.BEFORE_REFIT)
    pen.file.close()
    pen.path.unlink()
    assert restore(pen.path, find(pen.path, "1")) is None
    assert dump(pen.path) == dump(backup)


def test_a_backup_of_another_campaign_is_refused(pen: Pen, tmp_path: Path) -> None:
    before = dump(pen.path)
    other = Pen(type(pen.file).create(tmp_path / "other.brt"))
    other.enter("new", lambda campaign: campaign.add(pen.campaign.units["m-ldr-1"].clone()))
    with pytest.raises(StorageError, match="of another campaign"):
        restore(pen.path, other.path)
    assert dump(pen.path) == before
    other.file.close()


def test_a_spoilt_backup_is_not_gone_back_to(pen: Pen) -> None:
    backup = make(pen.path, Why.BEFORE_REFIT)
    before = dump(pen.path)
    backup.write_text("spoilt")
    with pytest.raises(NotACampaign):
        restore(pen.path, backup)
    assert dump(pen.path) == before
    assert len(listed(pen.path)) == 1


def test_a_backup_that_is_not_there_is_told_with_those_that_are(pen: Pen) -> None:
    make(pen.path, Why.BEFORE_REFIT)
    with pytest.raises(StorageError, match=r"no backup 7; its backups: 1$"):
        find(pen.path, "7")
    assert find(pen.path, "0001") == find(pen.path, "1") == listed(pen.path)[0].path


def test_another_program_that_never_ends_is_not_waited_for_for_ever(
    pen: Pen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "PATIENCE", 0.05)
    backup = make(pen.path, Why.BEFORE_REFIT)
    pen.enter("edit", heal)
    other = sqlite3.connect(pen.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    before = dump(pen.path)
    with pytest.raises(StorageError, match="another window or program"):
        restore(pen.path, backup, keep=False)
    other.close()
    assert dump(pen.path) == before


# --- how a path is told to SQLite ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (r"\\nas\games\50% Betio.brt", "file:////nas/games/50%25%20Betio.brt"),
        (r"C:\games\tarawa.brt", "file:///C:/games/tarawa.brt"),
    ],
)
def test_a_windows_path_as_sqlite_takes_it(path: str, uri: str) -> None:
    assert uri_of(PureWindowsPath(path)) == uri


def test_what_is_written_is_synced_as_macos_wants_it(pen: Pen) -> None:
    with engine.make_engine(pen.path).connect() as connection:
        assert connection.exec_driver_sql("PRAGMA fullfsync").scalar() == 1
