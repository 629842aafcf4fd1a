"""A row is said to be copied only if a program of the system has copied it."""

import sys
from pathlib import Path

import pytest

from brt_cg.tui.session import clipboard
from brt_cg.tui.session.clipboard import copy_commands, copy_text
from tests.tui.helpers import MIDDLE, shown
from tests.tui.moments import in_forces

COPIES, FAILS = "import sys; sys.stdin.read()", "raise SystemExit(1)"


def programs(platform: str, **environ: str) -> list[str]:
    return [arguments[0] for arguments, _ in copy_commands(platform, environ)]


@pytest.mark.parametrize(
    ("platform", "environ", "found"),
    [
        ("darwin", {}, ["pbcopy"]),
        ("win32", {}, ["clip.exe"]),
        ("linux", {"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, ["wl-copy", "xclip", "xsel"]),
        ("linux", {"WSL_DISTRO_NAME": "Debian"}, ["clip.exe"]),
        ("linux", {}, []),
        ("darwin", {"SSH_CONNECTION": "1"}, []),
        ("linux", {"SSH_TTY": "1", "WAYLAND_DISPLAY": "w"}, []),
        ("linux", {"SSH_TTY": "1", "DISPLAY": "localhost:10.0"}, ["xclip", "xsel"]),
    ],
)
def test_each_system_has_its_copy_programs_and_a_remote_one_has_none(
    platform: str, environ: dict[str, str], found: list[str]
) -> None:
    assert programs(platform, **environ) == found


def install(monkeypatch: pytest.MonkeyPatch, *programs: str) -> None:
    """Makes little Python programs the only ones that can copy."""
    found = [((sys.executable, "-c", program), "utf-8") for program in programs]
    monkeypatch.setattr(clipboard, "copy_commands", lambda platform, environ: iter(found))


def test_the_first_available_program_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "copied"
    keep = f"import sys; open({str(kept)!r}, 'wb').write(sys.stdin.buffer.read())"
    install(monkeypatch, FAILS, keep)
    assert copy_text("½ 9-1 “Hawkins”")
    assert kept.read_text("utf-8") == "½ 9-1 “Hawkins”"


def test_without_a_working_program_nothing_is_copied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install(monkeypatch)
    assert not copy_text("9-1")
    monkeypatch.setattr(
        clipboard,
        "copy_commands",
        lambda platform, environ: iter([(("no-such-program",), "utf-8")]),
    )
    assert not copy_text("9-1")
    monkeypatch.setattr(clipboard, "PATIENCE", 0.1)
    install(monkeypatch, "import time; time.sleep(5)")
    assert not copy_text("9-1")


@pytest.mark.parametrize(
    ("does", "told"),
    [(COPIES, "Copied: "), (FAILS, "Copied, if your terminal")],
)
async def test_the_screen_says_whether_the_row_was_copied(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch, does: str, told: str
) -> None:
    install(monkeypatch, does)
    async with in_forces(demo_file, size=MIDDLE, notifications=True) as (_, pilot):
        await pilot.press("Y")
        await shown(pilot, told)
