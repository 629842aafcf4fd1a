"""What a player waits for who starts the program: whole processes, from nothing."""

import os
import pty
import select
import signal
import struct
import sys
import termios
from collections.abc import Iterator
from fcntl import ioctl
from pathlib import Path
from time import perf_counter

from tests.benchmarks import campaigns
from tests.benchmarks.figures import (
    CHECKOUT,
    Figure,
    Size,
    Took,
    brt,
    children_computed,
    environment,
    middle,
    process,
    quickest,
)


def refit_whole(size: Size, folder: Path) -> Iterator[Figure]:
    path = campaigns.at_scenario_end(folder / "demo.brt", campaigns.demo_state())
    times = []
    for number in range(size.count(2, 5)):
        copy = campaigns.copied(path, f"{number}.brt")
        times.append(process(brt("refit", copy, "--auto", "--seed", number), folder))
    took = min(times)
    yield Figure("refit --auto of the demo, whole process", took.clock, "s", 1.0, took.told)


def status_cold(size: Size, folder: Path) -> Iterator[Figure]:
    path = campaigns.at_scenario_end(folder / "demo.brt", campaigns.demo_state())
    bare = quickest([sys.executable, "-c", "pass"], folder, size.count(3, 15))
    took = quickest(brt("status", path), folder, size.count(5, 25))
    told = f"{took.told}; python alone {bare.clock * 1000:.0f} ms"
    yield Figure("status of the demo, cold process", took.clock * 1000, "ms", 150, told)


EMPTY = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("Total")
Empty().run()
"""
LOADED = """
import gc, sys
from pathlib import Path
gc.disable()  # much as the command line does, which would ask for the seat
from brt_cg.tui.app import BrtApp
gc.enable(); gc.freeze(); gc.set_threshold(100_000)
BrtApp(Path(sys.argv[1]), seat=None).run()
"""
SHOWN = b"Total"  # the Dashboard says it of each side's forces, once they are counted


def dashboard(size: Size, folder: Path) -> Iterator[Figure]:
    """From the start of the process to the words on the terminal, in turn with an empty app."""
    path = campaigns.at_scenario_end(folder / "600.brt", campaigns.state_of(600))
    empty: list[Took] = []
    loaded: list[Took] = []
    for _ in range(size.count(3, 11)):
        empty.append(until_shown([sys.executable, "-c", EMPTY], folder))
        loaded.append(until_shown([sys.executable, "-c", LOADED, str(path)], folder))
    bare, full = (Took(*map(middle, zip(*runs, strict=True))) for runs in (empty, loaded))
    told = f"{full.told}; an empty Textual app {bare.told}"
    ratio = full.clock / bare.clock
    yield Figure("loaded Dashboard, 600 counters, in a terminal", ratio, "×", 1.5, told)


def until_shown(words: list[str], home: Path, limit: float = 30) -> Took:
    """What a program takes, as a process in a terminal, to show the words. Then it dies."""
    before, start = children_computed(), perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(CHECKOUT)
        os.execvpe(words[0], words, environment(home))
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    shown = b""
    try:
        while SHOWN not in shown:
            ready, _, _ = select.select([terminal], [], [], limit)
            if not ready:
                raise TimeoutError(f"{SHOWN!r} is not shown after {limit} s")
            shown += os.read(terminal, 65536)
        clock = perf_counter() - start
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
    return Took(clock, children_computed() - before)
