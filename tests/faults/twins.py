"""Twins: two campaigns that differ only in a secret of one side, read by the other, in all that it
may ask for, and in every room of the screen."""

import asyncio
import shutil
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from textual.pilot import Pilot

from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.storage import store
from brt_cg.tui.app import BrtApp
from brt_cg.tui.keys.actions import BESIDE, MODES, SCENARIO_END
from tests.faults.table import Harm, Problem
from tests.secrets.by_chance import Played, Read
from tests.secrets.pairs import all_that_is_read, difference
from tests.tui import clock
from tests.tui.helpers import LARGE, screen_text, settled, until

WHOLE = 12  # one reading in so many is of everything, as that takes its time
MOST_READS = 200
MOST_LOOKS = 50
SHOWN = [room for room in (*MODES, *BESIDE) if room != SCENARIO_END]  # which Forces opens


class Twins:
    """The seed "17 marine" is the pair of that number as the Marine player reads it."""

    def __init__(self, quick: int, full: int) -> None:
        self.quick, self.full = quick, full

    def seeds(self, full: bool) -> Iterable[str]:
        count = self.full if full else self.quick
        return (f"{number} {side}" for number in range(count) for side in Side)

    def problems(self, seed: str) -> Iterator[Problem]:
        number, _, name = seed.partition(" ")
        side = Side(name)
        pair = _pair(int(number), side)
        for at, (one, other) in enumerate(islice(_reads(pair), MOST_READS)):
            found = _first_difference(one, other)
            if found is None and at % WHOLE == int(number) % WHOLE:
                found = _of_everything(*(played.journal for played in pair), side)
            if found is not None:
                yield Problem(Harm.LEAKED, f"reading {at}: {found}")
                return


def _pair(number: int, side: Side) -> list[Played]:
    return [Played(number, each, side) for each in (0, 1)]


def _reads(pair: list[Played]) -> Iterator[tuple[Read, Read]]:
    """What the two read, as long as the secret is one."""
    one, other = pair
    return zip(one.reads(), other.reads(), strict=False)


def _first_difference(one: Read, other: Read) -> str | None:
    if one.asked != other.asked:
        return f"{one.asked} is asked, and {other.asked}"
    return _unlike(one.told, other.told)


def _of_everything(one: Journal, other: Journal, side: Side) -> str | None:
    return _unlike(all_that_is_read(one, side), all_that_is_read(other, side))


def _unlike(one: dict[str, Any], other: dict[str, Any]) -> str | None:
    if [*one] != [*other]:
        return f"what can be read: {sorted({*one} ^ {*other})}"
    names = (name for name in one if one[name] != other[name])
    return next((f"{name}: {difference(one[name], other[name])}" for name in names), None)


class Rooms(Twins):
    """The same at one moment of each pair, on the screen: every room as it is first drawn, its help
    and what its selected line is about."""

    def __init__(self, folder: Path, quick: int, full: int) -> None:
        super().__init__(quick, full)
        self.folder = folder

    def problems(self, seed: str) -> Iterator[Problem]:
        number, _, name = seed.partition(" ")
        side = Side(name)
        length = sum(1 for _ in _reads(_pair(int(number), side)))
        pair = _pair(int(number), side)
        for _ in islice(_reads(pair), Random(seed).randint(1, min(length, MOST_READS))):
            pass  # both are then at the same moment
        shown = [self._shown(played.journal, side) for played in pair]
        found = _unlike(*shown)
        if found is not None:
            yield Problem(Harm.LEAKED, found)

    def _shown(self, journal: Journal, side: Side) -> dict[str, Any]:
        """What each room shows of a campaign, at one place of the disk, to who never looked."""
        folder = self.folder / "shown"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        path = folder / "campaign.brt"
        kept = store.create(path)
        kept.write([*journal.entries], journal.campaign)
        kept.close()
        with (
            pytest.MonkeyPatch.context() as patch,
            asyncio.Runner(loop_factory=clock.Loop) as runner,
        ):
            for kind in ("CACHE", "CONFIG", "DATA", "STATE"):
                patch.setenv(f"XDG_{kind}_HOME", str(folder / "home"))
            clock.skip_time(patch)
            return runner.run(_rooms_of(path, side))


async def _rooms_of(path: Path, side: Side) -> dict[str, Any]:
    app, found = BrtApp(path, seat=side), {}
    async with app.run_test(size=LARGE) as pilot:
        await _all_is_drawn(pilot)
        for room in SHOWN:
            await app.switch_mode(room)
            await _all_is_drawn(pilot)
            found[room] = screen_text(app)
            await pilot.press("down", "w")
            await _all_is_drawn(pilot)
            found[f"{room}, why"] = screen_text(app)
            await pilot.press("escape")
            await _all_is_drawn(pilot)
    return found


async def _all_is_drawn(pilot: Pilot[int]) -> None:
    """Waits until nothing is worked out any more, or drawn another way."""
    await settled(pilot)
    app, before = pilot.app, ""
    assert isinstance(app, BrtApp)
    await until(pilot, lambda: all(worker.is_finished for worker in app.workers), "rest")
    for _ in range(MOST_LOOKS):
        await pilot.pause()
        now = screen_text(app)
        if now == before:
            return
        before = now
