"""Each limit of 15.614: just inside, just outside, and what the refusal says."""

import pytest

from brt_cg.card import load_card
from brt_cg.model.records import Phase
from brt_cg.purchases import limits
from brt_cg.purchases.limits import excess_hip_warning, skipped_night_hip_warning
from tests.purchases.shop import Shop, refit_shop, shop
from tests.refit.table import JAPANESE, crew, japanese_half_squad, japanese_squad, leader

GPP_ITEMS = [one.key for one in load_card("III").prices.values() if one.points == "gpp"]
BEACHES = ("red_one", "red_two", "red_three", "black_one", "black_two", "green")


# --- points ---------------------------------------------------------------------------------------


def test_the_last_points_of_a_beach_may_be_spent() -> None:
    market = shop(each={"gpp": 8})
    market.buy("hmg", quantity=2)
    assert market.left().gpp == 0


def test_one_point_more_than_a_beach_has_is_refused() -> None:
    market = shop(each={"gpp": 7})
    refusal = market.no("hmg", quantity=2)
    assert (
        refusal
        == "GPP of Red One: 8 spent including this, but only 7 received (1 too many) (15.6141)"
    )


def test_points_of_one_beach_buy_nothing_for_another() -> None:
    market = shop(each={"fpp": 4})
    market.buy("seawall_breach", beach="red_one")
    assert "FPP of Red One: 8 spent including this, but only 4 received" in market.no(
        "seawall_breach"
    )
    market.buy("seawall_breach", beach="red_two")


def test_marine_points_are_a_pool_of_their_own() -> None:
    market = shop(each={"fpp": 4})
    market.marine_buys("seawall_breach")
    refusal = market.no_marine("foxhole_1s")
    assert refusal == (
        "FPP of the Marine player: 5 spent including this, but only 4 received (1 too many) "
        "(15.6143)"
    )


def test_the_exponent_adds_capacity_at_no_capp() -> None:
    market = shop(each={"capp": 6, "exponent": 2})
    market.buy("pillbox_1_3_5", capacity=2, quantity=2)
    assert (market.left().capp, market.left().exponent) == (0, 0)


def test_more_capacity_than_the_exponent_is_refused() -> None:
    market = shop(each={"capp": 6, "exponent": 2})
    refusal = market.no("pillbox_1_3_5", capacity=4)
    assert refusal == (
        "CAPP Exponent of Red One: 3 spent including this, but only 2 received (1 too many) "
        "(15.6142)"
    )


def test_several_broken_limits_are_named_together() -> None:
    refusal = shop(each={"capp": 2, "exponent": 0}).no("pillbox_1_5_7", capacity=3, quantity=2)
    assert "CAPP of Red One: 10 spent including this, but only 2 received" in refusal
    assert "CAPP Exponent of Red One: 4 spent including this, but only 0 received" in refusal


# --- maxima ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("item", GPP_ITEMS)
def test_the_maximum_of_a_beach_may_be_bought_and_no_more(item: str) -> None:
    most = load_card("III").prices[item].max_per_beach
    assert most is not None
    market = shop()
    market.buy(item, quantity=most)
    name = market.card.prices[item].name
    assert (
        f"{name} for Red One: {most + 1} including this; the maximum is {most} per beach (15.6141)"
        in (market.no(item))
    )


@pytest.mark.parametrize("cg", ["I", "II", "III"])
@pytest.mark.parametrize("item", GPP_ITEMS)
def test_the_maximum_of_a_campaign_may_be_bought_and_no_more(item: str, cg: str) -> None:
    market = shop(cg=cg)
    price = market.card.prices[item]
    most = price.campaign_maximum(cg, market.campaign.current_rulings)
    each = price.max_per_beach
    assert most is not None
    assert each is not None
    *others, last = [beach for beach in BEACHES if beach in {*market.card.beaches} - {"green"}]
    left = most
    for beach in others:
        if left:
            market.buy(item, beach, quantity=min(each, left))
            left -= min(each, left)
    assert left == 0
    refusal = market.no(item, last)
    assert f"{price.name}: {most + 1} including this; the maximum is {most} in CG {cg}" in refusal


def test_the_hmg_maximum_of_cg_ii_is_a_ruling() -> None:
    market = shop(cg="II")
    market.campaign.tables["rulings"]["R-HMG-CG2"].value = "2"
    market.buy("hmg", quantity=2)
    refusal = market.no("hmg")
    assert refusal == "HMG: 3 including this; the maximum is 2 in CG II (R-HMG-CG2: 2) (15.6141)"


def test_guns_bought_on_earlier_dates_count_against_the_maxima() -> None:
    market = refit_shop()
    market.buy("twin_12_7", quantity=4)
    market.campaign.situation.date = "21 AM"
    assert "Twin 12.7 (12 IFE) for Red One: 5 including this" in market.no("twin_12_7")


def test_a_voided_gun_does_not_count() -> None:
    market = shop()
    first = market.buy("turret_8in", quantity=2)
    market.void(first)
    market.buy("turret_8in", quantity=2)


def test_four_tetrahedra_of_any_type_per_beach() -> None:
    market = shop()
    market.buy("tetrahedron", quantity=3)
    market.buy("tetrahedron_wire")
    refusal = market.no("tetrahedron_wire")
    expected = (
        "tetrahedra of any type for Red One: 5 including this; the maximum is 4 per beach (15.6143)"
    )
    assert refusal == expected
    market.buy("tetrahedron", "red_two")


def test_ten_mine_factors_per_beach() -> None:
    market = shop()
    market.buy("tetrahedron")
    market.buy("at_mine_factor", quantity=10)
    refusal = market.no("at_mine_factor")
    assert refusal == (
        "A-T mine factor for Red One: 11 including this; the maximum is 10 per beach (15.6143)"
    )


def test_mine_factors_need_a_tetrahedron_of_their_beach() -> None:
    market = shop()
    market.buy("tetrahedron", "red_two")
    refusal = market.no("at_mine_factor")
    assert refusal == (
        "A-T mine factor for Red One: no tetrahedron has been bought for this beach (15.6143)"
    )
    market.buy("at_mine_factor", "red_two")


# --- who, what, when ------------------------------------------------------------------------------


def test_guns_are_for_the_japanese_only() -> None:
    refusal = shop().no_marine("hmg")
    assert "HMG is for the Japanese player only (15.6141)" in refusal


@pytest.mark.parametrize("done", ["15.6141", "15.6142"])
def test_both_sides_may_buy_when_the_program_stops_within_15_614(done: str) -> None:
    market = refit_shop(done=done)
    market.campaign.situation.paragraph, market.campaign.situation.buying = None, ()
    market.buy("hmg")
    market.marine_buys("foxhole_1s")


@pytest.mark.parametrize("done", ["15.6139", "15.6143", "15.616"])
def test_nobody_buys_before_or_after_15_614(done: str) -> None:
    market = refit_shop(done=done)
    market.campaign.situation.paragraph, market.campaign.situation.buying = None, ()
    refusal = market.no("hmg")
    assert "may buy in the purchase phase, and at 15.614" in refusal
    assert f"; not in the Refit Phase, at {done}" in refusal


def test_the_current_paragraph_is_named_when_nobody_may_buy() -> None:
    market = refit_shop(done="15.609")
    market.campaign.situation.paragraph = "15.6112"
    assert "; not in the Refit Phase, at 15.6112" in market.no("hmg")


def test_both_sides_may_breach_the_seawall() -> None:
    market = shop()
    market.buy("seawall_breach", location="N21/N22")
    market.marine_buys("seawall_breach", location="N23/N22")
    assert market.campaign.purchases["pm18"].location == "N22/N23"


def test_no_turret_for_green_beach() -> None:
    market = shop()
    market.buy("turret_8in", "black_one")
    assert market.no("turret_8in", "green") == (
        "8-in. Gun Turret cannot be bought for Green; choose Red One, Red Two, Red Three, "
        "Black One, Black Two (15.6141)"
    )


def test_the_island_has_no_gun_points() -> None:
    assert "HMG cannot be bought for Island; choose Green, Red One" in shop().no("hmg", "island")
    assert "Pillbox 1+3+5 needs a beach; choose Green" in shop().no("pillbox_1_3_5", None)


def test_fortifications_without_a_beach_belong_to_the_island() -> None:
    market = shop()
    market.buy("foxhole_3s", None)
    assert market.campaign.purchases["pj17"].beach == "island"
    assert market.left("island").fpp == 397


def test_some_items_are_sold_only_before_the_initial_scenario() -> None:
    shop().buy("trench")
    refusal = refit_shop().no("trench")
    expected = (
        "Trench can only be bought before the initial scenario, in the purchase phase (15.6143)"
    )
    assert refusal == expected


def test_a_fortified_building_costs_double_after_the_initial_scenario() -> None:
    before, after = shop(), refit_shop()
    before.buy("fortified_building")
    after.buy("fortified_building")
    assert (before.left().fpp, after.left().fpp) == (392, 384)


def test_a_side_buys_at_15614_until_it_is_done() -> None:
    market = refit_shop()
    market.buy("foxhole_1s")
    market.campaign.situation.buying = ("marine",)
    assert market.no("foxhole_1s") == (
        "the Japanese player may buy in the purchase phase, and at 15.614 of each Refit "
        "Phase until done; that player is done (15.614)"
    )
    market.marine_buys("foxhole_1s")


def test_nobody_buys_during_a_scenario() -> None:
    refusal = shop(phase=Phase.SCENARIO).no_marine("foxhole_1s")
    assert "; not during the scenario (15.614)" in refusal


def test_a_purchase_carries_the_date_in_force() -> None:
    market = refit_shop(date="20 NT")
    market.buy("foxhole_1s")
    bought = market.campaign.purchases["pj17"]
    assert (bought.date, bought.initial) == ("20 NT", False)


def test_marine_concealment_only_before_an_am_or_night_date() -> None:
    refit_shop(date="20 NT").marine_buys("concealment")
    refit_shop(date="21 AM").marine_buys("concealment")
    assert refit_shop(date="20 PM").no_marine("concealment") == (
        'Marine "?" can only be bought in a Refit Phase before an AM or Night date; '
        "the next date is 20 PM (15.6143)"
    )


def test_no_marine_concealment_before_the_initial_scenario() -> None:
    shop().buy("concealment")
    assert "the next date is 20 AM, the initial scenario" in shop().no_marine("concealment")


def test_japanese_concealment_on_any_date() -> None:
    refit_shop(date="20 PM").buy("concealment", quantity=5)


# --- SAN ------------------------------------------------------------------------------------------


def test_only_one_san_increase_is_allowed_per_refit_phase() -> None:
    market = refit_shop()
    market.buy("san_increase", None)
    assert market.campaign.sides["japanese"].san == 5
    refusal = market.no("san_increase", None)
    expected = (
        "Japanese SAN increase: 2 including this in this Refit Phase; the maximum is 1 (15.6143)"
    )
    assert refusal == expected
    market.marine_buys("san_increase")
    market.campaign.situation.date = "20 NT"
    market.buy("san_increase", None)
    assert market.campaign.sides["japanese"].san == 6


def test_only_one_san_increase_is_allowed_before_the_initial_scenario() -> None:
    market = shop()
    market.marine_buys("san_increase")
    assert "2 including this before the initial scenario; the maximum is 1" in market.no_marine(
        "san_increase"
    )


def test_a_san_of_seven_cannot_rise() -> None:
    market = refit_shop()
    market.campaign.sides["marine"].san = 6
    market.marine_buys("san_increase")
    market = refit_shop()
    market.campaign.sides["marine"].san = 7
    assert (
        market.no_marine("san_increase")
        == "Marine SAN 7 → 8 is too high; the maximum is 7 (15.6143)"
    )


# --- HIP ------------------------------------------------------------------------------------------


def _hip_shop(squads: int, date: str = "20 PM") -> Shop:
    counters = [japanese_squad(f"j{n}", None, setup_area="J1") for n in range(squads)]
    return refit_shop(*counters, date=date)


def test_hip_for_one_squad_in_twenty_by_day() -> None:
    market = _hip_shop(30)
    market.buy("hip_squad", None)
    market.buy("hip_hs", None)
    assert market.no("hip_crew", None) == (
        "HIP for 2 squad-equivalents including this; the maximum is 1½: 5% of 30 on map by day "
        "(15.6143)"
    )


def test_hip_for_one_squad_in_ten_by_night() -> None:
    market = _hip_shop(30, "20 NT")
    market.buy("hip_squad", None, quantity=3)
    assert (
        "HIP for 3½ squad-equivalents including this; the maximum is 3: 10% of 30 on map by night"
        in (market.no("hip_hs", None))
    )


def test_only_the_day_percentage_of_hip_may_be_used_after_a_skipped_night() -> None:
    market = _hip_shop(30, "20 NT")
    market.buy("hip_squad", None)
    market.buy("hip_hs", None)
    assert skipped_night_hip_warning(market.campaign, market.card) is None
    market.buy("hip_hs", None)
    assert skipped_night_hip_warning(market.campaign, market.card) == (
        "HIP is bought for 2 squad-equivalents, but only 1½ may be used by day: "
        "5% of 30 on map (15.6143)"
    )
    market.void("pj18")
    assert skipped_night_hip_warning(market.campaign, market.card) is None


def test_hip_bought_before_the_order_of_battle_is_checked_at_scenario_start() -> None:
    market = shop()
    market.buy("hip_squad", None, quantity=2)
    assert excess_hip_warning(market.campaign, market.card) is None
    for number in range(39):
        market.campaign.add(japanese_squad(f"j{number}", "L20"))
    assert excess_hip_warning(market.campaign, market.card) == (
        "HIP is bought for 2 squad-equivalents, but only 1½ may be used by day: "
        "5% of 39 on map (15.6143)"
    )
    market.campaign.add(japanese_squad("j39", "L20"))
    assert excess_hip_warning(market.campaign, market.card) is None


def test_the_hip_limit_is_rounded_down_to_a_half() -> None:
    _hip_shop(10).buy("hip_hs", None)
    assert "the maximum is 0: 5% of 9 on map by day" in _hip_shop(9).no("hip_hs", None)


def test_hip_for_exactly_five_percent_is_allowed() -> None:
    market = _hip_shop(20)
    market.buy("hip_squad", None)
    assert "HIP for 1½ squad-equivalents including this; the maximum is 1: 5% of 20" in (
        market.no("hip_hs", None)
    )


def test_hip_counts_half_squads_and_crews_on_map_only() -> None:
    market = refit_shop(
        *(japanese_half_squad(f"h{n}", None, setup_area="J1") for n in range(18)),
        crew("c1", None, JAPANESE, setup_area="J1"),
        crew("c2", None, JAPANESE, setup_area="J1"),
        japanese_squad("off", "off_map"),
        japanese_squad("held", None, status="prisoner"),
        japanese_squad("gone", None),
        leader("l1", None, "9-0", JAPANESE, setup_area="J1"),
    )
    market.campaign.units["gone"].fate = market.campaign.units["gone"].fate.ELIMINATED
    market.buy("hip_crew", None)
    assert "the maximum is ½: 5% of 10 on map" in market.no("hip_crew", None)


def test_hip_for_leaders_is_limited_by_points_alone() -> None:
    _hip_shop(1).buy("hip_smc", None, quantity=5)


def test_hip_of_an_earlier_refit_phase_does_not_count() -> None:
    market = _hip_shop(10)
    market.buy("hip_hs", None)
    market.campaign.situation.date = "21 PM"
    market.buy("hip_hs", None)


@pytest.mark.parametrize(("san", "warned"), [(0, True), (4, False)])
def test_a_san_increase_before_the_cards_san_is_entered_is_a_warning(
    san: int, warned: bool
) -> None:
    market = shop()
    market.campaign.sides[JAPANESE].san = san
    said = market.do("buy", item="san_increase", side="japanese", beach="red_one").said
    assert any("has not been entered yet" in line.text for line in said) is warned


def test_hip_with_no_units_entered_is_a_warning() -> None:
    market = shop()
    said = market.do("buy", item="hip_squad", side="japanese", quantity=9).said
    assert said[-1].text.startswith("warning: no Japanese units have been entered yet")
    assert said[-1].secret == "japanese"


def test_purchased_crews_are_not_an_order_of_battle() -> None:
    market = shop()
    market.buy("hmg")
    market.buy("hip_squad", None)


# --- capacity -------------------------------------------------------------------------------------


def test_a_pillbox_of_fpp_costs_two_for_each_extra_capacity() -> None:
    market = shop()
    market.buy("pillbox_fpp_1_4_6", capacity=3)
    bought = market.campaign.purchases["pj17"]
    assert (bought.total, bought.exponent, bought.capacity) == (26, 0, 2)


def test_only_pillboxes_have_a_capacity() -> None:
    assert shop().no("trench", capacity=2) == (
        "you cannot choose the capacity of Trench; leave the capacity out (15.6143)"
    )


def test_a_pillbox_has_a_capacity_of_at_least_one() -> None:
    refusal = shop().no("pillbox_1_3_5", capacity=0)
    assert refusal == "capacity: 0 is not accepted; enter a whole number from 1 to 99"


# --- records that no command would have written ---------------------------------------------------


def test_an_audit_finds_a_pillbox_below_its_basic_capacity() -> None:
    market = shop()
    before = market.campaign.clone()
    market.buy("pillbox_fpp_1_3_5")
    bought = market.campaign.purchases["pj17"]
    bought.capacity = -1
    told = [breach.message for breach in limits.find_breaches(before, market.card, bought)]
    assert "Pillbox 1+3+5 (FPP): capacity 0 is too low; enter at least 1" in told


def test_an_audit_finds_marine_points_with_a_beach() -> None:
    market = shop()
    before = market.campaign.clone()
    market.marine_buys("foxhole_1s")
    bought = market.campaign.purchases["pm17"]
    bought.beach = "red_one"
    codes = [one.code for one in limits.find_breaches(before, market.card, bought)]
    assert "beach" in codes


def test_an_audit_accepts_an_unknown_beach_without_crashing() -> None:
    market = refit_shop(areas={"J1": "L15-L25 N17"})
    before = market.campaign.clone()
    market.buy("foxhole_1s", location="L20")
    bought = market.campaign.purchases["pj17"]
    bought.beach = "orange"
    codes = [one.code for one in limits.find_breaches(before, market.card, bought)]
    assert codes == ["beach", "allotment"]


def test_checking_a_purchase_changes_nothing() -> None:
    market = shop()
    before = market.campaign.clone()
    market.buy("pillbox_1_3_5", location="M21", arc=["N20", "N21"], capacity=2)
    kept = before.clone()
    limits.find_breaches(before, market.card, market.campaign.purchases["pj17"])
    assert before == kept
