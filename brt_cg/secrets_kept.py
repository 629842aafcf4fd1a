"""What is secret, from whom, and the campaign as one side may see it.

The enemy does not know: hidden and cloaked counters, hidden fortifications, what was bought until
it has been seen on map, Japanese purchases, drafts and pools, a SAN not yet announced, the decision
of 15.616, and setup Locations until both sides have set up.
"""

from brt_cg.campaign import Allotment, Campaign, Phase, Purchase
from brt_cg.counters import Counter, Fortification, Piece, Record, Side


def secret_of(campaign: Campaign, record: Record) -> Side | None:
    """The side whose secret a record is as a whole, or None if both sides may know of it."""
    if isinstance(record, Purchase):
        hidden = record.draft or record.side is Side.JAPANESE
        return record.side if hidden else None
    if isinstance(record, Allotment):
        return Side.JAPANESE if record.side is Side.JAPANESE else None
    if isinstance(record, Fortification):
        return record.side if record.hidden or record.unseen else None
    if isinstance(record, Piece):
        if record.hidden or record.unseen:
            return record.side
        return _hidden_with(campaign, record)
    return None


def _hidden_with(campaign: Campaign, piece: Piece) -> Side | None:
    """A weapon is as secret as the hidden unit that possesses it or vehicle that carries it."""
    for link in (getattr(piece, "possessor", None), getattr(piece, "vehicle", None)):
        holder = campaign.find(link) if link else None
        if isinstance(holder, Piece) and (holder.hidden or holder.unseen):
            return holder.side
    return None


def setup_is_secret(campaign: Campaign) -> bool:
    """Whether the Locations given at setup are still secret (until both sides have set up)."""
    return campaign.situation.phase is Phase.SETUP


def seen_by(campaign: Campaign, side: Side | None) -> Campaign:
    """The campaign as a side may see it (None: the umpire, who sees everything).

    A clone; the enemy's secrets are gone from it, counts included, and nothing points to them.
    """
    if side is None:
        return campaign
    view = campaign.clone()
    enemy = side.enemy
    for table in view.tables.values():
        for record in list(table.values()):
            if secret_of(campaign, record) is enemy:
                del table[record.id]
    for record in [*view.pieces(), *view.fortifications.values()]:
        if record.side is enemy:
            _mask(view, record)
    view.sides[enemy].san = view.sides[enemy].announced_san
    if side is Side.MARINE:
        view.situation.banzai = None
        if "japanese" in view.situation.buying or "marine" in view.situation.buying:
            view.situation.buying = tuple(s for s in view.situation.buying if s == side)
    return view


def _mask(view: Campaign, record: Counter) -> None:
    """Takes from an enemy counter what its enemy may not know."""
    record.purchase = None
    if setup_is_secret(view) and isinstance(record, Piece):
        if record.setup_area is not None:
            record.location = None
        elif record.isolated:
            record.location = record.recorded_location
    for link in ("possessor", "vehicle", "aboard", "guard"):
        target = getattr(record, link, None)
        if target is not None and view.find(target) is None:
            setattr(record, link, None)
