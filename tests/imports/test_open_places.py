"""What players say about counters without a Location before a scenario's end is stored."""

from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.commands.unaccounted import find_unaccounted
from brt_cg.imports.open_places import OpenPlaces, areas_of_blank_lines_text
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.numbered_lists import numbered_lists
from brt_cg.model.records import Phase
from brt_cg.questions.answers import RefusedError
from tests.refit.table import campaign, crew, gun, marine_squad, sw

CARD = load_card("III")
SIDE = {"san": 4, "elr": 5, "cvp": 0}
STATE: dict[str, Any] = {
    "format": "brt-cg/state",
    "version": 1,
    "scenario": {"date": "20 PM", "winner": "marine"},
    "sides": {"marine": SIDE, "japanese": SIDE},
}
ASKED = {"state": STATE, "missing": "keep", "side": None}
LINE = "at.marine.M1"


def made() -> Campaign:
    return campaign(
        marine_squad("m1", None, setup_area="M1"),
        sw("w1", None, possessor="m1", setup_area="M1"),
        sw("w2", None, setup_area="M1"),
        marine_squad("m2", None, setup_area="M1"),
        marine_squad("m3", None, setup_area="M1"),
        marine_squad("e1", "P38", status="encircled"),
        marine_squad("e2", "P39", status="encircled"),
        areas={"M1": "N18-N21 M18-M20"},
        phase=Phase.SCENARIO,
        date="20 PM",
    )


def left_open() -> OpenPlaces:
    lists = [each for side in Side for each in numbered_lists(made(), side)]
    return OpenPlaces(find_unaccounted(made(), ASKED, CARD), lists)


def settled(**lines: str) -> dict[str, dict[str, Any]]:
    typed = {LINE if name == "line" else name: text for name, text in lines.items()}
    found = left_open().complete_import_input(made(), ASKED, typed)["state"]
    return {row["id"]: row for table in ("units", "weapons") for row in found.get(table, ())}


def number_of(id: str) -> int:
    (each,) = left_open().open_lists
    return next(number for number, counter in each.numbered if counter.id == id)


def test_a_hex_alone_is_for_all_counters_not_named_elsewhere() -> None:
    rows = settled(line=f"P34 {number_of('m2')}; N19")
    assert {id: row["location"] for id, row in rows.items()} == {
        "m2": "P34",
        "m1": "N19",
        "w1": "N19",
        "m3": "N19",
        "w2": "N19",
    }


def test_unpossessed_equipment_still_needs_a_hex() -> None:
    rows = settled(line="in N18")
    assert {rows[id]["location"] for id in ("m1", "w1", "m2", "m3")} == {"in N18"}
    assert "w2" not in rows
    open_ = left_open()
    (part,) = open_.parse_line(open_.open_lists[0], "in N18")
    assert part.parsed_meaning_text == "in N18: the other 3; enter a hex for MMG w2"
    ((_, left),) = open_.lists_still_open({LINE: "in N18"})
    assert [counter.id for _, counter in left] == ["w2"]


@pytest.mark.parametrize(
    ("perimeter", "told"),
    [
        (
            ("N18", "N19", "N20", "N21", "N22"),
            "Area M1: counters without a hex go to the new Setup Area",
        ),
        (("N18", "N19"), "Area M1: counters without a hex"),
        (("P34",), "Area M1: this Area is no longer theirs"),
    ],
)
def test_a_blank_line_shows_the_setup_area_of_its_counters(
    perimeter: tuple[str, ...], told: str
) -> None:
    assert areas_of_blank_lines_text(made(), CARD, (perimeter,), left_open().open_lists).startswith(
        told
    )
    both = (("N18",), ("N20",))
    assert "M1: now split" in areas_of_blank_lines_text(made(), CARD, both, left_open().open_lists)


def test_equipment_of_a_unit_with_a_hex_needs_no_hex() -> None:
    ((_, left),) = left_open().lists_still_open({LINE: f"P34 {number_of('m1')}"})
    assert [counter.id for _, counter in left] == ["m2", "m3", "w2"]


def test_a_crew_is_stored_with_its_gun_unless_a_line_says_otherwise() -> None:
    there = made()
    there.add(crew("c1", None, setup_area="M1"))
    there.add(gun("g1", "N20", "37L AT", Side.MARINE, possessor="c1"))
    lists = [each for side in Side for each in numbered_lists(there, side)]
    open_ = OpenPlaces(find_unaccounted(there, ASKED, CARD), lists)
    for typed, place in ({}, "N20"), ({LINE: "N21 c1"}, "N21"):
        (row,) = open_.complete_import_input(there, ASKED, typed)["state"]["units"]
        assert (row["id"], row["location"]) == ("c1", place)


@pytest.mark.parametrize(
    ("still", "but", "freed"),
    [
        ("no", "", {"e1", "e2"}),
        ("yes", "", set()),
        ("no", "e1", {"e2"}),
        ("yes", "e1", {"e1"}),
        ("", "", set()),
    ],
)
def test_all_none_or_some_units_stay_encircled(still: str, but: str, freed: set[str]) -> None:
    rows = settled(encircled=still, encircled_except=but)
    assert {id for id, row in rows.items() if not row["status"]} == freed


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ({LINE: "P34 99"}, "Area M1: P34 99: 99: no such number in Area M1"),
        ({"encircled_except": "m1", "encircled": "no"}, "Encircled: not in this list: m1"),
    ],
)
def test_a_problem_is_reported_at_its_line(lines: dict[str, str], why: str) -> None:
    with pytest.raises(RefusedError, match=why):
        left_open().complete_import_input(made(), ASKED, lines)
