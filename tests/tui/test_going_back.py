"""Undo says what it will take back, and asks, where that is more than one answer."""

import asyncio
import time
from pathlib import Path

import pytest
from textual import events

from brt_cg.dice import Dice, Faces, RollKey, SeededDice
from brt_cg.records import Phase
from tests.tui.helpers import MIDDLE, SMALL, screen_text, settled
from tests.tui.moments import app_on, in_refit, played, press


async def test_a_whole_run_is_taken_back_only_when_it_is_meant(demo_file: Path) -> None:
    app = app_on(played(demo_file, None))
    async with app.run_test(size=SMALL) as pilot:
        await in_refit(pilot)
        entries = (await settled(pilot)).entries
        await press(pilot, "W")
        assert "Take this back?" in screen_text(app)
        assert "answers; first: " in screen_text(app)
        await press(pilot, "enter")  # the answer in hand leaves it as it is
        assert (await settled(pilot)).entries == entries
        await press(pilot, "W", "t")
        assert (await settled(pilot)).view.situation.date == "20 PM"


async def test_one_stray_key_takes_no_import_back(demo_file: Path) -> None:
    app = app_on(demo_file)
    async with app.run_test(size=SMALL) as pilot:
        entries = (await settled(pilot)).entries
        await press(pilot, "u")
        assert "Scenario end" in screen_text(app)
        await press(pilot, "escape")
        assert (await settled(pilot)).entries == entries
        await press(pilot, "u", "t")
        assert (await settled(pilot)).view.situation.phase is Phase.PURCHASE


async def test_one_answer_is_taken_back_at_once(demo_file: Path) -> None:
    app = app_on(played(demo_file, "15.6111"))
    async with app.run_test(size=SMALL) as pilot:
        room = await in_refit(pilot)
        ask = (await settled(pilot)).ask
        await press(pilot, "2")
        assert (await settled(pilot)).ask != ask
        await press(pilot, "u")
        assert app.screen is room
        again = (await settled(pilot)).ask
        assert ask is not None
        assert again is not None
        assert again.subject == ask.subject


async def test_the_first_of_the_palette_takes_nothing_back(demo_file: Path) -> None:
    app = app_on(played(demo_file, None))
    async with app.run_test(size=MIDDLE) as pilot:
        await in_refit(pilot)
        entries = (await settled(pilot)).entries
        await pilot.press("ctrl+p")
        await pilot.pause(0.3)
        await press(pilot, "enter")
        assert "Take this back?" not in screen_text(app)
        assert (await settled(pilot)).entries == entries


async def test_escape_stops_playing_on_between_two_answers(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = SeededDice.roll

    def slowly(dice: SeededDice, kind: Dice, key: RollKey) -> Faces:
        time.sleep(0.05)
        return real(dice, kind, key)

    monkeypatch.setattr(SeededDice, "roll", slowly)
    app = app_on(demo_file)
    async with app.run_test(size=MIDDLE) as pilot:
        await in_refit(pilot)
        await pilot.press("G")

        async def escape_soon() -> None:
            await asyncio.sleep(0.5)
            app.post_message(events.Key("escape", None))

        # A pilot's key waits until the app is idle, which it is only when all has been played.
        await asyncio.gather(pilot.press("enter"), escape_soon())
        seen = await settled(pilot)
        assert seen.view.situation.phase is Phase.REFIT
        assert app.is_running
