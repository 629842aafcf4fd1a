"""The ledger of 15.614: orders and their prices.

A purchase is never altered or deleted. A void is a separate record, with negative numbers; a draft
is not in the ledger until it is committed.
"""

from typing import Any, NamedTuple

from brt_cg.board import beach_name
from brt_cg.card import Card, Price
from brt_cg.model import Campaign, Phase, PointsKind, Purchase, Side


def new_unpriced_order(price: Price, side: Side, quantity: int = 1, **fields: Any) -> Purchase:
    """Return a side's order for a price-list item, as a purchase without id, date or price."""
    return Purchase(
        id="",
        date="",
        side=side,
        points=str(price.points),
        item=price.key,
        quantity=quantity,
        unit_cost=0,
        total=0,
        **fields,
    )


def priced_purchase(campaign: Campaign, card: Card, purchase: Purchase) -> Purchase:
    """Return an order as a purchase made now: with date, price and total."""
    now = purchase.clone()
    now.date = campaign.situation.date
    right = purchase_cost(campaign, card, purchase)
    now.initial, now.unit_cost, now.total, now.exponent = right
    return now


class PurchaseCost(NamedTuple):
    """The cost of a purchase, and whether it is made for the initial scenario."""

    initial: bool
    unit_cost: int
    total: int
    exponent: int


def purchase_cost(campaign: Campaign, card: Card, purchase: Purchase) -> PurchaseCost:
    """Return the cost of a purchase made now. More capacity of a pillbox, even an existing one,
    costs CAPP Exponent points, not CAPP (15.6142)."""
    price, extra = card.prices[purchase.item], purchase.capacity
    initial = campaign.situation.phase is Phase.PURCHASE
    if purchase.enlarged_pillbox_id is not None:
        return PurchaseCost(initial, 0, 0, extra * purchase.quantity)
    cost = price.cost if initial else price.later_cost
    cost += (price.creates.extra_capacity_cost or 0) * extra
    exponent = extra if price.points is PointsKind.CAPP else 0
    return PurchaseCost(initial, cost, cost * purchase.quantity, exponent * purchase.quantity)


def purchase_text(card: Card, purchase: Purchase) -> str:
    """Return a purchase for the log: "2 × HMG for Red One, 8 GPP"."""
    price = card.prices[purchase.item]
    if purchase.enlarged_pillbox_id is not None:
        hex = (purchase.location or "").partition(":")[0]
        raised = f"{purchase.capacity} more capacity for the pillbox in {hex}"
        where = beach_name(purchase.beach) if purchase.beach else "no beach"
        return f"{raised}, exponent {abs(purchase.exponent)} of {where}"
    words = f"{abs(purchase.quantity)} × {price.name}"
    if purchase.capacity:
        whole = (price.creates.capacity or 0) + purchase.capacity
        words += f" of capacity {whole}"
    if purchase.beach:
        words += f" for {beach_name(purchase.beach)}"
    if purchase.location:
        words += f" {'at' if '/' in purchase.location else 'in'} {purchase.location}"
    if purchase.exit:
        words += f" with exit {purchase.exit}"
    words += f", {abs(purchase.total)} {purchase.points.upper()}"
    return words + (f", exponent {abs(purchase.exponent)}" if purchase.exponent else "")
