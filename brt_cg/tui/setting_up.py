"""Who sets up what where, as the Setup room shows it: the pages in the order of setup, and what is
still to be placed."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from brt_cg.asks import Ask, Candidate, Raw, Refused, Several
from brt_cg.board import is_location
from brt_cg.campaign import Campaign
from brt_cg.card import Card
from brt_cg.counters import Counter, Piece, Side
from brt_cg.exports.setup_pages import (
    AREA,
    ELSEWHERE,
    ISOLATED,
    LIMITS,
    OFF_MAP,
    PRISONERS,
    Page,
    hidden_strength,
    limits,
    pages,
    start_of,
)
from brt_cg.purchases.breach import halves
from brt_cg.refit.s607_perimeters import in_ranges
from brt_cg.refit.sequence import FIRST_OF_SETUP, NUMBERS
from brt_cg.refit.setup_places import bound_to, meant_for
from brt_cg.tui.groups import Group, row_of, tally_told

if TYPE_CHECKING:
    from brt_cg.desk import Desk

ORDER = NUMBERS[NUMBERS.index(FIRST_OF_SETUP) :]
PLACES = {
    AREA: "Setup Area {}",
    ISOLATED: "Isolated in {}",
    OFF_MAP: "off map",
    ELSEWHERE: "in no Setup Area",
    PRISONERS: "prisoners of the enemy",
}
ROSTER = "to be placed"  # else it stands in the roster of its area


@dataclass(slots=True)
class Placing:
    """The Locations that are given for a setup question, until it is answered: as they stand in an
    answers file, and in words."""

    ask: Several[Any]
    given: dict[str, Raw] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()  # the ids of the counters that it asks for

    def __post_init__(self) -> None:
        self.asked = self.asked or frozenset(self.ask.subjects)

    def tried(self, ids: tuple[str, ...], typed: str | None) -> "Placing":
        """With a Location, as typed, for these counters; None takes theirs back. Raises Refused
        where the question does not allow it beside the others."""
        answers = [] if typed is None else [self.ask.item(id).form.parse(typed) for id in ids]
        return self.answered(ids, answers)

    def answered(self, ids: tuple[str, ...], answers: Sequence[Raw]) -> "Placing":
        """With an answer for each of these counters, or (none) without one for any. Raises Refused
        where the question does not allow that beside the others."""
        given = {id: raw for id, raw in self.given.items() if id not in ids}
        given |= dict(zip(ids, answers, strict=False))
        self.ask.read(given)
        told = {id: self.ask.item(id).form.told(raw) for id, raw in given.items()}
        return Placing(self.ask, given, told, self.asked)


class Placings:
    """What has been given for the setup questions of the open campaign, by rule, side and date: one
    list for all who show such a question, until it is answered. It is handed out only to whoever
    has the question itself, which the enemy's seat never has."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, str], Placing] = {}

    def of(self, ask: Ask[Any] | None, date: str) -> Placing | None:
        """What has been given for a setup question; None for any other, and for one that has been
        asked anew meanwhile."""
        question = setup_question(ask)
        if question is None:
            return None
        key = (question.rule, question.subject, date)
        if key not in self._kept:
            self._kept[key] = Placing(question)
        placing = self._kept[key]
        return placing if placing.ask is question else None

    def keep(self, placing: Placing) -> None:
        """Notes what is given now for a question that still stands."""
        for key, before in [*self._kept.items()]:
            if before.ask is placing.ask:
                self._kept[key] = placing

    def meet(self, desk: "Desk") -> None:
        """Forgets what has been answered, and takes what has been given over to the question where
        it is asked anew: work for the desk's thread."""
        date, ask = desk.campaign.situation.date, setup_question(desk.ask)
        answered = desk.tell_whole(lambda book: book.standing_answers())
        for (rule, subject, _), often in answered:
            if often:
                self._kept.pop((rule, subject, date), None)
        if ask is None:
            return
        before = self._kept.get((ask.rule, ask.subject, date))
        if before is not None and before.ask is not ask:
            self._kept[ask.rule, ask.subject, date] = _asked_anew(ask, before.given)


def _asked_anew(ask: Several[Any], given: dict[str, Raw]) -> Placing:
    """All of what was given, else as much of it as the question still allows."""
    placing = Placing(ask)
    try:
        return placing.answered(tuple(given), [*given.values()])
    except Refused:
        for id, raw in given.items():
            with suppress(Refused):
                placing = placing.answered((id,), [raw])
    return placing


def setup_question(ask: Ask[Any] | None) -> Several[Any] | None:
    """The question for Locations at setup, if it is one."""
    found = isinstance(ask, Several) and ask.rule in ORDER
    return ask if found and isinstance(ask, Several) else None


def places_of(ask: Several[Any], ids: tuple[str, ...], seat: Side | None) -> Iterator[Candidate]:
    """Where all of some counters may go, each by itself."""
    first, *others = (ask.item(id).form.offered(seat) for id in ids)
    also = [{place.typed for place in offered} for offered in others]
    return (place for place in first if all(place.typed in typed for typed in also))


def allowed_told(offered: list[Candidate]) -> str:
    """What is allowed, in full: hexes in ranges, then the rest."""
    plain = [
        place.typed for place in offered if is_location(place.typed) and ":" not in place.typed
    ]
    hexes = [place for place in plain if place != "off_map"]
    rest = [place.words for place in offered if place.typed not in hexes]
    told = ([in_ranges(hexes)] if hexes else []) + rest
    return ", ".join(told) or "nowhere by itself"


# --- the list -------------------------------------------------------------------------------------


def setup_groups(
    view: Campaign, card: Card, placing: Placing | None, seat: Side | None
) -> list[Group]:
    """A group for each Isolated Location and area, in the order of setup, and for what is off map
    or elsewhere; each counter with what its side is to
    know of its setup."""
    first = start_of(view, card).first_setup
    return [_group(view, page, placing, seat) for page in pages(view, first) if page.counters]


def _group(view: Campaign, page: Page, placing: Placing | None, seat: Side | None) -> Group:
    rows = tuple(
        replace(row_of(view, counter), state=_state(view, counter, placing))
        if seat in (None, getattr(counter, "side", None))
        else replace(row_of(view, counter), state="")
        for counter in page.counters
    )
    tally = tally_told(page.counters)
    if placing is not None:
        open_ones = sum(row.state == ROSTER for row in rows)
        tally = ", ".join(filter(None, (f"{open_ones} to be placed" if open_ones else "", tally)))
    return Group(page.side, PLACES[page.kind].format(page.name), tally, rows)


def _state(view: Campaign, counter: Counter, placing: Placing | None) -> str:
    """What is to be known of a counter's setup."""
    if placing is not None and counter.id in placing.told:
        return f"→ {placing.told[counter.id]}"
    bound = bound_to(view, counter) if isinstance(counter, Piece) else None
    if bound is not None:
        return f"bound to {bound}"
    if placing is None or counter.id not in placing.asked:
        return ""
    if isinstance(counter, Piece) and counter.isolated:
        return f"{counter.recorded_location or '–'}, unless it is given another"
    meant = meant_for(view, counter) if isinstance(counter, Piece) else None
    return f"{meant}, as it was bought" if meant else ROSTER


# --- what is left to do ---------------------------------------------------------------------------


def start_told(view: Campaign, card: Card) -> str:
    """How the scenario starts, as far as it is known."""
    start = start_of(view, card)
    move = f"{start.first_move.label} moves first" if start.first_move else "a dr says who moves"
    turns = f", {start.turns} turns" if start.turns else ""
    return f"{start.date}: {start.first_setup.label} sets up first, {move}{turns} (15.6205)"


def limits_told(view: Campaign, card: Card, seat: Side | None) -> str:
    """T-H Heroes and HIP, with what is left; not for the Marines, who do not know all units."""
    if seat is Side.MARINE:
        return ""
    found = limits(view, card)
    heroes, day, night = (found[name] for name in LIMITS)
    hidden = hidden_strength(view, card)
    left = [halves(max(most - hidden, Fraction(0))) for most in (day, night)]
    return (
        f"Japanese on map: at most {heroes} T-H Heroes (SSR BRT5). HIP for {day} squad-equivalents "
        f"by day, {night} by night (G1.631), and what was bought; {halves(hidden)} are hidden now, "
        f"so {left[0]} by day, {left[1]} by night are left"
    )


def left_told(placing: Placing, view: Campaign) -> str:
    """How far a side has come with its setup."""
    ids = placing.asked
    bound = sum(
        isinstance(piece, Piece) and bound_to(view, piece) is not None
        for piece in map(view.find, ids)
    )
    given, free = len(placing.given), len(ids) - bound
    words = f"{placing.ask.side.label}: {given} of {free} are given a Location"
    return f"{words}, {bound} are bound to theirs" if bound else words
