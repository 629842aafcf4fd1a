"""Building a counter from its fields: fields that follow from others are filled in, and
contradictions are noted."""

from collections.abc import Callable
from typing import Any

from brt_cg.card.consistency import counter_contradictions
from brt_cg.card.games import Card
from brt_cg.card.unit_names import OWN_KINDS, all_mmc_of_side, normalize_digits
from brt_cg.model import (
    SMC,
    Counter,
    FieldMark,
    Side,
    Unit,
    UnitClass,
    UnitKind,
    fields_of,
    schema_of,
)

Values = dict[str, Any]  # by field
Note = Callable[[str, str], None]  # takes a problem: a field, and a message


def build_counter(
    kind: type[Counter], values: Values, card: Card, note: Note, before: Counter | None = None
) -> Counter | None:
    """Build a counter from values by the names of fields in files, with defaults for the others.
    Return None if something is missing. `note` is called with each problem; `before` is the counter
    of the campaign that it replaces, if any."""
    fields = fields_of(kind).values()
    full = {field.attribute: values.get(field.name, field.default) for field in fields}
    if kind is Unit:
        given = {field.attribute for field in fields if values.get(field.name) is not None}
        _follow_the_digits(full, given, card)
    return note_contradictions(_completed(kind, full, card, note), card, note, before)


def correct_counter(counter: Counter, new: Values, card: Card, note: Note) -> Counter | None:
    """Return a counter with new values, by attribute, and the values that follow from them; or
    None. `note` is called for everything that is missing."""
    full = {name: getattr(counter, name) for name in type(counter).names()} | new
    if isinstance(counter, Unit) and _digits_follow(full, new):
        full["type"] = None
    elif isinstance(counter, Unit) and new.get("type"):
        _follow_the_digits(full, {*new}, card)
    return _completed(type(counter), full, card, note)


def _follow_the_digits(full: Values, given: set[str], card: Card) -> None:
    """Write digits as they are printed ("768": 7-6-8; "91": 9-1), and fill in the class and
    strength that a Japanese MMC's digits show, unless these are `given` (attributes)."""
    side = full.get("side")
    if not isinstance(full["type"], str) or not full["type"] or not isinstance(side, Side):
        return
    full["type"] = normalize_digits(card, side, full["type"])
    if side is not Side.JAPANESE or full["kind"] in SMC or "class_" in given:
        return
    fitting = [
        each
        for each in all_mmc_of_side(card, side)
        if each.type == full["type"]
        and each.kind is full["kind"]
        and each.traits == tuple(set(full["traits"]) & {*OWN_KINDS})
        and ("strength" not in given or each.strength is full["strength"])
    ]
    if len({each.class_ for each in fitting}) == 1:
        full["class_"], full["strength"] = fitting[0].class_, fitting[0].strength


def note_contradictions(
    counter: Counter | None, card: Card, note: Note, before: Counter | None = None
) -> Counter | None:
    """Pass every contradiction in the counter to `note`, and return the counter; `before` is the
    counter before a change."""
    if counter is not None:
        for name, message in counter_contradictions(counter, card, before):
            note(name, message)
    return counter


def _digits_follow(full: Values, new: Values) -> bool:
    """Whether new values change something that decides the digits of a Japanese MMC, without giving
    the digits themselves."""
    fields = schema_of(Unit).by_attribute
    makes = any(FieldMark.MAKES_DIGITS in fields[attribute].marks for attribute in new)
    mmc = full["side"] is Side.JAPANESE and full["kind"] not in SMC
    return makes and mmc and "type" not in new


def _completed(kind: type[Counter], full: Values, card: Card, note: Note) -> Counter | None:
    """Return a counter with these values, and with omitted ones that follow from others."""
    if "nation" in full and full["nation"] is None:
        full["nation"] = full["side"]
    if kind is Unit and not _complete_unit(full, card, note):
        return None
    counter = kind(**full)
    if isinstance(counter, Unit) and not counter.type and not _derive_digits(counter, card, note):
        return None
    return counter


def _complete_unit(full: dict[str, Any], card: Card, note: Note) -> bool:
    """Fill in a unit's class and type. Return False, with a note, if one of them is missing."""
    mmc = full["kind"] not in SMC
    japanese_mmc = mmc and full["side"] is Side.JAPANESE
    if mmc and full["class_"] is None:
        # There is only one type of vehicle crew.
        if japanese_mmc and full["kind"] is not UnitKind.VEHICLE_CREW:
            note(
                "class",
                f"missing; a Japanese MMC has one of {card.ladders.japanese_class_names_text}",
            )
            return False
        full["class_"] = UnitClass.ELITE
    if full["type"] is None:
        if not japanese_mmc:
            note("type", "missing; every Marine MMC and every SMC has one, such as 7-6-8 or 8-1")
            return False
        full["type"] = ""
    return True


def _derive_digits(unit: Unit, card: Card, note: Note) -> bool:
    try:
        unit.type = card.ladders.digits_of_unit(unit)
    except ValueError as error:
        note("class", str(error))
        return False
    return True
