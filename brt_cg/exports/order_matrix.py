"""The order of battle in numbers: the counters of each kind that have arrived, and when; and those
that are on the island now, are lost, or are off map. It contains only what the view's seat may
know."""

from collections import Counter as Count
from collections.abc import Iterable, Iterator, Mapping, Sequence

from brt_cg.exports.history import campaign_after_each_row
from brt_cg.exports.strength import TOTALS, strength_category
from brt_cg.immutable import immutable
from brt_cg.journal.changes import RECORDS
from brt_cg.model import (
    SIDES,
    Campaign,
    Counter,
    Fate,
    Piece,
    Side,
    Situation,
    Unit,
    Vehicle,
    decode_record,
)
from brt_cg.text import capitalize
from brt_cg.views.view import View

KINDS = ("squads", "half_squads", "crews", "leaders", "sw", "guns", "vehicles")
HEADS = tuple(capitalize(TOTALS[kind][1]) for kind in KINDS)
ROWS = ("arrived", "now", "lost", "off map")
BRING = ("import", "reinforce", "buy", "commit")  # commands by which counters arrive
OF_A_DATE = ("15.6121", "15.6203")  # paragraphs in which the CG card's counters arrive
Figures = Mapping[str, Sequence[Counter]]  # the counters that each of the ROWS counts


@immutable
class ArrivedBatch:
    """Counters of a side that arrived together: the CG Date, the number of their row of the journal
    and its heading, and the counters as they arrived."""

    side: Side
    date: str
    row: int
    heading: str
    counters: tuple[Counter, ...]


def list_arrived_batches(book: View) -> list[ArrivedBatch]:
    """Return the counters that have arrived on each side, first to last; without those later
    removed from the records, and without those made from others: HS, crews, recombined squads."""
    view, found = book.campaign, list[ArrivedBatch]()
    for campaign, row in campaign_after_each_row(book.rows, Situation.TABLE):
        if row.kind not in BRING and row.rule not in OF_A_DATE:
            continue
        new = [
            decode_record(RECORDS[table], now)
            for table, id, name, _, now in row.changes
            if not name and now is not None and view.find(id) is not None
        ]
        for side in SIDES:
            own = tuple(each for each in new if isinstance(each, Counter) and _make(each) is side)
            if any(map(strength_category, own)):
                date = campaign.situation.date
                found.append(ArrivedBatch(side, date, row.number, row.heading, own))
    return found


def counters_by_matrix_row(view: Campaign, side: Side, batches: Iterable[ArrivedBatch]) -> Figures:
    """Return the counters of a side by row. A captured counter counts as lost by its former side
    and as present for its captor; a squad that became a HS arrived as a squad and is present as a
    HS."""
    mine = [piece for piece in view.pieces() if piece.side is side and _is_available(piece)]
    return {
        "arrived": [each for batch in batches if batch.side is side for each in batch.counters],
        "now": [piece for piece in mine if not piece.off_map],
        "lost": [piece for piece in view.pieces() if _is_lost(piece, side)],
        "off map": [piece for piece in mine if piece.off_map],
    }


def counts_by_kind(counters: Iterable[Counter]) -> list[int]:
    """Return the number of counters of each of the KINDS; a wreck is a vehicle that was lost."""
    found = Count(
        "vehicles" if isinstance(each, Vehicle) else strength_category(each) for each in counters
    )
    return [found[kind] for kind in KINDS]


def order_of_battle_matrix(book: View, sides: Iterable[Side]) -> dict[Side, dict[str, list[int]]]:
    """Return the figures of sides by row, in the order of KINDS."""
    batches = list_arrived_batches(book)
    return {
        side: {
            row: counts_by_kind(of)
            for row, of in counters_by_matrix_row(book.campaign, side, batches).items()
        }
        for side in sides
    }


def matrix_lines(found: Mapping[Side, Mapping[str, Sequence[int]]]) -> Iterator[str]:
    """Yield a matrix as lines of text."""
    for side, rows in found.items():
        yield "".join([f"{side.label:<10}", *(f"{head:>10}" for head in HEADS)])
        for row, numbers in rows.items():
            yield "".join([f"{row:<10}", *(f"{number:>10}" for number in numbers)])


def _is_available(piece: Piece) -> bool:
    """Whether a counter is available to its side: in play, not a prisoner, not a wreck."""
    prisoner = isinstance(piece, Unit) and piece.prisoner
    return piece.in_play and not prisoner and not (isinstance(piece, Vehicle) and piece.wreck)


def _make(counter: Counter) -> Side | None:
    """Return the side whose nation made the counter, even if its enemy has it now."""
    return getattr(counter, "nation", counter.side)


def _is_lost(piece: Piece, side: Side) -> bool:
    if _make(piece) is not side:
        return False
    if not piece.in_play:
        return piece.fate in (Fate.ELIMINATED, Fate.CAPTURED)
    return piece.side is not side or not _is_available(piece)
