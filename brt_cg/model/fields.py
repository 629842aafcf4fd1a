"""The fields of records, read from the record classes: names in files, reading, defaults, JSON."""

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass
from dataclasses import Field as DataclassField
from dataclasses import fields as dataclass_fields
from enum import StrEnum
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

from brt_cg.board import OFF_MAP
from brt_cg.immutable import immutable
from brt_cg.model.counters import BY_TABLE, Counter, Side, UnitKind, WeaponKind
from brt_cg.model.record import Record, cache_by_class
from brt_cg.model.shapes import (
    FieldMark,
    Flag,
    Label,
    Link,
    ListOf,
    Number,
    Place,
    Raw,
    Shape,
    Text,
    Word,
)
from brt_cg.text import NotUnderstoodError, short_json, split_assignment, unknown_name_error

# The fields that a reader looks for first, before the other fields of a counter.
FIRST = (*("id", "side", "kind", "type", "class_", "strength", "traits", "status", "location"),)
BARE_JSON = frozenset({str, int, bool, NoneType})
# Words of fields that differ from those in files.
SPOKEN = {
    **{"dm": "DM", "ti": "TI", "cx": "CX", "crew_exposed": "CE", "stun_plus1": "+1 Stun"},
    **{WeaponKind.SW: "SW", WeaponKind.GUN: "Gun"},
    **{word.value: word.label for word in (*Side, *UnitKind)},
}
BARE: Mapping[type, Shape] = {bool: Flag(), int: Number(), str: Text(), tuple: ListOf()}


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A field of a kind of record.

    `name` is its name in files ("class" for `class_`), `label` its name on the screen; `holds` is
    the type of its value (for a list, `tuple`, with entries of type `entries`); `optional`, whether
    it may be None; `shape`, how files and players write it; `default`, its value when omitted or
    null.
    """

    kind: type[Record]
    attribute: str
    name: str
    label: str
    holds: type
    entries: Any
    optional: bool
    shape: Shape
    default: Any
    required: bool
    marks: frozenset[FieldMark]

    def read(self, raw: Raw) -> Any:
        """Read a value from a file or a player; null gives the default. Raises ValueError."""
        if raw is None and self.required:
            raise ValueError("null is not accepted; a value is required")
        return self.default if raw is None else self.shape.read(raw)

    def parse(self, text: str) -> Raw:
        """Return a player's typed text as JSON; empty text, or "null", is null."""
        return None if text.strip().lower() in ("", "null") else self.shape.parse(text)

    def value_text(self, value: Any) -> str:
        """Put a value, or its JSON, in words: "broken, low ammo", "yes", "–" for nothing."""
        if value is None or isinstance(value, bool):
            return {None: "–", True: "yes", False: "no"}[value]
        if isinstance(value, list | tuple):
            return ", ".join(map(self.value_text, value)) or "–"
        word = isinstance(self.shape, Word | ListOf) or value == OFF_MAP
        return spoken_word(str(value)) if word else str(value)

    def from_json(self, value: Any) -> Any:
        """Return the value from the JSON of a change, checking only its type. Raises ValueError."""
        if type(value) is self.holds or (value is None and self.optional):
            return value
        if self.holds is tuple:
            return self._restore_list(self.entries, value)
        return self._restore_bare(self.holds, value)

    def _restore_list(self, entries: Any, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise ValueError(f"{self._where}: {value!r} is not a list")
        if not value:
            return ()
        if get_origin(entries) is tuple:
            return tuple(self._restore_list(get_args(entries)[0], entry) for entry in value)
        return tuple(self._restore_bare(entries, entry) for entry in value)

    def _restore_bare(self, holds: type, value: Any) -> Any:
        if issubclass(holds, StrEnum):
            try:
                return holds(value)
            except ValueError:
                allowed = ", ".join(holds)
                raise ValueError(
                    f"{self._where}: {value!r} is not accepted; enter {allowed}"
                ) from None
        if type(value) is not holds:
            raise ValueError(f"{self._where}: {value!r} is not of type {holds.__name__}")
        return value

    @property
    def _where(self) -> str:
        return f"{self.kind.TABLE}.{self.name}"


def spoken_word(word: str) -> str:
    """Return a word of a field as players say it: "low ammo", "+1 Stun", "SW"."""
    return SPOKEN.get(word) or word.replace("_", " ")


def fields_entered_by_players(fields: Mapping[str, Field]) -> dict[str, Field]:
    """Return the fields of a record that players enter: neither fixed ones nor those that the rules
    set."""
    rules = {FieldMark.FIXED, FieldMark.OF_THE_PROGRAM}
    return {name: field for name, field in fields.items() if field.marks.isdisjoint(rules)}


# --- of a kind of record --------------------------------------------------------------------------


@immutable
class Schema:
    """The fields of a kind of record.

    `fields` are by their names in files, in reading order: the most important first, then those of
    this kind only, then those that it shares with others. `marked` are those with a mark. The rest
    are by attribute: all fields again; `links` to other counters; `ties`, the links that must lead
    to a counter in play, of this kind; and `places`, Locations that may be inside a counter.
    """

    fields: Mapping[str, Field]
    by_attribute: Mapping[str, Field]
    marked: Mapping[FieldMark, Mapping[str, Field]]
    links: Mapping[str, Link]
    ties: Mapping[str, type[Counter]]
    places: tuple[str, ...]


@cache_by_class
def schema_of(kind: type[Record]) -> Schema:
    """Return the schema of a kind of record."""
    fields = sorted(declared_fields(kind), key=_reading_order)
    shapes = {field.attribute: field.shape for field in fields}
    marked: dict[FieldMark, dict[str, Field]] = {mark: {} for mark in FieldMark}
    for field in fields:
        for mark in field.marks:
            marked[mark][field.name] = field
    links = {name: shape for name, shape in shapes.items() if isinstance(shape, Link)}
    return Schema(
        fields=MappingProxyType({field.name: field for field in fields}),
        by_attribute={field.attribute: field for field in fields},
        marked=marked,
        links=links,
        ties={name: BY_TABLE[link.to] for name, link in links.items() if link.to is not None},
        places=tuple(name for name, shape in shapes.items() if isinstance(shape, Place)),
    )


@cache_by_class
def declared_fields(kind: type[Record]) -> tuple[Field, ...]:
    """Return the fields of a kind of record, in order of declaration."""
    return tuple(_field(kind, written) for written in dataclass_fields(kind))


def fields_of(kind: type[Record]) -> Mapping[str, Field]:
    """Return the fields of a kind of record by their names in files."""
    return schema_of(kind).fields


def field_of(kind: type[Record], name: str) -> Field:
    """Return the field with a name in files. Raises ValueError if there is none."""
    found = fields_of(kind).get(name)
    if found is None:
        raise ValueError(f"{kind.TABLE} have no field {name!r}")
    return found


def fields_marked(kind: type[Record], mark: FieldMark) -> Mapping[str, Field]:
    """Return the fields of a kind of record with a mark, by their names in files."""
    return schema_of(kind).marked[mark]


def _reading_order(field: Field) -> tuple[int, bool, int]:
    name, family = field.attribute, (up for up in field.kind.__mro__ if issubclass(up, Record))
    first = FIRST.index(name) if name in FIRST else len(FIRST)
    required = FieldMark.REQUIRED in field.marks
    return first, not required, sum(name in above.names() for above in family)


def _field(kind: type[Record], written: DataclassField[Any]) -> Field:
    type_ = written.type
    hint, *notes = get_args(type_) if get_origin(type_) is Annotated else (type_,)
    choices = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    holds = next(choice for choice in choices if choice is not NoneType)
    entries = None
    if get_origin(holds) is tuple:
        holds, entries = tuple, get_args(holds)[0]
    marks = frozenset(mark for mark in notes if isinstance(mark, FieldMark))
    name = field_name_in_files(written.name)
    shape = next((found for found in notes if isinstance(found, Shape)), None)
    label = next((found.text for found in notes if isinstance(found, Label)), None)
    link = shape.words if isinstance(shape, Link) else None
    bare = written.default is MISSING
    return Field(
        kind=kind,
        attribute=written.name,
        name=name,
        label=label or link or name.replace("_", " "),
        holds=holds,
        entries=entries,
        optional=NoneType in choices,
        shape=shape or (Word(holds) if issubclass(holds, StrEnum) else BARE[holds]),
        default=None if bare else written.default,
        required=FieldMark.REQUIRED in marks or (bare and FieldMark.FOLLOWS not in marks),
        marks=marks,
    )


# --- as players type them -------------------------------------------------------------------------


def read_assignments(
    fields: Mapping[str, Field], id: str, assignments: Iterable[str]
) -> tuple[dict[str, Raw], list[NotUnderstoodError]]:
    """Read assignments "FIELD=VALUE" for a record: "status=broken,wounded", "pp=3"; an empty value,
    or null, is null. Return the raw values by field, unchecked, and the assignments that could not
    be read."""
    values: dict[str, Raw] = {}
    wrong: list[NotUnderstoodError] = []
    for assignment in assignments:
        try:
            name, text = split_assignment(assignment)
            if name not in fields:
                raise unknown_name_error(fields, name, f"{name}: unknown field of {id}")
            if name in values:
                raise NotUnderstoodError(
                    name, f"given twice: {short_json(assignment)}; enter it once"
                )
            values[name] = fields[name].parse(text)
        except NotUnderstoodError as error:
            wrong.append(error)
    return values, wrong


# --- in changes -----------------------------------------------------------------------------------


class FieldChange(NamedTuple):
    """A changed field, with its old and new value, typed or as JSON."""

    field: Field
    before: Any
    after: Any

    def __str__(self) -> str:
        """Return the change in words: "Location N21 → N22", "in play → eliminated"."""
        return self._of(
            f"{self.field.value_text(self.before)} → {self.field.value_text(self.after)}"
        )

    @property
    def new_value_text(self) -> str:
        """Only the new value: "Location N22", "eliminated"."""
        return self._of(self.field.value_text(self.after))

    def _of(self, text: str) -> str:
        return text if self.field.name == "fate" else f"{self.field.label} {text}"


def changes_between(
    old: Record, new: Record, attributes: Iterable[str] = ()
) -> tuple[FieldChange, ...]:
    """Return the fields in which two states of a record differ; only `attributes`, if any are
    given."""
    fields = schema_of(type(old)).by_attribute
    names = tuple(attributes) or type(old).names()
    values = ((name, getattr(old, name), getattr(new, name)) for name in names)
    return tuple(FieldChange(fields[name], was, now) for name, was, now in values if was != now)


def to_json(value: Any) -> Any:
    """Return a field's value as JSON: tuples as lists."""
    if type(value) in BARE_JSON:
        return value
    if isinstance(value, tuple):
        return [to_json(entry) for entry in value]
    if isinstance(value, StrEnum):
        return str(value)
    return value


def fields_to_json(record: Record, fields: Mapping[str, Field]) -> dict[str, Any]:
    """Return some fields of a record as JSON, by their names in files."""
    return {name: to_json(getattr(record, field.attribute)) for name, field in fields.items()}


@cache
def field_name_in_files(attribute: str) -> str:
    """Return a field's name in files: `class_` is "class"."""
    return attribute.rstrip("_")


@cache_by_class
def field_names_in_files(kind: type[Record]) -> tuple[str, ...]:
    """Return the names in files of all fields of a kind of record, in the order of its values."""
    return tuple(map(field_name_in_files, kind.names()))
