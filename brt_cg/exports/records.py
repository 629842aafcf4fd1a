"""The Beach Defense Record of each beach, and the Miscellaneous Status Record (15.614), with the
campaign roster; and the Landing Schedule Record (T15.13)."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

from brt_cg.card import landing_schedule
from brt_cg.exports.blocks import (
    Block,
    Bullets,
    Cell,
    Document,
    SectionBlock,
    Sheet,
    TableBlock,
    TextBlock,
    WriteIn,
)
from brt_cg.exports.campaign_roster import COLUMNS, list_date_figures, roster_blocks
from brt_cg.exports.headers import json_document_start, page_header_maker
from brt_cg.exports.history import list_scenarios, night_results
from brt_cg.exports.purchases import account_name, cost_text, place_texts
from brt_cg.exports.wording import SIDE_TOTALS
from brt_cg.model import SIDES, Campaign, Side
from brt_cg.purchases.listing import BeachDefensePage, ListedPurchase, beach_defense_pages
from brt_cg.purchases.pools import KIND_NAMES, KINDS, RULES, Account
from brt_cg.refit.victory import victory_points, victory_points_text
from brt_cg.text import hyphens_to_minus_signs
from brt_cg.views.view import View

FIGURES = ("allotted", "granted", "spent", "left")
POINTS_WIDTHS = (24, 32, 11, 11, 11, 11)
ITEM_WIDTHS = (7, 9, 28, 8, 8, 14, 26)
OF_A_SIDE = (*SIDE_TOTALS, "player")
FACTS = ("massacre", "nights_without_scenario", "pillbox_vp")
ITEM = (
    *("id", "date", "side", "beach", "points", "item", "name", "quantity", "unit_cost", "total"),
    *("exponent", "location", "exit", "covered_arc", "capacity", "stands_in", "in_play", "lost"),
    *("voids", "voided_by", "reason", "entered_by", "entered_at"),
)
LANDING = ("date", "turn", "wave", "formations", "entry_area", "side", "counters", "entered")
LANDING_HEADER = ("CG Date", "turn", "Wave", "Formations", "Entry Area", "counters", "landed")
LANDING_WIDTHS = (9, 7, 8, 16, 16, 36, 8)
SCENARIO = (
    *("date", "winner", "moved_first", "marine_cvp", "japanese_cvp", "marine_scored"),
    "japanese_scored",
)


def build_records(book: View) -> Document:
    """Build both records. `head` is the checksum that `audit --head` looks for."""
    view = book.campaign
    beaches = beach_defense_pages(view, book.card, book.side)
    data = _data(book, beaches)
    title = f"Campaign records on {view.situation.date}"
    blocks = partial(_record_blocks, view, data, beaches)
    return Document(title, page_header_maker(book), data, partial(_sheets, data), blocks)


def _data(book: View, beaches: Iterable[BeachDefensePage]) -> dict[str, Any]:
    view = book.campaign
    situation = view.situation
    seen = book.rows
    return {
        **json_document_start("records", book.side),
        "head": book.head,
        "cg": situation.cg,
        "name": situation.name,
        "date": situation.date,
        "victor": situation.victor,
        "sides": {
            side.value: {name: getattr(view.sides[side], name) for name in OF_A_SIDE}
            | {"cvp": view.cvp(side)}
            for side in SIDES
        },
        "facts": {name: getattr(situation, name) for name in FACTS},
        "scenarios": list_scenarios(seen),
        "dates": [date.as_row() for date in list_date_figures(book)],
        "nights": [
            {"date": date, "told": lines} for date, lines in night_results(seen, book.card).items()
        ],
        "beaches": [_beach(view, beach) for beach in beaches],
        "landings": [
            {
                **{name: getattr(arrival, name) for name in LANDING[:5]},
                **{"side": arrival.side.value, "counters": arrival.lines},
                "entered": arrival.entered,
            }
            for arrival in landing_schedule(view.arrivals.values(), book.card)
        ],
    }


def _beach(view: Campaign, record: BeachDefensePage) -> dict[str, Any]:
    account = record.account
    return {
        "side": account.side.value,
        "beach": account.beach,
        **{
            figure: {kind: getattr(account, figure).points_of(kind) for kind in KINDS}
            for figure in FIGURES
        },
        "items": [_record_item(view, row) for row in record.rows],
    }


def _record_item(view: Campaign, row: ListedPurchase) -> dict[str, Any]:
    values = asdict(row) | {"capacity": row.whole_capacity, "stands_in": present_place(view, row)}
    return {name: values[name] for name in ITEM}


def present_place(view: Campaign, row: ListedPurchase) -> str | None:
    """Return the current place of a purchase: the places of the counters that it created and that
    are in play."""
    counters = (view.find(id) for id in row.in_play)
    found = dict.fromkeys(view.place_text(counter) for counter in counters if counter is not None)
    return ", ".join(filter(None, found)) or row.location


# --- for spreadsheets -----------------------------------------------------------------------------


def _sheets(data: dict[str, Any]) -> Iterator[Sheet]:
    head = ("cg", "name", "date", "view", "head", "victor", *FACTS)
    sides = ({"side": whose} | totals for whose, totals in data["sides"].items())
    nights = (night | {"told": " / ".join(night["told"])} for night in data["nights"])
    items = (item for beach in data["beaches"] for item in beach["items"])
    yield Sheet("record", head, [data | data["facts"]], cover=True)
    yield Sheet("sides", ("side", *OF_A_SIDE), sides, cover=True)
    yield Sheet("scenarios", SCENARIO, data["scenarios"], cover=True)
    yield Sheet("dates", COLUMNS, data["dates"])
    yield Sheet("nights", ("date", "told"), nights)
    yield Sheet("points", ("side", "beach", "points", *FIGURES), _points(data["beaches"]))
    yield Sheet("items", ITEM, items)
    yield Sheet("landings", LANDING, data["landings"])


def _points(beaches: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for beach in beaches:
        for kind in KINDS:
            figures = {figure: beach[figure][kind] for figure in FIGURES}
            yield {"side": beach["side"], "beach": beach["beach"], "points": kind} | figures


# --- for people -----------------------------------------------------------------------------------


def _record_blocks(
    view: Campaign, data: dict[str, Any], beaches: Iterable[BeachDefensePage]
) -> Iterator[Block]:
    yield SectionBlock("Miscellaneous Status Record", _status_record(view, data))
    there = [record for record in beaches if record.account.given or record.rows]
    if there:
        yield SectionBlock("Beach Defense Record", _beach_records(view, there))
    if data["landings"]:
        yield SectionBlock("Landing Schedule Record", _landing_record(data))


def _landing_record(data: dict[str, Any]) -> Iterator[Block]:
    rows: list[tuple[Cell, ...]] = []
    for row in data["landings"]:
        where = [WriteIn.LINE if row[name] is None else row[name] for name in LANDING[3:5]]
        turn = WriteIn.LINE if row["turn"] is None else row["turn"]
        rows.append((row["date"], turn, row["wave"], *where, row["counters"], WriteIn.BOX))
    yield TableBlock(LANDING_HEADER, rows, LANDING_WIDTHS)


def _status_record(view: Campaign, data: dict[str, Any]) -> Iterator[Block]:
    name = f" · {data['name']}" if data["name"] else ""
    facts = data["facts"]
    whole = view.ruling_value("R-VP") == "campaign"
    counted = "over the whole campaign so far (R-VP)" if whole else "in the last scenario"
    massacre = "in effect" if facts["massacre"] else "not in effect"
    yield TextBlock(f"CG {data['cg']}{name} · CG Date {data['date']}")
    nights = f"Nights without a scenario: {facts['nights_without_scenario']}"
    pillboxes = f"Victory Points for pillboxes {counted}: {facts['pillbox_vp']}"
    yield Bullets([f"Massacre: {massacre}", nights, pillboxes])
    sums = victory_points_text(victory_points(view, whole=True))
    won = f": won by the {Side(data['victor']).plural}" if data["victor"] else ""
    yield TextBlock(f"Campaign Victory Points (15.615){won}: {sums}")
    totals = [(Side(whose).label, *values.values()) for whose, values in data["sides"].items()]
    yield TableBlock(("side", *SIDE_TOTALS.values(), "player"), totals)
    yield from roster_blocks(data["dates"])
    if data["nights"]:
        lines = [f"{night['date']}: {'; '.join(night['told'])}" for night in data["nights"]]
        yield SectionBlock("Nights", [Bullets(lines)])


def _beach_records(view: Campaign, beaches: Iterable[BeachDefensePage]) -> Iterator[Block]:
    """Yield the points of all beaches in a table, and the purchases of each."""
    points = []
    for account in (record.account for record in beaches):
        kinds = [
            kind for kind in KINDS if account.given.points_of(kind) or account.spent.points_of(kind)
        ]
        for at, kind in enumerate(kinds):
            name = "" if at else account_name(account)
            points.append((name, f"{KIND_NAMES[kind]} ({RULES[kind]})", *_figures(account, kind)))
    yield TableBlock(("beach", "points", *FIGURES), points, POINTS_WIDTHS)
    header = ("id", "CG Date", "item", "number", "cost", "Location", "")
    for record in beaches:
        if record.rows:
            items = TableBlock(header, [_item_row(view, row) for row in record.rows], ITEM_WIDTHS)
            yield SectionBlock(account_name(record.account), [items])


def _figures(account: Account, kind: str) -> Iterator[int]:
    return (getattr(account, figure).points_of(kind) for figure in FIGURES)


def _item_row(view: Campaign, row: ListedPurchase) -> tuple[Any, ...]:
    number = hyphens_to_minus_signs(row.quantity)
    notes = [f"voids {row.voids}: {row.reason}"] if row.voids else []
    notes += [f"voided by {row.voided_by}"] if row.voided_by else []
    notes += [f"lost {' '.join(row.lost)}"] if row.lost and not row.voided_by else []
    where = None if row.voids else row.location if row.voided_by else present_place(view, row)
    also = [line for line in place_texts(row, None) if not row.voids]
    cost = cost_text(row)
    return (row.id, row.date, row.name, number, cost, where, ", ".join([*also, *notes]))
