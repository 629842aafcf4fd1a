"""15.605: who is wading when the scenario ends reaches the beach, or does not."""

from typing import Any

import pytest

from brt_cg.board import locations
from brt_cg.model.counters import Fate, Unit, UnitClass, UnitKind, Vehicle
from brt_cg.questions.answers import RefusedError
from brt_cg.refit.s605_wading import roll_for_wading_survival
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    crew,
    dr,
    fort,
    gun,
    hero,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_half_squad,
    marine_squad,
    pathfinder,
    play,
    sw,
    vehicle,
    vehicular,
)

# Ocean hexes by their distance from S29, the one friendly Beach hex of most tests.
AT = {1: "T29", 2: "U29", 3: "V29", 4: "W30", 5: "X30", 6: "Y31", 7: "Z29"}
BEACH = (("S29",),)
SEVEN = [[3, 4]]


def wade(*counters: Any, rolls: Any = None, choices: Any = None, **facts: Any) -> Result:
    table = campaign(*counters, **{"perimeters": BEACH, **facts})
    return play(roll_for_wading_survival, table, rolls, choices)


def squad(**values: Any) -> Unit:
    """A Marine squad, m1, one hex from the beach."""
    return marine_squad("m1", AT[1], **values)


def tank(**values: Any) -> Vehicle:
    """A vehicle, t1, one hex from the beach, with a Pathfinder: nothing modifies its DR."""
    return vehicle("t1", AT[1], **{"pathfinder": "good_order", **values})


# --- the table, Infantry ----------------------------------------------------------------------


@pytest.mark.parametrize("total", range(2, 13))
def test_a_squad_wades_with_a_dr(total: int) -> None:
    gear = sw("w1", AT[1], possessor="m1", pp=2), gun("g1", AT[1], side=MARINE, possessor="m2")
    result = wade(squad(), *gear, rolls={"m1": dr(total)})
    unit, weapon = result.unit("m1"), result.weapon("w1")
    if total <= 7:
        assert (unit.kind, unit.location, weapon.location) == (UnitKind.SQUAD, "S29", "S29")
    elif total <= 10:
        assert (unit.kind, unit.type, unit.location) == (UnitKind.HALF_SQUAD, "3-4-8", "S29")
    else:
        assert unit.fate is Fate.ELIMINATED
    assert weapon.in_play is (total <= 9)
    assert result.weapon("g1").in_play
    assert result.cvp(JAPANESE) == (0 if total <= 7 else 1 if total <= 10 else 2)


@pytest.mark.parametrize("final", [8, 9, 10])
@pytest.mark.parametrize("kind", [marine_half_squad, crew])
def test_casualty_reduction_eliminates_a_wading_half_squad_or_crew(final: int, kind: Any) -> None:
    gear = sw("w1", AT[1], possessor="u", pp=1)
    result = wade(kind("u", AT[1]), gear, rolls={"u": dr(final)})
    assert not result.unit("u").in_play
    assert not result.weapon("w1").in_play


@pytest.mark.parametrize("strength", ["full", "reduced"])
def test_a_wading_japanese_squad_is_reduced_to_a_half_squad(strength: str) -> None:
    swims = japanese_squad("j1", AT[1], "first_line", strength)
    result = wade(swims, rolls={"j1": dr(9)}, perimeters=())
    assert result.unit("j1").type == "2-3-7"
    assert result.cvp(MARINE) == 1


LOST = " (program's reading: lost with its unit or alone)"


def test_a_lost_gun_scores_two() -> None:
    gear = gun("g1", AT[1], side=MARINE, possessor="u")
    result = wade(crew("u", AT[1]), gear, rolls={"u": dr(11)}, choices=None)
    assert result.cvp(JAPANESE) == 4


def test_unpossessed_equipment_in_the_ocean_is_lost() -> None:
    left = sw("w1", AT[2]), gun("g1", AT[2], side=MARINE)
    result = wade(*left)
    assert not result.weapon("w1").in_play
    assert not result.weapon("g1").in_play
    assert result.cvp(JAPANESE) == 2
    assert f"MMG w1 (U29) is lost in the Ocean{LOST}" in result.said


@pytest.mark.parametrize("location", ["S29", "Z33:pier", "Z33", "off_map"])
def test_unpossessed_equipment_elsewhere_is_kept(location: str) -> None:
    assert wade(sw("w1", location)).weapon("w1").in_play


def test_unpossessed_equipment_possibly_aboard_a_vehicle_is_kept() -> None:
    assert wade(vehicle("v1", AT[2], amphibious=True), sw("w1", AT[2])).weapon("w1").in_play


@pytest.mark.parametrize("total", [2, 12])
def test_equipment_aboard_is_lost_only_with_the_vehicle(total: int) -> None:
    result = wade(tank(), sw("w1", AT[1]), rolls={"t1": dr(total)})
    assert result.weapon("w1").in_play is result.vehicle("t1").in_play is (total == 2)


@pytest.mark.parametrize(("ruling", "ends"), [("stays", AT[1]), ("aboard", "S29"), ("lost", None)])
def test_players_rule_on_equipment_left_in_the_ocean_when_its_vehicle_lands(
    ruling: str, ends: str | None
) -> None:
    counters = tank(), sw("w1", AT[1])
    result = wade(*counters, rolls={"t1": dr(2)}, rulings={"R-OCEAN-SW": ruling})
    assert result.vehicle("t1").location == "S29"
    weapon = result.weapon("w1")
    assert (weapon.location if weapon.in_play else None) == ends
    assert ("(ruling R-OCEAN-SW" in result.log) is (ruling != "stays")


@pytest.mark.parametrize("ruling", ["aboard", "lost"])
def test_equipment_aboard_stays_with_its_vehicle(ruling: str) -> None:
    boat = vehicle("v1", AT[1], amphibious=True)
    counters = tank(), boat, sw("w1", AT[1])
    result = wade(*counters, rolls={"t1": dr(2)}, rulings={"R-OCEAN-SW": ruling})
    assert (result.weapon("w1").in_play, result.weapon("w1").location) == (True, AT[1])


@pytest.mark.parametrize(
    ("location", "aboard"), [("N19", None), ("Z33:pier", None), ("Z33", None), ("off_map", None)]
)
def test_units_not_in_the_ocean_do_not_wade(location: str, aboard: str | None) -> None:
    assert wade(marine_squad("m1", location, aboard=aboard)).asks == []


def test_units_aboard_a_vehicle_do_not_wade() -> None:
    boat = vehicle("v1", AT[1], "LVT2", amphibious=True)
    assert wade(boat, marine_squad("m1", AT[1], aboard="v1")).asks == []


def test_wading_order_is_marines_first_then_by_hex_and_id() -> None:
    counters = (
        marine_squad("m2", "U29"),
        marine_squad("m1", "U29"),
        marine_squad("m3", "T29"),
        japanese_squad("j1", "T30"),
    )
    rolls = {"m1": SEVEN, "m2": SEVEN, "m3": SEVEN, "j1": [[1, 1]]}
    rolled = [one.subject for one in wade(*counters, rolls=rolls).asks if one.kind == "roll"]
    assert rolled == ["m3", "m1", "m2", "j1"]


# --- the DRM, Infantry ------------------------------------------------------------------------


def modifiers(*counters: Any, **how: Any) -> dict[str, int]:
    """The modifiers of m1."""
    ids = [one.id for one in counters if isinstance(one, Unit) and one.mmc and not one.prisoner]
    return wade(*counters, rolls={key: [[1, 1]] for key in ids}, **how).modifiers("m1")


@pytest.mark.parametrize(("hexes", "drm"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3)])
def test_each_two_full_hexes_add_one(hexes: int, drm: int) -> None:
    found = modifiers(marine_squad("m1", AT[hexes]))
    assert found == ({f"for {hexes} hexes to the beach (1 per full 2)": drm} if drm else {})


def test_encircled_adds_two() -> None:
    assert modifiers(squad(status="encircled")) == {"Encircled": 2}


@pytest.mark.parametrize(("type_", "drm"), [("9-2", -2), ("8-1", -1)])
def test_a_leader_helps_the_only_mmc_without_a_question(type_: str, drm: int) -> None:
    assert modifiers(squad(), leader("l1", AT[1], type_)) == {"leader": drm}


@pytest.mark.parametrize(
    "other",
    [
        leader("l1", AT[1], "8-0"),
        leader("l1", AT[2], "9-2"),
        leader("l1", AT[1], "9-2", status="broken"),
        leader("l1", AT[1], "9-2", aboard="v1"),
        hero("l1", AT[1]),
    ],
)
def test_ineligible_leaders_help_no_wading_mmc(other: Unit) -> None:
    boat = vehicle("v1", AT[1], "LVT2", amphibious=True)
    assert modifiers(squad(), other.clone(), boat) == {}


def test_a_leader_with_a_harmful_drm_is_left_out_or_applied_by_ruling() -> None:
    hurts = leader("l1", AT[1], "6+1")
    assert modifiers(squad(), hurts.clone()) == {}
    assert modifiers(squad(), hurts, rulings={"R-LEADER-DRM": "apply"}) == {"leader": 1}


@pytest.mark.parametrize(
    ("choice", "drms"), [("m1", (-1, 0)), ("m2", (0, -1)), (None, (0, 0)), ("default", (-1, 0))]
)
def test_a_leader_helps_one_mmc_of_his_location(choice: str | None, drms: tuple[int, int]) -> None:
    result = wade(
        *(squad(), marine_squad("m2", AT[1]), leader("l1", AT[1], "8-1")),
        rolls={"m1": SEVEN, "m2": SEVEN},
        choices=None if choice == "default" else {"leader:T29": choice},
    )
    found = tuple(result.modifiers(one).get("leader", 0) for one in ("m1", "m2"))
    assert found == drms
    assert result.ask("leader:T29").side is MARINE


def test_a_question_about_hidden_mmc_is_secret() -> None:
    lurk = {"status": "hidden"}
    mmc = (japanese_half_squad(id, "U29", **lurk) for id in ("j1", "j2"))
    lead = leader("l1", "U29", "9-1", JAPANESE, **lurk)
    result = wade(*mmc, lead, rolls={"j1": SEVEN, "j2": SEVEN}, perimeters=())
    assert result.ask("leader:U29").secret is JAPANESE
    assert result.ask("j1", "choice").secret is JAPANESE


def test_the_better_of_two_leaders_helps() -> None:
    two = leader("l1", AT[1], "8-1"), leader("l2", AT[1], "9-2")
    assert modifiers(squad(), *two) == {"leader": -2}


@pytest.mark.parametrize(("pp", "excess"), [(0, 0), (3, 0), (4, 1), (7, 4)])
def test_each_pp_above_the_ipc_adds_one(pp: int, excess: int) -> None:
    found = modifiers(squad(), sw("w1", AT[1], possessor="m1", pp=pp))
    assert found == ({f"for {excess} PP above its IPC": excess} if excess else {})


def test_several_weapons_add_up_and_a_gun_counts_five() -> None:
    gear = (
        sw("w1", AT[1], possessor="m1", pp=1),
        gun("g1", AT[1], side=MARINE, possessor="m1", pp=1),
    )
    assert modifiers(squad(), *gear) == {"for 3 PP above its IPC": 3}


def test_weapons_of_other_units_do_not_count() -> None:
    gear = sw("w1", AT[1], pp=9), sw("w2", AT[1], possessor="m9", pp=9)
    assert modifiers(squad(), *gear) == {}


def test_unknown_pp_are_asked_for_and_kept() -> None:
    gear = sw("w1", AT[1], possessor="m1")
    result = wade(squad(), gear, rolls={"m1": SEVEN}, choices={"w1": 4})
    assert result.modifiers("m1") == {"for 1 PP above its IPC": 1}
    assert result.weapon("w1").pp == 4


def test_pp_not_entered_count_as_zero_with_a_warning() -> None:
    result = wade(squad(), sw("w1", AT[1], possessor="m1"), rolls={"m1": SEVEN})
    assert "warning: MMG w1 (T29) counts as 0 PP" in result.said


@pytest.mark.parametrize("raw", [-1, "4", None, True, 100])
def test_pp_must_fit_a_state_file(raw: Any) -> None:
    with pytest.raises(RefusedError, match="enter a whole number from 0 to 99"):
        wade(squad(), sw("w1", AT[1], possessor="m1"), choices={"w1": raw})


def test_pp_are_not_asked_for_on_land() -> None:
    assert wade(marine_squad("m1", "N19"), sw("w1", "N19", possessor="m1")).asks == []


@pytest.mark.parametrize(("status", "excess"), [("", 1), ("wounded", 2)])
def test_a_leader_adds_his_ipc_unless_wounded(status: str, excess: int) -> None:
    found = modifiers(
        squad(),
        leader("l1", AT[1], "8-0", status=status),
        sw("w1", AT[1], possessor="m1", pp=5),
    )
    assert found == {f"for {excess} PP above its IPC": excess}


def test_a_leader_who_carries_himself_adds_nothing() -> None:
    gear = sw("w1", AT[1], possessor="m1", pp=5), sw("w2", AT[1], possessor="l1", pp=1)
    assert modifiers(squad(), leader("l1", AT[1]), *gear) == {"for 2 PP above its IPC": 2}


def test_only_one_of_two_leaders_adds_his_ipc() -> None:
    two, gear = (leader(id, AT[1]) for id in ("l1", "l2")), sw("w1", AT[1], possessor="m1", pp=5)
    assert modifiers(squad(), *two, gear) == {"for 1 PP above its IPC": 1}


@pytest.mark.parametrize(
    ("choice", "excess"), [("m1", (1, 2)), ("m2", (2, 1)), (None, (2, 2)), ("default", (1, 2))]
)
def test_a_leader_helps_one_of_two_burdened_mmc(
    choice: str | None, excess: tuple[int, int]
) -> None:
    result = wade(
        *(squad(), marine_squad("m2", AT[1]), marine_squad("m0", AT[1]), leader("l1", AT[1])),
        sw("w1", AT[1], possessor="m1", pp=5),
        sw("w2", AT[1], possessor="m2", pp=5),
        rolls={"m0": SEVEN, "m1": SEVEN, "m2": SEVEN},
        choices=None if choice == "default" else {"ipc:T29": choice},
    )
    found = tuple(sum(result.modifiers(one).values()) for one in ("m1", "m2"))
    assert found == excess
    assert result.modifiers("m0") == {}


def test_all_infantry_modifiers_add_up() -> None:
    loaded = marine_squad("m1", AT[5], status="encircled")
    gear = sw("w1", AT[5], possessor="m1", pp=6)
    result = wade(loaded, leader("l1", AT[5], "9-2"), gear, rolls={"m1": dr(3)})
    assert result.modifiers("m1") == {
        "Encircled": 2,
        "for 5 hexes to the beach (1 per full 2)": 2,
        "leader": -2,
        "for 2 PP above its IPC": 2,
    }
    assert result.unit("m1").in_play


# --- destinations -----------------------------------------------------------------------------


def test_among_equally_near_beach_hexes_the_owner_chooses() -> None:
    near = (("R24", "R25"),)
    for choice, where in ((None, "R24"), ({"m1": "R25"}, "R25")):
        swims = marine_squad("m1", "S25")
        result = wade(swims, rolls={"m1": SEVEN}, choices=choice, perimeters=near)
        assert result.unit("m1").location == where
        assert "wades ashore to" in result.log
        assert "(ruling R-FRIENDLY-BEACH)" in result.log


def test_a_hex_farther_off_cannot_be_chosen() -> None:
    with pytest.raises(RefusedError, match="enter R24, R25"):
        wade(
            marine_squad("m1", "S25"),
            rolls={"m1": SEVEN},
            choices={"m1": "R26"},
            perimeters=(("R24", "R25", "R26"),),
        )


def landing(*others: Any, unit: Any = None, **facts: Any) -> str | None:
    """Where a unit that wades at S25 lands."""
    swims = unit or marine_squad("u", "S25")
    result = wade(swims, *others, rolls={swims.id: [[1, 1]]}, **{"perimeters": (), **facts})
    return result.unit(swims.id).location


def test_a_beach_hex_of_a_perimeter_is_friendly_to_marines() -> None:
    assert landing(perimeters=(("R28", "Q28", "Q29"),)) == "R28"


def test_a_beach_hex_that_holds_a_marine_is_friendly() -> None:
    assert landing(marine_squad("m9", "R27")) == "R27"
    assert landing(vehicle("t9", "R26")) == "R26"
    assert landing(marine_squad("m9", "R27:F1")) == "R27"


@pytest.mark.parametrize("status", ["prisoner", "hidden"])
def test_a_unit_that_cannot_hold_a_beach_hex_does_not_make_it_friendly(status: str) -> None:
    nearer = marine_squad("m9", "R25", status=status)
    assert landing(nearer, marine_squad("m8", "R27")) == "R27"


@pytest.mark.parametrize(
    "nearer",
    [
        vehicle("t9", "R25", status="abandoned"),
        marine_squad("m9", "R25", fate=Fate.ELIMINATED),
    ],
)
def test_an_empty_vehicle_or_a_lost_unit_does_not_make_a_beach_friendly(nearer: Any) -> None:
    assert landing(nearer, marine_squad("m8", "R27")) == "R27"


def test_an_enemy_makes_a_beach_hex_unfriendly() -> None:
    enemies = japanese_squad("j1", "R28:F1"), marine_squad("m9", "R27")
    assert landing(*enemies, perimeters=(("R28",),)) == "R27"


def test_a_hidden_enemy_does_not_make_a_beach_unfriendly() -> None:
    lurks = japanese_squad("j1", "R28", status="hidden")
    assert landing(lurks, perimeters=(("R28",),)) == "R28"


def test_an_enemy_in_a_hidden_pillbox_does_not_make_a_beach_unfriendly() -> None:
    pillbox, lurks = fort("f1", "R28", hidden=True), japanese_squad("j1", "R28:f1")
    assert landing(pillbox, lurks, perimeters=(("R28",),)) == "R28"


def test_marines_without_a_friendly_beach_take_the_nearest_without_enemies() -> None:
    assert landing(japanese_squad("j1", "R24")) == "R25"


def test_japanese_wade_to_hexes_outside_every_perimeter_without_marines() -> None:
    swims = japanese_squad("u", "S25")
    assert landing(marine_squad("m1", "R24"), unit=swims, perimeters=(("R25",),)) == "R23"


def test_japanese_without_a_friendly_beach_take_the_nearest_without_enemies() -> None:
    everything = tuple(hex for hex in locations.hexes_in_play(63) if locations.is_beach(hex))
    swims, marine = japanese_squad("u", "S25"), marine_squad("m1", "R24")
    assert landing(marine, unit=swims, perimeters=(everything,)) == "R25"


@pytest.mark.parametrize(("ruling", "ends"), [("shared", "R25"), ("apart", "R24")])
def test_both_sides_share_a_beach_hex_unless_ruled_otherwise(ruling: str, ends: str) -> None:
    """The Marines have no friendly one, and are placed where the Japanese go too."""
    counters = marine_squad("m", "S25"), japanese_squad("j", "S25")
    rolls = {"m": [[1, 1]], "j": [[1, 1]]}
    ruled = {"R-SHARED-BEACH": ruling}
    choices = {"m": "R25"} | ({"j": "R25"} if ruling == "shared" else {})
    result = wade(*counters, rolls=rolls, perimeters=(), rulings=ruled, choices=choices)
    assert result.unit("m").location == "R25"
    assert result.unit("j").location == ends


def test_a_beach_out_of_play_is_no_destination() -> None:
    swims = marine_squad("u", "T32")
    assert landing(unit=swims.clone(), cg="I", perimeters=(("T34", "R22"),)) == "R22"
    assert landing(unit=swims, cg="III", perimeters=(("T34", "R22"),)) == "T34"


def test_friendly_beaches_are_fixed_at_the_start_of_the_paragraph() -> None:
    counters = marine_squad("m1", "T29"), marine_squad("m2", "S23"), marine_squad("m9", "S31")
    result = wade(*counters, rolls={"m1": SEVEN, "m2": [[1, 1]]}, perimeters=())
    assert {result.unit(one).location for one in ("m1", "m2")} == {"S31"}


# --- SMC and prisoners ------------------------------------------------------------------------


def test_an_smc_alone_reaches_the_beach_without_a_dr() -> None:
    for one in (leader("l1", AT[3]), hero("l1", AT[3]), pathfinder("l1", AT[3])):
        result = wade(one, sw("w1", AT[3], possessor="l1", pp=1))
        assert result.asks == []
        assert (result.unit("l1").location, result.weapon("w1").location) == ("S29", "S29")
        assert "(ruling R-WADE-SMC)" in result.log


@pytest.mark.parametrize("dice", [SEVEN, dr(12)])
@pytest.mark.parametrize("ruling", ["with", "eliminated-with"])
def test_the_log_names_no_hidden_mmc_that_an_smc_goes_with(ruling: str, dice: Any) -> None:
    lurks = japanese_squad("lurks", "S25", status="hidden")
    seen = leader("l1", "S25", "9-0", JAPANESE)
    result = wade(lurks, seen, rolls={"lurks": dice}, rulings={"R-WADE-SMC": ruling})
    told = zip(result.said, result.secrets, strict=True)
    assert not any("lurks" in line for line, secret in told if secret is None)
    assert "9-0 l1" in result.log


def test_an_smc_goes_with_an_mmc_that_the_enemy_sees_if_there_is_one() -> None:
    lurks = japanese_squad("a-lurks", "S25", status="hidden")
    others = japanese_squad("b", "S25"), leader("l1", "S25", "9-0", JAPANESE)
    result = wade(lurks, *others, rolls={"a-lurks": SEVEN, "b": SEVEN})
    assert "9-0 l1 (S25) wades with 4-4-7 squad b, without a DR" in result.log


@pytest.mark.parametrize("ruling", ["with", "eliminated-with"])
def test_an_smc_goes_with_the_mmc_he_is_stacked_with(ruling: str) -> None:
    result = wade(
        *(marine_squad("m1", "S25"), leader("l1", "S25", "8-0")),
        rolls={"m1": SEVEN},
        choices={"m1": "R25"},
        perimeters=(("R24", "R25"),),
        rulings={"R-WADE-SMC": ruling},
    )
    assert result.unit("l1").location == "R25"
    assert result.subjects == ["m1", "m1"]


def test_an_smc_whose_mmc_is_eliminated_is_placed_alone() -> None:
    result = wade(squad(), leader("l1", AT[1]), rolls={"m1": dr(12)})
    assert result.unit("l1").location == "S29"


def test_an_smc_dies_with_his_mmc_if_so_ruled() -> None:
    result = wade(
        *(squad(), leader("l1", AT[1]), sw("w1", AT[1], possessor="l1", pp=1)),
        rolls={"m1": dr(12)},
        rulings={"R-WADE-SMC": "eliminated-with"},
    )
    assert not result.unit("l1").in_play
    assert not result.weapon("w1").in_play
    assert result.cvp(JAPANESE) == 3
    assert "R-WADE-SMC" in result.log


def test_a_leader_shares_the_fate_of_the_mmc_he_helps() -> None:
    result = wade(
        *(squad(), marine_squad("m2", AT[1]), leader("l1", AT[1], "8-1")),
        rolls={"m1": dr(2), "m2": dr(12)},
        choices={"leader:T29": "m2"},
        rulings={"R-WADE-SMC": "eliminated-with"},
    )
    assert not result.unit("l1").in_play


def test_prisoners_share_their_guards_fate() -> None:
    held = japanese_half_squad("j1", AT[1], status="prisoner", guard="m1")
    landed = wade(squad(), held.clone(), rolls={"m1": SEVEN})
    assert landed.subjects == ["m1"]
    assert landed.unit("j1").location == "S29"
    drowned = wade(squad(), held, rolls={"m1": dr(12)})
    assert not drowned.unit("j1").in_play


def test_marine_prisoners_share_their_guards_fate() -> None:
    held = marine_half_squad("m1", AT[1], status="prisoner", guard="j1")
    result = wade(japanese_squad("j1", AT[1]), held, rolls={"j1": SEVEN})
    assert result.subjects == ["j1"]


# --- the table, vehicles ----------------------------------------------------------------------


@pytest.mark.parametrize("total", range(2, 13))
def test_a_vehicle_wades_with_a_dr(total: int) -> None:
    gear = vehicular("w1", AT[1], "t1"), marine_half_squad("m1", AT[1], aboard="t1")
    result = wade(tank(), *gear, rolls={"t1": dr(total)})
    boat, rider = result.vehicle("t1"), result.unit("m1")
    where = AT[1] if total > 7 else "S29"
    status = {8: ("mired",), 9: ("mired",), 10: ("immobilized",)}.get(total, ())
    assert (boat.location, boat.status, boat.in_play) == (where, status, total < 11)
    assert (rider.location, rider.in_play) == (where, total < 11)
    assert result.weapon("w1").location == where
    assert result.weapon("w1").in_play is (total < 11)
    assert result.cvp(JAPANESE) == (7 if total >= 11 else 0)


def test_an_immobilized_vehicle_that_survives_stays_in_place() -> None:
    result = wade(tank(status="immobilized"), rolls={"t1": SEVEN})
    assert (result.vehicle("t1").location, result.vehicle("t1").status) == (
        AT[1],
        ("immobilized",),
    )
    assert "stays where it is (ruling R-WADE-WHO)" in result.log


@pytest.mark.parametrize(("ruling", "rolls"), [("non-amphibious", False), ("all", True)])
def test_amphibious_vehicles_roll_only_if_so_ruled(ruling: str, rolls: bool) -> None:
    boat = tank(amphibious=True)
    result = wade(boat, rolls={"t1": SEVEN} if rolls else {}, rulings={"R-WADE-WHO": ruling})
    assert bool(result.asks) is rolls


@pytest.mark.parametrize("status", ["abandoned", "wreck", "burnt_out"])
@pytest.mark.parametrize("ruling", ["non-amphibious", "all"])
def test_empty_vehicles_never_roll(status: str, ruling: str) -> None:
    assert wade(tank(status=status), rulings={"R-WADE-WHO": ruling}).asks == []


def test_each_side_rolls_for_its_own_vehicles() -> None:
    enemy = vehicle("t2", AT[1], side=JAPANESE, pathfinder="good_order")
    result = wade(tank(), enemy, rolls={"t1": dr(8), "t2": dr(8)})
    assert [ask.subject for ask in result.asks if ask.kind == "roll"] == ["t1", "t2"]


def test_a_vehicle_on_land_does_not_roll() -> None:
    assert wade(vehicle("t1", "N19")).asks == []


def test_a_vehicles_owner_chooses_among_equally_near_beach_hexes() -> None:
    boat = vehicle("t1", "S25", pathfinder="good_order")
    result = wade(boat, rolls={"t1": SEVEN}, choices={"t1": "R25"}, perimeters=(("R24", "R25"),))
    assert result.vehicle("t1").location == "R25"


# --- the DRM, vehicles ------------------------------------------------------------------------


def vehicle_modifiers(**values: Any) -> dict[str, int]:
    return wade(tank(**values), rolls={"t1": [[1, 1]]}).modifiers("t1")


@pytest.mark.parametrize(("hexes", "drm"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 1), (6, 2), (7, 2)])
def test_each_full_three_hexes_add_one(hexes: int, drm: int) -> None:
    boat = vehicle("t1", AT[hexes], pathfinder="good_order")
    found = wade(boat, rolls={"t1": [[1, 1]]}).modifiers("t1")
    assert found == ({f"for {hexes} hexes to the beach (1 per full 3)": drm} if drm else {})


@pytest.mark.parametrize(("af", "drm"), [(4, 0), (5, 1), (9, 1), (10, 2), (11, 2)])
def test_each_full_five_af_add_one(af: int, drm: int) -> None:
    found = vehicle_modifiers(best_af=af)
    assert found == ({f"for {af} AF on its best facing (1 per full 5)": drm} if drm else {})


@pytest.mark.parametrize(
    ("type_", "drm"), [("6+1", 1), ("8-1", -1), ("9-1", -1), ("9-2", -2), ("10-2", -2)]
)
def test_an_armor_leader_gives_his_drm(type_: str, drm: int) -> None:
    assert vehicle_modifiers(armor_leader=type_) == {"armor leader": drm}


def test_an_unarmored_vehicle_adds_one() -> None:
    assert vehicle_modifiers(armored=False) == {"unarmored": 1}


@pytest.mark.parametrize(
    ("state", "found"),
    [("good_order", {}), ("wounded", {"wounded Pathfinder": 1}), ("none", {"no Pathfinder": 2})],
)
def test_a_pathfinder_helps_his_vehicle_wade(state: str, found: dict[str, int]) -> None:
    assert vehicle_modifiers(pathfinder=state) == found


def test_encirclement_adds_only_for_infantry() -> None:
    assert vehicle_modifiers(status="encircled") == {}


def test_all_vehicle_modifiers_add_up() -> None:
    boat = vehicle("t1", AT[6], armor_leader="9-2", best_af=11)
    result = wade(boat, rolls={"t1": dr(3)})
    assert result.modifiers("t1") == {
        "for 6 hexes to the beach (1 per full 3)": 2,
        "armor leader": -2,
        "for 11 AF on its best facing (1 per full 5)": 2,
        "no Pathfinder": 2,
    }
    assert result.vehicle("t1").location == "S29"


# --- crew survival ----------------------------------------------------------------------------


@pytest.mark.parametrize("total", range(2, 13))
def test_the_crew_survives_a_dr_of_its_cs_number(total: int) -> None:
    rider = marine_half_squad("m1", AT[1], aboard="t1")
    gear = sw("w1", AT[1], possessor="m1", pp=1)
    sunk = tank(crew_survival=6)
    result = wade(sunk, rider, gear, rolls={"t1": [*dr(12), *dr(total)]})
    saved = total <= 6
    assert not result.vehicle("t1").in_play
    assert ("t1-crew" in result.campaign.units) is saved
    assert result.unit("m1").in_play is saved
    assert result.weapon("w1").in_play is saved
    if saved:
        men = result.unit("t1-crew")
        assert (men.kind, men.type, men.side) == (UnitKind.VEHICLE_CREW, "1-2-6", MARINE)
        assert {men.location, result.unit("m1").location} == {"S29"}
        assert result.unit("m1").aboard is None


def test_a_prisoner_who_drowns_with_his_guard_aboard_scores_once() -> None:
    rider = marine_half_squad("a1", AT[1], aboard="t1")
    held = japanese_squad("j1", AT[1], aboard="t1", status="prisoner", guard="a1")
    result = wade(tank(crew_survival=6), rider, held, rolls={"t1": [*dr(12), *dr(7)]})
    assert not result.unit("j1").in_play
    assert result.cvp(MARINE) == 2
    assert result.log.count("j1 (T29) is eliminated") == 1


def test_a_japanese_crew_that_survives_has_a_class_as_every_mmc() -> None:
    sunk = vehicle("t1", "S26", side=JAPANESE, pathfinder="good_order", crew_survival=12)
    table = campaign(sunk, perimeters=())
    men = play(roll_for_wading_survival, table, {"t1": [*dr(12), *dr(2)]}).unit("t1-crew")
    assert (men.kind, men.class_, men.type) == (UnitKind.VEHICLE_CREW, UnitClass.ELITE, "1-2-7")
    assert men.side is JAPANESE


@pytest.mark.parametrize(("survival", "points"), [(12, 4), (1, 6)])
def test_a_crew_that_survives_is_not_counted_in_its_vehicle(survival: int, points: int) -> None:
    result = wade(tank(crew_survival=survival), rolls={"t1": [*dr(12), *dr(7)]})
    assert result.cvp(JAPANESE) == points


@pytest.mark.parametrize("choice", ["survives", "eliminated", None])
def test_players_decide_crew_survival_without_a_cs_number(choice: str | None) -> None:
    choices = {"crew:t1": choice} if choice else None
    result = wade(tank(), rolls={"t1": dr(12)}, choices=choices)
    assert ("t1-crew" in result.campaign.units) is (choice == "survives")
    assert "(ruling R-CREW-SURVIVAL)" in result.log


@pytest.mark.parametrize(
    ("armor_leader", "becomes"),
    [("10-2", "10-1"), ("9-2", "9-1"), ("9-1", "9-0"), ("8-1", "8-0"), ("6+1", None), (None, None)],
)
def test_an_armor_leader_whose_crew_survives_may_become_one_of_the_next_lower_quality(
    armor_leader: str | None, becomes: str | None
) -> None:
    """G1.411; a 6+1 never does."""
    lost = vehicle("t1", AT[1], "Type 95 HA-GO", JAPANESE, armor_leader=armor_leader)
    choices = {"crew:t1": "survives"} | ({"armor_leader:t1": "leader"} if becomes else {})
    result = wade(lost, rolls={"t1": dr(12)}, choices=choices, perimeters=())
    leaders = [unit for unit in result.campaign.units.values() if unit.leader]
    assert [unit.type for unit in leaders] == ([becomes] if becomes else [])
    assert all(unit.location == "S29" for unit in leaders)


@pytest.mark.parametrize(
    "values", [{"status": "stunned"}, {"status": "stun_plus1"}, {"status": "recalled"}]
)
def test_an_armor_leader_of_a_stunned_or_recalled_crew_becomes_no_leader(
    values: dict[str, Any],
) -> None:
    lost = vehicle("t1", AT[1], "Type 95 HA-GO", JAPANESE, armor_leader="9-1", **values)
    choices = {"crew:t1": "survives"}
    result = wade(lost, rolls={"t1": dr(12)}, choices=choices, perimeters=())
    assert "armor_leader:t1" not in result.subjects


def test_a_marine_armor_leader_is_not_replaced_by_a_leader() -> None:
    result = wade(tank(armor_leader="9-1"), rolls={"t1": dr(12)}, choices={"crew:t1": "survives"})
    assert "armor_leader:t1" not in result.subjects


def test_the_armor_leader_is_lost_by_default() -> None:
    lost = vehicle("t1", AT[1], "Type 95 HA-GO", JAPANESE, armor_leader="9-1")
    choices = {"crew:t1": "survives"}
    result = wade(lost, rolls={"t1": dr(12)}, choices=choices, perimeters=())
    assert not any(unit.leader for unit in result.campaign.units.values())


def test_the_fate_of_a_crew_is_asked_only_when_the_vehicle_is_eliminated() -> None:
    known = tank(amphibious=False, best_af=0)
    assert wade(known, rolls={"t1": dr(10)}).subjects == ["t1"]


@pytest.mark.parametrize("type_", ["6+1", "8-1"])
def test_a_leader_whose_drm_must_be_applied_helps_one_mmc_or_the_other(type_: str) -> None:
    stack = (squad(), marine_squad("m2", AT[1]), leader("l1", AT[1], type_))
    must = {"R-LEADER-DRM": "apply"}
    result = wade(*[one.clone() for one in stack], rolls={"m1": SEVEN, "m2": SEVEN}, rulings=must)
    assert result.ask("leader:T29").allowed == ["m1", "m2"]
    with pytest.raises(RefusedError):
        wade(*stack, rolls={"m1": SEVEN, "m2": SEVEN}, choices={"leader:T29": None}, rulings=must)


def test_unknown_vehicle_numbers_are_asked_once_per_type() -> None:
    boats = [vehicle(id, AT[1], "Own tank", best_af=None) for id in ("t1", "t2")]
    choices = {"amphibious:t1": False, "best_af:t1": 10}
    result = wade(*boats, rolls={"t1": SEVEN, "t2": SEVEN}, choices=choices)
    assert [ask.subject for ask in result.asks if ask.kind == "entry"] == [*choices]
    assert result.modifiers("t2")["for 10 AF on its best facing (1 per full 5)"] == 2


def test_a_vehicle_not_known_to_be_amphibious_wades_with_a_warning() -> None:
    result = wade(vehicle("t1", AT[1], "Own tank"), rolls={"t1": SEVEN})
    assert "warning: amphibious is not known for Own tank t1 (T29) and counts as no" in result.log
    assert "warning: best AF is not known for Own tank t1 (T29) and counts as 0" in result.log
