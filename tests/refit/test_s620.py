"""15.616 and 15.6201-15.6205: the Banzai, setup, commencement, order and length."""

import pytest

from brt_cg.card import load_card
from brt_cg.card.arrivals import serialize_counters
from brt_cg.model.counters import Fate, UnitClass, UnitKind
from brt_cg.model.records import Allotment, Arrival, Phase, Purchase
from brt_cg.purchases.limits import can_buy
from brt_cg.questions.answers import RefusedError
from brt_cg.refit.run import ParagraphRun
from brt_cg.refit.s616_banzai import ask_banzai_decision
from brt_cg.refit.s620_setup import (
    commence_scenario,
    determine_banzai_night,
    determine_first_move_and_length,
    set_up_isolated_units,
    set_up_the_rest,
)
from brt_cg.service.setup_answers import as_setup_question
from tests.refit.table import (
    JAPANESE,
    MARINE,
    campaign,
    crew,
    fort,
    gun,
    japanese_squad,
    leader,
    marine_squad,
    play,
    sw,
    terrain,
    unit,
    vehicle,
    vehicular,
)

AREAS = {"M1": "N18-N21", "J1": "J40-J50"}
SETUP = {"phase": Phase.SETUP, "areas": AREAS}


# --- 15.616 -------------------------------------------------------------------------------------


@pytest.mark.parametrize("ended", ["20 PM", "21 PM"])
@pytest.mark.parametrize("decision", [True, False])
def test_after_a_pm_date_the_japanese_decide_in_secret(ended, decision):
    table = campaign(ended=ended, date=ended.replace("PM", "NT"))
    result = play(ask_banzai_decision, table, choices={"japanese": decision})
    assert result.campaign.situation.banzai is decision
    assert result.asks[0].secret is JAPANESE
    assert result.secrets == [JAPANESE]


@pytest.mark.parametrize("ended", ["20 AM", "20 NT", "21 AM"])
def test_after_other_dates_the_japanese_do_not_decide(ended):
    result = play(ask_banzai_decision, campaign(ended=ended, date="21 PM"))
    assert result.asks == []
    assert ended in (result.because or "")


def test_by_default_no_banzai_is_attempted():
    table = campaign(ended="20 PM", date="20 NT")
    assert play(ask_banzai_decision, table).campaign.situation.banzai is False


# --- 15.6201 ------------------------------------------------------------------------------------


def isolated(location="N22", **values):
    return marine_squad("m", location, isolated=True, recorded_location=location, **values)


def test_an_isolated_marine_sets_up_encircled_in_his_location():
    result = play(set_up_isolated_units, campaign(isolated(), **SETUP))
    assert (result.unit("m").location, result.unit("m").status) == ("N22", ("encircled",))


def test_an_isolated_marine_may_set_up_in_an_adjacent_friendly_location():
    result = play(
        set_up_isolated_units, campaign(isolated(), **SETUP), choices={"marine": {"m": "N21"}}
    )
    assert result.unit("m").location == "N21"
    assert result.unit("m").has_status("encircled")


@pytest.mark.parametrize("place", ["N23", "N20", "J40", "ZZ9", "off_map"])
def test_an_isolated_marine_sets_up_nowhere_else(place):
    with pytest.raises(RefusedError):
        play(set_up_isolated_units, campaign(isolated(), **SETUP), choices={"marine": {"m": place}})


def test_an_isolated_marine_does_not_set_up_in_the_ocean_beside_a_boat():
    boat = vehicle("v", "O21", "LVT2", isolated=True, recorded_location="O21")
    table = campaign(isolated("N21"), boat, **SETUP | {"areas": {"J1": "N18-N30"}})
    with pytest.raises(RefusedError, match="sets up in N21"):
        play(set_up_isolated_units, table, choices={"marine": {"m": "O21"}})


def places_of(recorded, *others, areas="N20-N21", **facts):
    """Where a Marine Isolated in a Location may set up; his friends' area holds these hexes."""
    made = campaign(isolated(recorded), *others, **SETUP | {"areas": {"M1": areas, "J1": "J40"}})
    asked = play(set_up_isolated_units, made).asks[0].item("m").form
    return [one.typed for one in asked.candidates_for(None)]


def friend(place):
    return marine_squad("f", place, isolated=True, recorded_location=place)


def test_an_isolated_marine_upstairs_may_go_down_to_a_friend():
    assert places_of("I40:1") == ["I40:1"]
    assert places_of("I40:1", friend("I40")) == ["I40:1", "I40"]
    assert places_of("I40:2", friend("I40")) == ["I40:2"]


def test_an_isolated_marine_may_go_up_or_down_a_level_to_a_friend():
    assert places_of("I40", friend("I40:1")) == ["I40", "I40:1"]
    assert places_of("I40:1", friend("I40:2")) == ["I40:1", "I40:2"]
    assert places_of("I40", friend("I40:2")) == ["I40"]


def test_an_isolated_marine_upstairs_may_go_to_that_level_in_the_next_hex():
    assert places_of("N22:1", terrain("b", "N21:1")) == ["N22:1", "N21", "N21:1"]
    assert places_of("N22", terrain("b", "N21:1")) == ["N22", "N21"]


def test_an_isolated_marine_may_go_into_an_adjacent_friendly_pillbox():
    for hex in ("N22", "N23"):
        box = fort("pb", hex, "pillbox_1_3_5", capacity=1, controller=MARINE)
        assert places_of("N22", box) == ["N22", "N21", f"{hex}:pb"]
        enemys = fort("pb", hex, "pillbox_1_3_5", capacity=1, controller=JAPANESE)
        assert places_of("N22", enemys) == ["N22", "N21"]
    away = fort("pb", "N25", "pillbox_1_3_5", capacity=1, controller=MARINE)
    assert places_of("N22", away) == ["N22", "N21"]


def test_an_isolated_marine_does_not_exceed_a_pillboxs_capacity():
    box = fort("pb", "N22", "pillbox_1_3_5", capacity=1, controller=MARINE)
    inside = marine_squad("f", "N22:pb", isolated=True, recorded_location="N22:pb")
    made = campaign(isolated(), inside, box, **SETUP)
    with pytest.raises(RefusedError, match="has room for 1 squad-equivalent"):
        play(set_up_isolated_units, made, choices={"marine": {"m": "N22:pb"}})


def test_an_isolated_marine_in_a_pillbox_may_go_out_to_a_friend():
    box = fort("pb", "N22", "pillbox_1_3_5", capacity=1, controller=MARINE)
    assert places_of("N22:pb", box, friend("N22")) == ["N22:pb", "N22", "N21"]


def test_sw_and_prisoners_of_an_isolated_marine_set_up_with_him():
    mg = sw("mg", "N22", possessor="m", isolated=True, recorded_location="N22")
    captive = japanese_squad("c", "N22", status="prisoner", guard="m")
    table = campaign(isolated(), mg, captive, **SETUP)
    result = play(set_up_isolated_units, table, choices={"marine": {"m": "N21"}})
    assert (result.piece("mg").location, result.unit("c").location) == ("N21", "N21")


def test_unnamed_prisoners_and_sw_set_up_with_their_isolated_unit():
    mg = sw("mg", None, possessor="m", setup_area="M1")
    captive = japanese_squad("c", None, status="prisoner", guard="m")
    result = play(set_up_isolated_units, campaign(isolated(), mg, captive, **SETUP))
    assert (result.piece("mg").location, result.unit("c").location) == ("N22", "N22")


def test_a_sw_given_a_location_sets_up_there():
    mg = sw("mg", "N22", possessor="m", isolated=True, recorded_location="N22")
    table = campaign(isolated(), mg, **SETUP)
    result = play(set_up_isolated_units, table, choices={"marine": {"m": "N21", "mg": "N22"}})
    assert result.piece("mg").location == "N22"


def test_a_unit_and_its_sw_may_be_named_in_any_order():
    mg = sw("mg", None, possessor="m", setup_area="M1")
    table = campaign(marine_squad("m", None, setup_area="M1"), mg, **SETUP)
    result = play(set_up_the_rest, table, choices={"marine": {"mg": "N18", "m": "N20"}})
    assert (result.piece("mg").location, result.piece("m").location) == ("N18", "N20")


def test_an_isolated_gun_is_not_asked_about_with_the_rest():
    piece = gun("x", "N22", side=MARINE, isolated=True, recorded_location="N22")
    assert play(set_up_the_rest, campaign(piece, **SETUP)).asks == []


@pytest.mark.parametrize(
    "bound",
    [
        gun("x", "N22", side=MARINE, isolated=True, recorded_location="N22"),
        vehicle("x", "N22", status="immobilized", isolated=True, recorded_location="N22"),
    ],
)
def test_an_isolated_gun_or_immobile_vehicle_stays_in_its_recorded_location(bound):
    with pytest.raises(RefusedError):
        play(set_up_isolated_units, campaign(bound, **SETUP), choices={"marine": {"x": "N21"}})


@pytest.mark.parametrize(
    ("values", "encircled"),
    [({}, True), ({"status": "abandoned"}, False), ({"inherent_crew": False}, False)],
)
def test_an_abandoned_vehicle_with_isolated_units_is_not_encircled(values, encircled):
    tank = vehicle("t", "N22", isolated=True, recorded_location="N22", **values)
    result = play(set_up_isolated_units, campaign(isolated(), tank, **SETUP))
    assert result.unit("m").has_status("encircled")
    assert result.vehicle("t").has_status("encircled") is encircled


def test_an_isolated_japanese_sets_up_in_his_location_unencircled():
    one = japanese_squad("j", "N19", isolated=True, recorded_location="N19")
    result = play(set_up_isolated_units, campaign(one, **SETUP))
    assert (result.unit("j").location, result.unit("j").status) == ("N19", ())


def test_the_side_that_sets_up_first_is_asked_first_and_setup_is_secret():
    table = campaign(
        marine_squad("m", None, setup_area="M1"),
        japanese_squad("j", None, setup_area="J1"),
        date="20 PM",
        **SETUP,
    )
    result = play(set_up_the_rest, table)
    assert [ask.side for ask in result.asks] == [JAPANESE, MARINE]
    assert [ask.secret for ask in result.asks] == [JAPANESE, MARINE]


# --- 15.6202 ------------------------------------------------------------------------------------


def test_units_aboard_set_up_with_their_vehicle():
    boat = vehicle("v", None, "LVT2", setup_area="M1")
    rider = marine_squad("m", None, setup_area="M1", aboard="v")
    result = play(set_up_the_rest, campaign(boat, rider, **SETUP), choices={"marine": {"v": "N21"}})
    assert result.asks[0].subjects == ("v",)
    assert result.unit("m").location == "N21"


def test_a_sw_left_hidden_stays_when_its_possessor_moves():
    mg = sw("mg", None, "HMG", JAPANESE, possessor="j", status="hidden", setup_area="J1")
    mg.recorded_location = "J42"
    table = campaign(japanese_squad("j", None, setup_area="J1"), mg, **SETUP)
    result = play(set_up_the_rest, table, choices={"japanese": {"j": "J43"}})
    assert result.weapon("mg").location == "J42"


def test_a_mobile_vehicle_left_hidden_is_bound_too():
    tank = vehicle("t", None, "Type 95 HA-GO", JAPANESE, setup_area="J1", status="hidden")
    tank.recorded_location = "J42"
    assert play(set_up_the_rest, campaign(tank, **SETUP)).vehicle("t").location == "J42"


def test_a_unit_retained_in_no_area_sets_up_off_map_only():
    lost = campaign(marine_squad("m", None), **SETUP)
    with pytest.raises(RefusedError, match="Retained in no Setup Area"):
        play(set_up_the_rest, lost, choices={"marine": {"m": "N20"}})
    result = play(
        set_up_the_rest,
        campaign(marine_squad("m", None), **SETUP),
        choices={"marine": {"m": "off_map"}},
    )
    assert result.unit("m").off_map


def test_nobody_sets_up_in_a_location_where_an_enemy_was_isolated():
    """Where he sets up is his secret (R-SETUP-LIST)."""
    moved = marine_squad("m", "J40", isolated=True, recorded_location="J41")
    table = campaign(moved, japanese_squad("j", None, setup_area="J1"), **SETUP)
    result = play(set_up_the_rest, table, choices={"japanese": {"j": "J40"}})
    assert result.unit("j").location == "J40"
    table = campaign(moved.clone(), japanese_squad("j", None, setup_area="J1"), **SETUP)
    with pytest.raises(RefusedError, match="J41 is an Isolated Location of the enemy"):
        play(set_up_the_rest, table, choices={"japanese": {"j": "J41"}})


def test_a_unit_sets_up_in_any_land_hex_of_its_own_area():
    table = campaign(marine_squad("m", None, setup_area="M1"), **SETUP)
    result = play(set_up_the_rest, table, choices={"marine": {"m": "N20"}})
    assert result.unit("m").location == "N20"


def test_sw_armament_and_prisoners_set_up_with_their_unit_or_vehicle():
    table = campaign(
        marine_squad("m", None, setup_area="M1"),
        sw("mg", None, possessor="m", setup_area="M1"),
        sw("free", None, setup_area="M1"),
        japanese_squad("c", None, status="prisoner", guard="m", setup_area="M1"),
        vehicle("v", None, setup_area="M1"),
        vehicular("ma", None, "v", setup_area="M1"),
        **SETUP,
    )
    result = play(set_up_the_rest, table, choices={"marine": {"m": "N20", "v": "N21"}})
    places = [result.piece(one).location for one in ("mg", "c", "ma", "free")]
    assert places == ["N20", "N20", "N21", None]


@pytest.mark.parametrize(
    ("place", "possessor"), [("N20", None), ("off_map", None), ("N21:1", "m"), (None, "m")]
)
def test_a_sw_set_up_apart_from_its_possessor_is_unpossessed(place, possessor):
    squad = marine_squad("m", "N21", setup_area="M1")
    mg = sw("mg", place, possessor="m", setup_area="M1")
    result = play(commence_scenario, campaign(squad, mg, **SETUP))
    assert result.weapon("mg").possessor == possessor
    assert ("(ruling R-APART)" in result.log) == (possessor is None)


def test_a_sw_hidden_with_its_possessor_stays_secret_apart_from_him():
    squad = japanese_squad("j", "J42", status="hidden", setup_area="J1")
    mg = sw("mg", "J43", "LMG", JAPANESE, possessor="j", setup_area="J1")
    result = play(commence_scenario, campaign(squad, mg, **SETUP))
    assert result.weapon("mg").hidden
    (told,) = (i for i, line in enumerate(result.said) if "not set up with its possessor" in line)
    assert result.secrets[told] is JAPANESE


def test_by_ruling_a_sw_set_up_apart_stays_possessed():
    squad, mg = marine_squad("m", "N21", setup_area="M1"), sw("mg", "N20", possessor="m")
    ruled = campaign(squad, mg, rulings={"R-APART": "possessor"}, **SETUP)
    result = play(commence_scenario, ruled)
    assert result.weapon("mg").possessor == "m"
    assert "R-APART" not in result.log


def test_a_hidden_units_sw_sets_up_in_its_recorded_location():
    one = japanese_squad("j", None, status="hidden", setup_area="J1", recorded_location="J42")
    mg = sw("mg", None, JAPANESE, possessor="j", setup_area="J1")
    assert play(set_up_the_rest, campaign(one, mg, **SETUP)).piece("mg").location == "J42"


@pytest.mark.parametrize("place", ["J45", "V25", "N22"])
def test_a_unit_does_not_set_up_outside_its_own_area(place):
    table = campaign(marine_squad("m", None, setup_area="M1"), **SETUP)
    with pytest.raises(RefusedError, match=place):
        play(set_up_the_rest, table, choices={"marine": {"m": place}})


def test_guns_immobile_vehicles_and_hidden_japanese_are_bound_to_their_recorded_location():
    table = campaign(
        gun("g", None, setup_area="J1", recorded_location="J42"),
        vehicle(
            "v",
            "N19",
            status="immobilized",
            setup_area="M1",
            recorded_location="N19",
        ),
        japanese_squad("h", None, status="hidden", setup_area="J1", recorded_location="J44"),
        japanese_squad("j", None, setup_area="J1"),
        **SETUP,
    )
    result = play(set_up_the_rest, table)
    assert result.weapon("g").location == "J42"
    assert result.vehicle("v").location == "N19"
    assert result.unit("h").location == "J44"
    assert result.unit("j").location is None
    with pytest.raises(RefusedError):
        play(set_up_the_rest, result.campaign, choices={"japanese": {"g": "J43"}})


def test_guns_may_set_up_anywhere_if_so_ruled():
    table = campaign(
        gun("g", None, setup_area="J1", recorded_location="J42"),
        rulings={"R-RECORDED": "no-guns"},
        **SETUP,
    )
    result = play(set_up_the_rest, table, choices={"japanese": {"g": "J43"}})
    assert result.weapon("g").location == "J43"


def test_a_japanese_gun_left_hidden_is_bound_under_either_ruling():
    table = campaign(
        gun("g", None, setup_area="J1", recorded_location="J42", status="hidden"),
        rulings={"R-RECORDED": "no-guns"},
        **SETUP,
    )
    assert play(set_up_the_rest, table).weapon("g").location == "J42"
    with pytest.raises(RefusedError, match="bound to J42"):
        play(set_up_the_rest, table, choices={"japanese": {"g": "J43"}})


def test_support_weapons_may_be_given_a_location_too():
    table = campaign(sw("w", None, setup_area="M1"), **SETUP)
    result = play(set_up_the_rest, table, choices={"marine": {"w": "N18"}})
    assert result.weapon("w").location == "N18"


def initial(*units, answer=None, capacity=1, place="J42"):
    """The Initial Scenario's setup beside a pillbox pb in J42."""
    box = fort("pb", place, "pillbox_1_3_5", capacity=capacity)
    table = campaign(box, *units, phase=Phase.SETUP, initial=True)
    return play(set_up_the_rest, table, choices={"japanese": answer} if answer else None)


def test_in_the_initial_scenario_an_unfilled_pillbox_is_filled_first():
    """15.6142: as long as there is somebody left who could fill it."""
    with pytest.raises(
        RefusedError, match=r"pb is not filled \(1 of 1 squad-equivalent free, 4-4-7 squad j "
    ):
        initial(japanese_squad("j", None), answer={"j": "J43"})
    with pytest.raises(RefusedError, match="no Japanese unit may set up elsewhere"):
        initial(japanese_squad("j", None), leader("l", None, side=JAPANESE), answer={"l": "J43"})


@pytest.mark.parametrize(
    ("units", "answer"),
    [
        ([japanese_squad("j", None)], {"j": "J42:pb"}),
        ([japanese_squad("j", None), japanese_squad("k", None)], {"j": "J42:pb", "k": "J43"}),
        ([leader("l", None, side=JAPANESE)], {"l": "J43"}),
        ([japanese_squad("j", None)], {"j": "off_map"}),
    ],
)
def test_units_set_up_in_a_hex_whose_pillbox_is_or_cannot_be_filled(units, answer):
    result = initial(*(one.clone() for one in units), answer=answer)
    assert {key: result.piece(key).location for key in answer} == answer


def test_a_bought_pillbox_without_a_location_is_filled_first():
    with pytest.raises(RefusedError, match="pb has no Location and is not filled"):
        initial(japanese_squad("j", None), answer={"j": "J43"}, place=None)
    box = {"location": "M21", "covered_arc": ["N20", "N21"]}
    with pytest.raises(RefusedError, match="pb is not filled"):
        initial(japanese_squad("j", None), answer={"pb": box, "j": "J43"}, place=None)
    filled = {"pb": box, "j": "M21:pb", "k": "J43"}
    squads = japanese_squad("j", None), japanese_squad("k", None)
    assert initial(*squads, answer=filled, place=None).unit("k").location == "J43"


def test_the_setup_question_names_the_pillboxes_to_fill_first():
    asked = initial(japanese_squad("j", None)).asks[0]
    told = "to be filled first (15.6142): pillbox 1+3+5 pb (J42) (1 squad-equivalent)"
    assert asked.prompt.endswith(told)
    assert (
        "15.6142"
        not in initial(japanese_squad("f", "J42:pb"), japanese_squad("j", None)).asks[0].prompt
    )


def test_a_marine_may_set_up_beside_a_pillbox_held_by_marines():
    box = fort("pb", "J42", "pillbox_1_3_5", capacity=1, controller=MARINE)
    table = campaign(box, marine_squad("m", None), phase=Phase.SETUP, initial=True)
    result = play(set_up_the_rest, table, choices={"marine": {"m": "J43"}})
    assert result.unit("m").location == "J43"
    assert "15.6142" not in str(result.log)


def test_a_half_filled_pillbox_has_room_for_a_crew_and_for_no_squad():
    inside = crew("c", "J42:pb", JAPANESE)
    result = initial(inside, japanese_squad("j", None), answer={"j": "J43"})
    assert "warning: pillbox 1+3+5 pb (J42) holds only ½ of 1 squad-equivalent" in result.log
    with pytest.raises(RefusedError, match="2-2-8 crew d would fit"):
        initial(inside.clone(), crew("d", None, JAPANESE), answer={"d": "J43"})


def test_a_crew_that_mans_a_gun_fills_a_pillbox_of_one_squad_equivalent():
    """G1.631: it counts as a squad for stacking."""

    def manned(place):
        inside = crew("c", "J42:pb", JAPANESE), gun("g", place, possessor="c")
        return initial(*inside, crew("d", None, JAPANESE), answer={"d": "J43"})

    result = manned("J42:pb")
    assert result.unit("d").location == "J43"
    assert "warning" not in result.log
    with pytest.raises(RefusedError, match="½ of 1 squad-equivalent free, 2-2-8 crew d would fit"):
        manned("J44")


def test_a_vehicle_crew_fills_a_small_pillbox_but_a_half_squad_does_not():
    """As long as the first mans a Gun, there is room for nobody else; the second counts half."""

    def filled_by(kind, type_):
        manning = unit("c", "J42:pb", JAPANESE, kind, type_, class_=UnitClass.FIRST_LINE)
        weapon = gun("g", "J42:pb", possessor="c")
        return initial(manning, weapon, crew("d", None, JAPANESE), answer={"d": "J43"})

    filled_by(UnitKind.VEHICLE_CREW, "1-2-7")
    with pytest.raises(RefusedError, match="½ of 1 squad-equivalent free"):
        filled_by(UnitKind.HALF_SQUAD, "2-3-7")


def test_after_the_initial_scenario_a_pillbox_may_stay_empty():
    box = fort("pb", "J42", "pillbox_1_3_5", capacity=1)
    table = campaign(box, japanese_squad("j", None, setup_area="J1"), **SETUP)
    result = play(set_up_the_rest, table, choices={"japanese": {"j": "J43"}})
    assert result.unit("j").location == "J43"
    assert "warning" not in result.log


def test_a_pillbox_without_an_entered_capacity_is_of_unknown_capacity():
    squads = [japanese_squad(name, None, setup_area="J1") for name in ("j", "k")]
    table = campaign(fort("pb", "J42"), *squads, **SETUP)
    play(set_up_the_rest, table, choices={"japanese": {"j": "J42:pb", "k": "J42:pb"}})


def test_isolated_units_may_exceed_their_pillboxs_capacity():
    held = {"isolated": True, "recorded_location": "N20:pb"}
    squads = [japanese_squad(name, "N20:pb", **held) for name in ("j", "k")]
    table = campaign(fort("pb", "N20", "pillbox_1_3_5", capacity=1), *squads, **SETUP)
    both = {"j": "N20:pb", "k": "N20:pb"}
    result = play(set_up_isolated_units, table, choices={"japanese": both})
    assert {one.location for one in result.campaign.units.values()} == {"N20:pb"}


def test_a_machine_gun_makes_its_crew_no_larger():
    inside = crew("c", "J42:pb", JAPANESE), sw("hmg", "J42:pb", "HMG", JAPANESE, possessor="c")
    with pytest.raises(RefusedError, match="½ of 1 squad-equivalent free, 2-2-8 crew d would fit"):
        initial(*inside, crew("d", None, JAPANESE), answer={"d": "J43"})


@pytest.mark.parametrize("first", [True, False])
def test_nobody_sets_up_in_a_pillbox_beyond_its_capacity(first):
    def table():
        box = fort("pb", "J42", "pillbox_1_3_5", capacity=1)
        squads = (japanese_squad(name, None, setup_area="J1") for name in ("j", "k"))
        chief = leader("l", None, side=JAPANESE, setup_area="J1")
        return campaign(box, *squads, chief, **SETUP | {"initial": first})

    both = {"j": "J42:pb", "k": "J42:pb"}
    full = r"squad j, 4-4-7 squad k: pillbox 1\+3\+5 pb has room for 1 .* would then hold 2 "
    with pytest.raises(RefusedError, match=full):
        play(set_up_the_rest, table(), choices={"japanese": both})
    chosen = {"j": "J42:pb", "l": "J42:pb"}
    result = play(set_up_the_rest, table(), choices={"japanese": chosen})
    assert result.unit("l").location == "J42:pb"
    offered = {
        one.typed for one in result.asks[0].item("k").form.candidates_for(None, {"j": "J42:pb"})
    }
    assert "J43" in offered
    assert "J42:pb" not in offered


def test_a_unit_bound_to_a_full_pillbox_keeps_others_out():
    def table(*others):
        box = fort("pb", "J42", "pillbox_1_3_5", capacity=1)
        held = [
            japanese_squad(name, None, status="hidden", setup_area="J1", recorded_location="J42:pb")
            for name in ("h", "i")
        ]
        return campaign(box, *held, *others, **SETUP)

    result = play(set_up_the_rest, table(), choices={"japanese": {"h": "J42:pb"}})
    assert result.unit("i").location == "J42:pb"
    joining = japanese_squad("j", None, setup_area="J1")
    with pytest.raises(
        RefusedError, match=r"squad j: pillbox 1\+3\+5 pb has room for 1 squad-equivalent"
    ):
        play(set_up_the_rest, table(joining), choices={"japanese": {"j": "J42:pb"}})


def test_a_captured_pillbox_has_no_more_room_for_marines():
    box = fort("pb", "N20", "pillbox_1_3_5", capacity=1, controller=MARINE)
    squads = [marine_squad(name, None, setup_area="M1") for name in ("m", "n")]
    both = {"m": "N20:pb", "n": "N20:pb"}
    with pytest.raises(
        RefusedError,
        match=r"squad m, 7-6-8 squad n: pillbox 1\+3\+5 pb has room for 1 squad-equivalent",
    ):
        play(set_up_the_rest, campaign(box, *squads, **SETUP), choices={"marine": both})


def test_the_inside_of_a_captured_pillbox_is_offered_to_marines():
    held = fort("pb", "N20", "pillbox_1_3_5", capacity=1, controller=MARINE)
    table = campaign(held, marine_squad("m", None, setup_area="M1"), **SETUP)
    form = play(set_up_the_rest, table).asks[0].item("m").form
    assert "N20:pb" in [place.typed for place in form.candidates_for(None)]


def test_a_pillbox_off_map_is_filled_by_nobody():
    result = initial(japanese_squad("j", None), answer={"j": "J43"}, place="off_map")
    assert result.unit("j").location == "J43"
    assert "warning" not in result.log


def test_a_unit_off_map_sets_up_only_off_map():
    result = initial(japanese_squad("j", None), answer={"j": "off_map"})
    assert "warning" not in result.log


def test_only_the_inside_of_an_unfilled_pillbox_is_offered():
    asked = initial(japanese_squad("j", None)).asks[0].item("j").form
    assert [one.typed for one in asked.candidates_for(None)] == ["J42:pb", "off_map"]


def test_a_pillbox_that_is_placed_in_the_same_answer_is_offered_too():
    squads = japanese_squad("j", None), japanese_squad("k", None)
    asked = initial(*squads, place=None).asks[0].item("j").form
    assert [one.typed for one in asked.candidates_for(None)] == ["off_map"], "it has no Location"
    box = {"pb": {"location": "J42", "covered_arc": ["I42", "J41"]}}
    assert [one.typed for one in asked.candidates_for(None, box)] == ["J42:pb", "off_map"]
    assert "J43" in [one.typed for one in asked.candidates_for(None, {**box, "k": "J42:pb"})], (
        "filled"
    )


# --- the tunnel of a pillbox ----------------------------------------------------------------------


def pillbox_at(hex="J42", **facts):
    box = fort("F7", hex, "pillbox_1_3_5", capacity=1, covered_arc=("J43", "I42"))
    return campaign(box, **{**SETUP, "initial": True, **facts})


def test_a_pillbox_set_up_comes_with_a_hidden_tunnel_if_its_owner_wants_it():
    """G1.632."""
    result = play(set_up_the_rest, pillbox_at(), choices={"tunnels": {"tunnel:F7": "J44"}})
    tunnel = result.campaign.fortifications["F7-tunnel"]
    assert (tunnel.type, tunnel.location, tunnel.exit) == ("tunnel", "J42:F7", "J44")
    assert (tunnel.hidden, tunnel.side) == (True, JAPANESE)
    asked = result.ask("tunnels")
    assert (asked.secret, asked.optional) == (JAPANESE, True)
    assert as_setup_question(asked) is None, "the Setup room has no counters for it"
    assert "comes with a tunnel to J44 (G1.632) (ruling R-TUNNEL)" in result.log


def test_a_pillbox_has_no_tunnel_by_default_and_is_asked_about_once():
    result = play(set_up_the_rest, pillbox_at())
    assert [*result.campaign.fortifications] == ["F7"]
    assert "tunnels" not in play(set_up_the_rest, pillbox_at(initial=False)).subjects
    ruled = {"R-TUNNEL": "none"}
    assert "tunnels" not in play(set_up_the_rest, pillbox_at(rulings=ruled)).subjects


def test_a_pillbox_that_has_its_tunnel_is_not_asked_about_again():
    """A tunnel that was bought is one more: several may lead to one Location."""
    for purchase, asked in ((None, False), ("pj5", True)):
        table = pillbox_at()
        tunnel = fort("t", "J42:F7", "tunnel", exit="J46", purchase=purchase, hidden=True)
        table.add(tunnel)
        assert ("tunnels" in play(set_up_the_rest, table).subjects) is asked


def test_a_pillbox_bought_for_this_scenario_with_its_location_comes_with_a_tunnel_too():
    table = pillbox_at(initial=False)
    table.fortifications["F7"].purchase = "pj5"
    about = {"points": "fpp", "quantity": 1, "unit_cost": 9, "total": 9, "date": "21 PM"}
    table.purchases["pj5"] = Purchase(id="pj5", side=JAPANESE, item="pillbox", **about)
    for date in ("21 PM", "22 AM"):
        table.situation.date = date
        subjects = play(set_up_the_rest, table.clone()).subjects
        assert ("tunnels" in subjects) is (date == "21 PM")


@pytest.mark.parametrize(
    ("there", "why"),
    [
        (
            marine_squad("m", "J44", isolated=True, recorded_location="J44"),
            "is not in a Japanese Setup Area",
        ),
        (
            japanese_squad("j", "J44", isolated=True, recorded_location="J44"),
            "an Isolated Location",
        ),
    ],
)
def test_a_pillbox_tunnel_leads_to_no_isolated_location(there, why):
    table = pillbox_at()
    table.add(there)
    with pytest.raises(RefusedError, match=why):
        play(set_up_the_rest, table, choices={"tunnels": {"tunnel:F7": "J44"}})


@pytest.mark.parametrize("end", ["J42", "N19", "T27", "nowhere", "off_map", "J44:F7"])
def test_a_pillbox_tunnel_leads_to_another_land_hex_of_its_side(end):
    with pytest.raises(RefusedError, match="F7"):
        play(set_up_the_rest, pillbox_at(), choices={"tunnels": {"tunnel:F7": end}})


# --- 15.6203 ------------------------------------------------------------------------------------


def night(cg="III", **facts):
    return campaign(cg=cg, date="21 NT", phase=Phase.SETUP, **facts)


def test_no_night_scenario_is_determined_on_other_dates():
    result = play(determine_banzai_night, campaign(date="21 PM", phase=Phase.SETUP))
    assert (result.asks, result.said) == ([], [])


def test_the_night_is_skipped_without_a_banzai():
    result = play(determine_banzai_night, night(banzai=False, nights_without_scenario=1))
    situation = result.campaign.situation
    assert (situation.date, situation.nights_without_scenario) == ("22 AM", 2)
    assert "(ruling R-NIGHT" in result.log
    assert result.asks == []


@pytest.mark.parametrize("said", [-1, "-1"])
def test_the_cut_drm_is_asked_each_night_with_the_last_answer_as_default(said):
    table = night(banzai=True, rulings={"R-BANZAI-DRM": "-2"})
    result = play(determine_banzai_night, table, {"japanese": [2]}, {"R-BANZAI-DRM": said})
    asked = result.ask("R-BANZAI-DRM")
    assert (asked.default, asked.optional) == ("-2", True)
    assert result.campaign.ruling_value("R-BANZAI-DRM") == "-1"
    assert result.campaign.situation.date == "21 NT"
    again = night(banzai=True, rulings={"R-BANZAI-DRM": "-2"})
    assert play(determine_banzai_night, again, {"japanese": [3]}).campaign.situation.date == "21 NT"


def due_on(date, *counters):
    return Arrival(
        id=f"a{date}", side=MARINE, date=date, lines="due", state=serialize_counters(counters)
    )


def grant(date, **points):
    return Allotment(id=f"g{date}", side=JAPANESE, date=date, credited=False, **points)


@pytest.mark.parametrize("banzai", [False, True])
def test_am_arrivals_come_when_a_skipped_night_starts_the_am_date(banzai):
    """15.6121: each passage starts a new CG Date, also that which 15.6203 makes."""
    table = night(banzai=banzai)
    table.add(due_on("22 AM", marine_squad("wave", "off_map")))
    table.add(due_on("22 PM", marine_squad("later", "off_map")))
    result = play(determine_banzai_night, table, {"japanese": [6]} if banzai else {})
    assert result.campaign.situation.date == "22 AM"
    assert result.unit("wave").off_map
    assert "later" not in result.campaign.units
    assert [each.entered for each in result.campaign.arrivals.values()] == [True, False]
    assert "arrives (22 AM: due)" in result.log


def test_a_night_scenario_delays_the_arrivals_of_the_am_date():
    table = night(banzai=True)
    table.add(due_on("22 AM", marine_squad("wave", "off_map")))
    assert "wave" not in play(determine_banzai_night, table, {"japanese": [1]}).campaign.units


def test_points_of_an_am_date_after_a_skipped_night_wait_by_default():
    table = night(banzai=False, ended="21 PM")
    table.add(grant("22 AM", fpp=20))
    result = play(determine_banzai_night, table)
    assert result.asks == []
    assert not result.campaign.allotments["g22 AM"].credited


def test_by_ruling_window_am_points_are_spent_after_the_night_and_set_up_then():
    table = night(
        banzai=False,
        ended="21 PM",
        areas=AREAS,
        paragraph="15.6203",
        rulings={"R-NIGHT-POINTS": "window"},
    )
    table.add(grant("22 AM", fpp=20))

    def buys(now):
        assert now.allotments["g22 AM"].credited, "before anybody is asked"
        assert can_buy(now, JAPANESE)
        assert now.situation.date == "22 AM"
        now.add(fort("new", None, type="foxhole_1s", purchase="p9"))
        return "done"

    choices = {"marine": "done", "japanese": [buys, {"new": "J42"}]}
    run = ParagraphRun(determine_banzai_night, table, load_card("III"))
    asked = []
    while run.ask is not None:
        asked.append(run.ask)
        given = choices[run.ask.subject]
        if isinstance(given, list):
            given = given.pop(0)
        run.send(run.ask.read(given(table) if callable(given) else given))
    assert [(each.rule, each.side) for each in asked] == [
        ("15.614", MARINE),
        ("15.614", JAPANESE),
        ("15.6203", JAPANESE),
    ]
    assert asked[-1].subjects == ("new",)
    assert table.fortifications["new"].location == "J42"
    assert not can_buy(table, JAPANESE)


def test_no_purchase_window_opens_before_a_night_scenario():
    table = night(banzai=True, ended="21 PM", rulings={"R-NIGHT-POINTS": "window"})
    result = play(determine_banzai_night, table, {"japanese": [1]})
    assert {each.rule for each in result.asks} == {"15.6203"}


@pytest.mark.parametrize("cg", ["I", "III"])
@pytest.mark.parametrize("nights", [0, 1])
@pytest.mark.parametrize("ruled", [0, -1])
@pytest.mark.parametrize("dr", range(1, 7))
def test_a_final_dr_of_1_or_less_makes_a_night_scenario(cg, nights, ruled, dr):
    table = night(
        cg, banzai=True, nights_without_scenario=nights, rulings={"R-BANZAI-DRM": str(ruled)}
    )
    result = play(determine_banzai_night, table, {"japanese": [dr]})
    final = dr - nights - (cg == "I") + ruled
    situation = result.campaign.situation
    assert situation.date == ("21 NT" if final <= 1 else "22 AM")
    assert situation.nights_without_scenario == nights + (final > 1)
    assert situation.banzai is None


# --- 15.6204 ------------------------------------------------------------------------------------


def test_both_sides_announce_their_san_and_counters_on_map_are_seen():
    table = campaign(
        fort("seen", "J42", unseen=True),
        fort("hidden", "J43", unseen=True, hidden=True),
        japanese_squad("retained", None, setup_area="J1", unseen=True),
        japanese={"san": 6, "announced_san": 5},
        marine={"san": 3},
        **SETUP,
    )
    result = play(commence_scenario, table)
    assert result.campaign.sides["japanese"].announced_san == 6
    assert result.said == ["the Japanese announce SAN 6", "the Marines announce SAN 3"]
    forts = result.campaign.fortifications
    assert (forts["seen"].unseen, forts["hidden"].unseen) == (False, True)
    assert result.unit("retained").unseen


@pytest.mark.parametrize("massacre", [True, False])
def test_each_scenario_announces_a_massacre_in_effect(massacre):
    told = "Massacre (A20.4) is in effect: apply it at the table"
    result = play(commence_scenario, campaign(massacre=massacre, **SETUP))
    assert (told in result.log) is massacre


def test_the_initial_scenario_names_hexes_with_known_units_of_both_sides():
    marines = (marine_squad("m1", "N20"), marine_squad("m2", "N21"), marine_squad("m3", "N22"))
    pillbox, inside = fort("pb", "N20", "pillbox_1_3_5"), japanese_squad("j1", "N20:pb")
    hidden, captive = (
        japanese_squad("j2", "N21", status="hidden"),
        japanese_squad("j3", "N22", status="prisoner"),
    )
    counters = (*marines, pillbox, inside, hidden, captive)
    warning = "warning: both sides have set up in N20 (ruling R-SETUP-LIST)"
    for initial in (True, False):
        said = play(commence_scenario, campaign(*counters, **SETUP | {"initial": initial})).said
        assert [line for line in said if "both sides" in line] == [warning] * initial


# --- 15.6205 ------------------------------------------------------------------------------------


# Each date, who sets up first, who moves first, the turns; and who moves first by the prose.
IN_ORDER = [
    ("20 AM", JAPANESE, MARINE, "7.5", MARINE),
    ("20 PM", JAPANESE, MARINE, "7", MARINE),
    ("20 NT", MARINE, JAPANESE, "6", JAPANESE),
    ("21 AM", MARINE, JAPANESE, "7", MARINE),
    ("21 PM", JAPANESE, MARINE, "7", MARINE),
    ("21 NT", MARINE, JAPANESE, "6", JAPANESE),
    ("22 AM", MARINE, JAPANESE, "7", MARINE),
    ("22 PM", JAPANESE, MARINE, "7", MARINE),
]


@pytest.mark.parametrize(("date", "first_setup", "first_move", "turns", "in_prose"), IN_ORDER)
def test_order_and_length_by_the_table_and_by_the_prose(
    date, first_setup, first_move, turns, in_prose
):
    for ruling, moves in (("table", first_move), ("prose", in_prose)):
        table = campaign(date=date, phase=Phase.SETUP, rulings={"R-ORDER": ruling})
        found = play(determine_first_move_and_length, table).campaign.situation
        assert (found.first_setup, found.first_move, found.turns) == (first_setup, moves, turns)


@pytest.mark.parametrize(
    ("dr", "first_move"), [(n, MARINE if n < 4 else JAPANESE) for n in range(1, 7)]
)
def test_cg_i_begins_with_a_dr_for_who_moves_first(dr, first_move):
    table = campaign(cg="I", date="21 AM", phase=Phase.SETUP)
    result = play(determine_first_move_and_length, table, {"first_move": [dr]})
    assert result.ask("first_move").side is JAPANESE
    situation = result.campaign.situation
    assert (situation.first_setup, situation.first_move, situation.turns) == (
        JAPANESE,
        first_move,
        "7",
    )


def test_later_scenarios_of_cg_i_follow_the_table():
    result = play(
        determine_first_move_and_length, campaign(cg="I", date="22 AM", phase=Phase.SETUP)
    )
    assert (result.campaign.situation.first_setup, result.asks) == (MARINE, [])


def test_an_isolated_japanese_may_be_named_but_not_moved():
    def table():
        one = japanese_squad("j", "N19", isolated=True, recorded_location="N19")
        return campaign(one, **SETUP)

    result = play(set_up_isolated_units, table(), choices={"japanese": {"j": "N19"}})
    assert result.unit("j").location == "N19"
    with pytest.raises(RefusedError, match="N19"):
        play(set_up_isolated_units, table(), choices={"japanese": {"j": "J42"}})


def test_an_isolated_japanese_cannot_move_even_beside_its_own_area():
    one = japanese_squad("j", "N21", isolated=True, recorded_location="N21")
    table = campaign(one, **SETUP | {"areas": {"M1": "N18-N21", "J1": "N22-N30"}})
    with pytest.raises(RefusedError, match="sets up in N21"):
        play(set_up_isolated_units, table, choices={"japanese": {"j": "N22"}})


def test_a_new_foxhole_may_go_into_an_isolated_location_but_wire_may_not():
    def table(type):
        new = fort("f", "N22", type, MARINE)
        new.location = None
        return campaign(isolated(), new, **SETUP)

    result = play(set_up_isolated_units, table("foxhole_1s"), choices={"marine": {"f": "N22"}})
    assert result.campaign.fortifications["f"].location == "N22"
    for type, place in (("foxhole_1s", "N19"), ("seawall_breach", "N22")):
        with pytest.raises(RefusedError):
            play(set_up_isolated_units, table(type), choices={"marine": {"f": place}})


def test_a_foxhole_in_an_isolated_location_is_set_up_at_15_6201():
    new = fort("f", "N22", "foxhole_1s", MARINE)
    new.location = None
    with pytest.raises(
        RefusedError, match=r"N22 is an Isolated Location: it sets up there at 15\.6201"
    ):
        play(
            set_up_the_rest,
            campaign(isolated(), new, **SETUP),
            choices={"marine": {"f": "N22"}},
        )


def set_up_breach(place):
    breach = fort("b", "N18", "seawall_breach", MARINE)
    breach.location = None
    return play(set_up_the_rest, campaign(breach, **SETUP), choices={"marine": {"b": place}})


def test_a_bought_seawall_breach_sets_up_on_a_hexside():
    result = set_up_breach("N19/N18")
    assert result.campaign.fortifications["b"].location == "N18/N19"


@pytest.mark.parametrize("place", ["N18", "N18/N20", "/", 3])
def test_a_seawall_breach_sets_up_on_nothing_but_a_hexside(place):
    with pytest.raises(RefusedError, match="hex"):
        set_up_breach(place)


def set_up_inside(place):
    one = japanese_squad("j", None, setup_area="J1")
    lost = fort("lost", "J43", fate=Fate.ELIMINATED)
    table = campaign(one, fort("pb", "J42"), lost, **SETUP)
    return play(set_up_the_rest, table, choices={"japanese": {"j": place}})


@pytest.mark.parametrize(
    ("piece", "allowed"),
    [
        (gun("x", None, setup_area="J1"), False),
        (vehicle("x", None, "Type 95 HA-GO", JAPANESE, setup_area="J1"), False),
        (sw("x", None, "HMG", JAPANESE, setup_area="J1"), True),
        (japanese_squad("x", None, setup_area="J1"), True),
    ],
)
def test_no_gun_or_vehicle_sets_up_in_a_gun_emplacement(piece, allowed):
    """T8.1."""
    ruled = {"areas": {"J1": "D4-D8 E4-E8"}, "rulings": {"R-GUN-SITES": "checked"}}
    table = campaign(piece.clone(), **SETUP | ruled)
    chosen = {"japanese": {"x": "D5"}}
    if allowed:
        assert play(set_up_the_rest, table, choices=chosen).piece("x").location == "D5"
    else:
        free = campaign(piece.clone(), **SETUP | {"areas": ruled["areas"]})
        assert play(set_up_the_rest, free, choices=chosen).piece("x").location == "D5"
        with pytest.raises(RefusedError, match="D5 is a Gun Emplacement hex"):
            play(set_up_the_rest, table, choices=chosen)


def test_a_unit_sets_up_inside_a_fortification():
    assert set_up_inside("J42:pb").unit("j").location == "J42:pb"


@pytest.mark.parametrize("place", ["J41:pb", "J43:lost", "J43:nothing"])
def test_a_unit_does_not_set_up_in_a_missing_fortification(place):
    with pytest.raises(RefusedError, match="there is no Fortification"):
        set_up_inside(place)


@pytest.mark.parametrize(
    ("place", "allowed"),
    [("J42", True), ("J42:tr", True), ("T33:pier", True), ("J42:pb", False), ("J42:1", False)],
)
def test_a_vehicle_sets_up_on_the_ground_or_in_a_trench(place, allowed):
    tank = vehicle("t", None, "Type 95 HA-GO", JAPANESE, setup_area="J1")
    forts = fort("pb", "J42"), fort("tr", "J42", "trench")
    table = campaign(tank, *forts, **SETUP | {"areas": {"J1": "J40-J50 T33"}})
    if allowed:
        chosen = {"japanese": {"t": place}}
        assert play(set_up_the_rest, table, choices=chosen).piece("t").location == place
    else:
        with pytest.raises(RefusedError, match="a vehicle sets up on the ground or in a trench"):
            play(set_up_the_rest, table, choices={"japanese": {"t": place}})
