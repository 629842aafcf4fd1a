"""Plays what is left of a Refit Phase in memory, with dice and choices that stand ready.

There is no journal, nothing is recorded and nothing said: for whoever plays a phase many times
over, and looks at what it has become.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from brt_cg.answers import Raw
from brt_cg.asks import Ask, Roll, default_of
from brt_cg.campaign import Campaign
from brt_cg.card import Card
from brt_cg.counters import Counter, Side
from brt_cg.dice import DiceSource, RollKey
from brt_cg.refit.play import Paragraph, Play
from brt_cg.refit.run import Run, mark_begun, mark_ended
from brt_cg.refit.sequence import BY_NUMBER, following

T = TypeVar("T")


class Unheard(Play):
    """A paragraph that nobody listens to: it finds no words for what happens, and keeps no secret
    of what it asks."""

    heard = False

    def say(self, *_: object, **__: object) -> None:
        return

    def tell(self, *_: object, **__: object) -> None:
        return

    def who(self, counter: Counter) -> str:
        return ""

    def has_secrets(self, _: Side) -> bool:
        return False

    def whose_secret(self, _: Iterable[Counter]) -> Side | None:
        return None

    async def ask(self, question: Ask[T]) -> T:
        return await question


class Unrecorded(Unheard):
    """The same, whose questions are read: they name whom they are about."""

    def who(self, counter: Counter) -> str:
        return Play.who(self, counter)


def play_out(
    campaign: Campaign,
    card: Card,
    dice: DiceSource,
    choose: Callable[[Ask[Any]], Raw] = default_of,
    player: type[Play] = Unheard,
) -> None:
    """Plays every paragraph that is still to come, on the campaign itself, which must be between
    two paragraphs. `choose` answers whatever is no roll. Raises Refused for an answer that is not
    allowed."""
    rolled: defaultdict[tuple[str, str], int] = defaultdict(int)

    def answer(ask: Ask[Any]) -> Any:
        if not isinstance(ask, Roll):
            return ask.read(choose(ask))
        position = rolled[ask.rule, ask.subject]
        rolled[ask.rule, ask.subject] += 1
        key = RollKey(campaign.situation.date, ask.rule, ask.subject, position)
        return ask.table.outcome(dice.roll(ask.table.dice, key), ask.modifiers)

    while (number := following(campaign.situation)) is not None:
        _play(BY_NUMBER[number], campaign, card, answer, player)


class DiceNeeded(Exception):
    """What is played without dice comes to a roll."""


def play_without_dice(
    campaign: Campaign, card: Card, choose: Callable[[Ask[Any]], Raw] = default_of
) -> None:
    """Plays the paragraph that comes next, if it takes no dice. Raises DiceNeeded if it does, or
    if none comes; the campaign, in its midst, is then of no use any more."""

    def answer(ask: Ask[Any]) -> Any:
        if isinstance(ask, Roll):
            raise DiceNeeded
        return ask.read(choose(ask))

    number = following(campaign.situation)
    if number is None:
        raise DiceNeeded
    _play(BY_NUMBER[number], campaign, card, answer)


def _play(
    paragraph: Paragraph,
    campaign: Campaign,
    card: Card,
    answer: Callable[[Ask[Any]], Any],
    player: type[Play] = Unheard,
) -> None:
    mark_begun(campaign, paragraph)
    run = Run(paragraph, campaign, card, player)
    while (ask := run.ask) is not None:
        run.send(answer(ask))
    mark_ended(campaign, paragraph)
