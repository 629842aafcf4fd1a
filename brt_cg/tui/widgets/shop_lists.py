"""The two lists of Purchases: the price list, and the records with the draft above them."""

from collections.abc import Sequence
from itertools import groupby

from textual.content import Content
from textual.widgets.option_list import Option

from brt_cg.purchases.listing import DraftReport, Listed
from brt_cg.purchases.offers import Offer
from brt_cg.records import Allotment
from brt_cg.tui import shop
from brt_cg.tui.widgets.rows import SteadyList

NOTHING = Content.styled("Nothing has been bought yet.", "dim")


class PriceList(SteadyList):
    """What a side can buy from the points of a beach."""

    def show(self, offers: Sequence[Offer], beach: str | None) -> None:
        """Shows items under a heading for each kind of points."""
        self.write = lambda width: _prices(offers, beach)
        self.fill()


class RecordList(SteadyList):
    """What a side has drafted, what it has bought, newest first, and the points to come."""

    def show(
        self, rows: Sequence[Listed], report: DraftReport, grants: Sequence[Allotment]
    ) -> None:
        """Shows records (voids and drafts among them), the report on the draft, and grants."""
        self.write = lambda width: [
            *_draft(report, width),
            *_records(rows, width),
            *_to_come(grants),
        ]
        self.fill()


def _prices(offers: Sequence[Offer], beach: str | None) -> list[Option]:
    options = []
    for points, group in groupby(offers, key=lambda offer: offer.price.points):
        options.append(_heading(shop.HEADINGS[points]))
        options += [Option(shop.offer_row(offer, beach), offer.price.key) for offer in group]
    return options


def _draft(report: DraftReport, width: int) -> list[Option]:
    if not report.rows:
        return []
    drafted = [Option(shop.record_row(row, None, width), row.id) for row in report.rows]
    judged = Content("\n").join(shop.draft_lines(report, width))
    return [_heading(shop.draft_head(report)), *drafted, Option(judged, disabled=True)]


def _records(rows: Sequence[Listed], width: int) -> list[Option]:
    voids = {row.voids: row for row in rows if row.voids is not None}
    bought = [row for row in reversed(rows) if not row.draft and row.voids is None]
    if not bought:
        return [Option(NOTHING, disabled=True)]
    made = [Option(shop.record_row(row, voids.get(row.id), width), row.id) for row in bought]
    return [_heading("Bought, newest first"), *made]


def _to_come(grants: Sequence[Allotment]) -> list[Option]:
    if not grants:
        return []
    told = Content("\n".join(map(shop.grant_told, grants)))
    return [_heading("Points to come"), Option(told, disabled=True)]


def _heading(words: str) -> Option:
    return Option(Content.styled(words, "bold $accent"), disabled=True)
