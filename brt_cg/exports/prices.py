"""The price list as text (15.6141-15.6143): items, costs, limits, and how many were bought."""

from collections.abc import Iterator

from brt_cg.campaign import Campaign
from brt_cg.card import Card, Points, Price
from brt_cg.counters import Side
from brt_cg.exports.wording import view_words
from brt_cg.journal.book import Book
from brt_cg.purchases.totals import standing
from brt_cg.secrets_kept import seen_by


def prices_text(book: Book, side: Side | None = None) -> str:
    """What `purchases --prices` prints: the items that a side may buy (None: all)."""
    view, card = seen_by(book.campaign, side), book.card
    blocks = [list(_table(view, card, points, side)) for points in Points]
    return "\n\n".join("\n".join(lines) for lines in [*filter(None, blocks), [view_words(side)]])


def _table(view: Campaign, card: Card, points: Points, side: Side | None) -> Iterator[str]:
    items = [
        price
        for price in card.prices.values()
        if price.points is points and (side is None or price.allows(side))
    ]
    if not items:
        return
    yield f"{points.value.upper()} ({items[0].rule})"
    width = max(len(item.key) for item in items)
    for item in items:
        yield f"  {item.key:<{width}}  {item.cost:>2}  {' · '.join(_told(view, card, item))}"


def _told(view: Campaign, card: Card, price: Price) -> Iterator[str]:
    yield price.name
    if price.later_cost != price.cost:
        yield f"{price.later_cost} after the initial scenario"
    if price.points is Points.FPP:
        yield f"{price.side.label} only" if price.side else "both sides"
    if price.initial_only:
        yield "initial scenario only"
    if price.max_per_beach is not None:
        alike = f" ({price.beach_group} of any type)" if price.beach_group else ""
        yield f"{price.max_per_beach} per beach{alike}"
    most = price.campaign_maximum(card.cg, view.ruled)
    if most is not None:
        yield f"{most} in CG {card.cg}"
    if price.not_beaches:
        yield f"not for {', '.join(price.not_beaches)}"
    if price.per_refit is not None:
        yield f"{price.per_refit} per side in each Refit Phase"
    bought = sum(purchase.quantity for purchase in standing(view) if purchase.item == price.key)
    if bought:
        yield f"{bought} bought"
