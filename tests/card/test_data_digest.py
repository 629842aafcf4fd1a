"""What of the data decides, and what is wording: one makes other rules, the other does not."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from brt_cg import resources
from brt_cg.card.data_digest import PARTS, data_digests

Change = Callable[[str, str, str], set[str]]


@pytest.fixture
def changed(tmp_path: Path) -> Change:
    """Which digests of CG I change with one change of the data."""

    def change(name: str, found: str, written: str) -> set[str]:
        folder = Path(shutil.copytree(resources.game_data_folder(), tmp_path / "campaigns"))
        before = data_digests("I", resources.game_data_folder())
        text = (folder / name).read_text("utf-8")
        assert found in text
        (folder / name).write_text(text.replace(found, written, 1), "utf-8")
        after = data_digests("I", folder)
        return {part for part in PARTS if before[part] != after[part]}

    return change


@pytest.mark.parametrize(
    ("name", "found", "written", "part"),
    [
        ("tables.toml", "drm = 1", "drm = 2", "tables"),
        ("tables.toml", 'result = "unwounded"', 'result = "wounded"', "tables"),
        ("tables.toml", 'turns = "7.5"', 'turns = "8"', "tables"),
        ("prices.toml", "cost = 4", "cost = 5", "prices"),
        ("prices.toml", 'name = "HMG"', 'name = "HMGs"', "prices"),
        ("counters.toml", 'full = "4-4-8"', 'full = "4-4-7"', "counters"),
        ("rulings.toml", 'default = "list"', 'default = "roster"', "rulings"),
        ("cg1.toml", "max_hex = 32", "max_hex = 33", "card"),
        ("betio/hexes.csv", "A1,ocean", "A1,land", "map"),
    ],
)
def test_a_change_that_decides_results_changes_the_digest(
    name: str, found: str, written: str, part: str, changed: Change
) -> None:
    assert changed(name, found, written) == {part}


@pytest.mark.parametrize(
    ("name", "found", "written"),
    [
        ("tables.toml", "# ---- 15.613", "# -- 15.613"),
        ("tables.toml", 'text = "still wounded"', 'text = "wounded still"'),
        ("tables.toml", 'title = "Wounded leader"', 'title = "A wounded leader"'),
        ("rulings.toml", "they stay aboard", "they do not leave it"),
        ("rulings.toml", 'question = "Do', 'question = "Well, do'),
        ("cg2.toml", 'title = "Campaign Game II"', 'title = "The second"'),
        ("cg2.toml", 'rule = "15.6"', 'rule = "15.7"'),
        ("betio/README.md", "Betio", "Betio Island"),
    ],
)
def test_wording_and_other_games_cards_do_not_change_the_digest(
    name: str, found: str, written: str, changed: Change
) -> None:
    assert changed(name, found, written) == set()


def test_a_game_without_a_card_is_refused() -> None:
    with pytest.raises(ValueError, match="no card of CG 'IV'"):
        data_digests("IV")
