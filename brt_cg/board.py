"""The map of Betio: hexes, Locations, neighbours, distances, connected areas.

A hex is a plain string, "A1" to "Z63": hexrow, then number. A Location is a hex, or a place in it
("N21:1" its level 1, "Z33:pier", "N21:F7" inside fortification F7), or "off_map".
Order is always by hexrow, then number; "lowest" means first in that order. Distances are in hexes.
Every function raises BadLocation for a hex or Location that is not on the map.
"""

import csv
import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from brt_cg import resources

OFF_MAP = "off_map"
ROWS, NUMBERS = 26, 63  # of the map: its hexrows, and the hexes of each

_OFFSETS_EVEN = ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0))
_OFFSETS_ODD = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1))


class TerrainType(StrEnum):
    """What a hex is, for the Refit Phase; the pier counts as land (15.607)."""

    OCEAN = "ocean"
    BEACH = "beach"
    LAND = "land"
    PIER = "pier"


class BadLocation(ValueError):
    """A text that names no hex, Location or hexside of the map; says what is allowed."""


class _Square(NamedTuple):
    """One line of the map's file, with its place in the grid: hexrow index (A = 0), number."""

    key: tuple[int, int]
    terrain: TerrainType
    beach: str | None


@cache
def _map() -> dict[str, _Square]:
    with (resources.campaigns() / "betio" / "hexes.csv").open(encoding="utf-8", newline="") as file:
        lines = csv.reader(file)
        assert next(lines) == ["hex", "terrain", "beach"], "the map's file has other columns"
        terrains = {terrain.value: terrain for terrain in TerrainType}
        return {
            hex: _Square((ord(hex[0]) - ord("A"), int(hex[1:])), terrains[terrain], beach or None)
            for hex, terrain, beach in lines
        }


@cache
def _touching() -> dict[str, tuple[str, ...]]:
    names = {square.key: name for name, square in _map().items()}
    touching = {}
    for (row, number), name in names.items():
        offsets = _OFFSETS_ODD if row % 2 else _OFFSETS_EVEN
        near = (names.get((row + across, number + along)) for across, along in offsets)
        touching[name] = tuple(other for other in near if other)
    return touching


def _at(hex: str) -> _Square:
    square = _map().get(hex)
    if square is None:
        raise BadLocation(_no_hex(hex))
    return square


def _no_hex(text: str) -> str:
    refusal = f"{text if text.strip() else repr(text)} is not a hex of Betio (A1–Z63)"
    meant = re.sub(r"^([A-Z])0+", r"\1", text.strip().upper())
    return f"{refusal}: write {meant}" if meant in _map() else refusal


# Names ------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def key(hex: str) -> tuple[int, int]:
    """The sorting key of a hex: hexrow index (A = 0), number."""
    return _at(hex).key


@lru_cache(maxsize=4096)
def check_hex(text: str) -> str:
    """The hex as given, once it is known to be on the map."""
    _at(text)
    return text


@lru_cache(maxsize=4096)
def split(location: str) -> tuple[str, str | None]:
    """The hex and the place of an on-map Location: ("N21", "1"), ("N21", None)."""
    if location == OFF_MAP:
        raise BadLocation(f"{OFF_MAP} is in no hex of Betio (A1–Z63)")
    hex, colon, place = location.partition(":")
    check_hex(hex)
    if not colon:
        return hex, None
    _check_place(hex, place)
    return hex, place


def _check_place(hex: str, place: str) -> None:
    if re.fullmatch(r"-?0+", place):
        raise BadLocation(f"{hex}:{place}: the ground level of {hex} is written {hex}")
    if not re.fullmatch(r"[^\s:]+", place) or re.fullmatch(r"-[0-9]+|0[0-9]+", place):
        raise BadLocation(
            f"{hex}:{place} is not a Location: after {hex}: comes a level (1, 2, …), pier, "
            "or a fortification's id, without spaces"
        )


def hex_of(location: str) -> str:
    """The hex of an on-map Location."""
    return split(location)[0]


@lru_cache(maxsize=4096)
def ground(location: str) -> str:
    """The hex that a Location is in; of a hexside ("N18/N19") its first hex."""
    return hex_of(location.split("/")[0])


def inside(location: str, fort: str) -> str:
    """The Location inside a Fortification (its id) that stands in a Location."""
    return f"{ground(location)}:{fort}"


@lru_cache(maxsize=4096)
def hex_order(location: str | None) -> tuple[int, int]:
    """The sorting key of a Location's hex: hexrow, then number; nowhere and off map last."""
    if location is None or location == OFF_MAP:
        return (99, 99)
    return key(ground(location))


def check_location(text: str) -> str:
    """The Location as given, once it is known to be one: on the map, or "off_map"."""
    if text != OFF_MAP:
        split(text)
    return text


def is_location(text: str) -> bool:
    """Whether `check_location` accepts the text."""
    try:
        check_location(text)
    except BadLocation:
        return False
    return True


def check_hexside(text: str) -> str:
    """A hexside, as the two adjacent hexes that share it, lowest first: "N18/N19"."""
    hexes = text.split("/")
    if len(hexes) != 2:
        raise BadLocation(f"{text} is not a hexside: write two adjacent hexes, as N18/N19")
    if not adjacent(*hexes):
        raise BadLocation(f"{text} is not a hexside: {hexes[0]} and {hexes[1]} are not adjacent")
    return "/".join(sorted(hexes, key=key))


def in_capitals(text: str) -> str:
    """A Location, hexside or hex as typed, with its hexes in capitals; a place in the hex as it
    stands. What is none stays as it is."""
    ground, colon, place = text.partition(":")
    parts = (
        part.upper() if re.fullmatch(r"[A-Za-z]{1,2}[0-9]{1,2}", part) else part
        for part in ground.split("/")
    )
    return "/".join(parts) + colon + place


def expand(text: str) -> list[str]:
    """The hexes of a range in one hexrow ("N18-N21", both ends included) or of one hex ("N18")."""
    first, dash, last = text.partition("-")
    if not dash:
        return [check_hex(first)]
    (row, low), (last_row, high) = key(first), key(last)
    if row != last_row:
        raise BadLocation(f"{text} is not a range of hexes: both ends must be in one hexrow")
    if low > high:
        raise BadLocation(f"{text} is not a range of hexes: write {last}-{first}")
    return [f"{first[0]}{number}" for number in range(low, high + 1)]


def in_ranges(hexes: Iterable[str]) -> str:
    """Hexes written as ranges in a hexrow: "N18-N21 M18"."""
    spans: list[list[str]] = []
    for hex in lowest_first(hexes):
        row, number = key(hex)
        if spans and key(spans[-1][-1]) == (row, number - 1):
            spans[-1].append(hex)
        else:
            spans.append([hex])
    return " ".join(span[0] if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in spans)


def lowest_first(hexes: Iterable[str]) -> tuple[str, ...]:
    """Hexes in the board's order: hexrow, then number."""
    return _lowest_first(frozenset(hexes))


@lru_cache(maxsize=64)
def _lowest_first(hexes: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(hexes, key=key))


# Geometry ---------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def neighbours(hex: str) -> tuple[str, ...]:
    """The two to six adjacent hexes on the map, lowest first."""
    return _touching()[check_hex(hex)]


def adjacent(a: str, b: str) -> bool:
    """Whether two different hexes share a hexside."""
    return check_hex(b) in neighbours(a)


def distance(a: str, b: str) -> int:
    """The range between two hexes, in hexes."""
    axes = _axes()
    (row_a, slant_a), (row_b, slant_b) = axes[check_hex(a)], axes[check_hex(b)]
    rows, slant = row_a - row_b, slant_a - slant_b
    return max(abs(rows), abs(slant), abs(rows + slant))


@lru_cache(maxsize=4096)
def arcs(hex: str) -> tuple[tuple[str, str], ...]:
    """The Covered Arcs that something in a hex can have: each two adjacent neighbours of it, lowest
    first."""
    near = neighbours(hex)
    return tuple((a, b) for a in near for b in near if key(a) < key(b) and adjacent(a, b))


@lru_cache(maxsize=512)
def covered(hex: str, arc: tuple[str, str]) -> frozenset[str]:
    """The hexes of the map within a Covered Arc (C3.2): the two before it, three behind those, and
    so on, a hex wider at each range. Raises BadLocation where the two are no arc of the hex."""
    if arc not in arcs(hex):
        raise BadLocation(f"{', '.join(arc)}: not two adjacent hexes next to {hex}")
    axes = _axes()
    (row, slant), (first, second) = axes[hex], (axes[before] for before in arc)
    (a_row, a_slant), (b_row, b_slant) = (
        (along[0] - row, along[1] - slant) for along in (first, second)
    )
    turn = a_row * b_slant - a_slant * b_row  # 1 or −1: two steps to neighbours that are adjacent

    def steps(to: str) -> tuple[int, int]:
        """How often each of the two steps is taken to come to a hex."""
        rows, slants = axes[to][0] - row, axes[to][1] - slant
        return (
            turn * (rows * b_slant - slants * b_row),
            turn * (a_row * slants - a_slant * rows),
        )

    return frozenset(to for to in axes if to != hex and min(steps(to)) >= 0)


@cache
def _axes() -> dict[str, tuple[int, int]]:
    """Each hex on two straight axes of hexes: its hexrow, and its number without the half hex that
    numbers slant by in each hexrow."""
    keys = {hex: square.key for hex, square in _map().items()}
    return {hex: (row, number - row // 2) for hex, (row, number) in keys.items()}


@lru_cache(maxsize=4096)
def nearest(from_hex: str, candidates: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """The distance to the nearest candidate, and all that are equally near, lowest first.

    Raises ValueError when there are no candidates.
    """
    ranges = {hex: distance(from_hex, hex) for hex in candidates}
    if not ranges:
        raise ValueError(f"no hex to be nearest to {from_hex}")
    least = min(ranges.values())
    return least, tuple(sorted((hex for hex in ranges if ranges[hex] == least), key=key))


@lru_cache(maxsize=4096)
def range_to(hex: str, others: frozenset[str]) -> int | None:
    """The range from a hex to the nearest of others that is not itself; None if there is none."""
    return min((distance(hex, other) for other in others if other != hex), default=None)


@lru_cache(maxsize=64)
def path_lengths(starts: frozenset[str], allowed: frozenset[str]) -> Mapping[str, int]:
    """The length of the shortest path from any of the starts to each hex that can be reached.

    Each hex entered must be allowed; a start, already occupied, need not be, and is at 0.
    """
    lengths: dict[str, int] = {}
    edge, left, steps = starts, allowed - starts, 0
    touching = _touching()
    while edge:
        lengths |= dict.fromkeys(edge, steps)
        edge = left.intersection(chain.from_iterable(touching[check_hex(hex)] for hex in edge))
        left -= edge
        steps += 1
    return MappingProxyType(lengths)


@lru_cache(maxsize=4096)
def path_length(
    starts: frozenset[str], allowed: frozenset[str], ends: tuple[str, ...]
) -> int | None:
    """The length of the shortest such path to any of some hexes; None if there is none."""
    lengths = path_lengths(starts, allowed)
    return min((lengths[hex] for hex in ends if hex in lengths), default=None)


def connected(hexes: Iterable[str]) -> list[frozenset[str]]:
    """The connected pieces of a set of hexes, in order of each piece's lowest hex."""
    return list(_connected(frozenset(hexes)))


@lru_cache(maxsize=64)
def _connected(hexes: frozenset[str]) -> list[frozenset[str]]:
    ordered = sorted(hexes, key=key)
    touching, left, pieces = _touching(), set(ordered), []
    for lowest in ordered:
        if lowest not in left:
            continue
        left.discard(lowest)
        piece, edge = {lowest}, [lowest]
        while edge:
            found = left.intersection(touching[edge.pop()])
            left -= found
            piece |= found
            edge.extend(found)
        pieces.append(frozenset(piece))
    return pieces


# Terrain ----------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def terrain(hex: str) -> TerrainType:
    """What the hex is."""
    return _at(hex).terrain


def beach(hex: str) -> str | None:
    """The beach section of a Beach hex ("red_one"); None elsewhere and on the eastern tail."""
    return _at(hex).beach


@cache
def beach_name(beach: str | None) -> str:
    """A beach as players write it: "Red One"; of the Marines, who have none, "Marines"."""
    return beach.replace("_", " ").title() if beach else "Marines"


def nearest_beaches(hex: str) -> frozenset[str]:
    """The beach sections whose Beach hexes are nearest to a hex: several at a tie."""
    ranges = {
        beach: min(distance(hex, near) for near in beach_hexes(beach))
        for beach in {square.beach for square in _map().values() if square.beach}
    }
    return frozenset(beach for beach, hexes in ranges.items() if hexes == min(ranges.values()))


@cache
def beach_sections(max_number: int = NUMBERS) -> frozenset[str]:
    """The beach sections with a hex numbered up to and including `max_number`."""
    squares = (square for square in _map().values() if square.key[1] <= max_number)
    return frozenset(square.beach for square in squares if square.beach is not None)


def is_beach(hex: str) -> bool:
    """Whether the hex is a Beach hex, in a section or not."""
    return terrain(hex) is TerrainType.BEACH


def is_ocean(location: str) -> bool:
    """Whether the Location is an Ocean one; the pier and "off_map" are not."""
    if location == OFF_MAP:
        return False
    hex, place = split(location)
    return terrain(hex) is TerrainType.OCEAN and place != "pier"


@cache
def in_play(max_number: int = NUMBERS) -> frozenset[str]:
    """All hexes numbered up to and including `max_number` (CG I: 32)."""
    return frozenset(hex for hex, square in _map().items() if square.key[1] <= max_number)


@cache
def land(max_number: int = NUMBERS) -> frozenset[str]:
    """The hexes in play that are not Ocean: what Setup Areas are made of (15.607)."""
    return frozenset(hex for hex in in_play(max_number) if terrain(hex) is not TerrainType.OCEAN)


@cache
def beaches_in_play(max_number: int) -> tuple[str, ...]:
    """The Beach hexes in play, lowest first."""
    return tuple(sorted((hex for hex in in_play(max_number) if is_beach(hex)), key=key))


@cache
def beach_hexes(beach: str) -> tuple[str, ...]:
    """The Beach hexes of a section, lowest first; raises ValueError for an unknown section."""
    found = sorted((hex for hex, square in _map().items() if square.beach == beach), key=key)
    if not found:
        sections = sorted({square.beach for square in _map().values() if square.beach})
        raise ValueError(f"{beach} is not a beach of Betio; allowed: {', '.join(sections)}")
    return tuple(found)
