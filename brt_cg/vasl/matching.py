"""The matching of the pieces of a save with the campaign's counters, and the state made from it.

A piece that an earlier import has matched is recognized by its id. Every other piece is matched
with the most similar and nearest counter of its kind; uncertain matches are reported.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import Any

from brt_cg.board import OFF_MAP, grid, locations
from brt_cg.card import Card, load_card
from brt_cg.commands.state_document import build_state_document
from brt_cg.model import Campaign, Field, Side, SideRecord, UnitKind, WeaponKind, fields_of
from brt_cg.questions import RefusedError
from brt_cg.text import count_text
from brt_cg.vasl.identity import DEAD, UNKNOWN, KnownPieces, known_pieces
from brt_cg.vasl.likeness import ODD, STEP, Likeness, Ranked, is_of_type, is_one_loss
from brt_cg.vasl.losses import LossPairing, pair_losses_with_replacements
from brt_cg.vasl.names import TABLES, Names, load_names
from brt_cg.vasl.pieces import VaslSave, check_save_is_usable
from brt_cg.vasl.rows import (
    Casualties,
    Guess,
    Row,
    hex_or_off_map,
    is_armament_name,
    new_row,
    piece_contradictions,
    update_row,
)
from brt_cg.vasl.savefile import SaveError, read_save
from brt_cg.vasl.situation import SavedCounter, VaslSituation, read_situation
from brt_cg.vasl.stack_questions import ReplacementOffers, StackQuestion, find_stack_questions
from brt_cg.views.view import View

NAME = re.compile(r"[^\W\d_][\w .'’-]{1,38}")  # a text that may be a person's name


@dataclass(slots=True)
class MatchedSave:
    """The state made from a save: its `document`; `pieces`, the counter of each piece, to be stored
    in the entry; `guesses`, everything uncertain; `names`, the piece of each counter in words;
    `unknown`, the pieces that are not recognized, in words; `losses`, the pieces that counters
    became; `stacked`, the open questions about stacks; `strangers`, dead pieces of no counter of
    the campaign; `casualties`, VASL's count of the dead; `replaced`, the counters without a piece
    that new ones may be, by the new one's id; `others`, the pieces that are not counters."""

    document: dict[str, Any]
    pieces: dict[str, str] = field(default_factory=dict)
    guesses: list[Guess] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    losses: LossPairing | None = None
    stacked: list[StackQuestion] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    casualties: Casualties = field(default_factory=Casualties)
    replaced: dict[str, ReplacementOffers] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)

    def add_guess(self, words: str) -> None:
        """Add a guess that is not about a counter."""
        self.guesses.append(Guess("", words))


def match_save(
    campaign: Campaign,
    card: Card,
    shown: VaslSituation,
    side: Side | None,
    known: KnownPieces,
    names: Names,
) -> MatchedSave:
    """Return the state of a campaign as a save shows it, with the counters of one side (None:
    both)."""
    if side is not None:
        own, losses, both = _own(campaign, card, shown, side, known, names)
        own_pieces = {piece.piece for piece in own.found}
        likely = {piece: id for piece, id in both.pieces.items() if piece in own_pieces}
        known = replace(known, likely=likely)
    else:
        losses = pair_losses_with_replacements(
            shown.found,
            known.counters,
            lambda was, now: is_one_loss(was, now, card.ladders),
            _long_dead(campaign, known),
        )
        own, both = replace(shown, found=losses.found), None
    known = replace(known, counters=losses.remembered)
    remembered = {**known.likely, **known.counters}
    result = MatchedSave(build_state_document(campaign, side), losses=losses)
    for about, totals in result.document["sides"].items():
        totals |= {"cvp": None, "cvp_before": None}  # the casualty ledger makes them
        if known.is_first_save:
            totals |= _first_totals(shown, Side(about))
    before = {row["id"]: dict(row) for table in TABLES for row in result.document[table]}
    likeness = Likeness(campaign, card.ladders, result.document["weapons"], own.found)
    likeness.matched = result.pieces
    captured = {remembered.get(piece.piece) for piece in own.found}  # from the enemy
    for table in TABLES:
        rows = [
            row
            for row in result.document[table]
            if side in (None, row["side"]) or row["id"] in captured
        ]
        unshown = [
            row for row in rows if not names.needs_a_piece(table, row.get("kind"), row["type"])
        ]
        found = [piece for piece in own.found if piece.table == table]
        matching = _Matching(result, likeness, known, [row for row in rows if row not in unshown])
        matched = matching.rows(found, unshown)
        result.document[table] = sorted(matched, key=lambda row: str(row["id"]))
    if both is not None and side is not None:
        result.pieces |= _put_lost_equipment(result.document, both, campaign, side)
        _leave_secret_prisoners(result.document["units"], before)
    _link(result, own, before)
    reconcile_carriers_and_guards(result, _all_units(campaign, both, side, known))
    _arm(result, own)
    result.guesses += _doubts(result, own, before, card)
    _say_losses(result, losses, campaign)
    _say_unsettled(result, own, campaign)
    hexes = [hex for hex in own.perimeter if not locations.is_ocean(hex)]
    if hexes:
        connected = grid.connected_groups(hexes)  # 15.607
        result.document["perimeters"] = [
            sorted(piece, key=locations.hex_sort_key) for piece in connected
        ]
        result.add_guess(f"the Perimeters are those of {len(hexes)} counters on the map")
    _burn(result, own)
    result.casualties = _casualties(result, shown, own, losses)
    result.stacked = find_stack_questions(
        result.document,
        result.pieces,
        own.found,
        losses,
        before,
        result.replaced,
        names.passenger_capacity,
        _enemies(campaign, both, side),
    )
    result.others = _others(result, shown.for_side(side))
    return result


def _first_totals(shown: VaslSituation, side: Side) -> Row:
    """Return a side's ELR, SAN and CVP as given in the save of a new campaign."""
    given = {name: shown.totals.get(side, {}).get(name) for name in ("elr", "san")}
    given["cvp"] = shown.totals.get(side.enemy, {}).get("lost")
    fields = fields_of(SideRecord)
    return {name: value for name, value in given.items() if _is_possible(fields.get(name), value)}


def _is_possible(field: Field | None, value: int | None) -> bool:
    """Whether a field may hold a number."""
    if value is None:
        return False
    try:
        return field is None or field.shape.read(value) == value
    except ValueError:
        return False


def _long_dead(campaign: Campaign, known: KnownPieces) -> frozenset[str]:
    """Return the pieces that were already dead: those that belong to no counter, or to one that is
    out of play."""
    dead = {piece for piece, what in known.others.items() if what == DEAD}
    counters = ((piece, campaign.find(id)) for piece, id in known.counters.items())
    return frozenset(dead | {piece for piece, one in counters if one and not one.in_play})


def _others(result: MatchedSave, shown: VaslSituation) -> dict[str, str]:
    """Return the pieces of a save that are not counters, to be recognized next time."""
    left = [one for one in shown.found if one.piece not in result.pieces]
    return shown.others | {one.piece: DEAD if one.dead else UNKNOWN for one in left}


def _own(
    campaign: Campaign,
    card: Card,
    shown: VaslSituation,
    side: Side,
    known: KnownPieces,
    names: Names,
) -> tuple[VaslSituation, LossPairing, MatchedSave]:
    """Return the part of a save that concerns one side, and the whole save with its losses. Only
    the counter of a captured vehicle or a foxhole shows its side, so all pieces are matched
    first."""
    whole = match_save(campaign, card, shown, None, known, names)
    sides = {row["id"]: row["side"] for table in TABLES for row in whole.document[table]}
    part = shown.for_side(side)
    usual = {piece.piece for piece in part.found}

    def is_own(piece: SavedCounter) -> bool:
        counter = whole.pieces.get(piece.piece)
        if counter is None:
            return piece.piece in usual
        return bool(sides[counter] == side)

    assert whole.losses is not None, "the pieces of both sides show what replaced each counter"
    found = [piece for piece in whole.losses.found if is_own(piece)]
    return replace(part, found=found), whole.losses, whole


def _all_units(
    campaign: Campaign, both: MatchedSave | None, side: Side | None, known: KnownPieces
) -> dict[str, Row]:
    """Return the units of both sides, although a document has only one side's. Facts about the
    enemy's units that the save does not show are as the enemy has reported them."""
    if both is None or side is None:
        return {}
    units = {row["id"]: row for row in both.document["units"]}
    if side.enemy in known.reported:
        units = {row["id"]: row for row in build_state_document(campaign)["units"]} | units
    return units


def _put_lost_equipment(
    document: dict[str, Any], both: MatchedSave, campaign: Campaign, side: Side
) -> dict[str, str]:
    """Put a side's equipment that the enemy has captured into the side's document. Return the
    counters of its pieces."""
    lost: list[str] = []
    for table in ("weapons", "vehicles"):
        for row in both.document[table]:
            was = campaign.find(row["id"])
            if was is None or was.side is not side or row["side"] != side.enemy:
                continue
            holder = row.get("possessor")
            unknown = {"possessor": None} if holder and holder not in campaign.units else {}
            document[table].append(row | unknown)
            lost.append(row["id"])
    return {piece: id for piece, id in both.pieces.items() if id in lost}


def _leave_secret_prisoners(units: list[Row], before: Mapping[str, Row]) -> None:
    """Leave prisoners unchanged if their guard, and so their Location, is the enemy's secret."""
    for row in units:
        was = before.get(row["id"], {})
        is_held = {"prisoner"} <= {*row.get("status", ())} & {*was.get("status", ())}
        if is_held and (was["location"], was["guard"], was["setup_area"]) == (None, None, None):
            row["location"] = None


def _enemies(campaign: Campaign, both: MatchedSave | None, side: Side | None) -> dict[str, Row]:
    """Return the enemy's units in a save that one side reports, by piece, if the campaign has
    them."""
    if both is None:
        return {}
    units = {row["id"]: row for row in both.document["units"] if row["id"] in campaign.units}
    pieces = {piece: units[id] for piece, id in both.pieces.items() if id in units}
    return {piece: row for piece, row in pieces.items() if row["side"] != side}


def _doubts(
    result: MatchedSave, own: VaslSituation, before: Mapping[str, Row], card: Card
) -> Iterator[Guess]:
    """Yield the open points of the save, except those on which save and campaign agree anyway, and
    the side of a Fortification that only one side buys."""
    after = {row["id"]: row for table in TABLES for row in result.document[table]}
    for piece in own.found:
        id = result.pieces.get(piece.piece, "")
        was, now = before.get(id), after.get(id)
        for name, words in piece.doubts:
            if name == "side" and piece.fields.get("side") in _buyers(piece, card):
                continue
            if now is not None and (was is None or not name or was[name] != now[name]):
                yield Guess(id, f"{piece.words}: {words}")


def _buyers(piece: SavedCounter, card: Card) -> set[Side | None]:
    """Return the only side that buys a type of Fortification, if only one does."""
    kinds = (price for key, price in card.prices.items() if key.startswith(piece.fields["type"]))
    found = {price.side for price in kinds}
    return found if len(found) == 1 else set()


class _Matching:
    """The matching of one list of counters."""

    def __init__(
        self,
        result: MatchedSave,
        likeness: Likeness,
        known: KnownPieces,
        rows: list[Row],
    ) -> None:
        self.result, self.likeness, self.known = result, likeness, known
        self.remembered = {**known.likely, **known.counters}
        self.numbers: dict[str, int] = {}
        self.kept = [row for row in rows if row["fate"] != "in_play"]
        self.gone = {row["id"] for row in self.kept}
        self.alive = {row["id"]: row for row in rows if row["fate"] == "in_play"}

    def rows(self, found: list[SavedCounter], unshown: list[Row]) -> list[Row]:
        """Return the rows of the list: matched counters as they are now, those out of play
        unchanged, and new ones; counters in play without a piece are left out, unless they need no
        piece (`unshown`)."""
        spare = {row["id"]: row for row in unshown if row["fate"] == "in_play"}
        partners = dict(self._partners(found, self.alive | spare))
        ids = {row["id"] for row in (*self.kept, *self.alive.values(), *unshown)}
        rows = list(self.kept)
        matched = {row["id"] for row in partners.values()}
        deleted = [row for id, row in self.alive.items() if id not in matched]
        new = [one for one in found if one.piece not in partners and not one.dead]
        ranked = self.likeness.rank([one.before or one for one in new], deleted)
        near = {one.piece: some for one, some in zip(new, ranked, strict=True)}
        for piece in found:
            row = partners.get(piece.piece)
            if row is None:
                row = self._newcomer(piece, ids)
                if row is None:
                    continue
                self._note_replaced(piece, row["id"], near.get(piece.piece, ((), ())))
            else:
                for words in piece_contradictions(row, piece):
                    self.result.guesses.append(Guess(row["id"], f"{piece.words}: {words}"))
                is_known = self.known.counters.get(piece.piece) == row["id"]
                row = update_row(row, piece, is_known)
            self._name(row, piece)
            ids.add(row["id"])
            self.result.pieces[piece.piece] = row["id"]
            self.result.names[row["id"]] = piece.words
            rows.append(row)
        named = {row["id"] for row in rows}
        return [*rows, *(row for row in unshown if row["id"] not in named)]

    def _name(self, row: Row, piece: SavedCounter) -> None:
        """Give a leader or squad without a name the name that its player wrote on the piece."""
        named = piece.table == "units" and row["kind"] in (UnitKind.LEADER, UnitKind.SQUAD)
        if named and not row.get("name") and NAME.fullmatch(piece.label):
            row["name"] = piece.label
            words = f"{piece.words}: named {piece.label}, as written on it"
            self.result.guesses.append(Guess(row["id"], words))

    def _newcomer(self, piece: SavedCounter, ids: set[str]) -> Row | None:
        """Return the row of a piece that is not one of the campaign's counters; None if the piece
        is left out, which is then reported."""
        gone = self.remembered.get(piece.piece)
        if gone is not None and gone in self.gone:
            if not piece.dead:
                name = _label(self.likeness.campaign, gone)
                self.result.add_guess(f"{piece.words}: {name} is out of play, so it was left out")
            return None
        if not piece.dead and piece.fields.get("side") is not None:
            return new_row(piece, ids, self.likeness.ladders, self.numbers)
        if piece.dead:
            if piece.location == OFF_MAP:
                self.result.strangers.append(piece.name)
        else:
            words = (
                f"{piece.words}, of neither side, is not a "
                f"counter of this campaign, so it was left out"
            )
            self.result.add_guess(words)
        return None

    def _note_replaced(self, piece: SavedCounter, id: str, near: Ranked) -> None:
        """Note the counters without a piece that a new piece may be."""
        differ, ids = near
        some = ids[: bisect_left(differ, STEP * ODD)]
        if some:
            likely = is_of_type(piece, self.alive[some[0]]) and differ[0] < 2 * STEP
            self.result.replaced[id] = ReplacementOffers(tuple(some), likely)

    def _partners(
        self, found: list[SavedCounter], free: dict[str, Row]
    ) -> Iterator[tuple[str, Row]]:
        """Yield the counter of each piece: known pairs first, then the likeliest pairs of new
        pieces and counters without a piece."""
        left = []
        for piece in found:
            known = free.pop(self.remembered.get(piece.piece, ""), None)
            if known is not None:
                yield piece.piece, known
            elif self._is_new(piece):
                left.append(piece)
        untied = [row for id, row in free.items() if id not in self.known.tied]
        ranked = [*self.likeness.rank([piece.before or piece for piece in left], untied)]
        nearest = [(differ[0], number, 0) for number, (differ, _) in enumerate(ranked) if differ]
        heapify(nearest)
        while nearest:
            _, number, at = heappop(nearest)
            differ, ids = ranked[number]
            row = free.pop(ids[at], None)
            if row is not None:
                yield left[number].piece, row
                continue
            after = next((n for n in range(at, len(ids)) if ids[n] in free), None)
            if after is not None:
                heappush(nearest, (differ[after], number, after))

    def _is_new(self, piece: SavedCounter) -> bool:
        """Whether a piece was not dead before, and does not belong to a counter that is out of
        play."""
        is_old = piece.dead and self.known.others.get(piece.piece) == DEAD
        return not is_old and self.remembered.get(piece.piece) not in self.gone


# --- the links between counters -------------------------------------------------------------------


def _link(result: MatchedSave, shown: VaslSituation, before: Mapping[str, Row]) -> None:
    """Set the possessors by the ids of counters. A weapon that was unpossessed and has not been
    carried anywhere remains unpossessed: VASL's stacks do not distinguish a weapon lying on a unit
    from a possessed one."""
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
        under = result.pieces.get(piece.lies_on)
        if was is not None and was["possessor"] == under:
            holder = under or holder  # a leader who had the weapon still has it
        before_it = units.get(row.get("possessor") or "")
        if holder in units and (was is None or was["possessor"] or _carried(was, row)):
            row |= {"possessor": holder, "side": units[holder]["side"]}
            if hex_or_off_map(units[holder]["location"]) == hex_or_off_map(row["location"]):
                row["location"] = units[holder]["location"]
        elif before_it is None or not _near(before_it, piece) or _is_given_away(before_it, row):
            row["possessor"] = None


def _near(holder: Row, piece: SavedCounter) -> bool:
    """Whether a unit may still possess a weapon that does not lie on it: the weapon is in its hex,
    or the unit is not set up yet."""
    waits = holder["location"] is None
    return waits or hex_or_off_map(holder["location"]) == hex_or_off_map(piece.location)


def _is_given_away(holder: Row, weapon: Row) -> bool:
    """Whether a Gun can be seen while a crew is hidden, so that the crew cannot possess it."""
    is_seen_gun = weapon["kind"] == WeaponKind.GUN and "hidden" not in weapon["status"]
    return is_seen_gun and "hidden" in holder["status"] and holder["location"] is not None


def _carried(was: Row, now: Row) -> bool:
    """Whether a weapon has come from one hex to another."""
    places = [hex_or_off_map(row["location"]) for row in (was, now)]
    return locations.OFF_MAP not in places and places[0] != places[1]


def reconcile_carriers_and_guards(result: MatchedSave, all_units: Mapping[str, Row]) -> None:
    """Give each armament the fate of its vehicle. Take units off a vehicle that they are no longer
    with, and remove a guard who is out of play or in another hex, or whose prisoner is no longer a
    prisoner. `all_units` are both sides' units, if the document has only one side's."""
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
        guard = (all_units or units).get(row.get("guard") or "")
        if row.get("guard") and "prisoner" not in row.get("status", ()):
            row["guard"] = None
        elif guard is not None and guard.get("fate", "in_play") != "in_play":
            row["guard"] = None
            words = f"its guard {_called(result, guard['id'])} is out of play"
            result.guesses.append(Guess(row["id"], f"{_called(result, row['id'])}: {words}"))
        elif guard is not None and _is_apart(row, guard):
            row["guard"] = None
            words = f"its guard {_called(result, guard['id'])} is in another hex"
            result.guesses.append(Guess(row["id"], f"{_called(result, row['id'])}: {words}"))


def _is_apart(prisoner: Row, guard: Row) -> bool:
    """Whether a prisoner and his guard are on the map, and not together."""
    hexes = {hex_or_off_map(row.get("location")) for row in (prisoner, guard)}
    return OFF_MAP not in hexes and len(hexes) == 2


def _arm(result: MatchedSave, shown: VaslSituation) -> None:
    """Give the armament of vehicles the status that markers and layers on them show. Add
    malfunctioned armament that the campaign does not have."""
    vehicles = {row["id"]: row for row in result.document["vehicles"]}
    for piece in shown.found:
        id = result.pieces.get(piece.piece)
        if not id or not piece.armament:
            continue
        mounted = [row for row in result.document["weapons"] if row.get("vehicle") == id]
        for name, status in piece.armament.items():
            alive = (row for row in mounted if row["fate"] == "in_play")
            arms = [
                row for row in alive if is_armament_name(name, row["main_armament"], row["type"])
            ]
            for row in arms[:1]:
                if status is None:
                    row["status"] = [each for each in row["status"] if each != "malfunctioned"]
                else:
                    row["status"] = sorted({*row["status"], status})
            lost = any(is_armament_name(name, row["main_armament"], row["type"]) for row in mounted)
            if status is not None and not lost and id in vehicles:
                new = _armament(vehicles[id], name, status)
                result.document["weapons"].append(new)
                mounted.append(new)


def _armament(vehicle: Row, name: str, status: str) -> Row:
    """Return a vehicle's weapon by VASL's name for it: "MA", "BMG", "1 AAMG"."""
    type = name.split()[-1]
    return {
        "id": f"{vehicle['id']}-{type.lower()}",
        "kind": WeaponKind.VEHICULAR,
        "type": type,
        "main_armament": type == "MA",
        "vehicle": vehicle["id"],
        **{name: vehicle[name] for name in ("side", "location")},
        **{name: vehicle[name] for name in ("nation", "setup_area") if name in vehicle},
        "fate": "in_play",
        "status": [status],
    }


def _called(result: MatchedSave, id: str) -> str:
    """Return the piece of a counter in words, else its id."""
    return result.names.get(id, id)


def _burn(result: MatchedSave, shown: VaslSituation) -> None:
    """Set fires: on the building or rubble of their hex, else on the wreck there."""
    for hex, fire in shown.fires.items():
        there = (
            row
            for table in ("terrain", "vehicles")
            for row in result.document[table]
            if row.get("fate", "in_play") == "in_play" and hex_or_off_map(row["location"]) == hex
        )
        some = [row for row in there if "fire" in row or "wreck" in row.get("status", ())]
        row = next((row for row in some if "burnt_out" not in row.get("status", ())), None)
        if some and row is None:
            continue  # a burnt-out wreck no longer burns, even under a Blaze
        if row is None:
            result.add_guess(
                f"a {fire} in {hex} does not match any terrain or vehicle in the campaign"
            )
        elif "fire" in row:
            row["fire"] = fire
        else:
            row["status"] = sorted({*row["status"], "burning"})


def _casualties(
    result: MatchedSave, shown: VaslSituation, own: VaslSituation, losses: LossPairing
) -> Casualties:
    """Return VASL's count of the losses in a save. A piece in the Casualties window may be the lost
    part of a counter that lives on."""
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


def _label(campaign: Campaign, id: str) -> str:
    """Return the name of a counter; a new one has only its id yet."""
    counter = campaign.find(id)
    return counter.label if counter is not None else id


def _say_losses(result: MatchedSave, losses: LossPairing, campaign: Campaign) -> None:
    """Report the pieces that are assumed to be replacements of others, and those that may be."""
    for piece in losses.told:
        if piece.piece in result.pieces:
            id = result.pieces[piece.piece]
            words = f"{piece.words}: assumed to be what is left of {_label(campaign, id)}"
            result.guesses.append(Guess(id, words))
    for piece, dead in losses.open:
        if piece.piece in result.pieces:
            names = " or ".join(dict.fromkeys(one.name for one in dead))
            id = result.pieces[piece.piece]
            words = f"{piece.words}: may be what is left of the {names} in the Casualties window"
            result.guesses.append(Guess(id, words))


def _grouped(unknown: Sequence[str]) -> Iterator[str]:
    """Yield the pieces in words, "NAME (PLACE)", those with the same name together."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for words in unknown:
        name, _, place = words.partition(" (")
        place, _, why = place.partition(")")
        places[name, why].append(place)
    for (name, why), some in places.items():
        counted = Counter(some)
        hexes = (f"{number} in {hex}" if number > 1 else hex for hex, number in counted.items())
        yield f"{name} ({', '.join(hexes)}){why}"


def _say_unsettled(result: MatchedSave, shown: VaslSituation, campaign: Campaign) -> None:
    """Report unrecognized pieces, and differences between the save's totals and the campaign's."""
    blank = [piece for piece in shown.found if piece.table == "weapons"]
    blank = [piece for piece in blank if "malfunctioned" not in piece.seen and not piece.dead]
    ids = sorted(result.pieces[piece.piece] for piece in blank if piece.piece in result.pieces)
    if ids:
        words = "unchanged, since VASL has no malfunctioned side for them"
        result.add_guess(f"{words}: {', '.join(_label(campaign, id) for id in ids)}")
    result.unknown += _grouped(shown.unknown)
    if result.strangers:
        names = ", ".join(
            f"{number} {name}" if number > 1 else name
            for name, number in Counter(result.strangers).items()
        )
        result.add_guess(f"in the Casualties window, but not in this campaign: {names}")
    for side, totals in shown.totals.items():
        for name in sorted(totals.keys() - {"lost"}):
            value, known = totals[name], getattr(campaign.sides[side], name)
            taken = result.document["sides"].get(side, {}).get(name)
            if value not in (known, taken):
                words = f"{name.upper()}: {value} in the save, {known} in the campaign"
                result.add_guess(f"{side.label} {words}")


# --- a save for an import -------------------------------------------------------------------------


BOTH = "both"
SOME = 6  # the number of unknown pieces that a refusal names


def state_from_save(book: View, path: Path, side: str | None, names: Path | None) -> MatchedSave:
    """Return the state of a campaign as a save shows it. A save holds both players' hidden units,
    so the `side` to import must be given: "marine", "japanese" or "both". Raises RefusedError."""
    if side is None:
        raise RefusedError(
            f"{path}: a VASL save contains both sides' hidden units; add --side "
            f"{', '.join(Side)} or {BOTH}"
        )
    seat = None if side == BOTH else Side(side)
    save, known = read_save(path, whole=False), load_names(names)
    card = load_card(book.campaign.situation.cg)
    try:
        saved = VaslSave(save.text)
        check_save_is_usable(save, saved)
        pieces = known_pieces(book, saved.pieces)
        counters = pieces.counters.items()
        own = {piece for piece, id in counters if _is_of(book.campaign, id, seat)}
        shown = read_situation(saved, known, card.ladders, seat, own)
    except SaveError as error:
        raise RefusedError(f"{path} cannot be read as a VASL save: {error}") from None
    if not shown.found:
        strange = ", ".join(shown.unknown[:SOME]) or "no piece"
        words = "none of its counters is recognized; name your own counters with --names"
        raise RefusedError(f"{path}: {words}; its pieces: {strange}")
    if seat is not None and seat.enemy in pieces.reported:
        pieces = replace(pieces, likely=_likely(book, card, shown, pieces, known))
    matched = match_save(book.campaign, card, shown, seat, pieces, known)
    if saved.is_log:
        matched.add_guess(f"a log, read up to the last of its {count_text(saved.steps, 'step')}")
    return matched


def _likely(
    book: View, card: Card, shown: VaslSituation, pieces: KnownPieces, names: Names
) -> dict[str, str]:
    """Return the counters of the pieces of a save, found in the campaign before the enemy's report:
    that report changes the possessor of captured equipment, and the former possessor looks
    different."""
    before = book.before_scenario_end
    first = match_save(before, card, shown, None, pieces, names)
    return {piece: id for piece, id in first.pieces.items() if before.find(id) is not None}


def _is_of(campaign: Campaign, id: str, seat: Side | None) -> bool:
    counter = campaign.find(id)
    return counter is not None and counter.side is seat
