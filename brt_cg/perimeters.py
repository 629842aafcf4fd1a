"""Marine Perimeters as players state them (15.607): typed in short, or as lists of hexes and ranges
in a hexrow; read and checked."""

from collections.abc import Set
from typing import NamedTuple

from brt_cg import board
from brt_cg.shapes import listed, shown

Perimeters = tuple[tuple[str, ...], ...]
ALLOWED = 'a list of perimeters: [["N18-N21", "M18"]]'
A_LIST = 'a list of hexes or ranges in one hexrow: ["N18-N21", "M18"]'


class Wrong(NamedTuple):
    """What is wrong with a Perimeter, or with one part of it; both are counted from 0."""

    perimeter: int
    part: int | None
    message: str


def from_text(text: str) -> list[list[str]]:
    """What was typed in short, "N18-N21 M18 / T26-T28", as it would stand in a file."""
    stated = text.upper().replace(",", " ").split("/")
    return [hexes.split() for hexes in stated if hexes.strip()]


def read_perimeters(
    stated: list[object], possible: Set[str], otherwise: str
) -> tuple[Perimeters, list[Wrong]]:
    """Perimeters of `possible` hexes, each apart from the others, and all that is wrong with them.
    `otherwise` says what a hex is that is not possible."""
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
                outside = listed(board.lowest_first(spanned - possible))
                wrong.append(Wrong(index, at, f"{outside}: {otherwise}"))
            hexes |= spanned
        shared = hexes.intersection(*[{hex for other in found for hex in other}])
        if shared:
            words = f"{listed(board.lowest_first(shared))}: in another one too"
            wrong.append(Wrong(index, None, f"{words}; allowed: each hex once"))
        found.append(board.lowest_first(hexes))
    return tuple(found), wrong


def _hexes_of(part: object) -> set[str]:
    if not isinstance(part, str):
        raise ValueError(f"found {shown(part)}; allowed: a hex or a range of hexes in one hexrow")
    return set(board.expand(part))


def told(perimeters: Perimeters) -> str:
    """Perimeters in short, as they are typed."""
    return " / ".join(map(board.in_ranges, perimeters)) or "none"
