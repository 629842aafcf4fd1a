"""The points of 15.614 that the CG card gives at first and later, beach by beach."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from textual.content import Content

from brt_cg.board.locations import beach_name
from brt_cg.commands.allotting import dates_to_come
from brt_cg.model.counters import Side
from brt_cg.model.records import Allotment, Phase
from brt_cg.purchases.grants import to_come
from brt_cg.purchases.pools import Account, Amounts, accounts, amounts, capp_text
from brt_cg.tui.look.columns import Cell, Column, columns
from brt_cg.tui.rooms.campaign.allotment_form import AllotmentForm
from brt_cg.tui.rooms.campaign.page import PageRow, explained, heading_of
from brt_cg.tui.session.session import Seen


def rows(seen: Seen) -> Sequence[PageRow]:
    return [row for side in Side if seen.may_know(side) for row in _rows(seen, side)]


def _rows(seen: Seen, side: Side) -> Iterator[PageRow]:
    view, card = seen.view, seen.card
    yield heading_of(side)
    for account in accounts(view, card, side):
        text = Content("\n").join(_details(account))
        row = _row(account.beach, _columns(account.given) if account.given else ("–", "dim"))
        named = PageRow(row, account.fund.id, beach_name(account.beach), text)
        yield _with_form(named, seen, side, _given(seen, account))
    for date, grants in groupby(to_come(view, card, side), key=lambda grant: grant.date):
        yield PageRow(Content.styled(f"  on {date}", "$secondary"))
        for grant in grants:
            title = f"{beach_name(grant.beach)} on {date}"
            row = _row(grant.beach, _columns(amounts(grant)))
            text = Content(f"{amounts(grant)} still to come")
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


def _row(beach: str | None, figures: Cell) -> Content:
    return columns(14).row(f"  {beach_name(beach)}", figures)


def _columns(points: Amounts) -> Content:
    """Points in columns, CAPP as the card prints them: "12 GPP 9^1 CAPP 20 FPP"."""
    gpp, fpp = str(points.gpp or ""), str(points.fpp or "")
    shares = ((gpp, "GPP", 3), (capp_text(points), "CAPP", 5), (fpp, "FPP", 3))
    parts = (
        columns(Column(width, right=True), len(kind) + 2).row(figure, f" {kind}" if figure else "")
        for figure, kind, width in shares
    )
    return Content("").join(parts).rstrip()


def _details(account: Account) -> Iterator[Content]:
    yield Content(f"Given: {account.given}.")
    if account.spent:
        yield Content(f"Spent: {account.spent}.")
        yield Content(f"Left: {account.left}.".replace("-", "−"))
