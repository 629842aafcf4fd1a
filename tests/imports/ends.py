"""Ends of scenarios, told by ticks and in lines of codes."""

import re
from pathlib import Path
from typing import Any

from brt_cg.imports.event_sheet import EventSheet, Ticks
from brt_cg.imports.totals import default_totals, scenario_end_from_sheet
from brt_cg.model.counters import Side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.view import create_view


def told(desk: OpenCampaign, ticks: Ticks | None = None, seat: Side | None = None) -> EventSheet:
    """What a seat ticks (None: the umpire), of a campaign that a test may change first."""
    book = create_view(unrestricted_campaign(desk), seat)
    return EventSheet(book.campaign, book.card, seat, {} if ticks is None else ticks, book.codes)


def asked(
    desk: OpenCampaign, ticks: Ticks, seat: Side | None = None, **totals: str
) -> dict[str, Any]:
    """The input of `import` that ticks make, with these totals instead of the first ones."""
    by_ticks = told(desk, ticks, seat)
    return scenario_end_from_sheet(desk.view(), by_ticks, default_totals(by_ticks) | totals).asked


FORTY = Path(__file__).with_name("forty_changes.txt")  # by ids in braces, which a player has not


def coded(ticked: EventSheet, line: str) -> str:
    """A line as a player types it: codes where ids stand in braces, "{m-sq-1..m-sq-4}" a range."""

    def code(found: re.Match[str]) -> str:
        first, last = (ticked.codes.code_of(id) if id else "" for id in (found[1], found[2] or ""))
        assert first
        return f"{first}-{last[-1]}" if last else first

    return re.sub(r"\{([^.}]+)(?:\.\.([^}]+))?\}", code, line)


def forty_lines(ticked: EventSheet) -> list[str]:
    """Forty changes at the end of the demo's next scenario, as a player types them."""
    return coded(ticked, FORTY.read_text("utf-8")).splitlines()
