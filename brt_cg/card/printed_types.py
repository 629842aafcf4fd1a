"""The printed values of types of weapons and vehicles, as stored in an entry of the journal.

A command that creates counters may be given the values of their types, from a catalog. They are
stored in the command's entry, so the catalog is never needed again.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any

from brt_cg.immutable import immutable
from brt_cg.model import (
    Campaign,
    Counter,
    Field,
    FieldMark,
    Side,
    Vehicle,
    Weapon,
    WeaponKind,
    fields_marked,
)
from brt_cg.text import list_text, short_json

# The letters of special ammunition on counters, and its other names. AP and HE are ordinary.
SPECIAL = ("A", "C", "D", "H", "IR", "WP", "s")
SPELLED = {"apcr": "A", "apds": "D", "canister": "C", "heat": "H", "smoke": "s"}
CATALOGUE = "catalogue"  # the name of the figures in the input of a command
SHIPPED = "shipped"  # within them, the name of the shipped catalog's differing figures
KINDS: tuple[type[Weapon] | type[Vehicle], ...] = (Weapon, Vehicle)
FIGURES: Mapping[str, Mapping[str, Field]] = {
    kind.TABLE: fields_marked(kind, FieldMark.PRINTED) for kind in KINDS
}


@immutable
class PrintedType:
    """A type of weapon or vehicle: its table, its name, who made it (None: either side), and its
    known values, by the names of their fields. `ammunition` is the special ammunition that the type
    can have; None: not known. `shipped` holds the shipped catalog's values, if they differ from the
    player's own."""

    table: str
    type: str
    nation: Side | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)
    ammunition: tuple[str, ...] | None = None
    shipped: Mapping[str, Any] = field(default_factory=dict)

    def matches(self, table: str, nation: Side, type_: str) -> bool:
        """Whether a counter of this table, made by this side, with this name is of this type."""
        return (
            self.table == table
            and self.nation in (None, nation)
            and self.type in type_lookup_names(type_)
        )

    def as_json(self) -> dict[str, Any]:
        """Return the type as JSON."""
        found: dict[str, Any] = {"table": self.table, "type": self.type, **self.figures}
        if self.nation is not None:
            found["nation"] = str(self.nation)
        if self.ammunition is not None:
            found["ammunition"] = list(self.ammunition)
        if self.shipped:
            found[SHIPPED] = dict(self.shipped)
        return found


def type_lookup_names(type_: str) -> tuple[str, ...]:
    """Return the names by which a type is looked up: its whole name, and its last word, which names
    a vehicle's weapon ("75 MA")."""
    return (type_, type_.rpartition(" ")[2])


def read_printed_types(raw: object) -> tuple[PrintedType, ...]:
    """Return the types that come with a command, as JSON. Raises ValueError."""
    if not isinstance(raw, list):
        raise ValueError(f"{short_json(raw)} is not accepted; enter a list of types")
    return tuple(map(_read_type, raw))


def _read_type(raw: object) -> PrintedType:
    if not isinstance(raw, dict) or raw.get("table") not in FIGURES:
        raise ValueError(f"{short_json(raw)} is not accepted; enter a type, with its table")
    known = FIGURES[raw["table"]]
    others = raw.keys() - known.keys() - {"table", "type", "nation", "ammunition", SHIPPED}
    if others or not isinstance(raw.get("type"), str):
        raise ValueError(
            f"{short_json(raw)} is not accepted; enter table, type, nation, {list_text(known)}"
        )
    figures, shipped = _figures(raw, known), _figures(raw.get(SHIPPED, {}), known)
    if shipped.keys() - figures.keys() or raw.get(SHIPPED, {}).keys() - known.keys():
        raise ValueError(f"{short_json(raw)} is not accepted; enter its shipped figures")
    ammunition = raw.get("ammunition")
    return PrintedType(
        table=raw["table"],
        type=raw["type"],
        nation=Side.from_name(raw.get("nation")),
        figures=figures,
        ammunition=None if ammunition is None else tuple(map(str, ammunition)),
        shipped=shipped,
    )


def _figures(raw: Mapping[str, Any], known: Mapping[str, Field]) -> dict[str, Any]:
    return {name: known[name].shape.read(raw[name]) for name in known if name in raw}


# --- filled in ------------------------------------------------------------------------------------


def fill_in_printed_figures(
    counter: Counter, given: Iterable[str], types: Iterable[PrintedType], campaign: Campaign
) -> None:
    """Fill in the printed values of a new counter that were not `given` (names of fields): from its
    type, or else from counters of the type in the campaign that reveal no more than this one."""
    if not isinstance(counter, Weapon | Vehicle):
        return
    mine = next(
        (each for each in types if each.matches(counter.TABLE, counter.nation, counter.type)), None
    )
    named = {*given}
    for name, figure in FIGURES[counter.TABLE].items():
        if name in named or getattr(counter, name) != figure.default:
            continue
        if mine is not None and name in mine.figures:
            setattr(counter, name, mine.figures[name])
        elif figure.optional:
            setattr(counter, name, _known(counter, name, campaign))


def differing_figures(
    counter: Counter, table: str, shipped: Mapping[str, Any]
) -> Iterator[tuple[str, str, str]]:
    """Yield the values of a counter that differ from those shipped for its type: the label, the
    value and the shipped value, in words. A 0 may only mean that the value was never asked for."""
    for name, due in shipped.items():
        figure, found = FIGURES[table][name], getattr(counter, name)
        if found not in (due, None, figure.default):
            yield figure.label, figure.value_text(found), figure.value_text(due)


def differing_figures_text(found: Iterable[tuple[str, str, str]]) -> str:
    """Return the differing values in words: "CVP 1 (shipped: 6), Crew Survival Number 12 (shipped:
    5)"."""
    return ", ".join(f"{label} {figure} (shipped: {due})" for label, figure, due in found)


def own_catalog_differences_text(counter: Counter, types: Iterable[PrintedType]) -> str:
    """Return, in words, the values of a new counter that are from a player's own catalog and differ
    from the shipped ones; "" if there are none."""
    if not isinstance(counter, Weapon | Vehicle):
        return ""
    of = counter.TABLE, counter.nation, counter.type
    shipped = next((each.shipped for each in types if each.matches(*of)), {})
    return differing_figures_text(differing_figures(counter, counter.TABLE, shipped))


def counters_of_same_type(
    counter: Weapon | Vehicle, campaign: Campaign
) -> Iterator[Weapon | Vehicle]:
    """Yield the counters of the same type, made by the same side, in or out of play, by id."""
    table: Mapping[str, Weapon | Vehicle] = campaign.tables[counter.TABLE]
    for key in sorted(table):
        if (table[key].type, table[key].nation) == (counter.type, counter.nation):
            yield table[key]


def _known(counter: Weapon | Vehicle, name: str, campaign: Campaign) -> Any:
    """Return the value that all counters of a type share; None if they differ. A 0 may only mean
    that the value was never asked for."""
    alike = (
        each
        for each in counters_of_same_type(counter, campaign)
        if campaign.side_hiding(each) is None
    )
    found = {getattr(each, name) for each in alike} - {None, 0}
    return found.pop() if len(found) == 1 else None


# --- ammunition -----------------------------------------------------------------------------------


def impossible_ammunition(
    weapon: Weapon, vehicle: Vehicle | None, types: Iterable[PrintedType]
) -> tuple[list[str], str] | None:
    """Return the special ammunition that a weapon (perhaps a vehicle's) is reported to have
    depleted although its type never has it, and the kinds that it may have; None if no depleted
    kind is impossible."""
    known = [*types]
    bearer: Weapon | Vehicle = weapon
    if weapon.kind is WeaponKind.VEHICULAR and vehicle is not None and _is_main(weapon):
        bearer = vehicle
    for each in known:
        if each.ammunition is not None and each.matches(bearer.TABLE, bearer.nation, bearer.type):
            had = each.ammunition
            wrong = [name for name in weapon.depleted if _special(name) not in (None, *had)]
            return (wrong, list_text(had)) if wrong else None
    return None


def _special(name: str) -> str | None:
    """Return the letters of special ammunition, from a name with or without its Depletion Number;
    None for any other name."""
    bare = name.rstrip("0123456789 ")
    letters = SPELLED.get(bare.casefold(), bare)
    return letters if letters in SPECIAL else None


def _is_main(weapon: Weapon) -> bool:
    return weapon.main_armament or type_lookup_names(weapon.type)[-1] == "MA"
