"""The counters that a side reports on at the end of a scenario, as numbered lists.

The printed sheet and the screen use these lists, and the codes (codes.py) follow them, so all have
the same counters in the same order, whichever side's view they are made from: one list for each
place, hex by hex, each counter followed by those that it possesses, carries or guards.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from brt_cg.board import hex_order_key, is_area_only_location, location_inside_fortification
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import (
    Counter,
    Fortification,
    Piece,
    Side,
    Terrain,
    Unit,
    UnitKind,
    Vehicle,
    Weapon,
)
from brt_cg.model.setup_areas import PlaceKind

Natural = tuple[tuple[int, str], ...]

TERRAIN = "terrain"
KINDS = (*PlaceKind, TERRAIN)  # of places, in the order of the lists
_RANKS = (
    (UnitKind.LEADER,),
    (UnitKind.HERO, UnitKind.PATHFINDER),
    (UnitKind.SQUAD,),
    (UnitKind.HALF_SQUAD,),
    (UnitKind.CREW, UnitKind.VEHICLE_CREW),
)


@dataclass(slots=True)
class NumberedList:
    """The counters of a side in one place. The number of a counter is its position, from 1.

    `kind` is one of KINDS; `name` the id of a Setup Area, an Isolated Location, or the kind.
    """

    side: Side
    kind: str
    name: str
    counters: list[Counter] = field(default_factory=list)
    words: str = ""  # for an Isolated Location: its name in words

    @property
    def title(self) -> str:
        """The place in the players' words."""
        words = {
            PlaceKind.AREA: f"Area {self.name}",
            PlaceKind.ISOLATED: f"{self.words or self.name}, Isolated",
            PlaceKind.OFF_MAP: "off map",
            PlaceKind.ELSEWHERE: "in no Setup Area",
            TERRAIN: "terrain",
        }
        return words[self.kind]

    @property
    def numbered(self) -> Iterator[tuple[int, Counter]]:
        """Each counter with its number."""
        return enumerate(self.counters, start=1)

    def counter_numbered(self, number: int) -> Counter | None:
        """Return the counter with a number, if there is one."""
        return self.counters[number - 1] if 0 < number <= len(self.counters) else None


def numbered_lists(view: Campaign, side: Side) -> list[NumberedList]:
    """Return the lists of a side, for its own view and the umpire's alike: Setup Areas by number,
    Isolated Locations by hex, counters off map, counters in no area, and the terrain, which is in
    both sides' lists."""
    found: dict[tuple[str, str], NumberedList] = {}
    for counter in _in_order(view, side):
        place = _place(view, counter, side)
        of = NumberedList(side, *place, words=view.location_text(place[1]))
        found.setdefault(place, of).counters.append(counter)
    return sorted(found.values(), key=_place_order)


def reporting_side(counter: Counter) -> Side | None:
    """Return the side that reports on a counter: its own, but the captor for a prisoner; None for
    terrain, which both report on."""
    if isinstance(counter, Unit) and counter.prisoner:
        return counter.side.enemy
    return counter.side


@lru_cache(maxsize=4096)
def natural_sort_key(text: str) -> Natural:
    """Return a sorting key by which numbers in text sort as numbers: "m-sq-2" before "m-sq-10"."""
    parts = re.findall(r"[0-9]+|[^0-9]+", text)
    return tuple((int(part), "") if part.isdecimal() else (0, part) for part in parts)


def _in_order(view: Campaign, side: Side) -> Iterator[Counter]:
    """Yield a side's counters in play, hex by hex; each counter that holds others is followed by
    them."""
    mine = [
        held for held in view.counters() if held.in_play and reporting_side(held) in (side, None)
    ]
    ids = {held.id for held in mine}
    held_by: dict[str, list[Counter]] = {}
    for counter in mine:
        holder = holder_id(counter)
        held_by.setdefault(holder if holder in ids else "", []).append(counter)
    listed: set[str] = set()

    def with_held(counters: Iterable[Counter]) -> Iterator[Counter]:
        for counter in sorted(counters, key=_rank):
            if counter.id not in listed:
                listed.add(counter.id)
                yield counter
                yield from with_held(held_by.get(counter.id, ()))

    yield from with_held(held_by.get("", ()))
    yield from with_held(mine)  # any that hold each other, against the rules


def holder_id(counter: Counter) -> str:
    """Return the id of the counter that holds another one: its guard, vehicle or possessor."""
    links = {Unit: ("guard", "aboard"), Weapon: ("possessor", "vehicle")}.get(type(counter), ())
    return next((id for link in links if (id := getattr(counter, link))), "")


def holder_chain(counter: Counter, find: Callable[[str], Counter | None]) -> Iterator[Counter]:
    """Yield the holder of a counter, then the holder of that one, and so on; `find` returns a
    counter by its id."""
    seen = {counter.id}
    while (holder := find(holder_id(counter))) is not None and holder.id not in seen:
        seen.add(holder.id)
        yield holder
        counter = holder


def _place(view: Campaign, counter: Counter, side: Side) -> tuple[str, str]:
    """Return the kind and name of a counter's place; a Fortification in a Location where its side
    is Isolated is there, not in the enemy area around it."""
    if isinstance(counter, Terrain):
        return (TERRAIN, TERRAIN)
    if isinstance(counter, Fortification) and counter.location is not None:
        for location in (
            counter.location,
            location_inside_fortification(counter.location, counter.id),
        ):
            if view.side_isolated_in(location, side) is side:
                return (PlaceKind.ISOLATED.value, location)
    bearer = [counter, *holder_chain(counter, view.find)][-1]  # its place counts
    kind, name, _ = view.whereabouts(bearer)
    return (kind.value, name)


def _rank(counter: Counter) -> tuple[tuple[int, int], int, list[int], Natural]:
    """Return the sorting key of a counter: hex; units before vehicles, weapons and Fortifications,
    leaders first, the best first, prisoners last; id."""
    spot = counter.location or (counter.recorded_location if isinstance(counter, Piece) else None)
    spot = None if is_area_only_location(spot) else spot
    group, value = len(_RANKS), list[int]()
    if isinstance(counter, Unit):
        group = next(at for at, kinds in enumerate(_RANKS) if counter.kind in kinds)
        group += 2 * len(_RANKS) if counter.prisoner else 0
        value = [-int(figure) for figure in re.findall(r"[0-9]+", counter.type)]
    kinds = (Vehicle, Weapon, Fortification, Terrain)
    group += next((at for at, kind in enumerate(kinds) if isinstance(counter, kind)), 0)
    return hex_order_key(spot), group, value, natural_sort_key(counter.id)


def _place_order(found: NumberedList) -> tuple[int, tuple[int, int], Natural]:
    where = hex_order_key(found.name) if found.kind == PlaceKind.ISOLATED else (0, 0)
    return KINDS.index(found.kind), where, natural_sort_key(found.name)
