"""A window in the background keeps up with what another one enters."""

import json
from pathlib import Path

import pytest
from textual import events

from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.tui.forms.import_file import ImportForm, offer
from brt_cg.tui.rooms.campaign.reinforce_form import ReinforceForm
from brt_cg.tui.rooms.scenario_end.tick_sheet import sheet_for
from brt_cg.tui.rooms.scenario_end.ticks import NONE_BEFORE, first_totals, scenario_state
from brt_cg.tui.rooms.scenario_end.totals_form import TotalsForm
from brt_cg.tui.session.session import Session, open_file
from tests.tui.helpers import screen_text, settled, until
from tests.tui.moments import at_desk, filled, opened, played, seen_in


async def test_the_screen_shows_within_a_second_what_another_window_entered(
    demo_file: Path,
) -> None:
    async with opened(demo_file) as (app, pilot):
        before = await settled(pilot)
        other = Desk.open(demo_file)
        other.command("note", {"words": "from the other room", "side": None, "about": None})
        other.close()
        await until(pilot, lambda: app.session.seen is not before)
        assert app.session.seen is not None
        assert app.session.seen.entries == before.entries + 1


async def test_that_the_file_is_gone_is_said_once_however_often_it_is_looked_for(
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
async def test_a_side_is_not_told_that_another_window_did_something_in_secret(
    demo_file: Path, seat: Side, told: bool
) -> None:
    session = Session(publish=lambda seen: None)
    await session.open(lambda: open_file(demo_file))
    await session.sit(seat)
    other = Desk.open(demo_file)
    other.command("note", {"words": "a plan", "side": "japanese", "about": None})
    other.close()
    assert await session.catch_up() is told
    session.end()


async def test_the_form_for_a_scenarios_end_takes_back_nothing_of_another_window(
    demo_file: Path,
) -> None:
    async with at_desk(played(demo_file, None)) as session:
        form = TotalsForm(session, sheet_for(seen_in(session)), NONE_BEFORE)
        typed = filled(form, winner="marine")
        other = Desk.open(demo_file)
        other.command("edit", {"id": "m-sq-8", "set": {"name": "Hawkins"}, "reason": "forgotten"})
        await session.catch_up()
        await form.carry_out(typed)
        assert seen_in(session).view.units["m-sq-8"].name == "Hawkins"
        assert seen_in(session).view.situation.winner is Side.MARINE
        with pytest.raises(Refused, match="has been ended by another window"):
            await form.carry_out(typed)


async def test_counters_that_two_windows_add_have_ids_of_their_own(new_file: Path) -> None:
    async with at_desk(new_file) as session, at_desk(new_file) as other:
        forms = [ReinforceForm(window, Side.MARINE) for window in (other, session)]
        for form in forms:
            typed = filled(form, sort="units", many="2") | {"units.type": "6-6-8"}
            await session.catch_up()
            await form.carry_out(typed)
        assert len(seen_in(session).view.units) == 4


async def test_a_file_changes_nothing_that_its_preview_did_not_show(demo_file: Path) -> None:
    async with at_desk(played(demo_file, None)) as session:
        seen = seen_in(session)
        totals = first_totals(seen.view, {}, seen.card) | {"winner": "marine"}
        file = demo_file.with_name("end.json")
        file.write_text(json.dumps(scenario_state(seen.view, {}, totals, seen.card)), "utf-8")
        form = ImportForm(session, file.name, await session.consult(lambda d: offer(d, file, None)))
        other = Desk.open(demo_file)
        other.command("note", {"words": "dig in", "side": None, "about": None})
        other.command("edit", {"id": "m-sq-8", "set": {"name": "Hawkins"}, "reason": "forgotten"})
        await session.catch_up()
        with pytest.raises(Refused, match="import the file again"):
            await form.carry_out(filled(form))
        assert seen_in(session).view.units["m-sq-8"].name == "Hawkins"
        other.undo()
        await session.catch_up()
        await form.carry_out(filled(form))
        assert seen_in(session).view.situation.winner is Side.MARINE
