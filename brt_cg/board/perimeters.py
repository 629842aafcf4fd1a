"""Marine Perimeters as players state them (15.607), typed in short or as lists of hexes and ranges
in a hexrow: reading and checking."""

from collections.abc import Set
from typing import NamedTuple

from brt_cg.board import grid, locations
from brt_cg.text import listed, shown

Perimeters = tuple[tuple[str, ...], ...]
ALLOWED = 'a list of perimeters: [["N18-N21", "M18"]]'
A_LIST = 'a list of hexes or ranges in one hexrow: ["N18-N21", "M18"]'


class Wrong(NamedTuple):
    """A problem with a Perimeter, or with one part of it; both are counted from 0."""

    perimeter: int
    part: int | None
    message: str


def from_text(text: str) -> list[list[str]]:
    """Splits a typed text, "N18-N21 M18 / T26-T28", into lists as in a file."""
    stated = text.upper().replace(",", " ").split("/")
    return [hexes.split() for hexes in stated if hexes.strip()]


def _outside(hexes: Set[str], in_play: Set[str], free: bool) -> str:
    """What is wrong with hexes that no Perimeter may have: which are Ocean, which not in play."""
    kinds = ((hexes & in_play, "Ocean"), (hexes - in_play, "not in play"))
    problems = (f"{listed(locations.lowest_first(some))}: {kind}" for some, kind in kinds if some)
    return "; ".join([*problems, *([] if free else ["allowed: land and the pier"])])


def read_perimeters(
    stated: list[object], highest_hex: int = locations.NUMBERS, *, free: bool
) -> tuple[Perimeters, list[Wrong]]:
    """Returns the Perimeters, and all problems: hexes must be in play, each Perimeter apart from
    the others, and, unless `free` (R-PERIMETER), without Ocean and connected."""
    in_play = locations.in_play(highest_hex)
    possible = in_play if free else locations.land(highest_hex)
    found: list[tuple[str, ...]] = []
    wrong: list[Wrong] = []
    for index, parts in enumerate(stated):
        hexes: set[str] = set()
        if not isinstance(parts, list) or not parts:
            wrong.append(Wrong(index, None, f"found {shown(parts)}; allowed: {A_LIST}"))
            parts = []
        for at, part in enumerate(parts):
            try:
                spanned = _hexes_of(part)
            except ValueError as error:
                wrong.append(Wrong(index, at, str(error)))
                continue
            if spanned - possible:
                wrong.append(Wrong(index, at, _outside(spanned - possible, in_play, free)))
            hexes |= spanned
        shared = hexes.intersection(*[{hex for other in found for hex in other}])
        if shared:
            words = f"{listed(locations.lowest_first(shared))}: in another one too"
            wrong.append(Wrong(index, None, f"{words}; allowed: each hex once"))
        pieces = grid.connected(hexes)
        if not free and len(pieces) > 1:
            at_pieces = ", ".join(min(piece, key=locations.key) for piece in pieces)
            words = f"not connected (R-PERIMETER): separate pieces at {at_pieces}"
            wrong.append(Wrong(index, None, words))
        found.append(locations.lowest_first(hexes))
    return tuple(found), wrong


def _hexes_of(part: object) -> set[str]:
    if not isinstance(part, str):
        raise ValueError(f"found {shown(part)}; allowed: a hex or a range of hexes in one hexrow")
    return set(locations.expand(part))


def in_short(perimeters: Perimeters) -> str:
    """Perimeters in short, as they are typed."""
    return " / ".join(map(locations.in_ranges, perimeters)) or "none"
