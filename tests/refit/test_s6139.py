"""15.6139: removal of wrecks, wire, rubble, pillboxes and entrenchments."""

from collections import Counter
from itertools import product
from typing import Any

import pytest

from brt_cg.model.counters import Fate, Side, UnitKind
from brt_cg.questions.answers import Raw, RefusedError
from brt_cg.questions.question_types import MultiQuestion, RollQuestion
from brt_cg.refit.s6139_removal import attempt_removals, split_into_equal_parts
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    crew,
    fort,
    gun,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_half_squad,
    marine_squad,
    play,
    terrain,
    unit,
    vehicle,
    vehicular,
)

# N24 is in the Marine front line, N25 in the Japanese one: N24 is adjacent to it, N23 one hex
# further, N22 beyond that.
AREAS = {"M1": "N20-N24", "M2": "P22", "J1": "N25-N45"}
FAR, NEAR, ADJACENT = "N22", "N23", "N24"
WRECK: dict[str, Any] = {"status": "wreck", "inherent_crew": False}


def remove(*counters: Any, side: str = "marine", rolls: Any = None, **more: Any) -> Result:
    """Plays 15.6139; keyword `tries` holds what the side tries, `choices` what else it answers."""
    answers = {side: more.pop("tries", {}), **more.pop("choices", {})}
    return play(attempt_removals, campaign(*counters, **{"areas": AREAS, **more}), rolls, answers)


def one_try(item: Any, dr: int, *others: Any, helpers: Any = (), **more: Any) -> Result:
    return remove(
        item,
        *others,
        tries={item.id: {"helpers": list(helpers)}},
        rolls={item.id: [dr], **more.pop("rolls", {})},
        **more,
    )


def refusal(*counters: Any, tries: Raw, **more: Any) -> str:
    with pytest.raises(RefusedError) as caught:
        remove(*counters, tries=tries, **more)
    return str(caught.value)


def engineers(id: str = "e1", area: str = "M1", **values: Any) -> Any:
    return marine_squad(id, None, setup_area=area, traits="engineer", **values)


def test_every_7_6_8_is_an_assault_engineer_by_brt9() -> None:
    """One helps a wire away with a dr of 3."""
    plain = marine_squad("e1", None, "7-6-8", setup_area="M1")
    found = one_try(mine("wire"), 3, plain, helpers=["e1"])
    assert not found.campaign.fortifications["x"].in_play
    assert "−1 for 1 Assault-Engineer squad" in found.log


def test_by_ruling_named_a_plain_7_6_8_is_no_assault_engineer() -> None:
    plain, rulings = marine_squad("e1", None, "7-6-8", setup_area="M1"), {"R-ENGINEERS": "named"}
    tries = {"x": {"helpers": ["e1"]}}
    assert "e1 cannot help there" in refusal(mine("wire"), plain, tries=tries, rulings=rulings)


def test_plain_and_named_7_6_8_are_one_type_in_a_draw() -> None:
    squads = engineers("a"), marine_squad("b", None, "7-6-8", setup_area="M1")
    result = one_try(in_front(), 6, *squads)
    assert "x/pick" not in result.subjects


def test_a_reduced_7_6_8_is_still_an_engineer() -> None:
    plain, named = marine_squad("e1", None, "7-6-8", setup_area="M1"), {"R-ENGINEERS": "named"}
    assert one_try(in_front(), 6, plain.clone(), rulings=named).unit("e1").traits == ()
    assert one_try(in_front(), 6, plain).unit("e1").traits == ("engineer",)


def laborers(id: str = "k1", **values: Any) -> Any:
    return japanese_squad(id, None, setup_area="J1", traits="korean_laborer", **values)


def bulldozer(id: str = "b1", **values: Any) -> Any:
    return vehicle(id, None, setup_area="M1", bulldozer=True, **values)


# --- the table --------------------------------------------------------------------------------


def mine(type_: str, **values: Any) -> Any:
    return fort("x", FAR, type_, controller=MARINE, **values)


@pytest.mark.parametrize(
    ("item", "needed"),
    [
        (vehicle("x", FAR, **WRECK), 3),
        (vehicle("x", FAR, "Type 95 HA-GO", JAPANESE, status="burnt_out wreck"), 3),
        (vehicle("x", FAR, setup_area="M1", status="immobilized"), 3),
        (vehicle("x", FAR, setup_area="M1", status="abandoned", inherent_crew=False), 3),
        (mine("wire"), 2),
        (mine("pillbox"), 1),
        (mine("pillbox_1_3_5"), 1),
        (mine("pillbox_fpp_1_5_7"), 1),
        (mine("bombproof"), 1),
        (mine("trench"), 1),
        (mine("foxhole_1s"), 1),
        (mine("foxhole_3s", side=MARINE), 1),
        (terrain("x", FAR, "stone_rubble"), 1),
        (terrain("x", FAR, "wooden_rubble"), 1),
    ],
)
def test_each_item_needs_its_final_dr(item: Any, needed: int) -> None:
    for dr in (needed, needed + 1):
        result = one_try(item.clone(), dr)
        found = result.campaign.find("x")
        assert found is not None
        assert found.in_play is (dr > needed)
        assert result.modifiers("x") == {}


@pytest.mark.parametrize(("dr", "left"), [(2, False), (3, True)])
def test_a_seawall_breach_is_on_a_hexside(dr: int, left: bool) -> None:
    breach = mine("seawall_breach")
    breach.location = "N21/N22"
    result = one_try(breach, dr)
    assert result.campaign.fortifications["x"].in_play is left
    assert result.said[0].startswith("seawall breach x (N21/N22): dr")


def immobile(**values: Any) -> Any:
    home = {} if values.get("isolated") else {"setup_area": "M1"}
    return vehicle("x", FAR, status="immobilized", **home, **values)


def test_the_crew_leaves_a_tank_that_its_own_side_removes_and_nothing_scores() -> None:
    result = one_try(immobile(), 3)
    assert (result.cvp(MARINE), result.cvp(JAPANESE)) == (0, 0)
    assert not result.vehicle("x").in_play
    out = result.unit("x-crew")
    assert (out.kind, out.type, out.setup_area) == (UnitKind.VEHICLE_CREW, "1-2-6", "M1")
    assert (out.side, out.in_play, out.location, out.isolated) == (MARINE, True, None, False)
    left = "1-2-6 vehicle crew x-crew (Area M1) leaves M4A2 x (ruling R-REMOVED-CREW)"
    assert [line for line in result.said if "leaves" in line] == [left]


def test_nobody_leaves_an_empty_removed_tank() -> None:
    empty = vehicle("x", FAR, status="abandoned", inherent_crew=False, setup_area="M1")
    result = one_try(empty, 3)
    assert (result.cvp(MARINE), result.cvp(JAPANESE)) == (0, 0)
    assert not result.campaign.units


def test_the_unit_that_re_manned_a_removed_tank_leaves_it_unchanged() -> None:
    crewed = marine_half_squad("hs", None, fate=Fate.CREWED, became="x")
    result = one_try(immobile(), 3, crewed)
    assert list(result.campaign.units) == ["hs"]
    found = result.unit("hs")
    assert (found.fate, found.became, found.setup_area) == (Fate.IN_PLAY, None, "M1")


@pytest.mark.parametrize(
    ("ruling", "controller", "isolated"), [("leaves", MARINE, True), ("lost", JAPANESE, None)]
)
def test_an_isolated_location_is_given_up_only_when_empty(
    ruling: str, controller: Side, isolated: bool | None
) -> None:
    tank = immobile(isolated=True, recorded_location=FAR)
    hole = fort("f", FAR, "foxhole_1s", controller=MARINE)
    table = {"areas": {"J1": "N20-N45"}, "rulings": {"R-REMOVED-CREW": ruling}}
    result = one_try(tank, 3, hole, **table)
    assert result.campaign.fortifications["f"].controller is controller
    found = result.campaign.units.get("x-crew")
    assert (found and found.isolated) is isolated
    if found is not None:
        assert (found.location, found.recorded_location) == (FAR, FAR)


def test_by_ruling_the_crew_is_lost_with_a_removed_tank_and_scores() -> None:
    lost = {"R-REMOVED-CREW": "lost"}
    result = one_try(immobile(), 3, rulings=lost)
    assert (result.cvp(MARINE), result.cvp(JAPANESE)) == (0, 2)
    assert "M4A2 x (N22) loses its crew" in result.said
    assert not result.campaign.units
    crewed = marine_half_squad("hs", None, fate=Fate.CREWED, became="x")
    assert one_try(immobile(), 3, crewed, rulings=lost).unit("hs").fate is Fate.ELIMINATED
    silent = one_try(immobile(), 3, rulings={**lost, "R-CVP-REFIT": "none"})
    assert silent.cvp(JAPANESE) == 0


def test_a_removed_tank_takes_its_weapons_along() -> None:
    tank = vehicle("x", FAR, status="immobilized", setup_area="M1")
    result = one_try(tank, 1, vehicular("ma", FAR, "x", setup_area="M1"))
    assert result.weapon("ma").fate is Fate.ELIMINATED


def test_a_unit_bound_to_a_removed_pillbox_is_bound_to_its_hex() -> None:
    pillbox = fort("x", "N30", controller=JAPANESE)
    inside = gun("g1", None, setup_area="J1", recorded_location="N30:x")
    result = one_try(pillbox, 1, inside, side="japanese")
    assert result.weapon("g1").recorded_location == "N30"


def test_a_unit_in_a_removed_hidden_pillbox_is_hidden_by_itself() -> None:
    pillbox = fort("x", "N30", controller=JAPANESE, hidden=True)
    inside = japanese_squad("j1", "N30:x", isolated=True, recorded_location="N30:x")
    result = one_try(pillbox, 1, inside, side="japanese")
    assert (result.unit("j1").location, result.unit("j1").hidden) == ("N30", True)


# --- which items ------------------------------------------------------------------------------


def items_offered(result: Result, side: str = "marine") -> tuple[str, ...]:
    ask = result.ask(side)
    assert isinstance(ask, MultiQuestion)
    return ask.subjects


def test_removal_is_attempted_only_for_listed_items() -> None:
    result = remove(vehicle("w1", FAR, **WRECK), mine("wire"))
    assert result.subjects == ["marine"]
    assert result.said == []


def test_each_side_attempts_removal_in_its_own_locations_by_hex_and_id() -> None:
    result = remove(
        fort("b", "N23", "wire", controller=MARINE),
        fort("a", "N23", "wire", controller=MARINE),
        vehicle("w1", "N20", "Type 95 HA-GO", JAPANESE, **WRECK),
        fort("theirs", "N30", "wire", controller=JAPANESE),
        terrain("r1", "N31", "stone_rubble"),
    )
    assert items_offered(result) == ("w1", "a", "b")
    assert items_offered(result, "japanese") == ("theirs", "r1")


@pytest.mark.parametrize(
    "no_item",
    [
        mine("tunnel"),
        mine("fortified_building"),
        mine("tetrahedron"),
        mine("wire", fate=Fate.ELIMINATED),
        fort("x", "Q10", "wire"),
        vehicle("x", FAR, setup_area="M1"),
        vehicle("x", None, setup_area="M1", bulldozer=True),
        vehicle("x", "Q18", **WRECK),
        vehicle("x", "off_map", **WRECK),
        terrain("x", FAR, "building"),
        terrain("x", FAR, "obstacle"),
        terrain("x", FAR, "collapsed_tower"),
        terrain("x", "Q10", "stone_rubble"),
    ],
)
def test_some_items_cannot_be_removed(no_item: Any) -> None:
    result = play(attempt_removals, campaign(no_item.clone(), areas=AREAS))
    assert result.asks == []


def test_isolated_units_clear_items_in_their_location() -> None:
    cut_off = japanese_squad("j1", "N20", isolated=True, recorded_location="N20")
    result = one_try(terrain("x", "N20", "stone_rubble"), 1, cut_off, side="japanese")
    assert not result.campaign.terrain["x"].in_play


def test_each_item_gets_one_removal_attempt() -> None:
    result = one_try(mine("wire"), 3)
    assert len([one for one in result.asks if isinstance(one, RollQuestion)]) == 1


def test_isolated_units_cannot_clear_items_hidden_by_the_enemy() -> None:
    isolated = {"isolated": True, "recorded_location": "S22"}
    tank = vehicle("t1", "S22", status="immobilized", **isolated)
    lurks = vehicle("t2", "S22", "Type 95 HA-GO", JAPANESE, status="hidden mired")
    result = remove(tank, lurks)
    assert items_offered(result) == ("t1",)
    assert result.ask("marine").secret is None


def test_a_hidden_item_makes_the_removal_question_secret() -> None:
    hidden = fort("x", "N30", hidden=True, controller=JAPANESE)
    made = campaign(hidden, areas=AREAS)
    assert play(attempt_removals, made).ask("japanese").secret is JAPANESE


# --- drm --------------------------------------------------------------------------------------

FRONT = "adjacent to an enemy Front Line Location (R-FLL)"
ONE_HEX = "one hex from an enemy Front Line Location (R-FLL)"


@pytest.mark.parametrize(
    ("location", "modifiers"), [(ADJACENT, {FRONT: 2}), (NEAR, {ONE_HEX: 1}), (FAR, {})]
)
def test_the_enemys_front_line_makes_removal_harder(
    location: str, modifiers: dict[str, int]
) -> None:
    item = fort("x", location, "wire", controller=MARINE)
    assert one_try(item, 5).modifiers("x") == modifiers


@pytest.mark.parametrize(("dr", "removed"), [(1, True), (2, False)])
def test_a_wreck_next_to_the_enemys_front_line_is_harder_to_remove(dr: int, removed: bool) -> None:
    result = one_try(vehicle("x", ADJACENT, **WRECK), dr)
    assert result.vehicle("x").in_play is not removed


def test_each_engineer_squad_helps_by_one() -> None:
    result = one_try(mine("wire"), 4, engineers("e1"), engineers("e2"), helpers=["e1", "e2"])
    assert result.modifiers("x") == {"for 2 Assault-Engineer squads": -2}
    assert not result.campaign.fortifications["x"].in_play


def test_each_laborer_squad_helps_by_one() -> None:
    item = fort("x", "N30", "wire", controller=JAPANESE)
    result = one_try(item, 3, laborers(), helpers=["k1"], side="japanese")
    assert result.modifiers("x") == {"for 1 Korean laborer squad": -1}


def test_a_reduced_engineer_squad_is_a_squad() -> None:
    item = fort("x", "N30", "wire", controller=JAPANESE)
    squad = japanese_squad("e1", None, "elite", "reduced", setup_area="J1", traits="engineer")
    result = one_try(item, 3, squad, helpers=["e1"], side="japanese")
    assert result.modifiers("x") == {"for 1 Assault-Engineer squad": -1}


def test_each_bulldozer_helps_by_two() -> None:
    result = one_try(mine("wire"), 4, bulldozer(), helpers=["b1"])
    assert result.modifiers("x") == {"for 1 bulldozer": -2}
    assert not result.campaign.fortifications["x"].in_play


def test_all_drm_of_removal_add_up() -> None:
    item = fort("x", ADJACENT, controller=MARINE)
    help = engineers("e1"), bulldozer("b1"), bulldozer("b2")
    result = one_try(item, 4, *help, helpers=["e1", "b1", "b2"])
    assert list(result.modifiers("x").values()) == [2, -1, -4]
    assert not result.campaign.fortifications["x"].in_play


def test_a_hexside_counts_for_the_sides_own_hex() -> None:
    breach = fort("x", "N24", "seawall_breach", controller=JAPANESE)
    breach.location = "N24/N25"
    result = one_try(breach, 5, side="japanese")
    assert result.modifiers("x") == {FRONT: 2}


# --- helpers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "useless",
    [
        marine_squad("h", None, "6-6-8", setup_area="M1"),
        marine_half_squad("h", None, setup_area="M1", traits="engineer"),
        engineers("h", "M2"),
        engineers("h", status="prisoner"),
        engineers("h", fate=Fate.ELIMINATED),
        leader("h", None, setup_area="M1"),
        laborers("h"),
        marine_squad("h", "off_map", traits="engineer"),
        vehicle("h", None, setup_area="M1"),
        vehicle("h", FAR, setup_area="M1", bulldozer=True, status="immobilized"),
        vehicle("h", FAR, setup_area="M1", bulldozer=True, inherent_crew=False),
    ],
)
def test_ineligible_units_cannot_help_removal(useless: Any) -> None:
    words = refusal(mine("wire"), engineers(), useless.clone(), tries={"x": {"helpers": ["h"]}})
    assert "x: h cannot help there; enter e1" in words


@pytest.mark.parametrize(
    ("tries", "words"),
    [
        ({"wire9": {}}, "wire9 cannot be named here; enter x, y"),
        ({"x": ["e1"]}, 'x: ["e1"] is not accepted; enter {"helpers": [ids]}'),
        ({"x": {"helpers": "e1"}}, 'x: {"helpers": "e1"} is not accepted'),
        ({"x": {"helper": ["e1"]}}, 'x: {"helper": ["e1"]} is not accepted'),
        ({"x": {"helpers": ["e1", "e1"]}}, "x: e1 is named twice"),
        ({"x": {"helpers": ["e1"]}, "y": {"helpers": ["e1"]}}, "y: e1 already helps at x"),
        (None, "is not an object"),
    ],
)
def test_entered_helpers_are_checked(tries: Raw, words: str) -> None:
    second = fort("y", FAR, "wire", controller=MARINE)
    assert words in refusal(mine("wire"), second, engineers(), tries=tries)


def test_isolated_units_are_helped_by_units_in_their_location() -> None:
    item = terrain("x", "N30", "stone_rubble")
    beside = marine_squad("e1", "N30", isolated=True, recorded_location="N30", traits="engineer")
    result = one_try(item, 3, beside, engineers("e2"), helpers=["e1"])
    assert result.modifiers("x")["for 1 Assault-Engineer squad"] == -1
    words = refusal(item.clone(), beside.clone(), engineers("e2"), tries={"x": {"helpers": ["e2"]}})
    assert "e2 cannot help there; enter e1" in words


def test_nobody_helps_if_an_isolated_location_is_not_an_area() -> None:
    item = terrain("x", "N30", "stone_rubble")
    beside = marine_squad("e1", "N30", isolated=True, recorded_location="N30", traits="engineer")
    rulings = {"R-ISOLATED-AREA": "no"}
    words = refusal(item, beside, tries={"x": {"helpers": ["e1"]}}, rulings=rulings)
    assert "e1 cannot help there; enter none" in words


@pytest.mark.parametrize(
    ("ruling", "helpers", "words"),
    [
        ("none", [], None),
        ("helper", [], "must help (R-WRECK-REMOVAL)"),
        ("helper", ["e1"], None),
        ("helper", ["b1"], None),
        ("bulldozer", ["e1"], "a bulldozer must help (R-WRECK-REMOVAL)"),
        ("bulldozer", ["b1"], None),
        ("bulldozer", ["e1", "b1"], None),
    ],
)
def test_a_wreck_may_need_help(ruling: str, helpers: list[str], words: str | None) -> None:
    there = vehicle("x", FAR, **WRECK), engineers(), bulldozer()
    rulings = {"R-WRECK-REMOVAL": ruling}
    if words is None:
        assert one_try(*there[:1], 6, *there[1:], helpers=helpers, rulings=rulings).subjects
    else:
        assert words in refusal(*there, tries={"x": {"helpers": helpers}}, rulings=rulings)


def test_wire_never_needs_help() -> None:
    result = one_try(mine("wire"), 2, rulings={"R-WRECK-REMOVAL": "bulldozer"})
    assert not result.campaign.fortifications["x"].in_play


# --- an Original 6 in a Front Line Location ---------------------------------------------------


def in_front(id: str = "x") -> Any:
    return fort(id, ADJACENT, "wire", controller=MARINE)


def test_an_original_six_reduces_an_mmc_and_scores() -> None:
    result = one_try(in_front(), 6, marine_squad("m1", None, setup_area="M1"))
    assert result.unit("m1").kind is UnitKind.HALF_SQUAD
    assert result.cvp(JAPANESE) == 1


def test_an_original_six_reduces_an_mmc_even_if_removal_succeeds() -> None:
    help = [bulldozer(f"b{n}") for n in range(3)]
    squad = marine_squad("m1", None, setup_area="M1")
    result = one_try(in_front(), 6, squad, *help, helpers=["b0", "b1", "b2"])
    assert not result.campaign.fortifications["x"].in_play
    assert result.unit("m1").kind is UnitKind.HALF_SQUAD


@pytest.mark.parametrize(("location", "dr"), [(ADJACENT, 5), (NEAR, 6)])
def test_no_mmc_is_reduced_on_a_five_or_behind_the_front_line(location: str, dr: int) -> None:
    item = fort("x", location, "wire", controller=MARINE)
    result = one_try(item, dr, marine_squad("m1", None, setup_area="M1"))
    assert result.unit("m1").kind is UnitKind.SQUAD


def test_no_mmc_is_reduced_in_an_isolated_location() -> None:
    cut_off = japanese_squad("j1", ADJACENT, isolated=True, recorded_location=ADJACENT)
    item = fort("x", ADJACENT, "wire", controller=JAPANESE)
    result = one_try(item, 6, cut_off, side="japanese")
    assert result.unit("j1").kind is UnitKind.SQUAD


def test_an_original_six_eliminates_a_half_squad_or_crew() -> None:
    result = one_try(in_front(), 6, crew("c1", None, setup_area="M1"))
    assert result.unit("c1").fate is Fate.ELIMINATED
    assert result.cvp(JAPANESE) == 2


@pytest.mark.parametrize(
    "nobody",
    [
        leader("m1", None, setup_area="M1"),
        marine_squad("m1", None, setup_area="M2"),
        marine_squad("m1", None, setup_area="M1", status="prisoner"),
        japanese_squad("m1", None, setup_area="J1"),
    ],
)
def test_an_original_six_without_an_mmc_reduces_nobody(nobody: Any) -> None:
    result = one_try(in_front(), 6, nobody.clone())
    assert "no MMC is in that area" in result.log
    assert result.unit("m1").in_play


@pytest.mark.parametrize(("dr", "lost"), [(1, "hs"), (3, "hs"), (4, "sq"), (6, "sq")])
def test_the_dice_choose_the_type_of_the_reduced_mmc(dr: int, lost: str) -> None:
    """In the order of their names: "elite 3-4-8 half squad" before "elite 7-6-8 squad"."""
    there = (
        marine_half_squad("hs", None, setup_area="M1"),
        marine_squad("sq", None, setup_area="M1"),
    )
    result = one_try(in_front(), 6, *there, rolls={"x/pick": [dr]})
    assert result.unit("hs").in_play is (lost == "sq")
    assert (result.unit("sq").kind is UnitKind.HALF_SQUAD) is (lost == "sq")


def test_the_owner_chooses_the_reduced_mmc_with_the_lowest_id_as_default() -> None:
    there = marine_squad("m1", None, setup_area="M1"), marine_squad("m2", None, setup_area="M1")
    result = one_try(in_front(), 6, *there)
    assert result.subjects == ["marine", "x", "x/reduce"]
    assert result.unit("m1").kind is UnitKind.HALF_SQUAD
    again = [one.clone() for one in there]
    for one in again:
        one.kind, one.type = UnitKind.SQUAD, "7-6-8"
    picked = one_try(in_front(), 6, *again, choices={"x/reduce": "m2"})
    assert picked.unit("m2").kind is UnitKind.HALF_SQUAD
    assert picked.unit("m1").kind is UnitKind.SQUAD


def test_reduced_and_full_engineers_are_separate_types() -> None:
    item = fort("x", "N25", "wire", controller=JAPANESE)
    there = (
        japanese_squad("a", None, "elite", setup_area="J1"),
        japanese_squad("b", None, "elite", "reduced", setup_area="J1"),
        japanese_squad("c", None, "elite", "reduced", setup_area="J1", traits="engineer"),
        japanese_half_squad("d", None, "elite", setup_area="J1"),
        japanese_squad("e", None, "second_line", setup_area="J1"),
        laborers("f"),
    )
    result = one_try(item, 6, *there, side="japanese", rolls={"x/pick": [1]})
    ask = result.ask("x/pick")
    assert isinstance(ask, RollQuestion)
    assert [row.text for row in ask.table.rows] == [
        "elite 2-3-8 half squad",
        "elite 4-4-8 squad",
        "elite reduced 3-4-8 squad",
        "engineer elite reduced 3-4-8 squad",
        "korean laborer 3-3-6 squad",
        "second line 3-4-7 squad",
    ]


def test_four_types_roll_again_on_a_five_or_six() -> None:
    there = (
        marine_half_squad("hs", None, setup_area="M1"),
        marine_squad("sq", None, setup_area="M1"),
        marine_squad("sq2", None, "6-6-8", setup_area="M1"),
        crew("crew", None, setup_area="M1"),
    )
    result = one_try(in_front(), 6, *there, rolls={"x/pick": [5, 6, 1]})
    assert result.unit("crew").fate is Fate.ELIMINATED
    assert "rolled again" in result.log


@pytest.mark.parametrize("status", ["hidden", ""])
def test_a_draw_does_not_reveal_hidden_mmc(status: str) -> None:
    item = fort("x", "N25", "wire", controller=JAPANESE)
    there = (
        japanese_squad("a", None, setup_area="J1", status=status),
        japanese_half_squad("b", None, setup_area="J1"),
    )
    result = one_try(item, 6, *there, side="japanese", rolls={"x/pick": [1]})
    assert result.ask("x/pick").secret is JAPANESE
    nobody = one_try(item, 6, side="japanese")
    assert nobody.secrets[-1] is JAPANESE
    assert "no MMC is in that area" in nobody.said[-1]
    assert one_try(in_front(), 6, marine_squad("m1", None, setup_area="M1")).secrets[-1] is None


def test_an_mmc_reduced_in_an_earlier_attempt_no_longer_helps() -> None:
    items = in_front("a"), in_front("b")
    result = remove(
        *items,
        engineers(),
        tries={"a": {}, "b": {"helpers": ["e1"]}},
        rolls={"a": [6], "b": [5]},
    )
    assert result.unit("e1").kind is UnitKind.HALF_SQUAD
    assert result.modifiers("b") == {FRONT: 2}


def test_an_attempt_that_needed_a_lost_helper_is_not_made() -> None:
    items = in_front("a"), vehicle("b", ADJACENT, **WRECK)
    result = remove(
        *items,
        engineers(),
        tries={"a": {}, "b": {"helpers": ["e1"]}},
        rolls={"a": [6]},
        rulings={"R-WRECK-REMOVAL": "helper"},
    )
    assert "b (N24) stays, with no attempt to remove it:" in result.log


# --- equal chances ----------------------------------------------------------------------------


@pytest.mark.parametrize("types", range(2, 15))
def test_every_type_has_the_same_chance(types: int) -> None:
    """Of all pairs of dice, the types get equally many; the rest are rolled again."""
    everything = tuple(range(types))
    parts = split_into_equal_parts(everything)
    assert len(parts) <= 6
    assert len({len(part) for part in parts}) == 1
    hits = Counter[int | None]()
    for first, second in product(range(6), repeat=2):
        each = 6 // len(parts)
        if first // each >= len(parts):
            continue
        part = parts[first // each]
        finer = split_into_equal_parts(part)
        share = 6 // len(finer)
        if second // share < len(finer):
            hits[finer[second // share][0]] += 1
    assert {hits[one] for one in everything} == {hits[0]}
    assert hits[0] > 0


def test_more_than_six_types_are_split_first() -> None:
    kinds = [("7-6-8", ""), ("6-6-8", ""), ("5-5-8", ""), ("4-5-8", ""), ("7-6-8", "engineer")]
    squads = [
        marine_squad(f"s{n}", None, type_, setup_area="M1", traits=traits)
        for n, (type_, traits) in enumerate(kinds)
    ]
    others = (
        marine_half_squad("h1", None, "3-4-8", setup_area="M1"),
        marine_half_squad("h2", None, "2-3-8", setup_area="M1"),
    )
    ruled = {"R-ENGINEERS": "named"}
    dice = {"x/pick": [4, 6, 1, 1]}
    result = one_try(in_front(), 6, *squads, *others, rolls=dice, rulings=ruled)
    picks = [one for one in result.asks if one.subject == "x/pick"]
    assert len(picks) == 4
    first = picks[0]
    assert isinstance(first, RollQuestion)
    assert [row.text for row in first.table.rows][:2] == [
        "elite 2-3-8 half squad or elite 3-4-8 half squad",
        "elite 4-5-8 squad or elite 5-5-8 squad",
    ]
    assert result.unit("h2").fate is Fate.ELIMINATED


def test_a_vehicle_crew_is_an_mmc() -> None:
    there = unit("vc", None, MARINE, UnitKind.VEHICLE_CREW, "1-2-6", setup_area="M1")
    assert one_try(in_front(), 6, there).unit("vc").fate is Fate.ELIMINATED
