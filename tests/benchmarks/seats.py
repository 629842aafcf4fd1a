"""What seats in browsers cost: how soon an answer is on the others' screens, the memory of each,
and how long a first visit waits by a slow link."""

import asyncio
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from brt_cg.service import demo
from tests.benchmarks.figures import Clock, Figure, Size
from tests.web import browsing, load
from tests.web.serving import screens_of, served


def many(size: Size, folder: Path) -> Iterator[Figure]:
    """20 campaigns in files, each with ten screens."""
    campaigns, seats = size.count(2, 20), size.count(4, 10)
    files = []
    for number in range(campaigns):
        (own := folder / f"{number}").mkdir()
        demo.create_demo(own)
        files.append(own / demo.NAME)
    took, memory = asyncio.run(_played(files, seats, size.count(6, 60)))
    told = f"{campaigns * seats} open, of {campaigns} campaigns; on all others of the campaign"
    heard = load.late(took) * 1000
    what = "seats: an answer heard, 95th percentile"
    yield Figure(what, heard, "ms", size.goal(300), told, clock=Clock.WALL)
    largest, budget = max(memory), load.SEAT_BUDGET
    yield Figure("seats: memory of the largest", largest, "MB", budget, clock=Clock.NONE)


async def _played(files: list[Path], seats: int, answers: int) -> tuple[list[float], list[float]]:
    async with load.at_the_first_question(files, seats, files[0].parent) as tables:
        await asyncio.sleep(load.PAUSE)
        took = await load.heard(tables, answers)
        return took, [load.memory_of(one) for file in files for one in screens_of(file)]


def by_a_slow_link(size: Size, folder: Path) -> Iterator[Figure]:
    """The first screen at 1 Mbit/s; nothing where there is no browser."""
    if find_spec("playwright") is None or browsing.CHROMIUM is None:
        return
    with served(demo.create_demo(folder), home=folder) as addresses, browsing.chromium() as browser:
        took = [
            browsing.painted_after(browser, addresses["marine"]) for _ in range(size.count(1, 5))
        ]
    told = "in a Chromium that has kept nothing"
    yield Figure("seats: first screen at 1 Mbit/s", min(took), "s", 6.0, told, clock=Clock.WALL)
