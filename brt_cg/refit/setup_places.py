"""The allowed places at setup (15.6201-15.6202)."""

from collections.abc import Container, Iterable, Iterator, Mapping, Set

from brt_cg.board import grid, ground_hex, locations
from brt_cg.card import Card, PlacementCondition, reason_hex_is_required
from brt_cg.model import (
    Area,
    Campaign,
    Counter,
    Fortification,
    Piece,
    Purchase,
    Side,
    Unit,
    Vehicle,
    Weapon,
    WeaponKind,
)
from brt_cg.purchases.limits import beach_maximum_breaches_by_location, is_placed_in_ocean
from brt_cg.purchases.placement import (
    Spot,
    inside_fortification_problem,
    is_forbidden_emplacement,
    placement_breaches,
)
from brt_cg.purchases.totals import CountedPurchases
from brt_cg.refit.trial import changes_rolled_back
from brt_cg.text import first_few_text


def isolated_setup_locations(campaign: Campaign, piece: Piece) -> tuple[str, ...]:
    """Return the Locations in which an Isolated unit may set up: its recorded one and, for a Marine
    not bound to it (R-RECORDED), the ADJACENT friendly-Controlled ones (15.6201)."""
    recorded = piece.recorded_location
    if recorded is None:
        return ()
    if piece.side is Side.JAPANESE or bound_location(campaign, piece) is not None:
        return (recorded,)
    near = (
        place
        for place in _adjacent_places(campaign, recorded)
        if campaign.side_controlling(place, piece.side) is piece.side
    )
    into = () if isinstance(piece, Vehicle) else _adjacent_pillboxes(campaign, recorded, piece.side)
    return tuple(dict.fromkeys((recorded, *near, *into)))


def _adjacent_places(campaign: Campaign, location: str) -> Iterator[str]:
    """Yield the ADJACENT Locations: the ground level of the adjacent hexes, and that in its own hex
    if it is in a pillbox or on level 1; the levels above and below; and its own level in the
    adjacent hexes. Upper levels are those of buildings that were entered, or that contain an
    Isolated unit."""
    hex, place = locations.split_location(location)
    level = int(place) if place is not None and place.isdigit() else 0
    if level == 1 or (place is not None and place in campaign.fortifications):
        yield hex
    near = [each for each in grid.neighbors(hex) if not locations.is_ocean(each)]
    yield from near
    beside = [(hex, level - 1), (hex, level + 1)] if place is None or level else []
    upper = [f"{each}:{high}" for each, high in beside if high > 0]
    upper += [f"{each}:{level}" for each in near if level]
    yield from (each for each in upper if _is_known_level(campaign, each))


def _is_known_level(campaign: Campaign, location: str) -> bool:
    built = campaign.terrain.records_with("location", location)
    return any(part.in_play for part in built) or any(
        piece.isolated for piece in campaign.pieces_at(location)
    )


def _adjacent_pillboxes(campaign: Campaign, location: str, side: Side) -> Iterator[str]:
    """Yield the insides of the pillboxes that a side Controls in the hex, or the hexes around."""
    hex, place = locations.split_location(location)
    if place is not None and place.isdigit():
        return
    near = {hex, *grid.neighbors(hex)}
    for box in campaign.sort_counters_in_play(campaign.fortifications.values()):
        mine = box.is_pillbox and box.in_play and box.controller is side
        if (
            mine
            and box.location is not None
            and not box.off_map
            and ground_hex(box.location) in near
        ):
            yield locations.location_inside_fortification(box.location, box.id)


def bound_location(campaign: Campaign, piece: Piece) -> str | None:
    """Return the recorded Location that a Retained counter must set up in, if it is bound to one
    (R-RECORDED: Guns, immobile vehicles, and Japanese counters left hidden)."""
    if piece.recorded_location is None or piece.off_map or not piece.retained:
        return None
    if isinstance(piece, Vehicle):
        return piece.recorded_location if piece.immobile or piece.hidden else None
    if _is_a_gun(piece):
        bound = piece.hidden or campaign.ruling_value("R-RECORDED") == "guns"
        return piece.recorded_location if bound else None
    return piece.recorded_location if piece.hidden else None


def _is_a_gun(counter: Counter) -> bool:
    return isinstance(counter, Weapon) and counter.kind is WeaponKind.GUN


def pieces_to_set_up(campaign: Campaign, side: Side) -> list[Piece]:
    """Return the counters of a side that may be named at 15.6202: those without a Location, and
    those bound to theirs."""
    return campaign.sort_counters_in_play(
        piece
        for piece in campaign.pieces()
        if piece.side is side
        and not piece.isolated
        and not piece.off_map
        and not _goes_with_another(piece)
        and (
            piece.location is None
            or not campaign.areas
            or bound_location(campaign, piece) is not None
        )
    )


def _goes_with_another(piece: Piece) -> bool:
    """Whether a piece is where another one is: a vehicle's armament or passenger, or a prisoner."""
    if isinstance(piece, Unit):
        return piece.prisoner or piece.aboard is not None
    return isinstance(piece, Weapon) and piece.vehicle is not None


def purchase_for_coming_scenario(campaign: Campaign, counter: Counter) -> Purchase | None:
    """Return the purchase for the coming scenario that created a counter. Earlier purchases have
    been in play and set up like everything else."""
    bought = campaign.purchases.get(counter.purchase or "")
    return bought if bought is not None and bought.date == campaign.situation.date else None


def on_table_locations_and_refusals(
    campaign: Campaign, counters: Iterable[Counter]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return, by id, the counters waiting for setup that may be "set up on the table" in their
    area, each with the Location that means this ("in N18"; for the possessor of a Gun in a hex,
    that hex); and the others, each with the reason. Counters that move with another one are in
    neither."""
    given, why = dict[str, str](), dict[str, str]()
    for counter in counters:
        if not isinstance(counter, Piece):
            why[counter.id] = "a Fortification needs a Location"
            continue
        if carrier_id(counter) is not None:
            continue
        area = campaign.areas.get(counter.setup_area or "")
        bound = bound_location(campaign, counter)
        if bound is not None:
            why[counter.id] = f"bound to {campaign.location_text(bound)}"
        elif area is None:
            why[counter.id] = (
                "in no Setup Area: name its hex (N21), or an area by one of its hexes (in N21)"
            )
        elif (needed := reason_hex_is_required(counter)) is not None:
            why[counter.id] = f"{needed} needs its hex"
        else:
            given[counter.id] = _with_its_gun(campaign, counter, area) or _within(area)
    return given, why


def _within(area: Area) -> str:
    return locations.IN + area.hexes[0]


def _with_its_gun(campaign: Campaign, counter: Counter, area: Area) -> str | None:
    """Return the hex of the Gun that a unit possesses, if that is in its area."""
    held = campaign.weapons_possessed_by(counter) if isinstance(counter, Unit) else ()
    places = [gun.location for gun in held if _is_a_gun(gun) and gun.location is not None]
    near = (place for place in places if not locations.is_area_only_location(place))
    return next((place for place in near if ground_hex(place) in area.hexes), None)


def location_planned_at_purchase(campaign: Campaign, piece: Piece) -> str | None:
    """Return the Location named when a counter was bought for the coming scenario."""
    bought = purchase_for_coming_scenario(campaign, piece)
    return bought.location if bought is not None and piece.location is None else None


def bought_pieces_moving_with(campaign: Campaign, counter: Counter) -> list[Piece]:
    """Return the pieces that move with a counter and were bought for the coming scenario, because
    these may be barred from a place where their crew may set up."""
    return [
        piece
        for piece in _going_along(campaign, counter)
        if purchase_for_coming_scenario(campaign, piece)
    ]


def unplaced_fortifications(campaign: Campaign, side: Side) -> list[Fortification]:
    """Return bought Fortifications of a side that have no Location yet."""
    return campaign.sort_counters_in_play(
        fort
        for fort in campaign.fortifications.values()
        if fort.side is side and fort.location is None
    )


def isolated_fortification_problem(
    campaign: Campaign, card: Card, counter: Counter, spot: Spot
) -> str | None:
    """Return the reason why a new Fortification may not be in a Location at 15.6201: it must be an
    Isolated Location of its side, if its row of the price list allows that."""
    assert isinstance(counter, Fortification)
    place = spot.location
    if campaign.side_isolated_in(place, counter.side) is not counter.side:
        return f"{place} is not an Isolated Location of the {counter.side.plural} (15.6201)"
    return _breaches(campaign, card, counter, spot)


def _breaches(campaign: Campaign, card: Card, counter: Counter, spot: Spot) -> str | None:
    found = placement_breaches(campaign, card, counter, spot)
    return "; ".join(map(str, found)) or None


def setup_place_problem(
    campaign: Campaign, card: Card, land: Set[str], counter: Counter, spot: Spot
) -> str | None:
    """Return the reason why a Location is not allowed at 15.6202; None if it is allowed
    (R-SETUP-LIST)."""
    place = spot.location
    bound = bound_location(campaign, counter) if isinstance(counter, Piece) else None
    if bound is not None and not locations.is_area_only_location(
        bound
    ):  # on paper the hex is not known
        return None if place == bound else f"bound to {campaign.location_text(bound)} (R-RECORDED)"
    if place == "off_map":
        return None if isinstance(counter, Piece) else "a Fortification cannot be off map"
    if isinstance(counter, Piece) and locations.is_area_only_location(place):
        trial = counter.replace(location=place)
        if (why := reason_hex_is_required(trial)) is not None:
            return f"{place}: {why} sets up in a hex"
    if isinstance(counter, Piece) and (
        problem := inside_fortification_problem(campaign, place, counter.side)
    ):
        return f"{place}: {problem} (R-SETUP-LIST)"
    if isinstance(counter, Vehicle) and not _for_vehicles(campaign, place):
        return f"{place}: a vehicle sets up on the ground or in a trench (R-SETUP-LIST)"
    large = isinstance(counter, Vehicle) or _is_a_gun(counter)
    if large and is_forbidden_emplacement(campaign, locations.hex_of_location(place)):
        return f"{place} is a Gun Emplacement hex: no Gun or vehicle may set up there (T8.1)"
    if isinstance(counter, Fortification) and (
        campaign.side_isolated_in(place, counter.side) is counter.side
    ):
        return f"{place} is an Isolated Location: it sets up there at 15.6201"
    if (
        isinstance(counter, Fortification)
        or purchase_for_coming_scenario(campaign, counter) is not None
    ):
        problem = _breaches(campaign, card, counter, spot)
        if problem or isinstance(counter, Fortification):
            return problem
    if ground_hex(place) not in land:
        where = "Ocean" if locations.is_ocean(place) else "not in play"
        return f"{place} is {where} (R-SETUP-LIST)"
    if isinstance(counter, Piece) and _is_the_enemys(campaign, place, counter.side):
        return f"{place} is an Isolated Location of the enemy (R-SETUP-LIST)"
    area = campaign.areas.get(counter.setup_area or "")
    if campaign.areas and area is None:
        return "Retained in no Setup Area"
    if area is not None and ground_hex(place) not in area.hexes:
        return f"Retained in {area.display_name}, and {place} is not in that Area (R-SETUP-LIST)"
    return None


def _for_vehicles(campaign: Campaign, place: str) -> bool:
    """Whether a vehicle may be in a Location: never upstairs, and inside a Fortification only hull
    down in a trench."""
    _, inside = locations.split_location(place)
    fort = campaign.fortifications.get(inside or "")
    return inside in (None, "pier") or (fort is not None and fort.type == "trench")


def _is_the_enemys(campaign: Campaign, place: str, side: Side) -> bool:
    """Whether the enemy is known to be Isolated in a Location, as recorded; its setup Location is
    secret."""
    return any(
        piece.isolated
        and piece.side is not side
        and place == piece.recorded_location
        and piece.in_play
        and piece.is_opposing
        and campaign.side_hiding(piece) is None
        for piece in (*campaign.units.values(), *campaign.vehicles.values())
    )


def setup_problems_together(
    campaign: Campaign, card: Card, chosen: Mapping[str, Spot]
) -> list[str]:
    """Return the problems with the chosen places as a whole: a SW taken along to a forbidden place
    (15.6141), mines left without a tetrahedron, a hexside breached twice (15.6143), a unit inside a
    Fortification that sets up elsewhere or nowhere."""
    wrong: dict[str, list[str]] = {}  # pieces that move with another, by their problem
    for key, spot in chosen.items():
        counter = campaign.find(key)
        if counter is None or spot.location == locations.OFF_MAP:
            continue
        for piece in bought_pieces_moving_with(campaign, counter):
            if piece.id not in chosen:
                for breach in placement_breaches(campaign, card, piece, Spot(spot.location)):
                    wrong.setdefault(str(breach), []).append(piece.label)
    problems = [
        f"{first_few_text(along)}, going along: {breach}" for breach, along in wrong.items()
    ]
    forts = campaign.fortifications.values()
    chosen_forts = [fort for fort in forts if fort.id in chosen]
    if problems:
        return problems
    mines = [
        fort
        for fort in forts
        if card.has_placement_condition(fort.type, PlacementCondition.WITH_TETRAHEDRON)
    ]
    others = [(mine, mine.location) for mine in mines if mine.id not in chosen]
    stood = [
        mine
        for mine, where in others
        if where is not None and not placement_breaches(campaign, card, mine, Spot(where))
    ]
    with changes_rolled_back(campaign):
        for fort in chosen_forts:
            set_setup_location_with_companions(campaign, fort, chosen[fort.id], chosen)
        problems = [
            f"{fort.label}: {breach}"
            for fort in campaign.sort_counters_in_play([*chosen_forts, *stood])
            for breach in placement_breaches(campaign, card, fort, Spot(fort.location or ""))
        ]
        problems += _too_many_afloat(campaign, card, chosen_forts)
        return [*problems, *_in_nothing(campaign, chosen)]


def _too_many_afloat(campaign: Campaign, card: Card, chosen: list[Fortification]) -> Iterator[str]:
    """Yield the problems of beaches with more tetrahedra or mines than their maximum (15.6143 b,
    n)."""
    bought = {fort.type: fort.purchase for fort in chosen if fort.purchase is not None}
    own = {fort.purchase for fort in chosen if fort.purchase is not None}
    reported = set()
    for item in sorted(bought):
        price = card.prices.get(item)
        if price is not None and is_placed_in_ocean(price):
            reported |= {
                *beach_maximum_breaches_by_location(
                    campaign, card, price, CountedPurchases(campaign), *sorted(own)
                )
            }
    yield from sorted(map(str, reported))


def _in_nothing(campaign: Campaign, chosen: Mapping[str, Spot]) -> Iterator[str]:
    """Yield the problems of counters inside a Fortification that would itself be elsewhere or
    without a Location."""
    for piece in campaign.pieces():
        place = chosen[piece.id].location if piece.id in chosen else piece.location
        if not piece.in_play or place is None or ":" not in place:
            continue
        fort = campaign.fortifications.get(locations.split_location(place)[1] or "")
        if fort is None or not {piece.id, fort.id} & chosen.keys():
            continue
        where = fort.location and inside_fortification_problem(campaign, place, fort.side)
        if fort.location is None or where is not None:
            problem = where or f"{fort.label} has no Location"
            yield f"{piece.label}: {place}: {problem} (R-SETUP-LIST)"


def set_setup_location_with_companions(
    campaign: Campaign, counter: Counter, spot: Spot, named: Container[str]
) -> None:
    """Give a counter its Location for the next scenario, and the same Location to everything that
    moves with it: a unit's SW and prisoners, a vehicle's armament and those aboard; but not to
    those `named` (ids), which get their own, nor "in N18" to a counter that needs a hex."""
    counter.location = spot.location
    if isinstance(counter, Fortification):
        counter.exit = spot.exit or counter.exit
        counter.covered_arc = spot.covered_arc or counter.covered_arc
    for companion in _going_along(campaign, counter):
        along = companion.replace(location=spot.location)
        placed = not along.is_on_map_without_hex or reason_hex_is_required(along) is None
        if companion.id not in named and placed:
            set_setup_location_with_companions(campaign, companion, Spot(spot.location), named)


def located_text(side: Side, located: int, of: int) -> str:
    """Return how many of a side's counters were given a Location, for the log."""
    return f"the {side.plural} entered a Location for {located or 'none'} of {of} counters"


def carrier_id(weapon: Counter) -> str | None:
    """Return the id of the unit that a SW moves with, if only the unit is given a Location."""
    if isinstance(weapon, Weapon) and weapon.kind is WeaponKind.SW and not weapon.hidden:
        return weapon.possessor
    return None


def _going_along(campaign: Campaign, counter: Counter) -> list[Piece]:
    if isinstance(counter, Unit):
        sw = (weapon for weapon in campaign.weapons_possessed_by(counter) if carrier_id(weapon))
        return [*sw, *campaign.prisoners_of(counter)]
    if isinstance(counter, Vehicle):
        return [*campaign.weapons_mounted_on(counter), *campaign.units_aboard(counter)]
    return []
