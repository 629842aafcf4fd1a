"""Below 80 × 24 one line says so, and what is asked stays in sight."""

from dataclasses import replace
from pathlib import Path

import pytest

from brt_cg.tui.answering.question_panel import QuestionPanel
from brt_cg.tui.rooms.refit.steps_list import StepsLine
from brt_cg.views.steps import Progress
from tests.tui.helpers import screen_text, until
from tests.tui.moments import in_forces, in_refit, opened, press


async def test_a_terminal_that_is_too_small_says_so_and_shows_the_question(
    demo_file: Path,
) -> None:
    async with in_refit(demo_file, size=(60, 16)) as (app, pilot):
        await press(pilot, "enter", "1")  # the rulings ahead are asked one by one
        shown = screen_text(app)
        assert "Terminal too small: needs 80 × 24" in shown
        assert "r Refit F9 More" in shown.splitlines()[0]
        assert "N35, Melee round 1" in shown
        assert "no more CC attacks here" in shown


async def test_the_line_of_steps_has_room_for_all_numbers(demo_file: Path) -> None:
    async with in_refit(demo_file, size=(80, 24)) as (app, pilot):
        line = app.screen.query_one(StepsLine)
        stands = (
            [Progress.DONE] * 20 + [Progress.SKIPPED] * 10 + [Progress.NOW] + [Progress.AHEAD] * 13
        )
        line.show([replace(step, stand=at) for step, at in zip(line.steps, stands, strict=True)])
        await pilot.pause()
        assert "20 done, 10 skipped, 14 left" in screen_text(app)


async def test_the_question_is_wider_than_the_panels_next_to_it(demo_file: Path) -> None:
    async with in_refit(demo_file, size=(80, 30)) as (app, pilot):
        for width in (80, 115, 116, 189, 190):
            await pilot.resize_terminal(width, 30)
            await pilot.pause()
            beside = [app.screen.query_one(id).size.width for id in ("#steps", "#log")]
            question = app.screen.query_one(QuestionPanel).size.width
            assert question + 1 >= max(*beside, 48 - 6), width  # of two the same, one may be odd


@pytest.mark.real_time
async def test_the_size_warning_disappears_when_the_window_grows(
    demo_file: Path,
) -> None:
    async with in_forces(demo_file, size=(100, 30)) as (app, pilot):
        await pilot.press("e")
        for size, too_small in (((70, 20), True), ((100, 30), False)):
            await pilot.resize_terminal(*size)
            await pilot.pause(0.2)
            assert ("Terminal too small" in screen_text(app)) is too_small
        await pilot.press("escape")
        assert "Terminal too small" not in screen_text(app)


@pytest.mark.parametrize("over", ["", "f9", "e"])
async def test_no_window_size_crashes_the_program(demo_file: Path, over: str) -> None:
    """Also with a box or a form open: a window manager may make a window very small."""
    async with in_forces(demo_file) as (app, pilot):
        await pilot.press(*filter(None, [over]))
        before = screen_text(app)
        for size in ((20, 6), (1, 1), (40, 12), (300, 100), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            screen_text(app)
        await until(pilot, lambda: screen_text(app) == before)


async def test_a_window_that_grows_from_very_small_to_very_large_shows_the_leaders(
    demo_file: Path,
) -> None:
    """Between the two the panels of the Dashboard are high already and not yet wide."""
    async with opened(demo_file, size=(20, 6)) as (app, pilot):
        await pilot.resize_terminal(200, 200)
        await until(pilot, lambda: "Whitaker" in screen_text(app))
