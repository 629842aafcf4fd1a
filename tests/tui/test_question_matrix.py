"""What happens while a player answers a question: what is typed, ticked, marked or painted for it
stays while that question is open, and is entered for no other one; a secret of the enemy shows
nowhere.

Every kind of question is in the table, times everything that may happen.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from textual.pilot import Pilot

from brt_cg import files
from brt_cg.model.counters import Side
from brt_cg.questions.dice import SeededDice
from brt_cg.questions.question_types import (
    ChoiceQuestion,
    EntryQuestion,
    MultiQuestion,
    Question,
    RollQuestion,
)
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.choice import ChoiceScreen
from brt_cg.tui.keys.actions import MAP, PURCHASES, REFIT, SETUP
from tests.settings import count
from tests.tui.helpers import MIDDLE, screen_text, settled
from tests.tui.moments import SEED, opened, played, press
from tests.tui.test_matrix import (
    ANSWER,
    END,
    FULL,
    HAPPENS,
    RENAMED,
    REPLACED,
    RESIZED,
    SECRET,
    UNDO,
    full,
    happen,
    steady,
)

MARINE, JAPANESE = Side.MARINE, Side.JAPANESE
AGAIN = "undone by another window, and entered again"  # the same question is asked twice
ANSWERED = (ANSWER, UNDO, AGAIN)


@dataclass(frozen=True)
class Begun:
    """A question whose answer a seat has begun in a room: the paragraph before it, the keys that
    were pressed, and what is held then. `is_draft`: it is kept on this machine, so that it is
    there again when the same question is; `of_room`: it is for no question, and always stays."""

    kind: type[Question[Any]]
    through: str
    seat: Side
    room: str
    keys: tuple[str, ...]
    held: Callable[[Any], Any]
    is_draft: bool = False
    of_room: bool = False


def _given(room: Any) -> Any:
    return {**room.panel.answers.answers.given}


def _marked(room: Any) -> Any:
    answers = room.panel.answers
    return {*answers.answers.marked.ids}, answers.rows.id_at_cursor


def _typed(room: Any) -> Any:
    entry = room.panel.answers.entry
    return entry.value if entry.display else ""


QUESTIONS: dict[str, Begun] = {
    "a die of two": Begun(
        RollQuestion, "15.6032", MARINE, REFIT, ("3",), lambda room: room.panel.faces
    ),
    "a list": Begun(
        ChoiceQuestion, "15.601", JAPANESE, REFIT, ("home", "down", "enter"), _given, is_draft=True
    ),
    "marks": Begun(ChoiceQuestion, "15.601", JAPANESE, REFIT, ("home", "down", "space"), _marked),
    "a field": Begun(
        EntryQuestion,
        "15.6121",
        MARINE,
        REFIT,
        ("5",),
        _typed,
        is_draft=True,
    ),
    "a row": Begun(
        ChoiceQuestion,
        "15.602",
        MARINE,
        REFIT,
        ("down",),
        lambda room: room.panel.answers.rows.id_at_cursor,
    ),
    "painted hexes": Begun(
        EntryQuestion,
        "15.606",
        MARINE,
        MAP,
        ("space",),
        lambda room: {*room.painting.hexes} if room.painting is not None else None,
        is_draft=True,
    ),
    "Locations": Begun(
        MultiQuestion,
        "15.6201",
        MARINE,
        SETUP,
        ("z",),
        lambda room: {**room.setup_answers.given} if room.setup_answers is not None else None,
        is_draft=True,
    ),
    "a search": Begun(
        ChoiceQuestion,
        "15.613",
        MARINE,
        PURCHASES,
        ("slash", "m"),
        lambda room: room.filter_line.field.value,
        of_room=True,
    ),
}


def cells() -> list[tuple[str, str]]:
    return [each for each in product(QUESTIONS, (*HAPPENS, AGAIN)) if each[1] != END]


def test_every_kind_of_question_is_tested() -> None:
    """The draws of play aids, which are only there once an aid is loaded, are never left open."""
    kinds = {each.kind.__name__ for each in QUESTIONS.values()}
    ours = [each for each in Question.__subclasses__() if each.__module__.startswith("brt_cg")]
    found = [each for each in ours if "aids" not in each.__module__]
    assert kinds == {each.__name__ for each in found}


SAMPLE = Random(60).sample(cells(), count(ci=9, full=len(cells())))


@pytest.mark.parametrize(("name", "what"), SAMPLE, ids=lambda each: each.replace(" ", "-"))
async def test_a_started_answer_is_kept_and_entered_for_no_other_question(
    name: str, what: str, demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, path = QUESTIONS[name], played(demo_file, QUESTIONS[name].through)
    told: list[str] = []
    async with opened(path, begun.seat, begun.room, MIDDLE) as (app, pilot):
        monkeypatch.setattr(app, "notify", lambda message, **how: told.append(message))
        if what == FULL:
            monkeypatch.setattr(files, "write_atomically", full)
        room, asked = app.screen, (await settled(pilot)).ask
        assert isinstance(asked, begun.kind)
        first = begun.held(room)
        await press(pilot, *begun.keys)
        held, before, open_one = begun.held(room), screen_text(app), _open(app)
        assert held != first, "nothing was begun"
        if what != FULL:
            told.clear()
        entries = _entries(path)
        now = await _happens(pilot, path, what, begun.seat)
        if what == SECRET:
            assert steady(screen_text(app)) == steady(before), "a secret shows"
        if what == FULL:
            assert any("cannot be kept" in each for each in told) is begun.is_draft
        else:
            assert bool(told) is (what not in (SECRET, RESIZED)), "what has happened is said"
        if what == REPLACED:
            assert isinstance(app.screen, ChoiceScreen), "the seat of the other campaign is asked"
        elif what in (ANSWER, UNDO):
            assert _open(app) != open_one
            assert (begun.held(room) == held) is begun.of_room, "it stays for another question"
        else:
            assert _open(app) == open_one
            if what != AGAIN or begun.is_draft or begun.of_room:
                assert begun.held(room) == held, "what was begun is lost"
        if what in (REPLACED, RENAMED):
            length = _entries(now)
            await press(pilot, "enter", "enter")
            assert _entries(now) == length, "it was entered in another campaign"
        elif what not in ANSWERED:
            notes = _entries(now) - entries
            assert notes == (what in (HAPPENS[0], SECRET)), "it was entered"


def _open(app: BrtApp) -> object:
    return app.session.current_snapshot.asked


def _entries(path: Path) -> int:
    return len(unrestricted_campaign(OpenCampaign.open_read_only(path)).entries)


async def _happens(pilot: Pilot[int], path: Path, what: str, seat: Side) -> Path:
    """Lets something happen, and the screen of the seat notice it; where the campaign's file is
    then."""
    steps = {
        ANSWER: [_answer],
        UNDO: [_undo],
        AGAIN: [_undo, _redo],
        SECRET: [partial(_note, seat.enemy)],
    }
    if what not in steps:
        return await happen(pilot, path, what)
    for step in steps[what]:
        step(path)
        await pilot.app._catch_up()  # type: ignore[attr-defined]
        await settled(pilot)
    return path


def _note(side: Side, path: Path) -> None:
    desk = OpenCampaign.open(path)
    desk.run_command("note", {"words": "words", "side": side.value, "about": None})
    desk.close()


def _answer(path: Path) -> None:
    desk = OpenCampaign.open(path)
    ask = desk.view().ask
    assert ask is not None
    supply = AnswerSupply(dice=SeededDice(SEED), defaults=True)
    desk.begin_invocation()
    _ = desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, supply))
    desk.close()


def _undo(path: Path) -> None:
    desk = OpenCampaign.open(path)
    desk.undo_or_request()
    desk.close()


def _redo(path: Path) -> None:
    desk = OpenCampaign.open(path)
    desk.redo()
    if desk.view().ask is None:
        desk.continue_play()
    desk.close()
