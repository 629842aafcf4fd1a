"""A loss found later: one form corrects the counter, shows what follows, and stores its CVP."""

from pathlib import Path

import pytest
from textual.geometry import Region
from textual.pilot import Pilot

from brt_cg.model.counters import Side
from brt_cg.tui.forms.edit import EditForm
from brt_cg.tui.forms.screen import FormScreen
from tests.exports.test_names_not_ids import ID
from tests.settings import crossed
from tests.tui.helpers import MIDDLE, SMALL, screen_lines, screen_text, settled, shown, until, words
from tests.tui.moments import at_desk, filled, in_forces, opened, played, press, seen_in

GOAL = 45  # presses for a counter and its CVP; it took 89
KEYS = {" ": "space", ".": "full_stop", "-": "minus"}


def typed(text: str) -> list[str]:
    """The keys of a text."""
    return [KEYS.get(letter, letter) for letter in text]


async def find_and_open(pilot: Pilot[int], name: str) -> list[str]:
    """Opens the form of the counter with a name; the keys that it takes."""
    keys = ["slash", *typed(name), "enter", "enter"]
    for key in keys:
        await press(pilot, key)
    await until(pilot, lambda: isinstance(pilot.app.screen, FormScreen) and pilot.app.focused)
    return keys


@pytest.mark.parametrize(("seat", "size"), crossed([None, *Side], [SMALL, MIDDLE]))
async def test_a_lost_squad_is_corrected_with_its_cvp_in_few_keys(
    demo_file: Path, seat: Side | None, size: tuple[int, int]
) -> None:
    name = "4-4-8 squad no. 19" if seat is Side.JAPANESE else "6-6-8 squad no. 6"
    scores = Side.MARINE if seat is Side.JAPANESE else Side.JAPANESE
    async with in_forces(played(demo_file, "15.613"), seat, size=size) as (app, pilot):
        before = (await settled(pilot)).view.cvp(scores)
        keys = await find_and_open(pilot, name)
        await press(pilot, "e")
        await shown(pilot, f"{scores.label} CVP {before} → {before + 2}")
        drawn = pilot.app.screen.query_one("#verdict").render_lines(Region(0, 0, 90, 20))
        assert "in play → eliminated" in words(" ".join(strip.text for strip in drawn))
        for key in ("enter", *typed("fell in 20 PM"), "enter"):
            keys.append(key)
            await press(pilot, key)
        assert len(keys) + 1 <= GOAL
        seen = await settled(pilot)
        if seat is not None:  # the opponent must agree
            asked = f"asks the {seat.enemy.label} player: correct {name} (fate eliminated): fell"
            assert asked in seen.log[-1].text
            assert not ID.search(screen_lines(app)[-2])
            return
        assert seen.view.cvp(scores) == before + 2
        assert screen_lines(app)[-2].strip().endswith(f"{scores.label} CVP {before}→{before + 2}")
        await press(pilot, "u")
        assert (await settled(pilot)).view.cvp(scores) == before


async def test_passengers_and_prisoners_of_a_lost_counter_are_named_before_storing(
    demo_file: Path,
) -> None:
    async with at_desk(played(demo_file, "15.613")) as session:
        view = seen_in(session).view
        for link, lost in (("aboard", "m-lvt-1"), ("guard", "j-sq-12")):
            counter = view.find(lost)
            assert counter is not None
            form = EditForm(session, view, counter, counter.label)
            found = await form.validate(filled(form, fate="eliminated"), 0)
            told = found.verdict.plain.splitlines()
            linked = [
                unit.label
                for unit in view.units.values()
                if getattr(unit, link) == lost and unit.in_play
            ]
            assert linked
            assert told[0] == "Consequences"
            assert " CVP " in told[1]
            for label in linked:
                assert any(label in line for line in told), (label, told)


async def test_leaving_a_correction_stores_nothing_and_keeps_the_text(
    demo_file: Path,
) -> None:
    async with opened(played(demo_file, "15.613"), room="forces", size=SMALL) as (app, pilot):
        rows = (await settled(pilot)).mark.rows
        await find_and_open(pilot, "6-6-8 squad no. 6")
        await press(pilot, "e", "escape")
        assert (await settled(pilot)).mark.rows == rows
        await press(pilot, "enter")
        await shown(pilot, "‹ eliminated ›")
        assert "in play → eliminated" in screen_text(app)
