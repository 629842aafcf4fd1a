"""What becomes of counters that leave what was around them, what hid them, or who had them."""

from brt_cg.board.locations import ground, inside
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import COUNTERS, Fortification, Piece, Terrain, Unit


def vacate(campaign: Campaign, gone: Fortification | Terrain) -> None:
    """Moves whatever is inside a Fortification, or on a level, that is removed to its hex."""
    places = {gone.location}
    if isinstance(gone, Fortification):
        ends = filter(None, (gone.location, gone.exit))
        places = {inside(end, gone.id) for end in ends}
    for place in places - {None}:
        for kind in COUNTERS:
            there = campaign.tables[kind.TABLE].having("location", place)
            for part in (part for part in there if part is not gone):
                if isinstance(part, Piece) and gone.hidden:
                    keep_secret(campaign, part)
                part.location = ground(place)
        for table in (campaign.units, campaign.weapons, campaign.vehicles):
            for piece in table.having("recorded_location", place):
                piece.recorded_location = ground(place)


def keep_secret(campaign: Campaign, piece: Piece) -> None:
    """Hides a counter by itself that was only hidden with its possessor, its vehicle or the
    Fortification around it."""
    if campaign.hidden_by(piece) is not None and not (piece.hidden or piece.unseen):
        piece.gain("hidden")


def let_go(campaign: Campaign, unit: Unit) -> None:
    """Takes from a unit whatever it possesses, and frees its prisoners."""
    for weapon in campaign.possessed_by(unit):
        weapon.possessor = None
    for prisoner in campaign.prisoners_of(unit):
        prisoner.guard = None
