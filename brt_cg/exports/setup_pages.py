"""The setup of the next scenario as data: each Setup Area, each Isolated Location, and the counters
off map."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any

from brt_cg.board import hex_order_key, location_inside_fortification
from brt_cg.card import Card, arrival_text, side_arrivals_due_by
from brt_cg.immutable import immutable
from brt_cg.model import (
    Area,
    Campaign,
    Counter,
    Fortification,
    Natural,
    Phase,
    Piece,
    PlaceKind,
    Side,
    Unit,
    UnitKind,
    Vehicle,
    Weapon,
    WeaponKind,
    natural_sort_key,
)
from brt_cg.purchases.limits import usable_hip
from brt_cg.refit.setup_places import bound_location
from brt_cg.text import halves_text

AREA, ISOLATED, OFF_MAP, ELSEWHERE = PlaceKind
PRISONERS = "prisoners"
PAGES = (*PlaceKind, PRISONERS)
LIMITS = ("tank_hunter_heroes", "hip_by_day", "hip_by_night")
GROUPS = (
    ("Leaders", (UnitKind.LEADER,)),
    ("Heroes and Pathfinders", (UnitKind.HERO, UnitKind.PATHFINDER)),
    ("Squads", (UnitKind.SQUAD,)),
    ("Half-squads", (UnitKind.HALF_SQUAD,)),
    ("Crews", (UnitKind.CREW, UnitKind.VEHICLE_CREW)),
)


@dataclass(slots=True, kw_only=True)
class RosterPage:
    """One page of the rosters: of a Setup Area (`area`), an Isolated Location (`name`), a side's
    counters off map, those not in an area (on map before the first Refit Phase, or in Ocean), or
    its prisoners, whose places it does not know.

    The lists are in the usual order: leaders first; the best first, then by hex and id.
    """

    kind: str
    name: str
    side: Side
    words: str = ""  # the Location in words, on an Isolated page
    area: Area | None = None
    units: list[Unit] = field(default_factory=list)
    weapons: list[Weapon] = field(default_factory=list)
    vehicles: list[Vehicle] = field(default_factory=list)
    fortifications: list[Fortification] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The page's display name."""
        words = {
            AREA: f"{self.name} · {self.side.label} Setup Area",
            ISOLATED: f"{self.words} · Isolated {self.side.label} Location",
            OFF_MAP: f"{self.side.plural} off map",
            ELSEWHERE: f"{self.side.plural} not in any Setup Area",
            PRISONERS: f"{self.side.label} prisoners of the {self.side.enemy.plural}",
        }
        return words[self.kind]

    @property
    def counters(self) -> list[Counter]:
        return [*self.units, *self.weapons, *self.vehicles, *self.fortifications]


@immutable
class ScenarioStart:
    """The known facts about the start of the next scenario: its `date`, the side that sets up
    first, the side that moves first (None: a dr decides), its turns; `settled` is true once 15.6205
    has been played. `otherwise` is the start of the scenario after a Night, while it is undecided
    whether the Night is played."""

    date: str
    first_setup: Side
    first_move: Side | None
    turns: str
    settled: bool
    otherwise: "ScenarioStart | None" = None

    @property
    def dates(self) -> str:
        """The CG Date, or both possible ones: "20 NT or 21 AM"."""
        return f"{self.date} or {self.otherwise.date}" if self.otherwise else self.date

    @property
    def first_move_text(self) -> str:
        """The side that moves first, in words."""
        first = self.first_move
        return f"the {first.plural} move first" if first else "a dr decides who moves first"


def scenario_start(campaign: Campaign, card: Card) -> ScenarioStart:
    """Return the start of the next scenario (15.6205). Before 15.6121 that is the scenario on the
    next CG Date, if there is one."""
    situation = campaign.situation
    if situation.first_setup is not None and situation.date != situation.ended:
        turns = situation.turns or ""
        return ScenarioStart(
            situation.date, situation.first_setup, situation.first_move, turns, True
        )
    date = situation.date
    if date == situation.ended:
        date = card.next_date(date) or date
    following = card.next_date(date) if card.is_night_date(date) else None
    otherwise = _start_on(following, campaign, card) if following else None
    return replace(_start_on(date, campaign, card), otherwise=otherwise)


def _start_on(date: str, campaign: Campaign, card: Card) -> ScenarioStart:
    order = card.order_of_play_on(date, campaign.current_rulings)
    first_move = None if order.first_move_table else order.first_move
    return ScenarioStart(date, order.first_setup, first_move, order.turns, False)


def setup_and_move_order_text(start: ScenarioStart) -> str:
    """Return the sides that set up and move first, and the turns, on each date that the scenario
    may be on."""
    return "; or ".join(
        (
            f"{each.date}: the {each.first_setup.plural} set up first, "
            f"{each.first_move_text}, {each.turns} turns"
        )
        for each in (start, start.otherwise)
        if each is not None
    )


def japanese_setup_limits(view: Campaign, card: Card) -> dict[str, int]:
    """Return the limits for Tank-Hunter Heroes (SSR BRT5) and squad-equivalents with HIP (G1.631),
    from the Japanese units on map."""
    own = [unit for unit in view.free_units_in_play_of(Side.JAPANESE) if not unit.off_map]
    figures = card.ladders.figures
    squads = sum(unit.kind is UnitKind.SQUAD for unit in own)
    size = sum(card.ladders.size_in_squad_equivalents(unit) for unit in own if unit.mmc)
    percents = (
        (figures.tank_hunter_percent, squads),
        (figures.hip_day_percent, size),
        (figures.hip_night_percent, size),
    )
    found = (ceil(percent * whole / 100) for percent, whole in percents)
    return dict(zip(LIMITS, found, strict=True))


def hidden_japanese_strength(view: Campaign, card: Card) -> float:
    """Return the squad-equivalents of the Japanese units that are hidden now."""
    hidden = (unit for unit in view.free_units_in_play_of(Side.JAPANESE) if unit.hidden)
    return sum(map(card.ladders.size_in_squad_equivalents, hidden), 0.0)


# --- the places of counters -----------------------------------------------------------------------


def list_roster_pages(view: Campaign, first: Side = Side.MARINE) -> list[RosterPage]:
    """Return all pages in the order of setup, those of the side that sets up `first` first: both
    sides' Isolated Locations (15.6201), then each side's areas (15.6202), its counters off map and
    elsewhere. Empty pages are left out, except for areas."""
    found: dict[tuple[str, str, Side], RosterPage] = {}
    for area in view.areas.values():
        page = RosterPage(kind=AREA, name=area.id, side=area.side, area=area)
        found[AREA, area.id, area.side] = page
    owned = (held for held in view.counters() if isinstance(held, Piece | Fortification))
    for counter in sorted(view.sort_counters_in_play(owned), key=_rank):
        kind, name, side = _whereabouts(view, counter)
        new = RosterPage(kind=kind, name=name, side=side, words=view.location_text(name))
        page = found.setdefault((kind, name, side), new)
        getattr(page, counter.TABLE).append(counter)
    return sorted(found.values(), key=lambda page: _page_order(page, first))


def _rank(
    counter: Counter,
) -> tuple[int, list[int], tuple[int, int], Natural]:
    """Return the sorting key of a counter: a unit's group and value, then hex and id."""
    group, value = 0, []
    if isinstance(counter, Unit):
        group = next(at for at, (_, kinds) in enumerate(GROUPS) if counter.kind in kinds)
        # "9-1" is better than "9-0" and "8+1"; "7-6-8" is better than "6-6-8".
        figures = counter.type.replace("+", "-").split("-")
        value = [-int(figure) if figure.isdecimal() else 0 for figure in figures]
        if "+" in counter.type:
            value[-1] *= -1
    spot = counter.location or counter.recorded_location
    return group, value, hex_order_key(spot), natural_sort_key(counter.id)


def _page_order(page: RosterPage, first: Side) -> tuple[bool, bool, int, tuple[int, int], int, str]:
    isolated = page.kind == ISOLATED
    where = hex_order_key(page.name) if isolated else (0, 0)
    place = (PAGES.index(page.kind), where, len(page.name), page.name)
    return (not isolated, page.side is not first, *place)


def _whereabouts(view: Campaign, counter: Counter) -> tuple[str, str, Side]:
    """Return the kind, name and side of the page that a counter is on."""
    side = counter.side or Side.MARINE
    if isinstance(counter, Fortification):
        return _page_of_fortification(view, counter)
    assert isinstance(counter, Piece)
    kind, name, area = view.whereabouts(counter)
    if kind is ISOLATED:
        side = view.side_isolated_in(name, view.side_hiding(counter)) or side
    elif area is not None:
        side = area.side
    elif kind is ELSEWHERE and "prisoner" in counter.status and counter.location is None:
        return (PRISONERS, PRISONERS, side)
    return (kind, name, side)


def _page_of_fortification(view: Campaign, fort: Fortification) -> tuple[str, str, Side]:
    """Return the page of a Fortification: the page of the area or Isolated Location that contains
    it; while it is hidden, a page of its side (15.6082); without a Location, a page of the side
    that still has to set it up."""
    if fort.location is None:
        return (ELSEWHERE, ELSEWHERE, fort.side)
    for location in (fort.location, location_inside_fortification(fort.location, fort.id)):
        whose = view.side_isolated_in(location, view.side_hiding(fort))
        if whose is not None:
            return (ISOLATED, location, whose)
    ends = (fort.location, fort.exit if fort.hidden else None)
    for area in filter(None, map(view.area_at, ends)):
        if area.side is fort.side or not fort.hidden:
            return (AREA, area.id, area.side)
    return (ELSEWHERE, ELSEWHERE, fort.controller or fort.side)


def group_units(units: Iterable[Unit]) -> Iterator[tuple[str, list[Unit]]]:
    """Return units by group, prisoners last and by themselves; empty groups are left out."""
    mine = list(units)
    for title, kinds in GROUPS:
        found = [counter for counter in mine if counter.kind in kinds and not counter.prisoner]
        if found:
            yield title, found
    prisoners = [counter for counter in mine if counter.prisoner]
    if prisoners:
        yield "Prisoners", prisoners


def page_tables(view: Campaign, page: RosterPage) -> Iterator[tuple[str, str, list[Any]]]:
    """Yield the tables of a page: title, kind, counters. Counters bound to a Location come first,
    then the others in the order in which players stack them."""
    if page.kind == ISOLATED:
        yield "", "counter", page.counters
        return
    pieces = (held for held in page.counters if isinstance(held, Piece))
    bound = {held.id: held for held in pieces if bound_location(view, held)}
    yield "Bound to their Locations", "counter", list(bound.values())
    yield "Fortifications", "fortification", page.fortifications
    for title, units in group_units(held for held in page.units if held.id not in bound):
        yield title, "unit", units
    weapons = [held for held in page.weapons if held.id not in bound]
    of = {kind: [held for held in weapons if held.kind is kind] for kind in WeaponKind}
    yield "Guns", "Gun", of[WeaponKind.GUN]
    yield "Support weapons", "weapon", of[WeaponKind.SW]
    yield "Vehicles", "vehicle", [held for held in page.vehicles if held.id not in bound]
    yield "Vehicles' weapons", "weapon", of[WeaponKind.VEHICULAR]


# --- in words -------------------------------------------------------------------------------------


def scenario_start_text(view: Campaign, card: Card) -> str:
    """Return the start of the scenario, if it is known."""
    start = scenario_start(view, card)
    turns = f", {start.turns.replace('.5', '½')} turns" if start.turns else ""
    return (
        f"{start.date}: the {start.first_setup.plural} set up first, "
        f"{start.first_move_text}{turns} (15.6205)"
    )


def arrivals_text(view: Campaign, card: Card, seat: Side | None) -> str:
    """Return, in words, the counters that arrive in the scenario being set up, or have just arrived
    for it; "" if there are none."""
    date, words = scenario_start(view, card).date, list[str]()
    for side in Side:
        if seat in (None, side):
            due = [arrival_text(each) for each in side_arrivals_due_by(view, card, date, side)]
            came = [
                f"{arrival_text(each)} (off map)"
                for each in (
                    view.arrivals[key] for key in sorted(view.arrivals, key=natural_sort_key)
                )
                if each.side is side and each.entered and each.date == date
            ]
            words += [f"{side.label} arrivals: {'; '.join([*due, *came])}"] * bool(due or came)
    return "\n".join(words)


def _japanese_limits(view: Campaign, card: Card) -> tuple[str, str, str, str]:
    """Return the squad-equivalents that are HIP, those allowed by day and at night (G1.631), and
    the T-H Heroes (SSR BRT5), in words."""
    found = japanese_setup_limits(view, card)
    more = [0.0, 0.0]
    if not _leaves_out_bought_hip(view):
        more = [usable_hip(view, card, when) for when in ("by day", "by night")]
    day, night = (found[name] + extra for name, extra in zip(LIMITS[1:], more, strict=True))
    hidden = halves_text(hidden_japanese_strength(view, card))
    heroes = f"at most {found[LIMITS[0]]} (SSR BRT5)"
    return hidden, halves_text(day), halves_text(night), heroes


def _leaves_out_bought_hip(view: Campaign) -> bool:
    """Whether purchases, which may be for an earlier date, are left out of the limits."""
    return view.situation.phase is Phase.SCENARIO


def japanese_limit_words(view: Campaign, card: Card) -> dict[str, str]:
    """Return the Japanese limits in words, by subject."""
    hidden, day, night, heroes = _japanese_limits(view, card)
    bought = ", plus any bought," if _leaves_out_bought_hip(view) else ""

    def of(most: str) -> str:
        return f"{hidden} squad-equivalents are hidden; at most {most}{bought} may be (G1.631)"

    return {"HIP by day": of(day), "HIP by night": of(night), "T-H Heroes": heroes}


def japanese_limits_text(view: Campaign, card: Card, seat: Side | None) -> str:
    """Return the limits in a line; "" for the Marines, who do not know all hidden units."""
    if seat is Side.MARINE:
        return ""
    hidden, day, night, heroes = _japanese_limits(view, card)
    bought = ", plus any bought" if _leaves_out_bought_hip(view) else ""
    allowed = f"allowed by day {day}, at night {night}{bought}"
    return f"HIP now {hidden}, {allowed} · T-H Heroes: {heroes}"
