"""Whatever fails at the storage rim, the campaign stands before or after a command, and goes on."""

from pathlib import Path

import pytest

from brt_cg.cli import main
from tests.faults.campaign import FAULTS, Faults, Storage, stored
from tests.faults.children import left_by_kills
from tests.faults.commands import run_hushed
from tests.faults.table import room, tried
from tests.settings import count

MOST = count(ci=3, full=1000)  # of each fault
EACH = count(ci=2, full=1)  # a command meets one fault in so many, and the next command the others
NAMES = (
    *("new", "import", "buy", "edit", "answer", "run", "undo", "redo", "restore", "migration"),
    *("append", "join", "take", "receive-new", "agree", "copy", "repair"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the campaigns that commands meet are made once."""
    return tmp_path_factory.mktemp("faults")


@pytest.mark.parametrize("name", NAMES)
def test_no_fault_loses_anything(name: str, folder: Path) -> None:
    storage = Storage(room(folder, name), name)
    for fault in [*FAULTS][NAMES.index(name) % EACH :: EACH]:
        row = tried(fault, Faults(storage, fault), True, most=MOST)
        assert row.tried >= MOST
        assert row.found == {}


def test_a_killed_new_leaves_no_campaign_and_can_be_repeated(tmp_path: Path) -> None:
    (folder := tmp_path / "new").mkdir()
    words = ["new", str(folder / "campaign.brt"), "--cg", "III"]
    left = left_by_kills(lambda: main(words), folder, tmp_path / "left")
    assert len(left) > 15
    for each in left[:: count(ci=3, full=1)]:
        path = each / "campaign.brt"
        assert stored(path) == 0
        assert main(["new", str(path), "--cg", "III"]) == 0
        assert [found.name for found in each.iterdir()] == ["campaign.brt"]


def test_new_overwrites_only_an_unfinished_campaign(tmp_path: Path) -> None:
    path = tmp_path / "campaign.brt"
    path.write_text("not a campaign")
    path.with_name("campaign.brt-journal").write_text("nor a journal")
    assert run_hushed(["new", str(path), "--cg", "III"], path) == 2
    assert path.read_text() == "not a campaign"
