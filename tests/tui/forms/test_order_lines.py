"""An order of battle by lines on the screen: typed or pasted, understood while it is typed."""

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from brt_cg.card import load_card
from brt_cg.catalogue import load_catalogue
from brt_cg.imports.order_lines import parse_order_lines
from brt_cg.model.counters import Side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.forms.fields import LinesField
from brt_cg.tui.forms.order_lines import EXAMPLES
from brt_cg.tui.forms.screen import FormScreen
from tests.homes import set_documents
from tests.tui.helpers import MIDDLE, SMALL, screen_text, settled, shown, until
from tests.tui.moments import opened, press

at_dashboard = partial(opened, size=SMALL)
MARINE_LINES = ("10 x 668", "5 x 768 engineers: DC, DC, DC, FT, FT", "91 Crowe", "8-1", "7-0")


async def type_lines(pilot: Pilot[Any], *lines: str) -> None:
    for line in lines:
        await pilot.press(*line, "enter")


async def to_lines(pilot: Pilot[Any]) -> LinesField:
    """The field for the lines of the Marines."""
    await pilot.app.run_action("order_of_battle")
    await settled(pilot)
    await press(pilot, "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, FormScreen) and pilot.app.focused)
    field = pilot.app.focused
    assert isinstance(field, LinesField)
    return field


async def test_each_line_is_interpreted_while_typing(new_file: Path) -> None:
    async with at_dashboard(new_file) as (app, pilot):
        await to_lines(pilot)
        await type_lines(pilot, "4 x 668", "3 x 768 engineers: DC, DC, FT")
        await pilot.press(*"9-1 Crowe")
        await shown(pilot, "3 ✓ 1 × 9-1 leader Crowe")
        text = screen_text(app)
        assert "1 ✓ 4 × 6-6-8 squad" in text
        assert "2 ✓ 3 × 7-6-8 engineer squad, 2 × DC SW, 1 × FT SW" in text
        assert "Marine: 11 counters, 7 squad-equivalents" in text
        await pilot.press("enter", "enter")
        seen = await settled(pilot)
    assert len(seen.view.units) == 8
    assert len(seen.view.weapons) == 3
    assert {weapon.possessor for weapon in seen.view.weapons.values()} >= {"m-sq-5"}


async def test_nothing_is_stored_until_every_line_is_valid(new_file: Path) -> None:
    async with at_dashboard(new_file) as (_, pilot):
        field = await to_lines(pilot)
        await type_lines(pilot, "4 x 668", "2 x 999", "2 HMGG")
        await pilot.press("enter")
        text = await shown(pilot, "Lines 2, 3 not understood")
        assert "2 ✗ 9-9-9: no Marine unit; enter " in text
        assert "3 ✗ HMGG: did you mean HMG?" in text
        assert not (await settled(pilot)).view.units
        assert field.cursor_line_number == 2, "the first that is wrong"
        await pilot.press("down", "end", "backspace", "up", "end", *["backspace"] * 3, *"768")
        await shown(pilot, "3 ✓ 2 × HMG SW")
        assert field.text.splitlines()[:2] == ["4 x 668", "2 x 768"]


async def test_pasted_text_keeps_its_lines_here_but_not_in_other_fields(
    new_file: Path,
) -> None:
    async with at_dashboard(new_file) as (app, pilot):
        field = await to_lines(pilot)
        app.post_message(events.Paste("Marine:\r\n  4 x 6-6-8\n\n- 2 HMG\nJapanese:\n3 x 4-4-7\n"))
        await until(pilot, lambda: "4-4-7" in field.text)
        assert field.text == "Marine:\n4 x 6-6-8\n- 2 HMG\nJapanese:\n3 x 4-4-7"
        text = await shown(pilot, "Japanese: 3 counters, 3 squad-equivalents")
        assert "Marine: 6 counters" in text
        await pilot.press("enter", "enter")
        assert len((await settled(pilot)).view.units) == 7


async def test_all_lines_are_one_command_and_arrivals_are_scheduled(new_file: Path) -> None:
    async with at_dashboard(new_file) as (app, pilot):
        await to_lines(pilot)
        await type_lines(pilot, "2 x 668", "21 AM, wave 4: 3 x 668 in LVT2")
        await pilot.press("enter")
        view = (await settled(pilot)).view
        assert len(view.units) == 2
        assert [arrival.date for arrival in view.arrivals.values()] == ["21 AM"]
        await app.session.perform(lambda desk: desk.undo_or_request(whole_call=True))
        view = (await settled(pilot)).view
        assert not view.units
        assert not view.arrivals


async def test_three_escapes_keep_the_lines_that_were_pasted(new_file: Path) -> None:
    async with at_dashboard(new_file) as (app, pilot):
        await to_lines(pilot)
        await pilot.press(*"4 x 668", "escape", "escape", "escape")
        await settled(pilot)
        assert not isinstance(app.screen, FormScreen)
        assert not (await settled(pilot)).view.units
        assert (await to_lines(pilot)).text == "4 x 668"
        await pilot.press("f10")
        await until(pilot, lambda: app.screen.query_one(LinesField).text == "")
        await pilot.press("f10")
        await until(pilot, lambda: app.screen.query_one(LinesField).text == "4 x 668")


async def test_a_side_enters_no_enemy_counters(new_file: Path) -> None:
    async with at_dashboard(new_file, Side.MARINE) as (_, pilot):
        await to_lines(pilot)
        await type_lines(pilot, "japanese", "3 x 447")
        await shown(pilot, "✗ these are your opponent's counters; enter your own")


@pytest.mark.parametrize("side", Side)
def test_the_examples_are_valid(side: Side, tmp_path: Path) -> None:
    desk = OpenCampaign.create(tmp_path / "new.brt", {"cg": "III"})
    lines = parse_order_lines(
        "\n".join(EXAMPLES[side]),
        side,
        unrestricted_campaign(desk).campaign,
        load_card("III"),
        load_catalogue(),
    )
    assert [line.problems for line in lines] == [[]] * len(EXAMPLES[side])


async def test_a_new_campaign_asks_for_san_elr_and_both_orders_of_battle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_documents(monkeypatch, tmp_path)
    app = BrtApp(seat=None)
    async with app.run_test(size=MIDDLE) as pilot:
        await pilot.press("N", "enter")
        app.screen.query_one("#marine-san").focus()
        await pilot.press("4", "tab", "5", "tab", "5", "tab", "4", "enter")
        await shown(pilot, "3 of 4")
        await type_lines(pilot, "3 x 668", "japanese", "4 x 447", "2 x 999")
        await pilot.press("enter")
        await shown(pilot, "Line 5 not understood")
        assert "3 of 4" in screen_text(app)
        await pilot.press("end", "ctrl+u", *"2 HMG", "down", "enter", "enter")
        seen = await settled(pilot)
    sides = seen.view.sides
    assert [(sides[side].san, sides[side].elr) for side in Side] == [(4, 5), (5, 4)]
    assert sorted(unit.type for unit in seen.view.units.values()) == ["4-4-7"] * 4 + ["6-6-8"] * 3
    assert {weapon.repair_number for weapon in seen.view.weapons.values()} == {3}


# --- proofreading ---------------------------------------------------------------------------------


async def proofreading(pilot: Pilot[Any], *lines: str) -> None:
    """The page with some Marine lines, the cursor on the first of them."""
    await to_lines(pilot)
    await type_lines(pilot, *lines)
    await pilot.press("enter")
    await settled(pilot)
    await press(pilot, "down")


async def test_the_page_checks_each_line_and_the_total(new_file: Path) -> None:
    async with at_dashboard(new_file, size=MIDDLE) as (app, pilot):
        await proofreading(pilot, "4 x 668", "2 x 768 engineers: DC, FT", "91", "2 x M4A2")
        text = screen_text(app)
        assert re.search(r"4 × 6-6-8 +4 sq-eq, 8 CVP", text)
        assert re.search(r"7-6-8 engineers: DC +1 sq-eq, 2 CVP", text)
        assert re.search(r"Total +11 counters, 6 sq-eq, \d+ CVP", text)
        await pilot.press("slash", *"total", "enter")
        text = await shown(pilot, "total, to check against the card")
        assert "11 counters, 6 squad-equivalents, " in text


async def test_a_line_is_changed_and_undo_restores_it(new_file: Path) -> None:
    async with at_dashboard(new_file, size=MIDDLE) as (app, pilot):
        await proofreading(pilot, "4 x 668", "2 x M4A2")
        await pilot.press("enter")
        await shown(pilot, "change the line")
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.focused, LinesField))
        assert app.focused.text == "4 x 6-6-8"
        await pilot.press("home", "delete", "6", "end", "enter", "enter")
        await settled(pilot)
        assert re.search(r"6 × 6-6-8 ", screen_text(app))
        units = (await settled(pilot)).view.units
        assert sorted(units) == [f"m-sq-{number}" for number in range(1, 7)]
        await app.session.perform(lambda desk: desk.undo_or_request(whole_call=True))
        assert len((await settled(pilot)).view.units) == 4


async def test_a_line_and_an_arrival_are_dropped(new_file: Path) -> None:
    async with at_dashboard(new_file, size=MIDDLE) as (app, pilot):
        await proofreading(pilot, "4 x 668", "20 NT, wave 2: 3 x 668")
        await pilot.press("enter")
        await shown(pilot, "remove it")
        await pilot.press("x")
        assert not (await settled(pilot)).view.units
        app.screen.query_one("#rows").focus()
        await pilot.press("slash", *"wave", "enter")
        assert "○ 20 NT  ★ wave 2: 3 x 668" in screen_text(app)
        await pilot.press("enter")
        await shown(pilot, "remove it")
        await pilot.press("x")
        await until(pilot, lambda: not app.session.current_snapshot.view.arrivals)


async def test_lines_cannot_be_changed_after_the_first_scenario(
    demo_file: Path,
) -> None:
    async with at_dashboard(demo_file, size=MIDDLE) as (app, pilot):
        await app.run_action("order_of_battle")
        await settled(pilot)
        assert "sq-eq" not in screen_text(app)


async def test_the_interpretation_follows_the_cursor_through_a_long_list(new_file: Path) -> None:
    async with at_dashboard(new_file) as (app, pilot):
        field = await to_lines(pilot)
        app.post_message(events.Paste("\n".join(["668", "?"] * 20 + ["2 x 999"])))
        await shown(pilot, "›41 ✗ 9-9-9")
        assert "Line 41 not understood" in screen_text(app), "in view at the foot"
        await pilot.press("ctrl+home")
        assert field.cursor_line_number == 1
        assert "› 1 ✓ 1 × 6-6-8 squad" in await shown(pilot, "› 1 ✓")
        await pilot.press("pagedown")
        assert field.cursor_line_number > 3
        await pilot.press("pageup", "ctrl+end")
        assert field.cursor_location == (40, len("2 x 999"))


async def test_one_key_gives_separately_listed_sw_to_squads(new_file: Path) -> None:
    async with at_dashboard(new_file) as (app, pilot):
        field = await to_lines(pilot)
        app.post_message(events.Paste("4 x 668\nSW:\n2 MMG\n1 LMG"))
        assert "– 1 line ignored" in await shown(pilot, "F5 gives")
        await pilot.press("f5")
        await until(pilot, lambda: field.text.startswith("4 x 668: MMG, MMG, LMG"))
        await pilot.press("enter", "enter")
        seen = await settled(pilot)
    assert len({weapon.possessor for weapon in seen.view.weapons.values()}) == 3
