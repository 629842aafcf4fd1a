"""The difference between a piece of a save and a counter of the campaign: the changes of a scenario
between them, their distance, and other differences."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from brt_cg.board import OFF_MAP, grid, ground_hex, is_area_only_location
from brt_cg.card import Ladders
from brt_cg.model import Campaign, Side, UnitKind, UnitStrength, WeaponKind
from brt_cg.vasl.rows import (
    CREWS,
    Row,
    hex_or_off_map,
    is_fortification_set_up,
    plain_name,
    status_after,
)
from brt_cg.vasl.situation import SavedCounter

STEP = 1000.0  # for each change that a scenario makes: a squad becomes a half-squad
ODD = 3  # steps for a change that hardly ever happens
BACK = 20  # steps for one that no scenario makes: a reduced squad is full again
FAR_AWAY = 200.0  # hexes from off map to any hex
DEAD = 300.0  # to a counter in the Casualties window; more than any other distance
WAITED = 0.5  # to a counter that was Retained in the Area around the piece
HELD = 15.0  # for each weapon that it possesses now and did not before, or the reverse
DETAIL = 0.02  # for each other difference; all of them together less than a hex
PLACES = frozenset(  # fields that make no difference, or are compared for each pair
    {"id", "name", "location", "setup_area", "recorded_location", "possessor", "vehicle", "aboard"}
)
ALIKE = 7  # letters by which two weapons are of one type: ".50calh", "type92"


Ranked = tuple[Sequence[float], Sequence[str]]  # counters, the likeliest first: difference, id
_Able = tuple[float, tuple[str | None, str | None], str | None, str]  # place and possessor, too


class Likeness:
    """The differences between the pieces and the counters of one save and one campaign."""

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
        self._distance = cache(self._measure_distance)

    def rank(self, pieces: Sequence[SavedCounter], rows: Sequence[Row]) -> Iterator[Ranked]:
        """Yield, for each piece of a list, the counters that it may be. Equal pieces and equal
        counters are compared only once, because thousands of pairs differ only in their hexes."""
        alike: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            alike[self._row_key(row)].append(row)
        able: dict[str, list[_Able]] = {}
        ranked: dict[tuple[str, str, str | None], Ranked] = {}
        for piece in pieces:
            key, holder = self._piece_key(piece), self._holder(piece)
            if key not in able:
                some = self._able(piece, alike.values())
                able[key] = sorted(some, key=lambda one: one[-1])
            place = (key, piece.location, holder)
            if place not in ranked:
                ranked[place] = self._placed(piece, able[key])
            yield ranked[place]

    def _able(self, piece: SavedCounter, alike: Iterable[Sequence[Row]]) -> Iterator[_Able]:
        """Yield the counters that a piece may be, wherever it is, as lists of equal counters."""
        for rows in alike:
            differ = self._differ(piece, rows[0])
            if differ is not None:
                for row in rows:
                    area = row.get("setup_area") if row["location"] is None else None
                    yield differ, (row["location"], area), row.get("possessor"), row["id"]

    def _placed(self, piece: SavedCounter, able: Sequence[_Able]) -> Ranked:
        """Return the counters that a piece may be, considering its place."""
        here, holder, far = piece.location, self._holder(piece), self._distance
        if piece.table == "fortifications" and not piece.dead:
            able = [one for one in able if _may_be_there(here, one[1][0])]
        if piece.table == "weapons":
            able = [(one[0] + DETAIL * (one[2] != holder), *one[1:]) for one in able]
        differ = [one[0] + (DEAD if piece.dead else far(here, one[1])) for one in able]
        order = sorted(range(len(able)), key=differ.__getitem__)
        return [differ[at] for at in order], [able[at][-1] for at in order]

    def _holder(self, piece: SavedCounter) -> str | None:
        """Return the counter that possesses a weapon's piece."""
        return self.matched.get(str(piece.fields.get("possessor")))

    def _piece_key(self, piece: SavedCounter) -> str:
        """Return a key that is the same for pieces that differ equally from any counter, apart from
        their places and possessors."""
        fields = sorted((name, piece.fields[name]) for name in piece.fields.keys() - PLACES)
        held = sorted(self.held.get(f"piece {piece.piece}", {}).items())
        is_off_map = piece.location == OFF_MAP
        return repr((piece.name, piece.dead, is_off_map, fields, sorted(piece.seen), held))

    def _row_key(self, row: Row) -> str:
        """Return a key that is the same for counters that differ equally from any piece, apart from
        their places and possessors."""
        fields = sorted((name, row[name]) for name in row.keys() - PLACES)
        is_off_map = hex_or_off_map(row["location"]) == OFF_MAP
        return repr((is_off_map, fields, sorted(self.held.get(row["id"], {}).items())))

    def _differ(self, piece: SavedCounter, row: Row) -> float | None:
        """Return the difference between a piece and a counter, without the distance between their
        hexes; None if they cannot be the same."""
        side = piece.fields.get("nation", piece.fields.get("side"))
        was = row.get("nation") or row["side"]
        if piece.table != "fortifications" and side is not None and side != was:
            return None
        steps = steps_between(piece, row, self.ladders)
        if steps is None or (piece.dead and not is_of_type(piece, row)):
            return None
        return STEP * steps + HELD * self._hands(piece, row) + DETAIL * self._details(piece, row)

    def _measure_distance(self, here: str, at: tuple[str | None, str | None]) -> float:
        """Return the distance in hexes from one Location to another, or to a counter's Area."""
        there, area = at
        here = _ground(here)
        if there is not None and not is_area_only_location(there):
            there = _ground(there)
            if here == there:
                return 0
            return FAR_AWAY if OFF_MAP in (here, there) else grid.distance(here, there)
        if there is not None:
            found = self.campaign.area_at(ground_hex(there))
            area = found.id if found is not None else ""
        return WAITED + self._to_area(here, area or "")

    def _to_area(self, hex: str, area_id: str) -> float:
        """Return the distance from a hex to the nearest hex of an Area."""
        area = self.campaign.areas.get(area_id)
        if area is None or hex == OFF_MAP:
            return FAR_AWAY / 2
        hexes = {ground_hex(place) for place in area.hexes}
        return 0 if hex in hexes else min(grid.distance(hex, other) for other in hexes)

    def _hands(self, piece: SavedCounter, row: Row) -> int:
        """Return the number of weapons by which a unit's possessions differ."""
        if piece.table != "units" or piece.dead:
            return 0
        ours, theirs = self.held[f"piece {piece.piece}"], self.held[row["id"]]
        return (ours - theirs).total() + (theirs - ours).total()

    def _details(self, piece: SavedCounter, row: Row) -> int:
        """Return the difference in details that may change, or that distinguish two counters of a
        type, except for a weapon's possessor."""
        fields = piece.fields
        differ = 0
        if "status" in row:
            differ += len(status_after(row, piece) ^ {*row["status"]})
        if piece.table == "units":
            differ += ("heroic" in fields.get("traits", ())) != ("heroic" in row["traits"])
        if piece.table == "fortifications":
            differ += fields.get("capacity") != row.get("capacity")
            differ += fields.get("hidden") != row.get("hidden")
        return min(differ, 20)


def _ground(location: str) -> str:
    return OFF_MAP if location == OFF_MAP else ground_hex(location)


def is_of_type(piece: SavedCounter, row: Row) -> bool:
    """Whether a piece is of the type of a counter, at any strength."""
    fields, name = piece.fields, plain_name(row["type"])
    if piece.table == "fortifications":
        return True  # those that may be the same have one type
    if piece.table != "units":
        return name in (plain_name(fields["type"]), plain_name(piece.name))
    reduced = "class" in fields and fields["class"] == row.get("class")
    return bool(fields["kind"] == row["kind"] and (fields["type"] == row["type"] or reduced))


def steps_between(piece: SavedCounter, row: Row, ladders: Ladders) -> int | None:
    """Return the number of changes from a counter to a piece; None if the counter cannot have
    become that piece."""
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
    row = {"traits": [], "status": [], "class": None, "strength": UnitStrength.FULL} | was.fields
    if now.fields.get("side") != row.get("side"):
        return False
    fewer = [now.fields.get(name) != row.get(name) for name in ("kind", "strength")]
    wrecked = _is_wreck(now.fields) and not _is_wreck(row)
    steps = steps_between(now, row, ladders)
    return (any(fewer) if now.table == "units" else wrecked) and steps in (1, 2)


@cache
def _may_be_there(here: str, there: str | None) -> bool:
    """Whether a Fortification at one Location may be the one at another: a Fortification never
    moves, except before setup, when its players place it where they set it up."""
    hexes = {place.partition(":")[0] for place in str(there).split("/")}
    return not is_fortification_set_up({"location": there}) or bool({*here.split("/")} & hexes)


def _same_fort(piece: SavedCounter, row: Row) -> bool:
    """Whether a Fortification is of the same type as another."""
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
    """Return the steps of a unit down its ladder (G1.1, G1.14); a step up counts more."""
    now, was = str(fields["kind"]), str(row["kind"])
    traits = {*fields.get("traits", ())} ^ {*row["traits"]}
    if _family(now) != _family(was) or "korean_laborer" in traits:
        return None
    steps = ODD * len(traits & {"engineer", "tank_hunter"})
    captured = ["prisoner" in one.get("status", ()) for one in (fields, row)]
    steps += int(captured[0] != captured[1])
    if now != was:
        steps += 1 if now in (UnitKind.HALF_SQUAD, UnitKind.VEHICLE_CREW) else BACK
    if "class" in fields and row["side"] == Side.JAPANESE:
        steps += int(fields["class"] != row["class"])
        if now == was and fields["strength"] != row["strength"]:
            steps += 1 if fields["strength"] == UnitStrength.REDUCED else BACK
        return steps
    becomes: set[str] = {row["type"]}
    if now == UnitKind.HALF_SQUAD and was == UnitKind.SQUAD:
        becomes = {ladders.figures.marine.half_squads.get(row["type"], "")}
    elif now == UnitKind.SQUAD and was == UnitKind.HALF_SQUAD:
        becomes = {fields["type"]}
    if fields.get("type") in becomes:
        return steps
    return steps + (1 if now == UnitKind.LEADER else ODD)


def _family(kind: str) -> str:
    """Return the part of a unit's kind that never changes: a squad may become a HS, a leader
    remains one."""
    if kind in CREWS:
        return "crew"
    return "mmc" if kind in (UnitKind.SQUAD, UnitKind.HALF_SQUAD) else kind
