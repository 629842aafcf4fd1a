"""A side's knowledge of its opponent, on one page, to hand over at the table."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from brt_cg.exports.blocks import Block, Document, SectionBlock, Sheet, TableBlock, TextBlock
from brt_cg.exports.headers import json_document_start, page_header_maker
from brt_cg.exports.setup_pages import RosterPage, list_roster_pages
from brt_cg.exports.strength import TOTALS, ForceStrength, count_strength
from brt_cg.exports.wording import SIDE_TOTALS, total_value
from brt_cg.model import SIDES, Side
from brt_cg.questions import RefusedError
from brt_cg.views.view import View


def build_sheet(book: View) -> Document:
    """Return the facts about the enemy that `side` may know: places, strengths and totals. Raises
    RefusedError without a side: the umpire has no opponent."""
    if book.side is None:
        raise RefusedError(
            "the intelligence report shows what one side knows; choose a side: --side marine "
            "or --side japanese"
        )
    view, enemy = book.campaign, book.side.enemy
    ladders = book.card.ladders
    places = [
        (page, count_strength(page.counters, ladders, (enemy,))) for page in list_roster_pages(view)
    ]
    places = [(page, size) for page, size in places if size.counts]
    total = count_strength(
        (held for page, _ in places for held in page.counters), ladders, (enemy,)
    )
    data = {
        **json_document_start("sheet", book.side),
        "date": view.situation.date,
        "of": enemy.value,
        "sides": {
            whose.value: {name: total_value(view, whose, name) for name in SIDE_TOTALS}
            for whose in SIDES
        },
        "places": [_place(page, size) for page, size in places],
        "totals": total.totals | {"squad_equivalents": total.squad_equivalents},
    }
    title = f"What the {book.side.plural} know about the {enemy.plural}"
    blocks = partial(_knowledge_blocks, data, places, total)
    return Document(title, page_header_maker(book), data, partial(_sheets, data), blocks)


def _place(page: RosterPage, size: ForceStrength) -> dict[str, Any]:
    return {
        "place": page.name,
        "kind": page.kind,
        "whose": page.side.value,
        "hexes": len(page.area.hexes) if page.area else None,
        "squad_equivalents": size.squad_equivalents,
        "counts": [
            {"what": what, "type": type, "number": number}
            for (_, what, type), number in size.counts.items()
        ],
    }


def _sheets(data: dict[str, Any]) -> Iterator[Sheet]:
    sides = [{"side": whose} | totals for whose, totals in data["sides"].items()]
    columns = ("place", "kind", "whose", "hexes", "squad_equivalents")
    counts = [{"place": page["place"]} | held for page in data["places"] for held in page["counts"]]
    yield Sheet("sides", ("side", *SIDE_TOTALS), sides)
    yield Sheet("places", columns, data["places"])
    yield Sheet("strength", ("place", "what", "type", "number"), counts)
    yield Sheet("totals", (*TOTALS, "squad_equivalents"), [data["totals"]])


def _knowledge_blocks(
    data: dict[str, Any], places: list[tuple[RosterPage, ForceStrength]], total: ForceStrength
) -> Iterator[Block]:
    rows = [(Side(whose).label, *totals.values()) for whose, totals in data["sides"].items()]
    yield TableBlock(("side", *SIDE_TOTALS.values()), rows)
    yield TextBlock(f"Total: {total.words or 'nothing known'}.")
    header = ("place", "hexes", "known counters")
    lines = [
        (page.title, len(page.area.hexes) if page.area else None, size.words)
        for page, size in places
    ]
    yield SectionBlock("Where", [TableBlock(header, lines, (30, 8, 62))])
    there = (what for what in TOTALS if total.count_of_category(what))
    by_type = [
        (TOTALS[what][1], total.count_of_category(what), total.types_text(what)) for what in there
    ]
    yield SectionBlock("By type", [TableBlock(("what", "number", "types"), by_type, (30, 8, 62))])
