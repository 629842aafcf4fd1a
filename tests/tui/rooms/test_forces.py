"""Forces: the list and its filter, the page, corrections, the form for the end of a scenario."""

from pathlib import Path

import pytest
from textual.widgets import Input

from brt_cg.commands.state_document import build_state_document
from brt_cg.model.records import Phase
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.tick_sheet import load_tick_sheet
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.lists.counter_list import CounterList
from brt_cg.tui.lists.groups import CounterRow, Group
from brt_cg.tui.point.screen import AreasScreen
from tests.tui.helpers import (
    MIDDLE,
    SMALL,
    look_from,
    same_as_golden,
    screen_lines,
    screen_text,
    settled,
    shown,
    until,
    words,
)
from tests.tui.moments import in_forces, played, press, to_room


async def test_counters_are_grouped_by_side_and_location(demo_file: Path) -> None:
    async with in_forces(demo_file) as (app, pilot):
        await shown(pilot, "[created]")
        same_as_golden(app, "forces-80x24")
        assert "★ Marine · On map" in screen_text(app)


async def test_the_cursor_stays_on_a_collapsed_group_until_expanded(demo_file: Path) -> None:
    async with in_forces(demo_file) as (app, pilot):
        await pilot.press("tab", "left", "v")
        listed = app.screen.query_one(CounterList)
        assert "▸ Marine · Off map" in screen_text(app)
        assert listed.at is not None
        assert listed.lines[listed.at].title == "Marine · Off map"  # type: ignore[union-attr]
        await pilot.press("right")
        assert listed.id_at_cursor in ("m-ldr-19", "m-lvt-7", "m-lvt-7-aamg", "m-sq-33")


async def test_the_filter_works_while_typing(demo_file: Path) -> None:
    async with in_forces(demo_file, size=MIDDLE) as (app, pilot):
        await pilot.press("slash", *"wounded", "enter", "down")
        await pilot.pause(0.4)
        same_as_golden(app, "forces-wounded-120x40")
        assert "History" in screen_text(app)


async def test_a_correction_is_refused_at_the_field_and_then_stored(demo_file: Path) -> None:
    async with in_forces(demo_file, size=MIDDLE) as (app, pilot):
        await pilot.press("slash", *"hays", "enter", "e")
        field = app.screen.query_one("#status", Input)
        field.focus()
        await pilot.press(*"tired", "enter")
        await pilot.pause()
        assert "✗ required" in screen_text(app)
        await pilot.press(*"seen", "enter")
        await pilot.pause(0.3)
        assert '✗ "tired" is not accepted; enter' in screen_text(app)
        field.focus()
        await pilot.press("end", *["backspace"] * 5, *"wou", "right", "enter")
        seen = await settled(pilot)
        assert seen.view.units["m-ldr-19"].has_status("wounded")
        assert seen.log[-1].text.endswith("status – → wounded (seen)")


async def test_a_scenario_ends_with_a_few_ticks(demo_file: Path) -> None:
    async with in_forces(played(demo_file, None)) as (app, pilot):
        assert "i End of scenario" in screen_text(app)
        await pilot.press("i", "x", "down", "down", "b", "down", "m", *"n22", "enter")
        await pilot.pause()
        same_as_golden(app, "scenario-end-80x24")
        assert "Refit Forces Map " in screen_text(app), "letters are written here"
        await pilot.press("enter")
        await pilot.pause()
        assert "Who won" not in screen_text(app), "15.6032 counts that"
        await pilot.press("enter")
        await pilot.pause(0.6)
        text = screen_text(app)
        assert "counters without a hex (none needed)" in text
        assert "report only" not in text, "the umpire enters both"
        await pilot.press("enter")
        await pilot.pause()
        assert "✗ required (← →: choose)" in screen_text(app), "who is Encircled"
        await pilot.press("n", "enter")
        await shown(pilot, "continue with Check")
        await pilot.press("enter")
        await shown(pilot, "enter it")
        await pilot.press("enter")
        await until(pilot, lambda: app.session.seen.view.situation.phase is Phase.REFIT)
        seen = await settled(pilot)
        assert seen.view.situation.winner is None
        campaign = unrestricted_campaign(OpenCampaign.open(demo_file)).campaign
        assert build_state_document(campaign)["scenario"]["date"] == "21 AM"
        # --- what was ticked is there again when it is taken back ---
        await pilot.press("u", "y")
        assert (await settled(pilot)).view.situation.phase is Phase.SCENARIO
        await to_room(pilot, "forces")
        await pilot.press("i")
        assert "3 of " in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen.query_one("#perimeters", Input).value


async def test_an_invalid_hex_is_refused_at_the_field(demo_file: Path) -> None:
    async with in_forces(played(demo_file, None)) as (app, pilot):
        await pilot.press("i", "slash", *"breach", "enter", "d")
        assert "1a seawall breach cannot be reduced" in screen_text(app)
        await pilot.press("escape", "end", "home", "down", "down", "m", *"ZZ9", "enter")
        await pilot.pause()
        assert "✗ Not allowed: ZZ9 is not a hex" in screen_text(app)


async def test_the_end_of_a_scenario_finds_a_counter_by_its_code(demo_file: Path) -> None:
    async with in_forces(played(demo_file, None)) as (app, pilot):
        await pilot.press("i", "slash", *"2d")
        await pilot.pause()
        listed = app.screen.query_one(CounterList)
        codes = [line.name.split()[0] for line in listed.lines if isinstance(line, CounterRow)]
        assert "2d" in codes
        assert len(codes) < 5


async def test_painting_perimeters_shows_how_to_enter_them(demo_file: Path) -> None:
    async with in_forces(played(demo_file, None)) as (app, pilot):
        await pilot.press("i", "enter")
        await pilot.pause()
        app.screen.query_one("#perimeters").focus()
        await pilot.press("f4")
        await pilot.pause()
        keys = screen_text(app).splitlines()[-1]
        assert keys.index("Space Paint") < keys.index("Enter Answer") < keys.index("Esc Back")


async def test_perimeters_are_painted_over_the_entered_positions(demo_file: Path) -> None:
    async with in_forces(played(demo_file, None), size=MIDDLE) as (app, pilot):
        await pilot.press("i", "comma", *"g20 1d x1e", "enter", "enter")
        await pilot.pause()
        app.screen.query_one("#perimeters").focus()
        await pilot.press("f4")
        await pilot.pause()
        assert isinstance(app.screen, AreasScreen)
        assert [one.id for one in app.screen.island.drawing.sheet.here["G20"]] == ["m-sq-8"]
        assert not app.screen.seen.view.units["m-sq-9"].in_play
        await pilot.pause(0.5)
        assert "6-6-8 squad m-sq-9" not in screen_text(app)


async def test_ticks_and_totals_are_restored_after_leaving_the_program(demo_file: Path) -> None:
    async with in_forces(played(demo_file, None)) as (app, pilot):
        await pilot.press("i", "space", "space", "x")
        await pilot.pause()
        assert "2 of " in screen_text(app)
        for key in ("enter", "enter", "n", "enter"):
            await press(pilot, key)
        await shown(pilot, "continue with Check")
        await press(pilot, "tab", "end", "backspace", "7")
        for _ in range(3):
            await press(pilot, "escape")
        assert "2 of " in screen_text(app)
        for key in ("enter", "enter", "enter"):
            await press(pilot, key)
        await shown(pilot, "continue with Check")
        typed = app.screen.query_one("#san_marine", Input).value
        assert typed == "7"
    sheet = load_tick_sheet(look_from(OpenCampaign.open(demo_file), None))
    assert len(sheet.ticks) == 2
    assert sheet.totals == {"san_marine": typed, "encircled": "no"}


async def test_a_weapons_possessor_is_picked_by_name(demo_file: Path) -> None:
    async with in_forces(demo_file, size=MIDDLE) as (app, pilot):
        await pilot.press("slash", *"m-mmg-3", "enter", "e")
        await pilot.pause()
        form = app.screen
        form.query_one("#possessor").focus()
        await pilot.press("f4")
        await pilot.pause()
        assert "(K24)" in screen_text(app).split("type to find")[1].splitlines()[2]  # the nearest
        await pilot.press(*"maddox", "enter")
        await pilot.pause()
        assert app.screen is form
        assert form.query_one("#possessor", Input).value == "m-ldr-13"
        form.query_one("#status").focus()
        await pilot.press("f4", *"disab", "enter")
        await pilot.pause()
        assert form.query_one("#status", Input).value == "malfunctioned,disabled"


def test_unchanged_totals_are_not_stored(demo_file: Path) -> None:
    seen = look_from(OpenCampaign.open(played(demo_file, None)), None)
    sheet = load_tick_sheet(seen)
    sheet.keep_typed_total("pillboxes", "4", "3")
    sheet.keep_typed_total("san_marine", "4", "4")
    assert load_tick_sheet(seen).totals == {"pillboxes": "4"}
    sheet.keep_typed_total("pillboxes", "3", "3")
    assert not sheet.disk.file.exists()


@pytest.mark.parametrize("kept", ['{"winner": 3, "weather": "dry"}', "[]", '"j"'])
def test_damaged_totals_are_ignored(demo_file: Path, kept: str) -> None:
    seen = look_from(OpenCampaign.open(played(demo_file, None)), None)
    sheet = load_tick_sheet(seen)
    sheet.keep_typed_total("moved", "j", "")
    assert load_tick_sheet(seen).totals == {"moved": "j"}
    sheet.disk.file.write_text(f'{{"date": "21 AM", "ticks": {{}}, "totals": {kept}}}', "utf-8")
    assert load_tick_sheet(seen).totals == {}


@pytest.mark.parametrize(
    "kept",
    [
        "{",
        "[]",
        '{"date": "21 AM", "begun": "another campaign", "ticks": {"j-eng-2": {"broken": ""}}}',
        '{"date": "20 AM", "ticks": {"j-eng-2": {"broken": ""}}}',
        '{"date": "21 AM", "ticks": {"nobody": {"broken": ""}, "j-eng-2": {"sunk": ""}}}',
        '{"date": "21 AM", "ticks": {"j-eng-2": ["broken"]}}',
        '{"date": "21 AM", "ticks": 3}',
    ],
)
def test_ticks_of_another_date_and_damaged_ones_are_ignored(demo_file: Path, kept: str) -> None:
    desk = OpenCampaign.open(played(demo_file, None))
    seen = look_from(desk, None)
    sheet = load_tick_sheet(seen)
    sheet.ticks["j-eng-2"] = {"broken": ""}
    sheet.save()
    assert load_tick_sheet(seen).ticks == {"j-eng-2": {"broken": ""}}
    sheet.disk.file.write_text(kept)
    assert load_tick_sheet(seen).ticks == {}


async def test_units_come_first_and_equipment_in_an_enemy_area_last(demo_file: Path) -> None:
    async with in_forces(played(demo_file, "15.6111"), size=MIDDLE) as (app, pilot):
        listed = app.screen.query_one(CounterList)
        titles = [line.title for line in listed.lines if isinstance(line, Group)]
        own = [title for title in titles if title.startswith("Marine")]
        assert own[0] == "Marine · Area M1"
        assert own[-1] == "Marine · Area J1"
        first = next(group for group in app.screen.all if group.title == own[0])
        ranks = [row.rank for row in first.rows]
        assert ranks == sorted(ranks)
        assert ranks[0] < ranks[-1]
        assert "Counter " in screen_text(app)
        before = screen_text(app)
        await pilot.press("v")
        assert "by place" in screen_text(app)
        assert screen_text(app) != before


async def test_headings_stay_above_the_list_and_ignore_clicks(demo_file: Path) -> None:
    async with in_forces(demo_file) as (app, pilot):
        listed = app.screen.query_one(CounterList)
        await pilot.press("end")
        top = listed.region.y
        assert "Counter" in screen_lines(app)[top]
        at = listed.at
        await pilot.click(CounterList, offset=(8, 0))
        assert listed.at == at
        shown = [line for line in screen_lines(app)[top:] if "›" in line]
        assert len(shown) == 1, "the last counter is in view"


async def test_a_correction_shows_filled_fields_and_collapses_the_others(
    demo_file: Path,
) -> None:
    async with in_forces(demo_file, size=SMALL) as (app, pilot):
        await press(pilot, "slash", *"hawkins", "enter", "e")
        folded = await shown(pilot, "F6 shows 9 more: class, strength, aboard")
        assert "wounded" in folded
        assert "guarded by  " not in folded
        assert "(required; kept in the journal)" in folded, "an example is told from a value"
        await press(pilot, "f6")
        await shown(pilot, "guarded by  ")
        while app.focused is None or app.focused.name != "isolated":
            await press(pilot, "down")
        await press(pilot, "y", "f6")
        assert "isolated no → yes" in words(await shown(pilot, "F6 shows 9 more"))
        await press(pilot, "escape")
        await pilot.resize_terminal(*MIDDLE)
        await press(pilot, "e")
        assert "F6 shows" not in await shown(pilot, "recorded Location  "), "all of them fit"
