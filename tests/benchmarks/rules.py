"""What the rules cost: no file, no screen."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from brt_cg.forecast.parallel_runs import play_and_count_runs
from brt_cg.forecast.runs import Runs
from brt_cg.forecast.start import ForecastStart, start_from_open_campaign
from brt_cg.journal.journal import Journal
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.benchmarks import campaigns
from tests.benchmarks.figures import Clock, Figure, Size, Times, best, computing, in_turn


def phase_in_memory(size: Size, folder: Path) -> Iterator[Figure]:
    """A Refit Phase of 300 counters, every change recorded and every entry hashed."""
    path = campaigns.at_scenario_end(folder / "300.brt", campaigns.state_of(300))
    entries = unrestricted_campaign(OpenCampaign.open(path)).entries

    def once() -> float:
        journal = Journal(lambda: campaigns.NOON)
        journal.load(entries)
        desk = campaigns.unwritten(OpenCampaign(path, journal))
        return computing(lambda: made.append(campaigns.played_on(desk)))

    made: list[int] = []
    took = Times.of(once() for _ in range(size.count(3, 9)))
    label = f"Refit Phase of 300 counters in memory ({made[-1]} entries)"
    yield Figure(label, took.median * 1000, "ms", 35, took.told())


def phases_unrecorded(size: Size, folder: Path) -> Iterator[Figure]:
    """Refit Phases of the demo as a forecast plays them, and counts what has become of it."""
    played, runs = Runs(_demo_start(folder)), size.count(20, 100)
    took = best(lambda: played.play(0, runs), rounds=3)
    each = took.told(1000 / runs, "ms each")
    what = "Refit Phases a second, unrecorded, demo"
    yield Figure(what, runs / took.median, "/s", 75, each, at_least=True)


def _demo_start(folder: Path) -> ForecastStart:
    desk = OpenCampaign.open(
        campaigns.at_scenario_end(folder / "forecast.brt", campaigns.demo_state())
    )
    return start_from_open_campaign(desk, "1")


SPIN = "for _ in range({}): pass"
SPUN = 20_000_000


def forecast_on_two_cores(size: Size, folder: Path) -> Iterator[Figure]:
    """A forecast of the demo by one process and by two, their start included, by the clock on the
    wall: how much sooner it is done, as a share of what two bare loops gain on this machine just
    then. And how long a player waits for a thousand runs, and for the first bars."""
    start, runs = _demo_start(folder), size.count(200, 1000)
    gained, least = in_turn(
        size.count(1, 3),
        lambda: _waited(start, runs, 1)[0] / _waited(start, runs, 2)[0],
        lambda: _spun(1) / _spun(2),
    )
    told = f"{gained.median:.2f} × sooner; two bare loops {least.median:.2f} ×"
    what = f"{runs:,} phases on two cores, share of what there is"
    share = gained.median / least.median
    yield Figure(what, share, "", 0.85, told, at_least=True, clock=Clock.WALL)
    waited = [_waited(start, runs, 2) for _ in range(size.count(1, 3))]
    whole, first = (Times.of(times) for times in zip(*waited, strict=True))
    goal = size.goal(8)  # of few runs much is the start of the processes
    what = f"forecast of {runs:,} phases on two cores"
    yield Figure(what, whole.median, "s", goal, whole.told(1, "s"), clock=Clock.WALL)
    yield Figure("  its first bars", first.median, "s", 1, first.told(1, "s"), clock=Clock.WALL)


def _waited(start: ForecastStart, runs: int, cores: int) -> tuple[float, float]:
    """Until all runs are played, and until the first are."""
    begun, first = perf_counter(), 0.0
    counts = []
    for counted in play_and_count_runs(start, runs, cores):
        first = first or perf_counter() - begun
        counts.append(counted.runs)
    assert counts[-1] == runs
    return perf_counter() - begun, first


def _spun(cores: int) -> float:
    """The same work in so many processes that share it."""
    words = [sys.executable, "-c", SPIN.format(SPUN // cores)]
    begun = perf_counter()
    loops = [subprocess.Popen(words) for _ in range(cores)]
    for loop in loops:
        loop.wait()
    return perf_counter() - begun
