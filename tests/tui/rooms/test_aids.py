"""The room of the play aids: a line of words, its answer, and a result that is entered."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from brt_cg.aids.line import AidPlayer, answer_line, parse_line
from brt_cg.aids.options import AID_NAMES
from brt_cg.model.counters import Side, UnitStrength
from brt_cg.resources import read_toml_cached
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.text import shell_quote, shell_words
from brt_cg.tui.app import BrtApp
from brt_cg.tui.rooms.aids.screen import EXAMPLES
from tests.tui.helpers import MIDDLE, SMALL, screen_text, settled
from tests.tui.moments import in_forces, opened, press


async def ask(pilot: Pilot[Any], line: str) -> str:
    """Types a question and shows the answer."""
    pilot.app.screen.query_one("#line", Input).value = line
    await pilot.press("enter")
    await pilot.pause()
    assert isinstance(pilot.app, BrtApp)
    return screen_text(pilot.app)


async def test_aid_questions_are_answered_from_home_without_a_campaign() -> None:
    app = BrtApp()
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        await pilot.press("a")
        await pilot.pause()
        assert "4-4-8 fails a 1MC, exceeds ELR" in screen_text(app), "it begins with examples"
        shown = await ask(pilot, "my reduced 3-4-7 squad takes a 2KIA, what now")
        assert "the KIA hits it: eliminated by the KIA · CVP +2 · Casualty Tally +13" in shown
        assert "→ 2-3-7 half squad · CVP +1 · Casualty Tally +7 · G1.122" in shown
        assert "instead of Brush" in await ask(pilot, "bamboo minimum move")
        assert "✗ not understood: xyzzy" in await ask(pilot, "xyzzy")
        assert "T-H Hero is created" in await ask(pilot, "roll th_hero dc --dice 5")
        assert "not in effect in Blood Reef" in await ask(pilot, "pto palms")
        await ask(pilot, "pto kunai")
        await pilot.press("up", "up")
        assert app.screen.query_one("#line", Input).value == "pto palms", "asked before"
        await pilot.press("escape")
        assert app.current_mode == "home"


async def test_an_aid_from_forces_uses_the_selected_counter_and_enters_the_result(
    demo_file: Path,
) -> None:
    async with in_forces(demo_file, size=MIDDLE) as (app, pilot):
        seen = await settled(pilot)
        squad = next(
            unit
            for unit in seen.view.units.values()
            if unit.side is Side.JAPANESE
            and unit.kind == "squad"
            and unit.strength is UnitStrength.FULL
            and unit.in_play
            and not unit.status
            and not unit.traits
        )
        await pilot.press("slash", *squad.id, "enter", "a")
        await pilot.pause()
        line = app.screen.query_one("#line", Input)
        assert line.value == f"{squad.id} "
        assert "⏎ enters it" in await ask(pilot, f"{line.value}fails MC")
        await press(pilot, "down", "enter")
        seen = await settled(pilot)
        assert seen.view.units[squad.id].strength is UnitStrength.REDUCED
        assert "G1.121: flipped to its reduced side" in seen.log[-1].text
        await pilot.press("escape")
        assert app.current_mode == "forces"


async def test_a_side_cannot_ask_about_hidden_enemy_counters(demo_file: Path) -> None:
    async with opened(demo_file, Side.MARINE) as (app, pilot):
        seen = await settled(pilot)
        units = (await app.session.look_up(lambda desk: unrestricted_campaign(desk).campaign)).units
        hidden = next(id for id in units if id not in seen.view.units)
        await pilot.press("a")
        assert "✗ not understood" in await ask(pilot, f"{hidden} kia")


async def test_a_served_screen_neither_reads_nor_writes_fight_files(demo_file: Path) -> None:
    async with opened(demo_file, size=MIDDLE, served=True) as (_, pilot):
        await pilot.press("a")
        shown = await ask(pilot, f"fight new {shell_quote(demo_file.parent / 'x')} marine:rifle")
        assert "a file on the machine" in shown
    assert not (demo_file.parent / "x").exists()


async def test_a_roll_is_logged_without_showing_the_question_to_another_seat(
    demo_file: Path,
) -> None:
    async with opened(demo_file, room="aids") as (app, pilot):
        await ask(pilot, "roll atmm --dice 3")
        await ask(pilot, "pto palms")
        await pilot.pause()
        seen = await settled(pilot)
        assert "play aid, roll atmm --dice 3: G1.4231" in seen.log[-1].text
        assert "first line squad" in await ask(pilot, "4-4-7 kia")
        await app.session.show_as_seat(Side.MARINE)
        await pilot.pause()
        assert "first line squad" not in screen_text(app)


async def test_an_example_can_be_picked_and_asked(demo_file: Path) -> None:
    async with opened(demo_file, size=MIDDLE) as (app, pilot):
        await press(pilot, "a", "down", "down", "enter")
        line = app.screen.query_one("#line", Input)
        assert line.value == "4-4-8 fails a 1MC, exceeds ELR"
        assert app.focused is line
        await press(pilot, "enter")
        assert "3-4-7 squad" in screen_text(app)


@pytest.mark.parametrize("line", read_toml_cached(EXAMPLES).values())
def test_every_example_is_valid(line: str) -> None:
    words = shell_words(line)
    named = words if words[0] in AID_NAMES else ["japanese", *words]
    given = ["--auto"] if named[0] in ("japanese", "roll", "fight") else []
    assert answer_line(parse_line([*named, *given]), AidPlayer(find=lambda id: None)).lines
