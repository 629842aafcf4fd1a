"""The price list as it stands for a side now: costs, what was bought, and what the limits allow.

The limits themselves are asked; nothing here knows a rule.
"""

from dataclasses import dataclass, replace

from brt_cg.campaign import Campaign
from brt_cg.card import Card, Price
from brt_cg.counters import Side
from brt_cg.purchases import limits, pools
from brt_cg.purchases.breach import Breach
from brt_cg.purchases.ledger import Order, quote, standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One item for one beach (None: the Marines).

    `cost` is that of one now, in points. `bought_here` counts for the beach all that share its
    maximum `most_here`; `bought` is in the whole campaign, `most` its maximum (None: no limit).
    `more` is how many the limits allow now; `breaches` all that a single one would break.
    """

    price: Price
    cost: int
    bought_here: int
    most_here: int | None
    bought: int
    most: int | None
    more: int
    breaches: tuple[Breach, ...]


def offers(campaign: Campaign, card: Card, side: Side, beach: str | None) -> tuple[Offer, ...]:
    """What a side may ever buy from the points of a beach (None: the Marines), in the order of the
    price list. Drafts do not count."""
    items = (one for one in card.prices.values() if one.allows(side))
    return tuple(
        _offer(campaign, card, one, Order(item=one.key, side=side, beach=beach))
        for one in items
        if side is Side.MARINE or beach in limits.beaches_for(card, one) or beach in one.not_beaches
    )


def _offer(campaign: Campaign, card: Card, price: Price, order: Order) -> Offer:
    own = [one for one in standing(campaign) if one.side is order.side]
    alike = limits.counted_together(card, price)
    one = quote(campaign, card, order, "")
    found = limits.breaches(campaign, card, one)
    return Offer(
        price=price,
        cost=one.unit_cost,
        bought_here=sum(
            bought.quantity
            for bought in own
            if bought.item in alike and bought.beach == order.beach
        ),
        most_here=price.max_per_beach,
        bought=sum(bought.quantity for bought in own if bought.item == price.key),
        most=price.campaign_maximum(card.cg, campaign.ruled),
        more=0 if found else _more(campaign, card, price, order),
        breaches=tuple(found),
    )


def _more(campaign: Campaign, card: Card, price: Price, order: Order) -> int:
    """The most that break no limit, one being allowed: halved in between that and what the points
    cannot pay."""
    spent = [one for one in campaign.purchases.values() if not one.draft]
    left = pools.account(campaign, order.side, order.beach, spent).left.of(price.points.value)
    cost = quote(campaign, card, order, "").unit_cost
    most, too_many = 1, left // cost + 1
    while too_many - most > 1:
        middle = (most + too_many) // 2
        asked = quote(campaign, card, replace(order, quantity=middle), "")
        if limits.breaches(campaign, card, asked):
            too_many = middle
        else:
            most = middle
    return most
