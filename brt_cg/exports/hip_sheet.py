"""The HIP sheet: a side's hidden counters on one page, to write, fold and seal before play."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from brt_cg.exports.blocks import (
    Block,
    Cell,
    CounterLabel,
    Document,
    SectionBlock,
    Sheet,
    TableBlock,
    TextBlock,
    WriteIn,
)
from brt_cg.exports.headers import json_document_start, page_header_maker
from brt_cg.exports.roster_lists import ON_PAPER, counter_label
from brt_cg.exports.scenario_sheet import WAITS, location_text
from brt_cg.exports.setup_pages import japanese_limits_text, scenario_start
from brt_cg.exports.wording import type_and_name_text
from brt_cg.model import SIDES, Campaign, Counter, Fortification, Piece, Side
from brt_cg.model.numbered_lists import numbered_lists
from brt_cg.views.view import View

NOT_KNOWN = (WAITS, ON_PAPER)  # the player writes these in
ROWS = 20  # rows on the page, filled or not
MOST = 30  # rows that fit on a page without a second column
WIDTHS = (37, 33, 20, 10)
COLUMNS = ("id", "counter", "location", "exit")


def build_hip_sheet(book: View) -> Document:
    """Return a side's hidden counters with their Locations; without a side a page for each."""
    view = book.campaign
    sides = [book.side] if book.side else list(SIDES)
    hidden = {whose: hidden_counters(view, whose) for whose in sides}
    dates = scenario_start(view, book.card).dates
    data = {
        **json_document_start("hip-sheet", book.side),
        "date": dates,
        "sides": [
            {"side": whose.value, "hidden": [_hip_row(view, held) for held in found]}
            for whose, found in hidden.items()
        ],
    }
    words = japanese_limits_text(view, book.card, book.side)
    blocks = partial(_hip_blocks, view, hidden, words)
    title = f"Hidden in the {dates} scenario"
    return Document(title, page_header_maker(book, dates), data, partial(_sheets, data), blocks)


def hidden_counters(view: Campaign, side: Side) -> list[Counter]:
    """Return a side's counters in play that its enemy does not know of, in the order of their
    numbers."""
    own = (counter for held in numbered_lists(view, side) for counter in held.counters)
    return [
        counter
        for counter in own
        if isinstance(counter, Piece | Fortification) and view.side_hiding(counter) is side
    ]


def _hip_row(view: Campaign, counter: Counter) -> dict[str, Any]:
    exit = counter.exit if isinstance(counter, Fortification) else None
    found = location_text(view, counter)
    place = None if found in ("", *NOT_KNOWN) else found
    return {
        "id": counter.id,
        "counter": type_and_name_text(counter),
        "location": place,
        "exit": exit,
    }


def _sheets(data: dict[str, Any]) -> Iterator[Sheet]:
    rows = ({"side": each["side"]} | row for each in data["sides"] for row in each["hidden"])
    yield Sheet("hidden", ("side", *COLUMNS), rows, blank=ROWS)


def _hip_blocks(view: Campaign, hidden: dict[Side, list[Counter]], words: str) -> Iterator[Block]:
    for at, (side, found) in enumerate(hidden.items()):
        title = f"{side.label} side"
        yield SectionBlock(title, _page(view, side, found, words), page=at > 0)


def _page(view: Campaign, side: Side, found: list[Counter], words: str) -> Iterator[Block]:
    yield TextBlock("Fold this sheet, seal it, and show it to nobody until play has ended.")
    if side is Side.JAPANESE:
        yield TextBlock(words)
    rows: list[tuple[Cell, ...]] = [
        (_label(counter), _place(view, counter), WriteIn.LINE, WriteIn.BOX) for counter in found
    ]
    rows += [(WriteIn.LINE, WriteIn.LINE, WriteIn.LINE, WriteIn.BOX)] * (ROWS - len(found))
    header = ("counter", "Location", "moved to, hidden", "revealed")
    roomy = len(rows) <= MOST
    yield TableBlock(header, rows, WIDTHS, roomy=roomy)
    signed = [("written by", WriteIn.LINE, "sealed on", WriteIn.LINE)]
    yield TableBlock(("", "", "", ""), signed, (15, 35, 15, 35), roomy=True)


def _label(counter: Counter) -> CounterLabel:
    """Return the counter in words, without "hidden", because the heading says that."""
    label = counter_label(counter)
    notes = (word for word in label.notes.split(", ") if word not in ("hidden", "cloaked"))
    return replace(label, notes=", ".join(notes))


def _place(view: Campaign, counter: Counter) -> Cell:
    exit = f" to {counter.exit}" if isinstance(counter, Fortification) and counter.exit else ""
    place = view.location_text(location_text(view, counter))
    return f"{place}{exit}" if place and place not in NOT_KNOWN else WriteIn.LINE
