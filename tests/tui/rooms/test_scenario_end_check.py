"""The pages after the ticks of a scenario's end; the last checks all before it is stored."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from brt_cg.commands.difference import DifferenceKind, DifferenceLine
from brt_cg.model import FieldChange, fields_of
from brt_cg.model.counters import Fate, Side, Unit
from brt_cg.model.records import Phase
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.rooms.scenario_end.totals_form import (
    CHECK,
    HEXES,
    ON_MAP,
    TICKS,
    TOTALS,
    _counts_text,
)
from tests.settings import crossed
from tests.tui.helpers import MIDDLE, SMALL, screen_text, settled, shown, until, words
from tests.tui.moments import opened, played, press

CODES = "x1d d1f w1b q35 1g"
KEYS = {" ": "space"}


async def at_page(pilot: Pilot[int], name: str) -> FormScreen[None]:
    """The form at a page."""
    await until(pilot, lambda: isinstance(pilot.app.screen, FormScreen))
    form = pilot.app.screen
    assert isinstance(form, FormScreen)
    names = [TICKS, ON_MAP, HEXES, TOTALS, CHECK]
    done = " › ".join(f"{each} ✓" for each in names[: names.index(name)])
    await until(pilot, lambda: f"{done} › {name}" in form.page.title, name)
    await until(pilot, lambda: form.focused is not None or name == CHECK)
    return form


async def to_the_check(pilot: Pilot[int]) -> FormScreen[None]:
    """Ticks, and goes through the pages to the last."""
    await press(pilot, "i")
    for letter in CODES:
        await pilot.press(KEYS.get(letter, letter))
    for key in ("enter", "enter", "enter"):  # the second: it is meant
        await press(pilot, key)
        if isinstance(pilot.app.screen, FormScreen):
            break
    await at_page(pilot, ON_MAP)
    await press(pilot, "enter")
    await at_page(pilot, HEXES)
    await press(pilot, "n", "enter")
    await at_page(pilot, TOTALS)
    await press(pilot, "enter")
    form = await at_page(pilot, CHECK)
    await shown(pilot, "Enter: enter it")
    return form


async def checked(form: FormScreen[None]) -> list[str]:
    """Everything that the check says, line by line."""
    found = await form.form.validate(dict(form.typed), len(form.form.pages(form.typed)) - 1)
    assert not found.problems
    return found.verdict.plain.splitlines()


@pytest.mark.parametrize(("seat", "size"), crossed([None, Side.MARINE], [SMALL, MIDDLE]))
async def test_the_last_page_shows_cvp_losses_and_warnings_before_storing(
    demo_file: Path, seat: Side | None, size: tuple[int, int]
) -> None:
    async with opened(played(demo_file, None), seat, room="forces", size=size) as (app, pilot):
        before = await settled(pilot)
        form = await to_the_check(pilot)
        was = before.view.cvp(Side.JAPANESE)
        lines = await checked(form)
        at = lines.index(f"Japanese CVP {was} → {was + 3}")
        assert lines[at - 1] == f"Marine CVP {before.view.cvp(Side.MARINE)}"
        assert "1 eliminated" in lines[at + 1]
        assert " moved" in lines[at + 1]
        assert "Please check" in lines
        assert "warning: 7-0 Sorrell is wounded already, so this changes nothing" in lines
        assert any("should have one: " in line for line in lines), "who needs a hex"
        losses = lines[lines.index("Losses") + 1 : lines.index("Changes")]
        assert losses == [
            "Japanese +: 2-3-8 HS no. 33, reduced (1)",
            "Japanese +: 7-6-8 squad no. 5 (2)",
        ]
        assert f"Japanese CVP {was} → {was + 3}" in words(screen_text(app))
        assert (seat is not None) is any("report only" in line for line in lines)
        assert (await settled(pilot)).mark == before.mark, "nothing is stored yet"
        await press(pilot, "enter")
        await until(pilot, lambda: app.session.current_snapshot.mark != before.mark)
        now = await settled(pilot)
        if seat is None:
            assert now.view.situation.phase is Phase.REFIT
            assert now.view.cvp(Side.JAPANESE) == was + 3


async def test_escape_goes_back_page_by_page_and_loses_nothing(demo_file: Path) -> None:
    async with opened(played(demo_file, None), room="forces", size=SMALL) as (app, pilot):
        before = await settled(pilot)
        await to_the_check(pilot)
        for name in (TOTALS, HEXES, ON_MAP):
            await press(pilot, "escape")
            form = await at_page(pilot, name)
        assert form.typed["encircled"] == "no"
        await press(pilot, "escape")
        assert "4 of 218 accounted for" in screen_text(app)
        await press(pilot, "enter")
        await at_page(pilot, ON_MAP)
        for name in (HEXES, TOTALS, CHECK):
            await press(pilot, "enter")
            form = await at_page(pilot, name)
        assert "1 eliminated" in "\n".join(await checked(form))
        assert (await settled(pilot)).mark == before.mark


async def test_a_problem_on_a_later_page_is_refused_there(
    demo_file: Path,
) -> None:
    async with opened(played(demo_file, None), room="forces", size=SMALL) as (app, pilot):
        await to_the_check(pilot)
        await press(pilot, "escape")
        form = await at_page(pilot, TOTALS)
        await press(pilot, "tab", "end", "backspace", "x", "enter")
        await shown(pilot, "✗")
        assert TOTALS in form.page.title.rpartition("✓")[2]
        await press(pilot, "escape")
        await at_page(pilot, HEXES)
        await press(pilot, "escape")
        await at_page(pilot, ON_MAP)
        await press(pilot, "enter")
        await at_page(pilot, HEXES)
        await press(pilot, "enter")
        await at_page(pilot, TOTALS)
        await press(pilot, "enter")
        await shown(pilot, "✗")
        assert "✓ › Totals › Check" in screen_text(app)


def test_a_counter_that_moved_and_changed_is_counted_as_moved() -> None:
    fields = fields_of(Unit)
    moved = FieldChange(fields["location"], None, "Q35")
    broken = FieldChange(fields["status"], (), ("broken",))
    lost = FieldChange(fields["fate"], Fate.IN_PLAY, Fate.ELIMINATED)
    lines = [
        DifferenceLine(DifferenceKind.MOVED, "a", "", (moved,)),
        DifferenceLine(DifferenceKind.CHANGED, "b", "", (moved, broken)),
        DifferenceLine(DifferenceKind.CHANGED, "c", "", (broken,)),
        DifferenceLine(DifferenceKind.CHANGED, "d", "", (lost, moved)),
    ]
    assert _counts_text(lines) == "2 moved, 1 changed, 1 eliminated"
