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


def front_line(own: list[str], enemy: list[str]) -> set[str]:
    """R-FLL: the hexes of an area that touch a hex of an enemy area."""
    return {one for one in own if any(hexes_between(one, other) == 1 for other in enemy)}


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


def wading_vehicle(
    dice: int, *, hexes: int, armor_leader: str | None, af: int, armored: bool, pathfinder: str
) -> Reading:
    final = dice + armor_leader_drm(armor_leader)
    while hexes >= 3:
        hexes, final = hexes - 3, final + 1
    while af >= 5:
        af, final = af - 5, final + 1
    if not armored:
        final += 1
    if pathfinder == "wounded":
        final += 1
    if pathfinder == "none":
        final += 2
    if final <= 7:
        return final, "survives"
    if final <= 9:
        return final, "mired"
    if final == 10:
        return final, "immobilized"
    return final, "eliminated"


def armor_leader_drm(type: str | None) -> int:
    if type is None:
        return 0
    return {"6+1": 1, "8-1": -1, "9-1": -1, "9-2": -2, "10-2": -2}[type]


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


# --- 15.611 and 15.613 ----------------------------------------------------------------------------


def wounded_leader(dr: int, *, japanese: bool, isolated: bool, heroic: bool) -> Reading:
    final = dr
    if japanese:
        final += 1
    if isolated:
        final += 1
    if heroic:
        final -= 1
    if final <= 1:
        return final, "unwounded"
    return final, "wounded" if final in (2, 3) else "eliminated"


def immobilization(
    dr: int,
    *,
    armor_leader: str | None,
    non_qualified: bool,
    japanese: bool,
    front_line: bool,
    isolated: bool,
) -> Reading:
    final = dr + armor_leader_drm(armor_leader)
    for one_more in (non_qualified, japanese, front_line, isolated):
        if one_more:
            final += 1
    if final <= 1:
        return final, "mobile"
    return final, "remains" if final in (2, 3) else "ruling"


def stun(dr: int, *, japanese: bool, isolated: bool, off_map: bool) -> Reading:
    final = dr
    if japanese:
        final += 1
    if isolated:
        final += 1
    if off_map:
        final -= 1
    if final <= 2:
        return final, "unstunned"
    return final, "crew_eliminated" if final >= 7 else "stunned"


def weapon_repair(
    dr: int, *, repair_number: int, vehicular: bool, us: bool, non_qualified: bool, isolated: bool
) -> Reading:
    final = dr - repair_number
    if vehicular:
        final -= 2
    if us:
        final -= 1
    if non_qualified:
        final += 1
    if isolated:
        final += 1
    return final, "repaired" if final <= 1 else "eliminated"


def captured_equipment(dr: int) -> Reading:
    return dr, "eliminated" if dr in (4, 5, 6) else "kept"


def special_ammo(dr: int) -> Reading:
    return dr, "restored" if dr in (1, 2, 3, 4) else "depleted"


def removal(
    dr: int, item: str, *, enemy_front: int | None, engineers: int, laborers: int, bulldozers: int
) -> Reading:
    """`enemy_front`: the hexes to the nearest enemy Front Line Location."""
    final = dr - engineers - laborers - 2 * bulldozers
    if enemy_front == 1:
        final += 2
    elif enemy_front == 2:
        final += 1
    if item in ("wreck", "immobile vehicle"):
        needed = 3
    elif item in ("wire", "seawall_breach"):
        needed = 2
    else:
        needed = 1
    return final, "removed" if final <= needed else "remains"


# --- 15.620 ---------------------------------------------------------------------------------------


def banzai(dr: int, *, nights_without_scenario: int, cg: str, ruling: int) -> Reading:
    final = dr - nights_without_scenario + ruling
    if cg == "I":
        final -= 1
    return final, "night" if final <= 1 else "no_attack"


def order_and_length(date: str) -> tuple[str, str, str]:
    """Who sets up first, who moves first, and the turns."""
    if date == "20 AM":
        return "japanese", "marine", "7.5"
    if date.endswith("PM"):
        return "japanese", "marine", "7"
    if date.endswith("NT"):
        return "marine", "japanese", "6"
    return "marine", "japanese", "7"


def order_in_prose(date: str, first: str) -> tuple[str, str]:
    """15.620: the Japanese set up first in the initial and the PM scenarios, the Marines move first
    in those of AM and PM."""
    sets_up = "japanese" if date == first or date.endswith("PM") else "marine"
    return sets_up, "japanese" if date.endswith("NT") else "marine"


# --- 15.615, CG I and the beaches -----------------------------------------------------------------


def victor(marine_cvp: int, japanese_cvp: int, pillboxes: list[tuple[int, bool]]) -> str:
    """Who has won the campaign; of each pillbox its capacity, and whether the Marines have it."""
    marine = marine_cvp
    for capacity, fell in pillboxes:
        if fell:
            marine += capacity
    return "marine" if marine > japanese_cvp else "japanese"


def cg_one_is_won(squads: list[tuple[bool, bool, bool]], japanese_cvp: int) -> bool:
    """Of each Japanese squad: whether it is on map, broken, a prisoner."""
    for on_map, broken, prisoner in squads:
        if on_map and not broken and not prisoner:
            return False
    return japanese_cvp <= 204


def beaches_of(hex: str) -> set[str]:
    """R-BEACH-AREA: the beaches whose Beach hexes are nearest to a hex."""
    with HEXES.open(encoding="utf-8", newline="") as file:
        found = {line["hex"]: line["beach"] for line in csv.DictReader(file) if line["beach"]}
    _, goals = nearest(hex, list(found))
    return {found[goal] for goal in goals}


# --- the last rules -------------------------------------------------------------------------------


def pillbox_scores(capacity: int, ends: list[str]) -> list[int]:
    """What a pillbox scores in each scenario: `ends` says how it stood at the end of each."""
    scored, scores = False, []
    for end in ends:
        falls = end in ("marine", "eliminated") and not scored
        scores.append(capacity if falls else 0)
        scored = scored or falls
    return scores


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


def afloat(side: str, immobile: bool, manned: bool, stuck: str, mobile: str) -> bool:
    """15.6072: whether a vehicle in an Ocean Location is Isolated, by the rulings on immobile and
    on mobile ones."""
    if side == "japanese" or not manned:
        return False
    return stuck == "isolated" if immobile else mobile == "isolated"


def agreed_over(vehicles: list[tuple[str, bool, bool, bool]]) -> list[str]:
    """Which rulings on vehicles in the Ocean the players are asked about; of each vehicle: its
    side, whether it is immobile, manned, hidden."""
    asked = []
    seen = [vehicle for vehicle in vehicles if not vehicle[3]]
    if any(side == "marine" and immobile and manned for side, immobile, manned, _ in seen):
        asked.append("R-OCEAN-VEHICLES")
    if any(not immobile for _, immobile, _, _ in seen):
        asked.append("R-OCEAN-MOBILE")
    return asked


def massacred(kind: str) -> int:
    """The CVP of a Massacre, whatever is ruled of losses: not doubled."""
    return {"squad": 2, "half_squad": 1, "crew": 2}[kind]


def rearmed(side: str, kind: str, ruling: str) -> list[tuple[str, str]]:
    """G1.15, 15.609, R-REARM: what an unarmed unit becomes."""
    if kind == "crew":
        if side == "japanese" and ruling == "conscript":
            return [("half_squad", "1-2-6")]
        return [("crew", "2-2-8")]
    if side == "japanese":
        return [(kind, "3-3-6" if kind == "squad" else "1-2-6")]
    return [("half_squad", "2-4-8")] * (2 if kind == "squad" else 1)


def squads_made(half_squads: list[tuple[str, str | None]], ruling: str) -> int:
    """15.6111 in one area: of each HS its class, and where it stays hidden, if it does."""
    groups: dict[tuple[str, str | None], int] = {}
    for class_, lair in half_squads:
        if lair is None or ruling == "recombine":
            groups[class_, lair] = groups.get((class_, lair), 0) + 1
    return sum(number // 2 for number in groups.values())


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


def may_set_up(hex: str, area: list[str], isolated: dict[str, bool]) -> bool:
    """R-SETUP-LIST; `isolated` are the Locations in which the enemy is Isolated, and whether he is
    hidden there."""
    return hex in area and isolated.get(hex, True)


def can_man(kind: str, unarmed: bool) -> bool:
    """15.6131a, 15.6137: who mans an empty vehicle or Gun."""
    return kind in ("squad", "half_squad", "crew", "vehicle_crew") and not unarmed


def after_a_prisoner(cvp: int, worth: int, ruling: str) -> int:
    """R-PRISONER-CVP: the Japanese total."""
    if ruling == "ignore":
        return cvp
    left = cvp - 2 * worth
    return 0 if ruling == "subtract" and left < 0 else left


def still_had(result: str, squad: bool) -> set[str]:
    """15.605: what is left of an MMC, of its prisoner and of its SW."""
    if result == "survives":
        return {"mmc", "prisoner", "sw"}
    if result == "eliminated" or not squad:
        return set()
    return {"mmc", "prisoner", "sw"} if result == "casualty_reduction" else {"mmc", "prisoner"}
