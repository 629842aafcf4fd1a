"""What a player does is done to what was shown to him, and to nothing else."""

import ast
from pathlib import Path

import pytest

from brt_cg import tui
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.dice import SeededDice
from brt_cg.service import as_shown
from brt_cg.service.as_shown import NotAsShown, Reversal
from brt_cg.service.desk import Desk
from tests.tui.moments import played

SCREEN = Path(tui.__file__).parent
SEATS = [None, Seat.MARINE, Seat.JAPANESE, Seat.UMPIRE]


def note(path: Path, side: str | None = None) -> None:
    other = Desk.open(path)
    other.command("note", {"words": "from the other room", "side": side, "about": None})
    other.close()


def at(path: Path, seat: Seat | None = None) -> Desk:
    desk = Desk.open(path)
    desk.sit(seat)
    return desk


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("side", [None, "marine", "japanese"])
def test_a_note_leaves_the_question_the_same(
    demo_file: Path, seat: Seat | None, side: str | None
) -> None:
    desk = at(played(demo_file, "15.6032"), seat)
    before = desk.book().asked
    assert before is not None
    note(demo_file, side)
    desk.reload()
    assert desk.book().asked == before
    assert as_shown.asked(desk, before) is desk.book().ask, "the newly read question"


@pytest.mark.parametrize("seat", SEATS)
def test_an_answer_names_another_question_and_its_undo_the_same_again(
    demo_file: Path, seat: Seat | None
) -> None:
    desk = at(played(demo_file, "15.6032"), seat)
    before = desk.book().asked
    as_shown.roll(desk, before, SeededDice(1))
    assert desk.book().asked not in (None, before)
    desk.sit(Seat.UMPIRE)
    desk.undo()
    desk.sit(seat)
    assert desk.book().asked == before


def test_at_each_question_of_the_phase_the_name_is_another_one(demo_file: Path) -> None:
    desk, names = at(demo_file), list[str]()
    for _ in desk.run(SeededDice(1), lambda ask: ask.buying):
        name = desk.book().asked
        names += [name] if name is not None else []
    assert len(names) > 100
    assert len({*names}) == len(names)


def test_a_die_for_one_question_is_not_stored_for_another(demo_file: Path) -> None:
    played(demo_file, "15.6032")
    desk, other = at(demo_file, Seat.MARINE), at(demo_file, Seat.MARINE)
    shown = desk.book().asked
    as_shown.roll(other, shown, SeededDice(1))
    desk.reload()
    entries = len(desk.hashes())
    with pytest.raises(NotAsShown, match="nothing was entered"):
        as_shown.answer(desk, shown, [3, 4])
    assert len(desk.hashes()) == entries


def test_an_undo_takes_back_what_was_shown_and_nothing_that_came_later(demo_file: Path) -> None:
    played(demo_file, "15.6032")
    desk = at(demo_file)
    shown = Reversal(as_shown.to_undo(desk))
    note(demo_file)
    desk.reload()
    with pytest.raises(NotAsShown, match="nothing was undone"):
        as_shown.undo(desk, shown)
    as_shown.undo(desk, Reversal(as_shown.to_undo(desk)))
    again = as_shown.to_redo(desk)
    desk.undo()
    with pytest.raises(NotAsShown, match="nothing was restored"):
        as_shown.redo(desk, again)


def test_going_back_undoes_the_entries_that_were_listed(demo_file: Path) -> None:
    played(demo_file, "15.6032")
    desk = at(demo_file)
    entry = len(desk.hashes()) - 4
    shown = as_shown.to_go_back(desk, entry)
    note(demo_file)
    desk.reload()
    with pytest.raises(NotAsShown):
        as_shown.go_back(desk, entry, shown)
    as_shown.go_back(desk, entry, as_shown.to_go_back(desk, entry))


@pytest.mark.parametrize("side", [*Side])
def test_what_the_enemy_does_in_secret_changes_no_undo_that_was_shown(
    demo_file: Path, side: Side
) -> None:
    seat = Seat.MARINE if side is Side.MARINE else Seat.JAPANESE
    played(demo_file, "15.6032")
    desk = at(demo_file, seat)
    before = as_shown.to_undo(desk), as_shown.to_redo(desk)
    note(demo_file, side.enemy.value)
    desk.reload()
    assert (as_shown.to_undo(desk), as_shown.to_redo(desk)) == before


def test_done_ends_the_purchases_of_the_side_that_was_shown(demo_file: Path) -> None:
    desk = at(played(demo_file, "15.613"))
    first, shown = desk.book().ask, desk.book().asked
    assert first is not None
    assert first.buying
    other = at(demo_file)
    as_shown.done_buying(other, shown, first.side)
    desk.reload()
    assert desk.book().ask is not None
    assert desk.book().ask.side is first.side.enemy
    with pytest.raises(NotAsShown):
        as_shown.done_buying(desk, shown, first.side)
    with pytest.raises(NotAsShown):
        as_shown.done_buying(desk, desk.book().asked, first.side)
    assert desk.book().ask.side is first.side.enemy


def test_the_name_of_records_is_that_of_what_they_hold(demo_file: Path) -> None:
    desk = at(demo_file)
    view = desk.book().campaign
    squad = next(iter(view.units))
    before = as_shown.records(view, [squad])
    name = as_shown.records(view, [squad], ["name"])
    desk.command("edit", {"id": squad, "set": {"status": ["broken"]}, "reason": "on the table"})
    now = desk.book().campaign
    assert as_shown.records(now, [squad]) != before
    assert as_shown.records(now, [squad], ["name"]) == name


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
