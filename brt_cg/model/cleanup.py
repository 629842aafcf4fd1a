"""The consequences for counters when the Fortification or level around them, the counter that hid
them, or their possessor is gone."""

from brt_cg.board import ground_hex, location_inside_fortification
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import COUNTERS, Fortification, Piece, Terrain, Unit


def move_counters_out(campaign: Campaign, gone: Fortification | Terrain) -> None:
    """Move the counters inside a removed Fortification, or on a removed level, to its hex."""
    places = {gone.location}
    if isinstance(gone, Fortification):
        ends = filter(None, (gone.location, gone.exit))
        places = {location_inside_fortification(end, gone.id) for end in ends}
    for place in places - {None}:
        for kind in COUNTERS:
            there = campaign.tables[kind.TABLE].records_with("location", place)
            for part in (part for part in there if part is not gone):
                if isinstance(part, Piece) and gone.hidden:
                    keep_hidden_without_holder(campaign, part)
                part.location = ground_hex(place)
        for table in (campaign.units, campaign.weapons, campaign.vehicles):
            for piece in table.records_with("recorded_location", place):
                piece.recorded_location = ground_hex(place)


def keep_hidden_without_holder(campaign: Campaign, piece: Piece) -> None:
    """Hide a counter by itself if it was hidden only by its possessor, its vehicle or the
    Fortification around it."""
    if campaign.side_hiding(piece) is not None and not (piece.hidden or piece.unseen):
        piece.add_status("hidden")


def release_possessions_and_prisoners(campaign: Campaign, unit: Unit) -> None:
    """Take all possessions from a unit, and free its prisoners."""
    for weapon in campaign.weapons_possessed_by(unit):
        weapon.possessor = None
    for prisoner in campaign.prisoners_of(unit):
        prisoner.guard = None
