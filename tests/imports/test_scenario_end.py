"""The end of the demo's next scenario told in lines, as on the screen: forty changes, from the
first word to the entry, without a screen."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from brt_cg.commands.difference import import_difference
from brt_cg.imports.code_line import parse_code_line, tick_code_events
from brt_cg.imports.event_sheet import EventSheet
from brt_cg.imports.open_places import ENCIRCLED, NO, find_open_places
from brt_cg.imports.totals import default_totals, scenario_end_from_sheet
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Fate, Side, Unit, UnitKind, Vehicle
from brt_cg.model.records import Phase
from brt_cg.model.visibility import visible_campaign
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.imports.ends import asked, forty_lines, told
from tests.tui.moments import played

CROWE = "m-ldr-7"
HEXES = {"m-sq-17": "Q35", "m-sq-19": "Q36", "m-cr-1": "P14"}
WITH_HIS_GUN = {"j-cr-11": "D8"}  # the hex of a Gun says where its crew is


def test_the_lines_change_forty_counters(demo_file: Path) -> None:
    ticked = told_in_lines(told(OpenCampaign.open(played(demo_file, None))))
    assert len(ticked.ticks) == 40


def told_in_lines(ticked: EventSheet) -> EventSheet:
    """The same, with what the lines say."""
    for line in forty_lines(ticked):
        for said in parse_code_line(ticked, line):
            assert not said.wrong
            tick_code_events(ticked, said)
    return ticked


def enter(desk: OpenCampaign) -> Campaign:
    """Enters the end; the Marines won, and nobody is Encircled any more."""
    book, ticked = desk.view(), told_in_lines(told(desk))
    end = scenario_end_from_sheet(book, ticked, default_totals(ticked) | {"winner": "marine"})
    left = find_open_places(book, end.asked)
    desk.run_command(
        "import", left.complete_import_input(book.campaign, end.asked, {ENCIRCLED: NO})
    )
    return unrestricted_campaign(desk).campaign


@dataclass
class Ended:
    """The counters that were in play before, as they were and as they are."""

    pairs: list[tuple[Counter, Counter]]
    campaign: Campaign

    @property
    def units(self) -> dict[str, Unit]:
        return self.campaign.units


@pytest.fixture
def ended(demo_file: Path) -> Ended:
    desk = OpenCampaign.open(played(demo_file, None))
    before = unrestricted_campaign(desk).campaign.clone()
    after = enter(desk)
    known = ((before.find(one.id), one) for one in after.counters())
    return Ended([(was, now) for was, now in known if was is not None], after)


def test_only_counters_reported_lost_are_lost(ended: Ended) -> None:
    gone = [now for was, now in ended.pairs if was.in_play and now.fate is Fate.ELIMINATED]
    assert len([one for one in gone if not getattr(one, "vehicle", None)]) == 12
    assert ended.campaign.situation.phase is Phase.REFIT
    assert ended.campaign.situation.winner is None, "it is counted at 15.6032"


def test_squads_are_reduced_leaders_wounded_and_tanks_wrecks(ended: Ended) -> None:
    assert len([now for was, now in ended.pairs if now.in_play and is_reduced(was, now)]) == 7
    assert len([one for one in ended.units.values() if one.has_status("wounded")]) >= 3
    wrecks = {now.id for _, now in ended.pairs if isinstance(now, Vehicle) and now.wreck}
    assert {"m-tk-2", "j-tk-2"} <= wrecks


def test_a_captured_unit_is_guarded_by_its_captor(ended: Ended) -> None:
    guarded = {id for id, one in ended.units.items() if one.guard == CROWE}
    assert guarded == {"j-lab-2", "j-sq-22"}


def test_moved_units_are_in_their_hex_and_others_in_their_area(ended: Ended) -> None:
    hexes = HEXES | WITH_HIS_GUN
    assert {id: ended.units[id].location for id in hexes} == hexes
    placed = [
        now.id
        for was, now in ended.pairs
        if isinstance(now, Unit | Vehicle) and now.in_play
        if now.location not in (None, was.location) and now.id not in WITH_HIS_GUN
    ]
    assert {*placed} == HEXES.keys()


def test_a_captors_report_is_offered_only_known_enemies_as_prisoners(
    demo_file: Path,
) -> None:
    desk = OpenCampaign.open(played(demo_file, None))
    hidden = {
        unit.id for unit in unrestricted_campaign(desk).campaign.units.values() if unit.hidden
    }
    ticked = told(desk, seat=Side.MARINE)
    offered = {each.id for each in ticked.on_campaign_after().possible_captives("m-sq-15")}
    assert hidden
    assert {"j-sq-8", "j-lmg-1"} <= offered
    assert not offered & hidden
    ticked.tick(["j-sq-8", "j-lmg-1"], "captured", "m-sq-15")
    half = asked(desk, ticked.ticks, Side.MARINE, winner="marine")
    view = visible_campaign(unrestricted_campaign(desk).campaign, Side.MARINE)
    prisoner = view.units["j-sq-8"]
    lines = [str(line) for line in import_difference(view, half, unrestricted_campaign(desk).card)]
    assert any("only this report says so" in line and prisoner.label in line for line in lines)
    desk.run_command("import", half)
    prisoner, weapon = (
        unrestricted_campaign(desk).campaign.units["j-sq-8"],
        desk.view().campaign.weapons["j-lmg-1"],
    )
    assert (prisoner.prisoner, prisoner.guard) == (True, "m-sq-15")
    assert (weapon.side, weapon.possessor) == (Side.MARINE, "m-sq-15")


def test_recorded_captures_are_offered_first_for_undoing(
    demo_file: Path,
) -> None:
    ticked = told(OpenCampaign.open(played(demo_file, None)))
    ticked.tick(["j-sq-8"], "captured", "m-sq-15")
    first, *_ = ticked.on_campaign_after().possible_captives("m-sq-15")
    assert first.id == "j-sq-8"
    ticked.untick(["j-sq-8"], "captured")
    assert ticked.ticks == {}


def is_reduced(was: Counter, now: Counter) -> bool:
    """Whether a squad was turned over, or is a HS now."""
    if not isinstance(was, Unit) or not isinstance(now, Unit):
        return False
    return (was.kind, was.strength) != (now.kind, now.strength) and was.kind is UnitKind.SQUAD


def test_a_weapon_passed_on_is_with_its_new_possessor(
    demo_file: Path,
) -> None:
    desk = OpenCampaign.open(played(demo_file, None))
    view = desk.view().campaign
    mine = (each for each in view.weapons.values() if each.side is Side.MARINE and each.possessor)
    weapon = next(each for each in mine if not each.location or each.is_on_map_without_hex)
    first = view.units[str(weapon.possessor)]
    ticked = told(desk, {weapon.id: {"passed": "m-sq-9"}})
    end = scenario_end_from_sheet(
        desk.view(), ticked, default_totals(ticked) | {"winner": "marine"}
    )
    left = find_open_places(desk.view(), end.asked)
    at = next(each for each in left.open_lists if first in each.of.counters)
    settled = left.complete_import_input(view, end.asked, {at.field: f"N22 {first.id}"})
    rows = {row["id"]: row for row in settled["state"]["units"] + settled["state"]["weapons"]}
    assert rows[first.id]["location"] == "N22"
    assert rows[weapon.id].get("location") != "N22"


def test_a_pillbox_that_is_ticked_eliminated_counts_its_vp(demo_file: Path) -> None:
    desk = OpenCampaign.open(played(demo_file, None))
    ticked = told(desk)
    boxes = [each for each in ticked.view.fortifications.values() if each.is_pillbox]
    box = next(each for each in boxes if each.in_play and each.capacity and each.fell is None)
    assert default_totals(ticked)["pillboxes"] == "0"
    ticked.tick([box.id], "eliminated")
    assert default_totals(ticked)["pillboxes"] == str(box.capacity)
