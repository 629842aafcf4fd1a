"""Purchases as data, for lists and for the Beach Defense Record; nothing here is worded."""

from dataclasses import dataclass

from brt_cg.campaign import Campaign
from brt_cg.card import Card
from brt_cg.counters import Fate, Side
from brt_cg.purchases import ledger, limits, pools
from brt_cg.purchases.breach import Breach
from brt_cg.purchases.pools import Account, Amounts
from brt_cg.records import Purchase
from brt_cg.secrets_kept import secret_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One record of the ledger. A void has negative quantity and total, and names what it `voids`;
    `voided_by` is the record that voids this one. `capacity` is a pillbox's whole stacking capacity
    in squad-equivalents. `in_play` and `lost` are the ids of what it created."""

    id: str
    date: str
    initial: bool
    side: Side
    beach: str | None
    points: str
    item: str
    name: str
    quantity: int
    unit_cost: int
    total: int
    exponent: int
    location: str | None
    exit: str | None
    covered_arc: tuple[str, ...]
    capacity: int | None
    entered_by: str | None
    entered_at: str | None
    draft: bool
    voids: str | None
    voided_by: str | None
    reason: str | None
    in_play: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BeachRecord:
    """One beach's page of the Beach Defense Record: its account and what was bought from it."""

    account: Account
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class DraftReport:
    """A side's drafts at the prices of this moment: running total, the accounts as they would be,
    and every limit that buying them now would break."""

    rows: tuple[Row, ...]
    total: Amounts
    accounts: tuple[Account, ...]
    breaches: tuple[Breach, ...]


def list_purchases(campaign: Campaign, card: Card, viewer: Side | None) -> tuple[Row, ...]:
    """All records that a side may see (None: all of both), in the order in which they were made."""
    seen = (one for one in campaign.purchases.values() if _may_see(campaign, one, viewer))
    return tuple(_row(campaign, card, one) for one in ledger.in_order(seen))


def beach_records(campaign: Campaign, card: Card, viewer: Side | None) -> tuple[BeachRecord, ...]:
    """The Beach Defense Record as a side may see it: the Marines' page, then one for each beach;
    the Japanese pages are theirs alone. Drafts are not in it."""
    rows = [row for row in list_purchases(campaign, card, viewer) if not row.draft]
    wanted = Side.MARINE if viewer is Side.MARINE else None
    return tuple(
        BeachRecord(
            one,
            tuple(
                row
                for row in rows
                if row.side is one.side and pools.beach_of(row.side, row.beach) == one.beach
            ),
        )
        for one in pools.accounts(campaign, card, wanted)
    )


def draft_report(campaign: Campaign, card: Card, side: Side) -> DraftReport:
    """What a side has drafted, what is left if it is bought, and what that would break."""
    drafted = [ledger.priced(campaign, card, one) for one in ledger.drafts(campaign, side)]
    spent = [one for one in campaign.purchases.values() if not one.draft]
    after = (
        pools.account(campaign, side, one.beach, [*spent, *drafted])
        for one in pools.accounts(campaign, card, side)
    )
    return DraftReport(
        tuple(_row(campaign, card, one) for one in drafted),
        pools.total(pools.cost(one) for one in drafted),
        tuple(after),
        tuple(limits.draft_breaches(campaign, card, side)),
    )


def _may_see(campaign: Campaign, purchase: Purchase, viewer: Side | None) -> bool:
    return viewer is None or secret_of(campaign, purchase) is not viewer.enemy


def _row(campaign: Campaign, card: Card, one: Purchase) -> Row:
    price = card.prices.get(one.item)
    choosable = price is not None and price.creates.extra_capacity_cost is not None
    normal = price.creates.capacity if price is not None else None
    void = ledger.void_of(campaign, one)
    counters = [found for found in map(campaign.find, one.created) if found is not None]
    return Row(
        id=one.id,
        date=one.date,
        initial=one.initial,
        side=one.side,
        beach=one.beach,
        points=one.points,
        item=one.item,
        name=price.name if price is not None else one.item,
        quantity=one.quantity,
        unit_cost=one.unit_cost,
        total=one.total,
        exponent=one.exponent,
        location=one.location,
        exit=one.exit,
        covered_arc=one.covered_arc,
        capacity=(normal or 0) + one.capacity if choosable else None,
        entered_by=one.entered_by,
        entered_at=one.entered_at,
        draft=one.draft,
        voids=one.voids,
        voided_by=None if void is None else void.id,
        reason=one.reason,
        in_play=tuple(found.id for found in counters if found.fate is Fate.IN_PLAY),
        lost=tuple(found.id for found in counters if found.fate is not Fate.IN_PLAY),
    )
