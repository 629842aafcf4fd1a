"""The start of a forecast: the campaign as a seat knows it, and the choices to play."""

from typing import Any

from brt_cg.commands import wrong_phase
from brt_cg.journal.changes import apply, compare
from brt_cg.journal.early_answers import EarlyAnswers, simple
from brt_cg.journal.journal import Journal
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.model.table import Numbered
from brt_cg.model.value import value
from brt_cg.model.visibility import seen_by
from brt_cg.questions.answers import HAND, Refused
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole
from brt_cg.views.journal import is_hidden
from brt_cg.views.public_point import public_book

Given = list[Any]  # rule, subject, kind and raw answer of a question


@value
class Start:
    """Everything that a run needs, as JSON, so that another process can play it.

    `changes` make the campaign from nothing, its counters with these `numbers`; `given` are the
    answers already given in the paragraph in progress; `choices` is an answers file's document, or
    None for the defaults.
    """

    cg: str
    changes: list[Any]
    numbers: dict[str, Any]
    given: list[Given]
    seed: str
    choices: dict[str, Any] | None

    def campaign(self) -> Campaign:
        """A new copy of the campaign."""
        campaign = Campaign()
        campaign.numbers = {id: Numbered(*given) for id, given in self.numbers.items()}
        apply(campaign, self.changes)
        return campaign

    def answers(self) -> EarlyAnswers:
        """The answers already given, each for the question that is asked again."""
        answers = EarlyAnswers()
        for rule, subject, kind, raw in self.given:
            answers.given.setdefault(simple(rule, subject, kind), []).append((raw, HAND))
        return answers


def start_of(desk: Desk, seed: str, choices: dict[str, Any] | None = None) -> Start:
    """The start of a forecast from what the desk's seat knows. Raises Refused if no Refit Phase is
    due or in progress."""
    return start_from(public_book(whole(desk), desk.side), desk.side, seed, choices)


def start_from(
    journal: Journal, seat: Side | None, seed: str, choices: dict[str, Any] | None = None
) -> Start:
    """The same from a journal as far as the seat may see it; a side's start has none of the
    enemy's secrets."""
    situation = journal.campaign.situation
    if situation.phase in (Phase.SCENARIO, Phase.OVER):
        raise Refused(wrong_phase("forecast", situation.phase))
    campaign, standing = journal.campaign, []
    if situation.paragraph is not None:
        first, *answers = journal.since_beginning_of(situation.paragraph)
        campaign = Campaign()
        for entry in journal.entries[: first - 1]:
            apply(campaign, entry.changes)
        standing = [journal.entries[seq - 1] for seq in answers]
    known = [entry for entry in standing if seat is None or not is_hidden(entry, seat)]
    asks = [
        (entry.payload["ask"], entry.payload["answer"]) for entry in known if entry.kind == "answer"
    ]
    given = [[ask["rule"], ask["subject"], ask["kind"], raw] for ask, raw in asks]
    view = seen_by(campaign, seat)
    changes, numbers = compare(Campaign(), view), dict(view.numbers)
    return Start(view.situation.cg, changes, numbers, given, seed, choices)
