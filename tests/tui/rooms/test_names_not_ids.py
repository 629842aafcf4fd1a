"""No room shows a counter by its id, and no list a code: players read names and words. The one
place is the line of Why? that gives the id, for the command line."""

import re
from pathlib import Path

import pytest
from textual.widgets import OptionList

from brt_cg.model.counters import Side
from brt_cg.tui.app import BrtApp
from brt_cg.tui.keys.actions import ROOMS
from brt_cg.tui.lists.drawn_list import DrawnList
from brt_cg.tui.lists.row_lists import PickList
from brt_cg.tui.look.lines import HangingText
from brt_cg.tui.rooms.campaign.screen import BESIDE, campaign_pages
from tests.exports.test_names_not_ids import ID
from tests.settings import crossed, share
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


CODE = re.compile(r"\b[a-z]+:[a-z0-9]|[a-z0-9]_[a-z0-9]|\bR-[A-Z]")
WRITTEN = (
    "home",
    "aids",
)  # rows with the path of a file, or with what is typed on the command line


def rows_shown(app: BrtApp) -> list[str]:
    """The text of every row of the lists in front."""
    found = []
    for each in app.screen.query(OptionList):
        if each.has_class(BESIDE) and app.screen.query(".-preview"):
            continue  # a page of the document
        found += [str(option.prompt) for option in each.options]
    for each in app.screen.query(DrawnList):
        lines = (each.line_segments(at, WIDE[0], False) for at in range(len(each.lines)))
        found += ["".join(part.text for part in parts) for parts in lines]
    return found


@pytest.mark.parametrize(("through", "seat"), crossed(["15.6041", "15.613", None], [None, *Side]))
async def test_no_row_of_a_list_shows_a_code(
    demo_file: Path, through: str | None, seat: Side | None
) -> None:
    async with opened(played(demo_file, through), seat, size=WIDE) as (app, pilot):
        await app.session.perform(
            lambda desk: desk.run_command("ruling", {"id": "R-VP", "value": "campaign"})
        )
        met = 0
        for room in ROOMS:
            await to_room(pilot, room)
            pages = [page.name for page in campaign_pages()] if room == "campaign" else [""]
            for page in pages:
                if page:
                    await app.run_action(page)
                    await settled(pilot)
                texts = rows_shown(app)
                met += len(texts)
                if room in WRITTEN:
                    continue
                shown = [text for text in texts if CODE.search(text) or ID.search(text)]
                assert shown == [], (room, page)
        assert met > 100


# The question after a paragraph of the demo, and what is typed for it that cannot be.
WRONG = [
    (after, typed)
    for typed in ("x-9", "m-mmg-3 status=x: so")
    for after in ("15.6132", "15.6134", "15.6136", "15.6138")
]
WRONG += [("15.6136", "m-mmg-3"), ("15.6138", "m-mmg-3")]


@pytest.mark.parametrize(("after", "typed"), share(WRONG, of=3))
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


async def test_the_map_names_a_garrisons_pillbox(demo_file: Path) -> None:
    async with opened(demo_file, size=WIDE) as (app, pilot):
        await to_room(pilot, "map")
        await press(pilot, "slash", *"M21", "enter")
        shown = screen_text(app)
        assert re.search(r"4-4-8 squad no. 7 in pillbox", shown)
        assert not ID.search(shown)
