"""A paragraph in progress that the rules of this program play otherwise than the journal has it."""

from contextlib import suppress

import pytest

from brt_cg.audit.replay import replay_entries
from brt_cg.journal.journal import Journal
from brt_cg.journal.mismatch import Cause, RulesChangedError
from brt_cg.questions.answers import RefusedError
from tests.exports.journals import squad, state
from tests.journal.test_journal import until
from tests.other_rules import (
    Otherwise,
    asks_about_another,
    begins_otherwise,
    ends_after,
    fails,
    gives_after,
    played_otherwise,
    refuses,
)
from tests.reading import folded, reopened

RULE = "15.6112"
LEADERS = [squad(f"m-ldr-{at}", f"N{17 + at}", status=["broken", "wounded"]) for at in range(1, 6)]


def three_answers() -> Journal:
    """Three of five wounded leaders are rolled for."""
    made = Journal(lambda: "2026-11-21T00:00:00Z")
    made.run_command("new", {"cg": "III", "name": None, "players": None, "allotments": None}, "us")
    made.begin_invocation()
    found = state(*LEADERS, perimeters=[["N18-N22"]])
    asked = {"state": found, "source": "test", "missing": None, "side": None}
    made.run_command("import", asked, "us")
    until(made, RULE)
    for _ in range(3):
        made.begin_invocation()
        made.answer(2, "marine")
    return made


CHANGES = {  # what is changed; how many of the three answers an undo keeps, None: it is not begun
    "another beginning": (begins_otherwise, Cause.RESULT, None),
    "another result of the first answer": (gives_after(1), Cause.RESULT, 0),
    "another result of the third answer": (gives_after(3), Cause.RESULT, 2),
    "the second answer is not accepted": (refuses(2), Cause.REFUSED, 1),
    "nothing is asked after the first answer": (ends_after(1), Cause.ENDS, 0),
    "nothing is asked after the third answer": (ends_after(3), Cause.ENDS, 2),
    "another question": (asks_about_another, Cause.NOT_ASKED, 0),
    "the rules fail": (fails, Cause.REFUSED, None),
}
changed = pytest.mark.parametrize(("otherwise", "cause", "kept"), CHANGES.values(), ids=CHANGES)


@changed
def test_a_mismatched_campaign_opens_as_played_and_shows_differences(
    otherwise: Otherwise, cause: Cause, kept: int | None
) -> None:
    made = three_answers()
    with played_otherwise(RULE, otherwise):
        again = reopened(made)
        assert (again.open_question(), again.number_of_next_paragraph()) == (None, None)
        assert again.mismatch is not None
        assert again.mismatch.cause is cause
        assert folded(again) == again.campaign == made.campaign
    assert reopened(made).mismatch is None


@changed
def test_undo_goes_back_to_the_newest_answer_the_rules_accept(
    otherwise: Otherwise, cause: Cause, kept: int | None
) -> None:
    made = three_answers()
    began = made.entries_of_paragraph(RULE)[0]
    with played_otherwise(RULE, otherwise):
        again = reopened(made)
        again.undo()
        stands = [seq for seq in again.standing if seq >= began]
        assert stands == ([] if kept is None else [*range(began, began + kept + 1)])
        assert again.mismatch is None
        assert (again.open_question() is None) == (kept is None)
        assert folded(again) == again.campaign
        # Under the rules that entered the undo an audit finds it true.
        assert began + 4 in replay_entries([*again.entries]).reproduced


@changed
def test_redo_restores_the_same_state(otherwise: Otherwise, cause: Cause, kept: int | None) -> None:
    made = three_answers()
    with played_otherwise(RULE, otherwise):
        again = reopened(made)
        found = again.mismatch
        again.undo()
        again.redo()
        assert (again.mismatch, again.campaign) == (found, made.campaign)
    assert reopened(again).mismatch is None


@pytest.mark.parametrize(
    "otherwise",
    [begins_otherwise, gives_after(1), gives_after(3), ends_after(1), asks_about_another],
)
def test_the_phase_continues_after_the_undo(otherwise: Otherwise) -> None:
    made = three_answers()
    with played_otherwise(RULE, otherwise):
        again = reopened(made)
        again.undo()
        again.begin_invocation()
        while (ask := again.play_to_next_question()) is not None and ask.rule == RULE:
            again.answer(2, "marine")
        assert ask is None or ask.rule != RULE
        assert again.mismatch is None


@changed
def test_only_harmless_entries_are_allowed_before_the_undo(
    otherwise: Otherwise, cause: Cause, kept: int | None
) -> None:
    made = three_answers()
    with played_otherwise(RULE, otherwise):
        again = reopened(made)
        length = len(again.entries)
        for entering in (
            lambda: again.answer(2, "marine"),
            again.play_to_next_question,
            lambda: again.run_command("edit", {"id": "m-ldr-1"}, "us"),
        ):
            with pytest.raises(
                RulesChangedError, match="undo goes back to the point where the rules agree"
            ):
                entering()
        assert len(again.entries) == length
        again.run_command("note", {"words": "odd", "side": None, "about": None}, "us")
        assert again.mismatch is not None
        again.undo()
        assert again.mismatch is None


def test_a_paragraph_start_without_an_answer_is_undone_for_a_command() -> None:
    made = three_answers()
    for _ in range(3):
        made.undo()
    with played_otherwise(RULE, begins_otherwise):
        again = reopened(made)
        assert again.mismatch is not None
        asked = {"id": "m-ldr-1", "set": {"name": "Shoup"}, "reason": "a name"}
        again.run_command("edit", asked, "us")
        assert again.mismatch is None
        again.play_to_next_question()
        assert again.campaign.situation.paragraph == RULE


def test_a_campaign_is_undone_to_its_beginning_and_redone_to_its_end() -> None:
    made = three_answers()
    with played_otherwise(RULE, gives_after(1)):
        again = reopened(made)
        undone = 0
        with suppress(RefusedError):
            while again.undo():
                undone += 1
        assert len(again.standing) == 1
        for _ in range(undone):
            again.redo()
        assert again.campaign == made.campaign
        assert again.mismatch is not None


def test_answers_that_another_question_accepts_are_not_given_to_it() -> None:
    """A die that was rolled for one leader is not counted for another."""
    made = three_answers()
    with played_otherwise(RULE, asks_about_another):
        again = reopened(made)
        again.undo()
        ask = again.open_question()
        assert ask is not None
        assert ask.subject == "m-sq-99"
