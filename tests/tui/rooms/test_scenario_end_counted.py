"""The end of the demo's next scenario by keys alone: 40 changes, each key and letter counted."""

import shutil
from pathlib import Path

from textual.widgets import Input

from brt_cg.commands.state_document import build_state_document
from brt_cg.model.records import Phase
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.rooms.scenario_end.tick_list import TickList
from tests.imports.ends import forty_lines, told
from tests.imports.test_scenario_end import enter
from tests.tui.helpers import SMALL, screen_text, settled, until
from tests.tui.moments import opened, played, press

MOST = 130  # for forty changes


async def test_forty_changes_take_at_most_130_keys_and_match_the_lines(
    demo_file: Path,
) -> None:
    keys, file = 0, played(demo_file, None)
    desk = OpenCampaign.open(Path(shutil.copy(file, file.with_name("lines.brt"))))
    typed = " ".join(forty_lines(told(desk)))
    lines = enter(desk)
    async with opened(file, size=SMALL) as (app, pilot):

        async def press(*pressed: str) -> None:
            nonlocal keys
            keys += len(pressed)
            await pilot.press(*pressed)
            await settled(pilot)

        await press("enter", "comma")
        await press(*typed, "enter")
        await press("enter", "enter")
        await until(pilot, lambda: title_of(app).endswith("Perimeters ✓ › Hexes › Totals › Check"))
        await press("n", "enter")
        await until(pilot, lambda: title_of(app).endswith("Totals › Check"))
        await press("enter")
        await until(pilot, lambda: title_of(app).endswith("Totals ✓ › Check"))
        await press("enter")
        await until(pilot, lambda: app.session.seen.view.situation.phase is Phase.REFIT)  # type: ignore[union-attr]
    assert build_state_document(
        unrestricted_campaign(OpenCampaign.open(file)).campaign
    ) == build_state_document(lines)
    assert keys <= MOST  # it was 125 when this was written, before the check


def title_of(app: BrtApp) -> str:
    """The title of the form in front."""
    page = getattr(app.screen, "page", None)
    return str(page.title) if page else ""


async def test_a_wrong_line_is_reopened_with_the_cursor_after_the_mistake(
    demo_file: Path,
) -> None:
    async with opened(played(demo_file, None), size=SMALL) as (app, pilot):
        await pilot.press("f", "i", "comma", *"x1bb b1c", "enter", "escape", "comma", "backspace")
        await settled(pilot)
        assert app.screen.query_one("#typed", Input).value == "x1b b1c"


async def test_ctrl_u_deletes_the_whole_line_from_any_cursor_position(
    demo_file: Path,
) -> None:
    async with opened(played(demo_file, None), size=SMALL) as (app, pilot):
        for key in ("enter", "comma", *"x9z q35 1a", "enter", "ctrl+u"):
            await pilot.press({" ": "space"}.get(key, key))
            await settled(pilot)
        assert app.screen.query_one("#typed", Input).value == ""


async def test_after_a_line_of_codes_the_list_has_the_keys_and_a_code_begins_another_line(
    demo_file: Path,
) -> None:
    async with opened(played(demo_file, None), size=SMALL) as (app, pilot):
        for key in ("f", "i", "comma", *"x1b", "enter"):
            await press(pilot, key)
        room = app.screen
        field = room.query_one("#typed", Input)
        assert app.focused is room.query_one(TickList)
        assert not field.display
        assert "✓ 1 counter ticked" in screen_text(app)
        for key in ("q", "3", "5", "space", "1", "g"):
            await press(pilot, key)
        assert field.value == "q35 1g"
        await press(pilot, "escape")
        await press(pilot, "escape")
    async with opened(demo_file, size=SMALL) as (app, pilot):
        for key in ("f", "i"):
            await press(pilot, key)
        assert "Kept, but not entered: q35 1g" in screen_text(app), "not the accepted line"
