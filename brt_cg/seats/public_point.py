"""Where a campaign stands for a side while it waits for what only the enemy may know.

That the phase waits, and at which paragraph, would tell of a hidden counter that is asked there. So
a side sees the campaign as the last answer or command left it that the side knows of, until a
question comes that it may know; all that happened in between then comes to light at once.
"""

from typing import Any
from weakref import WeakKeyDictionary

from brt_cg.asks import Ask
from brt_cg.counters import Side
from brt_cg.journal.book import Book
from brt_cg.refit.sequence import NUMBERS, phase_of
from brt_cg.seats.journal import visible

_standing: WeakKeyDictionary[Book, dict[Side, "StandingBook"]] = WeakKeyDictionary()


class StandingBook(Book):
    """A journal up to a public point, to be looked at: nothing is asked in it, and nothing comes
    next."""

    def open_ask(self) -> Ask[Any] | None:
        return None

    def next_paragraph(self) -> str | None:
        return None


def known_to_be_asked(ask: Ask[Any], side: Side) -> bool:
    """Whether a side may know of a question: its own, one that is public, and the enemy's dice for
    what is not hidden. Of his other choices it may not: one may be asked, or be secret, because of
    what is hidden."""
    if ask.secret is side.enemy:
        return False
    return ask.side is side or ask.public or ask.kind == "roll"


def known_ask(book: Book, side: Side | None) -> Ask[Any] | None:
    """The open question, if a side (None: the umpire) may know of it."""
    ask = book.open_ask()
    return ask if ask is None or side is None or known_to_be_asked(ask, side) else None


def public_book(book: Book, side: Side | None) -> Book:
    """The journal as far as a side (None: the umpire) may see it now."""
    ask = book.open_ask() if side is not None else None
    if side is None or ask is None or known_to_be_asked(ask, side):
        return book
    last = next((row.entry for row in reversed(visible(book, side)) if not row.heading), 0)
    kept = _standing.setdefault(book, {}).get(side)
    if kept is None or kept.head != book.entries[last - 1].hash:
        kept = _standing[book][side] = _up_to(book, last)
    return kept


def _up_to(book: Book, last: int) -> StandingBook:
    entries = book.entries  # not the book itself: what is kept for a book must not keep it
    found = StandingBook(book.clock, fetch=lambda first, end: entries[first - 1 : end])
    found.load(entries[:last])
    newest = found.entries[-1]
    if newest.kind == "answer" and newest.rule is not None:
        # Whether its paragraph ended with it hangs on whom else there was to ask.
        at = NUMBERS.index(newest.rule)
        situation = found.campaign.situation
        situation.paragraph = newest.rule
        situation.done = NUMBERS[at - 1] if at else None
        situation.phase = phase_of(newest.rule)
    return found
