"""The difference between a piece of a save and a counter of the campaign: the changes of a scenario
that lie between them, the distance from one to the other, and other differences."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from brt_cg.board import OFF_MAP, grid, ground_hex, is_only_area
from brt_cg.card import Ladders
from brt_cg.model import Campaign, Kind, Side, Strength, WeaponKind
from brt_cg.vasl.rows import CREWS, Row, has_a_hex, plain_name, status_after
from brt_cg.vasl.situation import SavedCounter

STEP = 1000.0  # for each change that a scenario makes: a squad becomes a half-squad
ODD = 3  # steps for a change that hardly ever happens
BACK = 20  # steps for one that no scenario makes: a reduced squad is full again
FAR_AWAY = 200.0  # hexes from off map to any hex
DEAD = 300.0  # to a counter in the Casualties window; more than any move, and than from off map
WAITED = 0.5  # to a counter that was Retained in the Area that the piece is in
HELD = 15.0  # for each weapon that it possesses now and did not before, or the reverse
DETAIL = 0.02  # for each other difference; all of them together less than a hex
ALIKE = 7  # letters by which two weapons are of one type: ".50calh", "type92"


class Likeness:
    """The unlikeness of the pieces and counters of one save and one campaign."""

    def __init__(
        self,
        campaign: Campaign,
        ladders: Ladders,
        weapons: Sequence[Row],
        found: Sequence[SavedCounter],
    ) -> None:
        self.campaign, self.ladders = campaign, ladders
        self.matched: dict[str, str] = {}  # the counters of the pieces that are matched so far
        self.held: dict[str, Counter[str]] = defaultdict(Counter)  # weapons by counter and piece
        for row in weapons:
            if row["fate"] == "in_play" and row["kind"] != WeaponKind.VEHICULAR:
                self.held[row["possessor"] or ""][plain_name(row["type"])[:ALIKE]] += 1
        for piece in found:
            if piece.table == "weapons":
                holder = f"piece {piece.fields.get('possessor')}"
                self.held[holder][plain_name(piece.fields["type"])[:ALIKE]] += 1
        self._to_area = cache(self._measure)

    def __call__(self, piece: SavedCounter, row: Row) -> float | None:
        """The distance between a piece and a counter, in hexes; None if they cannot be the same."""
        side = piece.fields.get("nation", piece.fields.get("side"))
        was = row.get("nation") or row["side"]
        if piece.table != "fortifications" and side is not None and side != was:
            return None
        steps = steps_between(piece, row, self.ladders)
        if steps is None or (piece.dead and not is_of_type(piece, row)):
            return None
        differ = HELD * self._hands(piece, row) + DETAIL * self._details(piece, row)
        return STEP * steps + self._distance(piece, row) + differ

    def _distance(self, piece: SavedCounter, row: Row) -> float:
        if piece.dead:
            return DEAD
        here = OFF_MAP if piece.location == OFF_MAP else ground_hex(piece.location)
        location = row["location"]
        if location is None or is_only_area(location):
            area = row.get("setup_area") or ""
            if location is not None:
                found = self.campaign.area_at(ground_hex(location))
                area = found.id if found is not None else ""
            return WAITED + self._to_area(here, area)
        there = OFF_MAP if location == OFF_MAP else ground_hex(location)
        if here == there:
            return 0
        return FAR_AWAY if OFF_MAP in (here, there) else grid.distance(here, there)

    def _measure(self, hex: str, area_id: str) -> float:
        """The distance from a hex to the nearest one of an Area."""
        area = self.campaign.areas.get(area_id)
        if area is None or hex == OFF_MAP:
            return FAR_AWAY / 2
        hexes = {ground_hex(place) for place in area.hexes}
        return 0 if hex in hexes else min(grid.distance(hex, other) for other in hexes)

    def _hands(self, piece: SavedCounter, row: Row) -> int:
        """The number of weapons by which the possessions of a unit differ."""
        if piece.table != "units" or piece.dead:
            return 0
        ours, theirs = self.held[f"piece {piece.piece}"], self.held[row["id"]]
        return (ours - theirs).total() + (theirs - ours).total()

    def _details(self, piece: SavedCounter, row: Row) -> int:
        """The differences in details that may well change, or that distinguish two counters of a
        type."""
        fields = piece.fields
        differ = 0
        if "status" in row:
            differ += len(status_after(row, piece) ^ {*row["status"]})
        if piece.table == "units":
            differ += ("heroic" in fields.get("traits", ())) != ("heroic" in row["traits"])
        if piece.table == "weapons":
            differ += self.matched.get(str(fields.get("possessor"))) != row["possessor"]
        if piece.table == "fortifications":
            differ += fields.get("capacity") != row.get("capacity")
            differ += fields.get("hidden") != row.get("hidden")
        return min(differ, 20)


def is_of_type(piece: SavedCounter, row: Row) -> bool:
    """Whether a piece is of the type of a counter, at any strength."""
    fields, name = piece.fields, plain_name(row["type"])
    if piece.table == "fortifications":
        return True  # any that may be the same is of one type
    if piece.table != "units":
        return name in (plain_name(fields["type"]), plain_name(piece.name))
    reduced = "class" in fields and fields["class"] == row.get("class")
    return bool(fields["kind"] == row["kind"] and (fields["type"] == row["type"] or reduced))


def steps_between(piece: SavedCounter, row: Row, ladders: Ladders) -> int | None:
    """The number of changes from a counter to that piece; None if it cannot have become it."""
    fields = piece.fields
    if piece.table == "units":
        return _unit_steps(fields, row, ladders)
    if piece.table == "fortifications":
        return 0 if _same_fort(piece, row) else None
    if piece.table == "weapons" and fields.get("kind") != row["kind"]:
        return None
    was, now = _is_wreck(row), _is_wreck(fields)
    back = (BACK if was else 1) if was != now else 0
    names = {plain_name(fields["type"]), plain_name(piece.name)}
    own = plain_name(row["type"])
    if own in names:
        return back
    alike = any(name.startswith(own) or own.startswith(name) for name in names)
    return back + 1 if alike else None


def is_one_loss(was: SavedCounter, now: SavedCounter, ladders: Ladders) -> bool:
    """Whether a piece in the Casualties window may live on as another one: a squad reduced, a
    vehicle wrecked."""
    row = {"traits": [], "status": [], "class": None, "strength": Strength.FULL} | was.fields
    if now.fields.get("side") != row.get("side"):
        return False
    fewer = [now.fields.get(name) != row.get(name) for name in ("kind", "strength")]
    wrecked = _is_wreck(now.fields) and not _is_wreck(row)
    steps = steps_between(now, row, ladders)
    return (any(fewer) if now.table == "units" else wrecked) and steps in (1, 2)


def _same_fort(piece: SavedCounter, row: Row) -> bool:
    """Whether a Fortification is that one: it never moves, unless it is in the margin because it is
    not set up yet."""
    here, there = piece.location.split("/"), str(row["location"]).split("/")
    waits = not has_a_hex(row)  # its players lay it where they set it up
    if not (piece.dead or waits or {*here} & {place.partition(":")[0] for place in there}):
        return False
    fields = piece.fields
    if fields["type"] != "pillbox":
        return bool(fields["type"] == row["type"])
    sizes = ("ca_tem", "nca_tem")
    printed = [int(part) for part in row["type"].split("_") if part.isdecimal()][1:]
    known = [row[name] for name in sizes] if None not in map(row.get, sizes) else printed
    same = not known or known == [fields[name] for name in sizes] or "Reduced" in piece.name
    return bool(row["type"].startswith("pillbox") and same)


def _is_wreck(fields: Mapping[str, Any]) -> bool:
    return "wreck" in fields.get("status", ())


def _unit_steps(fields: Mapping[str, Any], row: Row, ladders: Ladders) -> int | None:
    """The steps of a unit down its ladder (G1.1, G1.14), with more for a step up."""
    now, was = str(fields["kind"]), str(row["kind"])
    traits = {*fields.get("traits", ())} ^ {*row["traits"]}
    if _family(now) != _family(was) or "korean_laborer" in traits:
        return None
    steps = ODD * len(traits & {"engineer", "tank_hunter"})
    captured = ["prisoner" in one.get("status", ()) for one in (fields, row)]
    steps += int(captured[0] != captured[1])
    if now != was:
        steps += 1 if now in (Kind.HALF_SQUAD, Kind.VEHICLE_CREW) else BACK
    if "class" in fields and row["side"] == Side.JAPANESE:
        steps += int(fields["class"] != row["class"])
        if now == was and fields["strength"] != row["strength"]:
            steps += 1 if fields["strength"] == Strength.REDUCED else BACK
        return steps
    becomes: set[str] = {row["type"]}
    if now == Kind.HALF_SQUAD and was == Kind.SQUAD:
        becomes = {ladders.figures.marine.half_squads.get(row["type"], "")}
    elif now == Kind.SQUAD and was == Kind.HALF_SQUAD:
        becomes = {fields["type"]}
    if fields.get("type") in becomes:
        return steps
    return steps + (1 if now == Kind.LEADER else ODD)


def _family(kind: str) -> str:
    """The part of a unit's kind that never changes: a squad may become a HS, a leader remains
    one."""
    if kind in CREWS:
        return "crew"
    return "mmc" if kind in (Kind.SQUAD, Kind.HALF_SQUAD) else kind
