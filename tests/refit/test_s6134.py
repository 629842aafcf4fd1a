"""15.6134: captured Weapons and vehicles."""

from typing import Any

import pytest

from brt_cg.model.counters import Fate, Vehicle, Weapon
from brt_cg.questions.answers import Raw
from brt_cg.questions.question_types import ChoiceQuestion
from brt_cg.refit.s613_equipment import roll_for_captured_equipment
from brt_cg.refit.s6131_vehicles import remedy_or_recall_vehicles
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    gun,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_squad,
    play,
    sw,
    vehicle,
    vehicular,
)

AREAS = {"M1": "N20-N24 M20-M24", "M2": "P22", "J1": "N25-N45 M25-M45"}
ISOLATED: dict[str, Any] = {"isolated": True, "recorded_location": "N23"}
US: dict[str, Any] = {"side": JAPANESE, "nation": MARINE}
WRECK = {"t1": "wreck"}


def refit(*counters: Any, dr: Raw = None, choices: Any = None, **more: Any) -> Result:
    rolls = {} if dr is None else {"w1": [dr]}
    return play(
        roll_for_captured_equipment, campaign(*counters, areas=AREAS, **more), rolls, choices
    )


def lmg(**values: Any) -> Weapon:
    """A Japanese LMG that the Marines have."""
    return sw("w1", None, "LMG", **{"nation": JAPANESE, "setup_area": "M1", **values})


def marines() -> Any:
    return marine_squad("m1", None, setup_area="M1")


# --- Weapons ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("dr", "kept"), [(1, True), (3, True), (4, False), (6, False)])
def test_a_captured_lmg_is_kept_or_eliminated(dr: int, kept: bool) -> None:
    result = refit(marines(), lmg(), dr=dr)
    assert result.modifiers("w1") == {}
    assert result.weapon("w1").in_play is kept


def test_a_malfunctioned_captured_weapon_is_eliminated_without_a_dr() -> None:
    result = refit(marines(), lmg(status="malfunctioned", possessor="m1"))
    assert result.asks == []
    assert result.weapon("w1").fate is Fate.ELIMINATED
    assert result.weapon("w1").possessor is None


def test_a_captured_gun_rolls_and_scores_nothing() -> None:
    weapon = gun("w1", None, side=MARINE, nation=JAPANESE, setup_area="M1", recorded_location="N21")
    result = refit(marines(), weapon, dr=4)
    assert result.weapon("w1").fate is Fate.ELIMINATED
    assert (result.cvp(MARINE), result.cvp(JAPANESE)) == (0, 0)


@pytest.mark.parametrize(
    "exempt",
    [
        lmg(nation=MARINE),
        lmg(setup_area="M2"),
        lmg(fate=Fate.ELIMINATED),
        sw("w1", "off_map", "LMG", nation=JAPANESE),
    ],
)
def test_some_captured_weapons_do_not_roll(exempt: Weapon) -> None:
    assert refit(marines(), exempt.clone()).asks == []


def test_prisoners_are_not_personnel_of_their_captors() -> None:
    held = japanese_half_squad("j1", None, setup_area="M1", status="prisoner")
    assert refit(held, lmg()).asks == []


def test_a_leader_is_personnel() -> None:
    assert refit(leader("l1", None, setup_area="M1"), lmg(), dr=1).weapon("w1").in_play


def test_isolated_units_roll_for_captured_weapons() -> None:
    cut_off = japanese_squad("j1", "N23", **ISOLATED)
    result = refit(cut_off, sw("w1", "N23", **US, **ISOLATED), dr=4)
    assert result.weapon("w1").fate is Fate.ELIMINATED


# --- vehicles ---------------------------------------------------------------------------------


def tank(**values: Any) -> Vehicle:
    """An M4A2 that the Japanese have, abandoned in N30."""
    given = {"status": "abandoned", "inherent_crew": False, "setup_area": "J1", **US, **values}
    return vehicle("t1", "N30", recorded_location="N30", **given)


def armament(id: str = "w1", **values: Any) -> Weapon:
    return vehicular(id, "N30", "t1", **{"setup_area": "J1", **US, **values})


def japanese() -> Any:
    return japanese_squad("j1", None, setup_area="J1")


@pytest.mark.parametrize(("dr", "disabled"), [(3, False), (4, True)])
def test_a_tank_is_lost_with_its_disabled_vehicular_weapon(dr: int, disabled: bool) -> None:
    result = refit(japanese(), tank(), armament(), dr=dr)
    assert result.vehicle("t1").wreck is disabled
    assert result.weapon("w1").in_play is not disabled


def test_a_malfunctioned_vehicular_weapon_is_disabled_without_a_dr() -> None:
    weapons = armament("mg"), armament(status="malfunctioned")
    made = campaign(japanese(), tank(), *weapons, areas=AREAS)
    result = play(roll_for_captured_equipment, made, {"mg": [1]})
    assert result.weapon("w1").status == ("disabled",)
    assert result.vehicle("t1").status == ("abandoned",)


def test_a_captured_tank_with_a_functioning_weapon_is_kept_by_default() -> None:
    ma = armament("ma", status="disabled", main_armament=True)
    result = refit(japanese(), tank(), ma, armament(), dr=1)
    ask = result.ask("t1")
    assert isinstance(ask, ChoiceQuestion)
    assert (ask.side, ask.allowed, ask.default) == (JAPANESE, ["keep", "wreck"], "keep")
    assert not result.vehicle("t1").wreck


def test_captors_may_turn_their_tank_into_a_wreck() -> None:
    result = refit(japanese(), tank(), armament(), dr=1, choices={"t1": "wreck"})
    found = result.vehicle("t1")
    assert found.status == ("burnt_out", "wreck")
    assert (found.location, found.setup_area) == ("N30", "J1")
    assert result.weapon("w1").fate is Fate.ELIMINATED
    assert (result.cvp(MARINE), result.cvp(JAPANESE)) == (0, 0)


def test_a_disabled_ma_does_not_count_as_functioning() -> None:
    result = refit(japanese(), tank(), armament(status="disabled", main_armament=True))
    assert result.asks == []
    assert result.vehicle("t1").status == ("burnt_out", "wreck")
    assert "has no functioning Weapon and becomes a Burnt-Out Wreck" in result.log


def test_captors_say_whether_a_weapon_functions_if_none_was_entered() -> None:
    result = refit(tank())
    ask = result.ask("t1")
    assert isinstance(ask, ChoiceQuestion)
    assert (ask.side, ask.allowed, ask.default) == (JAPANESE, ["keep", "wreck"], "keep")
    assert "none is entered" in ask.prompt
    assert not result.vehicle("t1").wreck


def test_a_tank_whose_only_weapon_is_eliminated_is_a_wreck() -> None:
    result = refit(tank(), armament(fate=Fate.ELIMINATED))
    assert result.asks == []
    assert result.vehicle("t1").wreck


def test_a_tank_that_left_the_map_is_a_wreck_in_its_recorded_location() -> None:
    driven = tank(status="", inherent_crew=True)
    driven.location = None
    result = refit(japanese(), driven, choices=WRECK)
    found = result.vehicle("t1")
    assert (found.location, found.recorded_location) == ("N30", "N30")


def test_a_kept_mobile_tank_may_set_up_anywhere_in_the_area() -> None:
    driven = tank(status="", inherent_crew=True)
    driven.location = None
    result = refit(japanese(), driven, armament(), dr=1)
    assert (result.vehicle("t1").location, result.vehicle("t1").recorded_location) == (None, None)


def test_the_unit_that_re_manned_a_captured_tank_leaves_the_wreck() -> None:
    driven = tank(status="", inherent_crew=True)
    driven.location = None
    crew = japanese_half_squad("hs", None, fate=Fate.CREWED, became="t1")
    result = refit(japanese(), driven, crew, choices=WRECK)
    found = result.unit("hs")
    assert (found.fate, found.became, found.setup_area) == (Fate.IN_PLAY, None, "J1")
    assert "its crew is lost" not in result.log


def test_an_inherent_crew_leaves_a_wreck_as_a_vehicle_crew() -> None:
    driven = tank(status="", inherent_crew=True)
    driven.location = None
    result = refit(japanese(), driven, choices=WRECK)
    found = result.unit("t1-crew")
    assert (found.side, found.type, found.setup_area) == (JAPANESE, "1-2-7", "J1")
    assert "1-2-7 vehicle crew t1-crew (Area J1) leaves M4A2 t1" in result.said
    assert result.cvp(MARINE) == 0


def test_the_crew_of_an_isolated_tank_stays_with_the_wreck() -> None:
    driven = tank(status="", inherent_crew=True, setup_area=None, isolated=True)
    crew = japanese_half_squad("hs", None, fate=Fate.CREWED, became="t1")
    found = refit(driven, crew, choices=WRECK).unit("hs")
    assert (found.location, found.isolated, found.recorded_location) == ("N30", True, "N30")


@pytest.mark.parametrize(
    "exempt",
    [
        tank(nation=JAPANESE),
        tank(status="wreck"),
        tank(setup_area="M1"),
        vehicle("t1", "off_map", **US),
    ],
)
def test_some_vehicles_are_left_unchanged(exempt: Vehicle) -> None:
    result = refit(exempt.clone())
    assert (result.asks, result.said) == ([], [])
    assert result.vehicle("t1").status == exempt.status


def test_a_re_manned_tanks_newest_crew_gets_out_of_the_wreck() -> None:
    first = japanese_half_squad("hs1", None, fate=Fate.CREWED, became="t1")
    second = japanese_half_squad("hs2", None, setup_area="J1")
    table = campaign(tank(), japanese(), first, second, areas=AREAS)
    play(remedy_or_recall_vehicles, table, choices={"t1": {"crew": "hs2"}})
    assert table.units["hs1"].fate is Fate.ELIMINATED
    result = play(roll_for_captured_equipment, table, choices=WRECK)
    assert result.vehicle("t1").has_status("burnt_out")
    assert (result.unit("hs2").fate, result.unit("hs2").setup_area) == (Fate.IN_PLAY, "J1")
    assert result.unit("hs1").fate is Fate.ELIMINATED


@pytest.mark.parametrize("place", ["M1", "off_map"])
def test_a_malfunctioned_captured_weapon_is_lost_without_personnel_too(place: str) -> None:
    home = {"setup_area": "M1"} if place == "M1" else {}
    weapon = sw(
        "w1", None if home else place, "LMG", nation=JAPANESE, status="malfunctioned", **home
    )
    result = refit(weapon)
    assert (result.asks, result.weapon("w1").fate) == ([], Fate.ELIMINATED)
