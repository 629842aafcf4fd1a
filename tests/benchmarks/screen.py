"""What a player feels at the keys: from a press until nothing is drawn any more, beside an empty
Textual app.

Each figure comes from a process of its own, run in turn with that of the empty app, so that both
meet the same machine.
"""

import asyncio
import gc
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time, thread_time
from typing import Any

from brt_cg.__main__ import GARBAGE
from tests.benchmarks import campaigns
from tests.benchmarks.figures import (
    CHECKOUT,
    Clock,
    Figure,
    Size,
    Times,
    environment,
    most_memory,
)

SIZE = (120, 40)
LARGE = (200, 60)
PRESSES = 40
QUIET = 0.15  # seconds without a paint, after which a screen is settled
ENTERED = 12  # answers
SEATS = ("umpire", "marine")
ROOMS = {
    **{"r": "Refit", "f": "Forces", "m": "Map", "j": "Journal", "b": "Purchases", "p": "Setup"},
    **{"full_stop": "Campaign", "F": "Forecast", "h": "Home"},
}
# The keys pressed again and again in each room.
GONE_THROUGH = {
    **{"r": ("down", "up"), "f": ("down", "down", "up"), "m": ("right", "down", "left", "up")},
    **{"j": ("up", "down"), "b": ("right", "tab"), "p": ("down", "up")},
    **{"full_stop": ("right", "left"), "F": ("down", "up"), "h": ("down", "up")},
}


# --- the table ------------------------------------------------------------------------------------


def keys(size: Size, folder: Path) -> Iterator[Figure]:
    """The keys that go through each room, each until nothing is drawn any more."""
    path = campaigns.at_scenario_end(folder / "600.brt", campaigns.state_of(600))
    rounds = size.count(1, 3)
    bare = Times.of(in_process(folder, "empty")["key"] for _ in range(rounds))
    for room in GONE_THROUGH:
        runs = [in_process(folder, "keys", path, room) for _ in range(rounds)]
        for key in runs[0]:
            took = Times.of(run[key] for run in runs)
            told = f"{took.told()}; an empty Textual app {bare.told()}"
            what = f"{key} in {ROOMS[room]}, until it is settled, median"
            yield Figure(what, took.median * 1000, "ms", 30, told)


def rooms(size: Size, folder: Path) -> Iterator[Figure]:
    """Each room visited as soon as the Dashboard is drawn, whatever is still read in the
    background: what the screen's own thread works until the room is drawn, and how long that
    takes by the clock."""
    path = campaigns.at_scenario_end(folder / "600.brt", campaigns.state_of(600))
    for key, room in ROOMS.items():
        runs = [in_process(folder, "room", path, key) for _ in range(size.count(1, 3))]
        took = Times.of(run["screen"] for run in runs)
        waited = Times.of(run["clock"] for run in runs)
        told = f"{took.told()}; by the clock {waited.told()}"
        yield Figure(f"first visit to {room}, 600 counters", took.median * 1000, "ms", 120, told)


def memory(size: Size, folder: Path) -> Iterator[Figure]:
    """The most memory that a screen uses which has visited every room, by seat."""
    path = campaigns.at_scenario_end(folder / "600.brt", campaigns.state_of(600))
    bare = in_process(folder, "empty")["memory"]
    for seat in SEATS:
        used = in_process(folder, "memory", path, seat)["memory"]
        told = f"an empty Textual app {bare:.0f} MB"
        what = f"memory of the screen, every room visited, {seat}"
        yield Figure(what, used, "MB", None, told, clock=Clock.NONE)


def entered(size: Size, folder: Path) -> Iterator[Figure]:
    """Space in Refit: a roll, stored, until the next question is drawn."""
    path = campaigns.at_scenario_end(folder / "300.brt", campaigns.state_of(300))
    copies = [campaigns.copied(path, f"{number}.brt") for number in range(size.count(1, 3))]
    runs = [in_process(folder, "enter", copy) for copy in copies]
    took, waited = (Times.of(run[clock] for run in runs) for clock in ("computing", "clock"))
    told = f"{took.told()}; by the clock {waited.told()}"
    what = "Space in Refit to the next question drawn, median"
    yield Figure(what, took.median * 1000, "ms", None, told)


def on_the_map(size: Size, folder: Path) -> Iterator[Figure]:
    path = campaigns.at_scenario_end(folder / "600.brt", campaigns.state_of(600))
    rounds = range(size.count(1, 3))
    pairs = [(in_process(folder, "empty")["key"], in_process(folder, "map", path)) for _ in rounds]
    runs = [run for _, run in pairs]
    beside = f"a key in an empty Textual app {median(bare for bare, _ in pairs) * 1000:.1f} ms"
    for name, what, goal in (
        ("cursor", "a step of the cursor on the Map, median", 5),
        ("cursor 95", "the same, 95th percentile", 20),
        ("painted 95", "painting a hex on the Map, 95th percentile", 50),
        ("overview", "the overview drawn for the first time, 200 × 60", 50),
        ("working", "the working zoom drawn for the first time, 200 × 60", 50),
        ("close", "the close zoom drawn for the first time", 50),
    ):
        took = Times.of(run[name] for run in runs)
        yield Figure(what, took.median * 1000, "ms", goal, f"{took.told()}; {beside}")


def journal(size: Size, folder: Path) -> Iterator[Figure]:
    entries = size.count(1500, 20_000)
    path = campaigns.long_campaign(folder / "long.brt", entries)
    runs = [in_process(folder, "journal", path) for _ in range(size.count(1, 3))]
    for what in ("open first", "open", "filter"):
        took = Times.of(run[what] for run in runs)
        told = f"{took.told()}; {runs[0]['lines']:,.0f} lines"
        name = f"Journal of {entries:,} entries: {what}"
        yield Figure(name, took.median * 1000, "ms", size.goal(100), told)


def all_at_once(size: Size, folder: Path) -> Iterator[Figure]:
    path = campaigns.at_scenario_end(folder / "demo.brt", campaigns.demo_state())
    copies = [campaigns.copied(path, f"{n}.brt") for n in range(size.count(1, 3))]
    runs = [in_process(folder, "go", copy) for copy in copies]
    took, waited = (Times.of(run[clock] for run in runs) for clock in ("computing", "clock"))
    told = f"{waited.told()}; computing {took.told()}"
    what = "G in Refit: the demo's whole phase, stored"
    yield Figure(what, waited.median, "s", 2.0, told, clock=Clock.WALL)


def in_process(folder: Path, *arguments: object) -> dict[str, float]:
    words = [sys.executable, "-m", "tests.benchmarks.screen", *map(str, arguments)]
    run = subprocess.run(
        words, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True, check=True, env=environment(folder)
    )
    found: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return found


# --- in a process of its own ----------------------------------------------------------------------


async def empty() -> dict[str, float]:
    """An app that shows one word, which every key changes."""
    from textual import events
    from textual.app import App, ComposeResult
    from textual.widgets import Static

    class Empty(App[None]):
        def compose(self) -> ComposeResult:
            yield Static("empty")

        def on_key(self, event: events.Key) -> None:
            self.query_one(Static).update(event.key)

    app = Empty()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("c")
        return {"key": median(await presses(app, ["a", "b"])), "memory": most_memory()}


async def room_gone_through(path: str, room: str) -> dict[str, float]:
    """Each key that goes through a room, once all that is read in the background is."""
    app = await _app(path)
    async with app.run_test(size=SIZE) as pilot:
        await _all_read(app, pilot)
        _press(app, room)
        await pilot.pause(1)
        pressed = GONE_THROUGH[room]
        took: dict[str, list[float]] = {key: [] for key in pressed}
        for number, each in enumerate(await presses(app, [*pressed])):
            if each:  # else nothing was drawn
                took[pressed[number % len(pressed)]].append(each)
        return {key: median(times) for key, times in took.items() if times}


async def room_visited(path: str, key: str) -> dict[str, float]:
    """One room at its first visit, as soon as the Dashboard is drawn."""
    app = await _app(path)
    async with app.run_test(size=SIZE):
        await _loaded(app)
        before, start, began = app.screen, thread_time(), perf_counter()
        _press(app, key)
        while app.screen is before:
            await asyncio.sleep(0.001)
        await drawn(app)
        return {"screen": thread_time() - start, "clock": perf_counter() - began}


async def all_visited(path: str, seat: str) -> dict[str, float]:
    app = await _app(path, seat)
    async with app.run_test(size=SIZE) as pilot:
        await _all_read(app, pilot)
        for key in ROOMS:
            if key != "F":  # its processes have memory of their own
                _press(app, key)
                await pilot.pause(0.5)
        return {"memory": most_memory()}


async def entered_in_refit(path: str) -> dict[str, float]:
    """Space, which rolls, until the next question stands and is drawn, with all that is read
    meanwhile. Other questions are answered as usual, and not measured."""
    from brt_cg.questions.question_types import RollQuestion

    app = await _app(path)
    computed: list[float] = []
    waited: list[float] = []
    async with app.run_test(size=SIZE) as pilot:
        await _all_read(app, pilot)
        await pilot.press("r")
        await pilot.pause(0.5)
        while len(computed) < ENTERED:
            ask, before = app.session.seen.ask, app.session.seen.mark.rows
            if not isinstance(ask, RollQuestion):
                app.perform(_answers_as_usual)
                await _goes_on(app, before)
                await pilot.pause(0.2)
                continue
            start, began = process_time(), perf_counter()
            _press(app, "space")
            await _goes_on(app, before)
            computed.append(process_time() - start)
            waited.append(perf_counter() - began)
            await pilot.pause(0.2)
    return {"computing": median(computed), "clock": median(waited)}


def _answers_as_usual(desk: Any) -> None:
    from brt_cg.questions.dice import SeededDice
    from brt_cg.service.answer_supply import AnswerSupply

    ask = desk.play_to_question()
    desk.answer_and_play(
        ask, *desk.get_answer_from_supply(ask, AnswerSupply(dice=SeededDice(1), defaults=True))
    )


async def _goes_on(app: Any, before: int) -> None:
    """Waits until more entries stand than before, and the screen shows it."""
    began = perf_counter()
    while app.session.seen.mark.rows == before or app.session.busy:
        await asyncio.sleep(0.001)
        if perf_counter() - began > 20:
            raise TimeoutError(f"nothing answers {app.session.seen.ask}")
    await drawn(app)


async def map_used(path: str) -> dict[str, float]:
    """Steps of the cursor and strokes of the brush on the Map; each of its zooms drawn first. All
    in processor time: a hex is drawn by this process alone."""
    app = await _app(path)
    async with app.run_test(size=SIZE) as pilot:
        await _loaded(app)
        await pilot.press("m")
        await pilot.pause(0.5)
        found = {}
        [found["close"]] = await presses(app, ["plus"], 1)
        await pilot.pause(0.3)
        await pilot.press("minus")
        await pilot.pause(0.3)
        steps = await presses(app, ["right", "right", "up", "left", "down"])
        found |= {"cursor": median(steps), "cursor 95": percentile_95(steps)}
        _begin_painting(app)
        await pilot.pause(0.3)
        strokes = await presses(app, ["space", "right"])
        found["painted 95"] = percentile_95(strokes[::2])
    return found | await _zoomed_out(path)


async def _zoomed_out(path: str) -> dict[str, float]:
    """The other zooms, on a screen that has room for each."""
    app = await _app(path)
    app.map_zoom = 2
    async with app.run_test(size=LARGE) as pilot:
        await _loaded(app)
        await pilot.press("m")
        found = {}
        for zoom in ("working", "overview"):
            await pilot.pause(0.5)
            [found[zoom]] = await presses(app, ["minus"], 1)
        return found


def _begin_painting(app: Any) -> None:
    from brt_cg.refit.s607_perimeters import PERIMETERS
    from brt_cg.tui.map.painting import Painting

    app.screen.painting = Painting("The Marine Perimeters", PERIMETERS, [])
    app.screen.show_painting()


async def looked_back(path: str) -> dict[str, float]:
    """The Journal opened, until all lines are in the list and drawn, for the first time and again;
    then a letter typed into its filter, until those that have it are. All in processor time."""
    app = await _app(path)
    async with app.run_test(size=SIZE) as pilot:
        await _all_read(app, pilot)
        found = {}
        for visit in ("open first", "open"):
            start = process_time()
            _press(app, "j")
            while not getattr(app.screen, "has_all", False):
                await asyncio.sleep(0.005)
            await drawn(app)
            found[visit] = process_time() - start
            room = app.screen
            await pilot.press("d")
            await pilot.pause(0.3)
        await pilot.press("j", "slash")
        await pilot.pause(0.3)
        listed = room.query_one("LineList")
        before, start = listed.lines, process_time()
        _press(app, "w")
        while listed.lines is before:
            await asyncio.sleep(0.005)
        await drawn(app)
        return found | {"filter": process_time() - start, "lines": len(before)}


async def gone_through(path: str) -> dict[str, float]:
    """Plays on in Refit, to the end of the phase by defaults."""
    app = await _app(path)
    async with app.run_test(size=SIZE) as pilot:
        await _loaded(app)
        await pilot.press("r")
        await pilot.pause(0.5)
        start, began = process_time(), perf_counter()
        await pilot.press("g", "1", "g", "end", "enter")
        while app.session.seen.view.situation.phase != "scenario":
            if perf_counter() - began > 120:
                raise TimeoutError("the phase does not end")
            await asyncio.sleep(0.005)
        await drawn(app)
        return {"computing": process_time() - start, "clock": perf_counter() - began}


async def _app(path: str, seat: str = SEATS[0]) -> Any:
    from brt_cg.model.counters import Side
    from brt_cg.tui.app import BrtApp

    return BrtApp(Path(path), seat=Side.from_name(seat))


async def _loaded(app: Any) -> None:
    while app.session.seen is None or app.session.busy:
        await asyncio.sleep(0.001)
    await drawn(app)


async def _all_read(app: Any, pilot: Any) -> None:
    """Waits for what is loaded and read once the Dashboard is shown."""
    await _loaded(app)
    while any(worker.group == "open" for worker in app.workers if not worker.is_finished):
        await pilot.pause(0.05)


async def drawn(app: Any) -> None:
    """Waits until everything that is to be drawn has been drawn."""
    done = asyncio.Event()
    app.screen.call_after_refresh(done.set)
    await done.wait()


def _press(app: Any, key: str) -> None:
    from textual import events

    app.post_message(events.Key(key, key if len(key) == 1 else None))


def percentile_95(times: list[float]) -> float:
    """What 95 of 100 stay below."""
    return quantiles(times, n=20)[-1]


async def presses(
    app: Any,
    keys: list[str],
    count: int = PRESSES,
) -> list[float]:
    """What the processor works from each key press until nothing is drawn any more; nothing for a
    key that draws nothing."""
    drawn_at = (0.0, 0.0)  # when something was drawn last: by the processor's time, by the clock
    display = app._display

    def displayed(*arguments: Any) -> None:
        nonlocal drawn_at
        display(*arguments)
        drawn_at = process_time(), perf_counter()

    app._display = displayed
    times = []
    for number in range(count):
        start, began = process_time(), perf_counter()
        _press(app, keys[number % len(keys)])
        while perf_counter() - max(drawn_at[1], began) < QUIET:
            if perf_counter() - began > 5:
                raise TimeoutError(f"{keys[number % len(keys)]} is never settled")
            await asyncio.sleep(0.005)
        times.append(max(0.0, drawn_at[0] - start))
    return times


JOBS: dict[str, Callable[..., Any]] = {
    "empty": empty,
    "keys": room_gone_through,
    "map": map_used,
    "room": room_visited,
    "memory": all_visited,
    "enter": entered_in_refit,
    "journal": looked_back,
    "go": gone_through,
}

if __name__ == "__main__":
    gc.freeze()  # garbage is looked for as seldom as the command line has it looked for
    gc.set_threshold(*GARBAGE)
    print(json.dumps(asyncio.run(JOBS[sys.argv[1]](*sys.argv[2:]))))
