"""The situation as a `brt-cg/state` document: what `import` takes in, written out."""

from collections.abc import Mapping
from typing import Any

from brt_cg.campaign import Campaign
from brt_cg.commands.state_document import FORMAT, VERSION
from brt_cg.commands.state_fields import (
    FACT_FIELDS,
    FIELDS,
    SCENARIO_FIELDS,
    SIDE_FIELDS,
    Field,
)
from brt_cg.counters import Counter, Record, Side
from brt_cg.exports.formats import csv_text, json_text, md_document, md_table
from brt_cg.fields import plain
from brt_cg.journal.book import Book
from brt_cg.records import SIDES, Phase, Situation
from brt_cg.refit.s607_perimeters import in_ranges
from brt_cg.secrets_kept import seen_by

# What a player looks for first, ahead of the other fields of a counter.
FIRST = ("id", "side", "kind", "type", "class", "strength", "location")
COLUMNS = {
    name: sorted(fields, key=lambda one: FIRST.index(one) if one in FIRST else len(FIRST))
    for name, fields in FIELDS.items()
}


def document(campaign: Campaign, side: Side | None = None) -> dict[str, Any]:
    """The state of a campaign as a side may see it (None: the umpire), with every field. It has no
    field for whose view it is: `import` takes exactly this in."""
    view = seen_by(campaign, side)
    situation = view.situation
    return {
        "format": FORMAT,
        "version": VERSION,
        "scenario": _fields(situation, SCENARIO_FIELDS) | _being_played(situation),
        "facts": _fields(situation, FACT_FIELDS),
        "sides": {one.value: _fields(view.sides[one], SIDE_FIELDS) for one in SIDES},
        "perimeters": [in_ranges(hexes).split() for hexes in situation.perimeters],
        **{name: _counters(view, name) for name in FIELDS},
    }


def _being_played(situation: Situation) -> dict[str, Any]:
    """Of a scenario still to be played it is known who moves first, and no winner yet: what the
    campaign holds is the last one's."""
    if situation.phase is not Phase.SCENARIO:
        return {}
    return {"winner": None, "moved_first": plain(situation.first_move)}


def _fields(record: Record, fields: Mapping[str, Field]) -> dict[str, Any]:
    return {name: plain(getattr(record, one.attribute)) for name, one in fields.items()}


def _counters(view: Campaign, name: str) -> list[dict[str, Any]]:
    records: Mapping[str, Counter] = view.tables[name]
    fields = {column: FIELDS[name][column] for column in COLUMNS[name]}
    return [_fields(records[key], fields) for key in sorted(records)]


# --- written --------------------------------------------------------------------------------------


def as_json(book: Book, side: Side | None) -> str:
    return json_text(document(book.campaign, side))


def as_csv(book: Book, side: Side | None) -> dict[str, str]:
    """A file for each table; the perimeters have a row each, named by number."""
    found = document(book.campaign, side)
    sides = ({"side": one, **values} for one, values in found["sides"].items())
    perimeters = (
        {"perimeter": number, "hexes": hexes}
        for number, hexes in enumerate(found["perimeters"], start=1)
    )
    return {
        "scenario.csv": csv_text([*SCENARIO_FIELDS], [found["scenario"]]),
        "facts.csv": csv_text([*FACT_FIELDS], [found["facts"]]),
        "sides.csv": csv_text(["side", *SIDE_FIELDS], sides),
        "perimeters.csv": csv_text(["perimeter", "hexes"], perimeters),
        **{f"{name}.csv": csv_text(columns, found[name]) for name, columns in COLUMNS.items()},
    }


def as_md(book: Book, side: Side | None) -> str:
    """The state for people: a table for each kind of counter, of the columns that say something."""
    found = document(book.campaign, side)
    sides = ({"side": one, **values} for one, values in found["sides"].items())
    blocks = [
        _said_columns([*SCENARIO_FIELDS], [found["scenario"]]),
        _said_columns([*FACT_FIELDS], [found["facts"]]),
        _said_columns(["side", *SIDE_FIELDS], [*sides]),
        [f"- Marine Perimeter: {' '.join(hexes)}" for hexes in found["perimeters"]],
    ]
    for name, columns in COLUMNS.items():
        if found[name]:
            blocks += [[f"## {name.capitalize()}"], _said_columns(columns, found[name])]
    return md_document(f"State at {book.campaign.situation.date}", side, *blocks)


def _said_columns(columns: list[str], rows: list[dict[str, Any]]) -> list[str]:
    """A table without the columns that are empty or false in every row."""
    kept = [name for name in columns if any(row[name] not in (None, False, []) for row in rows)]
    return md_table(kept, ([row[name] for name in kept] for row in rows)) if kept else []
