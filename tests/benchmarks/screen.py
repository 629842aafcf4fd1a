"""How long the screen takes, beside an empty Textual app: `python tests/benchmarks/screen.py`.

Each figure comes from fresh processes, in turn with those of the empty app, so that both meet the
same machine. Not a test: a figure depends on the machine, a ratio much less.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

SIZE = (120, 40)
COUNTERS = 600
ROUNDS = 7
PRESSES = 60


# --- in a process of its own ----------------------------------------------------------------------


def memory() -> float:
    """The most memory this process has used, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def empty() -> dict[str, float]:
    """An app that shows one word, which every key changes."""
    start = perf_counter()
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
        frame = await first_frame(app, start)
        await pilot.press("c")
        keys = await presses(app, ["a", "b"])
    return {"first frame": frame, "loaded": frame, **keys, "memory MB": memory()}


async def campaign(path: str) -> dict[str, float]:
    """The Dashboard from nothing, then Forces."""
    start = perf_counter()
    from brt_cg.tui.app import BrtApp

    app = BrtApp(Path(path), seat=None)
    async with app.run_test(size=SIZE) as pilot:
        frame = await first_frame(app, start)
        while app.session.seen is None:
            await asyncio.sleep(0.001)
        await drawn(app)
        loaded = perf_counter() - start
        await pilot.press("f")
        await pilot.pause(0.5)
        keys = await presses(app, ["down", "down", "down", "up"])
    return {"first frame": frame, "loaded": loaded, **keys, "memory MB": memory()}


async def first_frame(app: Any, start: float) -> float:
    await drawn(app)
    return perf_counter() - start


async def drawn(app: Any) -> None:
    """Waits until everything that is to be drawn has been drawn."""
    done = asyncio.Event()
    app.screen.call_after_refresh(done.set)
    await done.wait()


async def presses(app: Any, keys: list[str]) -> dict[str, float]:
    """From a key press to the next repaint; every key must change something on the screen."""
    from textual import events

    painted = asyncio.Event()
    display = app._display

    def displayed(*arguments: Any) -> None:
        display(*arguments)
        painted.set()

    app._display = displayed
    times = []
    for number in range(PRESSES):
        start = perf_counter()
        key = keys[number % len(keys)]
        painted.clear()
        app.post_message(events.Key(key, key if len(key) == 1 else None))
        await asyncio.wait_for(painted.wait(), 5)
        times.append(perf_counter() - start)
        await asyncio.sleep(0.02)
    return {"key, median": median(times), "key, 95 %": quantiles(times, n=20)[-1]}


# --- comparing ------------------------------------------------------------------------------------


def in_process(*arguments: str) -> dict[str, float]:
    with TemporaryDirectory() as away:
        run = subprocess.run(
            [sys.executable, __file__, *arguments],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            env=os.environ | {"XDG_STATE_HOME": away, "XDG_CONFIG_HOME": away},
        )
    found: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return found


def make_campaign(path: Path) -> None:
    """A campaign with COUNTERS counters: the demo's, and squads in its Marine Perimeters."""
    from brt_cg.desk import Desk
    from brt_cg.resources import campaigns

    state = json.loads((campaigns() / "demo" / "state.json").read_text("utf-8"))
    tables = ("units", "weapons", "vehicles", "fortifications", "terrain")
    squad = {"side": "marine", "kind": "squad", "type": "6-6-8"}
    for number in range(COUNTERS - sum(len(state[table]) for table in tables)):
        where = f"{'OPQ'[number % 3]}{29 + number % 9}"
        state["units"].append(squad | {"id": f"m-more-{number}", "location": where})
    desk = Desk.create(path, {"cg": "III"})
    asked = {"state": state, "source": "600.json", "missing": None, "side": None}
    desk.command("import", asked)
    desk.close()


def compare() -> None:
    rounds: dict[str, list[dict[str, float]]] = {"empty": [], "campaign": []}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "600.brt"
        make_campaign(path)
        for _ in range(ROUNDS):
            rounds["empty"].append(in_process("empty"))
            rounds["campaign"].append(in_process("campaign", str(path)))
    say(f"{'median of ' + str(ROUNDS):<16}{'empty app':>12}{'brt-cg':>12}{'ratio':>8}")
    for name in rounds["empty"][0]:
        bare, full = (median(one[name] for one in rounds[kind]) for kind in rounds)
        unit, scale = ("", 1) if "MB" in name else (" ms", 1000)
        figures = "".join(f"{figure * scale:>9.1f}{unit:<3}" for figure in (bare, full))
        say(f"{name:<16}{figures}{full / bare:>8.2f}")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> None:
    jobs: dict[str, Callable[..., Any]] = {"empty": empty, "campaign": campaign}
    if len(sys.argv) > 1:
        say(json.dumps(asyncio.run(jobs[sys.argv[1]](*sys.argv[2:]))))
    else:
        compare()


if __name__ == "__main__":
    main()
