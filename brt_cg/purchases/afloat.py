"""What stands in the Ocean: it belongs to the Beach Setup Area beside it, and its maximum per beach
is counted by where it stands, whichever points paid for it (15.6143 b, n; R-BEACH-AREA)."""

from collections import Counter
from collections.abc import Iterable, Iterator

from brt_cg.board import grid
from brt_cg.board.locations import OFF_MAP, beach_name, ground
from brt_cg.card import Card
from brt_cg.card.prices import Placement, Price
from brt_cg.model.campaign import Campaign
from brt_cg.model.records import Purchase
from brt_cg.purchases.breach import Breach
from brt_cg.purchases.totals import Bought

AFLOAT = frozenset({Placement.OCEAN, Placement.WITH_TETRAHEDRON})


def stands_afloat(price: Price) -> bool:
    """Whether an item stands in the Ocean."""
    return not AFLOAT.isdisjoint(price.placement)


def crowded_beaches(
    campaign: Campaign, card: Card, price: Price, bought: Bought, *only: str
) -> Iterator[Breach]:
    """The beaches with more of an item, and of all that shares its maximum, than allowed; of the
    purchases `only`, if any are named."""
    most, group = price.max_per_beach, price.beach_group
    alike = [key for key, other in card.prices.items() if _shares(price, other)]
    if most is None:
        return
    counted, where = _by_beach(campaign, bought.of(alike))
    for beach, number in counted.items():
        records = tuple(id for id in where[beach] if not only or id in only)
        if number > most and records:
            name = f"{group} of any type" if group else price.name
            what = f"{name} for {beach_name(beach)}: {number} with this, at most {most} per beach"
            yield Breach(group or "beach-maximum", price.rule, what, records)


def _shares(price: Price, other: Price) -> bool:
    group = price.beach_group
    return price.key == other.key or (group is not None and other.beach_group == group)


def _by_beach(
    campaign: Campaign, purchases: Iterable[Purchase]
) -> tuple[Counter[str], dict[str, list[str]]]:
    """How many stand beside each beach, and the purchases that they came by. At a tie points of a
    beach count for it; those of no beach count where there are fewest."""
    counted: Counter[str] = Counter()
    where: dict[str, list[str]] = {}
    several: list[tuple[str, frozenset[str]]] = []
    for purchase in purchases:
        for place in _places(campaign, purchase):
            near = _beaches_of(campaign, purchase, place)
            if len(near) > 1:
                several.append((purchase.id, near))
                continue
            (beach,) = near
            counted[beach] += 1
            where.setdefault(beach, []).append(purchase.id)
    for id, near in several:
        beach = min(sorted(near), key=lambda beach: counted[beach])
        counted[beach] += 1
        where.setdefault(beach, []).append(id)
    return counted, {beach: list(dict.fromkeys(ids)) for beach, ids in where.items()}


def _places(campaign: Campaign, purchase: Purchase) -> list[str | None]:
    """Where the things of a purchase stand; None for one without a Location."""
    if not purchase.created:
        return [purchase.location] * purchase.quantity
    made = map(campaign.fortifications.get, purchase.created)
    return [purchase.location if fort is None else fort.location for fort in made]


def _beaches_of(campaign: Campaign, purchase: Purchase, place: str | None) -> frozenset[str]:
    """The beaches that a place may count for."""
    paid = frozenset({purchase.beach or ""})
    if place in (None, OFF_MAP) or campaign.ruling("R-BEACH-AREA") == "free":
        return paid
    near = grid.nearest_beaches(ground(place))
    return paid if paid <= near else near
