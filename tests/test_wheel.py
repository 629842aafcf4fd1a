"""What is shipped: the wheel holds the data, and plays a campaign far from the checkout."""

import os
import shlex
import subprocess
import sys
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest

from brt_cg import __version__
from brt_cg.cli.completion import completion_script, man_page
from brt_cg.cli.parser import SCRIPTS, command_line_parser
from tests.test_readme import TOUR, lines_of

CHECKOUT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=CHECKOUT,
        check=True,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    """The names of the files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds what the wheel installs."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def files(top: str, pattern: str = "*") -> set[str]:
    """The files below a folder of the checkout, relative to that folder."""
    return {
        path.relative_to(CHECKOUT / top).as_posix()
        for path in (CHECKOUT / top).rglob(pattern)
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_every_campaign_file(names: set[str]) -> None:
    shipped = files("campaigns")
    assert {"cg1.toml", "cg2.toml", "cg3.toml", "tables.toml", "rulings.toml"} <= shipped
    assert {f"brt_cg/_data/campaigns/{name}" for name in shipped} <= names


def test_the_wheel_holds_every_migration(names: set[str]) -> None:
    shipped = files("migrations")
    assert "env.py" in shipped
    assert {f"brt_cg/_data/migrations/{name}" for name in shipped} <= names


def test_the_wheel_holds_every_style_sheet_and_the_type_marker(names: set[str]) -> None:
    sheets = files("brt_cg/tui", "*.tcss")
    assert sheets
    assert {f"brt_cg/tui/{name}" for name in sheets} | {"brt_cg/py.typed"} <= names


def test_the_wheel_installs_completions_and_a_man_page_in_the_right_folders(
    unpacked: Path,
) -> None:
    share = unpacked / f"brt_cg-{__version__}.data" / "data" / "share"
    man = (share / "man/man1/brt-cg.1").read_text("utf-8")
    assert man == man_page(command_line_parser(), __version__)
    for place, shell in (
        ("bash-completion/completions/brt-cg", "bash"),
        ("zsh/site-functions/_brt-cg", "zsh"),
        ("fish/vendor_completions.d/brt-cg.fish", "fish"),
    ):
        assert (share / place).read_text("utf-8") == completion_script(command_line_parser(), shell)


def test_the_installed_program_prints_the_completions_that_came_with_it(
    unpacked: Path, tmp_path: Path
) -> None:
    without_shtab = (
        "import sys; sys.modules['shtab'] = None; from brt_cg.cli import main; "
        "[main(['completion', shell]) or print(chr(12)) for shell in sys.argv[1:]]"
    )
    printed = run(unpacked, tmp_path, "-c", without_shtab, *SCRIPTS).split("\f\n")
    assert printed.pop() == ""
    for shell, told in zip(SCRIPTS, printed, strict=True):
        came = (unpacked / "brt_cg/_data/completions" / SCRIPTS[shell]).read_text("utf-8")
        assert "purchases" in came
        assert told.strip() == came.strip(), shell


@pytest.mark.posix  # twine is installed where a wheel is built
def test_a_package_index_accepts_the_wheel_and_shows_its_readme(
    wheel: Path, unpacked: Path
) -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", str(wheel)],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    info = unpacked / f"brt_cg-{__version__}.dist-info"
    metadata = HeaderParser().parsestr((info / "METADATA").read_text("utf-8"))
    assert metadata["Description-Content-Type"] == "text/markdown"
    shown = str(metadata.get_payload())
    assert "## The first evening" in shown
    assert "![" not in shown, "an index cannot show a picture of the checkout"


def test_the_wheel_holds_nothing_else(names: set[str]) -> None:
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"brt_cg", *(f"brt_cg-{__version__}.{part}" for part in ("data", "dist-info"))}
    assert not [name for name in names if name.endswith((".pyc", ".brt-journal"))]


def test_the_wheel_has_the_right_metadata(unpacked: Path) -> None:
    info = unpacked / f"brt_cg-{__version__}.dist-info"
    metadata = HeaderParser().parsestr((info / "METADATA").read_text("utf-8"))
    assert metadata["Version"] == __version__
    assert metadata["Requires-Python"] == ">=3.11"
    assert "brt-cg = brt_cg.__main__:run" in (info / "entry_points.txt").read_text("utf-8")
    assert "MIT License" in (info / "licenses" / "LICENSE").read_text("utf-8")


def run(unpacked: Path, cwd: Path, *arguments: str) -> str:
    """What Python prints when it knows the unpacked wheel and not the checkout."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def test_the_wheel_works_without_the_checkout(unpacked: Path, tmp_path: Path) -> None:
    # The README's lines are run within the tests' process; that a shell can start them, here.
    first = shlex.split(lines_of(TOUR)[0])
    assert first[:3] == ["brt-cg", "new", "tarawa.brt"]
    run(unpacked, tmp_path, "-m", "brt_cg", *first[1:])
    status = run(unpacked, tmp_path, "-m", "brt_cg", "status", "tarawa.brt", "--json")
    assert f'"cg": "{first[first.index("--cg") + 1]}"' in status
    guide = run(unpacked, tmp_path, "-m", "brt_cg", "guide")
    assert "1. The scenario ends\nIn the demo this step is already done" in guide
    data = "from brt_cg.resources import game_data_folder, migrations_folder"
    data += "; print(game_data_folder(), migrations_folder())"
    where = run(unpacked, tmp_path, "-c", f"{data}; import brt_cg; print(brt_cg.__file__)").split()
    assert Path(where.pop()).is_relative_to(unpacked)
    for folder in where:
        assert Path(folder).is_relative_to(unpacked / "brt_cg" / "_data")
