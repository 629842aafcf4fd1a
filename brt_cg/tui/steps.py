"""The paragraphs of the Refit Phase: which are done, skipped and why, current, ahead."""

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from brt_cg.counters import Side
from brt_cg.records import Phase
from brt_cg.values import frozen

if TYPE_CHECKING:
    from brt_cg.journal.book import Book
    from brt_cg.journal.entries import Entry


class Stand(StrEnum):
    """How far a paragraph has come."""

    DONE = "done"
    SKIPPED = "skipped"
    NOW = "now"
    NEXT = "next"
    AHEAD = "ahead"

    @property
    def mark(self) -> str:
        """Told apart by shape."""
        return {"done": "✓", "skipped": "·", "ahead": " "}.get(self.value, "▶")

    @property
    def is_current(self) -> bool:
        """Whether the paragraph is in progress, or begins next."""
        return self in (Stand.NOW, Stand.NEXT)


@frozen
class Step:
    """A paragraph and how far it has come. `because` is why it was skipped, as far as the seat may
    know; `note` is to be told before its summary.

    The paragraph itself is loaded when its summary is wanted: the Dashboard needs none of the 44.
    """

    number: str
    stand: Stand
    because: str = ""
    note: str = ""

    @property
    def title(self) -> str:
        from brt_cg.refit.sequence import TITLES

        return TITLES[self.number]

    @property
    def summary(self) -> str:
        from brt_cg.refit.sequence import BY_NUMBER

        return self.note + BY_NUMBER[self.number].summary


def steps_of(book: "Book", seat: Side | None) -> tuple[Step, ...]:
    """The paragraphs in order. Only the umpire is told why one was skipped: a paragraph that had
    nothing but secrets to act on reads like one that had nothing."""
    from brt_cg.refit.sequence import FIRST_OF_SETUP, NUMBERS

    begun = _begun(book)
    situation = book.campaign.situation
    current, stand = situation.paragraph, Stand.NOW
    if current is None and situation.phase in (Phase.PURCHASE, Phase.REFIT, Phase.SETUP):
        current, stand = book.next_paragraph(), Stand.NEXT
    # Before the first scenario there is only its setup.
    first = NUMBERS.index(FIRST_OF_SETUP) if situation.ended is None else 0
    steps = []
    for number in NUMBERS[first:]:
        entry = begun.get(number)
        step = Step(number, Stand.AHEAD)
        if number == current:
            step = Step(number, stand, note=_open_draft(book, seat))
        elif entry is not None:
            step = Step(number, Stand.DONE)
            if entry.kind == "skip" and seat is None:
                step = Step(number, Stand.SKIPPED, str(entry.payload["because"]))
        steps.append(step)
    return tuple(steps)


def _open_draft(book: "Book", seat: Side | None) -> str:
    """That the side that is asked whether it is done with its purchases has a draft."""
    from brt_cg.seats.public_point import known_ask

    ask = known_ask(book, seat)
    if ask is None or not ask.buying:
        return ""
    from brt_cg.purchases import ledger, pools
    from brt_cg.purchases.totals import drafts

    campaign = book.campaign
    drafted = [ledger.priced(campaign, book.card, draft) for draft in drafts(campaign, ask.side)]
    total = pools.total(pools.cost(draft) for draft in drafted)
    return f"A draft of {total} is open, and not bought yet. " if drafted else ""


def _begun(book: "Book") -> dict[str, "Entry"]:
    """The standing beginnings and skips of this Refit Phase, by paragraph."""
    found: dict[str, Entry] = {}
    for entry in book.of_this_phase():
        if entry.kind in ("begin", "skip") and entry.rule is not None:
            found.setdefault(entry.rule, entry)
    return found


def summary_beside(summary: str, rule: str, low: bool) -> str:
    """A paragraph's summary beside a question by `rule`. Where the screen is low: the part that the
    question comes under (15.6131b: "b) …"), or else the first sentence of one without parts."""
    if not low:
        return summary
    part = (
        re.search(rf"\b{rule[-1]}\) .+?(?= [a-z]\) |$)", summary) if rule[-1:].isalpha() else None
    )
    if part is not None:
        return part[0]
    if re.search(r"\ba\) ", summary):
        return summary
    return summary.split(". ")[0].rstrip(".") + "."
