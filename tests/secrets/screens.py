"""A player at the screen who is given one of a pair: every text that is drawn for him."""

import asyncio
import gc
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from textual.pilot import Pilot

from brt_cg.model.counters import Side
from brt_cg.questions.dice import SeededDice
from brt_cg.storage.reader import newest_entry
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.choice import ChoiceScreen
from brt_cg.tui.dialogs.curtain import CurtainScreen
from brt_cg.tui.keys.actions import (
    DIALOGS,
    FORMS,
    LISTS,
    ROOMS,
    SCENARIO_END,
    Action,
    actions_of,
    reachable_actions,
)
from brt_cg.tui.rooms.forecast import screen as forecast
from brt_cg.tui.rooms.refit.screen import RefitScreen
from tests.secrets.at_a_terminal import HERE, Terminal
from tests.secrets.campaigns import CAMPAIGN, Files
from tests.secrets.pairs import difference
from tests.tui import clock
from tests.tui.helpers import LARGE, screen_lines, settled, until

Frames = list[tuple[str, list[str]]]  # what was pressed, and all that is to be read then
Looking = Coroutine[Any, Any, Frames]
IN_A_BOX = ("enter", "tab", "down", "f1", "f3", "j", "1", "escape")
# One leaves the program, the other takes another seat, which its PIN is for.
ELSEWHERE = ("everywhere.quit", "everywhere.seat")
SHOWN = [room for room in ROOMS if room != SCENARIO_END]  # which Forces opens


@dataclass(frozen=True)
class Visit:
    """A room, a key pressed there, and keys pressed in what that opens."""

    room: str
    keys: tuple[str, ...]


def keys_in(room: str) -> Iterator[str]:
    """Each key of a room, of lists, and of everywhere."""
    for action in (*reachable_actions(room), *actions_of(LISTS)):
        if action.id not in ELSEWHERE:
            yield from keys_of(action)


def keys_of(action: Action) -> list[str]:
    return list(filter(None, action.keys.split(",")))


def visits(chance: Random, deep: int = 3) -> Iterator[Visit]:
    """Each key of each room once; then some keys of boxes and forms."""
    places = (DIALOGS, FORMS)
    boxed = [key for place in places for one in actions_of(place) for key in keys_of(one)]
    for room in SHOWN:
        for key in dict.fromkeys(keys_in(room)):
            then = chance.sample((*IN_A_BOX, *boxed), deep)
            yield Visit(room, (*chance.choice(((), ("down",))), key, *then))


def frame(app: BrtApp) -> list[str]:
    """All that is to be read: the screen, the window's title, notices."""
    told = [f"{notice.title} {notice.message}" for notice in app._notifications]
    return [f"title: {app.window_title}", *(f"notice: {one}" for one in told), *screen_lines(app)]


@contextmanager
def a_machine() -> Iterator[asyncio.Runner]:
    """Where screens run: nobody waits, and dice fall as they are to."""
    with (
        pytest.MonkeyPatch.context() as patch,
        asyncio.Runner(loop_factory=clock.Loop) as runner,
    ):
        clock.skip_time(patch)
        patch.setattr(RefitScreen, "dice", SeededDice(1))
        patch.setattr(forecast.secrets, "randbelow", lambda _: 1)
        yield runner


def all_seen(at: Terminal, files: Files, seat: Side, todo: Sequence[Visit]) -> list[Frames]:
    """What a seat reads on each visit, which begins with the campaign as it was."""
    return _each(at, files, todo, lambda visit: _sits(at, seat, visit))


def _each(
    at: Terminal, files: Files, todo: Sequence[Visit], run: Callable[[Visit], Looking]
) -> list[Frames]:
    found: list[Frames] = []
    with a_machine() as runner:
        for number, visit in enumerate(todo, start=1):
            if number % 5 == 0:
                gc.collect()  # an app that has ended is many megabytes of circles
            at.lay_out({f"{HERE}/{name}": data for name, data in files.items()})
            try:
                found.append(runner.run(run(visit)))
            except Exception as fault:
                fault.add_note(f"on the visit {visit.room}: {' '.join(visit.keys)}")
                raise
    return found


def unlike(one: Sequence[Frames], other: Sequence[Frames]) -> list[str]:
    """The first frame of each visit that differs, and in what."""
    found = []
    for mine, his in zip(one, other, strict=True):
        differing = (
            f"{where} differs:\n{difference(this, that)}"
            for (where, this), (_, that) in zip(mine, his, strict=False)
            if this != that
        )
        found += [*differing][:1]
    return found


async def _sits(at: Terminal, seat: Side, visit: Visit) -> Frames:
    app, seen = BrtApp(at.folder / HERE / CAMPAIGN, seat=seat), Frames()
    async with app.run_test(size=LARGE, notifications=True) as pilot:
        await all_is_drawn(pilot)
        await go(pilot, visit.room)
        seen.append((visit.room, frame(app)))
        for key in visit.keys:
            await pilot.press(key)
            if not app.is_running or app.session.seat is not seat:
                break
            await all_is_drawn(pilot)
            seen.append((f"{visit.room}: {' '.join(visit.keys)}, at {key}", frame(app)))
    _ends(app)
    return seen


def _ends(app: BrtApp) -> None:
    """Waits for what its desk still writes down, which would be found by the next one."""
    app.session._thread.shutdown()


async def go(pilot: Pilot[int], room: str) -> None:
    if pilot.app.current_mode != room:
        await pilot.app.switch_mode(room)
    await all_is_drawn(pilot)


async def all_is_drawn(pilot: Pilot[int]) -> None:
    """Waits until nothing is worked out any more."""
    app = pilot.app
    assert isinstance(app, BrtApp)
    await pilot.pause()
    if app.session.seen is not None and not isinstance(app.screen, CurtainScreen):
        await settled(pilot)
    waits = {"seat", "curtain", "eyes", "copy"}  # which wait for the player
    await until(
        pilot,
        lambda: all(
            worker.is_finished or worker.group in waits or len(app.screen_stack) > 1
            for worker in app.workers
        ),
        "rest",
    )
    await pilot.pause()


# --- two players at one screen --------------------------------------------------------------------

BEHIND = ("escape", "d", "r", "ctrl+p", "escape", "o", "escape", "s", "t", "f")
HIS_EYES_ONLY = "only for his eyes"  # what stands for a frame that his enemy does not see


def all_seen_by_both(at: Terminal, files: Files, side: Side, todo: Sequence[Visit]) -> list[Frames]:
    """What there is to read on each visit once a side that has looked at its secrets, and pressed
    its keys, leaves the screen to the other player, who presses some too. A visit on which
    something is entered leaves nothing to compare."""
    return _each(at, files, todo, lambda visit: _hand_over(at, side, visit))


async def _hand_over(at: Terminal, side: Side, visit: Visit) -> Frames:
    path, seen = at.folder / HERE / CAMPAIGN, Frames()
    app = BrtApp(path)
    async with app.run_test(size=LARGE, notifications=True) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press("t")
        await all_is_drawn(pilot)
        if not await _lifts(pilot, side):
            return []
        entered, has_left = newest_entry(path), False
        await go(pilot, visit.room)
        for key in (*visit.keys, "s", *BEHIND, side.enemy[0]):
            await pilot.press(key)
            if not app.is_running:
                break
            await all_is_drawn(pilot)
            has_left = has_left or not _looks(app, side)
            shown = frame(app) if has_left else [HIS_EYES_ONLY]
            seen.append((f"{visit.room}: {' '.join(visit.keys)}, then at {key}", shown))
        is_alike = newest_entry(path) == entered
    _ends(app)
    return seen if is_alike else []


async def _lifts(pilot: Pilot[int], side: Side) -> bool:
    """Whether this side lifts the curtain: it cannot where its enemy is asked in private."""
    app = pilot.app
    assert isinstance(app, BrtApp)
    if not isinstance(app.screen, CurtainScreen):
        await pilot.press("s")
        await all_is_drawn(pilot)
    await pilot.press(side[0])
    await all_is_drawn(pilot)
    return _looks(app, side)


def _looks(app: BrtApp, side: Side) -> bool:
    """Whether this side looks at what is its own, and has not left the screen."""
    seen = app.session.seen
    if seen is None or isinstance(app.screen, CurtainScreen):
        return False
    return seen.seat is side and not seen.shows_shared_table and seen.side_behind_curtain is None
