"""The result of a roll is a value: dice, Final, verdict, consequences, until the next answer."""

from pathlib import Path

import pytest

from brt_cg.model.counters import Side
from brt_cg.model.seat import seat_of_side
from brt_cg.questions.dice import SeededDice
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.views.roll_result import brief_roll_text
from tests.tui.moments import played


@pytest.mark.parametrize("seat", [None, *Side])
def test_only_rolls_of_the_demo_have_a_result(demo_file: Path, seat: Side | None) -> None:
    desk, supply = OpenCampaign.open(demo_file), AnswerSupply(dice=SeededDice(1), defaults=True)
    rolled, ask = 0, desk.continue_play()
    while ask is not None:
        desk.set_seat(None)
        is_roll, known = ask.dice is not None, seat in (None, ask.side) or not ask.secret
        raw, source = desk.get_answer_from_supply(ask, supply)
        desk.begin_invocation()
        after = desk.answer_and_play(ask, raw, source)
        desk.set_seat(seat_of_side(seat))
        result = desk.view().newest_roll
        if is_roll and known:
            assert result is not None, ask.prompt
            assert list(result.dice) == (raw if isinstance(raw, list) else [raw])
            assert result.lines, "it is told"
            rolled += 1
        elif seat is None:
            assert result is None, ask.prompt
        ask = after
    assert rolled > 70


def test_a_rolls_consequences_are_shown_until_something_else_is_entered(
    demo_file: Path,
) -> None:
    desk = OpenCampaign.open(played(demo_file, "15.6032"))
    ask = desk.view().ask
    assert ask is not None
    assert ask.check_text.startswith("Morale 8, Encircled −1, 1TC +1: passes on DR ≤ 6")
    before = desk.view().newest_roll
    desk.begin_invocation()
    desk.answer_and_play(ask, [6, 6])
    result = desk.view().newest_roll
    assert result is not None
    assert result.dice == (6, 6)
    assert "DR 6,6 = 12" in result.lines[0]
    assert "fails" in result.lines[0]
    assert any("eliminated" in line for line in result.lines[1:])
    desk.run_command("note", {"words": "a note", "side": None, "about": None})
    assert desk.view().newest_roll == result, "a note does not hide it"
    desk.undo_or_request()
    desk.undo_or_request()
    assert desk.view().newest_roll == before


@pytest.mark.parametrize(
    ("line", "brief"),
    [
        (
            "8-0 Ferris (K24): 1TC against Morale 7 (8, Encircled −1), DR 6,6 = 12, +1, "
            "Final DR 13: fails",
            "8-0 Ferris (K24): 6,6 fails",
        ),
        (
            "M4A2 no. 3 (S17): DR 6,6 = 12, +2 no Pathfinder, Final DR 14: reduced, SW lost",
            "M4A2 no. 3 (S17): 6,6 reduced, SW lost",
        ),
        (
            "M4A2 no. 3 (S17): DR 6,6 = 12: removed (program's reading: like a wreck)",
            "M4A2 no. 3 (S17): 6,6 removed",
        ),
        # older logs
        (
            "8-0 Ferris (K24): NTC against Morale 7: DR 6,6 = 12, fails",
            "8-0 Ferris (K24): 6,6 fails",
        ),
        ("M4A2 no. 3 (S17): DR 6,6 = 12, +2 x → 14: sinks (R-X: y)", "M4A2 no. 3 (S17): 6,6 sinks"),
    ],
)
def test_a_roll_in_brief_has_its_dice_and_its_verdict(line: str, brief: str) -> None:
    assert brief_roll_text(line, (6, 6)) == brief
