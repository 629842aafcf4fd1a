"""No room shows a counter by its id: players read names. The one place is the line of Why? that
gives the id, for the command line."""

from pathlib import Path

import pytest

from brt_cg.model.counters import Side
from brt_cg.tui.keys.actions import ROOMS
from tests.exports.test_names_not_ids import ID
from tests.tui.helpers import screen_text
from tests.tui.moments import opened, played, to_room

WIDE = (200, 60)


@pytest.mark.parametrize("seat", [None, Side.MARINE, Side.JAPANESE])
@pytest.mark.parametrize("through", ["15.6041", "15.6111", "15.6201", None])
async def test_no_room_shows_an_id(demo_file: Path, through: str | None, seat: Side | None) -> None:
    async with opened(played(demo_file, through), seat, size=WIDE) as (app, pilot):
        for room in ROOMS:
            await to_room(pilot, room)
            lines = [*map(str.strip, screen_text(app).replace("│", "\n").splitlines())]
            shown = [line for line in lines if ID.search(line) and not line.startswith("id ")]
            assert shown == [], room
