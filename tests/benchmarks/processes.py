"""What a player waits for who starts the program: whole processes, from nothing."""

import json
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

from brt_cg.questions.asks import Roll
from brt_cg.questions.dice import RollKey, SeededDice, raw_faces
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole
from tests.benchmarks import campaigns
from tests.benchmarks.figures import (
    CHECKOUT,
    Figure,
    Size,
    Times,
    Took,
    brt,
    children_computed,
    environment,
    in_turn,
    process,
)


def refit_whole(size: Size, folder: Path) -> Iterator[Figure]:
    path = campaigns.at_scenario_end(folder / "demo.brt", campaigns.demo_state())
    copies = [campaigns.copied(path, f"{number}.brt") for number in range(size.count(2, 5))]
    took = Times.of(
        process(brt("refit", copy, "--auto", "--seed", number), folder).computing
        for number, copy in enumerate(copies)
    )
    what = "refit --auto of the demo, stored, whole process"
    yield Figure(what, took.least, "s", 1.0, took.told())


def commands_cold(size: Size, folder: Path) -> Iterator[Figure]:
    """`status`, and commands that write one entry, each as a process from nothing, in turn with
    Python alone."""
    path = campaigns.at_scenario_end(folder / "demo.brt", campaigns.demo_state())
    process(brt("refit", path, "--auto", "--seed", 1, "--through", "15.6032"), folder)
    process(brt("refit", path), folder, allowed=(0, 3))
    bare = [sys.executable, "-c", "pass"]
    rounds = size.count(3, 15)
    for words, goal in (
        (("status",), 150),
        (("note", "seen"), 300),
        (("answer", _usual(path)), 300),
        (("undo",), 300),
    ):

        def once(words: tuple[str, ...] = words) -> float:
            copy = campaigns.copied(path, "copy.brt")
            return process(brt(words[0], copy, *words[1:]), folder, allowed=(0, 3)).computing

        took, alone = in_turn(rounds, once, lambda: process(bare, folder).computing)
        told = f"{took.told()}; python alone {alone.told()}"
        yield Figure(f"{words[0]} of the demo, cold process", took.least * 1000, "ms", goal, told)


def _usual(path: Path) -> str:
    """What usually answers the question that is open, as it is typed."""
    ask = whole(Desk.open(path)).open_ask()
    assert ask is not None, "a question is open"
    if not isinstance(ask, Roll):
        return json.dumps(ask.default)
    key = RollKey("", ask.rule, ask.subject, 0)
    return json.dumps(raw_faces(SeededDice(1).roll(ask.table.dice, key)))


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
    full, bare = in_turn(
        size.count(3, 11),
        lambda: until_shown([sys.executable, "-c", LOADED, str(path)], folder).computing,
        lambda: until_shown([sys.executable, "-c", EMPTY], folder).computing,
    )
    told = f"{full.told()}; an empty Textual app {bare.told()}"
    what = "loaded Dashboard, 600 counters, in a terminal"
    yield Figure(what, full.median / bare.median, "×", 1.5, told)


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
    return Took(children_computed() - before, clock)
