"""A CG that is not one of the three: its card in `campaigns/` is all that it needs."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from brt_cg import resources
from brt_cg.card import data_digest, games
from brt_cg.journal import rules_version
from brt_cg.model.records import Phase
from brt_cg.refit.s620_setup import determine_banzai_night
from tests.cli.shell import Shell
from tests.refit.table import campaign, play

NIGHT = '{ name = "cg_i", drm = -1, reason = "CG I" },'


@pytest.fixture
def cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of cards with a CG IV, like CG I but for its DRM for a Night Banzai Attack."""
    folder = Path(shutil.copytree(resources.game_data_folder(), tmp_path / "cards"))
    first = (folder / "cg1.toml").read_text("utf-8")
    (folder / "cg4.toml").write_text(first.replace('"I"', '"IV"').replace("Game I", "Game IV"))
    tables = (folder / "tables.toml").read_text("utf-8")
    assert NIGHT in tables
    more = NIGHT + NIGHT.replace("cg_i", "cg_iv").replace("-1", "-3").replace("CG I", "CG IV")
    (folder / "tables.toml").write_text(tables.replace(NIGHT, more), "utf-8")
    for module in (games, data_digest):
        monkeypatch.setattr(module, "game_data_folder", lambda: folder)
    _forget_the_cards()
    yield folder
    monkeypatch.undo()
    _forget_the_cards()


def _forget_the_cards() -> None:
    for kept in (games.load_card, rules_version.current_rules, rules_version.current_version_text):
        kept.cache_clear()


@pytest.mark.usefixtures("cards")
def test_a_campaign_of_an_added_game_can_be_begun(brt: Shell) -> None:
    assert "{I,II,III,IV}" in brt("new", "--help").out
    assert "Campaign Game IV, 21 AM" in brt("new", "four.brt", "--cg", "IV").out
    assert brt("audit", "four.brt").code == 0
    assert "enter I, II, III, IV;" in brt("new", "b.brt", "--cg", "V").err


@pytest.mark.usefixtures("cards")
@pytest.mark.parametrize(("dr", "date"), [(4, "21 NT"), (5, "22 AM")])
def test_the_night_banzai_drm_of_an_added_game_is_in_the_table(dr: int, date: str) -> None:
    table = campaign(cg="IV", date="21 NT", phase=Phase.SETUP, banzai=True)
    result = play(determine_banzai_night, table, {"japanese": [dr]})
    assert result.campaign.situation.date == date


def test_a_command_reports_an_unusable_card(brt: Shell, cards: Path) -> None:
    (cards / "cg4.toml").write_text("cg = ")
    got = brt("new", "four.brt", "--cg", "III")
    assert got.code == 2
    assert "cg4.toml" in got.err
    assert "usage" in brt("new", "--help").out
