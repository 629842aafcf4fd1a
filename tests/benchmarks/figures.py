"""A figure of the benchmark's table: what was measured, its yardstick of the same run, its goal."""

import gc
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple

CHECKOUT: Final = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. `value` meets its goal if it is at most, or at least, `limit`."""

    what: str
    value: float
    unit: str
    limit: float
    yardstick: str = ""
    at_least: bool = False

    @property
    def met(self) -> bool:
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def line(self) -> str:
        sign = "≥" if self.at_least else "≤"
        found, goal = shown(self.value), f"{sign} {shown(self.limit)} {self.unit}"
        mark = "" if self.met else "MISSED"
        told = f"{self.what:<52}{found:>9} {self.unit:<5}{goal:>14}  {mark:<7}{self.yardstick}"
        return told.rstrip()


def shown(value: float) -> str:
    """A number with three figures."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: the issue's own figures, or a small share of them."""

    quick: bool

    def count(self, quick: int, whole: int) -> int:
        return quick if self.quick else whole


Benchmark = Callable[[Size, Path], Iterator[Figure]]


def computing(work: Callable[[], object]) -> float:
    """How long the processor works at something that waits for nothing, in seconds: what else the
    machine does meanwhile does not count."""
    gc.collect()
    start = process_time()
    work()
    return process_time() - start


def best(work: Callable[[], object], rounds: int = 5) -> float:
    """The shortest of several such times."""
    return min(computing(work) for _ in range(rounds))


def middle(times: list[float]) -> float:
    return median(times)


class Took(NamedTuple):
    """What a process took, in seconds: by the clock, and of the processor, which waits for nothing
    that else happens on the machine."""

    clock: float
    computing: float

    @property
    def told(self) -> str:
        return f"{self.clock * 1000:.0f} ms, computing {self.computing * 1000:.0f}"


def process(words: list[str], cwd: Path) -> Took:
    """What a process takes, from its start to its end. Raises CalledProcessError."""
    before, start = children_computed(), perf_counter()
    subprocess.run(words, cwd=cwd, check=True, capture_output=True, env=environment(cwd))
    return Took(perf_counter() - start, children_computed() - before)


def quickest(words: list[str], cwd: Path, rounds: int) -> Took:
    """The least of each that it takes in so many rounds."""
    took = [process(words, cwd) for _ in range(rounds)]
    return Took(min(run.clock for run in took), min(run.computing for run in took))


def children_computed() -> float:
    """The processor's time of all processes that have been started, and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def environment(home: Path) -> dict[str, str]:
    """The environment of a process: this checkout, python's caches, and a home of its own."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    homes = {f"XDG_{kind}_HOME": str(home) for kind in ("CACHE", "CONFIG", "DATA", "STATE")}
    return kept | homes | {"PYTHONPATH": str(CHECKOUT), "TERM": "xterm-256color"}


def brt(*words: object) -> list[str]:
    """The words of a command line of the program."""
    return [sys.executable, "-m", "brt_cg", *map(str, words)]
