"""The progress of a side's setup (15.6201, 15.6202): the places allowed for each counter given the
Locations chosen so far, the counters that may stay on the table, and those left to be placed."""

from collections.abc import Iterable, Iterator

from brt_cg.board import hexes_as_ranges, is_location, locations
from brt_cg.card import Card
from brt_cg.model import Campaign, Counter, Piece, Side, Weapon
from brt_cg.questions import Candidate, Raw, RefusedError
from brt_cg.questions.partial_answers import PartialAnswers
from brt_cg.refit.garrisons import pillboxes_to_fill_text
from brt_cg.refit.sequence import SETUP_ORDER
from brt_cg.refit.setup_form import read_spot
from brt_cg.refit.setup_places import (
    bound_location,
    carrier_id,
    location_planned_at_purchase,
    on_table_locations_and_refusals,
)
from brt_cg.refit.unfinished import unplaced_fortifications_text
from brt_cg.text import capitalize, count_text, first_few_text

TABLE = "on the table"  # what a player types or picks instead of a Location
TO_BE_PLACED = "to be placed"  # the state of a counter without a Location
STAYS = "stays here unless moved"  # an Isolated counter in its recorded Location


def common_possible_locations(
    placing: PartialAnswers, ids: tuple[str, ...], seat: Side | None
) -> Iterator[Candidate]:
    """Yield the Locations that each of some counters may get, given the answers for the others."""
    given = {id: raw for id, raw in placing.given.items() if id not in ids}
    first, *others = (placing.ask.item(id).form.candidates_for(seat, given) for id in ids)
    also = [{place.typed for place in offered} for offered in others]
    return (place for place in first if all(place.typed in typed for typed in also))


def on_table_candidates(view: Campaign, ids: Iterable[str]) -> list[Candidate]:
    """Return "on the table" as a Location to pick, if some of the counters may be set up that
    way."""
    counters = [counter for id in ids if (counter := view.find(id)) is not None]
    free = [each for each in counters if not (isinstance(each, Piece) and each.isolated)]
    given, _ = on_table_locations_and_refusals(view, free)
    return [Candidate(TABLE, f"{TABLE}, in a hex that is not named here", TABLE)] if given else []


def allowed_places_text(offered: list[Candidate]) -> str:
    """Return all allowed places in words: hexes in ranges, then the rest. If a Covered Arc or an
    exit must be picked from the list, return only the hexes."""
    hexes: dict[str, dict[str, None]] = {}  # hexes by the words after them
    rest = []
    for place in offered:
        hex, *more = place.typed.split()
        if is_location(hex) and ":" not in hex and hex != locations.OFF_MAP:
            hexes.setdefault(", as listed" if more else "", {})[hex] = None
        else:
            rest.append(place.words)
    parts = [hexes_as_ranges(found) + after for after, found in hexes.items()] + rest
    return "; ".join(parts) or "no single Location is allowed for all of them"


def no_common_location_reason(
    placing: PartialAnswers, ids: tuple[str, ...], view: Campaign, card: Card, seat: Side | None
) -> str:
    """Return the reason why some counters have no common Location on the map: the refusal of a
    Location allowed for one of them, or else of one in their area; "" if that is not refused."""
    forms = (placing.ask.item(id).form.candidates_for(seat, placing.given) for id in ids)
    on_map = (
        place.typed for offered in forms for place in offered if place.typed != locations.OFF_MAP
    )
    area = view.areas.get(getattr(view.find(ids[0]), "setup_area", None) or "")
    land = (
        area.hexes
        if area
        else locations.non_ocean_hexes(card.highest_hex_number(view.current_rulings))
    )
    try:
        placing.with_answer(ids, next(on_map, min(land, key=locations.hex_sort_key)))
    except RefusedError as why:
        return f"\nNo Location on the map: {why}"
    return ""


def place_together_or_each(
    placing: PartialAnswers, ids: tuple[str, ...], typed: str | None
) -> tuple[PartialAnswers, dict[str, str]]:
    """Return the answers with this Location for some counters, together if that is allowed, else
    for each counter that may have it; and the reasons why the others may not, by id. Raises
    RefusedError if none may."""
    try:
        return placing.with_answer(ids, typed), {}
    except RefusedError:
        if len(ids) < 2:
            raise
    tried, refused = placing, dict[str, str]()
    for id in ids:
        try:
            tried = tried.with_answer((id,), typed)
        except RefusedError as why:
            refused[id] = str(why)
    if len(refused) == len(ids):
        raise RefusedError(*dict.fromkeys(refused.values()))
    return tried, refused


def place_on_table(
    placing: PartialAnswers, ids: Iterable[str], view: Campaign
) -> tuple[PartialAnswers, str]:
    """Return the answers with these counters set up on the table, in their Setup Areas, and, in
    words, the result and the counters that need a Location, with the reason. Other counters keep
    their Locations."""
    counters = [counter for id in ids if (counter := view.find(id)) is not None]
    isolated = [each for each in counters if isinstance(each, Piece) and each.isolated]
    given, why = on_table_locations_and_refusals(
        view, (each for each in counters if each not in isolated)
    )
    if not view.areas:  # asked before the question, which has its own areas
        table: Raw = next(iter(placing.ask.wholes.values()), {})
        given = {each.id: table[each.id] for each in counters if each.id in table}
    asked = {id: (raw,) for id, raw in given.items() if id in placing.asked}
    try:
        tried = placing.with_changes(asked)
    except RefusedError as refused:
        return placing, str(refused)
    words = [f"On the table: {count_text(len(asked), 'counter')}."] if asked else []
    if isolated:
        words.append(
            "Isolated units set up in their recorded Locations; enter those you want elsewhere."
        )
    elif not view.areas and view.situation.initial:
        words.append(
            "Before the first scenario no counter needs a Location: choose Done, and play."
        )
    if view.areas:
        words += _needs_text(view, why)
    return tried, "\n".join(words) or "All of them have their Locations."


def _needs_text(view: Campaign, why: dict[str, str]) -> Iterator[str]:
    """Yield the counters that are not on the table, by the reason."""
    by_reason: dict[str, list[str]] = {}
    for id, reason in why.items():
        counter = view.find(id)
        if counter is not None and not reason.startswith("bound to"):
            by_reason.setdefault(reason, []).append(counter.label)
    for reason, named in by_reason.items():
        yield f"{capitalize(reason)}: {first_few_text(named)}."


def unplaced_purchases_text(placing: PartialAnswers, view: Campaign) -> str:
    """Return the purchases that would not be placed if the setup ended now, in a line; "" if there
    are none."""
    open_ones = unplaced_fortifications_text(view, placing.ask.side, placing.given)
    if open_ones and placing.ask.rule == SETUP_ORDER[0]:
        return f"To be placed now, or in an Area at {SETUP_ORDER[1]}: {open_ones}.\n"
    return f"Not placed yet: {open_ones}.\n" if open_ones else ""


def setup_prompt(placing: PartialAnswers, view: Campaign, card: Card) -> str:
    """Return the text of the question; it names only the pillboxes that must still be filled after
    the Locations given."""
    side = placing.ask.side
    counters = {id: view.find(id) for id in placing.given}
    chosen = {id: read_spot(each, placing.given[id]) for id, each in counters.items() if each}
    asked = placing.ask.prompt.removesuffix(pillboxes_to_fill_text(view, card, side))
    return f"{asked}{pillboxes_to_fill_text(view, card, side, chosen)}."


# --- the remaining work ---------------------------------------------------------------------------


def setup_note(view: Campaign, counter: Counter, placing: PartialAnswers | None) -> str:
    """Return the note about a counter's setup for its side: the Location given, or its bound or
    planned Location."""
    if placing is not None and counter.id in placing.worded:
        given = placing.given[counter.id]
        table = isinstance(given, str) and locations.is_area_only_location(given)
        if table:
            return "→ on paper" if view.is_hidden_on_paper(counter) else "→ on the table"
        return f"→ {placing.worded[counter.id]}"
    bound = bound_location(view, counter) if isinstance(counter, Piece) else None
    if bound is not None:
        return (
            "stays on paper"
            if locations.is_area_only_location(bound)
            else f"bound to {view.location_text(bound)}"
        )
    if placing is None or counter.id not in placing.asked:
        return ""
    mounted = counter.vehicle if isinstance(counter, Weapon) else None
    owner = view.find(carrier_id(counter) or mounted or "")
    if owner is not None and owner.id in placing.asked:
        return f"goes with {owner.label}"
    if isinstance(counter, Piece) and counter.isolated:
        return STAYS
    meant = location_planned_at_purchase(view, counter) if isinstance(counter, Piece) else None
    return f"{meant}, as bought" if meant else TO_BE_PLACED


def ids_bound_to_location(placing: PartialAnswers, view: Campaign) -> set[str]:
    """Return the counters of a question that are bound to their Location."""
    pieces = (view.find(id) for id in placing.asked)
    return {
        piece.id
        for piece in pieces
        if isinstance(piece, Piece) and bound_location(view, piece) is not None
    }


def ids_needing_location(placing: PartialAnswers, view: Campaign) -> set[str]:
    """Return the counters that need a separate Location: neither bound to theirs nor moving with
    their possessor."""
    loose = placing.asked - ids_bound_to_location(placing, view)
    owners = {id: carrier_id(counter) for id in loose if (counter := view.find(id)) is not None}
    return {id for id in loose if owners.get(id) not in placing.asked}


def ids_needing_hex(placing: PartialAnswers, view: Campaign) -> list[str]:
    """Return the counters of a question without a Location that cannot be set up on the table,
    because the program must know their hex; none before there are Setup Areas."""
    if not view.areas:
        return []
    open_ones = ids_needing_location(placing, view) - placing.given.keys()
    counters = [each for id in placing.ask.subjects if id in open_ones and (each := view.find(id))]
    free = (each for each in counters if not (isinstance(each, Piece) and each.isolated))
    _, why = on_table_locations_and_refusals(view, free)
    return [*why]


def ids_without_location(placing: PartialAnswers, view: Campaign) -> list[str]:
    """Return the counters of a question that still need a Location. An Isolated counter may stay
    where it is recorded, and no counter needs one before there are Setup Areas."""
    if not view.areas and view.situation.initial:
        return []
    open_ones = ids_needing_location(placing, view) - placing.given.keys()
    pieces = ((id, view.find(id)) for id in placing.ask.subjects if id in open_ones)
    return [id for id, each in pieces if not (isinstance(each, Piece) and each.isolated)]


def is_setup_complete(placing: PartialAnswers, view: Campaign, card: Card) -> bool:
    """Whether a side's setup is complete: each counter has the Location that it needs, each
    purchase is placed, and no pillbox is still to be filled."""
    prompt = (
        f"{placing.ask.prompt.removesuffix(pillboxes_to_fill_text(view, card, placing.ask.side))}."
    )
    return (
        not ids_without_location(placing, view)
        and not unplaced_purchases_text(placing, view)
        and setup_prompt(placing, view, card) == prompt
    )


def unplaced_counters_lines(placing: PartialAnswers, view: Campaign) -> list[str]:
    """Return the counters that a side's setup would leave unplaced if it ended now: those of its
    areas without a Location, and its unplaced purchases. An Isolated counter may stay where it
    is."""
    at_areas = placing.ask.rule == SETUP_ORDER[1]
    left = len(ids_without_location(placing, view)) if at_areas else 0
    unplaced = unplaced_fortifications_text(view, placing.ask.side, placing.given)
    lines = [f"{count_text(left, 'counter')} without a Location"] if left else []
    return [*lines, *([f"not placed: {unplaced}"] if unplaced else [])]


def setup_progress_text(placing: PartialAnswers, view: Campaign) -> str:
    """Return the progress of a side's setup."""
    free, bound = ids_needing_location(placing, view), ids_bound_to_location(placing, view)
    given, along = len(free & placing.given.keys()), len(placing.asked - free - bound)
    words = [f"{len(bound)} bound"] if bound else []
    words += [f"{along} with {'its possessor' if along == 1 else 'their possessors'}"] * (along > 0)
    text = f"{placing.ask.side.label}: {given} of {len(free)} counters have a Location"
    pieces = (view.find(id) for id in free - placing.given.keys())
    stay = sum(isinstance(piece, Piece) and piece.isolated for piece in pieces)
    if stay:
        placed = f"{given} of {len(free)} given a Location"
        text = f"{placing.ask.side.label}: {placed}; {stay} set up where recorded"
    return "; ".join([text, *([", ".join(words)] if words else [])])
