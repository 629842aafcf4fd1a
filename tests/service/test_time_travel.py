"""What a seat may take back, and how it is told."""

from types import SimpleNamespace
from typing import Any

import pytest

from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.service.undo_redo import (
    UndoReach,
    check_reach,
    redo_reach,
    undo_extent_text,
    undo_reach,
    undo_text,
)
from brt_cg.views.undo import next_to_undo
from tests.exports.journals import JAPANESE, MARINE, begun, new, play, squad

WOUNDED = squad("m-ldr-1", "N19", status=["wounded"], traits=["heroic"], name="Hawkins")
TOLD = "9-1 Hawkins (Area M1): dr 4, −1 heroic, Final dr 3: still wounded"


def sits(journal: Journal, side: Side | None) -> Any:
    """Somebody at the desk of a journal that no file holds."""
    return SimpleNamespace(_journal=journal, side=side, at_table=False)


def rolled() -> Journal:
    return play(begun(WOUNDED), through="15.6112", m_ldr_1=4)


def drafted(*sides: Side) -> Journal:
    """A campaign in which each of these sides drafted something, in one go."""
    journal = new()
    journal.begin_invocation()
    for side in sides:
        beach = {"beach": "green"} if side is JAPANESE else {}
        asked = {"item": "foxhole_1s", "side": side.value, "draft": True, **beach}
        journal.run_command("buy", asked, by=side.value)
    return journal


def test_a_new_campaign_has_nothing_to_undo() -> None:
    assert undo_reach(sits(new(), None)) is UndoReach.NOTHING
    assert redo_reach(sits(new(), None)) is UndoReach.NOTHING


@pytest.mark.parametrize("side", [None, MARINE, JAPANESE])
def test_a_paragraph_that_has_just_begun_is_undone_alone(side: Side | None) -> None:
    journal = begun(WOUNDED)
    journal.begin_invocation()
    journal.play_to_next_question()
    assert undo_reach(sits(journal, side)) is UndoReach.POSSIBLE
    assert undo_extent_text(sits(journal, side)) == ""
    assert undo_text(sits(journal, side), journal.undo()).startswith("Undone: 15.601 ")
    assert undo_extent_text(sits(journal, side)).startswith("the end of ")


@pytest.mark.parametrize("side", [None, MARINE, JAPANESE])
def test_a_public_die_roll_can_be_undone_from_any_seat(side: Side | None) -> None:
    journal = rolled()
    assert undo_reach(sits(journal, side)) is UndoReach.POSSIBLE
    assert undo_text(sits(journal, side), journal.undo()) == f"Undone: {TOLD}"
    assert redo_reach(sits(journal, side)) is UndoReach.POSSIBLE
    assert undo_text(sits(journal, side), journal.redo()) == f"Redone: {TOLD}"


def test_a_secret_entry_can_be_undone_only_by_its_side_and_the_umpire() -> None:
    journal = drafted(JAPANESE)
    assert [undo_reach(sits(journal, side)) for side in (None, JAPANESE, MARINE)] == [
        UndoReach.POSSIBLE,
        UndoReach.POSSIBLE,
        UndoReach.NOT_YOURS,
    ]
    journal.undo()
    assert redo_reach(sits(journal, JAPANESE)) is UndoReach.POSSIBLE
    assert redo_reach(sits(journal, MARINE)) is UndoReach.NOT_YOURS


def test_a_side_undoes_the_part_it_knows_of_a_run_with_a_secret_entry() -> None:
    journal = drafted(JAPANESE, MARINE)
    assert next_to_undo(journal, (MARINE,), whole_call=True) == [len(journal.entries)]
    assert undo_reach(sits(journal, MARINE)) is UndoReach.POSSIBLE
    assert undo_reach(sits(journal, MARINE), whole_call=True) is UndoReach.POSSIBLE
    assert undo_reach(sits(journal, None), whole_call=True) is UndoReach.POSSIBLE


def test_an_enemy_secret_is_reported_like_nothing_to_undo() -> None:
    secret = drafted(JAPANESE)
    assert (
        undo_reach(sits(secret, MARINE)) is undo_reach(sits(new(), MARINE)) is UndoReach.NOT_YOURS
    )
    secret.undo()
    assert (
        redo_reach(sits(secret, MARINE)) is redo_reach(sits(new(), MARINE)) is UndoReach.NOT_YOURS
    )
    with pytest.raises(RefusedError, match="This seat has nothing to undo"):
        check_reach(UndoReach.NOT_YOURS, "undo")


def test_only_entries_a_side_knows_are_counted_in_a_run() -> None:
    journal = begun(WOUNDED, squad("j-ldr-1", "M40", status=["hidden", "wounded"]))
    play(journal, through="15.6112")
    undone = journal.undo(whole_call=True)
    assert "and" not in undo_text(sits(journal, MARINE), undone).partition("wounded")[2]
    assert undo_text(sits(journal, None), undone).endswith("more")
