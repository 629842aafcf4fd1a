"""The screens' styles: each rule holds for its own screen, and leaves the others alone."""

import re
from pathlib import Path

import pytest

from brt_cg import tui
from tests.tui.helpers import screen_lines, settled
from tests.tui.moments import in_forces, played

SCREEN = Path(tui.__file__).parent
SHARED = {"app.tcss", "dialog.tcss", "lists.tcss"}
SHEETS = sorted(sheet for sheet in SCREEN.rglob("*.tcss") if sheet.name not in SHARED)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.parent.name)
def test_every_style_rule_begins_with_its_screen(sheet: Path) -> None:
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL)
    selectors = [one.strip() for rule in re.findall(r"([^{}]+)\{", text) for one in rule.split(",")]
    assert selectors
    assert [one for one in selectors if not re.match(r"([A-Z]\w*Screen|Dialog)\b", one)] == []


async def test_the_header_is_complete_after_the_totals_form(demo_file: Path) -> None:
    async with in_forces(played(demo_file, None)) as (app, pilot):
        before = screen_lines(app)[:2]
        await pilot.press("i", "enter", "escape", "escape")
        await settled(pilot)
        assert "SAN" in before[1]
        assert screen_lines(app)[:2] == before
