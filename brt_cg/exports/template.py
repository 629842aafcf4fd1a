"""A workbook to enter the end of a scenario at the table, which `import` then reads.

It contains all counters in play in their current state. A Retained counter has no Location yet: the
players enter its Location at the end of the scenario, or its fate.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from brt_cg.card import Card
from brt_cg.commands.state_document import (
    FACT_FIELDS,
    FIELDS,
    SCENARIO_FIELDS,
    SIDE_FIELDS,
    build_state_document,
)
from brt_cg.exports.blocks import AllowedEntries, Document, Sheet
from brt_cg.exports.headers import page_header_maker
from brt_cg.model import (
    A_LOCATION,
    Fate,
    Field,
    Flag,
    ListOf,
    Number,
    Phase,
    Place,
    Shape,
    Side,
    Word,
    fields_entered_by_players,
)
from brt_cg.views.view import View

NEW = 40  # blank rows for new counters
ENDS = (Fate.ELIMINATED, Fate.CAPTURED)  # a counter in play has an empty fate


def build_template(book: View) -> Document:
    """Return the workbook for all counters, or for those of one side (`import --side`)."""
    data = build_state_document(book.campaign)
    situation = book.campaign.situation
    if situation.phase is not Phase.SCENARIO and situation.ended is not None:
        data["scenario"]["winner"] = data["scenario"]["moved_first"] = None
    title = f"End of the {situation.date} scenario"
    sheets = partial(_sheets, data, book.card, book.side)
    return Document(title, page_header_maker(book), data, sheets, list)


def _sheets(data: dict[str, Any], card: Card, side: Side | None) -> Iterator[Sheet]:
    scenario = _entries(SCENARIO_FIELDS) | {"date": AllowedEntries(choices=card.dates)}
    yield Sheet("scenario", [*SCENARIO_FIELDS], [data["scenario"]], scenario)
    yield Sheet("facts", [*FACT_FIELDS], [data["facts"]], _entries(FACT_FIELDS))
    totals = [
        {"side": whose} | held for whose, held in data["sides"].items() if side in (None, whose)
    ]
    for held in totals:
        held["cvp"] = None  # the casualty ledger makes it; one that is filled in is compared
    columns = ("side", *(name for name, field in SIDE_FIELDS.items() if field.required), "cvp")
    yield Sheet("sides", columns, totals, _entries(SIDE_FIELDS))
    if side is not Side.JAPANESE:
        hexes = [{"perimeter": at, "hexes": on} for at, on in enumerate(data["perimeters"], 1)]
        entry = AllowedEntries("hexes, or ranges in a hexrow, separated by spaces: N18-N21 M18")
        yield Sheet("perimeters", ("perimeter", "hexes"), hexes, {"hexes": entry}, blank=8)
    for name, fields in FIELDS.items():
        entries = _entries(fields) | {"fate": AllowedEntries("empty: in play", ENDS)}
        kept = ["id", *(column for column in fields_entered_by_players(fields) if column != "fate")]
        kept.insert(kept.index("location") + 1, "fate")
        rows = [
            held | {"fate": None}
            for held in data[name]
            if held["fate"] == Fate.IN_PLAY and (side is None or held.get("side", side) == side)
        ]
        yield Sheet(name, kept, rows, entries, blank=NEW)


def _entries(fields: Mapping[str, Field]) -> dict[str, AllowedEntries]:
    return {name: _entry(field.shape) for name, field in fields.items()}


def _entry(shape: Shape) -> AllowedEntries:
    """Return the allowed values of a field, as a list to choose from or in words."""
    match shape:
        case Word():
            return AllowedEntries(choices=[*shape.words])
        case Flag():
            return AllowedEntries(choices=("true", "false"))
        case Number():
            return AllowedEntries(f"a whole number from {shape.low} to {shape.high}")
        case ListOf() if shape.words:
            return AllowedEntries(f"any of these, separated by spaces: {' '.join(shape.words)}")
        case Place():
            return AllowedEntries(A_LOCATION)
    return AllowedEntries()
