"""The line above the keys: whether everything is stored, and what the last thing did."""

from pathlib import Path
from random import Random

import pytest
from textual.widgets._toast import Toast

from brt_cg.model.counters import Side
from brt_cg.questions.dice import SeededDice
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.frame.header import Header
from brt_cg.tui.keys.actions import ROOMS, actions_of, reachable_actions
from brt_cg.tui.rooms.refit.screen import RefitScreen
from tests.settings import count
from tests.tui.helpers import MIDDLE, SMALL, screen_lines, screen_text, settled, shown
from tests.tui.moments import in_refit, opened, played, press, to_room

ROW = -2  # of the screen: the keys are below it
LONG = "This cannot be done, and the reasons for it take more than a line of the screen. " * 4


def state_line(app: BrtApp) -> str:
    """The state line, as it is read."""
    return screen_lines(app)[ROW].strip()


async def test_each_room_shows_in_row_23_that_everything_is_stored(demo_file: Path) -> None:
    async with opened(played(demo_file, None), size=SMALL) as (app, pilot):
        for room in ROOMS:
            await to_room(pilot, room)
            assert screen_lines(app)[22].strip().startswith("✓ stored"), room


async def test_a_roll_its_undo_and_redo_are_shown_with_their_cvp_change(
    demo_file: Path,
) -> None:
    async with in_refit(played(demo_file, "15.6032"), size=SMALL) as (app, pilot):
        side, was, now = Side.MARINE, 0, 0
        for _ in range(12):
            before = await settled(pilot)
            assert before.ask is not None
            await press(pilot, *(("6", "6") if before.ask.dice else ("enter",)))
            seen = await settled(pilot)
            if before.ask.dice:
                assert seen.rolled is not None
                who = seen.rolled.lines[0].partition(":")[0]
                assert state_line(app).startswith(f"✓ stored  {who}: 6,6 fails")
            side = max(Side, key=lambda side: abs(before.view.cvp(side) - seen.view.cvp(side)))
            was, now = before.view.cvp(side), seen.view.cvp(side)
            if was != now:
                break
        assert was != now
        assert state_line(app).endswith(f", {side.label} CVP {was}→{now}")
        await press(pilot, "u")
        assert state_line(app).startswith("✓ stored  Undone")
        assert state_line(app).endswith(f"{side.label} CVP {now}→{was}")
        await press(pilot, "U")
        assert state_line(app).startswith("✓ stored  Redone")
        assert state_line(app).endswith(f"{side.label} CVP {was}→{now}")


async def test_one_die_of_two_counts_as_typing_until_removed(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.6032"), size=SMALL) as (app, pilot):
        for back in ("backspace", "u"):
            await press(pilot, "5")
            assert state_line(app).startswith("○ typing")
            await press(pilot, back)
            assert state_line(app).startswith("✓ stored")


async def test_answers_to_some_items_are_a_stored_draft(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.601"), size=SMALL) as (app, pilot):
        await press(pilot, "down", "enter")
        assert state_line(app).startswith("○ draft kept")
        await press(pilot, "u")
        assert state_line(app).startswith("✓ stored")


async def test_locations_given_at_setup_are_a_stored_draft(at_setup: Path) -> None:
    async with opened(at_setup, Side.MARINE, "setup", SMALL) as (app, pilot):
        assert state_line(app).startswith("✓ stored")
        await press(pilot, "z")
        assert state_line(app).startswith("○ draft kept")


async def test_ticks_of_a_scenario_are_a_stored_draft(demo_file: Path) -> None:
    async with opened(played(demo_file, None), size=SMALL) as (app, pilot):
        room = await to_room(pilot, "scenario_end")
        await press(pilot, "x")
        assert room.ticks
        assert state_line(app).startswith("○ draft kept")


async def test_hexes_painted_for_a_question_are_a_stored_draft(demo_file: Path) -> None:
    async with opened(played(demo_file, "15.606"), size=MIDDLE) as (app, pilot):
        await to_room(pilot, "map")
        await press(pilot, "space")
        assert state_line(app).startswith("○ draft kept")
        await press(pilot, "space")
        assert state_line(app).startswith("✓ stored")


async def test_a_result_is_not_shown_to_the_next_player(demo_file: Path) -> None:
    async with in_refit(played(demo_file, "15.6032"), size=MIDDLE) as (app, pilot):
        await press(pilot, "space")
        assert len(state_line(app)) > len("✓ stored")
        await app.take_seat_alone(Side.JAPANESE)
        await settled(pilot)
        assert state_line(app) == "✓ stored"


async def test_entries_of_another_window_are_named(demo_file: Path) -> None:
    path = played(demo_file, "15.6041")
    async with in_refit(path, size=MIDDLE) as (app, _):
        other = OpenCampaign.open(path)
        other.run_command("note", {"words": "tide is out", "side": None, "about": None})
        other.close()
        await app._catch_up()
        app._notifications.clear()
        app.refresh_state_lines()
        assert "tide is out" in state_line(app)


async def test_a_result_too_long_for_the_line_keeps_its_cvp_change(demo_file: Path) -> None:
    async with opened(demo_file, size=SMALL) as (app, pilot):
        app.last_result = type(app.last_result)("long words " * 20, "Japanese CVP 135→137")
        app.refresh_state_lines()
        await pilot.pause()
        assert state_line(app).endswith("…, Japanese CVP 135→137")


@pytest.mark.parametrize("room", ["dashboard", "forces"])
async def test_no_notice_covers_the_header_or_the_state_line(demo_file: Path, room: str) -> None:
    async with opened(demo_file, None, room, SMALL, notifications=True) as (app, pilot):
        header, line = app.screen.query_one(Header), app.screen.query_one("StateLine")
        for show in (app.show_notice, app.show_warning):
            show(LONG)
            await shown(pilot, LONG.split()[0])
            (toast,) = app.screen.query(Toast)
            assert not toast.region.overlaps(header.region)
            assert not toast.region.overlaps(line.region)
            app.clear_notifications()
            await pilot.pause()


async def test_a_brief_notice_is_only_in_the_state_line(demo_file: Path) -> None:
    async with opened(demo_file, size=SMALL, notifications=True) as (app, pilot):
        app.show_notice("Done.")
        await shown(pilot, "Done.")
        assert state_line(app) == "✓ stored  Done."
        assert not app.screen.query(Toast)


# --- every key that stores something --------------------------------------------------------------

WEIGHTY = {"purchases.buy", "purchases.commit", "setup.deploy", "refit.go_on", "refit.undo_run"}
AGREES = ("y", "enter")


def storing(room: str) -> list[str]:
    """The first keys of the actions of a room that lose something, answer, or store at one
    press."""
    wanted = (
        action
        for action in reachable_actions(room)
        if action.loses or action.answers or action.id in {*WEIGHTY, "everywhere.redo"}
    )
    keys = [action.keys.split(",")[0] for action in wanted if action.keys]
    return [key for key in keys if key not in {one.keys for one in actions_of("lists")}]


CELLS = [
    (through, room, key)
    for through in ("15.601", "15.6032", "15.6142", "15.6201")
    for room in ("refit", "purchases", "setup", "journal")
    for key in storing(room)
]
SAMPLE = Random(4).sample(CELLS, count(ci=6, full=len(CELLS)))


@pytest.mark.parametrize(("through", "room", "key"), SAMPLE)
async def test_every_key_that_stores_something_names_its_result(
    demo_file: Path, through: str, room: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RefitScreen, "dice", SeededDice(1))
    async with opened(played(demo_file, through), None, room, SMALL) as (app, pilot):
        before = seen = await settled(pilot)
        for each in (key, *AGREES):
            await press(pilot, each)
            seen = await settled(pilot)
            if seen.mark != before.mark:
                break
        if seen.mark != before.mark and len(app.screen_stack) == 1:
            assert state_line(app).partition("  ")[2], screen_text(app)
