"""15.6132: repair of malfunctioned Weapons."""

from typing import Any

import pytest

from brt_cg.model.counters import Fate, Unit, UnitKind, Weapon
from brt_cg.questions.answers import Raw
from brt_cg.refit.s613_equipment import roll_for_weapon_repair
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    crew,
    gun,
    japanese_squad,
    leader,
    marine_squad,
    play,
    sw,
    unit,
    vehicle,
    vehicular,
)

AREAS = {"M1": "N20-N24 M20-M24", "M2": "P22", "J1": "N25-N45 M25-M45"}
BROKEN: dict[str, Any] = {"status": "malfunctioned"}
ISOLATED: dict[str, Any] = {"isolated": True, "recorded_location": "N23"}


def refit(*counters: Any, dr: Raw = None, **rulings: str) -> Result:
    ruled = {key.replace("_", "-"): value for key, value in rulings.items()}
    rolls = {} if dr is None else {"w1": [dr]}
    return play(roll_for_weapon_repair, campaign(*counters, areas=AREAS, rulings=ruled), rolls)


def marines(**values: Any) -> Unit:
    return marine_squad("m1", None, setup_area="M1", **values)


def japanese(**values: Any) -> Unit:
    return japanese_squad("j1", None, setup_area="J1", **values)


def mg(**values: Any) -> Weapon:
    return sw("w1", None, **{"setup_area": "M1", **BROKEN, **values})


def lmg(**values: Any) -> Weapon:
    return sw("w1", None, "LMG", JAPANESE, **{"setup_area": "J1", **BROKEN, **values})


# --- the table --------------------------------------------------------------------------------


@pytest.mark.parametrize(("dr", "repaired"), [(1, True), (2, False), (6, False)])
def test_a_japanese_lmg_is_repaired_or_eliminated(dr: int, repaired: bool) -> None:
    result = refit(japanese(), lmg(), dr=dr)
    assert result.modifiers("w1") == {}
    assert result.weapon("w1").in_play is repaired
    assert result.weapon("w1").status == (() if repaired else ("malfunctioned",))


@pytest.mark.parametrize(("dr", "repaired"), [(2, True), (3, False)])
def test_a_marine_mg_subtracts_one(dr: int, repaired: bool) -> None:
    result = refit(marines(), mg(), dr=dr)
    assert result.modifiers("w1") == {"U.S.": -1}
    assert result.weapon("w1").functioning is repaired


@pytest.mark.parametrize(
    ("values", "modifiers"),
    [
        ({"repair_number": 1}, {"Repair Number": -1}),
        ({"repair_number": 3}, {"Repair Number": -3}),
        ({"non_qualified_use_only": True}, {"only Non-Qualified Use possible": 1}),
    ],
)
def test_each_drm_of_repair(values: dict[str, Any], modifiers: dict[str, int]) -> None:
    assert refit(japanese(), lmg(**values), dr=1).modifiers("w1") == modifiers


def test_an_isolated_weapon_adds_one() -> None:
    cut_off = japanese_squad("j1", "N23", **ISOLATED)
    weapon = sw("w1", "N23", "LMG", JAPANESE, **BROKEN, **ISOLATED)
    result = refit(cut_off, weapon, dr=1)
    assert result.modifiers("w1") == {"Isolated": 1}
    assert result.weapon("w1").fate is Fate.ELIMINATED


def test_all_drm_of_repair_add_up() -> None:
    tank = vehicle("t1", "N30", isolated=True, recorded_location="N30")
    weapon = vehicular(
        "w1", "N30", "t1", repair_number=2, non_qualified_use_only=True, isolated=True, **BROKEN
    )
    result = refit(tank, weapon, dr=4)
    assert result.modifiers("w1") == {
        "Repair Number": -2,
        "vehicular": -2,
        "U.S.": -1,
        "only Non-Qualified Use possible": 1,
        "Isolated": 1,
    }
    assert result.weapon("w1").functioning


def test_a_gun_in_its_recorded_location_is_repaired_by_the_area() -> None:
    weapon = gun("w1", None, setup_area="J1", recorded_location="N40", **BROKEN)
    assert refit(japanese(), its_crew(), weapon, dr=1).weapon("w1").functioning


def its_crew(**values: Any) -> Unit:
    return crew("c1", None, JAPANESE, **{"setup_area": "J1", **values})


@pytest.mark.parametrize(
    ("there", "non_qualified"),
    [
        ([], True),
        ([its_crew()], False),
        ([its_crew(setup_area="J2")], True),
        ([its_crew(status="unarmed")], True),
        ([unit("vc", None, JAPANESE, UnitKind.VEHICLE_CREW, "1-2-7", setup_area="J1")], True),
    ],
)
def test_without_a_crew_in_its_area_only_non_qualified_use_of_a_gun_is_possible(
    there: list[Any], non_qualified: bool
) -> None:
    at = gun("w1", None, "37L AT", setup_area="J1", repair_number=1, **BROKEN)
    result = refit(japanese(), *there, at, dr=2)
    assert result.weapon("w1").functioning is not non_qualified
    assert ("use:w1" in result.subjects) is non_qualified


def test_a_side_may_declare_a_qualified_gun_crew() -> None:
    at = gun("w1", None, "37L AT", setup_area="J1", repair_number=1, **BROKEN)
    made = campaign(japanese(), at, areas=AREAS)
    result = play(roll_for_weapon_repair, made, {"w1": [2]}, {"use:w1": False})
    assert result.weapon("w1").functioning
    assert result.ask("use:w1").optional


def test_any_personnel_may_use_a_support_weapon() -> None:
    assert "use:w1" not in refit(japanese(), lmg(), dr=1).subjects


def test_a_gun_marked_non_qualified_is_not_asked_about() -> None:
    flagged = gun("w1", None, setup_area="J1", non_qualified_use_only=True, **BROKEN)
    result = refit(japanese(), its_crew(), flagged, dr=1)
    assert "only Non-Qualified Use possible" in result.modifiers("w1")
    assert "use:w1" not in result.subjects


def test_an_eliminated_gun_scores_nothing() -> None:
    weapon = gun("w1", None, setup_area="J1", recorded_location="N40", **BROKEN)
    result = refit(japanese(), weapon, dr=2)
    assert result.weapon("w1").fate is Fate.ELIMINATED
    assert result.cvp(MARINE) == 0
    assert "eliminated" in result.log


def test_the_possessor_loses_an_eliminated_weapon() -> None:
    result = refit(japanese(), lmg(possessor="j1"), dr=2)
    assert result.weapon("w1").possessor is None


# --- vehicular --------------------------------------------------------------------------------


def on_a_tank(**values: Any) -> tuple[Any, ...]:
    """A tank alone in its area, with a malfunctioned MA."""
    return (
        vehicle("t1", None, setup_area="M1", **values),
        vehicular("w1", None, "t1", setup_area="M1", main_armament=True, **BROKEN),
    )


@pytest.mark.parametrize(("dr", "status"), [(4, ()), (5, ("disabled",))])
def test_a_vehicular_weapon_is_repaired_by_its_crew_or_disabled(
    dr: int, status: tuple[str, ...]
) -> None:
    result = refit(*on_a_tank(), dr=dr)
    assert result.modifiers("w1") == {"vehicular": -2, "U.S.": -1}
    assert result.weapon("w1").status == status
    assert result.weapon("w1").in_play


@pytest.mark.parametrize("values", [{"status": "abandoned", "inherent_crew": False}])
def test_nobody_repairs_a_vehicular_weapon_without_an_inherent_crew(values: dict[str, Any]) -> None:
    assert refit(marines(), *on_a_tank(**values)).asks == []


def test_a_tank_in_the_ocean_is_in_no_area() -> None:
    tank = vehicle("t1", "Q18", status="mired")
    assert refit(tank, vehicular("w1", "Q18", "t1", **BROKEN)).asks == []


# --- which ones -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "exempt",
    [
        mg(status=""),
        mg(status="malfunctioned disabled"),
        mg(nation=JAPANESE),
        mg(setup_area="M2"),
        mg(fate=Fate.ELIMINATED),
        sw("w1", "off_map", **BROKEN),
    ],
)
def test_some_weapons_do_not_roll_for_repair(exempt: Weapon) -> None:
    assert refit(marines(), exempt.clone()).asks == []


@pytest.mark.parametrize(
    "only",
    [
        marine_squad("m1", None, setup_area="M1", status="prisoner"),
        japanese_squad("m1", None, setup_area="M1", status="prisoner"),
        marine_squad("m1", None, setup_area="M2"),
        vehicle("m1", None, setup_area="M1"),
    ],
)
def test_an_area_without_personnel_repairs_nothing(only: Any) -> None:
    assert refit(only.clone(), mg()).asks == []


def test_repair_needs_any_personnel_and_no_possessor() -> None:
    result = refit(leader("l1", None, setup_area="M1"), mg(), dr=2)
    assert result.weapon("w1").functioning


def test_personnel_of_the_area_do_not_repair_isolated_weapons() -> None:
    weapon = sw("w1", "N23", "LMG", JAPANESE, **BROKEN, **ISOLATED)
    assert refit(japanese(), weapon).asks == []


def test_isolated_weapons_roll_only_if_an_isolated_location_is_an_area() -> None:
    cut_off = japanese_squad("j1", "N23", **ISOLATED)
    weapon = sw("w1", "N23", "LMG", JAPANESE, **BROKEN, **ISOLATED)
    assert refit(cut_off, weapon, R_ISOLATED_AREA="no").asks == []


def test_marines_roll_first() -> None:
    mine = sw("w2", None, setup_area="M1", repair_number=3, **BROKEN)
    made = campaign(marines(), japanese(), lmg(repair_number=1), mine, areas=AREAS)
    assert play(roll_for_weapon_repair, made, {"w1": [1], "w2": [1]}).subjects == ["w2", "w1"]


# --- not known --------------------------------------------------------------------------------


def test_an_unknown_repair_number_is_asked_once_per_type() -> None:
    other = sw("w2", None, "LMG", JAPANESE, setup_area="J1", **BROKEN)
    made = campaign(japanese(), lmg(), other, areas=AREAS)
    result = play(roll_for_weapon_repair, made, {"w1": [6], "w2": [2]}, {"w1": 1})
    assert [ask.kind for ask in result.asks] == ["entry", "roll", "roll"]
    assert result.modifiers("w2") == {"Repair Number": -1}
    assert result.weapon("w2").functioning


def test_an_unknown_repair_number_counts_as_0_with_a_warning() -> None:
    result = play(roll_for_weapon_repair, campaign(japanese(), lmg(), areas=AREAS), {"w1": [1]})
    assert "warning: Repair Number is not known for LMG w1 (Area J1) and counts as 0" in result.log
    assert result.weapon("w1").repair_number is None


def test_a_question_about_a_type_that_only_hidden_counters_have_is_secret() -> None:
    gun_ = gun("w1", None, "Own Gun", JAPANESE, setup_area="J1", status="hidden malfunctioned")
    shown = gun("w2", None, "Own Gun", JAPANESE, setup_area="J1")
    made = campaign(japanese(), gun_, shown, areas=AREAS)
    result = play(roll_for_weapon_repair, made, {"w1": [6]}, {"w1": 3})
    assert [ask.secret for ask in result.asks] == [JAPANESE] * 3
    assert result.weapon("w2").repair_number is None  # the enemy would see that it became known
