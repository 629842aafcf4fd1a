"""The scenario-end form, for paper and pencil: each side's counters with the same codes as on the
screen, and the events that can affect them."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from brt_cg.board import is_area_only_location
from brt_cg.exports.blocks import (
    Block,
    Cell,
    Document,
    SectionBlock,
    Sheet,
    TableBlock,
    TextBlock,
    WriteIn,
)
from brt_cg.exports.headers import json_document_start, page_header_maker
from brt_cg.exports.roster_lists import counter_label, place_without_hex_text
from brt_cg.exports.setup_pages import scenario_start
from brt_cg.exports.wording import type_and_name_text
from brt_cg.model import (
    SIDES,
    Campaign,
    Counter,
    CounterCodes,
    NumberedList,
    Phase,
    Piece,
    Side,
    holder_id,
)
from brt_cg.model.events import EVENTS, NOW, TICKED, WAS
from brt_cg.model.numbered_lists import numbered_lists
from brt_cg.text import capitalize, count_text
from brt_cg.views.view import View

WAITS = "waits"
NEW_ROWS = 5  # for leaders and heroes that the scenario created
HOW = (
    "Tick what happened to each counter; leave unchanged counters blank. Write the rest in "
    "the last column: its hex, who captured it, other letters. You can type letters and codes on "
    "the screen: x1a1b eliminates two, q35 3f moves one. "
)
NO_CODES_YET = "Print this after setup: codes are assigned when the scenario begins. "
LETTERS = tuple(event.letter for event in TICKED)
COLUMNS = (WAS, *LETTERS, NOW)  # as on the screen, behind the code and the counter
HEADINGS = (WAS, *(event.words for event in TICKED), NOW)
WIDTHS = (5, 30, 10, *(8 for _ in LETTERS), 15)


def build_scenario_sheet(book: View) -> Document:
    """Return the sheet of a side, or those of both, for the scenario that is played or set up."""
    view = book.campaign
    codes = book.codes
    lists = [
        codes.sort_by_code(held)
        for whose in ([book.side] if book.side else SIDES)
        for held in numbered_lists(view, whose)
    ]
    situation = view.situation
    over = situation.phase is Phase.OVER
    date = situation.date if over else scenario_start(view, book.card).dates
    data = {
        **json_document_start("scenario-sheet", book.side),
        "date": date,
        "lists": [_list_data(view, held, codes) for held in lists],
    }
    title = f"How the {date} scenario ended"
    blocks = partial(_sheet_blocks, view, lists, codes)
    return Document(
        title, page_header_maker(book, date), data, partial(_sheets, data, lists), blocks
    )


def _list_data(view: Campaign, held: NumberedList, codes: CounterCodes) -> dict[str, Any]:
    return {
        "side": held.side.value,
        "place": held.name,
        "kind": held.kind,
        "counters": [
            {
                "number": number,
                "code": codes.code_of(counter.id),
                "id": counter.id,
                "counter": type_and_name_text(counter),
                "was_in": location_text(view, counter),
                "with": holder_id(counter),
            }
            for number, counter in held.numbered
        ],
    }


def location_text(view: Campaign, counter: Counter) -> str:
    """Return the Location of a counter in words; "on the table" if only the players know its hex,
    "waits" if it is in the box of its Area."""
    recorded = counter.recorded_location if isinstance(counter, Piece) else None
    if counter.off_map:
        return "off map"
    if is_area_only_location(counter.location):
        return place_without_hex_text(view, counter)
    return counter.location or recorded or (WAITS if counter.setup_area else "")


def _sheets(data: dict[str, Any], lists: list[NumberedList]) -> Iterator[Sheet]:
    columns = ("side", "place", "number", "code", "id", "counter", "was_in", "with")
    to_write = (*LETTERS, NOW)
    rows = (
        {"side": list_data["side"], "place": list_data["place"]} | row | _marks(counter)
        for list_data, held in zip(data["lists"], lists, strict=True)
        for row, counter in zip(list_data["counters"], held.counters, strict=True)
    )
    yield Sheet("counters", (*columns, *to_write), rows, to_write=to_write)
    totals = [{"total": name} for name in TOTALS]
    yield Sheet("totals", ("total", "marine", "japanese"), totals, to_write=SIDES)


def _marks(counter: Counter) -> dict[str, Cell]:
    """Return the boxes to tick and lines to fill in about a counter."""
    ticked = {each.letter: WriteIn.BOX if each.fits(counter) else "" for each in TICKED}
    return {**ticked, NOW: WriteIn.LINE}


TOTALS = ("winner", "moved first", "CVP", "SAN", "VP for pillboxes", "Marine Perimeters")


def _sheet_blocks(
    view: Campaign, lists: list[NumberedList], codes: CounterCodes
) -> Iterator[Block]:
    sides = dict.fromkeys(held.side for held in lists)
    for at, side in enumerate(sides):
        own = [held for held in lists if held.side is side]
        number = sum(len(held.counters) for held in own)
        title = f"{side.label} side, {count_text(number, 'counter')}"
        yield SectionBlock(title, _side_blocks(view, own, codes), page=at > 0)
    yield SectionBlock("Totals", _totals(list(sides)))


def _side_blocks(view: Campaign, lists: list[NumberedList], codes: CounterCodes) -> Iterator[Block]:
    rest = (event for event in EVENTS if event not in TICKED)
    ticked, others = (", ".join(f"{e.letter} {e.words}" for e in of) for of in (TICKED, rest))
    yet = "" if codes.by_id else NO_CODES_YET
    yield TextBlock(f"{yet}{HOW}Letters of the columns: {ticked}. Others: {others}.")
    for held in lists:
        ids = {counter.id for counter in held.counters}
        rows = [
            (
                codes.code_of(counter.id),
                counter_label(counter, inside=holder_id(counter) in ids),
                "" if place == WAITS else view.location_text(place),
                *_marks(counter).values(),
            )
            for counter in held.counters
            for place in [location_text(view, counter)]
        ]
        title = capitalize(held.title)
        yield TableBlock(("code", title, *HEADINGS), rows, WIDTHS, roomy=True)
    new = [("", WriteIn.LINE, *("" for _ in COLUMNS[:-1]), WriteIn.LINE)] * NEW_ROWS
    created = ("Created in the scenario", *("" for _ in COLUMNS[:-1]), NOW)
    yield TableBlock(("", *created), new, WIDTHS, roomy=True)


def _totals(sides: list[Side]) -> Iterator[Block]:
    names = ["winner", "moved first", *(f"{side.label} CVP" for side in Side)]
    names += [*(f"{side.label} SAN" for side in sides), "VP for pillboxes"]
    names += [""] * (len(names) % 2)
    pairs = zip(names[::2], names[1::2], strict=True)
    rows: list[tuple[Cell, ...]] = [
        (one, WriteIn.LINE, other, WriteIn.LINE if other else "") for one, other in pairs
    ]
    yield TableBlock(("", "", "", ""), rows, (18, 32, 18, 32), roomy=True)
    if Side.MARINE in sides:
        perimeters = [(f"Marine Perimeter {number}", WriteIn.LINE) for number in range(1, 4)]
        yield TableBlock(("", ""), perimeters, (18, 82), roomy=True)
