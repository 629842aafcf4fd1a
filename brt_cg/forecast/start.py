"""The start of a forecast: the campaign as a seat knows it, and the choices to play."""

from typing import Any

from brt_cg.commands import wrong_phase_text
from brt_cg.immutable import immutable
from brt_cg.journal.changes import apply_changes, compare_campaigns
from brt_cg.journal.early_answers import EarlyAnswers, key_in_any_form
from brt_cg.journal.journal import Journal
from brt_cg.model import Campaign, CounterNumber, Phase, Side, visible_campaign
from brt_cg.questions import HAND, RefusedError
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.journal import is_hidden_from
from brt_cg.views.public_point import visible_journal

Given = list[Any]  # rule, subject, kind and raw answer of a question


@immutable
class ForecastStart:
    """Everything that a run needs, as JSON, so that another process can play it.

    `changes` build the campaign from nothing, and `numbers` are those of its counters; `given` are
    the answers already given in the paragraph in progress; `choices` is an answers file's document,
    or None for the defaults.
    """

    cg: str
    changes: list[Any]
    numbers: dict[str, Any]
    given: list[Given]
    seed: str
    choices: dict[str, Any] | None

    def make_campaign(self) -> Campaign:
        """Return a new copy of the campaign."""
        campaign = Campaign()
        campaign.numbers = {id: CounterNumber(*given) for id, given in self.numbers.items()}
        apply_changes(campaign, self.changes)
        return campaign

    def make_answers_already_given(self) -> EarlyAnswers:
        """Return the answers already given, each for the question that is asked again."""
        answers = EarlyAnswers()
        for rule, subject, kind, raw in self.given:
            answers.given.setdefault(key_in_any_form(rule, subject, kind), []).append((raw, HAND))
        return answers


def start_from_open_campaign(
    desk: CampaignReader, seed: str, choices: dict[str, Any] | None = None
) -> ForecastStart:
    """Return the start of a forecast from the open campaign as its seat knows it. Raises
    RefusedError if no Refit Phase is due or in progress."""
    return start_from_journal(
        visible_journal(unrestricted_campaign(desk), desk.side), desk.side, seed, choices
    )


def start_from_journal(
    journal: Journal,
    seat: Side | None,
    seed: str,
    choices: dict[str, Any] | None = None,
    kind: str = "forecast",
) -> ForecastStart:
    """Return the start of a forecast from a journal as the seat may see it; a side's start has none
    of the enemy's secrets. `kind` is the command that needs it, for a refusal."""
    situation = journal.campaign.situation
    if situation.phase in (Phase.SCENARIO, Phase.OVER):
        raise RefusedError(wrong_phase_text(kind, situation.phase))
    campaign, standing = journal.campaign, []
    if situation.paragraph is not None:
        first, *answers = journal.entries_of_paragraph(situation.paragraph)
        campaign = Campaign()
        for entry in journal.entries[: first - 1]:
            apply_changes(campaign, entry.changes)
        standing = [journal.entries[seq - 1] for seq in answers]
    known = [entry for entry in standing if seat is None or not is_hidden_from(entry, seat)]
    asks = [
        (entry.payload["ask"], entry.payload["answer"]) for entry in known if entry.kind == "answer"
    ]
    given = [[ask["rule"], ask["subject"], ask["kind"], raw] for ask, raw in asks]
    view = visible_campaign(campaign, seat)
    changes, numbers = compare_campaigns(Campaign(), view), dict(view.numbers)
    return ForecastStart(view.situation.cg, changes, numbers, given, seed, choices)
