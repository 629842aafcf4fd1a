"""Outcomes that the players enter by hand where the rules leave them open: fields of counters."""

from collections.abc import Iterable
from typing import Any

from brt_cg.card import broken_link_problems
from brt_cg.card.counter_builder import correct_counter
from brt_cg.immutable import immutable
from brt_cg.model import (
    Counter,
    Fate,
    FieldChange,
    Side,
    Vehicle,
    changes_between,
    counter_known_to,
    fields_entered_by_players,
    fields_of,
    not_allowed_error,
    only_side_allowed_to_read,
    read_assignments,
    schema_of,
)
from brt_cg.questions import Raw, RefusedError, raise_problems
from brt_cg.refit.losses import mark_crews_eliminated, remove_from_play
from brt_cg.refit.play import Play
from brt_cg.text import list_text, short_json

FATES = (Fate.IN_PLAY, Fate.ELIMINATED, Fate.CAPTURED)


@immutable
class FieldSetting:
    """Fields of one counter and their new values, by attribute, read and checked."""

    counter: Counter
    values: tuple[tuple[str, Any], ...]

    @property
    def attributes(self) -> frozenset[str]:
        """The attributes that are set."""
        return frozenset(attribute for attribute, _ in self.values)


def read_setting(
    play: Play, counter: Counter, raw: Raw, known_to: Side | None = None
) -> FieldSetting:
    """Read {field: value}, as in a state file, given by a side (None: by both). Raises RefusedError
    with everything that is wrong in a value, without revealing anything that the side's enemy
    hides; the resulting counter is checked when the setting is tried."""
    if not isinstance(raw, dict):
        raise RefusedError(
            f"{counter.id}: {short_json(raw)} is not accepted; enter an object of fields and values"
        )
    problems: list[str] = []
    values: dict[str, Any] = {}
    for name, entered in raw.items():
        try:
            attribute, values[attribute] = _read_field(counter, name, entered)
        except ValueError as error:
            problems.append(f"{counter.id}: {error}")
    if not problems:
        values = _with_consequences(play, counter, values, known_to, problems)
    raise_problems(problems)
    return FieldSetting(counter, tuple(values.items()))


def parse_setting(counter: Counter, assignments: Iterable[str]) -> dict[str, Raw]:
    """Read assignments "FIELD=VALUE", as in `edit`, as {field: value}. Raises RefusedError."""
    fields = fields_entered_by_players(fields_of(type(counter)))
    values, wrong = read_assignments(fields, counter.id, assignments)
    raise_problems(f"{counter.id}: {each}" for each in wrong)
    return values


def _read_field(counter: Counter, name: str, raw: Raw) -> tuple[str, Any]:
    allowed = fields_entered_by_players(fields_of(type(counter)))
    if name not in allowed:
        raise ValueError(f"no field {name!r} to set; enter {list_text(allowed)}")
    try:
        value = allowed[name].read(raw)
        if name == "fate" and value not in FATES:
            raise not_allowed_error(raw, list_text(FATES))
        if name == "location" and value is None:
            raise not_allowed_error(raw, "a Location, or off_map")
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if value is Fate.IN_PLAY and counter.became is not None:
        raise ValueError(
            f"fate: it was {counter.fate} into {counter.became}, which cannot be changed"
        )
    return allowed[name].attribute, value


def _with_consequences(
    play: Play,
    counter: Counter,
    values: dict[str, Any],
    known_to: Side | None,
    problems: list[str],
) -> dict[str, Any]:
    """Return the new values, and those that follow from them. Note missing values and links to an
    unknown counter: those must not even be tried."""

    def note(name: str, message: str) -> None:
        problems.append(f"{counter.id}: {name}: {message}")

    made = correct_counter(counter, values, play.card, note)
    if made is None:
        return values

    def find(id: str) -> Counter | None:
        return counter_known_to(play.campaign, id, known_to)

    for name, message in broken_link_problems(made, find):
        tie = name in schema_of(type(made)).ties
        if name in values and (tie or find(getattr(made, name).rpartition(":")[2]) is None):
            note(name, message)
    follows = {field.attribute: after for field, _, after in changes_between(counter, made)}
    return {name: getattr(made, name) for name in values} | follows


def apply_setting(play: Play, setting: FieldSetting) -> None:
    """Set the values entered, and log them; for a counter that is no longer hidden, log only the
    new values, because the old ones are still its side's secret."""
    counter = setting.counter
    was_secret = only_side_allowed_to_read(play.campaign, counter) is not None
    fields = schema_of(type(counter)).by_attribute
    for attribute, now in setting.values:
        change = FieldChange(fields[attribute], getattr(counter, attribute), now)
        if attribute == "fate" and now is not Fate.IN_PLAY:
            remove_from_play(play.campaign, counter, now)
        setattr(counter, attribute, now)
        if attribute == "side" and isinstance(counter, Vehicle):
            _changes_hands(play, counter)
        if change.before != now:
            shown = was_secret and only_side_allowed_to_read(play.campaign, counter) is None
            if not any(play.secret_of(linked) for linked in _linked_counters(play, change)):
                change = play.campaign.change_with_spoken_values(change)
            words = change.new_value_text if shown else str(change)
            play.log(f"{play.name_with_place(counter)}: {words}", counter)


def _linked_counters(play: Play, change: FieldChange) -> list[Counter]:
    """Return the counters that the old and the new value of a field name."""
    ids = (value for value in (change.before, change.after) if isinstance(value, str))
    return [*filter(None, map(play.campaign.find, ids))]


def _changes_hands(play: Play, vehicle: Vehicle) -> None:
    """Give a captured vehicle's armament to the new owner; the unit that crewed the vehicle is
    lost."""
    mark_crews_eliminated(play.campaign, vehicle)
    for weapon in play.campaign.weapons_mounted_on(vehicle):
        weapon.side = vehicle.side
