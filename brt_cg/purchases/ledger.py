"""The ledger of 15.614: what is asked for, its price, and which purchases stand.

A purchase is never altered or deleted. A void is a record of its own, with negative figures; a
draft is none of the ledger's business until it is committed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from brt_cg.campaign import Campaign
from brt_cg.card import Card, Points, Price
from brt_cg.counters import Side
from brt_cg.records import Phase, Purchase

ISLAND = "island"  # Japanese FPP tied to no beach


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a side asks for. `capacity` is a pillbox's whole stacking capacity, in squad-equivalents
    (None: as it comes); `beach` None for the Marines; Locations as the board writes them."""

    item: str
    side: Side
    beach: str | None = None
    quantity: int = 1
    location: str | None = None
    exit: str | None = None
    covered_arc: tuple[str, ...] = ()
    capacity: int | None = None


def quote(campaign: Campaign, card: Card, order: Order, id: str) -> Purchase:
    """The order as a purchase of this moment, at the price of this moment. Raises KeyError for an
    item that is in no price list."""
    price = card.prices[order.item]
    normal = price.creates.capacity
    extra = 0 if order.capacity is None or normal is None else order.capacity - normal
    asked = Purchase(
        id=id,
        date=campaign.situation.date,
        side=order.side,
        beach=order.beach,
        points=price.points.value,
        item=order.item,
        quantity=order.quantity,
        unit_cost=0,
        total=0,
        location=order.location,
        exit=order.exit,
        covered_arc=order.covered_arc,
        capacity=extra,
    )
    return priced(campaign, card, asked)


def priced(campaign: Campaign, card: Card, purchase: Purchase) -> Purchase:
    """A purchase as it would be if it were made now: date, price and total of this moment."""
    price = card.prices[purchase.item]
    initial = campaign.situation.phase is Phase.PURCHASE
    cost = unit_cost(price, purchase.capacity, price.cost if initial else price.later_cost)
    now = purchase.clone()
    now.date, now.initial = campaign.situation.date, initial
    now.unit_cost, now.total = cost, cost * purchase.quantity
    now.exponent = exponent_of(price, purchase.capacity) * purchase.quantity
    return now


def unit_cost(price: Price, extra: int, cost: int) -> int:
    """Points for one, with so much more capacity (15.6142: at no CAPP)."""
    return cost + (price.creates.extra_capacity_cost or 0) * extra


def exponent_of(price: Price, extra: int) -> int:
    """CAPP Exponent points for one pillbox with so much more capacity (15.6142)."""
    return extra if price.points is Points.CAPP else 0


# --- which records stand --------------------------------------------------------------------------


def serial(id: str) -> int:
    """The number in a purchase's id ("p17"); ids of any other form come first."""
    digits = id.lstrip("pv")
    return int(digits) if digits.isdecimal() else 0


def in_order(purchases: Iterable[Purchase]) -> list[Purchase]:
    """Purchases in the order in which they were made."""
    return sorted(purchases, key=lambda one: (serial(one.id), one.id))


def void_of(campaign: Campaign, purchase: Purchase) -> Purchase | None:
    """The record that voids a purchase, if any."""
    voids = (one for one in campaign.purchases.values() if one.voids == purchase.id)
    return next(voids, None)


def standing(campaign: Campaign) -> list[Purchase]:
    """The purchases made and not voided, in order; drafts and voids left out."""
    return in_order(_standing(campaign))


def _standing(campaign: Campaign) -> Iterator[Purchase]:
    voided = {one.voids for one in campaign.purchases.values() if one.voids}
    for one in campaign.purchases.values():
        if not one.draft and one.voids is None and one.id not in voided:
            yield one


def drafts(campaign: Campaign, side: Side) -> list[Purchase]:
    """A side's drafts, in order."""
    return in_order(one for one in campaign.purchases.values() if one.draft and one.side is side)


def in_words(card: Card, purchase: Purchase) -> str:
    """A purchase for the log: "2 × HMG for red_one, 8 GPP"."""
    price = card.prices[purchase.item]
    words = f"{abs(purchase.quantity)} × {price.name}"
    if purchase.capacity:
        whole = (price.creates.capacity or 0) + purchase.capacity
        words += f" of capacity {whole}"
    if purchase.beach:
        words += f" for {purchase.beach}"
    if purchase.location:
        words += f" at {purchase.location}"
    if purchase.exit:
        words += f" with exit {purchase.exit}"
    words += f", {abs(purchase.total)} {purchase.points.upper()}"
    return words + (f", exponent {abs(purchase.exponent)}" if purchase.exponent else "")
