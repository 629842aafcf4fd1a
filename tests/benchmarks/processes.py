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
from time import perf_counter, sleep

from brt_cg.questions.dice import RollKey, SeededDice, faces_as_json
from brt_cg.questions.question_types import RollQuestion
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
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
    yield Figure(what, took.median, "s", 1.0, took.told())


# What is typed, and its goal in ms; "{}" is a copy of the campaign, "{new}" a file to be.
COMMANDS: tuple[tuple[tuple[str, ...], int], ...] = (
    (("--version",), 55),
    (("--help",), 55),
    (("status", "{}"), 125),
    (("note", "{}", "seen"), 140),
    (("undo", "{}"), 140),
    (("export", "{}", "roster", "-o", "roster.md", "--force"), 165),
    (("audit", "{}"), 180),
    (("new", "{new}", "--cg", "III"), 350),
)


def commands_cold(size: Size, folder: Path) -> Iterator[Figure]:
    """Commands as players type them, each a process from nothing, in turn with Python alone."""
    path = campaigns.at_scenario_end(folder / "demo.brt", campaigns.demo_state())
    process(brt("refit", path, "--auto", "--seed", 1, "--through", "15.6032"), folder)
    process(brt("refit", path), folder, allowed=(0, 3))
    bare = [sys.executable, "-c", "pass"]
    rounds = size.count(3, 15)
    for words, goal in (*COMMANDS, (("answer", "{}", _usual(path)), 140)):

        def once(words: tuple[str, ...] = words) -> float:
            copy = campaigns.copied(path, f"{words[0]}.brt")  # one that no other command changed
            files = {"{}": copy, "{new}": _free(folder / "new.brt")}
            line = [files.get(word, word) for word in words]
            return process(brt(*line), folder, allowed=(0, 3)).computing

        took, alone = in_turn(rounds, once, lambda: process(bare, folder).computing)
        told = f"{took.told()}; python alone {alone.told()}"
        what = f"{words[0]}, cold process, demo"
        yield Figure(what, took.median * 1000, "ms", goal, told)


def _free(path: Path) -> Path:
    path.unlink(missing_ok=True)
    return path


def _usual(path: Path) -> str:
    """What usually answers the question that is open, as it is typed."""
    ask = unrestricted_campaign(OpenCampaign.open(path)).open_question()
    assert ask is not None, "a question is open"
    if not isinstance(ask, RollQuestion):
        return json.dumps(ask.default)
    key = RollKey("", ask.rule, ask.subject, 0)
    return json.dumps(faces_as_json(SeededDice(1).roll(ask.table.dice, key)))


EMPTY = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("Total")
Empty().run()
"""
INSTALLED = Path(sys.executable).with_name("brt-cg")
SHOWN = b"Total"  # the Dashboard says it of each side's forces, once they are counted
SEEN = 0.3  # seconds until a player who sees the choice answers it; sooner would be ignored
ASKED, SEAT = b"sees everything", b"u"  # the umpire, who has most to look at


def dashboard(size: Size, folder: Path) -> Iterator[Figure]:
    """From the start of the process, over the choice of a seat, to the words on the terminal, in
    turn with an empty app."""
    path = campaigns.at_scenario_end(folder / "600.brt", campaigns.state_of(600))
    full, bare = in_turn(
        size.count(3, 11),
        lambda: until_shown([str(INSTALLED), "open", str(path)], folder, ASKED).computing,
        lambda: until_shown([sys.executable, "-c", EMPTY], folder).computing,
    )
    told = f"{full.told()}; an empty Textual app {bare.told()}"
    what = "brt-cg open, 600 counters, to the Dashboard"
    yield Figure(what, full.median / bare.median, "×", 1.85, told)


def until_shown(words: list[str], home: Path, asked: bytes = b"", limit: float = 30) -> Took:
    """What a program takes, as a process in a terminal, to show the words; it may have asked for
    the seat before. Then it dies."""
    before, start = children_computed(), perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(CHECKOUT)
        os.execvpe(words[0], words, environment(home))
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    try:
        if asked:
            _read_until(terminal, asked, limit)
            sleep(SEEN)
            os.write(terminal, SEAT)
        _read_until(terminal, SHOWN, limit)
        clock = perf_counter() - start
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
    return Took(children_computed() - before, clock)


def _read_until(terminal: int, words: bytes, limit: float) -> None:
    shown = b""
    while words not in shown:
        ready, _, _ = select.select([terminal], [], [], limit)
        if not ready:
            raise TimeoutError(f"{words!r} is not shown after {limit} s")
        shown += os.read(terminal, 65536)
