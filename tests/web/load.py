"""Many seats at once, without browsers: how soon the others hear of an answer, and what a seat's
process needs."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import perf_counter

import aiohttp

from brt_cg.web import SEATS
from tests.web.serving import served
from tests.web.tabs import Tab
from tests.web.test_doors import cookie

PATIENCE = 60.0  # seconds for a screen on a machine that is starting many
PAUSE = 1.0  # seconds between two answers, whoever gives them
ANSWERED, TAKEN_BACK = "warning", "Melee round 1"  # what a screen shows of the demo's first two


class Watched(Tab):
    """A tab that reads all the time, and knows when words came."""

    def begin(self) -> None:
        self.news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while await self.hear():
            self.news.set()

    async def shows(self, words: str, seconds: float = PATIENCE) -> float:
        """Waits until words have come since `forget`; the moment at which they had."""
        async with asyncio.timeout(seconds):
            while words not in self.text():
                self.news.clear()
                await self.news.wait()
        return perf_counter()

    def forget(self) -> None:
        self.came = b""

    async def press(self, key: str) -> None:
        await self.send("stdin", key)


@asynccontextmanager
async def at_the_first_question(
    files: Sequence[Path], seats: int
) -> AsyncIterator[list[list[Watched]]]:
    """Serves campaigns that are copies of the demo, each with so many screens open, all at the
    first question of the Refit Phase; the first of each is the umpire's."""
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(aiohttp.ClientSession())
        tables = []
        for file in files:
            addresses = stack.enter_context(served(file))
            table = []
            for number in range(seats):
                seat = SEATS[number % len(SEATS)]
                mine = cookie(addresses[seat])
                tab = Watched(addresses[seat], session, mine, seat, f"{number:016x}")
                await tab.open("width=120&height=40")
                tab.begin()
                table.append(tab)
            for tab in table:
                await tab.shows("Demo: Betio")
            tables.append(table)
        for table in tables:
            for tab in table:
                await tab.press("r")
                await tab.shows("Begin 15.601")
            await table[0].press("\r")
            for tab in table:
                await tab.shows("Melee round 1")
        yield tables


async def heard(tables: Sequence[Sequence[Watched]], answers: int) -> list[float]:
    """Gives answers, each time at another table, and takes them back; how long it took, in seconds,
    until each of the other screens showed it."""
    took = []
    for number in range(answers):
        table = tables[number % len(tables)]
        answers_now = number // len(tables) % 2 == 0
        for tab in table:
            tab.forget()
        began = perf_counter()
        await table[0].press("\r" if answers_now else "u")
        words = ANSWERED if answers_now else TAKEN_BACK
        took += [await tab.shows(words) - began for tab in table[1:]]
        await asyncio.sleep(PAUSE)
    return took


def late(seconds: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(seconds)[int(len(seconds) * 0.95)]


def memory_of(process: int) -> float:
    """What a process has for itself alone, and its share of what it shares, in MB."""
    told = Path(f"/proc/{process}/smaps_rollup").read_text()
    return (
        next(int(line.split()[1]) for line in told.splitlines() if line.startswith("Pss:")) / 1024
    )
