"""Pointing on the map instead of typing: questions, purchases, forms."""

import re
from collections import Counter as Count
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input

from brt_cg.board import grid, locations
from brt_cg.board.locations import ground_hex
from brt_cg.model.counters import Side
from brt_cg.model.shapes import Place
from brt_cg.model.visibility import secret_of, visible_campaign
from brt_cg.questions.pointing import MapPointing
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.answering.question_panel import QuestionPanel
from brt_cg.tui.app import BrtApp
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.frame.help_screen import HelpScreen
from brt_cg.tui.point.screen import PointScreen
from brt_cg.tui.question.form import POINTED
from brt_cg.tui.rooms.purchases.buy_form import BuyForm
from brt_cg.tui.rooms.refit.screen import RefitScreen
from tests.tui.helpers import MIDDLE, SMALL, screen_text, until, words_on_the_left
from tests.tui.moments import at_the_melees, in_forces, in_refit, opened, played, press


async def pointing(pilot: Pilot[Any]) -> PointScreen:
    """The map, once something is pointed at there."""
    await until(pilot, lambda: isinstance(pilot.app.screen, PointScreen))
    screen = pilot.app.screen
    assert isinstance(screen, PointScreen)
    await until(pilot, lambda: bool(screen.island.drawing.sheet.hexes))
    return screen


def words(app: App[Any]) -> list[str]:
    """What stands beside the map, word by word."""
    told = "\n".join(str(line.render()) for line in app.screen.query("#asked"))
    return told.split()


async def click(pilot: Pilot[Any], screen: PointScreen, hex: str) -> None:
    """Clicks on a hex of the map, which is brought into view first."""
    screen.island.scroll_visible()
    x, y = screen.island.cell_of_hex(hex)
    await pilot.click(screen.island, offset=(x + 1, y))
    await pilot.pause()


async def buying(pilot: Pilot[Any], item: str) -> FormScreen[Any]:
    """The form for a purchase, at its Location."""
    assert isinstance(pilot.app, BrtApp)
    seen, session = pilot.app.session.seen, pilot.app.session
    assert seen is not None
    price = seen.card.prices[item]
    side = next(side for side in (Side.JAPANESE, Side.MARINE) if price.can_be_bought_by(side))
    beach = "red_two" if side is Side.JAPANESE else None
    form: FormScreen[Any] = FormScreen(BuyForm(session, price, side, beach, True))
    await pilot.app.push_screen(form)
    form.query_one("#location", Input).focus()
    await pilot.pause()
    return form


async def to_item(pilot: Pilot[Any], id: str) -> None:
    """Goes to an item of the list under the question."""
    rows = pilot.app.screen.query_one(QuestionPanel).answers.rows
    rows.highlighted = rows.get_option_index(f"item:{id}")
    await pilot.pause()


@asynccontextmanager
async def pointing_at_setup(
    path: Path, *keys: str, size: tuple[int, int] = MIDDLE
) -> AsyncIterator[tuple[Pilot[Any], RefitScreen, PointScreen]]:
    """The map over the Refit room, where a key asks for a squad to be pointed at."""
    async with in_refit(path, size=size) as (app, pilot):
        room = app.screen
        await to_item(pilot, "m-sq-8")
        await press(pilot, *keys)
        yield pilot, room, await pointing(pilot)


def given(panel: QuestionPanel) -> dict[str, Any]:
    """What has been answered so far, by item."""
    answers = panel.answers.answers
    return dict(answers.given) if answers is not None else {}


async def test_a_setup_location_is_picked_among_highlighted_hexes(at_setup: Path) -> None:
    async with in_refit(at_setup, size=MIDDLE) as (app, pilot):
        room = app.screen
        panel = room.query_one(QuestionPanel)
        await to_item(pilot, "m-sq-8")
        assert "m: point on the map" in words_on_the_left(app)
        await press(pilot, "m")
        screen = await pointing(pilot)
        assert screen.island.drawing.marked == {"M18", "M19", "M20", "N18", "N19", "N20"}
        assert screen.island.cursor in screen.island.drawing.marked
        await press(pilot, "enter")
        await until(pilot, lambda: app.screen is room)
        assert given(panel) == {"m-sq-8": app.map_cursor}
        # --- a level is chosen from the list of the hex ---
        await to_item(pilot, "m-sq-8")
        await press(pilot, "m")
        screen = await pointing(pilot)
        screen.go_to("N19")
        await press(pilot, "tab")
        assert "N19, level 1" in screen_text(app)
        await press(pilot, "down", "enter")
        await until(pilot, lambda: app.screen is room)
        assert given(panel) == {"m-sq-8": "N19:1"}
        # --- one point serves all that are marked ---
        await to_item(pilot, "m-sq-8")
        await press(pilot, "space", "m")
        screen = await pointing(pilot)
        screen.go_to("N19")
        await press(pilot, "enter")
        await until(pilot, lambda: app.screen is room)
        assert given(panel) == {"m-sq-8": "N19", "m-sq-9": "N19"}


async def test_a_forbidden_hex_is_reported_on_the_map_and_escape_changes_nothing(
    at_setup: Path,
) -> None:
    async with pointing_at_setup(at_setup, "m", size=SMALL) as (pilot, room, screen):
        screen.go_to("A1")
        await press(pilot, "enter", "enter")
        await until(pilot, lambda: "7-6-8 squad no. 5: A1 is Ocean" in " ".join(words(pilot.app)))
        await press(pilot, "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        told = screen_text(pilot.app)
        assert "The hexes that you may choose are lit" in told
        assert "Off map. Answers with “off map”." in told
        assert "Undo" not in told, "its key does nothing here"
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is screen)
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is room)
        assert given(room.query_one(QuestionPanel)) == {}


async def test_the_destination_of_a_withdrawal_is_picked_on_the_map(demo_file: Path) -> None:
    async with in_refit(demo_file, size=MIDDLE) as (app, pilot):
        room = app.screen
        await at_the_melees(pilot)
        await press(pilot, "enter", "f4")
        screen = await pointing(pilot)
        assert {"N34", "N36"} <= screen.island.drawing.marked
        assert "A1" not in screen.island.drawing.marked
        screen.go_to("N34")
        await press(pilot, "enter")
        assert any("7-6-8 squad no. 12: withdrew to N34" in pick.words for pick in screen._picks)
        await press(pilot, "enter")
        await until(pilot, lambda: app.screen is room)
        picking = room.query_one(QuestionPanel).answers._picking
        assert picking is not None
        assert picking.joined_answer() == {"withdrew": {"m-sq-15": "N34"}}


async def test_a_location_picked_on_the_map_is_inserted_into_the_text(
    demo_file: Path,
) -> None:
    async with in_refit(demo_file, size=MIDDLE) as (app, pilot):
        room = app.screen
        await at_the_melees(pilot)
        await press(pilot, "enter")
        answers = room.query_one(QuestionPanel).answers
        await until(pilot, lambda: answers._picking is not None)
        assert answers._picking is not None
        answers._picking.offered = [each for each in answers._picking.offered if not each.spots]
        await press(pilot, *"withdrew", "f4")
        screen = await pointing(pilot)
        screen.go_to("A1")
        await press(pilot, "enter")
        await until(pilot, lambda: app.screen is room)
        assert answers.entry.value == "withdrewA1"


async def test_a_location_is_corrected_with_the_mouse(demo_file: Path) -> None:
    async with in_forces(demo_file, size=MIDDLE) as (app, pilot):
        await press(pilot, "slash", *"m-sq-8", "enter", "e")
        await until(pilot, lambda: isinstance(app.screen, FormScreen))
        field = app.screen.query_one("#location", Input)
        field.focus()
        await pilot.pause()
        assert "F4 on the map" in screen_text(app)
        await press(pilot, "f4")
        screen = await pointing(pilot)
        assert screen.island.cursor == ground_hex(field.value)
        await click(pilot, screen, "N22")
        await click(pilot, screen, "N22")
        await press(pilot, "enter")  # its ground, and not the pillbox there
        await until(pilot, lambda: isinstance(app.screen, FormScreen))
        assert field.value == "N22"


async def test_a_covered_arc_and_a_hexside_are_picked_and_drawn(
    demo_file: Path,
) -> None:
    async with opened(played(demo_file, "15.613"), size=MIDDLE) as (app, pilot):
        form = await buying(pilot, "pillbox_fpp_1_3_5")
        await press(pilot, "f4")
        screen = await pointing(pilot)
        lit = screen.island.drawing.marked
        assert lit
        assert {app.session.seen.view.area_at(hex).side for hex in lit} == {Side.JAPANESE}  # type: ignore[union-attr]
        await press(pilot, "enter")
        await until(pilot, lambda: app.screen is form)
        at = form.query_one("#location", Input).value
        assert at in lit
        form.query_one("#arc", Input).focus()
        await press(pilot, "f4")
        screen = await pointing(pilot)
        assert screen.island.drawing.marked == set(grid.neighbors(at))
        await press(pilot, "enter")
        after_one = screen.island.drawing.marked
        assert len(after_one) == 2
        arc = tuple(
            sorted((screen.pointing.spots[0], screen.island.cursor), key=locations.hex_sort_key)
        )
        await until(pilot, lambda: len(screen.island.drawing.drawn) > 2)
        assert screen.island.drawing.drawn == grid.hexes_in_arc(at, arc)  # type: ignore[arg-type]
        await press(pilot, "enter")
        await until(pilot, lambda: app.screen is form)
        assert form.query_one("#arc", Input).value == ",".join(arc)
        await press(pilot, "escape")
        form = await buying(pilot, "seawall_breach")
        await press(pilot, "f4")
        screen = await pointing(pilot)
        await press(pilot, "enter")
        first = screen.pointing.spots[0]
        assert screen.island.cursor in grid.neighbors(first)
        second = screen.island.cursor
        await press(pilot, "enter")
        await until(pilot, lambda: app.screen is form)
        assert form.query_one("#location", Input).value == f"{first}/{second}"


async def test_highlighted_and_listed_hexes_reveal_nothing_hidden(demo_file: Path) -> None:
    path = played(demo_file, None)
    desk = OpenCampaign.open(path)
    table, view = (
        unrestricted_campaign(desk).campaign,
        visible_campaign(unrestricted_campaign(desk).campaign, Side.MARINE),
    )
    desk.close()
    hidden = [counter for counter in table.counters() if secret_of(table, counter) is Side.JAPANESE]
    places = Count(ground_hex(str(counter.location)) for counter in hidden)
    hexes = sorted(places.keys() - {"None", "off_map"}, key=lambda hex: -places[hex])

    def telling(text: str) -> list[str]:
        return [each.id for each in hidden if re.search(rf"{each.id}(?![\w-])", text)]

    for hex in hexes:
        picks = [
            f"{pick.spot} {pick.words}"
            for pick in MapPointing("", POINTED[Place]).picks_in_hex(hex, view)
        ]
        assert picks
        assert telling("\n".join(picks)) == []
    async with in_forces(path, Side.MARINE, size=MIDDLE) as (app, pilot):
        await press(pilot, "slash", *"m-sq-8", "enter", "e")
        await until(pilot, lambda: isinstance(app.screen, FormScreen))
        app.screen.query_one("#location", Input).focus()
        await press(pilot, "f4")
        screen = await pointing(pilot)
        screen.go_to(hexes[0])
        await press(pilot, "tab")
        assert telling(screen_text(app)) == []
