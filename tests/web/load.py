"""Many seats at once, without browsers: how soon the others hear of an answer, and what a seat's
process needs."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from time import monotonic, perf_counter

import aiohttp

from brt_cg.web import SEATS
from tests.web.serving import at_its_first_question, served
from tests.web.tabs import PATIENCE, Tab, Words
from tests.web.test_doors import cookie

SEAT_BUDGET = 128.0  # MB that a player's screen may need
# MB that a screen may need whatever it is sent: half as much again as the 140 that one holds after
# 1,700 random frames at 600 counters, in windows of all sizes. (In one size it holds 110 after
# 6,500 keys, a bare list of 600 rows 27.) The system refuses the driver more than MOST_MEMORY.
STORM_BUDGET = 210.0
WIDE = (0, 40, 80, 120, 200, 100_000)
PAUSE = 1.0  # seconds between two answers, whoever gives them
BEGUN, TAKEN_BACK = "Melee round 1", "Begin 15.601"  # what a screen shows of the first paragraph


class Watched(Tab):
    """A tab that reads all the time, and knows when words came."""

    def _begin(self) -> None:
        self.news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while await self.hear():
            self.news.set()

    async def open(self, size: str = "width=80&height=24") -> None:
        await super().open(size)
        self.forget()
        self._begin()

    async def leave(self) -> None:
        """Closes the page."""
        if self.is_open:
            self._reading.cancel()
            await self.socket.close()

    @property
    def is_open(self) -> bool:
        return self.socket is not None and not self.socket.closed

    async def shows(self, words: str, seconds: float = PATIENCE) -> float:
        """Waits until words have come since `forget`; the moment at which they had."""
        async with asyncio.timeout(seconds):
            while words not in self.text():
                self.news.clear()
                await self.news.wait()
        return perf_counter()

    def forget(self) -> None:
        self.came, self._words = b"", Words()

    def text(self) -> str:
        self._words.hear(self.came)
        self.came = b""
        return self._words.text

    async def press(self, key: str) -> None:
        await self.send("stdin", key)


@asynccontextmanager
async def at_the_first_question(
    files: Sequence[Path], seats: int, home: Path
) -> AsyncIterator[list[list[Watched]]]:
    """Serves campaigns that are copies of the demo, each with so many screens open, all at the
    first question of the Refit Phase; the first of each is the umpire's."""
    async with AsyncExitStack() as stack:
        many = aiohttp.TCPConnector(limit=0)  # which else is 100 connections
        session = await stack.enter_async_context(aiohttp.ClientSession(connector=many))
        for file in files:
            at_its_first_question(file)
        # Nobody waits for these once pages are open, whose servers want to hear from them.
        served_at = [stack.enter_context(served(file, home=home)) for file in files]
        keys = [{seat: cookie(found[seat]) for seat in SEATS} for found in served_at]
        tables = []
        for addresses, cookies in zip(served_at, keys, strict=True):
            table = []
            for number in range(seats):
                seat = SEATS[number % len(SEATS)]
                tab = Watched(addresses[seat], session, cookies[seat], seat, f"{number:016x}")
                await tab.open("width=120&height=40")
                table.append(tab)
            for tab in table:
                await tab.shows("CG III")
            tables.append(table)
        for table in tables:
            for tab in table:
                await tab.press("r")
                await tab.shows("Melee round 1")
        yield tables


async def heard(tables: Sequence[Sequence[Watched]], answers: int) -> list[float]:
    """Takes back what was entered, each time at another table, or enters it again; how long it
    took, in seconds, until each of the other screens showed it."""
    took = []
    for number in range(answers):
        table = tables[number % len(tables)]
        takes_back = number // len(tables) % 2 == 0
        for tab in table:
            tab.forget()
        began = perf_counter()
        await table[0].press("u" if takes_back else "U")
        words = TAKEN_BACK if takes_back else BEGUN
        heard = await asyncio.gather(*(tab.shows(words) for tab in table[1:]))
        took += [moment - began for moment in heard]
        await table[0].shows(words)  # a key that comes before its question is dropped
        await asyncio.sleep(PAUSE)
    return took


# What a player, or something worse, sends: keys that lead everywhere but out, sizes, pastes, and
# what makes no sense.
KEYS = (*"rfmjb.dFPa?sRBwytG/", "\x1b", "\r", "\t", "\x1b[A", "\x1b[B", "\x1b[19~", " ")


async def play(tab: Watched, chance: Random, until: float) -> int:
    """Sends frames, sensible and not, for a while; comes back when it is sent away. Returns how
    many were sent."""
    sent = 0
    while monotonic() < until:
        size = {"width": chance.choice(WIDE), "height": chance.choice(WIDE)}
        frame = chance.choice(
            [
                *[json.dumps(["stdin", chance.choice(KEYS)])] * 8,
                json.dumps(["resize", size]),
                json.dumps(["stdin", "\x1b[200~" + "x" * chance.randrange(20_000) + "\x1b[201~"]),
                *("{", '["stdin"]', '["resize", [1e999]]', "[" * 5000),
            ]
        )
        try:
            if not tab.is_open:
                await tab.open()
            await tab.socket.send_str(frame)
        except (aiohttp.ClientError, ConnectionError):  # the seat has enough screens
            await asyncio.sleep(1)
        sent += 1
        await asyncio.sleep(chance.random() * 0.2)
    return sent


def late(seconds: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(seconds)[int(len(seconds) * 0.95)]


def memory_of(process: int) -> float:
    """What a process has for itself alone, and its share of what it shares, in MB; 0 if it has just
    ended."""
    try:
        told = Path(f"/proc/{process}/smaps_rollup").read_text()
    except (FileNotFoundError, ProcessLookupError):
        told = ""
    return sum(int(kB) for kB in re.findall(r"^Pss: *(\d+)", told, re.MULTILINE)) / 1024
