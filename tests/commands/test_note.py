"""The command `note`: the players' own words."""

from typing import Any

import pytest

from brt_cg.audit.replay import replay_entries
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.views.view import create_view
from tests.exports.journals import begun, play, squad

WORDS = {"words": "Hawkins held the pier alone", "side": None, "about": None}


@pytest.fixture
def journal() -> Journal:
    return begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M41", status=["hidden"]))


def seen(journal: Journal, side: Side | None) -> str:
    return "\n".join(str(line) for line in create_view(journal, side).lines)


def test_a_note_is_an_entry_without_changes_that_both_read(journal: Journal) -> None:
    entry = journal.run_command("note", WORDS, "players")
    assert (entry.kind, entry.changes) == ("note", [])
    assert all(str(WORDS["words"]) in seen(journal, side) for side in Side)


@pytest.mark.parametrize("words", ["\x1b[2J", "a\x07", "a\u202eb", "a\u2028b"])
def test_a_note_cannot_control_the_terminal(journal: Journal, words: str) -> None:
    with pytest.raises(RefusedError, match="use only visible characters"):
        journal.run_command("note", WORDS | {"words": words}, "players")


def test_a_note_may_have_several_lines(journal: Journal) -> None:
    journal.run_command("note", WORDS | {"words": "first\n\tsecond"}, "players")
    assert "first\n\tsecond" in seen(journal, Side.MARINE)


def test_a_note_of_one_side_is_its_secret(journal: Journal) -> None:
    journal.run_command("note", WORDS | {"side": "japanese"}, "players")
    assert str(WORDS["words"]) in seen(journal, Side.JAPANESE)
    assert str(WORDS["words"]) not in seen(journal, Side.MARINE)


def test_a_note_about_a_hidden_counter_is_its_sides_secret(journal: Journal) -> None:
    journal.run_command("note", WORDS | {"about": "j-sq-1"}, "players")
    assert str(WORDS["words"]) not in seen(journal, Side.MARINE)


def test_a_side_can_note_about_its_prisoner_with_a_hidden_guard() -> None:
    held = squad("m-sq-2", "M41", status=["prisoner"], guard="j-sq-1")
    journal = begun(squad("j-sq-1", "M41", status=["hidden"]), held)
    journal.run_command("note", WORDS | {"about": "m-sq-2", "side": "marine"}, "marine")
    assert str(WORDS["words"]) in seen(journal, Side.MARINE)


def test_a_note_in_the_middle_of_a_paragraph_changes_nothing() -> None:
    wounded = [squad(f"m-ldr-{number}", "N19", status=["wounded"]) for number in (1, 2)]
    journal = play(begun(*wounded), to="m-ldr-1")
    journal.answer(1, "marine")
    asked = journal.open_question()
    journal.run_command("note", WORDS, "players")
    assert journal.open_question() is asked
    again = Journal(journal.clock)
    again.load(journal.entries)
    question = again.open_question()
    assert question is not None
    assert question.subject == "m-ldr-2"
    assert replay_entries(journal.entries).findings == []


def test_a_note_is_undone_and_redone(journal: Journal) -> None:
    journal.run_command("note", WORDS, "players")
    journal.undo()
    journal.redo()
    assert str(WORDS["words"]) in seen(journal, None)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"words": " "}, "words: .* is not accepted"),
        ({"words": None}, "words: .* is not accepted"),
        ({"side": "umpire"}, "side: .* is not accepted"),
        ({"about": "nobody"}, "about: .* is not accepted"),
        ({"about": "j-sq-1", "side": "marine"}, "about: .* is not accepted"),  # he hides
        ({"odd": 1}, "odd: unknown field; enter words, side, about"),
    ],
)
def test_a_wrong_note_is_reported_and_not_stored(
    journal: Journal, asked: dict[str, Any], told: str
) -> None:
    before = len(journal.entries)
    with pytest.raises(RefusedError, match=told):
        journal.run_command("note", WORDS | asked, "players")
    assert len(journal.entries) == before
