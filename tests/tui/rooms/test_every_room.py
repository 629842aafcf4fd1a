"""Each room is complete: its screen, keys and help lie in its folder, and the player finds it."""

from importlib import import_module
from pathlib import Path

import pytest

from brt_cg.resources import read_toml_cached
from brt_cg.tui import rooms
from brt_cg.tui.app import BrtApp, screen_class
from brt_cg.tui.frame.help_screen import HelpScreen
from brt_cg.tui.frame.palette import find_actions, possible_actions
from brt_cg.tui.frame.room import Room
from brt_cg.tui.keys.actions import (
    BESIDE,
    BY_ID,
    EVERYWHERE,
    MODES,
    ROOMS,
    SCENARIO_END,
    actions_of,
    place_name,
)
from brt_cg.tui.rooms.campaign.screen import campaign_pages
from tests.tui import test_monkey
from tests.tui.helpers import LARGE, screen_lines, screen_text, shown
from tests.tui.moments import opened, played, to_room

FOLDERS = sorted(path.parent for path in Path(rooms.__file__).parent.glob("*/__init__.py"))
NAMES = [folder.name for folder in FOLDERS]


def test_every_folder_is_a_room_of_the_app() -> None:
    assert sorted(ROOMS) == NAMES
    assert len(set(ROOMS)) == len(ROOMS)
    assert sorted(BrtApp.MODES) == NAMES
    assert {*MODES, *BESIDE} == {*NAMES}, "in the header, or beside the play"


@pytest.mark.parametrize("name", NAMES)
def test_a_room_has_its_screen_and_its_keys(name: str) -> None:
    made = screen_class(name)
    assert issubclass(made, Room)
    assert name == made.PLACE
    assert made is getattr(import_module(f"brt_cg.tui.rooms.{name}.screen"), made.__name__)
    assert actions_of(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_room_has_its_help(name: str) -> None:
    found = read_toml_cached(Path(rooms.__file__).with_name(name) / "help.toml")
    topics = [found[page.name] for page in campaign_pages()] if name == "campaign" else [found]
    for topic in topics:
        assert topic["title"].strip()
        assert topic["text"].strip().endswith(".")


async def test_the_help_of_a_room_begins_with_its_own_text(demo_file: Path) -> None:
    async with opened(played(demo_file, None)) as (_, pilot):
        for name in NAMES:
            room = await to_room(pilot, name)
            assert name == room.PLACE
            title, text = HelpScreen(room).about
            assert title
            assert text.strip()


AT_MOST_160 = {"home", "dashboard", "aids", "forecast"}  # there is nothing to cut at 160 columns


async def test_only_rooms_that_cut_no_text_are_limited_to_160_columns(demo_file: Path) -> None:
    async with opened(played(demo_file, "15.6111"), size=(240, 60)) as (app, pilot):
        for name in NAMES:
            if name == SCENARIO_END:
                continue
            room = await to_room(pilot, name)
            rightmost = max(widget.region.right for widget in room.query_one("#room").query("*"))
            if name in AT_MOST_160:
                assert rightmost <= 160 or name == "home", name
                assert "… " not in screen_text(app), name
            else:
                assert rightmost == 240, name


@pytest.mark.parametrize("width", [80, 120])
async def test_a_narrow_header_opens_a_list_of_all_rooms(demo_file: Path, width: int) -> None:
    async with opened(demo_file, size=(width, 24)) as (app, pilot):
        header = screen_lines(app)[0]
        await pilot.click(offset=(header.index("More"), 0))
        listed = await shown(pilot, "Esc cancels")
        names = map(place_name, {*NAMES} - {SCENARIO_END})
        assert [name for name in names if name not in listed] == []
        await pilot.press("p")
        assert app.current_mode == "setup"
        header = await shown(pilot, "p Setup")
        assert header.startswith(" Demo: Bet"), "there too"
        assert "F9 More" in header


async def test_a_wide_header_shows_all_rooms(demo_file: Path) -> None:
    async with opened(demo_file, size=LARGE) as (app, _):
        header = screen_lines(app)[0]
        names = map(place_name, {*NAMES} - {SCENARIO_END})
        assert [name for name in names if name not in header] == []


async def test_the_palette_leads_to_every_room(demo_file: Path) -> None:
    """Its own action finds it; the form for the end of a scenario is opened from Forces."""
    async with opened(played(demo_file, None), room="forces") as (app, pilot):
        for name in NAMES:
            label = "End of scenario" if name == SCENARIO_END else BY_ID[f"everywhere.{name}"].label
            hits = find_actions(app, possible_actions(app, app.screen), label)
            assert label in [action.label for action in hits], name
            await app.screen.run_action("form") if name == SCENARIO_END else await app.run_action(
                name
            )
            await pilot.pause()
            assert app.current_mode == name
            await app.switch_mode("forces")


def test_the_monkey_test_visits_every_room() -> None:
    """Those whose key leads there from everywhere; the end of a scenario is one of its moments."""
    lead = {key: name for name in NAMES if name != SCENARIO_END for key in keys_to(name)}
    assert {lead[key] for key in test_monkey.ROOMS} | {SCENARIO_END} == set(NAMES)


def keys_to(name: str) -> list[str]:
    return BY_ID[f"{EVERYWHERE}.{name}"].keys.split(",")
