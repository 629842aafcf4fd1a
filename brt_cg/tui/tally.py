"""What a side has, place by place, and what is to be done next: figures and words to show."""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from brt_cg.asks import Roll
from brt_cg.campaign import Campaign
from brt_cg.counters import CREWS, Kind, Piece, Side, Unit, Vehicle, Weapon, WeaponKind
from brt_cg.records import Phase
from brt_cg.tui.session import Seen

if TYPE_CHECKING:
    from brt_cg.records import Area

ISOLATED, OFF_MAP, ON_MAP, PRISONERS = "Isolated", "Off map", "On map", "Captured"
HEADINGS = (
    ("Sq", "squads"),
    ("HS", "half_squads"),
    ("Crew", "crews"),
    ("Ldr", "leaders"),
    ("Gun", "guns"),
    ("Veh", "vehicles"),
)


@dataclass(slots=True)
class Tally:
    """The counters of one side in one place. `hexes` is the size of a Setup Area, None elsewhere;
    heroes and Pathfinders are in no column."""

    place: str
    hexes: int | None = None
    squads: int = 0
    half_squads: int = 0
    crews: int = 0
    leaders: int = 0
    guns: int = 0
    vehicles: int = 0

    def figures(self) -> tuple[int, ...]:
        """The counts in the order of HEADINGS."""
        return tuple(getattr(self, name) for _, name in HEADINGS)

    def count(self, piece: Piece) -> None:
        """Adds a counter to its column, if it has one."""
        name = _column(piece)
        if name is not None:
            setattr(self, name, getattr(self, name) + 1)

    def __add__(self, other: "Tally") -> "Tally":
        sums = {
            one.name: getattr(self, one.name) + getattr(other, one.name)
            for one in fields(self)
            if one.name not in ("place", "hexes")
        }
        return Tally(self.place, self.hexes, **sums)


def _column(piece: Piece) -> str | None:
    if isinstance(piece, Vehicle):
        return None if piece.wreck else "vehicles"
    if isinstance(piece, Weapon):
        return "guns" if piece.kind is WeaponKind.GUN else None
    if not isinstance(piece, Unit):
        return None
    if piece.kind in CREWS:
        return "crews"
    names = {Kind.SQUAD: "squads", Kind.HALF_SQUAD: "half_squads", Kind.LEADER: "leaders"}
    return names.get(piece.kind)


def tallies(view: Campaign, side: Side) -> list[Tally]:
    """A side's counters by Setup Area, then the others; places that hold none of it are left out,
    but not its own Setup Areas."""
    areas = [area for _, area in sorted(view.areas.items()) if area.side is side]
    found = {area.id: Tally(area.id, len(area.hexes)) for area in areas}
    others = {name: Tally(name) for name in (ON_MAP, ISOLATED, OFF_MAP, PRISONERS)}
    by_hex = {where: area for area in areas for where in area.hexes}
    for piece in view.pieces():
        if piece.side is side and piece.in_play:
            place = _place(view, piece, by_hex)
            (found.get(place) or others[place]).count(piece)
    return [*found.values(), *(one for one in others.values() if any(one.figures()))]


def _place(view: Campaign, piece: Piece, by_hex: dict[str, "Area"]) -> str:
    if isinstance(piece, Unit) and piece.prisoner:
        return PRISONERS
    if piece.isolated:
        return ISOLATED
    if piece.off_map:
        return OFF_MAP
    area = view.areas.get(piece.setup_area) if piece.setup_area else None
    if area is None and piece.location:
        area = by_hex.get(piece.location.partition(":")[0])
    return area.id if area is not None and area.side is piece.side else ON_MAP


def leaders(view: Campaign, side: Side) -> list[tuple[str, list[str]]]:
    """A side's leaders by place, the best of each place first: "9-1 Hawkins, wounded"."""
    areas = {h: area for area in view.areas.values() if area.side is side for h in area.hexes}
    found: dict[str, list[Unit]] = {}
    for unit in view.units.values():
        if unit.side is side and unit.leader and unit.in_play:
            found.setdefault(_place(view, unit, areas), []).append(unit)
    others = (ON_MAP, ISOLATED, OFF_MAP, PRISONERS)
    return [
        (place, [_named(one) for one in sorted(found[place], key=_rank, reverse=True)])
        for place in sorted(found, key=lambda one: (one in others, one))
    ]


def _named(unit: Unit) -> str:
    marks = [mark for mark in ("wounded", "broken") if unit.has(mark)]
    return "\N{NO-BREAK SPACE}".join(
        [unit.type, unit.name or unit.id, *(f"({mark})" for mark in marks)]
    )


def _rank(unit: Unit) -> tuple[int, int]:
    morale, _, leading = unit.type.replace("+", "-+").partition("-")
    drm = -int(leading[1:]) if leading.startswith("+") else int(leading or 0)
    return (int(morale), drm)


def isolated_at(view: Campaign, side: Side) -> list[str]:
    """The Locations where a side's units are Isolated, in the board's order."""
    mine = [one for one in view.units.values() if one.side is side and one.isolated]
    places = (one.recorded_location or one.location for one in view.in_order(mine))
    return list(dict.fromkeys(place for place in places if place))


@dataclass(frozen=True, slots=True)
class Next:
    """The next thing to do: one sentence, and the action (of everywhere or the Dashboard) that
    leads there; none when there is nothing more to do."""

    sentence: str
    action: str | None


def what_next(seen: Seen) -> Next:
    """What to do next, as the seat may know it."""
    situation = seen.view.situation
    ask = seen.ask
    if seen.waiting:
        other = seen.seat.enemy.label if seen.seat else "other"
        return Next(f"The {other} side has something to decide in private: change seats", "seat")
    if ask is not None and seen.seat not in (None, ask.side) and not isinstance(ask, Roll):
        return Next(f"{ask.rule} asks the {ask.side.label} side: change seats for it", "seat")
    if ask is not None:
        room = "purchases" if ask.buying else "refit"
        return Next(f"{ask.rule} asks the {ask.side.label} side: {ask.prompt}", room)
    if situation.phase is Phase.SCENARIO:
        words = f"Play the scenario of {situation.date}, then enter its end in Forces"
        return Next(words, "forces")
    if situation.phase is Phase.OVER:
        won = f": the {situation.victor.label} side has won it" if situation.victor else ""
        return Next(f"The campaign is over{won}", None)
    if seen.upcoming is None:
        return Next("Go on", "refit")
    number, title = seen.upcoming.number, seen.upcoming.title
    if situation.phase is Phase.PURCHASE:
        words = f"Buy for the first scenario, then set up in Refit with {number} {title}"
        if seen.view.allotments:
            return Next(f"{words}; or take in a situation from a file", "purchases")
        return Next(f"Take in a situation from a file, or set up with {number} {title}", "refit")
    begins = situation.done is None
    verb = "Begin the Refit Phase with" if begins else "Go on with"
    return Next(f"{verb} {number} {title}", "refit")
