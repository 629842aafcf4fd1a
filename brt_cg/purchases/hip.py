"""HIP that cannot be used: more than the scenario that comes allows (15.6143 m)."""

from brt_cg.campaign import Campaign
from brt_cg.card import Card
from brt_cg.purchases.breach import halves
from brt_cg.purchases.ledger import standing
from brt_cg.purchases.limits import Case, hip_bought, on_map_strength, order_of_battle, percent_of
from brt_cg.records import Purchase


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
    bought = [one for one in standing(campaign) if _is_hip_for_this_scenario(campaign, card, one)]
    if not bought or not order_of_battle(campaign, bought[0].side):
        return None
    row = card.prices[bought[0].item].hip
    assert row is not None, f"{bought[0].item} is HIP"
    sizes = hip_bought(Case(campaign, card, bought[0], tuple(bought[1:])))
    on_map = on_map_strength(campaign, card, bought[0].side)
    percent = row.day_percent if when == "day" else row.night_percent
    usable = percent_of(percent, on_map)
    if sizes <= usable:
        return None
    return (
        f"of the HIP bought for {halves(sizes)} squad-equivalents {halves(usable)} may be used by "
        f"{when}: {percent}% of {halves(on_map)} on map (15.6143)"
    )


def _is_hip_for_this_scenario(campaign: Campaign, card: Card, one: Purchase) -> bool:
    price = card.prices.get(one.item)
    situation = campaign.situation
    now = one.initial if situation.initial else one.date == situation.date and not one.initial
    return price is not None and price.hip is not None and now
