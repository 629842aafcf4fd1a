"""Matches the pieces of a save with the campaign's counters, and makes the state that follows.

A piece that an earlier import has matched is recognized by its id. Every other piece is matched
with the most similar and nearest counter of its kind; what is uncertain is reported.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from brt_cg.board import grid, locations
from brt_cg.board.locations import OFF_MAP, ground, is_within
from brt_cg.card import Card, load_card
from brt_cg.card.ladders import Ladders
from brt_cg.commands.state_document import document
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Kind, Side, Strength, WeaponKind
from brt_cg.questions.answers import Refused
from brt_cg.vasl.losses import Losses, without_losses
from brt_cg.vasl.names import TABLES, Names, load_names
from brt_cg.vasl.pieces import VaslSave, check_origin
from brt_cg.vasl.rows import (
    Casualties,
    Guess,
    Row,
    contradictions,
    hex_of,
    is_called,
    new_row,
    plain_name,
    status_after,
    taken_over,
)
from brt_cg.vasl.savefile import Unusable, read_save
from brt_cg.vasl.situation import Found, VaslSituation, situation
from brt_cg.vasl.stacked import StackQuestion, questions
from brt_cg.views.book import Book

STEP = 1000.0  # for each change that a scenario makes: a squad becomes a half-squad
ODD = 3  # steps for a change that hardly ever happens
BACK = 20  # steps for one that no scenario makes: a reduced squad is full again
FAR_AWAY = 200.0  # hexes from off map to any hex
DEAD = 70.0  # to a counter in the Casualties window; more than any move
WAITED = 0.5  # to a counter that waited in the Area where the piece lies
HELD = 15.0  # for each weapon that it possesses and did not possess, or the other way round
DETAIL = 0.02  # for each other thing that differs; all of them together below a hex
ALIKE = 7  # letters by which two weapons are of one type: ".50calh", "type92"
NAME = re.compile(r"[^\W\d_][\w .'’-]{1,38}")  # what may be somebody's name
CREWS = (Kind.CREW, Kind.VEHICLE_CREW)


class Likeness:
    """The unlikeness of the pieces and counters of one save and one campaign."""

    def __init__(
        self, campaign: Campaign, ladders: Ladders, weapons: Sequence[Row], found: Sequence[Found]
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

    def __call__(self, piece: Found, row: Row) -> float | None:
        """The distance between a piece and a counter, in hexes; None if they cannot be the same."""
        side = piece.fields.get("nation", piece.fields.get("side"))
        was = row.get("nation") or row["side"]
        if piece.table != "fortifications" and side is not None and side != was:
            return None
        steps = steps_between(piece, row, self.ladders)
        if steps is None:
            return None
        differ = HELD * self._hands(piece, row) + DETAIL * self._details(piece, row)
        return STEP * steps + self._distance(piece, row) + differ

    def _distance(self, piece: Found, row: Row) -> float:
        if piece.dead:
            return DEAD
        here = OFF_MAP if piece.location == OFF_MAP else ground(piece.location)
        location = row["location"]
        if location is None or is_within(location):
            area = row.get("setup_area") or ""
            if location is not None:
                found = self.campaign.area_at(ground(location))
                area = found.id if found is not None else ""
            return WAITED + self._to_area(here, area)
        there = OFF_MAP if location == OFF_MAP else ground(location)
        if here == there:
            return 0
        return FAR_AWAY if OFF_MAP in (here, there) else grid.distance(here, there)

    def _measure(self, hex: str, area_id: str) -> float:
        """The distance from a hex to the nearest one of an Area."""
        area = self.campaign.areas.get(area_id)
        if area is None or hex == OFF_MAP:
            return FAR_AWAY / 2
        hexes = {ground(place) for place in area.hexes}
        return 0 if hex in hexes else min(grid.distance(hex, other) for other in hexes)

    def _hands(self, piece: Found, row: Row) -> int:
        """The number of weapons by which the possessions of a unit differ."""
        if piece.table != "units" or piece.dead:
            return 0
        ours, theirs = self.held[f"piece {piece.piece}"], self.held[row["id"]]
        return (ours - theirs).total() + (theirs - ours).total()

    def _details(self, piece: Found, row: Row) -> int:
        """What differs that may well change, or that tells two counters of a type apart."""
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


def steps_between(piece: Found, row: Row, ladders: Ladders) -> int | None:
    """The changes that make that piece of a counter; None if it cannot have become it."""
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


def _by_one_loss(was: Found, now: Found, ladders: Ladders) -> bool:
    """Whether a piece in the Casualties window may live on as another one: a squad reduced, a
    vehicle wrecked."""
    row = {"traits": [], "status": [], "class": None, "strength": Strength.FULL} | was.fields
    if now.fields.get("side") != row.get("side"):
        return False
    fewer = [now.fields.get(name) != row.get(name) for name in ("kind", "strength")]
    wrecked = _is_wreck(now.fields) and not _is_wreck(row)
    steps = steps_between(now, row, ladders)
    return (any(fewer) if now.table == "units" else wrecked) and steps in (1, 2)


def _same_fort(piece: Found, row: Row) -> bool:
    """Whether a Fortification is that one: it never moves, but for one that waits for its setup in
    the margin."""
    here, there = piece.location.split("/"), str(row["location"]).split("/")
    waits = row["location"] is None and piece.location == OFF_MAP
    if not (piece.dead or waits or {*here} & {place.partition(":")[0] for place in there}):
        return False
    fields = piece.fields
    if fields["type"] != "pillbox":
        return bool(fields["type"] == row["type"])
    sizes = ("ca_tem", "nca_tem")
    printed = [int(part) for part in row["type"].split("_") if part.isdecimal()][1:]
    known = [row[name] for name in sizes] if None not in map(row.get, sizes) else printed
    same = not known or known == [fields[name] for name in sizes]
    return bool(row["type"].startswith("pillbox") and same)


def _is_wreck(fields: Mapping[str, Any]) -> bool:
    return "wreck" in fields.get("status", ())


def _unit_steps(fields: Mapping[str, Any], row: Row, ladders: Ladders) -> int | None:
    """The steps of a unit down its ladder (G1.1, G1.14), more for one that leads up."""
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
    """The part of a unit's kind that never changes: a squad may become a HS, a leader stays one."""
    if kind in CREWS:
        return "crew"
    return "mmc" if kind in (Kind.SQUAD, Kind.HALF_SQUAD) else kind


# --- matches --------------------------------------------------------------------------------------


@dataclass(slots=True)
class Matched:
    """The state made from a save: its `document`; `pieces`, the counter of each piece, to be stored
    in the entry; `guesses`, everything uncertain; `names`, the piece of each counter in words;
    `unknown`, the pieces that are not recognised, in words; `losses`, what became of what;
    `stacked`, what no stack tells; `strangers`, dead pieces of no counter of the campaign;
    `casualties`, what VASL counts for the dead."""

    document: dict[str, Any]
    pieces: dict[str, str] = field(default_factory=dict)
    guesses: list[Guess] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    losses: Losses | None = None
    stacked: list[StackQuestion] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    casualties: Casualties = field(default_factory=Casualties)

    def guess(self, words: str) -> None:
        """Adds a guess that is about no counter."""
        self.guesses.append(Guess("", words))


def match(
    campaign: Campaign,
    card: Card,
    shown: VaslSituation,
    side: Side | None,
    remembered: Mapping[str, str],
    names: Names,
) -> Matched:
    """The state of a campaign as a save shows it, with one side's (None: both sides') counters.

    `remembered` are the pieces that earlier imports have matched, and their counters.
    """
    if side is not None:
        own, remembered, losses = _own(campaign, card, shown, side, remembered, names)
    else:
        losses = without_losses(
            shown.found, remembered, lambda was, now: _by_one_loss(was, now, card.ladders)
        )
        own, remembered = replace(shown, found=losses.found), losses.remembered
    result = Matched(document(campaign, side), losses=losses)
    before = {row["id"]: dict(row) for table in TABLES for row in result.document[table]}
    likeness = Likeness(campaign, card.ladders, result.document["weapons"], own.found)
    likeness.matched = result.pieces
    for table in TABLES:
        rows = [row for row in result.document[table] if side in (None, row["side"])]
        unshown = [
            row for row in rows if not names.needs_a_piece(table, row.get("kind"), row["type"])
        ]
        found = [piece for piece in own.found if piece.table == table]
        matching = _Matching(
            result, likeness, remembered, [row for row in rows if row not in unshown]
        )
        matched = matching.rows(found, unshown)
        result.document[table] = sorted(matched, key=lambda row: str(row["id"]))
    _link(result, own, before)
    _keep_together(result)
    _arm(result, own)
    result.guesses += _doubts(result, own, before, card)
    _say_losses(result, losses)
    _say_unsettled(result, own, campaign)
    hexes = [hex for hex in own.perimeter if not locations.is_ocean(hex)]
    if hexes:
        connected = grid.connected(hexes)  # 15.607
        result.document["perimeters"] = [sorted(piece, key=locations.key) for piece in connected]
        result.guess(f"the Perimeters are those of {len(hexes)} counters on the map")
    _burn(result, own)
    result.casualties = _casualties(result, shown, own, losses)
    result.stacked = questions(result.document, result.pieces, own.found, losses, before)
    return result


def _own(
    campaign: Campaign,
    card: Card,
    shown: VaslSituation,
    side: Side,
    remembered: Mapping[str, str],
    names: Names,
) -> tuple[VaslSituation, Mapping[str, str], Losses]:
    """The part of a save that concerns one side, and the counters of its pieces. Whose a captured
    vehicle or a foxhole is, only its counter says: so all pieces are matched first."""
    whole = match(campaign, card, shown, None, remembered, names)
    sides = {row["id"]: row["side"] for table in TABLES for row in whole.document[table]}
    part = shown.of(side)
    usual = {piece.piece for piece in part.found}

    def is_own(piece: Found) -> bool:
        counter = whole.pieces.get(piece.piece)
        if counter is None:
            return piece.piece in usual
        return bool(sides[counter] == side)

    assert whole.losses is not None, "both sides' pieces tell what became of what"
    found = [piece for piece in whole.losses.found if is_own(piece)]
    own = {piece.piece for piece in found}
    known = {piece: id for piece, id in whole.pieces.items() if piece in own}
    return replace(part, found=found), {**remembered, **known}, whole.losses


def _doubts(
    result: Matched, own: VaslSituation, before: Mapping[str, Row], card: Card
) -> Iterator[Guess]:
    """The open points of the save, except those that are as the campaign had them anyway, and the
    side of a Fortification that only one side buys."""
    after = {row["id"]: row for table in TABLES for row in result.document[table]}
    for piece in own.found:
        id = result.pieces.get(piece.piece, "")
        was, now = before.get(id), after.get(id)
        for name, words in piece.doubts:
            if name == "side" and piece.fields.get("side") in _buyers(piece, card):
                continue
            if now is not None and (was is None or not name or was[name] != now[name]):
                yield Guess(id, f"{piece.words}: {words}")


def _buyers(piece: Found, card: Card) -> set[Side | None]:
    """The side that alone buys such a Fortification, if any."""
    kinds = (price for key, price in card.prices.items() if key.startswith(piece.fields["type"]))
    found = {price.side for price in kinds}
    return found if len(found) == 1 else set()


class _Matching:
    """The matching of one list of counters."""

    def __init__(
        self,
        result: Matched,
        likeness: Likeness,
        remembered: Mapping[str, str],
        rows: list[Row],
    ) -> None:
        self.result, self.likeness, self.remembered = result, likeness, remembered
        self.kept = [row for row in rows if row["fate"] != "in_play"]
        self.alive = {row["id"]: row for row in rows if row["fate"] == "in_play"}

    def rows(self, found: list[Found], unshown: list[Row]) -> list[Row]:
        """The rows of the list: matched counters as they are now, those out of play unchanged, and
        new ones; counters in play without a piece are left out, unless they need none
        (`unshown`)."""
        spare = {row["id"]: row for row in unshown if row["fate"] == "in_play"}
        partners = dict(self._partners(found, self.alive | spare))
        ids = {row["id"] for row in (*self.kept, *self.alive.values(), *unshown)}
        rows = list(self.kept)
        for piece in found:
            row = partners.get(piece.piece)
            if row is None:
                row = self._newcomer(piece, ids)
                if row is None:
                    continue
            else:
                for words in contradictions(row, piece):
                    self.result.guesses.append(Guess(row["id"], f"{piece.words}: {words}"))
                row = taken_over(row, piece)
            self._name(row, piece)
            ids.add(row["id"])
            self.result.pieces[piece.piece] = row["id"]
            self.result.names[row["id"]] = piece.words
            rows.append(row)
        named = {row["id"] for row in rows}
        return [*rows, *(row for row in unshown if row["id"] not in named)]

    def _name(self, row: Row, piece: Found) -> None:
        """Names a leader or a squad without a name as its player has written on its piece."""
        named = piece.table == "units" and row["kind"] in (Kind.LEADER, Kind.SQUAD)
        if named and not row.get("name") and NAME.fullmatch(piece.label):
            row["name"] = piece.label
            words = f"{piece.words}: named {piece.label}, as is written on it"
            self.result.guesses.append(Guess(row["id"], words))

    def _newcomer(self, piece: Found, ids: set[str]) -> Row | None:
        """The row of a piece that is none of the campaign's counters; None if it is left out, which
        is reported."""
        gone = self.remembered.get(piece.piece)
        if gone is not None and gone in {row["id"] for row in self.kept}:
            if not piece.dead:
                self.result.guess(f"{piece.words}: {gone} is out of play: left out")
            return None
        if not piece.dead and piece.fields.get("side") is not None:
            return new_row(piece, ids, self.likeness.ladders)
        if piece.dead:
            self.result.strangers.append(piece.name)
        else:
            words = f"{piece.words}, of neither side, is not a counter of this campaign: left out"
            self.result.guess(words)
        return None

    def _partners(self, found: list[Found], free: dict[str, Row]) -> Iterator[tuple[str, Row]]:
        """The counter of each piece: known ones, then the likeliest pairs first."""
        left = []
        for piece in found:
            known = free.pop(self.remembered.get(piece.piece, ""), None)
            if known is not None:
                yield piece.piece, known
            elif self.remembered.get(piece.piece) not in {row["id"] for row in self.kept}:
                left.append(piece)
        pairs = (
            (cost, number, id)
            for number, piece in enumerate(left)
            for id, row in free.items()
            if (cost := self.likeness(piece.before or piece, row)) is not None
        )
        paired: set[int] = set()
        for _, number, id in sorted(pairs):
            if number not in paired and id in free:
                paired.add(number)
                yield left[number].piece, free.pop(id)


# --- the links between counters -------------------------------------------------------------------


def _link(result: Matched, shown: VaslSituation, before: Mapping[str, Row]) -> None:
    """Sets the possessors by the ids of counters. What was unpossessed and has not been carried
    anywhere stays so: VASL's stacks do not tell what lies on a unit from what it has."""
    units: dict[str | None, Row] = {
        row["id"]: row
        for row in result.document["units"]
        if row.get("fate", "in_play") == "in_play"
    }
    weapons = {row["id"]: row for row in result.document["weapons"]}
    for piece in shown.found:
        id = result.pieces.get(piece.piece)
        if piece.table != "weapons" or id is None or piece.dead:
            continue
        row = weapons[id]
        holder = result.pieces.get(str(piece.fields.get("possessor")))
        was = before.get(id)
        before_it = units.get(row.get("possessor") or "")
        if holder in units and (was is None or was["possessor"] or _carried(was, row)):
            row |= {"possessor": holder, "side": units[holder]["side"]}
            if hex_of(units[holder]["location"]) == hex_of(row["location"]):
                row["location"] = units[holder]["location"]
        elif before_it is None or not _near(before_it, piece):
            row["possessor"] = None


def _near(holder: Row, piece: Found) -> bool:
    """Whether a unit may still possess a weapon that does not lie on it: in its hex, or while it
    waits for its setup."""
    waits = holder["location"] is None
    return waits or hex_of(holder["location"]) == hex_of(piece.location)


def _carried(was: Row, now: Row) -> bool:
    """Whether a weapon has come from one hex to another."""
    places = [hex_of(row["location"]) for row in (was, now)]
    return locations.OFF_MAP not in places and places[0] != places[1]


def _keep_together(result: Matched) -> None:
    """Keeps armament with its vehicle and its fate. Takes whoever is no longer with a vehicle off
    it, and removes a guard whose prisoner is no longer one, or who is out of play himself."""
    vehicles, units = (
        {row["id"]: row for row in result.document[table]} for table in ("vehicles", "units")
    )
    for row in result.document["weapons"]:
        carrier = vehicles.get(row.get("vehicle") or "")
        if carrier is not None:
            row |= {"location": carrier["location"], "side": carrier["side"]}
            if row["fate"] == "in_play":
                row["fate"] = carrier["fate"]
    for row in result.document["units"]:
        carrier = vehicles.get(row.get("aboard") or "")
        if carrier is None or carrier["location"] != row["location"]:
            row |= {"aboard": None} if row.get("aboard") else {}
        guard = units.get(row.get("guard") or "")
        if row.get("guard") and "prisoner" not in row.get("status", ()):
            row["guard"] = None
        elif guard is not None and guard.get("fate", "in_play") != "in_play":
            row["guard"] = None
            words = f"its guard {_called(result, guard['id'])} is out of play"
            result.guesses.append(Guess(row["id"], f"{_called(result, row['id'])}: {words}"))


def _arm(result: Matched, shown: VaslSituation) -> None:
    """Gives the armament of vehicles the status that markers and layers on them say."""
    for piece in shown.found:
        id = result.pieces.get(piece.piece)
        mounted = [row for row in result.document["weapons"] if id and row.get("vehicle") == id]
        for name, status in piece.armament.items():
            alive = (row for row in mounted if row["fate"] == "in_play")
            arms = [row for row in alive if is_called(name, row["main_armament"], row["type"])]
            for row in arms[:1]:
                if status is None:
                    row["status"] = [each for each in row["status"] if each != "malfunctioned"]
                else:
                    row["status"] = sorted({*row["status"], status})
            if not arms and status is not None:
                result.guess(f"{piece.words}: its {name} is {status}, and is not in the campaign")


def _called(result: Matched, id: str) -> str:
    """The piece of a counter in words, else its id."""
    return result.names.get(id, id)


def _burn(result: Matched, shown: VaslSituation) -> None:
    """Sets fires: on the building or rubble of their hex, else on the wreck there."""
    for hex, fire in shown.fires.items():
        there = (
            row
            for table in ("terrain", "vehicles")
            for row in result.document[table]
            if row.get("fate", "in_play") == "in_play" and hex_of(row["location"]) == hex
        )
        burns = (row for row in there if "fire" in row or "wreck" in row.get("status", ()))
        row = next(burns, None)
        if row is None:
            result.guess(f"a {fire} in {hex} burns nothing that the campaign knows")
        elif "fire" in row:
            row["fire"] = fire
        else:
            row["status"] = sorted({*row["status"], "burning"})


def _casualties(
    result: Matched, shown: VaslSituation, own: VaslSituation, losses: Losses
) -> Casualties:
    """What VASL counts for the dead of a save. A piece in the window of Casualties may be what a
    counter that lives on has lost."""
    became = {one.before.piece: result.pieces.get(one.piece) for one in own.found if one.before}
    known, worth = {*result.pieces.values()}, Counter[str]()
    for one in shown.found:
        taken = (losses.remembered.get(piece) for piece in (one.piece, one.origin))
        ids = (result.pieces.get(one.piece), became.get(one.piece), *taken)
        id = next(filter(None, ids), "")
        if one.dead and one.cvp is not None and id in known:
            worth[id] += one.cvp
    counted = {side: totals["lost"] for side, totals in own.totals.items() if "lost" in totals}
    return Casualties(counted, worth)


def _say_losses(result: Matched, losses: Losses) -> None:
    """Reports the pieces that were taken for what others became, and those that may be."""
    for piece in losses.told:
        if piece.piece in result.pieces:
            id = result.pieces[piece.piece]
            result.guesses.append(Guess(id, f"{piece.words}: taken for what became of {id}"))
    for piece, dead in losses.open:
        if piece.piece in result.pieces:
            names = " or ".join(dict.fromkeys(one.name for one in dead))
            id = result.pieces[piece.piece]
            words = f"{piece.words}: may be what became of the {names} in the Casualties window"
            result.guesses.append(Guess(id, words))


def _grouped(unknown: Sequence[str]) -> Iterator[str]:
    """Pieces in words, "NAME (PLACE)", those of one name together."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for words in unknown:
        name, _, place = words.partition(" (")
        place, _, why = place.partition(")")
        places[name, why].append(place)
    for (name, why), some in places.items():
        counted = Counter(some)
        hexes = (f"{number} in {hex}" if number > 1 else hex for hex, number in counted.items())
        yield f"{name} ({', '.join(hexes)}){why}"


def _say_unsettled(result: Matched, shown: VaslSituation, campaign: Campaign) -> None:
    """Reports unrecognized pieces, and where the save's totals differ from the campaign's."""
    blank = [piece for piece in shown.found if piece.table == "weapons"]
    blank = [piece for piece in blank if "malfunctioned" not in piece.seen and not piece.dead]
    ids = sorted(result.pieces[piece.piece] for piece in blank if piece.piece in result.pieces)
    if ids:
        words = "VASL has no malfunctioned side for these, which stay as they were"
        result.guess(f"{words}: {', '.join(ids)}")
    result.unknown += _grouped(shown.unknown)
    if result.strangers:
        names = ", ".join(
            f"{number} {name}" if number > 1 else name
            for name, number in Counter(result.strangers).items()
        )
        result.guess(f"in the Casualties window, and none of this campaign's: {names}")
    for side, totals in shown.totals.items():
        for name in totals.keys() - {"lost"}:
            value, known = totals[name], getattr(campaign.sides[side], name)
            if value != known:
                words = f"{name.upper()}: the save says {value}, the campaign {known}"
                result.guess(f"{side.label} {words}")


# --- a save for an import -------------------------------------------------------------------------


BOTH = "both"
SOME = 6  # the number of unknown pieces that a refusal names


def state_of(book: Book, path: Path, side: str | None, names: Path | None) -> Matched:
    """The state of a campaign as a save shows it. A save holds both players' hidden units, so the
    `side` to import must be given: "marine", "japanese" or "both". Raises Refused."""
    if side is None:
        raise Refused(
            f"{path}: a VASL save holds both sides' hidden units; "
            f"say --side {', '.join(Side)} or {BOTH}"
        )
    seat = None if side == BOTH else Side(side)
    save, known = read_save(path, whole=False), load_names(names)
    card = load_card(book.campaign.situation.cg)
    try:
        saved = VaslSave(save.text)
        check_origin(save, saved)
        pieces = book.pieces
        own = {piece for piece, id in pieces.items() if _is_of(book.campaign, id, seat)}
        shown = situation(saved, known, card.ladders, seat, own)
    except Unusable as error:
        raise Refused(f"{path}: not a VASL save that can be read: {error}") from None
    if not shown.found:
        strange = ", ".join(shown.unknown[:SOME]) or "no piece"
        words = "no counter in it is known; --names adds names of your own"
        raise Refused(f"{path}: {words}; found: {strange}")
    return match(book.campaign, card, shown, seat, pieces, known)


def _is_of(campaign: Campaign, id: str, seat: Side | None) -> bool:
    counter = campaign.find(id)
    return counter is not None and counter.side is seat
