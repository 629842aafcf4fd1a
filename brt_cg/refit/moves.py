"""The placement of units and vehicles, with everything that moves with them."""

from brt_cg.model import Campaign, Piece, Unit, Vehicle
from brt_cg.refit.play import Play


def is_in_friendly_area(campaign: Campaign, piece: Piece) -> bool:
    """Whether a counter is Retained in an area of its side, or where it is Isolated
    (R-ISOLATED-AREA); off map is not an area."""
    home = campaign.retained_place(piece)
    area = campaign.areas.get(home) if home is not None else None
    return area.side is piece.side if area else piece.isolated and home is not None


def place_piece_with_possessions(play: Play, piece: Unit | Vehicle, location: str | None) -> None:
    """Put a unit in a Location, with its SW and Guns and its prisoners; a vehicle with its Weapons,
    its Passengers and Riders."""
    campaign, piece.location = play.campaign, location
    if isinstance(piece, Unit):
        for part in (*campaign.weapons_possessed_by(piece), *campaign.prisoners_of(piece)):
            part.location = location
        return
    for weapon in campaign.weapons_mounted_on(piece):
        weapon.location = location
    for rider in campaign.units_aboard(piece):
        place_piece_with_possessions(play, rider, location)
