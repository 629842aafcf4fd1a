"""The secrets of each side, and the campaign as one side may see it.

The enemy does not know: hidden and cloaked counters, hidden fortifications, purchases until they
have been seen on map, Japanese purchases, drafts and pools, a SAN not yet announced, the decision
of 15.616, setup Locations until both sides have set up, and the points for hidden losses until
their row in the casualty ledger is open.
"""

from collections.abc import Set

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Fortification, Piece, Side, Terrain, Unit
from brt_cg.model.fields import fields_marked, schema_of
from brt_cg.model.record import Record
from brt_cg.model.records import Allotment, Casualty, LossKind, Phase, Purchase
from brt_cg.model.shapes import FieldMark


def secret_of(campaign: Campaign, record: Record) -> Side | None:
    """Return the side whose secret a whole record is, or None if both sides may know of it."""
    if isinstance(record, (Piece, Fortification)):
        return campaign.side_hiding(record)
    if isinstance(record, Purchase):
        hidden = record.draft or record.side is Side.JAPANESE
        return record.side if hidden else None
    if isinstance(record, Casualty):
        return None if record.open else record.secret
    if isinstance(record, Allotment):
        return Side.JAPANESE if record.side is Side.JAPANESE else None
    return None


def counter_known_to(campaign: Campaign, id: str, side: Side | None) -> Counter | None:
    """Return the counter with an id that a side (None: the umpire) names, but never one that its
    enemy hides."""
    found = campaign.find(id)
    if found is None or side is None:
        return found
    return None if secret_of(campaign, found) is side.enemy else found


def only_side_allowed_to_read(campaign: Campaign, record: Record) -> Side | None:
    """Return the only side that may read a sentence about a record and its place, if any: for a
    prisoner whose guard is hidden, the guard's."""
    whose = secret_of(campaign, record)
    if whose is not None or not isinstance(record, Unit) or record.guard is None:
        return whose
    guard = campaign.units.get(record.guard)
    return secret_of(campaign, guard) if guard else None


def is_place_secret(campaign: Campaign, record: Counter) -> bool:
    """Whether a counter's Location is its planned setup Location, which is its side's secret until
    both have set up; off map counts as a setup Location, unless the counter was there before."""
    situation = campaign.situation
    if isinstance(record, Fortification) and record.unseen:
        return True
    if situation.phase in (Phase.PURCHASE, Phase.SETUP) and situation.ended is None:
        return not isinstance(record, Terrain)
    retained = isinstance(record, Piece) and (record.setup_area is not None or record.isolated)
    return situation.phase is Phase.SETUP and retained


def is_purchase_site_secret(campaign: Campaign, purchase: Purchase) -> bool:
    """Whether the Location named in a purchase is for a setup that is still to come."""
    situation = campaign.situation
    if situation.phase is Phase.PURCHASE:
        return True
    upcoming = situation.phase in (Phase.REFIT, Phase.SETUP) and situation.date != situation.ended
    return upcoming and purchase.date == situation.date


def visible_campaign(campaign: Campaign, side: Side | None) -> Campaign:
    """Return the campaign as a side (None: the umpire, who sees everything) may see it.

    The result is a clone without the enemy's secrets; no count includes them and no link leads to
    them.
    """
    if side is None:
        return campaign
    view = campaign.clone()
    enemy = side.enemy
    gone: set[str] = set()
    for table in view.tables.values():
        for record in list(table.values()):
            if secret_of(campaign, record) is enemy:
                del table[record.id]
                gone.add(record.id)
    view.numbers = {id: own for id, own in view.numbers.items() if view.find(id) is not None}
    for counter in view.counters():
        if counter.side is enemy:
            _mask(campaign, counter)
        _cut_links(counter, gone)
    for purchase in view.purchases.values():
        purchase.created = tuple(id for id in purchase.created if id not in gone)
        if purchase.side is enemy and is_purchase_site_secret(campaign, purchase):
            _blank(purchase, FieldMark.SITE)
    for row in view.casualties.values():
        if row.secret is enemy:
            row.counter, row.how, row.rule = None, LossKind.ELIMINATED, ""
    _mask_new_capacity(campaign, view, enemy)
    view.sides[enemy].san = view.sides[enemy].announced_san
    _blank(view.situation, FieldMark.OF_NO_SEAT)
    if side is Side.MARINE:
        _blank(view.situation, FieldMark.OWN)
        view.situation.buying = tuple(whose for whose in view.situation.buying if whose == side)
    return view


def _mask(campaign: Campaign, record: Counter) -> None:
    """Remove from an enemy counter everything that its enemy may not know."""
    _blank(record, FieldMark.OWN)
    if is_place_secret(campaign, record):
        _blank(record, FieldMark.SITE)
        if isinstance(record, Piece) and record.isolated and record.setup_area is None:
            record.location = record.recorded_location


def _mask_new_capacity(campaign: Campaign, view: Campaign, enemy: Side) -> None:
    """Show the enemy's pillboxes with the capacity that they had before the current purchases."""
    for purchase in campaign.purchases.values():
        box = view.fortifications.get(purchase.enlarged_pillbox_id or "")
        if box is None or purchase.side is not enemy or purchase.draft:
            continue
        if box.capacity is not None and is_purchase_site_secret(campaign, purchase):
            box.capacity -= purchase.capacity * (1 if purchase.quantity > 0 else -1)


def _blank(record: Record, mark: FieldMark) -> None:
    """Clear the fields of a record that have a mark."""
    for field in fields_marked(type(record), mark).values():
        setattr(record, field.attribute, field.default)


def _cut_links(counter: Counter, gone: Set[str]) -> None:
    """Remove every reference to a counter that is not in the view: links, Locations inside it, and
    the whereabouts of a prisoner, which are the guard's."""
    if isinstance(counter, Unit) and counter.guard in gone:
        _blank(counter, FieldMark.WHERE)
    schema = schema_of(type(counter))
    for name in schema.links:
        if getattr(counter, name) in gone:
            setattr(counter, name, None)
    for name in schema.places:
        place = getattr(counter, name)
        if place is not None and place.partition(":")[2] in gone:
            setattr(counter, name, place.partition(":")[0])
