"""What stands on every page of a document."""

from collections.abc import Callable
from functools import cache, partial

from brt_cg.counters import Side
from brt_cg.exports.blocks import Head, view_words
from brt_cg.exports.view_chain import view_head
from brt_cg.journal.book import Book

_LAST: dict[Side, tuple[str | None, str]] = {}  # by side: a journal's head, and what a side has


def head_of(book: Book, side: Side | None) -> str | None:
    """The hash that a document of a view carries. A side's is worked out once for a journal."""
    if side is None:
        return book.head
    known, found = _LAST.get(side, (None, ""))
    if known is None or known != book.head:
        found = view_head(book, side)
        _LAST[side] = (book.head, found)
    return found


def page_head(book: Book, side: Side | None) -> Callable[[], Head]:
    """The head of a side's documents (None: the umpire's), made when it is called for: a side's
    hash takes a reading of the whole journal."""
    return cache(partial(_page_head, book, side))


def _page_head(book: Book, side: Side | None) -> Head:
    situation = book.campaign.situation
    name = f"{situation.name} · " if situation.name else ""
    campaign = f"{name}CG {situation.cg}"
    return Head(campaign, situation.date, view_words(side), head_of(book, side) or "–")
