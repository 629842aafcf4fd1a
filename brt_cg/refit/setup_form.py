"""The input of a Location at setup (15.6201, 15.6202): read, typed in short, put in words, and
picked.

"N21" is a Location; a Fortification bought without its Covered Arc or exit gets it together with
the Location: "M22 N21,N22", "M21 exit K21".
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from brt_cg.board import OFF_MAP, grid, locations
from brt_cg.card import Card, PlacementCondition
from brt_cg.model import Campaign, Counter, Fortification, Piece, Place, Side
from brt_cg.purchases.placement import Chosen, Spot, destination_area
from brt_cg.questions import ACROSS, ARC, AnswerForm, Candidate, PointingForm, Raw, RefusedError
from brt_cg.refit.setup_places import (
    bought_pieces_moving_with,
    bound_location,
    isolated_setup_locations,
    location_planned_at_purchase,
    setup_problems_together,
)
from brt_cg.text import short_json, split_at_spaces_and_commas

SPOT = ("location", "exit", "covered_arc")
HINT_OF_MORE = (
    'what was bought without them: {"location": "N21", "covered_arc": ["O21", "O22"]}, or "exit"'
)
PLAIN, WITH_ARC, WITH_EXIT = "N21", "M22 N21,N22", "M21 exit K21"
AFLOAT = (
    PlacementCondition.OCEAN,
    PlacementCondition.WITH_TETRAHEDRON,
)  # Fortifications along a beach
Checker = Callable[[Counter, Spot], str | None]  # the problem of a counter in a place
Beside = Callable[[Chosen, Spot], str | None]  # the same, given the places of others


def lacks_exit(card: Card, counter: Counter) -> bool:
    """Whether a tunnel or Passage was bought without its second end."""
    if not isinstance(counter, Fortification) or counter.exit is not None:
        return False
    return card.has_placement_condition(counter.type, PlacementCondition.TWO_LOCATIONS)


def lacks_arc(counter: Counter) -> bool:
    """Whether a counter was bought without its Covered Arc."""
    fort = counter if isinstance(counter, Fortification) else None
    return fort is not None and fort.is_pillbox and not fort.covered_arc


# --- read -----------------------------------------------------------------------------------------


def read_spot(counter: Counter, raw: Raw) -> Spot:
    """Read a Location, or {"location", "exit", "covered_arc"} of a Fortification. Raises
    ValueError."""
    if not isinstance(raw, dict):
        return Spot(_checked(counter, raw))
    if not isinstance(counter, Fortification) or not {"location"} <= set(raw) <= set(SPOT):
        raise ValueError(
            f"{short_json(raw)} is not accepted; enter a Location; "
            f"for a Fortification {HINT_OF_MORE}"
        )
    arc = raw.get("covered_arc") or ()
    if not isinstance(arc, list | tuple) or len(arc) not in (0, 2):
        raise ValueError(
            f"Covered Arc {arc!r} is not accepted; enter two adjacent hexes, such as O21 and O22"
        )
    exit = raw.get("exit")
    return Spot(
        _checked(counter, raw["location"]),
        None if exit is None else _checked(counter, exit),
        tuple(sorted((locations.check_hex(str(hex)) for hex in arc), key=locations.hex_sort_key)),
    )


def _checked(counter: Counter, place: Raw) -> str:
    """Return a place; a Fortification's may be a hexside. Raises ValueError."""
    return Place(hexside=isinstance(counter, Fortification), area=isinstance(counter, Piece)).read(
        place
    )


# --- typed and worded -----------------------------------------------------------------------------


def spot_form(campaign: Campaign, card: Card, counter: Counter, problem: Beside) -> AnswerForm:
    """Return the form for the Location of one counter; `problem` gives the reason why one is not
    allowed."""
    return AnswerForm(
        hint=_hint(card, counter),
        typed=parse_spot,
        worded=partial(_worded, campaign),
        beside=partial(_candidates, campaign, card, counter, problem),
        pointed=_pointed(card, counter),
    )


def _pointed(card: Card, counter: Counter) -> PointingForm:
    """Return the places to point at for a counter; for a hexside, its two hexes."""
    if isinstance(counter, Fortification) and card.has_placement_condition(
        counter.type, PlacementCondition.HEXSIDE
    ):
        return PointingForm(ACROSS, "/".join, bare=True)
    if lacks_exit(card, counter):
        return PointingForm(
            ("the Location", "its exit"), lambda at: {"location": at[0], "exit": at[1]}
        )
    if lacks_arc(counter):
        return PointingForm(
            ("the Location", *ARC),
            lambda at: {
                "location": at[0],
                "covered_arc": sorted(at[1:], key=locations.hex_sort_key),
            },
        )
    return PointingForm(made=lambda at: at[0])


def _hint(card: Card, counter: Counter) -> str:
    if not isinstance(counter, Fortification):
        return "a Location: N21, N21:1"
    if card.has_placement_condition(counter.type, PlacementCondition.HEXSIDE):
        return "a hexside: N18/N19"
    if lacks_exit(card, counter):
        return f"{PLAIN}; with its exit: {WITH_EXIT}"
    return (
        f"{PLAIN}; with its Covered Arc: {WITH_ARC}"
        if lacks_arc(counter)
        else f"a Location: {PLAIN}"
    )


def parse_spot(text: str) -> Raw:
    """Read a typed Location, with a Covered Arc or an exit if there is one. Raises RefusedError."""
    if text.strip()[: len(locations.IN)].lower() == locations.IN:
        return locations.capitalize_hexes(text.strip())
    place, *more = split_at_spaces_and_commas(text) or [""]
    if not more:
        return locations.capitalize_hexes(place)
    spot: dict[str, Raw] = {"location": locations.capitalize_hexes(place)}
    words = [locations.capitalize_hexes(word) for word in more]
    if words[0].lower() == "exit" and len(words) > 1:
        spot["exit"], words = words[1], words[2:]
    if words:
        spot["covered_arc"] = words
    if len(words) not in (0, 2):
        raise RefusedError(f"{text!r}: write {PLAIN}; with a Covered Arc {WITH_ARC}; {WITH_EXIT}")
    return spot


def _worded(campaign: Campaign, raw: Raw) -> str:
    if not isinstance(raw, dict):
        return "off map" if raw == OFF_MAP else campaign.location_text(str(raw))
    exit = f", exit {raw['exit']}" if raw.get("exit") else ""
    arc = f", Covered Arc {' '.join(raw['covered_arc'])}" if raw.get("covered_arc") else ""
    return f"{campaign.location_text(raw['location'])}{exit}{arc}"


# --- picked ---------------------------------------------------------------------------------------


def _candidates(
    campaign: Campaign, card: Card, counter: Counter, problem: Beside, given: Mapping[str, Raw]
) -> Iterator[Candidate]:
    """Yield the possible places of a counter, given those of others."""
    others = filter(None, map(campaign.find, given))
    chosen = {other.id: read_spot(other, given[other.id]) for other in others}
    along = [
        piece for piece in bought_pieces_moving_with(campaign, counter) if piece.id not in chosen
    ]
    for raw in _likely(campaign, card, counter, chosen):
        try:
            spot = read_spot(counter, raw)
        except ValueError:
            continue
        if problem(chosen, spot) is not None:
            continue
        # The places depend on each other: mines need tetrahedra, and a hexside is breached only
        # once.
        on_others = (*AFLOAT, PlacementCondition.HEXSIDE)
        fort = counter if isinstance(counter, Fortification) else None
        together = fort is not None and any(
            card.has_placement_condition(fort.type, on) for on in on_others
        )
        if not (together or along) or not setup_problems_together(
            campaign, card, {counter.id: spot}
        ):
            yield Candidate(
                raw, _worded(campaign, raw), _as_typed(raw), spots=spot.places_to_point_at
            )


def _as_typed(raw: Raw) -> str:
    if not isinstance(raw, dict):
        return str(raw)
    exit = f" exit {raw['exit']}" if raw.get("exit") else ""
    return f"{raw['location']}{exit} {','.join(raw.get('covered_arc', ()))}".strip()


def _likely(campaign: Campaign, card: Card, counter: Counter, chosen: Chosen) -> Iterable[Raw]:
    if isinstance(counter, Fortification):
        places = _for_fortification(campaign, card, counter)
        return (spot for place in places for spot in _spots(card, counter, place))
    assert isinstance(counter, Piece)
    if counter.isolated:
        return isolated_setup_locations(campaign, counter)
    bound = bound_location(campaign, counter)
    if bound is not None:
        return [bound]
    area = campaign.areas.get(counter.setup_area or "")
    whole = (
        area.hexes
        if area
        else sorted(
            locations.non_ocean_hexes(card.highest_hex_number(campaign.current_rulings)),
            key=locations.hex_sort_key,
        )
    )
    forts = campaign.sort_counters_in_play(campaign.fortifications.values())
    own = (box for box in forts if (box.controller or box.side) is counter.side)
    boxes = {box.id: box.location for box in own if box.capacity}
    boxes |= {id: spot.location for id, spot in chosen.items() if id in boxes}
    insides = [
        locations.location_inside_fortification(at, id)
        for id, at in boxes.items()
        if at is not None and at in whole
    ]
    meant = location_planned_at_purchase(campaign, counter)
    return dict.fromkeys([*([meant] if meant else []), *insides, *whole, OFF_MAP])


def _for_fortification(campaign: Campaign, card: Card, fort: Fortification) -> Iterable[str]:
    """Return the Isolated Locations of a Fortification's side, and the area that paid for it or the
    Ocean along its beach."""
    bought = campaign.purchases.get(fort.purchase or "")
    isolated = (
        piece.location for piece in campaign.pieces() if piece.isolated and piece.side is fort.side
    )
    listed = sorted({place for place in isolated if place is not None and place != OFF_MAP})
    area = destination_area(campaign, fort.side, bought.beach) if bought is not None else None
    hexes = area.hexes if area is not None else _own_hexes(campaign, card, fort.side)
    if card.has_placement_condition(fort.type, PlacementCondition.HEXSIDE):
        beaches = (hex for hex in hexes if locations.is_beach(hex))
        return dict.fromkeys(
            grid.normalize_hexside(f"{hex}/{near}")
            for hex in beaches
            for near in grid.neighbors(hex)
        )
    if any(card.has_placement_condition(fort.type, condition) for condition in AFLOAT):
        near = (
            neighbour
            for hex in hexes
            if locations.is_beach(hex)
            for neighbour in grid.neighbors(hex)
        )
        return dict.fromkeys(filter(locations.is_ocean, near))
    return [*listed, *hexes]


def _own_hexes(campaign: Campaign, card: Card, side: Side) -> Iterable[str]:
    own = [hex for area in campaign.areas.values() if area.side is side for hex in area.hexes]
    land = (
        locations.non_ocean_hexes(card.highest_hex_number(campaign.current_rulings))
        if not campaign.areas
        else own
    )
    return sorted(land, key=locations.hex_sort_key)


def _spots(card: Card, fort: Fortification, place: str) -> Iterable[Raw]:
    """Return a place with each exit, or each Covered Arc, that a Fortification still lacks."""
    if "/" in place or not (lacks_exit(card, fort) or lacks_arc(fort)):
        return [place]
    hex = locations.hex_of_location(place)
    if lacks_exit(card, fort):
        return [{"location": place, "exit": near} for near in grid.neighbors(hex)]
    return [{"location": place, "covered_arc": [*arc]} for arc in grid.possible_covered_arcs(hex)]
