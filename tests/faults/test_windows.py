"""Two windows on one campaign: no answer is lost or given twice, and who came second is told."""

from pathlib import Path

from tests.faults.table import tried
from tests.faults.windows import STEPS, Windows
from tests.settings import EFFORT


def test_two_windows_never_lose_or_repeat_an_entry(tmp_path: Path) -> None:
    row = tried("two-writers", Windows(tmp_path, quick=40, full=1000), EFFORT == "full")
    assert row.found == {}
    assert row.tried * STEPS >= 300
