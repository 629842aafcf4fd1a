"""What the rules cost: no file, no screen."""

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time

from brt_cg.forecast.cores import count_runs
from brt_cg.forecast.runs import Runs
from brt_cg.forecast.start import start_of
from brt_cg.journal.journal import Journal
from brt_cg.service.desk import Desk
from tests.benchmarks import campaigns
from tests.benchmarks.figures import Figure, Size, Took, best, children_computed, computing


def phase_in_memory(size: Size, folder: Path) -> Iterator[Figure]:
    """A Refit Phase of 300 counters, every change recorded and every entry hashed."""
    path = campaigns.at_scenario_end(folder / "300.brt", campaigns.state_of(300))
    entries = Desk.open(path).entries

    def once() -> float:
        journal = Journal(lambda: campaigns.NOON)
        journal.load(entries)
        desk = campaigns.unwritten(Desk(path, journal))
        return computing(lambda: made.append(campaigns.played_on(desk)))

    made: list[int] = []
    times = [once() for _ in range(size.count(2, 9))]
    label = f"Refit Phase of 300 counters in memory ({made[-1]} entries)"
    yield Figure(label, min(times) * 1000, "ms", 35)


def phases_unrecorded(size: Size, folder: Path) -> Iterator[Figure]:
    """Refit Phases of the demo as a forecast plays them, and counts what has become of it."""
    desk = Desk.open(campaigns.at_scenario_end(folder / "forecast.brt", campaigns.demo_state()))
    played, runs = Runs(desk.tell(start_of, None, "1")), size.count(5, 100)
    found = best(lambda: played.play(0, runs), rounds=3)
    yield Figure("Refit Phases a second, unrecorded, demo", runs / found, "/s", 75, at_least=True)


def forecast_on_two_cores(size: Size, folder: Path) -> Iterator[Figure]:
    """A forecast of the demo by one process and by two, their start included: how much sooner it
    is done where each has a core of its own, by what they compute beside one another."""
    desk = Desk.open(campaigns.at_scenario_end(folder / "cores.brt", campaigns.demo_state()))
    start, runs = desk.tell(start_of, None, "1"), size.count(200, 10_000)

    def took(cores: int) -> Took:
        before, begun, own = children_computed(), perf_counter(), process_time()
        *_, counted = count_runs(start, runs, cores)
        assert counted.runs == runs
        clock, here = perf_counter() - begun, process_time() - own
        return Took(clock, here + (children_computed() - before) / cores)

    one, two = took(1), took(2)
    ratio = one.computing / two.computing
    told = f"by the clock {one.clock:.2f} s, {two.clock:.2f} s"
    yield Figure(f"{runs:,} phases on two cores, times one", ratio, "×", 1.7, told, at_least=True)
