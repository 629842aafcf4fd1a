"""HIP that cannot be used: bought for a Night that passes without a scenario (15.6143 m)."""

from brt_cg.campaign import Campaign, Purchase
from brt_cg.card import Card
from brt_cg.purchases.breach import halves
from brt_cg.purchases.ledger import standing
from brt_cg.purchases.limits import Case, hip_bought, on_map_strength, percent_of


def hip_of_a_night_that_passed(campaign: Campaign, card: Card) -> str | None:
    """What to say when HIP was bought for the date in force, a Night, that will not be played: only
    the day percentage may be used (15.6143 m). None if all of it may."""
    bought = [one for one in standing(campaign) if _is_hip_for_this_scenario(campaign, card, one)]
    if not bought:
        return None
    row = card.prices[bought[0].item].hip
    assert row is not None, f"{bought[0].item} is HIP"
    sizes = hip_bought(Case(campaign, card, bought[0], tuple(bought[1:])))
    on_map = on_map_strength(campaign, card, bought[0].side)
    usable = percent_of(row.day_percent, on_map)
    if sizes <= usable:
        return None
    return (
        f"of the HIP bought for {halves(sizes)} squad-equivalents {halves(usable)} may be used by "
        f"day: {row.day_percent}% of {halves(on_map)} on map (15.6143)"
    )


def _is_hip_for_this_scenario(campaign: Campaign, card: Card, one: Purchase) -> bool:
    price = card.prices.get(one.item)
    now = one.date == campaign.situation.date and not one.initial
    return price is not None and price.hip is not None and now
