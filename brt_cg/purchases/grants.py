"""Points that a card grants at a later date (15.614), and when they are due."""

from collections.abc import Callable
from functools import partial
from operator import itemgetter

from brt_cg.card import Card
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.records import Allotment


def due(campaign: Campaign, card: Card) -> list[Allotment]:
    """The grants to be credited now, in the order of the card's dates, then of ids.

    A grant is due if it is dated after the last scenario, up to the current date; also if it is
    dated an AM that followed a Night with no scenario, when no Refit Phase came between (R-NIGHT).
    Older ones were given before a campaign was adopted half-way.
    """
    return _uncredited(campaign, card, partial(_is_due, campaign, card))


def to_come(campaign: Campaign, card: Card, side: Side) -> list[Allotment]:
    """A side's grants that are still to be credited, by date, then by id; without those given
    before a campaign was adopted half-way."""
    now = card.index(campaign.situation.date)

    def is_to_come(date: str) -> bool:
        return _is_due(campaign, card, date) or card.index(date) > now

    return [grant for grant in _uncredited(campaign, card, is_to_come) if grant.side is side]


def _uncredited(campaign: Campaign, card: Card, wanted: Callable[[str], bool]) -> list[Allotment]:
    """The grants not yet credited on the wanted dates, by date, then by id."""
    found = [
        (card.index(grant.date), grant.id, grant)
        for grant in campaign.allotments.values()
        if not grant.credited and grant.date is not None and wanted(grant.date)
    ]
    return [grant for *_, grant in sorted(found, key=itemgetter(0, 1))]


def _is_due(campaign: Campaign, card: Card, date: str) -> bool:
    situation = campaign.situation
    if card.index(date) > card.index(situation.date):
        return False
    ended = situation.ended
    return ended is None or card.index(date) > card.index(ended) or date == _passed(campaign, card)


def _passed(campaign: Campaign, card: Card) -> str | None:
    """The date just played if no Refit Phase came before it: an AM after a Night without a
    scenario."""
    situation = campaign.situation
    ended = situation.ended
    if ended is None or not situation.nights_without_scenario or card.index(ended) == 0:
        return None
    night = card.dates[card.index(ended) - 1]
    return ended if card.is_night(night) else None
