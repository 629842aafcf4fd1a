"""The places to point at for a counter or an order: a Location or a hexside, with an exit or a
Covered Arc."""

from collections.abc import Iterator

from brt_cg.board import grid, locations
from brt_cg.card import Card
from brt_cg.card.prices import Placement, Price
from brt_cg.model.campaign import Campaign
from brt_cg.model.records import Purchase
from brt_cg.purchases.placement import Spot, placement_breaches
from brt_cg.purchases.totals import Bought


def spots_for(campaign: Campaign, card: Card, order: Purchase, hex: str) -> Iterator[Spot]:
    """The allowed places for an order in a hex, on its ground, with each exit or Covered Arc. A
    hexside belongs to its lower hex."""
    price, beside = card.prices[order.item], Bought(campaign)
    for spot in _spots_in(price, hex):
        if not placement_breaches(campaign, card, order, spot, beside):
            yield spot


def _spots_in(price: Price, hex: str) -> Iterator[Spot]:
    if Placement.HEXSIDE in price.placement:
        after = (near for near in grid.neighbours(hex) if locations.key(near) > locations.key(hex))
        yield from (Spot(f"{hex}/{near}") for near in after)
    elif Placement.TWO_LOCATIONS in price.placement:
        yield from (Spot(hex, near) for near in grid.neighbours(hex))
    elif Placement.COVERED_ARC in price.placement:
        yield from (Spot(hex, None, arc) for arc in grid.arcs(hex))
    else:
        yield Spot(hex)
