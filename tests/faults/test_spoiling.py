"""Whatever is spoiled in a campaign file, a repair says "whole" only where every entry is there."""

from pathlib import Path

from tests.faults.spoiling import WAYS, Spoiled
from tests.faults.table import tried
from tests.settings import count


def test_a_repair_called_complete_is_complete(tmp_path: Path) -> None:
    files = count(ci=3, full=63) * len(WAYS)
    row = tried("spoiled", Spoiled(tmp_path, quick=files, full=files), full=True)
    assert (row.tried, row.found) == (files, {})
