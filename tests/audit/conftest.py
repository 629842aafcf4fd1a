"""A played campaign for each test to tamper with: made once, copied, to a server too."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from brt_cg.storage import store
from brt_cg.storage.place import Address, Place
from brt_cg.storage.postgres import close_idle
from tests.audit.played import make


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("played") / "played.brt")


@pytest.fixture(
    scope="session", params=["file", pytest.param("server", marks=pytest.mark.postgres)]
)
def lent(
    request: pytest.FixtureRequest, pristine: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Place]:
    """The played campaign in a file and on a server, to be tampered with and put back."""
    if request.param == "file":
        yield Path(shutil.copy(pristine, tmp_path_factory.mktemp("lent") / "lent.brt"))
        return
    address: Address = request.getfixturevalue("server").new_address()
    store.copy_campaign(pristine, address)
    yield address
    close_idle(address)


@pytest.fixture
def played(pristine: Path, tmp_path: Path) -> Path:
    """A copy of the played campaign, to tamper with."""
    return Path(shutil.copy(pristine, tmp_path / "copy.brt"))
