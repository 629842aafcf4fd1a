"""What is typed in a form is kept until it is entered, whatever becomes of the form."""

import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from brt_cg import files
from brt_cg.model.counters import Side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.keys.actions import JOURNAL, REFIT, SCENARIO_END
from tests.imports.ends import asked
from tests.tui.helpers import screen_text, shown, until, words
from tests.tui.moments import opened, played, press

NOTE = "A note in the journal"


async def type_note(pilot: Pilot[Any], text: str) -> None:
    """Opens the form for a note, and types in it."""
    await pilot.press("t")
    await shown(pilot, NOTE)
    await pilot.press(*text)


def text_of(app: BrtApp) -> str:
    """What stands in the field of a note."""
    return app.screen.query_one("#words", Input).value


@asynccontextmanager
async def at_note(path: Path, seat: Side | None = None) -> AsyncIterator[tuple[BrtApp, Pilot[int]]]:
    """The form for a note, in the Journal."""
    async with opened(path, seat, JOURNAL, notifications=True) as (app, pilot):
        await type_note(pilot, "")
        yield app, pilot


def note(path: Path, text: str, side: str | None = None) -> None:
    """Another window enters a note."""
    other = OpenCampaign.open(path)
    other.run_command("note", {"words": text, "side": side, "about": None})
    other.close()


async def test_escape_keeps_typed_text_for_the_next_time(demo_file: Path) -> None:
    async with at_note(demo_file) as (app, pilot):
        await pilot.press(*"dig in", "escape")
        await shown(pilot, "kept for the next time you open this")
        await type_note(pilot, "")
        assert text_of(app) == "dig in"
        assert "filled in; F10 starts over without it" in words(screen_text(app))
        await press(pilot, "enter")
        await type_note(pilot, "")
        assert text_of(app) == "", "what is entered is no longer kept"
    assert "dig in" in str(OpenCampaign.open_read_only(demo_file).view().newest_lines(5))


async def test_the_next_key_does_not_replace_kept_text(demo_file: Path) -> None:
    """The text came back selected, and the first key erased it."""
    async with at_note(demo_file) as (app, pilot):
        await pilot.press(*"dig in", "escape")
        await shown(pilot, "kept for the next time you open this")
        await type_note(pilot, " now")
        assert text_of(app) == "dig in now"


async def test_the_next_key_does_not_replace_text_after_coming_back(demo_file: Path) -> None:
    async with at_note(demo_file) as (app, pilot):
        await pilot.press(*"dig in", "down", "up", *" now")
        assert text_of(app) == "dig in now"


async def test_typed_text_survives_a_kill_and_a_renamed_file(demo_file: Path) -> None:
    async with at_note(demo_file) as (app, pilot):
        await pilot.press(*"dig in")
        await until(pilot, lambda: app.drafts().form_draft("note").text == {"words": "dig in"})
        # and the program ends without a word
    away = demo_file.rename(demo_file.with_name("another.brt"))
    async with at_note(away) as (app, _):
        assert text_of(app) == "dig in"


async def test_typed_text_is_not_shown_to_the_enemy(demo_file: Path) -> None:
    async with at_note(demo_file, Side.MARINE) as (_, pilot):
        await pilot.press(*"dig in")
    for seat in (Side.JAPANESE, None):
        async with at_note(demo_file, seat) as (app, _):
            assert text_of(app) == ""


async def test_two_windows_keep_their_own_texts(demo_file: Path) -> None:
    async with at_note(demo_file) as (app, pilot):
        await pilot.press(*"one")
        draft = app.drafts().form_draft("note")  # the form in another window
        assert draft.text == {"words": "one"}
        draft.save({"words": "the other"})
        await pilot.press("!")
        await press(pilot, "enter")
        await type_note(pilot, "")
        assert text_of(app) == "the other", "entering the one drops only that"


async def test_the_player_is_warned_if_nothing_can_be_kept(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async with at_note(demo_file) as (app, pilot):
        monkeypatch.setattr(files, "write_atomically", full)
        await pilot.press("d")
        await shown(pilot, "cannot be kept")
        assert "No space left on device" in words(screen_text(app))
        assert text_of(app) == "d"


async def test_a_form_reports_public_but_no_secret_changes_of_the_campaign(demo_file: Path) -> None:
    async with at_note(demo_file, Side.MARINE) as (app, pilot):
        await pilot.press(*"dig in")
        before = screen_text(app)
        note(demo_file, "a plan", "japanese")
        await app._catch_up()
        assert screen_text(app) == before
        note(demo_file, "for both")
        await app._catch_up()
        await shown(pilot, f"{NOTE} · opened before the last entry")
        assert text_of(app) == "dig in"


async def test_a_form_is_never_stored_in_another_campaign(demo_file: Path) -> None:
    async with at_note(demo_file) as (app, pilot):
        await pilot.press(*"dig in")
        kept = demo_file.read_bytes()
        demo_file.unlink()
        OpenCampaign.create(demo_file, {"cg": "I"}).close()
        await press(pilot, "enter")
        await app._catch_up()
        await shown(pilot, "another campaign has replaced this one")
        await pilot.press("enter")
        await pilot.pause()
        assert text_of(app) == "dig in"
        assert len(OpenCampaign.open_read_only(demo_file).entry_hashes_for_seat()) == 1, (
            "nothing was stored there"
        )
        await pilot.press("escape")
        await app._catch_up()
        await shown(pilot, "Which seat?")
        demo_file.write_bytes(kept)
    async with at_note(demo_file) as (app, _):
        assert text_of(app) == "dig in"


def end_the_scenario(path: Path) -> int:
    """Another window ends the scenario; how many entries there are then."""
    other = OpenCampaign.open(path)
    other.run_command("import", asked(other, {}, winner="marine"))
    entries = len(other.entry_hashes_for_seat())
    other.close()
    return entries


async def test_typed_totals_are_kept_when_another_window_ends_the_scenario(demo_file: Path) -> None:
    played(demo_file, None)
    async with opened(demo_file, None, SCENARIO_END) as (app, pilot):
        await press(pilot, "enter")
        await shown(pilot, "End of 21 AM: Ticks ✓")
        entries = end_the_scenario(demo_file)
        await app._catch_up()
        await shown(pilot, "ended by another window")
        await press(pilot, "1", "down", "enter", "enter")
        assert isinstance(app.screen, FormScreen)
        assert len(OpenCampaign.open_read_only(demo_file).entry_hashes_for_seat()) == entries, (
            "nothing was stored"
        )
        await pilot.press("escape")
        if isinstance(app.screen, FormScreen):
            await pilot.press("escape")
        await until(pilot, lambda: app.current_mode == REFIT)
        assert len(app.screen_stack) == 1
    assert len(OpenCampaign.open_read_only(demo_file).entry_hashes_for_seat()) == entries
