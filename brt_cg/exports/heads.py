"""The header of every page of a document."""

from collections.abc import Callable
from typing import Any

from brt_cg.counters import Side
from brt_cg.exports.blocks import Head
from brt_cg.exports.wording import view_name, view_words
from brt_cg.journal.book import Book
from brt_cg.seats.journal import remembered
from brt_cg.seats.view_chain import view_head


def opening(what: str, side: Side | None) -> dict[str, Any]:
    """The beginning of a document for programs."""
    return {"format": f"brt-cg/{what}", "version": 1, "view": view_name(side)}


@remembered
def head_of(book: Book, side: Side | None) -> str | None:
    """The hash in a document of a view."""
    return book.head if side is None else view_head(book, side)


def page_head(book: Book, side: Side | None) -> Callable[[], Head]:
    """Makes the header of a side's documents (None: the umpire's) on demand, since a side's hash
    requires reading the whole journal."""

    def head() -> Head:
        situation = book.campaign.situation
        name = f"{situation.name} · " if situation.name else ""
        campaign = f"{name}CG {situation.cg}"
        return Head(campaign, situation.date, view_words(side), head_of(book, side) or "–")

    return head
