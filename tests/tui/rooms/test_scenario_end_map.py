"""The end of a scenario on the map: put, moved, marked and removed where the counters lie."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Size
from textual.pilot import Pilot

from brt_cg.model.counters import Side
from brt_cg.model.visibility import secret_of
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.lists.counter_list import CounterList
from brt_cg.tui.look.lines import Lines
from brt_cg.tui.map.island_map import WholeIsland
from brt_cg.tui.point.screen import PointScreen
from brt_cg.tui.rooms.scenario_end.screen import ScenarioEndScreen
from brt_cg.tui.session.session import Seat
from tests.imports.ends import coded
from tests.tui.helpers import MIDDLE, SMALL, screen_lines, screen_text
from tests.tui.moments import opened, played, press


@pytest.fixture
def in_scenario(demo_file: Path) -> Path:
    """The demo in its next scenario, with nobody on the map but what is bound to its place."""
    return played(demo_file, None)


@asynccontextmanager
async def in_the_list(
    path: Path, seat: Seat = None, size: tuple[int, int] = MIDDLE
) -> AsyncIterator[tuple[BrtApp, Pilot[Any], ScenarioEndScreen]]:
    """The end of the scenario."""
    async with opened(path, seat, "scenario_end", size) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, ScenarioEndScreen)
        yield app, pilot, screen


@asynccontextmanager
async def on_map(
    path: Path, hex: str, seat: Seat = None, size: tuple[int, int] = MIDDLE
) -> AsyncIterator[tuple[Pilot[Any], ScenarioEndScreen]]:
    """The end of the scenario, on the map, with the cursor on a hex."""
    async with in_the_list(path, seat, size) as (_, pilot, screen):
        await press(pilot, "f6")
        await look_at(pilot, screen, hex)
        yield pilot, screen


async def look_at(pilot: Pilot[Any], screen: ScenarioEndScreen, hex: str) -> None:
    screen.island.go_to(hex)
    await pilot.pause()
    await pilot.pause()


def listed(screen: ScenarioEndScreen, group: int) -> list[str]:
    return [row.id for row in screen.all[group].rows]


async def test_counters_are_placed_at_the_cursor(in_scenario: Path) -> None:
    async with on_map(in_scenario, "N19", size=MIDDLE) as (pilot, screen):
        left = len(listed(screen, 1))
        await press(pilot, "slash", *"m-sq-8", "enter", "space", "escape")
        screen.query_one(CounterList).put_cursor("m-sq-9")
        await press(pilot, "space", "exclamation_mark")
        assert screen.ticks == {"m-sq-8": {"moved": "N19"}, "m-sq-9": {"moved": "N19"}}
        assert listed(screen, 0) == ["m-sq-8", "m-sq-9"]
        await press(pilot, "asterisk")
        assert screen.marked.ids == {"m-sq-8", "m-sq-9"}
        await press(pilot, "asterisk")
        assert not screen.marked
        assert len(listed(screen, 1)) == left - 2
        assert f"2 accounted for, {left - 2} left" in screen_text(pilot.app)
        assert screen.island.drawing.sheet.hexes["N19"].stacks[Side.MARINE].strength == 2


async def test_counters_are_marked_moved_and_removed_on_the_map(
    in_scenario: Path,
) -> None:
    async with on_map(in_scenario, "N19") as (pilot, screen):
        for id in ("m-sq-8", "m-sq-9", "m-hs-8"):
            screen.query_one(CounterList).put_cursor(id)
            await press(pilot, "exclamation_mark")
        assert listed(screen, 0) == ["m-hs-8", "m-sq-8", "m-sq-9"]
        await press(
            pilot, "x", "greater_than_sign", "b", "greater_than_sign", "m"
        )  # each tick leaves its counter selected
        assert isinstance(pilot.app.screen, PointScreen)
        assert pilot.app.screen.pointing.title == "Moved: 6-6-8 squad no. 6"
        assert pilot.app.screen.island.cursor == "N19"
        await press(pilot, "right", "enter")
        assert pilot.app.screen is screen
        assert screen.ticks == {
            "m-hs-8": {"moved": "N19", "eliminated": ""},
            "m-sq-8": {"moved": "N19", "broken": ""},
            "m-sq-9": {"moved": "N20"},
        }
        assert listed(screen, 0) == ["m-sq-8", "m-hs-8"]  # who is gone last, to be unticked
        await look_at(pilot, screen, "N20")
        assert listed(screen, 0) == ["m-sq-9"]
        ticks = dict(screen.ticks)
        await look_at(pilot, screen, "A1")  # where nobody is selected
        await press(pilot, "x", "b", "y")
        assert screen.ticks == ticks
        assert "✗ Not allowed: select a counter first" in screen_text(pilot.app)
        await look_at(pilot, screen, "O34")
        left = listed(screen, 1)
        assert "j-tk-5" in left
        await press(pilot, "y")
        assert screen.ticks == {**ticks, "j-tk-5": {"stays": ""}}
        assert listed(screen, 1) == [id for id in left if id != "j-tk-5"]
        assert "✓ as it" in screen_text(pilot.app)
        await press(pilot, "x")
        assert screen.ticks == {**ticks, "j-tk-5": {"eliminated": ""}}


async def test_the_mouse_drags_a_counter_to_another_hex(in_scenario: Path) -> None:
    async with on_map(in_scenario, "N19") as (pilot, screen):
        screen.query_one(CounterList).put_cursor("m-sq-8")
        await press(pilot, "exclamation_mark")
        start, end = (offset(screen, hex) for hex in ("N19", "N21"))
        await pilot.mouse_down(screen.island, offset=start)
        await pilot.hover(screen.island, offset=end)
        await pilot.mouse_up(screen.island, offset=end)
        await pilot.pause()
        await pilot.pause()
        assert screen.ticks == {"m-sq-8": {"moved": "N21"}}


def offset(screen: ScenarioEndScreen, hex: str) -> tuple[int, int]:
    x, y = screen.island.cell_of_hex(hex)
    return x + 1, y


async def test_a_click_on_the_island_above_the_map_goes_there(
    in_scenario: Path,
) -> None:
    async with on_map(in_scenario, "N19") as (pilot, screen):
        whole = screen.query_one(WholeIsland)
        assert whole.display
        assert whole.cursor == "N19"
        await pilot.click(whole, offset=whole.cell_of_hex("F44"))
        await pilot.pause()
        assert screen.island.cursor == whole.cursor == "F44"
    async with on_map(in_scenario, "N19", size=SMALL) as (_, screen):
        assert not screen.query_one(WholeIsland).display


async def test_a_legend_explains_the_map_and_the_island_above_it(in_scenario: Path) -> None:
    async with on_map(in_scenario, "N19") as (_, screen):
        drawn = screen.query_one("#legend", Lines).write_content(Size(48, 20)).plain
        assert "Marine land" in drawn
        assert "as it was" in drawn


async def test_the_scenario_end_map_shows_a_seat_no_hidden_enemy(in_scenario: Path) -> None:
    desk = OpenCampaign.open(in_scenario)
    table = unrestricted_campaign(desk).campaign
    hidden = [
        counter.id for counter in table.counters() if secret_of(table, counter) is Side.JAPANESE
    ]
    places = sorted({str(table.find(id).location) for id in hidden})  # type: ignore[union-attr]
    desk.close()
    assert hidden
    async with on_map(in_scenario, "N19", Side.MARINE) as (pilot, screen):
        assert not set(hidden) & set(listed(screen, 1))
        for place in [place for place in places if place[:1].isupper()]:
            await look_at(pilot, screen, place.partition(":")[0])
            shown = screen_text(pilot.app)
            assert [id for id in hidden if re.search(rf"{id}(?![\w-])", shown)] == []
            assert not {*hidden} & {*listed(screen, 0)}


async def test_a_tick_forbidden_for_one_marked_counter_is_set_on_none(
    in_scenario: Path,
) -> None:
    async with in_the_list(in_scenario) as (app, pilot, screen):
        screen.marked.mark_or_unmark_all({"m-sq-8", "j-sq-8"})
        await press(pilot, "c", *"m-sq-15", "enter")
        assert "✗ Not allowed: 'm-sq-15' is not an enemy unit in play" in screen_text(app)
        assert screen.ticks == {}
        assert screen.marked.ids == {"m-sq-8", "j-sq-8"}


async def test_marked_counters_that_cannot_have_an_event_are_left_out_and_named(
    in_scenario: Path,
) -> None:
    async with in_the_list(in_scenario) as (app, pilot, screen):
        screen.marked.mark_or_unmark_all({"m-sq-8", "m-fx-1"})
        await press(pilot, "b")
        assert screen.ticks == {"m-sq-8": {"broken": ""}}
        assert "Left out: 1m 2S foxhole cannot be broken" in screen_text(app)


async def test_m_again_opens_the_hex_and_keeps_the_tick(in_scenario: Path) -> None:
    async with in_the_list(in_scenario) as (_, pilot, screen):
        screen.listed.put_cursor("m-sq-8")
        await press(pilot, "m", *"n22", "enter", "m")
        assert screen.ticks == {"m-sq-8": {"moved": "N22"}}
        assert screen.line.typed.value == "N22"
        await press(pilot, *"n21", "enter")
        assert screen.ticks == {"m-sq-8": {"moved": "N21"}}


async def test_a_line_is_applied_only_when_all_of_it_is_valid(in_scenario: Path) -> None:
    async with in_the_list(in_scenario) as (app, pilot, screen):
        await press(pilot, "comma", *coded(screen.event_sheet, "x{m-ldr-5} d1a"))
        told = screen_text(app)
        assert "eliminated: 1b 7-0 Sorrell" in told
        assert "✗ d1a: 1a seawall breach cannot be reduced" in told
        assert told.index("✗ d1a") < told.index("eliminated: 1b"), "errors first"
        await press(pilot, "enter")
        assert screen.ticks == {}
        await press(
            pilot, "backspace", "backspace", *coded(screen.event_sheet, "{m-sq-8}"), "enter"
        )
        assert screen.ticks == {"m-ldr-5": {"eliminated": ""}, "m-sq-8": {"reduced": ""}}
        assert screen.line.typed.value == ""
        await press(pilot, *coded(screen.event_sheet, "w{m-ldr-7}"), "enter", "x")
        assert screen.ticks["m-ldr-7"] == {"wounded": "", "eliminated": ""}, "keys are keys again"


async def test_a_tick_letter_alone_ticks_and_with_a_code_starts_a_line(
    in_scenario: Path,
) -> None:
    async with in_the_list(in_scenario) as (_, pilot, screen):
        screen.listed.put_cursor("m-ldr-5")
        await press(pilot, "x", "down", "b")
        first = {"m-ldr-5": {"eliminated": ""}, screen.selected_counter: {"broken": ""}}
        assert screen.ticks == first, "two presses for each of those below one another"
        screen.listed.put_cursor("m-ldr-7")
        await press(pilot, *coded(screen.event_sheet, "x{m-sq-8} n19 {m-sq-9}"))
        assert screen.ticks == first, "the letter was for the code"
        assert screen.line.typed.value == coded(screen.event_sheet, "x{m-sq-8} n19 {m-sq-9}")
        await press(pilot, "enter")
        assert screen.ticks == first | {"m-sq-8": {"eliminated": ""}, "m-sq-9": {"moved": "N19"}}
        await press(pilot, *"r35 ")
        assert screen.line.typed.value == "r35 ", "a hex that begins with a tick's letter"


async def test_letters_of_other_rooms_do_nothing_where_codes_are_typed(
    in_scenario: Path,
) -> None:
    """The old keys of the form begin a line, and name the new ones."""
    for key, told in {
        **{"f": "", "s": "", "M": "", "z": "", "q": "Back is Esc now (q in 1.0)."},
        **{"u": "Undo is Ctrl+Z now (u in 1.0).", "o": "Map / list is F6 now (o in 1.0)."},
    }.items():
        async with opened(in_scenario, None, "scenario_end", notifications=True) as (app, pilot):
            screen = app.screen
            assert isinstance(screen, ScenarioEndScreen)
            await press(pilot, key)
            assert app.screen is screen
            assert (screen.line.typed.value, screen.ticks) == (key, {})
            assert [notice.message for notice in app._notifications] == [told] * bool(told)
            await press(pilot, "backspace", "escape")


async def test_a_word_is_marked_wrong_only_after_it_is_entered(
    in_scenario: Path,
) -> None:
    async with in_the_list(in_scenario) as (app, pilot, screen):
        await press(pilot, "comma", *coded(screen.event_sheet, "x{m-sq-8}"), "1")
        assert "✗" not in screen_text(app)
        await press(pilot, "enter")
        assert "1? write a code like 4a" in screen_text(app).partition("✗")[2]
        await press(pilot, "backspace", "enter")
        assert "✓ 1 counter ticked" in screen_text(app)
        await press(pilot, "x")
        assert "counter ticked" not in screen_text(app)


async def test_a_low_terminal_shows_the_results_of_a_long_line_of_words(in_scenario: Path) -> None:
    async with opened(in_scenario, None, "scenario_end", SMALL) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, ScenarioEndScreen)
        ids = ["m-sq-8", "m-sq-9", "m-ldr-5", "m-ldr-7", "m-sq-17", "m-sq-19", "m-hs-10"]
        await press(
            pilot, "comma", *coded(screen.event_sheet, " ".join(f"b{{{id}}}" for id in ids))
        )
        assert screen_text(app).count("broken: ") == len(ids)


async def test_the_list_shows_the_counter_being_typed(in_scenario: Path) -> None:
    async with in_the_list(in_scenario) as (_, pilot, screen):
        await press(pilot, "comma", *coded(screen.event_sheet, "x{m-ldr-15}"))
        assert screen.listed.id_at_cursor == "m-ldr-15"
        await press(pilot, *" @k24")
        assert screen.listed.id_at_cursor == "m-ldr-13"


async def test_a_line_longer_than_its_field_stays_visible(in_scenario: Path) -> None:
    async with opened(in_scenario, None, "scenario_end", SMALL) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, ScenarioEndScreen)
        line = " ".join(coded(screen.event_sheet, "y{m-sq-8}") for _ in range(22))
        screen.line.open_field("codes", line)
        await pilot.pause()
        assert "".join(screen_text(app).split()).count("".join(line.split())) == 1


async def test_a_hex_far_from_where_it_was_takes_a_second_enter(in_scenario: Path) -> None:
    async with in_the_list(in_scenario) as (app, pilot, screen):
        await press(pilot, "comma", *coded(screen.event_sheet, "d14 {m-sq-17}"), "enter")
        assert screen.ticks == {}
        assert "Enter again" in screen_text(app)
        await press(pilot, "enter")
        assert screen.ticks == {"m-sq-17": {"moved": "D14"}}


async def test_ctrl_z_undoes_the_last_line_or_tick_and_never_the_campaign(
    in_scenario: Path,
) -> None:
    entries = len(unrestricted_campaign(OpenCampaign.open_read_only(in_scenario)).entries)
    async with in_the_list(in_scenario) as (app, pilot, screen):
        await press(pilot, "x", "comma", *coded(screen.event_sheet, "b{m-sq-8}{m-sq-9}"), "enter")
        assert len(screen.ticks) == 3
        await press(pilot, "ctrl+z")
        assert [*screen.ticks.values()] == [{"eliminated": ""}]
        await press(pilot, "ctrl+z")
        assert screen.ticks == {}
        await press(pilot, "ctrl+z", "ctrl+z", "enter", "ctrl+z")
        assert app.current_mode == "scenario_end"
        assert "Undo" in screen_text(app)
    assert len(unrestricted_campaign(OpenCampaign.open_read_only(in_scenario)).entries) == entries


async def test_an_unfinished_line_is_kept_and_blocks_the_scenario_end(
    in_scenario: Path,
) -> None:
    async with opened(in_scenario, None, "scenario_end", SMALL) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, ScenarioEndScreen)
        line = coded(screen.event_sheet, "x{m-sq-8}")
        await press(pilot, "tab", "comma", *line, "escape")
        assert f"Kept, but not entered: {line}" in screen_text(app)
        assert screen.ticks == {}
        await press(pilot, "home", "enter")
        assert "One line was not entered" in screen_text(app)
        await press(pilot, "n")
        await press(pilot, "enter")
        assert screen.ticks == {"m-sq-8": {"eliminated": ""}}


async def test_at_80_by_24_a_legend_has_the_ticks_of_the_selected_counter(
    in_scenario: Path,
) -> None:
    async with opened(in_scenario, None, "scenario_end", SMALL) as (app, pilot):
        room = app.screen
        assert isinstance(room, ScenarioEndScreen)
        for kind, words, without in (
            ("ldr", "h Battle Hardened", "k a wreck"),
            ("tk", "k a wreck", "h Battle Hardened"),
        ):
            ids = [row.id for group in room.all for row in group.rows]
            room.listed.put_cursor(next(id for id in ids if id.startswith(f"m-{kind}-")))
            await pilot.press("down", "up")
            shown = "\n".join(screen_lines(app)[-4:-2])
            assert "x eliminated" in shown
            assert words in shown
            assert without not in shown


@pytest.mark.parametrize("seat", Side)
async def test_all_counters_of_a_side_are_on_at_most_seven_screens_beside_a_legend(
    in_scenario: Path, seat: Side
) -> None:
    async with opened(in_scenario, seat, "scenario_end", SMALL) as (app, _):
        screen = app.screen
        assert isinstance(screen, ScenarioEndScreen)
        rows = screen.listed.size.height - 1  # without the heading
        assert len([id for group in screen.all for id in group.rows]) > 110
        assert len(screen.listed.lines) <= 7 * rows
        assert "was         x b d w c  now" in screen_text(app)


async def test_the_form_shows_how_many_counters_are_accounted_for_and_the_cvp(
    in_scenario: Path,
) -> None:
    async with in_the_list(in_scenario, Side.MARINE) as (app, pilot, screen):
        total = len([row for group in screen.all for row in group.rows])
        await press(pilot, "comma", *coded(screen.event_sheet, "x{m-sq-8} b{m-sq-9}"), "enter")
        assert f"2 of {total} accounted for, Japanese CVP +2" in screen_text(app)


async def test_only_counters_that_need_a_hex_are_marked_at_first(in_scenario: Path) -> None:
    async with in_the_list(in_scenario) as (app, pilot, screen):
        needs = screen.event_sheet.reasons_hex_is_required(screen.event_sheet.campaign_after())
        assert 0 < len(needs) < 20
        assert "m-sq-8" not in needs, "it waits in its Area"
        await press(pilot, "comma", *coded(screen.event_sheet, "e{m-sq-8}"), "enter")
        screen.listed.go_to("m-sq-8")
        assert "m-sq-8" in screen.event_sheet.reasons_hex_is_required(
            screen.event_sheet.campaign_after()
        )
        await press(pilot, "comma")
        assert "Enter a hex only for marked" in screen_text(app)


async def test_the_captor_is_picked_in_a_box(in_scenario: Path) -> None:
    async with opened(in_scenario, None, "scenario_end", MIDDLE) as (app, pilot):
        await press(pilot, "down", "c")
        shown = screen_text(app)
        assert "╭─ 7-0 Sorrell captured: by which unit?" in shown
        assert "★ Marine · Area M1" in shown, "the room is seen around it"
        await press(pilot, "escape", "C", *"j-sq-8", "enter")
        captor = app.screen.query_one(CounterList).id_at_cursor
        assert (f"✓ captured {app.screen.event_sheet.codes.by_id['j-sq-8']}") in screen_text(app)  # type: ignore[attr-defined]
        assert app.screen.ticks == {"j-sq-8": {"captured": captor}}  # type: ignore[attr-defined]
