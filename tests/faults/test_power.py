"""The power fails: what a player read as stored stands, and the campaign audits clean."""

from pathlib import Path

import pytest

from brt_cg.storage import sqlite
from tests.faults.power import Cuts
from tests.faults.table import tried
from tests.settings import EFFORT


def test_no_power_cut_loses_what_is_stored(tmp_path: Path) -> None:
    row = tried("power-cut", Cuts(tmp_path, quick=45, full=1000), EFFORT == "full")
    assert row.tried >= 45
    assert row.found == {}


def test_without_a_folder_sync_a_power_cut_may_lose_the_last_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "SYNCHRONOUS", "FULL")
    cuts = Cuts(tmp_path, quick=45, full=45)
    lost = [one.what for seed in range(0, 45, 3) for one in cuts.problems(str(seed))]
    assert lost
    assert all("were stored" in each for each in lost)
