"""Backups beside a campaign, and going back to one of them."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path, PureWindowsPath
from typing import Any
from unicodedata import normalize

import pytest

from brt_cg.connections import sqlite_uri
from brt_cg.storage import backups, sqlite
from brt_cg.storage.backups import (
    KEPT,
    BackupReason,
    backup_folder,
    find_backup,
    list_backups,
    make_backup,
    restore_backup,
)
from brt_cg.storage.errors import BackupError, NotACampaignError, StaleCampaignError, StorageError
from brt_cg.storage.sqlite import file_change_token, is_in_wal_mode
from tests.faults.children import left_at_every_step
from tests.reading import read_entries
from tests.storage.pen import Pen, begun, dump, heal, sql, write_a_campaign


def names(path: Path) -> list[str]:
    return sorted(each.name for each in backup_folder(path).iterdir())


def test_a_backup_is_a_campaign(file_pen: Pen) -> None:
    made = make_backup(file_pen.place, BackupReason.BEFORE_IMPORT)
    assert made.parent == file_pen.place.with_name(f"{file_pen.place.stem}.backups")
    assert read_entries(made) == file_pen.entries
    assert dump(made) == dump(file_pen.place)
    assert names(file_pen.place) == [made.name]


@pytest.mark.posix
def test_a_backup_through_a_link_is_next_to_the_real_file(file_pen: Pen, tmp_path: Path) -> None:
    link = tmp_path / "desktop" / "my game.brt"
    link.parent.mkdir()
    link.symlink_to(file_pen.place)
    made = make_backup(link, BackupReason.BEFORE_IMPORT)
    assert made.parent == backup_folder(file_pen.place)
    assert list(link.parent.iterdir()) == [link]
    assert list_backups(link) == list_backups(file_pen.place) != []


@pytest.mark.posix
@pytest.mark.parametrize(
    "other", [str.upper, str.lower, lambda name: normalize("NFD", name)], ids=["A", "a", "NFD"]
)
def test_backups_are_found_in_upper_or_lower_case(
    tmp_path: Path, other: Callable[[str], str]
) -> None:
    """A second name of the same file is what a folder of Windows or macOS shows of it."""
    pen = write_a_campaign(tmp_path / "Tarawa é.brt")
    typed = tmp_path / f"{other('Tarawa é')}.brt"
    typed.hardlink_to(pen.place)
    first = make_backup(pen.place, BackupReason.BEFORE_IMPORT)
    pen.enter("edit", heal)
    second = make_backup(typed, BackupReason.BEFORE_IMPORT)
    assert first.exists()
    assert second.parent == first.parent
    assert (
        [one.number for one in list_backups(typed)]
        == [one.number for one in list_backups(pen.place)]
        == [2, 1]
    )


def test_a_file_that_is_not_a_campaign_is_not_backed_up(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    with pytest.raises(BackupError, match="before the import cannot be made, so nothing was done"):
        make_backup(notes, BackupReason.BEFORE_IMPORT)
    assert list(tmp_path.iterdir()) == [notes]


def test_a_list_shows_date_entries_and_checksum(file_pen: Pen) -> None:
    make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    file_pen.enter("edit", heal)
    make_backup(file_pen.place, BackupReason.AFTER_REFIT)
    newest, older = list_backups(file_pen.place)
    assert (newest.number, newest.why, newest.entries) == (2, "after-refit", 6)
    assert (older.number, older.why, older.entries) == (1, "before-refit", 5)
    assert newest.head == file_pen.entries[-1].hash
    assert (newest.date, newest.phase, newest.problem) == ("20 AM", "refit", None)


def test_an_identical_backup_is_not_kept_twice(file_pen: Pen) -> None:
    assert make_backup(file_pen.place, BackupReason.AFTER_REFIT) == make_backup(
        file_pen.place, BackupReason.BEFORE_IMPORT
    )
    assert len(list_backups(file_pen.place)) == 1


def test_the_newest_ten_are_kept(file_pen: Pen) -> None:
    for _ in range(KEPT + 3):
        file_pen.enter("edit", heal)
        make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    assert [one.number for one in list_backups(file_pen.place)] == list(range(KEPT + 3, 3, -1))


def test_another_campaign_in_the_folder_keeps_its_own_backups(file_pen: Pen) -> None:
    other = write_a_campaign(file_pen.place.with_suffix(".old"))
    make_backup(other.place, BackupReason.BEFORE_REFIT)
    for _ in range(KEPT + 1):
        file_pen.enter("edit", heal)
        make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    assert len(list_backups(other.place)) == 1
    assert len(list_backups(file_pen.place)) == KEPT
    other.kept.close()


def test_an_unfinished_backup_of_a_crash_is_removed(file_pen: Pen) -> None:
    folder = backup_folder(file_pen.place)
    folder.mkdir()
    left = f"{file_pen.place.stem}-0001-before-refit{file_pen.place.suffix}.part"
    for name in (left, f"{left}-journal"):
        (folder / name).write_text("half")
    assert list_backups(file_pen.place) == []
    made = make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    assert names(file_pen.place) == [made.name]


def test_a_damaged_backup_is_marked_in_the_list(file_pen: Pen) -> None:
    make_backup(file_pen.place, BackupReason.BEFORE_REFIT).write_text("spoilt")
    (found,) = list_backups(file_pen.place)
    assert found.problem is not None
    assert "not a campaign" in found.problem


def test_a_full_disk_stops_the_action_that_needs_a_backup(
    file_pen: Pen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, target: Path) -> None:
        target.write_text("half")
        raise StorageError(f"{target}: the disk is full; nothing was stored")

    monkeypatch.setattr(backups, "copy_to_new_file", full)
    with pytest.raises(BackupError, match=r"before the Refit Phase.*disk is full.*--no-backup"):
        make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    assert not backup_folder(file_pen.place).exists()


def test_an_impossible_backup_folder_stops_the_action(file_pen: Pen) -> None:
    backup_folder(file_pen.place).write_text("in the way")
    with pytest.raises(BackupError, match="--no-backup"):
        make_backup(file_pen.place, BackupReason.BEFORE_REFIT)


# --- going back -------------------------------------------------------------------------------


def test_going_back_keeps_a_backup_of_the_current_state(file_pen: Pen) -> None:
    backup = make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    before = dump(file_pen.place)
    file_pen.enter("edit", heal)
    gone_on = dump(file_pen.place)
    kept = restore_backup(file_pen.place, backup)
    assert dump(file_pen.place) == before
    assert kept is not None
    assert kept.name.endswith("-0002-before-restore.brt")
    assert dump(kept) == gone_on


def test_the_restored_backup_is_not_deleted(file_pen: Pen) -> None:
    for _ in range(KEPT):
        file_pen.enter("edit", heal)
        make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    oldest = list_backups(file_pen.place)[-1]
    file_pen.enter("edit", heal)
    restore_backup(file_pen.place, oldest.path)
    assert len(read_entries(file_pen.place)) == oldest.entries
    assert oldest.path.exists()


def test_the_restored_backup_is_kept_for_any_spelling_of_its_path(file_pen: Pen) -> None:
    for _ in range(KEPT):
        file_pen.enter("edit", heal)
        make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    oldest = list_backups(file_pen.place)[-1].path
    file_pen.enter("edit", heal)
    restore_backup(file_pen.place, oldest.parent / ".." / oldest.parent.name / oldest.name)
    assert oldest.exists()


def test_an_action_runs_without_a_backup_only_on_request(file_pen: Pen) -> None:
    backup = make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    file_pen.enter("edit", heal)
    assert restore_backup(file_pen.place, backup, keep=False) is None
    assert len(list_backups(file_pen.place)) == 1


def test_an_open_window_sees_that_the_campaign_changed(file_pen: Pen) -> None:
    backup = make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    file_pen.enter("edit", heal)
    restore_backup(file_pen.place, backup)
    with pytest.raises(StorageError, match="added entries"):
        file_pen.enter("edit", heal)


@pytest.mark.parametrize("spoilt", [b"no database at all", b""], ids=["spoilt", "empty"])
def test_a_damaged_file_is_kept_unchanged(file_pen: Pen, spoilt: bytes) -> None:
    backup = make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    file_pen.kept.close()
    file_pen.place.write_bytes(spoilt)
    file_pen.place.with_name(f"{file_pen.place.name}-journal").write_bytes(
        b"of a file that is no more"
    )
    kept = restore_backup(file_pen.place, backup)
    assert read_entries(file_pen.place) == file_pen.entries
    assert kept is not None
    assert kept.read_bytes() == spoilt


def test_a_truncated_file_is_restored(file_pen: Pen) -> None:
    backup = make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    file_pen.kept.close()
    with file_pen.place.open("r+b") as file:
        file.truncate(5000)
    restore_backup(file_pen.place, backup)
    assert dump(file_pen.place) == dump(backup)


def test_a_deleted_file_is_restored(file_pen: Pen) -> None:
    backup = make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    file_pen.kept.close()
    file_pen.place.unlink()
    assert restore_backup(file_pen.place, find_backup(file_pen.place, "1")) is None
    assert dump(file_pen.place) == dump(backup)


def test_a_backup_of_another_campaign_is_refused(file_pen: Pen, tmp_path: Path) -> None:
    before = dump(file_pen.place)
    other = begun(tmp_path / "other.brt")
    other.enter("new", lambda campaign: campaign.add(file_pen.campaign.units["m-ldr-1"].clone()))
    with pytest.raises(StorageError, match="of a different campaign"):
        restore_backup(file_pen.place, other.place)
    assert dump(file_pen.place) == before
    other.kept.close()


def test_a_damaged_backup_is_not_restored(file_pen: Pen) -> None:
    backup = make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    before = dump(file_pen.place)
    backup.write_text("spoilt")
    with pytest.raises(NotACampaignError):
        restore_backup(file_pen.place, backup)
    assert dump(file_pen.place) == before
    assert len(list_backups(file_pen.place)) == 1


def test_a_missing_backup_is_reported_with_the_existing_ones(file_pen: Pen) -> None:
    make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    with pytest.raises(StorageError, match=r"no backup 7; enter 1$"):
        find_backup(file_pen.place, "7")
    assert (
        find_backup(file_pen.place, "0001")
        == find_backup(file_pen.place, "1")
        == list_backups(file_pen.place)[0].path
    )


def test_another_program_is_not_waited_for_forever(
    file_pen: Pen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.05)
    backup = make_backup(file_pen.place, BackupReason.BEFORE_REFIT)
    file_pen.enter("edit", heal)
    other = sqlite3.connect(file_pen.place, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    before = dump(file_pen.place)
    with pytest.raises(StorageError, match="another window or program"):
        restore_backup(file_pen.place, backup, keep=False)
    other.close()
    assert dump(file_pen.place) == before


# --- while others are writing -----------------------------------------------------------------


def test_entries_made_after_the_backup_are_not_overwritten(
    file_pen: Pen, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file_pen.place
    backup = make_backup(path, BackupReason.BEFORE_REFIT)
    file_pen.enter("edit", heal)
    put = backups._put

    def after_another(*given: Any) -> None:
        file_pen.enter("edit", heal)
        put(*given)

    monkeypatch.setattr(backups, "_put", after_another)
    with pytest.raises(StaleCampaignError):
        restore_backup(path, backup)
    assert read_entries(path) == file_pen.entries
    assert [one.path for one in list_backups(path)] == [backup]


def test_entries_made_since_the_known_version_are_not_overwritten(file_pen: Pen) -> None:
    path = file_pen.place
    backup = make_backup(path, BackupReason.BEFORE_REFIT)
    known = file_change_token(path)
    file_pen.enter("edit", heal)
    with pytest.raises(StaleCampaignError):
        restore_backup(path, backup, known=known)
    restore_backup(path, backup, known=file_change_token(path))
    assert read_entries(path) == read_entries(backup)


def test_a_late_restore_deletes_no_backup(file_pen: Pen, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file_pen.place
    for _ in range(KEPT):
        make_backup(path, BackupReason.BEFORE_IMPORT)
        file_pen.enter("edit", heal)
    there, put = names(path), backups._put

    def after_another(*given: Any) -> None:
        file_pen.enter("edit", heal)
        put(*given)

    monkeypatch.setattr(backups, "_put", after_another)
    for _ in range(3):
        with pytest.raises(StaleCampaignError):
            restore_backup(path, list_backups(path)[0].path)
    assert names(path) == there


def test_a_file_left_in_wal_mode_can_be_restored(file_pen: Pen) -> None:
    path = file_pen.place
    backup = make_backup(path, BackupReason.BEFORE_REFIT)
    file_pen.enter("edit", heal)
    file_pen.kept.close()
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA journal_mode = WAL")
    restore_backup(path, backup)
    assert read_entries(path) == read_entries(backup)
    assert not is_in_wal_mode(path)


@pytest.mark.posix
def test_a_damaged_file_is_not_replaced_while_another_program_writes_to_it(file_pen: Pen) -> None:
    path = file_pen.place
    backup = make_backup(path, BackupReason.BEFORE_REFIT)
    file_pen.kept.close()
    path.write_bytes(b"no database at all" * 1000)
    with holding(path), pytest.raises(StorageError, match="another window or program"):
        restore_backup(path, backup)
    assert path.read_bytes() == b"no database at all" * 1000
    restore_backup(path, backup)
    assert read_entries(path) == file_pen.entries


def test_simultaneous_backups_make_one_file_each(file_pen: Pen) -> None:
    path = file_pen.place
    script = (
        "import sys; from pathlib import Path; from brt_cg.storage.backups import "
        "BackupReason, add_file_to_backups; "
        "input(); print(add_file_to_backups(Path(sys.argv[1]), Path(sys.argv[1]), "
        "BackupReason.NOT_TAKEN).name)"
    )
    others = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for other in others:
        assert other.stdin is not None
        other.stdin.write("\n")
        other.stdin.flush()
    made = [other.communicate()[0].strip() for other in others]
    assert sorted(made) == names(path)
    assert len(made) == 4


@contextmanager
def holding(path: Path) -> Iterator[None]:
    """Another process holds the lock of SQLite that a writer holds."""
    script = (
        "import fcntl, sys; file = open(sys.argv[1], 'r+b'); "
        "fcntl.lockf(file, fcntl.LOCK_EX, 510, 0x40000002); print(flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        yield
        other.kill()


# --- killed in the middle -----------------------------------------------------------------------


@cache
def rows(file: bytes) -> object:
    """What stands in a file; the bytes themselves where it is no whole database."""
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.deserialize(file)
            return list(connection.iterdump())
        except sqlite3.Error:
            return file


def stands(path: Path) -> object:
    """The same, once SQLite has taken back what was half done; None where there is no file."""
    if not path.exists():
        return None
    with suppress(sqlite3.Error):
        sql(path, "SELECT name FROM sqlite_master")
    return rows(path.read_bytes())


def left_alone(path: Path) -> None:
    assert path.exists()


def spoilt(path: Path) -> None:
    path.write_bytes(b"no database at all" * 1000)


@pytest.mark.posix
@pytest.mark.parametrize("harm", [left_alone, spoilt, Path.unlink])
def test_a_killed_restore_leaves_the_old_or_new_file_and_all_backups(
    file_pen: Pen, tmp_path_factory: pytest.TempPathFactory, harm: Callable[[Path], None]
) -> None:
    path = file_pen.place
    backup = make_backup(path, BackupReason.BEFORE_REFIT)
    file_pen.enter("edit", heal)
    file_pen.kept.close()
    harm(path)
    old, new = stands(path), stands(backup)
    left = left_at_every_step(
        lambda: restore_backup(path, backup), path.parent, tmp_path_factory.mktemp("left")
    )
    assert len(left) > 30
    assert (stands(left[0] / path.name), stands(left[-1] / path.name)) == (old, new)
    half = [each.name for each in left if stands(each / path.name) not in (old, new)]
    half += [
        f"{each.name}: {kept.path.name}"
        for each in left
        for kept in list_backups(each / path.name)
        if stands(kept.path) not in (old, new)
    ]
    assert half == []


# --- how a path is told to SQLite ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (r"\\nas\games\50% Betio.brt", "file:////nas/games/50%25%20Betio.brt"),
        (r"C:\games\tarawa.brt", "file:///C:/games/tarawa.brt"),
    ],
)
def test_a_windows_path_is_written_for_sqlite(path: str, uri: str) -> None:
    assert sqlite_uri(PureWindowsPath(path)) == uri
