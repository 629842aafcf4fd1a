"""Wide terminals: the question and the log side by side; and the later rows of wrapped lines, which
are indented everywhere."""

import re
from pathlib import Path

import pytest
from textual.content import Content

from brt_cg.tui.answering.question_panel import QuestionPanel
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.text_boxes import WordsScreen
from brt_cg.tui.lists.log import LogView
from tests.tui.helpers import SMALL, screen_lines, shown
from tests.tui.moments import in_refit, opened, played, press


@pytest.mark.parametrize("width", [116, 120, 189, 190, 200])
async def test_the_question_and_the_log_are_side_by_side(demo_file: Path, width: int) -> None:
    async with in_refit(played(demo_file, "15.6032"), size=(width, 40)) as (app, _):
        question = app.screen.query_one(QuestionPanel).region
        log = app.screen.query_one(LogView).region
        assert question.right == log.x
        assert (question.y, question.height) == (log.y, log.height)
        assert log.right == width
        assert log.width >= 46


@pytest.mark.parametrize("width", [120, 160])
async def test_the_steps_replace_the_log_while_shown(demo_file: Path, width: int) -> None:
    async with in_refit(played(demo_file, "15.6032"), size=(width, 40)) as (app, pilot):
        steps, log = app.screen.query_one("#steps"), app.screen.query_one("#log")
        assert (steps.display, log.display) == (False, True)
        app.screen.action_steps()
        await pilot.pause()
        assert (steps.display, log.display) == (True, False)
        assert steps.region.right == app.screen.query_one(QuestionPanel).region.x
        await press(pilot, "escape")
        assert (steps.display, log.display) == (False, True)


def rows_of_box(app: BrtApp) -> list[str]:
    """The rows of the box in front, without its frame and padding."""
    box = app.screen.query_one("#box").content_region
    rows = screen_lines(app)[box.y : box.bottom]
    return [row[box.x : box.right].rstrip().rstrip("▁▂▃▄▅▆▇█▔▎▌▊").rstrip() for row in rows]


@pytest.mark.parametrize("size", [SMALL, (100, 30)])
async def test_wrapped_key_lines_of_the_help_are_indented(
    demo_file: Path, size: tuple[int, int]
) -> None:
    async with in_refit(demo_file, size=size) as (app, pilot):
        await pilot.press("question_mark")
        await shown(pilot, "Search: a key, a word")
        for _ in range(4):
            rows = rows_of_box(app)
            keys = next((at for at, row in enumerate(rows) if row == "Keys here"), -1)
            for row in filter(None, rows[keys + 1 :] if keys >= 0 else rows[1:]):
                is_key = re.match(r"\S.{0,15} {1,}\S", row)
                assert row.startswith(" " * 17) or is_key or row.istitle() or ":" in row, row
            await press(pilot, "pagedown")


@pytest.mark.parametrize("key", ["f9", "M", "s"])
async def test_wrapped_answers_in_a_box_are_indented(demo_file: Path, key: str) -> None:
    async with opened(played(demo_file, "15.6032"), size=SMALL) as (app, pilot):
        await pilot.press(key)
        await pilot.pause()
        listed = app.screen.query_one("OptionList").region
        rows = [row[listed.x : listed.right] for row in screen_lines(app)]
        for row in filter(str.strip, rows[listed.y : listed.bottom]):
            assert re.match(r"[ ›]\S{1,3} +\S|[ ›] {3}", row), row


async def test_wrapped_text_in_a_box_is_indented(demo_file: Path) -> None:
    async with opened(demo_file, size=SMALL) as (app, pilot):
        line = "a line that is much longer than the box is wide " * 4
        await app.push_screen(WordsScreen("Words", Content(f"{line}\n{line}")))
        await pilot.pause()
        rows = [row for row in rows_of_box(app) if row]
        assert len(rows) > 4
        firsts = [row for row in rows if not row.startswith("  ")]
        assert len(firsts) == 2


async def test_the_help_of_an_action_in_the_palette_is_indented(demo_file: Path) -> None:
    async with opened(demo_file, size=SMALL) as (app, pilot):
        await pilot.press("ctrl+p")
        await pilot.press(*"journal")
        await pilot.pause()
        listed = app.screen.query_one("OptionList").region
        rows = [row[listed.x + 1 : listed.right] for row in screen_lines(app)]
        for row in filter(str.strip, rows[listed.y : listed.bottom]):
            assert row[0] != " " or row.startswith("  "), row
