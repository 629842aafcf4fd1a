"""Hidden on paper: in a hex that only its player knows ("in N25" of what is hidden)."""

import pytest

from brt_cg.board.locations import BadLocationError
from brt_cg.card import load_card
from brt_cg.card.consistency import counter_contradictions
from brt_cg.exports.hip_sheet import hidden_counters
from brt_cg.exports.roster_lists import place_without_hex_text
from brt_cg.model.counters import Counter, Fortification
from brt_cg.model.fields import fields_of
from brt_cg.model.visibility import visible_campaign
from brt_cg.questions.answers import RefusedError
from brt_cg.refit.s602_markers import place_hidden_and_remove_markers
from brt_cg.refit.s607_perimeters import divide_into_setup_areas, isolate_cut_off_units
from brt_cg.refit.s608_retained import retain_units_and_equipment
from brt_cg.refit.s620_setup import set_up_the_rest
from brt_cg.vasl.layout import build_layout
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    crew,
    gun,
    japanese_squad,
    marine_squad,
    play,
    sw,
)

CARD = load_card("III")
AREAS = {"M1": "N18-N21 M18-M20", "J1": "N25-N40 M25-M40"}
SQUAD = {"status": "hidden"}


def squad(**values: object) -> Counter:
    return japanese_squad("j1", "in N30", **{**SQUAD, **values})  # type: ignore[arg-type]


def at_602(*counters: Counter, **answers: object) -> Result:
    choices = {key.replace("_", ":", 1): answer for key, answer in answers.items()}
    return play(place_hidden_and_remove_markers, campaign(*counters), choices=choices)  # type: ignore[arg-type]


# --- 15.602 ---------------------------------------------------------------------------------------


def test_the_hex_of_a_paper_counter_is_asked_once_and_may_be_left_out() -> None:
    result = at_602(squad())
    assert result.subjects == ["japanese"]
    assert (result.unit("j1").location, result.unit("j1").hidden) == ("in N30", True)
    assert "stays hidden on the side record" in result.log


def test_a_paper_counter_given_a_hex_is_handled_normally_with_its_weapon() -> None:
    result = play(
        place_hidden_and_remove_markers,
        campaign(squad(), sw("w1", "in N30", side=JAPANESE, possessor="j1")),
        choices={"japanese": {"hex:j1": "N31"}, "j1": "reveal"},
    )
    assert result.unit("j1").location == result.weapon("w1").location == "N31"
    assert not result.unit("j1").hidden


def test_off_map_and_invalid_hexes_are_refused() -> None:
    for place in ("off_map", "in N31", "Z99"):
        with pytest.raises(RefusedError, match="j1: "):
            play(
                place_hidden_and_remove_markers,
                campaign(squad()),
                choices={"japanese": {"hex:j1": place}},
            )


def test_a_marine_on_paper_goes_on_the_table() -> None:
    result = play(
        place_hidden_and_remove_markers, campaign(marine_squad("m1", "in N18", status="hidden"))
    )
    assert (result.unit("m1").location, result.unit("m1").status) == ("in N18", ())


def test_a_marine_gun_on_paper_stays_hidden_until_its_hex_is_given() -> None:
    there = campaign(
        crew("c1", "in N18", status="hidden"),
        gun("g1", "in N18", "37L AT", MARINE, possessor="c1", status="hidden"),
    )
    assert play(place_hidden_and_remove_markers, there.clone()).weapon("g1").hidden
    shown = play(place_hidden_and_remove_markers, there, choices={"marine": {"hex:c1": "N19"}})
    assert (shown.weapon("g1").location, shown.weapon("g1").hidden) == ("N19", False)


# --- 15.607, 15.608 -------------------------------------------------------------------------------


def test_a_paper_counter_is_isolated_only_if_its_hex_in_a_perimeter_is_given() -> None:
    on_paper = play(isolate_cut_off_units, campaign(squad(), areas=AREAS))
    assert not on_paper.unit("j1").isolated
    named = play(
        isolate_cut_off_units, campaign(japanese_squad("j1", "N19", status="hidden"), areas=AREAS)
    )
    assert named.unit("j1").isolated


def test_a_paper_counter_is_retained_in_its_area_even_if_its_hex_was_lost() -> None:
    for hex in ("in N30", "in N20"):
        made = japanese_squad("j1", hex, status="hidden")
        result = play(retain_units_and_equipment, campaign(made, areas=AREAS))
        assert (result.unit("j1").location, result.unit("j1").setup_area) == (None, "J1")
        assert result.unit("j1").recorded_location == "in M25"


# --- 15.6202 --------------------------------------------------------------------------------------


def retained(**values: object) -> Counter:
    return japanese_squad(
        "j1",
        None,
        setup_area="J1",
        recorded_location="in M25",
        status="hidden",
        **values,  # type: ignore[arg-type]
    )


def test_a_counter_stays_on_paper_by_default_and_may_be_given_a_hex() -> None:
    made = campaign(retained(), areas=AREAS, date="20 PM")
    assert play(set_up_the_rest, made.clone()).unit("j1").location == "in M25"
    named = play(set_up_the_rest, made.clone(), choices={"japanese": {"j1": "N31"}})
    assert named.unit("j1").location == "N31"
    with pytest.raises(RefusedError, match="Retained in Area J1"):
        play(set_up_the_rest, made, choices={"japanese": {"j1": "N19"}})


def test_hidden_purchases_are_set_up_on_paper_with_the_rest() -> None:
    made = campaign(
        japanese_squad("j1", None, setup_area="J1", status="hidden"),
        japanese_squad("j2", None, setup_area="J1"),
        areas=AREAS,
        date="20 PM",
    )
    result = play(set_up_the_rest, made, choices={"japanese": {"j1": "in M25", "j2": "in M25"}})
    places = [result.campaign.place_text(result.unit(id)) for id in ("j1", "j2")]
    assert places == ["on paper, Area J1", "on the table, Area J1"]


# --- refused, with the reason ---------------------------------------------------------------------


def test_on_paper_is_refused_where_a_rule_needs_the_hex() -> None:
    def why(counter: Counter) -> list[str]:
        return [
            words for name, words in counter_contradictions(counter, CARD) if name == "location"
        ]

    assert "a cloaked counter (15.602)" in why(squad(status="cloaked"))[0]
    assert "Encircled" in why(squad(status="hidden encircled"))[0]
    assert "unpossessed" in why(gun("g1", "in N30", "37L AT", JAPANESE, status="hidden"))[0]
    with pytest.raises(BadLocationError, match="write a hex"):
        fields_of(Fortification)["location"].read("in N30")


# --- who may know ---------------------------------------------------------------------------------


def test_the_enemy_knows_no_more_of_a_paper_counter_than_of_one_in_a_hex() -> None:
    made = campaign(squad(), sw("w1", "in N30", side=JAPANESE, possessor="j1"), areas=AREAS)
    assert not visible_campaign(made, MARINE).units
    assert not visible_campaign(made, MARINE).weapons


def test_a_paper_counter_is_in_no_vasl_save_but_on_the_sealed_sheet() -> None:
    made = campaign(squad(), japanese_squad("j2", "in N30"), areas=AREAS)
    laid = build_layout(made, dict(made.units), lambda block: 1)
    assert [counter.id for counter in laid.gone] == ["j1"]
    assert [one.id for blocks in laid.places.values() for b in blocks for one in b.counters] == [
        "j2"
    ]
    assert [counter.id for counter in hidden_counters(made, JAPANESE)] == ["j1"]
    assert place_without_hex_text(made, made.units["j1"]) == "on paper"
    assert place_without_hex_text(made, made.units["j2"]) == "on the table"


def test_setup_areas_are_computed_without_the_paper_counter() -> None:
    seen = marine_squad("m1", "N19")
    both = [
        play(divide_into_setup_areas, campaign(seen.clone(), *more)) for more in ((), (squad(),))
    ]
    assert both[0].campaign.areas.keys() == both[1].campaign.areas.keys()
