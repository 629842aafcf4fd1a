"""Two windows on one campaign: no answer is lost or given twice, and who came second is told."""

from pathlib import Path

import pytest

from brt_cg.service.desk import Desk
from tests.audit import played
from tests.faults.windows import STEPS, interleaved
from tests.settings import count

TRIES = count(ci=40, full=1000)


@pytest.fixture
def start(tmp_path: Path) -> Path:
    """A campaign with points, at the beginning of a Refit Phase."""
    path = tmp_path / "start.brt"
    desk = Desk.create(path, {"cg": "III", "name": None, "allotments": played.ALLOTMENTS})
    state = {"state": played.document("20 AM"), "source": "s", "missing": "keep", "side": None}
    desk.command("import", state)
    desk.close()
    return path


def test_whatever_two_windows_do_nothing_is_lost_or_done_twice(start: Path, tmp_path: Path) -> None:
    problems = [one for seed in range(TRIES) for one in interleaved(start, tmp_path, seed)]
    assert problems == []
    assert TRIES * STEPS >= 300
