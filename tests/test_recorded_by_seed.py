"""Campaigns that were thought up by chance and played on the command line: each folder of
tests/recorded/by_seed/ is typed again, line by line, and must end as it did.

What a rule changes is read in their logs and recorded anew: `python -m
tests.recorded.by_seed.generate`.
"""

import json
import shutil
from pathlib import Path

import pytest

from tests.recorded.by_seed.generate import CAMPAIGNS, FILE, HERE, end_of, flat, run


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_campaign_played_by_seed_ends_as_it_did(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    shutil.copytree(HERE / name, folder)
    for line in (folder / "script.txt").read_text("utf-8").splitlines():
        code, printed = run(line, folder)
        assert code in (0, 3), f"{line}\n{printed}"
    assert flat(end_of(folder)) == json.loads((folder / "end.json").read_text("utf-8"))
    code, found = run(f"audit {FILE}", folder)
    assert code == 0, found


def test_they_are_of_all_kinds() -> None:
    scripts = {name: (HERE / name / "script.txt").read_text("utf-8") for name in CAMPAIGNS}
    typed = "\n".join(scripts.values())
    for words in ("--cg I ", "--cg II ", "--cg III ", "--draft", "draft", "void", "undo", "redo"):
        assert words in typed, words
    ends = [json.loads((HERE / name / "end.json").read_text("utf-8")) for name in CAMPAIGNS]
    assert {"scenario", "over"} == {end["phase"] for end in ends}
