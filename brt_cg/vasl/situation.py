"""The situation in a save: its pieces as counters of a state file, and everything uncertain about
them."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from brt_cg.board import OFF_MAP
from brt_cg.card import Ladders
from brt_cg.immutable import immutable
from brt_cg.model import Side, Unit, UnitKind, UnitStrength, WeaponKind
from brt_cg.text import parse_whole_number
from brt_cg.vasl import geometry
from brt_cg.vasl.geometry import MAIN_MAP
from brt_cg.vasl.identity import MARKER, UNKNOWN
from brt_cg.vasl.layers import LayeredName, layered_name
from brt_cg.vasl.names import CounterMeaning, Names, PieceSense, StatusCounter
from brt_cg.vasl.pieces import VaslPiece, VaslPlace, VaslSave
from brt_cg.vasl.savefile import split_tokens

CASUALTIES = "Casualties"
COUNTED = "PROP;iCVP;"  # the trait with VASL's count for a lost counter
HEXSIDE = "seawall_breach"  # the Fortification that is on a hexside
CARRIES = {  # the lists of counters that can get a status from a counter on top
    "encircled": ("units", "vehicles"),
    "low_ammo": ("units", "vehicles"),
    "wounded": ("units",),
    "prisoner": ("units",),
    "unarmed": ("units",),
    "disrupted": ("units",),
    "berserk": ("units",),
    "fanatic": ("units",),
    "heroic": ("units",),
    "malfunctioned": ("weapons",),
}
MMC = (UnitKind.SQUAD, UnitKind.HALF_SQUAD, UnitKind.CREW, UnitKind.VEHICLE_CREW)
REDUCED_PILLBOX = {"ca_tem": 2, "nca_tem": 2}  # the TEM shown by its picture
WHOLE_STACK = ("encircled",)
QUESTION = "?"  # the counter that conceals the counters under it


class FieldDoubt(NamedTuple):
    """A guess about a field of a counter."""

    field: str
    words: str


@dataclass(slots=True)
class SavedCounter:
    """A counter in a save: the id of its piece, its name there, its list in a state file, and its
    fields there; `seen` are the statuses that the save would show if the counter had them, `doubts`
    guesses about fields; `dead` means that it is in the Casualties window; `armament` the status of
    a vehicle's weapons, by their names on a marker or layer ("MA", "BMG"; None: a layer is off),
    `cvp` VASL's count for a dead one. `origin` is the piece that it was cloned from, `left` the hex
    from which a dead one was sent, `before` its form before a loss that the save shows. `near` are
    the pieces of its stack, the nearest first, `over` those above it; `label` is the text that its
    player wrote on it, `lies_on` the nearest unit under a weapon."""

    piece: str
    name: str
    table: str
    fields: dict[str, Any]
    seen: frozenset[str] = frozenset()
    dead: bool = False
    doubts: list[FieldDoubt] = field(default_factory=list)
    armament: dict[str, str | None] = field(default_factory=dict)
    origin: str = ""
    left: str = ""
    before: "SavedCounter | None" = None
    near: list[str] = field(default_factory=list)
    over: list[str] = field(default_factory=list)
    label: str = ""
    lies_on: str = ""
    cvp: int | None = None

    @property
    def words(self) -> str:
        """The counter's name and place: "4-4-7 1sq (N35)"."""
        in_the_bin = self.dead and self.location == OFF_MAP
        where = CASUALTIES if in_the_bin else self.location.replace("_", " ")
        return f"{self.name} ({where})"

    @property
    def location(self) -> str:
        return str(self.fields["location"])


@dataclass(slots=True)
class VaslSituation:
    """Everything in a save. `unknown` are pieces without a known name, with their places; `fires`
    by hex; `perimeter` the hexes with a Perimeter counter or Marine Control. `totals` are each
    side's ELR and SAN, and "lost", VASL's count of the CVP of its dead. `others` are the pieces
    that are not counters: MARKER or UNKNOWN."""

    found: list[SavedCounter] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    fires: dict[str, str] = field(default_factory=dict)
    perimeter: list[str] = field(default_factory=list)
    totals: dict[Side, dict[str, int]] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)

    def for_side(self, side: Side | None) -> "VaslSituation":
        """Return the part that concerns one side (None: both): without its opponent's counters."""
        if side is None:
            return self
        own = [piece for piece in self.found if piece.fields.get("side") in (side, None)]
        return replace(self, found=own, totals={side: self.totals.get(side, {})})


@immutable
class _Lying:
    """A piece in its Location, with the ids of those above it, upwards."""

    piece: VaslPiece
    called: LayeredName
    sense: PieceSense
    place: VaslPlace
    above: list[str]

    @property
    def id(self) -> str:
        return self.piece.id

    def is_in(self, table: str) -> bool:
        """Whether the piece is a counter of that list."""
        return self.sense.meaning is not None and self.sense.meaning.table == table

    def side(self, names: Names) -> Side | None:
        """Return the side that the piece's pictures or name show; a Fortification is assumed to be
        Japanese."""
        meant = self.sense.meaning.fields.get("side") if self.sense.meaning is not None else None
        told = names.side(self.called.folders) or Side.from_name(meant)
        return Side.JAPANESE if told is None and self.is_in("fortifications") else told


def read_situation(
    saved: VaslSave,
    names: Names,
    ladders: Ladders,
    side: Side | None = None,
    own: Container[str] = (),
) -> VaslSituation:
    """Read a save in the words of a state file: as one side (None: both) sees it, without the
    counters that the enemy has hidden or concealed. `own` are pieces known to be that side's,
    whatever their pictures say."""
    result = VaslSituation(totals=_totals(saved.others))
    places = saved.places_and_pieces_above()
    lying = []
    for id, piece in saved.pieces.items():
        name = layered_name(piece)
        place, above = places[id]
        lying.append(
            _Lying(piece, name, names.piece_sense(name), saved.to_whole_board(place), above)
        )
    if side is not None:
        lying = _seen_by(side, lying, names, own)
    by_piece: dict[str, SavedCounter] = {}
    under: dict[str, list[_Lying]] = defaultdict(list)
    for one in lying:
        for id in one.above:
            under[id].append(one)
        result.unknown += _unknown_layers(one, names)
        if one.sense.meaning is not None:
            by_piece[one.id] = _saved_counter(one, one.sense.meaning, names, ladders)
        else:
            result.others[one.id] = MARKER if one.sense.known else UNKNOWN
            if one.sense.status is None:
                _mark(result, one)
    # The lower counters of a stack come first: a prisoner cannot be Encircled.
    for one in sorted(lying, key=lambda one: -len(one.above)):
        if one.sense.status is not None:
            _apply(result, one, one.sense.status, under[one.id], by_piece)
        elif one.called.name == QUESTION:
            _conceal(under[one.id], by_piece)
    result.found = list(by_piece.values())
    _possess(lying, under, by_piece)
    for stack in saved.stacks.values():
        for at, id in enumerate(stack.pieces):
            if id in by_piece:
                by_piece[id].over = stack.pieces[at + 1 :]
                others = [
                    (abs(at - n), n, other) for n, other in enumerate(stack.pieces) if n != at
                ]
                by_piece[id].near = [other for *_, other in sorted(others)]
    return result


def _seen_by(
    side: Side, lying: Sequence[_Lying], names: Names, own: Container[str]
) -> list[_Lying]:
    """Return the pieces that a side sees. The side of a covered piece is that of the nearest unit
    under it that the same player has covered, or the only side whose units that player covers; else
    that of its pictures."""
    covered = [one for one in lying if one.called.covered_by]
    units = [one for one in covered if one.is_in("units")]
    players: dict[str | None, set[Side | None]] = {}
    for one in units:
        players.setdefault(one.called.covered_by, set()).add(one.side(names))

    def is_seen(one: _Lying) -> bool:
        player, drawn = one.called.covered_by, one.side(names)
        if one.is_in("units") and drawn is not None:
            return drawn is side
        under = [below for below in units if one.id in below.above]
        under = [below for below in under if below.called.covered_by == player]
        if under:
            return min(under, key=lambda below: len(below.above)).side(names) is side
        sides = players.get(player, set())
        if len(sides) == 1 and None not in sides:
            return side in sides
        return one.id in own or drawn is side

    hidden = {one.id for one in covered if not is_seen(one)}
    return [one for one in lying if one.id not in hidden]


def counter_of_piece(piece: VaslPiece, names: Names, ladders: Ladders) -> SavedCounter | None:
    """Return the counter that a piece is, if any, without the markers on it."""
    name = layered_name(piece)
    sense = names.piece_sense(name)
    if sense.meaning is None:
        return None
    return _saved_counter(
        _Lying(piece, name, sense, piece.own_place(), []), sense.meaning, names, ladders
    )


def _saved_counter(
    lying: _Lying, meaning: CounterMeaning, names: Names, ladders: Ladders
) -> SavedCounter:
    location, far = _location(lying.place)
    fields = dict(meaning.fields) | {"location": location}
    doubts = [FieldDoubt("location", words) for words in far]
    side = names.side(lying.called.folders) or fields.get("side")
    if side is not None:
        fields["side"] = Side(side)
    elif meaning.table == "fortifications":
        fields["side"] = Side.JAPANESE
        doubts.append(
            FieldDoubt("side", "the counter does not show its side: assumed to be Japanese")
        )
    else:
        doubts.append(FieldDoubt("side", "the counter does not show its side"))
    doubts += [
        FieldDoubt("", f"{word!r} on it is not known to the program")
        for word in lying.sense.strange
    ]
    if fields.get("type") == HEXSIDE and location != OFF_MAP:
        fields["location"] = _hexside(lying)
        doubts.append(FieldDoubt("location", "its hexside is guessed from the picture"))
    _show(fields, meaning.table, lying.called, names)
    if meaning.table == "units":
        if is_broken_without_broken_side(fields):
            fields["status"] = [each for each in fields["status"] if each != "broken"]
            instead = "left unchanged"
            if fields["kind"] == UnitKind.CREW:
                fields["strength"], instead = UnitStrength.REDUCED, "assumed to be reduced"
            words = f"broken in VASL, {instead}: it has no broken side (G1.1, G1.3, G1.4)"
            doubts.append(FieldDoubt("strength", words))
        _settle_type(fields, lying.called, ladders)
    hit = {names.pillbox_words.get(word) for word in lying.called.words}
    if "reduced" in hit and fields.get("type") == "pillbox":
        fields |= REDUCED_PILLBOX
    dead = lying.place.map == CASUALTIES or "rubbled" in hit
    name, seen = lying.called.full_name(without=names.says_nothing), _seen(lying.called, names)
    found = SavedCounter(lying.id, name, meaning.table, fields, seen, dead, doubts)
    origin = lying.piece.vassal_property("UniqueID")
    labels = (trait.state.strip() for trait in lying.piece.traits if trait.kind == "label")
    found.label = next(filter(None, labels), "")
    found.origin = origin if origin != lying.id else ""
    if dead and lying.piece.vassal_property("OldMap") in ("", MAIN_MAP):
        found.left = lying.piece.vassal_property("OldLocationName").partition(" ")[0]
    if dead:
        counted = (one for one in lying.piece.traits if one.type.startswith(COUNTED))
        found.cvp = next((parse_whole_number(one.state) for one in counted), None)
    for own, level, _ in lying.called.marks:
        _layered(found, own, level, names)
    return found


def _layered(found: SavedCounter, own: str, level: int, names: Names) -> None:
    """Give a counter the state that a layer with unnamed levels shows."""
    layer = names.layer_sense(own)
    if layer is None:
        return
    said = layer.status(level)
    if layer.armament:
        found.armament[own.rpartition(" ")[0]] = said
    elif said is not None and "status" in found.fields:
        found.fields["status"] = sorted({*found.fields["status"], said})


def _unknown_layers(lying: _Lying, names: Names) -> Iterator[str]:
    """Yield the layers that are on and have no known meaning, in words."""
    for own, level, is_on in lying.called.marks:
        layer = names.layer_sense(own)
        if is_on and (layer is None or layer.is_unknown(level)):
            where, _ = _location(lying.place)
            name = lying.called.full_name() or "a piece without a name"
            yield f"layer {own!r} at level {level} on {name} ({where.replace('_', ' ')})"


def _show(fields: dict[str, Any], table: str, name: LayeredName, names: Names) -> None:
    """Set the status and the traits that a piece shows itself."""
    if table == "fortifications":
        fields["hidden"] = bool(name.hidden)
        return
    status = {names.status_words[word] for word in name.words if word in names.status_words}
    if name.hidden:
        status.add("hidden")
    elif name.concealed and table == "units":
        # Only Personnel are concealed here; a vehicle is either hidden or not.
        status.add("concealed")
    fields["status"] = sorted(status.union(fields.get("status", ())))
    traits = {names.trait_words[word] for word in name.words if word in names.trait_words}
    if table == "units" and traits:
        fields["traits"] = sorted(traits.union(fields.get("traits", ())))


def _seen(name: LayeredName, names: Names) -> frozenset[str]:
    hides = {"hidden": name.hidden, "concealed": name.concealed}
    return names.statuses_words_may_show(name.could) | {
        status for status, can in hides.items() if can is not None
    }


def is_broken_without_broken_side(fields: Mapping[str, Any]) -> bool:
    """Whether a piece is a Japanese unit that is broken in VASL but by the rules has no broken
    side: a squad (G1.1), an infantry crew (G1.3) or an SMC (G1.4); Korean laborers have one."""
    is_broken = "broken" in fields.get("status", ()) and fields.get("side") == Side.JAPANESE
    kinds = (UnitKind.SQUAD, UnitKind.CREW, UnitKind.LEADER, UnitKind.HERO)
    can_break = "korean_laborer" in fields.get("traits", ()) or fields.get("kind") not in kinds
    return is_broken and not can_break


def _settle_type(fields: dict[str, Any], name: LayeredName, ladders: Ladders) -> None:
    """Set the type of a unit: VASL also names a reduced unit by its full digits, and a wounded
    Japanese leader by his wounded value (G1.41)."""
    japanese = fields.get("side") is Side.JAPANESE
    if japanese and fields["kind"] == UnitKind.LEADER and "wounded" in fields["status"]:
        unhurt = {low: high for high, low in ladders.figures.leaders[Side.JAPANESE].wounded.items()}
        fields["type"] = unhurt.get(fields["type"], fields["type"])
    elif japanese and "class" in fields:
        given = {"class_": fields["class"], "traits": tuple(fields.get("traits", ()))}
        named = {key: fields[key] for key in ("side", "kind", "type", "strength")}
        fields["type"] = ladders.digits_of_unit(Unit(id="", **named, **given))


def _location(place: VaslPlace) -> tuple[str, list[str]]:
    """Return the hex of a point, or off map, with any doubt about it."""
    if place.map == CASUALTIES:
        return OFF_MAP, []
    if place.map != MAIN_MAP:
        return OFF_MAP, [f"it is in the window {place.map or 'without a name'}, not on the map"]
    at = geometry.hex_at(place.x, place.y)
    if at is None:
        return OFF_MAP, []
    hex, distance = at
    far = f"it is {distance:.0f} pixels from the center of {hex}"
    return hex, [far] if distance > geometry.FAR else []


def _hexside(lying: _Lying) -> str:
    """Return the hexside on which a breach is drawn: above the middle of its picture, which turns
    in steps of 60 degrees."""
    turned = (trait.states()[0] for trait in lying.piece.traits if trait.kind == "rotate")
    step = next((int(state) for state in turned if state.isdecimal()), 0)
    return geometry.hexside_at(lying.place.x, lying.place.y, step)


def _mark(result: VaslSituation, lying: _Lying) -> None:
    """Apply a marker to its Location; an unknown one is listed."""
    says = lying.sense.says
    location, _ = _location(lying.place)
    if says is None:
        where = "off map" if location == OFF_MAP else location
        words = f"{lying.called.full_name() or 'a piece without a name'} ({where})"
        result.unknown.append(words)
    elif location == OFF_MAP:
        return
    elif says in ("blaze", "flame"):
        result.fires[location] = says
    elif says in ("perimeter", "marine_control"):
        result.perimeter.append(location)


def _apply(
    result: VaslSituation,
    marker: _Lying,
    status: StatusCounter,
    under: Sequence[_Lying],
    by_piece: dict[str, SavedCounter],
) -> None:
    """Give the status of a counter to those `under` it: to all if it concerns the Location, else to
    the nearest that can have it."""
    tables = tables_status_can_lie_on(status)
    under = [piece for piece in under if piece.id in by_piece]
    under.sort(key=lambda piece: len(piece.above))
    able = [by_piece[piece.id] for piece in under if by_piece[piece.id].table in tables]
    if not able:
        where, _ = _location(marker.place)
        if where != OFF_MAP:
            result.unknown.append(f"{marker.called.full_name()} ({where}): no counter under it")
        return
    if status.status in WHOLE_STACK:
        # All counters of the side that it lies on; prisoners do not count.
        able = [found for found in able if "prisoner" not in found.fields.get("status", ())]
        able = [found for found in able if found.fields.get("side") == able[0].fields.get("side")]
    else:
        able = able[:1]
    for found in able:
        if status.armament:
            found.armament[marker.called.full_name().rpartition(" ")[0]] = status.status
            continue
        if status.field == status.status:
            value = status.pattern.fullmatch(marker.called.full_name())
            found.fields[status.field] = value["value"] if value else None
            continue
        given = found.fields.setdefault(status.field, [])
        found.fields[status.field] = sorted({*given, status.status})
        if status.guess:
            words = f"{marker.called.full_name()} is on it: {status.guess}"
            found.doubts.append(FieldDoubt(status.field, words))


def _conceal(under: Sequence[_Lying], by_piece: Mapping[str, SavedCounter]) -> None:
    """Conceal the Personnel under a "?", down to the next one or to an enemy unit."""
    side = None
    for one in sorted(under, key=lambda one: len(one.above)):
        unit = by_piece.get(one.id)
        if one.called.name == QUESTION:
            return
        if unit is None or unit.table != "units":
            continue
        status, own = unit.fields["status"], unit.fields.get("side")
        if side not in (None, own) or "prisoner" in status:
            return
        side = own
        if "hidden" not in status:
            unit.fields["status"] = sorted({*status, "concealed"})


def tables_status_can_lie_on(status: StatusCounter) -> tuple[str, ...]:
    """Return the lists of counters that a status counter can lie on."""
    return ("vehicles",) if status.armament else CARRIES.get(status.status, ("vehicles",))


def _possess(
    lying: Sequence[_Lying], under: Mapping[str, list[_Lying]], by_piece: dict[str, SavedCounter]
) -> None:
    """Give a SW or Gun to the unit under it, and to that unit's side; its pictures show who made
    it. A leader leaves it to an MMC in the same stack; a hidden unit does not possess a visible
    Gun."""
    above = {piece.id: len(piece.above) for piece in lying}
    holders: set[str] = set()
    for piece in sorted(lying, key=lambda one: -len(one.above)):
        weapon = by_piece.get(piece.id)
        if weapon is None or weapon.table != "weapons" or weapon.dead:
            continue
        nation = weapon.fields.get("side")
        units = [by_piece[one.id] for one in under.get(piece.id, ()) if one.id in by_piece]
        units = [unit for unit in units if unit.table == "units"]
        able = [unit for unit in units if _may_possess(unit, weapon)]
        if able:
            # Lists are in the order of the stack, so the last unit below is the nearest.
            able.sort(key=lambda unit: above[unit.piece])
            weapon.lies_on = able[0].piece
            over = [by_piece[id] for id in piece.above if id in by_piece]
            holder = _usual_holder([*able, *over], holders)
            holders.add(holder.piece)
            weapon.fields |= {"possessor": holder.piece, "side": holder.fields.get("side")}
            words = f"it is on {holder.name}, which is assumed to possess it"
            weapon.doubts.append(FieldDoubt("possessor", words))
        if nation is not None:
            weapon.fields["nation"] = nation


def _may_possess(unit: SavedCounter, weapon: SavedCounter) -> bool:
    status = unit.fields.get("status", ())
    is_seen_gun = (
        weapon.fields["kind"] == WeaponKind.GUN and "hidden" not in weapon.fields["status"]
    )
    return "prisoner" not in status and not (is_seen_gun and "hidden" in status)


def _usual_holder(stack: Sequence[SavedCounter], holders: Container[str]) -> SavedCounter:
    """Return the possessor of a weapon that lies on the first counter of a stack: if that is a
    leader, the nearest MMC, preferably one without a weapon (`holders` have one)."""
    first, *others = stack
    if first.fields["kind"] != UnitKind.LEADER:
        return first
    free = [one for one in others if one.fields.get("side") == first.fields.get("side")]
    free = [one for one in free if not {"prisoner", "hidden"} & {*one.fields.get("status", ())}]
    able = [one for one in free if one.fields.get("kind") in MMC]
    return min(able, key=lambda one: one.piece in holders, default=first)


def _totals(others: Iterable[str]) -> dict[Side, dict[str, int]]:
    """Return SAN, ELR and CVP in the save, for comparison only. VASL counts the CVP of a side's own
    losses, which its enemy has scored."""
    totals: dict[Side, dict[str, int]] = {Side.MARINE: {}, Side.JAPANESE: {}}
    for command in others:
        if command.startswith("INFO\t"):
            given = [*split_tokens(command, "\t"), *[""] * 8]
            axis, allied = given[4:6], given[6:8]
            for side, (elr, san) in ((Side.JAPANESE, axis), (Side.MARINE, allied)):
                totals[side] |= _numbers(elr=elr, san=san)
        if command.startswith("GlobalProperty\t"):
            given = [*split_tokens(command.partition("\t")[2], ";"), "", "", ""]
            sides = {"AxisCVP": Side.JAPANESE, "AlliedCVP": Side.MARINE}  # the side of the dead
            if given[1] in sides:
                totals[sides[given[1]]] |= _numbers(lost=given[2])
    return totals


def _numbers(**texts: str) -> dict[str, int]:
    found = {name: parse_whole_number(text) for name, text in texts.items()}
    return {name: number for name, number in found.items() if number is not None and number >= 0}
