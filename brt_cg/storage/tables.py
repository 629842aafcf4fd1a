"""The tables of a campaign file: the journal, and one table per kind of record, field by field.

Only the journal is truth. The other tables are written beside it for lists, filters and anyone's
SQL. Table classes validate nothing, so the CHECKs here are the second wall after the records.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, Column, Enum, ForeignKey, Integer, MetaData, Text
from sqlmodel import Field, SQLModel

from brt_cg.counters import (
    Class,
    Fate,
    Fire,
    Kind,
    Material,
    PathfinderState,
    Side,
    Strength,
    TerrainKind,
    WeaponKind,
)
from brt_cg.records import Phase

NAMING = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ix": "ix_%(table_name)s_%(column_0_name)s",
}

SQLModel.metadata.naming_convention = NAMING
metadata: MetaData = SQLModel.metadata


# --- columns ----------------------------------------------------------------------------------


def _key() -> Any:
    return Field(sa_column=Column(Text, primary_key=True))


def _text() -> Any:
    return Field(sa_column=Column(Text, nullable=False))


def _maybe_text() -> Any:
    return Field(sa_column=Column(Text))


def _number() -> Any:
    return Field(sa_column=Column(Integer, nullable=False))


def _maybe_number() -> Any:
    return Field(sa_column=Column(Integer))


def _entry_number(*references: ForeignKey) -> Any:
    # Never AUTOINCREMENT: an entry's number is part of what is hashed.
    return Field(sa_column=Column(Integer, *references, primary_key=True, autoincrement=False))


def _flag(name: str) -> Any:
    return Field(sa_column=Column(Integer, _zero_or_one(name), nullable=False))


def _maybe_flag(name: str) -> Any:
    return Field(sa_column=Column(Integer, _zero_or_one(name)))


def _zero_or_one(name: str) -> CheckConstraint:
    return CheckConstraint(f"{name} IN (0, 1)", name=name)


def _one_of(kind: type[StrEnum], name: str) -> Any:
    return Field(sa_column=Column(name, _words_of(kind, name), nullable=False))


def _maybe_one_of(kind: type[StrEnum], name: str) -> Any:
    return Field(sa_column=Column(name, _words_of(kind, name)))


def _words_of(kind: type[StrEnum], name: str) -> Enum:
    return Enum(kind, values_callable=_values, native_enum=False, create_constraint=True, name=name)


def _values(kind: Iterable[StrEnum]) -> list[str]:
    return [one.value for one in kind]


# --- the journal ------------------------------------------------------------------------------


class JournalRow(SQLModel, table=True):
    """One appended entry: `payload` canonical JSON, `hash` of the chain, `said` its sentences."""

    __tablename__ = "journal"

    seq: int = _entry_number()
    payload: str = _text()
    hash: str = _text()
    said: str = _text()


class DieRollRow(SQLModel, table=True):
    """A roll that stands: `seq` its entry, `dice` "3,4", `modifiers` JSON [[amount, reason]],
    `row` the key of the table row that its Final hit."""

    __tablename__ = "die_rolls"

    seq: int = _entry_number(ForeignKey("journal.seq"))
    date: str = _text()
    rule: str = _text()
    subject: str = _text()
    position: int = _number()
    dice: str = _text()
    modifiers: str = _text()
    original: int = _number()
    final: int = _number()
    row: str = _text()


# --- the records, one column per field --------------------------------------------------------


class CampaignRow(SQLModel, table=True):
    """The campaign itself: one row. Lists are JSON."""

    __tablename__ = "campaign"

    id: str = _key()
    cg: str = _text()
    name: str | None = _maybe_text()
    phase: Phase = _one_of(Phase, "phase")
    date: str = _text()
    ended: str | None = _maybe_text()
    initial: int = _flag("initial")
    paragraph: str | None = _maybe_text()
    done: str | None = _maybe_text()
    winner: Side | None = _maybe_one_of(Side, "winner")
    moved_first: Side | None = _maybe_one_of(Side, "moved_first")
    first_setup: Side | None = _maybe_one_of(Side, "first_setup")
    first_move: Side | None = _maybe_one_of(Side, "first_move")
    turns: str | None = _maybe_text()
    massacre: int = _flag("massacre")
    nights_without_scenario: int = _number()
    pillbox_vp: int = _number()
    banzai: int | None = _maybe_flag("banzai")
    perimeters: str = _text()
    buying: str = _text()
    victor: Side | None = _maybe_one_of(Side, "victor")


class SideRow(SQLModel, table=True):
    """A side's totals."""

    __tablename__ = "sides"

    id: str = _key()
    player: str | None = _maybe_text()
    san: int = _number()
    announced_san: int = _number()
    elr: int = _number()
    cvp: int = _number()
    cvp_before: int = _number()


class AreaRow(SQLModel, table=True):
    """A Setup Area (15.6071)."""

    __tablename__ = "setup_areas"

    id: str = _key()
    side: Side = _one_of(Side, "side")
    hexes: str = _text()


class UnitRow(SQLModel, table=True):
    """A unit."""

    __tablename__ = "units"

    id: str = _key()
    location: str | None = _maybe_text()
    fate: Fate = _one_of(Fate, "fate")
    became: str | None = _maybe_text()
    name: str | None = _maybe_text()
    purchase: str | None = _maybe_text()
    unseen: int = _flag("unseen")
    side: Side = _one_of(Side, "side")
    status: str = _text()
    setup_area: str | None = _maybe_text()
    isolated: int = _flag("isolated")
    recorded_location: str | None = _maybe_text()
    kind: Kind = _one_of(Kind, "kind")
    type: str = _text()
    class_: Class | None = _maybe_one_of(Class, "class")
    strength: Strength = _one_of(Strength, "strength")
    traits: str = _text()
    aboard: str | None = _maybe_text()
    guard: str | None = _maybe_text()


class WeaponRow(SQLModel, table=True):
    """A support weapon, a Gun, or a vehicle's armament."""

    __tablename__ = "weapons"

    id: str = _key()
    location: str | None = _maybe_text()
    fate: Fate = _one_of(Fate, "fate")
    became: str | None = _maybe_text()
    name: str | None = _maybe_text()
    purchase: str | None = _maybe_text()
    unseen: int = _flag("unseen")
    side: Side = _one_of(Side, "side")
    status: str = _text()
    setup_area: str | None = _maybe_text()
    isolated: int = _flag("isolated")
    recorded_location: str | None = _maybe_text()
    kind: WeaponKind = _one_of(WeaponKind, "kind")
    type: str = _text()
    nation: Side = _one_of(Side, "nation")
    possessor: str | None = _maybe_text()
    vehicle: str | None = _maybe_text()
    main_armament: int = _flag("main_armament")
    repair_number: int = _number()
    pp: int | None = _maybe_number()
    depleted: str = _text()
    non_qualified_use_only: int = _flag("non_qualified_use_only")


class VehicleRow(SQLModel, table=True):
    """A vehicle."""

    __tablename__ = "vehicles"

    id: str = _key()
    location: str | None = _maybe_text()
    fate: Fate = _one_of(Fate, "fate")
    became: str | None = _maybe_text()
    name: str | None = _maybe_text()
    purchase: str | None = _maybe_text()
    unseen: int = _flag("unseen")
    side: Side = _one_of(Side, "side")
    status: str = _text()
    setup_area: str | None = _maybe_text()
    isolated: int = _flag("isolated")
    recorded_location: str | None = _maybe_text()
    type: str = _text()
    nation: Side = _one_of(Side, "nation")
    armored: int = _flag("armored")
    best_af: int = _number()
    armor_leader: str | None = _maybe_text()
    pathfinder: PathfinderState = _one_of(PathfinderState, "pathfinder")
    amphibious: int = _flag("amphibious")
    inherent_crew: int = _flag("inherent_crew")
    crew_survival: int | None = _maybe_number()
    bulldozer: int = _flag("bulldozer")
    non_qualified_use_only: int = _flag("non_qualified_use_only")
    cvp: int = _number()


class FortificationRow(SQLModel, table=True):
    """A fortification."""

    __tablename__ = "fortifications"

    id: str = _key()
    location: str | None = _maybe_text()
    fate: Fate = _one_of(Fate, "fate")
    became: str | None = _maybe_text()
    name: str | None = _maybe_text()
    purchase: str | None = _maybe_text()
    unseen: int = _flag("unseen")
    side: Side = _one_of(Side, "side")
    type: str = _text()
    exit: str | None = _maybe_text()
    covered_arc: str = _text()
    hidden: int = _flag("hidden")
    capacity: int | None = _maybe_number()
    ca_tem: int | None = _maybe_number()
    nca_tem: int | None = _maybe_number()
    controller: Side | None = _maybe_one_of(Side, "controller")


class TerrainRow(SQLModel, table=True):
    """A building Location, rubble, a collapsed tower or an obstacle."""

    __tablename__ = "terrain"

    id: str = _key()
    location: str | None = _maybe_text()
    fate: Fate = _one_of(Fate, "fate")
    became: str | None = _maybe_text()
    name: str | None = _maybe_text()
    purchase: str | None = _maybe_text()
    unseen: int = _flag("unseen")
    kind: TerrainKind = _one_of(TerrainKind, "kind")
    material: Material | None = _maybe_one_of(Material, "material")
    building: str | None = _maybe_text()
    fire: Fire | None = _maybe_one_of(Fire, "fire")


class PurchaseRow(SQLModel, table=True):
    """A purchase, a draft of one, or the voiding of one (15.614)."""

    __tablename__ = "purchases"

    id: str = _key()
    date: str = _text()
    side: Side = _one_of(Side, "side")
    beach: str | None = _maybe_text()
    points: str = _text()
    item: str = _text()
    quantity: int = _number()
    unit_cost: int = _number()
    total: int = _number()
    exponent: int = _number()
    location: str | None = _maybe_text()
    exit: str | None = _maybe_text()
    covered_arc: str = _text()
    capacity: int = _number()
    entered_by: str | None = _maybe_text()
    entered_at: str | None = _maybe_text()
    initial: int = _flag("initial")
    draft: int = _flag("draft")
    voids: str | None = _maybe_text()
    reason: str | None = _maybe_text()
    created: str = _text()


class AllotmentRow(SQLModel, table=True):
    """Points to spend, of the card or granted later."""

    __tablename__ = "allotments"

    id: str = _key()
    side: Side = _one_of(Side, "side")
    beach: str | None = _maybe_text()
    date: str | None = _maybe_text()
    gpp: int = _number()
    capp: int = _number()
    exponent: int = _number()
    fpp: int = _number()
    credited: int = _flag("credited")


class RulingRow(SQLModel, table=True):
    """A ruling in force."""

    __tablename__ = "rulings"

    id: str = _key()
    value: str = _text()
