"""What stands on every page of a document."""

from collections.abc import Callable
from functools import cache
from typing import Any

from brt_cg.counters import Side
from brt_cg.exports.blocks import Head
from brt_cg.exports.wording import view_name, view_words
from brt_cg.journal.book import Book
from brt_cg.seats.journal import remembered
from brt_cg.seats.view_chain import view_head


def opening(what: str, side: Side | None) -> dict[str, Any]:
    """How a document begins for programs."""
    return {"format": f"brt-cg/{what}", "version": 1, "view": view_name(side)}


@remembered
def head_of(book: Book, side: Side | None) -> str | None:
    """The hash that a document of a view carries."""
    return book.head if side is None else view_head(book, side)


def page_head(book: Book, side: Side | None) -> Callable[[], Head]:
    """The head of a side's documents (None: the umpire's), made when it is called for: a side's
    hash takes a reading of the whole journal."""

    @cache
    def head() -> Head:
        situation = book.campaign.situation
        name = f"{situation.name} · " if situation.name else ""
        campaign = f"{name}CG {situation.cg}"
        return Head(campaign, situation.date, view_words(side), head_of(book, side) or "–")

    return head
