"""15.607-15.6072: the Marine Perimeters, the Setup Areas that they define, and the Isolated
units."""

from collections import Counter as Tally
from functools import cache

from brt_cg.board import grid, ground_hex, locations, sort_hexes
from brt_cg.board.perimeters import (
    ALLOWED,
    Perimeters,
    perimeters_text,
    read_perimeters,
    split_perimeters,
)
from brt_cg.card import Card
from brt_cg.model import (
    COUNTERS,
    JAPANESE,
    MARINE,
    Area,
    Campaign,
    Counter,
    Piece,
    Side,
    Unit,
    Vehicle,
    Weapon,
    area_name,
    only_side_allowed_to_read,
)
from brt_cg.questions import AnswerForm, EntryQuestion, Raw, RefusedError, raise_problems
from brt_cg.refit.play import Play, paragraph
from brt_cg.refit.selection import counters_by_map_location
from brt_cg.refit.trial import run_with_defaults
from brt_cg.text import count_text, short_json

OCEAN = ("R-OCEAN-VEHICLES", "R-OCEAN-MOBILE")  # the rulings on immobile and on mobile vehicles


def land_in_play(play: Play) -> frozenset[str]:
    """Return all hexes in play that are not Ocean (the pier counts as land)."""
    return locations.non_ocean_hexes(play.card.highest_hex_number(play.campaign.current_rulings))


@paragraph("15.607", nothing="there is nothing to enter")
async def enter_perimeters(play: Play) -> None:
    """The Marine player enters each Marine Perimeter as a set of hexes in play, apart from the
    others: connected and not Ocean, unless R-PERIMETER leaves that free."""
    stated = await play.ask(
        EntryQuestion(
            subject="marine",
            side=Side.MARINE,
            prompt="Enter the Marine Perimeters",
            public=True,
            reader=lambda raw: _read_perimeters(play, raw),
            hint='a list of perimeters, each a list of hexes or ranges: [["N18-N21", "M18"], …]; '
            "none",
            form=PERIMETERS,
            default=[list(hexes) for hexes in play.campaign.situation.perimeters],
            nothing=[],
        )
    )
    play.campaign.situation.perimeters = stated
    units = (unit for unit in play.campaign.units.values() if unit.location and not unit.off_map)
    armed = [unit for unit in units if unit.in_play and unit.armed]
    for hexes in stated if play.heard else ():
        play.log(
            f"Marine Perimeter of {count_text(len(hexes), 'hex')}: "
            f"{locations.hexes_as_ranges(hexes)}"
        )
        _warn(play, hexes, armed)
    if not stated:
        play.log("the Marines hold no Perimeter")


PERIMETERS = AnswerForm(
    hint="hexes and ranges, / between perimeters: N18-N21 M18 / T26-T28; none",
    typed=split_perimeters,
    worded=lambda raw: perimeters_text(tuple(_hexes(parts) for parts in raw or [])),
    painted=True,
)


def _hexes(parts: list[str]) -> tuple[str, ...]:
    return tuple(hex for part in parts for hex in locations.expand_hex_range(part))


def _read_perimeters(play: Play, raw: Raw) -> Perimeters:
    """Read Perimeters of hexes in play, which must be connected and not Ocean unless R-PERIMETER
    leaves that free."""
    if not isinstance(raw, list):
        raise RefusedError(f"{short_json(raw)} is not accepted; enter {ALLOWED}")
    free = play.ruling_value("R-PERIMETER") == "free"
    highest = play.card.highest_hex_number(play.campaign.current_rulings)
    stated, wrong = read_perimeters(raw, highest, free=free)
    raise_problems(f"perimeter {index + 1}: {message}" for index, _, message in wrong)
    return stated


def _warn(play: Play, hexes: tuple[str, ...], armed: list[Unit]) -> None:
    """Warn of a Perimeter without Marines, or with an enemy, inside (R-PERIMETER)."""
    within = frozenset(hexes)
    inside = [unit for unit in armed if ground_hex(unit.location or "") in within]
    if not any(piece.side is Side.MARINE for piece in inside):
        play.log(f"warning: no Marine unit is inside the Perimeter that includes {hexes[0]}")
    for enemy in play.campaign.sort_counters_in_play(
        unit for unit in inside if unit.side is Side.JAPANESE
    ):
        play.log(
            f"warning: {play.name_with_place(enemy)} is inside the Perimeter that includes "
            f"{hexes[0]}",
            enemy,
        )


@paragraph("15.6071", nothing="no hex is in play")
async def divide_into_setup_areas(play: Play) -> None:
    """Each Marine Perimeter is a Marine Setup Area. The other hexes in play that are not Ocean are
    the Japanese Setup Area; there are several only where the Marines have split the defense
    completely (R-SPLIT)."""
    old = list(play.campaign.areas.values())
    for area in old:
        play.campaign.remove(area)
    perimeters = play.campaign.situation.perimeters
    held = {hex for perimeter in perimeters for hex in perimeter}
    pieces = grid.connected_groups(land_in_play(play) - held)
    japanese = _japanese_areas(play, pieces, old)
    for side, letter, found in ((Side.MARINE, "M", perimeters), (Side.JAPANESE, "J", japanese)):
        ordered = sorted(map(sort_hexes, found), key=lambda hexes: locations.hex_sort_key(hexes[0]))
        for number, hexes in enumerate(ordered, start=1):
            play.campaign.add(Area(id=f"{letter}{number}", side=side, hexes=hexes))
            play.log(
                f"Area {letter}{number}: {side.label} Setup Area of {count_text(len(hexes), 'hex')}"
            )
    _wait_in_the_new_areas(play, old)


def _wait_in_the_new_areas(play: Play, old: list[Area]) -> None:
    """Move counters that were Retained and never set up to the new area of their side (for
    captives, of their captors) that shares most hexes with their old one (ties: lowest id). In a
    campaign adopted in progress the old areas are unknown, and the area with the same id is
    used."""
    known = {area.id: frozenset(area.hexes) for area in old}
    new = sorted(play.campaign.areas.values(), key=lambda area: (len(area.id), area.id))
    sides = {area.id: area.side for area in (*new, *old)}

    @cache
    def becomes(side: Side, before: str) -> str | None:
        own = [area for area in new if area.side is side]
        if before not in known:
            return next((area.id for area in own if area.id == before), None)
        shared = {area.id: len(known[before].intersection(area.hexes)) for area in own}
        return max(shared, key=lambda id: shared[id]) if any(shared.values()) else None

    moved = Tally[tuple[Side, str | None, str]]()
    for piece in play.campaign.sort_counters_in_play(pieces_never_set_up(play.campaign)):
        before, held = piece.setup_area, isinstance(piece, Unit) and not piece.armed
        whose = sides.get(before or "", piece.side) if held else piece.side
        piece.setup_area = becomes(whose, before)
        if piece.setup_area is not None and only_side_allowed_to_read(play.campaign, piece) is None:
            moved[piece.side, before, piece.setup_area] += 1
    for (side, last, now), many in moved.items():
        move = "moves" if many == 1 else "move"
        words = f"{count_text(many, 'counter')} without a Location {move} from "
        secret = side if side is Side.JAPANESE else None
        words += f"{area_name(last or '')} to {area_name(now)}, which has most of its hexes"
        play.log(words, secret=secret)


def pieces_never_set_up(campaign: Campaign) -> list[Piece]:
    """Return the counters that were Retained in an area and never set up."""
    waiting = (piece for piece in campaign.pieces() if piece.in_play and piece.location is None)
    return [piece for piece in waiting if piece.setup_area is not None]


def _japanese_areas(
    play: Play, pieces: list[frozenset[str]], old: list[Area]
) -> list[frozenset[str]]:
    """Return the areas by R-SPLIT: the connected pieces with Japanese counters known to both sides,
    or with counters to be set up there. The other pieces belong to the largest of them; with
    `nobody`, they belong to none, and hidden counters count too."""
    ruling = play.ruling_value("R-SPLIT")
    if ruling == "every" or len(pieces) <= 1:
        return pieces
    campaign = play.campaign
    known_only = ruling == "manned"

    def counts(counter: Counter) -> bool:
        taken = isinstance(counter, Unit) and counter.prisoner
        mine = counter.side is Side.JAPANESE and counter.in_play and not taken
        return mine and not (known_only and play.secret_of(counter) is not None)

    placed = [
        (ground_hex(location), there)
        for location, there in counters_by_map_location(campaign, *COUNTERS)
    ]
    homes = {piece.setup_area for piece in pieces_never_set_up(campaign) if counts(piece)}
    waited = [
        frozenset(area.hexes) for area in old if area.side is Side.JAPANESE and area.id in homes
    ]
    # If an area was cut in two, they are Retained in the piece with most of its hexes.
    parts = (max((hexes & piece for piece in pieces), key=len) for hexes in waited)
    waiting = frozenset(hex for part in parts for hex in part)
    manned = [
        piece
        for piece in pieces
        if piece & waiting or any(hex in piece and any(map(counts, there)) for hex, there in placed)
    ]
    manned = manned or [max(pieces, key=len)]
    if not known_only:
        return manned
    largest = max(manned, key=len)
    pockets = frozenset(hex for piece in pieces if piece not in manned for hex in piece)
    return [piece | pockets if piece is largest else piece for piece in manned]


@paragraph(
    "15.6072",
    nothing="no unit is cut off from its side's Setup Areas",
    subjects=OCEAN,
)
async def isolate_cut_off_units(play: Play) -> None:
    """A Marine unit on map outside every Marine area, or a Japanese one inside one, is Isolated:
    its Location, and the equipment there, are recorded. Prisoners, unarmed units and wrecks are
    not; R-OCEAN-VEHICLES and R-OCEAN-MOBILE decide about vehicles left in the Ocean."""
    campaign = play.campaign
    for piece in campaign.pieces():
        if piece.in_play:
            _forget_the_last_refit(piece)
            if piece.location is None:
                _join_its_carrier(play, piece)
    await _agree_on_the_ocean(play)
    armed: tuple[Unit | Vehicle, ...] = (*campaign.units.values(), *campaign.vehicles.values())
    for piece in campaign.sort_counters_in_play(
        piece for piece in armed if is_cut_off(play, piece)
    ):
        isolate_in_place(piece)
        play.log_event(piece, "is Isolated")
    for vehicle in campaign.vehicles.values():
        empty = vehicle.in_play and not vehicle.manned and not vehicle.wreck
        if empty and _is_with_the_isolated(play, vehicle):
            isolate_in_place(vehicle)
    for weapon in campaign.weapons.values():
        if weapon.in_play and _is_with_the_isolated(play, weapon):
            isolate_in_place(weapon)


async def _agree_on_the_ocean(play: Play) -> None:
    """Agree on the rulings on vehicles in Ocean Locations, before they matter: the ruling on mobile
    ones of either side (15.6081), and the ruling on immobile Marine ones with anybody in them."""
    campaign = play.campaign
    vehicles = (vehicle for vehicle in campaign.vehicles.values() if vehicle.location)
    afloat = campaign.sort_counters_in_play(
        each for each in vehicles if locations.is_ocean(each.location)
    )
    stuck = [vehicle for vehicle in afloat if vehicle.immobile and vehicle.side is Side.MARINE]
    held = (
        vehicle
        for vehicle in stuck
        if vehicle.manned or any(map(_is_a_unit, campaign.units_aboard(vehicle)))
    )
    await play.ask_ruling_if_not_agreed("R-OCEAN-VEHICLES", *held)
    await play.ask_ruling_if_not_agreed(
        "R-OCEAN-MOBILE", *(vehicle for vehicle in afloat if not vehicle.immobile)
    )


def campaign_divided_by_perimeters(campaign: Campaign, card: Card, stated: Perimeters) -> Campaign:
    """Return a copy of a campaign with these Perimeters: with the resulting Setup Areas and
    Isolated units."""
    after = campaign.clone()
    after.situation.perimeters = stated
    play = Play("15.607", after, card)

    async def follow() -> None:
        await divide_into_setup_areas.play(play)
        await isolate_cut_off_units.play(play)

    run_with_defaults(follow)
    return after


def _forget_the_last_refit(piece: Piece) -> None:
    """Clear the records of an earlier Refit Phase. A hidden counter's Location was recorded in this
    one (15.602), and a counter that was never set up remains in its area (15.6081)."""
    if piece.isolated:
        piece.isolated = False
    if piece.setup_area is not None and piece.location is not None:
        piece.setup_area = None
    if piece.recorded_location is not None and not piece.hidden:
        piece.recorded_location = None


def _join_its_carrier(play: Play, piece: Piece) -> None:
    """Put a counter without a Location where its possessor, vehicle or guard is."""
    piece.location = _place_of(play, piece)
    piece.setup_area = None if piece.location is not None else piece.setup_area


def _place_of(play: Play, piece: Piece) -> str | None:
    carriers = (getattr(piece, link, None) for link in ("vehicle", "possessor", "aboard", "guard"))
    carrier = play.campaign.find(next(filter(None, carriers), ""))
    if piece.location is not None or not isinstance(carrier, Piece):
        return piece.location
    return _place_of(play, carrier)


def isolate_in_place(piece: Piece) -> None:
    """Isolate a counter in its Location, and record that Location."""
    piece.isolated = True
    piece.recorded_location = piece.location


def _is_with_the_isolated(play: Play, equipment: Weapon | Vehicle) -> bool:
    """Whether equipment is with an Isolated unit: armament with its vehicle, a possessed Weapon
    with its possessor, others with the Isolated units in that Location."""
    if isinstance(equipment, Weapon) and equipment.vehicle is not None:
        return play.campaign.vehicles[equipment.vehicle].isolated
    if isinstance(equipment, Weapon) and equipment.possessor is not None:
        return play.campaign.units[equipment.possessor].isolated
    hidden_by = play.secret_of(equipment)
    return play.campaign.side_isolated_in(equipment.location, hidden_by) is not None


def is_cut_off(play: Play, piece: Unit | Vehicle) -> bool:
    """Whether a unit is where it is Isolated: a Marine outside every Marine area, a Japanese inside
    one; not a prisoner or unarmed unit, an empty vehicle, or one that R-OCEAN-VEHICLES leaves."""
    if (
        piece.location is None
        or piece.off_map
        or piece.is_on_map_without_hex
        or not _is_a_unit(piece)
    ):
        return False
    if piece.side is JAPANESE:
        area = play.campaign.area_at(piece.location)
        return area is not None and area.side is MARINE
    carrier = _carrier(play, piece)
    if carrier is not None and locations.is_ocean(piece.location):
        stuck, mobile = OCEAN
        return play.ruling_value(stuck if carrier.immobile else mobile) == "isolated"
    area = play.campaign.area_at(piece.location)
    return area is None or area.side is not MARINE


def _carrier(play: Play, piece: Unit | Vehicle) -> Vehicle | None:
    if isinstance(piece, Vehicle):
        return piece
    return play.campaign.vehicles.get(piece.aboard) if piece.aboard else None


def _is_a_unit(piece: Unit | Vehicle) -> bool:
    """Whether a counter counts as a unit: prisoners and unarmed units are dealt with at 15.609, and
    an empty vehicle is not a unit."""
    if isinstance(piece, Unit):
        return piece.armed
    return piece.manned
