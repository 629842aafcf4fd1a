"""A whole Refit Phase in memory ends as the same phase does that is entered answer by answer."""

from pathlib import Path

import pytest

from brt_cg.model.records import Phase
from brt_cg.questions.dice import SeededDice
from brt_cg.refit.simulation import play_out
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from tests.exports.journals import begun, squad


@pytest.mark.parametrize("seed", range(5))
def test_playing_out_ends_as_the_journal_does(seed: int) -> None:
    wounded = squad("m-ldr-1", "N18", status=["wounded"])
    journal = begun(wounded, squad("m-sq-1", "N18"), squad("j-sq-1", "H20"))
    copy = journal.campaign.clone()
    play_out(copy, journal.card, SeededDice(seed))
    desk = OpenCampaign(Path("unwritten"), journal, backs_up=False)
    journal.writer = None
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(seed), defaults=True)):
        pass
    assert copy == journal.campaign
    assert copy.situation.phase is Phase.SCENARIO
