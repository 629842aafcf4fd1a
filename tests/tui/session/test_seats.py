"""The seats of the screen: what one side does leaves nothing to read, or to take back, for the
other."""

import json
import shutil
import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from brt_cg.audit import audit_campaign
from brt_cg.commands.difference import import_difference
from brt_cg.commands.state_document import build_state_document
from brt_cg.imports.event_sheet import Ticks, units_lost_in_opponents_report
from brt_cg.imports.open_places import find_open_places
from brt_cg.imports.scenario_end import read_scenario_end
from brt_cg.imports.totals import open_places_of_sheet
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side, UnitKind
from brt_cg.model.seat import Seat
from brt_cg.service.agreements import agree_and_carry_out_request
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.tick_sheet import load_tick_sheet
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.choice import ChoiceScreen
from brt_cg.tui.dialogs.pick import PickScreen
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.rooms.scenario_end.screen import ScenarioEndScreen
from brt_cg.tui.rooms.scenario_end.totals_form import ScenarioEndForm
from brt_cg.views.view import create_view
from tests.imports.ends import asked
from tests.tui.helpers import MIDDLE, PATIENCE, SMALL, screen_text, settled, until, words
from tests.tui.moments import (
    at_desk,
    filled,
    in_forces,
    in_refit,
    opened,
    played,
    press,
    seen_in,
    to_room,
)

JAPANESE_SQUAD = "j-sq-1"
CAPTURED = {"j-sq-8": {"captured": "m-sq-15"}}
THEIRS = "This seat has nothing to"
DRAFT = {"item": "foxhole_1s", "side": "japanese", "beach": "green", "draft": True}


@pytest.fixture
def with_a_draft(tmp_path: Path) -> Path:
    """A new campaign, in which the Japanese side has drafted something."""
    path = tmp_path / "new.brt"
    desk = OpenCampaign.create(path, {"cg": "III"})
    desk.run_command("buy", DRAFT, "japanese")
    desk.close()
    return path


async def test_no_notice_survives_a_change_of_seat(with_a_draft: Path) -> None:
    async with opened(with_a_draft, notifications=True) as (app, pilot):
        await press(pilot, "u")
        assert "Undone:" in words(screen_text(app))
        await pilot.press("s")
        await pilot.pause()
        assert "Undone" not in screen_text(app)
        await pilot.press("m")
        await settled(pilot)
        assert "Foxhole" not in screen_text(app)


async def test_secret_enemy_entries_are_not_undone(with_a_draft: Path) -> None:
    async with in_refit(with_a_draft, Side.MARINE, size=MIDDLE, notifications=True) as (app, pilot):
        seen = await settled(pilot)
        assert seen.undo != "possible"
        await press(pilot, "u")
        assert THEIRS in words(screen_text(app))
        app.clear_notifications()
        await press(pilot, "W")
        assert THEIRS in words(screen_text(app))
        assert (await settled(pilot)).mark.rows == seen.mark.rows


async def test_secret_enemy_undos_are_not_redone(with_a_draft: Path) -> None:
    desk = OpenCampaign.open(with_a_draft)
    desk.undo_or_request()
    desk.close()
    async with opened(with_a_draft, Side.MARINE, size=MIDDLE, notifications=True) as (app, pilot):
        seen = await settled(pilot)
        assert seen.redo != "possible"
        await press(pilot, "U")
        assert THEIRS in words(screen_text(app))
        assert (await settled(pilot)).mark.rows == seen.mark.rows


async def test_nothing_is_undone_at_home(with_a_draft: Path) -> None:
    async with opened(with_a_draft) as (app, pilot):
        seen = await settled(pilot)
        await press(pilot, "h", "u")
        assert "Undo" not in screen_text(app)
        assert (await settled(pilot)).mark.rows == seen.mark.rows


async def test_the_filter_text_of_forces_stays_with_its_seat(demo_file: Path) -> None:
    async with in_forces(demo_file, Side.JAPANESE) as (app, pilot):
        await pilot.press("slash", *"hid", "enter")
        assert "/ hid" in screen_text(app)
        await pilot.press("s", "m")
        await settled(pilot)
        assert "/ hid" not in screen_text(app)
        assert "★ Marine" in screen_text(app)


async def test_the_scenario_end_form_is_separate_for_each_seat(
    demo_file: Path,
) -> None:
    async with in_forces(played(demo_file, None), Side.MARINE) as (app, pilot):
        await pilot.press("i", "slash", *"hays", "enter", "x")
        await press(pilot, "escape", "escape", "s", "j", "i")
        assert "0 of " in screen_text(app)
        assert "hays" not in screen_text(app).lower()
        await press(pilot, "escape", "s", "m", "i")
        assert "1 of " in screen_text(app)
        # --- or where the seat is taken in another room ---
        await press(pilot, "escape", "r", "s", "j")
        await press(pilot, "f", "i")
        assert "0 of " in screen_text(app)
        assert "hays" not in screen_text(app).lower()


async def test_either_player_says_who_captured_equipment(demo_file: Path) -> None:
    async with in_forces(played(demo_file, None), Side.MARINE) as (app, pilot):
        await press(pilot, "i")
        assert isinstance(app.screen, ScenarioEndScreen)
        app.screen.listed.put_cursor("m-37-1")
        await press(pilot, "c")
        assert isinstance(app.screen, PickScreen)


async def enter_the_end(pilot: Pilot[int], ticks: dict[str, str], **totals: str) -> str:
    """Enters the end of the scenario in the form: by counter the key of its tick, and totals. What
    the form says of whose half it is."""
    await press(pilot, "i")
    for id, key in ticks.items():
        assert isinstance(pilot.app.screen, ScenarioEndScreen)
        pilot.app.screen.listed.put_cursor(id)
        await pilot.press(key)
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, FormScreen))
    form = pilot.app.screen
    assert isinstance(form, FormScreen)
    told = (await form.form.validate(dict(form.typed), 0)).verdict.plain
    last = len(form.form.pages(form.typed)) - 1
    for page in range(last):
        await until(pilot, lambda page=page: form._at == page)  # type: ignore[misc]
        for name, total in totals.items():
            for field in form.query(f"#{name}").results(Input):
                field.value = total
        await pilot.press(*(["y"] if form.query("#encircled") else []), "enter")
    await until(pilot, lambda: "Totals ✓ › Check" in screen_text(pilot.app))
    await pilot.press("enter")
    await until(pilot, lambda: pilot.app.current_mode == "refit")
    await settled(pilot)
    return told


async def sit(pilot: Pilot[int], seat: str) -> None:
    await press(pilot, "s", seat)
    await pilot.pause()


def at_the_end(path: Path, ticks: Ticks, **totals: str) -> Campaign:
    """A copy of the campaign with the whole end of the scenario entered at once."""
    desk = OpenCampaign.open(Path(shutil.copy(path, path.with_name("whole.brt"))))
    end = asked(desk, ticks, **totals)
    open_ = find_open_places(create_view(unrestricted_campaign(desk)), end)
    desk.run_command(
        "import", open_.complete_import_input(unrestricted_campaign(desk).campaign, end, {})
    )
    return unrestricted_campaign(desk).campaign


async def test_each_side_enters_its_scenario_end_report_from_its_seat(
    demo_file: Path,
) -> None:
    lost, flipped = {"m-ldr-19": {"eliminated": ""}}, {JAPANESE_SQUAD: {"reduced": ""}}
    end = at_the_end(played(demo_file, None), lost | flipped, pillboxes="2")
    async with in_forces(demo_file, Side.MARINE, size=MIDDLE) as (app, pilot):
        told = await enter_the_end(pilot, {"m-ldr-19": "x"}, pillboxes="2")
        assert "You are entering the Marine report only" in told
        seen = await settled(pilot)
        assert not seen.can_report_scenario_end
        assert "The Japanese report of it must be entered" in words(screen_text(app))
        assert "Enter  Begin without it" in screen_text(app)
        assert seen.next_step.action == "seat"
        assert "i  Enter the Japanese half" in screen_text(app)
        await press(pilot, "i", "j")
        await until(pilot, lambda: app.current_mode == "scenario_end")
        assert (await settled(pilot)).next_step.action == "forces"
        await press(pilot, "escape")
        told = await enter_the_end(pilot, {JAPANESE_SQUAD: "d"})
        assert "you are entering the Japanese report" in told
        seen = await settled(pilot)
        assert seen.half is None
        assert not seen.can_report_scenario_end
        entered = OpenCampaign.open(demo_file)
        assert build_state_document(
            unrestricted_campaign(entered).campaign
        ) == build_state_document(end)
        assert unrestricted_campaign(entered).campaign == end
        assert audit_campaign(demo_file).ok
        # --- what the second side entered is taken back alone, and is there to be mended ---
        await press(pilot, "u", "y")
        seen = await settled(pilot)
        assert seen.half is Side.JAPANESE
        assert seen.view.units[JAPANESE_SQUAD].kind is UnitKind.SQUAD
        # --- the umpire enters it too, with what is ticked there ---
        await sit(pilot, "u")
        assert (await settled(pilot)).next_step.action == "forces"
        await to_room(pilot, "forces")
        assert "you are entering the Japanese report" in await enter_the_end(pilot, {})
        entered.reload()
        assert unrestricted_campaign(entered).campaign == end
        await press(pilot, "u", "y")
        await to_room(pilot, "forces")
        await press(pilot, "i")
        assert "1 of " in screen_text(app)
        await press(pilot, "ctrl+p", *"seat", "enter", "m")
        await until(pilot, lambda: app.current_mode == "refit")
        # --- once the Refit Phase has begun it is too late ---
        for key in ("enter", "g"):
            await press(pilot, key, "escape")
            assert (await settled(pilot)).half is Side.JAPANESE
        await press(pilot, "enter", "y")
        assert "the Marine player asks the Japanese player: begin" in screen_text(app)
        await sit(pilot, "j")
        assert (await settled(pilot)).can_report_scenario_end
        await press(pilot, "R")
        await pilot.pause(0.2)
        await press(pilot, "y")
        assert not (await settled(pilot)).can_report_scenario_end


async def test_nothing_is_shown_without_a_seat_and_escape_keeps_the_old_seat(
    with_a_draft: Path,
) -> None:
    app = BrtApp(with_a_draft)
    async with app.run_test(size=SMALL) as pilot:
        for leave in ("escape", "escape"):
            await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
            await pilot.press(leave)
            await pilot.pause()
            assert app.current_mode == "home", leave
            assert app.session.seen is None
            assert "CG III" in screen_text(app), "it is listed"
            app.open_campaign(with_a_draft)
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press("j")
        await settled(pilot)
        await pilot.press("s")
        await pilot.pause()
        assert "Which seat?" in screen_text(app)
        await pilot.press("escape")
        assert (await settled(pilot)).seat is Side.JAPANESE
        assert not isinstance(app.screen, ChoiceScreen)


async def test_every_way_to_end_the_screen_closes_its_campaign(demo_file: Path) -> None:
    before = {thread for thread in threading.enumerate() if thread.name.startswith("desk")}
    async with BrtApp(demo_file, seat=None).run_test() as pilot:
        await settled(pilot)
        desks = {thread for thread in threading.enumerate() if thread.name.startswith("desk")}
        (desk,) = desks - before
    desk.join(PATIENCE)
    assert not desk.is_alive()


def test_an_owners_report_keeps_his_unit_captured_by_default(
    demo_file: Path, tmp_path: Path
) -> None:
    path = played(demo_file, None)
    desk = OpenCampaign.open(path)
    before = build_state_document(unrestricted_campaign(desk).campaign, Side.JAPANESE)
    desk.run_command("import", asked(desk, CAPTURED, Side.MARINE, winner="marine"))
    (tmp_path / "j.json").write_text(json.dumps(before))
    found = read_scenario_end(
        create_view(unrestricted_campaign(desk)), tmp_path / "j.json", "japanese"
    )
    assert found.asked["captured"] == ["j-sq-8"]
    desk.run_command("import", found.asked | {"missing": "keep"})
    assert unrestricted_campaign(desk).campaign.units["j-sq-8"].guard == "m-sq-15"
    again = {name: value for name, value in found.asked.items() if name != "captured"}
    desk.undo_or_request()
    desk.run_command("import", again | {"missing": "keep"})
    assert not unrestricted_campaign(desk).campaign.units["j-sq-8"].prisoner


@pytest.mark.parametrize(("who", "guard"), [("yes", "m-sq-15"), ("no", None)])
async def test_the_preview_asks_if_two_reports_disagree_about_a_captured_unit(
    demo_file: Path, who: str, guard: str | None
) -> None:
    path = played(demo_file, None)
    desk = OpenCampaign.open(path)
    desk.run_command("import", asked(desk, CAPTURED, Side.MARINE, winner="marine"))
    desk.close()
    async with at_desk(path, Side.JAPANESE) as session:
        seen = seen_in(session)
        sheet = load_tick_sheet(seen)
        sheet.ticks["j-sq-8"] = {"eliminated": ""}
        left = await session.look_up(
            lambda desk: open_places_of_sheet(desk.view(), sheet.event_sheet(seen))
        )
        form = ScenarioEndForm(session, sheet, left)
        (whose,) = (each for each in form.pages({})[1].fields if each.name == "captured")
        assert whose.required
        typed = filled(form, captured=who)
        assert "j-sq-8" in (await form.validate(typed, 1)).verdict.plain
        await form.submit(typed)
        unit = seen_in(session).view.units["j-sq-8"]
        assert (unit.in_play, unit.guard) == (True, "m-sq-15"), "until both agree"
    if guard is None:
        desk = OpenCampaign.open(path)
        desk.set_seat(Seat.MARINE)
        agree_and_carry_out_request(desk)
        assert not unrestricted_campaign(desk).campaign.units["j-sq-8"].in_play


def test_a_unit_reported_eliminated_may_be_reported_captured_by_the_enemy(demo_file: Path) -> None:
    desk = OpenCampaign.open(played(demo_file, None))
    lost = build_state_document(unrestricted_campaign(desk).campaign, Side.JAPANESE)
    for unit in lost["units"]:
        if unit["id"] == "j-sq-8":
            unit["fate"] = "eliminated"
    desk.run_command("import", {"state": lost, "source": "j", "missing": None, "side": "japanese"})
    found = units_lost_in_opponents_report(
        create_view(unrestricted_campaign(desk), Side.MARINE), Side.MARINE
    )
    assert [unit.id for unit in found] == ["j-sq-8"]
    end = asked(desk, CAPTURED, Side.MARINE, winner="marine")
    lines = [
        str(line)
        for line in import_difference(
            unrestricted_campaign(desk).campaign, end, unrestricted_campaign(desk).card
        )
    ]
    assert any("the Japanese report lists it as eliminated" in line for line in lines)
    desk.run_command("import", end)
    assert unrestricted_campaign(desk).campaign.units["j-sq-8"].guard == "m-sq-15"
