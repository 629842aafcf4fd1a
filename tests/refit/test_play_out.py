"""A whole Refit Phase in memory ends as the same phase does that is entered answer by answer."""

from pathlib import Path

import pytest

from brt_cg.desk import Desk
from brt_cg.dice import SeededDice
from brt_cg.records import Phase
from brt_cg.refit.play_out import play_out
from brt_cg.supply import Supply
from tests.exports.books import begun, squad


@pytest.mark.parametrize("seed", range(5))
def test_it_ends_as_the_journal_does(seed: int) -> None:
    wounded = squad("m-ldr-1", "N18", status=["wounded"])
    book = begun(wounded, squad("m-sq-1", "N18"), squad("j-sq-1", "H20"))
    copy = book.campaign.clone()
    play_out(copy, book.card, SeededDice(seed))
    desk = Desk(Path("unwritten"), book, backs_up=False)
    book.writer = None
    for _ in desk.play(Supply(dice=SeededDice(seed), defaults=True)):
        pass
    assert copy == book.campaign
    assert copy.situation.phase is Phase.SCENARIO
