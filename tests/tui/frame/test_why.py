"""Why? One key in every room: what is selected is explained, and each line leads on."""

from pathlib import Path

from textual.pilot import Pilot

from brt_cg.model.counters import Side
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.why import WhyScreen
from tests.tui.helpers import MIDDLE, screen_text, settled, until
from tests.tui.moments import in_forces, in_refit, opened, played, press, to_room

CAMPAIGN_ROOMS = [place for place in BrtApp.MODES if place != "home"]


async def asked(pilot: Pilot[int], *keys: str) -> str:
    """Presses keys, and waits until the page of reasons has been looked up."""
    await press(pilot, *keys)
    await pilot.app.workers.wait_for_complete(
        [worker for worker in pilot.app.workers if worker.group == "why"]
    )
    await pilot.pause()
    return screen_text(pilot.app)  # type: ignore[arg-type]


async def test_why_links_cvp_to_an_entry_a_unit_and_back(demo_file: Path) -> None:
    async with opened(played(demo_file, None), size=MIDDLE) as (app, pilot):
        assert "What do you want to know?" in await asked(pilot, "w")
        told = await asked(pilot, *["down"] * 6, "enter")
        assert "Japanese CVP" in told
        assert "134 CVP for carried over" in told
        told = await asked(pilot, *["down"] * 5, "enter", "enter")
        assert "DRM: " in told or "drm: " in told
        assert "on the table" in told
        told = await asked(pilot, "left", "down", "enter")
        assert "Marine, eliminated" in told
        await asked(pilot, "backspace", "backspace")
        assert "Japanese CVP" in screen_text(app)
        await asked(pilot, "escape")
        assert not isinstance(app.screen, WhyScreen)


async def test_why_explains_the_selected_counter_also_from_a_field(demo_file: Path) -> None:
    async with in_forces(demo_file) as (_, pilot):
        await pilot.press("slash", *"hawkins")
        assert "9-1 Hawkins (m-ldr-" in await asked(pilot, "f3")


async def test_why_works_in_every_room(demo_file: Path) -> None:
    async with opened(played(demo_file, None)) as (app, pilot):
        for place in CAMPAIGN_ROOMS:
            room = await to_room(pilot, place)
            await pilot.press("f3")
            await until(pilot, lambda: isinstance(app.screen, WhyScreen), place)
            await until(pilot, lambda: app.screen.reasons.option_count, place)  # type: ignore[attr-defined]
            await pilot.press("escape")
            assert app.current_mode == place
            assert app.screen is room


async def test_why_on_an_empty_row_offers_all_subjects(demo_file: Path) -> None:
    async with opened(demo_file, room="campaign") as (_, pilot):
        await press(pilot, "right", "right", "end")  # the last row: import a file
        assert "Marine SAN" in await asked(pilot, "w")


async def test_why_explains_anything_except_enemy_secrets(demo_file: Path) -> None:
    async with in_refit(demo_file, Side.MARINE) as (app, pilot):
        assert (await settled(pilot)).view.find("j-sq-4") is None
        await pilot.press("w")
        assert "How is each SAN adjusted?" in await asked(pilot, "slash", *"r-san", "enter")
        assert "nothing is known about 'j-sq-4'" in await asked(pilot, "slash", *"j-sq-4", "enter")
        assert "How is each SAN adjusted?" in screen_text(app)
        assert "Japanese, " not in await asked(pilot, "slash", *"gpp", "enter")
        assert "How is each SAN adjusted?" in await asked(pilot, "backspace")


async def test_a_number_or_log_line_can_be_clicked_for_why(demo_file: Path) -> None:
    async with opened(demo_file, size=MIDDLE) as (app, pilot):
        await app.run_action("app.why('marine.san')")
        assert "Marine SAN" in await asked(pilot, "home")
