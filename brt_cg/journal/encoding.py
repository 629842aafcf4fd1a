"""How an entry writes a record that it adds or removes: the forms of entries, old and new.

Form 1 wrote all fields that a record then had. Form 2 leaves out every field at its default, so a
field added to a record later changes nothing in what was written before. An entry keeps the form it
was written in, and so does every link that tells of it: nothing that was hashed is written anew.
"""

from collections.abc import Mapping
from dataclasses import fields
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from brt_cg.model.fields import declared, plain
from brt_cg.model.record import Record, cache_by_class

FORM = 2  # of new entries
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


def encoded(record: Record, form: int = FORM) -> dict[str, Any]:
    """A record as an entry of a form writes it: its fields as JSON, by their names in files,
    sorted."""
    written: dict[str, Any] = {}
    for name, attribute, default, always in _fields(type(record)):
        value = getattr(record, attribute)
        if value != default or (always and form == 1):
            written[name] = plain(value)
    return written


@cache_by_class
def _fields(kind: type[Any]) -> list[tuple[str, str, Any, bool]]:
    """Name in files, attribute, default (MISSING if there is none), and whether form 1 always
    writes it; sorted by name."""
    always = WRITTEN_OUT.get(kind.TABLE, frozenset())
    defaults = {field.name: field.default for field in fields(kind)}
    found = (
        (field.name, field.attribute, defaults[field.attribute], field.name in always)
        for field in declared(kind)
    )
    return sorted(found, key=itemgetter(0))
