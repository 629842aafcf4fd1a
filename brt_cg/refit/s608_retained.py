"""15.608: Retained counters, by side and place; hidden Fortifications; and their Control."""

from collections import Counter as Tally
from typing import TypeGuard

from brt_cg.board import OFF_MAP, grid, ground_hex, locations
from brt_cg.card import PlacementCondition
from brt_cg.model import (
    JAPANESE,
    Area,
    Campaign,
    Fortification,
    Piece,
    Side,
    Unit,
    Vehicle,
    Weapon,
    WeaponKind,
    only_side_allowed_to_read,
)
from brt_cg.model.cleanup import keep_hidden_without_holder
from brt_cg.purchases.placement import destination_area
from brt_cg.questions import Option
from brt_cg.refit.play import Play, paragraph
from brt_cg.refit.selection import units_at
from brt_cg.refit.victory import score_controlled_pillbox
from brt_cg.text import count_text


@paragraph("15.6081", nothing="there are no counters on the map")
async def retain_units_and_equipment(play: Play) -> None:
    """All Personnel, equipment and mobile vehicles leave the map, Retained by the side that
    Controls the area or Isolated Location. That side also takes enemy equipment there that nobody
    possesses. Guns, immobile vehicles and Fortifications keep their recorded Location (R-RECORDED).
    Units off map are Retained off map."""
    for vehicle in play.campaign.sort_counters_in_play(play.campaign.vehicles.values()):
        _take_its_weapons(play, vehicle)  # Weapons entered as the enemy's on a captured vehicle
    for equipment in (play.campaign.weapons, play.campaign.vehicles):
        left = (piece for piece in equipment.values() if _is_left(piece, play.campaign))
        for piece in play.campaign.sort_counters_in_play(left):
            _take_over(play, piece)
    await _settle_who_never_had_an_area(play)
    placed = (piece for piece in play.campaign.pieces() if piece.location is not None)
    everything = play.campaign.sort_counters_in_play(piece for piece in placed if not piece.off_map)
    on_map = [piece for piece in everything if not piece.isolated]
    homes = [(piece, _home_of(play, piece)) for piece in on_map]
    homes += [(piece, _home_of_the_unplaced(play, piece)) for piece in _unplaced(play)]
    tally = Tally[str]()
    for piece, area in homes:
        if area is not None and not _besieged(play, piece):
            if play.heard and only_side_allowed_to_read(play.campaign, piece) in (
                None,
                _whose(area),
            ):
                tally[area.id] += 1
            retain_in_area(play, piece, area)
        elif piece.location is None:
            piece.setup_area = None
            play.log_event(piece, "is not set up and is in no Setup Area; enter its Area with edit")
    for piece in everything:
        if isinstance(piece, Vehicle):
            _leaves_its_trench(piece)
    areas = sorted(
        play.campaign.areas.values(), key=lambda area: (area.side is Side.JAPANESE, area.id)
    )
    for area in (area for area in areas if area.id in tally):
        are = "is" if tally[area.id] == 1 else "are"
        words = f"{area.display_name}: {count_text(tally[area.id], 'counter')} {are} Retained"
        play.log(words, secret=_whose(area))


def _besieged(play: Play, piece: Piece) -> bool:
    """Whether a counter is inside a Fortification and not Isolated while enemies are Isolated
    outside in the same hex: it leaves the map only after 15.6082, which depends on the units
    inside."""
    if piece.location is None or ":" not in piece.location:
        return False
    fort = play.campaign.fortifications.get(piece.location.partition(":")[2])
    outside = play.campaign.side_isolated_in(fort.location) if fort else None
    return outside is not None and not piece.isolated


def _whose(area: Area) -> Side | None:
    """Return the only side that may read the count of an area's counters, if any: the count would
    reveal the number of hidden Japanese. The count of a Marine area leaves out hidden counters."""
    return area.side if area.side is JAPANESE else None


def _take_over(play: Play, piece: Piece) -> None:
    """Give unpossessed enemy SW and Guns, and empty enemy vehicles with their Weapons, to the
    Controlling side."""
    if (
        not _is_left(piece, play.campaign)
        or piece.location is None
        or piece.off_map
        or piece.hidden
    ):
        return
    controller = play.campaign.side_controlling(piece.location, play.secret_of(piece))
    if controller is None or controller is piece.side:
        return
    piece.side = controller
    if isinstance(piece, Weapon):
        piece.possessor = None
    verb = "captured" if piece.captured else "recovered"
    play.log_event(piece, f"is {verb} by the {controller.plural}")
    if isinstance(piece, Vehicle):
        _take_its_weapons(play, piece)


def _take_its_weapons(play: Play, vehicle: Vehicle) -> None:
    for weapon in play.campaign.weapons_mounted_on(vehicle):
        if weapon.side is not vehicle.side:
            weapon.side = vehicle.side
            verb = "captured" if weapon.captured else "recovered"
            play.log_event(weapon, f"is {verb} with its vehicle")


def _is_left(piece: Piece, campaign: Campaign) -> TypeGuard[Weapon | Vehicle]:
    """Whether nobody possesses a counter or is in it."""
    if isinstance(piece, Vehicle):
        return not piece.manned and not piece.wreck
    if not isinstance(piece, Weapon) or piece.vehicle is not None:
        return False
    return piece.possessor is None or campaign.units[piece.possessor].prisoner


def _home_of(play: Play, piece: Piece) -> Area | None:
    """Return the area where a counter on map is Retained: its guard's, the one it is in, or, if it
    leaves the Ocean, the nearest of its side. Units that are neither guarded nor armed are settled
    at 15.609, unless they are in an area of their side."""
    if isinstance(piece, Unit) and piece.prisoner and piece.guard:
        guard = play.campaign.units[piece.guard]
        if guard.location is None:
            return _home_of_the_unplaced(play, guard)
        return None if guard.isolated or guard.off_map else _home_of(play, guard)
    area = play.campaign.area_at(piece.location)
    if isinstance(piece, Unit) and not piece.armed:
        return area if area is not None and area.side is piece.side else None
    if piece.is_on_map_without_hex:
        return _home_on_the_table(play, _moved_by(play, piece) or piece, area)
    mover = _moved_by(play, piece) if area is None else None
    if mover is None or _stays_put(play, mover):
        return area
    return _nearest_area(play, mover.side, piece.location or "")


def _home_on_the_table(play: Play, mover: Piece, area: Area | None) -> Area | None:
    """Return the area of a counter whose hex is not known: the area of the hex named with it; if
    that area is the enemy's, or nobody's, the nearest one of its side."""
    if area is not None and area.side is mover.side:
        return area
    return _nearest_area(play, mover.side, mover.location or "")


def _unplaced(play: Play) -> list[Piece]:
    """Return the counters without a Location, bought or Retained and never set up."""
    pieces = (piece for piece in play.campaign.pieces() if piece.location is None)
    return play.campaign.sort_counters_in_play(piece for piece in pieces if not piece.isolated)


def _home_of_the_unplaced(play: Play, piece: Piece) -> Area | None:
    """Return the area where a counter without a Location is Retained: that of its carrier, the one
    where it was before (15.6071; for captives the enemy's too), the one that paid for it, or the
    only one of its side."""
    carrier = _moved_by(play, piece) or piece
    if isinstance(carrier, Unit) and not carrier.armed and carrier.setup_area is not None:
        return play.campaign.areas.get(carrier.setup_area)
    if carrier is not piece and carrier.is_on_map_without_hex:  # the piece needs a hex but has none
        return _home_of(play, carrier)
    own = {area.id: area for area in play.campaign.areas.values() if area.side is carrier.side}
    waited = own.get(carrier.setup_area or "")
    if waited is not None:
        return waited
    bought = play.campaign.purchases.get(carrier.purchase or "")
    area = destination_area(play.campaign, bought.side, bought.beach) if bought else None
    if area is not None and area.id in own:  # otherwise it has been captured since
        return area
    return next(iter(own.values())) if len(own) == 1 else None


async def _settle_who_never_had_an_area(play: Play) -> None:
    """Ask for the area of counters without a Location that have never been in an area, if their
    side has several. Each gets an area, by default the largest."""
    for piece in _unplaced(play):
        areas = [each for each in play.campaign.areas.values() if each.side is piece.side]
        alone = _moved_by(play, piece) in (piece, None)
        if len(areas) < 2 or not alone or _home_of_the_unplaced(play, piece) is not None:
            continue
        if isinstance(piece, Unit) and not piece.armed:
            continue  # 15.609 settles it
        largest = min(areas, key=lambda area: (-len(area.hexes), len(area.id), area.id))
        piece.setup_area = await play.ask_choice(
            piece,
            " has no Location: in which Setup Area is it?",
            *(
                Option(
                    each.id, f"{each.display_name}, {count_text(len(each.hexes), 'hex')}", each.id
                )
                for each in sorted(areas, key=lambda area: (len(area.id), area.id))
            ),
            about="area",
            optional=True,
            default=largest.id,
        )


def _moved_by(play: Play, piece: Piece) -> Unit | Vehicle | None:
    """Return the unit or vehicle that moves a counter: its carrier, else its possessor or guard,
    else itself; None for abandoned equipment."""
    if isinstance(piece, Weapon):
        if piece.vehicle is not None:
            return play.campaign.vehicles[piece.vehicle]
        if piece.possessor is None:
            return None
        return _moved_by(play, play.campaign.units[piece.possessor])
    if isinstance(piece, Unit) and piece.prisoner and piece.guard:
        return _moved_by(play, play.campaign.units[piece.guard])
    if isinstance(piece, Unit):
        return play.campaign.vehicles[piece.aboard] if piece.aboard else piece
    return piece if isinstance(piece, Vehicle) else None


def _stays_put(play: Play, mover: Unit | Vehicle) -> bool:
    """Whether a vehicle stays in its Ocean Location: an immobile one under R-OCEAN-VEHICLES, a
    mobile one under R-OCEAN-MOBILE."""
    if isinstance(mover, Unit):
        return False
    return mover.immobile or play.ruling_value("R-OCEAN-MOBILE") == "stay"


def _nearest_area(play: Play, side: Side, location: str) -> Area | None:
    own = [area for area in play.campaign.areas.values() if area.side is side]
    here = ground_hex(location)
    return min(
        own, key=lambda area: (grid.nearest_hexes(here, area.hexes)[0], area.id), default=None
    )


def retain_in_area(play: Play, piece: Piece, area: Area) -> None:
    """Retain a counter in an area, with its recorded Location if that may matter."""
    piece.setup_area = area.id
    keep_hidden_without_holder(play.campaign, piece)
    if _bound(play, piece):
        on_paper = locations.IN + area.hexes[0] if piece.is_on_map_without_hex else None
        piece.recorded_location = on_paper or piece.location
    if isinstance(piece, Unit) and piece.aboard:
        piece.aboard = None
    if not _stays_on_map(play, piece):
        piece.location = None


def take_over_location_if_deserted(play: Play, location: str | None) -> None:
    """Let the side whose area contains a Location Control it, and Retain equipment left there, once
    nobody is known to be Isolated in it. Hidden units there keep only the equipment that is hidden
    with them: anything else that stayed would reveal them."""
    left = [counter for counter in play.campaign.pieces_at(location) if counter.isolated]
    holding = [play.secret_of(piece) for piece in left if makes_location_isolated(piece)]
    if None in holding:
        return
    left = [piece for piece in left if not holding or play.secret_of(piece) is None]
    for piece in left:
        _take_over(play, piece)
    area = play.campaign.area_at(location)
    for piece in left:
        piece.isolated, piece.recorded_location = False, None
        if area is not None:
            retain_in_area(play, piece, area)
            nobody = f"no unit is Isolated in {play.campaign.location_text(location)} any more"
            play.log(f"{piece.label} is Retained in {area.display_name}, since {nobody}", piece)
    for fort in play.campaign.sort_counters_in_play(play.campaign.fortifications.values()):
        ends = (
            fort.location,
            fort.exit,
            locations.location_inside_fortification(fort.location or OFF_MAP, fort.id),
        )
        if location is not None and location in ends:
            _settle_control(play, fort)


def makes_location_isolated(piece: Piece) -> bool:
    """Whether an Isolated counter makes its Location an Isolated one."""
    return isinstance(piece, Unit) or (isinstance(piece, Vehicle) and piece.manned)


def _leaves_its_trench(vehicle: Vehicle) -> None:
    """End HD for a mobile vehicle that is Retained and leaves the map, Isolated or not; a vehicle
    left in Ocean remains unchanged."""
    retained = vehicle.setup_area is not None or vehicle.isolated
    if retained and not vehicle.immobile:
        vehicle.remove_status("hull_down")


def _bound(play: Play, piece: Piece) -> bool:
    """Whether a counter is bound to its recorded Location (R-RECORDED): a Gun, an immobile vehicle,
    or a Japanese counter left hidden. The Location is also recorded for a vehicle that may yet be
    abandoned (15.6131c) or become a wreck (15.6134) there."""
    if isinstance(piece, Weapon) and piece.kind is WeaponKind.GUN:
        return piece.hidden or play.ruling_value("R-RECORDED") == "guns"
    if isinstance(piece, Vehicle) and (piece.immobile or piece.captured):
        return True
    return piece.hidden or piece.has_status("stunned", "stun_plus1")


def _stays_on_map(play: Play, piece: Piece) -> bool:
    """Whether a counter is an immobile vehicle, or its Weapon: these keep their Location."""
    if isinstance(piece, Weapon) and piece.vehicle is not None:
        return play.campaign.vehicles[piece.vehicle].immobile
    return isinstance(piece, Vehicle) and piece.immobile


def place_retained_vehicle(play: Play, vehicle: Vehicle) -> None:
    """Put a Retained vehicle and its Weapons where they now belong: an immobile one in its recorded
    Location, a mobile one off map in its area. Isolated ones, and those that are not in any area,
    stay where they are; a wreck is no longer Isolated (15.6072)."""
    if vehicle.isolated and vehicle.wreck:
        vehicle.isolated, area = False, play.campaign.area_at(vehicle.location)
        if area is not None:
            retain_in_area(play, vehicle, area)
        take_over_location_if_deserted(play, vehicle.location)
    if vehicle.setup_area is None:
        return
    vehicle.location = (vehicle.location or vehicle.recorded_location) if vehicle.immobile else None
    for weapon in play.campaign.weapons_mounted_on(vehicle):
        weapon.location = vehicle.location


def clear_recorded_location_if_mobile(vehicle: Vehicle) -> None:
    """Free a mobile vehicle from its recorded Location, unless it stays hidden there."""
    if vehicle.setup_area is not None and not vehicle.immobile and not vehicle.hidden:
        vehicle.recorded_location = None


@paragraph("15.6082", nothing="no Fortification is revealed or changes hands")
async def reveal_fortifications_and_set_control(play: Play) -> None:
    """A still-hidden Fortification in a Location that its owner's enemy Controls is placed on map
    (a tunnel or Passage only if both its ends are enemy-Controlled). Each on-map Fortification is
    Controlled by the side whose Setup Area, or Isolated Location, it is in (R-MANNED-PILLBOX)."""
    placed = (fort for fort in play.campaign.fortifications.values() if fort.location is not None)
    for fort in play.campaign.sort_counters_in_play(placed):
        _settle_control(play, fort)
    _reveal_garrisons(play)
    besieged = (piece for piece in play.campaign.pieces() if _besieged(play, piece))
    for piece in play.campaign.sort_counters_in_play(besieged):
        if (area := _home_of(play, piece)) is not None:
            play.log_event(piece, f"is Retained in {area.display_name}")
            retain_in_area(play, piece, area)


def _reveal_garrisons(play: Play) -> None:
    """Reveal, if R-HIDDEN-GARRISON says so, the units hidden inside a pillbox that the enemy
    Controls by R-MANNED-PILLBOX `hex`."""
    campaign = play.campaign
    if (
        play.ruling_value("R-HIDDEN-GARRISON") == "stays"
        or play.ruling_value("R-MANNED-PILLBOX") != "hex"
    ):
        return
    besieged = (unit for unit in campaign.units.values() if _besieged(play, unit) and unit.hidden)
    for unit in campaign.sort_counters_in_play(besieged):
        fort = campaign.fortifications[(unit.location or "").partition(":")[2]]
        if fort.controller is unit.side.enemy:
            unit.reveal()
            for weapon in campaign.weapons_possessed_by(unit):
                weapon.reveal()
            words = f"is revealed, because the enemy Controls {fort.label}"
            play.log_event(unit, words, fort, ruling="R-HIDDEN-GARRISON")


def _settle_control(play: Play, fort: Fortification) -> None:
    if fort.hidden and _uncovered(play, fort):
        fort.hidden = False
        fort.unseen = False
        play.log_event(fort, "is placed on map, because the enemy Controls its Location")
    controller = fort.side if fort.hidden else _controller(play, fort)
    garrison = _garrison(play.campaign, fort)
    contested = not fort.hidden and any(_besieged(play, unit) for unit in garrison)
    ruling = "R-MANNED-PILLBOX" if contested else None
    whose = f"{controller.label}-Controlled" if controller else "Controlled by neither side"
    changes = controller is not fort.controller
    if controller is Side.MARINE and fort.is_pillbox:
        by_hex = play.campaign.side_isolated_in(fort.location) and not garrison
        score_controlled_pillbox(play, fort, "R-EMPTY-PILLBOX" if by_hex else ruling)
    fort.controller = controller
    if changes:
        play.log_event(fort, f"is {whose}", ruling=ruling)
    elif ruling is not None:
        play.log_event(fort, f"stays {whose}", ruling=ruling)


def _uncovered(play: Play, fort: Fortification) -> bool:
    controllers = [_controller(play, fort)]
    if play.card.has_placement_condition(fort.type, PlacementCondition.TWO_LOCATIONS):
        controllers.append(play.campaign.side_controlling(fort.exit, fort.side))
    return all(controller is fort.side.enemy for controller in controllers)


def _controller(play: Play, fort: Fortification) -> Side | None:
    hidden_by = play.secret_of(fort)
    return play.campaign.side_controlling(location_deciding_control(play.campaign, fort), hidden_by)


def location_deciding_control(campaign: Campaign, fort: Fortification) -> str | None:
    """Return the Location that decides the Control of a Fortification: its inside while somebody is
    there (R-MANNED-PILLBOX; if Isolated, R-ISOLATED-AREA), else its own."""
    if fort.location is None or fort.off_map:
        return None
    by_hex = campaign.ruling_value("R-MANNED-PILLBOX") == "hex"
    hold_it = any(unit.isolated or not by_hex for unit in _garrison(campaign, fort))
    return (
        locations.location_inside_fortification(fort.location, fort.id)
        if hold_it
        else fort.location
    )


def _garrison(campaign: Campaign, fort: Fortification) -> list[Unit]:
    """Return the units that hold a Fortification from inside; hidden units can hold only a hidden
    one."""
    there = units_at(
        campaign, locations.location_inside_fortification(fort.location or OFF_MAP, fort.id)
    )
    known_to = (None, campaign.side_hiding(fort))
    return [unit for unit in there if unit.is_opposing and campaign.side_hiding(unit) in known_to]
