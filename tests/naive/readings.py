"""A second, naive reading of the tables of the Refit Phase: plain ifs, from the rules' text alone.

Nothing of the program is used here, neither its tables nor its map. Every reading gives the Final
and what comes of it.
"""

import csv
from functools import cache
from pathlib import Path

Reading = tuple[int, str]
HEXES = Path(__file__).parents[2] / "campaigns" / "betio" / "hexes.csv"


# --- the map --------------------------------------------------------------------------------------


@cache
def terrain() -> dict[str, str]:
    """Each hex of Betio and what it is: ocean, beach, land or pier."""
    with HEXES.open(encoding="utf-8", newline="") as file:
        return {line["hex"]: line["terrain"] for line in csv.DictReader(file)}


@cache
def hexes_between(one: str, other: str) -> int:
    """The distance of two hexes, by three coordinates that sum up to nothing."""
    (a, b), (c, d) = _coordinates(one), _coordinates(other)
    return max(abs(a - c), abs(b - d), abs((a + b) - (c + d)))


def _coordinates(hex: str) -> tuple[int, int]:
    column, number = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(hex[0]), int(hex[1:])
    return column, number - (column - column % 2) // 2


@cache
def beside(hex: str) -> frozenset[str]:
    """The hexes that touch one."""
    near = (other for other in terrain() if abs(ord(other[0]) - ord(hex[0])) <= 1)
    return frozenset(other for other in near if hexes_between(hex, other) == 1)


def nearest(hex: str, goals: list[str]) -> tuple[int, set[str]]:
    """How far the nearest of the goals is, and which of them are that near."""
    least = min(hexes_between(hex, goal) for goal in goals)
    return least, {goal for goal in goals if hexes_between(hex, goal) == least}


# --- 15.604 and 15.605 ----------------------------------------------------------------------------


def wading_infantry(
    dice: int, *, encircled: bool, hexes: int, leader: int, pp: int, ipc: int
) -> Reading:
    final = dice + leader
    if encircled:
        final += 2
    for full_two in range(2, hexes + 1, 2):
        final += 1 if full_two else 0
    if pp > ipc:
        final += pp - ipc
    if final <= 7:
        return final, "survives"
    if final == 8 or final == 9:
        return final, "casualty_reduction"
    if final == 10:
        return final, "casualty_reduction_equipment"
    return final, "eliminated"


def leader_value(side: str, type: str, wounded: bool) -> tuple[int, int]:
    """A leader's Morale Level and DRM."""
    if wounded and side == "japanese":
        type = {
            "8+1": "7+2",
            "8-0": "7+1",
            "9-0": "8+1",
            "9-1": "8-0",
            "10-0": "9+1",
            "10-1": "9-0",
            "10-2": "9-1",
        }[type]
    if "+" in type:
        morale, drm = int(type.split("+")[0]), int(type.split("+")[1])
    else:
        morale, drm = int(type.split("-")[0]), -int(type.split("-")[1])
    if wounded and side == "marine":
        return morale - 1, drm + 1
    return morale, drm


def encirclement(
    dice: int,
    *,
    marine: bool,
    morale_level: int,
    leader: int,
    lowered: bool,
    raised: bool,
) -> Reading:
    """The Final as the program gives it: what the DR comes to above the Morale Level."""
    check = dice + leader + (1 if marine else 0)
    level = morale_level
    if lowered:
        level -= 1
    if raised:
        level += 1
    return check - level, "passes" if check <= level else "fails"


# --- beaches, areas, pillboxes --------------------------------------------------------------------


def beaches_of(hex: str) -> set[str]:
    """R-BEACH-AREA: the beaches whose Beach hexes are nearest to a hex."""
    with HEXES.open(encoding="utf-8", newline="") as file:
        found = {line["hex"]: line["beach"] for line in csv.DictReader(file) if line["beach"]}
    _, goals = nearest(hex, list(found))
    return {found[goal] for goal in goals}


def split(perimeter: set[str], known: set[str], hidden: set[str], ruling: str) -> list[set[str]]:
    """R-SPLIT: the Japanese areas; `known` and `hidden` are the hexes that hold Japanese."""
    left = {hex for hex, ground in terrain().items() if ground != "ocean"} - perimeter
    pieces: list[set[str]] = []
    while left:
        piece = edge = {left.pop()}
        while edge:
            edge = left & {far for near in edge for far in beside(near)}
            piece, left = piece | edge, left - edge
        pieces.append(piece)
    if ruling == "every" or len(pieces) == 1:
        return pieces
    holding = known if ruling == "manned" else known | hidden
    areas = [piece for piece in pieces if piece & holding]
    if not areas:
        areas = [max(pieces, key=len)]
    if ruling == "nobody":
        return areas
    largest = max(areas, key=len)
    for pocket in (piece for piece in pieces if piece not in areas):
        largest |= pocket
    return areas


def filled_first(rooms: dict[str, float], units: dict[str, tuple[float, str | None]]) -> bool:
    """15.6142: whether the Japanese may set up so in the Initial Scenario; of each unit its size,
    and the pillbox that it goes into. None holds more than it has room for."""
    if any(sum(s for s, inside in units.values() if inside == box) > rooms[box] for box in rooms):
        return False
    if all(inside is not None for _, inside in units.values()):
        return True
    for box, room in rooms.items():
        room -= sum(size for size, inside in units.values() if inside == box)
        if any(size <= room for size, inside in units.values() if inside not in rooms):
            return False
    return True
