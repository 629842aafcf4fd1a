"""A played campaign for each test to tamper with: made once, copied, to a server too."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from brt_cg.audit import rules
from brt_cg.campaign import Campaign
from brt_cg.journal.entries import Entry
from brt_cg.storage import kept
from brt_cg.storage.place import Address, Place
from brt_cg.storage.postgres import release
from brt_cg.storage.reader import RawEntry
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
    kept.copy(pristine, address)
    yield address
    release(address)


@pytest.fixture
def made_again_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules make the same of the same entries: where only tables are tampered with, once."""
    found: dict[object, rules.Again] = {}
    just_so: dict[object, tuple[Sequence[Entry], Campaign] | None] = {}
    made_again, made_just_so = rules.made_again, rules.made_just_so

    def once(entries: Sequence[Entry], heed: rules.Heed) -> rules.Again:
        read = tuple((entry.seq, entry.hash, entry.text, entry.said) for entry in entries)
        if read not in found:
            found[read] = made_again(entries, heed)
        return found[read]

    def just_so_once(
        rows: Sequence[RawEntry], heed: rules.Heed
    ) -> tuple[Sequence[Entry], Campaign] | None:
        if (read := tuple(rows)) not in just_so:
            just_so[read] = made_just_so(rows, heed)
        return just_so[read]

    monkeypatch.setattr(rules, "made_again", once)
    monkeypatch.setattr(rules, "made_just_so", just_so_once)


@pytest.fixture
def played(pristine: Path, tmp_path: Path) -> Path:
    """A copy of the played campaign, to tamper with."""
    return Path(shutil.copy(pristine, tmp_path / "copy.brt"))
