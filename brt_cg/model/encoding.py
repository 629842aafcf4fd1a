"""A record as JSON in an entry that adds or removes it: the forms of entries.

Form 1 wrote all fields that a record then had. Form 2 leaves out every field at its default, so a
field that is added to a record later changes nothing in older entries. A default never changes once
it is released, because older entries would be read with it. An entry, and every link to it, keeps
the form in which it was written: nothing that was hashed is written again.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from enum import Enum
from operator import itemgetter
from types import MappingProxyType, NoneType
from typing import Any, TypeVar

from brt_cg.model.fields import declared_fields, field_name_in_files, to_json
from brt_cg.model.record import Record, cache_by_class
from brt_cg.text import list_text

R = TypeVar("R", bound=Record)

FORM = 2  # the form of new entries
FORMS = (1, FORM)  # form 1 is not named in its entries

_COUNTER = "id location fate became name purchase unseen"
_PIECE = f"{_COUNTER} side status setup_area isolated recorded_location"
# The fields that form 1 writes even at their defaults. It was written with no others, so this list
# is closed: a field added to a record later does not belong here.
_WRITTEN_OUT = {
    "campaign": "id cg name phase date ended initial paragraph done winner moved_first first_setup "
    "first_move turns massacre nights_without_scenario pillbox_vp banzai perimeters buying victor",
    "sides": "id player san announced_san elr cvp cvp_before",
    "setup_areas": "id side hexes",
    "units": f"{_PIECE} kind type class strength traits aboard guard",
    "weapons": f"{_PIECE} kind type nation possessor vehicle main_armament repair_number pp "
    "depleted non_qualified_use_only",
    "vehicles": f"{_PIECE} type nation armored best_af armor_leader pathfinder amphibious "
    "inherent_crew crew_survival bulldozer non_qualified_use_only cvp",
    "fortifications": f"{_COUNTER} side type exit covered_arc hidden capacity ca_tem nca_tem "
    "controller fell",
    "terrain": f"{_COUNTER} kind material building fire",
    "purchases": "id date side beach points item quantity unit_cost total exponent location exit "
    "covered_arc capacity entered_by entered_at initial draft voids reason created",
    "allotments": "id side beach date gpp capp exponent fpp credited",
    "rulings": "id value",
}
WRITTEN_OUT: Mapping[str, frozenset[str]] = MappingProxyType(
    {table: frozenset(names.split()) for table, names in _WRITTEN_OUT.items()}
)


def encode_record(record: Record, form: int = FORM) -> dict[str, Any]:
    """Return a record as in an entry of this form: its fields as JSON, by their names in files,
    sorted."""
    written: dict[str, Any] = {}
    for name, attribute, default, always in _fields(type(record)):
        value = getattr(record, attribute)
        if value != default or (always and form == 1):
            written[name] = to_json(value)
    return written


@cache_by_class
def _fields(kind: type[Any]) -> list[tuple[str, str, Any, bool]]:
    """Return, for each field, its name in files, its attribute, its default (MISSING if there is
    none), and whether form 1 always writes it; sorted by name."""
    always = WRITTEN_OUT.get(kind.TABLE, frozenset())
    defaults = {field.name: field.default for field in fields(kind)}
    found = (
        (field.name, field.attribute, defaults[field.attribute], field.name in always)
        for field in declared_fields(kind)
    )
    return sorted(found, key=itemgetter(0))


# --- read again ----------------------------------------------------------------------------------


def decode_record(kind: type[R], values: Mapping[str, Any]) -> R:
    """Return a record from its fields as JSON; omitted fields have their default. Raises ValueError
    if a field is unknown, of a wrong type, or omitted without a default."""
    slots, usual, needed = _slots(kind)
    record: R = usual.clone()
    for name, value in values.items():
        try:
            field, fill, right, words = slots[name]
        except KeyError:
            raise ValueError(f"{kind.TABLE} have no field {name!r}") from None
        # Fast path: most values are already right, or a word, and there are many.
        if type(value) not in right:
            word = words.get(value) if type(value) is str else None
            value = field.from_json(value) if word is None else word
        fill(record, value)
    if not needed <= values.keys():
        raise ValueError(f"{kind.TABLE} need {list_text(needed - values.keys())}")
    return record


@cache_by_class
def _slots(kind: type[Any]) -> tuple[dict[str, Any], Any, frozenset[str]]:
    """Return by names in files, for each field of a kind of record, its descriptor, types and
    words; a record with all defaults; and the names of the fields without a default."""
    slots = {}
    for field in declared_fields(kind):
        right = {field.holds, NoneType} if field.optional else {field.holds}
        words = {word.value: word for word in field.holds} if issubclass(field.holds, Enum) else {}
        slots[field.name] = (field, getattr(kind, field.attribute).__set__, right, words)
    usual = kind.new_blank()
    needed = set()
    for each in fields(kind):
        name = field_name_in_files(each.name)
        if each.default is MISSING:
            needed.add(name)
        slots[name][1](usual, None if each.default is MISSING else each.default)
    return slots, usual, frozenset(needed)
