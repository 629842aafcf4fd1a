"""The points of 15.614: what the CG card gives at first and later, beach by beach."""

from collections.abc import Iterator, Sequence

from textual.content import Content

from brt_cg.board import beach_name
from brt_cg.counters import Side
from brt_cg.purchases.grants import to_come
from brt_cg.purchases.pools import Account, Amounts, accounts, amounts
from brt_cg.records import Allotment, Phase
from brt_cg.tui.forms.allotment import AllotmentForm
from brt_cg.tui.pages.page import Lead, Page, PageRow, Told, explained
from brt_cg.tui.session import Seen, Session


class AllotmentsPage(Page):
    name = "allotments"

    def rows(self, seen: Seen) -> Sequence[PageRow]:
        found = []
        for side in Side:
            if not seen.may_know(side):
                continue
            found.append(PageRow.of(side))
            found += [
                PageRow(_row(account), _subject(account))
                for account in accounts(seen.view, seen.card, side)
            ]
            found += [
                PageRow(_grant(grant), grant.id) for grant in to_come(seen.view, seen.card, side)
            ]
            found.append(PageRow(Content("  + points of a later date"), f"grant of {side}"))
        return found

    def told(self, seen: Seen, id: str) -> Told:
        over = seen.view.situation.phase is Phase.OVER
        change, grant = "" if over else "change them", seen.view.allotments.get(id)
        if id.startswith("grant of "):
            add = "" if over else "add"
            return Told("Points of a later date", Content("The card says when."), add)
        if grant is not None and grant.date is not None:
            title = f"{beach_name(grant.beach)} on {grant.date}"
            return Told(title, Content(f"{amounts(grant)} to come"), change)
        account = self._account(seen, id)
        return Told(beach_name(account.beach), Content("\n").join(_told(account)), change)

    async def leads(self, session: Session, seen: Seen, id: str) -> Sequence[Lead]:
        return await explained(session, seen, id)

    def form(self, session: Session, seen: Seen, id: str) -> AllotmentForm | None:
        if not self.told(seen, id).enter:
            return None
        if id.startswith("grant of "):
            side = Side(id.removeprefix("grant of "))
            return AllotmentForm(session, seen, side, None, later=True)
        grant = seen.view.allotments.get(id)
        if grant is not None and grant.date is not None:
            return AllotmentForm(session, seen, grant.side, grant, later=True)
        account = self._account(seen, id)
        fund = (account.side, account.beach, None)
        every = seen.view.allotments.values()
        known = (points for points in every if (points.side, points.beach, points.date) == fund)
        given = next(known, Allotment(id=id, side=account.side, beach=account.beach))
        return AllotmentForm(session, seen, account.side, given, later=False)

    def _account(self, seen: Seen, id: str) -> Account:
        every = accounts(seen.view, seen.card)
        return next(account for account in every if _subject(account) == id)


def _subject(account: Account) -> str:
    """What `explain` calls it: "japanese/red_one", "marine"."""
    return f"{account.side}/{account.beach}" if account.beach else str(account.side)


def _row(account: Account) -> Content:
    figures = _columns(account.given) if account.given else ("–", "dim")
    return Content.assemble(f"  {beach_name(account.beach):<12}", figures)


def _grant(grant: Allotment) -> Content:
    return Content.assemble(
        f"  {beach_name(grant.beach):<12}", _columns(amounts(grant)), (f"  {grant.date}", "$accent")
    )


def _columns(points: Amounts) -> str:
    """Points in columns, CAPP as the card prints them: "12 GPP   9^1 CAPP  20 FPP"."""
    capp = f"{points.capp}^{points.exponent}" if points.exponent else str(points.capp or "")
    gpp, fpp = str(points.gpp or ""), str(points.fpp or "")
    shares = ((gpp, "GPP", 3), (capp, "CAPP", 5), (fpp, "FPP", 3))
    told = (
        f"{figure:>{width}} {kind if figure else '':<{len(kind)}}" for figure, kind, width in shares
    )
    return " ".join(told).rstrip()


def _told(account: Account) -> Iterator[Content]:
    yield Content(f"Given: {account.given}.")
    if account.spent:
        yield Content(f"Spent: {account.spent}.")
        yield Content(f"Left: {account.left}.".replace("-", "−"))
