"""Each limit of 15.614 for the current purchases: its numbers, and whether it is observed. Checks
that depend on the time of an entry (windows, dates, places) are left to the audit."""

from collections.abc import Iterator
from functools import partial

from brt_cg.board import beach_name
from brt_cg.card import Card, Price
from brt_cg.immutable import immutable
from brt_cg.model import SIDES, Campaign, Purchase, Side
from brt_cg.purchases import limits, pools
from brt_cg.purchases.totals import (
    CountedPurchases,
    PurchaseLot,
    purchases_not_voided,
    sort_purchases,
)


@immutable
class LimitCheck:
    """One limit: its rule, its subject, the current number and the maximum; `records` are the ids
    of the purchases that count."""

    rule: str
    what: str
    count: int
    most: int
    records: tuple[str, ...] = ()

    @property
    def is_kept(self) -> bool:
        return self.count <= self.most

    @property
    def remaining(self) -> int:
        return self.most - self.count


def list_limit_checks(campaign: Campaign, card: Card, viewer: Side | None) -> list[LimitCheck]:
    """Return every limit that a side may see (None: of both), with its numbers; limits of items
    that were never bought are left out."""
    sides = [side for side in SIDES if viewer in (None, side)]
    found = [check for side in sides for check in _points(campaign, card, side)]
    for side in sides:
        for price in card.prices.values():
            found += _maxima(campaign, card, price, side)
    return found


def _points(campaign: Campaign, card: Card, side: Side) -> Iterator[LimitCheck]:
    """Check that no more points are spent than were given."""
    for account in pools.list_accounts(campaign, card, side):
        for kind in pools.KINDS:
            given, spent = account.given.points_of(kind), account.spent.points_of(kind)
            if given or spent:
                what = f"{pools.KIND_NAMES[kind]} of {pools.owner_text(account)}"
                yield LimitCheck(pools.RULES[kind], what, spent, given)


def _maxima(campaign: Campaign, card: Card, price: Price, side: Side) -> Iterator[LimitCheck]:
    bought = CountedPurchases(campaign)
    lots = [lot for lot in _lots(campaign, price.key) if lot.side is side]
    if not lots:
        return
    own = _of(campaign, {price.key}, side)
    most = price.campaign_maximum(card.cg, campaign.current_rulings)
    if most is not None:
        count = bought.quantity([price.key], lambda lot: lot.side is side)
        what = f"{price.name} in CG {card.cg}"
        yield LimitCheck(price.rule, what, count, most, tuple(each.id for each in own))
    alike = limits.items_sharing_maximum(card, price)
    here = {lot.beach for lot in lots if lot.beach is not None}
    for beach in sorted(here) if price.max_per_beach is not None else ():
        count = bought.quantity(alike, partial(_is_for, beach))
        name = f"{price.beach_group} of any type" if price.beach_group else price.name
        records = tuple(each.id for each in _of(campaign, alike, side) if each.beach == beach)
        what = f"{name} for {beach_name(beach)}"
        yield LimitCheck(price.rule, what, count, price.max_per_beach or 0, records)
    for window in _windows(lots) if price.per_refit is not None else ():
        count = bought.quantity([price.key], window.__contains__)
        when = "before the initial scenario" if window[0].initial else f"at {window[0].date}"
        yield LimitCheck(
            price.rule, f"{side.label} {price.name} {when}", count, price.per_refit or 0
        )
    if price.initial_only:
        later = [each.id for each in own if not each.initial and each.enlarged_pillbox_id is None]
        yield LimitCheck(price.rule, f"{price.name} after the initial scenario", len(later), 0)


def _is_for(beach: str, lot: PurchaseLot) -> bool:
    return lot.beach == beach


def _lots(campaign: Campaign, item: str) -> list[PurchaseLot]:
    """Return the lots of an item that count and contain purchases."""
    records = (each for each in campaign.purchases.values() if each.item == item)
    bought = (each for each in records if not each.draft and each.voids is None)
    lots = (PurchaseLot(each.side, each.beach, each.initial, each.date) for each in bought)
    return list(dict.fromkeys(lots))


def _windows(lots: list[PurchaseLot]) -> list[list[PurchaseLot]]:
    """Return the lots of each buying window."""
    found: dict[str, list[PurchaseLot]] = {}
    for lot in lots:
        found.setdefault("" if lot.initial else lot.date, []).append(lot)
    return list(found.values())


def _of(campaign: Campaign, items: set[str], side: Side) -> list[Purchase]:
    """Return a side's purchases of some items that are not voided, in order."""
    return sort_purchases(
        each for each in purchases_not_voided(campaign) if each.item in items and each.side is side
    )
