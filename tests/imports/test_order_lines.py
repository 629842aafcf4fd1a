"""An order of battle in ten minutes: lines as one reads them off a card."""

from collections import Counter as Tally
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brt_cg.card import load_card
from brt_cg.card.proof import proofreading_lines
from brt_cg.card.unit_names import all_mmc
from brt_cg.catalogue import load_catalogue
from brt_cg.cli import main
from brt_cg.exports.order_of_battle import text_lines
from brt_cg.imports.order_lines import (
    WHICH_MINES,
    ParsedOrderLine,
    apply_suggestions,
    distribute_weapons,
    parse_order_lines,
    reinforce_inputs,
)
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Kind, Side, Unit, Weapon
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
def test_a_line_is_understood(text: str, side: Side, count: int, known: dict[str, Any]) -> None:
    found = rows(text, side)
    assert len(found) == count
    assert all(row[name] == value for row in found for name, value in known.items())


def test_a_crew_possesses_a_gun_whose_name_begins_with_its_calibre() -> None:
    crews_and_guns = rows("2 x 2-2-8: 75 AA, 37L AT", JAPANESE)
    assert [row["type"] for row in crews_and_guns[2:]] == ["Type 88 75 AA", "37L AT"]


def test_how_many_is_said_once() -> None:
    (line,) = read("2 x 6-6-8 x 3")
    assert line.problems == ["2 x 6-6-8 x 3: gives the number twice"]


def test_fortifications_are_lines_too_with_the_capacity_of_a_pillbox() -> None:
    found = rows("4 1S foxholes, pillbox 2+3+5, 2 wire", JAPANESE)
    assert [row["type"] for row in found] == ["foxhole_1s"] * 4 + ["pillbox"] + ["wire"] * 2
    assert (found[4]["capacity"], found[4]["ca_tem"], found[4]["nca_tem"]) == (2, 3, 5)
    (line,) = read("3 trenches; pillbox 2+4+6; fortified building", JAPANESE)
    assert line.words == "3 × trench, 1 × pillbox 2+4+6, 1 × fortified building"


def test_nobody_has_bought_the_pillboxes_of_a_card_so_no_price_says_where_they_stand() -> None:
    found = rows("pillbox 1+3+5; pillbox 3+3+5 at K20", JAPANESE)
    assert [(row["type"], row["capacity"]) for row in found] == [("pillbox", 1), ("pillbox", 3)]


def test_a_breach_is_on_its_hexside() -> None:
    (breach,) = rows("seawall breach at n18/n19", JAPANESE)
    assert breach["location"] == "N18/N19"


@pytest.mark.parametrize("text", ["• 4–4–7", "4‐4‐7", "– 4-4-7", "4−4−7"])
def test_a_line_may_come_from_a_word_processor(text: str) -> None:
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


def test_every_mmc_is_called_by_its_digits() -> None:
    for side in Side:
        for each in all_mmc(CARD, side):
            (line,) = read(each.type, side)
            assert not line.problems, each


def test_what_units_possess_and_what_they_are_aboard_goes_round() -> None:
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
        ("75 howitzer", r"75 howitzer: did you mean 75\* pack howitzer\?"),
        ("1 70mm Gun", r"70mm Gun: no such type\. A new type"),
        ("6-6-8, mgm", r"mgm: did you mean MMG\?"),
        ("4 foxholes, 2 HMG", r"foxholes: did you mean 3S foxhole\?"),
        ("20 PM: 1S foxhole", "a Fortification has no date"),
        ("HGM", 'HMG\\? A new type goes in quotes, then its kind: "HGM"'),
        ("LVT-2", "LVT2\\?"),
        ("3 x 6-6-8 A-B", "2 names for 3"),
        ("2 HMG: DC", "only units possess"),
        ("6-6-8: LVT2", "a vehicle has no possessor"),
        ("24 PM: 6-6-8", "allowed: 20 AM"),
        ("6-6-8 at Q99", "not a hex"),
        ("0 x 6-6-8", "allowed: 1 to"),
        ("MA", "comes with its vehicle"),
    ],
)
def test_what_is_not_understood_says_why_and_nothing_is_stored(text: str, why: str) -> None:
    with pytest.raises(RefusedError, match=f"line 2: .*{why}"):
        reinforce_inputs(read(f"6-6-8\n{text}"))


def test_what_is_asked_back_is_taken_in_one_go() -> None:
    text = "91 Crowe\n2 hgm, MMG\n2 x 228 crew: 75 howitzer\n668\n"
    meant = apply_suggestions(text, read(text))
    assert meant == "9-1 Crowe\n2 HMG, MMG\n2 x 228 crew: 75 howitzer\n668\n", "a pack howitzer?"
    assert apply_suggestions(meant, read(meant)) == ""


@pytest.mark.parametrize("text", ["Mines 6 factors x 4", "6 mines", "2S foxhol", "4 foxholes"])
def test_what_is_taken_in_one_go_changes_no_number_and_no_kind(text: str) -> None:
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
def test_what_is_not_tracked_is_set_aside_and_holds_nothing_up(text: str) -> None:
    lines = read(f"6-6-8\n{text}\n20 PM: 668")
    assert lines[1].aside
    assert not lines[1].problems
    assert len(reinforce_inputs(lines)) == 2


@pytest.mark.parametrize("text", ["A HMGG", "xyzzy", "stone 6", "no. 4 squad"])
def test_what_may_be_a_counter_is_asked_about_and_not_set_aside(text: str) -> None:
    assert read(f"6-6-8\n{text}")[1].problems


def test_mines_are_asked_about_by_kind() -> None:
    (line,) = read("Mines 6 factors x 4", JAPANESE)
    assert line.problems == [f"Mines 6 factors: {WHICH_MINES}"]
    assert read("24 A-T mine factors", JAPANESE)[0].words == "24 × A-T mine factor"


@pytest.mark.parametrize("head", ["Japanese order of battle", "Initial Japanese forces"])
def test_a_heading_in_words_names_the_side_too(head: str) -> None:
    assert [line.side for line in read(f"{head}\n4-4-7\nThe Marine player moves first")] == [
        JAPANESE,
        JAPANESE,
    ]


def test_a_heading_that_names_a_side_says_whose_the_next_lines_are() -> None:
    assert [line.side for line in read("Japanese infantry:\n4-4-7")] == [JAPANESE]


def test_sw_listed_apart_are_given_to_squads_in_order() -> None:
    text = "2 x 6-6-8\n9-1 Crowe\n2 x 7-6-8 engineers # the first wave\n3 MMG\n2 DC"
    handed, many = distribute_weapons(text, read(text))
    assert handed == (
        "2 x 6-6-8: MMG, MMG\n9-1 Crowe\n2 x 7-6-8 engineers: MMG, DC  # the first wave\n1 DC"
    )
    assert many == 4
    rows = [row for line in read(handed) for table, row in line.rows if table == "weapons"]
    assert len({row.get("possessor") for row in rows}) == 5, "one to each; one DC is left over"


def test_what_has_possessors_or_no_squads_is_left_as_it_is() -> None:
    text = "2 x 6-6-8: MMG\n2 DC\n20 PM: 3 x 6-6-8"
    assert distribute_weapons(text, read(text)) == ("", 0)


def test_whose_the_lines_are_is_said_once() -> None:
    lines = read("Marine:\n6-6-8\nJapanese\n4-4-8 # the best\n\n# a remark", None)
    assert [line.side for line in lines] == [MARINE, JAPANESE]
    with pytest.raises(RefusedError, match="whose"):
        reinforce_inputs(read("6-6-8", None))


def test_the_proof_is_by_kind_with_totals() -> None:
    units = [
        Unit(id=f"m{n}", side=MARINE, kind=Kind(row["kind"]), type=row["type"])
        for n, row in enumerate(rows("3 x 6-6-8"))
    ]
    *_, total = proofreading_lines(units, CARD)
    assert (total.count, total.squad_equivalents, total.cvp) == (3, 3.0, 6)


# --- stored, exported and read back ---------------------------------------------------------------

CARD_OF_A_PLAYER = """
Marine:
4 x 6-6-8
9-1 Crowe
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
        (each.side, each.type_text, each.name, getattr(each, "class_", None), _holder(view, each))
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
    assert "5 · 3 x 7-6-8 engineers" in capsys.readouterr().out
    assert main(["reinforce", str(first), str(typed)]) == 0
    assert main(["export", str(first), "order-of-battle", "-o", str(shared)]) == 0
    assert main(["reinforce", str(second), str(shared)]) == 0
    assert counted(first) == counted(second)
    again = [*text_lines(unrestricted_campaign(OpenCampaign.open(second)).campaign, MARINE)]
    assert again == [*text_lines(unrestricted_campaign(OpenCampaign.open(first)).campaign, MARINE)]
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
def test_whatever_is_typed_is_understood_or_said_why(text: str) -> None:
    for line in read(text):
        assert line.words
        assert line.problems or line.rows
        assert not any(
            isinstance(value, TextSlice) for _, row in line.rows for value in row.values()
        )
