"""The map of Betio: its hexes and Locations, how they are written, and their terrain.

A hex is a plain string, "A1" to "Z63": hexrow, then number. A Location is a hex, or a place in it
("N21:1" its level 1, "Z33:pier", "N21:F7" inside fortification F7), or "off_map". Order is always
by hexrow, then number; "lowest" means first in that order. Every function raises BadLocationError
for a hex or Location that is not on the map.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from brt_cg import resources
from brt_cg.text import NotUnderstoodError

OFF_MAP = "off_map"
IN = "in "  # "in N18": on the table, in the Setup Area that will hold N18, in a hex not known
# How a counter that is off map gets its Location, in words.
OFF_MAP_PLACED = "placed at a scenario's end, or immediately by a correction (edit)"
GUN_EMPLACEMENTS = ("D5", "E6")  # T8.1 (R-GUN-SITES)
ROWS, NUMBERS = 26, 63  # the map's hexrows, and the hexes in each


class TerrainType(StrEnum):
    """The terrain of a hex as the Refit Phase sees it; the pier counts as land (15.607)."""

    OCEAN = "ocean"
    BEACH = "beach"
    LAND = "land"
    PIER = "pier"

    @property
    def label(self) -> str:
        """The name in the rules."""
        return self.capitalize() if self in ("ocean", "beach") else str(self)


class BadLocationError(NotUnderstoodError):
    """The error for text that does not name a hex, Location or hexside of the map; its message says
    what is allowed."""


@dataclass(frozen=True, slots=True)
class _Square:
    """One line of the map's file, with its place in the grid: hexrow index (A = 0), number."""

    key: tuple[int, int]
    terrain: TerrainType
    beach: str | None


@cache
def _map() -> dict[str, _Square]:
    text = (resources.game_data_folder() / "betio" / "hexes.csv").read_text("utf-8")
    columns, *lines = [line.split(",") for line in text.splitlines()]
    assert columns == ["hex", "terrain", "beach"], "the map file has the wrong columns"
    terrains = {terrain.value: terrain for terrain in TerrainType}
    return {
        hex: _Square((ord(hex[0]) - ord("A"), int(hex[1:])), terrains[terrain], beach or None)
        for hex, terrain, beach in lines
    }


def _at(hex: str) -> _Square:
    square = _map().get(hex)
    if square is None:
        shown = hex if hex.strip() else repr(hex)
        typed = hex.strip().upper()
        meant = typed[:1] + typed[1:].lstrip("0")
        why = f"{shown} is not a hex of Betio (A1–Z63)"
        raise BadLocationError(shown, why, meant=meant if meant in _map() else None)
    return square


# Names ------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def hex_sort_key(hex: str) -> tuple[int, int]:
    """Return the sorting key of a hex: hexrow index (A = 0), number."""
    return _at(hex).key


@lru_cache(maxsize=4096)
def check_hex(text: str) -> str:
    """Return the hex if it is on the map."""
    _at(text)
    return text


@lru_cache(maxsize=4096)
def split_location(location: str) -> tuple[str, str | None]:
    """Return the hex and the place of an on-map Location: ("N21", "1"), ("N21", None); of "in N21"
    the hex that identifies the Setup Area."""
    if location == OFF_MAP:
        raise BadLocationError(location, f"{OFF_MAP} is not a hex on Betio (A1–Z63)")
    hex, colon, place = location.removeprefix(IN).partition(":")
    check_hex(hex)
    if not colon:
        return hex, None
    _check_place(hex, place)
    return hex, place


def _check_place(hex: str, place: str) -> None:
    if re.fullmatch(r"-?0+", place):
        why = f"the ground level of {hex} is written {hex}"
        raise BadLocationError(f"{hex}:{place}", why)
    if not re.fullmatch(r"[^\s:]+", place) or re.fullmatch(r"-[0-9]+|0[0-9]+", place):
        raise BadLocationError(
            f"{hex}:{place}",
            f"{hex}:{place} is not a Location: after the colon, enter a level (1, 2, …), "
            "pier, or a fortification's id, without spaces",
        )


def hex_of_location(location: str) -> str:
    """Return the hex of an on-map Location."""
    return split_location(location)[0]


@lru_cache(maxsize=4096)
def ground_hex(location: str) -> str:
    """Return the hex that a Location is in. For a hexside ("N18/N19"), return its first hex."""
    return hex_of_location(location.split("/")[0])


def location_inside_fortification(location: str, fort: str) -> str:
    """Return the Location inside a Fortification (its id) at a Location; "off_map" if that is off
    map."""
    return f"{location if location == OFF_MAP else ground_hex(location)}:{fort}"


@lru_cache(maxsize=4096)
def hex_order_key(location: str | None) -> tuple[int, int]:
    """Return the sorting key of a Location's hex: hexrow, then number; None and off map come
    last."""
    if location is None or location == OFF_MAP:
        return (99, 99)
    return hex_sort_key(ground_hex(location))


def check_location(text: str) -> str:
    """Return the Location if it is on the map or "off_map"."""
    if is_area_only_location(text):
        raise BadLocationError(
            text, f"{text} is only for counters whose hex is not known; write a hex instead"
        )
    if text != OFF_MAP:
        hex, place = split_location(text)
        if place == "pier" and terrain_of(hex) is not TerrainType.PIER:
            why = f"{text} is not a Location: the pier is in other hexes"
            raise BadLocationError(text, why, meant=hex)
    return text


def is_area_only_location(location: str | None) -> bool:
    """Whether a Location only gives the Setup Area: "in N18"."""
    return location is not None and location.startswith(IN)


def area_only_location(hex: str) -> str:
    """Return the Location "in N18": in the Setup Area that will hold a hex. Raises BadLocationError
    for an Ocean hex, which cannot be in a Setup Area."""
    if terrain_of(hex) is TerrainType.OCEAN:
        raise BadLocationError(f"{IN}{hex}", "no Setup Area holds an Ocean hex")
    return f"{IN}{hex}"


def is_location(text: str) -> bool:
    """Whether `check_location` accepts the text."""
    try:
        check_location(text)
    except BadLocationError:
        return False
    return True


def capitalize_hexes(text: str) -> str:
    """Put the hexes of a typed Location, hexside or hex in capitals; a place in the hex stays as
    typed. Any other text is returned unchanged."""
    if text[: len(IN)].lower() == IN:
        return IN + capitalize_hexes(text[len(IN) :].strip())
    ground, colon, place = text.partition(":")
    parts = (
        part.upper() if re.fullmatch(r"[A-Za-z]{1,2}[0-9]{1,2}", part) else part
        for part in ground.split("/")
    )
    return "/".join(parts) + colon + place


@lru_cache(maxsize=4096)
def expand_hex_range(text: str) -> tuple[str, ...]:
    """Return the hexes of a range in one hexrow ("N18-N21", both ends included) or of one hex
    ("N18")."""
    first, dash, last = text.partition("-")
    if not dash:
        return (check_hex(first),)
    (row, low), (last_row, high) = hex_sort_key(first), hex_sort_key(last)
    if row != last_row:
        why = f"{text} is not a range of hexes: both ends must be in the same hexrow"
        raise BadLocationError(text, why)
    if low > high:
        why = f"{text} is not a range of hexes"
        raise BadLocationError(text, why, meant=f"{last}-{first}")
    return tuple(f"{first[0]}{number}" for number in range(low, high + 1))


def hexes_as_ranges(hexes: Iterable[str]) -> str:
    """Return hexes as ranges in a hexrow: "N18-N21 M18"."""
    return _in_ranges(sort_hexes(hexes))


@lru_cache(maxsize=64)
def _in_ranges(hexes: tuple[str, ...]) -> str:
    spans: list[list[str]] = []
    for hex in hexes:
        row, number = hex_sort_key(hex)
        if spans and hex_sort_key(spans[-1][-1]) == (row, number - 1):
            spans[-1].append(hex)
        else:
            spans.append([hex])
    return " ".join(span[0] if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in spans)


def sort_hexes(hexes: Iterable[str]) -> tuple[str, ...]:
    """Sort hexes in the board's order: by hexrow, then by number."""
    return _lowest_first(frozenset(hexes))


@lru_cache(maxsize=64)
def _lowest_first(hexes: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(hexes, key=hex_sort_key))


# Terrain ----------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def terrain_of(hex: str) -> TerrainType:
    """Return the terrain of the hex."""
    return _at(hex).terrain


def beach_of_hex(hex: str) -> str | None:
    """Return the beach section of a Beach hex ("red_one"); None elsewhere and on the eastern
    tail."""
    return _at(hex).beach


@cache
def beach_name(beach: str | None) -> str:
    """Return a beach as players write it: "Red One"; "Marines" for None, because they have no
    beach."""
    return beach.replace("_", " ").title() if beach else "Marines"


@cache
def beach_sections(max_number: int = NUMBERS) -> frozenset[str]:
    """Return the beach sections with a hex numbered up to and including `max_number`."""
    squares = (square for square in _map().values() if square.key[1] <= max_number)
    return frozenset(square.beach for square in squares if square.beach is not None)


def is_beach(hex: str) -> bool:
    """Whether the hex is a Beach hex, in a section or not."""
    return terrain_of(hex) is TerrainType.BEACH


@lru_cache(maxsize=4096)
def is_ocean(location: str) -> bool:
    """Whether the Location is Ocean; the pier and "off_map" are not."""
    if location == OFF_MAP:
        return False
    return terrain_of(hex_of_location(location)) is TerrainType.OCEAN


@cache
def hexes_in_play(max_number: int = NUMBERS) -> frozenset[str]:
    """Return all hexes numbered up to and including `max_number` (CG I: 32)."""
    return frozenset(hex for hex, square in _map().items() if square.key[1] <= max_number)


@cache
def non_ocean_hexes(max_number: int = NUMBERS) -> frozenset[str]:
    """Return the hexes in play that are not Ocean, which make up the Setup Areas (15.607)."""
    return frozenset(
        hex for hex in hexes_in_play(max_number) if terrain_of(hex) is not TerrainType.OCEAN
    )


@cache
def beach_hexes_in_play(max_number: int) -> tuple[str, ...]:
    """Return the Beach hexes in play, lowest first."""
    return sort_hexes(filter(is_beach, hexes_in_play(max_number)))


@cache
def beach_hexes(beach: str) -> tuple[str, ...]:
    """Return the Beach hexes of a section, lowest first; raises ValueError for an unknown
    section."""
    found = sorted(
        (hex for hex, square in _map().items() if square.beach == beach), key=hex_sort_key
    )
    if not found:
        sections = ", ".join(sorted(beach_sections()))
        raise ValueError(f"{beach} is not a beach of Betio; enter {sections}")
    return tuple(found)
