"""What to do next is told without a screen, and to each side what it may know."""

from brt_cg.exports.next_step import NextStep, stages, what_next
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.views.book import book_of
from brt_cg.views.steps import Stand, steps_of, upcoming
from tests.exports.journals import begun, new, play, squad

BOTH = tuple(Side)
WOUNDED = squad("m-ldr-1", "N19", status=["wounded"])


def told(journal: Journal, seat: Side | None = None) -> NextStep:
    book, known = book_of(journal, seat), BOTH if seat is None else (seat,)
    return what_next(book, seat, known, upcoming(steps_of(book)))


def test_a_new_campaign_begins_with_the_points_of_the_card() -> None:
    step = told(new())
    assert step.action == "allotments"
    assert step.sentence == "Copy the points of the CG card (Marine, Japanese)"
    assert "(Marine)" in told(new(), Side.MARINE).sentence


def test_no_stage_is_left_once_a_situation_was_imported_half_way() -> None:
    assert stages(begun(WOUNDED).campaign, BOTH) == ()
    *_, purchases, last = stages(new().campaign, BOTH)
    assert not purchases.done
    assert not last.done


def test_the_refit_phase_is_next_by_its_paragraph() -> None:
    journal = play(begun(WOUNDED), through="15.6031")
    step = told(journal)
    assert (step.action, step.sentence) == ("refit", "Go on with 15.6032 Victory and CVP")
    at = {each.number: each.stand for each in steps_of(book_of(journal))}
    assert (at["15.6031"], at["15.6032"]) != (Stand.AHEAD, Stand.AHEAD)
    assert at["15.6032"] is Stand.NEXT


def test_a_choice_is_made_by_its_side_and_the_other_changes_the_seat() -> None:
    journal = play(begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M30")), to="15.614 marine")
    ask = journal.open_ask()
    assert ask is not None
    assert ask.kind != "roll"
    assert told(journal, ask.side).action == "purchases"
    assert told(journal, ask.side.enemy).action == "seat"
    assert ask.prompt not in told(journal, ask.side.enemy).sentence
