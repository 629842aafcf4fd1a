"""Notices lie above the state line: they take no row from the room, and hide nothing that
answers."""

from pathlib import Path

import pytest
from textual.widgets._toast import Toast, ToastHolder

from brt_cg.tui.frame.keybar import KeyBar
from brt_cg.tui.rooms.refit.screen import QuestionPanel
from tests.tui.helpers import SMALL, screen_lines, screen_text, shown, until
from tests.tui.moments import in_forces, in_refit, played, press

LONG = "This cannot be done, and the reasons for it take more than a line of the screen. " * 4


@pytest.mark.parametrize("words", ["Done.", LONG])
async def test_a_notice_takes_no_row_and_hides_no_answer(demo_file: Path, words: str) -> None:
    path = played(demo_file, "15.6032")
    async with in_refit(path, size=SMALL, notifications=True) as (app, pilot):
        before = app.screen.query_one(QuestionPanel).region
        app.show_warning(words)
        await shown(pilot, words.split()[0])
        toast = app.screen.query_one(Toast)
        assert app.screen.query_one(QuestionPanel).region == before
        for hidden in ("Header", "StateLine", "KeyBar", "#doing", "#odds"):
            assert not toast.region.overlaps(app.screen.query_one(hidden).region)


async def test_eight_simultaneous_notices_leave_every_answer_visible(demo_file: Path) -> None:
    path = played(demo_file, "15.601")
    async with in_refit(path, size=SMALL, notifications=True) as (app, pilot):
        answers, keys = app.screen.query_one("#choices"), app.screen.query_one(KeyBar)
        before = answers.region
        assert before.height > 1
        for number in range(8):
            app.show_warning(f"notice {number}")
        await shown(pilot, "notice 7")
        for toast in app.screen.query(Toast):
            assert not toast.region.overlaps(answers.region), toast
        assert (answers.region, keys.region.y) == (before, SMALL[1] - 1)
        assert "notice 0" not in screen_text(app)


async def test_a_notice_does_not_cover_the_effect_of_a_form(demo_file: Path) -> None:
    async with in_forces(demo_file, size=SMALL, notifications=True) as (app, pilot):
        await pilot.press("e")
        await shown(pilot, "Correct")
        before = app.screen.query_one("#box").region
        app.show_warning(LONG)
        await shown(pilot, "This cannot be done")
        assert app.screen.query_one("#box").region.size == before.size
        assert "Enter: correct it" in screen_text(app)


async def test_ten_undos_are_one_result_and_do_not_push_out_the_log(demo_file: Path) -> None:
    path = played(demo_file, "15.601")
    async with in_refit(path, notifications=True) as (app, pilot):
        await press(pilot, "c", "y")
        await shown(pilot, "Do Passengers unload")  # 24 answers were one list
        before = screen_lines(app)
        for key in ("u", "y", "U") * 10:
            await press(pilot, key)
        await shown(pilot, "Redone")
        assert not app.screen.query(ToastHolder)
        assert "Redone" in screen_lines(app)[-2]
        assert "unloads from" in screen_text(app), "the log of the phase"
        app.clear_notifications()
        await until(pilot, lambda: screen_lines(app)[:-2] == before[:-2])


async def test_a_notice_that_is_cleared_leaves_no_row(demo_file: Path) -> None:
    async with in_refit(demo_file, notifications=True) as (app, pilot):
        app.show_warning("the first")
        await shown(pilot, "the first")
        app.clear_notifications()
        app.show_warning("the second")
        await shown(pilot, "the second")
        assert "Not possible" in screen_lines(app)[-4]


async def test_a_notice_over_a_box_moves_the_box_down_instead_of_covering_it(
    demo_file: Path,
) -> None:
    async with in_forces(demo_file, size=SMALL, notifications=True) as (app, pilot):
        await press(pilot, "question_mark")
        await shown(pilot, "─ Help ─")
        app.show_warning(LONG)
        await shown(pilot, LONG.split()[0])
        toast, box = app.screen.query_one(Toast), app.screen.query_one("#box")
        assert toast.region.height > 2
        assert not toast.region.overlaps(box.region)
        assert box.region in app.screen.region
        assert "Esc closes" in screen_text(app)
