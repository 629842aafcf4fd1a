"""The reading and checking of the players' entry for one Melee round (15.601)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from brt_cg.board import OFF_MAP, grid, locations
from brt_cg.immutable import immutable
from brt_cg.model import SIDES, Campaign, Counter, Fortification, Piece, Side, Unit
from brt_cg.questions import (
    AnswerForm,
    Candidate,
    CodeForm,
    PointingForm,
    Raw,
    RefusedError,
    raise_problems,
)
from brt_cg.refit.manual_outcomes import FieldSetting, read_setting
from brt_cg.refit.play import Play
from brt_cg.text import short_json, split_at_spaces_and_commas, unknown_name_error

PARTS = ("eliminated", "casualty_reduced", "captured", "withdrew", "set")
HINT = (
    '{"eliminated": [ids], "casualty_reduced": [ids], "captured": {id: captor}, '
    '"withdrew": {id: location}, "set": [{"counter": id, FIELD: VALUE}]}, each part optional; '
    "null: no more CC attacks"
)
# The verbs that a player types, and the parts of a round that they mean.
TYPED = ("eliminated UNIT", "reduced UNIT", "captured UNIT by UNIT", "withdrew UNIT to HEX", "none")
VERBS = {
    "eliminated": "eliminated",
    "x": "eliminated",
    "reduced": "casualty_reduced",
    "casualty_reduced": "casualty_reduced",
    "captured": "captured",
    "withdrew": "withdrew",
}
# The letters of the scenario-end form, before the numbers of the units as they are listed.
CODE_HINT = (
    "x34: eliminated · d1: reduced · c2 by 4: captured · m1 to N21: withdrew · none: no attack"
)
CODED = {"x": "eliminated", "d": "casualty_reduced", "w": "casualty_reduced"}
_BEGINS_CODES = re.compile(r"[xdwcm] *\d", re.IGNORECASE)
_NUMBERS = r"(\d+(?:[ ,]*\d+)*)"
_CODE = re.compile(
    rf"[ ,;]*(?:([xdw]) *{_NUMBERS}|c *{_NUMBERS} *by *(\d+)"
    rf"|m *{_NUMBERS} *(?:to)? *([a-z]+\d+(?::\S+)?))[ ,;]*",
    re.IGNORECASE,
)


@immutable
class MeleeRound:
    """The results of one Melee round in a Location, read and checked."""

    eliminated: list[Piece]
    casualty_reduced: list[Unit]
    captured: list[tuple[Unit, Unit]]
    withdrew: list[tuple[Unit, str]]
    settings: list[FieldSetting]


def read_melee_round(play: Play, location: str, raw: Raw) -> MeleeRound | None:
    """Read a round in a Location; None if no more CC attacks are made. Raises RefusedError with
    everything that is wrong."""
    if raw is None:
        return None
    if not isinstance(raw, dict) or not set(raw) <= set(PARTS):
        raise RefusedError(f"{short_json(raw)} is not accepted; enter {HINT}")
    there = {counter.id: counter for counter in play.campaign.pieces_at(location)}
    units = {key: counter for key, counter in there.items() if isinstance(counter, Unit)}
    reading = _Reading(play, location)
    outcome = MeleeRound(
        reading.listed(raw, "eliminated", there),
        reading.listed(raw, "casualty_reduced", units),
        reading.paired(raw, "captured", units, lambda unit, to: _captor(unit, units.get(str(to)))),
        reading.paired(raw, "withdrew", units, partial(_withdrawn_to, play, location)),
        reading.settings(raw),
    )
    problems = (*reading.problems, *_contradictions(outcome))
    raise_problems(problems)
    return outcome


def _contradictions(outcome: MeleeRound) -> Iterable[str]:
    """Yield the results that exclude each other for one unit in one round."""
    gone = {counter.id for counter in outcome.eliminated}
    held = {prisoner.id for prisoner, _ in outcome.captured}
    away = {unit.id for unit, _ in outcome.withdrew}
    others = {unit.id for unit in outcome.casualty_reduced} | held | away
    yield from (
        f"{key}: eliminated, and also in another result; enter one result"
        for key in sorted(gone & others)
    )
    yield from (
        f"{key}: captured, and also withdrew; enter one result" for key in sorted(held & away)
    )
    captors = {captor.id for _, captor in outcome.captured}
    yield from (
        f"{key}: was itself eliminated or captured; enter another captor"
        for key in sorted(captors & (gone | held))
    )


class _Reading:
    """A round being read; problems are collected and refused together."""

    def __init__(self, play: Play, location: str) -> None:
        self.play = play
        self.location = location
        self.problems: list[str] = []

    def listed(self, raw: Mapping[str, Raw], part: str, there: Mapping[str, Any]) -> list[Any]:
        """Return the counters in a list of ids."""
        ids = raw.get(part, [])
        if not _are_ids(ids):
            self.problems.append(
                f"{part}: {short_json(ids)} is not accepted; enter a list of ids, each once"
            )
            return []
        self.problems += (self._stranger(part, key, there) for key in ids if key not in there)
        return [there[key] for key in ids if key in there]

    def paired(
        self, raw: Mapping[str, Raw], part: str, there: Mapping[str, Unit], read: Any
    ) -> list[tuple[Unit, Any]]:
        """Return the units named by the keys of an object, each with its value as read by
        `read`."""
        found = raw.get(part, {})
        if not isinstance(found, dict):
            self.problems.append(
                f"{part}: {short_json(found)} is not accepted; enter an object by unit id"
            )
            return []
        self.problems += (self._stranger(part, key, there) for key in found if key not in there)
        pairs = []
        for key, entered in found.items():
            if key not in there:
                continue
            try:
                pairs.append((there[key], read(there[key], entered)))
            except ValueError as error:
                self.problems.append(f"{part}: {key}: {error}")
        return pairs

    def settings(self, raw: Mapping[str, Raw]) -> list[FieldSetting]:
        """Return the values set by hand on counters of any kind in the Location."""
        found = raw.get("set", [])
        inside = locations.split_location(self.location)[1]
        there = {
            counter.id: counter
            for counter in self.play.campaign.counters()
            if counter.in_play and (counter.location == self.location or counter.id == inside)
        }
        if not isinstance(found, list) or not all(isinstance(part, dict) for part in found):
            self.problems.append(
                f'set: {short_json(found)} is not accepted; enter a list of {{"counter": id, '
                "FIELD: VALUE}}"
            )
            return []
        settings = []
        for part in found:
            counter = there.get(str(part.get("counter")))
            if counter is None:
                self.problems.append(self._stranger("set", part.get("counter"), there))
                continue
            fields = {name: value for name, value in part.items() if name != "counter"}
            try:
                settings.append(read_setting(self.play, counter, fields))
            except RefusedError as error:
                self.problems.append(f"set: {error}")
        return settings

    def _stranger(self, part: str, found: Raw, there: Mapping[str, Counter]) -> str:
        known = (
            called for called in self.play.named_counters(there.values()) if called.secret is None
        )
        allowed = ", ".join(sorted(called.display_name for called in known)) or "none"
        return f"{part}: {found!r} is not there; enter {allowed}"


def _are_ids(found: Raw) -> bool:
    """Whether a value is a list of distinct strings."""
    if not isinstance(found, list) or not all(isinstance(id_, str) for id_ in found):
        return False
    return len(set(found)) == len(found)


def _captor(unit: Unit, captor: Unit | None) -> Unit:
    if unit.prisoner:
        raise ValueError("it is already a prisoner")
    if captor is None or not _may_capture(captor, unit):
        raise ValueError("enter an enemy unit in that Location as its captor")
    return captor


def _may_capture(captor: Unit, unit: Unit) -> bool:
    return not unit.prisoner and captor.side is not unit.side and not captor.prisoner


def _withdrawn_to(play: Play, location: str, unit: Unit, to: Raw) -> str:
    """Return the Location that a unit withdraws to. Raises ValueError for any other, including off
    map."""
    if isinstance(to, str) and can_withdraw_to(play.campaign, unit, location, to):
        return to
    if isinstance(to, str):
        locations.check_location(to)
    allowed = ", ".join(withdrawal_locations(play.campaign, unit, location)) or "none"
    raise ValueError(
        f"{short_json(to)} is not accepted; enter an Accessible Location without enemies: {allowed}"
    )


# --- typed, worded, picked ------------------------------------------------------------------------


def melee_round_form(play: Play, location: str) -> AnswerForm:
    """Return the form in which a round is typed ("reduced m-sq-15; withdrew j-hs-13 to N21"), put
    in words and picked."""
    return AnswerForm(
        hint="eliminated UNIT…; reduced UNIT…; captured UNIT by UNIT; withdrew UNIT to HEX",
        typed=_round_typed,
        worded=partial(_round_text, play.campaign),
        candidates=lambda: _possible_results(play, location),
        joined=_rounds_joined,
        pointed=PointingForm(("where a withdrawing unit goes",)),
        counters=lambda: play.named_counters(_in_order(play, location)),
        codes=CodeForm(CODE_HINT, _round_coded),
    )


def _in_order(play: Play, location: str) -> list[Piece]:
    """Return the counters in a Location in the order of their numbers: the fighting units as the
    question names them, then the others, hidden ones last so that they change no number."""
    return sorted(
        play.campaign.pieces_at(location),
        key=lambda each: (
            play.secret_of(each) is not None,
            not each.is_opposing,
            SIDES.index(each.side),
        ),
    )


def _round_coded(text: str, ids: Sequence[str]) -> Raw:
    """Read codes ("x34 c2 by 5"); None if the text does not begin with one. Raises RefusedError."""
    if not _BEGINS_CODES.match(text.strip()):
        return None
    result: dict[str, Any] = {}
    at = 0
    while at < len(text):
        found = _CODE.match(text, at)
        if found is None:
            raise RefusedError(f"{text[at:].strip()} is not understood; enter {CODE_HINT}")
        letter, lost, taken, captor, moved, to = found.groups()
        if letter:
            result.setdefault(CODED[letter.lower()], []).extend(_numbered(ids, lost))
        elif taken:
            [by] = _numbered(ids, captor, single=True)
            result.setdefault("captured", {}).update(dict.fromkeys(_numbered(ids, taken), by))
        else:
            goal = locations.capitalize_hexes(to)
            result.setdefault("withdrew", {}).update(dict.fromkeys(_numbered(ids, moved), goal))
        at = found.end()
    return result


def _numbered(ids: Sequence[str], typed: str, *, single: bool = False) -> list[str]:
    """Return the ids of the counters with these numbers: each digit is one, unless there are more
    than 9 counters. Raises RefusedError."""
    numbers = re.findall(r"\d+" if single or len(ids) > 9 else r"\d", typed)
    wrong = [each for each in numbers if not 0 < int(each) <= len(ids)]
    if wrong:
        raise RefusedError(f"{', '.join(wrong)}: no unit here has that number; enter 1–{len(ids)}")
    return [ids[int(each) - 1] for each in numbers]


def _round_typed(text: str) -> Raw:
    """Read parts separated by semicolons, each a verb and its objects. Raises RefusedError."""
    result: dict[str, Any] = {}
    parts = filter(None, map(split_at_spaces_and_commas, text.split(";")))
    for verb, *words in [*parts] or [[text]]:  # separators alone are a wrong verb
        part = VERBS.get(verb.lower().rstrip(":"))
        if part is None:
            raise RefusedError(unknown_name_error(TYPED, verb, f"{verb!r} is not understood"))
        if part in ("captured", "withdrew"):
            result.setdefault(part, {}).update(_pairs(part, words))
        elif not words:
            raise RefusedError(f"{verb}: write {verb} UNIT")
        else:
            result.setdefault(part, []).extend(words)
    return result


def _pairs(part: str, words: list[str]) -> dict[str, str]:
    """Read one or more pairs, "UNIT by UNIT" or "UNIT to HEX"."""
    word, what = ("by", "UNIT") if part == "captured" else ("to", "HEX")
    flat = [typed for typed in words if typed.lower() != word]
    if not flat or len(flat) % 2:
        raise RefusedError(f"{part}: write UNIT {word} {what}")
    ends = flat[1::2] if part == "captured" else map(locations.capitalize_hexes, flat[1::2])
    return dict(zip(flat[::2], ends, strict=True))


def _round_text(campaign: Campaign, raw: Raw) -> str:
    if raw is None:
        return "no more CC attacks here"

    def named(id: str) -> str:
        counter = campaign.find(id)
        return counter.label if counter is not None else id

    parts = [
        f"{words} {', '.join(map(named, raw[part]))}"
        for part, words in (("eliminated", "eliminated"), ("casualty_reduced", "reduced"))
        if raw.get(part)
    ]
    parts += [f"{named(id)} captured by {named(by)}" for id, by in raw.get("captured", {}).items()]
    parts += [
        f"{named(id)} withdrew to {campaign.location_text(place)}"
        for id, place in raw.get("withdrew", {}).items()
    ]
    parts += [f"{named(str(change.get('counter')))} set by hand" for change in raw.get("set", [])]
    return "; ".join(parts) or "a round without losses"


def _possible_results(play: Play, location: str) -> Iterator[Candidate]:
    """Yield the possible results of a round for each counter in the Location, one by one."""
    campaign = play.campaign
    there = campaign.pieces_at(location)
    for piece in there:
        name, secret = piece.label, play.secret_of(piece)
        raw: Raw = {"eliminated": [piece.id]}
        yield Candidate(raw, f"{name}: eliminated", f"eliminated {piece.id}", secret)
        if not isinstance(piece, Unit):
            continue
        raw = {"casualty_reduced": [piece.id]}
        yield Candidate(raw, f"{name}: Casualty Reduction", f"reduced {piece.id}", secret)
        for captor in (
            unit for unit in there if isinstance(unit, Unit) and _may_capture(unit, piece)
        ):
            words = f"{name}: captured by {captor.label}"
            typed = f"captured {piece.id} by {captor.id}"
            whose = play.whose_secret([piece, captor])
            yield Candidate({"captured": {piece.id: captor.id}}, words, typed, whose)
        for place in withdrawal_locations(campaign, piece, location):
            typed = f"withdrew {piece.id} to {place}"
            fort = campaign.fortifications.get(place.partition(":")[2])
            whose = play.whose_secret([piece, *([fort] if fort else [])])
            raw = {"withdrew": {piece.id: place}}
            words = f"{name}: withdrew to {campaign.location_text(place)}"
            yield Candidate(raw, words, typed, whose, (place,))


def _rounds_joined(raws: Sequence[Raw]) -> Raw:
    """Combine the results of several answers into one round."""
    result: dict[str, Any] = {}
    for raw in filter(None, raws):
        for part, found in raw.items():
            if isinstance(found, dict):
                result.setdefault(part, {}).update(found)
            else:
                result.setdefault(part, []).extend(found)
    return result


# --- where one may withdraw to --------------------------------------------------------------------


def withdrawal_locations(campaign: Campaign, unit: Unit, location: str) -> list[str]:
    """Return the Locations that a unit may withdraw to from a Melee, of those that can be listed:
    occupied ones in its own hex, and the ground level of the adjacent hexes."""
    hex = locations.hex_of_location(location)
    inside = (
        locations.location_inside_fortification(hex, fort.id)
        for fort in _forts_in(campaign, hex, unit.side)
    )
    shown = (
        piece for piece in campaign.pieces() if piece.in_play and not campaign.side_hiding(piece)
    )
    places = {piece.location for piece in shown if piece.location and not piece.off_map}
    here = sorted(place for place in places if locations.hex_of_location(place) == hex)
    listed = dict.fromkeys([hex, *here, *inside, *grid.neighbors(hex)])
    return [place for place in listed if can_withdraw_to(campaign, unit, location, place)]


def can_withdraw_to(campaign: Campaign, unit: Unit, location: str, to: str) -> bool:
    """Whether a unit may withdraw to a Location: another one of its hex, or one ADJACENT to where
    it is, on the same level; Ocean from an Ocean or Beach hex or the pier only; and not one that is
    known to contain the enemy. From inside a Fortification a unit withdraws through its hex."""
    if not locations.is_location(to) or to in (location, OFF_MAP):
        return False
    (hex, place), (goal, goal_place) = (
        locations.split_location(location),
        locations.split_location(to),
    )
    if goal == hex:
        reached = _is_open(campaign, unit, goal, goal_place)
    else:
        level = place if place is not None and place.isdigit() else None
        goal_level = None if goal_place == "pier" else goal_place
        inside = place is not None and place != "pier" and level is None
        reached = grid.are_adjacent(hex, goal) and goal_level == level and not inside
    dry = not locations.is_ocean(to) or locations.terrain_of(hex) is not locations.TerrainType.LAND
    enemies = (
        enemy
        for enemy in campaign.pieces_at(to)
        if enemy.side is not unit.side and enemy.is_opposing
    )
    return reached and dry and all(campaign.side_hiding(enemy) for enemy in enemies)


def _is_open(campaign: Campaign, unit: Unit, hex: str, place: str | None) -> bool:
    """Whether a hex contains this Location: the ground, a level, the pier, or the inside of a
    Fortification that the unit's side knows of."""
    known = [fort.id for fort in _forts_in(campaign, hex, unit.side)]
    return place is None or place == "pier" or place.isdigit() or place in known


def _forts_in(campaign: Campaign, hex: str, known_to: Side) -> list[Fortification]:
    return [
        fort
        for fort in campaign.sort_counters_in_play(campaign.fortifications.values())
        if fort.location == hex and campaign.side_hiding(fort) in (None, known_to)
    ]
