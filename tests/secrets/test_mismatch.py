"""Where this program's rules play a paragraph otherwise than the journal has it, a side learns what
it may know of that and nothing of what is hidden, whatever it reads or enters."""

from typing import Any

import pytest

from brt_cg.journal.journal import Journal
from brt_cg.journal.selective_undo import entries_undone_with
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import RefusedError
from brt_cg.refit.play import Play
from brt_cg.service.mail_letter import cover_letter
from brt_cg.views.hot_seat import HotSeat
from brt_cg.views.requests import enter_or_request
from brt_cg.views.rights import right_to_undo_entries
from brt_cg.views.undo import next_to_undo
from brt_cg.views.view import SharedView, create_view
from tests.exports.journals import JAPANESE, MARINE, plain_answer
from tests.other_rules import Asks, begins_otherwise, gives_after, played_otherwise
from tests.reading import reopened
from tests.secrets.pairs import all_that_is_read, assert_alike
from tests.secrets.test_waits import begun, waits

WOUNDS = "15.6112"


def after(journal: Journal, rule: str) -> Journal:
    """Played on to the second question of a paragraph."""
    while (ask := journal.play_to_next_question()) is not None:
        journal.begin_invocation()
        journal.answer(plain_answer(ask), ask.side)
        if ask.rule == rule:
            return reopened(journal)
    raise AssertionError(f"{rule} asks nothing")


def told(journal: Journal, side: Side | None) -> Any:
    return create_view(journal, side).mismatch


def entering(journal: Journal, side: Side) -> list[str]:
    """What a side is answered to whatever it tries to enter."""
    found = []
    journal.seat = Seat(side.value)
    tried = (
        ("edit", {"id": "m-sq-1", "set": {"name": "A"}, "reason": "a name"}),
        ("drop", {"ids": ["m-sq-1"]}),
        ("buy", {"item": "foxhole_1s", "side": side.value, "quantity": 1}),
    )
    for kind, asked in tried:
        try:
            enter_or_request(journal, kind, asked, side.value)
            found.append("entered")
        except RefusedError as refused:
            found.append(str(refused))
    return found


def test_a_paragraph_that_asks_about_hidden_counters_is_not_named_to_the_enemy() -> None:
    """15.602 asks the Japanese in private: the Marines see neither that it has begun nor how far it
    has been played."""
    with_secrets = begun(0)
    journals = []
    going = waits(with_secrets)
    for _ in range(3):
        assert next(going) == "15.602"
        journals.append(reopened(with_secrets))
    other = begun(1)
    next(waits(other))
    journals.append(reopened(other))
    with played_otherwise("15.602", begins_otherwise):
        for journal in journals:
            assert "15.602" not in str(told(journal, MARINE))
            assert "15.602" in str(told(journal, None))
            assert not {"15.602"} & create_view(journal, MARINE).begun.keys()
            assert create_view(journal, MARINE).next is None
        first, *others = journals
        for journal in others:
            assert_alike(first, journal, side=MARINE)
            for side in (MARINE, None):
                letters = (
                    cover_letter(SharedView(each), side, "a", None) for each in (first, journal)
                )
                assert len({*letters}) == 1
            assert entering(first, MARINE) == entering(journal, MARINE)
            assert next_to_undo(first, (MARINE,))[0] == next_to_undo(journal, (MARINE,))[0]


def test_a_mismatch_shows_a_side_nothing_new_while_no_question_is_open() -> None:
    """That no question is open does not open the campaign to a side."""
    journal = begun(0)
    next(waits(journal))
    lines = len(create_view(journal, MARINE).lines)
    with played_otherwise("15.602", begins_otherwise):
        again = reopened(journal)
        assert again.open_question() is None
        assert len(create_view(again, MARINE).lines) == lines
        assert len(SharedView(again).lines) <= lines


@pytest.mark.parametrize(("named", "sides"), [("m-sq-1", {*Side}), ("j-sq-1", {JAPANESE})])
def test_a_side_sees_the_differing_answer_unless_hidden_counters_differ(
    named: str, sides: set[Side]
) -> None:
    """A counter has a name after the first answer: a Marine squad, or a hidden Japanese one."""
    twins = [after(begun(number), WOUNDS) for number in (0, 1)]

    def otherwise(play: Play, asks: Asks) -> Asks:
        answer = yield next(asks)
        play.campaign.units[named].name = "Sato"
        while True:
            try:
                answer = yield asks.send(answer)
            except StopIteration:
                return

    with played_otherwise(WOUNDS, otherwise):
        twins = [reopened(each) for each in twins]
        for journal in twins:
            assert {side for side in Side if WOUNDS in str(told(journal, side))} == sides
            assert "Sato" in str(told(journal, None))
            assert "Sato" not in str([told(journal, side) for side in Side])
        assert_alike(*twins, side=MARINE)


@pytest.mark.parametrize("side", [MARINE, JAPANESE])
def test_each_seat_can_leave_a_mismatch(side: Side) -> None:
    """At the answer of one side: its own seat undoes it, its enemy asks for that."""
    journal = after(begun(0), WOUNDS)
    with played_otherwise(WOUNDS, begins_otherwise):
        again = reopened(journal)
        shown = told(again, side)
        assert shown.back is not None
        seat = Seat(side.value)
        group = next_to_undo(again, (side,))
        assert right_to_undo_entries(again, seat, group).name in ("OWN", "AGREED")
        again.undo_entries(group)
        assert again.mismatch is None


@pytest.mark.parametrize("rule", [WOUNDS, "15.602"])
def test_two_at_one_screen_see_the_public_part_and_undo_it_together(rule: str) -> None:
    """After an answer that both know, or after one that only the Japanese know."""
    journal = after(begun(0), rule)
    with played_otherwise(rule, begins_otherwise):
        again = reopened(journal)
        shown = SharedView(again).mismatch
        assert shown is not None
        assert "15.602" not in str(shown)
        assert HotSeat().update_screen_turn(SharedView(again), None).at_table
        again.undo_entries(entries_undone_with(again, next_to_undo(again, tuple(Side))))
        assert again.mismatch is None


def test_the_umpire_sees_the_whole_mismatch() -> None:
    journal = after(begun(0), WOUNDS)
    with played_otherwise(WOUNDS, gives_after(1)):
        read = all_that_is_read(reopened(journal), None)
    assert "By these rules" in read["status text"]
    assert read["status"]["cannot_continue"]
