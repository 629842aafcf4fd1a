"""What the rules cost: no file, no screen."""

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from brt_cg.desk import Desk
from brt_cg.dice import SeededDice
from brt_cg.forecast.cores import count_runs
from brt_cg.forecast.start import start_of
from brt_cg.journal.book import Book
from brt_cg.refit.play_out import play_out
from tests.benchmarks import campaigns
from tests.benchmarks.figures import Figure, Size, best, computing


def phase_in_memory(size: Size, folder: Path) -> Iterator[Figure]:
    """A Refit Phase of 300 counters, every change recorded and every entry hashed."""
    path = campaigns.at_scenario_end(folder / "300.brt", campaigns.state_of(300))
    entries = Desk.open(path).entries

    def once() -> float:
        book = Book(lambda: campaigns.NOON)
        book.load(entries)
        desk = Desk(path, book)
        campaigns.unwritten(desk)
        return computing(lambda: made.append(campaigns.played_on(desk)))

    made: list[int] = []
    times = [once() for _ in range(size.count(2, 9))]
    label = f"Refit Phase of 300 counters in memory ({made[-1]} entries)"
    yield Figure(label, min(times) * 1000, "ms", 30)


def phases_unrecorded(size: Size, folder: Path) -> Iterator[Figure]:
    """Refit Phases of the demo on copies that nothing is recorded of, as a forecast plays them."""
    desk = Desk.open(campaigns.at_scenario_end(folder / "forecast.brt", campaigns.demo_state()))
    runs = size.count(5, 100)

    def play_all() -> None:
        for seed in range(runs):
            play_out(desk.campaign.clone(), desk.card, SeededDice(seed))

    found = best(play_all, rounds=3)
    yield Figure("Refit Phases a second, unrecorded, demo", runs / found, "/s", 300, at_least=True)


def forecast_on_two_cores(size: Size, folder: Path) -> Iterator[Figure]:
    """A forecast of the demo by one process and by two, their start included."""
    desk = Desk.open(campaigns.at_scenario_end(folder / "cores.brt", campaigns.demo_state()))
    start, runs = desk.tell(start_of, None, "1"), size.count(100, 1000)

    def took(cores: int) -> float:
        begun = perf_counter()
        *_, counted = count_runs(start, runs, cores)
        assert counted.runs == runs
        return perf_counter() - begun

    one, two = took(1), took(2)
    yardstick = f"one core: {runs / one:.0f}/s, two: {runs / two:.0f}/s"
    yield Figure("forecast on two cores, times one", one / two, "×", 1.7, yardstick, at_least=True)
