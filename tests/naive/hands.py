"""Plays a paragraph with hands that answer at random, and keeps what they rolled and chose."""

import random
from dataclasses import dataclass, field
from typing import Any

from brt_cg.card import load_card
from brt_cg.model.campaign import Campaign
from brt_cg.questions.answers import Raw
from brt_cg.questions.dice import Dice, Outcome
from brt_cg.questions.question_types import ChoiceQuestion, Question, RollQuestion
from brt_cg.refit.play import Paragraph
from brt_cg.refit.run import ParagraphRun

SEED = 156  # of every random case: what fails once fails again


@dataclass
class Hands:
    """What was rolled (by table, then by subject) and what was chosen (by subject)."""

    rolled: dict[str, dict[str, list[Outcome]]] = field(default_factory=dict)
    chosen: dict[str, Raw] = field(default_factory=dict)

    def roll(self, table: str, subject: str) -> Outcome | None:
        """The one roll of a subject on a table; None if there was none."""
        found = self.rolled.get(table, {}).get(subject, [])
        assert len(found) < 2, f"{subject} rolled {len(found)} times on {table}"
        return found[0] if found else None

    def reading(self, table: str, subject: str) -> tuple[int, str] | None:
        """The Final and the result of a subject's roll, as a naive reading gives them."""
        one = self.roll(table, subject)
        return (one.final, one.result) if one else None

    def original(self, table: str, subject: str) -> int:
        one = self.roll(table, subject)
        assert one is not None, f"{subject} did not roll on {table}"
        return one.original


def played(paragraph: Paragraph, campaign: Campaign, chance: random.Random) -> Hands:
    """Plays a paragraph on a campaign, which it changes: options are taken at random, and entries
    by default."""
    run = ParagraphRun(paragraph, campaign, load_card(campaign.situation.cg))
    hands = Hands()
    while run.ask is not None:
        ask = run.ask
        raw = dice(ask.table.dice, chance) if isinstance(ask, RollQuestion) else None
        if not isinstance(ask, RollQuestion):
            raw = at_random(ask, chance)
            hands.chosen[ask.subject] = raw
        value = ask.read(raw)
        if isinstance(ask, RollQuestion):
            by_subject = hands.rolled.setdefault(ask.table.key, {})
            by_subject.setdefault(ask.subject, []).append(value)
        run.send(value)
    return hands


def dice(kind: Dice, chance: random.Random) -> Raw:
    if kind is Dice.ONE:
        return chance.randint(1, 6)
    return [chance.randint(1, 6), chance.randint(1, 6)]


def at_random(ask: Question[Any], chance: random.Random) -> Raw:
    return chance.choice(ask.options).raw if isinstance(ask, ChoiceQuestion) else ask.default
