"""While work runs, keys change nothing, and what comes after it gets none of them."""

import asyncio
from pathlib import Path
from threading import Event

from textual import events

from brt_cg.tui.dialogs.working import WorkingScreen
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.keys.actions import SCENARIO_END
from brt_cg.tui.question.form import EntryForm, FormField, FormPage, Typed
from tests.tui.helpers import settled, shown, until
from tests.tui.moments import opened, played


class Slow(EntryForm[str]):
    """A form that writes for as long as it is told to."""

    draft_name = ""

    def __init__(self, *, can_stop: bool) -> None:
        self.can_stop, self.ends, self.is_written = can_stop, Event(), False

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        return (FormPage("Write it", (FormField("what", "What"),), "write it"),)

    async def submit(self, typed: Typed) -> str:
        await asyncio.to_thread(self.ends.wait, 60)
        self.is_written = True
        return "written"


async def test_keys_during_work_do_nothing_in_the_box_nor_in_the_room_after_it(
    demo_file: Path,
) -> None:
    played(demo_file, None)
    async with opened(demo_file, None, SCENARIO_END, notifications=True) as (app, pilot):
        room, form = app.screen, Slow(can_stop=False)
        await app.push_screen(FormScreen(form))
        await pilot.pause()
        app.post_message(_key("enter"))
        await until(pilot, lambda: isinstance(app.screen, WorkingScreen))
        for key in ("o", "n", "x", "escape", "question_mark"):
            app.post_message(_key(key))
        box = app.screen
        assert isinstance(box, WorkingScreen)
        await until(pilot, lambda: len(box.dropped) == 4)
        assert app.screen is box
        form.ends.set()
        await until(pilot, lambda: app.screen is room)
        await settled(pilot)
        assert form.is_written
        assert room.ticks == {}  # type: ignore[attr-defined]
        assert not room.is_map_shown  # type: ignore[attr-defined]
        await shown(pilot, "o, n, x, ?")


async def test_escape_stops_work_that_stores_nothing(demo_file: Path) -> None:
    async with opened(demo_file) as (app, pilot):
        form = Slow(can_stop=True)
        await app.push_screen(FormScreen(form))
        await pilot.pause()
        app.post_message(_key("enter"))
        await until(pilot, lambda: isinstance(app.screen, WorkingScreen))
        app.post_message(_key("escape"))
        await shown(pilot, "stopped: nothing was written")
        assert isinstance(app.screen, FormScreen)
        assert not form.is_written
        form.ends.set()


def _key(key: str) -> events.Key:
    return events.Key(key, key if len(key) == 1 else None)
