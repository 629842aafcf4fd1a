"""Placing units and vehicles, with all that goes with them."""

from brt_cg.counters import Unit, Vehicle
from brt_cg.refit.play import Play


def place_unit(play: Play, unit: Unit, location: str | None) -> None:
    """Puts a unit in a Location, with its SW and Guns and its prisoners."""
    unit.location = location
    for weapon in play.campaign.possessed_by(unit):
        weapon.location = location
    for prisoner in play.campaign.prisoners_of(unit):
        prisoner.location = location


def place_vehicle(play: Play, vehicle: Vehicle, location: str | None) -> None:
    """Puts a vehicle in a Location, with its Weapons, its Passengers and Riders."""
    vehicle.location = location
    for weapon in play.campaign.mounted_on(vehicle):
        weapon.location = location
    for rider in play.campaign.aboard(vehicle):
        place_unit(play, rider, location)
