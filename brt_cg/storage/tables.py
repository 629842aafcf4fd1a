"""The tables of a campaign: the journal, and one table per kind of record, field by field.

Only the journal is original; the other tables are written beside it for lists, filters and anyone's
SQL. The tables check little, so the CHECKs here are a second check after the records'. A list in a
field stands as JSON, a truth value as 0 or 1.
"""

from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, Column, Enum, Integer, MetaData, Text
from sqlmodel import Field, SQLModel

from brt_cg.model import fields
from brt_cg.model.counters import (
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
from brt_cg.model.records import TABLES, Lost, Phase

NAMING = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ix": "ix_%(table_name)s_%(column_0_name)s",
}

SQLModel.metadata.naming_convention = NAMING
metadata: MetaData = SQLModel.metadata


def text(**more: Any) -> Any:
    """A text of any length."""
    return Field(sa_type=Text, **more)


def one_of(words: type[StrEnum], name: str) -> Any:
    """One of some words, in the column of this name."""
    kind = Enum(*words, native_enum=False, create_constraint=True, name=name)
    return Field(sa_type=kind, sa_column_kwargs={"name": name})


def flag(name: str) -> Any:
    """0 or 1, in the column of this name."""
    check = CheckConstraint(f"{name} IN (0, 1)", name=name)
    return Field(sa_type=Integer, sa_column_args=(check,))


def entry_number(**more: Any) -> Any:
    """The number of an entry. Never AUTOINCREMENT: it is hashed with the entry."""
    return Field(primary_key=True, sa_column_kwargs={"autoincrement": False}, **more)


class JournalRow(SQLModel, table=True):
    """One appended entry: `payload` canonical JSON, `hash` of the chain, `said` its sentences."""

    __tablename__ = "journal"

    seq: int = entry_number()
    payload: str = text()
    hash: str = text()
    said: str = text()


class DieRollRow(SQLModel, table=True):
    """A roll that is not undone: `seq` its entry, `dice` "3,4", `modifiers` [[amount, reason]] as
    JSON, `row` the key of the table row that its Final hit."""

    __tablename__ = "die_rolls"

    seq: int = entry_number(foreign_key="journal.seq")
    date: str = text()
    rule: str = text()
    subject: str = text()
    position: int
    dice: str = text()
    modifiers: str = text()
    original: int
    final: int
    row: str = text()


class CampaignRow(SQLModel, table=True):
    __tablename__ = "campaign"

    id: str = text(primary_key=True)
    cg: str = text()
    name: str | None = text()
    phase: Phase = one_of(Phase, "phase")
    date: str = text()
    ended: str | None = text()
    initial: bool = flag("initial")
    paragraph: str | None = text()
    done: str | None = text()
    winner: Side | None = one_of(Side, "winner")
    moved_first: Side | None = one_of(Side, "moved_first")
    first_setup: Side | None = one_of(Side, "first_setup")
    first_move: Side | None = one_of(Side, "first_move")
    turns: str | None = text()
    massacre: bool = flag("massacre")
    nights_without_scenario: int
    pillbox_vp: int
    banzai: bool | None = flag("banzai")
    perimeters: str = text()
    buying: str = text()
    victor: Side | None = one_of(Side, "victor")
    pillbox_vp_so_far: int | None
    said_winner: Side | None = one_of(Side, "said_winner")
    overruled: str | None = text()


class SideRow(SQLModel, table=True):
    __tablename__ = "sides"

    id: str = text(primary_key=True)
    player: str | None = text()
    san: int
    announced_san: int
    elr: int
    cvp: int
    cvp_before: int


class SetupAreaRow(SQLModel, table=True):
    __tablename__ = "setup_areas"

    id: str = text(primary_key=True)
    side: Side = one_of(Side, "side")
    hexes: str = text()


class CounterRow(SQLModel):
    """What every counter has but for flags, whose CHECK belongs to one table."""

    id: str = text(primary_key=True)
    location: str | None = text()
    fate: Fate = one_of(Fate, "fate")
    became: str | None = text()
    name: str | None = text()
    purchase: str | None = text()


class PieceRow(CounterRow):
    """What every unit, weapon and vehicle has."""

    side: Side = one_of(Side, "side")
    status: str = text()
    setup_area: str | None = text()
    recorded_location: str | None = text()


class UnitRow(PieceRow, table=True):
    __tablename__ = "units"

    unseen: bool = flag("unseen")
    isolated: bool = flag("isolated")
    kind: Kind = one_of(Kind, "kind")
    type: str = text()
    class_: Class | None = one_of(Class, "class")
    strength: Strength = one_of(Strength, "strength")
    traits: str = text()
    aboard: str | None = text()
    guard: str | None = text()


class WeaponRow(PieceRow, table=True):
    __tablename__ = "weapons"

    unseen: bool = flag("unseen")
    isolated: bool = flag("isolated")
    kind: WeaponKind = one_of(WeaponKind, "kind")
    type: str = text()
    nation: Side = one_of(Side, "nation")
    possessor: str | None = text()
    vehicle: str | None = text()
    main_armament: bool = flag("main_armament")
    repair_number: int | None
    pp: int | None
    depleted: str = text()
    non_qualified_use_only: bool = flag("non_qualified_use_only")


class VehicleRow(PieceRow, table=True):
    __tablename__ = "vehicles"

    unseen: bool = flag("unseen")
    isolated: bool = flag("isolated")
    type: str = text()
    nation: Side = one_of(Side, "nation")
    armored: bool = flag("armored")
    best_af: int | None
    armor_leader: str | None = text()
    pathfinder: PathfinderState = one_of(PathfinderState, "pathfinder")
    amphibious: bool | None = flag("amphibious")
    inherent_crew: bool = flag("inherent_crew")
    crew_survival: int | None
    bulldozer: bool = flag("bulldozer")
    non_qualified_use_only: bool = flag("non_qualified_use_only")
    cvp: int


class FortificationRow(CounterRow, table=True):
    __tablename__ = "fortifications"

    unseen: bool = flag("unseen")
    side: Side = one_of(Side, "side")
    type: str = text()
    exit: str | None = text()
    covered_arc: str = text()
    hidden: bool = flag("hidden")
    capacity: int | None
    ca_tem: int | None
    nca_tem: int | None
    controller: Side | None = one_of(Side, "controller")
    fell: str | None = text()


class TerrainRow(CounterRow, table=True):
    __tablename__ = "terrain"

    unseen: bool = flag("unseen")
    kind: TerrainKind = one_of(TerrainKind, "kind")
    material: Material | None = one_of(Material, "material")
    building: str | None = text()
    fire: Fire | None = one_of(Fire, "fire")


class PurchaseRow(SQLModel, table=True):
    __tablename__ = "purchases"

    id: str = text(primary_key=True)
    date: str = text()
    side: Side = one_of(Side, "side")
    beach: str | None = text()
    points: str = text()
    item: str = text()
    quantity: int
    unit_cost: int
    total: int
    exponent: int
    location: str | None = text()
    exit: str | None = text()
    covered_arc: str = text()
    capacity: int
    entered_by: str | None = text()
    entered_at: str | None = text()
    initial: bool = flag("initial")
    draft: bool = flag("draft")
    voids: str | None = text()
    reason: str | None = text()
    created: str = text()


class AllotmentRow(SQLModel, table=True):
    __tablename__ = "allotments"

    id: str = text(primary_key=True)
    side: Side = one_of(Side, "side")
    beach: str | None = text()
    date: str | None = text()
    gpp: int
    capp: int
    exponent: int
    fpp: int
    credited: bool = flag("credited")


class RulingRow(SQLModel, table=True):
    __tablename__ = "rulings"

    id: str = text(primary_key=True)
    value: str = text()


class ArrivalRow(SQLModel, table=True):
    __tablename__ = "arrivals"

    id: str = text(primary_key=True)
    side: Side = one_of(Side, "side")
    date: str = text()
    wave: str | None = text()
    lines: str = text()
    state: str = text()
    entered: bool = flag("entered")


class CasualtyRow(SQLModel, table=True):
    __tablename__ = "casualties"

    id: str = text(primary_key=True)
    side: Side = one_of(Side, "side")
    points: int
    how: Lost = one_of(Lost, "how")
    counter: str | None = text()
    date: str | None = text()
    rule: str = text()
    ruling: str | None = text()
    reason: str | None = text()
    secret: Side | None = one_of(Side, "secret")
    open: bool = flag("open")


# --- fields that no class above names -------------------------------------------------------------


def _column(of: fields.Field) -> Column[Any]:
    """The column that follows from the declaration of a field."""
    name, holds = of.name, of.holds
    if issubclass(holds, StrEnum):
        words = Enum(*holds, native_enum=False, create_constraint=True, name=name)
        return Column(name, words, nullable=of.optional)
    if holds is bool:
        check = CheckConstraint(f"{name} IN (0, 1)", name=name)
        return Column(name, Integer, check, nullable=of.optional)
    return Column(name, Text if holds in (str, tuple) else Integer, nullable=of.optional)


for kind in TABLES:
    for field in fields.declared(kind):
        if field.name not in metadata.tables[kind.TABLE].columns:
            metadata.tables[kind.TABLE].append_column(_column(field))
