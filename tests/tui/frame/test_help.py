"""The help: opened by `?` anywhere, searched by typing."""

import re
from pathlib import Path

import pytest

from brt_cg import tui
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.why import WhyScreen
from brt_cg.tui.frame.help_screen import HelpScreen
from brt_cg.tui.keys.actions import BY_ID
from brt_cg.tui.rooms.journal.screen import FilterScreen
from brt_cg.tui.session.campaign_app import NAMED
from tests.tui.helpers import SMALL, same_as_golden, screen_text, shown, words
from tests.tui.moments import opened

TUI = Path(tui.__file__).parent
DOES = "shows|marks|goes|points|clears|ends|puts|says|opens|switches|gives|changes"
LITERAL = re.compile(rf"\b(?:Enter|Space|Esc|Backspace|comma)\b|\b[b-zB-Z] (?:{DOES})\b|\([a-z]\)")


async def test_the_help_starts_with_the_current_room_and_can_be_searched(
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


async def test_the_help_is_available_at_home() -> None:
    app = BrtApp()
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("question_mark")
        await shown(pilot, "A campaign is one file")


async def test_the_help_of_a_form_or_box_explains_its_keys(demo_file: Path) -> None:
    async with opened(demo_file, room="forces") as (app, pilot):
        await pilot.press("e")
        await shown(pilot, "Correct")
        await pilot.press("f1")
        told = words(await shown(pilot, "Type in the fields"))
        assert "F4 fills a field from the map or from a list, F3 explains the field" in told
        await pilot.press(*"next field")
        assert "Goes to the next field." in words(screen_text(app))
        await pilot.press("escape", "escape", "s", "f1")
        assert "Escape" not in words(await shown(pilot, "Boxes"))


async def test_the_help_opens_the_guide_and_esc_returns(demo_file: Path) -> None:
    async with opened(demo_file) as (app, pilot):
        await pilot.press("question_mark")
        await shown(pilot, "Enter the guide")
        await pilot.press("enter")
        told = await shown(pilot, "A guide to an evening of play ─")
        assert "1. The scenario ends" in words(told)
        rows = told.splitlines()
        at = next(at for at, row in enumerate(rows) if "You play the scenarios" in row)
        begins = rows[at].index("You play")
        assert rows[at - 1][begins : begins + 30].isspace(), "a blank row between two paragraphs"
        await pilot.press("escape")
        await shown(pilot, "Dashboard")
        assert isinstance(app.screen, HelpScreen)


async def test_the_help_answers_the_questions_of_newcomers(demo_file: Path) -> None:
    async with opened(demo_file) as (_, pilot):
        await pilot.press("question_mark", *"forgotten pin")
        told = words(await shown(pilot, "I have forgotten my PIN."))
        assert "shared-screens" in told
        assert "How do I print?" not in told


async def test_why_is_explained_over_a_box_too(demo_file: Path) -> None:
    async with opened(demo_file, room="journal") as (app, pilot):
        await pilot.press("v")
        await pilot.press("f3")
        assert isinstance(app.screen, WhyScreen)
        await pilot.press("f3")
        assert isinstance(app.screen, FilterScreen)


@pytest.mark.parametrize("path", sorted(TUI.rglob("help.toml")), ids=lambda path: path.parent.name)
def test_the_help_names_only_existing_keys(path: Path) -> None:
    text = path.read_text("utf-8")
    named = [id for id, _ in NAMED.findall(text)]
    assert [id for id in named if id not in BY_ID or not BY_ID[id].keys] == []
    assert LITERAL.findall(text) == [], "{place.action} names the key that the player has for it"
