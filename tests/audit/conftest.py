"""A played campaign for each test to tamper with: made once, copied."""

import shutil
from pathlib import Path

import pytest

from tests.audit.played import make


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("played") / "played.brt")


@pytest.fixture
def played(pristine: Path, tmp_path: Path) -> Path:
    """A copy of the played campaign, to tamper with."""
    return Path(shutil.copy(pristine, tmp_path / "copy.brt"))
