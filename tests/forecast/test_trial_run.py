"""The figures that `g` shows before it takes defaults."""

from pathlib import Path

import pytest

from brt_cg.forecast.trial_run import count_remaining_questions
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.dice import SeededDice
from brt_cg.service.open_campaign import OpenCampaign
from tests.tui.moments import played

SEATS = [None, *Side]


@pytest.mark.parametrize("side", SEATS)
def test_a_trial_run_counts_the_remaining_steps_and_stores_nothing(
    demo_file: Path, side: Side | None
) -> None:
    desk = OpenCampaign.open(played(demo_file, "15.601"))
    entries = desk.entry_hashes_for_seat()
    figures = count_remaining_questions(desk, side)
    assert desk.entry_hashes_for_seat() == entries
    assert all(a <= b for a, b in zip(figures.paragraph, figures.phase, strict=True))
    if side is None:
        assert figures.phase[0] > 20
        assert figures.paragraph != figures.phase
        assert count_remaining_questions(desk, Side.MARINE).phase != figures.phase, (
            "up to the opponent's decision"
        )


def test_dice_already_rolled_are_not_counted_again(demo_file: Path) -> None:
    desk = OpenCampaign.open(played(demo_file, "15.6032"))
    ask = desk.view().ask
    assert ask is not None
    before = count_remaining_questions(desk, None).paragraph[0]
    desk.answer_and_play(ask, [6, 1])
    desk.begin_invocation()
    assert count_remaining_questions(desk, None).paragraph[0] in range(before - 3, before + 3)
    for _ in desk.play_by_defaults_until(SeededDice(1), lambda ask: False, within=True):
        pass
    assert count_remaining_questions(desk, None).phase[0] < before + 200


@pytest.mark.parametrize("side", [*Side])
def test_the_counts_of_a_seat_reveal_no_enemy_secret(demo_file: Path, side: Side) -> None:
    desk = OpenCampaign.open(played(demo_file, "15.601"))
    figures = count_remaining_questions(desk, side)
    units = desk.view().campaign.units.values()
    theirs = next(each for each in units if each.side is side.enemy and each.in_play)
    desk.run_command(
        "edit", {"id": theirs.id, "set": {"status": ["hidden"]}, "reason": "in secret"}
    )
    seen = count_remaining_questions(desk, side)
    note = {"words": "a plan", "side": side.enemy.value, "about": None}
    desk.run_command("note", note)
    assert count_remaining_questions(desk, side) == seen
    assert seen.phase[0] <= figures.phase[0]


def test_decisions_after_the_opponents_are_counted(demo_file: Path) -> None:
    """15.609: the Marine player has decided about his prisoners first, in secret."""
    desk = OpenCampaign.open(played(demo_file, "15.608"))
    for _ in desk.play_by_defaults_until(
        SeededDice(1), lambda ask: ask.rule == "15.609" and ask.side is Side.JAPANESE
    ):
        pass
    desk.set_seat(Seat.JAPANESE)
    ask = desk.view().ask
    assert ask is not None
    assert ask.side is Side.JAPANESE
    coming = desk.open_and_similar_upcoming_questions().asks
    figures = count_remaining_questions(desk, Side.JAPANESE)
    assert figures is not None
    assert figures.paragraph[1] >= len(coming) > 1
