"""The Setup Areas as a map, and the places that a counter may be in (15.607-15.608)."""

from enum import StrEnum
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from brt_cg.board import grid, locations
from brt_cg.model.counters import Side, Unit
from brt_cg.model.records import Area
from brt_cg.model.table import Table


class SetupAreas:
    """The Setup Areas as a map: the area of each hex, and the hexes that touch an enemy area."""

    def __init__(self, table: Table[Area]) -> None:
        self._table = table
        self.by_hex = {hex: area for area in reversed(table.values()) for hex in area.hexes}
        self._fronts: dict[Side, frozenset[str]] = {}
        self._most: dict[tuple[Side, str], Area | None] = {}

    def area_with_most_beach_hexes(self, beach: str, side: Side) -> Area | None:
        """Return a side's area with the most hexes of a beach (ties: lowest id); None if no area
        has any."""
        if (side, beach) not in self._most:
            own = (area for area in self._table.values() if area.side is side)
            held = {
                area.id: sum(locations.beach_of_hex(hex) == beach for hex in area.hexes)
                for area in own
            }
            most = min(held, key=lambda id: (-held[id], len(id), id), default="")
            self._most[side, beach] = self._table[most] if held.get(most) else None
        return self._most[side, beach]

    def front_hexes(self, side: Side) -> frozenset[str]:
        """Return the hexes of a side's areas that touch a hex of an enemy area."""
        if side not in self._fronts:
            own, enemy = (
                tuple(area.hexes for area in self._table.values() if area.side is whose)
                for whose in (side, side.enemy)
            )
            self._fronts[side] = _touching(own, enemy)
        return self._fronts[side]


@lru_cache(maxsize=64)
def _touching(
    own: tuple[tuple[str, ...], ...], enemy: tuple[tuple[str, ...], ...]
) -> frozenset[str]:
    """Return the hexes of some areas that touch a hex of others."""
    theirs = frozenset(chain.from_iterable(enemy))
    hexes = chain.from_iterable(own)
    return frozenset(hex for hex in hexes if not theirs.isdisjoint(grid.neighbors(hex)))


class RetainedUnitsCache:
    """The units that are Retained together, by home and side, filled in on demand. Valid until a
    unit or a Setup Area changes."""

    def __init__(self, _: Table[Unit]) -> None:
        self._areas: SetupAreas | None = None
        self._together: dict[tuple[str, Side | None], list[Unit]] = {}

    def cache_for_areas(self, areas: SetupAreas) -> dict[tuple[str, Side | None], list[Unit]]:
        """Return the units known to be together in these areas."""
        if self._areas is not areas:
            self._areas, self._together = areas, {}
        return self._together


class PlaceKind(StrEnum):
    """The kinds of places that a counter may be in."""

    AREA = "area"
    ISOLATED = "isolated"
    OFF_MAP = "off_map"
    ELSEWHERE = "elsewhere"


class Whereabouts(NamedTuple):
    """The place of a counter: its kind, its name (an area's id, a Location), and the Setup Area if
    it is in one."""

    kind: PlaceKind
    name: str
    area: Area | None = None
