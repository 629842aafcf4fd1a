"""What to do next is told without a screen, and to each side what it may know."""

from brt_cg.exports.next_step import NextStep, find_next_step, setup_stages
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.views.steps import Progress, list_steps, upcoming_step
from brt_cg.views.view import create_view
from tests.exports.journals import begun, new, play, squad

BOTH = tuple(Side)
WOUNDED = squad("m-ldr-1", "N19", status=["wounded"])


def told(journal: Journal, seat: Side | None = None) -> NextStep:
    book, known = create_view(journal, seat), BOTH if seat is None else (seat,)
    return find_next_step(book, seat, known, upcoming_step(list_steps(book)))


def test_a_new_campaign_begins_with_the_points_of_the_card() -> None:
    step = told(new())
    assert step.action == "allotments"
    assert step.sentence == "Copy the points from the CG card (Marine, Japanese)"
    assert "(Marine)" in told(new(), Side.MARINE).sentence


def test_no_stage_is_left_after_adopting_a_campaign() -> None:
    assert setup_stages(begun(WOUNDED).campaign, BOTH) == ()
    *_, purchases, last = setup_stages(new().campaign, BOTH)
    assert not purchases.is_done
    assert not last.is_done


def test_the_next_step_names_the_refit_phase_paragraph() -> None:
    journal = play(begun(WOUNDED), through="15.6031")
    step = told(journal)
    assert (step.action, step.sentence) == ("refit", "Continue with 15.6032 Victory and CVP")
    at = {each.number: each.stand for each in list_steps(create_view(journal))}
    assert (at["15.6031"], at["15.6032"]) != (Progress.AHEAD, Progress.AHEAD)
    assert at["15.6032"] is Progress.NEXT


def test_a_choice_is_made_by_its_side_after_a_change_of_seat() -> None:
    journal = play(begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M30")), to="15.614 marine")
    ask = journal.open_question()
    assert ask is not None
    assert ask.kind != "roll"
    assert told(journal, ask.side).action == "purchases"
    assert told(journal, ask.side.enemy).action == "seat"
    assert ask.prompt not in told(journal, ask.side.enemy).sentence
