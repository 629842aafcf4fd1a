"""The current price list of a side: costs, purchases so far, and the numbers that the limits allow.

It only applies the limits, and contains no rules itself.
"""

from brt_cg.card import Card, Price
from brt_cg.immutable import immutable
from brt_cg.model import Campaign, Purchase, Side
from brt_cg.purchases import limits, pools
from brt_cg.purchases.breach import Breach
from brt_cg.purchases.ledger import new_unpriced_order, priced_purchase
from brt_cg.purchases.totals import CountedPurchases, PurchaseLot


@immutable(kw_only=True)
class Offer:
    """One item for one beach (None: the Marines).

    `cost` is the cost of one now, in points. `bought_here` counts all items that share the maximum
    `most_here` of the beach; `bought` is in the whole campaign, `most` its maximum (None: no
    limit). `more` is the number that the limits allow now; `breaches` all limits that a single one
    would break.
    """

    price: Price
    cost: int
    bought_here: int
    most_here: int | None
    bought: int
    most: int | None
    more: int
    breaches: tuple[Breach, ...]


def list_offers(campaign: Campaign, card: Card, side: Side, beach: str | None) -> tuple[Offer, ...]:
    """Return the items that a side may ever buy with the points of a beach (None: the Marines), in
    the order of the price list. Drafts do not count."""
    items = (price for price in card.prices.values() if price.can_be_bought_by(side))
    return tuple(
        _offer(campaign, card, item, new_unpriced_order(item, side, beach=beach))
        for item in items
        if side is Side.MARINE
        or beach in limits.beaches_that_may_pay_for(card, item)
        or beach in item.not_beaches
    )


def _offer(campaign: Campaign, card: Card, price: Price, asked: Purchase) -> Offer:
    bought, alike = CountedPurchases(campaign), limits.items_sharing_maximum(card, price)

    def own(lot: PurchaseLot) -> bool:
        return lot.side is asked.side

    single = priced_purchase(campaign, card, asked)
    found = limits.find_breaches(campaign, card, single)
    return Offer(
        price=price,
        cost=single.unit_cost,
        bought_here=bought.quantity(alike, lambda lot: own(lot) and lot.beach == asked.beach),
        most_here=price.max_per_beach,
        bought=bought.quantity([price.key], own),
        most=price.campaign_maximum(card.cg, campaign.current_rulings),
        more=0 if found else _more(campaign, card, price, single),
        breaches=tuple(found),
    )


def _more(campaign: Campaign, card: Card, price: Price, single: Purchase) -> int:
    """Return the highest quantity that breaks no limit, given that one breaks none; found by
    bisection below a quantity that would cost too many points."""
    left = pools.compute_account(campaign, single.side, single.beach).left.points_of(
        price.points.value
    )
    most, too_many = 1, left // single.unit_cost + 1
    while too_many - most > 1:
        middle = (most + too_many) // 2
        asked = priced_purchase(campaign, card, single.replace(quantity=middle))
        if limits.find_breaches(campaign, card, asked):
            too_many = middle
        else:
            most = middle
    return most
