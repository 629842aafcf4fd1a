"""A figure of the benchmark's table: what was measured, its yardstick of the same run, its goal."""

import gc
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple

from tests.homes import homes

CHECKOUT: Final = Path(__file__).parents[2]


class Clock(StrEnum):
    """What a figure was taken by. Processor time is what something costs, whatever else the machine
    does; the clock on the wall tells only where waiting is the point."""

    CPU = "cpu"
    WALL = "wall"
    NONE = ""  # memory, and the like


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. `value` meets its goal if it is at most, or at least, `limit`; a
    figure without a goal has None."""

    what: str
    value: float
    unit: str
    limit: float | None
    yardstick: str = ""
    at_least: bool = False
    clock: Clock = Clock.CPU

    @property
    def met(self) -> bool:
        if self.limit is None:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def line(self) -> str:
        goal = "" if self.limit is None else f"{'≥' if self.at_least else '≤'} {shown(self.limit)}"
        found = f"{shown(self.value):>8} {self.unit:<3} {self.clock:<5}{goal:>8}"
        return f"{self.what:<54}{found}  {'' if self.met else 'MISSED':<7}{self.yardstick}".rstrip()


def shown(value: float) -> str:
    """A number with three figures."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: the issue's own figures, or a small share of them."""

    quick: bool

    def count(self, quick: int, whole: int) -> int:
        return quick if self.quick else whole

    def goal(self, goal: float) -> float | None:
        """The goal of a figure that says something else of a smaller share: none then."""
        return None if self.quick else goal


Benchmark = Callable[[Size, Path], Iterator[Figure]]


class Times(NamedTuple):
    """What several rounds took, in seconds: the least, which was disturbed least, and the
    median."""

    least: float
    median: float

    @classmethod
    def of(cls, found: Iterable[float]) -> "Times":
        found = list(found)
        return cls(min(found), median(found))

    def told(self, unit: float = 1000, name: str = "ms") -> str:
        return f"min {shown(self.least * unit)}, median {shown(self.median * unit)} {name}"


def computing(work: Callable[[], object]) -> float:
    """How long the processor works at something, in seconds."""
    gc.collect()
    start = process_time()
    work()
    return process_time() - start


def best(work: Callable[[], object], rounds: int = 5) -> Times:
    """What the processor works at it in several rounds."""
    return Times.of(computing(work) for _ in range(rounds))


def middle(times: list[float]) -> float:
    return median(times)


def in_turn(
    rounds: int, subject: Callable[[], float], yardstick: Callable[[], float]
) -> tuple[Times, Times]:
    """What both take when they are measured in turn, so that they meet the same machine."""
    pairs = [(yardstick(), subject()) for _ in range(rounds)]
    return Times.of(took for _, took in pairs), Times.of(took for took, _ in pairs)


class Took(NamedTuple):
    """What a process took, in seconds: of the processor, and by the clock."""

    computing: float
    clock: float


def process(words: list[str], cwd: Path, allowed: Collection[int] = (0,)) -> Took:
    """What a process takes, from its start to its end. Raises CalledProcessError if it ends with
    another status than is allowed."""
    before, start = children_computed(), perf_counter()
    done = subprocess.run(words, cwd=cwd, capture_output=True, env=environment(cwd))
    if done.returncode not in allowed:
        raise subprocess.CalledProcessError(done.returncode, words, done.stdout, done.stderr)
    return Took(children_computed() - before, perf_counter() - start)


def processes(words: list[str], cwd: Path, rounds: int) -> Times:
    """What the processor works at a process, in several rounds."""
    return Times.of(process(words, cwd).computing for _ in range(rounds))


def children_computed() -> float:
    """The processor's time of all processes that have been started, and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def environment(home: Path) -> dict[str, str]:
    """The environment of a process: this checkout, python's caches, and a home of its own."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return kept | homes(home) | {"PYTHONPATH": str(CHECKOUT), "TERM": "xterm-256color"}


def brt(*words: object) -> list[str]:
    """The words of a command line of the program."""
    return [sys.executable, "-m", "brt_cg", *map(str, words)]


def most_memory() -> float:
    """The most memory that this process has used, in MB. Linux tells it of this program alone;
    getrusage would tell that of its parent too."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+([0-9]+)", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else 0.0
