"""A side's forces place by place: figures and words to show."""

from collections import Counter as Count
from dataclasses import dataclass, field

from brt_cg.card import parse_leader_value
from brt_cg.exports.strength import TOTALS, strength_category
from brt_cg.model import Campaign, Counter, Phase, PlaceKind, Side, Unit, natural_sort_key

ISOLATED, OFF_MAP, ON_MAP, PRISONERS = "Isolated", "Off map", "On map", "Captured"
NOT_IN_AREAS = {
    PlaceKind.ISOLATED: ISOLATED,
    PlaceKind.OFF_MAP: OFF_MAP,
    PlaceKind.ELSEWHERE: ON_MAP,
}
UNPLACED = "Unplaced"  # not set up yet
OTHERS = (ON_MAP, UNPLACED, ISOLATED, OFF_MAP, PRISONERS)  # places other than Setup Areas
HEADINGS = (
    ("Sq", "squads"),
    ("HS", "half_squads"),
    ("Crew", "crews"),
    ("Ldr", "leaders"),
    ("Gun", "guns"),
    ("Veh", "vehicles"),
)
COUNTED = (  # the types that are counted in words, in order
    *("squads", "half_squads", "crews", "leaders", "heroes", "pathfinders"),
    *("sw", "guns", "vehicles", "wrecks", "fortifications"),
)


@dataclass(slots=True)
class PlaceTally:
    """The counters of one side in one place, by type. `hexes` is the size of a Setup Area, None
    elsewhere."""

    place: str
    hexes: int | None = None
    counts: Count[str | None] = field(default_factory=Count)

    def figures(self) -> tuple[int, ...]:
        """Return the counts in the order of HEADINGS; SW, heroes and Pathfinders are not in any
        column."""
        return tuple(self.counts[what] for _, what in HEADINGS)

    @property
    def words(self) -> str:
        """All counts: "12 squads, 3 HS, 2 leaders, 5 SW"."""
        return ", ".join(
            f"{self.counts[what]} {TOTALS[what][self.counts[what] != 1]}"
            for what in COUNTED
            if self.counts[what]
        )


def place_tallies(view: Campaign, side: Side) -> list[PlaceTally]:
    """Return a side's units, weapons and vehicles by Setup Area (including empty ones), then by
    other places."""
    areas = sorted(
        (area.id for area in view.areas.values() if area.side is side), key=natural_sort_key
    )
    found = {id: PlaceTally(id, len(view.areas[id].hexes)) for id in areas}
    for piece in view.pieces():
        if piece.side is side and piece.in_play:
            place = place_heading(view, piece)
            if place not in found:
                found[place] = PlaceTally(place)
            found[place].counts[strength_category(piece)] += 1
    others = sorted(found.keys() - {*areas}, key=place_sort_key)
    return [found[place] for place in (*areas, *others)]


def place_sort_key(place: str) -> tuple[int, str]:
    """Return the key that sorts places: Setup Areas, then OTHERS in their order."""
    return (OTHERS.index(place) + 1 if place in OTHERS else 0), place


def place_heading(view: Campaign, counter: Counter) -> str:
    """Return the place of a counter, as a heading: a Setup Area's id, or one of OTHERS."""
    if isinstance(counter, Unit) and counter.prisoner:
        return PRISONERS
    found = view.whereabouts(counter)
    if found.kind is PlaceKind.ELSEWHERE and counter.location is None:
        # During a scenario all counters are placed, noted or not.
        return ON_MAP if view.situation.phase is Phase.SCENARIO else UNPLACED
    return NOT_IN_AREAS.get(found.kind, found.name)


def leaders_by_place(view: Campaign, side: Side) -> list[tuple[str, list[str]]]:
    """Return a side's leaders by place, the best of each place first: "9-1 Hawkins (wounded)"."""
    led = (
        unit for unit in view.units.values() if unit.side is side and unit.leader and unit.in_play
    )
    found: dict[str, list[Unit]] = {}
    for unit in led:
        found.setdefault(place_heading(view, unit), []).append(unit)
    return [
        (place, [_named(unit) for unit in sorted(found[place], key=_rank, reverse=True)])
        for place in sorted(found, key=place_sort_key)
    ]


def _named(unit: Unit) -> str:
    marks = [mark for mark in ("wounded", "broken") if unit.has_status(mark)]
    return "\N{NO-BREAK SPACE}".join(
        [unit.type, unit.name or unit.id, *(f"({mark})" for mark in marks)]
    )


def _rank(unit: Unit) -> tuple[int, int]:
    morale, drm = parse_leader_value(unit.type)
    return morale, -drm


def isolated_locations(view: Campaign, side: Side) -> list[str]:
    """Return the Locations where a side is Isolated, in the board's order."""
    return list(
        dict.fromkeys(where for where, whose in view.isolated_unit_locations() if whose is side)
    )
