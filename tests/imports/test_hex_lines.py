"""Hexes as the eye goes over the map: "P34 1 2 5; Q35 3, 9-1 Crowe"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brt_cg.imports.hex_lines import parse_counter_locations, parse_hex_lines
from brt_cg.model.counters import Side
from brt_cg.model.numbered_lists import NumberedList, numbered_lists
from brt_cg.questions.answers import RefusedError
from tests.refit.table import campaign, leader, marine_squad, sw

AREAS = {"M1": "N18-N21", "M2": "P30-P34"}
MADE = campaign(
    leader("m-ldr-1", None, "9-1", setup_area="M1", name="Crowe"),
    *(marine_squad(f"m-sq-{n}", None, setup_area="M1") for n in (1, 2, 10)),
    marine_squad("m-sq-3", None, setup_area="M1", name="B"),
    marine_squad("m-sq-4", None, setup_area="M2", name="B"),
    areas=AREAS,
)
LISTS = numbered_lists(MADE, Side.MARINE)
M1: NumberedList = LISTS[0]


def test_numbers_names_and_labels_are_read_next_to_a_list() -> None:
    assert [each.id for each in M1.counters] == ["m-ldr-1", "m-sq-1", "m-sq-2", "m-sq-3", "m-sq-10"]
    assert parse_counter_locations("p34 2 3; q35 5, 9-1 crowe; in n18 m-sq-3", LISTS, M1) == {
        "m-sq-1": "P34",
        "m-sq-2": "P34",
        "m-sq-10": "Q35",
        "m-ldr-1": "Q35",
        "m-sq-3": "in N18",
    }


def test_a_part_may_name_its_list_and_off_map() -> None:
    assert parse_counter_locations("M2: P31 1\nm1: off 1 Crowe", LISTS) == {
        "m-sq-4": "P31",
        "m-ldr-1": "off_map",
    }


def test_a_list_of_isolated_units_is_named_by_their_location() -> None:
    made = campaign(
        *(marine_squad(id, "K24", isolated=True, recorded_location="K24") for id in ("i1", "i2")),
        marine_squad("m1", None, setup_area="M1"),
        areas=AREAS,
    )
    lists = numbered_lists(made, Side.MARINE)
    assert parse_counter_locations("k24: N18 2; M1: N19 1", lists) == {"i2": "N18", "m1": "N19"}


def test_a_possessor_of_a_captured_sw_needs_no_hex_for_it() -> None:
    captured = sw("w1", None, possessor="m-sq-1", nation=Side.JAPANESE, setup_area="M1")
    made = campaign(marine_squad("m-sq-1", None, setup_area="M1"), captured, areas=AREAS)
    (m1,) = numbered_lists(made, Side.MARINE)
    assert parse_counter_locations("in N18", [m1], m1, m1.counters) == {"m-sq-1": "in N18"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("P99 1", "not a hex"),
        ("P34 9", "no such number in Area M1"),
        ("P34 Shoup", "no counter has that name"),
        ("P34 7-6-8 B", "several counters have that name; use one of these ids: m-sq-3, m-sq-4"),
        ("P34 1; Q35 1", "is already in P34"),
        ("P34", "name a counter"),
        ("M9: P34 1", "there is no list M9"),
        ("in A1 1", "no Setup Area holds an Ocean hex"),
    ],
)
def test_unreadable_parts_are_reported_one_by_one(text: str, why: str) -> None:
    with pytest.raises(RefusedError, match=why):
        parse_counter_locations(text, LISTS, M1)


def test_a_wrong_hex_is_the_only_problem_reported_for_its_counters() -> None:
    (part,) = parse_hex_lines("P99 1", LISTS, M1)
    assert part.problems == ["P99 is not a hex of Betio (A1–Z63)"]


def test_a_line_is_understood_while_it_is_typed() -> None:
    assert [part.parsed_meaning_text for part in parse_hex_lines("P34 1 2; Q3", LISTS, M1)] == [
        "P34: 9-1 Crowe, 7-6-8 m-sq-1",
        "Q3: no counter yet",
    ]


@given(st.text(alphabet="PQ345 12;,:Min\nCrowe", max_size=40))
def test_any_typed_text_is_read_or_refused(text: str) -> None:
    try:
        found = parse_counter_locations(text, LISTS, M1)
    except RefusedError:
        return
    assert all(MADE.find(id) is not None for id in found)


def test_a_hex_line_accepts_no_event_letters() -> None:
    with pytest.raises(RefusedError, match="x is not a hex"):
        parse_counter_locations("x 2", LISTS, M1)
