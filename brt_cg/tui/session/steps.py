"""The paragraphs of the Refit Phase: done, skipped and why, current, or ahead."""

import re
from dataclasses import dataclass
from enum import StrEnum

from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.purchases import ledger, pools
from brt_cg.purchases.totals import drafts
from brt_cg.refit.sequence import (
    AT,
    FIRST_OF_SETUP,
    LAST_OF_CAMPAIGN,
    NUMBERS,
    TITLES,
    ends_campaign,
    paragraph_of,
)
from brt_cg.views.public_point import known_ask


class Stand(StrEnum):
    """The progress of a paragraph."""

    DONE = "done"
    SKIPPED = "skipped"
    NOW = "now"
    NEXT = "next"
    AHEAD = "ahead"

    @property
    def mark(self) -> str:
        """A sign for the progress, recognised by its shape."""
        return {"done": "✓", "skipped": "·", "ahead": " "}.get(self.value, "►")

    @property
    def is_current(self) -> bool:
        """Whether the paragraph is in progress, or begins next."""
        return self in (Stand.NOW, Stand.NEXT)


@dataclass(frozen=True, slots=True)
class Step:
    """A paragraph and its progress. `because` is the reason why it was skipped, if the seat may
    know it; `note` is shown before its summary.

    The paragraph itself is only loaded for its summary: the Dashboard needs none of the 44.
    """

    number: str
    stand: Stand
    because: str = ""
    note: str = ""

    @property
    def title(self) -> str:
        return TITLES[self.number]

    @property
    def summary(self) -> str:
        return self.note + paragraph_of(self.number).summary


def steps_of(journal: Journal, seat: Side | None) -> tuple[Step, ...]:
    """The paragraphs in order. Only the umpire learns why one was skipped: a paragraph with only
    secrets to act on must look the same as one with nothing to act on."""
    begun = _begun(journal)
    situation = journal.campaign.situation
    current, stand = situation.paragraph, Stand.NOW
    if current is None and situation.phase in (Phase.PURCHASE, Phase.REFIT, Phase.SETUP):
        current, stand = journal.next_paragraph(), Stand.NEXT
    # Before the first scenario there is only the setup.
    first = AT[FIRST_OF_SETUP] if situation.ended is None else 0
    # After the last scenario nothing follows the end of the campaign.
    ends = ends_campaign(situation, journal.card) and situation.ended == situation.date
    last = AT[LAST_OF_CAMPAIGN] if ends else len(NUMBERS) - 1
    steps = []
    for number in NUMBERS[first : last + 1]:
        entry = begun.get(number)
        step = Step(number, Stand.AHEAD)
        if number == current:
            step = Step(number, stand, note=_open_draft(journal, seat))
        elif entry is not None:
            step = Step(number, Stand.DONE)
            if entry.kind == "skip" and seat is None:
                step = Step(number, Stand.SKIPPED, str(entry.payload["because"]))
        steps.append(step)
    return tuple(steps)


def _open_draft(journal: Journal, seat: Side | None) -> str:
    """A note that the side that is asked to end its purchases has an open draft; otherwise ""."""
    ask = known_ask(journal, seat)
    if ask is None or not ask.buying or seat is ask.side.enemy:
        return ""

    campaign = journal.campaign
    drafted = [ledger.priced(campaign, journal.card, draft) for draft in drafts(campaign, ask.side)]
    total = pools.total(pools.cost(draft) for draft in drafted)
    return f"A draft of {total} is open, and not bought yet. " if drafted else ""


def _begun(journal: Journal) -> dict[str, Entry]:
    """The entries, not undone, that begin or skip a paragraph of this Refit Phase, by paragraph."""
    found: dict[str, Entry] = {}
    for entry in journal.of_this_phase():
        if entry.kind in ("begin", "skip") and entry.rule is not None:
            found.setdefault(entry.rule, entry)
    return found


def summary_beside(summary: str, rule: str, low: bool) -> str:
    """A paragraph's summary beside a question by `rule`. On a low screen only the part about the
    question (15.6131b: "b) …"), or the first sentence if it has no parts."""
    if not low:
        return summary
    part = re.search(rf"\b{rule[-1:]}\) .+?(?= [a-z]\) |$)", summary)
    if part is not None and rule[-1:].isalpha():
        return part[0]
    if re.search(r"\ba\) ", summary):
        return summary
    return summary.split(". ")[0].rstrip(".") + "."
