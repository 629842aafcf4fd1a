"""The setup as the Setup room shows it: the pages in the order of setup, and what is still to be
placed."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from brt_cg.board import locations
from brt_cg.board.locations import in_ranges, is_location
from brt_cg.card import Card
from brt_cg.card.arriving import due_by, words_of
from brt_cg.exports.setup_pages import (
    AREA,
    ELSEWHERE,
    ISOLATED,
    LIMITS,
    OFF_MAP,
    PRISONERS,
    RosterPage,
    hidden_strength,
    limits,
    limits_text,
    pages,
    scenario_start,
)
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Piece, Side, Weapon
from brt_cg.model.numbered import natural
from brt_cg.model.records import Phase
from brt_cg.purchases.breach import halves
from brt_cg.purchases.limits import usable_hip
from brt_cg.questions.answers import Candidate, Refused
from brt_cg.refit.garrisons import to_be_filled
from brt_cg.refit.setup_form import read_spot
from brt_cg.refit.setup_places import bound_to, goes_with, located_text, meant_for, on_the_table
from brt_cg.refit.undone import unplaced_text
from brt_cg.service.placings import ORDER, Noted
from brt_cg.text import capital, counted, some_of
from brt_cg.tui.lists.found import gathered
from brt_cg.tui.lists.groups import CounterRow, Group, row_of, tally_text, under_their_owners
from brt_cg.tui.session.session import Seen

PLACES = {
    AREA: "Setup Area {}",
    ISOLATED: "Isolated in {}",
    OFF_MAP: "off map",
    ELSEWHERE: "in no Setup Area",
    PRISONERS: "prisoners of the enemy",
}
TABLE = "on the table"  # typed or picked instead of a Location
ROSTER = "to be placed"  # the state of a counter without a Location, in its area's roster
STAYS = "stays, unless placed elsewhere"  # of an Isolated one, in its recorded Location


def places_of(placing: Noted, ids: tuple[str, ...], seat: Side | None) -> Iterator[Candidate]:
    """Yields the Locations that each of some counters may get, given the answers for the others."""
    given = {id: raw for id, raw in placing.given.items() if id not in ids}
    first, *others = (placing.ask.item(id).form.offered(seat, given) for id in ids)
    also = [{place.typed for place in offered} for offered in others]
    return (place for place in first if all(place.typed in typed for typed in also))


def table_offered(ids: Iterable[str], seen: Seen) -> list[Candidate]:
    """ "On the table" as a Location to pick, if some of the counters may be set up so."""
    counters = [counter for id in ids if (counter := seen.view.find(id)) is not None]
    free = [each for each in counters if not (isinstance(each, Piece) and each.isolated)]
    given, _ = on_the_table(seen.view, free)
    return [Candidate(TABLE, f"{TABLE}, in a hex that is not named here", TABLE)] if given else []


def allowed_text(offered: list[Candidate]) -> str:
    """All that is allowed, in words: hexes in ranges, then the rest; only the hexes where a Covered
    Arc or an exit must be picked from the list."""
    hexes: dict[str, dict[str, None]] = {}  # by the words after them, in order
    rest = []
    for place in offered:
        hex, *more = place.typed.split()
        if is_location(hex) and ":" not in hex and hex != locations.OFF_MAP:
            hexes.setdefault(", as listed" if more else "", {})[hex] = None
        else:
            rest.append(place.words)
    parts = [in_ranges(found) + after for after, found in hexes.items()] + rest
    return "; ".join(parts) or "no single Location is allowed for all of them"


def nowhere_text(placing: Noted, ids: tuple[str, ...], seen: Seen) -> str:
    """The reason why some counters have no common Location on the map: the refusal of one allowed
    for one of them, or else of one in their area; "" if it is not refused."""
    forms = (placing.ask.item(id).form.offered(seen.seat, placing.given) for id in ids)
    on_map = (
        place.typed for offered in forms for place in offered if place.typed != locations.OFF_MAP
    )
    area = seen.view.areas.get(getattr(seen.view.find(ids[0]), "setup_area", None) or "")
    land = area.hexes if area else locations.land(seen.card.highest_hex(seen.view.ruled))
    try:
        placing.tried(ids, next(on_map, min(land, key=locations.key)))
    except Refused as why:
        return f"\nNo Location on the map: {why}"
    return ""


def one_by_one(
    placing: Noted, ids: tuple[str, ...], typed: str | None
) -> tuple[Noted, dict[str, str]]:
    """The answers with this Location for some counters, together if that is allowed, else for each
    that may have it; and why the others may not, by id. Raises Refused if none may."""
    try:
        return placing.tried(ids, typed), {}
    except Refused:
        if len(ids) < 2:
            raise
    tried, refused = placing, dict[str, str]()
    for id in ids:
        try:
            tried = tried.tried((id,), typed)
        except Refused as why:
            refused[id] = str(why)
    if len(refused) == len(ids):
        raise Refused(*dict.fromkeys(refused.values()))
    return tried, refused


def put_on_the_table(placing: Noted, ids: Iterable[str], seen: Seen) -> tuple[Noted, str]:
    """The answers with these counters set up on the table, in their Setup Areas, and in words what
    was done, and which of them need a Location and why. Others with a Location keep it."""
    counters = [counter for id in ids if (counter := seen.view.find(id)) is not None]
    isolated = [each for each in counters if isinstance(each, Piece) and each.isolated]
    given, why = on_the_table(seen.view, (each for each in counters if each not in isolated))
    asked = {id: (raw,) for id, raw in given.items() if id in placing.asked}
    try:
        tried = placing.changed(asked)
    except Refused as refused:
        return placing, str(refused)
    words = [f"On the table: {counted(len(asked), 'counter')}."] if asked else []
    if isolated:
        words.append("The Isolated set up in their recorded Locations; name only others.")
    elif not seen.view.areas:
        words.append("Before the first scenario nobody needs a Location: end the setup, and play.")
    else:
        words += _needs_text(seen.view, why)
    return tried, "\n".join(words) or "All of them have their Locations."


def _needs_text(view: Campaign, why: dict[str, str]) -> Iterator[str]:
    """The counters that are not on the table, by the reason."""
    by_reason = gathered(
        (reason, counter.label)
        for id, reason in why.items()
        if not reason.startswith("bound to") and (counter := view.find(id)) is not None
    )
    for reason, named in by_reason.items():
        yield f"{capital(reason)}: {some_of(named)}."


def undone_words(placing: Noted, seen: Seen) -> str:
    """What was bought and would not be placed if the setup ended now, as a line; "" if nothing."""
    open_ones = unplaced_text(seen.view, placing.ask.side, placing.given)
    if open_ones and placing.ask.rule == ORDER[0]:
        return f"Bought, and to be placed now or in an Area at {ORDER[1]}: {open_ones}.\n"
    return f"Bought and not placed: {open_ones}.\n" if open_ones else ""


def asked_words(placing: Noted, view: Campaign, card: Card) -> str:
    """The question; of what is to be filled first, only what the Locations given leave."""
    side = placing.ask.side
    counters = {id: view.find(id) for id in placing.given}
    chosen = {id: read_spot(each, placing.given[id]) for id, each in counters.items() if each}
    asked = placing.ask.prompt.removesuffix(to_be_filled(view, card, side))
    return f"{asked}{to_be_filled(view, card, side, chosen)}."


# --- the list -------------------------------------------------------------------------------------


def setup_groups(
    view: Campaign, card: Card, placing: Noted | None, seat: Side | None
) -> list[Group]:
    """A group for each Isolated Location and area, in the order of setup, and for what is off map
    or elsewhere; each counter with what its side should know for its setup."""
    first = scenario_start(view, card).first_setup
    return [_group(view, page, placing, seat) for page in pages(view, first) if page.counters]


def _group(view: Campaign, page: RosterPage, placing: Noted | None, seat: Side | None) -> Group:
    rows = tuple(
        under_their_owners(page.counters, lambda counter: _row(view, counter, placing, seat))
    )
    guarded = {unit.id for unit in page.units if unit.prisoner and page.kind != PRISONERS}
    tally = tally_text(counter for counter in page.counters if counter.id not in guarded)
    if placing is not None:
        open_ones = sum(row.state == ROSTER for row in rows)
        tally = ", ".join(filter(None, (f"{open_ones} {ROSTER}" if open_ones else "", tally)))
    return Group(page.side, PLACES[page.kind].format(page.name), tally, rows)


def _row(view: Campaign, counter: Counter, placing: Noted | None, seat: Side | None) -> CounterRow:
    """The row about a counter, with what its side should know for its setup (searchable too)."""
    row, knows = row_of(view, counter), seat in (None, counter.side)
    state = _state(view, counter, placing) if knows else ""
    return replace(row, state=state, found_by=f"{row.found_by} {state.lower()}")


def _state(view: Campaign, counter: Counter, placing: Noted | None) -> str:
    """The note about a counter's setup for its side."""
    if placing is not None and counter.id in placing.worded:
        given = placing.given[counter.id]
        table = isinstance(given, str) and locations.is_within(given)
        if table:
            return "→ on paper" if view.on_paper(counter) else "→ on the table"
        return f"→ {placing.worded[counter.id]}"
    bound = bound_to(view, counter) if isinstance(counter, Piece) else None
    if bound is not None:
        return "stays on paper" if locations.is_within(bound) else f"bound to {bound}"
    if placing is None or counter.id not in placing.asked:
        return ""
    mounted = counter.vehicle if isinstance(counter, Weapon) else None
    owner = view.find(goes_with(counter) or mounted or "")
    if owner is not None and owner.id in placing.asked:
        return f"goes with {owner.label}"
    if isinstance(counter, Piece) and counter.isolated:
        return STAYS
    meant = meant_for(view, counter) if isinstance(counter, Piece) else None
    return f"{meant}, as bought" if meant else ROSTER


# --- what is left to do ---------------------------------------------------------------------------


def start_text(view: Campaign, card: Card) -> str:
    """The start of the scenario, as far as known."""
    start = scenario_start(view, card)
    turns = f", {start.turns} turns" if start.turns else ""
    return f"{start.date}: {start.first_setup.label} sets up first, {start.moves}{turns} (15.6205)"


def coming_text(view: Campaign, card: Card, seat: Side | None) -> str:
    """What is due to arrive in the scenario that is set up, or has just arrived for it; "" if
    nothing is."""
    date, words = scenario_start(view, card).date, list[str]()
    for side in Side:
        if seat in (None, side):
            due = [words_of(each) for each in due_by(view, card, date, side)]
            came = [
                f"{words_of(each)} (off map)"
                for each in (view.arrivals[key] for key in sorted(view.arrivals, key=natural))
                if each.side is side and each.entered and each.date == date
            ]
            words += [f"{side.label} arrivals: {'; '.join([*due, *came])}"] * bool(due or came)
    return "\n".join(words)


def hidden_text(view: Campaign, card: Card, seat: Side | None) -> str:
    """The limits of T-H Heroes and HIP; "" for the Marines, who do not know all hidden units."""
    if seat is Side.MARINE:
        return ""
    found, hidden = limits(view, card), hidden_strength(view, card)
    text = f"Japanese: {limits_text(found)}"
    if view.situation.phase is Phase.SCENARIO:  # purchases may be for an earlier date
        return f"{text}, and what was bought; {halves(hidden)} hidden"
    more, also = (usable_hip(view, card, when) for when in ("by day", "by night"))
    by_night = f" by day and {halves(also)} by night" if also != more else ""
    bought = f", and {halves(more)}{by_night} bought" if also else ""
    most = (found[name] + extra for name, extra in zip(LIMITS[1:], (more, also), strict=True))
    day, night = (halves(max(allowed - hidden, 0)) for allowed in most)
    return f"{text}{bought}: {halves(hidden)} hidden, {day} left by day, {night} by night"


def bound_of(placing: Noted, view: Campaign) -> set[str]:
    """The counters of a question that are bound to their Location."""
    pieces = (view.find(id) for id in placing.asked)
    return {
        piece.id
        for piece in pieces
        if isinstance(piece, Piece) and bound_to(view, piece) is not None
    }


def free_of(placing: Noted, view: Campaign) -> set[str]:
    """The counters that need a Location of their own: neither bound to theirs nor going with their
    possessor."""
    loose = placing.asked - bound_of(placing, view)
    owners = {id: goes_with(counter) for id in loose if (counter := view.find(id)) is not None}
    return {id for id in loose if owners.get(id) not in placing.asked}


def left_text(placing: Noted, view: Campaign) -> str:
    """The progress of a side's setup."""
    free, bound = free_of(placing, view), bound_of(placing, view)
    given, along = len(free & placing.given.keys()), len(placing.asked - free - bound)
    words = [f"{len(bound)} bound"] if bound else []
    words += [f"{along} with {'its possessor' if along == 1 else 'their possessors'}"] * (along > 0)
    text = located_text(placing.ask.side, given, len(free))
    pieces = (view.find(id) for id in free - placing.given.keys())
    stay = sum(isinstance(piece, Piece) and piece.isolated for piece in pieces)
    if stay:
        text = f"{placing.ask.side.label}: {given} of {len(free)} counters placed, {stay} stay"
    return "; ".join([text, *([", ".join(words)] if words else [])])
