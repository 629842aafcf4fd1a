"""A window in the background keeps up with what another one enters."""

import json
from multiprocessing import get_context
from pathlib import Path

import pytest
from textual import events

from brt_cg.imports.preview import preview_import_file
from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.tick_sheet import TickSheet, load_tick_sheet
from brt_cg.tui.forms.import_file import ImportForm
from brt_cg.tui.rooms.campaign.order_of_battle import ReinforceForm
from brt_cg.tui.rooms.scenario_end.totals_form import ScenarioEndForm
from brt_cg.tui.session.session import Session, read_campaign
from tests.imports.ends import asked
from tests.tui.helpers import MIDDLE, look_from, screen_text, settled, shown, until
from tests.tui.moments import at_desk, filled, opened, played, press, seen_in


async def test_another_windows_entry_is_shown_within_a_second(
    demo_file: Path,
) -> None:
    async with opened(demo_file) as (app, pilot):
        before = await settled(pilot)
        other = OpenCampaign.open(demo_file)
        other.run_command("note", {"words": "from the other room", "side": None, "about": None})
        other.close()
        await until(pilot, lambda: app.session.seen is not before)
        assert app.session.seen is not None
        assert app.session.seen.mark.rows == before.mark.rows + 1


async def test_a_missing_file_is_reported_only_once(
    demo_file: Path,
) -> None:
    async with opened(demo_file, notifications=True) as (app, pilot):
        away = demo_file.rename(demo_file.with_suffix(".away"))
        for _ in range(3):
            await app.on_app_focus(events.AppFocus())
        await settled(pilot)
        assert screen_text(app).count("there is no such file") == 1
        away.rename(demo_file)


@pytest.mark.parametrize(("seat", "told"), [(Side.MARINE, False), (Side.JAPANESE, True)])
async def test_secret_entries_of_another_window_are_not_reported(
    demo_file: Path, seat: Side, told: bool
) -> None:
    session = Session(publish=lambda seen: None)
    await session.open(lambda: read_campaign(demo_file))
    await session.show_as_seat(seat)
    other = OpenCampaign.open(demo_file)
    other.run_command("note", {"words": "a plan", "side": "japanese", "about": None})
    other.close()
    assert await session.catch_up() is told
    session.end_session()


async def test_the_scenario_end_form_undoes_nothing_of_another_window(
    demo_file: Path,
) -> None:
    async with at_desk(played(demo_file, None)) as session:
        form = ScenarioEndForm(session, load_tick_sheet(seen_in(session)))
        typed = filled(form, moved="marine")
        other = OpenCampaign.open(demo_file)
        other.run_command(
            "edit", {"id": "m-sq-8", "set": {"name": "Hawkins"}, "reason": "forgotten"}
        )
        await session.catch_up()
        await form.submit(typed)
        assert seen_in(session).view.units["m-sq-8"].name == "Hawkins"
        assert seen_in(session).view.situation.moved_first is Side.MARINE
        with pytest.raises(RefusedError, match="has been ended by another window"):
            await form.submit(typed)


async def test_counters_added_in_two_windows_have_different_ids(new_file: Path) -> None:
    async with at_desk(new_file) as session, at_desk(new_file) as other:
        forms = [ReinforceForm(window, Side.MARINE) for window in (other, session)]
        for form in forms:
            typed = filled(form, sort="units", many="2") | {"units.type": "6-6-8"}
            await session.catch_up()
            await form.submit(typed)
        assert len(seen_in(session).view.units) == 4


async def test_an_import_changes_only_what_its_preview_showed(demo_file: Path) -> None:
    async with at_desk(played(demo_file, None)) as session:
        file = demo_file.with_name("end.json")
        end = await session.look_up(lambda desk: asked(desk, {}, moved="marine"))
        file.write_text(json.dumps(end["state"]), "utf-8")
        offered = await session.look_up(lambda desk: preview_import_file(desk.view(), file, None))
        form = ImportForm(session, file.name, offered)
        other = OpenCampaign.open(demo_file)
        other.run_command("note", {"words": "dig in", "side": None, "about": None})
        other.run_command(
            "edit", {"id": "m-sq-8", "set": {"name": "Hawkins"}, "reason": "forgotten"}
        )
        await session.catch_up()
        with pytest.raises(RefusedError, match="import the file again"):
            await form.submit(filled(form))
        assert seen_in(session).view.units["m-sq-8"].name == "Hawkins"
        other.undo_or_request()
        await session.catch_up()
        await form.submit(filled(form))
        assert seen_in(session).view.situation.moved_first is Side.MARINE


def two_sheets(path: Path) -> tuple[TickSheet, TickSheet]:
    """The sheets of two windows at the end of one scenario."""
    seen = look_from(OpenCampaign.open(path), None)
    return load_tick_sheet(seen), load_tick_sheet(seen)


def test_ticks_of_two_windows_are_joined_by_counter(demo_file: Path) -> None:
    one, other = two_sheets(played(demo_file, None))
    one.ticks["m-sq-8"] = {"broken": ""}
    one.save()
    other.ticks["m-sq-9"] = {"eliminated": ""}
    other.keep_typed_total("moved", "marine", "")
    both = {"m-sq-8": {"broken": ""}, "m-sq-9": {"eliminated": ""}}
    assert (other.ticks, other.others) == (both, {})
    assert one.merge_saved()
    assert (one.ticks, one.totals) == (both, {"moved": "marine"})
    del one.ticks["m-sq-9"]
    one.save()
    assert other.merge_saved()
    assert other.ticks == {"m-sq-8": {"broken": ""}}
    assert not other.merge_saved(), "nothing is new"


def _tick_each(sheet: TickSheet, ids: list[str]) -> None:
    for id in ids:
        sheet.ticks[id] = {"broken": ""}
        sheet.save()


@pytest.mark.posix  # forks
def test_simultaneous_ticks_of_two_windows_are_all_kept(demo_file: Path) -> None:
    one, other = two_sheets(played(demo_file, None))
    squads = [[f"m-sq-{number}" for number in range(at, at + 12)] for at in (1, 13)]
    fork = get_context("fork")
    windows = [
        fork.Process(target=_tick_each, args=each)
        for each in zip((one, other), squads, strict=True)
    ]
    for window in windows:
        window.start()
    for window in windows:
        window.join()
    one.merge_saved()
    assert {*one.ticks} == {*squads[0], *squads[1]}


def test_a_tick_removed_in_another_window_is_gone(demo_file: Path) -> None:
    one, other = two_sheets(played(demo_file, None))
    _tick_each(one, ["m-sq-8"])
    other.merge_saved()
    other.ticks.clear()
    other.save()
    one.keep_typed_total("moved", "marine", "")
    other.merge_saved()
    assert one.ticks == other.ticks == {}


@pytest.mark.parametrize("chooser", [0, 1])
def test_conflicting_ticks_are_both_kept_until_one_is_chosen(demo_file: Path, chooser: int) -> None:
    sheets = two_sheets(played(demo_file, None))
    one, other = sheets
    one.ticks["m-sq-8"] = {"broken": ""}
    one.save()
    other.ticks["m-sq-8"] = {"eliminated": ""}
    other.save()
    one.merge_saved()
    for sheet in sheets:
        found = [sheet.ticks["m-sq-8"], sheet.others["m-sq-8"]]
        assert {"broken": ""} in found
        assert {"eliminated": ""} in found
    sheets[chooser].resolve_tick_conflict("m-sq-8", {"broken": ""})
    sheets[1 - chooser].merge_saved()
    for sheet in sheets:
        assert (sheet.ticks, sheet.others) == ({"m-sq-8": {"broken": ""}}, {})


async def test_a_window_shows_another_windows_ticks_and_asks_which_is_right(
    demo_file: Path,
) -> None:
    async with opened(played(demo_file, None), None, "scenario_end", MIDDLE) as (app, pilot):
        await press(pilot, "comma", *"b1d", "enter")
        other = load_tick_sheet(seen_in(app.session))
        other.ticks["m-sq-8"] = {"eliminated": ""}
        other.ticks["m-sq-9"] = {"broken": ""}
        other.save()
        await shown(pilot, "2 of ")
        await press(pilot, "comma", *"w1b", "enter")
        other.ticks["m-ldr-5"] = {"eliminated": ""}
        app.screen.ticks["m-ldr-5"] = {"broken": ""}  # type: ignore[attr-defined]
        app.screen.sheet.save()  # type: ignore[attr-defined]
        other.save()
        await shown(pilot, "≠ eliminated or broken?")
        await pilot.press("enter")
        await shown(pilot, "Two windows ticked it differently")
        await pilot.press("1")
        await shown(pilot, "End of 21 AM: Ticks ✓")
        assert load_tick_sheet(seen_in(app.session)).ticks["m-ldr-5"] == {"eliminated": ""}


def test_ticks_of_removed_counters_are_reported(demo_file: Path) -> None:
    seen = look_from(OpenCampaign.open(played(demo_file, None)), None)
    sheet = load_tick_sheet(seen)
    sheet.ticks["m-nobody-1"] = {"broken": ""}
    sheet.save()
    again = load_tick_sheet(seen)
    assert (again.ticks, again.lost) == ({}, ("m-nobody-1",))
    again.merge_saved()
    assert again.ticks == {}, "they do not come back from the file"
