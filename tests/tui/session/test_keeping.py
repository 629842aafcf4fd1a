"""Backups on the screen: a list, and going back to one."""

from pathlib import Path

from brt_cg.model.counters import Side
from brt_cg.service import last_seen
from brt_cg.service.open_campaign import OpenCampaign
from tests.tui.helpers import MIDDLE, screen_text, settled, shown, words
from tests.tui.moments import opened, play, press


async def test_a_campaign_can_be_restored_from_a_backup(demo_file: Path) -> None:
    play(demo_file, None)
    async with opened(demo_file, size=MIDDLE, notifications=True) as (app, pilot):
        seen = await settled(pilot)
        assert seen.view.situation.phase == "scenario"
        await press(pilot, "B")
        listed = words(await shown(pilot, "before refit"))
        assert f"after refit 21 AM scenario · {seen.mark.rows} entries" in listed
        assert "before refit 20 PM refit · 2 entries" in listed
        await press(pilot, "2", "n", "B", "escape")
        assert (await settled(pilot)).mark.rows == seen.mark.rows, (
            "leaving the list changes nothing"
        )
        await press(pilot, "B")
        await shown(pilot, "before refit")
        await press(pilot, "2")
        await shown(pilot, "Go back to this backup?")
        await press(pilot, "y")
        seen = await settled(pilot)
        assert (seen.view.situation.phase, seen.mark.rows) == ("refit", 2 + 1), "and the restore"
        assert "back at 20 PM, refit" in " ".join(screen_text(app).split())


async def test_a_player_does_not_see_the_number_of_entries_of_a_backup(demo_file: Path) -> None:
    play(demo_file, None)
    async with opened(demo_file, Side.MARINE, size=MIDDLE) as (app, pilot):
        await press(pilot, "B")
        assert "after refit" in screen_text(app)
        assert "entries" not in screen_text(app)


async def test_an_empty_backup_list_says_when_backups_are_made(demo_file: Path) -> None:
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
        assert "demo.brt is in a folder that Dropbox syncs" in told


async def test_a_discontinued_file_is_reported_immediately(demo_file: Path) -> None:
    before = demo_file.read_bytes()
    play(demo_file, None)
    assert last_seen.find_divergence_or_remember(OpenCampaign.open_read_only(demo_file)) is None
    demo_file.write_bytes(before)
    async with opened(demo_file, size=MIDDLE, notifications=True) as (app, pilot):
        await settled(pilot)
        told: list[str] = []
        while not told:  # it is compared beside the first picture
            await pilot.pause()
            told = [notice.message for notice in app._notifications]
        assert "is not a continuation of the campaign last seen" in " ".join(told)
