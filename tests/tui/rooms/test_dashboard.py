"""The Dashboard: where a campaign stands, from each seat."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from textual.content import Content

from brt_cg.exports.purchases import buying_window_text
from brt_cg.exports.tally import place_tallies
from brt_cg.model.counters import Side
from brt_cg.questions.dice import SeededDice
from brt_cg.refit.sequence import last_paragraph_beginning_with
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.frame.help_screen import HelpScreen
from brt_cg.tui.lists.log import LogView
from brt_cg.tui.map.island import Island
from brt_cg.tui.rooms.dashboard.panels import DashboardLog
from brt_cg.tui.rooms.map.screen import MapScreen
from tests.exports.journals import squad, state
from tests.tui.helpers import (
    MIDDLE,
    SMALL,
    look_from,
    same_as_golden,
    screen_text,
    settled,
    shown,
)
from tests.tui.moments import opened, played, press


@pytest.fixture(scope="session")
def _with_areas(_laid_out: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("areas") / "demo.brt"
    shutil.copy(_laid_out, path)
    desk = OpenCampaign.open(path)
    supply = AnswerSupply(dice=SeededDice(3), defaults=True)
    for _ in desk.play_with_supply(supply, last_paragraph_beginning_with("15.6111")):
        pass
    desk.play_to_question()
    desk.close()
    return path


@pytest.fixture
def in_areas(_with_areas: Path, tmp_path: Path) -> Path:
    """The demo campaign at 15.6112: everybody is in a Setup Area, a leader's wound is asked for."""
    return Path(shutil.copy(_with_areas, tmp_path / "areas.brt"))


async def test_the_dashboard_looks_as_expected(in_areas: Path) -> None:
    async with opened(in_areas, size=SMALL) as (app, pilot):
        for width, height in (SMALL, MIDDLE):
            await pilot.resize_terminal(width, height)
            same_as_golden(app, f"dashboard-{width}x{height}")
            next_line = next(line for line in screen_text(app).splitlines() if "Press " in line)
            assert "Press Enter: 15.6112 asks the Marines: 7-0 Maddox (K24)" in next_line


async def test_after_the_setup_the_screen_says_to_print_and_play(demo_file: Path) -> None:
    async with opened(played(demo_file, None), size=SMALL) as (app, pilot):
        assert "Play the 21 AM scenario, then press Enter and enter how it ended." in screen_text(
            app
        )
        await press(pilot, "p")
        assert "The setup is done: o prints what you need, then play" in screen_text(app)


async def test_the_island_is_next_to_the_log_and_a_click_opens_the_map(
    in_areas: Path,
) -> None:
    async with opened(in_areas, size=MIDDLE) as (app, pilot):
        island, log = (app.screen.query_one(kind) for kind in (Island, DashboardLog))
        assert island.region.height == log.region.height
        assert island.region.right < log.region.x
        assert log.region.right <= MIDDLE[0]
        names = [island.render_line(y).text for y in range(13)]
        assert all(any(area in line for line in names) for area in ("M1", "M2", "M3", "J1", "J2"))
        await pilot.click(island, offset=(33, 6))
        await settled(pilot)
        assert isinstance(app.screen, MapScreen)
        assert app.screen.island.cursor in {"N33", "N34"}
    async with opened(in_areas, size=SMALL) as (app, _):
        assert not app.screen.query(Island)


async def test_the_marine_seat_sees_nothing_secret_of_the_japanese(in_areas: Path) -> None:
    async with opened(in_areas, size=MIDDLE) as (app, pilot):
        await pilot.press("s", "m")
        seen = await settled(pilot)
        assert seen.seat is Side.MARINE
        assert "Seat: Marine" in screen_text(app)
        same_as_golden(app, "dashboard-marine-120x40")
        shown = screen_text(app)
        assert "Black Two" not in shown
        assert "Island" not in shown
        assert not any(one.hidden for one in seen.view.pieces() if one.side is Side.JAPANESE)
        assert not any(line.secret is Side.JAPANESE for line in seen.log)


async def test_the_seat_is_asked_for_at_the_start(in_areas: Path) -> None:
    app = BrtApp(in_areas)
    async with app.run_test(size=SMALL) as pilot:
        assert "M1" not in await shown(pilot, "Which seat?")
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape", "j")
        seen = await settled(pilot)
        assert seen.seat is Side.JAPANESE
        assert "Seat: Japanese" in screen_text(app)


async def test_refusals_are_shown_and_undone_entries_stay_struck_out(
    in_areas: Path,
) -> None:
    async with opened(in_areas, size=MIDDLE, notifications=True) as (app, pilot):
        before = await settled(pilot)
        app.perform(lambda desk: desk.answer(7))
        assert (await settled(pilot)).mark.rows == before.mark.rows
        assert "Not possible" in screen_text(app)
        app.clear_notifications()
        app.perform(lambda desk: desk.answer(4))
        rolled = await settled(pilot)
        await pilot.press("u")
        undone = await settled(pilot)
        assert undone.mark.rows == rolled.mark.rows + 1
        assert "↶ Japanese CVP +1 for 7-0 Maddox" in screen_text(app)
        lines = app.screen.query_one(LogView).render()
        assert isinstance(lines, Content)
        styles = [str(span.style) for span in lines.spans]
        assert any("strike" in style for style in styles)


async def test_a_second_window_reloads_instead_of_overwriting(
    in_areas: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brt_cg.tui.app.LOOK_EVERY", 3600.0)  # it has not looked by itself yet
    async with opened(in_areas, size=MIDDLE, notifications=True) as (app, pilot):
        before = await settled(pilot)
        other = OpenCampaign.open(in_areas)
        other.answer(4)
        app.perform(lambda desk: desk.answer(2))
        now = await settled(pilot)
        assert now.mark.rows == before.mark.rows + 1
        await shown(pilot, "The campaign has changed")
        other.undo_or_request()
        other.close()
        assert await app.session.catch_up()
        assert (await settled(pilot)).mark.rows == now.mark.rows + 1


async def test_a_state_that_cannot_be_imported_is_reported(in_areas: Path, tmp_path: Path) -> None:
    app = BrtApp(in_areas, seat=None)
    state = tmp_path / "state.json"
    state.write_text("{}", "utf-8")
    async with app.run_test(size=MIDDLE, notifications=True) as pilot:
        before = await settled(pilot)
        await pilot.press("less_than_sign", *"state.json", "enter")
        assert (await settled(pilot)).mark.rows == before.mark.rows
        assert "Not possible" in screen_text(app)


async def test_the_theme_is_kept_between_runs(demo_file: Path) -> None:
    async with opened(demo_file) as (app, pilot):
        await press(pilot, "ctrl+p", *"theme")
        await press(pilot, "enter")
        assert app.theme == "daylight"
    assert BrtApp().theme == "daylight"


async def test_without_colors_everything_is_shown(
    in_areas: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(in_areas) as (app, _):
        same_as_golden(app, "dashboard-80x24")
        colours = {
            (color.triplet.red, color.triplet.green, color.triplet.blue)
            for strip in app.screen._compositor.render_strips()
            for segment in strip
            if (color := segment.style and segment.style.color) and color.triplet
        }
        assert all(red == green == blue for red, green, blue in colours)


def test_units_without_a_location_are_not_counted_on_map(demo_file: Path) -> None:
    view = unrestricted_campaign(OpenCampaign.open(demo_file)).campaign.clone()
    view.units["m-sq-1"].location = None
    squads = {tally.place: tally.counts["squads"] for tally in place_tallies(view, Side.MARINE)}
    assert squads == {"On map": 22, "Unplaced": 1, "Off map": 1, "Captured": 1}


# --- the end --------------------------------------------------------------------------------------


def at_its_last_refit_phase(path: Path, *units: dict[str, Any]) -> OpenCampaign:
    desk = OpenCampaign.create(
        path, {"cg": "III", "name": None, "allotments": {"marine": {"fpp": 30}}}
    )
    end = {"state": state(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"), *units, date="22 PM")}
    desk.run_command("import", end | {"source": "end.json", "missing": None, "side": None})
    return desk


def test_after_the_last_scenario_only_the_remaining_steps_are_upcoming(tmp_path: Path) -> None:
    desk = at_its_last_refit_phase(tmp_path / "last.brt")
    seen = look_from(desk, Side.MARINE)
    assert (seen.steps[0].number, seen.steps[-1].number) == ("15.601", "15.6032")
    assert (
        buying_window_text(seen.view, seen.card, Side.MARINE, seen.steps, waiting=False)
        == "cannot buy any more: the campaign ends with 22 PM"
    )
    desk.close()


async def test_heroes_alone_in_a_location_are_counted_in_words(tmp_path: Path) -> None:
    path = tmp_path / "heroes.brt"
    at_its_last_refit_phase(path, squad("m-hero-1", "off_map")).close()
    async with opened(path) as (app, _):
        assert re.search(r"Off map +1 hero ", screen_text(app))


async def test_the_named_key_starts_the_next_step_immediately(
    demo_file: Path,
) -> None:
    async with opened(demo_file) as (app, pilot):
        assert "Press Enter: " in screen_text(app)
        assert "Press r" not in screen_text(app)
        await pilot.press("enter")
        await shown(pilot, "Rulings for this Refit Phase")


async def test_a_campaign_that_is_over_says_so_in_every_room(tmp_path: Path) -> None:
    path = tmp_path / "over.brt"
    desk = at_its_last_refit_phase(path)
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(3), defaults=True)):
        pass
    desk.close()
    async with opened(path, size=MIDDLE) as (app, pilot):
        won = "The campaign is over: the Marines have won, Marine 12 (12 CVP"
        assert won in screen_text(app)
        assert "Enter Continue" not in screen_text(app)
        for key, told in (
            *(("enter", won), ("r", "The Marines have won."), ("g", "The campaign is over")),
            *(("b", "cannot buy any more: the campaign is over"), ("f", "7-6-8"), ("m", "N21")),
            *(("p", "22 PM"), ("F", "not possible after the end"), ("Y", "not possible")),
        ):
            await press(pilot, key)
            await settled(pilot)
            assert told in screen_text(app), key


async def test_a_location_and_its_leaders_are_always_separated(demo_file: Path) -> None:
    async with opened(demo_file, size=(140, 60)) as (_, pilot):
        text = await shown(pilot, "Leaders")
        assert re.findall(r"(?:Captured|Isolated)\d", text) == []


async def test_before_a_scenario_each_seat_sees_a_summary_of_the_refit_phase(
    demo_file: Path,
) -> None:
    async with opened(played(demo_file, None), size=MIDDLE) as (app, pilot):
        told = await shown(pilot, "The Refit Phase after 20 PM")
        assert "Marine repaired: MMG no." in told
        assert "Japanese lost: " in told
        await press(pilot, "s", "m")
        told = await shown(pilot, "The Refit Phase after 20 PM")
        summary = app.screen.query_one(DashboardLog).summary
        assert summary is not None
        hidden = {"j-cr-14", "j-gun-4"}  # set up again where nobody has seen them
        assert not any(id in line for line in summary.lines() for id in hidden)


async def test_the_dashboard_shows_the_victory_points_and_an_import_as_one_line(
    demo_file: Path,
) -> None:
    async with opened(demo_file, size=SMALL) as (app, pilot):
        told = await shown(pilot, "counters entered")
        assert "Campaign VP: Marine 131, Japanese 134; the Marines need 4 more to win." in told
        assert "added: " not in told
        log = app.screen.query_one(DashboardLog)
        assert sum("entered" in line.text for line in log._lines) == 1


@pytest.mark.parametrize("seat", Side)
async def test_a_side_sees_its_reminders_of_the_date(demo_file: Path, seat: Side) -> None:
    desk = OpenCampaign.open(demo_file)
    date = desk.view().campaign.situation.date
    asked = {"words": "battery fires", "side": "marine", "about": None, "date": date}
    desk.run_command("note", asked, "marine")
    desk.close()
    async with opened(demo_file, seat=seat) as (app, _):
        assert ("Marine reminder for" in screen_text(app)) is (seat is Side.MARINE)


async def test_a_low_screen_has_room_for_the_counters_in_the_first_setup(new_file: Path) -> None:
    desk = OpenCampaign.open(new_file)
    unplaced = squad("m-sq-1", "N21") | {"location": None}
    desk.run_command(
        "reinforce", {"state": {"format": "brt-cg/state", "version": 1, "units": [unplaced]}}
    )
    desk.play_to_question()
    desk.close()
    async with opened(new_file, size=SMALL) as (app, _):
        told = screen_text(app)
        assert "Campaign VP" not in told
        assert "Unplaced   1" in told
        assert app.screen.query_one(DashboardLog).size.height > 2, "the log has what is left"


async def test_i_opens_the_scenario_end_from_the_dashboard_too(demo_file: Path) -> None:
    async with opened(played(demo_file, None), size=SMALL) as (app, pilot):
        await press(pilot, "i")
        assert app.current_mode == "scenario_end"
