"""The order of battle: what has arrived, what waits off map, what will arrive and when."""

from collections.abc import Iterator, Sequence

from textual.content import Content

from brt_cg.board.locations import OFF_MAP_PLACED
from brt_cg.exports.purchases import grant_text
from brt_cg.journal.changes import RECORDS
from brt_cg.model.counters import Counter, Side
from brt_cg.model.encoding import record_of
from brt_cg.model.records import Phase
from brt_cg.purchases.grants import to_come
from brt_cg.purchases.limits import at_purchases
from brt_cg.tui.forms.import_file import import_file
from brt_cg.tui.forms.order_lines import OrderLinesForm
from brt_cg.tui.lists.groups import tally_text
from brt_cg.tui.rooms.campaign.page import PageRow, RowLink, heading, heading_of, labelled
from brt_cg.tui.rooms.campaign.proof import arrivals, proofread
from brt_cg.tui.rooms.campaign.reinforce_form import ReinforceForm
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seen, Session
from brt_cg.views.rows import ShownRow

ARRIVALS = ("import", "reinforce")
NOTHING = "Nothing yet."
WHEN = "counters are added before the first scenario, during setup, and at 15.614."
FROM_FILE = "A state file without a scenario: adds its counters, and changes nothing else."
BY_LINES = (
    "The whole card in one field, a line for each kind of counter, typed or pasted: 4 x 6-6-8. "
    "Each line is shown as understood; nothing is stored until all are. Their Location may stay "
    "open until setup. A line that begins with a date (20 PM: …) arrives then."
)
ADDING = "A form for one kind of counter, with all of its fields: what the lines cannot say."


def rows(seen: Seen) -> Sequence[PageRow]:
    closed = "" if _open(seen) else f"Not {seen.view.situation.phase.when}: {WHEN}"
    found = [row for side in Side for row in _rows(seen, side, closed)]
    return [
        *found,
        heading("Both sides"),
        PageRow(
            Content("  + import a file: JSON, CSV, workbook"),
            "file",
            "From a file",
            Content(closed or FROM_FILE),
            enter="" if closed else "choose the file",
            does=import_file,
        ),
    ]


def _rows(seen: Seen, side: Side, closed: str) -> Iterator[PageRow]:
    """Yields the rows of a side; `closed` says why nothing can be added now, "" if it can."""

    async def arrived(session: Session, seen: Seen, id: str) -> Sequence[RowLink]:
        """The rows of the journal in which counters of the side arrived."""
        rows = await session.consult(lambda desk: desk.book().rows)
        return [RowLink(words, row.number) for row in rows if (words := _arrived(seen, row, side))]

    async def by_lines(app: CampaignApp) -> None:
        await app.fill_in(OrderLinesForm(app.session, side))

    async def add(app: CampaignApp) -> None:
        await app.fill_in(ReinforceForm(app.session, side))

    known = seen.may_know(side)
    mine = [piece for piece in seen.view.pieces() if piece.side is side and piece.in_play]
    changes = known and not closed and seen.view.situation.initial
    on_map = [piece for piece in mine if not piece.off_map]
    waiting = [piece for piece in mine if piece.off_map]
    yield heading_of(side)
    yield PageRow(
        labelled("In play", tally_text(on_map) or "–"),
        f"there.{side}",
        f"{side.label}: in play",
        Content(tally_text(on_map) or NOTHING),
        enter="add counters by lines" if known and not closed else "",
        does=by_lines,
        lacks=known and not closed and not mine,
        leads=arrived,
    )
    if changes:
        yield from proofread(seen, side)
    if waiting:
        off = tally_text(waiting)
        placed = f"Each is {OFF_MAP_PLACED}."
        text = Content("\n".join([off or NOTHING, *(each.label for each in waiting), placed]))
        row = labelled("Off map", off or "–")
        yield PageRow(row, f"off.{side}", f"{side.label}: off map", text)
    if known:
        yield from arrivals(seen, side)
        for grant in to_come(seen.view, seen.card, side):
            points = Content("Points (the page Allotments changes them).")
            row = labelled("To come", grant_text(grant))
            yield PageRow(row, f"grant.{grant.id}", "To come", points)
        ways = (
            ("lines", "add counters by lines", BY_LINES, "type or paste them", by_lines),
            ("add", "add one kind by a form", ADDING, "add them", add),
        )
        for id, words, about, enter, does in ways:
            yield PageRow(
                Content(f"  + {words}"),
                f"{id}.{side}",
                f"{side.label}: {words}",
                Content(closed or about),
                enter="" if closed else enter,
                does=does,
                leads=arrived,
            )


def _open(seen: Seen) -> bool:
    """Whether counters may be added now."""
    situation = seen.view.situation
    return situation.phase in (Phase.PURCHASE, Phase.SETUP) or at_purchases(situation)


def _arrived(seen: Seen, row: ShownRow, side: Side) -> str:
    """The arrivals of a side in a journal row: "12 · Reinforcements · 4 squads"; "" if none."""
    if row.kind not in ARRIVALS or not row.stands:
        return ""
    made = [
        record_of(RECORDS[table], now)  # as it arrived, whatever has become of it
        for table, id, field, _, now in row.changes
        if not field and now is not None and seen.view.find(id) is not None
    ]
    mine = tally_text(each for each in made if isinstance(each, Counter) and each.side is side)
    return f"{row.number} · {row.heading} · {mine}" if mine else ""
