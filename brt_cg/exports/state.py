"""The situation as a `brt-cg/state` document: what `import` takes in, written out."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from brt_cg.campaign import Campaign
from brt_cg.commands.state_document import (
    FACT_FIELDS,
    FIELDS,
    FORMAT,
    SCENARIO_FIELDS,
    SIDE_FIELDS,
    VERSION,
)
from brt_cg.counters import Counter, Record, Side
from brt_cg.exports.blocks import Block, Bullets, Document, Section, Sheet, Table
from brt_cg.exports.heads import page_head
from brt_cg.fields import Field, plain
from brt_cg.journal.book import Book
from brt_cg.records import SIDES, Phase, Situation
from brt_cg.refit.s607_perimeters import in_ranges
from brt_cg.secrets_kept import seen_by


def build(book: Book, side: Side | None) -> Document:
    """The situation; of its tables for people only the columns that say something."""
    data = document(book.campaign, side)
    title = f"State at {book.campaign.situation.date}"
    return Document(
        title, page_head(book, side), data, partial(_sheets, data), partial(_blocks, data)
    )


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
    return [_fields(records[key], FIELDS[name]) for key in sorted(records)]


def _sides(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"side": whose, **values} for whose, values in data["sides"].items()]


def _sheets(data: dict[str, Any]) -> Iterator[Sheet]:
    """The perimeters have a row each, named by number."""
    perimeters = (
        {"perimeter": number, "hexes": hexes}
        for number, hexes in enumerate(data["perimeters"], start=1)
    )
    yield Sheet("scenario", [*SCENARIO_FIELDS], [data["scenario"]])
    yield Sheet("facts", [*FACT_FIELDS], [data["facts"]])
    yield Sheet("sides", ["side", *SIDE_FIELDS], _sides(data))
    yield Sheet("perimeters", ["perimeter", "hexes"], perimeters)
    for name, fields in FIELDS.items():
        yield Sheet(name, [*fields], data[name])


def _blocks(data: dict[str, Any]) -> Iterator[Block]:
    yield from _said_columns([*SCENARIO_FIELDS], [data["scenario"]])
    yield from _said_columns([*FACT_FIELDS], [data["facts"]])
    yield from _said_columns(["side", *SIDE_FIELDS], _sides(data))
    if data["perimeters"]:
        yield Bullets([f"Marine Perimeter: {' '.join(hexes)}" for hexes in data["perimeters"]])
    for name, fields in FIELDS.items():
        if data[name]:
            yield Section(name.capitalize(), _said_columns([*fields], data[name]))


def _said_columns(columns: Sequence[str], rows: list[dict[str, Any]]) -> Iterator[Table]:
    """A table without the columns that are empty or false in every row."""
    kept = [name for name in columns if any(row[name] not in (None, False, []) for row in rows)]
    if kept:
        yield Table(kept, [[row[name] for name in kept] for row in rows])
