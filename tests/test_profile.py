"""No test touches the profile of whoever runs it, on any system."""

import os
import re
import subprocess
import sys
from pathlib import Path

from brt_cg.catalogue.types import own_catalogue_path
from brt_cg.files import player_files_folder, state_file_path
from brt_cg.tui.memory.recent import keys_path, memory_path
from tests.homes import homes

TESTS = Path(__file__).parent
# Which tell what a system calls its folders, and the pictures, which hide where they are drawn.
NAME_THEM = ("homes.py", "test_profile.py", "pictures.py")
KEPT = (
    "from brt_cg.catalogue.types import own_catalogue_path\n"
    "from brt_cg.files import state_file_path\n"
    "from brt_cg.tui.memory.recent import keys_path, memory_path\n"
    "print(own_catalogue_path(), state_file_path('seen', 'x'), memory_path(), "
    "keys_path(), sep='\\n')"
)


def outside(folder: Path, paths: list[Path]) -> list[Path]:
    return [path for path in paths if folder.resolve() not in path.resolve().parents]


def test_files_the_program_keeps_are_in_a_test_folder(tmp_path: Path) -> None:
    kept = [
        own_catalogue_path(),
        state_file_path("seen", "x"),
        memory_path(),
        keys_path(),
        player_files_folder() / "x",
    ]
    assert outside(tmp_path.parent, kept) == []


def test_files_kept_by_a_process_of_a_test_are_in_a_test_folder(tmp_path: Path) -> None:
    for moved, place in (({}, tmp_path.parent), (homes(tmp_path / "other"), tmp_path / "other")):
        told = subprocess.run(
            [sys.executable, "-c", KEPT],
            env={**os.environ, **moved},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        kept = [Path(line) for line in told.stdout.splitlines()]
        assert (len(kept), outside(place, kept)) == (4, [])


def test_no_test_moves_the_folder_by_a_variable_of_one_system() -> None:
    found = [
        str(path.relative_to(TESTS))
        for path in TESTS.rglob("*.py")
        if path.name not in NAME_THEM and re.search("XDG_|WIN_PD_", path.read_text("utf-8"))
    ]
    assert found == []
