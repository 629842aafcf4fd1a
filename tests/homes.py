"""Where the program keeps what it remembers while it is tested: on no system in the profile of
whoever tests it. Linux and macOS follow XDG variables, and Windows those of platformdirs."""

import os
from pathlib import Path

import pytest

KINDS = ("CACHE", "CONFIG", "DATA", "STATE")
ON_WINDOWS = "WIN_PD_OVERRIDE_LOCAL_APPDATA"  # for all four kinds
STATE = ("XDG_STATE_HOME", ON_WINDOWS)
DOCUMENTS = ("XDG_DOCUMENTS_DIR", "WIN_PD_OVERRIDE_PERSONAL")


def homes(folder: Path) -> dict[str, str]:
    """The variables of a process that keeps everything in a folder."""
    return dict.fromkeys([*(f"XDG_{kind}_HOME" for kind in KINDS), ON_WINDOWS], str(folder))


def set_home(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """From now on everything is kept in a folder."""
    for name, value in homes(folder).items():
        patch.setenv(name, value)


def state_home() -> Path:
    """The folder for what is remembered of campaigns."""
    return Path(os.environ[STATE[os.name == "nt"]])


def set_state_home(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """From now on what is remembered of campaigns is kept in a folder: another machine's."""
    for name in STATE:
        patch.setenv(name, str(folder))


def set_documents(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """From now on a folder is that of the player's documents."""
    for name in DOCUMENTS:
        patch.setenv(name, str(folder))
