"""Ends of scenarios, told by ticks."""

from typing import Any

from brt_cg.imports.ticks import Ticked, Ticks
from brt_cg.imports.totals import end_told, first_totals
from brt_cg.model.counters import Side
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole
from brt_cg.views.book import book_of


def told(desk: Desk, ticks: Ticks | None = None, seat: Side | None = None) -> Ticked:
    """What a seat ticks (None: the umpire), of a campaign that a test may change first."""
    book = book_of(whole(desk), seat)
    return Ticked(book.campaign, book.card, seat, {} if ticks is None else ticks)


def asked(desk: Desk, ticks: Ticks, seat: Side | None = None, **totals: str) -> dict[str, Any]:
    """The input of `import` that ticks make, with these totals instead of the first ones."""
    by_ticks = told(desk, ticks, seat)
    return end_told(desk.book(), by_ticks, first_totals(by_ticks) | totals).asked
