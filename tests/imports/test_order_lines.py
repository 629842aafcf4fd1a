"""An order of battle in ten minutes: lines as one reads them off a card."""

import json
from collections import Counter as Tally
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brt_cg.card import Wave, load_card, read_arrival_counters
from brt_cg.card.proof import proofreading_lines
from brt_cg.card.unit_names import all_mmc_of_side, quote_name_if_needed
from brt_cg.catalogue import load_catalogue
from brt_cg.cli import main
from brt_cg.exports.order_of_battle import order_of_battle_text
from brt_cg.imports.order_equipment import assign_support_weapons_in_text
from brt_cg.imports.order_line import ParsedOrderLine, apply_suggestions, reinforce_inputs
from brt_cg.imports.order_lines import WHICH_MINES, parse_order_lines
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side, Unit, UnitKind, Weapon
from brt_cg.model.records import Phase
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.text import TextSlice
from tests.refit.table import campaign

CARD = load_card("III")
MARINE, JAPANESE = Side.MARINE, Side.JAPANESE


def read(
    text: str, side: Side | None = MARINE, into: Campaign | None = None
) -> list[ParsedOrderLine]:
    into = into or campaign(phase=Phase.PURCHASE)
    return parse_order_lines(text, side, into, CARD, load_catalogue())


def rows(text: str, side: Side = MARINE) -> list[dict[str, Any]]:
    (line,) = read(text, side)
    assert line.problems == []
    return [row for _, row in line.rows]


@pytest.mark.parametrize(
    ("text", "side", "count", "known"),
    [
        ("4 x 6-6-8", MARINE, 4, {"kind": "squad", "type": "6-6-8"}),
        ("4 x 668", MARINE, 4, {"kind": "squad", "type": "6-6-8"}),
        ("4 668", MARINE, 4, {"kind": "squad", "type": "6-6-8"}),
        ("768", MARINE, 1, {"kind": "squad", "type": "7-6-8"}),
        ("3-4-8 HS", MARINE, 1, {"kind": "half_squad", "type": "3-4-8"}),
        ("2 7-6-8 engineers", MARINE, 2, {"traits": ["engineer"]}),
        ("2-2-8", MARINE, 1, {"kind": "crew"}),
        ("six 6-6-8", MARINE, 6, {"kind": "squad", "type": "6-6-8"}),
        ("Three x HMG", MARINE, 3, {"type": "HMG"}),
        ('"6-6-8",4', MARINE, 4, {"kind": "squad", "type": "6-6-8"}),
        ('"6-6-8 squad","4","Red Two"', MARINE, 4, {"kind": "squad", "type": "6-6-8"}),
        ('"9-1 Crowe"', MARINE, 1, {"kind": "leader", "type": "9-1", "name": "Crowe"}),
        ('4;"6-6-8"', MARINE, 4, {"kind": "squad", "type": "6-6-8"}),
        ("9-1 Crowe", MARINE, 1, {"kind": "leader", "type": "9-1", "name": "Crowe"}),
        ("2 heroes", MARINE, 2, {"kind": "hero", "type": "1-4-9"}),
        ("4-4-8", JAPANESE, 1, {"class": "elite", "kind": "squad"}),
        ("347", JAPANESE, 1, {"class": "second_line", "kind": "squad"}),
        ("3-4-7 reduced", JAPANESE, 1, {"class": "first_line", "strength": "reduced"}),
        ("2-3-7", JAPANESE, 1, {"class": "first_line", "kind": "half_squad"}),
        ("3-3-6 laborers", JAPANESE, 1, {"traits": ["korean_laborer"]}),
        ("T-H hero", JAPANESE, 1, {"kind": "hero", "traits": ["tank_hunter"]}),
        ("2 HMG", MARINE, 2, {"kind": "sw", "type": "HMG"}),
        ("4-4-7 x 3", JAPANESE, 3, {"type": "4-4-7"}),
        ("6-6-8 x2 A-B", MARINE, 2, {"type": "6-6-8"}),
        ("75 AA", JAPANESE, 1, {"kind": "gun", "type": "Type 88 75 AA"}),
        ("2 75 AA", JAPANESE, 2, {"kind": "gun", "type": "Type 88 75 AA"}),
        ("37LAT", JAPANESE, 1, {"kind": "gun", "type": "37L AT"}),
        ("3 LVT2", MARINE, 3, {"type": "LVT2"}),
        ('2 "Own gun" gun', MARINE, 2, {"kind": "gun", "type": "Own gun"}),
        ("6-6-8 B at N21", MARINE, 1, {"name": "B", "location": "N21"}),
    ],
)
def test_an_order_of_battle_line_is_read(
    text: str, side: Side, count: int, known: dict[str, Any]
) -> None:
    found = rows(text, side)
    assert len(found) == count
    assert all(row[name] == value for row in found for name, value in known.items())


COUNTED = ["6-6-8\t12", "6-6-8 (12)", "6-6-8 [12]", "6-6-8 x12", "6-6-8 = 12", "6-6-8 *12"]


@pytest.mark.parametrize(
    "text",
    [
        *COUNTED,
        *("6-6-8 12", "6-6-8: 12", "6-6-8,12", "12;6-6-8", "6-6-8x12", "6-6-8(12)", "6-6-8 - 12"),
        *("6-6-8 .... 12", "[12] 6-6-8", "12 ea. 6-6-8", "12 squads 6-6-8", "668 squads (x12)"),
        *("12 Marine 6-6-8", "Marines\t6-6-8\t12", "| 6-6-8 | 12 |", "12\t6-6-8", "12.0\t668"),
    ],
)
def test_a_number_or_brackets_after_the_type_are_a_count_and_never_a_name(text: str) -> None:
    found = rows(text)
    assert len(found) == 12
    assert not any(row.get("name") for row in found)


@pytest.mark.parametrize(
    ("text", "type_", "many"),
    [
        *(("HMG (2)", "HMG", 2), ("LCM (3)", "LCM(3)", 1), ("LCM(3) (2)", "LCM(3)", 2)),
        *(("BAZ 43", "BAZ 43", 1), ("BAZ 43 2", "BAZ 43", 2), ("10 HMGs", "HMG", 10)),
        *(("60mm mortar (2)", "60mm MTR", 2), ("3 M4A2 tanks", "M4A2", 3)),
    ],
)
def test_a_number_that_belongs_to_a_type_is_no_count(text: str, type_: str, many: int) -> None:
    assert [row["type"] for row in rows(text)] == [type_] * many


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 x LVT2 80", '80: a count? LVT2 x 80. A name? 1 x LVT2 "80"'),
        ("9-1 12", '12: a count? 9-1 x 12. A name? 1 x 9-1 "12"'),
        ("6-6-8 x2 (3)", "6-6-8 x2 (3): has two numbers; enter one"),
        ("6-6-8 A-C", 'A-C: 3 counters? 3 x 6-6-8 A-C. Put a single name in quotes: "A-C"'),
        ("9-1 (Crowe)", "(Crowe): did you mean Crowe?"),
        ('LVT2,"80"', '"80": a new type goes in quotes'),
        ("six 6-6-8 x 4", "six 6-6-8 x 4: has two numbers; enter one"),
        ("6-6-8 broken", 'broken: not a name: enter it later, or put a name in quotes: "broken"'),
        (
            "LVT2\t80\t3",
            "80, 3: it is not clear which number is the count; give the columns headings",
        ),
        ("6-6-8\tHMG\t2", "HMG: this row has two counters; put the second on a separate line"),
        ("6-6-8 201", "201: enter 1 to 200 on a line"),
    ],
)
def test_a_count_in_doubt_is_asked_about(text: str, why: str) -> None:
    (line,) = read(text)
    assert line.problems[0].startswith(why)


def test_a_name_in_quotes_may_be_a_number_or_hold_any_sign() -> None:
    text = '2 x 9-1 "Crowe, Jr.", "A | B; #1: x"; LVT2 "80"'
    names = ["Crowe, Jr.", "A | B; #1: x", "80"]
    assert [row["name"] for row in rows(text)] == names


SHEET = """Side\tUnit\tQty\tName\tArrives\tNotes
Marine\t6-6-8\t12\t\t\tfirst wave
Marine\t9-1\t1\tCrowe\t\t
Marine\tLVT2\t2\t\t20 PM\tfrom reserve
Japanese\t4-4-7\t3\t\t\t
Japanese\t8-0\t0\t\t\tnot in CG I"""


def test_a_block_from_a_spreadsheet_is_read_by_its_columns() -> None:
    heading, squads, leader, boats, enemies, none = read(SHEET)
    assert heading.aside
    assert squads.meaning_or_problem_text == "12 × 6-6-8 squad; ignored: first wave"
    assert leader.meaning_or_problem_text == "1 × 9-1 leader Crowe"
    assert boats.meaning_or_problem_text == "20 PM: 2 × LVT2 vehicle; ignored: from reserve"
    assert (enemies.side, enemies.meaning_or_problem_text) == (JAPANESE, "3 × 4-4-7 squad")
    assert none.rows == []
    assert len(reinforce_inputs(read(SHEET))) == 2


def test_spreadsheet_text_next_to_a_counter_names_only_a_leader() -> None:
    assert [
        line.meaning_or_problem_text for line in read("9-1\tCrowe\t1\nHMG\t2\tcaptured ones?")
    ] == [
        "1 × 9-1 leader Crowe",
        "2 × HMG SW; ignored: captured ones?",
    ]


@pytest.mark.parametrize(
    ("text", "side", "type_"),
    [
        *(("HMG .50-cal", MARINE, ".50cal HMG"), (".50 caliber HMG", MARINE, ".50cal HMG")),
        *(("13.2mm HMG", JAPANESE, ".50cal HMG"), ("37mm ATG", JAPANESE, "37L AT")),
        *(("37mm ATG", MARINE, "37L AT"), ("75 howitzer", MARINE, "75* pack howitzer")),
        *(("70mm INF Gun", JAPANESE, "Type 92 70* INF"), ("37 INF", JAPANESE, "37* INF")),
        *(("Type 94 37mm AT", JAPANESE, "37L AT"), ("anti-tank gun", JAPANESE, "37L AT")),
        *(("75mm infantry gun", JAPANESE, "Year 41 75* INF"), ("75 ART", JAPANESE, None)),
        *(
            ("3-inch Type 10 AA", JAPANESE, "Type 10 76L AA"),
            ("8-inch gun", JAPANESE, "8-in. Gun Turret"),
        ),
        *(
            ("14 cm coastal gun", JAPANESE, "Year 3 140L ART"),
            ("knee mortar", JAPANESE, "50mm MTR"),
        ),
        *(("120mm AA gun", JAPANESE, "Year 10 120L AA"), ("75mm Type 88 AA", JAPANESE, None)),
    ],
)
def test_a_gun_is_named_by_caliber_and_role(text: str, side: Side, type_: str | None) -> None:
    known = {"75 ART": "Year 38 75* ART", "75mm Type 88 AA": "Type 88 75 AA"}
    assert [row["type"] for row in rows(text, side)] == [type_ or known[text]]


@pytest.mark.parametrize(
    ("text", "these"),
    [
        ("75mm gun", "Year 41 75* INF, Year 38 75* ART, Type 88 75 AA"),
        ("AA guns", "Type 10 76L AA, Type 88 75 AA, Year 10 120L AA, Twin 12.7 (12 IFE)"),
        ("Type 92 75 INF", "Type 92 70* INF, Year 41 75* INF"),
    ],
)
def test_a_gun_that_may_be_several_is_asked_about(text: str, these: str) -> None:
    (line,) = read(text, JAPANESE)
    assert line.problems == [f"{text}: which one? {these}"]


@pytest.mark.parametrize(
    ("text", "trait"),
    [("3-3-6 Korean", "korean_laborer"), ("4-4-8 AE", "engineer"), ("2-3-8 AE", "engineer")],
)
def test_words_of_the_card_say_the_kind_of_a_squad(text: str, trait: str) -> None:
    assert [row["traits"] for row in rows(text, JAPANESE)] == [[trait]]


@pytest.mark.parametrize(
    "text", ["8-1 AL in M4A2; 2 M4A2", "3 M4A2: 8-1 armor leader", "M4A2 (3)\n8-1 armor leader"]
)
def test_an_armor_leader_goes_into_his_vehicle(text: str) -> None:
    found = [row for line in read(text) for _, row in line.rows]
    assert sorted(row.get("armor_leader", "") for row in found) == ["", "", "8-1"]
    assert {row["type"] for row in found} == {"M4A2"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("8-1 AL", "in which vehicle? Write 8-1 AL in M4A2, or 3 M4A2: 8-1 AL"),
        ("M4A2\nM3A1\n8-1 AL", "in which vehicle?"),
        ("M4A2\n2 x 8-1 AL", "in which vehicle?"),
        ("9-0 AL in M4A2", "no armor leader; enter 6+1, 8-1"),
        ("M4A2: 8-1 AL, 9-1 AL", "a vehicle has only one armor leader"),
    ],
)
def test_an_armor_leader_without_his_vehicle_is_asked_about(text: str, why: str) -> None:
    assert why in read(text)[-1].problems[0]


def test_concealment_counters_on_a_line_are_set_aside_and_listed() -> None:
    assert read('20 "?"', JAPANESE)[0].aside
    (line,) = read("3 x 4-4-7, 20 ?", JAPANESE)
    assert line.meaning_or_problem_text == "3 × 4-4-7 squad; ignored: 20 ?"


def test_a_crew_possesses_a_gun_whose_name_begins_with_its_caliber() -> None:
    crews_and_guns = rows("2 x 2-2-8: 75 AA, 37L AT", JAPANESE)
    assert [row["type"] for row in crews_and_guns[2:]] == ["Type 88 75 AA", "37L AT"]


def test_a_count_is_given_only_once() -> None:
    (line,) = read("2 x 6-6-8 x 3")
    assert line.problems == ["2 x 6-6-8 x 3: has two numbers; enter one"]


def test_fortifications_are_lines_with_a_pillboxs_capacity() -> None:
    found = rows("4 1S foxholes, pillbox 2+3+5, 2 wire", JAPANESE)
    assert [row["type"] for row in found] == ["foxhole_1s"] * 4 + ["pillbox"] + ["wire"] * 2
    assert (found[4]["capacity"], found[4]["ca_tem"], found[4]["nca_tem"]) == (2, 3, 5)
    (line,) = read("3 trenches; pillbox 2+4+6; fortified building", JAPANESE)
    assert line.meaning_or_problem_text == "3 × trench, 1 × pillbox 2+4+6, 1 × fortified building"


def test_pillboxes_of_a_card_are_not_bound_by_purchase_limits() -> None:
    found = rows("pillbox 1+3+5; pillbox 3+3+5 at K20", JAPANESE)
    assert [(row["type"], row["capacity"]) for row in found] == [("pillbox", 1), ("pillbox", 3)]


def test_a_breach_is_on_its_hexside() -> None:
    (breach,) = rows("seawall breach at n18/n19", JAPANESE)
    assert breach["location"] == "N18/N19"


@pytest.mark.parametrize("text", ["• 4–4–7", "4‐4‐7", "– 4-4-7", "4−4−7"])
def test_a_line_pasted_from_a_word_processor_is_read(text: str) -> None:
    assert [row["type"] for row in rows(text, JAPANESE)] == ["4-4-7"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2 x 668, MMG", ["6-6-8", "6-6-8", "MMG"]),
        ("668 A, 81", ["6-6-8 A", "8-1"]),
        ("3 x 668 A, B, C; 9-1 Crowe", ["6-6-8 A", "6-6-8 B", "6-6-8 C", "9-1 Crowe"]),
        ("2 x LVT2 80, 81", ["LVT2 80", "LVT2 81"]),
        ("768 engineers: DC, FT; 2 mmg", ["7-6-8", "DC", "FT", "MMG", "MMG"]),
        ("2 668 in LVT2, 60mm mtr", ["6-6-8", "6-6-8", "LVT2", "LVT2", "60mm MTR"]),
    ],
)
def test_a_line_may_hold_several_kinds(text: str, found: list[str]) -> None:
    assert [" ".join(filter(None, (row["type"], row.get("name")))) for row in rows(text)] == found


def test_every_mmc_is_typed_by_its_strength_factors() -> None:
    for side in Side:
        for each in all_mmc_of_side(CARD, side):
            (line,) = read(each.type, side)
            assert not line.problems, each


def test_possessions_and_passengers_round_trip() -> None:
    found = rows("3 x 7-6-8 engineers A-C in 2 LVT2: DC, DC, FT")
    units = found[:3]
    boats = [row["id"] for row in found if row["type"] == "LVT2"]
    assert [row["aboard"] for row in units] == [boats[0], boats[0], boats[1]]
    held = {row["type"]: row["possessor"] for row in found[5:]}
    assert held == {"DC": units[1]["id"], "FT": units[2]["id"]}
    assert [row["name"] for row in units] == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("4 x 6-6-9", "no Marine unit"),
        ("8+1", "no Marine leader"),
        ("91 Crowe", r"91 Crowe: did you mean 9-1 Crowe\?"),
        ("37* INF", r"37\* INF: 37\* INF is a Japanese type"),
        ("1 70mm Gun", r"70mm Gun: no such type\. A new type"),
        ("6-6-8, mgm", r"mgm: did you mean MMG\?"),
        ("4 foxholes, 2 HMG", r"foxholes: did you mean 3S foxhole\?"),
        (
            "20 PM: 1S foxhole",
            "a Fortification is bought, or is there from the start; leave the date out",
        ),
        ("HGM", 'HMG\\? A new type goes in quotes, then its kind: "HGM"'),
        ("4 crew", r"crew: which one\? 2-2-8 \(crew\), 1-2-6 \(vehicle crew\)"),
        (".30 MMG", r"\.30 MMG: did you mean MMG\?"),
        ("LVT-2", "LVT2\\?"),
        ("3 x 6-6-8 A-B", "2 names for 3"),
        ("2 HMG: DC", "only units can possess"),
        ("6-6-8: LVT2", "a vehicle cannot be possessed; list it on a separate line"),
        ("24 PM: 6-6-8", "enter 20 AM"),
        ("6-6-8 at Q99", "not a hex"),
        ("0 x 6-6-8", "enter 1 to"),
        ("MA", "comes with its vehicle"),
    ],
)
def test_an_unreadable_line_says_why_and_stores_nothing(text: str, why: str) -> None:
    with pytest.raises(RefusedError, match=f"line 2: .*{why}"):
        reinforce_inputs(read(f"6-6-8\n{text}"))


def test_all_suggestions_can_be_accepted_together() -> None:
    text = "91 Crowe\n2 hgm, MMG\n9-1 (Hawkins)\n668\n"
    meant = apply_suggestions(text, read(text))
    assert meant == "9-1 Crowe\n2 HMG, MMG\n9-1 Hawkins\n668\n"
    assert apply_suggestions(meant, read(meant)) == ""


@pytest.mark.parametrize("text", ["Mines 6 factors x 4", "6 mines", "2S foxhol", "4 foxholes"])
def test_accepting_suggestions_changes_no_count_and_no_kind(text: str) -> None:
    taken = apply_suggestions(text, read(text))
    assert "".join(filter(str.isdigit, taken or text)) == "".join(filter(str.isdigit, text))
    assert "A-T" not in taken


@pytest.mark.parametrize(
    "text",
    [
        *("?", "6 ?", "12 x ?", "Sniper", "SAN 4", "Support Weapons:", "SW", "Squads"),
        *("24 A-P mines", "A-P mines 6 factors x 4", "Off-board artillery"),
        *("2 Mines 6 factors A-P", "Mines 6 factors x 4 AP"),
        *("Order of Battle (20 AM)", "Balance: add one squad"),
    ],
)
def test_untracked_counters_are_set_aside_without_an_error(text: str) -> None:
    lines = read(f"6-6-8\n{text}\n20 PM: 668")
    assert lines[1].aside
    assert not lines[1].problems
    assert len(reinforce_inputs(lines)) == 2


@pytest.mark.parametrize("text", ["A HMGG", "xyzzy", "stone 6", "no. 4 squad"])
def test_a_possible_counter_is_asked_about_and_not_set_aside(text: str) -> None:
    assert read(f"6-6-8\n{text}")[1].problems


def test_mines_are_asked_about_by_kind() -> None:
    (line,) = read("Mines 6 factors x 4", JAPANESE)
    assert line.problems == [f"Mines 6 factors: {WHICH_MINES}"]
    assert (
        read("24 A-T mine factors", JAPANESE)[0].meaning_or_problem_text == "24 × A-T mine factor"
    )


@pytest.mark.parametrize("head", ["Japanese order of battle", "Initial Japanese forces"])
def test_a_heading_in_words_names_the_side_too(head: str) -> None:
    assert [line.side for line in read(f"{head}\n4-4-7\nThe Marine player moves first")] == [
        JAPANESE,
        JAPANESE,
    ]


def test_a_heading_that_names_a_side_sets_the_side_of_the_next_lines() -> None:
    assert [line.side for line in read("Japanese infantry:\n4-4-7")] == [JAPANESE]


def test_sw_listed_apart_are_given_to_squads_in_order() -> None:
    text = "2 x 6-6-8\n9-1 Crowe\n2 x 7-6-8 engineers # the first wave\n3 MMG\n2 DC"
    handed, many = assign_support_weapons_in_text(text, read(text))
    assert handed == (
        "2 x 6-6-8: MMG, MMG\n9-1 Crowe\n2 x 7-6-8 engineers: MMG, DC  # the first wave\n1 DC"
    )
    assert many == 4
    rows = [row for line in read(handed) for table, row in line.rows if table == "weapons"]
    assert len({row.get("possessor") for row in rows}) == 5, "one to each; one DC is left over"


def test_sw_with_possessors_or_without_squads_are_unchanged() -> None:
    text = "2 x 6-6-8: MMG\n2 DC\n20 PM: 3 x 6-6-8"
    assert assign_support_weapons_in_text(text, read(text)) == ("", 0)


def test_the_side_of_the_lines_is_shown_once() -> None:
    lines = read("Marine:\n6-6-8\nJapanese\n4-4-8 # the best\n\n# a remark", None)
    assert [line.side for line in lines] == [MARINE, JAPANESE]
    with pytest.raises(RefusedError, match="no side"):
        reinforce_inputs(read("6-6-8", None))


@pytest.mark.parametrize(
    ("text", "side", "words"),
    [
        ("1. 6-6-8 x 3", MARINE, "3 × 6-6-8 squad"),
        ("2) HMG", MARINE, "1 × HMG SW"),
        ("Leaders: 9-2, 9-1 x2", MARINE, "1 × 9-2 leader, 2 × 9-1 leader"),
        ("SW: HMG x2, DC x6", MARINE, "2 × HMG SW, 6 × DC SW"),
        ("M4A2 Sherman (7)", MARINE, "7 × M4A2 vehicle"),
        ("M3A1 Stuart", MARINE, "1 × M3A1 vehicle"),
        ("3-3-6 labourers x2", JAPANESE, "2 × 3-3-6 laborer squad"),
        ("AT mines 12", JAPANESE, "12 × A-T mine factor"),
        ("3 A-T mines", JAPANESE, "3 × A-T mine factor"),
    ],
)
def test_a_line_is_read_as_players_write_it(text: str, side: Side, words: str) -> None:
    [line] = read(text, side)
    assert line.meaning_or_problem_text == words


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("6-6-8 + MMG", "a possession goes after a colon"),
        ("3 x 6-6-8 w/ MMG", "a possession goes after a colon"),
        ("6-6-8 & HMG", "a possession goes after a colon"),
        ("6-6-8 A B C", "3 counters? 3 x 6-6-8 A B C"),
        ("6-6-8 USMC", "not a name"),
    ],
)
def test_words_that_are_not_a_name_are_asked_about(text: str, told: str) -> None:
    [line] = read(text)
    assert told in line.meaning_or_problem_text
    assert line.rows == []


@pytest.mark.parametrize("text", ["TOTAL 45", "Total: 45 squads", "Grand total 12"])
def test_a_line_of_totals_is_set_aside(text: str) -> None:
    [line] = read(text)
    assert line.aside


def test_a_date_alone_on_a_line_applies_to_the_lines_after_it() -> None:
    found = read("6-6-8\n=====\n20 PM\n2 x 6-6-8\n20 NT Wave 3 (Red Two)\nHMG")
    assert [(line.date, line.wave) for line in found] == [
        (None, None),
        ("20 PM", None),
        ("20 NT", Wave("3", None, "Red Two")),
    ]


def test_a_name_of_single_letters_is_read_back() -> None:
    assert quote_name_if_needed("A B") == '"A B"'
    [row] = rows(f"6-6-8 {quote_name_if_needed('A B')}")
    assert row["name"] == "A B"


def test_the_summary_is_by_kind_with_totals() -> None:
    units = [
        Unit(id=f"m{n}", side=MARINE, kind=UnitKind(row["kind"]), type=row["type"])
        for n, row in enumerate(rows("3 x 6-6-8"))
    ]
    *_, total = proofreading_lines(units, CARD)
    assert (total.count, total.squad_equivalents, total.cvp) == (3, 3.0, 6)


# --- the Landing Schedule Record ------------------------------------------------------------------

WAVES = """
Marine:
2 M4A2
Wave 2 (2/8, Red Two, turn 2):
2 x 6-6-8 in LVT2
SW:
MMG
Wave 3, turn 4 (3/8, Red Three): 9-1 Crowe
20 PM, Wave 5 (1/8, Green):
3 x 7-6-8
Japanese:
4-4-7
"""


def test_a_heading_gives_the_wave_of_the_lines_after_it() -> None:
    found = [(line.date, line.wave) for line in read(WAVES) if not line.aside]
    second = ("20 AM", Wave("2", "2/8", "Red Two", 2))
    third, fifth = ("20 AM", Wave("3", "3/8", "Red Three", 4)), ("20 PM", Wave("5", "1/8", "Green"))
    assert found == [(None, None), second, second, third, fifth, (None, None)]


@pytest.mark.parametrize(
    ("heading", "wave"),
    [
        ("Wave 2 (2/8, Red Two, turn 2):", Wave("2", "2/8", "Red Two", 2)),
        ("Wave 3, turn 4 (3/8, Red Three):", Wave("3", "3/8", "Red Three", 4)),
        ("wave 4 (L/3/2, C MT, Red One, pier) :", Wave("4", "L/3/2, C MT", "Red One, pier")),
        ("Wave 2:", Wave("2")),
        ("WAVE 6 (Green Beach):", Wave("6", None, "Green")),
        ("Wave 7 (K12-K15):", Wave("7", None, "K12-K15")),
        ("Wave 2, 2/8, Red Beach 2, Turn 3:", Wave("2", "2/8", "Red Two", 3)),
        ("2nd Wave (2/8 on Red 2; GT 3):", Wave("2", "2/8", "Red Two", 3)),
        ("First wave - 3/2 - Red One:", Wave("1", "3/2", "Red One")),
        ("Wave 2 Red Two:", Wave("2", None, "Red Two")),
        ("Waves 1-3 [2/2, Entry Area Red Two]:", Wave("1-3", "2/2", "Red Two")),
        ("Turn 3 (1/8, hexes P30-Q32):", Wave(None, "1/8", "hexes P30-Q32", 3)),
        ("20 AM, wave 5 turn 6 (LT 3/6):", Wave("5", "LT 3/6", None, 6)),
    ],
)
def test_a_wave_has_formations_an_entry_area_and_a_turn(heading: str, wave: Wave) -> None:
    [line] = read(f"Marine:\n{heading}\n2 x 6-6-8")
    assert (line.problems, line.date, line.wave) == ([], "20 AM", wave)
    [again] = read(f"Marine:\n20 AM, {wave.words}: 2 x 6-6-8")
    assert again.wave == wave, "its words are read back"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Wave 2, 4 x 6-6-8: MMG", "counters come after a colon"),
        ("Wave 2 (turn two): 6-6-8", "no turn; write turn 3"),
        ("Wave 2, turn 3 (turn 4): 6-6-8", "has two turns; enter one"),
        ("Wave 2 in LVT2: 6-6-8", "Wave"),
    ],
)
def test_an_unreadable_wave_heading_says_why(line: str, told: str) -> None:
    [found] = read(f"Marine:\n{line}")
    assert told in found.meaning_or_problem_text
    assert found.wrong is not None


def test_a_pasted_landing_schedule_is_read_by_its_headings() -> None:
    pasted = """
Date\tWave\tTurn\tFormation\tEntry Area\tType\tNumber
20 AM\t1\t1\t3/2\tRed Beach 1\t6-6-8\t9
20 PM\tWave 5\t\t1/8\t\tMMG\t2
\t\t\tno Wave\tRed Three\tHMG\t1
"""
    first, second, third = (line for line in read(f"Marine:{pasted}") if not line.aside)
    assert (first.date, first.wave) == ("20 AM", Wave("1", "3/2", "Red One", 1))
    assert (second.date, second.wave) == ("20 PM", Wave("5", "1/8"))
    assert (third.date, third.wave, third.remarks) == (None, None, ["no Wave", "Red Three"])


def test_the_landing_schedule_is_in_the_records_on_the_card_and_read_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = begun(tmp_path, "a.brt"), begun(tmp_path, "b.brt")
    typed, shared = tmp_path / "card.txt", tmp_path / "shared.txt"
    typed.write_text(WAVES)
    assert main(["reinforce", str(first), str(typed)]) == 0
    assert main(["export", str(first), "order-of-battle", "-o", str(shared)]) == 0
    assert main(["reinforce", str(second), str(shared)]) == 0
    for path in (first, second):
        capsys.readouterr()
        assert main(["export", str(path), "records", "--format", "json"]) == 0
        landings = json.loads(capsys.readouterr().out)["landings"]
        shown = [(row["date"], row["turn"], row["wave"], row["entry_area"]) for row in landings]
        assert shown == [
            ("20 AM", 2, "2", "Red Two"),
            ("20 AM", 4, "3", "Red Three"),
            ("20 PM", None, "5", "Green"),
        ]
        assert [row["formations"] for row in landings] == ["2/8", "3/8", "1/8"]
    assert counted(first) == counted(second)
    assert main(["export", str(first), "scenario-card", "--side", "marine"]) == 0
    card = capsys.readouterr().out
    assert "20 AM, wave 2 (2/8, Red Two, turn 2): 2 x 6-6-8 in LVT2; MMG" in card
    assert "Crowe" in card
    assert main(["audit", str(first)]) == 0
    assert main(["undo", str(first), "--command"]) == 0
    assert main(["export", str(first), "records"]) == 0
    assert "Landing Schedule" not in capsys.readouterr().out


def test_dropped_counters_leave_their_wave(tmp_path: Path) -> None:
    path = begun(tmp_path, "a.brt")
    wave = "Marine: | Wave 2 (2/8): | 2 x 6-6-8 | MMG".replace(" | ", "\n")
    (tmp_path / "card.txt").write_text(wave)
    assert main(["reinforce", str(path), str(tmp_path / "card.txt")]) == 0
    assert main(["drop", str(path), "m-mmg-1"]) == 0

    def landing() -> list[tuple[str | None, str, int]]:
        view = unrestricted_campaign(OpenCampaign.open(path)).campaign
        found = view.arrivals.values()
        return [(each.formations, each.lines, len(read_arrival_counters(each))) for each in found]

    assert landing() == [("2/8", "2 × 6-6-8", 2)]
    assert main(["drop", str(path), "m-sq-1", "m-sq-2"]) == 0
    assert landing() == []
    assert main(["undo", str(path)]) == 0
    assert landing() == [("2/8", "2 × 6-6-8", 2)]
    assert main(["audit", str(path)]) == 0


def test_an_arrival_can_be_added_after_an_earlier_one_was_dropped(tmp_path: Path) -> None:
    path = begun(tmp_path, "a.brt")
    assert main(["reinforce", str(path), "20 PM: 6-6-8", "20 NT: HMG", "--side", "marine"]) == 0
    assert main(["drop", str(path), "am1"]) == 0
    assert main(["reinforce", str(path), "21 AM: MMG", "--side", "marine"]) == 0
    assert len(unrestricted_campaign(OpenCampaign.open(path)).campaign.arrivals) == 2


# --- stored, exported and read back ---------------------------------------------------------------

CARD_OF_A_PLAYER = """
Marine:
4 x 6-6-8
2 x 9-1 Crowe, Crowe
8-1 "Smith, Jr. | #2"
LVT2 "80"
3 M4A2: 8-1 AL
3 x 7-6-8 engineers: DC, DC, FT
2 x 3-4-8 HS: MMG, MMG
2 HMG
3 x 6-6-8 A-C in LVT2
20 PM, wave 3: 2 x 6-6-8 in LVT2
Japanese:
2 x 4-4-8
3-4-7 reduced
8-0
37L AT
2 x pillbox 2+3+5
3 x wire
"""


def begun(tmp_path: Path, name: str) -> Path:
    path = tmp_path / name
    OpenCampaign.create(path, {"cg": "III", "name": None, "allotments": None}).close()
    return path


def counted(path: Path) -> Tally[tuple[object, ...]]:
    view = unrestricted_campaign(OpenCampaign.open(path)).campaign
    return Tally(
        (
            *(each.side, each.type_text, each.name, getattr(each, "class_", None)),
            *(getattr(each, "armor_leader", None), _holder(view, each)),
        )
        for each in view.counters()
    )


def _holder(view: Campaign, each: object) -> str | None:
    id = each.possessor if isinstance(each, Weapon) else getattr(each, "aboard", None)
    found = view.find(id or "")
    return found.type_text if found else None


def test_one_player_types_a_card_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = begun(tmp_path, "a.brt"), begun(tmp_path, "b.brt")
    typed, shared = tmp_path / "card.txt", tmp_path / "shared.txt"
    typed.write_text(CARD_OF_A_PLAYER)
    assert main(["reinforce", str(first), str(typed), "--preview"]) == 0
    assert "8 · 3 x 7-6-8 engineers" in capsys.readouterr().out
    assert main(["reinforce", str(first), str(typed)]) == 0
    assert main(["export", str(first), "order-of-battle", "-o", str(shared)]) == 0
    assert main(["reinforce", str(second), str(shared)]) == 0
    assert counted(first) == counted(second)
    again = [
        *order_of_battle_text(unrestricted_campaign(OpenCampaign.open(second)).campaign, MARINE)
    ]
    assert again == [
        *order_of_battle_text(unrestricted_campaign(OpenCampaign.open(first)).campaign, MARINE)
    ]
    assert main(["audit", str(first)]) == 0
    assert main(["undo", str(first), "--command"]) == 0
    assert not [*unrestricted_campaign(OpenCampaign.open(first)).campaign.counters()]


def test_an_arrival_enters_when_it_is_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = begun(tmp_path, "a.brt")
    monkeypatch.setattr("sys.stdin", _stdin("20 PM, wave 3: 2 x 6-6-8 in LVT2\n4 x 6-6-8 at N19"))
    assert main(["reinforce", str(path), "-", "--side", "marine"]) == 0
    desk = OpenCampaign.open(path)
    assert len(unrestricted_campaign(desk).campaign.units) == 4
    state = {
        **{"format": "brt-cg/state", "version": 1, "perimeters": [["N18-N20"]]},
        "scenario": {"date": "20 AM", "winner": "marine", "moved_first": "marine"},
        "sides": {side.value: {"san": 4, "elr": 5, "cvp": 0} for side in Side},
    }
    desk.run_command("import", {"state": state, "missing": "keep", "side": None})
    desk.close()
    assert main(["refit", str(path), "--auto", "--seed", "1"]) == 0
    desk = OpenCampaign.open(path)
    arrived = [each for each in unrestricted_campaign(desk).campaign.units.values() if each.aboard]
    assert len(arrived) == 2
    assert all(each.off_map for each in arrived)
    assert unrestricted_campaign(desk).campaign.arrivals["am1"].entered
    desk.close()
    assert main(["audit", str(path)]) == 0


def _stdin(text: str) -> Any:
    return StringIO(text)


@given(st.text(alphabet='4x 6-8HMGLVT2:,"ABin#P\n', max_size=40))
def test_any_typed_line_is_read_or_refused_with_the_reason(text: str) -> None:
    for line in read(text):
        assert line.meaning_or_problem_text
        assert line.problems or line.rows or line.aside  # a heading, or what is not tracked
        assert not any(
            isinstance(value, TextSlice) for _, row in line.rows for value in row.values()
        )
