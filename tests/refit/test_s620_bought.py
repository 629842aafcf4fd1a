"""15.6201-15.6202: how what was bought sets up."""

import pytest

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Fate
from brt_cg.model.records import Phase, Purchase
from brt_cg.questions.answers import RefusedError
from brt_cg.refit.s620_setup import commence_scenario, set_up_the_rest
from tests.refit.table import (
    JAPANESE,
    campaign,
    crew,
    fort,
    gun,
    japanese_squad,
    marine_squad,
    play,
    sw,
)

BEFORE = {"phase": Phase.SETUP, "initial": True}
LATER = {"phase": Phase.SETUP, "areas": {"M1": "N18-N21", "J1": "J40-J50"}, "initial": False}


def bought(item: str, *counters, id: str = "pj5", date="20 AM", location=None, **facts) -> Campaign:
    """A table with a purchase of 4 points for Red Beach Two behind the counters that name it."""
    table = campaign(*counters, date=date, **facts)
    points = {"points": "fpp", "quantity": 1, "unit_cost": 4, "total": 4}
    made = tuple(one.id for one in counters if getattr(one, "purchase", None) == id)
    table.purchases[id] = Purchase(
        id=id,
        date=date,
        side=JAPANESE,
        beach="red_one",
        item=item,
        location=location,
        created=made,
        **points,
    )
    return table


def again(table: Campaign, item: str, id: str) -> Campaign:
    """The same table with one more purchase."""
    other = table.purchases["pj5"].clone()
    other.id, other.item = id, item
    other.created = tuple(one.id for one in table.counters() if one.purchase == id)
    table.purchases[id] = other
    return table


# --- a Covered Arc or an exit that is still to come ---------------------------------------------


def pillbox(**values):
    return fort("pj5-1", None, "pillbox_fpp_1_3_5", purchase="pj5", unseen=True, **values)


def test_a_pillbox_bought_without_a_covered_arc_is_given_one_at_setup():
    table = bought("pillbox_fpp_1_3_5", pillbox(), **BEFORE)
    place = {"location": "M21", "covered_arc": ["N21", "N20"]}
    box = play(set_up_the_rest, table, choices={"japanese": {"pj5-1": place}}).campaign
    assert box.fortifications["pj5-1"].location == "M21"
    assert box.fortifications["pj5-1"].covered_arc == ("N20", "N21")


def test_a_pillbox_with_a_covered_arc_keeps_it():
    table = bought("pillbox_fpp_1_3_5", pillbox(covered_arc=("N20", "N21")), **BEFORE)
    result = play(set_up_the_rest, table, choices={"japanese": {"pj5-1": "M21"}})
    assert result.campaign.fortifications["pj5-1"].covered_arc == ("N20", "N21")
    assert "covered_arc" not in str(result.asks[0].allowed)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("M21", "it needs a Covered Arc"),
        ({"location": "M21", "covered_arc": ["N20"]}, "two adjacent hexes"),
        (
            {"location": "M21", "covered_arc": ["N20", "A1"]},
            "two adjacent hexes that are both adjacent to",
        ),
        ({"covered_arc": ["N20", "N21"]}, "enter a Location"),
        ({"location": "M21", "facing": "N21"}, "enter a Location"),
        ({"location": "ZZ9", "covered_arc": ["N20", "N21"]}, "ZZ9 is not a hex"),
    ],
)
def test_a_pillbox_does_not_set_up_without_a_covered_arc(place, message):
    table = bought("pillbox_fpp_1_3_5", pillbox(), **BEFORE)
    with pytest.raises(RefusedError, match=message):
        play(set_up_the_rest, table, choices={"japanese": {"pj5-1": place}})


def test_a_tunnel_bought_without_its_exit_is_given_one_at_setup():
    tunnel = fort("pj5-1", None, "tunnel", purchase="pj5", unseen=True)
    place = {"location": "M21", "exit": "K21"}
    table = bought("tunnel", tunnel, **BEFORE)
    result = play(set_up_the_rest, table, choices={"japanese": {"pj5-1": place}})
    made = result.campaign.fortifications["pj5-1"]
    assert (made.location, made.exit) == ("M21", "K21")


def test_a_tunnel_with_an_exit_is_asked_for_its_location_only():
    tunnel = fort("pj5-1", None, "tunnel", exit="K21", purchase="pj5", unseen=True)
    table = bought("tunnel", tunnel, **BEFORE)
    result = play(set_up_the_rest, table, choices={"japanese": {"pj5-1": "M21"}})
    assert "exit" not in str(result.asks[0].allowed)
    made = result.campaign.fortifications["pj5-1"]
    assert (made.location, made.exit) == ("M21", "K21")


def test_a_unit_has_no_exit():
    table = bought("wire", japanese_squad("j1", None), **BEFORE)
    with pytest.raises(RefusedError, match="enter a Location"):
        play(set_up_the_rest, table, choices={"japanese": {"j1": {"location": "M21"}}})


# --- together ------------------------------------------------------------------------------------


def mined(*places: str | None) -> Campaign:
    """Two tetrahedra of Red Beach One without a Location, and mines at these places."""
    tetrahedra = [fort(f"pj5-{n}", None, "tetrahedron", purchase="pj5") for n in (1, 2)]
    mines = [
        fort(f"pj6-{n}", place, "at_mine_factor", purchase="pj6")
        for n, place in enumerate(places, start=1)
    ]
    return again(bought("tetrahedron", *tetrahedra, *mines, **BEFORE), "at_mine_factor", "pj6")


def test_mines_set_up_with_a_tetrahedron_of_the_same_answer():
    chosen = {"pj5-1": "O20", "pj5-2": "O19", "pj6-1": "O19"}
    result = play(set_up_the_rest, mined(None), choices={"japanese": chosen})
    assert result.campaign.fortifications["pj6-1"].location == "O19"


@pytest.mark.parametrize("places", [(None,), ("O20",)])
def test_mines_are_not_set_up_without_a_tetrahedron(places):
    chosen = {"pj5-1": "O19", "pj5-2": "O18"} | ({"pj6-1": "O20"} if places == (None,) else {})
    with pytest.raises(RefusedError, match=r"pj6-1: .*there is no tetrahedron of Red One there"):
        play(set_up_the_rest, mined(*places), choices={"japanese": chosen})


def test_while_a_tetrahedron_is_still_to_be_placed_mines_may_wait_for_it():
    play(set_up_the_rest, mined("O20"), choices={"japanese": {"pj5-1": "O19"}})


def test_no_more_tetrahedra_are_set_up_beside_a_beach_than_its_maximum():
    tetrahedra = [fort(f"pj5-{n}", None, "tetrahedron", purchase="pj5") for n in range(1, 6)]
    table = bought("tetrahedron", *tetrahedra, **BEFORE)
    table.purchases["pj5"].beach = "island"
    hexes = ("O18", "O19", "O20", "P16", "Q15")
    places = {one.id: hex for one, hex in zip(tetrahedra, hexes, strict=True)}
    told = "tetrahedra of any type for Red One: 5 including this; the maximum is 4 per beach"
    with pytest.raises(RefusedError, match=told):
        play(set_up_the_rest, table, choices={"japanese": places})
    places["pj5-5"] = "S27"
    play(set_up_the_rest, table, choices={"japanese": places})


def test_a_hexside_is_not_breached_twice_in_one_answer():
    breaches = [fort(f"pj5-{n}", None, "seawall_breach", purchase="pj5") for n in (1, 2)]
    table = bought("seawall_breach", *breaches, **BEFORE)
    chosen = {"pj5-1": "N21/N22", "pj5-2": "N22/N21"}
    with pytest.raises(RefusedError, match="already breached: pj5-"):
        play(set_up_the_rest, table, choices={"japanese": chosen})
    play(set_up_the_rest, table, choices={"japanese": chosen | {"pj5-2": "N22/N23"}})


def boxed(**values) -> Campaign:
    """A pillbox without a Location, and a squad."""
    return bought("pillbox_fpp_1_3_5", pillbox(**values), japanese_squad("j", None), **BEFORE)


def test_a_pillbox_and_units_inside_it_set_up_in_one_answer():
    box = {"location": "M21", "covered_arc": ["N20", "N21"]}
    for chosen in ({"pj5-1": box, "j": "M21:pj5-1"}, {"j": "M21:pj5-1", "pj5-1": box}):
        result = play(set_up_the_rest, boxed(), choices={"japanese": chosen})
        assert result.unit("j").location == "M21:pj5-1"


def test_nobody_sets_up_in_a_pillbox_that_is_elsewhere_or_not_placed():
    with pytest.raises(RefusedError, match=r"squad j: M21:pj5-1: pillbox .* pj5-1 has no Location"):
        play(set_up_the_rest, boxed(), choices={"japanese": {"j": "M21:pj5-1"}})
    box = {"location": "M22", "covered_arc": ["N21", "N22"]}
    chosen = {"pj5-1": box, "j": "M21:pj5-1"}
    with pytest.raises(
        RefusedError, match="j: M21:pj5-1: there is no Fortification pj5-1 in play in M21"
    ):
        play(set_up_the_rest, boxed(), choices={"japanese": chosen})


def test_a_pillbox_sets_up_with_the_units_bought_for_its_inside():
    table = boxed(covered_arc=("N20", "N21"))
    table.add(gun("g", "M21:pj5-1"))
    play(set_up_the_rest, table, choices={"japanese": {"pj5-1": "M21", "j": "M21:pj5-1"}})
    table = boxed(covered_arc=("N21", "N22"))
    table.add(gun("g", "M21:pj5-1"))
    with pytest.raises(
        RefusedError, match="g: M21:pj5-1: there is no Fortification pj5-1 in play in M21"
    ):
        play(set_up_the_rest, table, choices={"japanese": {"pj5-1": "M22"}})


def test_units_bought_for_a_pillbox_do_not_keep_others_from_setting_up():
    table = boxed()
    table.add(gun("g", "M21:pj5-1"))
    table.add(gun("lost", "M22:pj5-1", fate=Fate.ELIMINATED))
    result = play(set_up_the_rest, table, choices={"japanese": {"j": "off_map"}})
    assert result.unit("j").off_map
    box = {"location": "M21", "covered_arc": ["N20", "N21"]}
    play(set_up_the_rest, table, choices={"japanese": {"pj5-1": box}})


# --- as it was bought ----------------------------------------------------------------------------


def a_gun_at(place: str | None, date: str = "20 PM", **facts) -> Campaign:
    pieces = (
        crew("pj5-1-crew", None, JAPANESE, setup_area="J1", purchase="pj5"),
        gun("pj5-1", None, JAPANESE, setup_area="J1", purchase="pj5", possessor="pj5-1-crew"),
    )
    return bought("inf_37", *pieces, location=place, date=date, **LATER, **facts)


def test_a_purchase_for_a_location_sets_up_there_by_default():
    result = play(set_up_the_rest, a_gun_at("J42"))
    assert [result.piece(one).location for one in ("pj5-1", "pj5-1-crew")] == ["J42", "J42"]
    assert "sets up in J42, as bought" in result.log
    chosen = {"pj5-1": "J44", "pj5-1-crew": "J44"}
    result = play(set_up_the_rest, a_gun_at("J42"), choices={"japanese": chosen})
    assert [result.piece(one).location for one in chosen] == ["J44", "J44"]


def test_a_purchases_location_is_no_default_later_or_where_not_allowed():
    table = a_gun_at("J42")
    table.situation.date = "21 AM"
    assert play(set_up_the_rest, table).piece("pj5-1").location is None
    assert play(set_up_the_rest, a_gun_at("N19")).piece("pj5-1").location is None


# --- a machine gun and its crew ------------------------------------------------------------------

CREW, HMG = "pj5-1-crew", "pj5-1"


def an_hmg(area: str | None = None, date: str = "20 PM", **facts) -> Campaign:
    bound = {"setup_area": area, "purchase": "pj5"}
    pieces = (
        crew(CREW, None, JAPANESE, **bound),
        sw(HMG, None, "HMG", JAPANESE, possessor=CREW, **bound),
    )
    return bought("hmg", *pieces, date=date, **facts)


def set_up(table: Campaign, **chosen: str):
    places = {{"crew": CREW, "hmg": HMG}[who]: place for who, place in chosen.items()}
    return play(set_up_the_rest, table, choices={"japanese": places})


def test_a_crew_takes_its_new_machine_gun_only_to_allowed_locations():
    first = an_hmg(date="20 AM", **BEFORE)
    refused = "pj5-1, going along: HMG in J42: points of Red One are for its area"
    with pytest.raises(RefusedError, match=refused):
        set_up(first, crew="J42")
    assert set_up(first, crew="J42", hmg="N22").piece(HMG).location == "N22"
    front = LATER | {"areas": {"M1": "N18-N21", "J1": "N22-N30"}}
    front |= {"rulings": {"R-FRONT-LINE-SETUP": "all"}}
    with pytest.raises(RefusedError, match="going along: HMG in N22: N22 is a Front Line Location"):
        set_up(an_hmg("J1", **front), crew="N22")
    assert set_up(an_hmg("J1", **front), crew="off_map").piece(HMG).off_map


def test_a_machine_gun_avoids_a_fortification_of_the_same_answer():
    table = an_hmg(date="20 AM", **BEFORE)
    table.add(fort("wire", None, "wire"))
    chosen = {CREW: "J42", "wire": "J43"}
    with pytest.raises(RefusedError, match="pj5-1, going along: HMG in J42"):
        play(set_up_the_rest, table, choices={"japanese": chosen})
    play(set_up_the_rest, table, choices={"japanese": chosen | {CREW: "N22"}})


@pytest.mark.parametrize("chosen", [{"crew": "N22"}, {"crew": "N24", "hmg": "N22"}])
def test_a_machine_gun_already_in_play_sets_up_anywhere_in_its_area(chosen: dict[str, str]):
    areas = {"M1": "N18-N21", "J1": "J40-J50", "J2": "N22-N30"}
    table = an_hmg("J2", date="20 AM", **LATER | {"areas": areas})
    table.situation.date = "20 PM"
    assert set_up(table, **chosen).piece(HMG).location == "N22"


def test_a_crew_is_offered_only_locations_allowed_to_its_machine_gun():
    crew_alone = set_up(an_hmg(date="20 AM", **BEFORE)).asks[0].item(CREW).form
    offered = {candidate.typed for candidate in crew_alone.candidates_for(None)}
    assert {"N22", "off_map"} < offered
    assert "J42" not in offered
    assert "J42" in {candidate.typed for candidate in crew_alone.candidates_for(None, {HMG: "N22"})}


# --- pillboxes and drafts ------------------------------------------------------------------------


def test_a_pillbox_without_a_location_is_filled_with_nobody():
    waiting = [crew(f"c{n}", None, JAPANESE) for n in (1, 2)]
    table = campaign(pillbox(), *waiting, japanese_squad("j1", "J41"), **BEFORE)
    table.fortifications["pj5-1"].capacity = 1
    log = play(set_up_the_rest, table).log
    assert "holds only 0 of 1 squad-equivalent (15.6142)" in log


def test_half_a_squad_equivalent_is_reported_as_half():
    box = fort("pb", "J42", "pillbox_1_3_5", capacity=1)
    inside = crew("c1", "J42:pb", JAPANESE)
    log = play(
        set_up_the_rest,
        campaign(box, inside, japanese_squad("j1", "J41"), japanese_squad("j2", None), **BEFORE),
    ).log
    assert "holds only ½ of 1 squad-equivalent (15.6142)" in log


def test_drafts_never_bought_are_reported_to_their_side():
    table = bought("wire", marine_squad("m1", None), **BEFORE)
    table.purchases["pj5"].draft = True
    result = play(set_up_the_rest, table)
    [told] = [line for line in result.said if "have not bought their drafts: " in line]
    assert told.endswith(" (pj5)")
    assert result.secrets[result.said.index(told)] is JAPANESE


def test_hip_not_allowed_at_commencement_is_reported_to_the_japanese():
    table = bought("hip_squad", japanese_squad("j1", "J42"), date="20 PM", **LATER)
    result = play(commence_scenario, table)
    reckoned = "but only 0 may be used by day: 5% of 1 on map (15.6143)"
    told = f"HIP is bought for 1 squad-equivalent, {reckoned}"
    assert result.secrets[result.said.index(told)] is JAPANESE
