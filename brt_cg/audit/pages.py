"""An audit from a player's seat on a server, who may look at nothing but what is written for him:
that it folds, and that its rows are those of its chain."""

import json
from collections.abc import Iterator

from brt_cg.audit.chain import JOURNAL, tail
from brt_cg.audit.finding import Finding, Report
from brt_cg.counters import Side
from brt_cg.exports.seat_book import SeatBook
from brt_cg.journal.seat_pages import Pages, hashes_of

SHARED = ("kind", "by", "at")  # of a row, and of the link that was made of the same entry


def of_pages(pages: Pages, side: Side, head: str | None) -> Report:
    """The report of a side on its pages."""
    hashes = hashes_of(pages.links)
    findings = [*_folded(pages, side), *_alike(pages), *tail(hashes, head)]
    return Report.of(len(hashes), hashes[-1] if hashes else None, findings)


def _folded(pages: Pages, side: Side) -> Iterator[Finding]:
    try:
        SeatBook(pages, side)
    except (ValueError, LookupError, TypeError):
        yield Finding("fold", JOURNAL, "what is written for this side makes no campaign")


def _alike(pages: Pages) -> Iterator[Finding]:
    """Every row that is no heading is a link, in their order."""
    rows = [json.loads(row)["payload"] for row in pages.rows]
    links = [json.loads(link) for link in pages.links]
    told = [_shared(row) for row in rows if row["kind"] not in ("begin", "new")]
    chained = [_shared(link) for link in links if link["kind"] not in ("paragraph", "new")]
    if told != chained:
        what = "the rows that are written for this side are not those of its chain"
        yield Finding("rows", JOURNAL, what)


def _shared(values: dict[str, object]) -> list[object]:
    return [values.get(name) for name in SHARED]
