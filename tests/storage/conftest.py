"""A campaign for each test: on both engines, or in a file where it is about files."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from brt_cg.storage.place import Place
from tests.storage.pen import Pen, write_a_campaign


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a campaign file goes: a name with all that a URI could trip over."""
    return tmp_path / "50% Betio #1!.brt"


@pytest.fixture
def pen(place: Place) -> Iterator[Pen]:
    """A campaign with a record of every kind, a roll that stands and one that was undone; in a file
    and on a server."""
    pen = write_a_campaign(place)
    yield pen
    pen.kept.close()


@pytest.fixture
def file_pen(path: Path) -> Iterator[Pen]:
    """The same, in a file."""
    pen = write_a_campaign(path)
    yield pen
    pen.kept.close()
