""" "in N18": on the table, in the Setup Area that will hold N18, in a hex that is not known."""

from typing import Any

import pytest

from brt_cg.board import locations
from brt_cg.card import load_card
from brt_cg.card.consistency import counter_contradictions
from brt_cg.model.counters import Counter, Piece
from brt_cg.questions.answers import RefusedError
from brt_cg.refit.s601_melee import fight_out_melees
from brt_cg.refit.s605_wading import roll_for_wading_survival
from brt_cg.refit.s607_perimeters import divide_into_setup_areas, isolate_cut_off_units
from brt_cg.refit.s608_retained import retain_units_and_equipment
from brt_cg.refit.s620_setup import set_up_the_rest
from brt_cg.refit.selection import units_at
from brt_cg.refit.setup_places import on_table_locations_and_refusals
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    crew,
    gun,
    japanese_squad,
    leader,
    marine_squad,
    play,
    sw,
    vehicle,
)

CARD = load_card("III")
AREAS = {"M1": "N18-N21 M18-M20", "M2": "P30-P34", "J1": "N25-N40 M25-M40"}


@pytest.mark.parametrize("text", ["in N18", "In n18"])
def test_on_the_table_is_read_as_players_write_it(text: str) -> None:
    assert locations.capitalize_hexes(text) == "in N18"
    assert locations.ground_hex("in N18") == "N18"
    assert not locations.is_location("in N18")


@pytest.mark.parametrize("hex", ["A1", "N99"])
def test_no_area_holds_an_ocean_hex(hex: str) -> None:
    with pytest.raises(locations.BadLocationError):
        locations.area_only_location(hex)


@pytest.mark.parametrize(
    ("piece", "why"),
    [
        (marine_squad("m1", "in N18"), None),
        (leader("m1", "in N18", status="broken wounded"), None),
        (marine_squad("m1", "in N18", status="prisoner", guard="j1"), None),
        (sw("w1", "in N18", possessor="m1"), None),
        (vehicle("v1", "in N18"), None),
        (marine_squad("m1", "in N18", status="prisoner"), "a prisoner without a guard"),
        (marine_squad("m1", "in N18", status="encircled"), "Encircled"),
        (japanese_squad("j1", "in N18", status="cloaked"), "a cloaked counter"),
        (japanese_squad("j1", "in N18", status="hidden"), None),
        (gun("w1", "in N18", "37L AT", JAPANESE, possessor="j1", status="hidden"), None),
        (gun("w1", "in N18", "37L AT", JAPANESE, status="hidden"), "an unpossessed Gun"),
        (sw("w1", "in N18"), "unpossessed"),
        (sw("w1", "in N18", side=JAPANESE, nation=MARINE, possessor="j1"), "captured"),
        (gun("w1", "in N18", "37L AT", MARINE, possessor="m1"), "a known Gun"),
        *(
            (vehicle("v1", "in N18", status=status), "immobile, bogged, mired, stunned or a wreck")
            for status in ("immobilized", "bogged", "mired", "stunned", "wreck", "abandoned")
        ),
    ],
)
def test_only_some_counters_may_be_on_the_table(piece: Piece, why: str | None) -> None:
    found = [message for name, message in counter_contradictions(piece, CARD) if name == "location"]
    assert len(found) == (why is not None)
    assert all(str(why) in message for message in found)


def areas_of(*counters: Counter, **facts: Any) -> Result:
    made = campaign(*counters, areas=AREAS, **facts)
    return play(retain_units_and_equipment, made)


def test_a_table_counter_is_retained_in_the_area_of_its_hex() -> None:
    result = areas_of(
        marine_squad("m1", "in P31"),
        sw("w1", "in P31", possessor="m1"),
        japanese_squad("j1", "in P31", status="prisoner", guard="m1"),
    )
    for id in ("m1", "w1", "j1"):
        piece = result.campaign.find(id)
        assert isinstance(piece, Piece)
        assert (piece.location, piece.setup_area, piece.isolated) == (None, "M2", False)


def test_a_crew_is_set_up_on_the_table_in_the_hex_of_its_gun() -> None:
    made = campaign(
        crew("c1", None, setup_area="M1"),
        gun("g1", "N20", "37L AT", MARINE, possessor="c1"),
        marine_squad("m1", None, setup_area="M1"),
        areas=AREAS,
    )
    given, _ = on_table_locations_and_refusals(made, made.units.values())
    assert given == {"c1": "N20", "m1": "in M18"}
    made.weapons["g1"].location = "P30"
    given, _ = on_table_locations_and_refusals(made, made.units.values())
    assert given["c1"] == "in M18", "it is not where its Area is not"


def test_a_table_counter_in_an_enemy_area_goes_to_its_nearest_own_area() -> None:
    made = campaign(marine_squad("m1", "in N25"), areas=AREAS)
    play(isolate_cut_off_units, made)
    assert not made.units["m1"].isolated
    play(retain_units_and_equipment, made)
    assert made.units["m1"].setup_area == "M1"


def test_a_table_counter_is_not_in_melee_and_does_not_wade() -> None:
    made = campaign(marine_squad("m1", "in N18"), japanese_squad("j1", "in N18"))
    assert play(fight_out_melees, made).asks == []
    assert play(roll_for_wading_survival, made).asks == []
    assert made.pieces_at("in N18") == units_at(made, "in N18") == []


def test_japanese_on_the_table_man_their_part_of_the_defense() -> None:
    """R-SPLIT: on map, though nobody knows where."""
    held = tuple(
        hex for hex in locations.non_ocean_hexes() if 19 <= locations.hex_sort_key(hex)[1] <= 22
    )
    made = campaign(
        japanese_squad("j1", "in N18"),
        japanese_squad("j2", "in N40"),
        perimeters=(held,),
    )
    play(divide_into_setup_areas, made)
    assert len([area for area in made.areas.values() if area.side is JAPANESE]) == 2


# --- at setup -------------------------------------------------------------------------------------


def waiting() -> tuple[Counter, ...]:
    return (
        marine_squad("m1", None, setup_area="M1"),
        sw("w1", None, possessor="m1", setup_area="M1"),
        sw("w2", None, setup_area="M2"),
        vehicle("v1", None, setup_area="M2"),
    )


def test_one_word_sets_up_a_whole_side_on_the_table() -> None:
    made = campaign(*waiting(), areas=AREAS, date="20 PM")
    ask = next(ask for ask in play(set_up_the_rest, made.clone()).asks if ask.side is MARINE)
    raw = ask.parse("table")
    assert raw == {"m1": "in M18", "v1": "in P30"}
    result = play(set_up_the_rest, made, choices={"marine": raw})
    places = {id: result.campaign.find(id).location for id in ("m1", "w1", "w2", "v1")}  # type: ignore[union-attr]
    assert places == {"m1": "in M18", "w1": "in M18", "w2": None, "v1": "in P30"}


def test_a_captured_sw_has_no_hex_on_the_table_and_is_retained_with_its_possessor() -> None:
    made = campaign(
        marine_squad("m1", None, setup_area="M1"),
        sw("w1", None, possessor="m1", nation=JAPANESE, setup_area="M1"),
        areas=AREAS,
    )
    there = play(set_up_the_rest, made, choices={"marine": {"m1": "in M18"}}).campaign
    assert (there.units["m1"].location, there.weapons["w1"].location) == ("in M18", None)
    there.units["m1"].place_unisolated("in P31")
    again = play(retain_units_and_equipment, there).campaign
    assert (again.units["m1"].setup_area, again.weapons["w1"].setup_area) == ("M2", "M2")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"w2": "in P31"}, "unpossessed equipment sets up in a hex"),
        ({"m1": "in P31"}, "Retained in Area M1"),
        ({"m1": "in A1"}, "no Setup Area holds an Ocean hex"),
    ],
)
def test_some_counters_may_not_be_set_up_on_the_table(given: dict[str, str], why: str) -> None:
    made = campaign(*waiting(), areas=AREAS, date="20 PM")
    with pytest.raises(RefusedError, match=why):
        play(set_up_the_rest, made, choices={"marine": given})
