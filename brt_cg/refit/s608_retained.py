"""15.608: what is Retained, by whom and where; hidden Fortifications; who Controls them."""

from brt_cg import board
from brt_cg.campaign import Area, ground
from brt_cg.counters import Fortification, Piece, Side, Unit, Vehicle, Weapon, WeaponKind
from brt_cg.refit.play import Play, paragraph

TWO_ENDED = ("tunnel", "passage")


@paragraph("15.6081", "Retained units", nothing="nothing is on map")
async def retained_units(play: Play) -> None:
    """All Personnel, equipment and mobile vehicles leave the map, Retained by the side that Controls
    the area or Isolated Location; what they find there unpossessed of the enemy's becomes theirs.
    Guns, immobile vehicles and Fortifications keep their recorded Location (R-RECORDED). Units off
    map are Retained off map."""
    for weapon in play.campaign.in_order(play.campaign.weapons.values()):
        _take_over(play, weapon, free=weapon.possessor is None and weapon.vehicle is None)
    for vehicle in play.campaign.in_order(play.campaign.vehicles.values()):
        if _take_over(play, vehicle, free=not vehicle.manned and not vehicle.wreck):
            for weapon in play.campaign.mounted_on(vehicle):
                weapon.side = vehicle.side
    homes = {piece.id: _home_of(play, piece) for piece in play.campaign.pieces() if piece.in_play}
    tally: dict[str, int] = {}
    for piece in play.campaign.in_order(play.campaign.pieces()):
        if piece.location is None or piece.off_map or piece.isolated:
            continue
        area = homes[piece.id]
        if area is not None and _retain(play, piece, area):
            tally[area.id] = tally.get(area.id, 0) + 1
    for name in play.campaign.areas:
        if name in tally:
            play.say(f"{name}: {tally[name]} counters Retained", secret=_whose(play, name))


def _whose(play: Play, area: str) -> Side | None:
    """A count of Japanese counters tells how many are hidden: it is theirs alone."""
    side = play.campaign.areas[area].side
    return side if side is Side.JAPANESE else None


def _take_over(play: Play, piece: Weapon | Vehicle, *, free: bool) -> bool:
    """Unpossessed enemy SW and Guns, and empty enemy vehicles, become the Controlling side's."""
    if piece.location is None or piece.off_map or not free or piece.hidden:
        return False
    controller = play.campaign.controller(piece.location)
    if controller is None or controller is piece.side:
        return False
    piece.side = controller
    verb = "captured" if piece.captured else "recovered"
    play.tell(piece, f"{verb} by the {controller.label} side")
    return True


def _home_of(play: Play, piece: Piece) -> Area | None:
    """The area that a counter on map is Retained in: its guard's, possessor's or carrier's, the one
    it stands in, or (from Ocean) the nearest of its side."""
    if isinstance(piece, Unit) and piece.prisoner and piece.guard:
        guard = play.campaign.units.get(piece.guard)
        return None if guard is None or guard.isolated else _home_of(play, guard)
    if isinstance(piece, Unit) and piece.has("unarmed") and not piece.prisoner:
        area = play.campaign.area_at(piece.location)
        return area if area is not None and area.side is piece.side else None
    if isinstance(piece, Vehicle) and _stays_in_ocean(play, piece):
        return None
    carrier = _carrier_of(play, piece)
    if carrier is not None and _stays_in_ocean(play, carrier):
        return None
    area = play.campaign.area_at(piece.location)
    if area is not None:
        return area
    return _nearest_area(play, piece)


def _carrier_of(play: Play, piece: Piece) -> Vehicle | None:
    link = getattr(piece, "vehicle", None) or getattr(piece, "aboard", None)
    possessor = play.campaign.units.get(getattr(piece, "possessor", None) or "")
    if link is None and possessor is not None:
        link = possessor.aboard
    return play.campaign.vehicles.get(link) if link else None


def _stays_in_ocean(play: Play, vehicle: Vehicle) -> bool:
    """Immobile vehicles left in Ocean stay in their Location (R-OCEAN-VEHICLES); mobile ones as
    R-OCEAN-MOBILE says."""
    if vehicle.location is None or vehicle.off_map or not board.is_ocean(vehicle.location):
        return False
    return vehicle.immobile or play.ruling("R-OCEAN-MOBILE") == "stay"


def _nearest_area(play: Play, piece: Piece) -> Area | None:
    own = [area for area in play.campaign.areas.values() if area.side is piece.side]
    if not own or piece.location is None:
        return None
    here = ground(piece.location)
    return min(own, key=lambda area: (board.nearest(here, area.hexes)[0], area.id))


def _retain(play: Play, piece: Piece, area: Area) -> bool:
    """Retains a counter in an area, with its recorded Location where it is bound to it."""
    here = piece.location
    piece.setup_area = area.id
    if isinstance(piece, Vehicle) and piece.immobile:
        piece.recorded_location = here
        return True
    if _bound(play, piece):
        piece.recorded_location = here
    if isinstance(piece, Vehicle):
        piece.lose("hull_down")
    if isinstance(piece, Weapon) and piece.vehicle is not None:
        carrier = play.campaign.vehicles.get(piece.vehicle)
        if carrier is not None and carrier.immobile:
            return True
    piece.location = None
    return True


def _bound(play: Play, piece: Piece) -> bool:
    """R-RECORDED: a Gun, and a Japanese counter left hidden, is bound to its recorded Location."""
    if isinstance(piece, Weapon) and piece.kind is WeaponKind.GUN:
        return play.ruling("R-RECORDED") == "guns"
    return piece.hidden


@paragraph("15.6082", "Hidden Fortifications", nothing="there is no Fortification")
async def hidden_fortifications(play: Play) -> None:
    """A still-hidden Fortification in a Location that its owner's enemy Controls goes on map (a
    tunnel or Passage only if both its ends are enemy-Controlled). Each on-map Fortification is
    Controlled by the side whose area, or Isolated Location, it is in."""
    for fort in play.campaign.in_order(play.campaign.fortifications.values()):
        if fort.hidden and _uncovered(play, fort):
            fort.hidden = False
            fort.unseen = False
            play.tell(fort, "placed on map: the enemy Controls its Location")
        controller = fort.side if fort.hidden else play.campaign.controller(fort.location)
        if controller is not fort.controller:
            fort.controller = controller
            whose = f"{controller.label}-Controlled" if controller else "Controlled by nobody"
            play.tell(fort, whose)


def _uncovered(play: Play, fort: Fortification) -> bool:
    ends = [fort.location]
    if fort.type in TWO_ENDED:
        ends.append(fort.exit)
    return all(play.campaign.controller(end) is fort.side.enemy for end in ends)
