"""The situation in a save: its pieces as counters of a state file, and everything uncertain about
them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from brt_cg.board.locations import OFF_MAP
from brt_cg.model.counters import Side
from brt_cg.vasl import geometry
from brt_cg.vasl.layers import Called, called
from brt_cg.vasl.names import Meaning, Names, Status
from brt_cg.vasl.pieces import Place, Saved
from brt_cg.vasl.sequences import tokens

MAIN_MAP, CASUALTIES = "Main Map", "Casualties"
CARRIES = {  # the lists of counters that can get a status from a counter on top
    "encircled": ("units", "vehicles"),
    "low_ammo": ("units", "vehicles"),
    "wounded": ("units",),
    "prisoner": ("units",),
}
WHOLE_STACK = ("encircled",)


class Doubt(NamedTuple):
    """A guess about a field of a counter."""

    field: str
    words: str


@dataclass(slots=True)
class Found:
    """A counter in a save: the id of its piece, its list in a state file, and its fields there;
    `doubts` are guesses about fields, `dead` means that it is in the Casualties window."""

    piece: str
    name: str
    table: str
    fields: dict[str, Any]
    dead: bool = False
    doubts: list[Doubt] = field(default_factory=list)

    @property
    def location(self) -> str:
        return str(self.fields["location"])

    @property
    def hidden(self) -> bool:
        return bool(self.fields.get("hidden")) or "hidden" in self.fields.get("status", ())


class Unknown(NamedTuple):
    """An unknown piece, in words; `hidden`: by a player, from the other."""

    words: str
    hidden: bool


@dataclass(slots=True)
class Situation:
    """Everything in a save. `unknown` are pieces without a known name, with their places; `fires`
    by hex; `perimeter` the hexes with a Perimeter counter or Marine Control."""

    found: list[Found] = field(default_factory=list)
    unknown: list[Unknown] = field(default_factory=list)
    fires: dict[str, str] = field(default_factory=dict)
    perimeter: list[str] = field(default_factory=list)
    totals: dict[Side, dict[str, int]] = field(default_factory=dict)

    def of(self, side: Side | None) -> "Situation":
        """The part that concerns one side (None: both): without the other side's counters, and
        without hidden ones whose side is unknown."""
        if side is None:
            return self
        own = [piece for piece in self.found if piece.fields.get("side") in (side, None)]
        return replace(
            self,
            found=[piece for piece in own if piece.fields.get("side") or not piece.hidden],
            unknown=[piece for piece in self.unknown if not piece.hidden],
            totals={side: self.totals.get(side, {})},
        )


@dataclass(frozen=True, slots=True)
class _Lying:
    """A piece in its Location, with the ids of those above it."""

    id: str
    called: Called
    place: Place
    above: list[str]


def situation(saved: Saved, names: Names) -> Situation:
    """Reads a save in the words of a state file."""
    result = Situation(totals=_totals(saved.others))
    places = saved.where()
    lying = [_Lying(id, called(piece), *places[id]) for id, piece in saved.pieces.items()]
    by_piece: dict[str, Found] = {}
    for piece in lying:
        meaning = names.meaning(piece.called.name)
        if meaning is not None:
            by_piece[piece.id] = _found(piece, meaning, names)
        elif names.status(piece.called.name) is None:
            _mark(result, piece, names)
    for piece in lying:
        status = names.status(piece.called.name)
        if status is not None and piece.id not in by_piece:
            _apply(result, piece, status, lying, by_piece)
    result.found = list(by_piece.values())
    _possess(lying, by_piece)
    return result


def _found(lying: _Lying, meaning: Meaning, names: Names) -> Found:
    location, far = _location(lying.place)
    fields = dict(meaning.fields) | {"location": location}
    doubts = [Doubt("location", words) for words in far]
    side = names.side(lying.called.folders)
    if side is not None:
        fields["side"] = side
    elif meaning.table == "fortifications":
        fields["side"] = Side.JAPANESE
        doubts.append(Doubt("side", "its side is not on the counter: taken as Japanese"))
    else:
        doubts.append(Doubt("side", "its side is not on the counter"))
    status = [names.status_words[word] for word in lying.called.words if word in names.status_words]
    traits = [names.trait_words[word] for word in lying.called.words if word in names.trait_words]
    strange = [word for word in lying.called.words if not _known(word, names)]
    doubts += [Doubt("", f"{word!r} on it means nothing here") for word in strange]
    if meaning.table == "fortifications":
        fields["hidden"] = lying.called.hidden
    else:
        shown = {"hidden": lying.called.hidden, "concealed": lying.called.concealed}
        status += [name for name, holds in shown.items() if holds]
        # Only Personnel are concealed here; a vehicle is either hidden or not.
        besides = {"concealed"} if meaning.table != "units" else set()
        fields["status"] = sorted(set(status) - besides)
    if meaning.table == "units" and traits:
        fields["traits"] = sorted({*fields.get("traits", ()), *traits})
    dead = lying.place.map == CASUALTIES
    return Found(lying.id, lying.called.name, meaning.table, fields, dead, doubts)


def _known(word: str, names: Names) -> bool:
    known = (names.status_words, names.trait_words, names.ignored)
    ignored = any(pattern.fullmatch(word) for pattern in names.ignored_patterns)
    return ignored or any(word in words for words in known)


def _location(place: Place) -> tuple[str, list[str]]:
    """The hex of a point, or off map; with what is doubtful about it."""
    if place.map == CASUALTIES:
        return OFF_MAP, []
    if place.map != MAIN_MAP:
        return OFF_MAP, [f"it lies in the window {place.map or 'of no name'}, not on the map"]
    at = geometry.hex_at(place.x, place.y)
    if at is None:
        return OFF_MAP, []
    hex, distance = at
    far = f"it lies {distance:.0f} pixels from the centre of {hex}"
    return hex, [far] if distance > geometry.FAR else []


def _mark(result: Situation, lying: _Lying, names: Names) -> None:
    """Applies a marker to its Location; an unknown one is listed."""
    says = names.marker(lying.called.name)
    location, _ = _location(lying.place)
    if says is None:
        where = "off map" if location == OFF_MAP else location
        words = f"{lying.called.name or 'a piece without a name'} ({where})"
        result.unknown.append(Unknown(words, lying.called.hidden))
    elif location == OFF_MAP:
        return
    elif says in ("blaze", "flame"):
        result.fires[location] = says
    elif says in ("perimeter", "marine_control"):
        result.perimeter.append(location)


def _apply(
    result: Situation,
    marker: _Lying,
    status: Status,
    lying: list[_Lying],
    by_piece: dict[str, Found],
) -> None:
    """Gives the status of a counter to those under it: to all if it concerns the Location, else to
    the nearest that can have it."""
    tables = CARRIES.get(status.status, ("vehicles",))
    under = [piece for piece in lying if marker.id in piece.above and piece.id in by_piece]
    under.sort(key=lambda piece: len(piece.above))
    able = [by_piece[piece.id] for piece in under if by_piece[piece.id].table in tables]
    if not able:
        where, _ = _location(marker.place)
        if where != OFF_MAP:
            words = f"{marker.called.name} ({where}): nothing under it"
            result.unknown.append(Unknown(words, marker.called.hidden))
        return
    for found in able if status.status in WHOLE_STACK else able[:1]:
        given = found.fields.setdefault("status", [])
        found.fields["status"] = sorted({*given, status.status})
        if status.guess:
            found.doubts.append(Doubt("status", f"{marker.called.name} lies on it: {status.guess}"))


def _possess(lying: list[_Lying], by_piece: dict[str, Found]) -> None:
    """Gives a SW or Gun to the unit under it, and to that unit's side; its pictures show who made
    it."""
    above = {piece.id: len(piece.above) for piece in lying}
    for piece in lying:
        weapon = by_piece.get(piece.id)
        if weapon is None or weapon.table != "weapons" or weapon.dead:
            continue
        nation = weapon.fields.get("side")
        under = [below for below in lying if piece.id in below.above]
        units = [by_piece[below.id] for below in under if below.id in by_piece]
        units = [unit for unit in units if unit.table == "units"]
        able = [unit for unit in units if "prisoner" not in unit.fields.get("status", ())]
        if able:
            # The last one below is the nearest: the lists are in the order of the stack.
            holder = min(able, key=lambda unit: above[unit.piece])
            weapon.fields |= {"possessor": holder.piece, "side": holder.fields.get("side")}
            words = f"it lies on {holder.name}, which is taken to possess it"
            weapon.doubts.append(Doubt("possessor", words))
        if nation is not None:
            weapon.fields["nation"] = nation


def _totals(others: Iterable[str]) -> dict[Side, dict[str, int]]:
    """SAN, ELR and CVP in the save, for comparison only."""
    totals: dict[Side, dict[str, int]] = {Side.MARINE: {}, Side.JAPANESE: {}}
    for command in others:
        if command.startswith("INFO\t"):
            given = [*tokens(command, "\t"), *[""] * 8]
            axis, allied = given[4:6], given[6:8]
            for side, (elr, san) in ((Side.JAPANESE, axis), (Side.MARINE, allied)):
                totals[side] |= _numbers(elr=elr, san=san)
        if command.startswith("GlobalProperty\t"):
            given = [*tokens(command.partition("\t")[2], ";"), "", "", ""]
            sides = {"AxisCVP": Side.JAPANESE, "AlliedCVP": Side.MARINE}
            if given[1] in sides:
                totals[sides[given[1]]] |= _numbers(cvp=given[2])
    return totals


def _numbers(**texts: str) -> dict[str, int]:
    return {
        name: int(text) for name, text in texts.items() if re.fullmatch(r"\s*[0-9]{1,9}\s*", text)
    }
