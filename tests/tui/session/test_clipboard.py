"""A row is said to be copied only if a program of the system has copied it."""

import sys
from pathlib import Path

import pytest

from brt_cg.tui.session import clipboard
from brt_cg.tui.session.clipboard import commands, copied
from tests.tui.helpers import MIDDLE, shown
from tests.tui.moments import in_forces

posix = pytest.mark.skipif(sys.platform == "win32", reason="the programs here are shell scripts")


def programs(platform: str, **environ: str) -> list[str]:
    return [arguments[0] for arguments, _ in commands(platform, environ)]


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
def test_each_system_has_its_programs_and_a_far_one_none(
    platform: str, environ: dict[str, str], found: list[str]
) -> None:
    assert programs(platform, **environ) == found


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the only programs of a system with a desktop; none yet."""
    monkeypatch.setattr(clipboard.sys, "platform", "linux")
    for name in ("WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_TTY", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    return tmp_path / "bin"


def install(system: Path, program: str, does: str) -> None:
    made = system / program
    made.write_text(f"#!/bin/sh\n{does}\n", "utf-8")
    made.chmod(0o755)


@posix
def test_the_first_program_that_can_copies(system: Path) -> None:
    install(system, "xclip", "exit 1")
    install(system, "xsel", f"/bin/cat > '{system}/copied'")
    assert copied("½ 9-1 “Hawkins”")
    assert (system / "copied").read_text("utf-8") == "½ 9-1 “Hawkins”"


@posix
def test_without_a_program_or_with_one_that_hangs_nothing_was_copied(
    system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not copied("9-1")
    monkeypatch.setattr(clipboard, "PATIENCE", 0.1)
    install(system, "xclip", "/bin/sleep 5")
    assert not copied("9-1")


@posix
@pytest.mark.parametrize(
    ("does", "told"),
    [("/bin/cat > /dev/null", "Copied: "), ("exit 1", "Sent to the terminal, which copies it if")],
)
async def test_the_screen_says_what_became_of_the_row(
    demo_file: Path, system: Path, does: str, told: str
) -> None:
    install(system, "xclip", does)
    async with in_forces(demo_file, size=MIDDLE, notifications=True) as (_, pilot):
        await pilot.press("y")
        await shown(pilot, told)
