"""The fields of the counters in a state file: their shapes, and what they are when left out.

`FIELDS` is the whole contract at a glance, by list and by the name that a file uses.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from brt_cg.commands.shapes import Arc, Flag, Id, Many, Number, One, Place, Shape, Text
from brt_cg.counters import (
    TRAITS,
    UNIT_STATUS,
    VEHICLE_STATUS,
    WEAPON_STATUS,
    Class,
    Counter,
    Fate,
    Fire,
    Fortification,
    Kind,
    Material,
    PathfinderState,
    Side,
    Strength,
    Terrain,
    TerrainKind,
    Unit,
    Vehicle,
    Weapon,
    WeaponKind,
)

KINDS: tuple[type[Counter], ...] = (Unit, Weapon, Vehicle, Fortification, Terrain)
LISTS: Mapping[str, type[Counter]] = MappingProxyType({kind.TABLE: kind for kind in KINDS})


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its name in files, its shape, and its value when it is left out or null.

    `kept`: left out for a counter that the campaign knows, it stays what it was, for it says what
    the counter is and not how it fares.
    """

    name: str
    shape: Shape
    default: Any = None
    required: bool = False
    kept: bool = False

    @property
    def attribute(self) -> str:
        return "class_" if self.name == "class" else self.name


def _required(name: str, shape: Shape) -> Field:
    return Field(name, shape, required=True)


def _flag(name: str, default: bool = False) -> Field:
    return Field(name, Flag(), default)


def _number(name: str, low: int = 0, high: int = 99, default: int | None = 0) -> Field:
    return Field(name, Number(low, high), default)


def _fixed(name: str, shape: Shape, default: Any = None) -> Field:
    return Field(name, shape, default, kept=True)


_COUNTER = (
    Field("fate", One(Fate), Fate.IN_PLAY),
    _fixed("became", Id()),
    _fixed("name", Text()),
    _fixed("purchase", Id()),
    _flag("unseen"),
)
_PIECE = (
    Field("location", Place()),
    _required("side", One(Side)),
    Field("setup_area", Id()),
    _flag("isolated"),
    Field("recorded_location", Place()),
    *_COUNTER,
)
_UNIT = (
    _required("kind", One(Kind)),
    Field("type", Text()),
    Field("class", One(Class)),
    Field("strength", One(Strength), Strength.FULL),
    Field("traits", Many(TRAITS), ()),
    Field("status", Many(UNIT_STATUS), ()),
    Field("aboard", Id()),
    Field("guard", Id()),
)
_WEAPON = (
    _required("kind", One(WeaponKind)),
    _required("type", Text()),
    Field("nation", One(Side)),
    Field("possessor", Id()),
    _fixed("vehicle", Id()),
    _flag("main_armament"),
    Field("status", Many(WEAPON_STATUS), ()),
    _number("repair_number"),
    _fixed("pp", Number(0, 99)),
    Field("depleted", Many(), ()),
    _flag("non_qualified_use_only"),
)
_VEHICLE = (
    _required("type", Text()),
    Field("nation", One(Side)),
    _flag("armored", True),
    _number("best_af"),
    Field("armor_leader", Text()),
    Field("pathfinder", One(PathfinderState), PathfinderState.NONE),
    _flag("amphibious"),
    _flag("inherent_crew", True),
    _fixed("crew_survival", Number(0, 12)),
    _flag("bulldozer"),
    _flag("non_qualified_use_only"),
    _number("cvp"),
    Field("status", Many(VEHICLE_STATUS), ()),
)
_FORTIFICATION = (
    Field("location", Place(hexside=True)),
    _required("side", One(Side)),
    _required("type", Text()),
    _fixed("exit", Place()),
    _fixed("covered_arc", Arc(), ()),
    _flag("hidden"),
    _fixed("capacity", Number(0, 99)),
    _fixed("ca_tem", Number(-9, 99)),
    _fixed("nca_tem", Number(-9, 99)),
    Field("controller", One(Side)),
)
_TERRAIN = (
    Field("location", Place()),
    _required("kind", One(TerrainKind)),
    _fixed("material", One(Material)),
    _fixed("building", Id()),
    Field("fire", One(Fire)),
)


def _named(*fields: Field) -> Mapping[str, Field]:
    return MappingProxyType({field.name: field for field in fields})


FIELDS: Mapping[str, Mapping[str, Field]] = MappingProxyType(
    {
        "units": _named(_required("id", Id()), *_UNIT, *_PIECE),
        "weapons": _named(_required("id", Id()), *_WEAPON, *_PIECE),
        "vehicles": _named(_required("id", Id()), *_VEHICLE, *_PIECE),
        "fortifications": _named(_required("id", Id()), *_FORTIFICATION, *_COUNTER),
        "terrain": _named(_required("id", Id()), *_TERRAIN, *_COUNTER),
    }
)

# `san`, `elr` and `cvp` are what a state must say of a side; the others come with an export.
SIDE_FIELDS = _named(
    _required("san", Number(0, 7)),
    _required("elr", Number(0, 10)),
    _required("cvp", Number()),
    Field("cvp_before", Number()),
    Field("announced_san", Number(0, 7)),
    Field("player", Text()),
)
FACT_FIELDS = _named(
    _flag("massacre"),
    Field("nights_without_scenario", Number(0, 9), 0),
    Field("pillbox_vp", Number(), 0),
)
SCENARIO_FIELDS = _named(
    _required("date", Text()),
    Field("winner", One(Side)),
    Field("moved_first", One(Side)),
)
