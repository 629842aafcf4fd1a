"""No room shows a counter by its id: players read names. The one place is the line of Why? that
gives the id, for the command line."""

import re
from pathlib import Path

import pytest

from brt_cg.model.counters import Side
from brt_cg.tui.keys.actions import ROOMS
from brt_cg.tui.lists.row_lists import PickList
from brt_cg.tui.look.lines import HangingText
from tests.exports.test_names_not_ids import ID
from tests.settings import crossed
from tests.tui.helpers import screen_lines, screen_text, settled, until
from tests.tui.moments import in_refit, opened, played, press, to_room

WIDE = (200, 60)
KEYS = {" ": "space", "=": "equals_sign", ":": "colon"}


@pytest.mark.parametrize(
    ("through", "seat"),
    crossed(["15.6041", "15.6111", "15.6201", None], [None, *Side]),
)
async def test_no_room_shows_an_id(demo_file: Path, through: str | None, seat: Side | None) -> None:
    async with opened(played(demo_file, through), seat, size=WIDE) as (app, pilot):
        for room in ROOMS:
            await to_room(pilot, room)
            lines = [*map(str.strip, screen_text(app).replace("│", "\n").splitlines())]
            shown = [line for line in lines if ID.search(line) and not line.startswith("id ")]
            assert shown == [], room


# The question after a paragraph of the demo, and what is typed for it that cannot be.
WRONG = [
    (after, typed)
    for typed in ("x-9", "m-mmg-3 status=x: so")
    for after in ("15.6132", "15.6134", "15.6136", "15.6138")
]
WRONG += [("15.6136", "m-mmg-3"), ("15.6138", "m-mmg-3")]


@pytest.mark.parametrize(("after", "typed"), WRONG)
async def test_no_refusal_shows_an_id(demo_file: Path, after: str, typed: str) -> None:
    async with in_refit(played(demo_file, after), size=WIDE) as (app, pilot):
        await press(pilot, "down", "enter")
        await pilot.press(*(KEYS.get(key, key) for key in typed), "enter")
        await settled(pilot)
        problem = app.screen.query_one("#problem", HangingText).region
        shown = "\n".join(screen_lines(app)[problem.y : problem.bottom])
        assert "✗ Not allowed" in shown
        assert not ID.search(shown)


async def test_a_notice_names_no_id(demo_file: Path) -> None:
    async with opened(demo_file) as (app, pilot):
        app.show_warning("m-mmg-3: 9 is not accepted; enter the id of a unit")
        await until(pilot, lambda: [*app._notifications])
        shown = "\n".join(notice.message for notice in app._notifications)
        assert re.search(r"^MMG no. \d+: 9 is not accepted; enter a unit$", shown)


async def test_an_id_typed_into_the_filter_finds_its_counter(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.6136")) as (app, pilot):
        await press(pilot, "slash", *"m-mmg-3")
        listed = app.screen.query_one("#choices", PickList)
        found = [each for each in listed.rows if each.startswith("item:")]
        assert found == ["item:m-mmg-3"]


async def test_on_the_map_a_garrison_is_in_its_pillbox_by_name(demo_file: Path) -> None:
    async with opened(demo_file, size=WIDE) as (app, pilot):
        await to_room(pilot, "map")
        await press(pilot, "slash", *"M21", "enter")
        shown = screen_text(app)
        assert re.search(r"4-4-8 squad no. 7 in pillbox", shown)
        assert not ID.search(shown)
