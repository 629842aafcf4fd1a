"""Where each purchase may stand (15.6141–15.6143): just inside, just outside."""

import pytest

from brt_cg.board import grid, locations
from brt_cg.model.counters import Fate
from brt_cg.purchases.placement import Spot, destination_area, placement_breaches
from tests.purchases.shop import Shop, refit_shop, shop
from tests.refit.table import JAPANESE, fort, japanese_squad, marine_squad, terrain

# N17–N21 are Red One Beach hexes, M15–M25 and L15–L25 the land south of them.
AREAS = {"M1": "N13-N21 O14", "J1": "L15-L25 M15-M25 P14-P15 Q14 R13", "J2": "E3-E20 D4-D15"}


# --- the board ------------------------------------------------------------------------------------


def test_a_location_must_be_on_the_map() -> None:
    refusal = shop().no("trench", location="ZZ9")
    assert refusal == "location: ZZ9 is not a hex of Betio (A1–Z63)"


def test_a_location_must_be_in_play() -> None:
    shop(cg="I").buy("trench", "red_two", location="L32")
    assert shop(cg="I").no("trench", location="L33") == (
        "Trench in L33: L33 is not in play; the hex numbers of CG I are 1–32 (15.6143)"
    )


def test_a_purchase_cannot_be_placed_off_map() -> None:
    assert "off map is not allowed for a purchase" in shop().no("trench", location="off_map")


def test_only_tetrahedra_are_placed_in_ocean() -> None:
    shop().buy("tetrahedron", location="O21")
    expected = "Wire in O21: O21 is Ocean, where only tetrahedra may set up (15.6143)"
    assert shop().no("wire", location="O21") == expected
    assert shop().no("tetrahedron", location="M21") == (
        "Tetrahedron in M21: it must be in an Ocean hex (15.6143)"
    )


@pytest.mark.parametrize("other", ["tetrahedron", "tetrahedron_wire"])
def test_a_hex_holds_one_tetrahedron(other: str) -> None:
    """G14.51."""
    market = shop()
    two = market.no("tetrahedron", location="O21", quantity=2)
    assert two == (
        "Tetrahedron in O21: 2 of them cannot be in one hex; "
        "buy them one at a time (G14.51) (15.6143)"
    )
    market.buy("tetrahedron", location="O21")
    refusal = market.no(other, location="O21")
    assert "that hex already has a tetrahedron: pj17-1 (G14.51)" in refusal
    market.buy(other, location="O20")


def test_bombproofs_are_not_placed_near_the_beach() -> None:
    shop().buy("bombproof", location="L20")
    assert shop().no("bombproof", location="M21") == (
        "Bombproof in M21: it may not be adjacent to a Beach hex such as N20 (15.6143)"
    )


def test_no_trench_in_a_beach_hex() -> None:
    shop().buy("trench", location="M21")
    expected = "Trench in N21: it may not be in a Beach hex (15.6143)"
    assert shop().no("trench", location="N21") == expected


def test_no_turret_on_green_beach_itself() -> None:
    assert "it may not set up on green" in shop().no("turret_8in", "black_one", location="E4")


def checked() -> Shop:
    """A shop where SSR BRT6 and T8.1 are checked."""
    here = shop()
    here.campaign.tables["rulings"]["R-GUN-SITES"].value = "checked"
    return here


@pytest.mark.parametrize("item", ["trench", "at_37l", "foxhole_1s"])
def test_no_fortification_or_gun_in_a_gun_emplacement(item: str) -> None:
    """T8.1."""
    for hex in ("D5", "E6"):
        assert f"{hex} is a Gun Emplacement hex (T8.1)" in checked().no(item, "green", location=hex)
    checked().buy(item, "green", location="E5")
    shop().buy(item, "green", location="E6")  # by default the players see to it
    checked().buy("hmg", "green", location="E6")


def test_a_tunnel_does_not_end_in_a_gun_emplacement() -> None:
    refusal = checked().no("tunnel", "green", location="F6", exit="E6")
    assert "E6 is a Gun Emplacement hex" in refusal


@pytest.mark.parametrize("gun", ["aa_type88_75", "art_year3_140l"])
def test_no_large_gun_in_a_pillbox_or_building(gun: str) -> None:
    """SSR BRT6."""

    def shop_with_both(ruling="checked"):
        here = checked()
        here.campaign.tables["rulings"]["R-GUN-SITES"].value = ruling
        here.campaign.add(fort("pb", "M21", "pillbox_1_3_5"))
        here.campaign.add(fort("tr", "M20", "trench"))
        here.campaign.add(terrain("house", "M22:1"))
        here.campaign.add(terrain("ruin", "M18", "stone_rubble"))
        here.campaign.add(terrain("burnt", "M19", fate=Fate.ELIMINATED))
        return here

    for place in ("M21:pb", "M22"):
        refusal = shop_with_both().no(gun, location=place)
        assert "it may not set up in a building or pillbox (SSR BRT6) (15.6141)" in refusal
        shop_with_both().buy("art_year38_75", location=place)
        shop_with_both("free").buy(gun, location=place)
    for place in ("M21", "M20:tr", "M18", "M19"):
        shop_with_both().buy(gun, location=place)


# --- hexsides, tunnels, passages ------------------------------------------------------------------


def test_a_side_breaches_each_hexside_only_once() -> None:
    market = shop()
    market.buy("seawall_breach", location="N19/N18")
    message = "Seawall breach at N18/N19: that hexside is already breached: pj17-1 (15.6143)"
    assert market.no("seawall_breach", location="N18/N19") == message
    market.buy("seawall_breach", location="N19/N20")


def test_an_enemy_breach_is_known_once_it_is_on_map() -> None:
    """Where he means to stand what he buys is his secret until both have set up."""
    market = shop()
    market.buy("seawall_breach", location="N18/N19")
    market.marine_buys("seawall_breach", location="N18/N19")
    for breach in market.campaign.fortifications.values():
        breach.unseen = False
    assert "already breached: pj17-1" in market.no_marine("seawall_breach", location="N18/N19")


def test_a_hexside_is_breached_only_once_in_one_order() -> None:
    market = shop()
    for _ in range(2):
        market.buy("seawall_breach", location="N19/N18", draft=True)
    refusal = market.refusal("commit")
    assert "already breached: dj18" in refusal


def test_a_breach_is_on_a_hexside() -> None:
    shop().buy("seawall_breach", location="N21/N22")
    refusal = shop().no("seawall_breach", location="N21")
    assert refusal == "location: N21 is not a hexside: write two adjacent hexes, such as N18/N19"


def test_one_hex_of_a_breach_may_be_ocean_but_not_both() -> None:
    shop().buy("seawall_breach", location="N21/O21")
    refusal = shop().no("seawall_breach", location="O20/O21")
    assert "O20 and O21 are Ocean, where only tetrahedra may set up" in refusal


def test_each_hexside_is_bought_separately() -> None:
    refusal = shop().no("seawall_breach", location="N21/N22", quantity=2)
    assert refusal == (
        "2 × Seawall breach at N21/N22; each hexside can be breached only once (15.6143)"
    )
    shop().buy("seawall_breach", quantity=2)


def test_both_hexes_of_a_hexside_are_in_play() -> None:
    assert "L33 is not in play" in shop(cg="I").no("seawall_breach", location="L32/L33")


def test_a_passage_joins_two_adjacent_locations() -> None:
    shop().buy("passage", location="L20", exit="L21")
    shop(fort("F1", "L20")).buy("passage", location="L20", exit="L20:F1")
    assert shop().no("passage", location="L20", exit="L22") == (
        "Passage in L20: its exit L22 is 2 hexes away, but must be adjacent (15.6143)"
    )


def test_a_tunnel_joins_two_locations() -> None:
    shop().buy("tunnel", location="L20", exit="K20")
    assert "it needs an exit hex (the other end)" in shop().no("tunnel", location="L20")
    assert "its two ends must be different Locations" in (
        shop().no("tunnel", location="L20", exit="L20")
    )
    assert "has an exit but no Location" in shop().no("tunnel", exit="L20")


# --- R-BEACH-AREA: a beach's area before there are Setup Areas ------------------------------------


def test_purchases_for_a_beach_are_placed_nearer_to_it_than_to_another() -> None:
    shop().buy("trench", "red_one", location="L20")
    refusal = shop().no("trench", "green", location="L20")
    assert "points of Green are for its area, but L20 belongs to Red One (R-BEACH-AREA)" in refusal


def test_a_hex_equally_near_to_two_beaches_belongs_to_either() -> None:
    for beach in ("red_two", "red_three", "black_one", "black_two"):
        shop().buy("trench", beach, location="L32")
    assert "(R-BEACH-AREA)" in shop().no("trench", "red_one", location="L32")


def test_island_points_or_an_agreement_allow_any_location() -> None:
    shop().buy("foxhole_1s", "island", location="L20")
    market = shop()
    market.campaign.tables["rulings"]["R-BEACH-AREA"].value = "free"
    market.buy("trench", "green", location="L20")


def test_a_capp_pillbox_covers_a_beach_hex_of_its_own_beach() -> None:
    arc = ["N20", "N21"]
    shop().buy("pillbox_1_3_5", "red_one", location="M21", arc=arc)
    market = shop()
    market.campaign.tables["rulings"]["R-BEACH-AREA"].value = "free"
    refusal = market.no("pillbox_1_3_5", "green", location="M21", arc=arc)
    assert "it must be adjacent to a Beach hex of Green" in refusal


def test_the_turret_is_not_placed_in_the_area_of_green_beach() -> None:
    hex = next(
        one
        for one in sorted(locations.non_ocean_hexes(63))
        if grid.nearest_beaches(one) == {"green"}
    )
    assert "(R-BEACH-AREA)" in shop().no("turret_8in", "red_one", location=hex)


def test_the_turret_stays_out_of_greens_area_once_setup_areas_exist() -> None:
    """E5 is as near to Green as to Black One."""
    market = refit_shop(areas={"J1": "D1-D9 E4-E9 N17-N21 L20"})
    beside = market.no("turret_8in", "red_one", location="E5")
    assert beside == (
        "8-in. Gun Turret in E5: it may not set up on green: "
        "E5 belongs to Black One or Green (R-BEACH-AREA) (15.6141)"
    )
    assert beside.endswith(shop().no("turret_8in", "red_one", location="E5")[-26:])
    market.buy("turret_8in", location="L20")
    market.campaign.tables["rulings"]["R-BEACH-AREA"].value = "free"
    market.buy("turret_8in", location="E5")


def test_at_a_tie_points_of_the_other_beach_may_place_the_turret() -> None:
    shop().buy("turret_8in", "black_one", location="E5")
    refit_shop(areas={"J1": "D1-D9 E5-E9"}).buy("turret_8in", "black_one", location="E5")


# --- what stands in the Ocean ---------------------------------------------------------------------


def test_an_ocean_hex_belongs_to_the_area_of_the_beach_next_to_it() -> None:
    assert shop().no("tetrahedron", "green", location="E63") == (
        "Tetrahedron in E63: points of Green are for its area, but E63 belongs to Black "
        "Two (R-BEACH-AREA) (15.6143)"
    )
    market = shop()
    market.campaign.tables["rulings"]["R-BEACH-AREA"].value = "free"
    market.buy("tetrahedron", "green", location="E63")


def test_at_most_four_tetrahedra_are_at_a_beach_whichever_points_pay() -> None:
    market = shop()
    for place in ("O18", "O19", "O20"):
        market.buy("tetrahedron", "red_one", location=place)
    market.buy("tetrahedron", "island", location="Q15")
    refusal = market.no("tetrahedron_wire", "island", location="P16")
    assert refusal == (
        "tetrahedra of any type for Red One: 5 including this; the maximum is 4 per beach (15.6143)"
    )
    market.buy("tetrahedron", "island", location="S27")


def test_island_points_may_buy_more_than_four_tetrahedra_for_several_beaches() -> None:
    market = shop()
    for place in ("O18", "O19", "O20", "S27", "S28", "T31"):
        market.buy("tetrahedron", "island", location=place)


def test_at_most_ten_mine_factors_are_at_a_beach_whichever_points_pay() -> None:
    market = shop()
    market.buy("tetrahedron", location="O19")
    market.buy("at_mine_factor", location="O19", quantity=6)
    refusal = market.no("at_mine_factor", "island", location="O19", quantity=5)
    assert refusal == (
        "A-T mine factor for Red One: 11 including this; the maximum is 10 per beach (15.6143)"
    )
    market.buy("at_mine_factor", "island", location="O19", quantity=4)


def test_at_a_tie_a_tetrahedron_of_no_beach_counts_where_there_are_fewer() -> None:
    market = shop()
    for place in ("O18", "O19", "O20"):
        market.buy("tetrahedron", "red_one", location=place)
    market.buy("tetrahedron", "red_one", location="P16")
    market.buy("tetrahedron", "island", location="O21")
    counted = market.no("tetrahedron", "red_one", location="Q15")
    assert "5 including this" in counted


@pytest.mark.parametrize("item", ["san_increase", "hip_squad", "hip_hs", "hip_crew", "hip_smc"])
def test_items_without_a_counter_take_no_location(item: str) -> None:
    refusal = shop().no(item, location="L20")
    assert refusal.endswith("has no Location; leave it out (15.6143)")
    assert shop().buy(item)


def test_concealment_may_be_meant_for_a_location() -> None:
    assert shop().buy("concealment", location="L20")


def test_a_gun_may_be_on_the_pier_which_is_land_for_both_sides() -> None:
    assert shop().buy("art_year3_140l", beach="red_three", location="Z33:pier")


def test_a_trench_has_no_exit_and_no_arc() -> None:
    assert "Trench has no exit; leave it out" in shop().no("trench", location="L20", exit="L21")
    assert "Trench has no Covered Arc; leave it out" in shop().no("trench", arc=["L20", "L21"])


# --- pillboxes ------------------------------------------------------------------------------------


def test_a_pillbox_faces_a_beach_hex_beside_it() -> None:
    market = shop()
    market.buy("pillbox_1_3_5", location="M21", arc=["N21", "N20"])
    assert market.campaign.purchases["pj17"].covered_arc == ("N20", "N21")


@pytest.mark.parametrize(
    ("location", "arc", "what"),
    [
        ("M21", ["L20", "L21"], "must contain a Beach hex, but neither L20 nor L21 is one"),
        ("M21", ["N20", "M22"], "enter two adjacent hexes that are both adjacent to M21"),
        ("M21", ["N21", "O21"], "enter two adjacent hexes that are both adjacent to M21"),
        ("L20", ["M20", "M21"], "it must be adjacent to a Beach hex of Red One"),
        ("N21", ["N20", "O21"], "it may not be in a Beach hex"),
        ("M21", [], "it needs a Covered Arc of two adjacent hexes"),
    ],
)
def test_a_pillbox_that_does_not_cover_the_beach_is_refused(
    location: str, arc: list[str], what: str
) -> None:
    refusal = shop().no("pillbox_1_4_6", location=location, arc=arc)
    assert f"Pillbox 1+4+6 in {location}: " in refusal
    assert what in refusal
    assert refusal.endswith("(15.6142)")


def test_one_hex_of_the_arc_on_the_beach_is_enough() -> None:
    # M22 touches N21 (Beach) and N22 (land).
    shop().buy("pillbox_1_5_7", location="M22", arc=["N21", "N22"])


def test_a_pillbox_of_fpp_may_face_inland() -> None:
    shop().buy("pillbox_fpp_1_3_5", location="L20", arc=["K20", "K21"])


def test_a_covered_arc_is_two_hexes() -> None:
    assert "enter two adjacent hexes, such as O21,O22" in shop().no("pillbox_1_3_5", arc=["N20"])


# --- mines ----------------------------------------------------------------------------------------


def test_mines_are_placed_with_a_tetrahedron() -> None:
    market = shop()
    market.buy("tetrahedron", location="O21")
    market.buy("at_mine_factor", location="O21")


def test_mines_elsewhere_are_refused_once_all_tetrahedra_are_placed() -> None:
    market = shop()
    market.buy("tetrahedron", location="O21")
    refusal = market.no("at_mine_factor", location="O20")
    assert "there is no tetrahedron of Red One there; its tetrahedra: O21" in refusal
    market.buy("tetrahedron", "red_two", location="S27")
    assert "its tetrahedra: O21" in market.no("at_mine_factor", location="S27")
    market.buy("tetrahedron")
    market.buy("at_mine_factor", location="O20")
    assert "it must be in an Ocean hex" in market.no("at_mine_factor", location="L20")


# --- Setup Areas ----------------------------------------------------------------------------------


def test_points_go_to_the_area_with_most_of_the_beach() -> None:
    market = refit_shop(areas={"J1": "N17 N18", "J2": "N19-N21", "M1": "O16 O17 P14 P15"})
    area = destination_area(market.campaign, JAPANESE, "red_one")
    assert area is not None
    assert area.id == "J2"


def test_a_tie_goes_to_the_lowest_area() -> None:
    market = refit_shop(areas={"J2": "N17 N18", "J1": "N19-N20"})
    area = destination_area(market.campaign, JAPANESE, "red_one")
    assert area is not None
    assert area.id == "J1"


def test_points_go_to_a_new_area_when_the_areas_change() -> None:
    market = refit_shop(areas={"J1": "N17-N19", "J2": "N20 N21"})
    assert destination_area(market.campaign, JAPANESE, "red_one") is market.campaign.areas["J1"]
    market.campaign.areas["J1"].hexes = ("N17",)
    assert destination_area(market.campaign, JAPANESE, "red_one") is market.campaign.areas["J2"]


def test_points_of_a_wholly_lost_beach_are_lost() -> None:
    market = refit_shop(areas=AREAS)
    market.buy("hmg", "green")
    assert market.no("hmg", "red_two") == (
        "no Japanese Setup Area contains a Beach hex of Red Two, so its points cannot be "
        "spent (15.614)"
    )
    market.buy("foxhole_1s", "island")


def test_points_of_a_beach_stay_in_its_area() -> None:
    market = refit_shop(areas=AREAS)
    market.buy("foxhole_1s", location="L20")
    assert market.no("foxhole_1s", location="E10") == (
        "1S Foxhole in E10: points of Red One are for Area J1, but E10 is in Area J2 (15.6143)"
    )
    market.buy("foxhole_1s", "island", location="E10")


def test_nothing_is_bought_for_the_enemys_area() -> None:
    market = refit_shop(areas=AREAS)
    market.marine_buys("foxhole_1s", location="N13")
    assert market.no("foxhole_1s", location="N13") == (
        "1S Foxhole in N13: N13 is not in a Japanese Setup Area (15.6143)"
    )


def test_only_concealment_is_bought_for_a_front_line_location() -> None:
    market = refit_shop(areas=AREAS)
    market.buy("concealment", location="M20")
    market.buy("foxhole_1s", location="L20")
    assert market.no("foxhole_1s", location="M20") == (
        "1S Foxhole in M20: M20 is a Front Line Location, where only “?” may set up (15.6143)"
    )


@pytest.mark.parametrize("item", ["hmg", "at_37l"])
def test_guns_and_machine_guns_may_set_up_in_a_front_line_location(item: str) -> None:
    """15.6143 l is a note of the FPP table: R-FRONT-LINE-SETUP."""
    refit_shop(areas=AREAS).buy(item, location="M20")
    market = refit_shop(areas=AREAS, rulings={"R-FRONT-LINE-SETUP": "all"})
    assert "M20 is a Front Line Location" in market.no(item, location="M20")


def test_capp_pillboxes_may_set_up_in_a_front_line_location() -> None:
    where = {"location": "M20", "arc": ["N19", "N20"]}
    areas = AREAS
    refit_shop(areas=areas).buy("pillbox_1_3_5", **where)
    market = refit_shop(areas=areas, rulings={"R-FRONT-LINE-SETUP": "all"})
    assert "M20 is a Front Line Location" in market.no("pillbox_1_3_5", **where)


def test_foxholes_and_concealment_are_bought_for_an_isolated_location() -> None:
    cut_off = japanese_squad("j1", "N19", isolated=True)
    market = refit_shop(cut_off, areas=AREAS)
    market.buy("foxhole_1s", location="N19")
    market.buy("concealment", location="N19")
    assert "N19 is an Isolated Location, where only foxholes and “?” may set up (15.6141)" in (
        market.no("hmg", location="N19")
    )


def test_purchases_for_an_isolated_location_need_only_a_hidden_unit_there() -> None:
    cut_off = japanese_squad("j1", "N20", isolated=True, status=("hidden",))
    market = refit_shop(cut_off, areas=AREAS)
    market.buy("foxhole_1s", location="N20")
    assert "is not in a Japanese Setup Area" in market.no("foxhole_1s", location="N18")


def test_an_isolated_marine_may_dig_a_foxhole() -> None:
    market = refit_shop(marine_squad("m1", "L20", isolated=True), areas=AREAS, date="21 AM")
    market.marine_buys("foxhole_1s", location="L20")
    assert "L20 is an Isolated Location" in market.no_marine("seawall_breach", location="L20/K20")
    assert "L20 is not in a Japanese Setup Area" in market.no("foxhole_1s", location="L20")


def test_a_hexside_needs_one_hex_of_the_side() -> None:
    market = refit_shop(areas=AREAS)
    market.buy("seawall_breach", location="L20/K20")
    assert "E20 is in no" not in market.no("seawall_breach", location="N17/N18")
    assert "not in a Japanese Setup Area" in market.no("seawall_breach", location="N17/N18")


# --- at setup -------------------------------------------------------------------------------------


def test_a_location_given_at_setup_is_checked_by_the_same_limits() -> None:
    market = shop()
    market.buy("bombproof")
    made = market.campaign.fortifications["pj17-1"]
    assert placement_breaches(market.campaign, market.card, made, Spot("L20")) == []
    (breach,) = placement_breaches(market.campaign, market.card, made, Spot("M21"))
    assert (breach.code, breach.records) == ("placement", ("pj17-1",))


def test_a_turret_is_checked_at_setup_and_its_crew_is_free() -> None:
    market = shop()
    market.buy("turret_8in", "black_one")
    gun, crew = market.campaign.weapons["pj17-1"], market.campaign.units["pj17-1-crew"]
    assert placement_breaches(market.campaign, market.card, gun, Spot("E4"))
    assert placement_breaches(market.campaign, market.card, crew, Spot("E4")) == []


def test_a_fortification_that_was_not_bought_is_not_placed_in_ocean() -> None:
    market = shop(fort("F1", "L20"))
    old = market.campaign.fortifications["F1"]
    assert placement_breaches(market.campaign, market.card, old, Spot("M21")) == []
    (breach,) = placement_breaches(market.campaign, market.card, old, Spot("O21"))
    assert breach.rule == "15.6202"


def test_an_arc_is_two_adjacent_hexes_even_before_the_pillbox_has_a_location() -> None:
    refusal = shop().no("pillbox_1_3_5", arc=["N25", "N21"])
    assert refusal == 'arc: "N21,N25" is not accepted; enter adjacent hexes, such as O21,O22'
    assert 'arc: "" is not accepted; enter two adjacent hexes' in shop().no(
        "pillbox_1_3_5", arc=[""]
    )
    assert 'arc: "Q23" is not accepted; enter two adjacent hexes' in shop().no(
        "pillbox_1_3_5", arc=["Q23"]
    )


def test_nothing_is_bought_for_the_inside_of_a_missing_fortification() -> None:
    market = shop(fort("j-pb", "L20"))
    market.buy("hmg", location="L20:j-pb")
    market.buy("hmg", location="L20:1")
    assert market.no("hmg", location="L21:j-pb") == (
        "HMG in L21:j-pb: there is no Fortification j-pb in play in L21 (15.6141)"
    )
    assert ("there is no Fortification nowhere in play in L20") in market.no(
        "hmg", location="L20:nowhere"
    )


def test_only_a_breach_is_on_a_hexside() -> None:
    market = shop()
    market.buy("trench")
    trench = market.campaign.fortifications["pj17-1"]
    assert [
        str(one)
        for one in placement_breaches(market.campaign, market.card, trench, Spot("M21/M22"))
    ] == ["Trench at M21/M22: it must be in a Location, not on a hexside (15.6143)"]
