"""The ledger of purchases: for each account the points given, spent and left, and each item; the
price list (15.6141-15.6143); and the page that shows each limit with its figures."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

from brt_cg.board import beach_name
from brt_cg.card import Card, CreatedKind, PlacementCondition, Price
from brt_cg.exports.blocks import Block, Document, SectionBlock, Sheet, TableBlock, TextBlock
from brt_cg.exports.headers import json_document_start, page_header_maker
from brt_cg.exports.wording import view_words
from brt_cg.model import WINDOW, Allotment, Campaign, Phase, PointsKind, Side
from brt_cg.purchases.checks import LimitCheck, list_limit_checks
from brt_cg.purchases.limits import can_buy
from brt_cg.purchases.listing import (
    ListedPurchase,
    beach_defense_pages,
    draft_report,
    list_purchase_records,
)
from brt_cg.purchases.pools import (
    KIND_NAMES,
    KINDS,
    Account,
    allotment_amounts,
    due_and_future_grants,
)
from brt_cg.purchases.totals import drafts_of, fund_of, purchases_not_voided
from brt_cg.refit.sequence import is_campaign_ending
from brt_cg.text import hyphens_to_minus_signs
from brt_cg.views.steps import Progress, Step
from brt_cg.views.view import View

PLACES = {
    PlacementCondition.OCEAN: "in an Ocean hex",
    PlacementCondition.BEACH_ADJACENT: "adjacent to a Beach hex",
    PlacementCondition.NOT_BEACH_ADJACENT: "not adjacent to a Beach hex",
    PlacementCondition.NOT_BEACH: "not in a Beach hex",
    PlacementCondition.HEXSIDE: "on a hexside",
    PlacementCondition.TWO_LOCATIONS: "between two Locations",
    PlacementCondition.ADJACENT_LOCATIONS: "adjacent to each other",
    PlacementCondition.WITH_TETRAHEDRON: "with a tetrahedron",
    PlacementCondition.COVERED_ARC: "with a Covered Arc",
    PlacementCondition.NOT_INSIDE: "not in a building or pillbox, if the rulings check that",
}


def purchases_text(book: View) -> str:
    """Return the output of `purchases`: the accounts that a side may see (for None, the umpire, all
    of them), and its drafts with every limit that they would break."""
    view = book.campaign
    blocks: list[list[str]] = []
    for record in beach_defense_pages(view, book.card, book.side):
        if record.account.given or record.rows:
            lines = [account_name(record.account), *account_lines(record.account)]
            blocks.append(lines + [f"    {purchase_record_text(row)}" for row in record.rows])
    for whose in Side:
        grants = due_and_future_grants(view, book.card, whose)
        for grant in grants:
            fund = fund_of(whose, grant.beach)
            account = Account(fund.side, fund.beach)
            blocks.append(
                [f"{account_name(account)}, on {grant.date}: {allotment_amounts(grant)} to come"]
            )
        if drafts_of(view, whose):
            blocks.append(list(_draft(view, book.card, whose)))
    if not blocks:
        blocks = [["No points are allotted, and nothing has been bought."]]
    return "\n\n".join("\n".join(block) for block in [*blocks, [view_words(book.side)]])


def account_name(account: Account) -> str:
    """Return the owner of an account: "Marine", "Japanese, Red One"."""
    beach = f", {beach_name(account.beach)}" if account.beach else ""
    return f"{account.side.label}{beach}"


def account_lines(account: Account, kinds: Iterable[str] = KINDS) -> Iterator[str]:
    """Yield a line for each of these kinds of points that it has."""
    for kind in kinds:
        given, spent = account.given.points_of(kind), account.spent.points_of(kind)
        if given or spent:
            granted = account.granted.points_of(kind)
            also = f" + {granted} granted" if granted else ""
            figures = f"{account.allotted.points_of(kind)} allotted{also} − {spent} spent"
            left = hyphens_to_minus_signs(account.left.points_of(kind))
            yield f"  {KIND_NAMES[kind]}: {figures} = {left} left"


def purchase_record_text(row: ListedPurchase) -> str:
    """Return a record of the ledger in one line."""
    if row.voids is not None:
        back = cost_text(row) if row.quantity else "no refund"
        return f"{row.id} · {row.date} · voids {row.voids}: {back} ({row.reason})"
    where = list(place_texts(row, row.location))
    place = f", {', '.join(where)}" if where else ""
    gone = f", voided by {row.voided_by}" if row.voided_by else ""
    lost = f", lost: {', '.join(row.lost)}" if row.lost and not row.voided_by else ""
    item = f"{row.quantity} × {row.name}"
    return f"{row.id} · {row.date} · {item}{place}: {cost_text(row)}{gone}{lost}"


def place_texts(row: ListedPurchase, location: str | None) -> Iterator[str]:
    """Yield the place of something, with its exit, Covered Arc, or capacity."""
    if location:
        yield f"at {location}"
    if row.exit:
        yield f"exit {row.exit}"
    if row.covered_arc:
        yield f"Covered Arc {', '.join(row.covered_arc)}"
    if row.whole_capacity is not None:
        yield f"capacity {row.whole_capacity}"


def cost_text(row: ListedPurchase) -> str:
    """Return the cost of a record (for a void the refund), in points."""
    exponent = f", exponent {row.exponent}" if row.exponent else ""
    return hyphens_to_minus_signs(f"{row.total} {row.points.upper()}{exponent}")


def _draft(view: Campaign, card: Card, side: Side) -> Iterator[str]:
    report = draft_report(view, card, side)
    yield f"{side.label} draft: {report.total}"
    for row in report.rows:
        beach = f" for {beach_name(row.beach)}" if row.beach else ""
        yield f"    {purchase_record_text(row)}{beach}"
    drafted = {fund_of(row.side, row.beach) for row in report.rows}
    for account in report.accounts:
        if account.fund in drafted:
            left = " · ".join(line.strip() for line in account_lines(account))
            yield f"  after buying it, {account_name(account)}: {left or 'no points'}"
    yield "  breaks limits:" if report.breaches else "  within limits"
    yield from (f"    {breach}" for breach in report.breaches)


# --- the page that shows each limit ---------------------------------------------------------------

BOUGHT = (
    *("date", "pool", "id", "name", "quantity", "unit_cost", "total", "exponent", "points"),
    *("in_play", "lost", "voids", "voided_by", "reason", "entered_by", "entered_at"),
)
CHECKED = ("rule", "what", "count", "most", "left", "is_kept", "records")


def build_purchases(book: View) -> Document:
    """Return the purchases that a side may see (None: all of both), by date and pool, and each
    limit with its figures."""
    view, card = book.campaign, book.card
    bought = [row for row in list_purchase_records(view, card, book.side) if not row.draft]
    bought.sort(key=lambda row: (card.date_index(row.date), row.side, row.beach or ""))
    found = list_limit_checks(view, card, book.side)
    data = json_document_start("purchases", book.side) | {
        "cg": card.cg,
        "date": view.situation.date,
        "bought": [_bought(row) for row in bought],
        "limits": [_checked(check) for check in found],
    }
    title = f"Purchases through {view.situation.date}, with every limit"
    blocks = partial(_purchase_blocks, bought, found)
    return Document(title, page_header_maker(book), data, partial(_sheets, data), blocks)


def _bought(row: ListedPurchase) -> dict[str, Any]:
    values = asdict(row) | {"pool": fund_of(row.side, row.beach).id}
    return {name: values[name] for name in BOUGHT}


def _checked(check: LimitCheck) -> dict[str, Any]:
    values = asdict(check) | {"left": check.remaining, "is_kept": check.is_kept}
    return {name: values[name] for name in CHECKED}


def _sheets(data: dict[str, Any]) -> Iterator[Sheet]:
    yield Sheet("bought", BOUGHT, data["bought"])
    yield Sheet("limits", CHECKED, data["limits"])


def _purchase_blocks(bought: list[ListedPurchase], found: list[LimitCheck]) -> Iterator[Block]:
    broken = [check for check in found if not check.is_kept]
    kept = f"Within all {len(found)} limits"
    if broken:
        kept = f"Broken limits: {len(broken)} of {len(found)}"
    yield TextBlock(f"{kept}. The audit checks the window, date and place of each purchase.")
    header = ("", "rule", "limit", "counted", "at most", "left", "purchases")
    yield SectionBlock("Limits", [TableBlock(header, [*map(_limit_row, found)])])
    columns = ("pool", "id", "item", "number", "cost", "entered by", "at", "")
    for date in dict.fromkeys(row.date for row in bought):
        rows = [_bought_row(row) for row in bought if row.date == date]
        yield SectionBlock(f"Bought on {date}", [TableBlock(columns, rows)])


def _limit_row(check: LimitCheck) -> tuple[Any, ...]:
    stands = "ok" if check.is_kept else "BROKEN"
    figures = (check.count, check.most, hyphens_to_minus_signs(check.remaining))
    return (stands, check.rule, check.what, *figures, " ".join(check.records))


def _bought_row(row: ListedPurchase) -> tuple[Any, ...]:
    notes = [f"voids {row.voids}: {row.reason}"] if row.voids else []
    notes += ["no refund"] if row.voids and not row.quantity else []
    notes += [f"voided by {row.voided_by}"] if row.voided_by else []
    notes += [f"lost {' '.join(row.lost)}"] if row.lost and not row.voided_by else []
    pool = account_name(Account(row.side, fund_of(row.side, row.beach).beach))
    number, cost = hyphens_to_minus_signs(row.quantity), cost_text(row)
    by, at = row.entered_by, (row.entered_at or "")[:16].replace("T", " ")
    return (pool, row.id, row.name, number, cost, by, at, ", ".join(notes))


# --- the price list -------------------------------------------------------------------------------


def prices_text(book: View) -> str:
    """Return the output of `purchases --prices`: the items that a side may buy (None: all)."""
    view, card = book.campaign, book.card
    blocks = [list(_price_table(view, card, points, book.side)) for points in PointsKind]
    return "\n\n".join(
        "\n".join(lines) for lines in [*filter(None, blocks), [view_words(book.side)]]
    )


def _price_table(
    view: Campaign, card: Card, points: PointsKind, side: Side | None
) -> Iterator[str]:
    items = [
        price
        for price in card.prices.values()
        if price.points is points and (side is None or price.can_be_bought_by(side))
    ]
    if not items:
        return
    yield f"{points.value.upper()} ({items[0].rule})"
    width = max(len(item.key) for item in items)
    for item in items:
        yield f"  {item.key:<{width}}  {item.cost:>2}  {' · '.join(_price_text(view, card, item))}"


def _price_text(view: Campaign, card: Card, price: Price) -> Iterator[str]:
    yield price.name
    if price.later_cost != price.cost:
        yield f"{price.later_cost} after the first scenario"
    if price.points is PointsKind.FPP:
        yield f"{price.side.label} only" if price.side else "both sides"
    yield from price_facts(price, card.cg, price.campaign_maximum(card.cg, view.current_rulings))
    bought = sum(
        purchase.quantity for purchase in purchases_not_voided(view) if purchase.item == price.key
    )
    if bought:
        yield f"{bought} bought"


def price_facts(price: Price, cg: str, most: int | None) -> Iterator[str]:
    """Yield the counters that an item creates, its requirements and its limits; `most` is the limit
    for the whole campaign."""
    if price.creates.crew:
        yield "with a crew"
    if price.placement:
        yield ", ".join(PLACES[word] for word in price.placement)
    extra = price.creates.extra_capacity_cost
    if extra is not None:
        cost = f"{extra} {price.points.upper()}" if extra else "1 exponent"
        yield f"{cost} for each extra squad-equivalent of capacity"
    if price.initial_only:
        yield "for the first scenario only"
    if price.per_refit is not None:
        yield f"{price.per_refit} per side before the first scenario, and in each Refit Phase"
    if price.max_per_beach is not None:
        group = f" {price.beach_group} of any type" if price.beach_group else ""
        yield f"at most {price.max_per_beach}{group} per beach"
    if most is not None:
        yield f"at most {most} in CG {cg}"
    if price.not_beaches:
        yield f"not for {', '.join(map(beach_name, price.not_beaches))}"
    if price.hip is not None:
        hip = price.hip
        yield (
            f"up to {hip.day_percent}% of the squad-equivalents on map by day, "
            f"{hip.night_percent}% by night"
        )
    if (
        price.creates.kind is CreatedKind.NONE
        and not price.front_line_ok
        and price.per_refit is None
    ):
        yield "recorded here, used during setup"
    if price.marine_dates:
        yield f"for the Marines only in a Refit Phase before {price.marines_buy_before_text}"
    if price.isolated_ok:
        yield f"also in an Isolated{' or Front Line' if price.front_line_ok else ''} Location"


def grant_text(grant: Allotment) -> str:
    """Return a grant in a few words: "Red One 20 FPP on 20 NT"."""
    return f"{beach_name(grant.beach)} {allotment_amounts(grant)} on {grant.date}"


def buying_window_text(
    view: Campaign, card: Card, side: Side, steps: Iterable[Step], waiting: bool
) -> str:
    """Return, in words, whether a side may buy now and, if not, when it may. `waiting` is true
    while the open question is secret from the reader."""
    situation = view.situation
    if situation.phase is Phase.PURCHASE:
        return "may buy now; the setup begins in Refit"
    if can_buy(view, side):
        return f"may buy now ({WINDOW})"
    if situation.phase is Phase.OVER:
        return "cannot buy any more: the campaign is over"
    stand = next((step.stand for step in steps if step.number == WINDOW), None)
    if situation.phase is Phase.REFIT and stand is Progress.NEXT:
        return f"may buy at {WINDOW}, which begins next: continue in Refit"
    if situation.phase is Phase.REFIT and stand is Progress.AHEAD:
        at = situation.paragraph or situation.done
        now = f"now at {at}" if at and not waiting else ""
        now = "your opponent is making a secret decision" if waiting else now
        return "; ".join(filter(None, (f"may buy at {WINDOW} of this Refit Phase", now)))
    if is_campaign_ending(situation, card):
        return f"cannot buy any more: the campaign ends with {situation.date}"
    return f"may buy next at {WINDOW}, after the scenario of {situation.date}"
