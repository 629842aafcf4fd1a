"""The rulings that what is on the table will raise: so that the players are asked about them on one
page before 15.601, and not one by one in the evening."""

from typing import Any

from brt_cg.card import Card
from brt_cg.card.rulings import Ruling
from brt_cg.model.campaign import Campaign
from brt_cg.questions.answers import Raw
from brt_cg.questions.asks import Ask
from brt_cg.questions.dice import EvenDice
from brt_cg.refit.play_out import play_out

RUNS = 6  # a ruling that only rare dice raise may still be asked about later


def rulings_ahead(campaign: Campaign, card: Card) -> list[Ruling]:
    """The rulings that the coming Refit Phase is likely to ask about, in the order of their rules:
    those asked in a few runs with even dice and every default. The campaign is not changed."""
    raised: set[str] = set()

    def choose(ask: Ask[Any]) -> Raw:
        if ask.subject in card.rulings:
            raised.add(ask.subject)
        return ask.default

    for run in range(RUNS):
        play_out(campaign.clone(), card, EvenDice("rulings ahead", run), choose)
    return [ruling for key, ruling in card.rulings.items() if key in raised]


def ruling_page(ruling: Ruling) -> list[str]:
    """A ruling for the page: the question in words, then each value with what it means, the default
    marked; its code comes last."""
    lines = [f"{ruling.question}?  ({ruling.id}, {ruling.rule})"]
    for value in ruling.values if len(ruling.values) <= 8 else (ruling.default,):
        mark = "the default: " if value == ruling.default else ""
        lines.append(f"    {value}: {mark}{ruling.meaning(value)}")
    return lines
