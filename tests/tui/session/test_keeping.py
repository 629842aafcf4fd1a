"""Backups on the screen: a list, and going back to one."""

from pathlib import Path

from brt_cg.model.counters import Side
from tests.tui.helpers import MIDDLE, screen_text, settled
from tests.tui.moments import opened, play, press


async def test_a_campaign_goes_back_to_a_backup(demo_file: Path) -> None:
    play(demo_file, None)
    async with opened(demo_file, size=MIDDLE, notifications=True) as (app, pilot):
        seen = await settled(pilot)
        assert seen.view.situation.phase == "scenario"
        await press(pilot, "B")
        shown = screen_text(app)
        assert f"after refit 21 AM scenario · {seen.entries} entries" in " ".join(shown.split())
        assert "before refit 20 PM refit · 2 entries" in " ".join(shown.split())
        await press(pilot, "2", "n", "B", "escape")
        assert (await settled(pilot)).entries == seen.entries, "leaving the list changes nothing"
        await press(pilot, "B", "2", "g")
        seen = await settled(pilot)
        assert (seen.view.situation.phase, seen.entries) == ("refit", 2 + 1), "and the restore"
        assert "back at 20 PM, refit" in " ".join(screen_text(app).split())


async def test_a_player_is_not_told_how_many_entries_a_backup_holds(demo_file: Path) -> None:
    play(demo_file, None)
    async with opened(demo_file, Side.MARINE, size=MIDDLE) as (app, pilot):
        await press(pilot, "B")
        assert "after refit" in screen_text(app)
        assert "entries" not in screen_text(app)


async def test_without_backups_a_word_says_when_they_are_made(demo_file: Path) -> None:
    async with opened(demo_file, size=MIDDLE, notifications=True) as (app, pilot):
        await press(pilot, "B")
        assert "There are no backups yet" in " ".join(screen_text(app).split())


async def test_a_campaign_in_a_synced_folder_is_named_when_it_is_opened(demo_file: Path) -> None:
    folder = demo_file.parent / "Dropbox"
    folder.mkdir()
    async with opened(demo_file.rename(folder / "demo.brt"), size=MIDDLE, notifications=True) as (
        app,
        pilot,
    ):
        await pilot.pause()
        told = " ".join(screen_text(app).replace("▌", " ").split())
        assert "demo.brt is in a folder that Dropbox keeps" in told
