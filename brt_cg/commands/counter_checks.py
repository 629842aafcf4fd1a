"""The checks for counters that are odd but allowed, and whether a counter's place is known."""

from collections.abc import Iterable, Iterator

from brt_cg.board import OFF_MAP, grid, ground_hex, locations
from brt_cg.card import Card, Find, links_of
from brt_cg.commands import name_and_place_text
from brt_cg.model import Campaign, Counter, Fortification, Piece, Unit, Vehicle, Weapon, WeaponKind


def odd_counter_warnings(
    campaign: Campaign, card: Card, counters: Iterable[Counter]
) -> Iterator[tuple[str, list[Counter]]]:
    """List warnings about odd imported counters: a sentence, and its counters, the odd one
    first."""
    last_hex = card.highest_hex_number(campaign.current_rulings)
    for counter in counters:
        linked = (campaign.find(link) for _, link in links_of(counter))
        about = [counter, *(other for other in linked if other is not None)]
        for oddity in _oddities(counter, campaign.find, card, last_hex):
            yield f"warning: {name_and_place_text(campaign, counter)}: {oddity}", about


def _oddities(counter: Counter, find: Find, card: Card, last_hex: int) -> Iterator[str]:
    if isinstance(counter, Vehicle) and counter.is_opposing and counter.in_play and not counter.cvp:
        worth = card.ladders.vehicle_type_cvp(counter.type)
        if worth:
            yield f"its CVP is 0, but {counter.type} is worth {worth}"
    location = counter.location
    if not counter.in_play or location is None or location == OFF_MAP:
        return
    if locations.hex_sort_key(ground_hex(location))[1] > last_hex:
        yield f"{location} is not in play; hex numbers go up to {last_hex}"
    if isinstance(counter, Weapon) and counter.kind is WeaponKind.VEHICULAR and not counter.vehicle:
        yield "it is not on a vehicle, so nobody can repair it (15.6132)"
    for name, link in links_of(counter):
        to = find(link)
        if to is not None and to.location != location:
            known = {None: "has no Location", OFF_MAP: "is off map"}
            where = known.get(to.location) or f"in {to.location}"
            yield f"it is in {location}, but {to.label} ({name}) {where}"
        held = isinstance(counter, Unit) and counter.prisoner
        if name == "aboard" and not held and to is not None and to.side is not counter.side:
            yield f"it is aboard the enemy's {to.label}"
    arc = counter.covered_arc if isinstance(counter, Fortification) else ()
    if arc and not set(arc).issubset(grid.neighbors(ground_hex(location))):
        yield f"its Covered Arc is {', '.join(arc)}, but both hexes must be adjacent to {location}"


def are_both_sides_in_hex(campaign: Campaign, hex: str) -> bool:
    """Whether units, or manned vehicles, of both sides are in a hex, even one that is not known
    exactly."""
    there = (piece for piece in campaign.pieces() if piece.in_play and piece.is_opposing)
    held = ((piece.side, piece.location) for piece in there if not piece.off_map)
    return len({side for side, where in held if where is not None and ground_hex(where) == hex}) > 1


def is_placed_or_out_of_play(counter: Counter) -> bool:
    """Whether a counter's place is known, or it is out of play."""
    retained = isinstance(counter, Piece) and counter.setup_area is not None
    return counter.location is not None or retained or not counter.in_play


def clear_links_to_counters_out_of_play(counters: list[Counter], find: Find) -> None:
    """Remove the links from counters in play to counters out of play."""
    for counter in counters:
        for name, link in links_of(counter) if counter.in_play else ():
            to = find(link)
            if to is None or not to.in_play:
                setattr(counter, name, None)
