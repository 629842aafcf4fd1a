"""Simulation of the rest of a Refit Phase in memory, with dice and choices given in advance.

This keeps no journal and no log, since forecasts play a phase many times and look only at the
result.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, TypeVar

from brt_cg.card import Card, Ruling
from brt_cg.model import Campaign, Counter, Side
from brt_cg.questions import DiceSource, Question, Raw, RollKey, StratifiedDice
from brt_cg.refit.play import Paragraph, Play
from brt_cg.refit.run import ParagraphRun, record_paragraph_begun, record_paragraph_ended
from brt_cg.refit.sequence import next_paragraph_number, paragraph_of

T = TypeVar("T")
BY_DEFAULT: Callable[[Question[Any]], Raw] = attrgetter("default")


class SilentPlay(Play):
    """The play of a paragraph without words for the log, and without secrecy of its questions."""

    heard = False

    def log(self, *_: object, **__: object) -> None:
        return

    def log_event(self, *_: object, **__: object) -> None:
        return

    def name_with_place(self, counter: Counter) -> str:
        return ""

    def has_secrets(self, _: Side) -> bool:
        return False

    def whose_secret(self, _: Iterable[Counter]) -> Side | None:
        return None

    async def ask(self, question: Question[T]) -> T:
        return await question


class NamedSilentPlay(SilentPlay):
    """A SilentPlay whose questions name their subjects, because they are read."""

    def name_with_place(self, counter: Counter) -> str:
        return Play.name_with_place(self, counter)


def play_out(
    campaign: Campaign,
    card: Card,
    dice: DiceSource,
    choose: Callable[[Question[Any]], Raw] = BY_DEFAULT,
    player: type[Play] = SilentPlay,
) -> None:
    """Play all remaining paragraphs on the campaign itself, which must be between two paragraphs.
    `choose` answers every question except rolls. Raises RefusedError for an illegal answer."""
    rolled: defaultdict[tuple[str, str], int] = defaultdict(int)

    def answer(ask: Question[Any]) -> Any:
        if ask.dice is None:
            return ask.read(choose(ask))
        position = rolled[ask.rule, ask.subject]
        rolled[ask.rule, ask.subject] += 1
        key = RollKey(campaign.situation.date, ask.rule, ask.subject, position)
        return ask.outcome_of_faces(dice.roll(ask.dice, key))

    while (number := next_paragraph_number(campaign.situation)) is not None:
        _play(paragraph_of(number), campaign, card, answer, player)


class DiceNeededError(Exception):
    """Raised at a roll while playing without dice."""


def play_next_paragraph_without_dice(
    campaign: Campaign, card: Card, choose: Callable[[Question[Any]], Raw] = BY_DEFAULT
) -> None:
    """Play the next paragraph, if it needs no dice. Raises DiceNeededError if it does, or if there
    is none; the campaign is then unusable."""

    def answer(ask: Question[Any]) -> Any:
        if ask.dice:
            raise DiceNeededError
        return ask.read(choose(ask))

    number = next_paragraph_number(campaign.situation)
    if number is None:
        raise DiceNeededError
    _play(paragraph_of(number), campaign, card, answer)


def _play(
    paragraph: Paragraph,
    campaign: Campaign,
    card: Card,
    answer: Callable[[Question[Any]], Any],
    player: type[Play] = SilentPlay,
) -> None:
    record_paragraph_begun(campaign, paragraph)
    run = ParagraphRun(paragraph, campaign, card, player)
    while (ask := run.ask) is not None:
        run.send(answer(ask))
    record_paragraph_ended(campaign, paragraph)


# --- the rulings that the counters on the table will raise ----------------------------------------

RUNS = 6  # a ruling that only rare dice raise may still be asked about later


def rulings_likely_to_be_asked(campaign: Campaign, card: Card) -> list[Ruling]:
    """Return the rulings that the coming Refit Phase is likely to ask about, in the order of their
    rules: those asked in a few runs with evenly distributed dice and all defaults. The campaign is
    not changed."""
    raised: set[str] = set()

    def choose(ask: Question[Any]) -> Raw:
        if ask.subject in card.rulings:
            raised.add(ask.subject)
        return ask.default

    for run in range(RUNS):
        play_out(campaign.clone(), card, StratifiedDice("rulings ahead", run), choose)
    return [ruling for key, ruling in card.rulings.items() if key in raised]


def ruling_page_lines(ruling: Ruling) -> list[str]:
    """Return a ruling for the page: the question in words, then each value with its meaning, the
    default marked; the ruling's code comes last."""
    lines = [f"{ruling.question.rstrip('?')}?  ({ruling.id}, {ruling.rule})"]
    for value in ruling.values if len(ruling.values) <= 8 else (ruling.default,):
        mark = "the default: " if value == ruling.default else ""
        lines.append(f"    {value}: {mark}{ruling.meaning(value)}")
    return lines
