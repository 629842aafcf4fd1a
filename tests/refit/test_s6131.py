"""15.6131: abandoned, immobilized and stunned vehicles, and AFV Recall."""

from typing import Any

import pytest

from brt_cg.model.counters import Fate, UnitKind, Vehicle
from brt_cg.questions.answers import Raw, RefusedError
from brt_cg.questions.question_types import ChoiceQuestion
from brt_cg.refit.s6131_vehicles import remedy_or_recall_vehicles
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    crew,
    japanese_squad,
    leader,
    marine_half_squad,
    marine_squad,
    play,
    sw,
    unit,
    vehicle,
    vehicular,
)

# N24 and N25 are Front Line Locations, M20 and N30 are not; Q18 is Ocean.
AREAS = {"M1": "N20-N24 M20-M24", "M2": "P22", "J1": "N25-N45 M25-M45"}
ABANDONED: dict[str, Any] = {"status": "abandoned", "inherent_crew": False}


def tank(location: str = "N21", area: str | None = "M1", **values: Any) -> Vehicle:
    """A Retained M4A2 that stands in its recorded Location."""
    return vehicle("t1", location, setup_area=area, recorded_location=location, **values)


def mobile(**values: Any) -> Vehicle:
    """A Retained M4A2 that has left the map; N21 is recorded."""
    return vehicle("t1", None, setup_area="M1", recorded_location="N21", **values)


def isolated(**values: Any) -> Vehicle:
    return tank("N30", None, isolated=True, **values)


def ha_go(location: str = "N30", **values: Any) -> Vehicle:
    return vehicle(
        "t1",
        location,
        "Type 95 HA-GO",
        JAPANESE,
        setup_area="J1",
        recorded_location=location,
        **values,
    )


def refit(
    *counters: Any, dr: Raw = None, choose: Raw = None, rulings: Any = None, **choices: Raw
) -> Result:
    rolls = {} if dr is None else {"t1": dr if isinstance(dr, list) else [dr]}
    answers = {key.replace("_", ":"): one for key, one in choices.items()}
    if choose is not None:
        answers["t1"] = choose
    return play(
        remedy_or_recall_vehicles, campaign(*counters, areas=AREAS, rulings=rulings), rolls, answers
    )


# --- a) abandoned -----------------------------------------------------------------------------


def vehicle_crew(id: str = "c1", **values: Any) -> Any:
    return unit(id, None, MARINE, UnitKind.VEHICLE_CREW, "1-2-6", setup_area="M1", **values)


def test_an_abandoned_tank_stays_abandoned_by_default() -> None:
    result = refit(tank(**ABANDONED), vehicle_crew())
    assert not result.vehicle("t1").manned
    assert result.unit("c1").in_play


def test_a_vehicle_crew_re_mans_it() -> None:
    result = refit(tank(**ABANDONED), vehicle_crew(), choose={"crew": "c1"})
    assert result.vehicle("t1").manned
    assert result.vehicle("t1").status == ()
    assert (result.unit("c1").fate, result.unit("c1").became) == (Fate.CREWED, "t1")
    assert result.unit("c1").setup_area is None
    assert "M4A2 t1 (N21) is re-manned by 1-2-6 vehicle crew c1" in result.said


def test_a_re_manned_tank_may_set_up_anywhere_in_its_area() -> None:
    result = refit(
        tank(**ABANDONED),
        vehicular("ma", "N21", "t1", setup_area="M1"),
        vehicle_crew(),
        choose={"crew": "c1"},
    )
    found = result.vehicle("t1")
    assert (found.location, found.setup_area, found.recorded_location) == (None, "M1", None)
    assert result.weapon("ma").location is None


def test_equipment_of_a_tanks_new_crew_is_unpossessed() -> None:
    weapon = sw("w1", None, setup_area="M1", possessor="c1")
    result = refit(tank(**ABANDONED), vehicle_crew(), weapon, choose={"crew": "c1"})
    assert result.weapon("w1").possessor is None


def test_any_crew_hs_or_squad_may_re_man_a_tank_but_no_lone_smc() -> None:
    there = [
        marine_squad("squad", None, setup_area="M1"),
        marine_half_squad("hs", None, setup_area="M1"),
        crew("crew", None, setup_area="M1"),
        leader("ldr", None, setup_area="M1"),
    ]
    elsewhere = [
        marine_squad("m2", None, setup_area="M2"),
        marine_squad("off", "off_map"),
        marine_squad("cut-off", "N30", isolated=True, recorded_location="N30"),
        marine_squad("held", None, setup_area="M1", status="prisoner"),
        marine_squad("bare", None, setup_area="M1", status="unarmed"),
    ]
    ask = refit(tank(**ABANDONED), *there, *elsewhere).ask("t1")
    assert ask.allowed == [
        {"crew": "crew"},
        {"crew": "hs"},
        {"crew": "squad"},
        None,
    ]


def test_one_hs_of_a_squad_crews_a_tank_and_the_other_keeps_the_equipment() -> None:
    squad = marine_squad("m1", None, setup_area="M1")
    weapon = sw("w1", None, setup_area="M1", possessor="m1")
    held = unit(
        "j1", None, JAPANESE, UnitKind.SQUAD, "4-4-7", class_="first_line", status="prisoner"
    )
    held.guard, held.setup_area = "m1", "M1"
    result = refit(tank(**ABANDONED), squad, weapon, held, choose={"crew": "m1"})
    assert (result.unit("m1").kind, result.unit("m1").type) == ("half_squad", "3-4-8")
    assert result.unit("m1").in_play
    crew_of = result.unit("m1.2")
    assert (crew_of.kind, crew_of.fate, crew_of.became) == ("half_squad", "crewed", "t1")
    assert result.weapon("w1").possessor == result.unit("j1").guard == "m1"


def test_the_hs_that_crews_a_tank_leaves_its_vehicle_and_the_other_stays_aboard() -> None:
    squad = marine_squad("m1", None, setup_area="M1", aboard="t2")
    other = vehicle("t2", None, "LVT2", setup_area="M1")
    result = refit(tank(**ABANDONED), other, squad, choose={"crew": "m1"})
    crew_of = result.unit("m1.2")
    assert (crew_of.aboard, crew_of.guard, crew_of.name) == (None, None, None)
    assert result.unit("m1").aboard == "t2"


@pytest.mark.parametrize(
    ("kind", "type_", "mobile"),
    [
        (UnitKind.VEHICLE_CREW, "1-2-6", True),
        (UnitKind.HALF_SQUAD, "3-4-8", False),
        (UnitKind.CREW, "2-2-8", False),
    ],
)
def test_a_tank_without_a_vehicle_crew_has_non_qualified_use_only(
    kind: UnitKind, type_: str, mobile: bool
) -> None:
    """15.6131b: then a dr of 1 does not make it mobile."""
    there = unit("c1", None, MARINE, kind, type_, setup_area="M1")
    left = tank(status="abandoned immobilized", inherent_crew=False)
    result = refit(left, there, choose={"crew": "c1"}, dr=1)
    assert result.vehicle("t1").has_status("immobilized") is not mobile
    assert ("use:t1" in result.subjects) is not mobile


@pytest.mark.parametrize("ruling", ["one", "two"])
def test_a_reduced_squad_deploys_into_just_one_hs(ruling: str) -> None:
    """G1.16: by R-DEPLOY-CREW nothing is left of it."""
    squad = japanese_squad("j1", None, strength="reduced", setup_area="J1")
    rulings = {"R-DEPLOY-CREW": ruling}
    result = refit(ha_go(**ABANDONED), squad, rulings=rulings, choose={"crew": "j1"})
    assert result.vehicle("t1").inherent_crew
    crew = result.unit("j1" if ruling == "one" else "j1.2")
    assert (crew.kind, crew.type, crew.fate) == ("half_squad", "2-3-7", "crewed")
    assert ("j1.2" in result.campaign.units) is (ruling == "two")


def test_a_unit_in_another_place_cannot_re_man_a_tank() -> None:
    with pytest.raises(RefusedError, match="not allowed here"):
        refit(tank(**ABANDONED), vehicle_crew(), choose={"crew": "m9"})


def test_a_crew_mans_one_tank_only() -> None:
    second = vehicle("t2", "N22", setup_area="M1", recorded_location="N22", **ABANDONED)
    result = refit(tank(**ABANDONED), second, vehicle_crew(), choose={"crew": "c1"})
    assert result.subjects == ["t1"]


@pytest.mark.parametrize("status", ["wreck", "burnt_out wreck"])
def test_a_wreck_is_not_re_manned(status: str) -> None:
    assert refit(tank(status=status, inherent_crew=False), vehicle_crew()).asks == []


def test_re_manning_is_not_asked_without_personnel() -> None:
    assert refit(tank(**ABANDONED)).asks == []


def test_isolated_units_re_man_the_tank_in_their_location() -> None:
    beside = marine_squad("m1", "N30", isolated=True, recorded_location="N30")
    result = refit(isolated(**ABANDONED), beside, choose={"crew": "m1"})
    found = result.vehicle("t1")
    assert found.manned
    assert (found.location, found.recorded_location) == ("N30", "N30")


def test_isolated_units_re_man_no_tank_if_their_location_is_not_an_area() -> None:
    beside = marine_squad("m1", "N30", isolated=True, recorded_location="N30")
    rulings = {"R-ISOLATED-AREA": "no"}
    assert refit(isolated(**ABANDONED), beside, rulings=rulings).asks == []


def test_a_captured_tank_re_manned_keeps_its_record_until_15_6134() -> None:
    captured = tank("N30", "J1", side=JAPANESE, nation=MARINE, **ABANDONED)
    hs = unit("c1", None, JAPANESE, UnitKind.HALF_SQUAD, "2-3-7", setup_area="J1")
    result = refit(captured, hs, choose={"crew": "c1"})
    found = result.vehicle("t1")
    assert (found.location, found.recorded_location) == (None, "N30")


def test_a_re_manned_immobilized_tank_rolls_for_immobilization() -> None:
    broken = tank(status="abandoned immobilized", inherent_crew=False)
    result = refit(broken, vehicle_crew(), dr=2, choose={"crew": "c1"})
    assert result.vehicle("t1").status == ("immobilized",)
    assert result.vehicle("t1").location == "N21"


def test_a_hidden_tank_made_mobile_stays_bound_to_its_location() -> None:
    result = refit(ha_go(status="hidden immobilized", armor_leader="10-2"), dr=1)
    found = result.vehicle("t1")
    assert (found.status, found.location, found.recorded_location) == (("hidden",), None, "N30")


def test_a_hidden_crew_makes_re_manning_a_secret() -> None:
    hidden = unit("c1", None, JAPANESE, UnitKind.CREW, "2-2-8", setup_area="J1", status=("hidden",))
    assert refit(ha_go(**ABANDONED), hidden).ask("t1").secret is JAPANESE


# --- b) immobilization ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dr", "status"), [(1, ()), (2, ("immobilized",)), (3, ("immobilized",)), (6, ("immobilized",))]
)
def test_an_immobilized_tank_rolls(dr: int, status: tuple[str, ...]) -> None:
    result = refit(tank("M20", status="immobilized"), dr=dr)
    assert result.vehicle("t1").status == status
    assert result.modifiers("t1") == {}


def test_a_tank_made_mobile_may_set_up_outside_its_recorded_location() -> None:
    ma = vehicular("ma", "M20", "t1", setup_area="M1")
    result = refit(tank("M20", status="immobilized"), ma, dr=1)
    found = result.vehicle("t1")
    assert (found.location, found.setup_area, found.recorded_location) == (None, "M1", None)
    assert result.weapon("ma").location is None
    assert "M4A2 t1 (M20): Immobilization repair dr 1: mobile" in result.said


def test_a_tank_is_bound_while_it_remains_immobile() -> None:
    for status, dr in (("immobilized", 3), ("immobilized bogged", 1)):
        found = refit(tank("M20", status=status), dr=dr).vehicle("t1")
        assert (found.location, found.recorded_location) == ("M20", "M20")


@pytest.mark.parametrize(
    ("values", "modifiers"),
    [
        ({"armor_leader": "9-1"}, {"armor leader": -1}),
        ({"armor_leader": "10-2"}, {"armor leader": -2}),
        ({"armor_leader": "6+1"}, {"armor leader": 1}),
        ({"non_qualified_use_only": True}, {"only Non-Qualified Use possible": 1}),
        ({"location": "N24"}, {"in a Front Line Location (R-FLL)": 1}),
        ({"location": "N23"}, {}),
    ],
)
def test_each_drm_of_immobilization(values: dict[str, Any], modifiers: dict[str, int]) -> None:
    result = refit(tank(**{"location": "M20", "status": "immobilized", **values}), dr=2)
    assert result.modifiers("t1") == modifiers


def test_a_japanese_tank_adds_one() -> None:
    assert refit(ha_go(status="immobilized"), dr=2).modifiers("t1") == {"Japanese": 1}


def test_an_isolated_tank_adds_one_and_is_in_no_front_line() -> None:
    on_the_line = tank("N25", None, isolated=True, status="immobilized")
    assert refit(on_the_line, dr=2).modifiers("t1") == {"Isolated": 1}


def test_all_drm_of_immobilization_add_up() -> None:
    worst = ha_go("N25", status="immobilized", armor_leader="8-1", non_qualified_use_only=True)
    result = refit(worst, dr=1)
    assert sum(result.modifiers("t1").values()) == -1 + 1 + 1 + 1
    assert len(result.modifiers("t1")) == 4
    assert result.vehicle("t1").has_status("immobilized")


@pytest.mark.parametrize(
    "exempt",
    [
        tank(status="immobilized", side=JAPANESE, nation=MARINE, area="J1", location="N30"),
        tank(status="immobilized abandoned", inherent_crew=False),
        tank("Q18", None, status="immobilized"),
        tank("Q18", None, status="immobilized", isolated=True),
        tank(status="immobilized wreck"),
        tank(status="bogged"),
        vehicle("t1", "off_map", status="immobilized"),
    ],
)
def test_some_vehicles_do_not_roll_for_immobilization(exempt: Vehicle) -> None:
    result = refit(exempt.clone())
    assert [one for one in result.asks if one.kind == "roll"] == []
    assert result.vehicle("t1").status == exempt.status


# --- R-IMMOBILE-4 -----------------------------------------------------------------------------


def test_players_decide_on_a_four_and_the_tank_remains_by_default() -> None:
    result = refit(tank("M20", status="immobilized"), dr=4)
    ask = result.ask("immobile:t1")
    assert isinstance(ask, ChoiceQuestion)
    assert (ask.allowed, ask.default) == (["remains", "eliminated"], "remains")
    assert result.vehicle("t1").has_status("immobilized")
    assert "ruling R-IMMOBILE-4" in result.log


def test_a_tank_eliminated_for_immobilization_scores_nothing() -> None:
    ma = vehicular("ma", "M20", "t1", setup_area="M1")
    result = refit(tank("M20", status="immobilized"), ma, dr=4, immobile_t1="eliminated")
    assert result.vehicle("t1").fate is Fate.ELIMINATED
    assert result.weapon("ma").fate is Fate.ELIMINATED
    assert result.cvp(JAPANESE) == 0
    assert result.subjects == ["t1", "immobile:t1"]


@pytest.mark.parametrize(
    ("ruling", "fate"), [("remains", Fate.IN_PLAY), ("eliminated", Fate.ELIMINATED)]
)
def test_an_earlier_ruling_decides_on_a_four(ruling: str, fate: Fate) -> None:
    result = refit(tank("M20", status="immobilized"), dr=4, rulings={"R-IMMOBILE-4": ruling})
    assert result.vehicle("t1").fate is fate
    assert "immobile:t1" not in result.subjects


# --- c) stun ----------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["stunned", "stun_plus1"])
@pytest.mark.parametrize(("dr", "stunned"), [(1, False), (2, False), (3, True), (6, True)])
def test_a_stunned_tank_rolls(status: str, dr: int, stunned: bool) -> None:
    found = refit(mobile(status=status), dr=dr).vehicle("t1")
    assert found.status == ((status,) if stunned else ())
    assert (found.location, found.setup_area, found.recorded_location) == (None, "M1", None)
    assert found.manned


@pytest.mark.parametrize(("dr", "result"), [(2, "unstunned"), (3, "still stunned")])
def test_the_log_says_that_a_stun_result_follows_the_erratum(dr: int, result: str) -> None:
    assert f"{result} (official erratum)" in refit(mobile(status="stunned"), dr=dr).log


def test_a_stunned_japanese_tank_on_a_six_loses_its_crew() -> None:
    result = refit(ha_go(status="stunned bogged"), dr=6)
    assert result.modifiers("t1") == {"Japanese": 1}
    assert result.vehicle("t1").status == ("abandoned", "bogged")
    assert result.cvp(MARINE) == 2


def test_a_stunned_japanese_tank_on_a_five_keeps_its_crew() -> None:
    assert refit(ha_go(status="stunned bogged"), dr=5).vehicle("t1").manned


def test_a_tank_that_loses_its_crew_is_abandoned_in_its_recorded_location() -> None:
    ma = vehicular("ma", None, "t1", side=JAPANESE, setup_area="J1")
    away = ha_go(status="stunned")
    away.location = None
    result = refit(away, ma, dr=6)
    found = result.vehicle("t1")
    assert (found.location, found.setup_area, found.recorded_location) == ("N30", "J1", "N30")
    assert result.weapon("ma").location == "N30"
    assert not found.manned


def test_an_isolated_stunned_tank_adds_one() -> None:
    result = refit(isolated(status="stunned", armor_leader="8-1"), dr=6)
    assert result.modifiers("t1") == {"Isolated": 1}
    found = result.vehicle("t1")
    assert (found.manned, found.armor_leader, found.location) == (False, None, "N30")
    assert result.cvp(JAPANESE) == 2


@pytest.mark.parametrize(("dr", "stunned"), [(3, False), (4, True)])
def test_a_stunned_tank_off_map_subtracts_one(dr: int, stunned: bool) -> None:
    result = refit(vehicle("t1", "off_map", status="stunned"), dr=dr)
    assert result.modifiers("t1") == {"Retained off map": -1}
    assert result.vehicle("t1").has_status("stunned") is stunned
    assert result.vehicle("t1").off_map


def test_an_isolated_japanese_stunned_tank_adds_two() -> None:
    both = vehicle(
        "t1",
        "N23",
        "Type 95 HA-GO",
        JAPANESE,
        isolated=True,
        recorded_location="N23",
        status="stunned",
    )
    result = refit(both, dr=5)
    assert result.modifiers("t1") == {"Japanese": 1, "Isolated": 1}
    assert not result.vehicle("t1").manned


def test_a_captured_tank_recovers_from_stun_too() -> None:
    captured = mobile(status="stunned", side=JAPANESE, nation=MARINE)
    captured.setup_area = "J1"
    assert refit(captured, dr=1).vehicle("t1").status == ()


def test_one_list_of_dice_is_used_for_b_and_then_for_c() -> None:
    result = refit(tank("M20", status="immobilized stunned"), dr=[1, 2])
    assert result.vehicle("t1").status == ()
    assert [(one.rule, one.subject) for one in result.asks if one.kind == "roll"] == [
        ("15.6131", "t1"),
        ("15.6131", "t1"),
    ]
    assert result.vehicle("t1").location is None


def test_a_tank_eliminated_in_b_does_not_roll_in_c() -> None:
    result = refit(
        tank("M20", status="immobilized stunned"), dr=4, rulings={"R-IMMOBILE-4": "eliminated"}
    )
    assert result.subjects == ["t1"]


def test_a_stunned_tank_in_the_ocean_is_in_no_area() -> None:
    assert refit(tank("Q18", None, status="stunned immobilized")).asks == []


# --- d) Recall --------------------------------------------------------------------------------


def test_an_afv_is_not_recalled_unless_the_players_say_so() -> None:
    result = refit(mobile())
    assert result.subjects == ["t1"]
    assert result.ask("t1").allowed == [{"recall": True}, None]
    assert result.vehicle("t1").status == ()


def test_a_recalled_afv_leaves_the_map_for_good() -> None:
    ma = vehicular("ma", None, "t1", setup_area="M1")
    result = refit(mobile(), ma, choose={"recall": True})
    found = result.vehicle("t1")
    assert found.status == ("recalled",)
    assert (found.location, found.setup_area, found.recorded_location) == ("off_map", None, None)
    assert result.weapon("ma").off_map
    assert found.in_play
    assert result.cvp(JAPANESE) == 0
    assert "M4A2 t1 (Area M1) is Recalled and leaves the map (ruling R-RECALL)" in result.said


@pytest.mark.parametrize(
    "no_afv",
    [mobile(armored=False), tank(**ABANDONED), vehicle("t1", "off_map"), tank(status="wreck")],
)
def test_some_vehicles_are_not_asked_about_recall(no_afv: Vehicle) -> None:
    assert refit(no_afv.clone()).asks == []


def test_a_tank_whose_crew_has_just_died_is_not_recalled() -> None:
    assert refit(ha_go(status="stunned"), dr=6).subjects == ["t1"]


def test_a_tank_that_was_just_re_manned_is_not_recalled() -> None:
    result = refit(tank(**ABANDONED), vehicle_crew(), choose={"crew": "c1"})
    assert [one.kind for one in result.asks] == ["choice"]


# --- order ------------------------------------------------------------------------------------


def test_marines_first_by_hex_then_by_id() -> None:
    result = refit(
        vehicle("j1", None, "Type 95 HA-GO", JAPANESE, setup_area="J1"),
        vehicle("m3", None, setup_area="M1"),
        vehicle("m2", None, setup_area="M1"),
        vehicle("m1", "N23", setup_area="M1", recorded_location="N23", status="bogged"),
    )
    assert result.subjects == ["m1", "m2", "m3", "j1"]


def test_nothing_is_logged_without_vehicles() -> None:
    result = refit(marine_squad("m1", None, setup_area="M1"))
    assert (result.asks, result.said) == ([], [])
