"""The geometry of Betio's hexes: neighbors, ranges and paths."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import chain
from types import MappingProxyType

from brt_cg.board.locations import (
    BadLocationError,
    beach_hexes,
    beach_sections,
    check_hex,
    hex_sort_key,
    hexes_in_play,
)

_OFFSETS_EVEN = ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0))
_OFFSETS_ODD = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1))


@cache
def _touching() -> dict[str, tuple[str, ...]]:
    names = {hex_sort_key(name): name for name in hexes_in_play()}
    touching = {}
    for (row, number), name in names.items():
        offsets = _OFFSETS_ODD if row % 2 else _OFFSETS_EVEN
        near = (names.get((row + across, number + along)) for across, along in offsets)
        touching[name] = tuple(other for other in near if other)
    return touching


@lru_cache(maxsize=4096)
def neighbors(hex: str) -> tuple[str, ...]:
    """Return the two to six adjacent hexes on the map, lowest first."""
    return _touching()[check_hex(hex)]


def are_adjacent(a: str, b: str) -> bool:
    """Whether two different hexes share a hexside."""
    return check_hex(b) in neighbors(a)


def distance(a: str, b: str) -> int:
    """Return the range between two hexes, in hexes."""
    axes = _axes()
    (row_a, slant_a), (row_b, slant_b) = axes[check_hex(a)], axes[check_hex(b)]
    rows, slant = row_a - row_b, slant_a - slant_b
    return max(abs(rows), abs(slant), abs(rows + slant))


@lru_cache(maxsize=4096)
def possible_covered_arcs(hex: str) -> tuple[tuple[str, str], ...]:
    """Return the possible Covered Arcs of a hex: every two adjacent neighbors, lowest first."""
    near = neighbors(hex)
    return tuple(
        (a, b)
        for a in near
        for b in near
        if hex_sort_key(a) < hex_sort_key(b) and are_adjacent(a, b)
    )


@lru_cache(maxsize=512)
def hexes_in_arc(hex: str, arc: tuple[str, str]) -> frozenset[str]:
    """Return the hexes of the map within a Covered Arc (C3.2): its two hexes, the three behind
    them, and so on, one more hex at each range. Raises BadLocationError if the two hexes are not an
    arc of the hex."""
    if arc not in possible_covered_arcs(hex):
        raise BadLocationError(", ".join(arc), f"a Covered Arc is two adjacent hexes next to {hex}")
    axes = _axes()
    (row, slant), (first, second) = axes[hex], (axes[before] for before in arc)
    (a_row, a_slant), (b_row, b_slant) = (
        (along[0] - row, along[1] - slant) for along in (first, second)
    )
    turn = a_row * b_slant - a_slant * b_row  # 1 or −1: two steps to neighbors that are adjacent

    def steps(to: str) -> tuple[int, int]:
        """Return the number of steps in each of the two directions to reach a hex."""
        rows, slants = axes[to][0] - row, axes[to][1] - slant
        return (turn * (rows * b_slant - slants * b_row), turn * (a_row * slants - a_slant * rows))

    return frozenset(to for to in axes if to != hex and min(steps(to)) >= 0)


@cache
def _axes() -> dict[str, tuple[int, int]]:
    """Return the coordinates of each hex on two straight axes: its hexrow, and its number corrected
    for the shift of half a hex from one hexrow to the next."""
    keys = {hex: hex_sort_key(hex) for hex in hexes_in_play()}
    return {hex: (row, number - row // 2) for hex, (row, number) in keys.items()}


@lru_cache(maxsize=4096)
def nearest_hexes(from_hex: str, candidates: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """Return the distance to the nearest candidate, and all candidates at that distance, lowest
    first. Raises ValueError if there are no candidates."""
    ranges = {hex: distance(from_hex, hex) for hex in candidates}
    if not ranges:
        raise ValueError(f"there is no hex to compare with {from_hex}")
    least = min(ranges.values())
    return least, tuple(sorted((hex for hex in ranges if ranges[hex] == least), key=hex_sort_key))


@lru_cache(maxsize=4096)
def range_to_nearest(hex: str, others: frozenset[str]) -> int | None:
    """Return the range from a hex to the nearest of `others`, not counting itself; None if there
    are none."""
    return min((distance(hex, other) for other in others if other != hex), default=None)


@lru_cache(maxsize=64)
def path_lengths(starts: frozenset[str], allowed: frozenset[str]) -> Mapping[str, int]:
    """Return the length of the shortest path from any start to each hex that can be reached.

    Each hex entered must be allowed. A start is already occupied, so it need not be allowed, and
    its length is 0.
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
    """Return the length of the shortest path, as for `path_lengths`, to any of `ends`; None if
    there is none."""
    lengths = path_lengths(starts, allowed)
    return min((lengths[hex] for hex in ends if hex in lengths), default=None)


def connected_groups(hexes: Iterable[str]) -> list[frozenset[str]]:
    """Return the connected pieces of a set of hexes, in order of each piece's lowest hex."""
    return list(_connected(frozenset(hexes)))


@lru_cache(maxsize=64)
def _connected(hexes: frozenset[str]) -> list[frozenset[str]]:
    ordered = sorted(hexes, key=hex_sort_key)
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


@cache
def nearest_beaches(hex: str) -> frozenset[str]:
    """Return the beach section whose Beach hexes are nearest to a hex; in a tie, return several."""
    ranges = {
        beach: min(distance(hex, near) for near in beach_hexes(beach)) for beach in beach_sections()
    }
    return frozenset(beach for beach, hexes in ranges.items() if hexes == min(ranges.values()))


def normalize_hexside(text: str) -> str:
    """Return a hexside as the two adjacent hexes that share it, lowest first: "N18/N19"."""
    hexes = text.split("/")
    if len(hexes) != 2:
        raise BadLocationError(
            text, f"{text} is not a hexside: write two adjacent hexes, such as N18/N19"
        )
    if not are_adjacent(*hexes):
        raise BadLocationError(
            text, f"{text} is not a hexside: {hexes[0]} and {hexes[1]} are not adjacent"
        )
    return "/".join(sorted(hexes, key=hex_sort_key))
