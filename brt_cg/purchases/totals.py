"""Running totals of the purchases. They depend only on the table of purchases, and each purchase is
counted again when it changes: when it is bought, voided or undone."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from functools import cache

from brt_cg.immutable import immutable
from brt_cg.model import (
    Campaign,
    IncrementalAggregate,
    PointsKind,
    Purchase,
    Side,
    Table,
    number_in_id,
)

POINTS = tuple(points.value for points in PointsKind)
ISLAND = "island"  # Japanese FPP tied to no beach


@immutable
class PurchaseLot:
    """The purchases that are counted together: one item, side, beach and window."""

    side: Side
    beach: str | None
    initial: bool
    date: str


@immutable
class Fund:
    """The owner of points: a beach of the Japanese, or their island; for the Marines, None."""

    side: Side
    beach: str | None

    @property
    def id(self) -> str:
        """The fund's id: "japanese/red_one", "marine"."""
        return f"{self.side}/{self.beach}" if self.beach else self.side.value

    @property
    def point_kinds(self) -> tuple[str, ...]:
        """The kinds of points that a fund may have: GPP and CAPP only for Japanese beaches."""
        only_fpp = self.side is Side.MARINE or self.beach == ISLAND
        return ("fpp",) if only_fpp else (*POINTS, "exponent")

    @property
    def point_kinds_on_card(self) -> tuple[str, ...]:
        """The kinds that a card prints for a fund: an exponent is printed with its CAPP."""
        return tuple(kind for kind in POINTS if kind in self.point_kinds)


@cache
def fund_of(side: Side, beach: str | None) -> Fund:
    """Return the fund of a beach's points; Japanese points of no beach are the island's."""
    return Fund(side, None if side is Side.MARINE else beach or ISLAND)


@immutable
class PurchaseContribution:
    """A purchase's contribution to the totals: `quantity` of an item to a lot, and the points
    `paid`, by fund and kind. A record that `voids` another, or enlarges a pillbox, adds only
    points; a draft adds nothing."""

    draft: bool
    voids: str | None
    returns: bool  # whether a void returns the points, or only corrects the record
    item: str
    lot: PurchaseLot
    quantity: int
    paid: list[tuple[tuple[Fund, str], int]]


def contribution_of(purchase: Purchase) -> PurchaseContribution:
    """Return a purchase's contribution to the totals."""
    fund = fund_of(purchase.side, purchase.beach)
    paid = [((fund, purchase.points), purchase.total)] if purchase.points in POINTS else []
    if purchase.exponent:
        paid.append(((fund, "exponent"), purchase.exponent))
    lot = PurchaseLot(purchase.side, purchase.beach, purchase.initial, purchase.date)
    quantity = 0 if purchase.enlarged_pillbox_id else purchase.quantity
    returns = purchase.quantity < 0
    return PurchaseContribution(
        purchase.draft, purchase.voids, returns, purchase.item, lot, quantity, paid
    )


class PurchaseTotals(IncrementalAggregate[Purchase]):
    """The totals of the table of purchases: the number of an item in each lot, and the points spent
    by each fund. `drafts`, `standing` and `of_item` are ids; `voids` has the ids of voiding records
    by the id of the voided purchase, `returned` the ids of voids that return the points."""

    def __init__(self, table: Table[Purchase]) -> None:
        self._counted: dict[str, PurchaseContribution] = {}
        self.lots: dict[str, dict[PurchaseLot, int]] = defaultdict(lambda: defaultdict(int))
        self.spent: dict[tuple[Fund, str], int] = defaultdict(int)
        self.drafts: set[str] = set()
        self.standing: set[str] = set()
        self.of_item: dict[str, set[str]] = defaultdict(set)
        self.voids: dict[str, set[str]] = defaultdict(set)
        self.returned: dict[str, set[str]] = defaultdict(set)
        self.update(table, table.keys())

    def update(self, table: Table[Purchase], touched: Collection[str]) -> None:
        for key in touched:
            before, now = self._counted.pop(key, None), table.get(key)
            if before is not None:
                self._count(key, before, -1)
                if before.voids is not None:
                    self._void(before, key, set.discard)
            if now is not None:
                self._counted[key] = adds = contribution_of(now)
                self._count(key, adds, 1)
                if now.voids is not None:
                    self._void(adds, key, set.add)

    def _void(
        self, void: PurchaseContribution, id: str, mark: Callable[[set[str], str], None]
    ) -> None:
        """Count a purchase again after a void of it was added or removed."""
        key = void.voids or ""
        adds = self._counted.get(key)
        if adds is not None:
            self._count(key, adds, -1)
        mark(self.voids[key], id)
        if void.returns:
            mark(self.returned[key], id)
        if adds is not None:
            self._count(key, adds, 1)

    def _count(self, key: str, adds: PurchaseContribution, times: int) -> None:
        """Add a purchase's contribution, or (−1) subtract it."""
        mark = set.add if times > 0 else set.discard
        if adds.draft:
            mark(self.drafts, key)
            return
        for fund_and_kind, points in adds.paid:
            self.spent[fund_and_kind] += times * points
        if adds.voids is None and not self.returned.get(key):
            self.lots[adds.item][adds.lot] += times * adds.quantity
        if adds.voids is None and not self.voids.get(key):
            mark(self.standing, key)
            mark(self.of_item[adds.item], key)


def purchase_totals(campaign: Campaign) -> PurchaseTotals:
    """Return the current totals of a campaign."""
    return campaign.purchases.derived_value(PurchaseTotals)


class CountedPurchases:
    """The purchases that count together: all that are not voided except those in `without`, and
    any extras given."""

    def __init__(
        self, campaign: Campaign, asked: Iterable[Purchase] = (), without: Collection[str] = ()
    ) -> None:
        self._purchases = campaign.purchases
        self._totals = purchase_totals(campaign)
        self._asked: dict[str, Purchase] = {}
        self._more: list[tuple[PurchaseContribution, int]] = []
        for purchase in asked:
            self._asked[purchase.id] = purchase
            self._more.append((contribution_of(purchase), 1))
        self._without = self._totals.standing.intersection((*without, *self._asked))
        for key in self._without:
            self._more.append((contribution_of(self._purchases[key]), -1))

    def quantity(
        self, items: Collection[str], fits: Callable[[PurchaseLot], bool] = lambda _: True
    ) -> int:
        """Return the number of these items in the lots that fit."""
        lots = (
            *(lot for item in items for lot in self._totals.lots.get(item, {}).items()),
            *(
                (more.lot, times * more.quantity)
                for more, times in self._more
                if more.item in items
            ),
        )
        return sum(quantity for lot, quantity in lots if fits(lot))

    def points_spent(self, fund: Fund, kind: str) -> int:
        """Return the points of one kind that a fund has spent."""
        wanted = (fund, kind)
        spent = self._totals.spent.get(wanted, 0)
        for more, times in self._more:
            for paid, points in more.paid:
                spent += times * points if paid == wanted else 0
        return spent

    def purchases_of_items(self, items: Iterable[str]) -> list[Purchase]:
        """Return the purchases of these items, in the order in which they were made."""
        wanted = frozenset(items)
        ids = (id for item in wanted for id in self._totals.of_item.get(item, ()))
        found = [self._purchases[id] for id in ids if id not in self._without]
        return sort_purchases(
            [*found, *(purchase for purchase in self._asked.values() if purchase.item in wanted)]
        )


# --- the records that count -----------------------------------------------------------------------


def sort_purchases(purchases: Iterable[Purchase]) -> list[Purchase]:
    """Return the purchases in the order in which their side made them, drafts last."""
    return sorted(purchases, key=_order)


def _order(purchase: Purchase) -> tuple[bool, int, str]:
    return purchase.draft, number_in_id(purchase.id), purchase.id


def void_record_of(campaign: Campaign, purchase: Purchase) -> Purchase | None:
    """Return the record that voids a purchase, if any."""
    voids = purchase_totals(campaign).voids.get(purchase.id)
    return campaign.purchases[min(voids, key=lambda id: (number_in_id(id), id))] if voids else None


def purchases_not_voided(campaign: Campaign) -> list[Purchase]:
    """Return the purchases that are not voided, in order, except drafts and voids."""
    return sort_purchases(campaign.purchases[id] for id in purchase_totals(campaign).standing)


def drafts_of(campaign: Campaign, side: Side) -> list[Purchase]:
    """Return a side's drafts, in order."""
    found = (campaign.purchases[id] for id in purchase_totals(campaign).drafts)
    return sort_purchases(draft for draft in found if draft.side is side)
