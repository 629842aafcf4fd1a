"""While work runs, keys change nothing, and what comes after it gets none of them."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from textual import events
from textual.pilot import Pilot

from brt_cg.model import Side
from brt_cg.service import last_seen, shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.working import AT_ONCE, WorkingScreen
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.keys.actions import (
    BY_ID,
    DIALOGS,
    EVERYWHERE,
    PARTS,
    ROOMS,
    SCENARIO_END,
    actions_of,
)
from brt_cg.tui.keys.key_buffer import MOVES
from brt_cg.tui.question.form import EntryForm, FormField, FormPage, Typed
from tests.settings import crossed
from tests.tui.helpers import LOOKS, MIDDLE, PATIENCE, at_work, screen_text, settled, shown, until
from tests.tui.moments import opened, played


class Slow(EntryForm[str]):
    """A form that writes for as long as it is told to."""

    draft_name = ""

    def __init__(self, *, can_stop: bool) -> None:
        self.can_stop, self.ends, self.is_written = can_stop, Event(), False

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        return (FormPage("Write it", (FormField("what", "What"),), "write it"),)

    async def submit(self, typed: Typed) -> str:
        await asyncio.to_thread(self.ends.wait, PATIENCE)
        self.is_written = True
        return "written"


async def test_keys_pressed_during_work_do_nothing_then_or_later(
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
        await shown(pilot, "Stopped: nothing was written")
        assert isinstance(app.screen, FormScreen)
        assert not form.is_written
        form.ends.set()


def _key(key: str) -> events.Key:
    return events.Key(key, key if len(key) == 1 else None)


# --- any key during any work ----------------------------------------------------------------------


async def soon(holds: Callable[[], object]) -> None:
    """Waits for something while the desk is at work, for which a pilot would wait."""
    since = monotonic()
    while not holds():
        assert monotonic() - since < PATIENCE, "it did not come about"
        await asyncio.sleep(0.02)


LOOKS_UP, ENTERS, OF_THE_ROOM = "looks up", "enters", "of the room"


@pytest.mark.parametrize(("place", "work"), crossed(ROOMS, [LOOKS_UP, ENTERS, OF_THE_ROOM]))
async def test_any_key_during_any_work_changes_nothing(
    demo_file: Path, place: str, work: str
) -> None:
    path = played(demo_file, None if place == SCENARIO_END else "15.6031")
    async with opened(path, None, place, MIDDLE) as (app, pilot):
        app.show_notice = lambda words: None  # type: ignore[method-assign]
        stands = len(OpenCampaign.open_read_only(path).entry_hashes_for_seat())
        await _work(app, pilot, work, [])
        before = await _settled_text(app)
        await _work(app, pilot, work, _keys_of(app, place))
        assert await _settled_text(app) == before
        assert len(OpenCampaign.open_read_only(path).entry_hashes_for_seat()) == stands
        assert app.current_mode == place


async def _work(app: BrtApp, pilot: Pilot[int], work: str, keys: list[str]) -> None:
    """Do some work during which keys are pressed."""
    room, ends = app.screen, Event()
    room.run_worker(_slow(app, work, ends), group="slow")
    if work != OF_THE_ROOM:
        await soon(lambda: isinstance(app.screen, WorkingScreen))
    for key in keys:
        app.post_message(_key(key))
    await asyncio.sleep(2 * AT_ONCE)
    ends.set()
    await until(pilot, lambda: app.screen is room and not at_work(app, "slow", "desk"))
    await settled(pilot)


async def _settled_text(app: BrtApp) -> str:
    """Return the text of the screen once it no longer changes: a row's history comes later."""
    text, same, since, looks = screen_text(app), 0, monotonic(), 0
    while looks < LOOKS or monotonic() - since < PATIENCE:
        looks += 1
        await asyncio.sleep(0.02)
        text, was = screen_text(app), text
        works = any(not worker.is_finished for worker in app.workers)
        same = same + 1 if text == was and not works else 0
        if same == 30:
            return text
    raise AssertionError(f"the screen goes on changing:\n{text}")


async def _slow(app: BrtApp, work: str, ends: Event) -> None:
    if work == OF_THE_ROOM:
        await asyncio.to_thread(ends.wait, PATIENCE)
    elif work == LOOKS_UP:
        await app.session.look_up(lambda _: ends.wait(PATIENCE))
    else:
        await app.session.perform(lambda _: ends.wait(PATIENCE))


def _keys_of(app: BrtApp, place: str) -> list[str]:
    """All keys of a room, of lists, of the answers and of everywhere, but those that move and the
    one that stops work."""
    places = (place, EVERYWHERE, *PARTS)
    keys = {key for part in places for action in actions_of(part) for key in app.keys_of(action)}
    stops = app.keys_of(BY_ID[f"{DIALOGS}.close"])
    return sorted({*keys, *"123456", "enter", "space"} - MOVES - {*stops})


async def test_escape_stops_an_entry_before_it_is_stored(demo_file: Path) -> None:
    async with opened(demo_file, room="journal", notifications=True) as (app, pilot):
        ends, entries = Event(), len(OpenCampaign.open_read_only(demo_file).entry_hashes_for_seat())
        shown_now = app.session.current_snapshot.basis_of()

        def enter(desk: CampaignReader) -> None:
            ends.wait(PATIENCE)
            note = {"words": "held", "side": None, "about": None}
            _ = shown_actions.run_shown_command(desk, shown_now, "note", note)

        app.perform(enter)
        await soon(lambda: isinstance(app.screen, WorkingScreen))
        app.post_message(_key("escape"))
        await soon(app.session.stopping.is_set)
        ends.set()
        await shown(pilot, "Stopped: nothing was written.")
        assert len(OpenCampaign.open_read_only(demo_file).entry_hashes_for_seat()) == entries
        app.perform(enter)  # the next one is not stopped
        await settled(pilot)
        assert len(OpenCampaign.open_read_only(demo_file).entry_hashes_for_seat()) == entries + 1


async def test_escape_stops_a_lookup_and_nothing_follows(demo_file: Path) -> None:
    async with opened(demo_file, room="journal") as (app, pilot):
        ends, followed = Event(), list[str]()

        async def look() -> None:
            await app.session.look_up(lambda _: ends.wait(PATIENCE))
            followed.append("a box with what was found")

        app.screen.run_worker(look())
        await soon(lambda: isinstance(app.screen, WorkingScreen))
        app.post_message(_key("escape"))
        await soon(lambda: not isinstance(app.screen, WorkingScreen))
        ends.set()
        await settled(pilot)
        assert not followed


async def test_taking_a_seat_cannot_be_stopped_before_its_warnings_are_shown(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the seat last saw is compared, however long that takes."""
    async with opened(demo_file) as (app, _):
        ends = Event()
        monkeypatch.setattr(
            last_seen, "find_divergence_or_remember", lambda desk: ends.wait(PATIENCE) and None
        )
        sits = app.run_worker(app.take_seat_alone(Side.MARINE))
        await soon(lambda: app.session.seat is Side.MARINE)
        await asyncio.sleep(3 * AT_ONCE)
        assert not isinstance(app.screen, WorkingScreen)
        ends.set()
        await soon(lambda: sits.is_finished)
