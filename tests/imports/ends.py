"""Ends of scenarios, told by ticks and in lines of codes."""

import re
from pathlib import Path
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
    return Ticked(book.campaign, book.card, seat, {} if ticks is None else ticks, book.codes)


def asked(desk: Desk, ticks: Ticks, seat: Side | None = None, **totals: str) -> dict[str, Any]:
    """The input of `import` that ticks make, with these totals instead of the first ones."""
    by_ticks = told(desk, ticks, seat)
    return end_told(desk.book(), by_ticks, first_totals(by_ticks) | totals).asked


FORTY = Path(__file__).with_name("forty_changes.txt")  # by ids in braces, which a player has not


def coded(ticked: Ticked, line: str) -> str:
    """A line as a player types it: codes where ids stand in braces, "{m-sq-1..m-sq-4}" a range."""

    def code(found: re.Match[str]) -> str:
        first, last = (ticked.codes.of(id) if id else "" for id in (found[1], found[2] or ""))
        assert first
        return f"{first}-{last[-1]}" if last else first

    return re.sub(r"\{([^.}]+)(?:\.\.([^}]+))?\}", code, line)


def forty_lines(ticked: Ticked) -> list[str]:
    """Forty changes at the end of the demo's next scenario, as a player types them."""
    return coded(ticked, FORTY.read_text("utf-8")).splitlines()
