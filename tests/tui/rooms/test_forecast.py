"""The forecast on the screen: played beside the campaign, stopped, compared; and whose it is."""

from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest
from textual.pilot import Pilot

from brt_cg.forecast import parallel_runs
from brt_cg.forecast.outcomes import counters_by_risk
from brt_cg.forecast.wording import counter_text
from brt_cg.model.counters import Side
from brt_cg.tui.look.lines import Lines
from brt_cg.tui.rooms.forecast.screen import ForecastScreen
from tests.tui.helpers import MIDDLE, PATIENCE, screen_text, settled, until, words
from tests.tui.moments import in_refit, opened, played, press

RUNS = 2


@pytest.fixture(autouse=True)
def few_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brt_cg.tui.rooms.forecast.screen.MOST", RUNS)
    # In so few runs chance decides which counters are at risk.
    chance = SimpleNamespace(randbelow=lambda below: 7)
    monkeypatch.setattr("brt_cg.tui.rooms.forecast.screen.secrets", chance)


async def in_forecast(pilot: Pilot[Any]) -> ForecastScreen:
    await settled(pilot)
    await press(pilot, "F")
    return await ended(pilot)


async def ended(pilot: Pilot[Any]) -> ForecastScreen:
    """The forecast, once it has been played."""
    room = pilot.app.screen
    assert isinstance(room, ForecastScreen)
    await until(pilot, lambda: not room.playing and room.first is not None)
    return room


async def test_the_forecast_shows_risks_of_counters_sides_and_another_choice(
    demo_file: Path,
) -> None:
    async with in_refit(demo_file, size=MIDDLE, notifications=True) as (app, pilot):
        room = await in_forecast(pilot)
        shown = screen_text(app)
        assert f"20 PM · {RUNS} Refit Phases played" in shown
        assert "squad-equivalents" in shown
        assert counter_text(room.seen.view, "j-gun-11") in shown
        assert "█" in shown
        # --- another choice is compared ---
        await press(pilot, "Z")
        assert "15.616  Will the Japanese attempt" in screen_text(app)
        await press(pilot, "down", "down", "down", "enter")
        assert "15.6122 SAN adjustment" in screen_text(app)
        assert "The Japanese SAN is 6" in screen_text(app)
        await press(pilot, "9", "enter")
        assert "enter a whole number from 0 to 7" in screen_text(app)
        assert room.other is None
        app.clear_notifications()
        await press(pilot, "Z", "down", "down", "down", "enter", "7", "enter")
        await ended(pilot)
        await until(pilot, lambda: room.other is not None and not room.playing)
        await settled(pilot)
        shown = screen_text(app)
        assert "What if: 15.6122 The Japanese SAN is 6: " in shown
        assert "? – 7." in shown
        assert "Japanese SAN: 6 → 7" in shown
        # --- the campaign goes on ---
        asked = {"id": "marine", "set": {"san": 5}, "reason": "the card"}
        app.perform(lambda desk: desk.run_command("edit", asked))
        await settled(pilot)
        assert "made before the last entry" in screen_text(app)
        await press(pilot, "enter")
        await ended(pilot)
        assert "made before" not in screen_text(app)
        await press(pilot, "escape")
        assert app.current_mode == "refit", "where it was asked for"


async def test_each_counter_has_a_bar_ordered_by_casualty_vp_at_risk(
    demo_file: Path,
) -> None:
    async with in_refit(demo_file, size=(90, 40)) as (_, pilot):
        room = await in_forecast(pilot)
        assert room.first is not None
        told = str(room.query_one("#each", Lines).render()).splitlines()
        assert words(told[0]) == "By risk × CVP █ lost ▒ unsure ░ kept"
        bars = [line for line in told[2:] if "░" in line or "█" in line]
        rows = counters_by_risk(room.first, room.seen.view, room.seen.card)
        assert len(bars) == len(room.first.counters) == len(rows)
        names = [counter_text(room.seen.view, row.id) for row in rows]
        assert all(name[:20] in line for name, line in zip(names, bars, strict=True))
        risked = [row.risk.chance * row.worth for row in rows]
        assert risked == sorted(risked, reverse=True)
        assert risked[0] > 0


async def test_in_a_wide_window_each_side_has_a_column_and_both_share_cvp(
    demo_file: Path,
) -> None:
    async with in_refit(demo_file, size=MIDDLE) as (_, pilot):
        room = await in_forecast(pilot)
        told = str(room.query_one("#each", Lines).render()).splitlines()
        assert any("★" in line[:60] and "●" in line[58:] for line in told)
        lines = str(room.query_one("#figures", Lines).render()).splitlines()
        assert [("○" in line, "┃" in line) for line in lines[1:]] == [(True, True)] * 2
        now = [line.index("○") for line in lines[1:]]
        assert now[0] < now[1], "132 before 143, on one scale"


async def test_the_last_forecast_stays_visible_until_the_next_begins(demo_file: Path) -> None:
    async with in_refit(demo_file, size=MIDDLE) as (app, pilot):
        room = await in_forecast(pilot)
        last = room.first
        room._count = lambda *_: None  # type: ignore[method-assign]
        await press(pilot, "enter")
        assert "Below is the last forecast: 20 PM" in screen_text(app)
        assert room.first is last


async def test_escape_stops_the_forecast_and_keeps_its_results(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brt_cg.tui.rooms.forecast.screen.MOST", 4000)
    monkeypatch.setattr(parallel_runs, "FIRST", 2)
    async with opened(demo_file) as (app, pilot):
        await pilot.press("F")
        room, since = None, monotonic()
        while room is None or room.first is None:
            assert monotonic() - since < PATIENCE
            await pilot.pause(0.01)
            room = app.screen if isinstance(app.screen, ForecastScreen) else None
        await pilot.press("escape")
        await ended(pilot)
        assert app.current_mode == "forecast"
        assert room.first is not None
        assert 0 < room.first.runs < 4000
        assert f"{room.first.runs} Refit Phases" in screen_text(app)


async def test_between_scenarios_the_forecast_says_why_it_is_unavailable(demo_file: Path) -> None:
    async with opened(played(demo_file, None), size=MIDDLE) as (app, pilot):
        await press(pilot, "F")
        assert "forecast is not possible during the scenario" in screen_text(app)


async def test_a_seat_never_sees_the_last_seats_forecast(demo_file: Path) -> None:
    async with opened(demo_file, Side.JAPANESE) as (_, pilot):
        room = await in_forecast(pilot)
        each, hidden = room.query_one("#each", Lines), counter_text(room.seen.view, "j-gun-4")
        assert hidden in str(each.render())
        await press(pilot, "s", "m")
        assert hidden not in str(each.render())
        await press(pilot, "enter")
        await ended(pilot)
        assert "9-1 Hawkins" in str(each.render())
        assert hidden not in str(each.render())
