"""Lists of rows: the selected one is marked without colour."""

from pathlib import Path

from brt_cg.tui.lists.row_lists import POINTER
from tests.tui.helpers import screen_lines
from tests.tui.moments import opened, press, to_room


async def test_a_pointer_marks_the_selected_row(demo_file: Path) -> None:
    async with opened(demo_file, room="purchases") as (app, pilot):
        pointed = [line for line in screen_lines(app) if line.startswith(POINTER)]
        assert [line.split()[0] for line in pointed] == [f"{POINTER}HMG"]
        await press(pilot, "down")
        pointed = [line for line in screen_lines(app) if line.startswith(POINTER)]
        assert [line.split()[0] for line in pointed] == [f"{POINTER}.50cal"]


async def test_a_list_next_to_another_has_a_pointer_only_with_focus(demo_file: Path) -> None:
    async with opened(demo_file) as (app, pilot):
        room = await to_room(pilot, "campaign")
        assert sum(POINTER in line for line in screen_lines(app)) == 1
        room.query_one("#leads").focus()
        await pilot.pause(0.2)
        assert sum(POINTER in line for line in screen_lines(app)) == 2
