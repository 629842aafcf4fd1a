"""The journal as players meet it: undo, redo, coming back, commands between paragraphs."""

import pytest

from brt_cg.audit.replay import replay_entries
from brt_cg.journal.entries import canonical_json
from brt_cg.journal.journal import Journal
from brt_cg.model.records import Phase
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.question_types import MultiQuestion
from tests.exports.journals import begun, play, squad, state
from tests.reading import folded, reopened

STATE = state(
    squad("m-ldr-1", "N18", status=["wounded"]),
    squad("m-ldr-2", "N19", status=["broken", "wounded"]),
    perimeters=[["N18-N19"]],
)


def journal() -> Journal:
    made = Journal(lambda: "2026-11-21T00:00:00Z")
    made.run_command("new", {"cg": "III", "name": None, "players": None, "allotments": None}, "us")
    made.begin_invocation()
    asked = {"state": STATE, "source": "test", "missing": None, "side": None}
    made.run_command("import", asked, "us")
    return made


def until(made: Journal, rule: str) -> None:
    """Answers by default up to the first question of a paragraph."""
    made.begin_invocation()
    while (ask := made.play_to_next_question()) is not None and ask.rule != rule:
        made.answer(getattr(ask, "default", {}), "us")


def at_wounded_leaders() -> Journal:
    made = journal()
    until(made, "15.6112")
    return made


def test_a_dr_is_recorded_with_its_modifiers_final_and_row() -> None:
    made = at_wounded_leaders()
    roll = made.answer(3, "marine").payload["roll"]
    assert roll["dice"] == [3]
    assert (roll["original"], roll["final"], roll["row"]) == (3, 3, "wounded")


def test_a_refused_answer_changes_nothing_and_keeps_the_question() -> None:
    made = at_wounded_leaders()
    before, entries = folded(made), len(made.entries)
    for raw in (0, 7, "3", [3, 4], True, None, 2.5):
        with pytest.raises(RefusedError):
            made.answer(raw, "marine")
    ask = made.open_question()
    assert ask is not None
    assert (ask.subject, folded(made), len(made.entries)) == ("m-ldr-1", before, entries)


def test_undo_removes_one_answer_and_the_journal_keeps_it() -> None:
    made = at_wounded_leaders()
    before = folded(made)
    answered = made.answer(6, "marine")
    made.undo()
    ask = made.open_question()
    assert ask is not None
    assert ask.subject == "m-ldr-1"
    assert folded(made) == before
    assert made.entries[answered.seq - 1] is answered


def test_redo_works_until_something_new_is_entered() -> None:
    made = at_wounded_leaders()
    made.answer(6, "marine")
    after = folded(made)
    made.undo()
    made.redo()
    assert folded(made) == after
    made.undo()
    made.play_to_next_question()
    made.answer(1, "marine")
    with pytest.raises(RefusedError, match="nothing to redo"):
        made.redo()


def test_undo_of_the_whole_invocation_leads_back_to_the_import() -> None:
    made = journal()
    before = folded(made)
    until(made, "15.6112")
    made.undo(whole_call=True)
    assert folded(made) == before
    made.redo()
    assert made.campaign.situation.paragraph == "15.6112"


def test_undo_of_a_phase_that_has_just_begun_leaves_the_import() -> None:
    made = journal()
    imported, before = len(made.entries), folded(made)
    made.begin_invocation()
    made.play_to_next_question()
    made.begin_invocation()
    assert made.undo().asked["entries"] == [*range(imported + 1, len(made.entries))]
    assert folded(made) == before
    made.undo()
    assert made.campaign.situation.phase is Phase.PURCHASE


def test_undo_of_paragraphs_that_asked_nothing_can_be_redone() -> None:
    made = at_wounded_leaders()
    made.answer(1, "marine")
    made.answer(1, "marine")
    after = folded(made)
    made.undo()
    made.undo(whole_call=True)
    made.redo()
    made.redo()
    assert folded(made) == after


def test_an_undo_is_reversed_only_by_redo() -> None:
    made = at_wounded_leaders()
    made.answer(1, "marine")
    first = folded(made)
    made.answer(2, "marine")
    made.undo()
    made.undo()
    made.redo()
    assert folded(made) == first


def test_a_newly_created_campaign_cannot_be_undone() -> None:
    made = Journal(lambda: "")
    made.run_command("new", {"cg": "I", "name": None, "players": None, "allotments": None}, "us")
    with pytest.raises(RefusedError, match="nothing to undo"):
        made.undo()


def test_going_back_makes_an_entry_the_newest_answer_again() -> None:
    made = at_wounded_leaders()
    made.answer(3, "marine")
    kept, before = len(made.entries), folded(made)
    made.answer(1, "marine")
    made.play_to_next_question()
    made.go_back(kept)
    assert folded(made) == before
    assert replay_entries(made.entries).findings == []
    made.redo()
    assert made.entries_to_undo_after(kept)


def test_going_back_to_the_newest_answer_changes_nothing() -> None:
    made = at_wounded_leaders()
    made.answer(4, "marine")
    with pytest.raises(RefusedError, match="nothing was answered or entered after that"):
        made.go_back(len(made.entries))


def test_resuming_in_the_middle_of_a_paragraph_asks_the_same() -> None:
    made = at_wounded_leaders()
    made.answer(3, "marine")
    again = reopened(made)
    ask = again.open_question()
    assert ask is not None
    assert ask.subject == "m-ldr-2"
    again.answer(1, "marine")
    made.answer(1, "marine")
    assert folded(again) == folded(made)


def test_an_edit_is_refused_in_the_middle_of_a_paragraph() -> None:
    made = at_wounded_leaders()
    made.answer(1, "marine")
    asked = {"id": "m-ldr-2", "set": {"status": []}, "reason": "was not wounded"}
    with pytest.raises(RefusedError, match=r"in the middle of 15\.6112"):
        made.run_command("edit", asked, "us")


def test_an_edit_at_the_first_question_restarts_the_paragraph() -> None:
    made = at_wounded_leaders()
    asked = {"id": "m-ldr-1", "set": {"status": []}, "reason": "was not wounded"}
    made.run_command("edit", asked, "us")
    ask = made.play_to_next_question()
    assert ask is not None
    assert ask.subject == "m-ldr-2"
    made.undo()
    ask = made.play_to_next_question()
    assert ask is not None
    assert ask.subject == "m-ldr-1"


def test_a_refused_command_leaves_the_paragraph_as_it_was() -> None:
    made = at_wounded_leaders()
    entries = len(made.entries)
    with pytest.raises(RefusedError):
        made.run_command("edit", {"id": "nobody", "set": {"status": []}, "reason": "x"}, "us")
    assert (len(made.entries), made.campaign.situation.paragraph) == (entries, "15.6112")


def test_a_failed_write_leaves_nothing_behind() -> None:
    made = at_wounded_leaders()
    before = folded(made)

    def full(*_: object) -> None:
        raise OSError("disk full")

    made.writer = full
    with pytest.raises(OSError, match="disk full"):
        made.answer(6, "marine")
    made.writer = None
    assert (folded(made), made.campaign) == (before, before)
    assert made.answer(6, "marine").changes


def test_a_command_is_stored_together_with_the_paragraph_start_it_undoes() -> None:
    made = at_wounded_leaders()
    stored: list[list[str]] = []
    made.writer = lambda entries, _: stored.append([entry.kind for entry in entries])
    asked = {"id": "m-ldr-1", "set": {"status": []}, "reason": "was not wounded"}
    made.run_command("edit", asked, "us")
    assert stored == [["undo", "edit"]]


def test_a_failed_command_leaves_the_paragraph_started() -> None:
    made = at_wounded_leaders()
    before, entries = folded(made), list(made.entries)

    def full(*_: object) -> None:
        raise OSError("disk full")

    made.writer = full
    asked = {"id": "m-ldr-1", "set": {"status": []}, "reason": "was not wounded"}
    with pytest.raises(OSError, match="disk full"):
        made.run_command("edit", asked, "us")
    made.writer = None
    assert (made.campaign, list(made.entries), made.redoable) == (before, entries, [])
    assert made.answer(6, "marine").seq == len(entries) + 1


def test_entries_made_together_are_refused_together() -> None:
    made = journal()
    before, entries = folded(made), len(made.entries)

    def two_edits() -> None:
        with made.transaction():
            for id in ("m-ldr-1", "nobody"):
                made.run_command("edit", {"id": id, "set": {"name": "Ann"}, "reason": "x"}, "us")

    with pytest.raises(RefusedError, match="nobody"):
        two_edits()
    assert (made.campaign, len(made.entries)) == (before, entries)


def test_answers_are_counted_right_after_undo_and_after_a_refusal() -> None:
    made = at_wounded_leaders()
    made.answer(3, "marine")
    made.undo()
    ask = made.open_question()
    assert ask is not None
    assert made.times_answered(ask) == 0
    made.redo()
    counted = made.answer_counts()
    asked = {"id": "m-ldr-1", "set": {"name": "Ann"}, "reason": "x"}
    with pytest.raises(RefusedError):
        made.run_command("edit", asked, "us")
    assert made.answer_counts() == counted == reopened(made).answer_counts()


def test_a_question_asked_unseen_is_found_once_it_may_be_seen() -> None:
    mmg = {"id": "m-mmg-1", "side": "marine", "kind": "sw", "type": "MMG", "location": "N19"}
    journal = begun(squad("m-sq-1", "N19"), squad("j-sq-1", "K40"), weapons=[mmg])
    with journal.without_display():
        play(journal, to="15.6137 marine")
    ask = journal.open_question()
    assert isinstance(ask, MultiQuestion)
    assert (ask.rule, ask.subject) == ("15.6137", "marine")
    assert isinstance(ask.items, tuple)  # as they stand now, whatever is played on


def test_a_lone_surrogate_character_is_refused() -> None:
    with pytest.raises(RefusedError, match="half of a character"):
        begun().run_command("note", {"words": "\ud800", "side": None, "about": None}, "players")


def test_a_skipped_paragraph_says_why() -> None:
    made = at_wounded_leaders()
    skipped = {entry.rule: entry.said[0].text for entry in made.entries if entry.kind == "skip"}
    assert skipped["15.6042"]
    assert skipped["15.601"]
    assert all(skipped.values())


def test_the_sequence_leads_through_setup_to_the_scenario_of_the_next_date() -> None:
    made = at_wounded_leaders()
    made.answer(1, "marine")
    made.answer(1, "marine")
    until(made, "none")
    situation = made.campaign.situation
    assert (situation.phase, situation.date) == (Phase.SCENARIO, "20 PM")
    assert (situation.done, situation.paragraph) == (None, None)


def test_same_answers_same_bytes() -> None:
    texts = []
    for _ in range(2):
        made = at_wounded_leaders()
        made.answer(3, "marine")
        texts.append([entry.text for entry in made.entries])
    assert texts[0] == texts[1]


def test_the_journal_holds_no_fractions() -> None:
    with pytest.raises(ValueError, match="fraction"):
        canonical_json({"turns": 7.5})


def test_an_audit_accepts_a_paragraph_undone_for_an_edit() -> None:
    made = at_wounded_leaders()
    asked = {"id": "m-ldr-1", "set": {"status": []}, "reason": "was not wounded"}
    made.run_command("edit", asked, "us")
    made.play_to_next_question()
    assert [one.message for one in replay_entries(made.entries).findings] == []
