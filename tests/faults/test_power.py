"""The power fails: what a player read as stored stands, and the campaign audits clean."""

from functools import partial
from pathlib import Path

import pytest

from brt_cg.service.desk import Desk
from brt_cg.storage import sqlite
from tests.faults.power import cut, noted, played
from tests.settings import count

CUTS = count(ci=45, full=1000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "campaign.brt"
    Desk.create(path, {"cg": "III"}).close()
    return path


def cuts(path: Path, tries: range) -> list[str]:
    start = path.read_bytes()
    calls = noted(partial(played, path), path.parent)
    path.write_bytes(start)
    return [each for seed in tries for each in cut(path, calls, path.parent, seed)]


def test_no_power_cut_loses_what_is_stored(path: Path) -> None:
    assert cuts(path, range(CUTS)) == []


def test_without_a_sync_of_the_folder_one_just_after_an_answer_may_lose_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "SYNCHRONOUS", "FULL")
    lost = cuts(path, range(0, CUTS, 3))
    assert lost
    assert all("were stored" in each for each in lost)
