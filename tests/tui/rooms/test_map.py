"""The Map room: pointing, finding, and Perimeters that are painted instead of typed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.app import App
from textual.geometry import Size
from textual.pilot import Pilot

from brt_cg.model.counters import Side
from brt_cg.model.visibility import secret_of
from brt_cg.questions.question_types import EntryQuestion
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.lists.panes import LongPane
from brt_cg.tui.look.depth import ColorDepth
from brt_cg.tui.map.island_map import IslandMap, WholeIsland
from brt_cg.tui.map.layouts import (
    ISLAND,
    OVERVIEW,
    SQUARE,
    WORKING,
    ZOOMS,
    layout_for,
    overview_above,
    overviews,
)
from brt_cg.tui.map.map_room import arrange_screen
from brt_cg.tui.rooms.map.screen import MapScreen
from brt_cg.tui.session.session import Seat
from tests.tui.helpers import MIDDLE, SMALL, same_as_golden, settled, shown, until
from tests.tui.moments import opened, played, press

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-*/=!?%&@#"


@pytest.fixture
def at_the_perimeters(demo_file: Path) -> Path:
    """The demo where it asks for the Marine Perimeters."""
    return played(demo_file, "15.606")


@asynccontextmanager
async def on_the_map(
    path: Path, *keys: str, seat: Seat = None, size: tuple[int, int] = MIDDLE
) -> AsyncIterator[Pilot[Any]]:
    """The Map of a campaign, after some keys there."""
    async with opened(path, seat, "map", size) as (_, pilot):
        await pilot.press(*keys)
        yield pilot


def island(app: App[Any]) -> IslandMap:
    assert isinstance(app.screen, MapScreen)
    return app.screen.query_one(IslandMap)


async def test_a_counter_is_found_with_its_hex_and_history(demo_file: Path) -> None:
    async with on_the_map(demo_file, size=SMALL) as pilot:
        for width, height in (SMALL, MIDDLE):
            await pilot.resize_terminal(width, height)
            await pilot.press("slash", "ctrl+u", *"shibasaki", "enter")
            assert island(pilot.app).cursor == "M46"
            await shown(pilot, "10-2 Shibasaki")
            await pilot.press("right")
            assert island(pilot.app).cursor == "M47"
        await pilot.press("left")
        await shown(pilot, "10-2 Shibasaki")
        await pilot.press("tab")
        await shown(pilot, "History")
        assert isinstance(pilot.app.screen, MapScreen)
        assert pilot.app.screen.why_subjects() == (
            "j-bp-1",
        )  # what the key for BackupReason? explains
        await pilot.press("escape")
        assert island(pilot.app).has_focus


async def test_the_cursor_stays_on_its_counter_when_the_campaign_changes_elsewhere(
    demo_file: Path,
) -> None:
    async with on_the_map(demo_file, "slash", *"N35", "enter", "tab", "down") as pilot:
        await shown(pilot, "›★ M4A2 no. 17")
        desk = OpenCampaign.open(demo_file)
        desk.run_command("note", {"words": "Elsewhere.", "side": None, "about": None})
        desk.close()
        await pilot.app.session.catch_up()
        await settled(pilot)
        assert pilot.app.screen.selected_counter == "m-tk-2"


async def test_typing_a_hex_goes_to_it_at_each_zoom(demo_file: Path) -> None:
    async with on_the_map(demo_file, "slash", *"e4", "enter") as pilot:
        for key in ("plus", "plus", "minus", "minus", "minus"):
            await pilot.press(key)
            await pilot.pause()
            view = island(pilot.app)
            x, y = view.cell_of_hex("E4")
            assert view.layout_now.margin <= x < view.size.width
            assert 1 <= y < view.size.height


async def test_the_whole_island_is_visible_at_80_by_24(demo_file: Path) -> None:
    async with on_the_map(demo_file, "minus", size=SMALL) as pilot:
        view = island(pilot.app)
        await until(pilot, lambda: view.layout_now == ISLAND)
        await until(pilot, lambda: view.size.height >= ISLAND.framed.height)
        assert view.max_scroll_x == view.max_scroll_y == 0
        lines = [view.render_line(y).text for y in range(14)]
        assert lines[0].split() == ["N21", *(str(number) for number in range(5, 61, 5))]
        assert [line[:3] for line in lines[1:]][::6] == ["Z/Y", "N/M", "B/A"]


async def test_a_hex_is_selected_by_its_name_at_every_zoom_and_named(demo_file: Path) -> None:
    async with on_the_map(demo_file, "minus", size=SMALL) as pilot:
        for layout in (ISLAND, *ZOOMS[1:]):
            view = island(pilot.app)
            assert view.layout_now == layout
            view.go_to("N21")
            await pilot.press("slash", "ctrl+u", *"n19", "enter")
            assert view.cursor == "N19"
            await shown(pilot, "N19  Beach")
            assert "N19" in "".join(view.render_line(y).text for y in range(view.size.height))
            await pilot.press("plus")
            await pilot.pause()


async def test_a_click_selects_the_upper_of_two_hexes_and_then_the_lower(demo_file: Path) -> None:
    async with on_the_map(demo_file, "minus", size=SMALL) as pilot:
        view = island(pilot.app)
        place = view.cell_of_hex("N19")
        for expected in ("N19", "M19", "N19"):
            await pilot.click(view, offset=place)
            assert view.cursor == expected


async def test_a_click_on_the_island_above_goes_there_on_the_map_below(demo_file: Path) -> None:
    async with on_the_map(demo_file, size=MIDDLE) as pilot:
        view, whole = island(pilot.app), pilot.app.screen.query_one(WholeIsland)
        assert (whole.layout_now, view.layout_now) == (ISLAND, WORKING)
        await pilot.click(whole, offset=whole.cell_of_hex("E44"))
        await pilot.pause()
        assert view.cursor == whole.cursor == "F44"
        x, y = view.cell_of_hex("F44")
        assert 0 < x < view.size.width
        assert 0 < y < view.size.height
        await pilot.press("minus")
        assert view.layout_now == WORKING, "the whole island is seen as large already"


SCREENS = [(80, 24), (100, 30), (120, 40), (140, 40), (160, 50), (200, 60), (320, 90)]


@pytest.mark.parametrize("screen", SCREENS, ids=str)
@pytest.mark.parametrize("in_halves", [True, False], ids=["halves", "signs"])
def test_the_island_is_shown_whole_where_it_has_room(
    screen: tuple[int, int], in_halves: bool
) -> None:
    """Signs begin at the overview with a whole cell for each hex."""
    for zoom in range(len(ZOOMS)):
        found = arrange_screen(Size(*screen), zoom, in_halves)
        assert found.size.width <= screen[0]
        assert found.size.height < screen[1] - 3 or found.beside
        layout = overview_above(found.zoom, found.size, in_halves)
        if layout is not None:
            assert layout in overviews(in_halves)
            assert layout.fits(found.size.width, found.size.height // 2)
        elif found.zoom == 0 and in_halves:
            assert layout_for(0, found.size, in_halves).fits(*found.size)
    assert arrange_screen(Size(200, 60), 0, True).size == (200, SQUARE.framed.height)
    assert overview_above(1, arrange_screen(Size(200, 60), 1, True).size, True) == OVERVIEW


async def test_hidden_enemy_counters_are_not_on_the_map(demo_file: Path) -> None:
    async with on_the_map(demo_file, seat=Side.MARINE) as pilot:
        shown = {one.id for lying in island(pilot.app).drawing.sheet.here.values() for one in lying}
    desk = OpenCampaign.open(demo_file)
    table = unrestricted_campaign(desk).campaign
    secret = {one.id for one in table.counters() if secret_of(table, one) is Side.JAPANESE}
    desk.close()
    assert secret
    assert not shown & secret


async def test_the_map_position_of_one_seat_is_not_shown_to_the_next(demo_file: Path) -> None:
    async with on_the_map(demo_file, seat=Side.JAPANESE) as pilot:
        await pilot.press("slash", *"e4", "enter")
        assert island(pilot.app).cursor == "E4"
        assert isinstance(pilot.app, BrtApp)
        await press(pilot, "s", "m")
        await settled(pilot)
        assert pilot.app.session.seat is Side.MARINE
        assert island(pilot.app).cursor == "N21"


async def test_a_fast_mouse_paints_all_hexes_in_its_path(at_the_perimeters: Path) -> None:
    async with opened(at_the_perimeters, room="map", size=MIDDLE) as (app, pilot):
        await settled(pilot)
        await pilot.press("x")
        view = island(app)
        (x, y), (end, _) = (view.cell_of_hex(hex) for hex in ("N20", "N24"))
        await pilot.mouse_down(view, offset=(x + 1, y))
        there = (end + 1, y)
        await pilot._post_mouse_events([events.MouseMove], view, offset=there, button=1)
        assert view.drawing.marked == {"N20", "N21", "N22", "N23", "N24"}


async def test_a_perimeter_is_painted_and_answers_the_question(at_the_perimeters: Path) -> None:
    async with opened(at_the_perimeters, room="map", size=MIDDLE) as (app, pilot):
        before = await settled(pilot)
        assert isinstance(before.ask, EntryQuestion)
        assert before.ask.form.painted
        begun = island(app).drawing.marked
        await pilot.press("x")
        assert not island(app).drawing.marked
        await pilot.press("x")
        assert island(app).drawing.marked == begun != frozenset(), "it was not meant so"
        await pilot.press("x")
        island(app).go_to("A1")
        await pilot.press("space")
        await shown(pilot, "A1: Ocean")
        await pilot.press("enter")
        assert (await settled(pilot)).mark.rows == before.mark.rows, "it is not allowed"
        await pilot.press("x", "slash", *"n18", "enter", "escape")
        island(app).go_to("N18")
        await pilot.press("space", "right", "space")
        await shown(pilot, "M1 2 hexes")
        await pilot.press("enter")
        seen = await settled(pilot)
        assert seen.view.situation.perimeters == (("N18", "N19"),)
        assert seen.mark.rows > before.mark.rows


@pytest.mark.parametrize("size", [SMALL, MIDDLE], ids=["80x24", "120x40"])
async def test_tab_moves_to_the_consequences_for_scrolling(
    at_the_perimeters: Path, size: tuple[int, int]
) -> None:
    async with opened(at_the_perimeters, room="map", size=size) as (app, pilot):
        page = app.screen.query_one("#page", LongPane)
        await until(pilot, lambda: page.max_scroll_y > 0)
        for _ in range(3):
            await pilot.press("tab")
            if page.has_focus:
                break
        await pilot.press("end")
        await shown(pilot, "more")
        await until(pilot, lambda: page.scroll_y == page.max_scroll_y)
        await pilot.press("escape")
        assert island(app).has_focus


async def test_ranges_may_be_typed_and_the_mouse_paints(at_the_perimeters: Path) -> None:
    async with on_the_map(at_the_perimeters, "slash", *"n18-n20 m18 / t33", "enter") as pilot:
        await pilot.pause()
        assert island(pilot.app).drawing.marked == {"N18", "N19", "N20", "M18", "T33"}
        await press(pilot, "s", "j")
        assert island(pilot.app).drawing.marked == frozenset(), "the enemy is not asked"
        await press(pilot, "s", "u")
        view = island(pilot.app)
        assert len(view.drawing.marked) == 5
        view.go_to("N20")
        await pilot.pause()
        x, y = view.cell_of_hex("N20")
        await pilot.click(view, offset=(x + 1, y))
        assert "N20" not in island(pilot.app).drawing.marked
        await press(pilot, "question_mark", "escape")
        assert not pilot.app._notifications
        await press(pilot, "r")
        (waits,) = pilot.app._notifications
        assert waits.message == "m goes back to your painted hexes; Enter there answers with them."


async def test_only_the_marine_player_paints(at_the_perimeters: Path) -> None:
    async with on_the_map(at_the_perimeters, "space", seat=Side.JAPANESE) as pilot:
        assert island(pilot.app).drawing.marked == frozenset()


# --- the chronicle --------------------------------------------------------------------------------


@pytest.mark.parametrize("room", ["map", "campaign"])
async def test_c_writes_the_public_chronicle_or_the_players_own(room: str, demo_file: Path) -> None:
    whose = {
        "1": ("public", "What both sides know"),
        "2": ("japanese", "The Japanese player&#x27;s view"),
    }
    for key, (name, words) in whose.items():
        async with opened(demo_file, Side.JAPANESE, room) as (_, pilot):
            await pilot.press("C")
            await shown(pilot, "Chronicle for whom?")
            await pilot.press(key)
            page = demo_file.with_name(f"demo-chronicle-{name}.html")
            await until(pilot, page.exists)
            assert words in page.read_text("utf-8")


# --- how it looks ---------------------------------------------------------------------------------


def colours_of(view: IslandMap) -> list[str]:
    """The ground of each cell of the map as a letter, and which colour each letter is."""
    letters: dict[str, str] = {}
    lines = []
    for y in range(view.size.height):
        line = ""
        for segment in view.render_line(y):
            colour = segment.style.bgcolor if segment.style else None
            name = colour.name if colour else "none"
            letter = letters.setdefault(name, LETTERS[len(letters)])
            line += letter * segment.cell_length
        lines.append(line)
    return [*lines, *(f"{letter} {name}" for name, letter in letters.items())]


@pytest.mark.parametrize("size", [SMALL, MIDDLE], ids=["80x24", "120x40"])
async def test_the_map_looks_as_expected(size: tuple[int, int], demo_file: Path) -> None:
    async with opened(demo_file, size=size) as (app, pilot):
        app.map_cursor = "N35"
        await pilot.press("m")
        await shown(pilot, "N35  ")
        view = island(app)
        for depth in (ColorDepth.FULL, ColorDepth.OF_256, ColorDepth.OF_16, ColorDepth.NONE):
            app.use_depth(depth)
            assert isinstance(app.screen, MapScreen)
            app.screen.fit_to_zoom()
            view.replace_hex_marks({"P32", "P33", "Q32"}, {"L38", "L39"})
            await pilot.pause()
            if (depth is ColorDepth.NONE) == (size == SMALL):
                coloured = [] if depth is ColorDepth.NONE else colours_of(view)
                same_as_golden(app, f"map-{size[0]}x{size[1]}-{depth}", coloured)
