"""Undo says what it will take back, and asks, where that is more than one answer."""

import itertools
from pathlib import Path

import pytest
from textual import events

from brt_cg.model.records import Phase
from brt_cg.questions.dice import Dice, Faces, RollKey, SeededDice
from tests.tui.helpers import MIDDLE, SMALL, screen_text, settled, until
from tests.tui.moments import app_on, in_refit, played, press, to_room

PATIENCE = 5.0  # seconds after which a key has not been heard


async def test_a_whole_run_is_taken_back_only_when_it_is_meant(demo_file: Path) -> None:
    async with in_refit(played(demo_file, None)) as (app, pilot):
        entries = (await settled(pilot)).mark.rows
        await pilot.press("ctrl+p")
        await pilot.pause(0.3)
        await press(pilot, "enter")  # the first of the palette
        assert "Undo this?" not in screen_text(app)
        assert (await settled(pilot)).mark.rows == entries
        await press(pilot, "escape")
        await to_room(pilot, "refit")
        await press(pilot, "W")
        assert "Undo this?" in screen_text(app)
        assert "answers; first: " in screen_text(app)
        await press(pilot, "enter")  # the selected answer leaves it as it is
        assert (await settled(pilot)).mark.rows == entries
        await press(pilot, "W", "y")
        assert (await settled(pilot)).view.situation.date == "20 PM"


async def test_one_stray_key_takes_no_import_back(demo_file: Path) -> None:
    app = app_on(demo_file)
    async with app.run_test(size=SMALL) as pilot:
        entries = (await settled(pilot)).mark.rows
        await press(pilot, "u")
        assert "│  the situation at the end of 20 PM, from state.json  " in screen_text(app)
        await press(pilot, "escape")
        assert (await settled(pilot)).mark.rows == entries
        await press(pilot, "u")  # a key that comes before its question is dropped
        await until(pilot, lambda: "│  the situation at the end" in screen_text(app))
        await press(pilot, "y")
        assert (await settled(pilot)).view.situation.phase is Phase.PURCHASE


async def test_escape_stops_playing_on_between_two_answers(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, rolls = SeededDice.roll, itertools.count(1)
    app = app_on(demo_file)

    def escaped_at_the_third(dice: SeededDice, kind: Dice, key: RollKey) -> Faces:
        if next(rolls) == 3:
            app.call_from_thread(app.post_message, events.Key("escape", None))
            assert app.session.stopping.wait(PATIENCE)
        return real(dice, kind, key)

    monkeypatch.setattr(SeededDice, "roll", escaped_at_the_third)
    async with app.run_test(size=MIDDLE) as pilot:
        await settled(pilot)
        await to_room(pilot, "refit")
        app.screen.dice = SeededDice(1)
        for key in ("g", "o", "g", "end", "enter"):
            await press(pilot, key)
            seen = await settled(pilot)
        assert seen.view.situation.phase is Phase.REFIT
        assert next(rolls) == 4
        assert app.is_running
