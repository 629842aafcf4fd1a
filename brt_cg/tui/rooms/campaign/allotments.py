"""The points of 15.614 that the CG card gives at first and later, beach by beach."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from textual.content import Content

from brt_cg.board.locations import beach_name
from brt_cg.commands.allotting import dates_to_come
from brt_cg.model.counters import Side
from brt_cg.model.records import Allotment, Phase
from brt_cg.purchases.grants import to_come
from brt_cg.purchases.pools import HEADS, KINDS, Account, Amounts, accounts, amounts
from brt_cg.purchases.totals import Fund
from brt_cg.tui.look.columns import Column, Columns, columns, figures
from brt_cg.tui.rooms.campaign.allotment_form import AllotmentForm
from brt_cg.tui.rooms.campaign.page import PageRow, explained, heading_of
from brt_cg.tui.session.session import Seen

WIDTHS = {"gpp": 4, "capp": 6, "exponent": 10, "fpp": 5}
ON = Column(7, "  On")  # when points still to come are granted


def rows(seen: Seen) -> Sequence[PageRow]:
    return [row for side in Side if seen.may_know(side) for row in _rows(seen, side)]


def _rows(seen: Seen, side: Side) -> Iterator[PageRow]:
    view, card = seen.view, seen.card
    table = _table(side)
    yield heading_of(side, table)
    for account in accounts(view, card, side):
        text = Content("\n").join(_details(account))
        row = _row(table, account.beach, account.given)
        named = PageRow(row, account.fund.id, beach_name(account.beach), text)
        yield _with_form(named, seen, side, _given(seen, account))
    for grant in to_come(view, card, side):
        title = f"{beach_name(grant.beach)} on {grant.date}"
        row = _row(table, grant.beach, amounts(grant), str(grant.date))
        text = Content(f"Still to come: {amounts(grant)}.")
        yield _with_form(PageRow(row, grant.id, title, text), seen, side, grant)
    if dates_to_come(view, card):
        later = Content("  + points granted later")
        text = Content("The CG card says when.")
        last = PageRow(later, f"grant of {side}", "Points granted later", text)
        yield _with_form(last, seen, side, None)


def _with_form(row: PageRow, seen: Seen, side: Side, given: Allotment | None) -> PageRow:
    """Adds the form to a row: it changes what is given, or adds points of a later date."""
    enter = "change them" if given else "add"
    return replace(
        row,
        enter="" if seen.view.situation.phase is Phase.OVER else enter,
        does=lambda app: app.fill_in(AllotmentForm(app.session, seen, side, given)),
        leads=explained,
    )


def _given(seen: Seen, account: Account) -> Allotment:
    """The allotment that an account was given at first."""
    fund = (account.side, account.beach, None)
    every = seen.view.allotments.values()
    known = (points for points in every if (points.side, points.beach, points.date) == fund)
    fresh = Allotment(id=account.fund.id, side=account.side, beach=account.beach)
    return next(known, fresh)


def _table(side: Side) -> Columns:
    """The columns of points by kind, with headings for those that the side may have."""
    names = {**HEADS, "exponent": "Exponent"}
    heads = (names[kind] if kind in Fund(side, None).kinds else "" for kind in KINDS)
    return columns(13, *figures(heads, WIDTHS.values()), ON)


def _row(table: Columns, beach: str | None, points: Amounts, when: str = "") -> Content:
    whose = beach_name(beach) if beach else "all beaches"
    shown = (str(points.of(kind) or "") for kind in KINDS)
    return table.row(f"  {whose}", *shown, f"  {when}")


def _details(account: Account) -> Iterator[Content]:
    yield Content(f"Given: {account.given}.")
    if account.spent:
        yield Content(f"Spent: {account.spent}.")
        yield Content(f"Left: {account.left}.".replace("-", "−"))
