"""Campaigns for the command line's tests."""

import shutil
from pathlib import Path

import pytest

from brt_cg.cli import main
from tests.cli.shell import state, written


@pytest.fixture(scope="session")
def at_its_end(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign whose first scenario has just been imported."""
    folder = tmp_path_factory.mktemp("campaign")
    path = folder / "campaign.brt"
    assert main(["new", str(path), "--cg", "III"]) == 0
    assert main(["import", str(path), str(written(folder / "state.json", state()))]) == 0
    return path


@pytest.fixture
def file(at_its_end: Path, tmp_path: Path) -> Path:
    """A copy of that campaign."""
    return Path(shutil.copy(at_its_end, tmp_path / "c.brt"))
