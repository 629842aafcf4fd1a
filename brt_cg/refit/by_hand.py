"""What the players enter by hand where the rules leave the outcome to them: fields of counters."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from brt_cg import board
from brt_cg.asks import Raw, Refused
from brt_cg.campaign import Campaign
from brt_cg.counters import (
    TRAITS,
    UNIT_STATUS,
    VEHICLE_STATUS,
    WEAPON_STATUS,
    Counter,
    Fate,
    Unit,
    Vehicle,
    Weapon,
)
from brt_cg.fields import by_public_name, plain, typed
from brt_cg.refit.losses import close_crews, take_out
from brt_cg.refit.play import Play

KEPT_BY_THE_PROGRAM = (
    *("id", "became", "purchase", "unseen", "controller"),
    *("setup_area", "isolated", "recorded_location"),
)
# What the digits of a Japanese MMC follow from.
MAKES_DIGITS = {"side", "kind", "class_", "strength", "traits"}
STATUS = {Unit: UNIT_STATUS, Weapon: WEAPON_STATUS, Vehicle: VEHICLE_STATUS}
UNIT_LINKS = ("possessor", "guard")
VEHICLE_LINKS = ("vehicle", "aboard")
HEX_FIELDS = ("exit", "covered_arc")
FATES = (Fate.IN_PLAY, Fate.ELIMINATED, Fate.CAPTURED)


@dataclass(frozen=True, slots=True)
class Setting:
    """Fields of one counter and what they become: attribute and value, read and checked."""

    counter: Counter
    values: tuple[tuple[str, Any], ...]

    @property
    def named(self) -> frozenset[str]:
        """The attributes that are set."""
        return frozenset(attribute for attribute, _ in self.values)


def read_setting(play: Play, counter: Counter, raw: Raw) -> Setting:
    """Reads {field: value}, with fields named and valued as in a state file. Raises Refused with
    everything that is wrong."""
    if not isinstance(raw, dict):
        raise Refused(f"{counter.id}: found {raw!r}; allowed: an object of fields and values")
    problems: list[str] = []
    values: list[tuple[str, Any]] = []
    for name, value in raw.items():
        try:
            values.append(_read_field(play.campaign, counter, name, value))
        except ValueError as error:
            problems.append(f"{counter.id}: {error}")
    if isinstance(counter, Unit) and not problems:
        try:
            values.extend(_digits(play, counter, dict(values)))
        except ValueError as error:
            problems.append(f"{counter.id}: {error}")
    if problems:
        raise Refused("\n".join(problems))
    return Setting(counter, tuple(values))


def _digits(play: Play, unit: Unit, values: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    """The digits that follow where what makes them is set and they are not. Raises ValueError for
    what is no counter of the game."""
    changed = unit.clone()
    for attribute, value in values.items():
        setattr(changed, attribute, value)
    if MAKES_DIGITS & values.keys() and "type" not in values:
        changed.type = play.card.ladders.digits(changed)
    problem = play.card.ladders.unit_problem(changed)
    if problem:
        raise ValueError(problem)
    return [("type", changed.type)] if changed.type != values.get("type", unit.type) else []


def carry_out(play: Play, setting: Setting) -> None:
    """Gives a counter the values entered, and tells them."""
    counter = setting.counter
    for attribute, value in setting.values:
        if attribute == "fate" and value is not Fate.IN_PLAY:
            take_out(play.campaign, counter, value)
        setattr(counter, attribute, value)
        if attribute == "side" and isinstance(counter, Vehicle):
            _changes_hands(play, counter)
        play.tell(counter, f"{attribute.rstrip('_').replace('_', ' ')} now {_shown(value)}")


def _changes_hands(play: Play, vehicle: Vehicle) -> None:
    """A vehicle's armament is its new owner's; whoever crewed it is in it no longer."""
    close_crews(play.campaign, vehicle)
    for weapon in play.campaign.mounted_on(vehicle):
        weapon.side = vehicle.side


def _read_field(campaign: Campaign, counter: Counter, name: str, raw: Raw) -> tuple[str, Any]:
    kind = type(counter)
    attribute = by_public_name(kind).get(name)
    if attribute is None or attribute in KEPT_BY_THE_PROGRAM:
        fields = (one for one in by_public_name(kind) if one not in KEPT_BY_THE_PROGRAM)
        raise ValueError(f"no field {name!r} to set; allowed: {', '.join(fields)}")
    value = typed(kind, attribute, raw)
    allowed = _allowed(campaign, counter, attribute)
    for one in value if isinstance(value, tuple) else (value,):
        if allowed is not None and one is not None and one not in allowed:
            raise ValueError(f"{name}: found {one!r}; allowed: {', '.join(allowed) or 'none'}")
        if type(one) is int and one < 0:
            raise ValueError(f"{name}: found {one}; allowed: 0 or more")
        if attribute in HEX_FIELDS and one is not None:
            board.check_hex(one)
    if attribute == "location":
        _check_location(counter, value)
    if value is Fate.IN_PLAY and counter.became is not None:
        raise ValueError(f"fate: it was {counter.fate} into {counter.became}, and stays so")
    if isinstance(value, tuple) and attribute != "covered_arc":
        value = tuple(sorted(set(value)))
    return attribute, value


def _allowed(campaign: Campaign, counter: Counter, attribute: str) -> tuple[str, ...] | None:
    """The values that a field may have, where they are a list; None where they are not."""
    if attribute == "status":
        return STATUS[type(counter)]
    if attribute == "traits":
        return TRAITS
    if attribute == "fate":
        return FATES
    if attribute in UNIT_LINKS:
        return tuple(sorted(key for key, unit in campaign.units.items() if unit.in_play))
    if attribute in VEHICLE_LINKS:
        return tuple(sorted(key for key, one in campaign.vehicles.items() if one.in_play))
    return None


def _check_location(counter: Counter, value: str | None) -> None:
    if value is None:
        raise ValueError("location: found null; allowed: a Location, or off_map")
    if getattr(counter, "type", None) == "seawall_breach":
        board.check_hexside(value)
    else:
        board.check_location(value)


def _shown(value: Any) -> str:
    found = plain(value)
    if isinstance(found, list):
        return ", ".join(found) or "none"
    return "none" if found is None else str(found).replace("_", " ")
