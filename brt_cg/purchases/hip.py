"""HIP that cannot be used: more than the next scenario allows (15.6143 m)."""

from brt_cg.card import Card
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.purchases.breach import halves, squad_equivalents
from brt_cg.purchases.limits import hip_allowed, hip_bought, order_of_battle, when_played
from brt_cg.purchases.totals import Bought, PurchaseLot


def hip_of_a_night_that_passed(campaign: Campaign, card: Card) -> str | None:
    """The message if HIP was bought for the current date, a Night that will not be played: only the
    day percentage may be used (15.6143 m). None if all of it may be."""
    return _beyond(campaign, card, "by day")


def hip_beyond_the_limit(campaign: Campaign, card: Card) -> str | None:
    """The message if the scenario begins with more HIP than may be used: it was bought before the
    order of battle was entered, or units were lost since (15.6143 m). None if all of it may be."""
    return _beyond(campaign, card, when_played(campaign, card))


def usable_hip(campaign: Campaign, card: Card, when: str) -> float:
    """The squad-equivalents of the HIP bought for the next scenario that may be used in it "by day"
    or "by night"."""
    allowed, _ = hip_allowed(campaign, card, when)
    return min(_bought(campaign, card), allowed)


def _bought(campaign: Campaign, card: Card) -> float:
    """The squad-equivalents of the HIP bought for the next scenario."""
    situation = campaign.situation

    def for_this_scenario(lot: PurchaseLot) -> bool:
        now = lot.date == situation.date and not lot.initial
        return lot.initial if situation.initial else now

    return hip_bought(card, Bought(campaign), for_this_scenario)


def _beyond(campaign: Campaign, card: Card, when: str) -> str | None:
    sizes = _bought(campaign, card)
    if not sizes or not order_of_battle(campaign, Side.JAPANESE):
        return None
    allowed, reckoned = hip_allowed(campaign, card, when)
    if sizes <= allowed:
        return None
    return (
        f"HIP is bought for {squad_equivalents(sizes)}, but only {halves(allowed)} may be used "
        f"{when}: {reckoned} (15.6143)"
    )
