"""What the players enter for one Melee round (15.601), read and checked as a whole."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from brt_cg import board
from brt_cg.asks import Raw, Refused
from brt_cg.board import OFF_MAP
from brt_cg.campaign import Campaign
from brt_cg.counters import Fortification, Piece, Side, Unit, Vehicle
from brt_cg.refit.by_hand import Setting, read_setting
from brt_cg.refit.play import Play

PARTS = ("eliminated", "casualty_reduced", "captured", "withdrew", "set")
HINT = (
    '{"eliminated": [ids], "casualty_reduced": [ids], "captured": {id: captor}, '
    '"withdrew": {id: location}, "set": [{"counter": id, FIELD: VALUE}]}, each part optional; '
    "null: no more CC attacks"
)


@dataclass(frozen=True, slots=True)
class Round:
    """What came of one Melee round in a Location, read and checked."""

    eliminated: tuple[Piece, ...]
    casualty_reduced: tuple[Unit, ...]
    captured: tuple[tuple[Unit, Unit], ...]
    withdrew: tuple[tuple[Unit, str], ...]
    settings: tuple[Setting, ...]


def read_round(play: Play, location: str, raw: Raw) -> Round | None:
    """A round in a Location; None if no more CC attacks are made. Raises Refused with everything
    that is wrong."""
    if raw is None:
        return None
    if not isinstance(raw, dict) or not set(raw) <= set(PARTS):
        raise Refused(f"found {raw!r}; allowed: {HINT}")
    there = {one.id: one for one in play.campaign.at(location)}
    units = {key: one for key, one in there.items() if isinstance(one, Unit)}
    reading = _Reading(play, location)
    eliminated = reading.listed(raw, "eliminated", there)
    reduced = reading.listed(raw, "casualty_reduced", units)
    captured = reading.paired(
        raw, "captured", units, lambda unit, to: _captor(unit, units.get(str(to)))
    )
    withdrew = reading.paired(
        raw, "withdrew", units, lambda unit, to: _withdrawn_to(play, unit, location, to)
    )
    settings = reading.settings(raw)
    outcome = Round(
        tuple(eliminated), tuple(reduced), tuple(captured), tuple(withdrew), tuple(settings)
    )
    reading.refuse(_contradictions(outcome))
    reading.finish()
    return outcome


def _contradictions(outcome: Round) -> Iterable[str]:
    """What one unit cannot do in one round."""
    gone = {one.id for one in outcome.eliminated}
    held = {one.id for one, _ in outcome.captured}
    away = {one.id for one, _ in outcome.withdrew}
    others = {one.id for one in outcome.casualty_reduced} | held | away
    yield from (f"{key}: eliminated, and something else too" for key in sorted(gone & others))
    yield from (f"{key}: captured, and withdrew too" for key in sorted(held & away))
    captors = {captor.id for _, captor in outcome.captured}
    yield from (f"{key}: captures, and is itself lost" for key in sorted(captors & (gone | held)))


class _Reading:
    """A round being read; whatever is wrong is collected and refused together."""

    def __init__(self, play: Play, location: str) -> None:
        self.play = play
        self.location = location
        self.problems: list[str] = []

    def refuse(self, problems: Iterable[str]) -> None:
        self.problems.extend(problems)

    def finish(self) -> None:
        if self.problems:
            raise Refused("\n".join(f"{self.location}: {one}" for one in self.problems))

    def listed(self, raw: Mapping[str, Raw], part: str, there: Mapping[str, Any]) -> list[Any]:
        """The counters that a list of ids names."""
        ids = raw.get(part, [])
        if not _are_ids(ids):
            self.problems.append(f"{part}: found {ids!r}; allowed: a list of ids, each once")
            return []
        self.refuse(self._stranger(part, one, there) for one in ids if one not in there)
        return [there[one] for one in ids if one in there]

    def paired(
        self, raw: Mapping[str, Raw], part: str, there: Mapping[str, Unit], read: Any
    ) -> list[tuple[Unit, Any]]:
        """The units that an object's keys name, each with what `read` makes of its value."""
        found = raw.get(part, {})
        if not isinstance(found, dict):
            self.problems.append(f"{part}: found {found!r}; allowed: an object by unit id")
            return []
        self.refuse(self._stranger(part, key, there) for key in found if key not in there)
        pairs = []
        for key, value in found.items():
            if key not in there:
                continue
            try:
                pairs.append((there[key], read(there[key], value)))
            except ValueError as error:
                self.problems.append(f"{part}: {key}: {error}")
        return pairs

    def settings(self, raw: Mapping[str, Raw]) -> list[Setting]:
        """What was set by hand on counters of any sort in the Location."""
        found = raw.get("set", [])
        inside = board.split(self.location)[1]
        there = {
            one.id: one
            for one in self.play.campaign.counters()
            if one.in_play and (one.location == self.location or one.id == inside)
        }
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            self.problems.append(
                f'set: found {found!r}; allowed: a list of {{"counter": id, FIELD: VALUE}}'
            )
            return []
        settings = []
        for one in found:
            counter = there.get(str(one.get("counter")))
            if counter is None:
                self.problems.append(self._stranger("set", one.get("counter"), there))
                continue
            fields = {name: value for name, value in one.items() if name != "counter"}
            try:
                settings.append(read_setting(self.play, counter, fields))
            except Refused as error:
                self.problems.append(f"set: {error}")
        return settings

    def _stranger(self, part: str, found: Raw, there: Iterable[str]) -> str:
        return f"{part}: {found!r} is not there; allowed: {', '.join(sorted(there)) or 'none'}"


def _are_ids(found: Raw) -> bool:
    """Whether it is a list of texts, none of them twice."""
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        return False
    return len(set(found)) == len(found)


def _captor(unit: Unit, captor: Unit | None) -> Unit:
    if unit.prisoner:
        raise ValueError("it is a prisoner already")
    if captor is None or captor.side is unit.side or captor.prisoner:
        raise ValueError("allowed as captor: an enemy unit in that Location")
    return captor


def _withdrawn_to(play: Play, unit: Unit, location: str, to: Raw) -> str:
    """The Location that a unit withdraws to. Raises ValueError, also for places off the map."""
    if isinstance(to, str) and is_accessible(play.campaign, unit, location, to):
        return to
    if isinstance(to, str):
        board.check_location(to)
    allowed = ", ".join(accessible(play.campaign, unit, location)) or "none"
    raise ValueError(f"found {to!r}; allowed: an Accessible Location without enemies: {allowed}")


# --- where one may withdraw to --------------------------------------------------------------------


def accessible(campaign: Campaign, unit: Unit, location: str) -> list[str]:
    """The Locations that a unit may withdraw to from a Melee, as far as they can be listed: those
    of its own hex in which anything is, and the ground level of the hexes around."""
    hex = board.hex_of(location)
    inside = (f"{hex}:{fort.id}" for fort in _forts_in(campaign, hex, unit.side))
    known = {piece.location for piece in campaign.pieces() if piece.in_play and piece.location}
    here = sorted(one for one in known if one != OFF_MAP and board.hex_of(one) == hex)
    listed = dict.fromkeys([hex, *here, *inside, *board.neighbours(hex)])
    return [one for one in listed if is_accessible(campaign, unit, location, one)]


def is_accessible(campaign: Campaign, unit: Unit, location: str, to: str) -> bool:
    """Whether a unit may withdraw to a Location: another one of its hex, or one ADJACENT to where
    it is, on the same level; Ocean from an Ocean or Beach hex or the pier only; and none in which
    the enemy is known to be. From inside a Fortification the way leads through its hex."""
    if not board.is_location(to) or to in (location, OFF_MAP):
        return False
    (hex, place), (goal, goal_place) = board.split(location), board.split(to)
    if goal == hex:
        reached = _is_open(campaign, unit, goal, goal_place)
    else:
        level = place if place is not None and place.isdigit() else None
        goal_level = None if goal_place == "pier" else goal_place
        inside = place is not None and place != "pier" and level is None
        reached = board.adjacent(hex, goal) and goal_level == level and not inside
    dry = not board.is_ocean(to) or _is_wet(location)
    enemies = (one for one in campaign.at(to) if one.side is not unit.side and opposes(one))
    return reached and dry and all(campaign.hidden_by(one) for one in enemies)


def _is_open(campaign: Campaign, unit: Unit, hex: str, place: str | None) -> bool:
    """Whether there is such a place in a hex: the ground, a level, the pier, or the inside of a
    Fortification that the unit's side knows of."""
    known = [fort.id for fort in _forts_in(campaign, hex, unit.side)]
    return place is None or place == "pier" or place.isdigit() or place in known


def _forts_in(campaign: Campaign, hex: str, known_to: Side) -> list[Fortification]:
    return [
        fort
        for fort in campaign.in_order(campaign.fortifications.values())
        if fort.location == hex and campaign.hidden_by(fort) in (None, known_to)
    ]


def _is_wet(location: str) -> bool:
    hex = board.hex_of(location)
    return board.terrain(hex) is not board.TerrainType.LAND


def opposes(piece: Piece) -> bool:
    """Whether a piece opposes the enemy in its Location: no prisoner, no empty vehicle."""
    if isinstance(piece, Unit):
        return not piece.prisoner
    return isinstance(piece, Vehicle) and piece.manned
