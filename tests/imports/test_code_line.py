"""A line of codes, word by word: what it tells, and what is said beside what it does not."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from brt_cg.board.locations import hexes_in_play, is_ocean
from brt_cg.imports.code_line import ParsedCode, parse_code_line, parsed_code_text, tick_code_events
from brt_cg.imports.event_sheet import EventSheet
from brt_cg.model.counters import Side
from brt_cg.service.open_campaign import OpenCampaign
from tests.imports.ends import coded, told
from tests.tui.moments import played

SQUAD, OTHER, LEADER, FOE = "m-sq-17", "m-sq-19", "m-ldr-8", "j-sq-7"


@pytest.fixture
def desk(demo_file: Path) -> OpenCampaign:
    return OpenCampaign.open(played(demo_file, None))


@pytest.fixture
def ticked(desk: OpenCampaign) -> EventSheet:
    return told(desk)


def tell(ticked: EventSheet, line: str) -> list[ParsedCode]:
    said = parse_code_line(ticked, coded(ticked, line))
    assert not [str(wrong) for each in said for wrong in each.wrong]
    for each in said:
        tick_code_events(ticked, each)
    return said


# --- the words that are right ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "ticks"),
    [
        ("x{m-sq-17}{m-ldr-8}", {SQUAD: {"eliminated": ""}, LEADER: {"eliminated": ""}}),
        ("x {m-sq-17}", {SQUAD: {"eliminated": ""}}),
        ("X{m-sq-17} b{m-sq-19}", {SQUAD: {"eliminated": ""}, OTHER: {"broken": ""}}),
        ("q35 {m-sq-17}{m-sq-19}", {SQUAD: {"moved": "Q35"}, OTHER: {"moved": "Q35"}}),
        ("q35:1 {m-sq-17} {m-sq-19}", {SQUAD: {"moved": "Q35:1"}, OTHER: {"moved": "Q35:1"}}),
        ("q35 {m-sq-17} w{m-ldr-8}", {SQUAD: {"moved": "Q35"}, LEADER: {"wounded": ""}}),
        ("in q35 {m-sq-17}", {SQUAD: {"moved": "in Q35"}}),
        ("off {m-sq-19}", {OTHER: {"moved": "off_map"}}),
        ("@m2 b{m-sq-17}", {SQUAD: {"broken": ""}}),
        ("c{j-sq-7} by {m-ldr-8}", {FOE: {"captured": LEADER}}),
        ("c {j-sq-7} by {m-ldr-8}", {FOE: {"captured": LEADER}}),
        (
            "c{m-sq-17} {m-sq-19} by {j-sq-7}",
            {SQUAD: {"captured": FOE}, OTHER: {"captured": FOE}},
        ),
        ("j{m-sq-17} by hero w{m-ldr-8}", {SQUAD: {"joined": "hero"}, LEADER: {"wounded": ""}}),
        ("j{m-sq-17} by 8-0 Smith", {SQUAD: {"joined": "8-0 Smith"}}),
    ],
)
def test_a_line_is_read_as_changes(ticked: EventSheet, line: str, ticks: object) -> None:
    tell(ticked, line)
    assert ticked.ticks == ticks


def test_a_range_is_all_codes_from_one_to_the_other(ticked: EventSheet) -> None:
    (said,) = parse_code_line(ticked, "y2a-d")
    assert [ticked.codes.code_of(each.id) for each in said.counters] == ["2a", "2b", "2c", "2d"]


def test_the_units_of_a_hex_can_be_named_without_codes(ticked: EventSheet) -> None:
    there = [each for each in ticked.view.pieces() if each.location == "R34" and each.in_play]
    assert there
    tell(ticked, "=r34 x")
    assert ticked.ticks == {each.id: {"eliminated": ""} for each in there}


def test_a_weapon_is_given_to_a_code_or_dropped(ticked: EventSheet) -> None:
    armed = next(each for each in ticked.view.weapons.values() if each.possessor and each.in_play)
    taker = ticked.possible_possessors(armed)[0]
    tell(ticked, f"t{{{armed.id}}} by {{{taker.id}}}")
    assert ticked.ticks == {armed.id: {"passed": taker.id}}
    tell(ticked, f"t{{{armed.id}}} by nobody")
    assert ticked.ticks == {armed.id: {"passed": "nobody"}}


def test_a_captors_report_names_prisoners_by_the_enemys_codes(desk: OpenCampaign) -> None:
    ticked = told(desk, seat=Side.MARINE)
    tell(ticked, f"c{{{FOE}}} by {{{LEADER}}}")
    assert ticked.codes.code_of(FOE).startswith("/")
    assert ticked.ticks == {FOE: {"captured": LEADER}}


def test_every_word_has_its_result(ticked: EventSheet) -> None:
    said = tell(ticked, f"x{{{SQUAD}}} q35 {{{OTHER}}}")
    squad, other = map(ticked.codes.code_of, (SQUAD, OTHER))
    results = [parsed_code_text(ticked, each) for each in said]
    assert results == [f"eliminated: {squad} 6-6-8", "Q35: who?", f"Q35: {other} 6-6-8"]


# --- the words that are wrong ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x11a", "11? write a code like 4a"),
        ("b12c", "12? write a code like 4a"),
        ("q352k", "q352k: put a space after the hex; did you mean q35 2k?"),
        ("/x2m/2n", "/x2m/2n: put the slash after the code's number; did you mean x/2m/2n?"),
        ("x1ab2c", "b2c: use one letter or hex per word; put a space before it"),
        ("x4a-5b", "4a-5b: write a code like 4a, a range like 4a-d"),
        ("6-6-8", "6-6-8: use the counters' codes, such as 4a"),
        ("9-1", "9-1: use the counters' codes, such as 4a"),
        ("x1a2", "2? write a code like 4a"),
        ("d4", "D4: who?"),
        ("d4 x1a", "D4: who?"),
        ("x", "x: who?"),
        ("4", "4? write a code like 4a"),
        ("x 4", "4? write a code like 4a"),
        ("x1l", "1? write a code like 4a"),
        (
            "M1:",
            "M1:: a code means the same counter in every "
            "list; use @m2 to limit the next codes to M2",
        ),
        ("crowe", "crowe: use the counters' codes; did you mean {m-ldr-7}?"),
        ("1a", "1a: put a letter or a hex before this code"),
        ("by 1a", "by: put the event first: c2d by /3f"),
        ("x0z", "0z: no counter has that code"),
        ("z99 1a", "z99: Z99 is not a hex of Betio"),
        ("m2a", "2a: to move a counter, write a hex and its code: q35 1a"),
        (f"c{{{FOE}}} by", "enter one code for the unit that did it: c2d by /3f"),
        (f"@m1 x{{{SQUAD}}}", "{m-sq-17} is not in Area M1: Area M2"),
        (f"w{{{SQUAD}}}", "w{m-sq-17}: {m-sq-17} 6-6-8 cannot be wounded"),
        (f"q35 {{{SQUAD}}} q36 {{{SQUAD}}}", "{m-sq-17} 6-6-8 is given twice: Q35 and Q36"),
        (f"c{{{SQUAD}}} by {{{OTHER}}}", "is not an enemy unit in play"),
    ],
)
def test_an_unreadable_word_is_marked_with_the_reason(
    ticked: EventSheet, line: str, message: str
) -> None:
    said = parse_code_line(ticked, coded(ticked, line))
    (wrong,) = [str(wrong) for each in said for wrong in each.wrong][:1]
    assert coded(ticked, message) in wrong


def test_a_problem_knows_its_position_in_the_line(ticked: EventSheet) -> None:
    (first, second) = parse_code_line(ticked, "y1a x1a2")
    assert not first.wrong
    assert (second.wrong[0].found.at, second.wrong[0].found.end) == (7, 8)


def test_a_side_reports_nothing_about_enemy_counters(desk: OpenCampaign) -> None:
    ticked = told(desk, seat=Side.MARINE)
    (said,) = parse_code_line(ticked, coded(ticked, f"x{{{FOE}}}"))
    assert "in your opponent's report" in str(said.wrong[0])


def test_no_side_captures_a_pillbox(desk: OpenCampaign) -> None:
    ticked = told(desk, seat=Side.MARINE)
    theirs = (each for each in ticked.view.fortifications.values() if "pillbox" in each.type_text)
    pillbox = next(each for each in theirs if ticked.codes.code_of(each.id).startswith("/"))
    (said,) = parse_code_line(ticked, coded(ticked, f"c{{{pillbox.id}}} by {{{LEADER}}}"))
    assert "cannot be captured" in str(said.wrong[0])


def test_a_hidden_counter_of_the_enemy_has_no_code_for_a_side(desk: OpenCampaign) -> None:
    japanese = told(desk, seat=Side.JAPANESE)
    hidden = next(each for each in japanese.view.pieces() if each.hidden and each.in_play)
    (said,) = parse_code_line(
        told(desk, seat=Side.MARINE), f"y/{japanese.codes.code_of(hidden.id)}"
    )
    assert "no counter has that code" in str(said.wrong[0])


# --- what is told, and what is asked --------------------------------------------------------------


def test_a_counter_given_twice_is_reported(ticked: EventSheet) -> None:
    called = ticked.counter_text(ticked.view.units[SQUAD])
    said = tell(ticked, f"x{{{SQUAD}}} x{{{SQUAD}}}")
    assert [each.notes for each in said] == [[], [f"{called} is given twice"]]
    (again,) = parse_code_line(ticked, coded(ticked, f"x{{{SQUAD}}}"))
    assert again.notes == [f"{called} already has that tick"]


def test_a_contradiction_is_reported_at_its_word(
    ticked: EventSheet,
) -> None:
    squad = ticked.view.units[SQUAD]
    *_, said = tell(ticked, f"x{{{SQUAD}}} b{{{OTHER}}}{{{SQUAD}}}")
    assert said.notes == [f"{squad.label} is ticked eliminated, broken: it counts as eliminated"]
    (again,) = parse_code_line(ticked, coded(ticked, f"d{{{SQUAD}}}"))
    assert "it counts as eliminated" in again.notes[0]


def test_ocean_and_hexes_more_than_eight_away_are_asked_about(
    ticked: EventSheet,
) -> None:
    _, near = parse_code_line(ticked, coded(ticked, f"q35 {{{SQUAD}}}"))
    _, far = parse_code_line(ticked, coded(ticked, f"d14 {{{SQUAD}}}"))
    ocean = next(hex for hex in sorted(hexes_in_play()) if is_ocean(hex))
    _, sea = parse_code_line(ticked, coded(ticked, f"{ocean} {{{SQUAD}}}"))
    assert near.doubts == []
    assert "hexes from D14" in far.doubts[0]
    assert f"{ocean} is an Ocean hex" in sea.doubts


def test_a_hex_that_is_not_in_play_in_this_cg_is_asked_about(ticked: EventSheet) -> None:
    smaller = replace(ticked.card, max_hex=34, max_hex_ruling=None)
    ticked = replace(ticked, card=smaller)
    _, outside = parse_code_line(ticked, coded(ticked, f"q35 {{{SQUAD}}}"))
    _, inside = parse_code_line(ticked, coded(ticked, f"q34 {{{SQUAD}}}"))
    assert outside.doubts == ["Q35 is not in play"]
    assert inside.doubts == []


def test_a_line_that_separates_a_weapon_from_its_possessor_says_so(ticked: EventSheet) -> None:
    armed = next(
        each
        for each in ticked.view.weapons.values()
        if each.kind == "sw" and each.possessor and each.in_play and each.side is Side.MARINE
    )
    waiting = ticked.view.units[str(armed.possessor)]
    assert waiting.location is None
    _, alone = parse_code_line(ticked, coded(ticked, f"q35 {{{armed.id}}}"))
    assert alone.notes == [f"{ticked.counter_text(waiting)} has it, and is assumed to be there too"]
    *_, said = parse_code_line(ticked, coded(ticked, f"q36 {{{waiting.id}}} q35 {{{armed.id}}}"))
    assert "is in a different hex from" in said.notes[0]
    _, both = parse_code_line(ticked, coded(ticked, f"q35 {{{armed.id}}}{{{armed.possessor}}}"))
    assert both.notes == []


WORDS = (
    *("x1a", "q35", "in", "off", "by", "1a", "/2b", "@m2", "=r34", "c", "j", "t", "hero", "8-0"),
    *("Smith", "nobody", "m", "4a-", "/", "@", "=", "6-6-8", "n18/n19", "\n", "*", ":", "1²", ";"),
)


def test_any_typed_text_is_read_or_reported_as_wrong(ticked: EventSheet) -> None:
    chance = Random(48)
    for _ in range(200):
        said = parse_code_line(ticked, " ".join(chance.choices(WORDS, k=chance.randint(1, 6))))
        assert all(parsed_code_text(ticked, each) or each.wrong or each.is_begun for each in said)
        if not any(each.wrong or each.needs_captor_or_possessor for each in said):
            for each in said:
                tick_code_events(ticked, each)
            ticked.campaign_after()
            ticked.ticks.clear()
