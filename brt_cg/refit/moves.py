"""Places units and vehicles, with everything that goes with them."""

from brt_cg.model.counters import Unit, Vehicle
from brt_cg.refit.play import Play


def place(play: Play, piece: Unit | Vehicle, location: str | None) -> None:
    """Puts a unit in a Location, with its SW and Guns and its prisoners; a vehicle with its
    Weapons, its Passengers and Riders."""
    campaign, piece.location = play.campaign, location
    if isinstance(piece, Unit):
        for part in (*campaign.possessed_by(piece), *campaign.prisoners_of(piece)):
            part.location = location
        return
    for weapon in campaign.mounted_on(piece):
        weapon.location = location
    for rider in campaign.aboard(piece):
        place(play, rider, location)
