"""The clipboard of the player's machine."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping

PATIENCE = 1.5  # the most seconds for a program that copies

Command = tuple[tuple[str, ...], str]  # a program with its arguments, and the encoding it reads
_MAC: Command = (("pbcopy",), "utf-8")
_WINDOWS: Command = (("clip.exe",), "utf-16")  # recognizes UTF-16 by the mark at the beginning
_WAYLAND: Command = (("wl-copy",), "utf-8")
_X: tuple[Command, ...] = (
    (("xclip", "-selection", "clipboard"), "utf-8"),
    (("xsel", "--clipboard", "--input"), "utf-8"),
)


def copy_commands(platform: str, environ: Mapping[str, str]) -> Iterator[Command]:
    """Yield the programs that can copy on a system; none over SSH, because they would fill the
    clipboard of the other machine, unless that machine's desktop is shown here."""
    is_far = "SSH_CONNECTION" in environ or "SSH_TTY" in environ
    if platform == "darwin" and not is_far:
        yield _MAC
    if platform == "win32" and not is_far:
        yield _WINDOWS
    if platform not in ("darwin", "win32"):
        if "WAYLAND_DISPLAY" in environ and not is_far:
            yield _WAYLAND
        if "DISPLAY" in environ:
            yield from _X
        if "WSL_DISTRO_NAME" in environ:
            yield _WINDOWS


def copy_text(text: str) -> bool:
    """Copy text with the first program that works. Return whether one did; this may take some
    seconds."""
    return any(_run(command, text) for command in copy_commands(sys.platform, os.environ))


def _run(command: Command, text: str) -> bool:
    (program, *arguments), encoding = command
    found = shutil.which(program)
    if found is None:
        return False
    try:
        done = subprocess.run(
            [found, *arguments],
            input=text.encode(encoding),
            stdout=subprocess.DEVNULL,  # some programs stay in the background
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            env={**os.environ, "LC_CTYPE": "UTF-8"},
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0
