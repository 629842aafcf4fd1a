"""Divides the runs of a forecast among processes, one for each core.

They are started by name and use pipes, so that it works on every system, and beneath a screen that
owns the terminal. The sum is the same for any number of processes.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread

import brt_cg
from brt_cg.answers import Refused
from brt_cg.forecast.runs import Runs
from brt_cg.forecast.start import Start
from brt_cg.forecast.tally import Counted
from brt_cg.forecast.worker import REFUSED

SHARE = 20  # runs that a process plays per report
FEW = 40  # too few runs to be worth starting a process

Part = tuple[int, int]  # the first run, and how many


def count_runs(start: Start, runs: int, cores: int | None = None) -> Iterator[Counted]:
    """Plays runs, yielding the sum so far after each part; closing the generator stops it. Raises
    Refused."""
    cores = cores or len_of_cores()
    parts = [(first, min(SHARE, runs - first)) for first in range(0, runs, SHARE)]
    counted = Counted()
    for tally in _alone(start, parts) if runs <= FEW else _Processes(start, parts, cores).results():
        counted.add(tally)
        yield counted


def len_of_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _alone(start: Start, parts: list[Part]) -> Iterator[Counted]:
    runs = Runs(start)
    for part in parts:
        yield runs.play(*part)


class _Processes:
    """Processes that play runs, each with a thread that gives it one part after another."""

    def __init__(self, start: Start, parts: list[Part], cores: int) -> None:
        self.start, self.parts = start, parts
        self.cores = min(cores, len(parts))
        self._ahead = iter(parts)
        self._lock = Lock()
        self._done: SimpleQueue[str | Part] = SimpleQueue()
        self._processes: list[tuple[subprocess.Popen[str], Thread]] = []

    def results(self) -> Iterator[Counted]:
        """The counts of each part, as they are finished."""
        runs = None
        try:
            for _ in range(self.cores):
                process = _process()
                thread = Thread(target=self._feed, args=(process,), daemon=True)
                self._processes.append((process, thread))
                thread.start()
            for _ in self.parts:
                done = self._done.get()
                if isinstance(done, str) and done.startswith(REFUSED):
                    raise Refused(json.loads(done.removeprefix(REFUSED)))
                if isinstance(done, str):
                    yield Counted.from_text(done)
                else:  # a process killed by others: its part is played here
                    runs = runs or Runs(self.start)
                    yield runs.play(*done)
        finally:
            self._end()

    def _end(self) -> None:
        with self._lock:
            self._ahead = iter(())
        for process, thread in self._processes:
            process.kill()
            process.wait()
            thread.join()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()

    def _feed(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        lost = not _write(process, json.dumps(asdict(self.start)))
        while (part := self._next()) is not None:
            lost = lost or not _write(process, f"{part[0]} {part[1]}")
            line = "" if lost else process.stdout.readline()
            lost = lost or not line.endswith("\n")
            self._done.put(part if lost else line.rstrip("\n"))

    def _next(self) -> Part | None:
        with self._lock:
            return next(self._ahead, None)


def _process() -> subprocess.Popen[str]:
    """Starts a process in its own group, so that Ctrl+C at the terminal reaches only this one."""
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


def _write(process: subprocess.Popen[str], line: str) -> bool:
    assert process.stdin is not None
    try:
        process.stdin.write(line + "\n")
        process.stdin.flush()
    except (OSError, ValueError):
        return False
    return True
