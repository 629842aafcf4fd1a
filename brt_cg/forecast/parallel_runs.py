"""The runs of a forecast divided among processes, one for each core.

The processes are started by name and use pipes. This works on every system, even under a screen
that owns the terminal, where a pool of `concurrent.futures` cannot start a process because
Textual's stderr has no file. A process can also be stopped immediately, not only after its part.
The sum is the same for any number of processes.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from itertools import starmap
from pathlib import Path
from threading import local

import brt_cg
from brt_cg.forecast import MOST
from brt_cg.forecast.outcomes import Forecast, build_forecast
from brt_cg.forecast.runs import RunCounts, Runs
from brt_cg.forecast.start import ForecastStart
from brt_cg.forecast.worker import REFUSED
from brt_cg.questions import BLOCK, RefusedError

SHARE = BLOCK  # runs that a process plays per report
FIRST = BLOCK // 3  # of the first reports, so that something is shown soon
FEW = 40  # too few runs to be worth starting a process

Part = tuple[int, int]  # the first run, and how many


def play_and_count_runs(
    start: ForecastStart, runs: int, cores: int | None = None
) -> Iterator[RunCounts]:
    """Play runs, yielding the sum so far after each part, in order; closing the generator stops the
    runs. Raises RefusedError."""
    parts = [*_parts(runs)]
    if runs > FEW:
        played = _in_processes(start, parts, min(cores or core_count(), len(parts)))
    else:
        played = starmap(Runs(start).play, parts)
    counted = RunCounts()
    for tally in played:
        counted.add(tally)
        yield counted


def _parts(runs: int) -> Iterator[Part]:
    first = 0
    while first < runs:
        count = min(FIRST if first < BLOCK else SHARE, runs - first)
        yield first, count
        first += count


def core_count() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _in_processes(start: ForecastStart, parts: list[Part], cores: int) -> Iterator[RunCounts]:
    """Play parts in processes, each with a thread that gives the process one part after another. If
    a process is killed from outside, play its part here."""
    processes: list[subprocess.Popen[str]] = []
    mine = local()

    def begin() -> None:
        mine.process = _process()
        processes.append(mine.process)
        _tell(mine.process, json.dumps(asdict(start)))

    def play(part: Part) -> RunCounts | None:
        return _played_by(mine.process, part)

    threads = ThreadPoolExecutor(cores, initializer=begin)
    try:
        futures = [threads.submit(play, part) for part in parts]
        for part, future in zip(parts, futures, strict=True):
            yield future.result() or Runs(start).play(*part)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
        threads.shutdown()
        for process in processes:
            with suppress(OSError), process:
                pass


def _process() -> subprocess.Popen[str]:
    """Start a process in its own group, so that Ctrl+C at the terminal reaches only this one."""
    source = str(Path(brt_cg.__file__).parents[1])
    path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH", ""))))
    flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    return subprocess.Popen(
        [sys.executable, "-m", "brt_cg.forecast.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
        encoding="utf-8",
        creationflags=flags,
        start_new_session=os.name == "posix",
    )


def _played_by(process: subprocess.Popen[str], part: Part) -> RunCounts | None:
    """Return the counts of a part; None if the process was killed. Raises RefusedError."""
    assert process.stdout is not None
    _tell(process, f"{part[0]} {part[1]}")
    line = process.stdout.readline()
    if line.startswith(REFUSED):
        raise RefusedError(json.loads(line.removeprefix(REFUSED)))
    return RunCounts.from_hex(line) if line.endswith("\n") else None


def _tell(process: subprocess.Popen[str], line: str) -> None:
    """Send a line, if the process is still running."""
    assert process.stdin is not None
    with suppress(OSError, ValueError):
        process.stdin.write(line + "\n")
        process.stdin.flush()


# --- a forecast that stops by itself --------------------------------------------------------------

CLOSE = 0.02  # the possible error of a chance that is shown
EACH = 4 * BLOCK  # runs after which it is looked at again, so that it ends alike on any machine


def play_runs_until_precise(start: ForecastStart, most: int = MOST) -> Iterator[RunCounts]:
    """Play runs, yielding the sum so far after each part, until each chance is settled, or `most`
    are played. Closing the generator stops it. Raises RefusedError."""
    for counted in play_and_count_runs(start, most):
        yield counted
        if counted.runs % EACH == 0 and is_precise_enough(build_forecast(start, None, counted)):
            return


def is_precise_enough(found: Forecast) -> bool:
    """Whether every chance is exact, or known to within two percent."""
    return all(
        max(chance.high - chance.chance, chance.chance - chance.low) <= CLOSE
        for chances in found.counters.values()
        for chance in chances
    )
