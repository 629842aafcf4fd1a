"""15.608: what is Retained, by whom and where; hidden Fortifications; who Controls them."""

from typing import Any

import pytest

from brt_cg.model.counters import Fate, Side
from brt_cg.model.records import PointsKind, Purchase
from brt_cg.refit.s608_retained import (
    retain_units_and_equipment,
    reveal_fortifications_and_set_control,
)
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    crew,
    fort,
    gun,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_half_squad,
    marine_squad,
    play,
    sw,
    vehicle,
    vehicular,
)

AREAS = {"M1": "N20-N24 M20-M24", "M2": "P22", "J1": "N25-N45 M25-M45 L20-L45"}
OCEAN = "Q18"
NEAR_M2 = "Q21"
ISOLATED: dict[str, Any] = {"isolated": True, "recorded_location": "N23"}


def retain(*counters: Any, **rulings: str) -> Result:
    ruled = {key.replace("_", "-"): value for key, value in rulings.items()}
    return play(retain_units_and_equipment, campaign(*counters, areas=AREAS, rulings=ruled))


def where(result: Result, id: str) -> tuple[str | None, str | None, str | None]:
    """A counter's Location, Setup Area and recorded Location."""
    piece = result.piece(id)
    return piece.location, piece.setup_area, piece.recorded_location


# --- who leaves the map, and where to ---------------------------------------------------------


@pytest.mark.parametrize(
    ("counter", "area"),
    [
        (marine_squad("x", "N21"), "M1"),
        (japanese_squad("x", "N30"), "J1"),
        (japanese_squad("x", "N30:f1"), "J1"),
        (leader("x", "N21"), "M1"),
        (sw("x", "N21"), "M1"),
        (vehicle("x", "P22"), "M2"),
        (vehicle("x", "N30", "Type 95 HA-GO", JAPANESE), "J1"),
    ],
)
def test_units_equipment_and_mobile_vehicles_leave_the_map(counter: Any, area: str) -> None:
    result = retain(counter.clone())
    assert where(result, "x") == (None, area, None)
    assert result.piece("x").retained


def test_a_tank_hull_down_in_a_trench_leaves_too() -> None:
    result = retain(vehicle("t1", "N21", status="hull_down"))
    assert where(result, "t1") == (None, "M1", None)
    assert result.vehicle("t1").status == ()


def test_a_gun_keeps_its_recorded_location() -> None:
    result = retain(gun("g1", "N30", possessor="c1"), crew("c1", "N30", JAPANESE))
    assert where(result, "g1") == (None, "J1", "N30")


def test_a_gun_leaves_the_map_if_players_agree_guns_are_not_bound() -> None:
    guns = gun("g1", "N30"), gun("g2", "N30", status="hidden")
    result = retain(*guns, R_RECORDED="no-guns")
    assert where(result, "g1") == (None, "J1", None)
    assert where(result, "g2") == (None, "J1", "N30")


@pytest.mark.parametrize("status", ["immobilized", "bogged", "mired", "abandoned", "wreck"])
def test_an_immobile_vehicle_and_its_weapons_stay_in_its_location(status: str) -> None:
    tank = vehicle("t1", "N21", status=f"{status} hull_down")
    result = retain(tank, vehicular("ma", "N21", "t1"))
    assert where(result, "t1") == ("N21", "M1", "N21")
    assert where(result, "ma") == ("N21", "M1", None)
    assert result.vehicle("t1").has_status("hull_down")


def test_a_mobile_tank_takes_its_weapons_along() -> None:
    result = retain(vehicle("t1", "N21"), vehicular("ma", "N21", "t1"))
    assert where(result, "ma") == (None, "M1", None)


@pytest.mark.parametrize("status", ["stunned", "stun_plus1"])
def test_the_location_of_a_stunned_tank_is_recorded(status: str) -> None:
    assert where(retain(vehicle("t1", "N21", status=status)), "t1") == (None, "M1", "N21")


def test_the_location_of_a_captured_tank_is_recorded() -> None:
    captured = vehicle("t1", "N30", side=JAPANESE, nation=MARINE)
    assert where(retain(captured), "t1") == (None, "J1", "N30")


def test_a_japanese_left_hidden_is_bound_to_his_location() -> None:
    result = retain(japanese_squad("j1", "N30", status="hidden"))
    assert where(result, "j1") == (None, "J1", "N30")


def test_the_isolated_keep_their_location() -> None:
    result = retain(japanese_squad("j1", "N23", **ISOLATED))
    assert where(result, "j1") == ("N23", None, "N23")
    assert result.unit("j1").retained


def test_units_off_map_are_retained_off_map() -> None:
    off = marine_squad("m1", "off_map"), vehicle("t1", "off_map", status="immobilized")
    result = retain(*off, sw("w1", "off_map", possessor="m1"))
    assert {where(result, one) for one in ("m1", "t1", "w1")} == {("off_map", None, None)}
    assert result.unit("m1").retained


def test_counters_out_of_play_are_not_retained() -> None:
    assert where(retain(sw("w1", "N21", fate=Fate.ELIMINATED)), "w1") == ("N21", None, None)


def test_the_number_of_counters_per_area_is_logged_secretly_for_the_japanese() -> None:
    result = retain(marine_squad("m1", "N21"), sw("w1", "N21"), japanese_squad("j1", "N30"))
    assert result.said == ["Area M1: 2 counters are Retained", "Area J1: 1 counter is Retained"]
    assert result.secrets == [None, JAPANESE]


# --- captured and recovered -------------------------------------------------------------------


@pytest.mark.parametrize("location", ["N21", "N21:1"])
def test_an_unpossessed_enemy_weapon_is_captured(location: str) -> None:
    result = retain(sw("w1", location, "LMG", JAPANESE), gun("g1", location))
    assert {result.weapon(one).side for one in ("w1", "g1")} == {MARINE}
    assert result.weapon("w1").captured
    assert where(result, "g1") == (None, "M1", location)
    assert "LMG w1 (N21" in result.log
    assert "captured by the Marines" in result.log


def test_an_unpossessed_own_weapon_is_recovered() -> None:
    result = retain(sw("w1", "N21", side=JAPANESE, nation=MARINE))
    assert (result.weapon("w1").side, result.weapon("w1").captured) == (MARINE, False)
    assert "recovered by the Marines" in result.log


def test_a_possessed_weapon_is_not_captured() -> None:
    result = retain(
        japanese_squad("j1", "N23", **ISOLATED),
        sw("w1", "N23", "LMG", JAPANESE, possessor="j1", **ISOLATED),
    )
    assert result.weapon("w1").side is JAPANESE


def test_a_prisoners_equipment_is_captured_with_him() -> None:
    held = japanese_squad("j1", "N21", status="prisoner", guard="m1")
    result = retain(marine_squad("m1", "N21"), held, sw("w1", "N21", side=JAPANESE, possessor="j1"))
    assert where(result, "w1") == (None, "M1", None)
    assert (result.weapon("w1").side, result.weapon("w1").possessor) == (MARINE, None)


def test_isolated_units_take_unpossessed_equipment_in_their_location() -> None:
    result = retain(japanese_squad("j1", "N23", **ISOLATED), sw("w1", "N23", **ISOLATED))
    assert result.weapon("w1").side is JAPANESE
    assert where(result, "w1") == ("N23", None, "N23")


def test_an_empty_enemy_tank_is_captured_with_its_weapons() -> None:
    empty = vehicle("t1", "N30", status="abandoned", inherent_crew=False)
    result = retain(empty, vehicular("ma", "N30", "t1"))
    assert {result.piece(one).side for one in ("t1", "ma")} == {JAPANESE}
    assert where(result, "t1") == ("N30", "J1", "N30")


@pytest.mark.parametrize("status", ["wreck", "hidden abandoned"])
def test_a_wreck_or_hidden_vehicle_is_not_captured(status: str) -> None:
    tank = vehicle("t1", "N21", "Type 95 HA-GO", JAPANESE, status=status)
    assert retain(tank).vehicle("t1").side is JAPANESE


def test_equipment_in_a_hidden_pillbox_stays_hidden_once_retained() -> None:
    inside = sw("w1", "N30:F1", side=JAPANESE), fort("F1", "N30", hidden=True)
    assert retain(*inside).weapon("w1").has_status("hidden")


def test_a_hidden_tank_among_the_enemy_keeps_its_weapons() -> None:
    tank = vehicle("t1", "N21", "Type 95 HA-GO", JAPANESE, status="hidden", isolated=True)
    weapon = vehicular("ma", "N21", "t1", side=JAPANESE, isolated=True)
    assert retain(tank, weapon).weapon("ma").side is JAPANESE


def test_nothing_is_captured_in_an_uncontrolled_location() -> None:
    result = retain(sw("w1", "Q10", "LMG", JAPANESE), vehicle("t1", "Q10", status="wreck"))
    assert where(result, "w1") == ("Q10", None, None)
    assert where(result, "t1") == ("Q10", None, None)
    assert result.weapon("w1").side is JAPANESE


# --- prisoners and the unarmed ----------------------------------------------------------------


def test_a_prisoner_is_retained_with_his_guard() -> None:
    held = marine_half_squad("m1", "N30", status="prisoner", guard="j1")
    assert where(retain(held, japanese_squad("j1", "N30")), "m1") == (None, "J1", None)


def test_a_prisoner_of_an_isolated_guard_stays_with_him() -> None:
    held = marine_half_squad("m1", "N23", status="prisoner", guard="j1")
    assert where(retain(held, japanese_squad("j1", "N23", **ISOLATED)), "m1") == ("N23", None, None)


@pytest.mark.parametrize("status", ["unarmed", "prisoner"])
def test_an_unguarded_unarmed_unit_in_enemy_hands_is_left_to_15609(status: str) -> None:
    lost = japanese_half_squad("j1", "N21", status=status)
    assert where(retain(lost), "j1") == ("N21", None, None)


def test_an_unarmed_unit_among_friends_is_retained() -> None:
    result = retain(japanese_half_squad("j1", "N30", status="unarmed"))
    assert where(result, "j1") == (None, "J1", None)


# --- the Ocean --------------------------------------------------------------------------------


def afloat(**status: Any) -> tuple[Any, ...]:
    return (
        vehicle("l1", NEAR_M2, "LVT2", amphibious=True, armored=False, **status),
        vehicular("mg", NEAR_M2, "l1"),
        marine_squad("m1", NEAR_M2, aboard="l1"),
        sw("w1", NEAR_M2, possessor="m1"),
    )


def test_a_mobile_lvt_and_all_aboard_go_to_the_nearest_area_of_their_side() -> None:
    result = retain(*afloat())
    assert {where(result, one) for one in ("l1", "mg", "m1", "w1")} == {(None, "M2", None)}


def test_an_lvt_goes_to_the_first_of_equally_near_areas() -> None:
    far = play(
        retain_units_and_equipment,
        campaign(*afloat(), areas={"M2": "P22", "M1": "R22", "J1": "N25-N45"}),
    )
    assert where(far, "l1") == (None, "M1", None)


def test_a_mobile_lvt_stays_in_the_ocean_if_players_agree() -> None:
    result = retain(*afloat(), R_OCEAN_MOBILE="stay")
    assert {where(result, one) for one in ("l1", "mg", "m1", "w1")} == {(NEAR_M2, None, None)}


def test_an_immobile_lvt_stays_with_all_aboard() -> None:
    result = retain(*afloat(status="immobilized"))
    assert {where(result, one) for one in ("l1", "mg", "m1", "w1")} == {(NEAR_M2, None, None)}


def test_a_side_without_an_area_leaves_its_lvt_in_place() -> None:
    result = play(retain_units_and_equipment, campaign(*afloat(), areas={"J1": "N25"}))
    assert where(result, "l1") == (NEAR_M2, None, None)


def test_equipment_in_the_ocean_belongs_to_nobody() -> None:
    assert where(retain(sw("w1", OCEAN, "LMG", JAPANESE)), "w1") == (OCEAN, None, None)


# --- 15.6082 ----------------------------------------------------------------------------------


def fortify(*counters: Any) -> Result:
    return play(reveal_fortifications_and_set_control, campaign(*counters, areas=AREAS))


def fortification(result: Result, id: str) -> tuple[bool, Side | None]:
    """Whether it is hidden, and who Controls it."""
    found = result.campaign.fortifications[id]
    return found.hidden, found.controller


@pytest.mark.parametrize(
    ("location", "hidden", "controller"),
    [("N24", False, MARINE), ("N25", True, JAPANESE), ("Q18", True, JAPANESE)],
)
def test_a_hidden_fortification_in_enemy_hands_goes_on_map(
    location: str, hidden: bool, controller: Side
) -> None:
    result = fortify(fort("f1", location, "wire", hidden=True, unseen=True))
    assert fortification(result, "f1") == (hidden, controller)
    assert result.campaign.fortifications["f1"].unseen is hidden


@pytest.mark.parametrize(("location", "fallen"), [("N24", True), ("N25", False)])
def test_a_pillbox_falls_to_the_marines_alone(location: str, fallen: bool) -> None:
    result = fortify(fort("f1", location, "pillbox_1_3_5"))
    assert (result.campaign.fortifications["f1"].fell is not None) is fallen


@pytest.mark.parametrize("type_", ["tunnel", "passage"])
@pytest.mark.parametrize(
    ("entrance", "exit_", "hidden"),
    [
        ("N24", "N25", True),
        ("N25", "N24", True),
        ("N24", "N23", False),
        ("N24", None, True),
        ("N25", "N26", True),
    ],
)
def test_a_tunnel_or_passage_is_captured_only_if_both_ends_are(
    type_: str, entrance: str, exit_: str | None, hidden: bool
) -> None:
    result = fortify(fort("f1", entrance, type_, exit=exit_, hidden=True))
    assert result.campaign.fortifications["f1"].hidden is hidden


@pytest.mark.parametrize(
    ("location", "controller"), [("N24", MARINE), ("N25", JAPANESE), ("Q18", None)]
)
def test_a_fortification_on_map_is_controlled_by_the_areas_side(
    location: str, controller: Side | None
) -> None:
    assert fortification(fortify(fort("f1", location)), "f1") == (False, controller)


def test_control_of_a_fortification_changes() -> None:
    result = fortify(fort("f1", "N24", controller=JAPANESE))
    assert fortification(result, "f1") == (False, MARINE)
    assert result.said[-1] == "pillbox f1 (N24) is Marine-Controlled"


def test_isolated_units_control_fortifications_in_their_location() -> None:
    result = fortify(japanese_squad("j1", "N23", **ISOLATED), fort("f1", "N23", "trench"))
    assert fortification(result, "f1") == (False, JAPANESE)


def test_isolated_units_inside_a_pillbox_control_it() -> None:
    inside = japanese_squad("j1", "N23:f1", isolated=True, recorded_location="N23:f1")
    result = fortify(inside, fort("f1", "N23"), fort("f2", "N23", "trench"))
    assert fortification(result, "f1") == (False, JAPANESE)
    assert fortification(result, "f2") == (False, MARINE)


def besieged(ruling: str) -> tuple[Result, Result]:
    """15.6081 and 15.6082 with a garrison in f1 and one in f3, and enemies Isolated outside."""
    outside = {"isolated": True, "recorded_location": "N30"}
    garrison = japanese_squad("j1", "N30:f1"), sw("w1", "N30:f1", side=JAPANESE, possessor="j1")
    attackers = marine_squad("m1", "N30", **outside), fort("f1", "N30", controller=JAPANESE)
    others = japanese_squad("j2", "N23", **ISOLATED), marine_squad("m2", "N23:f3")
    forts = fort("f2", "N31"), fort("f3", "N23")
    ruled = {"R_MANNED_PILLBOX": ruling}
    made = retain(*garrison, *attackers, *others, *forts, marine_squad("m3", "N22"), **ruled)
    return made, play(reveal_fortifications_and_set_control, made.campaign)


def test_units_inside_a_pillbox_control_it_against_isolated_enemies_outside() -> None:
    made, result = besieged("inside")
    assert [fortification(result, id) for id in ("f1", "f3")] == [
        (False, JAPANESE),
        (False, MARINE),
    ]
    assert "f1 (N30): captured" not in result.log
    line = "pillbox f1 (N30) stays Japanese-Controlled (ruling R-MANNED-PILLBOX)"
    assert line in result.said
    assert [where(result, id) for id in ("j1", "w1")] == [(None, "J1", None)] * 2
    assert where(result, "m2") == (None, "M1", None)
    assert "Area J1: " not in made.log
    assert "4-4-7 squad j1 (N30, inside pillbox f1) is Retained in Area J1" in result.log


def test_units_isolated_in_its_hex_control_a_pillbox_if_so_ruled() -> None:
    _, result = besieged("hex")
    assert [fortification(result, id) for id in ("f1", "f3")] == [
        (False, MARINE),
        (False, JAPANESE),
    ]
    assert [line for line in result.said if "f1 (N30) " in line and "j1" not in line] == [
        "pillbox f1 (N30) is captured by the Marines, worth 1 VP for its capacity (15.615) "
        "(ruling R-MANNED-PILLBOX)",
        "pillbox f1 (N30) is Marine-Controlled (ruling R-MANNED-PILLBOX)",
    ]
    assert [where(result, id) for id in ("j1", "w1")] == [(None, "J1", None)] * 2


def test_units_in_its_hex_never_control_a_pillbox_with_isolated_units_inside() -> None:
    inside = japanese_squad("j1", "N23:f1", isolated=True, recorded_location="N23:f1")
    made = campaign(inside, fort("f1", "N23"), areas=AREAS, rulings={"R-MANNED-PILLBOX": "hex"})
    assert fortification(play(reveal_fortifications_and_set_control, made), "f1") == (
        False,
        JAPANESE,
    )


@pytest.mark.parametrize("ruling", ["stays", "revealed"])
def test_a_garrison_hidden_in_a_pillbox_that_the_marines_control_stays_or_is_revealed(
    ruling: str,
) -> None:
    outside = marine_squad("m1", "N30", isolated=True, recorded_location="N30")
    lurks = japanese_squad("j1", "N30:f1", status="hidden")
    mg = sw("w1", "N30:f1", side=JAPANESE, possessor="j1", status="hidden")
    ruled = {"R_MANNED_PILLBOX": "hex", "R_HIDDEN_GARRISON": ruling}
    box = fort("f1", "N30", controller=JAPANESE)
    result = play(
        reveal_fortifications_and_set_control, retain(outside, lurks, mg, box, **ruled).campaign
    )
    assert fortification(result, "f1") == (False, MARINE)
    stays = ruling == "stays"
    assert (result.unit("j1").hidden, result.weapon("w1").hidden) == (stays, stays)
    assert result.unit("j1").setup_area == "J1"
    assert result.unit("j1").recorded_location == ("N30:f1" if stays else None)
    told = [line for line, of in zip(result.said, result.secrets, strict=True) if of is None]
    assert any("(ruling R-HIDDEN-GARRISON)" in line for line in told) is not stays


def test_a_hidden_pillbox_is_not_reported_as_contested() -> None:
    outside = marine_squad("m1", "N30", isolated=True, recorded_location="N30")
    garrison = japanese_squad("j1", "N30:f1", status="hidden")
    result = fortify(outside, garrison, fort("f1", "N30", hidden=True))
    assert "R-MANNED-PILLBOX" not in result.log


def test_a_hidden_isolated_unit_stays_in_a_pillbox_with_friends_outside() -> None:
    hidden = {"status": "hidden", "isolated": True, "recorded_location": "N23:f1"}
    inside = japanese_squad("j1", "N23:f1", **hidden)
    made = retain(inside, japanese_squad("j2", "N23", **ISOLATED), fort("f1", "N23"))
    result = play(reveal_fortifications_and_set_control, made.campaign)
    assert where(result, "j1") == ("N23:f1", None, "N23:f1")


def test_a_hidden_pillbox_of_isolated_japanese_stays_hidden() -> None:
    inside = japanese_squad("j1", "N23:f1", isolated=True, recorded_location="N23:f1")
    result = fortify(inside, fort("f1", "N23", hidden=True))
    assert fortification(result, "f1") == (True, JAPANESE)


def test_a_fortification_not_set_up_yet_is_controlled_by_nobody() -> None:
    waiting = fort("f1", "N25", "foxhole_1s")
    waiting.location = None
    assert fortification(fortify(waiting), "f1") == (False, None)


def test_nothing_is_logged_without_fortifications() -> None:
    assert fortify().said == []


def test_weapons_of_a_captured_vehicle_belong_to_its_captors() -> None:
    tank = vehicle("v", "N21", side=MARINE, nation=JAPANESE)
    result = retain(tank, vehicular("w", "N21", "v", side=JAPANESE))
    assert result.weapon("w").captured
    assert "w (N21) is captured with its vehicle" in result.log


def test_weapons_of_a_captured_vehicle_have_a_log_line_of_their_own() -> None:
    lost = vehicle("v", "N30", status="abandoned"), vehicular("w", "N30", "v")
    kept = vehicle("u", "N21"), vehicular("x", "N21", "u")
    result = retain(*lost, *kept)
    assert result.weapon("w").side is JAPANESE
    assert "w (N30) is captured with its vehicle" in result.log
    assert "x (N21)" not in result.log


# --- leaving the map ----------------------------------------------------------------------------


def test_an_isolated_mobile_vehicle_leaves_its_trench_too() -> None:
    isolated = {"isolated": True, "recorded_location": "N30"}
    mobile = vehicle("v", "N30", status="hull_down", **isolated)
    stuck = vehicle("w", "N30", status="hull_down immobilized", **isolated)
    result = retain(mobile, stuck)
    assert (result.vehicle("v").status, result.vehicle("w").has_status("hull_down")) == ((), True)


def test_units_aboard_are_retained_separately() -> None:
    result = retain(vehicle("v", "N21"), marine_squad("m", "N21", aboard="v"))
    assert (result.unit("m").aboard, result.unit("m").setup_area) == (None, "M1")


# --- what was never set up --------------------------------------------------------------------


def test_counters_not_set_up_stay_in_their_area_with_their_equipment() -> None:
    result = retain(
        marine_squad("m1", None, setup_area="M2"),
        sw("w1", None, possessor="m1"),
        japanese_squad("j1", None, status="prisoner", guard="m1"),
    )
    assert {where(result, id)[1] for id in ("m1", "w1", "j1")} == {"M2"}
    assert "Area M2: 3 counters are Retained" in result.said


def test_a_prisoner_whose_guard_is_lost_stays_in_the_same_area() -> None:
    result = retain(marine_squad("m1", None, status="prisoner", setup_area="J1"))
    assert where(result, "m1") == (None, "J1", None)


def test_a_prisoner_on_map_goes_to_the_area_of_a_guard_not_set_up() -> None:
    prisoner = japanese_squad("j1", OCEAN, status="prisoner", guard="m1")
    result = retain(marine_squad("m1", None, setup_area="M2"), prisoner)
    assert where(result, "j1") == (None, "M2", None)


def test_a_weapon_in_the_ocean_goes_to_the_area_nearest_its_possessor_not_set_up() -> None:
    weapon = sw("w1", NEAR_M2, possessor="m1")
    result = retain(marine_squad("m1", None, setup_area="M1"), weapon)
    assert where(result, "w1") == (None, "M2", None)


def test_a_unit_in_no_area_goes_to_the_only_one_of_its_side() -> None:
    result = retain(japanese_squad("j1", None))
    assert where(result, "j1") == (None, "J1", None)


@pytest.mark.parametrize(("said", "area"), [(None, "M1"), ("M2", "M2")])
def test_a_side_chooses_among_several_areas_with_the_largest_as_default(
    said: str | None, area: str
) -> None:
    made = campaign(marine_squad("m1", None), areas=AREAS)
    assert len(made.areas["M1"].hexes) > len(made.areas["M2"].hexes)
    result = play(retain_units_and_equipment, made, choices={"m1": said} if said else {})
    assert where(result, "m1") == (None, area, None)
    assert [ask.subject for ask in result.asks] == ["m1"]


@pytest.mark.parametrize(("side", "area"), [(JAPANESE, "J1"), (MARINE, "M1")])
def test_only_purchases_are_in_the_area_of_their_points(side: Side, area: str) -> None:
    """A captured weapon never waits among those who bought it."""
    points = {"points": PointsKind.GPP, "item": "hmg", "quantity": 1, "unit_cost": 4, "total": 4}
    bought = Purchase(id="pj1", date="20 AM", side=JAPANESE, beach="red_two", **points)
    weapon = sw("w1", None, "HMG", side, nation=JAPANESE, purchase="pj1")
    areas = {"M1": "N20-N24", "M2": "P22", "J1": "R24-R30"}
    result = play(retain_units_and_equipment, campaign(weapon, bought, areas=areas))
    assert where(result, "w1") == (None, area, None)
