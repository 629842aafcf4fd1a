"""The player's own catalogue: what he has read off his counters, in his data folder."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from brt_cg.card.printed import FIGURES
from brt_cg.catalogue.reading import AMMUNITION, CatalogueType, Figure, read_catalogue, written
from brt_cg.files import write_whole
from brt_cg.model.counters import Side, WeaponKind
from brt_cg.questions.answers import Refused
from brt_cg.text import NotUnderstood, assigned, none_of

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
    found = {_key(each): each for each in old}
    for each in new:
        before = found.get(_key(each))
        found[_key(each)] = each if before is None else _merged(before, each)
    return list(found.values())


def _key(each: CatalogueType) -> tuple[str, Side | None, str]:
    return each.table, each.nation, each.type


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
    before = next((each for each in own if _key(each) == (table, nation, type_)), None)
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
