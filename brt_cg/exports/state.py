"""The situation as a `brt-cg/state` document, which `import` reads."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from brt_cg.commands.state_document import (
    FACT_FIELDS,
    FIELDS,
    SCENARIO_FIELDS,
    SIDE_FIELDS,
    build_state_document,
)
from brt_cg.exports.blocks import Block, Bullets, Cell, Document, SectionBlock, Sheet, TableBlock
from brt_cg.exports.headers import page_header_maker
from brt_cg.views.view import View


def build_state(book: View) -> Document:
    """Return the situation; its tables for people have only the columns with contents."""
    data = build_state_document(book.campaign)
    title = f"State at {book.campaign.situation.date}"
    sheets, blocks = partial(_sheets, data), partial(_state_blocks, data)
    return Document(title, page_header_maker(book), data, sheets, blocks)


def _sheets(data: dict[str, Any]) -> Iterator[Sheet]:
    """Yield a sheet for each table; perimeters have a row each, named by number."""
    sides = [{"side": whose, **values} for whose, values in data["sides"].items()]
    perimeters = [{"perimeter": at, "hexes": on} for at, on in enumerate(data["perimeters"], 1)]
    yield Sheet("scenario", [*SCENARIO_FIELDS], [data["scenario"]])
    yield Sheet("facts", [*FACT_FIELDS], [data["facts"]])
    yield Sheet("sides", ["side", *SIDE_FIELDS], sides)
    yield Sheet("perimeters", ["perimeter", "hexes"], perimeters)
    for name, fields in FIELDS.items():
        yield Sheet(name, [*fields], data[name])


def _state_blocks(data: dict[str, Any]) -> Iterator[Block]:
    for sheet in _sheets(data):
        rows = [*sheet.rows]
        if sheet.name == "perimeters" and rows:
            yield Bullets([f"Marine Perimeter: {' '.join(row['hexes'])}" for row in rows])
        elif sheet.name in FIELDS and rows:
            yield SectionBlock(sheet.name.capitalize(), _said_columns(sheet.columns, rows))
        else:
            yield from _said_columns(sheet.columns, rows)


def _said_columns(
    columns: Sequence[str], rows: Sequence[Mapping[str, Cell]]
) -> Iterator[TableBlock]:
    """Yield a table without the columns that are empty or false in every row."""
    kept = [name for name in columns if any(row[name] not in (None, False, []) for row in rows)]
    if kept:
        yield TableBlock(kept, [[row[name] for name in kept] for row in rows])
