"""The map of Betio: Setup Areas, Perimeters, Isolated Locations, and stacks as a side sees them."""

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

from brt_cg.board.locations import in_ranges
from brt_cg.exports.betio import LEGEND, isolated_hexes, map_svg, stacks
from brt_cg.exports.blocks import Block, Cell, Document, Picture, Section, Sheet, Table
from brt_cg.exports.heads import opening, page_head
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.model.visibility import seen_by


def build(journal: Journal, side: Side | None) -> Document:
    """The map, with its figures in tables."""
    view = seen_by(journal.campaign, side)
    max_hex = journal.card.highest_hex(view.ruled)
    title = f"Betio on {view.situation.date}"
    picture = map_svg(view, title, max_hex=max_hex)
    data = {
        **opening("map", side),
        "cg": view.situation.cg,
        "date": view.situation.date,
        "max_hex": max_hex,
        "areas": [
            {"id": area.id, "side": area.side.value, "hexes": in_ranges(area.hexes).split()}
            for area in sorted(view.areas.values(), key=lambda area: area.id)
        ],
        "perimeters": [in_ranges(hexes).split() for hexes in view.situation.perimeters],
        "isolated": [
            {"hex": hex, "side": whose.value} for hex, whose in sorted(isolated_hexes(view))
        ],
        "stacks": list(map(asdict, stacks(view, Side))),
    }
    blocks = partial(_blocks, data, picture)
    return Document(title, page_head(journal, side), data, partial(_sheets, data), blocks, picture)


def _sheets(data: dict[str, Any]) -> Iterator[Sheet]:
    perimeters = [{"perimeter": at, "hexes": on} for at, on in enumerate(data["perimeters"], 1)]
    yield Sheet("areas", ("id", "side", "hexes"), data["areas"])
    yield Sheet("perimeters", ("perimeter", "hexes"), perimeters)
    yield Sheet("isolated", ("hex", "side"), data["isolated"])
    yield Sheet("stacks", ("hex", "side", "units", "vehicles"), data["stacks"])


def _blocks(data: dict[str, Any], picture: str) -> Iterator[Block]:
    yield Picture(picture, LEGEND)
    titles = ("Setup Areas", "Marine Perimeters", "Isolated Locations", "Stacks")
    for title, sheet in zip(titles, _sheets(data), strict=True):
        rows = [[_cell(name, row[name]) for name in sheet.columns] for row in sheet.rows]
        if rows:
            yield Section(title, [Table([*map(_heading, sheet.columns)], rows)])


def _heading(column: str) -> str:
    return {"id": "area", "perimeter": ""}.get(column, column)


def _cell(column: str, value: Cell) -> Cell:
    return Side(value).label if column == "side" else value
