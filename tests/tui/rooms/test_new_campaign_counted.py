"""A new CG II with sixty counters as they stand on a card, by keys alone and pasted: how many keys
it takes. Every key counts, each typed letter and digit too, and each paste.
"""

from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from brt_cg.card.arrivals import read_arrival_counters
from brt_cg.model.counters import Side
from brt_cg.tui.app import BrtApp
from tests.homes import set_documents
from tests.settings import count
from tests.tui.helpers import MIDDLE, SMALL, settled, shown

MARINES = (
    "8 x 668",
    "4 x 768 engineers: 2 DC, 2 FT",
    "91 Crowe",
    "81",
    "80",
    "3 mmg",
    "2 hgm",
    "4 lvt2",
    "20 nt: 3 x 668 in lvt2",
)
JAPANESE = (
    "8 x 447",
    "3 x 448 engineers: 3 DC",
    "10-1 Inoue",
    "90",
    "5 x 228 crew: 3 HMG, 2 MMG",
    "3 lmg",
)
POINTS = ("24", "60", "20", "55", "18", "60", "40")  # GPP and FPP of the beaches, as typed
TOTALS = ("4", "5", "5", "4")  # SAN and ELR


class Hands:
    """Presses keys, and counts them: `typed` are those of the lines of the order of battle."""

    def __init__(self, pilot: Pilot[Any]) -> None:
        self.pilot, self.keys, self.typed = pilot, 0, 0

    async def press(self, *keys: str) -> None:
        self.keys += len(keys)
        await self.pilot.press(*keys)

    async def paste(self, text: str) -> None:
        self.keys += 1
        self.pilot.app.post_message(events.Paste(text))
        await self.pilot.pause()

    async def lines(self, *lines: str) -> None:
        for line in lines:
            self.typed += len(line) + 1
            await self.press(*line, "enter")


@pytest.mark.parametrize("size", [SMALL, MIDDLE][: count(1, 2)])
async def test_a_new_campaign_with_sixty_counters_takes_few_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    set_documents(monkeypatch, tmp_path)
    app = BrtApp(seat=None)
    async with app.run_test(size=size) as pilot:
        hands = Hands(pilot)
        await hands.press("N", "left", "enter")  # CG II
        await shown(pilot, "2 of 4")
        for points in POINTS:  # down the column of the GPP, one field to the next
            await hands.press(*points, "down")
        while app.focused is None or app.focused.id != "marine-san":
            await hands.press("tab")
        for total in TOTALS:
            await hands.press(total, "tab")
        await hands.press("enter")
        await shown(pilot, "3 of 4")
        without_counters = hands.keys
        await hands.lines(*MARINES, "japanese", *JAPANESE)
        await shown(pilot, "Lines 4, 8 not understood")
        await hands.press("f4")  # HMG and 9-1 Crowe, as is asked back
        await shown(pilot, "Japanese: 29 counters")
        await hands.press("enter")
        await shown(pilot, "4 of 4")
        await hands.press("enter")
        seen = await settled(pilot)
    view = seen.view
    there = [*view.units.values(), *view.weapons.values(), *view.vehicles.values()]
    later = [each for arrival in view.arrivals.values() for each in read_arrival_counters(arrival)]
    assert len(there) + len(later) >= 60
    assert [view.sides[side].san for side in Side] == [4, 5]
    # Before: 105 for the campaign and 390 for the counters, an hour in all.
    assert without_counters <= 52
    assert hands.keys - without_counters <= 195
    assert hands.keys - hands.typed <= 40, "all that is not the card itself"


CARD = "24 26^2 60\n20 - 55\n18 30^1 60\n- - -\n- - -\n- - -\n-\n40 4 5\n5 4"  # as printed, by rows


async def test_a_new_campaign_with_pasted_data_takes_few_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_documents(monkeypatch, tmp_path)
    app = BrtApp(seat=None)
    async with app.run_test(size=SMALL) as pilot:
        hands = Hands(pilot)
        await hands.press("N", "left", "enter")
        assert "Tab next field" in await shown(pilot, "2 of 4")
        await hands.paste(CARD)
        await hands.press("enter")
        await shown(pilot, "3 of 4")
        await hands.paste("\n".join((*MARINES, "japanese", *JAPANESE, "")))
        await shown(pilot, "not understood")
        await hands.press("f4")
        await shown(pilot, "Japanese: 29 counters")
        await hands.press("enter", "enter")  # the first ends the last line
        await shown(pilot, "4 of 4")
        await hands.press("enter")
        seen = await settled(pilot)
    assert [seen.view.sides[side].san for side in Side] == [4, 5]
    points = {each.beach: each for each in seen.view.allotments.values() if each.beach}
    assert points
    assert hands.keys <= 12
