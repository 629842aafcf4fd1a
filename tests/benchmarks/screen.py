"""What a player feels at the keys: from a press to the next repaint, beside an empty Textual app.

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
from time import perf_counter, process_time
from typing import Any

from tests.benchmarks import campaigns
from tests.benchmarks.figures import CHECKOUT, Figure, Size, environment, middle

SIZE = (120, 40)
PRESSES = 60
ROOMS = {
    **{"r": "Refit", "f": "Forces", "m": "Map", "j": "Journal", "b": "Purchases", "P": "Setup"},
    **{"full_stop": "Campaign", "F": "Forecast", "h": "Home"},
}


# --- the table ------------------------------------------------------------------------------------


def keys(size: Size, folder: Path) -> Iterator[Figure]:
    path = campaigns.at_scenario_end(folder / "600.brt", campaigns.state_of(600))
    rounds = range(size.count(1, 5))
    pairs = [(in_process(folder, "empty"), in_process(folder, "forces", path)) for _ in rounds]
    bare, full = (middle([pair[at]["key"] for pair in pairs]) for at in (0, 1))
    told = f"{full * 1000:.1f} ms, an empty Textual app {bare * 1000:.1f} ms"
    yield Figure("a key to the repaint in Forces, median", full / bare, "×", 5, told)


def rooms(size: Size, folder: Path) -> Iterator[Figure]:
    path = campaigns.at_scenario_end(folder / "600.brt", campaigns.state_of(600))
    runs = [in_process(folder, "rooms", path) for _ in range(size.count(1, 3))]
    for room in ROOMS.values():
        took = min(run[room] for run in runs) * 1000
        yield Figure(f"first visit to {room}, 600 counters", took, "ms", 150)


def on_the_map(size: Size, folder: Path) -> Iterator[Figure]:
    path = campaigns.at_scenario_end(folder / "600.brt", campaigns.state_of(600))
    rounds = range(size.count(1, 3))
    bare = min(in_process(folder, "empty")["computing"] for _ in rounds)
    runs = [in_process(folder, "map", path) for _ in rounds]
    beside = f"an empty Textual app {bare * 1000:.1f} ms"
    for name, what, goal in (
        ("cursor", "a step of the cursor on the Map, median", 5),
        ("cursor 95", "the same, 95th percentile", 20),
        ("painted 95", "painting a hex on the Map, 95th percentile", 50),
        ("overview", "the overview drawn for the first time", 50),
        ("working", "the working zoom drawn for the first time", 50),
        ("close", "the close zoom drawn for the first time", 50),
    ):
        yield Figure(what, min(run[name] for run in runs) * 1000, "ms", goal, beside)


def journal(size: Size, folder: Path) -> Iterator[Figure]:
    entries = size.count(1500, 20_000)
    path = campaigns.long_campaign(folder / "long.brt", entries)
    runs = [in_process(folder, "journal", path) for _ in range(size.count(1, 3))]
    for what in ("open first", "open", "filter"):
        took = min(run[what] for run in runs) * 1000
        told = f"{runs[0]['lines']:,.0f} lines"
        yield Figure(f"Journal of {entries:,} entries: {what}", took, "ms", 100, told)


def all_at_once(size: Size, folder: Path) -> Iterator[Figure]:
    path = campaigns.at_scenario_end(folder / "demo.brt", campaigns.demo_state())
    copies = [campaigns.copied(path, f"{n}.brt") for n in range(size.count(1, 3))]
    took = min(in_process(folder, "go", copy)["go"] for copy in copies)
    yield Figure("G in Refit: the demo's whole phase, stored", took, "s", 2.0)


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
        found = {"key": median(await presses(app, ["a", "b"]))}
        computed = await presses(app, ["a", "b"], clock=process_time)
        return found | {"computing": median(computed)}


async def forces(path: str) -> dict[str, float]:
    app = await _app(path)
    async with app.run_test(size=SIZE) as pilot:
        await _loaded(app)
        await pilot.press("f")
        await pilot.pause(0.5)
        return {"key": median(await presses(app, ["down", "down", "down", "up"]))}


async def rooms_visited(path: str) -> dict[str, float]:
    """What each room takes at its first visit, until all of it is drawn; in processor time, once
    nothing is read in the background any more."""
    app = await _app(path)
    found = {}
    async with app.run_test(size=SIZE) as pilot:
        await _all_read(app, pilot)
        for key, room in ROOMS.items():
            before, start = app.screen, process_time()
            _press(app, key)
            while app.screen is before:
                await asyncio.sleep(0.001)
            await drawn(app)
            found[room] = process_time() - start
            await pilot.pause(0.3)
    return found


async def map_used(path: str) -> dict[str, float]:
    """Steps of the cursor and strokes of the brush on the Map; each of its zooms drawn first. All
    in processor time: a hex is drawn by this process alone."""
    app = await _app(path)
    app.map_zoom = 0
    async with app.run_test(size=SIZE) as pilot:
        await _loaded(app)
        await pilot.press("m")
        await pilot.pause(0.5)
        found = {}
        for zoom in ("working", "close"):
            [found[zoom]] = await presses(app, ["plus"], 1, process_time)
            await pilot.pause(0.3)
        await pilot.press("minus")
        await pilot.pause(0.3)
        steps = await presses(app, ["right", "right", "up", "left", "down"], clock=process_time)
        found |= {"cursor": median(steps), "cursor 95": percentile_95(steps)}
        _begin_painting(app)
        await pilot.pause(0.3)
        strokes = await presses(app, ["space", "right"], clock=process_time)
        found["painted 95"] = percentile_95(strokes[::2])
    return found | await _overview_drawn(path)


async def _overview_drawn(path: str) -> dict[str, float]:
    app = await _app(path)
    async with app.run_test(size=SIZE) as pilot:
        await _loaded(app)
        await pilot.press("m")
        await pilot.pause(0.5)
        [took] = await presses(app, ["minus"], 1, process_time)
        return {"overview": took}


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
    """G in Refit, which plays on to the end of the phase."""
    app = await _app(path)
    async with app.run_test(size=SIZE) as pilot:
        await _loaded(app)
        await pilot.press("r")
        await pilot.pause(0.5)
        start = perf_counter()
        await pilot.press("G")
        await pilot.press("enter")
        while app.session.seen.view.situation.phase != "scenario":
            if perf_counter() - start > 60:
                raise TimeoutError("the phase does not end")
            await asyncio.sleep(0.005)
        await drawn(app)
        return {"go": perf_counter() - start}


async def _app(path: str) -> Any:
    from brt_cg.tui.app import BrtApp

    return BrtApp(Path(path), seat=None)


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
    clock: Callable[[], float] = perf_counter,
) -> list[float]:
    """From each key press to the next repaint; every key must change something."""
    painted = asyncio.Event()
    display = app._display

    def displayed(*arguments: Any) -> None:
        display(*arguments)
        painted.set()

    app._display = displayed
    times = []
    for number in range(count):
        start = clock()
        painted.clear()
        _press(app, keys[number % len(keys)])
        await asyncio.wait_for(painted.wait(), 5)
        times.append(clock() - start)
        await asyncio.sleep(0.02)
    return times


JOBS: dict[str, Callable[..., Any]] = {
    "empty": empty,
    "forces": forces,
    "map": map_used,
    "rooms": rooms_visited,
    "journal": looked_back,
    "go": gone_through,
}

if __name__ == "__main__":
    gc.freeze()  # garbage is looked for as seldom as the command line has it looked for
    gc.set_threshold(100_000)
    print(json.dumps(asyncio.run(JOBS[sys.argv[1]](*sys.argv[2:]))))
