"""HIP that cannot be used: more than the scenario that comes allows (15.6143 m)."""

from brt_cg.campaign import Campaign
from brt_cg.card import Card
from brt_cg.counters import Side
from brt_cg.purchases.breach import halves
from brt_cg.purchases.limits import hip_bought, on_map_strength, order_of_battle, percent_of
from brt_cg.purchases.totals import Bought, Lot


def hip_of_a_night_that_passed(campaign: Campaign, card: Card) -> str | None:
    """What to say when HIP was bought for the date in force, a Night, that will not be played: only
    the day percentage may be used (15.6143 m). None if all of it may."""
    return _beyond(campaign, card, "day")


def hip_beyond_the_limit(campaign: Campaign, card: Card) -> str | None:
    """What to say when the scenario begins with more HIP than may be used: it was bought before the
    order of battle was entered, or units were lost since (15.6143 m). None if all of it may."""
    night = card.is_night(campaign.situation.date)
    return _beyond(campaign, card, "night" if night else "day")


def _beyond(campaign: Campaign, card: Card, when: str) -> str | None:
    situation, bought = campaign.situation, Bought(campaign)

    def for_this_scenario(lot: Lot) -> bool:
        now = lot.date == situation.date and not lot.initial
        return lot.initial if situation.initial else now

    rows = [price.hip for price in card.prices.values() if price.hip is not None]
    sizes = hip_bought(card, bought, for_this_scenario)
    if not sizes or not order_of_battle(campaign, Side.JAPANESE):
        return None
    on_map = on_map_strength(campaign, card, Side.JAPANESE)
    percent = rows[0].day_percent if when == "day" else rows[0].night_percent
    usable = percent_of(percent, on_map)
    if sizes <= usable:
        return None
    return (
        f"of the HIP bought for {halves(sizes)} squad-equivalents {halves(usable)} may be used by "
        f"{when}: {percent}% of {halves(on_map)} on map (15.6143)"
    )
