"""The order of battle: what has arrived, what waits off map, what is to come and when."""

from collections.abc import Sequence

from textual.content import Content

from brt_cg.counters import Counter, Piece, Side
from brt_cg.exports.entries_told import Row
from brt_cg.exports.seat_journal import journal_rows
from brt_cg.purchases.grants import to_come
from brt_cg.purchases.limits import at_purchases
from brt_cg.records import Phase
from brt_cg.tui.campaign_app import CampaignApp
from brt_cg.tui.forms.reinforce import ReinforceForm
from brt_cg.tui.groups import tally_told
from brt_cg.tui.pages.page import Lead, Page, PageRow, Told
from brt_cg.tui.session import Seen, Session
from brt_cg.tui.shop import grant_told

FILE = "file"
ARRIVALS = ("import", "reinforce")


class OrderOfBattlePage(Page):
    name = "order_of_battle"
    leads_title = "What has arrived, and when"

    def rows(self, seen: Seen) -> Sequence[PageRow]:
        found = []
        for side in Side:
            found.append(PageRow.of(side))
            found.append(PageRow(_row("In play", _there(seen, side)), f"there.{side}"))
            waiting = _off_map(seen, side)
            if waiting:
                found.append(PageRow(_row("Off map", waiting), f"off.{side}"))
            if seen.may_know(side):
                found += [
                    PageRow(_row("To come", (), grant_told(grant)), f"grant.{grant.id}")
                    for grant in to_come(seen.view, seen.card, side)
                ]
                found.append(PageRow(Content("  + add counters"), f"add.{side}"))
        return [*found, PageRow(Content("+ import a file: JSON, CSV, workbook"), FILE)]

    def told(self, seen: Seen, id: str) -> Told:
        what, _, which = id.partition(".")
        enter = "add them" if _open(seen) else ""
        closed = "" if enter else f"Not in the phase {seen.view.situation.phase}: " + WHEN
        if id == FILE:
            return Told("From a file", Content(closed or FROM_FILE), enter and "choose the file")
        if what == "add":
            title = f"{Side(which).label}: add counters"
            return Told(title, Content(closed or ADDING), enter)
        if what == "grant":
            return Told("To come", Content("Points (the page Allotments changes them)."))
        side = Side(which)
        counters = _off_map(seen, side) if what == "off" else _there(seen, side)
        title = f"{side.label}: {'off map' if what == 'off' else 'in play'}"
        names = [seen.view.label(counter) for counter in counters] if what == "off" else []
        words = [tally_told(counters) or "Nothing yet.", *names]
        adds = enter if what == "there" and seen.may_know(side) else ""
        return Told(title, Content("\n".join(words)), adds and "add counters")

    async def leads(self, session: Session, seen: Seen, id: str) -> Sequence[Lead]:
        """The rows of the journal in which counters of that side arrived."""
        what, _, which = id.partition(".")
        if what not in ("there", "add"):
            return ()
        rows = await session.consult(lambda desk: desk.tell(journal_rows, seen.seat))
        return [Lead(words, row.number) for row in rows if (words := _arrived(seen, row, which))]

    def form(self, session: Session, seen: Seen, id: str) -> ReinforceForm | None:
        what, _, which = id.partition(".")
        if what not in ("add", "there") or not _open(seen) or not seen.may_know(Side(which)):
            return None
        return ReinforceForm(session, seen, Side(which))

    async def enter(self, app: CampaignApp, seen: Seen, id: str) -> None:
        if id != FILE:
            await super().enter(app, seen, id)
        elif _open(seen):
            await app.import_file()


WHEN = "they come before the first scenario, during setup, and at 15.614."
FROM_FILE = "A state without a scenario: its counters are added, and nothing else changes."
ADDING = "So many of a sort at once; where they set up may stay open until setup."


def _open(seen: Seen) -> bool:
    """Whether counters may be added now."""
    situation = seen.view.situation
    return situation.phase in (Phase.PURCHASE, Phase.SETUP) or at_purchases(situation)


def _own(seen: Seen, side: Side) -> list[Piece]:
    return [piece for piece in seen.view.pieces() if piece.side is side and piece.in_play]


def _there(seen: Seen, side: Side) -> list[Piece]:
    return [piece for piece in _own(seen, side) if not piece.off_map]


def _off_map(seen: Seen, side: Side) -> list[Piece]:
    return [piece for piece in _own(seen, side) if piece.off_map]


def _row(label: str, counters: Sequence[Counter], words: str = "") -> Content:
    told = words or tally_told(counters) or "–"
    return Content.assemble((f"  {label:<9}", "dim"), told)


def _arrived(seen: Seen, row: Row, side: str) -> str:
    """What of a side arrived in a row of the journal: "12 · Reinforcements · 4 squads"."""
    if row.kind not in ARRIVALS or not row.stands:
        return ""
    made = [id for _, id, field, _, now in row.changes if not field and now is not None]
    counters = [counter for counter in map(seen.view.find, made) if counter is not None]
    mine = tally_told(counter for counter in counters if getattr(counter, "side", None) == side)
    return f"{row.number} · {row.heading} · {mine}" if mine else ""
