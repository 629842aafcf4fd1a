"""The end of the demo's next scenario by keys alone: 40 changes, each key and letter counted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from brt_cg.model.counters import Counter, Fate, Kind, Unit, Vehicle
from brt_cg.model.records import Phase
from brt_cg.tui.app import BrtApp
from tests.tui.helpers import SMALL, settled, until
from tests.tui.moments import opened, played

MOST = 150  # for forty changes
ONCE = 182  # what eleven took before they were counted

# Line by line, as the eye goes over the lists of the printed sheet. Tab goes on to the next list.
LINES = (
    "x 4 6;w 3",  # M1
    "x 23 28 30;d 16 21 24;w 11;k 36;q35 25;q36 26",  # M2
    "in o14;q18 12;q17 6;p14 16",  # M3: three in a hex, the others in the Area
    "w 2",  # M4
    "x 1-4;j1: x 58 60 62;d 42 43 45;k 68;c 52 56",  # K24 is wiped out; then Area J1
)
ELEVEN = ("x 4;w 3", "x 23 30;d 16;q35 25", "p14 16", "", "j1: x 58;d 42;k 68;c 52")
CAPTOR = "crowe"
WITH_HIS_GUN = {"j-cr-11": "D8"}  # the hex of a Gun says where its crew is
HEXES = {"m-sq-17": "Q35", "m-sq-19": "Q36", "m-hs-3": "Q18", "m-ldr-3": "Q17", "m-cr-1": "P14"}


@dataclass
class Ended:
    """The end of a scenario that was entered by keys: how many they were, and the counters that
    were in play before, as they were and as they are."""

    keys: int
    pairs: list[tuple[Counter, Counter]]

    def who(self, changed: Callable[[Counter, Counter], bool]) -> list[Counter]:
        return [now for was, now in self.pairs if changed(was, now)]

    @property
    def lost(self) -> list[Counter]:
        """Those eliminated, but not what is lost with its vehicle."""
        gone = self.who(lambda was, now: was.in_play and now.fate is Fate.ELIMINATED)
        return [one for one in gone if not carried(one)]

    @property
    def reduced(self) -> list[Counter]:
        return self.who(lambda was, now: now.in_play and is_reduced(was, now))

    @property
    def moved(self) -> list[Counter]:
        """The units and vehicles given a Location."""
        moved = self.who(lambda was, now: now.in_play and now.location not in (None, was.location))
        return [
            one for one in moved if isinstance(one, Unit | Vehicle) and one.id not in WITH_HIS_GUN
        ]


async def ended(file: Path, lines: Sequence[str]) -> Ended:
    """Enters the end of the demo's next scenario, line by line, and stores it."""
    keys = 0
    async with opened(played(file, None), size=SMALL) as (app, pilot):
        before = (await settled(pilot)).view.clone()

        async def press(*pressed: str) -> None:
            nonlocal keys
            keys += len(pressed)
            await pilot.press(*pressed)
            await settled(pilot)

        await press("f", "n", "comma")
        for line in lines[:-1]:
            await press(*line, "tab")
        await press(*lines[-1], "enter")
        await press(*CAPTOR, "enter")
        await press("escape", "enter", "m", "enter")
        await until(pilot, lambda: ": what would change" in title_of(app))
        await press("n", "enter")
        await until(pilot, lambda: app.session.seen.view.situation.phase is Phase.REFIT)  # type: ignore[union-attr]
        after = (await settled(pilot)).view
    known = ((before.find(one.id), one) for one in after.counters())
    return Ended(keys, [(was, now) for was, now in known if was is not None])


async def test_forty_changes_take_at_most_150_keys(demo_file: Path) -> None:
    end = await ended(demo_file, LINES)
    units = {now.id: now for _, now in end.pairs if isinstance(now, Unit)}
    assert len(end.lost) == 12
    assert len(end.reduced) == 6
    assert len([one for one in units.values() if one.has("wounded")]) >= 3
    assert {id for id, one in units.items() if one.guard == "m-ldr-7"} == {"j-lab-2", "j-sq-22"}
    wrecks = {now.id for _, now in end.pairs if isinstance(now, Vehicle) and now.wreck}
    assert {"m-tk-2", "j-tk-2"} <= wrecks
    hexes = HEXES | WITH_HIS_GUN
    assert {id: units[id].location for id in hexes} == hexes
    assert len(end.moved) == 15
    assert end.keys <= MOST  # it was 147 when this was written


async def test_eleven_changes_take_half_the_keys_that_they_took(demo_file: Path) -> None:
    end = await ended(demo_file, ELEVEN)
    assert (len(end.lost), len(end.reduced), len(end.moved)) == (4, 2, 3)
    assert end.keys <= ONCE // 2


def is_reduced(was: Counter, now: Counter) -> bool:
    """Whether a squad was turned over, or is a HS now."""
    if not isinstance(was, Unit) or not isinstance(now, Unit):
        return False
    return (was.kind, was.strength) != (now.kind, now.strength) and was.kind is Kind.SQUAD


def carried(counter: Counter) -> bool:
    """Whether a counter is lost only because its vehicle is."""
    return bool(getattr(counter, "vehicle", None))


def title_of(app: BrtApp) -> str:
    """The title of the form in front."""
    page = getattr(app.screen, "page", None)
    return str(page.title) if page else ""
