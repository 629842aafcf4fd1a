"""The paragraphs of the Refit Phase: done, skipped (with the reason), current, or still to come."""

from collections.abc import Iterable
from enum import StrEnum

from brt_cg.immutable import immutable
from brt_cg.model import Phase
from brt_cg.purchases import ledger, pools
from brt_cg.purchases.totals import drafts_of
from brt_cg.refit.sequence import (
    AT,
    FIRST_OF_SETUP,
    NUMBERS,
    TITLES,
    is_campaign_ending,
    last_paragraph_number_of_campaign,
    paragraph_of,
)
from brt_cg.views.view import View


class Progress(StrEnum):
    """The progress of a paragraph."""

    DONE = "done"
    SKIPPED = "skipped"
    NOW = "now"
    NEXT = "next"
    AHEAD = "ahead"

    @property
    def mark(self) -> str:
        """The symbol of the progress, which can be recognized by its shape."""
        return {"done": "✓", "skipped": "·", "ahead": " "}.get(self.value, "►")

    @property
    def is_now_or_next(self) -> bool:
        """Whether the paragraph is in progress, or begins next."""
        return self in (Progress.NOW, Progress.NEXT)


@immutable
class Step:
    """A paragraph and its progress. `because` is the reason why it was skipped, if the seat may
    know it; `note` is shown before its summary.

    The paragraph itself is loaded only for its summary, because the Dashboard needs none of the 44.
    """

    number: str
    stand: Progress
    because: str = ""
    note: str = ""

    @property
    def title(self) -> str:
        return TITLES[self.number]

    @property
    def summary(self) -> str:
        return self.note + paragraph_of(self.number).summary


def list_steps(book: View) -> tuple[Step, ...]:
    """Return the paragraphs in order."""
    situation = book.campaign.situation
    current, stand = situation.paragraph, Progress.NOW
    if current is None and situation.phase in (Phase.PURCHASE, Phase.REFIT, Phase.SETUP):
        current, stand = book.next, Progress.NEXT
    # Before the first scenario there is only the setup.
    first = AT[FIRST_OF_SETUP] if situation.ended is None else 0
    # After the last scenario nothing follows the end of the campaign.
    ends = is_campaign_ending(situation, book.card) and situation.ended == situation.date
    last = AT[last_paragraph_number_of_campaign(book.campaign)] if ends else len(NUMBERS) - 1
    steps = []
    for number in NUMBERS[first : last + 1]:
        step = Step(number, Progress.AHEAD)
        if number == current:
            step = Step(number, stand, note=_open_draft(book))
        elif number in book.begun:
            because = book.begun[number]
            step = Step(number, Progress.SKIPPED if because else Progress.DONE, because)
        steps.append(step)
    return tuple(steps)


def upcoming_step(steps: Iterable[Step]) -> Step | None:
    """Return the paragraph that begins next, if none is in progress."""
    return next((step for step in steps if step.stand is Progress.NEXT), None)


def _open_draft(book: View) -> str:
    """Return a note if the side that is asked to end its purchases has an open draft; otherwise
    ""."""
    ask, campaign = book.ask, book.campaign
    if ask is None or not ask.buying:
        return ""

    drafted = [
        ledger.priced_purchase(campaign, book.card, draft)
        for draft in drafts_of(campaign, ask.side)
    ]
    total = pools.sum_amounts(pools.purchase_amounts(draft) for draft in drafted)
    return f"A draft of {total} is open, and not bought yet. " if drafted else ""
