"""Creation and removal of the counters of a purchase (Guns with their crews, Fortifications, a SAN
point)."""

from collections.abc import Iterable, Iterator
from itertools import count, islice
from typing import Any

from brt_cg.card import Card, CreatedKind, Price, PrintedType, fill_in_printed_figures
from brt_cg.model import (
    Area,
    Campaign,
    Counter,
    Fate,
    Fortification,
    Piece,
    Purchase,
    Unit,
    UnitClass,
    UnitKind,
    Weapon,
    secret_of,
)
from brt_cg.model.cleanup import move_counters_out, release_possessions_and_prisoners
from brt_cg.model.hidden_ids import ids_for_secret_purchase_counters
from brt_cg.purchases.placement import destination_area
from brt_cg.purchases.voids import is_purchased_counter_lost


def create_purchased_counters(
    campaign: Campaign, card: Card, purchase: Purchase, types: Iterable[PrintedType] = ()
) -> list[Counter]:
    """Create the counters of a purchase, and list them in it: pj17-1, pj17-2, …, a Gun's crew
    pj17-1-crew; they have the printed values of their `types`. A SAN increase takes effect
    immediately (15.6143 c)."""
    price = card.prices[purchase.item]
    if price.per_refit is not None:
        campaign.sides[purchase.side].san += purchase.quantity
    made: list[Counter] = []
    if purchase.enlarged_pillbox_id is not None:
        _raise(campaign, purchase, purchase.capacity)
    elif price.creates.kind is not CreatedKind.NONE:
        for id in islice(_free_ids(campaign, purchase, price.creates.kind), purchase.quantity):
            made += _one(campaign, card, price, purchase, id)
    for counter in made:
        fill_in_printed_figures(counter, (), types, campaign)
        campaign.tables[counter.TABLE][counter.id] = counter
    purchase.created = tuple([counter.id for counter in made])
    return made


def _raise(campaign: Campaign, purchase: Purchase, more: int) -> None:
    """Increase the capacity of an existing pillbox, or reduce it again (15.6142)."""
    box = campaign.fortifications[purchase.enlarged_pillbox_id or ""]
    box.capacity = max(1, (box.capacity or 1) + more)


def _free_ids(campaign: Campaign, purchase: Purchase, kind: CreatedKind) -> Iterator[str]:
    """Yield pj17-1, pj17-2, …, skipping ids that an imported campaign already uses; for a secret
    purchase, yield ids that reveal nothing."""
    ids: Iterator[str] = (f"{purchase.id}-{number}" for number in count(1))
    if campaign.hidden_ids_key is not None and secret_of(campaign, purchase) is not None:
        ids = ids_for_secret_purchase_counters(
            campaign.hidden_ids_key, purchase.side, purchase.id, kind
        )
    return (id for id in ids if campaign.find(id) is None and campaign.find(f"{id}-crew") is None)


def _crew_id(campaign: Campaign, purchase: Purchase, gun: str) -> str:
    if campaign.hidden_ids_key is None or secret_of(campaign, purchase) is None:
        return f"{gun}-crew"
    ids = ids_for_secret_purchase_counters(campaign.hidden_ids_key, purchase.side, gun, "crew")
    return next(id for id in ids if campaign.find(id) is None)


def _one(
    campaign: Campaign, card: Card, price: Price, purchase: Purchase, id: str
) -> list[Counter]:
    if price.creates.kind is CreatedKind.FORTIFICATION:
        return [_fortification(price, purchase, id)]
    weapon = _weapon(price, purchase, id)
    pieces: list[Piece] = [weapon]
    if price.creates.crew:
        crew = _crew(card, purchase, _crew_id(campaign, purchase, id))
        weapon.possessor = crew.id
        pieces.append(crew)
    area = destination_area(campaign, purchase.side, purchase.beach)
    for piece in pieces:
        _place(piece, area, purchase.location)
    return list(pieces)


def _begun(purchase: Purchase, id: str) -> dict[str, Any]:
    """Return the fields that all counters of a purchase share."""
    return {"id": id, "purchase": purchase.id, "unseen": True, "side": purchase.side}


def _fortification(price: Price, purchase: Purchase, id: str) -> Fortification:
    made = price.creates
    return Fortification(
        **_begun(purchase, id),
        location=purchase.location,
        type=purchase.item,
        exit=purchase.exit,
        covered_arc=purchase.covered_arc,
        hidden=made.hidden,
        capacity=None if made.capacity is None else made.capacity + purchase.capacity,
        ca_tem=made.ca_tem,
        nca_tem=made.nca_tem,
        controller=purchase.side,
    )


def _weapon(price: Price, purchase: Purchase, id: str) -> Weapon:
    assert price.creates.weapon_kind is not None, f"{price.key} is a weapon without a kind"
    own, kind = _begun(purchase, id), price.creates.weapon_kind
    return Weapon(**own, nation=purchase.side, kind=kind, type=price.name)


def _crew(card: Card, purchase: Purchase, id: str) -> Unit:
    """Return a 2-2-8 Infantry crew (15.6141)."""
    crew = Unit(**_begun(purchase, id), kind=UnitKind.CREW, class_=UnitClass.ELITE, type="")
    crew.type = card.ladders.digits_of_unit(crew)
    return crew


def _place(piece: Piece, area: Area | None, location: str | None) -> None:
    """Retain a counter in its beach's area, bound to the Location ordered; before there are areas,
    put it in that Location."""
    if area is None:
        piece.location = location
        return
    piece.setup_area = area.id
    if isinstance(piece, Weapon):
        piece.recorded_location = location


def remove_purchased_counters(
    campaign: Campaign, card: Card, purchase: Purchase
) -> tuple[list[Counter], list[Counter]]:
    """Remove the counters of a purchase. Return those removed and those already lost in play."""
    if card.prices[purchase.item].per_refit is not None:
        record = campaign.sides[purchase.side]
        record.san = max(0, record.san - purchase.quantity)
    raised = campaign.fortifications.get(purchase.enlarged_pillbox_id or "")
    if raised is not None and not is_purchased_counter_lost(purchase, raised):
        _raise(campaign, purchase, -purchase.capacity)
    made = [*filter(None, map(campaign.find, purchase.created))]
    lost = [counter for counter in made if is_purchased_counter_lost(purchase, counter)]
    gone = [counter for counter in made if counter not in lost]
    for counter in gone:
        _take_away(campaign, counter)
    return gone, lost


def _take_away(campaign: Campaign, counter: Counter) -> None:
    if isinstance(counter, Fortification):
        move_counters_out(campaign, counter)
    counter.fate = Fate.ELIMINATED
    counter.location = None
    if isinstance(counter, Piece):
        counter.place_unisolated(None)
    if isinstance(counter, Weapon):
        counter.possessor = None
    if isinstance(counter, Unit):
        counter.aboard = counter.guard = None
        release_possessions_and_prisoners(campaign, counter)
