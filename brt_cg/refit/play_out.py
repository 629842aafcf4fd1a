"""Plays what is left of a Refit Phase in memory, with dice and choices that stand ready.

There is no journal, and nothing is recorded: for whoever plays a phase many times over.
"""

from collections import Counter as Tally
from collections.abc import Callable
from typing import Any

from brt_cg.asks import Ask, Raw, Roll, default_of
from brt_cg.campaign import Campaign
from brt_cg.card import Card
from brt_cg.dice import DiceSource, RollKey, raw_faces
from brt_cg.refit.run import Run, mark_begun, mark_ended
from brt_cg.refit.sequence import following


def play_out(
    campaign: Campaign,
    card: Card,
    dice: DiceSource,
    choose: Callable[[Ask[Any]], Raw] = default_of,
) -> None:
    """Plays every paragraph that is still to come, on the campaign itself, which must be between
    two paragraphs. `choose` answers whatever is no roll. Raises Refused for an answer that is not
    allowed."""
    rolled: Tally[tuple[str, str]] = Tally()
    serial = 0  # ids of new counters derive from it: a number of its own for each answer

    def answer(ask: Ask[Any]) -> Raw:
        if not isinstance(ask, Roll):
            return choose(ask)
        position = rolled[ask.rule, ask.subject]
        rolled[ask.rule, ask.subject] += 1
        key = RollKey(campaign.situation.date, ask.rule, ask.subject, position)
        return raw_faces(dice.roll(ask.table.dice, key))

    while (paragraph := following(campaign.situation)) is not None:
        serial += 1
        mark_begun(campaign, paragraph)
        run = Run(paragraph, campaign, card, serial)
        run.start()
        while (ask := run.ask) is not None:
            serial += 1
            run.send(ask.read(answer(ask)), serial)
        mark_ended(campaign, paragraph)
