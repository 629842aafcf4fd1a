"""A whole Refit Phase and a scenario's end in which no Location is typed: each is pointed at."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.questions.question_types import MultiQuestion, Question
from brt_cg.tui.answering.question_panel import QuestionPanel
from brt_cg.tui.app import BrtApp
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.lists.counter_list import CounterList
from brt_cg.tui.point.screen import AreasScreen, PointScreen
from brt_cg.tui.rooms.map.screen import MapScreen
from brt_cg.tui.rooms.refit.screen import RefitScreen
from brt_cg.tui.rooms.scenario_end.screen import ScenarioEndScreen
from tests.tui.helpers import SMALL, screen_text, settled, until
from tests.tui.moments import at_the_melees, in_refit, played_through, press
from tests.tui.point.test_pointing import click, given, pointing, to_item

pytestmark = pytest.mark.each_frame

MOST_DECISIONS = 120


@pytest.fixture(autouse=True)
def _nothing_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any character that is typed into any field at all ends the test."""

    def refuse(field: Input, text: str) -> None:
        raise AssertionError(f"{text!r} was typed into the field {field.id}")

    monkeypatch.setattr(Input, "insert_text_at_cursor", refuse)


async def refit_played(pilot: Pilot[Any]) -> None:
    """Plays the phase to its end: what has a Location is pointed at or painted."""
    assert isinstance(pilot.app, BrtApp)
    await at_the_melees(pilot)
    await withdraws(pilot)
    await played_on(pilot, lambda ask: ask.rule == "15.607")
    await paints(pilot)
    # What asks for no Location now is played by itself.
    await pilot.app.session.perform(partial(played_through, through="15.6142"))
    await settled(pilot)
    await buys(pilot)
    await played_on(pilot, lambda ask: ask.rule == "15.6202" and isinstance(ask, MultiQuestion))
    await sets_up(pilot)
    await played_on(pilot, lambda ask: False)


async def played_on(pilot: Pilot[Any], there: Callable[[Question[Any]], bool]) -> None:
    """Rolls, and takes what is usual, as far as a question, or to the end of the phase."""
    for _ in range(MOST_DECISIONS):
        seen = await settled(pilot)
        if seen.view.situation.phase is Phase.SCENARIO or (seen.ask and there(seen.ask)):
            return
        ask = seen.ask
        if ask is None:
            await press(pilot, "enter")
        elif ask.buying:
            await press(pilot, "c", "y")
        else:
            await press(pilot, *(("g", "down", "enter") if ask.is_decision else ("g",)))
    raise AssertionError("the phase does not end")


async def withdraws(pilot: Pilot[Any]) -> None:
    """The first unit of the Melee withdraws to where it is pointed."""
    await press(pilot, "enter", "f4")
    await pointing(pilot)
    await press(pilot, "enter", "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, RefitScreen))
    await press(pilot, "enter", "c", "y")


async def paints(pilot: Pilot[Any]) -> None:
    """The Perimeters as they were, and one hex more."""
    await press(pilot, "m")
    screen = pilot.app.screen
    assert isinstance(screen, MapScreen)
    assert screen.painting is not None
    screen.go_to("N20")
    await press(pilot, "right", "space", "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, RefitScreen))
    await settled(pilot)


async def buys(pilot: Pilot[Any]) -> None:
    """A seawall breach, on a hexside that is pointed at by its two hexes; then nothing more."""
    await press(pilot, "b", "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, FormScreen))
    form = pilot.app.screen
    form.query_one("#location").focus()
    await press(pilot, "f4")
    await pointing(pilot)
    await press(pilot, "enter", "enter")
    await until(pilot, lambda: pilot.app.screen is form)
    assert "/" in form.query_one("#location", Input).value
    await press(pilot, "enter", "r", "c", "y")


async def sets_up(pilot: Pilot[Any]) -> None:
    """Two counters are pointed to their places, with a key and with the mouse."""
    panel = pilot.app.screen.query_one(QuestionPanel)
    ask = (await settled(pilot)).ask
    assert isinstance(ask, MultiQuestion)
    squads = [item.subject for item in ask.items if "-sq-" in item.subject][:2]
    for id in squads:
        await to_item(pilot, id)
        await press(pilot, "m")
        screen = await pointing(pilot)
        if id == squads[0]:
            await press(pilot, "enter")
        else:
            hex = min(screen.island.drawing.marked)
            screen.go_to(hex)
            await pilot.pause()
            await click(pilot, screen, hex)
        if isinstance(pilot.app.screen, PointScreen):
            await press(pilot, "enter")  # the first of what is there
        await until(pilot, lambda: isinstance(pilot.app.screen, RefitScreen))
    assert set(given(panel)) == set(squads)
    await press(pilot, "c")
    if "not placed" in screen_text(pilot.app):
        await press(pilot, "c")


async def test_a_whole_refit_phase_is_played_without_typing(demo_file: Path) -> None:
    async with in_refit(demo_file, size=SMALL) as (app, pilot):
        await refit_played(pilot)
        view = (await settled(pilot)).view
        assert [
            bought.location for bought in view.purchases.values() if "/" in str(bought.location)
        ]
        assert any(unit.location for unit in view.units.values() if unit.side is Side.MARINE)
        # --- and the end of the scenario that follows ---
        await press(pilot, "f", "i", "f6")
        screen = app.screen
        assert isinstance(screen, ScenarioEndScreen)
        screen.island.go_to("N19")
        await pilot.pause()
        listed = screen.query_one(CounterList)
        for id in ("m-sq-8", "m-sq-9"):
            listed.put_cursor(id)
            await press(pilot, "exclamation_mark")
        await press(pilot, "b", "m")
        await pointing(pilot)
        await press(pilot, "right", "enter")
        await until(pilot, lambda: app.screen is screen)
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(app.screen, FormScreen))
        form = app.screen
        assert isinstance(form, FormScreen)
        form.query_one("#perimeters").focus()
        await press(pilot, "f4")
        await until(pilot, lambda: isinstance(app.screen, AreasScreen))
        areas = app.screen
        await press(pilot, "x", "escape")
        await until(pilot, lambda: app.screen is not areas)
        assert "leave and discard it" in screen_text(app)
        await press(pilot, "n")
        await until(pilot, lambda: app.screen is areas)
        assert not areas.painting.hexes, "it is as it was left"  # type: ignore[attr-defined]
        await press(pilot, "escape", "y")
        await until(pilot, lambda: app.screen is form)
        await press(pilot, "f4")
        await until(pilot, lambda: isinstance(app.screen, AreasScreen))
        await press(pilot, "enter")
        await until(pilot, lambda: app.screen is form)
        await press(pilot, "enter")
        await until(pilot, lambda: form.page.enter == "continue with Totals")
        await press(pilot, "right", "enter")  # of those Encircled since setup none still is
        await until(pilot, lambda: form.page.enter == "continue with Check")
        await press(pilot, "enter")
        await until(pilot, lambda: form.page.enter == "enter it")
        await press(pilot, "enter")
        await until(pilot, lambda: app.session.seen.view.situation.phase is Phase.REFIT)  # type: ignore[union-attr]
        view = (await settled(pilot)).view
        assert view.units["m-sq-8"].location == "N19"
        assert view.units["m-sq-9"].location == "N20"
