"""Purchases in words and columns: when to buy, the price list, the records, the draft, and the
points of a side, a column for each beach: allotted, spent, left."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from textual.content import Content
from textual.geometry import Size
from textual.widgets.option_list import Option

from brt_cg.board import beach_name
from brt_cg.exports.purchases import cost_text, grant_text, price_facts
from brt_cg.model import Allotment, PointsKind
from brt_cg.purchases.breach import Breach
from brt_cg.purchases.listing import DraftReport, ListedPurchase
from brt_cg.purchases.offers import Offer
from brt_cg.purchases.pools import HEADS, KIND_NAMES, KINDS, RULES, Account
from brt_cg.purchases.totals import fund_of
from brt_cg.resources import read_toml_cached
from brt_cg.text import count_text, hyphens_to_minus_signs
from brt_cg.tui.lists.search import contains_words
from brt_cg.tui.look.columns import Column, Columns, column_width_for, columns
from brt_cg.tui.look.lines import click_style, flow_in_rows, hang_text

NAME = 27  # width of the price list's first column, which the filter line is above
HERE = 10  # width of the column of a beach
STILL = 24  # width of the number still to be bought, or the reason
LEAST_OF_CONDITIONS = 16  # fewer cells are too few for conditions
HEADINGS = {
    PointsKind.GPP: f"Guns and machine guns, for Gun Purchase Points ({RULES[PointsKind.GPP]})",
    PointsKind.CAPP: f"Pillboxes, for Covered Arc Purchase Points ({RULES[PointsKind.CAPP]})",
    PointsKind.FPP: (
        f"Fortifications and more, for Fortification Purchase Points ({RULES[PointsKind.FPP]})"
    ),
}
LIMITS = read_toml_cached(
    Path(__file__).with_name("limits.toml")
)  # broken limits, as the screen shows them


def points_legend_with_grants(grants: Sequence[Allotment]) -> str:
    """Return a legend for the table of points, and future grants: "To come: Red One 20 FPP on 20
    NT"."""
    come = f" To come: {'; '.join(map(grant_text, grants))}." if grants else ""
    return f"Allotted − spent = left.{come}"


# --- the price list -------------------------------------------------------------------------------


def breaches_except_buying_time(offer: Offer) -> list[Breach]:
    """Return the limits, apart from the time, that forbid buying an item."""
    return [breach for breach in offer.breaches if breach.code != "window"]


def price_columns(beach: str | None) -> Columns:
    """Return the columns of the price list after the name; a side with beaches has one for the
    beach."""
    here = (Column(HERE, beach_name(beach), right=True),) if beach else ()
    return columns(Column(7, "Cost", right=True), *here, Column(9, "Campaign", right=True))


def price_headings(beach: str | None, width: int) -> Content:
    """Return the headings of the price list, without the first."""
    more = "Conditions" if room_for_conditions(beach, width) else ""
    still = f"  {'Can still buy':<{STILL}}{more}"
    return Content.assemble(price_columns(beach).headings(), (still, "dim"))


def room_for_conditions(beach: str | None, width: int) -> int:
    """Return the cells that the price list has for the conditions of an item; 0 if they are too
    few."""
    room = width - NAME - price_columns(beach).width - STILL - 2
    return room if room >= LEAST_OF_CONDITIONS else 0


def offer_row(offer: Offer, beach: str | None, cg: str, width: int) -> Content:
    """Return an item in the price list; struck out, with the reason, if it cannot be bought; and
    its conditions, if a width has room for them."""
    row, room = _bought_of(offer, beach), room_for_conditions(beach, width)
    if not room:
        return row
    # The columns before this show the number that may be bought; the page below shows the rest.
    facts = [fact for fact in price_facts(offer.price, cg, None) if not fact.startswith("at most")]
    shown = " · ".join(facts)
    while len(shown) > room and len(facts) > 1:
        facts.pop()
        shown = " · ".join([*facts, "…"])
    told = Content(shown).truncate(room, ellipsis=True).stylize("dim")
    return row.pad_right(max(0, width - room - row.cell_length)) + told


def _bought_of(offer: Offer, beach: str | None) -> Content:
    price = offer.price
    here = [_of_most(offer.bought_here, offer.most_here)] if beach else []
    cost, of_all = f"{offer.cost} {price.points.upper()}", _of_most(offer.bought, offer.most)
    figures = price_columns(beach).row(cost, *here, of_all)
    against = breaches_except_buying_time(offer)
    if against:
        reason = (f"  ✗ {LIMITS['short'].get(against[0].code, 'not now')}", "$secondary")
        return columns(NAME).row((price.name, "dim strike"), figures.stylize("dim"), reason)
    more = (f"  {offer.more} more" if offer.more else "", "dim")
    return columns(NAME).row((price.name, "bold"), figures, more)


def _of_most(bought: int, most: int | None) -> str:
    if most is None:
        return str(bought or "·")
    return f"{bought} of {most}"


def matches_filter(offer: Offer, text: str) -> bool:
    """Whether an item contains all the words of a filter."""
    price = offer.price
    return contains_words(f"{price.name} {price.key} {price.points} {HEADINGS[price.points]}", text)


def offer_text(offer: Offer, cg: str) -> Content:
    """Return the page about an item: its cost and other facts, and why it cannot be bought."""
    price, kind = offer.price, offer.price.points.upper()
    first = price.cost != price.later_cost and offer.cost == price.cost
    later = f", {price.later_cost} after the first scenario" if first else ""
    facts = [f"{offer.cost} {kind} each{later}", *price_facts(price, cg, offer.most)]
    lines = [Content(f"{' · '.join(facts)}.")]
    lines += [broken_limit_line(str(breach)) for breach in breaches_except_buying_time(offer)]
    return Content("\n").join(lines)


def broken_limit_line(breach: str) -> Content:
    """Return the line about a broken limit."""
    return Content.assemble(("✗", "bold $error"), f" {breach}")


# --- the purchases so far -------------------------------------------------------------------------


def quantity_and_name(row: ListedPurchase) -> str:
    """Return the quantity and name of a record: "2 × HMG", "1 × Pillbox 1+3+5, capacity 2"."""
    capacity = row.whole_capacity or 1
    more = f", capacity {capacity}" if capacity > 1 else ""
    return f"{row.quantity} × {row.name}{more}"


def record_row(row: ListedPurchase, void: ListedPurchase | None, width: int) -> Content:
    """Return a purchase in the list, on as many lines as it needs; `void` is the record that voids
    it."""
    indent = len(row.id) + 2
    where = [_place(row), *([beach_name(row.beach)] if row.beach else [])]
    facts = [cost_text(row), *where, *([] if row.draft else [row.date])]
    if void is not None:
        facts = [f"{void.id}, {void.date}: voided, {void.reason}"]
    told = [Content.styled(fact, "dim") for fact in facts if fact]
    name = f"{row.id}  {quantity_and_name(row)}"
    style = "bold" if void is None else "dim strike"
    dot = Content.styled(" · ", "dim")
    beside = Content.assemble((name, style), "   ", dot.join(told))
    if beside.cell_length <= width:
        return beside
    room = max(20, width - indent)
    below = flow_in_rows(told, room, dot).wrap(room)
    return Content("\n" + " " * indent).join([Content.styled(name, style), *below])


def record_text(row: ListedPurchase, void: ListedPurchase | None) -> Content:
    """Return the page about a record: its date, its cost, its place, the counters that it created,
    and the reason if it is void."""
    bought = "Drafted" if row.draft else "Bought"
    when = f"{bought} before the first scenario" if row.initial else f"{bought} at {row.date}"
    at = (row.entered_at or "")[: len("1943-11-20T09:00")].replace("T", " ")
    entered = f", entered {at}" if at else ""
    lines = [f"{when}{entered}: {' · '.join(filter(None, (cost_text(row), _place(row))))}."]
    if row.in_play:
        lines.append(f"In play: {', '.join(row.in_play)}.")
    if row.lost and void is None:
        lines.append(f"Lost: {', '.join(row.lost)}.")
    if void is not None:
        lines.append(f"Voided by {void.id} on {void.date}: {void.reason}")
    return Content("\n".join(lines))


def _place(row: ListedPurchase) -> str:
    exit = f" to {row.exit}" if row.exit else ""
    arc = f", CA {' '.join(row.covered_arc)}" if row.covered_arc else ""
    return f"{row.location or ''}{exit}{arc}".lstrip(", ")


def draft_brief(report: DraftReport) -> Content:
    """Return the draft in a few words: "Draft: 8 GPP, 5 FPP ✗ 2 limits"."""
    if not report.rows:
        return Content("")
    broken = len(report.breaches)
    marked = f" ✗ {count_text(broken, 'limit')}" if broken else ""
    return Content.assemble((draft_head(report), "dim"), (marked, "bold $error"))


def draft_head(report: DraftReport) -> str:
    """Return the draft's running total: "Draft: 8 GPP, 5 FPP"."""
    return f"Draft: {report.total}"


def draft_lines(report: DraftReport, width: int) -> Iterator[Content]:
    """Yield the points that the draft leaves in each account that it uses, and every limit that it
    breaks."""
    left = "; ".join(_left_after(report))
    yield hang_text(Content.styled(f"leaves {left}", "dim"), width, 0)
    if not report.breaches:
        yield Content.styled("within limits", "dim")
    for breach in report.breaches:
        yield hang_text(broken_limit_line(str(breach)), width)


def _left_after(report: DraftReport) -> Iterator[str]:
    """Yield the points left in each account that the draft uses: "Red One 5 GPP"."""
    for account in report.accounts:
        own = [row for row in report.rows if fund_of(row.side, row.beach) == account.fund]
        kinds = {row.points for row in own} | {"exponent" for row in own if row.exponent}
        figures = [
            f"{account.left.points_of(kind)} {KIND_NAMES[kind]}" for kind in KINDS if kind in kinds
        ]
        if figures:
            yield f"{beach_name(account.beach)} {', '.join(figures)}".replace(" -", " −")


# --- the two lists --------------------------------------------------------------------------------


def price_rows(offers: Iterable[Offer], beach: str | None, cg: str, width: int) -> Iterator[Option]:
    """Yield the items under a heading for each kind of points."""
    for points, group in groupby(offers, key=lambda offer: offer.price.points):
        yield _heading(HEADINGS[points])
        yield from (Option(offer_row(offer, beach, cg, width), offer.price.key) for offer in group)


def record_rows(
    rows: Sequence[ListedPurchase],
    report: DraftReport,
    grants: Sequence[Allotment],
    width: int,
    low: bool,
) -> Iterator[Option]:
    """Yield the drafted items with the report on them; all purchases, newest first (`rows` includes
    the records that void others). On a `low` screen, which has no room for them elsewhere, future
    grants; else a blank line between."""
    if report.rows:
        yield _heading(draft_head(report))
        yield from (Option(record_row(row, None, width), row.id) for row in report.rows)
        yield Option(Content("\n").join(draft_lines(report, width)), disabled=True)
        yield from () if low else [_heading("")]
    voids = {row.voids: row for row in rows if row.voids is not None}
    bought = [row for row in reversed(rows) if not row.draft and row.voids is None]
    if bought:
        yield _heading("Bought, newest first")
    else:
        yield Option(Content.styled("Nothing has been bought yet.", "dim"), disabled=True)
    yield from (Option(record_row(row, voids.get(row.id), width), row.id) for row in bought)
    if grants and low:
        yield _heading("Points to come")
        yield Option(Content("\n".join(map(grant_text, grants))), disabled=True)


def _heading(words: str) -> Option:
    return Option(Content.styled(words, "bold"), disabled=True)


# --- the points -----------------------------------------------------------------------------------


FIRST, SPARE = 6, 4  # width of the first column; the most extra width of the others
NONE_YET = "No points are allotted to this side: enter those of the CG card in Allotments."


def points_text(accounts: Sequence[Account], beach: str | None, room: Size) -> Content:
    """Return the accounts of one side, with the selected beach's account in reverse. A click
    selects another beach."""
    kinds = [kind for kind in KINDS if any(_has(account, kind) for account in accounts)]
    if not kinds:
        return Content.styled(NONE_YET, "dim")
    heads = [_head(account, beach) for account in accounts]
    rows = [[_figures(account, kind) for account in accounts] for kind in kinds]
    widths = _widths(heads, rows)
    if sum(widths) > room.width - FIRST:
        rows = [[Content("").join(cell.split(" ")) for cell in cells] for cells in rows]
        widths = _widths(heads, rows)
    spare = (room.width - FIRST - sum(widths)) // len(widths)
    table = columns(FIRST, *(Column(w + min(SPARE, max(0, spare)), right=True) for w in widths))
    lines = [table.row(("Points", "dim"), *heads)]
    lines += [
        table.row((HEADS[kind], "dim"), *cells) for kind, cells in zip(kinds, rows, strict=True)
    ]
    return Content("\n").join(lines)


def _widths(heads: Sequence[Content], rows: Iterable[Sequence[Content]]) -> list[int]:
    """Return the minimum width of each column, with two blanks."""
    return [
        column_width_for(cell.plain for cell in column) for column in zip(heads, *rows, strict=True)
    ]


def _head(account: Account, beach: str | None) -> Content:
    style = "reverse bold" if account.beach == beach else "bold"
    name = Content.styled(beach_name(account.beach), style)
    return name.stylize(click_style(f"screen.take_beach('{account.beach}')"))


def _has(account: Account, kind: str) -> bool:
    return bool(account.given.points_of(kind) or account.spent.points_of(kind))


def _figures(account: Account, kind: str) -> Content:
    """Return an account's points of one kind: "12 − 4 = 8"; the rest is emphasized."""
    given, spent = account.given.points_of(kind), account.spent.points_of(kind)
    if not _has(account, kind):
        return Content.styled("·", "dim")
    before = f"{given} − {spent} = " if spent else ""
    return Content.assemble(
        (before, "dim"), (hyphens_to_minus_signs(account.left.points_of(kind)), "bold")
    )
