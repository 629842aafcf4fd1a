"""What the screen says beside a question and its dice."""

from dataclasses import replace

from brt_cg.card import load_card
from brt_cg.exports.wording import state_text
from brt_cg.model.counters import Side
from brt_cg.questions.question_types import RollQuestion
from brt_cg.refit.s6131_vehicles import vehicles
from brt_cg.tui.answering.roll_view import row_text
from brt_cg.tui.rooms.refit.wording import fit_summary
from tests.refit.table import vehicle


def test_beside_a_question_stands_the_part_of_the_summary_that_it_comes_under() -> None:
    summary = vehicles.summary
    assert fit_summary(summary, "15.6131b", low=True).startswith("b) An immobilized one")
    assert fit_summary(summary, "15.6131b", low=True).endswith("to become mobile.")
    assert fit_summary(summary, "15.6131", low=True) == summary
    assert fit_summary("One. Two.", "15.6112", low=True) == "One."
    assert fit_summary("One. Two.", "15.6112", low=False) == "One. Two."


def test_a_check_tells_the_dice_that_pass_it() -> None:
    table = load_card("III").tables["15.6041"]
    passes, fails = table.rows
    drm = table.modifiers({"morale_level": -7, "marine_1tc": 1})
    plain = RollQuestion(subject="m-sq-1", side=Side.MARINE, prompt="?", table=table)
    ask = replace(plain, modifiers=drm)
    assert row_text(ask, passes) == "passes on DR ≤ 6"
    assert row_text(ask, fails) == "fails"
    assert row_text(plain, passes) == "passes"


def test_a_stun_is_told_as_the_counter_has_it() -> None:
    assert state_text(vehicle("t", "N21", status="stun_plus1")) == "+1 Stun"
