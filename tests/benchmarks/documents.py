"""What a player waits for who prints a roster: whole processes, from nothing."""

from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks import campaigns
from tests.benchmarks.figures import Figure, Size, brt, process, processes

GOALS = {"html": 0.3, "xlsx": 1.0, "pdf": 0.5}  # seconds


def exports(size: Size, folder: Path) -> Iterator[Figure]:
    path = campaigns.at_scenario_end(folder / "600.brt", campaigns.state_of(600))
    process(brt("refit", path, "--auto", "--seed", 1), folder)
    for format, goal in GOALS.items():
        words = brt("export", path, "roster", "--format", format, "-o", folder / f"roster.{format}")
        took = processes(words, folder, size.count(2, 7))
        what = f"roster of 600 counters as {format}, cold process"
        yield Figure(what, took.median, "s", goal, took.told())
