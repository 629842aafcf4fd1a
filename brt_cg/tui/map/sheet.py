"""The contents of each hex of the map, from the campaign as a seat sees it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from brt_cg.board import OFF_MAP, TerrainType, ground_hex, locations
from brt_cg.card import Card
from brt_cg.immutable import immutable
from brt_cg.model import Campaign, Counter, Fortification, Side, Unit, Vehicle, Weapon, WeaponKind

GUN, VEHICLE, PILLBOX, WORK = "G", "V", "P", "w"
LEGEND = {GUN: "Gun", VEHICLE: "vehicle", PILLBOX: "pillbox", WORK: "other Fortification"}


@dataclass(slots=True)
class HexStack:
    """A side's counters in a hex: the strength in squad-equivalents, whether any units are there,
    and symbols for Guns, vehicles, pillboxes and other Fortifications."""

    strength: float = 0
    manned: bool = False
    signs: set[str] = field(default_factory=set)

    @property
    def is_there(self) -> bool:
        """Whether the side has anything there."""
        return self.manned or bool(self.signs)

    @property
    def sign(self) -> str:
        """The symbol of the most important counter."""
        return next((sign for sign in LEGEND if sign in self.signs), " ")


@dataclass(slots=True)
class Hex:
    """The contents of a hex. `shade` is 0, 1 or 2, and differs from the shade of every neighbor;
    `holder` is the side whose Setup Area contains it, `front` says whether it has a Front Line
    Location, `isolated` is the side that is Isolated there."""

    name: str
    terrain: TerrainType
    shade: int
    beach: str | None
    area: str | None = None
    holder: Side | None = None
    front: bool = False
    isolated: Side | None = None
    stacks: dict[Side, HexStack] = field(default_factory=dict)

    @property
    def contested(self) -> bool:
        """Whether both sides have counters there."""
        return sum(stack.manned for stack in self.stacks.values()) > 1


@immutable
class MapSheet:
    """The map: every hex by name, and its counters."""

    hexes: Mapping[str, Hex]
    here: Mapping[str, tuple[Counter, ...]]


def build_map_sheet(view: Campaign, card: Card) -> MapSheet:
    """Return the map of a campaign as a seat sees it: `view` contains nothing that the seat may not
    know."""
    hexes = build_blank_hexes()
    for area in view.areas.values():
        front = view.front_hexes(area.side)
        for name in area.hexes:
            hexes[name].area, hexes[name].holder = area.id, area.side
            hexes[name].front = name in front
    for where, side in view.isolated_unit_locations():
        hexes[ground_hex(where)].isolated = side
    here: dict[str, list[Counter]] = {}
    for counter in view.counters():
        spot = counter.location
        known = spot is not None and spot != OFF_MAP and not locations.is_area_only_location(spot)
        if counter.in_play and known:
            name = ground_hex(spot or "")
            here.setdefault(name, []).append(counter)
            _stack(hexes[name], counter, card)
    return MapSheet(
        hexes, {name: tuple(view.sort_counters_in_play(lying)) for name, lying in here.items()}
    )


def build_blank_hexes() -> dict[str, Hex]:
    """Return the hexes of the map, held by nobody."""
    return {
        name: Hex(name, locations.terrain_of(name), hex_shade(name), locations.beach_of_hex(name))
        for name in locations.hexes_in_play()
    }


def hex_shade(name: str) -> int:
    """Return a shade, 0, 1 or 2, that differs for any two neighbors."""
    row, number = locations.hex_sort_key(name)
    return (number - 1 - (row - row % 2) // 2 - row) % 3


def _stack(hex: Hex, counter: Counter, card: Card) -> None:
    side = counter.side
    if side is None:
        return
    stack = hex.stacks.setdefault(side, HexStack())
    if isinstance(counter, Unit) and not counter.prisoner:
        stack.strength += card.ladders.size_in_squad_equivalents(counter)
        stack.manned = True
    elif isinstance(counter, Vehicle):
        stack.signs.add(VEHICLE)
        stack.manned = stack.manned or counter.manned
    elif isinstance(counter, Weapon) and counter.kind is WeaponKind.GUN:
        stack.signs.add(GUN)
    elif isinstance(counter, Fortification):
        stack.signs.add(PILLBOX if counter.type.startswith("pillbox") else WORK)
