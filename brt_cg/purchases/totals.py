"""Running totals of purchases: each purchase is counted once, when it changes.

They follow from the table of purchases alone, however it changes: by a purchase, a void, an undo.
The table reports the changed records; their old contributions are subtracted and new ones added.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import NamedTuple

from brt_cg.campaign import Campaign
from brt_cg.counters import Side
from brt_cg.records import Points, Purchase, number_of
from brt_cg.table import Derived, Table

POINTS = tuple(points.value for points in Points)
ISLAND = "island"  # Japanese FPP tied to no beach


class Lot(NamedTuple):
    """The purchases that are counted together: one item, side, beach and window."""

    side: Side
    beach: str | None
    initial: bool
    date: str


class Fund(NamedTuple):
    """The owner of points: a beach of the Japanese, or their island; for the Marines, None."""

    side: Side
    beach: str | None

    @property
    def id(self) -> str:
        """Its id: "japanese/red_one", "marine"."""
        return f"{self.side}/{self.beach}" if self.beach else self.side.value

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of points that it may have: GPP and CAPP are for Japanese beaches (15.614)."""
        only_fpp = self.side is Side.MARINE or self.beach == ISLAND
        return ("fpp",) if only_fpp else (*POINTS, "exponent")

    @property
    def printed(self) -> tuple[str, ...]:
        """The kinds that a card prints for it: an exponent is printed with its CAPP."""
        return tuple(kind for kind in POINTS if kind in self.kinds)


@cache
def fund_of(side: Side, beach: str | None) -> Fund:
    """The fund of a beach's points: Japanese ones of no beach are the island's."""
    return Fund(side, None if side is Side.MARINE else beach or ISLAND)


class Sums:
    """Sums over purchases: how many of an item in each lot, and points spent by each fund."""

    def __init__(self) -> None:
        self.lots: dict[str, dict[Lot, int]] = defaultdict(lambda: defaultdict(int))
        self.spent: dict[tuple[Fund, str], int] = defaultdict(int)

    def count(self, purchase: Purchase, times: int) -> None:
        """Adds the things bought, or (−1) subtracts them."""
        lot = Lot(purchase.side, purchase.beach, purchase.initial, purchase.date)
        self.lots[purchase.item][lot] += times * purchase.quantity

    def pay(self, purchase: Purchase, times: int) -> None:
        """Adds the points spent, or (−1) subtracts them."""
        fund = fund_of(purchase.side, purchase.beach)
        if purchase.points in POINTS:
            self.spent[fund, purchase.points] += times * purchase.total
        if purchase.exponent:
            self.spent[fund, "exponent"] += times * purchase.exponent


class Totals(Derived[Purchase]):
    """The totals of the table of purchases. `drafts` and `standing` are ids."""

    def __init__(self, table: Table[Purchase]) -> None:
        super().__init__(table)
        self._counted: dict[str, Purchase] = {}
        self.sums = Sums()
        self.drafts: set[str] = set()
        self.standing: set[str] = set()
        self.of_item: dict[str, set[str]] = {}
        self.voids: dict[str, set[str]] = {}  # voiding records by the id of the voided purchase

    def count_anew(self, touched: set[str]) -> None:
        affected = set(touched)
        for key in touched:
            for purchase in (self._counted.get(key), self.table.get(key)):
                if purchase is not None and purchase.voids is not None:
                    affected.add(purchase.voids)
        self._count_all(affected, -1)
        for key in touched:
            self._replace(key, self.table.get(key))
        self._count_all(affected, 1)

    def _replace(self, key: str, now: Purchase | None) -> None:
        before = self._counted.pop(key, None)
        if before is not None and before.voids is not None:
            self.voids[before.voids].discard(key)
        if now is not None:
            self._counted[key] = now.clone()
            if now.voids is not None:
                self.voids.setdefault(now.voids, set()).add(key)

    def _count_all(self, ids: Iterable[str], times: int) -> None:
        for key in ids:
            counted = self._counted.get(key)
            if counted is not None:
                self._count(counted, times)

    def _count(self, purchase: Purchase, times: int) -> None:
        if purchase.draft:
            _mark(self.drafts, purchase.id, times)
            return
        self.sums.pay(purchase, times)
        if purchase.voids is None and not self.voids.get(purchase.id):
            self.sums.count(purchase, times)
            _mark(self.standing, purchase.id, times)
            _mark(self.of_item.setdefault(purchase.item, set()), purchase.id, times)


def _mark(ids: set[str], key: str, times: int) -> None:
    if times > 0:
        ids.add(key)
    else:
        ids.discard(key)


def totals_of(campaign: Campaign) -> Totals:
    """The current totals of a campaign."""
    return Totals.of(campaign.purchases)


class Bought:
    """The purchases that count together: all standing ones except those `without`, and some
    more."""

    def __init__(
        self, campaign: Campaign, asked: Iterable[Purchase] = (), without: Collection[str] = ()
    ) -> None:
        self._purchases = campaign.purchases
        self._totals = totals_of(campaign)
        self._more = Sums()
        self._asked = {purchase.id: purchase for purchase in asked}
        self._without = self._totals.standing.intersection((*without, *self._asked))
        changed = [(self._purchases[key], -1) for key in self._without]
        for purchase, times in (*changed, *((purchase, 1) for purchase in self._asked.values())):
            self._more.count(purchase, times)
            self._more.pay(purchase, times)

    def quantity(self, items: Iterable[str], fits: Callable[[Lot], bool] = lambda _: True) -> int:
        """How many of these items there are in the lots that fit."""
        return sum(
            quantity
            for item in items
            for sums in (self._totals.sums, self._more)
            for lot, quantity in sums.lots.get(item, {}).items()
            if fits(lot)
        )

    def spent(self, fund: Fund, kind: str) -> int:
        """The points of one kind that a fund has spent."""
        paid = (fund, kind)
        return self._totals.sums.spent.get(paid, 0) + self._more.spent.get(paid, 0)

    def of(self, items: Iterable[str]) -> list[Purchase]:
        """The purchases of these items, in the order in which they were made."""
        wanted = frozenset(items)
        ids = (id for item in wanted for id in self._totals.of_item.get(item, ()))
        found = [self._purchases[id] for id in ids if id not in self._without]
        return in_order(
            [*found, *(purchase for purchase in self._asked.values() if purchase.item in wanted)]
        )


# --- which records stand --------------------------------------------------------------------------


def in_order(purchases: Iterable[Purchase]) -> list[Purchase]:
    """Purchases in the order in which their side made them, drafts last."""
    return sorted(purchases, key=_order)


def _order(purchase: Purchase) -> tuple[bool, int, str]:
    return purchase.draft, number_of(purchase.id), purchase.id


def void_of(campaign: Campaign, purchase: Purchase) -> Purchase | None:
    """The record that voids a purchase, if any."""
    voids = totals_of(campaign).voids.get(purchase.id)
    return campaign.purchases[min(voids, key=lambda id: (number_of(id), id))] if voids else None


def standing(campaign: Campaign) -> list[Purchase]:
    """The purchases made and not voided, in order, without drafts and voids."""
    return in_order(campaign.purchases[id] for id in totals_of(campaign).standing)


def drafts(campaign: Campaign, side: Side) -> list[Purchase]:
    """A side's drafts, in order."""
    found = (campaign.purchases[id] for id in totals_of(campaign).drafts)
    return in_order(draft for draft in found if draft.side is side)
