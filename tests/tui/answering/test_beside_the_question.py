"""What the screen says beside a question and its dice."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from brt_cg.card import load_card
from brt_cg.exports.wording import notable_state_text
from brt_cg.model.counters import Side
from brt_cg.questions.question_types import RollQuestion
from brt_cg.refit.s6131_vehicles import remedy_or_recall_vehicles
from brt_cg.tui.answering.roll_view import percent_text, shown_row
from brt_cg.tui.rooms.refit.wording import fit_summary
from tests.refit.table import vehicle
from tests.tui.helpers import screen_text, settled, words
from tests.tui.moments import in_refit, played, press


def test_a_question_is_shown_with_its_part_of_the_summary() -> None:
    summary = remedy_or_recall_vehicles.summary
    assert fit_summary(summary, "15.6131b", low=True).startswith("b) An immobilized one")
    assert fit_summary(summary, "15.6131b", low=True).endswith("to become mobile.")
    assert fit_summary(summary, "15.6131", low=True) == summary
    assert fit_summary("One. Two.", "15.6112", low=True) == "One."
    assert fit_summary("One. Two.", "15.6112", low=False) == "One. Two."


def test_a_check_shows_the_rolls_that_pass_it() -> None:
    table = load_card("III").tables["15.6041"]
    passes, fails = table.rows
    drm = table.modifiers_for_facts({"morale_level": -7, "marine_1tc": 1})
    plain = RollQuestion(subject="m-sq-1", side=Side.MARINE, prompt="?", table=table)
    ask = replace(plain, modifiers=drm)
    assert "passes on DR ≤ 6" in ask.check_text
    assert shown_row(ask, passes).finals_text == "≤ 6"
    assert shown_row(ask, fails).finals_text == "≥ 7"
    assert shown_row(plain, passes) == passes


def test_a_stun_is_shown_as_on_the_counter() -> None:
    assert notable_state_text(vehicle("t", "N21", status="stun_plus1")) == "+1 Stun"


def test_after_the_first_die_the_odds_are_those_of_the_second() -> None:
    table = load_card("III").tables["15.6041"]
    drm = table.modifiers_for_facts({"morale_level": -7, "marine_1tc": 1})
    plain = RollQuestion(subject="m-sq-1", side=Side.MARINE, prompt="?", table=table)
    ask = replace(plain, modifiers=drm)  # passes on DR ≤ 6
    assert [chance for _, chance in ask.odds] == [Fraction(15, 36), Fraction(21, 36)]
    assert [chance for _, chance in ask.odds_after((5,))] == [Fraction(1, 6), Fraction(5, 6)]
    assert [chance for _, chance in ask.odds_after((6,))] == [0, 1]


async def test_the_odds_bars_follow_the_first_die_and_its_undo(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.6032")) as (app, pilot):
        ask = (await settled(pilot)).ask
        assert ask is not None
        assert ask.dice is not None
        assert ask.dice.dice_count == 2
        before = screen_text(app)
        await press(pilot, "6")
        after = screen_text(app)
        for _, chance in ask.odds_after((6,)):
            assert percent_text(chance) in after
        await press(pilot, "backspace")
        assert words(screen_text(app)) == words(before)
