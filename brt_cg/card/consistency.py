"""The contradictions in a counter, either in itself or with other counters."""

from collections.abc import Callable, Iterator

from brt_cg.board import OFF_MAP, ground_hex, locations
from brt_cg.card.games import Card
from brt_cg.card.prices import CreatedKind, PlacementCondition
from brt_cg.model import (
    COUNTERS,
    INTO_ANOTHER,
    Campaign,
    Counter,
    Fortification,
    Piece,
    Side,
    Terrain,
    Unit,
    UnitClass,
    Vehicle,
    Weapon,
    WeaponKind,
    schema_of,
)
from brt_cg.text import list_text, short_json

Find = Callable[[str], Counter | None]
Wrong = Iterator[tuple[str, str]]  # fields, and the problems with them

A_COUNTER = "the id of a counter"


def counter_contradictions(counter: Counter, card: Card, before: Counter | None = None) -> Wrong:
    """Yield the contradictions within a counter, or between it and the ladders. An impossible state
    that it already had `before` does not count: old campaigns have such counters."""
    if isinstance(counter, Unit):
        yield from _unit(counter, card)
    elif isinstance(counter, Vehicle):
        yield from _vehicle(counter, card)
    elif isinstance(counter, Fortification):
        yield from _fortification(counter, card)
    if isinstance(counter, Piece) and counter.in_play and counter.is_on_map_without_hex:
        why = reason_hex_is_required(counter)
        if why is not None:
            yield "location", f"{short_json(counter.location)} is not a hex; {why} needs its hex"
    if counter.in_play:
        kept = () if before is None else tuple(impossible_state_problems(before))
        yield from (wrong for wrong in impossible_state_problems(counter) if wrong not in kept)
    if counter.became is not None and counter.in_play:
        yield (
            "became",
            f"{short_json(counter.became)} is not accepted for a counter in play; enter null",
        )
    elif counter.became is None and counter.fate in INTO_ANOTHER:
        yield "became", f"missing; {counter.fate} into what? enter {A_COUNTER}"


def impossible_state_problems(counter: Counter) -> Wrong:
    """Yield the states of a counter that the rules do not allow: a unit without a broken side is
    broken, a Marine is a T-H Hero, or a vehicle without a crew is not abandoned."""
    if isinstance(counter, Unit) and counter.has_status("broken") and not counter.has_broken_side:
        yield "status", f"broken: {no_broken_side_text(counter)}"
    hunts = isinstance(counter, Unit) and counter.has_trait("tank_hunter")
    if hunts and counter.side is Side.MARINE:
        yield "traits", "tank_hunter: only the Japanese have T-H Heroes (G1.421)"
    left = isinstance(counter, Vehicle) and not counter.inherent_crew and not counter.wreck
    if isinstance(counter, Vehicle) and left and not counter.has_status("abandoned"):
        wrong = "a vehicle without its Inherent crew is abandoned (15.6131)"
        yield "status", f"{wrong}: add the status abandoned, or give it its crew"


def no_broken_side_text(unit: Unit) -> str:
    """Word the reason why a unit cannot be broken, and the probable intention."""
    rule = "G1.4" if unit.smc else "G1.3" if unit.crew else "G1.1"
    instead = "wounded" if unit.smc else "reduced"
    wrong = f"a Japanese {unit.kind.label} has no broken side ({rule})"
    return f"{wrong}; did you mean {instead}?"


def reason_hex_is_required(piece: Piece) -> str | None:
    """Return the reason why a counter on map must have a hex, and cannot be "in N18"; None if it
    does not need one, like free Personnel, their possessions, mobile manned vehicles and guarded
    prisoners. A counter hidden "in N18" is hidden on its player's side record, and may even be a
    Gun."""
    if piece.has_status("cloaked"):
        return "a cloaked counter (15.602)"
    if piece.has_status("encircled"):
        return "an Encircled counter"
    if isinstance(piece, Unit):
        return "a prisoner without a guard" if piece.prisoner and piece.guard is None else None
    if not isinstance(piece, Vehicle | Weapon):
        return None
    if piece.captured:
        return "a captured counter"
    if isinstance(piece, Vehicle):
        stuck = piece.immobile or piece.has_status("stunned", "stun_plus1")
        return "a vehicle that is immobile, bogged, mired, stunned or a wreck" if stuck else None
    if piece.possessor is None and piece.vehicle is None:
        gun = piece.kind is WeaponKind.GUN
        return "an unpossessed Gun" if gun else "unpossessed equipment"
    return "a known Gun" if _is_a_bare_gun(piece) else None


def _is_a_bare_gun(weapon: Weapon) -> bool:
    return weapon.kind is WeaponKind.GUN and not weapon.hidden


def _unit(unit: Unit, card: Card) -> Wrong:
    if unit.smc and unit.class_ is not None:
        allowed = (None, UnitClass.ELITE) if unit.side is Side.MARINE else (None,)
        if unit.class_ not in allowed:
            yield "class", f"{short_json(unit.class_)} is not accepted for an SMC; enter null"
    problem = card.ladders.no_such_counter_reason(unit)
    if problem is not None:
        yield "type", problem
    if unit.guard is not None and not unit.prisoner:
        yield "guard", "only a unit with the status prisoner has one; enter null"


def _vehicle(vehicle: Vehicle, card: Card) -> Wrong:
    try:
        card.ladders.armor_leader_drm(vehicle.armor_leader)
    except ValueError as error:
        yield "armor_leader", str(error)


def _fortification(fortification: Fortification, card: Card) -> Wrong:
    bought = (
        k for k, item in card.prices.items() if item.creates.kind is CreatedKind.FORTIFICATION
    )
    types = (*bought, "pillbox")
    if fortification.type not in types:
        yield "type", f"{short_json(fortification.type)} is not accepted; enter {list_text(types)}"
        return
    if fortification.location is not None:
        hexside = "/" in fortification.location
        due = card.has_placement_condition(fortification.type, PlacementCondition.HEXSIDE)
        if hexside != due:
            bare = f"a Location: a {fortification.type} is not on a hexside"
            allowed = "a hexside, such as N18/N19" if due else bare
            yield (
                "location",
                f"{short_json(fortification.location)} is not accepted; enter {allowed}",
            )
    two_ended = card.has_placement_condition(fortification.type, PlacementCondition.TWO_LOCATIONS)
    if fortification.exit is not None and not two_ended:
        yield "exit", f"a {fortification.type} has none; enter null"


# --- among other counters -------------------------------------------------------------------------


def broken_link_problems(counter: Counter, find: Find) -> Wrong:
    """Yield the ids in a counter that do not exist, or that name a counter of the wrong kind for
    the link. A counter out of play may still name one that no longer exists.

    `find` returns the counters as they will be.
    """
    schema = schema_of(type(counter))
    for name, link in links_of(counter):
        yield from _link(counter, name, schema.ties[name], find(link), link)
    if counter.fate in INTO_ANOTHER and counter.became and find(counter.became) is None:
        yield "became", f"{counter.became} is not in the campaign; enter {A_COUNTER}"
    for name in schema.places if counter.in_play else ():
        place = getattr(counter, name)
        if place is not None and place != OFF_MAP and "/" not in place:
            yield from _inside(name, place, find)


def _link(counter: Counter, name: str, kind: type[Counter], to: Counter | None, id: str) -> Wrong:
    allowed = f"the id of {kind_with_article(kind)}"
    if to is not None and (not isinstance(to, kind) or to is counter):
        yield name, f"{id} is {kind_with_article(type(to))}; enter {allowed}, but not its own id"
    elif not counter.in_play:
        return
    elif to is None:
        yield name, f"{id} is neither in the campaign nor entered now; enter {allowed}"
    elif not to.in_play:
        yield name, f"{id} is out of play ({to.fate}); enter {allowed} in play"
    else:
        yield from _link_between_sides(counter, name, to)


def _link_between_sides(counter: Counter, name: str, to: Counter) -> Wrong:
    if name == "possessor" and counter.side is not to.side:
        words = f"{to.id} is {to.side}, but {counter.id} is {counter.side}"
        yield name, f"{words}; enter one of the same side"
    if name == "guard" and counter.side is to.side:
        yield name, f"{to.id} is {to.side} like its prisoner; enter an enemy unit"
    elif name == "guard" and isinstance(to, Unit) and to.prisoner:
        yield name, f"{to.id} is a prisoner itself; enter a free enemy unit"


def _inside(name: str, place: str, find: Find) -> Wrong:
    """Check that a place in a hex is a level, the pier, or a fortification there."""
    hex, inside = locations.split_location(place)
    if inside is None or inside == "pier" or inside.isdigit():
        return
    to = find(inside)
    if not isinstance(to, Fortification):
        allowed = f"a level (1, 2, …), pier, or the id of a fortification in {hex}"
        yield name, f"{place}: {inside} is not a fortification; enter {allowed}"
    elif to.location is not None and hex not in (hexes := _hexes_of(to)):
        allowed = " or ".join(f"{hex}:{inside}" for hex in hexes) or "another Location"
        yield name, f"{place}: {inside} is in {to.location}; enter {allowed}"


def _hexes_of(fortification: Fortification) -> list[str]:
    places = (fortification.location, fortification.exit)
    return [ground_hex(place) for place in places if place is not None and place != OFF_MAP]


def kind_with_article(kind: type[Counter]) -> str:
    """Return the kind of a counter with its article: "a unit", "a vehicle"."""
    return "a terrain counter" if kind is Terrain else f"a {kind.__name__.lower()}"


def counters_referring_to(campaign: Campaign, id: str) -> list[Counter]:
    """Return the counters that refer to a counter, by a link or by a Location inside it."""
    found: list[Counter] = []
    is_inside, suffix = id in campaign.fortifications, f":{id}"
    for kind in COUNTERS:
        table, schema = campaign.tables[kind.TABLE], schema_of(kind)
        named: dict[str, Counter] = {}
        for name in schema.ties:
            named |= table.index_by(name).get(id, {})
        for name in schema.places if is_inside else ():
            places = table.index_by(name)
            for place in [
                place for place in places if place is not None and place.endswith(suffix)
            ]:
                named |= places[place]
        found += (named[key] for key in sorted(named))
    return found


def links_of(counter: Counter) -> Iterator[tuple[str, str]]:
    """Yield the links from a counter to others: the attribute, and the other's id."""
    for name in schema_of(type(counter)).ties:
        link = getattr(counter, name)
        if link is not None:
            yield name, link


# --- in a whole campaign ----------------------------------------------------------------------


def counter_problems(
    counter: Counter, campaign: Campaign, card: Card, before: Counter | None = None
) -> Iterator[str]:
    """Yield the contradictions and broken links of a counter of a campaign, one line each; `before`
    is the counter before a change."""
    for name, message in (
        *counter_contradictions(counter, card, before),
        *broken_link_problems(counter, campaign.find),
    ):
        yield f"{counter.id}: {name}: {message}"
