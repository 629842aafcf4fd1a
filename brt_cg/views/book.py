"""The book of a side that can read only the pages stored for it.

Every view of a journal (exports/) gives a side the same from these pages as from the journal.
"""

import json
from collections.abc import Iterator
from typing import Any

from brt_cg.journal.changes import apply
from brt_cg.journal.coming import Coming
from brt_cg.journal.entries import NO_HASH, Entry, chain_hash, said_of
from brt_cg.journal.journal import Journal
from brt_cg.journal.seat_pages import Pages
from brt_cg.model.counters import Side
from brt_cg.questions.asks import Ask
from brt_cg.views.asks import ask_of


class SeatJournal(Journal):
    """The pages of `side`. Raises ValueError for pages that make no campaign."""

    def __init__(self, pages: Pages, side: Side) -> None:
        super().__init__(lambda: "")
        self.pages = pages
        self.side = side
        self.stands: dict[str, Any] = json.loads(pages.stands)
        self.campaign.record(None)
        for entry in _entries(pages.rows):
            apply(self.campaign, entry.changes)
            self.count(entry)
        apply(self.campaign, self.stands["changes"])
        self._coming: Coming | None = None

    @property
    def digest(self) -> str:
        return self.pages.digest

    def open_ask(self) -> Ask[Any] | None:
        return next(iter(self.coming().asks), None)

    def coming(self) -> Coming:
        """The open question, if the side knows it, and those of its kind that are still to come."""
        if self._coming is None:
            asks = self.stands["asks"]
            made = tuple(ask_of(asked, self.campaign, self.card) for asked in asks)
            self._coming = Coming(made, frozenset(self.stands["doubtful"]))
        return self._coming

    @property
    def waits(self) -> bool:
        """Whether a question is open that the side may not know of."""
        return bool(self.stands["waits"])

    def next_paragraph(self) -> str | None:
        return None if self.waits else super().next_paragraph()


def _entries(rows: tuple[str, ...]) -> Iterator[Entry]:
    """Each row as an entry with the row's text."""
    before = NO_HASH
    for number, text in enumerate(rows, start=1):
        row = json.loads(text)
        before = chain_hash(before, number, text)
        yield Entry(number, text, before, row["payload"], said_of(row["said"]))
