"""The map of Betio: Setup Areas, Perimeters, Isolated Locations, and stacks as a side sees them."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import asdict
from functools import partial
from typing import Any

from brt_cg.board import hexes_as_ranges
from brt_cg.exports.betio import draw_map
from brt_cg.exports.blocks import Block, Bullets, Document, Picture, SectionBlock, Sheet, TableBlock
from brt_cg.exports.headers import json_document_start, page_header_maker
from brt_cg.exports.map_frame import WHOLE, frame_with_most_hexes
from brt_cg.exports.map_symbols import isolated_hexes, legend_height, map_stacks
from brt_cg.model import Campaign, Side, natural_sort_key
from brt_cg.text import count_text
from brt_cg.views.view import PublicView, View

AREA_WIDTHS = (6, 9, 85)
CROWDED = "The part of the island with most stacks, larger."


def build_map(book: View) -> Document:
    """Return the map, with its figures in tables."""
    view = book.campaign
    max_hex = book.card.highest_hex_number(view.current_rulings)
    title = f"Betio on {view.situation.date}"
    whole, part = map_and_crowded_part_pictures(view, title, max_hex)
    data = {
        **json_document_start("map", book.side, public=isinstance(book, PublicView)),
        "cg": view.situation.cg,
        "date": view.situation.date,
        "max_hex": max_hex,
        "areas": [
            {"id": area.id, "side": area.side.value, "hexes": hexes_as_ranges(area.hexes).split()}
            for area in sorted(view.areas.values(), key=lambda area: natural_sort_key(area.id))
        ],
        "perimeters": [hexes_as_ranges(hexes).split() for hexes in view.situation.perimeters],
        "isolated": [
            {"hex": hex, "side": whose.value} for hex, whose in sorted(isolated_hexes(view))
        ],
        "stacks": list(map(asdict, map_stacks(view, Side))),
    }
    return Document(
        title,
        page_header_maker(book),
        data,
        partial(_sheets, data),
        partial(_map_blocks, data, whole, part),
        whole.svg,
        across=True,
    )


def map_and_crowded_part_pictures(
    view: Campaign, title: str, max_hex: int, own: Iterable[Side] = tuple(Side)
) -> tuple[Picture, Picture]:
    """Return the whole map, as wide as a landscape page, and its crowded part, which fills a
    landscape page."""
    isolated = (hex for hex, _ in isolated_hexes(view))
    crowded = frame_with_most_hexes([*isolated, *(stack.hex for stack in map_stacks(view, own))])
    whole, part = (
        Picture(
            draw_map(view, title, max_hex=max_hex, own=own, frame=frame),
            words,
            ratio=frame.width / (frame.height + legend_height(frame)),
        )
        for frame, words in ((WHOLE, "The whole island."), (crowded, CROWDED))
    )
    return whole, part


def _sheets(data: dict[str, Any]) -> Iterator[Sheet]:
    perimeters = [{"perimeter": at, "hexes": on} for at, on in enumerate(data["perimeters"], 1)]
    yield Sheet("areas", ("id", "side", "hexes"), data["areas"])
    yield Sheet("perimeters", ("perimeter", "hexes"), perimeters)
    yield Sheet("isolated", ("hex", "side"), data["isolated"])
    yield Sheet("stacks", ("hex", "side", "units", "vehicles"), data["stacks"])


def _map_blocks(data: dict[str, Any], whole: Picture, part: Picture) -> Iterator[Block]:
    yield whole
    areas = [(area["id"], Side(area["side"]).label, area["hexes"]) for area in data["areas"]]
    if areas:
        yield TableBlock(("Area", "side", "hexes"), areas, AREA_WIDTHS)
    else:
        perimeters = (f"Marine Perimeter: {' '.join(hexes)}" for hexes in data["perimeters"])
        yield Bullets(list(perimeters))
    isolated = {(one["hex"], one["side"]) for one in data["isolated"]}
    found = {side: [held for held in data["stacks"] if held["side"] == side] for side in Side}
    yield Bullets(
        [
            f"{side.label} stacks: {', '.join(_stack_text(stack, isolated) for stack in there)}"
            for side, there in found.items()
            if there
        ]
    )
    yield SectionBlock("The main fighting area", [part], page=True)


def _stack_text(stack: dict[str, Any], isolated: Set[tuple[str, str]]) -> str:
    """Return a stack in words: "R26 2+2 vehicles (Isolated)"."""
    units, vehicles = stack["units"], stack["vehicles"]
    found = [str(units)] if units else []
    found += [count_text(vehicles, "vehicle")] if vehicles else []
    alone = " (Isolated)" if (stack["hex"], stack["side"]) in isolated else ""
    return f"{stack['hex']} {' + '.join(found)}{alone}"
