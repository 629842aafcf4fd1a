"""What a state may say, and how it is told what is wrong with it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brt_cg.card import load_card
from brt_cg.commands import state_document
from brt_cg.commands.difference import DifferenceKind, import_difference
from brt_cg.commands.problems import InputProblems
from brt_cg.commands.state_document import FACT_FIELDS, FIELDS, SIDE_FIELDS, StateDocument
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import BY_TABLE, TRAITS, UNIT_STATUS
from brt_cg.model.fields import fields_to_json, to_json
from brt_cg.model.records import Phase
from brt_cg.questions.answers import RefusedError
from tests.commands.campaigns import (
    carry,
    demo,
    document,
    japanese_squad,
    marine_squad,
    new,
    problems,
    running,
    texts,
)
from tests.strategies import TEXT, matching

CARD = load_card("III")
NEW = marine_squad(id="m-sq-9", location="N20")


def read_state(found: object, source: str | None = None) -> StateDocument:
    """What a document says to a new campaign. Raises RefusedError with all that is wrong in it."""
    findings = InputProblems(source)
    state = state_document.read_state(found, CARD, new(), findings)
    findings.raise_problems()
    return state


def wrong(**fields: Any) -> list[str]:
    return problems(lambda: read_state(document(**fields)))


def wrong_unit(**fields: Any) -> list[str]:
    return wrong(units=[marine_squad(**fields)])


def exported(campaign: Campaign) -> dict[str, Any]:
    """The campaign as a state with every field of every counter."""
    situation = campaign.situation
    return {
        "format": "brt-cg/state",
        "version": 1,
        "scenario": {
            "date": situation.date,
            "winner": to_json(situation.winner or situation.said_winner),
            "moved_first": to_json(situation.moved_first),
        },
        "facts": {name: getattr(situation, name) for name in FACT_FIELDS},
        "sides": {
            key: {name: getattr(side, name) for name in SIDE_FIELDS}
            | {
                "cvp": campaign.cvp(key),
                "cvp_before": campaign.cvp(key) - campaign.cvp_of_last_scenario(key),
            }
            for key, side in campaign.sides.items()
        },
        "perimeters": to_json(situation.perimeters),
        **{
            name: [
                fields_to_json(campaign.tables[name][key], FIELDS[name])
                for key in sorted(campaign.tables[name])
            ]
            for name in BY_TABLE
        },
    }


# --- the same state back --------------------------------------------------------------------------


@pytest.mark.parametrize("name", BY_TABLE)
def test_every_field_of_a_counter_can_be_imported(name: str) -> None:
    attributes = {field.attribute for field in FIELDS[name].values()}
    assert attributes == set(BY_TABLE[name].names())


def test_an_exported_state_makes_the_same_campaign() -> None:
    first, second = new(), new()
    carry(first, "import", state=demo())
    carry(second, "import", state=exported(first))
    assert second.tables == first.tables


def test_a_counter_bound_to_a_hex_on_paper_round_trips() -> None:
    on_paper = {"location": "in M40", "status": ["hidden"]}
    first, second = running(japanese_squad(**on_paper)), new()
    squad = first.units["j-sq-1"]
    squad.setup_area, squad.recorded_location = "J1", "in M40"
    carry(second, "import", state=exported(first))
    assert second.units == first.units


def test_a_retained_counter_keeps_its_area_in_a_new_campaign() -> None:
    first, second = running(marine_squad(), japanese_squad()), new()
    marine, japanese = first.units["m-sq-1"], first.units["j-sq-1"]
    marine.location, marine.setup_area = None, "M1"
    marine.purchase, marine.unseen = "pj17", True
    japanese.isolated, japanese.recorded_location = True, "M40"
    carry(second, "import", state=exported(first))
    assert second.units == first.units


units = st.fixed_dictionaries(
    {
        "id": matching(r"[a-z]-[0-9]{1,3}"),
        "side": st.just("marine"),
        "kind": st.just("squad"),
        "type": st.sampled_from(["7-6-8", "6-6-8", "5-5-8", "4-5-8"]),
        "location": st.sampled_from(["N21", "N21:1", "Z33:pier", "off_map", "A1"]),
    },
    optional={
        "traits": st.lists(st.sampled_from(sorted({*TRAITS} - {"korean_laborer", "tank_hunter"}))),
        "status": st.lists(st.sampled_from(UNIT_STATUS)),
        "name": st.sampled_from(["Able", "Île", "日本"]),
        "isolated": st.booleans(),
        "fate": st.sampled_from(["in_play", "eliminated", "captured"]),
        "unseen": st.booleans(),
    },
)


@given(st.lists(units, unique_by=lambda unit: str(unit["id"])))
def test_units_round_trip_unchanged(found: list[dict[str, Any]]) -> None:
    first, second = new(), new()
    carry(first, "import", state=document(units=found))
    state = exported(first)
    carry(second, "import", state=state)
    assert second.tables == first.tables
    assert exported(second) == state


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


@given(
    json_values, st.sampled_from(["units", "sides", "scenario", "perimeters", "facts", "version"])
)
def test_no_document_breaks_the_reader(value: Any, where: str) -> None:
    assert all(told_of(document(**{where: value})))


@given(json_values, st.sampled_from([*FIELDS["units"]]))
def test_no_field_value_breaks_the_reader(value: Any, name: str) -> None:
    lines = told_of(document(units=[marine_squad(**{name: value})]))
    assert all(line.startswith("units[0]") for line in lines)


def told_of(state: dict[str, Any]) -> list[str]:
    """What is wrong with a state; nothing, if it can be read."""
    try:
        read_state(state)
    except RefusedError as refusal:
        return str(refusal).splitlines()
    return []


# --- what is wrong --------------------------------------------------------------------------------


def test_all_problems_are_reported_together_with_file_and_path() -> None:
    state = document(
        units=[marine_squad(location="ZZ9"), marine_squad(id="m sq 2", kind="platoon")],
        weapons=[{"id": "w", "side": "marine", "kind": "sw", "location": "N21", "pp": 1.5}],
        perimeters=[["N18-N19"], ["N19", "Z99"]],
        weather="rain",
    )
    state["sides"]["marine"]["san"] = 8
    assert problems(lambda: read_state(state, "state.json")) == [
        "state.json: weather: unknown field; enter format, version, scenario, facts, sides, "
        "perimeters, units, weapons, vehicles, fortifications, terrain",
        "state.json: sides.marine.san: 8 is not accepted; enter a whole number from 0 to 7",
        "state.json: perimeters[1][1]: Z99 is not a hex of Betio (A1–Z63)",
        "state.json: perimeters[1]: N19: also in another Perimeter; enter each hex once",
        "state.json: units[0].location: ZZ9 is not a hex of Betio (A1–Z63)",
        'state.json: units[1].id: "m sq 2" is not accepted; enter an id of letters, digits, - _ . '
        "without spaces",
        'state.json: units[1].kind: "platoon" is not accepted; enter squad, half_squad, crew, '
        "vehicle_crew, leader, hero, pathfinder",
        "state.json: weapons[0].type: missing; it is required",
        "state.json: weapons[0].pp: 1.5 is not accepted; enter a whole number from 0 to 99",
    ]


@pytest.mark.parametrize(
    ("found", "line"),
    [
        ([], '[] is not accepted; enter an object with "format": "brt-cg/state"'),
        ({}, 'format: null is not accepted; enter "brt-cg/state"'),
        (
            {"format": "brt-cg/answers", "version": 1},
            'format: "brt-cg/answers" is not accepted; enter',
        ),
        ({"format": "brt-cg/state", "version": 2}, "version: 2 is not accepted; enter 1"),
        ({"format": "brt-cg/state", "version": True}, "version: true is not accepted; enter 1"),
    ],
)
def test_a_file_of_another_kind_is_not_a_state(found: Any, line: str) -> None:
    assert problems(lambda: read_state(found))[0].startswith(line)


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"scenario": None}, "scenario: null is not accepted; enter an object with date"),
        ({"scenario": {}}, "scenario.date: missing; it is required"),
        (
            {"scenario": {"date": "19 AM"}},
            'scenario.date: "19 AM" is not accepted; enter a date of CG',
        ),
        (
            {"scenario": {"date": "20 AM", "winner": "us"}},
            'scenario.winner: "us" is not accepted; enter marine, japanese',
        ),
        ({"sides": None}, "sides: null is not accepted; enter an object with marine, japanese"),
        ({"sides": {"us": {}}}, "sides.us: unknown field; enter marine, japanese"),
        ({"facts": {"massacre": 1}}, "facts.massacre: 1 is not accepted; enter true or false"),
        ({"facts": {"rain": True}}, "facts.rain: unknown field; enter massacre,"),
        ({"sides": {"japanese": None}}, "sides.marine: missing; enter an object with san, elr"),
        ({"facts": None}, "facts: null is not accepted; enter an object with"),
        ({"perimeters": None}, "perimeters: null is not accepted; enter a list of perimeters"),
        *(
            ({name: None}, f"{name}: null is not accepted; enter a list of {name}")
            for name in BY_TABLE
        ),
        ({"units": {}}, "units: {} is not accepted; enter a list of units"),
        (
            {"units": ["m-sq-1"]},
            'units[0]: "m-sq-1" is not accepted; enter an object with id, side, kind',
        ),
        ({"perimeters": "N18"}, 'perimeters: "N18" is not accepted; enter a list of perimeters'),
        ({"perimeters": [[]]}, "perimeters[0]: [] is not accepted; enter a list of hexes"),
        ({"perimeters": [["N20-N18"]]}, "perimeters[0][0]: N20-N18 is not a range of hexes"),
        ({"perimeters": [["Z5"]]}, "perimeters[0][0]: Z5: Ocean; enter "),
        ({"perimeters": [[18]]}, "perimeters[0][0]: 18 is not accepted; enter a hex or a range"),
    ],
)
def test_a_field_out_of_place_is_refused(fields: dict[str, Any], line: str) -> None:
    assert wrong(**fields)[0].startswith(line)


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"side": "us"}, 'side: "us" is not accepted; enter marine, japanese'),
        ({"side": None}, "side: missing; it is required"),
        ({"type": "7-6-9"}, "type: there is no Marine squad 7-6-9; enter 7-6-8,"),
        (
            {"type": None},
            "type: missing; every Marine MMC and every SMC has one, such as 7-6-8 or 8-1",
        ),
        ({"class": "green"}, "type: there is no Marine MMC of class green; enter elite"),
        ({"strength": "reduced"}, "type: there is no Marine squad at reduced strength; enter full"),
        ({"traits": ["brave"]}, 'traits: "brave" is not accepted; enter engineer, heroic,'),
        ({"status": "broken"}, 'status: "broken" is not accepted; enter a list of'),
        (
            {"status": ["broken", "asleep"]},
            'status: "asleep" is not accepted; enter berserk, broken,',
        ),
        ({"location": 21}, "location: 21 is not accepted; enter a Location: a hex A1–Z63,"),
        ({"location": "N21:0"}, "location: N21:0: the ground level of N21 is written N21"),
        ({"location": "N18/N19"}, "location: N18/N19 is not a hex of Betio"),
        ({"isolated": "yes"}, 'isolated: "yes" is not accepted; enter true or false'),
        (
            {"fate": "asleep"},
            'fate: "asleep" is not accepted; enter in_play, eliminated, captured,',
        ),
        (
            {"became": "m-sq-2"},
            'became: "m-sq-2" is not accepted for a counter in play; enter null',
        ),
        ({"fate": "recombined"}, "became: missing; recombined into what? enter the id of a"),
        ({"location": "N20:pier"}, "location: N20:pier is not a Location: the pier is in other"),
        ({"guard": "j-1"}, "guard: only a unit with the status prisoner has one; enter null"),
        (
            {"id": "marine"},
            'id: "marine" is not accepted; enter an id other than marine, japanese,',
        ),
        (
            {"colour": "red"},
            "colour: unknown field; enter id, side, kind, type, class, strength,",
        ),
        ({"name": "Able\nBaker"}, 'name: "Able\\nBaker" is not accepted; enter one line of text'),
    ],
)
def test_an_impossible_unit_is_refused(fields: dict[str, Any], line: str) -> None:
    lines = wrong_unit(**fields)
    assert lines[0].startswith(f"units[0].{line}")
    assert len(lines) == 1


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"class": None}, "class: missing; a Japanese MMC has one of elite, first_line,"),
        (
            {"class": "green"},
            "class: a Japanese squad cannot be green; enter elite, first_line,",
        ),
        ({"type": "4-4-7"}, "type: there is no Japanese elite full squad 4-4-7"),
        ({"kind": "leader", "type": "8-1", "class": None}, "type: there is no Japanese leader 8-1"),
        (
            {"kind": "leader", "type": "9-1"},
            'class: "elite" is not accepted for an SMC; enter null',
        ),
    ],
)
def test_an_impossible_japanese_unit_is_refused(fields: dict[str, Any], line: str) -> None:
    assert wrong(units=[japanese_squad(**fields)])[0].startswith(f"units[0].{line}")


def test_vehicle_crews_have_one_type_and_need_no_class() -> None:
    crew = japanese_squad(kind="vehicle_crew", **{"class": None})
    (read,) = read_state(document(units=[crew])).counters()
    assert (read.class_, read.type) == ("elite", "1-2-7")


def test_an_id_is_given_once_in_the_whole_state() -> None:
    vehicle = {"id": "m-sq-1", "side": "marine", "type": "M4A2", "location": "N21"}
    lines = wrong(units=[marine_squad()], vehicles=[vehicle])
    assert lines == ["vehicles[0].id: m-sq-1 is also the id of units[0]; use each id once"]


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"type": "castle"}, 'type: "castle" is not accepted; enter pillbox_1_3_5, pillbox_1_4_6,'),
        ({"type": "hmg"}, 'type: "hmg" is not accepted; enter pillbox_1_3_5,'),
        (
            {"location": "N18/N19"},
            'location: "N18/N19" is not accepted; enter a Location: a trench is not on a hexside',
        ),
        (
            {"type": "seawall_breach"},
            'location: "O21" is not accepted; enter a hexside, such as N18/N19',
        ),
        ({"type": "seawall_breach", "location": "N18/N25"}, "location: N18/N25 is not a hexside"),
        (
            {"covered_arc": ["P21"]},
            'covered_arc: ["P21"] is not accepted; enter two different hexes',
        ),
        ({"covered_arc": ["P21", "ZZ1"]}, "covered_arc: ZZ1 is not a hex of Betio"),
        ({"exit": "O22"}, "exit: a trench has none; enter null"),
    ],
)
def test_an_impossible_fortification_is_refused(fields: dict[str, Any], line: str) -> None:
    trench = {"id": "F7", "side": "japanese", "type": "trench", "location": "O21"}
    assert wrong(fortifications=[trench | fields])[0].startswith(f"fortifications[0].{line}")


def test_a_breach_is_on_a_hexside_written_lowest_first() -> None:
    breach = {"id": "b", "side": "marine", "type": "seawall_breach", "location": "N19/N18"}
    state = read_state(document(fortifications=[breach]))
    assert [one.location for one in state.counters()] == ["N18/N19"]


def test_an_armor_leader_must_be_a_type_of_his_side() -> None:
    vehicle = {"id": "v", "side": "marine", "type": "M4A2", "location": "N21"}
    lines = wrong(vehicles=[vehicle | {"armor_leader": "8-0"}])
    assert lines == [
        "vehicles[0].armor_leader: there is no armor leader 8-0; enter 6+1, 8-1, 9-1, 9-2, 10-2"
    ]


# --- what leads nowhere ---------------------------------------------------------------------------


def refused(**fields: Any) -> list[str]:
    return problems(lambda: carry(new(), "import", state=document(**fields)))


WEAPON = {"id": "w", "side": "marine", "kind": "sw", "type": "MMG", "location": "N21"}


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            {"possessor": "m-sq-9"},
            "possessor: m-sq-9 is neither in the campaign nor entered now;",
        ),
        ({"possessor": "w"}, "possessor: w is a weapon; enter the id of a unit"),
        ({"possessor": "j-sq-1"}, "possessor: j-sq-1 is japanese, but w is marine;"),
        ({"possessor": "m-sq-2"}, "possessor: m-sq-2 is out of play (eliminated); enter"),
        ({"vehicle": "m-sq-1"}, "vehicle: m-sq-1 is a unit; enter the id of a vehicle"),
        ({"location": "N21:F7"}, "location: N21:F7: F7 is not a fortification; enter a level"),
        ({"location": "N21:F8"}, "location: N21:F8: F8 is in O21; enter O21:F8"),
    ],
)
def test_a_link_to_a_missing_counter_is_refused(fields: dict[str, Any], line: str) -> None:
    lines = refused(
        units=[marine_squad(), marine_squad(id="m-sq-2", fate="eliminated"), japanese_squad()],
        weapons=[WEAPON | fields],
        fortifications=[{"id": "F8", "side": "japanese", "type": "trench", "location": "O21"}],
    )
    assert len(lines) == 1
    assert lines[0].startswith(f"weapons[0].{line}")


def test_a_guard_is_an_enemy() -> None:
    prisoner = marine_squad(id="m-sq-2", status=["prisoner"], guard="m-sq-1")
    assert refused(units=[marine_squad(), prisoner]) == [
        "units[1].guard: m-sq-1 is marine like its prisoner; enter an enemy unit"
    ]


def test_recombined_and_crewing_units_name_a_counter_of_the_campaign() -> None:
    half_squad = marine_squad(kind="half_squad", type="3-4-8", fate="recombined", became="m-sq-9")
    assert problems(lambda: carry(new(), "import", state=document(units=[half_squad]))) == [
        "units[0].became: m-sq-9 is not in the campaign; enter the id of a counter"
    ]


def test_a_prisoner_guards_nobody() -> None:
    marine = marine_squad(status=["prisoner"], guard="j-sq-1")
    japanese = japanese_squad(status=["prisoner"], guard="m-sq-1")
    assert problems(lambda: carry(new(), "import", state=document(units=[marine, japanese]))) == [
        "units[0].guard: j-sq-1 is a prisoner itself; enter a free enemy unit",
        "units[1].guard: m-sq-1 is a prisoner itself; enter a free enemy unit",
    ]


def test_a_guard_cannot_be_corrected_into_a_prisoner() -> None:
    guarded = marine_squad(status=["prisoner"], guard="j-sq-1")
    campaign = running(guarded, japanese_squad(), marine_squad(id="m-sq-2"))
    values = {"status": ["prisoner"], "guard": "m-sq-2"}
    refused = problems(lambda: carry(campaign, "edit", id="j-sq-1", set=values, reason="captured"))
    assert refused == ["m-sq-1: guard: j-sq-1 is a prisoner itself; enter a free enemy unit"]


@pytest.mark.parametrize(
    ("perimeters", "line"),
    [
        ([["N18", "N20"]], "perimeters[0]: not connected (R-PERIMETER): separate pieces at N18, "),
        ([["N18"], ["N36-N37"]], "perimeters[1][0]: N36, N37: not in play; enter "),
        ([["N18", "O17-O18"]], "perimeters[0][1]: O18: Ocean; enter only land and the pier"),
    ],
)
def test_a_perimeter_that_15_607_refuses_is_refused_at_import(
    perimeters: list[list[str]], line: str
) -> None:
    findings = InputProblems()
    state = document(perimeters=perimeters)
    state_document.read_state(state, load_card("II"), new(), findings)
    assert problems(findings.raise_problems)[0].startswith(line)


def test_a_problem_is_reported_at_its_own_counter() -> None:
    lines = refused(units=[marine_squad(type="7-6-9")], weapons=[WEAPON | {"possessor": "m-sq-1"}])
    assert len(lines) == 1
    assert lines[0].startswith("units[0].type")


def test_a_unit_cannot_become_a_vehicle() -> None:
    vehicle = {"id": "m-sq-1", "side": "marine", "type": "M4A2", "location": "N21"}
    state = document(vehicles=[vehicle])
    lines = problems(lambda: carry(running(marine_squad()), "import", state=state))
    assert lines == [
        "vehicles[0].id: m-sq-1 is already in the campaign, among its units; enter another id"
    ]


def test_an_odd_value_is_a_warning() -> None:
    campaign = new("I")
    state = document(
        scenario={"date": "21 AM"},
        units=[marine_squad(location="N40")],
        weapons=[WEAPON | {"possessor": "m-sq-1"}, WEAPON | {"id": "ma", "kind": "vehicular"}],
        vehicles=[{"id": "v", "side": "marine", "type": "M4A2", "location": "N21"}],
    )
    warned = [one for one in texts(carry(campaign, "import", state=state)) if "warning" in one]
    assert warned == [
        "warning: 7-6-8 squad no. 1, N40: N40 is not in play; hex numbers go up to 32",
        "warning: MMG no. 2, N21: it is in N21, but 7-6-8 squad no. 1 (possessor) in N40",
        "warning: MMG no. 1, N21: it is not on a vehicle, so nobody can repair it (15.6132)",
        "warning: M4A2 no. 1, N21: its CVP is 0, but M4A2 is worth 6",
    ]


def test_separated_counters_and_wrong_covered_arcs_are_warnings() -> None:
    box = {"side": "japanese", "type": "pillbox", "location": "M20"}
    state = document(
        units=[japanese_squad(location="M40", aboard="v")],
        vehicles=[{"id": "v", "side": "marine", "type": "?", "location": "off_map"}],
        fortifications=[
            box | {"id": "F1", "covered_arc": ["N19", "N20"]},
            box | {"id": "F2", "covered_arc": ["N19", "N29"]},
        ],
    )
    warned = [one for one in texts(carry(new(), "import", state=state)) if "warning" in one]
    assert warned == [
        "warning: 4-4-8 squad no. 1, M40: it is in M40, but ? no. 1 (aboard) is off map",
        "warning: 4-4-8 squad no. 1, M40: it is aboard the enemy's ? no. 1",
        "warning: pillbox no. 2, M20: its Covered Arc is N19, N29, but both hexes must "
        "be adjacent to M20",
    ]


# --- the preview ----------------------------------------------------------------------------------


def test_each_line_of_a_difference_names_its_kind_and_counter() -> None:
    units = [marine_squad(), japanese_squad(), marine_squad(id="m-sq-2", location="O21")]
    campaign = running(*units)
    state = document(units=[marine_squad(location="M20"), japanese_squad(status=["ti"])])
    lines = import_difference(campaign, {"state": state | {"units": [*state["units"], NEW]}}, CARD)
    assert [(line.what, line.about) for line in lines] == [
        (DifferenceKind.ADDED, "m-sq-9"),
        (DifferenceKind.MISSING, "m-sq-2"),
        (DifferenceKind.CHANGED, "j-sq-1"),
        (DifferenceKind.MOVED, "m-sq-1"),
    ]
    ((moved, *values),) = lines[3].changes
    assert (moved.name, *values) == ("location", "N21", "M20")
    assert str(lines[3]) == "moved: 7-6-8 squad no. 1, N21: Location N21 → M20"


def test_a_preview_lists_changes_without_making_them() -> None:
    campaign = running(marine_squad(), japanese_squad())
    before = campaign.clone()
    units = [marine_squad(location="M20", status=["broken"]), marine_squad(id="m-sq-2")]
    state = document(units=units, perimeters=[["N18"]])
    state["sides"]["marine"]["cvp"] = 14
    assert list(map(str, import_difference(campaign, {"state": state}, CARD))) == [
        "Marine Perimeters, in hexes: 1",
        "added: 7-6-8 squad no. 2, N21",
        "missing: 4-4-8 squad no. 1 (j-sq-1), M40",
        "changed: 7-6-8 squad no. 1, N21: Location N21 → M20, status – → broken",
        "warning: Marine CVP: the file says 14, but its losses are worth 12; the losses count",
    ]
    assert campaign.tables == before.tables
    assert campaign.situation.phase is Phase.SCENARIO


def test_a_preview_shows_the_cvp_of_the_losses_by_side() -> None:
    campaign = running(marine_squad(), japanese_squad(), japanese_squad(id="j-sq-2"))
    dead = japanese_squad(id="j-sq-2", fate="eliminated")
    half = marine_squad(kind="half_squad", type="3-4-8")
    state = document(units=[half, japanese_squad(), dead])
    state["sides"] = {side: held | {"cvp": None} for side, held in state["sides"].items()}
    lines = [str(line) for line in import_difference(campaign, {"state": state}, CARD)]
    assert lines[:2] == [
        "Marine CVP 12 → 14: 4-4-8 squad no. 2 (2)",
        "Japanese CVP 9 → 10: 3-4-8 HS no. 1, reduced (1)",
    ]


def test_only_an_old_campaigns_broken_squad_is_read_again_as_broken() -> None:
    campaign, broken = running(marine_squad(), japanese_squad()), japanese_squad(status=["broken"])
    state = {"state": document(units=[marine_squad(location="M20"), broken])}
    never = "a Japanese squad has no broken side (G1.1); did you mean reduced?"
    assert problems(lambda: import_difference(campaign, state, CARD)) == [
        f"units[1].status: broken: {never}"
    ]
    campaign.units["j-sq-1"].status = ("broken",)
    assert [line.about for line in import_difference(campaign, state, CARD)] == ["m-sq-1"]


def test_a_preview_refuses_the_same_as_the_import() -> None:
    lines = problems(lambda: import_difference(new(), {"state": document(units=3)}, CARD))
    assert lines == ["units: 3 is not accepted; enter a list of units"]


def test_a_preview_shows_the_fate_of_missing_counters() -> None:
    asked = {"state": document(), "missing": "eliminated"}
    lines = list(map(str, import_difference(running(marine_squad()), asked, CARD)))
    assert "missing from the file, eliminated: 7-6-8 squad no. 1 (m-sq-1), N21" in lines
    assert "changed: 7-6-8 squad no. 1, N21: in play → eliminated" in lines


def test_a_counter_out_of_play_may_name_lost_but_not_impossible_counters() -> None:
    gone = WEAPON | {"fate": "eliminated", "vehicle": "sunk"}
    assert wrong_link(gone) == []
    assert wrong_link(gone | {"vehicle": "w"}) == [
        "weapons[0].vehicle: w is a weapon; enter the id of a vehicle, but not its own id"
    ]


def wrong_link(weapon: dict[str, Any]) -> list[str]:
    try:
        carry(new(), "import", state=document(weapons=[weapon]))
    except RefusedError as refused:
        return str(refused).splitlines()
    return []
