"""The number of rolls and decisions if the program continued by defaults, according to a seat's
knowledge of the campaign. They are played in memory from that knowledge, with separate dice. So
nothing is stored, no real die is known before it is rolled, and no secret of the opponent changes a
number."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

from brt_cg.card import load_card
from brt_cg.forecast.start import start_from_journal
from brt_cg.immutable import immutable
from brt_cg.journal.early_answers import ROLL, AnswerKey, EarlyAnswers
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Raw, RefusedError
from brt_cg.questions.dice import Dice, Faces, RollKey, StratifiedDice, read_faces
from brt_cg.questions.question_types import Question
from brt_cg.refit.simulation import play_out
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.public_point import visible_journal

Figures = tuple[int, int]  # rolls, and decisions by default
SEED = "how much"


@immutable
class RemainingQuestions:
    """The numbers of rolls and decisions still to come: up to the end of the paragraph in progress,
    to the purchases, to the end of the phase, or to an earlier decision of the seat's opponent.
    Other dice may lead to slightly different numbers."""

    paragraph: Figures
    purchases: Figures
    phase: Figures


def count_remaining_questions(desk: CampaignReader, side: Side | None) -> RemainingQuestions | None:
    """Count the remaining questions, continuing with defaults from the open one, as a side (None:
    the umpire) knows the campaign; None if its knowledge does not lead to that question. Raise
    RefusedError if no Refit Phase is due or in progress."""
    known = visible_journal(unrestricted_campaign(desk), side)
    start = start_from_journal(known, side, SEED)
    campaign = start.make_campaign()
    here = known.campaign.situation.paragraph
    standing, ask = start.make_answers_already_given(), known.open_question()
    counted = _Counting(campaign, side, here, standing, _key(ask) if ask is not None else None)
    with suppress(RefusedError):  # a decision of the opponent, or a default that is not allowed
        play_out(campaign, load_card(start.cg), counted, counted.choose)
    return counted.result if counted.has_reached_question else None


def _key(ask: Question[Any]) -> AnswerKey:
    return AnswerKey(ask.rule, ask.subject, ask.kind)


class _Counting:
    """Dice and choices of a phase that is played by defaults, counted from the `open` question: the
    earlier answers are `standing`; answers that the opponent gave in secret are unknown and count
    as defaults."""

    seed = None  # no roll is entered

    def __init__(
        self,
        campaign: Campaign,
        side: Side | None,
        here: str | None,
        standing: EarlyAnswers,
        open: AnswerKey | None,
    ) -> None:
        self._campaign, self._side, self._here = campaign, side, here
        self._standing, self._open = standing, open
        self._dice = StratifiedDice(SEED, 0)
        self._rolls = self._decisions = 0
        self._passed: dict[str, Figures] = {}

    @property
    def has_reached_question(self) -> bool:
        """Whether the open question has been asked."""
        return self._open is None

    @property
    def result(self) -> RemainingQuestions:
        """Everything that was counted."""
        all_of_it = self._rolls, self._decisions
        paragraph, purchases = (
            self._passed.get(part, all_of_it) for part in ("paragraph", "purchases")
        )
        return RemainingQuestions(paragraph, purchases, all_of_it)

    def roll(self, dice: Dice, key: RollKey) -> Faces:
        """Return the dice of a roll that was made already, or count a new one."""
        standing = self._standing.answer_at(AnswerKey(key.rule, key.subject, ROLL), key.position)
        if standing is not None:
            return read_faces(dice, standing[0])
        self._reach(AnswerKey(key.rule, key.subject, ROLL))
        self._pass("paragraph", self._campaign.situation.paragraph != self._here)
        self._rolls += self.has_reached_question
        return self._dice.roll(dice, key)

    def choose(self, ask: Question[Any]) -> Raw:
        """Return an answer that was given already, or count a default. Raise RefusedError at a
        decision of the side's opponent."""
        ask = ask if ask.rule else replace(ask, rule=self._campaign.situation.paragraph or "")
        standing = self._standing.use_if_allowed(ask)
        if standing is not None:
            return standing[0]
        self._reach(_key(ask))
        if not self.has_reached_question:
            return ask.default
        if ask.is_decision and self._side not in (None, ask.side):
            raise RefusedError("the opponent decides")
        self._pass("paragraph", self._campaign.situation.paragraph != self._here)
        self._pass("purchases", ask.buying)
        self._decisions += ask.is_decision
        return ask.default

    def _reach(self, asked: AnswerKey) -> None:
        """Begin counting if this is the open question."""
        if asked == self._open:
            self._open = None

    def _pass(self, part: str, is_over: bool) -> None:
        if is_over:
            self._passed.setdefault(part, (self._rolls, self._decisions))
