"""What counters are worth and can become: every figure of the ladders, one by one."""

from fractions import Fraction

import pytest

from brt_cg.card import load_card
from brt_cg.card.ladders import Ladders
from brt_cg.model.counters import Side, UnitClass, UnitKind, WeaponKind
from tests.card.counter_for import (
    CONSCRIPT,
    ELITE,
    FIRST_LINE,
    SECOND_LINE,
    hero,
    japanese,
    leader,
    marine,
)

SQUAD, HALF_SQUAD, CREW, VEHICLE_CREW = (
    UnitKind.SQUAD,
    UnitKind.HALF_SQUAD,
    UnitKind.CREW,
    UnitKind.VEHICLE_CREW,
)
MARINES = ("6+1", "7-0", "8-0", "8-1", "9-1", "9-2", "10-2", "10-3")
JAPANESE = ("8+1", "8-0", "9-0", "9-1", "10-0", "10-1", "10-2")


@pytest.fixture
def ladders() -> Ladders:
    return load_card("I").ladders


# --- digits -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("class_", "full", "reduced", "half_squad"),
    [
        (ELITE, "4-4-8", "3-4-8", "2-3-8"),
        (FIRST_LINE, "4-4-7", "3-4-7", "2-3-7"),
        (SECOND_LINE, "3-4-7", "2-3-7", "1-3-7"),
        (CONSCRIPT, "3-3-6", "2-2-6", "1-2-6"),
    ],
)
def test_digits_of_a_japanese_squad_follow_its_class_and_strength(
    ladders: Ladders, class_: UnitClass, full: str, reduced: str, half_squad: str
) -> None:
    assert ladders.digits_of_unit(japanese(class_)) == full
    assert ladders.digits_of_unit(japanese(class_, reduced=True)) == reduced
    assert ladders.digits_of_unit(japanese(class_, HALF_SQUAD)) == half_squad


@pytest.mark.parametrize("class_", [None, ELITE, CONSCRIPT])
def test_digits_of_a_japanese_crew_do_not_depend_on_a_class(
    ladders: Ladders, class_: UnitClass | None
) -> None:
    assert ladders.digits_of_unit(japanese(class_, CREW)) == "2-2-8"
    assert ladders.digits_of_unit(japanese(class_, CREW, reduced=True)) == "1-2-8"
    assert ladders.digits_of_unit(japanese(class_, VEHICLE_CREW)) == "1-2-7"


def test_korean_laborers_are_3_3_6_and_1_2_6(ladders: Ladders) -> None:
    assert ladders.digits_of_unit(japanese(None, SQUAD, "korean_laborer")) == "3-3-6"
    assert ladders.digits_of_unit(japanese(None, HALF_SQUAD, "korean_laborer")) == "1-2-6"


def test_japanese_engineers_have_the_digits_of_the_elite(ladders: Ladders) -> None:
    assert ladders.digits_of_unit(japanese(ELITE, SQUAD, "engineer")) == "4-4-8"
    assert ladders.digits_of_unit(japanese(ELITE, HALF_SQUAD, "engineer")) == "2-3-8"


def test_marines_and_leaders_keep_the_digits_they_came_with(ladders: Ladders) -> None:
    assert ladders.digits_of_unit(marine("7-6-8")) == "7-6-8"
    assert ladders.digits_of_unit(leader(Side.JAPANESE, "9-1")) == "9-1"


@pytest.mark.parametrize("class_", [None, UnitClass.GREEN])
def test_a_japanese_squad_of_no_known_class_is_refused(
    ladders: Ladders, class_: UnitClass | None
) -> None:
    with pytest.raises(ValueError, match="enter elite, first_line, second_line, conscript"):
        ladders.digits_of_unit(japanese(class_))


# --- half-squads and squads -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("squad", "half_squad"),
    [("7-6-8", "3-4-8"), ("6-6-8", "3-4-8"), ("5-5-8", "2-3-8"), ("4-5-8", "2-4-8")],
)
def test_a_marine_squad_has_its_half_squad(ladders: Ladders, squad: str, half_squad: str) -> None:
    assert ladders.half_squad_of(marine(squad)) == half_squad


@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.parametrize(
    ("class_", "half_squad"),
    [(ELITE, "2-3-8"), (FIRST_LINE, "2-3-7"), (SECOND_LINE, "1-3-7"), (CONSCRIPT, "1-2-6")],
)
def test_casualty_reduction_of_a_japanese_squad_leaves_a_half_squad_of_its_class(
    ladders: Ladders, class_: UnitClass, half_squad: str, reduced: bool
) -> None:
    assert ladders.half_squad_of(japanese(class_, reduced=reduced)) == half_squad


def test_the_half_squad_of_a_laborer_squad_is_1_2_6(ladders: Ladders) -> None:
    assert ladders.half_squad_of(japanese(CONSCRIPT, SQUAD, "korean_laborer")) == "1-2-6"


def test_a_half_squad_has_no_half_squad(ladders: Ladders) -> None:
    with pytest.raises(ValueError, match="enter a squad"):
        ladders.half_squad_of(marine("3-4-8", HALF_SQUAD))


def test_an_unknown_marine_squad_has_no_half_squad(ladders: Ladders) -> None:
    with pytest.raises(ValueError, match="enter 7-6-8, 6-6-8, 5-5-8, 4-5-8"):
        ladders.half_squad_of(marine("9-9-9"))


def test_crews_never_recombine(ladders: Ladders) -> None:
    assert ladders.full_squad_of(marine("2-2-8", CREW)) is None
    assert ladders.full_squad_of(japanese(None, CREW)) is None


# --- Battle Hardening -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [SQUAD, HALF_SQUAD])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (CONSCRIPT, SECOND_LINE),
        (SECOND_LINE, FIRST_LINE),
        (FIRST_LINE, ELITE),
        (ELITE, None),
        (UnitClass.GREEN, None),
        (None, None),
    ],
)
def test_japanese_squads_harden_one_class_up(
    ladders: Ladders, kind: UnitKind, before: UnitClass | None, after: UnitClass | None
) -> None:
    assert ladders.hardened_class(japanese(before, kind)) is after


def test_laborers_crews_and_marines_do_not_harden(ladders: Ladders) -> None:
    assert ladders.hardened_class(japanese(CONSCRIPT, SQUAD, "korean_laborer")) is None
    assert ladders.hardened_class(japanese(CONSCRIPT, CREW)) is None
    assert ladders.hardened_class(marine("6-6-8")) is None


def test_there_is_no_japanese_8_1(ladders: Ladders) -> None:
    with pytest.raises(ValueError, match=r"there is no Japanese leader 8-1; enter 8\+1, 8-0, 9-0"):
        ladders.hardened_leader(leader(Side.JAPANESE, "8-1"))


# --- wounds, DRM and Morale Level -------------------------------------------------------------


@pytest.mark.parametrize(
    ("type_", "shown"),
    [
        ("8+1", "7+2"),
        ("8-0", "7+1"),
        ("9-0", "8+1"),
        ("9-1", "8-0"),
        ("10-0", "9+1"),
        ("10-1", "9-0"),
        ("10-2", "9-1"),
    ],
)
def test_a_wounded_japanese_leader_has_his_printed_strength(
    ladders: Ladders, type_: str, shown: str
) -> None:
    assert ladders.effective_leader_value(Side.JAPANESE, type_, wounded=True) == shown
    assert ladders.effective_leader_value(Side.JAPANESE, type_, wounded=False) == type_


@pytest.mark.parametrize(
    ("type_", "shown"),
    [
        ("6+1", "5+2"),
        ("7-0", "6+1"),
        ("8-0", "7+1"),
        ("8-1", "7-0"),
        ("9-1", "8-0"),
        ("9-2", "8-1"),
        ("10-2", "9-1"),
        ("10-3", "9-2"),
    ],
)
def test_wounded_marine_leaders_lose_one_of_each(ladders: Ladders, type_: str, shown: str) -> None:
    assert ladders.effective_leader_value(Side.MARINE, type_, wounded=True) == shown


def test_the_drm_of_a_leader_follows_the_dash(ladders: Ladders) -> None:
    assert ladders.leader_drm(Side.MARINE, "8-1", wounded=False) == -1
    assert ladders.leader_drm(Side.MARINE, "8-1", wounded=True) == 0
    assert ladders.leader_drm(Side.MARINE, "10-3", wounded=False) == -3
    assert ladders.leader_drm(Side.JAPANESE, "8+1", wounded=False) == 1
    assert ladders.leader_drm(Side.JAPANESE, "8+1", wounded=True) == 2
    assert ladders.leader_drm(Side.JAPANESE, "10-0", wounded=False) == 0


@pytest.mark.parametrize(
    ("type_", "drm"), [("6+1", 1), ("8-1", -1), ("9-1", -1), ("9-2", -2), ("10-2", -2)]
)
def test_each_armor_leader_has_his_drm(ladders: Ladders, type_: str, drm: int) -> None:
    assert ladders.armor_leader_drm(type_) == drm


def test_an_unknown_armor_leader_is_refused_with_the_ladder(ladders: Ladders) -> None:
    with pytest.raises(ValueError, match=r"enter 6\+1, 8-1, 9-1, 9-2, 10-2"):
        ladders.armor_leader_drm("10-3")


def test_morale_level_is_the_last_digit(ladders: Ladders) -> None:
    assert ladders.morale_level(marine("7-6-8")) == 8
    assert ladders.morale_level(japanese(CONSCRIPT, type_="3-3-6")) == 6
    assert ladders.morale_level(hero(Side.MARINE)) == 9


def test_the_morale_level_of_a_leader_precedes_the_dash(ladders: Ladders) -> None:
    assert ladders.morale_level(leader(Side.JAPANESE, "10-1")) == 10
    assert ladders.morale_level(leader(Side.JAPANESE, "10-1", wounded=True)) == 9
    assert ladders.morale_level(leader(Side.MARINE, "6+1", wounded=True)) == 5


def test_morale_level_of_a_wounded_pathfinder_is_8(ladders: Ladders) -> None:
    assert ladders.morale_level(marine("0-0-9", UnitKind.PATHFINDER)) == 9
    assert ladders.morale_level(marine("0-0-9", UnitKind.PATHFINDER, wounded=True)) == 8


def test_morale_level_of_inherent_crews(ladders: Ladders) -> None:
    assert ladders.inherent_crew_morale(Side.MARINE, armored=True) == 8
    assert ladders.inherent_crew_morale(Side.MARINE, armored=False) == 7
    assert ladders.inherent_crew_morale(Side.JAPANESE, armored=True) == 8
    assert ladders.inherent_crew_morale(Side.JAPANESE, armored=False) == 8


# --- Casualty VP and sizes --------------------------------------------------------------------


def test_each_mmc_has_its_casualty_vp(ladders: Ladders) -> None:
    assert ladders.unit_cvp(marine("6-6-8")) == 2
    assert ladders.unit_cvp(japanese(ELITE, reduced=True)) == 2
    assert ladders.unit_cvp(marine("3-4-8", HALF_SQUAD)) == 1
    assert ladders.unit_cvp(japanese(None, CREW)) == 2
    assert ladders.unit_cvp(japanese(None, VEHICLE_CREW)) == 2


@pytest.mark.parametrize(
    ("side", "type_", "wounded", "worth"),
    [
        (Side.MARINE, "9-2", False, 3),
        (Side.MARINE, "9-2", True, 2),
        (Side.MARINE, "10-3", False, 4),
        (Side.MARINE, "8-0", False, 1),
        (Side.MARINE, "6+1", False, 1),
        (Side.JAPANESE, "8+1", False, 1),
        (Side.JAPANESE, "10-2", False, 3),
        (Side.JAPANESE, "9-1", True, 1),
    ],
)
def test_a_leader_is_worth_one_plus_his_negative_drm_by_the_side_shown(
    ladders: Ladders, side: Side, type_: str, wounded: bool, worth: int
) -> None:
    assert ladders.unit_cvp(leader(side, type_, wounded=wounded)) == worth


def test_a_us_hero_is_worth_1_and_a_japanese_one_0(ladders: Ladders) -> None:
    assert ladders.unit_cvp(hero(Side.MARINE)) == 1
    assert ladders.unit_cvp(hero(Side.JAPANESE)) == 0


def test_a_pathfinder_is_worth_1(ladders: Ladders) -> None:
    assert ladders.unit_cvp(marine("0-0-9", UnitKind.PATHFINDER)) == 1


@pytest.mark.parametrize(
    ("type_", "worth"),
    [
        ("M4A2", 6),
        ("LVT2", 4),
        ("LVT2(m)", 5),
        ("LVT(A)2", 5),
        ("LCVP", 5),
        ("LCM(3)", 6),
        ("Type 95 HA-GO", 5),
        ("Jeep", None),
    ],
)
def test_each_vehicle_has_its_casualty_vp(ladders: Ladders, type_: str, worth: int | None) -> None:
    assert ladders.vehicle_type_cvp(type_) == worth


def test_each_weapon_has_its_casualty_vp(ladders: Ladders) -> None:
    assert ladders.weapon_kind_cvp(WeaponKind.GUN) == 2
    assert ladders.weapon_kind_cvp(WeaponKind.SW) == 0
    assert ladders.weapon_kind_cvp(WeaponKind.VEHICULAR) == 0


def test_each_unit_has_its_squad_equivalents(ladders: Ladders) -> None:
    assert ladders.size_in_squad_equivalents(marine("6-6-8")) == 1
    assert ladders.size_in_squad_equivalents(marine("3-4-8", HALF_SQUAD)) == Fraction(1, 2)
    assert ladders.size_in_squad_equivalents(japanese(None, CREW)) == Fraction(1, 2)
    assert ladders.size_in_squad_equivalents(japanese(None, VEHICLE_CREW)) == Fraction(1, 2)
    assert ladders.size_in_squad_equivalents(leader(Side.MARINE, "8-1")) == 0


def test_each_weapon_has_its_portage_points(ladders: Ladders) -> None:
    assert ladders.inherent_portage_capacity(marine("2-2-8", CREW)) == 3
    assert ladders.inherent_portage_capacity(leader(Side.MARINE, "8-1")) == 1
    assert ladders.inherent_portage_capacity(leader(Side.MARINE, "8-1", wounded=True)) == 0
    assert ladders.figures.portage.gun == 5


def test_free_hip_and_tank_hunter_percentages(ladders: Ladders) -> None:
    figures = ladders.figures
    assert (figures.hip_day_percent, figures.hip_night_percent) == (10, 25)
    assert figures.tank_hunter_percent == 20


# --- Rearmed units ----------------------------------------------------------------------------


def test_every_part_of_the_counters_file_names_its_rule(ladders: Ladders) -> None:
    rules = ladders.figures.rules
    assert rules["leaders.japanese"] == "G1.41"
    assert rules["japanese.squads"] == "G1.1"
    assert all(rules.values())
