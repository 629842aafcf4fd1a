"""A state document, the situation in the players' files: how to read it, check it, and write it.
Every problem is noted with its JSON path; nothing is guessed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from brt_cg.board import hexes_as_ranges
from brt_cg.board.perimeters import ALLOWED, read_perimeters
from brt_cg.card import Card, Find, PrintedType, broken_link_problems, impossible_ammunition
from brt_cg.card.counter_builder import Values, build_counter
from brt_cg.commands.problems import InputProblems, field_path
from brt_cg.model import (
    BY_TABLE,
    SIDES,
    Campaign,
    Counter,
    Field,
    FieldMark,
    Phase,
    Side,
    SideRecord,
    Situation,
    Vehicle,
    Weapon,
    fields_marked,
    fields_of,
    fields_to_json,
    to_json,
    visible_campaign,
)
from brt_cg.refit.victory import cvp_problems
from brt_cg.text import list_text

FORMAT = "brt-cg/state"
VERSION = 1
FIELDS = {table: fields_of(kind) for table, kind in BY_TABLE.items()}
IN_LEDGER = ("cvp", "cvp_before")  # the fields of a side that come from the casualty ledger
SIDE_FIELDS = {name: field for name, field in fields_of(SideRecord).items() if name != "id"}
FACT_FIELDS = fields_marked(Situation, FieldMark.FACT)
SCENARIO_FIELDS = fields_marked(Situation, FieldMark.SCENARIO)
TOP = ("format", "version", "scenario", "facts", "sides", "perimeters", *BY_TABLE)


@dataclass(slots=True, kw_only=True)
class StateItem:
    """A counter of the document, with its place in it and the fields that were given."""

    path: str
    counter: Counter
    given: frozenset[str]


@dataclass(slots=True, kw_only=True)
class StateDocument:
    """A document that has been read. `sides` and `facts` hold the fields that were given; `lists`
    the lists that were given; `perimeters` is None if they were not. `items` are the readable
    counters, `named` the places of all ids, even of unreadable counters."""

    scenario: Values = field(default_factory=dict)
    facts: Values = field(default_factory=dict)
    sides: dict[Side, Values] = field(default_factory=dict)
    perimeters: tuple[tuple[str, ...], ...] | None = None
    items: dict[str, StateItem] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    lists: frozenset[str] = frozenset()

    def counters(self) -> Iterable[Counter]:
        """Return all counters of the document, in order."""
        return (item.counter for item in self.items.values())


def read_state(
    document: object,
    card: Card,
    campaign: Campaign,
    findings: InputProblems,
    sides: tuple[Side, ...] = SIDES,
) -> StateDocument:
    """Read as much of a document as possible, and note its problems: its own, and those with the
    campaign. The totals of these sides are required and, if there are any, the scenario."""
    state = StateDocument()
    if not isinstance(document, dict):
        findings.add_bad_value("", document, f'an object with "format": "{FORMAT}"')
        return state
    if not findings.check_format(document, FORMAT, VERSION):
        return state  # any other file is not read
    findings.note_unknown_fields(document, TOP)
    if "scenario" in document or sides:
        _read_scenario(document, state, card, findings)
    if "facts" in document:
        state.facts = read_record_fields(document["facts"], FACT_FIELDS, "facts", findings)
    _read_sides(document, state, findings, sides)
    for side, totals in state.sides.items():
        for name, message in cvp_problems(campaign, side, totals):
            findings.add(f"sides.{side}.{name}", message)
    _read_perimeters(document, state, card, campaign, findings)
    state.lists = frozenset(document.keys() & BY_TABLE.keys())
    for name in BY_TABLE:
        if name in document:
            _read_list(name, document[name], state, card, campaign, findings)
    _refuse_other_kinds(state, campaign, findings)
    return state


# --- the head of the file -----------------------------------------------------------------------


def _read_scenario(
    document: dict[str, Any], state: StateDocument, card: Card, findings: InputProblems
) -> None:
    state.scenario = _part(document, "scenario", SCENARIO_FIELDS, "scenario", findings)
    date = state.scenario.get("date")
    if date is not None and date not in card.dates:
        findings.add_bad_value(
            "scenario.date", date, f"a date of CG {card.cg}: {list_text(card.dates)}"
        )
        del state.scenario["date"]


def _read_sides(
    document: dict[str, Any], state: StateDocument, findings: InputProblems, sides: tuple[Side, ...]
) -> None:
    if "sides" not in document:
        if sides:
            findings.add("sides", f"missing; enter {_wanted(sides)}")
        return
    found = document["sides"]
    if not isinstance(found, dict):
        findings.add_bad_value("sides", found, _wanted(sides or Side))
        return
    findings.note_unknown_fields(found, Side, "sides")
    for side in Side:
        if side in found or side in sides:
            values = _part(found, side, SIDE_FIELDS, f"sides.{side}", findings)
            given = found.get(side)
            empty = [
                each for each in IN_LEDGER if not isinstance(given, dict) or given.get(each) is None
            ]
            state.sides[side] = {key: held for key, held in values.items() if key not in empty}


def _wanted(sides: Iterable[Side]) -> str:
    totals = list_text(name for name, field in SIDE_FIELDS.items() if field.required)
    return f"an object with {list_text(sides)}, each with {totals} (`export FILE state` writes one)"


def _read_perimeters(
    document: dict[str, Any],
    state: StateDocument,
    card: Card,
    campaign: Campaign,
    findings: InputProblems,
) -> None:
    if "perimeters" not in document:
        return
    found = document["perimeters"]
    if not isinstance(found, list):
        findings.add_bad_value("perimeters", found, ALLOWED)
        return
    free = campaign.ruling_value("R-PERIMETER") == "free"
    highest = card.highest_hex_number(campaign.current_rulings)
    state.perimeters, wrong = read_perimeters(found, highest, free=free)
    for index, part, message in wrong:
        here = "" if part is None else f"[{part}]"
        findings.add(f"perimeters[{index}]{here}", message)


# --- fields -------------------------------------------------------------------------------------


def _part(
    document: dict[str, Any],
    name: str,
    fields: Mapping[str, Field],
    path: str,
    findings: InputProblems,
) -> Values:
    """Return the fields of a required object; if it is missing, none, with a note."""
    if name in document:
        return read_record_fields(document[name], fields, path, findings)
    needed = list_text(name for name, field in fields.items() if field.required)
    findings.add(path, f"missing; enter an object with {needed}")
    return {}


def read_record_fields(
    found: object, fields: Mapping[str, Field], path: str, findings: InputProblems
) -> Values:
    """Read the fields of an object, by name; null counts as given. Note any problem."""
    if not isinstance(found, dict):
        needed = [name for name, field in fields.items() if field.required]
        findings.add_bad_value(path, found, f"an object with {list_text(needed)}")
        return {}
    findings.note_unknown_fields(found, fields, path)
    values: Values = {}
    for name, wanted in fields.items():
        if found.get(name) is not None:
            try:
                values[name] = wanted.shape.read(found[name])
            except ValueError as error:
                findings.add(field_path(path, name), str(error))
        elif wanted.required:
            findings.add(field_path(path, name), "missing; it is required")
        elif name in found:
            values[name] = wanted.default
    return values


def _read_list(
    name: str,
    found: object,
    state: StateDocument,
    card: Card,
    campaign: Campaign,
    findings: InputProblems,
) -> None:
    if not isinstance(found, list):
        findings.add_bad_value(name, found, f"a list of {name}")
        return
    for index, entry in enumerate(found):
        path = f"{name}[{index}]"
        before = len(findings.problems)
        values = read_record_fields(entry, FIELDS[name], path, findings)
        id = values.get("id")
        if id is not None and state.named.setdefault(id, path) != path:
            other = findings.place_text(state.named[id])
            findings.add(f"{path}.id", f"{id} is also the id of {other}; use each id once")
        elif len(findings.problems) == before:
            note, replaced = findings.problem_noter(path), campaign.find(str(id))
            counter = build_counter(BY_TABLE[name], values, card, note, replaced)
            if counter is not None:
                state.items[counter.id] = StateItem(
                    path=path, counter=counter, given=frozenset(values)
                )


def _refuse_other_kinds(state: StateDocument, campaign: Campaign, findings: InputProblems) -> None:
    """Note an id that changes its kind, since a unit cannot become a vehicle."""
    for item in state.items.values():
        known = campaign.find(item.counter.id)
        if known is not None and type(known) is not type(item.counter):
            what = f"{known.id} is already in the campaign, among its {known.TABLE}"
            findings.add(f"{item.path}.id", f"{what}; enter another id")


def note_broken_links(
    item: StateItem, state: StateDocument, find: Find, findings: InputProblems
) -> None:
    """Note the broken links of a document's counter. A link to a faulty counter is fine: that
    counter has its own note."""
    for name, message in broken_link_problems(item.counter, find):
        unread = state.named.keys() - state.items.keys()
        link = str(getattr(item.counter, name))
        if link not in unread and link.partition(":")[2] not in unread:
            findings.add(f"{item.path}.{name}", message)


def ammunition_warning(
    campaign: Campaign, state: StateDocument, item: StateItem, types: Iterable[PrintedType]
) -> str:
    """Return the message for ammunition that a weapon has newly depleted although its type never
    has it; "" if there is no such ammunition."""
    weapon, known = item.counter, campaign.find(item.counter.id)
    if not isinstance(weapon, Weapon) or not weapon.depleted:
        return ""
    if isinstance(known, Weapon) and known.depleted == weapon.depleted:
        return ""
    named = state.items.get(weapon.vehicle or "")
    vehicle = named.counter if named else campaign.find(weapon.vehicle or "")
    wrong = impossible_ammunition(weapon, vehicle if isinstance(vehicle, Vehicle) else None, types)
    return ammunition_never_had_text(weapon, *wrong) if wrong is not None else ""


def ammunition_never_had_text(weapon: Weapon, wrong: Iterable[str], allowed: str) -> str:
    """Return the message for ammunition that a type never had."""
    return f"the {weapon.type} never had {list_text(wrong)} in November 1943; enter {allowed}"


# --- written --------------------------------------------------------------------------------------


def build_state_document(campaign: Campaign, side: Side | None = None) -> dict[str, Any]:
    """Build the state of a campaign as a side may see it (None: the umpire), with every field. The
    document does not say whose view it is, because `import` accepts exactly these fields."""
    view = visible_campaign(campaign, side)
    situation = view.situation
    scenario, facts = _being_played(view)
    return {
        "format": FORMAT,
        "version": VERSION,
        "scenario": fields_to_json(situation, SCENARIO_FIELDS) | scenario,
        "facts": fields_to_json(situation, FACT_FIELDS) | facts,
        "sides": {side.value: side_totals(view, side) for side in SIDES},
        "perimeters": [hexes_as_ranges(hexes).split() for hexes in situation.perimeters],
        **{name: _counters(view, name) for name in FIELDS},
    }


def side_totals(view: Campaign, side: Side) -> dict[str, Any]:
    """Return the totals of a side, its CVP by the casualty ledger."""
    total = view.cvp(side)
    counted = {"cvp": total, "cvp_before": total - view.cvp_of_last_scenario(side)}
    return fields_to_json(view.sides[side], SIDE_FIELDS) | counted


def _being_played(campaign: Campaign) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields of the scenario and of the facts that differ while a scenario is still to
    be played: it has no winner and no VP for pillboxes yet (the campaign's are from the last one;
    R-VP), but perhaps a first mover. Until 15.6032 the winner is the one in the report."""
    situation = campaign.situation
    if situation.phase is not Phase.SCENARIO:
        return {"winner": to_json(situation.winner or situation.said_winner)}, {}
    scenario = {"winner": None, "moved_first": to_json(situation.first_move)}
    return scenario, {"pillbox_vp": 0} if campaign.ruling_value("R-VP") == "scenario" else {}


def _counters(view: Campaign, name: str) -> list[dict[str, Any]]:
    records: Mapping[str, Counter] = view.tables[name]
    return [fields_to_json(records[key], FIELDS[name]) for key in sorted(records)]
