"""The help: opened by `?` anywhere, searched by typing."""

from pathlib import Path

from brt_cg.tui.app import BrtApp
from tests.tui.helpers import SMALL, same_as_golden, screen_text, shown
from tests.tui.moments import opened


async def test_the_help_begins_with_this_place_closes_and_is_searched_by_words(
    demo_file: Path,
) -> None:
    async with opened(demo_file) as (app, pilot):
        await pilot.press("question_mark")
        await shown(pilot, "Dashboard")
        await pilot.pause(0.1)
        same_as_golden(app, "help-80x24")
        await pilot.press("escape")
        assert "Esc closes" not in screen_text(app)
        await pilot.press("f1", *"undo")
        await pilot.pause()
        found = screen_text(app)
        assert "u  Ctrl+Z" in found
        assert "Quit" not in found


async def test_the_help_is_there_on_home_too() -> None:
    app = BrtApp()
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("question_mark")
        await shown(pilot, "A campaign is one file")
