"""The end of the demo's next scenario by keys alone: 40 changes, each key and letter counted."""

from collections.abc import Callable
from pathlib import Path

from brt_cg.model.counters import Counter, Fate, Kind, Unit, Vehicle
from brt_cg.model.records import Phase
from brt_cg.tui.app import BrtApp
from tests.tui.helpers import SMALL, settled, until
from tests.tui.moments import opened, played

MOST = 150

# Line by line, as the eye goes over the lists of the printed sheet. Tab goes on to the next list.
LINES = (
    "x 4 6;w 3",  # M1
    "x 23 28 30;d 16 21 24;w 11;k 36;q35 25;q36 26",  # M2
    "in o14;q18 12;q17 6;p14 16",  # M3: three in a hex, the others in the Area
    "w 2",  # M4
    "x 1-4;j1: x 58 60 62;d 42 43 45;k 68;c 52 56",  # K24 is wiped out; then Area J1
)
CAPTOR = "crowe"
WITH_HIS_GUN = {"j-cr-11": "D8"}  # the hex of a Gun says where its crew is
HEXES = {"m-sq-17": "Q35", "m-sq-19": "Q36", "m-hs-3": "Q18", "m-ldr-3": "Q17", "m-cr-1": "P14"}


async def test_forty_changes_take_at_most_150_keys(demo_file: Path) -> None:
    async with opened(played(demo_file, None), size=SMALL) as (app, pilot):
        before = (await settled(pilot)).view.clone()
        pressed = 0

        async def press(*keys: str) -> None:
            nonlocal pressed
            pressed += len(keys)
            await pilot.press(*keys)
            await settled(pilot)

        await press("f", "n", "comma")
        for line in LINES[:-1]:
            await press(*line, "tab")
        await press(*LINES[-1], "enter")
        await press(*CAPTOR, "enter")
        await press("escape", "enter", "m", "enter")
        await until(pilot, lambda: ": what would change" in title_of(app))
        await press("n", "enter")
        await until(pilot, lambda: app.session.seen.view.situation.phase is Phase.REFIT)  # type: ignore[union-attr]
        after = (await settled(pilot)).view

    def who(changed: Callable[[Counter, Counter], bool]) -> list[Counter]:
        pairs = [(before.find(one.id), one) for one in after.counters()]
        return [now for was, now in pairs if was is not None and changed(was, now)]

    lost = who(lambda was, now: was.in_play and now.fate is Fate.ELIMINATED)
    units = [one for one in after.units.values() if before.find(one.id)]
    reduced = [one for one in units if one.in_play and is_reduced(before.units[one.id], one)]
    moved = who(lambda was, now: now.in_play and now.location not in (None, was.location))
    typed = [one for one in moved if one.id not in WITH_HIS_GUN]
    assert len([one for one in lost if not carried(one)]) == 12
    assert len(reduced) == 6
    assert len([one for one in units if one.has("wounded")]) >= 3
    assert {one.id for one in units if one.guard == "m-ldr-7"} == {"j-lab-2", "j-sq-22"}
    wrecks = [one.id for one in after.vehicles.values() if one.wreck]
    assert {"m-tk-2", "j-tk-2"} <= {*wrecks}
    hexes = HEXES | WITH_HIS_GUN
    assert {id: after.units[id].location for id in hexes} == hexes
    assert len([one for one in typed if isinstance(one, Unit | Vehicle)]) == 15
    assert pressed <= MOST  # it was 147 when this was written


def is_reduced(was: Unit, now: Unit) -> bool:
    """Whether a squad was turned over, or is a HS now."""
    return (was.kind, was.strength) != (now.kind, now.strength) and was.kind is Kind.SQUAD


def carried(counter: Counter) -> bool:
    """Whether a counter is lost only because its vehicle is."""
    return bool(getattr(counter, "vehicle", None))


def title_of(app: BrtApp) -> str:
    """The title of the form in front."""
    page = getattr(app.screen, "page", None)
    return str(page.title) if page else ""
