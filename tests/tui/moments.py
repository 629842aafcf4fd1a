"""The demo campaign at moments of its Refit Phase, for the rooms that play it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from brt_cg.questions.dice import SeededDice
from brt_cg.refit.sequence import last_paragraph_beginning_with
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.keys.actions import DASHBOARD
from brt_cg.tui.question.form import EntryForm, Typed
from brt_cg.tui.session.session import CampaignSnapshot, Seat, Session, read_campaign
from tests.tui.helpers import SMALL, settled, shown

SEED = 1

_PLAYED: dict[tuple[bytes, str | None], bytes] = {}


def played(path: Path, through: str | None) -> Path:
    """The campaign played by itself through a paragraph, up to the next question; None: to the
    end of the phase. The same file is played only once."""
    start = path.read_bytes(), through
    if start not in _PLAYED:
        play(path, through)
        _PLAYED[start] = path.read_bytes()
    path.write_bytes(_PLAYED[start])
    return path


def play(path: Path, through: str | None) -> None:
    """Plays the campaign, and leaves what a player's own play leaves: backups."""
    desk = OpenCampaign.open(path)
    for _ in played_through(desk, through):
        pass
    desk.close()


def played_through(desk: OpenCampaign, through: str | None) -> Iterator[object]:
    """Plays at the desk, with seeded dice and what is usual, as `played` does."""
    last = last_paragraph_beginning_with(through) if through else None
    yield from desk.play_with_supply(AnswerSupply(dice=SeededDice(SEED), defaults=True), last)
    if through:
        desk.play_to_question()


@asynccontextmanager
async def at_desk(path: Path, seat: Seat = None) -> AsyncIterator[Session]:
    """The campaign as rooms, pages and forms have it, without a screen."""
    session = Session(lambda seen: None)
    await session.open(partial(read_campaign, path))
    await session.show_as_seat(seat)
    try:
        yield session
    finally:
        session.end_session()


def seen_in(session: Session) -> CampaignSnapshot:
    """What is seen of the campaign now."""
    assert session.seen is not None
    return session.seen


def filled(form: EntryForm[Any], **typed: str) -> Typed:
    """What stands in the fields of a form once some of them have been typed over."""
    first = {field.name: field.value for page in form.pages(typed) for field in page.fields}
    assert typed.keys() <= first.keys()
    return first | typed


def app_on(path: Path, seat: Seat = None, served: bool = False) -> BrtApp:
    """The app on a campaign file, seated, and perhaps `served` to a browser."""
    return BrtApp(path, served=served, seat=seat)


@asynccontextmanager
async def opened(
    path: Path,
    seat: Seat = None,
    room: str = DASHBOARD,
    size: tuple[int, int] = SMALL,
    served: bool = False,
    **how: Any,
) -> AsyncIterator[tuple[BrtApp, Pilot[int]]]:
    """The app on a campaign file, seated and, instead of on the Dashboard, in a room, once
    everything has been read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("brt_cg.tui.app.DASHBOARD", room)
        app = app_on(path, seat, served)
        async with app.run_test(size=size, **how) as pilot:
            await settled(pilot)
            patch.undo()
            yield app, pilot


in_forces = partial(opened, room="forces")


@asynccontextmanager
async def in_refit(
    path: Path, seat: Seat = None, **how: Any
) -> AsyncIterator[tuple[BrtApp, Pilot[int]]]:
    """The Refit room, with seeded dice."""
    async with opened(path, seat, "refit", **how) as (app, pilot):
        app.screen.dice = SeededDice(SEED)
        yield app, pilot


async def to_room(pilot: Pilot[Any], place: str) -> Any:
    """Goes to a room, and waits until it shows the campaign; the room."""
    await pilot.app.switch_mode(place)
    await settled(pilot)
    return pilot.app.screen


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Presses keys, and waits until the campaign has been read."""
    await pilot.press(*keys)
    await settled(pilot)


async def at_the_melees(pilot: Pilot[Any]) -> None:
    """Begins Refit, and waits until the list of Melees is drawn: a key pressed before is for no
    question."""
    await press(pilot, "enter", "1")
    await shown(pilot, "similar questions")
