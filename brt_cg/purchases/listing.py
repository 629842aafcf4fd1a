"""Purchases as data, for lists and for the Beach Defense Record."""

from dataclasses import dataclass

from brt_cg.card import Card
from brt_cg.immutable import immutable
from brt_cg.model import Campaign, Fate, Purchase, Side, secret_of
from brt_cg.purchases import ledger, limits, pools
from brt_cg.purchases.breach import Breach
from brt_cg.purchases.pools import Account, Amounts
from brt_cg.purchases.totals import (
    CountedPurchases,
    Fund,
    drafts_of,
    fund_of,
    sort_purchases,
    void_record_of,
)


@dataclass(kw_only=True, slots=True)
class ListedPurchase(Purchase):
    """A record of the ledger with the additional data of a list.

    `name` is the item's name; `whole_capacity` is a pillbox's stacking capacity in
    squad-equivalents, None if it cannot be chosen; `voided_by` is the record that voids this one;
    `in_play` and `lost` are the ids of the counters that it created.
    """

    name: str
    whole_capacity: int | None
    voided_by: str | None
    in_play: tuple[str, ...]
    lost: tuple[str, ...]


@immutable
class BeachDefensePage:
    """One beach's page of the Beach Defense Record: its account and its purchases."""

    account: Account
    rows: tuple[ListedPurchase, ...]


@immutable
class DraftReport:
    """A side's drafts at current prices: the total, the accounts as they would be, and every limit
    that buying them now would break."""

    rows: tuple[ListedPurchase, ...]
    total: Amounts
    accounts: tuple[Account, ...]
    breaches: tuple[Breach, ...]


def list_purchase_records(
    campaign: Campaign, card: Card, viewer: Side | None
) -> tuple[ListedPurchase, ...]:
    """Return all records that a side may see (None: all of both), in the order in which they were
    made."""
    return tuple(
        _listed(campaign, card, purchase)
        for purchase in sort_purchases(campaign.purchases.values())
        if viewer is None or secret_of(campaign, purchase) is not viewer.enemy
    )


def beach_defense_pages(
    campaign: Campaign, card: Card, viewer: Side | None
) -> tuple[BeachDefensePage, ...]:
    """Return the Beach Defense Record as a side may see it: the Marines' page, then one for each
    beach; only the Japanese see their pages. Drafts are not included."""
    rows = [row for row in list_purchase_records(campaign, card, viewer) if not row.draft]
    wanted = Side.MARINE if viewer is Side.MARINE else None
    of_fund: dict[Fund, list[ListedPurchase]] = {}
    for row in rows:
        of_fund.setdefault(fund_of(row.side, row.beach), []).append(row)
    accounts = pools.list_accounts(campaign, card, wanted)
    return tuple(
        BeachDefensePage(account, tuple(of_fund.get(account.fund, ()))) for account in accounts
    )


def draft_report(campaign: Campaign, card: Card, side: Side) -> DraftReport:
    """Return a side's drafts, the points left if they are bought, and the limits they would
    break."""
    drafted = [ledger.priced_purchase(campaign, card, draft) for draft in drafts_of(campaign, side)]
    return DraftReport(
        tuple(_listed(campaign, card, draft) for draft in drafted),
        pools.sum_amounts(pools.purchase_amounts(draft) for draft in drafted),
        tuple(pools.list_accounts(campaign, card, side, CountedPurchases(campaign, drafted))),
        tuple(limits.draft_breaches(campaign, card, side)),
    )


def _name(card: Card, purchase: Purchase) -> str:
    """Return the name of the purchased item."""
    if purchase.enlarged_pillbox_id is not None:
        return f"More capacity for pillbox {purchase.enlarged_pillbox_id}"
    price = card.prices.get(purchase.item)
    return price.name if price is not None else purchase.item


def _listed(campaign: Campaign, card: Card, purchase: Purchase) -> ListedPurchase:
    price = card.prices.get(purchase.item)
    raised = purchase.enlarged_pillbox_id is not None
    choosable = price is not None and not raised and price.creates.extra_capacity_cost is not None
    normal = price.creates.capacity if price is not None else None
    void = void_record_of(campaign, purchase)
    counters = [*filter(None, map(campaign.find, purchase.created))]
    return ListedPurchase(
        **dict(zip(purchase.names(), purchase.values(), strict=True)),
        name=_name(card, purchase),
        whole_capacity=(normal or 0) + purchase.capacity if choosable else None,
        voided_by=None if void is None else void.id,
        in_play=tuple(found.id for found in counters if found.fate is Fate.IN_PLAY),
        lost=tuple(found.id for found in counters if found.fate is not Fate.IN_PLAY),
    )
