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
from tests.benchmarks.figures import CHECKOUT, Figure, Size, brt, environment, middle, process


def refit_whole(size: Size, folder: Path) -> Iterator[Figure]:
    path = campaigns.at_scenario_end(folder / "demo.brt", campaigns.demo_state())
    times = []
    for number in range(size.count(2, 5)):
        copy = campaigns.copied(path, f"{number}.brt")
        times.append(process(brt("refit", copy, "--auto", "--seed", number), folder))
    yield Figure("refit --auto of the demo, whole process", min(times), "s", 1.0)


def status_cold(size: Size, folder: Path) -> Iterator[Figure]:
    path = campaigns.at_scenario_end(folder / "demo.brt", campaigns.demo_state())
    rounds = range(size.count(3, 15))
    bare = [process([sys.executable, "-c", "pass"], folder) for _ in rounds]
    times = [process(brt("status", path), folder) for _ in rounds]
    told = f"python alone {min(bare) * 1000:.0f} ms"
    yield Figure("status of the demo, cold process", min(times) * 1000, "ms", 120, told)


EMPTY = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("Together")
Empty().run()
"""
LOADED = """
import sys
from pathlib import Path
from brt_cg.tui.app import BrtApp
BrtApp(Path(sys.argv[1]), seat=None).run()
"""
SHOWN = b"Together"  # the Dashboard says it of each side's forces, once they are counted


def dashboard(size: Size, folder: Path) -> Iterator[Figure]:
    """From the start of the process to the words on the terminal, in turn with an empty app."""
    path = campaigns.at_scenario_end(folder / "600.brt", campaigns.state_of(600))
    empty: list[float] = []
    loaded: list[float] = []
    for _ in range(size.count(3, 11)):
        empty.append(until_shown([sys.executable, "-c", EMPTY], folder))
        loaded.append(until_shown([sys.executable, "-c", LOADED, str(path)], folder))
    bare, full = middle(empty), middle(loaded)
    told = f"{full * 1000:.0f} ms, an empty Textual app {bare * 1000:.0f} ms"
    yield Figure("loaded Dashboard, 600 counters, in a terminal", full / bare, "×", 1.35, told)


def until_shown(words: list[str], home: Path, limit: float = 30) -> float:
    """How long a program takes, as a process in a terminal, to show the words. Then it dies."""
    start = perf_counter()
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
        return perf_counter() - start
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
