"""The card of the next scenario, on half a page: the start of the scenario, and the counters still
to be placed."""

from collections.abc import Iterator
from functools import partial
from math import ceil
from typing import Any

from brt_cg.card import (
    Card,
    arrival_text,
    arrivals_landing_on,
    landing_schedule,
    side_arrivals_due_by,
)
from brt_cg.exports.blocks import Block, Bullets, Cell, Document, Sheet, TableBlock, WriteIn
from brt_cg.exports.headers import json_document_start, page_header_maker
from brt_cg.exports.setup_pages import (
    ScenarioStart,
    japanese_limit_words,
    japanese_setup_limits,
    scenario_start,
)
from brt_cg.exports.strength import count_strength
from brt_cg.exports.wording import total_text
from brt_cg.model import SIDES, Campaign, Counter, Side, Terrain
from brt_cg.questions import RefusedError
from brt_cg.views.view import View

WIDTHS = (20, 40, 40)
NONE = "–"
NOTED = ("SAN used", "CVP so far")  # lines to write on, where there is room
MOST_REMINDERS = 1  # the most reminders that leave room for them


def build_scenario_card(book: View) -> Document:
    """Return the card for a side, or for both. Raises RefusedError once the campaign is over."""
    view, card = book.campaign, book.card
    if view.situation.phase == "over":
        raise RefusedError("the campaign is over: there is no next scenario")
    start = scenario_start(view, card)
    data = {
        **json_document_start("scenario-card", book.side),
        "cg": view.situation.cg,
        "date": start.date,
        "otherwise": start.otherwise and start.otherwise.date,
        "starts": [_start_data(each) for each in (start, start.otherwise) if each],
        "sides": [_side_data(view, card, whose, book.side) for whose in SIDES],
        "limits": None if book.side is Side.MARINE else japanese_setup_limits(view, card),
        "banzai": _banzai(view, card, start),
        "reminders": book.reminders_for(*(each.date for each in (start, start.otherwise) if each)),
    }
    title = f"The {start.dates} scenario"
    figures = {} if book.side is Side.MARINE else japanese_limit_words(view, card)
    blocks = partial(_card_blocks, data, figures)
    sheets = partial(_sheets, data)
    return Document(title, page_header_maker(book, start.dates), data, sheets, blocks, half=True)


def _start_data(start: ScenarioStart) -> dict[str, Any]:
    return {
        "date": start.date,
        "sets_up_first": start.first_setup.value,
        "moves_first": start.first_move and start.first_move.value,
        "turns": start.turns,
    }


def _side_data(view: Campaign, card: Card, whose: Side, seer: Side | None) -> dict[str, Any]:
    """Return a side's totals; only the side itself sees the counters that it still has to place."""
    waiting = count_strength(counters_to_place(view, whose), card.ladders, (whose,)).words
    return {
        "side": whose.value,
        "san": total_text(view, whose, "san"),
        "elr": total_text(view, whose, "elr"),
        "cvp": view.cvp(whose),
        "to_place": (waiting or "nothing") if seer in (None, whose) else None,
        "arrivals": arrival_texts(view, card, whose) if seer in (None, whose) else [],
    }


def arrival_texts(view: Campaign, card: Card, side: Side) -> list[str]:
    """Return the arrivals of a side that are due or land in the next scenario, in words."""
    start = scenario_start(view, card)
    date = start.otherwise.date if start.otherwise else start.date
    found = [
        *arrivals_landing_on(view, start.date, side),
        *side_arrivals_due_by(view, card, date, side),
    ]
    waves = landing_schedule(found, card)
    others = (each for each in found if each not in waves)
    return [arrival_text(each) for each in (*others, *waves)]


def counters_to_place(view: Campaign, side: Side) -> list[Counter]:
    """Return the counters of a side in play that have no Location yet."""
    return [
        counter
        for counter in view.counters()
        if counter.in_play
        and counter.side is side
        and counter.location is None
        and not isinstance(counter, Terrain)
    ]


def _banzai(view: Campaign, card: Card, start: ScenarioStart) -> str:
    """Return the note about a Banzai Night Attack (15.616, 15.6203)."""
    if start.otherwise is not None:
        return "the Japanese reveal whether they attempt one after setup (15.6203)"
    return "a Night scenario" if card.is_night_date(start.date) else "none"


def _sheets(data: dict[str, Any]) -> Iterator[Sheet]:
    yield Sheet("scenario", ("date", "sets_up_first", "moves_first", "turns"), data["starts"])
    yield Sheet("sides", ("side", "san", "elr", "cvp", "to_place", "arrivals"), data["sides"])
    yield Sheet("limits", (*(data["limits"] or {}), "banzai"), [(data["limits"] or {}) | data])


def _card_blocks(data: dict[str, Any], figures: dict[str, str]) -> Iterator[Block]:
    if data["reminders"]:
        yield Bullets(data["reminders"])
    header = ("CG Date", "sets up first", "moves first", "turns")
    yield TableBlock(header, [*map(_start_row, data["starts"])], (25, 25, 25, 25), roomy=True)
    marine, japanese = data["sides"]
    rows: list[tuple[Cell, ...]] = [
        (name, marine[key], japanese[key])
        for name, key in (("SAN", "san"), ("ELR", "elr"), ("CVP", "cvp"))
    ]
    rows += [(name, NONE, told) for name, told in figures.items()]
    rows.append(("Banzai Night Attack", NONE, data["banzai"]))
    rows.append(("still to place", *(each["to_place"] or NONE for each in (marine, japanese))))
    if marine["arrivals"] or japanese["arrivals"]:
        rows.append(("arrivals due", *("; ".join(each["arrivals"]) for each in (marine, japanese))))
    yield TableBlock(("", "Marine", "Japanese"), rows, WIDTHS, roomy=True)
    turns = max(ceil(float(start["turns"] or 0)) for start in data["starts"])
    if turns:
        yield TableBlock(
            ["turn", *(str(turn + 1) for turn in range(turns))],
            [[side.label, *[WriteIn.BOX] * turns] for side in SIDES],
            (12, *[8] * turns),
            roomy=True,
        )
    if not (marine["arrivals"] or japanese["arrivals"] or data["reminders"][MOST_REMINDERS:]):
        noted = [(name, WriteIn.LINE, WriteIn.LINE) for name in NOTED]
        yield TableBlock(("", "", ""), noted, WIDTHS, roomy=True)


def _start_row(start: dict[str, Any]) -> tuple[Cell, ...]:
    mover = Side(start["moves_first"]).label if start["moves_first"] else "by dr"
    return (start["date"], Side(start["sets_up_first"]).label, mover, start["turns"])
