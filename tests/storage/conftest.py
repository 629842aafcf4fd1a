"""A campaign file for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.storage.pen import Pen, write_a_campaign


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a campaign file goes: a name with all that a URI could trip over."""
    return tmp_path / "50% Betio #1?.brt"


@pytest.fixture
def pen(path: Path) -> Iterator[Pen]:
    """A campaign with a record of every kind, a roll that stands and one that was undone."""
    pen = write_a_campaign(path)
    yield pen
    pen.file.close()
