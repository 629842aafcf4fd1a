"""15.6136: Depleted ammo."""

from typing import Any

import pytest

from brt_cg.model.counters import Fate
from brt_cg.refit.s613_equipment import restore_special_ammo
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    gun,
    play,
    sw,
    vehicle,
    vehicular,
)

AREAS = {"M1": "N20-N24 M20-M24", "J1": "N25-N45 M25-M45"}
HOME: dict[str, Any] = {"setup_area": "J1", "recorded_location": "N30"}


def refit(*counters: Any, **dice: list[int]) -> Result:
    rolls = {key.replace("_", "/"): dr for key, dr in dice.items()}
    return play(restore_special_ammo, campaign(*counters, areas=AREAS), rolls)


def test_all_depleted_ammo_of_a_marine_weapon_is_restored_without_a_dr() -> None:
    result = refit(sw("w1", None, "60mm MTR", setup_area="M1", depleted="WP S"))
    assert result.weapon("w1").depleted == ()
    assert result.asks == []
    assert result.said == ["60mm MTR w1 (Area M1) gets its Depleted S and WP ammo back"]


def test_depleted_ammo_of_a_marine_tank_is_restored_too() -> None:
    tank = vehicle("t1", None, setup_area="M1")
    weapon = vehicular("w1", None, "t1", setup_area="M1", depleted="C")
    assert refit(tank, weapon).weapon("w1").depleted == ()


@pytest.mark.parametrize(("dr", "left"), [(1, ()), (4, ()), (5, ("AP",)), (6, ("AP",))])
def test_a_japanese_gun_rolls_for_depleted_ammo(dr: int, left: tuple[str, ...]) -> None:
    result = refit(gun("g1", None, depleted="AP", **HOME), g1_AP=[dr])
    assert result.weapon("g1").depleted == left
    assert result.modifiers("g1/AP") == {}


def test_a_gun_rolls_for_each_depleted_ammo_type() -> None:
    result = refit(gun("g1", None, depleted="AP HE WP", **HOME), g1_AP=[5], g1_HE=[4], g1_WP=[6])
    assert result.subjects == ["g1/AP", "g1/HE", "g1/WP"]
    assert result.weapon("g1").depleted == ("AP", "WP")


@pytest.mark.parametrize(
    "exempt",
    [
        gun("w1", None, nation=MARINE, depleted="AP", **HOME),
        gun("w1", None, side=MARINE, nation=JAPANESE, depleted="AP", setup_area="M1"),
        gun("w1", "N23", isolated=True, recorded_location="N23", depleted="AP"),
        sw("w1", "N30", isolated=True, recorded_location="N30", depleted="WP"),
        sw("w1", "off_map", depleted="WP"),
        sw("w1", None, setup_area="M1", depleted="WP", fate=Fate.ELIMINATED),
        sw("w1", None, setup_area="J1", depleted="WP", side=MARINE),
    ],
)
def test_some_weapons_stay_depleted(exempt: Any) -> None:
    result = refit(exempt.clone())
    assert result.weapon("w1").depleted == exempt.depleted
    assert result.asks == []


def test_a_weapon_with_all_its_ammo_is_not_mentioned() -> None:
    assert refit(gun("g1", None, **HOME)).said == []
