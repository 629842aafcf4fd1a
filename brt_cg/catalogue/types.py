"""The types of a catalog: in its file (TOML, a table for each type, [value, source] for each
value), in the player's own file in the data folder, and in words."""

import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from brt_cg.card import FIGURES, CardReading, TomlSection, type_lookup_names
from brt_cg.files import read_bytes, translate_errors, write_atomically
from brt_cg.immutable import immutable
from brt_cg.model import Side, Vehicle, Weapon, WeaponKind, not_allowed_error
from brt_cg.questions import RefusedError
from brt_cg.text import NotUnderstoodError, list_text, split_assignment, unknown_name_error

HEADS = {"weapon": Weapon.TABLE, "vehicle": Vehicle.TABLE}
AMMUNITION = "ammunition"


@immutable
class Figure:
    """A printed value, and its source in words."""

    value: Any
    source: str


@immutable
class CatalogueType:
    """A type in a catalog. `nation` None: either side's. `called` holds other spellings."""

    table: str
    type: str
    nation: Side | None = None
    kind: WeaponKind | None = None
    called: tuple[str, ...] = ()
    figures: Mapping[str, Figure] = field(default_factory=dict)
    ammunition: Figure | None = None

    def is_called(self, name: str) -> bool:
        return name == self.type or name in self.called

    def matches(self, table: str, nation: Side, type_: str) -> bool:
        """Whether the entry describes a type of counter that a side made."""
        named = self.is_called(type_) or (
            self.is_vehicle_armament and type_lookup_names(type_)[-1] == self.type
        )
        return self.table == table and self.nation in (None, nation) and named

    @property
    def identity(self) -> tuple[str, Side | None, str]:
        """The key that no two types of a catalog share."""
        return self.table, self.nation, self.type

    @property
    def is_vehicle_armament(self) -> bool:
        """Whether the type is a vehicle's armament."""
        return self.kind is WeaponKind.VEHICULAR


def read_catalogue(path: Path) -> tuple[CatalogueType, ...]:
    """Read a catalog. Raises RefusedError with everything that is wrong in it."""
    with translate_errors(path, "a catalog in TOML"):
        data = tomllib.loads(read_bytes(path).decode())
    reading = CardReading(path.name, data)
    named = reading.root.optional_section("sources")
    sources = {key: named.text(key) for key in named.key_names()} if named is not None else {}
    rows = [
        (head, row)
        for head in HEADS
        if reading.root.has_key(head)
        for row in reading.root.sections(head)
    ]
    found = tuple(_type(head, row, sources) for head, row in rows)
    reading.raise_problems()
    return found


def _type(head: str, row: TomlSection, sources: Mapping[str, str]) -> CatalogueType:
    name = row.text("type")
    row.path = f"{head} {name}" if name else row.path
    known = FIGURES[HEADS[head]]
    return CatalogueType(
        table=HEADS[head],
        type=name,
        nation=row.enum_member("nation", Side) if row.has_key("nation") else None,
        kind=row.enum_member("kind", WeaponKind) if row.has_key("kind") else None,
        called=row.optional_texts("called"),
        figures={
            key: _figure(row, key, known[key].shape.read, sources)
            for key in known  # in their order: the same in every run
            if row.has_key(key)
        },
        ammunition=_figure(row, AMMUNITION, _texts, sources) if row.has_key(AMMUNITION) else None,
    )


def _figure(
    row: TomlSection, key: str, read: Callable[[Any], Any], sources: Mapping[str, str]
) -> Figure:
    """Return a value with its source in words; a source may be a key of `sources`."""
    found = row.value(key)
    if not isinstance(found, list) or len(found) != 2 or not isinstance(found[1], str):
        row.note_bad_value(key, found, "[figure, its source]")
        return Figure(None, "")
    try:
        return Figure(read(found[0]), sources.get(found[1], found[1]))
    except ValueError as error:
        row.note_problem(key, str(error))
        return Figure(None, "")


def _texts(found: Any) -> tuple[str, ...]:
    if isinstance(found, list) and all(isinstance(each, str) for each in found):
        return tuple(found)
    raise not_allowed_error(found, "a list of texts")


# --- written --------------------------------------------------------------------------------------


def format_catalogue(types: Iterable[CatalogueType]) -> str:
    """Return a catalog as TOML, which `read_catalogue` reads."""
    heads = {table: head for head, table in HEADS.items()}
    return "\n\n".join("\n".join(_lines(heads[each.table], each)) for each in types) + "\n"


def _lines(head: str, each: CatalogueType) -> Iterable[str]:
    yield f"[[{head}]]"
    yield f"type = {_toml(each.type)}"
    if each.called:
        yield f"called = {_toml(list(each.called))}"
    if each.nation is not None:
        yield f"nation = {_toml(str(each.nation))}"
    if each.kind is not None:
        yield f"kind = {_toml(str(each.kind))}"
    for name, figure in each.figures.items():
        yield f"{name} = [{_toml(figure.value)}, {_toml(figure.source)}]"
    if each.ammunition is not None:
        had = _toml(list(each.ammunition.value))
        yield f"{AMMUNITION} = [{had}, {_toml(each.ammunition.source)}]"


def _toml(value: Any) -> str:
    """Return a string, number, flag or list of strings as TOML, which is like JSON except for
    DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


# --- the player's own -----------------------------------------------------------------------------


READ_OFF = "read off the counter by the player"


def own_catalogue_path() -> Path:
    """Return the file of the player's own catalog; it may not exist yet."""
    return user_data_path("brt-cg") / "catalogue.toml"


def read_own_types() -> tuple[CatalogueType, ...]:
    """Return the player's own types. Raises RefusedError if their file cannot be used."""
    path = own_catalogue_path()
    return read_catalogue(path) if path.is_file() else ()


def write_own_types(types: Iterable[CatalogueType]) -> None:
    """Write the player's own catalog. Raises OSError."""
    own_catalogue_path().parent.mkdir(parents=True, exist_ok=True)
    write_atomically(own_catalogue_path(), format_catalogue(types))


def save_own_figure(table: str, nation: Side, type_: str, name: str, value: Any) -> None:
    """Keep a value that the player has read off a counter. Raises RefusedError and OSError."""
    write_own_types(
        merge_types(
            read_own_types(),
            [CatalogueType(table, type_, nation, figures={name: figure_read_off_counter(value)})],
        )
    )


def figure_read_off_counter(value: Any) -> Figure:
    return Figure(value, READ_OFF)


def merge_types(old: Iterable[CatalogueType], new: Iterable[CatalogueType]) -> list[CatalogueType]:
    """Merge two lists of types; if both have a value, the newer one counts."""
    found = {each.identity: each for each in old}
    for each in new:
        before = found.get(each.identity)
        found[each.identity] = each if before is None else _merged(before, each)
    return list(found.values())


def _merged(before: CatalogueType, after: CatalogueType) -> CatalogueType:
    return CatalogueType(
        before.table,
        before.type,
        before.nation,
        after.kind or before.kind,
        tuple(dict.fromkeys((*before.called, *after.called))),
        {**before.figures, **after.figures},
        after.ammunition or before.ammunition,
    )


def own_types_with_assignments(
    table: str, nation: Side | None, type_: str, assignments: Iterable[str]
) -> list[CatalogueType]:
    """Return the player's own catalog with FIELD=VALUE set for a type; an empty VALUE removes the
    value. Raises RefusedError."""
    known = FIGURES[table]
    own = list(read_own_types())
    before = next((each for each in own if each.identity == (table, nation, type_)), None)
    figures = dict(before.figures) if before else {}
    ammunition = before.ammunition if before else None
    kind = before.kind if before else None
    for assignment in assignments:
        try:
            name, text = split_assignment(assignment)
            if name == "kind" and text in list(WeaponKind):
                kind = WeaponKind(text)
            elif name == AMMUNITION:
                ammunition = figure_read_off_counter(tuple(text.replace(",", " ").split()))
            elif name not in known:
                raise unknown_name_error(
                    (*known, AMMUNITION), name, f"{name}: unknown field of {type_}"
                )
            elif text.strip():
                figures[name] = figure_read_off_counter(
                    known[name].shape.read(known[name].parse(text))
                )
            else:
                figures.pop(name, None)
        except ValueError as error:
            said = isinstance(error, NotUnderstoodError)
            raise RefusedError(error if said else f"{assignment}: {error}") from None
    called = before.called if before else ()
    after = CatalogueType(table, type_, nation, kind, called, figures, ammunition)
    return [each for each in own if each is not before] + [after]


# --- in words -------------------------------------------------------------------------------------


def describe_type(each: CatalogueType) -> Iterator[str]:
    """Yield a type in lines: its name and side, then a line for each value with its source."""
    whose = "both sides" if each.nation is None else each.nation.label
    called = f"; also called {list_text(each.called)}" if each.called else ""
    yield f"{each.type} · {whose}{called}"
    for name, label, printed, source in figure_rows(each):
        yield f"    {label}: {printed}   ({name}; {source})"


def figure_labels(table: str) -> dict[str, str]:
    """Return the labels of the values of a table's types, by field."""
    known = {name: field.label for name, field in FIGURES[table].items()}
    return {**known, AMMUNITION: "special ammunition"}


def figure_rows(each: CatalogueType) -> Iterator[tuple[str, str, str, str]]:
    """Yield the values of a type: the field, its label, the value in words, and the source."""
    known, labels = FIGURES[each.table], figure_labels(each.table)
    for name, figure in each.figures.items():
        yield name, labels[name], known[name].value_text(figure.value), figure.source
    if each.ammunition is not None:
        had = list_text(each.ammunition.value)
        yield AMMUNITION, labels[AMMUNITION], had, each.ammunition.source
