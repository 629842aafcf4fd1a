"""15.6111-15.6114: recombining, wounded leaders, heroes, leaders."""

import pytest

from brt_cg.model.counters import Fate, UnitClass, UnitKind, UnitStrength
from brt_cg.questions.answers import RefusedError
from brt_cg.refit.s611_promotion import (
    harden_mmc_by_heroes,
    promote_leaders,
    recombine_half_squads,
    roll_for_wounded_leaders,
)
from tests.refit.table import (
    JAPANESE,
    MARINE,
    campaign,
    crew,
    hero,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_half_squad,
    marine_squad,
    pathfinder,
    play,
    sw,
    unit,
)

AREAS = {"M1": "N18-N21", "M2": "P34-P36", "J1": "J40-J50", "J2": "E10"}


def at(area: str, **values):
    """Retained in an area."""
    return {"setup_area": area, **values}


# --- 15.6111 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("half", "traits", "squad"),
    [
        ("3-4-8", "engineer", "7-6-8"),
        ("3-4-8", "", "6-6-8"),
        ("2-3-8", "", "5-5-8"),
    ],
)
def test_two_marine_half_squads_of_one_type_become_their_squad(half, traits, squad):
    ones = [marine_half_squad(i, None, half, traits=traits, **at("M1")) for i in "ab"]
    result = play(recombine_half_squads, campaign(*ones, areas=AREAS))
    assert (result.unit("a").kind, result.unit("a").type) == (UnitKind.SQUAD, squad)
    assert (result.unit("b").fate, result.unit("b").became) == (Fate.RECOMBINED, "a")
    assert result.unit("b").setup_area is None


def test_marine_2_4_8_never_recombine():
    ones = [marine_half_squad(i, None, "2-4-8", **at("M1")) for i in "ab"]
    result = play(recombine_half_squads, campaign(*ones, areas=AREAS))
    assert all(result.unit(i).kind is UnitKind.HALF_SQUAD for i in "ab")


def test_two_reduced_7_6_8_recombine_to_a_7_6_8():
    halves = [marine_half_squad(id, None, "3-4-8", traits="engineer", **at("M1")) for id in "ab"]
    result = play(recombine_half_squads, campaign(*halves, areas=AREAS))
    assert result.unit("a").type == "7-6-8"


def test_assault_engineers_recombine_only_with_each_other():
    engineer = marine_half_squad("a", None, "3-4-8", traits="engineer", **at("M1"))
    other = marine_half_squad("b", None, "3-4-8", **at("M1"))
    result = play(recombine_half_squads, campaign(engineer, other, areas=AREAS))
    assert result.unit("a").kind is result.unit("b").kind is UnitKind.HALF_SQUAD


def test_half_squads_of_different_strength_factors_stay_apart():
    ones = [
        marine_half_squad("a", None, "3-4-8", **at("M1")),
        marine_half_squad("b", None, "2-3-8", **at("M1")),
    ]
    assert play(recombine_half_squads, campaign(*ones, areas=AREAS)).said == []


def test_off_map_is_no_setup_area_to_recombine_in():
    ones = [marine_half_squad(id, "off_map") for id in "ab"]
    assert play(recombine_half_squads, campaign(*ones, areas=AREAS)).said == []


@pytest.mark.parametrize(
    ("class_", "squad"),
    [("elite", "4-4-8"), ("first_line", "4-4-7"), ("second_line", "3-4-7"), ("conscript", "3-3-6")],
)
def test_a_japanese_pair_becomes_a_full_strength_squad_of_its_class(class_, squad):
    ones = [japanese_half_squad(i, None, class_, **at("J1")) for i in "ab"]
    result = play(recombine_half_squads, campaign(*ones, areas=AREAS))
    assert (result.unit("a").type, result.unit("a").strength) == (squad, UnitStrength.FULL)


def test_korean_laborers_and_conscripts_of_the_same_digits_are_different_types():
    laborer = japanese_half_squad("a", None, "conscript", traits="korean_laborer", **at("J1"))
    conscript = japanese_half_squad("b", None, "conscript", **at("J1"))
    result = play(recombine_half_squads, campaign(laborer, conscript, areas=AREAS))
    assert result.unit("a").kind is result.unit("b").kind is UnitKind.HALF_SQUAD


def test_two_laborer_half_squads_become_a_laborer_squad():
    ones = [
        japanese_half_squad(i, None, "conscript", traits="korean_laborer", **at("J1")) for i in "ab"
    ]
    result = play(recombine_half_squads, campaign(*ones, areas=AREAS))
    assert (result.unit("a").type, result.unit("a").traits) == ("3-3-6", ("korean_laborer",))


def test_half_squads_of_different_areas_stay_apart():
    ones = [
        marine_half_squad("a", None, "3-4-8", **at("M1")),
        marine_half_squad("b", None, "3-4-8", **at("M2")),
    ]
    result = play(recombine_half_squads, campaign(*ones, areas=AREAS))
    assert result.unit("b").fate is Fate.IN_PLAY


def test_an_isolated_location_counts_by_itself():
    isolated = {"isolated": True, "recorded_location": "K30"}
    ones = [
        marine_half_squad("a", "K30", "3-4-8", **isolated),
        marine_half_squad("b", "K30", "3-4-8", **isolated),
        marine_half_squad("c", None, "3-4-8", **at("M1")),
    ]
    result = play(recombine_half_squads, campaign(*ones, areas=AREAS))
    assert result.unit("a").type == "6-6-8"
    assert result.unit("c").kind is UnitKind.HALF_SQUAD


def test_an_isolated_location_is_no_area_if_so_ruled():
    isolated = {"isolated": True, "recorded_location": "K30"}
    ones = [marine_half_squad(i, "K30", "3-4-8", **isolated) for i in "ab"]
    rulings = {"R-ISOLATED-AREA": "no"}
    result = play(recombine_half_squads, campaign(*ones, areas=AREAS, rulings=rulings))
    assert result.unit("b").fate is Fate.IN_PLAY


def test_crews_prisoners_and_the_unarmed_never_recombine():
    ones = [
        crew("a", None, **at("M1")),
        crew("b", None, **at("M1")),
        marine_half_squad("c", None, status="unarmed", **at("M1")),
        marine_half_squad("d", None, status="unarmed", **at("M1")),
        marine_half_squad("e", None, status="prisoner", **at("J1")),
        marine_half_squad("f", None, status="prisoner", **at("J1")),
    ]
    result = play(recombine_half_squads, campaign(*ones, areas=AREAS))
    assert result.said == []


def test_the_highest_id_of_three_half_squads_stays_single_by_default():
    ones = [marine_half_squad(i, None, "3-4-8", **at("M1")) for i in "abc"]
    result = play(recombine_half_squads, campaign(*ones, areas=AREAS))
    assert result.subjects == ["M1"]
    assert (result.unit("a").type, result.unit("c").kind) == ("6-6-8", UnitKind.HALF_SQUAD)


def test_the_owner_chooses_which_of_three_half_squads_stays_single():
    ones = [marine_half_squad(i, None, "3-4-8", **at("M1")) for i in "abc"]
    result = play(recombine_half_squads, campaign(*ones, areas=AREAS), choices={"M1": ["a"]})
    assert result.unit("a").kind is UnitKind.HALF_SQUAD
    assert (result.unit("b").type, result.unit("c").became) == ("6-6-8", "b")


@pytest.mark.parametrize("answer", [[], ["a", "b"], ["z"], "a", [1]])
def test_exactly_one_of_each_odd_type_stays_single(answer):
    ones = [marine_half_squad(i, None, "3-4-8", **at("M1")) for i in "abc"]
    with pytest.raises(RefusedError):
        play(recombine_half_squads, campaign(*ones, areas=AREAS), choices={"M1": answer})


def test_two_odd_groups_of_one_type_are_told_apart():
    engineers = [marine_half_squad(i, None, traits="engineer", **at("M1")) for i in "abc"]
    others = [marine_half_squad(i, None, **at("M1")) for i in "def"]
    asked = play(recombine_half_squads, campaign(*engineers, *others, areas=AREAS)).ask("M1")
    assert "3 × 3-4-8 (engineer)" in asked.prompt
    assert "3 × 3-4-8 (the others)" in asked.prompt
    alone = [japanese_half_squad(i, None, **at("J1")) for i in "ghi"]
    asked = play(recombine_half_squads, campaign(*alone, areas=AREAS)).ask("J1")
    assert "(" not in asked.prompt.partition("stays single")[2], "there is only one group"


def test_equipment_of_the_second_half_squad_goes_to_the_squad():
    ones = [marine_half_squad(i, None, "3-4-8", **at("M1")) for i in "ab"]
    ones[1].add_status("low_ammo")
    gun = sw("g", None, possessor="b", **at("M1"))
    prisoner = japanese_squad("p", None, status="prisoner", guard="b", **at("M1"))
    result = play(recombine_half_squads, campaign(*ones, gun, prisoner, areas=AREAS))
    assert result.weapon("g").possessor == "a"
    assert result.unit("p").guard == "a"
    assert result.unit("a").has_status("low_ammo")


# --- 15.6112 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "isolated", "heroic", "drm"),
    [
        (MARINE, False, False, 0),
        (MARINE, True, False, 1),
        (MARINE, False, True, -1),
        (MARINE, True, True, 0),
        (JAPANESE, False, False, 1),
        (JAPANESE, True, False, 2),
        (JAPANESE, False, True, 0),
        (JAPANESE, True, True, 1),
    ],
)
@pytest.mark.parametrize("dr", range(1, 7))
def test_a_wounded_leaders_fate_is_decided_by_his_final_dr(side, isolated, heroic, drm, dr):
    where = (
        {"location": "J45" if side is MARINE else "N19", "isolated": True}
        if isolated
        else {"location": None, "setup_area": "M1" if side is MARINE else "J1"}
    )
    location = where.pop("location")
    traits = "heroic" if heroic else ""
    one = leader("l", location, "8-0", side, status="wounded", traits=traits, **where)
    result = play(roll_for_wounded_leaders, campaign(one, areas=AREAS), {"l": [dr]})
    final = dr + drm
    assert sum(result.modifiers("l").values()) == drm
    assert result.unit("l").has_status("wounded") is (final > 1)
    assert (result.unit("l").fate is Fate.ELIMINATED) is (final >= 4)


def test_a_wounded_japanese_leader_eliminated_on_a_three_scores_as_shown():
    one = leader("l", None, "9-1", JAPANESE, status="wounded", **at("J1"))
    result = play(roll_for_wounded_leaders, campaign(one, areas=AREAS), {"l": [3]})
    assert result.unit("l").fate is Fate.ELIMINATED
    assert result.cvp(MARINE) == 1  # wounded he counts as 8-0


def test_an_unwounded_9_2_does_not_roll():
    result = play(
        roll_for_wounded_leaders, campaign(leader("l", None, "9-2", **at("M1")), areas=AREAS)
    )
    assert result.asks == []


def test_a_half_squad_without_a_partner_may_be_named_as_single():
    ones = [marine_half_squad(id, None, "3-4-8", **at("M1")) for id in "abc"]
    alone = marine_half_squad("x", None, "2-4-8", **at("M1"))
    table = campaign(*ones, alone, areas=AREAS)
    result = play(recombine_half_squads, table, choices={"M1": ["a", "x"]})
    assert [result.unit(id).became for id in "abcx"] == [None, None, "b", None]


def test_wounded_heroes_and_pathfinders_do_not_roll():
    ones = [
        hero("h", None, status="wounded", **at("M1")),
        pathfinder("p", None, status="wounded", **at("M1")),
    ]
    assert play(roll_for_wounded_leaders, campaign(*ones, areas=AREAS)).asks == []


def test_marines_are_asked_first_then_by_area_and_id():
    ones = [
        leader("b", None, "8-0", JAPANESE, status="wounded", **at("J1")),
        leader("z", None, status="wounded", **at("M1")),
        leader("a", None, status="wounded", **at("M2")),
        leader("y", "K30", status="wounded", isolated=True),
    ]
    rolls = {key: [1] for key in "abyz"}
    result = play(roll_for_wounded_leaders, campaign(*ones, areas=AREAS), rolls)
    assert result.subjects == ["y", "z", "a", "b"]


# --- 15.6113 ------------------------------------------------------------------------------------


def test_a_hero_is_removed_and_hardens_the_lowest_id_by_default():
    ones = [
        hero("h", None, JAPANESE, **at("J1")),
        japanese_squad("b", None, "first_line", **at("J1")),
        japanese_squad("a", None, "conscript", "reduced", **at("J1")),
    ]
    result = play(harden_mmc_by_heroes, campaign(*ones, areas=AREAS))
    assert result.unit("h").fate is Fate.ELIMINATED
    assert (result.unit("a").type, result.unit("a").strength) == ("2-3-7", UnitStrength.REDUCED)
    assert result.cvp(MARINE) == 0


def test_the_owner_chooses_who_hardens():
    ones = [
        hero("h", None, JAPANESE, **at("J1")),
        japanese_squad("a", None, "conscript", **at("J1")),
        japanese_half_squad("b", None, "second_line", **at("J1")),
    ]
    result = play(harden_mmc_by_heroes, campaign(*ones, areas=AREAS), choices={"h": "b"})
    assert result.unit("b").type == "2-3-7"


def test_a_hero_with_one_mmc_to_harden_asks_nothing():
    ones = [hero("h", None, JAPANESE, **at("J1")), japanese_squad("a", None, **at("J1"))]
    result = play(harden_mmc_by_heroes, campaign(*ones, areas=AREAS))
    assert result.asks == []
    assert (result.unit("h").fate, result.unit("a").class_) == (Fate.ELIMINATED, UnitClass.ELITE)


def test_a_marine_hero_is_retained_since_every_marine_is_elite():
    ones = [hero("h", None, **at("M1")), marine_squad("a", None, **at("M1"))]
    result = play(harden_mmc_by_heroes, campaign(*ones, areas=AREAS))
    assert result.unit("h").fate is Fate.IN_PLAY
    assert "R-HARDEN-ELITE" in result.log


def test_elite_units_become_fanatic_if_so_ruled():
    ones = [hero("h", None, **at("M1")), marine_squad("a", None, **at("M1"))]
    table = campaign(*ones, areas=AREAS, rulings={"R-HARDEN-ELITE": "fanatic"})
    result = play(harden_mmc_by_heroes, table)
    assert result.unit("h").fate is Fate.ELIMINATED
    assert result.unit("a").status == ("fanatic",)


@pytest.mark.parametrize(
    "other",
    [
        lambda: crew("a", None, JAPANESE, **at("J1")),
        lambda: japanese_squad("a", None, "conscript", traits="korean_laborer", **at("J1")),
        lambda: japanese_squad("a", None, "elite", status="fanatic", **at("J1")),
    ],
    ids=["crew", "laborers", "already Fanatic"],
)
def test_some_elite_units_do_not_become_fanatic(other):
    ruled = {"R-HARDEN-ELITE": "fanatic"}
    table = campaign(hero("h", None, JAPANESE, **at("J1")), other(), areas=AREAS, rulings=ruled)
    assert play(harden_mmc_by_heroes, table).unit("h").fate is Fate.IN_PLAY


@pytest.mark.parametrize(
    "other",
    [
        lambda: crew("a", None, JAPANESE, **at("J1")),
        lambda: japanese_squad("a", None, "first_line", **at("J2")),
        lambda: japanese_squad("a", None, "first_line", status="unarmed", **at("J1")),
        lambda: japanese_squad("a", None, "elite", **at("J1")),
        lambda: japanese_squad("a", None, "conscript", traits="korean_laborer", **at("J1")),
        lambda: leader("a", None, "8-0", JAPANESE, **at("J1")),
    ],
    ids=["crew", "other area", "unarmed", "elite", "laborers", "leader"],
)
def test_a_hero_with_nobody_to_harden_is_retained(other):
    table = campaign(hero("h", None, JAPANESE, **at("J1")), other(), areas=AREAS)
    assert play(harden_mmc_by_heroes, table).unit("h").fate is Fate.IN_PLAY


def test_two_heroes_may_harden_one_squad_twice():
    ones = [
        hero("h1", None, JAPANESE, **at("J1")),
        hero("h2", None, JAPANESE, **at("J1")),
        japanese_squad("a", None, "conscript", **at("J1")),
    ]
    result = play(harden_mmc_by_heroes, campaign(*ones, areas=AREAS))
    assert result.unit("a").type == "4-4-7"


# --- 15.6114 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "before", "after"),
    [
        (MARINE, "6+1", "7-0"),
        (MARINE, "7-0", "8-0"),
        (MARINE, "8-0", "8-1"),
        (MARINE, "8-1", "9-1"),
        (MARINE, "9-1", "9-2"),
        (MARINE, "9-2", "10-2"),
        (MARINE, "10-2", "10-3"),
        (MARINE, "10-3", "10-3"),
        (JAPANESE, "8+1", "8-0"),
        (JAPANESE, "8-0", "9-0"),
        (JAPANESE, "9-0", "9-1"),
        (JAPANESE, "9-1", "10-0"),
        (JAPANESE, "10-0", "10-1"),
        (JAPANESE, "10-1", "10-2"),
        (JAPANESE, "10-2", "10-2"),
    ],
)
def test_a_heroic_leader_hardens_one_step_and_is_heroic_no_more(side, before, after):
    area = "M1" if side is MARINE else "J1"
    one = leader("l", None, before, side, traits="heroic", **at(area))
    result = play(promote_leaders, campaign(one, areas=AREAS))
    assert (result.unit("l").type, result.unit("l").traits) == (after, ())


def test_the_winner_may_harden_a_leader():
    ones = [leader("l", None, "8-0", **at("M1"))]
    table = campaign(*ones, areas=AREAS, winner=MARINE)
    result = play(promote_leaders, table, choices={"marine": {"harden": "l"}})
    assert result.unit("l").type == "8-1"


@pytest.mark.parametrize(("side", "type", "area"), [(MARINE, "7-0", "M2"), (JAPANESE, "8-0", "J1")])
def test_the_winner_may_create_a_leader_numbered_by_its_side(side, type, area):
    table = campaign(areas=AREAS, winner=side)
    result = play(promote_leaders, table, choices={str(side): {"create": area}})
    created = result.unit(f"{side}-ldr-1")
    assert (created.type, created.setup_area, created.kind) == (type, area, UnitKind.LEADER)


def test_the_winner_takes_his_leader_bonus_by_default():
    table = campaign(leader("l", None, "8-0", **at("M1")), areas=AREAS, winner=MARINE)
    result = play(promote_leaders, table)
    assert result.unit("l").type == "8-1"
    assert result.asks[0].prompt.endswith("Battle Harden a leader, or create a 7-0?")
    japanese = play(promote_leaders, campaign(areas=AREAS, winner=JAPANESE)).asks[0]
    assert japanese.prompt.endswith("Battle Harden a leader, or create an 8-0?")


def test_the_winner_may_neither_harden_nor_create_a_leader():
    table = campaign(leader("l", None, "8-0", **at("M1")), areas=AREAS, winner=MARINE)
    assert play(promote_leaders, table, choices={"marine": None}).unit("l").type == "8-0"


@pytest.mark.parametrize(
    "answer",
    [
        {"harden": "isolated"},
        {"harden": "enemy"},
        {"harden": "top"},
        {"harden": "captive"},
        {"create": "J1"},
        {"create": "M9"},
    ],
)
def test_a_winners_leader_must_be_his_own_and_in_his_own_area(answer):
    ones = [
        leader("isolated", "K30", isolated=True),
        leader("enemy", None, "8-0", JAPANESE, **at("J1")),
        leader("top", None, "10-3", **at("M1")),
        leader("captive", None, status="prisoner", **at("J1")),
    ]
    table = campaign(*ones, areas=AREAS, winner=MARINE)
    with pytest.raises(RefusedError):
        play(promote_leaders, table, choices={"marine": answer})


def test_a_winner_with_no_leader_and_no_area_is_asked_nothing():
    assert play(promote_leaders, campaign(areas={"J1": "N30"}, winner=MARINE)).asks == []


def test_off_map_leaders_are_not_isolated():
    one = leader("l", "off_map", "8-0")
    table = campaign(one, areas=AREAS, winner=MARINE)
    assert play(promote_leaders, table, choices={"marine": {"harden": "l"}}).unit("l").type == "8-1"


def test_a_lost_leader_is_not_offered_to_the_winner():
    gone = unit("l", None, MARINE, UnitKind.LEADER, "8-0", traits="heroic", fate=Fate.ELIMINATED)
    assert play(promote_leaders, campaign(gone, areas=AREAS)).said == []


def test_off_map_is_no_setup_area_and_a_hero_there_is_retained():
    table = campaign(
        hero("h", "off_map", JAPANESE), japanese_squad("a", "off_map", "conscript"), areas=AREAS
    )
    result = play(harden_mmc_by_heroes, table)
    assert result.unit("h").fate is Fate.IN_PLAY
    assert result.unit("a").type == "3-3-6"
