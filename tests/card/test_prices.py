"""Prices and limits, row by row."""

from fractions import Fraction

import pytest

from brt_cg.card import load_card
from brt_cg.card.prices import CreatedKind
from brt_cg.model.counters import Side, WeaponKind
from brt_cg.model.records import PointsKind

CARD = load_card("III")
PRICES = CARD.prices
RULES = {PointsKind.GPP: "15.6141", PointsKind.CAPP: "15.6142", PointsKind.FPP: "15.6143"}

GUNS = [
    ("hmg", "HMG", 4, 4, (8, 12, 16)),
    ("hmg_50cal", ".50cal HMG", 5, 4, (8, 12, 14)),
    ("twin_12_7", "Twin 12.7 (12 IFE)", 6, 4, (4, 6, 8)),
    ("inf_37", "37* INF", 3, 6, (8, 12, 14)),
    ("at_37l", "37L AT", 4, 4, (6, 9, 12)),
    ("inf_type92_70", "Type 92 70* INF", 3, 6, (12, 14, 16)),
    ("inf_year41_75", "Year 41 75* INF", 5, 4, (6, 10, 12)),
    ("art_year38_75", "Year 38 75* ART", 4, 4, (6, 8, 12)),
    ("aa_type10_76l", "Type 10 76L AA", 5, 4, (6, 8, 12)),
    ("aa_type88_75", "Type 88 75 AA", 6, 3, (4, 6, 8)),
    ("aa_year10_120l", "Year 10 120L AA", 7, 2, (2, 2, 4)),
    ("art_year3_140l", "Year 3 140L ART", 8, 2, (2, 2, 2)),
    ("turret_8in", "8-in. Gun Turret", 8, 2, (2, 2, 2)),
]
FPP = {
    "bombproof": 10,
    "fortified_building": 8,
    "trench": 4,
    "passage": 4,
    "tetrahedron": 8,
    "tetrahedron_wire": 10,
    "seawall_breach": 4,
    "wire": 5,
    "foxhole_3s": 3,
    "foxhole_2s": 2,
    "foxhole_1s": 1,
    "hip_squad": 3,  # R-HIP-COST: a squad, a HS, a crew, a SMC
    "hip_hs": 2,
    "hip_crew": 2,
    "hip_smc": 1,
    "concealment": 1,
    "san_increase": 8,
    "tunnel": 30,
    "at_mine_factor": 4,
    "pillbox_fpp_1_3_5": 18,
    "pillbox_fpp_1_4_6": 22,
    "pillbox_fpp_1_5_7": 26,
}
CAPP = {"pillbox_1_3_5": 3, "pillbox_1_4_6": 4, "pillbox_1_5_7": 5}


def having(attribute: str) -> set[str]:
    """The items for which an attribute is set."""
    return {key for key, price in PRICES.items() if getattr(price, attribute)}


def placed(condition: str) -> set[str]:
    return {key for key, price in PRICES.items() if condition in price.placement}


def test_the_price_list_has_these_items() -> None:
    assert {gun[0] for gun in GUNS} | set(CAPP) | set(FPP) <= set(PRICES)


@pytest.mark.parametrize(("key", "name", "cost", "beach", "campaign"), GUNS)
def test_guns_and_machine_guns_have_their_prices(
    key: str, name: str, cost: int, beach: int, campaign: tuple[int, int, int]
) -> None:
    price = PRICES[key]
    assert (price.name, price.points, price.cost) == (name, PointsKind.GPP, cost)
    assert price.max_per_beach == beach
    assert tuple(price.campaign_maximum(cg, {}) for cg in ("I", "II", "III")) == campaign
    assert price.creates.kind is CreatedKind.WEAPON
    assert price.creates.crew


def test_machine_guns_are_support_weapons_and_the_rest_guns() -> None:
    kinds = {key: PRICES[key].creates.weapon_kind for key, *_ in GUNS}
    assert {key for key, kind in kinds.items() if kind is WeaponKind.SW} == {"hmg", "hmg_50cal"}
    assert set(kinds.values()) == {WeaponKind.SW, WeaponKind.GUN}


def test_the_printed_maximum_of_2_hmg_in_cg_ii_is_a_ruling() -> None:
    hmg = PRICES["hmg"]
    assert hmg.campaign_rulings == {"II": "R-HMG-CG2"}
    assert hmg.campaign_maximum("II", {"R-HMG-CG2": "2"}) == 2
    assert hmg.campaign_maximum("III", {"R-HMG-CG2": "2"}) == 16
    assert PRICES["wire"].campaign_maximum("II", {}) is None


def test_the_default_of_the_hmg_ruling_is_the_maximum_of_its_row() -> None:
    assert PRICES["hmg"].max_campaign is not None
    assert load_card("II").rulings["R-HMG-CG2"].default == str(PRICES["hmg"].max_campaign["II"])


def test_the_turret_is_not_for_green_beach() -> None:
    assert PRICES["turret_8in"].not_beaches == ("green",)
    assert having("not_beaches") == {"turret_8in"}


@pytest.mark.parametrize(("key", "cost"), CAPP.items())
def test_a_pillbox_costs_its_ca_tem_in_capp(key: str, cost: int) -> None:
    price = PRICES[key]
    assert (price.points, price.cost, price.creates.ca_tem) == (PointsKind.CAPP, cost, cost)
    assert (price.creates.capacity, price.creates.nca_tem) == (1, cost + 2)
    assert price.creates.extra_capacity_cost == 0
    assert price.placement == ("beach_adjacent", "not_beach", "covered_arc")


@pytest.mark.parametrize(("key", "cost"), FPP.items())
def test_fortifications_have_their_costs(key: str, cost: int) -> None:
    assert (PRICES[key].points, PRICES[key].cost) == (PointsKind.FPP, cost)


def test_a_pillbox_costs_twice_its_numbers_in_fpp_and_2_per_extra_capacity() -> None:
    for key in ("pillbox_fpp_1_3_5", "pillbox_fpp_1_4_6", "pillbox_fpp_1_5_7"):
        made = PRICES[key].creates
        numbers = (made.capacity, made.ca_tem, made.nca_tem)
        assert "_".join(map(str, numbers)) == key.removeprefix("pillbox_fpp_")
        assert PRICES[key].cost == 2 * sum(number or 0 for number in numbers)
        assert made.extra_capacity_cost == 2


def test_a_fortified_building_costs_double_after_the_initial_scenario() -> None:
    assert PRICES["fortified_building"].cost == 8
    assert PRICES["fortified_building"].later_cost == 16
    assert PRICES["trench"].later_cost == 4


def test_both_sides_may_buy_these_items() -> None:
    both = {"seawall_breach", "foxhole_3s", "foxhole_2s", "foxhole_1s"}
    assert {key for key, price in PRICES.items() if price.can_be_bought_by(Side.MARINE)} == {
        *both,
        "concealment",
        "san_increase",
    }
    assert all(price.can_be_bought_by(Side.JAPANESE) for price in PRICES.values())


def test_some_items_are_for_the_initial_scenario_only() -> None:
    assert having("initial_only") == {
        "bombproof",
        "trench",
        "passage",
        "tetrahedron",
        "tetrahedron_wire",
        "wire",
        "tunnel",
        "at_mine_factor",
        "pillbox_fpp_1_3_5",
        "pillbox_fpp_1_4_6",
        "pillbox_fpp_1_5_7",
    }


def test_four_tetrahedra_of_any_type_per_beach() -> None:
    assert having("beach_group") == {"tetrahedron", "tetrahedron_wire"}
    for key in ("tetrahedron", "tetrahedron_wire"):
        assert (PRICES[key].beach_group, PRICES[key].max_per_beach) == ("tetrahedra", 4)


def test_ten_mine_factors_per_beach_with_a_tetrahedron() -> None:
    assert PRICES["at_mine_factor"].max_per_beach == 10
    assert placed("with_tetrahedron") == {"at_mine_factor"}


def test_fortifications_have_their_allowed_places() -> None:
    assert placed("ocean") == {"tetrahedron", "tetrahedron_wire"}
    assert placed("not_beach_adjacent") == {"bombproof"}
    assert placed("beach_adjacent") == set(CAPP)
    assert placed("not_beach") == {"trench", *CAPP, *(key for key in FPP if "pillbox" in key)}
    assert placed("hexside") == {"seawall_breach"}
    assert placed("two_locations") == {"tunnel", "passage"}
    assert placed("adjacent_locations") == {"passage"}
    large = {"aa_type10_76l", "aa_type88_75", "aa_year10_120l", "art_year3_140l"}
    assert placed("not_inside") == large, "SSR BRT6"
    assert placed("covered_arc") == {key for key in PRICES if key.startswith("pillbox")}


def test_some_items_may_go_into_isolated_and_front_line_locations() -> None:
    foxholes = {"foxhole_3s", "foxhole_2s", "foxhole_1s"}
    assert having("isolated_ok") == {"concealment", *foxholes}
    assert having("front_line_ok") == {"concealment"}


def test_foxholes_hold_their_squads() -> None:
    assert [PRICES[f"foxhole_{n}s"].creates.capacity for n in (3, 2, 1)] == [3, 2, 1]


def test_marines_buy_concealment_before_an_am_or_night_date_only() -> None:
    assert PRICES["concealment"].marine_dates == ("AM", "NT")
    assert having("marine_dates") == {"concealment"}


def test_only_one_san_increase_is_sold_per_refit_phase() -> None:
    assert PRICES["san_increase"].per_refit == 1
    assert having("per_refit") == {"san_increase"}


@pytest.mark.parametrize(
    ("key", "size"),
    [("hip_squad", 1), ("hip_hs", Fraction(1, 2)), ("hip_crew", Fraction(1, 2)), ("hip_smc", 0)],
)
def test_hip_is_for_5_percent_by_day_and_10_by_night(key: str, size: Fraction) -> None:
    hip = PRICES[key].hip
    assert hip is not None
    assert (hip.squad_equivalents, hip.day_percent, hip.night_percent) == (size, 5, 10)


def test_hip_concealment_and_san_make_no_counter() -> None:
    without = {key for key, price in PRICES.items() if price.creates.kind is CreatedKind.NONE}
    assert without == {"hip_squad", "hip_hs", "hip_crew", "hip_smc", "concealment", "san_increase"}


def test_every_row_names_its_rule() -> None:
    assert all(price.rule == RULES[price.points] for price in PRICES.values())


def test_the_card_has_these_beaches() -> None:
    assert CARD.beaches == (
        "green",
        "red_one",
        "red_two",
        "red_three",
        "black_one",
        "black_two",
        "island",
    )
