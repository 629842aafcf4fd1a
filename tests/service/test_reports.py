"""Each side's own report of a scenario's end: in either order, replaced, undone, contradicted."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.commands.state_document import build_state_document
from brt_cg.exports.history import list_scenarios
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.records import SIDES
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.dice import SeededDice
from brt_cg.service.agreements import agree_and_carry_out_request
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.restored import corrections_restoring_links
from tests.imports.ways import a_gun, a_unit, captures_gun, report_of, state_of
from tests.tui.moments import played

MARINE, JAPANESE = Seat.MARINE, Seat.JAPANESE
Work = Callable[[OpenCampaign], object]


@pytest.fixture
def desk(demo_file: Path) -> Iterator[OpenCampaign]:
    """The demo while its next scenario is played."""
    made = OpenCampaign.open(played(demo_file, None), backs_up=False)
    yield made
    made.close()
    assert audit_campaign(demo_file).ok


def campaign(desk: OpenCampaign) -> Campaign:
    return unrestricted_campaign(desk).campaign


def cvp(desk: OpenCampaign) -> tuple[int, ...]:
    return tuple(campaign(desk).cvp(side) for side in SIDES)


def enters(desk: OpenCampaign, seat: Seat, work: Work) -> None:
    desk.set_seat(seat)
    work(desk)


def both(desk: OpenCampaign) -> tuple[Work, Work]:
    """A Marine report that loses one squad, and a Japanese one that loses two."""
    lost = [a_unit(campaign(desk), side, at) for side, at in zip(Side, (0, 0), strict=True)]
    lost.append(a_unit(campaign(desk), Side.JAPANESE, 1))
    marine = {id: {"eliminated": ""} for id in lost if id.startswith("m-")}
    japanese = {id: {"eliminated": ""} for id in lost if id.startswith("j-")}
    return report_of(Side.MARINE, marine), report_of(Side.JAPANESE, japanese)


def test_a_player_can_undo_his_report_below_the_opponents(desk: OpenCampaign) -> None:
    marine, japanese = both(desk)
    begun = cvp(desk)
    enters(desk, MARINE, marine)
    enters(desk, JAPANESE, japanese)
    assert cvp(desk) == (begun[0] + 4, begun[1] + 2)
    desk.set_seat(MARINE)
    desk.undo_or_request()
    assert cvp(desk) == (begun[0] + 4, begun[1])
    assert desk.view().half is Side.MARINE
    desk.redo()
    assert cvp(desk) == (begun[0] + 4, begun[1] + 2)


def test_a_second_report_replaces_the_first_and_undo_restores_it(desk: OpenCampaign) -> None:
    marine, japanese = both(desk)
    begun = cvp(desk)
    enters(desk, MARINE, marine)
    first = state_of(campaign(desk))
    other = a_unit(campaign(desk), Side.MARINE, 1)
    enters(desk, MARINE, report_of(Side.MARINE, {other: {"reduced": ""}}))
    assert cvp(desk) == (begun[0], begun[1] + 1)
    desk.undo_or_request()
    assert state_of(campaign(desk)) == first
    enters(desk, JAPANESE, japanese)
    enters(desk, MARINE, report_of(Side.MARINE, {}))
    assert cvp(desk) == (begun[0] + 4, begun[1])


def test_a_corrected_report_has_the_same_result_as_a_correct_one(desk: OpenCampaign) -> None:
    marine, japanese = both(desk)
    enters(desk, JAPANESE, japanese)
    enters(desk, MARINE, marine)
    due = state_of(campaign(desk))
    enters(
        desk, MARINE, report_of(Side.MARINE, {a_unit(campaign(desk), Side.MARINE): {"broken": ""}})
    )
    assert state_of(campaign(desk)) != due
    enters(desk, JAPANESE, japanese)
    desk.set_seat(MARINE)
    desk.undo_or_request()
    assert state_of(campaign(desk)) == due


def test_a_squad_reported_lost_by_mistake_is_corrected_two_dates_later(desk: OpenCampaign) -> None:
    lost = a_unit(campaign(desk), Side.JAPANESE)
    armed = next((gun.id for gun in campaign(desk).weapons.values() if gun.possessor == lost), None)
    enters(desk, MARINE, report_of(Side.MARINE, {}))
    enters(desk, JAPANESE, report_of(Side.JAPANESE, {lost: {"eliminated": ""}}))
    desk.set_seat(None)
    date = campaign(desk).situation.date
    for _ in range(2):
        plays_the_phase(desk)
        report_of(None, {})(desk)
    plays_the_phase(desk)
    before, points = state_of(campaign(desk)), cvp(desk)
    asked = {"id": lost, "set": {"fate": "in_play", "location": "off_map"}, "reason": "it routed"}
    also = corrections_restoring_links(desk.view(), asked)
    desk.run_command("edit", asked | ({"also": also} if also else {}))
    assert cvp(desk) == (points[0] - 2, points[1])
    assert armed is None or campaign(desk).weapons[armed].possessor == lost
    scores = {each["date"]: each for each in list_scenarios(desk.view().rows)}
    assert scores[date]["marine_scored"] == 0
    desk.undo_or_request()
    assert state_of(campaign(desk)) == before


def plays_the_phase(desk: OpenCampaign) -> None:
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(1), defaults=True)):
        pass


def test_a_report_names_its_date_and_is_refused_for_another(desk: OpenCampaign) -> None:
    marine, _ = both(desk)
    enters(desk, MARINE, marine)
    asked = unrestricted_campaign(desk).entries[-1].asked
    desk.undo_or_request()
    scenario = asked["state"]["scenario"] | {"date": "20 PM"}
    late = asked | {"state": asked["state"] | {"scenario": scenario}}
    with pytest.raises(RefusedError, match="the date of the scenario just played"):
        desk.run_command("import", late)


def test_two_reports_that_contradict_each_other_about_a_gun_become_a_question(
    desk: OpenCampaign,
) -> None:
    gun, captor = a_gun(campaign(desk)), a_unit(campaign(desk), Side.MARINE)
    begun = cvp(desk)
    enters(desk, JAPANESE, report_of(Side.JAPANESE, {gun: {"eliminated": ""}}))
    lost = cvp(desk)
    assert lost[0] > begun[0]
    enters(desk, MARINE, captures_gun(gun, captor))
    (request,) = desk.view().requests
    assert "contradicts the Japanese report about" in request.words
    assert not campaign(desk).weapons[gun].in_play
    desk.set_seat(JAPANESE)
    agree_and_carry_out_request(desk)
    assert campaign(desk).weapons[gun].side is Side.MARINE
    assert cvp(desk) == lost, "a captured Gun scores what a lost one does"


def test_an_owner_reports_which_of_his_guns_was_captured(desk: OpenCampaign) -> None:
    gun, captor = a_gun(campaign(desk)), a_unit(campaign(desk), Side.MARINE)
    begun = cvp(desk)
    enters(desk, JAPANESE, report_of(Side.JAPANESE, {gun: {"captured": captor}}))
    enters(desk, MARINE, report_of(Side.MARINE, {}))
    weapon = campaign(desk).weapons[gun]
    assert (weapon.side, weapon.possessor) == (Side.MARINE, captor)
    assert cvp(desk) == (begun[0] + 2, begun[1])


def test_an_owner_reporting_his_captured_gun_as_lost_asks_his_opponent(
    desk: OpenCampaign,
) -> None:
    gun, captor = a_gun(campaign(desk)), a_unit(campaign(desk), Side.MARINE)
    enters(desk, MARINE, captures_gun(gun, captor))
    desk.set_seat(JAPANESE)
    state = build_state_document(
        desk.view().for_scenario_end_report(Side.JAPANESE).campaign, Side.JAPANESE
    )
    (row,) = [row for row in state["weapons"] if row["id"] == gun]
    row |= {"side": "japanese", "fate": "eliminated", "possessor": None}
    for totals in state["sides"].values():
        totals |= {"cvp": None, "cvp_before": None}
    desk.run_command("import", {"state": state, "missing": None, "side": "japanese"})
    (request,) = desk.view().requests
    assert "contradicts the Marine report about" in request.words
    assert campaign(desk).weapons[gun].side is Side.MARINE


def test_the_refit_phase_begins_without_a_report_only_if_both_agree(desk: OpenCampaign) -> None:
    enters(desk, MARINE, report_of(Side.MARINE, {}))
    with pytest.raises(
        RefusedError, match="the Japanese report of the end of the 21 AM scenario is missing"
    ):
        desk.play_to_question()
    desk.run_command("waive", {"side": "japanese"})
    (request,) = desk.view().requests
    assert request.words == "begin the Refit Phase without the Japanese report"
    with pytest.raises(RefusedError, match="is missing"):
        desk.play_to_question()
    desk.set_seat(JAPANESE)
    agree_and_carry_out_request(desk)
    desk.play_to_question()
    assert campaign(desk).situation.paragraph is not None
