"""The Beach Defense Record of each beach, and the Miscellaneous Status Record (15.614)."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from brt_cg.campaign import Campaign
from brt_cg.counters import Side
from brt_cg.exports.formats import csv_text, json_text, md_document, md_table, md_text, view_name
from brt_cg.exports.history import Scenario, nights, scenarios
from brt_cg.exports.journal import head_of
from brt_cg.exports.purchases import account_name, figures_told, place_told
from brt_cg.exports.rows import rows
from brt_cg.journal.book import Book
from brt_cg.purchases.listing import BeachRecord, Row, beach_records
from brt_cg.purchases.pools import KIND_NAMES, KINDS, RULES, Account
from brt_cg.records import SIDES
from brt_cg.secrets_kept import seen_by

FORMAT = "brt-cg/records"
FIGURES = ("allotted", "granted", "spent", "left")
TOTALS = ("san", "elr", "cvp", "player")
FACTS = ("massacre", "nights_without_scenario", "pillbox_vp")
ITEM = (
    *("id", "date", "side", "beach", "points", "item", "name", "quantity", "unit_cost", "total"),
    *("exponent", "location", "exit", "covered_arc", "capacity", "stands_in", "in_play", "lost"),
    *("voids", "voided_by", "reason", "entered_by", "entered_at"),
)
SCENARIO = (
    *("date", "winner", "moved_first", "marine_cvp", "japanese_cvp", "marine_scored"),
    "japanese_scored",
)


def document(book: Book, side: Side | None) -> dict[str, Any]:
    """Both records as JSON. `head` is the hash that `audit --head` finds again."""
    view = seen_by(book.campaign, side)
    situation = view.situation
    seen = rows(book, side)
    return {
        "format": FORMAT,
        "version": 1,
        "view": view_name(side),
        "head": head_of(book, side),
        "cg": situation.cg,
        "name": situation.name,
        "date": situation.date,
        "victor": situation.victor,
        "sides": {one.value: _totals(view, one) for one in SIDES},
        "facts": {name: getattr(situation, name) for name in FACTS},
        "scenarios": [_scenario(one) for one in scenarios(seen)],
        "nights": [{"date": date, "told": told} for date, told in nights(seen, book.card).items()],
        "beaches": [_beach(view, one) for one in beach_records(view, book.card, side)],
    }


def _totals(view: Campaign, side: Side) -> dict[str, Any]:
    return {name: getattr(view.sides[side], name) for name in TOTALS}


def _scenario(one: Scenario) -> dict[str, Any]:
    cvp = {f"{side}_cvp": points for side, points in one.cvp.items()}
    scored = {f"{side}_scored": points for side, points in one.scored.items()}
    head = {"date": one.date, "winner": one.winner, "moved_first": one.moved_first}
    return head | cvp | scored


def _beach(view: Campaign, record: BeachRecord) -> dict[str, Any]:
    account = record.account
    return {
        "side": account.side.value,
        "beach": account.beach,
        **{figure: _amounts(account, figure) for figure in FIGURES},
        "items": [_item(view, row) for row in record.rows],
    }


def _amounts(account: Account, figure: str) -> dict[str, int]:
    return {kind: getattr(account, figure).of(kind) for kind in KINDS}


def _item(view: Campaign, row: Row) -> dict[str, Any]:
    values = asdict(row) | {"stands_in": stands_in(view, row)}
    return {name: values[name] for name in ITEM}


def stands_in(view: Campaign, row: Row) -> str | None:
    """Where what was bought is now: the places of what it created that is in play."""
    counters = (view.find(id) for id in row.in_play)
    found = dict.fromkeys(view.place(one) for one in counters if one is not None)
    return ", ".join(found) or row.location


# --- written --------------------------------------------------------------------------------------


def as_json(book: Book, side: Side | None) -> str:
    return json_text(document(book, side))


def as_csv(book: Book, side: Side | None) -> dict[str, str]:
    """record.csv, sides.csv, scenarios.csv, nights.csv, points.csv and items.csv."""
    found = document(book, side)
    record = found | found["facts"]
    head = ("cg", "name", "date", "view", "head", "victor", *FACTS)
    sides = ({"side": one} | totals for one, totals in found["sides"].items())
    told = ({"date": one["date"], "told": " / ".join(one["told"])} for one in found["nights"])
    return {
        "record.csv": csv_text(head, [record]),
        "sides.csv": csv_text(("side", *TOTALS), sides),
        "scenarios.csv": csv_text(SCENARIO, found["scenarios"]),
        "nights.csv": csv_text(("date", "told"), told),
        "points.csv": csv_text(("side", "beach", "points", *FIGURES), _points(found["beaches"])),
        "items.csv": csv_text(ITEM, (item for one in found["beaches"] for item in one["items"])),
    }


def _points(beaches: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for one in beaches:
        for kind in KINDS:
            figures = {figure: one[figure][kind] for figure in FIGURES}
            yield {"side": one["side"], "beach": one["beach"], "points": kind} | figures


def as_md(book: Book, side: Side | None) -> str:
    view = seen_by(book.campaign, side)
    blocks: list[list[str]] = [[f"Journal `{head_of(book, side)}`"], *_status_record(book, side)]
    for record in beach_records(view, book.card, side):
        if record.account.given or record.rows:
            blocks += _beach_record(view, record)
    return md_document(f"Records of the campaign on {view.situation.date}", side, *blocks)


def _status_record(book: Book, side: Side | None) -> Iterator[list[str]]:
    found = document(book, side)
    yield ["## Miscellaneous Status Record"]
    name = f" · {found['name']}" if found["name"] else ""
    facts = found["facts"]
    whole = book.campaign.ruling("R-VP") == "campaign"
    counted = "so far (R-VP: campaign)" if whole else "in the last scenario"
    massacre = "in effect" if facts["massacre"] else "not in effect"
    yield [
        md_text(f"CG {found['cg']}{name} · CG Date {found['date']}"),
        "",
        f"- Massacre: {massacre}",
        f"- Nights without a scenario: {facts['nights_without_scenario']}",
        f"- Victory Points for pillboxes {counted}: {facts['pillbox_vp']}",
    ]
    totals = ((Side(one).label, *values.values()) for one, values in found["sides"].items())
    yield md_table(("side", "SAN", "ELR", "CVP", "player"), totals)
    if found["scenarios"]:
        header = ("CG Date", "winner", "moved first", "Marine CVP", "Japanese CVP")
        yield ["### Scenarios played"]
        yield md_table(header, map(_scenario_row, found["scenarios"]))
    if found["nights"]:
        yield ["### Nights"]
        yield [f"- {one['date']}: {md_text('; '.join(one['told']))}" for one in found["nights"]]


def _scenario_row(one: dict[str, Any]) -> tuple[Any, ...]:
    who = (Side(one[name]).label if one[name] else "–" for name in ("winner", "moved_first"))
    cvp = (f"{one[f'{side}_cvp']} (+{one[f'{side}_scored']})" for side in SIDES)
    return (one["date"], *who, *(points.replace("+-", "−") for points in cvp))


def _beach_record(view: Campaign, record: BeachRecord) -> Iterator[list[str]]:
    account = record.account
    yield [f"## Beach Defense Record · {account_name(account)}"]
    kinds = [kind for kind in KINDS if account.given.of(kind) or account.spent.of(kind)]
    points = ((f"{KIND_NAMES[kind]} ({RULES[kind]})", *_figures(account, kind)) for kind in kinds)
    yield md_table(("points", *FIGURES), points)
    if record.rows:
        header = ("id", "CG Date", "item", "number", "cost", "Location", "")
        yield md_table(header, (_item_row(view, row) for row in record.rows))


def _figures(account: Account, kind: str) -> Iterator[int]:
    return (getattr(account, figure).of(kind) for figure in FIGURES)


def _item_row(view: Campaign, row: Row) -> tuple[Any, ...]:
    number = str(row.quantity).replace("-", "−")
    notes = [f"voids {row.voids}: {row.reason}"] if row.voids else []
    notes += [f"voided by {row.voided_by}"] if row.voided_by else []
    notes += [f"lost {' '.join(row.lost)}"] if row.lost and not row.voided_by else []
    where = None if row.voids else row.location if row.voided_by else stands_in(view, row)
    also = [one for one in place_told(row, None) if not row.voids]
    cost = figures_told(row)
    return (row.id, row.date, row.name, number, cost, where, ", ".join([*also, *notes]))
