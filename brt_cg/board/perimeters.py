"""Reading and checking Marine Perimeters as players enter them (15.607): typed in short form, or as
lists of hexes and ranges in a hexrow."""

from collections.abc import Set
from typing import NamedTuple

from brt_cg.board import grid, locations
from brt_cg.text import list_text, short_json

Perimeters = tuple[tuple[str, ...], ...]
ALLOWED = 'a list of perimeters: [["N18-N21", "M18"]]'
A_LIST = 'a list of hexes or ranges in one hexrow: ["N18-N21", "M18"]'


class PerimeterProblem(NamedTuple):
    """A problem with a Perimeter, or with one part of it; both are numbered from 0."""

    perimeter: int
    part: int | None
    message: str


def split_perimeters(text: str) -> list[list[str]]:
    """Split a typed text, "N18-N21 M18 / T26-T28", into lists as in a file."""
    stated = text.upper().replace(",", " ").split("/")
    return [hexes.split() for hexes in stated if hexes.strip()]


def _outside(hexes: Set[str], in_play: Set[str], free: bool) -> str:
    """Return the problem with hexes that no Perimeter may have: hexes in the Ocean, or not in
    play."""
    kinds = ((hexes & in_play, "Ocean"), (hexes - in_play, "not in play"))
    problems = (f"{list_text(locations.sort_hexes(some))}: {kind}" for some, kind in kinds if some)
    return "; ".join([*problems, *([] if free else ["enter only land and the pier"])])


def read_perimeters(
    stated: list[object], highest_hex: int = locations.NUMBERS, *, free: bool
) -> tuple[Perimeters, list[PerimeterProblem]]:
    """Return the Perimeters, and all problems: hexes must be in play, each Perimeter must be
    separate from the others and, unless `free` (R-PERIMETER), connected and without Ocean."""
    in_play = locations.hexes_in_play(highest_hex)
    possible = in_play if free else locations.non_ocean_hexes(highest_hex)
    found: list[tuple[str, ...]] = []
    wrong: list[PerimeterProblem] = []
    for index, parts in enumerate(stated):
        hexes: set[str] = set()
        if not isinstance(parts, list) or not parts:
            wrong.append(
                PerimeterProblem(
                    index, None, f"{short_json(parts)} is not accepted; enter {A_LIST}"
                )
            )
            parts = []
        for at, part in enumerate(parts):
            try:
                spanned = _hexes_of(part)
            except ValueError as error:
                wrong.append(PerimeterProblem(index, at, str(error)))
                continue
            if spanned - possible:
                wrong.append(
                    PerimeterProblem(index, at, _outside(spanned - possible, in_play, free))
                )
            hexes |= spanned
        shared = hexes.intersection(*[{hex for other in found for hex in other}])
        if shared:
            words = f"{list_text(locations.sort_hexes(shared))}: also in another Perimeter"
            wrong.append(PerimeterProblem(index, None, f"{words}; enter each hex once"))
        pieces = grid.connected_groups(hexes)
        if not free and len(pieces) > 1:
            at_pieces = ", ".join(min(piece, key=locations.hex_sort_key) for piece in pieces)
            words = f"not connected (R-PERIMETER): separate pieces at {at_pieces}"
            wrong.append(PerimeterProblem(index, None, words))
        found.append(locations.sort_hexes(hexes))
    return tuple(found), wrong


def _hexes_of(part: object) -> set[str]:
    if not isinstance(part, str):
        raise ValueError(
            f"{short_json(part)} is not accepted; enter a hex or a range of hexes in one hexrow"
        )
    return set(locations.expand_hex_range(part))


def perimeters_text(perimeters: Perimeters) -> str:
    """Return Perimeters in short form, as they are typed."""
    return " / ".join(map(locations.hexes_as_ranges, perimeters)) or "none"
