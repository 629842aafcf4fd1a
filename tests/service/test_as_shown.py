"""What a player does is done to what was shown to him, and to nothing else."""

import ast
from pathlib import Path

import pytest

from brt_cg import tui
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.dice import SeededDice
from brt_cg.service import shown_actions
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.shown_actions import NotAsShownError, Reversal
from tests.tui.moments import played

SCREEN = Path(tui.__file__).parent
SEATS = [None, Seat.MARINE, Seat.JAPANESE, Seat.UMPIRE]


def note(path: Path, side: str | None = None) -> None:
    other = OpenCampaign.open(path)
    other.run_command("note", {"words": "from the other room", "side": side, "about": None})
    other.close()


def at(path: Path, seat: Seat | None = None) -> OpenCampaign:
    desk = OpenCampaign.open(path)
    desk.take_seat(seat)
    return desk


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("side", [None, "marine", "japanese"])
def test_a_note_leaves_the_question_the_same(
    demo_file: Path, seat: Seat | None, side: str | None
) -> None:
    desk = at(played(demo_file, "15.6032"), seat)
    before = desk.view().asked
    assert before is not None
    note(demo_file, side)
    desk.reload()
    assert desk.view().asked == before
    assert shown_actions.question_as_shown(desk, before) is desk.view().ask, (
        "the newly read question"
    )


@pytest.mark.parametrize("seat", SEATS)
def test_an_answer_names_another_question_and_its_undo_the_same_again(
    demo_file: Path, seat: Seat | None
) -> None:
    desk = at(played(demo_file, "15.6032"), seat)
    before = desk.view().asked
    shown_actions.roll_shown(desk, before, SeededDice(1))
    assert desk.view().asked not in (None, before)
    desk.take_seat(Seat.UMPIRE)
    desk.undo()
    desk.take_seat(seat)
    assert desk.view().asked == before


def test_at_each_question_of_the_phase_the_name_is_another_one(demo_file: Path) -> None:
    desk, names = at(demo_file), list[str]()
    for _ in desk.play_while(SeededDice(1), lambda ask: ask.buying):
        name = desk.view().asked
        names += [name] if name is not None else []
    assert len(names) > 100
    assert len({*names}) == len(names)


def test_a_die_for_one_question_is_not_stored_for_another(demo_file: Path) -> None:
    played(demo_file, "15.6032")
    desk, other = at(demo_file, Seat.MARINE), at(demo_file, Seat.MARINE)
    shown = desk.view().asked
    shown_actions.roll_shown(other, shown, SeededDice(1))
    desk.reload()
    entries = len(desk.hashes())
    with pytest.raises(NotAsShownError, match="nothing was entered"):
        shown_actions.answer_shown(desk, shown, [3, 4])
    assert len(desk.hashes()) == entries


def test_an_undo_takes_back_what_was_shown_and_nothing_that_came_later(demo_file: Path) -> None:
    played(demo_file, "15.6032")
    desk = at(demo_file)
    shown = Reversal(shown_actions.undo_group(desk))
    note(demo_file)
    desk.reload()
    with pytest.raises(NotAsShownError, match="nothing was undone"):
        shown_actions.undo_shown(desk, shown)
    shown_actions.undo_shown(desk, Reversal(shown_actions.undo_group(desk)))
    again = shown_actions.redo_group(desk)
    desk.undo()
    with pytest.raises(NotAsShownError, match="nothing was restored"):
        shown_actions.redo_shown(desk, again)


def test_going_back_undoes_the_entries_that_were_listed(demo_file: Path) -> None:
    played(demo_file, "15.6032")
    desk = at(demo_file)
    entry = len(desk.hashes()) - 4
    shown = shown_actions.go_back_group(desk, entry)
    note(demo_file)
    desk.reload()
    with pytest.raises(NotAsShownError):
        shown_actions.go_back_shown(desk, entry, shown)
    shown_actions.go_back_shown(desk, entry, shown_actions.go_back_group(desk, entry))


@pytest.mark.parametrize("side", [*Side])
def test_what_the_enemy_does_in_secret_changes_no_undo_that_was_shown(
    demo_file: Path, side: Side
) -> None:
    seat = Seat.MARINE if side is Side.MARINE else Seat.JAPANESE
    played(demo_file, "15.6032")
    desk = at(demo_file, seat)
    before = shown_actions.undo_group(desk), shown_actions.redo_group(desk)
    note(demo_file, side.enemy.value)
    desk.reload()
    assert (shown_actions.undo_group(desk), shown_actions.redo_group(desk)) == before


def test_done_ends_the_purchases_of_the_side_that_was_shown(demo_file: Path) -> None:
    desk = at(played(demo_file, "15.613"))
    first, shown = desk.view().ask, desk.view().asked
    assert first is not None
    assert first.buying
    other = at(demo_file)
    shown_actions.end_shown_purchases(other, shown, first.side)
    desk.reload()
    assert desk.view().ask is not None
    assert desk.view().ask.side is first.side.enemy
    with pytest.raises(NotAsShownError):
        shown_actions.end_shown_purchases(desk, shown, first.side)
    with pytest.raises(NotAsShownError):
        shown_actions.end_shown_purchases(desk, desk.view().asked, first.side)
    assert desk.view().ask.side is first.side.enemy


def test_the_name_of_records_is_that_of_what_they_hold(demo_file: Path) -> None:
    desk = at(demo_file)
    view = desk.view().campaign
    squad = next(iter(view.units))
    before = shown_actions.record_names(view, [squad])
    name = shown_actions.record_names(view, [squad], ["name"])
    desk.run_command("edit", {"id": squad, "set": {"status": ["broken"]}, "reason": "on the table"})
    now = desk.view().campaign
    assert shown_actions.record_names(now, [squad]) != before
    assert shown_actions.record_names(now, [squad], ["name"]) == name


FREE = ("answer", "answer_on", "answer_alike", "undo", "redo", "go_back")


def test_the_screen_answers_and_takes_back_only_what_was_shown() -> None:
    """The desk's own methods, which take nothing that was shown, are no driver's."""
    calls = [
        f"{path.relative_to(SCREEN)}:{node.lineno}"
        for path in SCREEN.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if node.func.attr in FREE
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "desk"
    ]
    assert calls == []
