"""Guards who are lost after 15.609, and what the last of the Isolated leaves behind."""

from typing import Any

import pytest

from brt_cg.model.counters import Fate
from brt_cg.refit.play import Paragraph
from brt_cg.refit.s611_promotion import harden_mmc_by_heroes, roll_for_wounded_leaders
from brt_cg.refit.s613_equipment import ask_abandoned_and_scrounged, roll_for_captured_equipment
from brt_cg.refit.s6131_vehicles import remedy_or_recall_vehicles
from brt_cg.refit.s6139_removal import attempt_removals
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    crew,
    fort,
    gun,
    hero,
    japanese_squad,
    leader,
    marine_squad,
    play,
    sw,
    vehicle,
)

AREAS = {"M1": "N18-N21", "J1": "M19 M20", "M2": "L20", "J2": "K20"}
ISOLATED: dict[str, Any] = {"isolated": True, "recorded_location": "K20"}


def captive(id: str, guard: str, **values: Any) -> Any:
    return marine_squad(id, None, setup_area="J1", status="prisoner", guard=guard, **values)


def leader_dies(*others: Any, **values: Any) -> Result:
    """A wounded Japanese leader in J1 dies at 15.6112."""
    dying = leader("j-ldr", None, "9-0", JAPANESE, setup_area="J1", status="wounded")
    table = campaign(dying, *others, areas=values.pop("areas", AREAS))
    return play(roll_for_wounded_leaders, table, {"j-ldr": [6]}, **values)


def test_the_prisoner_of_a_dead_leader_goes_to_the_first_of_his_friends_in_the_area() -> None:
    friends = [japanese_squad(id, None, setup_area="J1") for id in ("j2", "j1")]
    elsewhere = japanese_squad("j0", None, setup_area="J2")
    unarmed = japanese_squad("j-1", None, setup_area="J1", status="unarmed")
    result = leader_dies(captive("m1", "j-ldr"), *friends, elsewhere, unarmed)
    assert result.unit("m1").guard == "j1"
    assert "now guarded by 4-4-7 squad j1" in result.log


def test_an_unguarded_prisoner_is_rearmed_and_retained_by_his_side() -> None:
    result = leader_dies(captive("m1", "j-ldr"), areas={"M1": "N18-N21", "J1": "N22 M20"})
    for id in ("m1", "m1.2"):
        one = result.unit(id)
        assert (one.type, one.status, one.guard) == ("2-4-8", (), None)
        assert (one.setup_area, one.location) == ("M1", None)
    assert "nobody else there can guard it" in result.log


def test_a_side_chooses_among_equally_near_areas_for_a_rearmed_prisoner() -> None:
    result = leader_dies(captive("m1", "j-ldr"), choices={"m1": "M2", "m1.2": "M1"})
    assert (result.unit("m1").setup_area, result.unit("m1.2").setup_area) == ("M2", "M1")


def test_a_leader_who_lives_keeps_his_prisoners() -> None:
    dying = leader("j-ldr", None, "9-0", JAPANESE, setup_area="J1", status="wounded")
    friend = japanese_squad("j1", None, setup_area="J1")
    table = campaign(dying, friend, captive("m1", "j-ldr"), areas=AREAS)
    assert play(roll_for_wounded_leaders, table, {"j-ldr": [1]}).unit("m1").guard == "j-ldr"


def test_the_prisoner_of_a_hero_who_hardens_goes_to_a_friend() -> None:
    table = campaign(
        hero("j-hero", None, JAPANESE, setup_area="J1"),
        japanese_squad("j1", None, setup_area="J1"),
        captive("m1", "j-hero"),
        areas=AREAS,
    )
    result = play(harden_mmc_by_heroes, table)
    assert result.unit("j-hero").fate is Fate.ELIMINATED
    assert result.unit("m1").guard == "j1"


def test_a_guard_who_re_mans_a_vehicle_hands_his_prisoner_over() -> None:
    table = campaign(
        vehicle("t1", "M20", "Type 95 HA-GO", JAPANESE, setup_area="J1", status="abandoned"),
        crew("j-crew", None, JAPANESE, setup_area="J1"),
        japanese_squad("j1", None, setup_area="J1"),
        captive("m1", "j-crew"),
        areas=AREAS,
    )
    result = play(remedy_or_recall_vehicles, table, choices={"t1": {"crew": "j-crew"}})
    assert result.unit("m1").guard == "j1"


REMOVED = {"do": "removed", "counter": "j-crew", "set": {"fate": "eliminated"}}


@pytest.mark.parametrize(
    ("paragraph", "rolls", "answer"),
    [
        (attempt_removals, {"f1": [6]}, {"f1": {"helpers": []}}),
        (ask_abandoned_and_scrounged, {}, [REMOVED]),
    ],
)
def test_a_guard_lost_at_156139_or_removed_by_the_players_hands_him_over(
    paragraph: Paragraph, rolls: Any, answer: Any
) -> None:
    table = campaign(
        crew("j-crew", None, JAPANESE, setup_area="J1"),
        leader("j-ldr", None, "9-0", JAPANESE, setup_area="J1"),
        captive("m1", "j-crew"),
        fort("f1", "M20", "wire", controller=JAPANESE),
        areas=AREAS,
    )
    result = play(paragraph, table, rolls, {"japanese": answer})
    assert result.unit("j-crew").fate is Fate.ELIMINATED
    assert result.unit("m1").guard == "j-ldr"


# --- the last of the Isolated -------------------------------------------------------------------


def isolated_leader_dies(*others: Any) -> Result:
    dying = leader("m-ldr", "K20", "8-0", MARINE, status="wounded", **ISOLATED)
    return play(roll_for_wounded_leaders, campaign(dying, *others, areas=AREAS), {"m-ldr": [6]})


def test_equipment_of_the_last_isolated_unit_goes_to_the_location_controller() -> None:
    result = isolated_leader_dies(
        gun("g1", "K20", "37mm", MARINE, possessor="m-ldr", **ISOLATED),
        sw("w1", "K20", "MMG", MARINE, **ISOLATED),
        fort("f1", "K20", "foxhole_1s", controller=MARINE),
    )
    for id in ("g1", "w1"):
        piece = result.piece(id)
        assert (piece.side, piece.setup_area, piece.isolated) == (JAPANESE, "J2", False)
    assert result.piece("g1").recorded_location == "K20"
    assert result.campaign.fortifications["f1"].controller is JAPANESE


def test_the_prisoner_of_the_last_isolated_unit_is_freed() -> None:
    prisoner = japanese_squad("j1", "K20", status="prisoner", guard="m-ldr")
    elsewhere = marine_squad("m1", "L40", isolated=True, recorded_location="L40")
    result = isolated_leader_dies(prisoner, elsewhere)
    one = result.unit("j1")
    assert (one.type, one.setup_area, one.location) == ("3-3-6", "J2", None)


def test_nothing_changes_while_another_unit_is_isolated_there() -> None:
    friend = marine_squad("m1", "K20", **ISOLATED)
    result = isolated_leader_dies(friend, sw("w1", "K20", "MMG", MARINE, **ISOLATED))
    assert (result.piece("w1").side, result.piece("w1").isolated) == (MARINE, True)


def test_a_hidden_isolated_unit_keeps_only_hidden_equipment() -> None:
    """Or the enemy would know of him, by what stays."""
    friend = marine_squad("m1", "K20", status="hidden", **ISOLATED)
    known, hidden = sw("w1", "K20", "MMG", MARINE), sw("w2", "K20", "MMG", MARINE, status="hidden")
    for weapon in (known, hidden):
        weapon.isolated, weapon.recorded_location = True, "K20"
    result = isolated_leader_dies(friend, known, hidden)
    assert (result.piece("w1").side, result.piece("w1").isolated) == (JAPANESE, False)
    assert [result.piece(id).isolated for id in ("m1", "w2")] == [True, True]


def test_a_tank_whose_crew_is_eliminated_is_itself_left_behind() -> None:
    tank = vehicle("t1", "K20", status="stunned immobilized", **ISOLATED)
    table = campaign(tank, areas=AREAS)
    result = play(remedy_or_recall_vehicles, table, {"t1": [2, 6]})
    left = result.vehicle("t1")
    assert (left.side, left.setup_area, left.isolated) == (JAPANESE, "J2", False)


def lying() -> Any:
    return sw("w1", "K20", "MMG", MARINE, **ISOLATED)


def test_an_isolated_unit_removed_by_the_players_leaves_its_equipment() -> None:
    last = marine_squad("m1", "K20", **ISOLATED)
    gone = {"do": "removed", "counter": "m1", "set": {"fate": "eliminated"}}
    table = campaign(last, lying(), areas=AREAS)
    result = play(ask_abandoned_and_scrounged, table, choices={"marine": [gone]})
    assert (result.piece("w1").side, result.piece("w1").setup_area) == (JAPANESE, "J2")


def test_a_recalled_lone_tank_leaves_unpossessed_equipment() -> None:
    table = campaign(vehicle("t1", "K20", **ISOLATED), lying(), areas=AREAS)
    result = play(remedy_or_recall_vehicles, table, choices={"t1": {"recall": True}})
    assert result.vehicle("t1").location == "off_map"
    assert (result.piece("w1").side, result.piece("w1").setup_area) == (JAPANESE, "J2")


def test_the_crew_of_a_captured_tank_alone_that_becomes_a_wreck_stays_with_it() -> None:
    tank = vehicle("t1", "K20", "Type 95 HA-GO", MARINE, nation=JAPANESE, **ISOLATED)
    table = campaign(tank, lying(), areas=AREAS)
    result = play(roll_for_captured_equipment, table, choices={"t1": "wreck"})
    assert result.vehicle("t1").wreck
    assert (result.unit("t1-crew").isolated, result.unit("t1-crew").location) == (True, "K20")
    assert (result.piece("w1").side, result.piece("w1").isolated) == (MARINE, True)
