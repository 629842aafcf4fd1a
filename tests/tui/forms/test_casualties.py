"""What the forms of the screen ask and show about CVP before anything is stored."""

from pathlib import Path
from typing import Any

import pytest

from brt_cg.commands.state_document import build_state_document
from brt_cg.imports.preview import preview_import_file
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.forms.edit import EditForm
from brt_cg.tui.forms.import_file import ImportForm
from brt_cg.tui.session.session import Session
from tests.cli.shell import written
from tests.imports.ways import a_unit, report_of
from tests.tui.moments import at_desk, filled, played, seen_in


def known(path: Path) -> Campaign:
    return unrestricted_campaign(OpenCampaign.open_read_only(path)).campaign


def armed_squad(campaign: Campaign) -> tuple[str, str]:
    """A Marine squad that possesses a weapon, and the weapon."""
    return next(
        (weapon.possessor, weapon.id)
        for weapon in campaign.weapons.values()
        if weapon.possessor in campaign.units
        and campaign.units[weapon.possessor].side is Side.MARINE
        and campaign.units[weapon.possessor].in_play
        and weapon.in_play
    )


async def form_of(session: Session, path: Path, side: Side | None = None) -> ImportForm:
    offer = await session.perform(lambda desk: preview_import_file(desk.view(), path, side))
    return ImportForm(session, path.name, offer)


async def test_a_file_whose_cvp_differ_from_its_losses_asks_which_count(demo_file: Path) -> None:
    path = played(demo_file, None)
    campaign = known(path)
    was, lost = campaign.cvp(Side.MARINE), a_unit(campaign, Side.JAPANESE)
    state = build_state_document(campaign)
    for row in state["units"]:
        row["fate"] = "eliminated" if row["id"] == lost else row["fate"]
    for row in state["weapons"]:
        row["possessor"] = None if row["possessor"] == lost else row["possessor"]
    state["sides"]["marine"]["cvp"] = was
    file = written(path.with_name("end.json"), state)
    async with at_desk(path) as session:
        form = await form_of(session, file)
        typed = filled(form)
        with pytest.raises(RefusedError, match="CVP do not match its losses"):
            await form.submit(typed)
        assert seen_in(session).view.cvp(Side.MARINE) == was
        _, page = form.pages(typed)
        assert page.words == f"Marine CVP: the file says {was}, but its losses are worth {was + 2}."
        await form.submit(typed | {"totals": "counted"})
        assert seen_in(session).view.cvp(Side.MARINE) == was + 2


async def test_a_second_report_shows_how_it_differs_from_the_first(demo_file: Path) -> None:
    path = played(demo_file, None)
    lost = a_unit(known(path), Side.MARINE)
    desk = OpenCampaign.open(path, backs_up=False)
    report_of(Side.MARINE, {lost: {"eliminated": ""}})(desk)
    state: dict[str, Any] = build_state_document(
        desk.view().for_scenario_end_report(Side.MARINE).campaign
    )
    desk.close()
    state["sides"]["japanese"]["cvp"] = None
    file = written(path.with_name("end.json"), state)
    async with at_desk(path, Side.MARINE) as session:
        offer = (await form_of(session, file, Side.MARINE)).offer
    first, *others = offer.replaced
    assert first == "This replaces the Marine report entered before:"
    label = known(path).units[lost].label
    assert any(label in line and "eliminated" in line for line in others), others


async def test_a_correction_shows_its_consequences_and_returns_equipment(demo_file: Path) -> None:
    path = played(demo_file, None)
    squad, weapon = armed_squad(known(path))
    async with at_desk(path) as session:
        view = seen_in(session).view
        form = EditForm(session, view, view.units[squad], "the squad", "fate")
        typed = filled(form, fate="eliminated", reason="a slip")
        shown = (await form.validate(typed, 0)).verdict.plain
        assert "Japanese CVP" in shown
        assert "possessed by" in shown
        await form.submit(typed)
        assert seen_in(session).view.weapons[weapon].possessor is None

        view = seen_in(session).view
        form = EditForm(session, view, view.units[squad], "the squad", "fate")
        typed = filled(form, fate="in_play", reason="he lived")
        await form.validate(typed, 0)
        _, page = form.pages(typed)
        assert view.weapons[weapon].label in page.words
        await form.submit(typed | {"also": "yes"})
        assert seen_in(session).view.weapons[weapon].possessor == squad
