"""The catalog of types: the printed values of weapons, Guns and vehicles, each with its source; the
player's own catalog takes priority over the shipped one. A catalog only suggests values. A value
enters a campaign with the entry that creates the counter, or as an answer; nothing that plays,
replays or forecasts reads a catalog. The audit, and `explain`, compare players' values with the
shipped ones."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from brt_cg import resources
from brt_cg.card import PrintedType, differing_figures
from brt_cg.catalogue.types import CatalogueType, own_catalogue_path, read_catalogue
from brt_cg.model import Counter, Side, Vehicle, Weapon
from brt_cg.text import nearest_name

SHIPPED = "catalogue.toml"
TABLES = (Weapon.TABLE, Vehicle.TABLE)


@dataclass(frozen=True)
class Catalogue:
    """The types that a player's program knows: `own`, read off the counters, take priority over
    those that are `shipped`."""

    own: tuple[CatalogueType, ...] = ()
    shipped: tuple[CatalogueType, ...] = ()

    @cached_property
    def all_types(self) -> tuple[CatalogueType, ...]:
        return (*self.own, *self.shipped)

    def find_entries(self, table: str, nation: Side, type_: str) -> Iterator[CatalogueType]:
        """Yield the entries for a type of counter that a side made, the player's own first; an
        exact name comes before similar ones."""
        found = [each for each in self.all_types if each.matches(table, nation, type_)]
        return iter(sorted(found, key=lambda each: not each.is_called(type_)))

    def printed_type(self, table: str, nation: Side, type_: str) -> PrintedType | None:
        """Return everything known about a type, under the requested name; None if nothing is
        known."""
        found = [*self.find_entries(table, nation, type_)]
        if not found:
            return None
        figures = {
            name: figure.value for each in reversed(found) for name, figure in each.figures.items()
        }
        ammunition = next((each.ammunition for each in found if each.ammunition is not None), None)
        had = None if ammunition is None else ammunition.value
        shipped = self._otherwise(table, nation, type_, figures)
        return PrintedType(table, type_, nation, figures, had, shipped)

    def _otherwise(
        self, table: str, nation: Side, type_: str, figures: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the shipped catalog's values for a type, if they differ."""
        shipped = (
            Catalogue(shipped=self.shipped).printed_type(table, nation, type_) if self.own else None
        )
        due = shipped.figures if shipped is not None else {}
        return {name: value for name, value in due.items() if value != figures[name]}

    def type_names(self, table: str, side: Side) -> list[str]:
        """Return the names of the types that a side has, to pick from or complete."""
        mine = (
            each for each in self.all_types if each.table == table and each.nation in (None, side)
        )
        return list(dict.fromkeys(each.type for each in mine if not each.is_vehicle_armament))

    def find_by_name(self, text: str, side: Side) -> CatalogueType | None:
        """Return the type of a side, in any table, with that name, ignoring capitals and spaces."""
        mine = self._by_name(side)
        return mine.get(normalize_name(text))

    def nearest_name(self, text: str, side: Side) -> str | None:
        """Return the type of a side whose name is most like the text, or None. A number in the
        text, such as a caliber, must also be in the name."""
        numbers = _numbers(text)
        mine = {
            name: each
            for name, each in self._by_name(side).items()
            if not each.is_vehicle_armament and numbers <= _numbers(name)
        }
        close = nearest_name(normalize_name(text), mine)
        return None if close is None else mine[close].type

    def _by_name(self, side: Side) -> dict[str, CatalogueType]:
        mine = [each for each in self.all_types if each.nation in (None, side)]
        found: dict[str, CatalogueType] = {}
        for each in mine:
            found.setdefault(normalize_name(each.type), each)
        for each in mine:
            for name in each.called:
                found.setdefault(normalize_name(name), each)
        return found


def normalize_name(name: str) -> str:
    """Return a name without capitals and spaces, so that a player need not type these correctly."""
    return "".join(name.casefold().split())


def _numbers(name: str) -> set[str]:
    """Return the numbers of two digits or more in a name."""
    return set(re.findall(r"\d{2,}", name))


def load_catalogue() -> Catalogue:
    """Return the player's catalog and the shipped one, either empty if its file is missing. Raises
    RefusedError if a file cannot be used."""
    return Catalogue(_listed(own_catalogue_path()), load_shipped_catalogue().shipped)


def load_shipped_catalogue() -> Catalogue:
    """Return the shipped catalog alone, for comparing any player's values with it."""
    return Catalogue(shipped=_listed(resources.game_data_folder() / SHIPPED))


def differences_from_shipped(
    counter: Counter, catalogue: Catalogue | None = None
) -> list[tuple[str, str, str]]:
    """Return the values of a counter that differ from those shipped for its type: the label, the
    value and the shipped one, in words. For many counters, give the shipped catalog."""
    if not isinstance(counter, Weapon | Vehicle):
        return []
    shipped = load_shipped_catalogue() if catalogue is None else catalogue
    found = shipped.printed_type(counter.TABLE, counter.nation, counter.type)
    return [] if found is None else [*differing_figures(counter, counter.TABLE, found.figures)]


def _listed(path: Path) -> tuple[CatalogueType, ...]:
    if not path.is_file():
        return ()
    found = path.stat()
    return _read_catalogue(path, (found.st_ino, found.st_mtime_ns, found.st_size))


@lru_cache(maxsize=4)
def _read_catalogue(path: Path, _: tuple[int, ...]) -> tuple[CatalogueType, ...]:
    """Read a file once, and again when it has changed: every command that adds counters needs
    it."""
    return read_catalogue(path)
