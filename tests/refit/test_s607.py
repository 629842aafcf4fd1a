"""15.607-15.6072: Marine Perimeters, Setup Areas, and who is Isolated."""

from typing import Any

import pytest

from brt_cg.board import grid, locations
from brt_cg.board.locations import hexes_as_ranges
from brt_cg.model.counters import Fate, Side
from brt_cg.questions.answers import Raw, RefusedError
from brt_cg.refit.s607_perimeters import (
    divide_into_setup_areas,
    enter_perimeters,
    isolate_cut_off_units,
)
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    fort,
    gun,
    japanese_squad,
    leader,
    marine_half_squad,
    marine_squad,
    play,
    sw,
    vehicle,
    vehicular,
)

OCEAN = "Q18"
BELT = [f"{row}{number}" for row in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for number in (30, 31)]
ISLAND_BELT = tuple(hex for hex in BELT if not locations.is_ocean(hex))


# --- 15.607 what is stated --------------------------------------------------------------------


def state(*counters: Any, stated: Raw, **values: Any) -> Result:
    return play(enter_perimeters, campaign(*counters, **values), choices={"marine": stated})


def refusal(stated: Raw, **values: Any) -> str:
    with pytest.raises(RefusedError) as caught:
        state(stated=stated, **values)
    return str(caught.value)


def test_a_perimeter_is_hexes_and_ranges_in_the_boards_order() -> None:
    result = state(marine_squad("m1", "N21"), stated=[["N22", "N19-N21", "M20"]])
    assert result.campaign.situation.perimeters == (("M20", "N19", "N20", "N21", "N22"),)
    assert result.said == ["Marine Perimeter of 5 hexes: M20 N19-N22"]


def test_the_perimeters_of_the_imported_state_are_the_default() -> None:
    result = play(enter_perimeters, campaign(perimeters=(("N21", "N22"),)))
    assert result.campaign.situation.perimeters == (("N21", "N22"),)


def test_the_marines_may_hold_nothing() -> None:
    result = state(stated=[])
    assert (result.campaign.situation.perimeters, result.said) == (
        (),
        ["the Marines hold no Perimeter"],
    )


def test_the_answer_none_means_no_marine_perimeter() -> None:
    asked = play(enter_perimeters, campaign(perimeters=(("N21", "N22"),))).ask("marine")
    assert asked.parse("none") == []


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        (None, "null is not accepted; enter a list of perimeters"),
        ("N21", '"N21" is not accepted; enter a list of perimeters'),
        (["N21"], 'perimeter 1: "N21" is not accepted; enter a list of hexes'),
        ([["ZZ9"]], "perimeter 1: ZZ9 is not a hex of Betio"),
        ([["N21", 7]], "perimeter 1: 7 is not accepted; enter a hex or a range"),
        ([["N21-M22"]], "both ends must be in the same hexrow"),
        ([[]], "perimeter 1: [] is not accepted; enter a list of hexes"),
        ([["N21", OCEAN]], f"perimeter 1: {OCEAN}: Ocean"),
        ([["N21"], ["N22", "N21"]], "perimeter 2: N21: also in another Perimeter"),
        (
            [["N21", "N23"]],
            "perimeter 1: not connected (R-PERIMETER): separate pieces at N21, N23",
        ),
    ],
)
def test_a_perimeter_is_checked(stated: Raw, words: str) -> None:
    assert words in refusal(stated)


def test_all_problems_of_a_perimeter_are_reported_together() -> None:
    assert len(refusal([["N21", "N23"], [OCEAN], ["ZZ9"]]).splitlines()) >= 3


def test_the_pier_counts_as_land() -> None:
    pier = next(
        f"{row}{number}"
        for row in "STUVWXYZ"
        for number in range(1, 64)
        if locations.terrain_of(f"{row}{number}") is locations.TerrainType.PIER
    )
    assert state(stated=[[pier]]).campaign.situation.perimeters == ((pier,),)


@pytest.mark.parametrize(("last", "beyond"), [("N32", "N33")])
def test_cg_i_is_played_up_to_hexes_numbered_32(last: str, beyond: str) -> None:
    assert state(stated=[[last]], cg="I").campaign.situation.perimeters == ((last,),)
    assert "not in play" in refusal([[beyond]], cg="I")


@pytest.mark.parametrize(("ruled", "last", "beyond"), [("35", "M35", "M36"), ("33", "M33", "M34")])
def test_cg_ii_is_played_up_to_the_hexes_of_the_ruling(ruled: str, last: str, beyond: str) -> None:
    values: dict[str, Any] = {"cg": "II", "rulings": {"R-CG2-AREA": ruled}}
    assert state(stated=[[last]], **values).campaign.situation.perimeters == ((last,),)
    assert "not in play" in refusal([[beyond]], **values)


def test_a_free_perimeter_may_be_in_pieces_and_in_the_ocean() -> None:
    result = state(stated=[["N21", "N23", OCEAN]], rulings={"R-PERIMETER": "free"})
    assert result.campaign.situation.perimeters == (("N21", "N23", OCEAN),)


def test_a_free_perimeter_is_in_play_and_replaces_others() -> None:
    free = {"R-PERIMETER": "free"}
    assert "perimeter 1: N33: not in play" in refusal([["N33"]], cg="I", rulings=free)
    assert "N21: also in another Perimeter" in refusal([["N21"], ["N21"]], rulings=free)


def test_a_perimeter_without_a_marine_is_a_warning() -> None:
    result = state(marine_squad("m1", "N30"), stated=[["N21", "N22"]])
    assert "warning: no Marine unit is inside the Perimeter that includes N21" in result.said


@pytest.mark.parametrize("status", ["prisoner", "unarmed"])
def test_a_marine_who_cannot_fight_holds_no_perimeter(status: str) -> None:
    result = state(marine_squad("m1", "N21", status=status), stated=[["N21"]])
    assert "warning: no Marine unit" in result.log


def test_an_enemy_inside_is_a_warning_and_a_hidden_one_stays_a_secret() -> None:
    enemies = japanese_squad("j1", "N22"), japanese_squad("j2", "N21", status="hidden")
    result = state(marine_squad("m1", "N21"), *enemies, stated=[["N21-N22"]])
    assert len([line for line in result.said if "warning" in line]) == 2
    secrets = dict(zip(result.said, result.secrets, strict=True))
    assert [whose for line, whose in secrets.items() if "j2" in line] == [JAPANESE]
    assert [whose for line, whose in secrets.items() if "j1" in line] == [None]


def test_hexes_are_written_as_ranges() -> None:
    assert hexes_as_ranges(["N21", "M18", "N19", "N20", "N23"]) == "M18 N19-N21 N23"


# --- 15.6071 Setup Areas ----------------------------------------------------------------------


def areas(*counters: Any, stated: Any, **values: Any) -> dict[str, tuple[Side, tuple[str, ...]]]:
    result = play(divide_into_setup_areas, campaign(*counters, perimeters=stated, **values))
    return {key: (area.side, area.hexes) for key, area in result.campaign.areas.items()}


def test_perimeters_are_marine_areas_and_all_other_land_is_japanese() -> None:
    found = areas(stated=(("N21", "N22"),))
    assert list(found) == ["M1", "J1"]
    assert found["M1"] == (MARINE, ("N21", "N22"))
    side, hexes = found["J1"]
    assert side is JAPANESE
    assert set(hexes) == locations.non_ocean_hexes(63) - {"N21", "N22"}


def test_area_ids_go_by_the_lowest_hex() -> None:
    found = areas(stated=(("P11",), ("N40", "N41"), ("N9",)))
    assert [found[key][1][0] for key in ("M1", "M2", "M3")] == ["N9", "N40", "P11"]


def test_setup_areas_of_the_last_refit_phase_are_replaced() -> None:
    found = areas(stated=(("N21",),), areas={"M1": "N30", "M2": "N40", "J3": "N50"})
    assert list(found) == ["M1", "J1"]
    assert found["M1"][1] == ("N21",)


def test_surrounding_marines_do_not_split_the_defense() -> None:
    ring = tuple(grid.neighbors("N30"))
    found = areas(japanese_squad("j1", "N50"), stated=(ring,))
    assert [key for key in found if key.startswith("J")] == ["J1"]
    assert "N30" in found["J1"][1]


def test_a_defense_split_into_two_manned_parts_has_two_areas() -> None:
    manned = japanese_squad("j1", "M10"), japanese_squad("j2", "M45")
    found = areas(*manned, stated=(ISLAND_BELT,))
    assert "M45" in found["J1"][1] or "M45" in found["J2"][1]
    assert {key for key, (_, hexes) in found.items() if {"M10", "M45"} & set(hexes)} == {"J1", "J2"}


def test_a_part_with_units_still_to_set_up_is_an_area() -> None:
    waits, old = japanese_squad("j2", None, setup_area="J2"), {"J1": "M10", "J2": "M44-M46"}
    found = areas(japanese_squad("j1", "M10"), waits, stated=(ISLAND_BELT,), areas=old)
    assert {key for key, (_, hexes) in found.items() if {"M10", "M45"} & set(hexes)} == {"J1", "J2"}


@pytest.mark.parametrize(
    "holder", [fort("f1", "M45", "wire"), gun("g1", "M45"), vehicle("t1", "M45", side=JAPANESE)]
)
def test_any_japanese_counter_or_fortification_holds_a_part(holder: Any) -> None:
    found = areas(japanese_squad("j1", "M10"), holder, stated=(ISLAND_BELT,))
    assert [key for key in found if key.startswith("J")] == ["J1", "J2"]


@pytest.mark.parametrize(
    "nobody",
    [
        marine_squad("m1", "M45"),
        japanese_squad("j2", "M45", fate=Fate.ELIMINATED),
        japanese_squad("j2", "off_map"),
        japanese_squad("j2", "M45", status="prisoner"),
    ],
)
def test_a_pocket_without_anything_japanese_belongs_to_the_largest_area(nobody: Any) -> None:
    found = areas(japanese_squad("j1", "M10"), nobody, stated=(ISLAND_BELT,))
    assert [key for key in found if key.startswith("J")] == ["J1"]
    assert {"M10", "M45"} <= set(found["J1"][1])


def test_the_largest_of_several_manned_parts_has_the_pocket() -> None:
    walls = tuple(hex for hex in locations.non_ocean_hexes(63) if hex.endswith(("12", "40")))
    parts = sorted(grid.connected_groups(locations.non_ocean_hexes(63) - set(walls)), key=len)
    manned = [
        japanese_squad(f"j{n}", locations.sort_hexes(part)[0]) for n, part in enumerate(parts[1:])
    ]
    found = areas(*manned, stated=(walls,))
    assert parts[0] | parts[-1] in [set(hexes) for _, hexes in found.values()]


def test_the_pocket_counts_for_the_order_of_the_areas() -> None:
    walls = tuple(hex for hex in locations.non_ocean_hexes(63) if hex.endswith(("12", "40")))
    manned = [japanese_squad("j1", "G8"), japanese_squad("j2", "G25")]
    found = areas(*manned, stated=(walls,))
    first, second = found["J1"][1], found["J2"][1]
    assert {"A55", "G25"} <= set(first)
    assert "G8" in second


def test_a_counter_known_only_to_its_side_does_not_man_a_pocket() -> None:
    hidden = japanese_squad("j2", "M45", status="hidden")
    found = areas(japanese_squad("j1", "M10"), hidden, stated=(ISLAND_BELT,))
    assert [key for key in found if key.startswith("J")] == ["J1"]


def test_the_players_may_agree_that_a_pocket_is_nobodys() -> None:
    ruled = {"R-SPLIT": "nobody"}
    found = areas(japanese_squad("j1", "M10"), stated=(ISLAND_BELT,), rulings=ruled)
    assert [key for key in found if key.startswith("J")] == ["J1"]
    assert "M45" not in found["J1"][1]


def test_if_no_part_is_held_the_largest_is_the_area() -> None:
    found = areas(stated=(ISLAND_BELT,), rulings={"R-SPLIT": "nobody"})
    pieces = grid.connected_groups(locations.non_ocean_hexes(63) - set(ISLAND_BELT))
    assert set(found["J1"][1]) == max(pieces, key=len)


def test_the_players_may_agree_that_every_part_is_an_area() -> None:
    found = areas(japanese_squad("j1", "M10"), stated=(ISLAND_BELT,), rulings={"R-SPLIT": "every"})
    pieces = grid.connected_groups(locations.non_ocean_hexes(63) - set(ISLAND_BELT))
    assert [set(found[f"J{n + 1}"][1]) for n in range(len(pieces))] == pieces


# --- 15.6072 who is Isolated ------------------------------------------------------------------

AREAS = {"M1": "N20-N24 M20-M24", "J1": "N25-N45 M25-M45 L20-L45"}


def isolate(*counters: Any, **rulings: str) -> Result:
    ruled = {key.replace("_", "-"): value for key, value in rulings.items()}
    return play(isolate_cut_off_units, campaign(*counters, areas=AREAS, rulings=ruled))


@pytest.mark.parametrize(
    ("counter", "isolated"),
    [
        (marine_squad("x", "N24"), False),
        (marine_squad("x", "N25"), True),
        (marine_squad("x", "Q10"), True),
        (japanese_squad("x", "N24"), True),
        (japanese_squad("x", "N25"), False),
        (japanese_squad("x", "Q10"), False),
        (marine_squad("x", "off_map"), False),
        (japanese_squad("x", "off_map"), False),
        (leader("x", "N24", "9-0", JAPANESE), True),
        (japanese_squad("x", "N24:f1"), True),
        (japanese_squad("x", "N24", status="hidden"), True),
        (marine_half_squad("x", "N25", status="prisoner"), False),
        (marine_half_squad("x", "N25", status="unarmed"), False),
        (japanese_squad("x", "N24", status="unarmed"), False),
        (vehicle("x", "N25"), True),
        (vehicle("x", "N24"), False),
        (vehicle("x", "N24", "Type 95 HA-GO", JAPANESE), True),
        (vehicle("x", "N25", status="wreck"), False),
        (vehicle("x", "N25", status="abandoned", inherent_crew=False), False),
    ],
)
def test_only_units_in_an_enemy_area_are_isolated(counter: Any, isolated: bool) -> None:
    result = isolate(counter.clone())
    found = result.piece("x")
    assert found.isolated is isolated
    assert found.recorded_location == (counter.location if isolated else None)
    assert any(line.endswith(" is Isolated") for line in result.said) is isolated


def test_equipment_in_the_location_of_an_isolated_unit_is_isolated_with_it() -> None:
    result = isolate(
        marine_squad("m1", "N30"),
        sw("mine", "N30", possessor="m1"),
        sw("lying", "N30", "LMG", JAPANESE),
        gun("g1", "N30"),
        vehicle("empty", "N30", status="abandoned", inherent_crew=False),
        vehicular("ma", "N30", "empty"),
        vehicle("wreck", "N30", status="wreck"),
        sw("far", "N31"),
    )
    isolated = {one.id for one in result.campaign.pieces() if one.isolated}
    assert isolated == {"m1", "mine", "lying", "g1", "empty", "ma"}
    assert result.weapon("g1").recorded_location == "N30"


def test_a_tank_alone_is_isolated_with_its_weapons() -> None:
    result = isolate(vehicle("t1", "N30"), vehicular("ma", "N30", "t1"))
    assert result.weapon("ma").isolated
    assert result.campaign.side_controlling("N30") is MARINE


def test_another_level_is_another_location() -> None:
    result = isolate(marine_squad("m1", "N30:1"), sw("below", "N30"))
    assert not result.weapon("below").isolated


def test_equipment_possessed_by_an_enemy_is_not_isolated() -> None:
    mine, theirs = marine_squad("m1", "N30"), japanese_squad("j1", "N30")
    assert not isolate(mine, theirs, sw("w1", "N30", possessor="j1")).weapon("w1").isolated


@pytest.mark.parametrize("ruling", ["stay", "isolated"])
def test_an_immobile_tank_left_in_the_ocean_is_isolated_as_ruled(ruling: str) -> None:
    tank = vehicle("t1", OCEAN, status="mired")
    result = isolate(tank, marine_squad("m1", OCEAN, aboard="t1"), R_OCEAN_VEHICLES=ruling)
    assert {result.piece(one).isolated for one in ("t1", "m1")} == {ruling == "isolated"}


def test_a_tanks_weapons_stay_with_it_among_other_isolated_units() -> None:
    lvt = vehicle("l1", OCEAN, "LVT2", amphibious=True, armored=False)
    tank = vehicle("t1", OCEAN, status="mired"), vehicular("ma", OCEAN, "t1")
    result = isolate(*tank, lvt, R_OCEAN_MOBILE="isolated")
    assert [result.piece(id).isolated for id in ("l1", "t1", "ma")] == [True, False, False]


@pytest.mark.parametrize(("side", "asked"), [(MARINE, True), (JAPANESE, False)])
def test_players_are_asked_only_about_marine_tanks(side: Side, asked: bool) -> None:
    tank = vehicle("t1", OCEAN, side=side, status="mired")
    table = campaign(tank, areas=AREAS, not_agreed=["R-OCEAN-VEHICLES"])
    assert ("R-OCEAN-VEHICLES" in play(isolate_cut_off_units, table).subjects) is asked


@pytest.mark.parametrize(("ruling", "isolated"), [("nearest", 0), ("stay", 0), ("isolated", 1)])
def test_a_mobile_lvt_in_the_ocean_is_isolated_as_ruled(ruling: str, isolated: bool) -> None:
    lvt = vehicle("l1", OCEAN, "LVT2", amphibious=True, armored=False)
    assert isolate(lvt, R_OCEAN_MOBILE=ruling).vehicle("l1").isolated is bool(isolated)


def test_units_out_of_play_are_not_isolated() -> None:
    gone: dict[str, Any] = {"fate": Fate.ELIMINATED, "recorded_location": "N31"}
    result = isolate(
        marine_squad("m1", "N30"),
        marine_squad("lost", "N30", isolated=True, **gone),
        sw("mg", "N30", **gone),
        vehicle("t1", "N30", status="abandoned", inherent_crew=False, **gone),
    )
    places = {id: result.piece(id).recorded_location for id in ("m1", "lost", "mg", "t1")}
    assert places == {"m1": "N30", "lost": "N31", "mg": "N31", "t1": "N31"}
    assert {one.id for one in result.campaign.pieces() if one.isolated} == {"m1", "lost"}


def test_recorded_locations_of_an_earlier_refit_phase_are_cleared() -> None:
    old: dict[str, Any] = {"isolated": True, "setup_area": "M3", "recorded_location": "N30"}
    result = isolate(marine_squad("m1", "N22", **old))
    unit = result.unit("m1")
    assert (unit.isolated, unit.setup_area, unit.recorded_location) == (False, None, None)


def test_the_location_of_a_counter_left_hidden_stays_recorded() -> None:
    hidden = japanese_squad("j1", "N30", status="hidden", recorded_location="N30")
    assert isolate(hidden).unit("j1").recorded_location == "N30"


def test_nothing_is_logged_if_nobody_is_isolated() -> None:
    assert isolate(marine_squad("m1", "N22"), japanese_squad("j1", "N30")).said == []


# --- what was Retained, and never set up ------------------------------------------------------


def waits(*counters: Any, stated: Any, areas: dict[str, str], **values: Any) -> Result:
    """15.6071 and 15.6072, with the areas of the last Refit Phase."""
    table = campaign(*counters, perimeters=stated, areas=areas, **values)
    play(divide_into_setup_areas, table)
    return play(isolate_cut_off_units, table)


def test_a_unit_not_set_up_moves_to_the_new_area_that_shares_most_hexes() -> None:
    # What was M1 is M2 now: a Perimeter has come to be north of it.
    stated = (("N10", "N11"), ("N20", "N21", "N22"))
    result = waits(
        marine_squad("m1", None, setup_area="M1"),
        stated=stated,
        areas={"M1": "N19-N21", "J1": "N30-N40"},
    )
    assert result.unit("m1").setup_area == "M2"


def test_the_first_of_equally_shared_areas_gets_a_unit_not_set_up() -> None:
    stated = (("N18",), ("N22",))
    result = waits(
        marine_squad("m1", None, setup_area="M3"), stated=stated, areas={"M3": "N18-N22"}
    )
    assert result.unit("m1").setup_area == "M1"


def test_a_unit_not_set_up_does_not_go_to_an_area_without_a_shared_hex() -> None:
    result = waits(
        marine_squad("m1", None, setup_area="M1"), stated=(("N30",),), areas={"M1": "N18-N22"}
    )
    assert result.unit("m1").setup_area is None


@pytest.mark.parametrize("areas", [{"M1": "N18-N22", "J1": "M24-M26"}, {}])
def test_a_prisoner_not_set_up_goes_to_the_new_area_of_his_captors(areas: dict[str, str]) -> None:
    held = marine_squad("m1", None, status="prisoner", setup_area="J1")
    result = waits(held, stated=(("N18",), ("M25",)), areas=areas)
    assert result.unit("m1").setup_area == "J1"


def test_unknown_old_areas_are_matched_by_id() -> None:
    units = marine_squad("m1", None, setup_area="M2"), marine_squad("m2", None, setup_area="M7")
    result = waits(*units, stated=(("N10",), ("N30",)), areas={})
    assert [result.unit(id).setup_area for id in ("m1", "m2")] == ["M2", None]


def test_a_part_of_the_defense_with_japanese_to_set_up_is_manned() -> None:
    units = japanese_squad("j1", "M10"), japanese_squad("j2", None, setup_area="J2")
    result = waits(*units, stated=(ISLAND_BELT,), areas={"J1": "M10", "J2": "M44-M46"})
    area = result.unit("j2").setup_area
    assert area is not None
    assert "M45" in result.campaign.areas[area].hexes


def test_equipment_without_a_location_is_with_its_possessor() -> None:
    result = isolate(
        marine_squad("m1", "N30"),
        sw("w1", None, possessor="m1", setup_area="M1"),
        japanese_squad("j1", None, status="prisoner", guard="m1"),
        leader("l1", "off_map"),
        sw("w2", None, possessor="l1", setup_area="M1"),
    )
    assert (result.weapon("w1").location, result.weapon("w1").isolated) == ("N30", True)
    assert result.weapon("w1").recorded_location == "N30"
    assert result.unit("j1").location == "N30"
    assert (result.weapon("w2").location, result.weapon("w2").setup_area) == ("off_map", None)
