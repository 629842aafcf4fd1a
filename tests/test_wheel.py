"""What is shipped: the wheel holds the data, and plays a campaign far from the checkout."""

import os
import subprocess
import sys
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest

from brt_cg import __version__

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


def test_the_wheel_holds_nothing_else(names: set[str]) -> None:
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"brt_cg", f"brt_cg-{__version__}.dist-info"}
    assert not [name for name in names if name.endswith((".pyc", ".brt-journal"))]


def test_the_wheel_says_what_it_is(unpacked: Path) -> None:
    info = unpacked / f"brt_cg-{__version__}.dist-info"
    metadata = HeaderParser().parsestr((info / "METADATA").read_text("utf-8"))
    assert metadata["Version"] == __version__
    assert metadata["Requires-Python"] == ">=3.11"
    assert "brt-cg = brt_cg.cli:main" in (info / "entry_points.txt").read_text("utf-8")
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


def test_the_wheel_plays_without_the_checkout(unpacked: Path, tmp_path: Path) -> None:
    where = run(unpacked, tmp_path, "-c", "import brt_cg; print(brt_cg.__file__)")
    assert Path(where.strip()).is_relative_to(unpacked)
    run(unpacked, tmp_path, "-m", "brt_cg", "new", "t.brt", "--cg", "I")
    assert '"cg": "I"' in run(unpacked, tmp_path, "-m", "brt_cg", "status", "t.brt", "--json")
    data = "from brt_cg import resources; print(resources.campaigns(), resources.migrations())"
    for folder in run(unpacked, tmp_path, "-c", data).split():
        assert Path(folder).is_relative_to(unpacked / "brt_cg" / "_data")
