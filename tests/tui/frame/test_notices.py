"""Notices have a place of their own: they cover neither what is read nor what is asked."""

from pathlib import Path

import pytest
from textual.widgets._toast import Toast

from brt_cg.tui.frame.keybar import KeyBar
from brt_cg.tui.rooms.refit.screen import QuestionPanel
from tests.tui.helpers import SMALL, screen_lines, screen_text, shown
from tests.tui.moments import in_forces, in_refit, played, press

LONG = "This cannot be done, and the reasons for it take more than a line of the screen. " * 4


@pytest.mark.parametrize("words", ["Done.", LONG])
async def test_a_notice_covers_no_part_of_the_question(demo_file: Path, words: str) -> None:
    path = played(demo_file, "15.6032")
    async with in_refit(path, size=SMALL, notifications=True) as (app, pilot):
        app.warn(words)
        await shown(pilot, words.split()[0])
        toast, panel = app.screen.query_one(Toast), app.screen.query_one(QuestionPanel)
        assert not toast.region.overlaps(panel.region)
        assert not toast.region.overlaps(app.screen.query_one(KeyBar).region)
        assert panel.size.height > 5
        assert "? Help" in screen_lines(app)[-1]


async def test_a_notice_covers_no_part_of_a_form(demo_file: Path) -> None:
    async with in_forces(demo_file, size=SMALL, notifications=True) as (app, pilot):
        await pilot.press("e")
        await shown(pilot, "Correct")
        app.warn(LONG)
        await shown(pilot, "This cannot be done")
        box = app.screen.query_one("#box")
        assert not app.screen.query_one(Toast).region.overlaps(box.region)
        assert "Enter: correct it" in screen_text(app)


async def test_ten_undos_are_one_notice(demo_file: Path) -> None:
    path = played(demo_file, "15.6032")
    async with in_refit(path, notifications=True) as (app, pilot):
        for _ in range(10):
            await press(pilot, "u")
        assert len(app.screen.query(Toast)) == 1
