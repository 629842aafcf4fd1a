"""The types of a catalogue: in its file (TOML, a table for each type, [figure, source] for each
figure), in the player's own one in his data folder, and in words."""

import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from brt_cg.card.printed import FIGURES, names_of
from brt_cg.card.toml_data import CardReading, TomlSection
from brt_cg.files import foreign, read_bytes, write_whole
from brt_cg.model.counters import Side, Vehicle, Weapon, WeaponKind
from brt_cg.model.shapes import not_allowed
from brt_cg.model.value import value
from brt_cg.questions.answers import Refused
from brt_cg.text import NotUnderstood, assigned, listed, none_of

HEADS = {"weapon": Weapon.TABLE, "vehicle": Vehicle.TABLE}
AMMUNITION = "ammunition"


@value
class Figure:
    """A figure and its source, in words."""

    value: Any
    source: str


@value
class CatalogueType:
    """A type in a catalogue. `nation` None: either side's. `called` are other spellings."""

    table: str
    type: str
    nation: Side | None = None
    kind: WeaponKind | None = None
    called: tuple[str, ...] = ()
    figures: Mapping[str, Figure] = field(default_factory=dict)
    ammunition: Figure | None = None

    def is_called(self, name: str) -> bool:
        return name == self.type or name in self.called

    def is_of(self, table: str, nation: Side, type_: str) -> bool:
        """Whether it describes a type of counter that a side made."""
        named = self.is_called(type_) or (self.is_part and names_of(type_)[-1] == self.type)
        return self.table == table and self.nation in (None, nation) and named

    @property
    def key(self) -> tuple[str, Side | None, str]:
        """What no two types of a catalogue share."""
        return self.table, self.nation, self.type

    @property
    def is_part(self) -> bool:
        """Whether it is the armament of a vehicle."""
        return self.kind is WeaponKind.VEHICULAR


def read_catalogue(path: Path) -> tuple[CatalogueType, ...]:
    """Reads a catalogue. Raises Refused with everything that is wrong in it."""
    with foreign(path, "a catalogue in TOML"):
        data = tomllib.loads(read_bytes(path).decode())
    reading = CardReading(path.name, data)
    named = reading.root.maybe_section("sources")
    sources = {key: named.text(key) for key in named.names()} if named is not None else {}
    rows = [
        (head, row)
        for head in HEADS
        if reading.root.has(head)
        for row in reading.root.sections(head)
    ]
    found = tuple(_type(head, row, sources) for head, row in rows)
    reading.finish()
    return found


def _type(head: str, row: TomlSection, sources: Mapping[str, str]) -> CatalogueType:
    name = row.text("type")
    row.path = f"{head} {name}" if name else row.path
    known = FIGURES[HEADS[head]]
    return CatalogueType(
        table=HEADS[head],
        type=name,
        nation=row.one_of("nation", Side) if row.has("nation") else None,
        kind=row.one_of("kind", WeaponKind) if row.has("kind") else None,
        called=row.maybe_texts("called"),
        figures={
            key: _figure(row, key, known[key].shape.read, sources)
            for key in known  # in their order: the same in every run
            if row.has(key)
        },
        ammunition=_figure(row, AMMUNITION, _texts, sources) if row.has(AMMUNITION) else None,
    )


def _figure(
    row: TomlSection, key: str, read: Callable[[Any], Any], sources: Mapping[str, str]
) -> Figure:
    """A figure with its source in words; a source may be a key of `sources`."""
    found = row.value(key)
    if not isinstance(found, list) or len(found) != 2 or not isinstance(found[1], str):
        row.bad(key, found, "[figure, its source]")
        return Figure(None, "")
    try:
        return Figure(read(found[0]), sources.get(found[1], found[1]))
    except ValueError as error:
        row.note(key, str(error))
        return Figure(None, "")


def _texts(found: Any) -> tuple[str, ...]:
    if isinstance(found, list) and all(isinstance(each, str) for each in found):
        return tuple(found)
    raise not_allowed(found, "a list of texts")


# --- written --------------------------------------------------------------------------------------


def written(types: Iterable[CatalogueType]) -> str:
    """A catalogue as TOML, which `read_catalogue` reads."""
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
    """A text, number, flag or list of texts in TOML: as JSON has it, but for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


# --- the player's own -----------------------------------------------------------------------------


READ_OFF = "read off the counter by the player"


def own_path() -> Path:
    """The file of the player's own catalogue; it may not exist yet."""
    return user_data_path("brt-cg") / "catalogue.toml"


def own_types() -> tuple[CatalogueType, ...]:
    """The player's own types. Raises Refused if his file cannot be used."""
    path = own_path()
    return read_catalogue(path) if path.is_file() else ()


def keep(types: Iterable[CatalogueType]) -> None:
    """Writes the player's own catalogue. Raises OSError."""
    own_path().parent.mkdir(parents=True, exist_ok=True)
    write_whole(own_path(), written(types))


def learn(table: str, nation: Side, type_: str, name: str, value: Any) -> None:
    """Keeps a figure that the player has read off a counter. Raises Refused and OSError."""
    keep(
        joined(own_types(), [CatalogueType(table, type_, nation, figures={name: read_off(value)})])
    )


def read_off(value: Any) -> Figure:
    return Figure(value, READ_OFF)


def joined(old: Iterable[CatalogueType], new: Iterable[CatalogueType]) -> list[CatalogueType]:
    """Two lists of types as one; where both know a figure, the newer one counts."""
    found = {each.key: each for each in old}
    for each in new:
        before = found.get(each.key)
        found[each.key] = each if before is None else _merged(before, each)
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


def edited(
    table: str, nation: Side | None, type_: str, assignments: Iterable[str]
) -> list[CatalogueType]:
    """The player's own catalogue with FIELD=VALUE set for a type; an empty VALUE forgets a figure.
    Raises Refused."""
    known = FIGURES[table]
    own = list(own_types())
    before = next((each for each in own if each.key == (table, nation, type_)), None)
    figures = dict(before.figures) if before else {}
    ammunition = before.ammunition if before else None
    kind = before.kind if before else None
    for assignment in assignments:
        try:
            name, text = assigned(assignment)
            if name == "kind" and text in list(WeaponKind):
                kind = WeaponKind(text)
            elif name == AMMUNITION:
                ammunition = read_off(tuple(text.replace(",", " ").split()))
            elif name not in known:
                raise none_of((*known, AMMUNITION), name, f"{name}: unknown field of {type_}")
            elif text.strip():
                figures[name] = read_off(known[name].shape.read(known[name].parse(text)))
            else:
                figures.pop(name, None)
        except ValueError as error:
            said = isinstance(error, NotUnderstood)
            raise Refused(error if said else f"{assignment}: {error}") from None
    called = before.called if before else ()
    after = CatalogueType(table, type_, nation, kind, called, figures, ammunition)
    return [each for each in own if each is not before] + [after]


# --- in words -------------------------------------------------------------------------------------


def lines_of(each: CatalogueType) -> Iterator[str]:
    """A type in lines: its name and side, then a line for each figure with its source."""
    whose = "both sides" if each.nation is None else each.nation.label
    called = f"; also called {listed(each.called)}" if each.called else ""
    yield f"{each.type} · {whose}{called}"
    for name, label, printed, source in figures_of(each):
        yield f"    {label}: {printed}   ({name}; {source})"


def labels_of(table: str) -> dict[str, str]:
    """The labels of the figures of a table's types, by field."""
    known = {name: field.label for name, field in FIGURES[table].items()}
    return {**known, AMMUNITION: "special ammunition"}


def figures_of(each: CatalogueType) -> Iterator[tuple[str, str, str, str]]:
    """The figures of a type: the field, its label, the value in words, and the source."""
    known, labels = FIGURES[each.table], labels_of(each.table)
    for name, figure in each.figures.items():
        yield name, labels[name], known[name].worded(figure.value), figure.source
    if each.ammunition is not None:
        had = listed(each.ammunition.value)
        yield AMMUNITION, labels[AMMUNITION], had, each.ammunition.source
