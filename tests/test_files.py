"""Files that the program writes: whole, durable, and never over the player's own work."""

import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize

import pytest

from brt_cg import files
from brt_cg.files import (
    check_file_name,
    is_replaceable,
    read_state_file,
    retry_if_blocked,
    state_file_path,
    write_atomically,
    write_export_files,
    write_state_file,
)
from brt_cg.questions.answers import RefusedError
from brt_cg.service import demo
from brt_cg.storage.place import canonical_place
from tests.holding import Holder


def test_a_file_is_written_atomically_without_leftovers(tmp_path: Path) -> None:
    write_atomically(tmp_path / "roster.md", "½ a squad")
    assert (tmp_path / "roster.md").read_text("utf-8") == "½ a squad"
    assert [file.name for file in tmp_path.iterdir()] == ["roster.md"]


def test_a_missing_folder_is_not_created_for_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rosterz" / "roster.md"
    with pytest.raises(FileNotFoundError, match=re.escape(f"there is no folder {path.parent}")):
        write_export_files({tmp_path / "beside.json": "x", path: "x"})
    assert list(tmp_path.iterdir()) == []


def is_open(handle: int) -> bool:
    try:
        os.fstat(handle)
    except OSError:
        return False
    return True


@pytest.mark.parametrize("fails", ["fsync", "fdopen"])
def test_a_full_disk_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    path, new = tmp_path / "next.json", files._new
    path.write_text("corrected by hand")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    opened: list[int] = []
    monkeypatch.setattr(os, fails, full)
    monkeypatch.setattr(files, "_new", lambda *of: opened.append(new(*of)) or opened[-1])
    with pytest.raises(OSError, match="No space left") as raised:
        write_atomically(path, "new")
    assert not is_open(opened[0])
    assert raised.value.filename == str(path)
    assert path.read_text() == "corrected by hand"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.posix
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "roster.md"
    path.write_text("old")
    path.chmod(0o640)
    write_atomically(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.posix
def test_only_its_owner_may_read_a_private_file(tmp_path: Path) -> None:
    write_atomically(tmp_path / "notes.json", "secret", private=True)
    assert stat.S_IMODE((tmp_path / "notes.json").stat().st_mode) == 0o600


@pytest.mark.posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("old")
    (tmp_path / "link.md").symlink_to(tmp_path / "real.md")
    write_atomically(tmp_path / "link.md", "new")
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_text() == "new"


def test_an_export_that_nobody_edited_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "roster.md"
    write_export_files({path: "20 AM"})
    write_export_files({path: "20 PM"})
    assert path.read_text() == "20 PM"


def test_an_export_that_somebody_edited_is_not_replaced_unless_forced(tmp_path: Path) -> None:
    path = tmp_path / "next.json"
    write_export_files({path: "{}"})
    path.write_text("{corrected}")
    with pytest.raises(RefusedError, match="edited since"):
        write_export_files({path: "{}2", tmp_path / "beside.json": "x"})
    assert path.read_text() == "{corrected}"
    assert not (tmp_path / "beside.json").exists()
    write_export_files({path: "{}2"}, force=True)
    assert path.read_text() == "{}2"


def test_a_foreign_file_is_replaced_only_by_the_same_text(tmp_path: Path) -> None:
    path = tmp_path / "letter.md"
    path.write_text("Dear Bill")
    assert not is_replaceable(path, "a roster")
    assert is_replaceable(path, "Dear Bill")
    write_export_files({path: "Dear Bill"})


def test_no_export_replaces_a_folder(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="is a folder; enter the name of a file"):
        write_export_files({tmp_path / "beside.json": "x", tmp_path: "x"}, force=True)
    assert not [*tmp_path.iterdir()]


def test_no_export_waits_for_a_pipe_or_replaces_it(tmp_path: Path) -> None:
    """`send -o /dev/stdout | …` never ended, and `export -o DEVICE --force` replaced the device."""
    if os.name == "nt":
        return  # Windows has no such files
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for force in (False, True):
        with pytest.raises(RefusedError, match="is a device or a pipe; enter the name of a file"):
            write_export_files({pipe: "x"}, force)
    assert not is_replaceable(pipe, "x")
    assert pipe.is_fifo()


def test_a_state_may_be_of_a_path_that_is_not_utf_8() -> None:
    """Every command on such a campaign, or in such a folder, ended in a traceback."""
    path = "/games/\udcdcbung/campaign.brt"
    file = state_file_path("seen", path)
    assert write_state_file(file, {"path": path}) is None
    assert read_state_file(file) == {"path": path}


def test_an_unreadable_state_is_empty(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("[" * 100_000)
    assert (
        read_state_file(tmp_path / "bad.json") == read_state_file(tmp_path / "missing.json") == {}
    )


@pytest.mark.parametrize(
    "name",
    [
        "tarawa:2.brt",
        "NUL.brt",
        "com1.tar.brt",
        "a?.brt",
        "tarawa.brt.",
        "tarawa ",
        "a\tb.brt",
        "a|b",
    ],
)
def test_a_name_that_windows_cannot_hold_is_refused_everywhere(name: str) -> None:
    with pytest.raises(RefusedError, match="choose another name"):
        check_file_name(Path("folder") / name)


@pytest.mark.parametrize("name", ["tarawa.brt", "Bill & Joe.brt", "NULL.brt", "½ way.brt", ".brt"])
def test_any_other_name_is_accepted(name: str) -> None:
    check_file_name(Path("folder") / name)


def test_a_file_locked_for_a_moment_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = iter([True, True, False])
    monkeypatch.setattr(files.os, "name", "nt")
    monkeypatch.setattr(files.time, "sleep", lambda _: None)

    def work() -> str:
        if next(held):
            raise PermissionError(13, "held")
        return "done"

    assert retry_if_blocked(work) == "done"


def test_a_file_locked_for_longer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(100))
    monkeypatch.setattr(files.os, "name", "nt")
    monkeypatch.setattr(files.time, "sleep", lambda _: None)
    monkeypatch.setattr(files.time, "monotonic", lambda: float(next(ticks)))

    def held() -> None:
        raise PermissionError(13, "held")

    with pytest.raises(PermissionError):
        retry_if_blocked(held)
    assert next(ticks) < 10


def test_a_file_open_in_another_program_is_not_replaced_and_reported(
    tmp_path: Path, held: Holder
) -> None:
    path = tmp_path / "roster.csv"
    write_export_files({path: "as exported"})
    held.hold(path)
    with pytest.raises(PermissionError) as raised:
        write_export_files({path: "newer"})
    assert files.file_error(raised.value) == f"{path}: {files.OPEN_ELSEWHERE}"
    assert "Close it there and try again" in files.OPEN_ELSEWHERE
    held.release()
    assert path.read_text() == "as exported"
    assert [*tmp_path.iterdir()] == [path]
    write_export_files({path: "newer"})
    assert path.read_text() == "newer"


def test_a_players_file_locked_by_another_program_is_reported_as_locked(
    tmp_path: Path, held: Holder
) -> None:
    path = tmp_path / "state.json"
    path.write_text("{}")
    held.hold(path, from_readers_too=True)
    with pytest.raises(RefusedError) as raised:
        files.read_bytes(path)
    assert str(raised.value) == f"{path}: Another program is using the file. Try again."


def test_a_file_error_shows_the_path_as_typed() -> None:
    error = PermissionError(13, "Permission denied", "C:\\Users\\me\\t.brt")
    assert files.file_error(error) == "C:\\Users\\me\\t.brt: Permission denied"
    assert files.file_error(OSError(28, "No space left")) == "No space left"


@pytest.mark.posix
@pytest.mark.parametrize(
    "other", [str.upper, str.lower, lambda name: normalize("NFD", name)], ids=["A", "a", "NFD"]
)
def test_saved_state_of_a_file_is_found_in_upper_or_lower_case(
    tmp_path: Path, other: Callable[[str], str]
) -> None:
    """A second name of the same file is what a folder of Windows or macOS shows of it."""
    real = tmp_path / "Tarawa é.brt"
    real.write_text("a campaign")
    typed = tmp_path / f"{other('Tarawa é')}.brt"
    typed.hardlink_to(real)
    assert canonical_place(typed) == canonical_place(real)
    assert canonical_place(tmp_path / "another.brt") != canonical_place(real)


@pytest.mark.posix
def test_files_differing_only_in_case_are_separate_in_a_case_sensitive_folder(
    tmp_path: Path,
) -> None:
    for name in ("Tarawa.brt", "tarawa.brt"):
        (tmp_path / name).write_text(name)
        assert canonical_place(tmp_path / name) == tmp_path / name


def test_a_demo_that_is_open_is_not_stored_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = tmp_path / demo.NAME
    held.write_text("open elsewhere")

    def refused(self: Path, target: Path) -> None:
        raise PermissionError(13, "held by another program", str(self))

    monkeypatch.setattr(Path, "rename", refused)
    with pytest.raises(PermissionError):
        demo.create_demo(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == [demo.NAME]
