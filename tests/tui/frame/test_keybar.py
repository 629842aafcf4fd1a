"""The line of keys keeps what is used often, and has it always in the same order."""

from pathlib import Path

import pytest

from brt_cg.tui.keys.actions import ROOMS, actions_of
from brt_cg.tui.rooms.journal.log_filter import LineFilter
from brt_cg.tui.rooms.journal.screen import JournalScreen
from tests.tui.helpers import screen_lines
from tests.tui.moments import in_refit, opened, played, to_room


async def test_undo_stays_in_a_narrow_key_bar(demo_file: Path) -> None:
    path = played(demo_file, "15.6032")
    async with in_refit(path, size=(80, 24)) as (app, pilot):
        narrow = screen_lines(app)[-1]
        assert "g Play on" in narrow
        assert "u Undo" in narrow
        assert "I Steps" not in narrow
        await pilot.resize_terminal(160, 24)
        await pilot.pause()
        wide = screen_lines(app)[-1]
        kept = [entry for entry in wide.split("   ") if entry in narrow]
        assert "   ".join(kept) == narrow
        assert wide.index("I Steps") < wide.index("u Undo")


async def test_the_help_is_always_in_the_key_bar(demo_file: Path) -> None:
    async with opened(played(demo_file, None), size=(80, 24)) as (app, pilot):
        for room in ROOMS:
            await to_room(pilot, room)
            assert screen_lines(app)[-1].endswith("Help"), room


async def test_an_action_without_a_key_is_not_in_the_line(demo_file: Path) -> None:
    async with opened(played(demo_file, None), size=(160, 24)) as (app, pilot):
        await to_room(pilot, "journal")
        room = app.screen
        assert isinstance(room, JournalScreen)
        room._keep(LineFilter(since=2))  # now Show all is possible
        await pilot.pause()
        assert room.POSSIBLE["show_all"](room, room.seen)
        last = screen_lines(app)[-1]
        assert "Show all" not in last
        assert "key_for" not in last


@pytest.mark.parametrize("room", ROOMS)
def test_a_rooms_key_bar_shows_frequent_actions(room: str) -> None:
    assert any(action.often for action in actions_of(room))
    assert not any(action.often and action.seldom for action in actions_of(room))
