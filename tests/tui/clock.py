"""The screen's time in tests: nobody waits for what is due later, it comes at once."""

import asyncio
import os
from collections import Counter, deque
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from contextlib import suppress
from pathlib import Path
from selectors import DefaultSelector
from threading import get_native_id
from time import monotonic, process_time
from typing import Any

import pytest
from textual import _compositor, _time, _wait, app, pilot
from textual._compositor import Compositor
from textual._context import active_app
from textual._wait import wait_for_idle
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation
from textual.pilot import Pilot
from textual.widgets import Input

from brt_cg.tui.keys.key_buffer import KeyBufferApp
from brt_cg.tui.look.stylesheet import PrestyledScreen

TICK = 0.1  # seconds, on its own clock, in which the screen has been laid out and is at rest
LOOKS = 250  # at what is at work by the clock on the wall; each takes longer on a busy machine
NAP = 0.002  # seconds between two looks at what threads do
IDLE = NAP / 20  # seconds of work in a nap that are nothing
LONG = 1.0  # seconds of the processor after which a thread is not waited for any more
LONGEST = 120.0  # seconds for the desk, which may wait long for a processor on a busy machine

# With BRT_CG_REAL_TIME=N one test of the screen in N runs with Textual as it is: its own event
# loop, keys and frames.
AS_IT_IS = int(os.environ.get("BRT_CG_REAL_TIME", "0"))

draws_each_frame = False  # also those at which no test looks

update, press, shutdown = Compositor.render_update, App._press_keys, App._shutdown
parse = Stylesheet._parse_rules

_RULES: dict[tuple[object, ...], list[RuleSet]] = {}


def threads_run() -> bool:
    """Whether a thread beside this one works, or would if it got a processor: on a busy machine a
    process may stand still that is not at rest. Only where the system tells."""
    for folder in Path("/proc/self/task").glob("*"):
        with suppress(OSError):  # it has just ended
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
            if state in "RD" and int(folder.name) != get_native_id():
                return True
    return False


class _Clock(DefaultSelector):
    """Where the loop would sleep until something is due, it is due now; only while a thread works
    the time is that on the wall. What the loop itself does takes no time."""

    time = 0.0  # of all loops: of one after the other

    def __init__(self, at_work: Counter[bool]) -> None:
        super().__init__()
        self.at_work = at_work

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        if not self.at_work.total():
            ready = super().select(0)
            _Clock.time += 0 if ready else timeout
            return ready
        before = monotonic()
        ready = super().select(timeout)
        _Clock.time += monotonic() - before
        return ready


class RealLoop(asyncio.SelectorEventLoop):
    """An event loop as ever, that knows whether the desk, and other threads, are at work."""

    def __init__(self, at_work: Counter[bool] | None = None, clock: _Clock | None = None) -> None:
        self.at_work: Counter[bool] = Counter() if at_work is None else at_work
        super().__init__(clock)

    def run_in_executor(
        self, executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> Any:
        is_desk = executor is not None
        self.at_work[is_desk] += 1

        def done(_: Any) -> None:
            self.at_work[is_desk] -= 1

        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(done)
        return future


class Loop(RealLoop):
    """An event loop whose clock jumps to what is due next when nothing is left to do now."""

    def __init__(self) -> None:
        at_work: Counter[bool] = Counter()
        super().__init__(at_work, _Clock(at_work))

    def time(self) -> float:
        return _Clock.time

    async def at_rest(self) -> None:
        """Waits until nothing is left to do, neither here nor at the desk; other threads may be
        long at work, and are only waited for while they keep this process busy."""
        at_work = self.at_work
        await asyncio.sleep(TICK)
        since, used = monotonic(), process_time()
        while at_work.total() and monotonic() - since < LONGEST:
            before = process_time()
            if not at_work[True] and before - used > LONG:
                break
            frame_stands()
            await asyncio.sleep(NAP)
            if not at_work[True] and process_time() - before < IDLE and not threads_run():
                break
            if not at_work.total():
                await asyncio.sleep(TICK)


def now() -> float:
    """What timers and animations go by."""
    return _Clock.time


def no_update(*_: object, **__: object) -> None:
    """A frame that is gone before anybody could look at it is laid out, and not drawn."""


def draw() -> None:
    """Draws what has changed in front of the player since anybody last looked; nothing while a
    widget that stood there has just been taken away, and the rest is not laid out anew."""
    app = active_app.get()
    if app.is_running and app.screen_stack and app.screen._compositor._dirty_regions:
        compositor = app.screen._compositor
        if all(widget.is_attached for widget in compositor.visible_widgets):
            update(compositor, screen_stack=app._background_screens)


def frame_stands() -> None:
    """A frame that nobody may look at is drawn where all are."""
    if draws_each_frame:
        draw()


async def shut_down(app: App[Any]) -> None:
    """The last frame is always drawn."""
    try:
        draw()
    finally:
        await shutdown(app)


async def app_at_rest() -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Loop)
    await loop.at_rest()


async def rest(_: float = 0) -> None:
    """Waits until nothing is left to do: the next frame stands."""
    await app_at_rest()
    frame_stands()


async def no_rest(_: float = 0) -> None:
    """Between the letters of a word."""


async def still_runs(pilot: Pilot[Any], _: float = 0) -> None:
    """An app that has died is waited for no longer."""
    if pilot.app._exception is not None:
        raise pilot.app._exception


async def in_front(app: App[Any]) -> None:
    """Waits until the screen in front is drawn, as a player does: an earlier key is dropped."""
    for _ in range(LOOKS):
        front = app.screen_stack[-1] if app.screen_stack else None
        if not isinstance(front, PrestyledScreen) or front.in_front.was_drawn_before(now()):
            return
        await asyncio.sleep(TICK)


async def press_keys(app: App[Any], keys: Iterable[str]) -> None:
    """Presses keys, each when what came of the one before is at rest. Words are typed into a field
    as by a fast hand."""
    frame_stands()
    to_press = deque(keys)
    while to_press:
        keys_now = [to_press.popleft()]
        while isinstance(app.focused, Input) and to_press and len(keys_now[-1] + to_press[0]) == 2:
            keys_now.append(to_press.popleft())
        await in_front(app)
        await press(app, keys_now)
        await app_at_rest()


def unhandled() -> int:
    """How much in front of the player is not handled, or not drawn."""
    app = active_app.get()
    if not app.screen_stack:
        return app.message_queue_size
    screen, all_there = app.screen, app.screen.walk_children(with_self=True)
    undrawn = [*screen._callbacks, *screen._dirty_widgets]
    waiting = sum(pump.message_queue_size for pump in (app, *all_there))
    holds_keys = isinstance(app, KeyBufferApp) and app.is_at_work()
    return waiting + len(undrawn) + screen._layout_required + holds_keys


async def idle_by_the_wall(*bounds: float) -> None:
    """As Textual's own, which takes a process that gets no processor for one that is at rest: waits
    for the desk too, for what nobody has handled, and for threads that work."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, RealLoop)
    since, looks = monotonic(), 0
    await wait_for_idle(*bounds)
    while active_app.get().is_running and monotonic() - since < LONGEST:
        works = unhandled() or (loop.at_work[False] and threads_run())
        if not loop.at_work[True] and not (works and looks < LOOKS):
            return
        looks += 1
        await wait_for_idle(0)


def parse_once(
    sheet: Stylesheet, css: str, read_from: CSSLocation, *of: Any, **named: Any
) -> list[RuleSet]:
    """The rules of a style sheet, which are the same in every app of its colours."""
    key = (css, read_from, of, *named.values(), *sheet._variables.items())
    if key not in _RULES:
        _RULES[key] = parse(sheet, css, read_from, *of, **named)
    return _RULES[key]


def take_time(patch: pytest.MonkeyPatch) -> None:
    """From now on an app is waited for, by the clock on the wall, in a `RealLoop`."""
    patch.setattr(_wait, "SLEEP_GRANULARITY", _wait.SLEEP_GRANULARITY / 5)
    patch.setattr(_wait, "SLEEP_IDLE", _wait.SLEEP_IDLE / 5)
    patch.setattr(pilot, "wait_for_idle", idle_by_the_wall)
    patch.setattr(app, "wait_for_idle", idle_by_the_wall)


def skip_time(patch: pytest.MonkeyPatch, draws_each_frame: bool = False) -> None:
    """From now on an app is at rest after each key, and no longer, in a `Loop`."""
    patch.setattr("tests.tui.clock.draws_each_frame", draws_each_frame)
    patch.setattr(_time, "get_time", now)
    patch.setattr(_compositor.Compositor, "render_update", no_update)
    patch.setattr(pilot, "wait_for_idle", rest)
    patch.setattr(pilot.Pilot, "_wait_for_screen", still_runs)
    patch.setattr(app, "wait_for_idle", no_rest)
    patch.setattr(app.App, "_press_keys", press_keys)
    patch.setattr(app.App, "_shutdown", shut_down)
    patch.setattr(Stylesheet, "_parse_rules", parse_once)
