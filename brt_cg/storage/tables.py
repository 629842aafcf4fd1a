"""The tables of a campaign: the journal, and one table per kind of record, field by field.

Only the journal is original; the other tables are written in addition, for lists, filters and
anyone's SQL queries. The few CHECKs here are a second line of defense after the checks of the
records. A list in a field is stored as JSON, a truth value as 0 or 1.
"""

from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, Column, Enum, Integer, MetaData, Text
from sqlmodel import Field, SQLModel

from brt_cg.model import (
    TABLES,
    Fate,
    Fire,
    LossKind,
    Material,
    PathfinderState,
    Phase,
    Side,
    TerrainKind,
    UnitClass,
    UnitKind,
    UnitStrength,
    WeaponKind,
    fields,
)

NAMING = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ix": "ix_%(table_name)s_%(column_0_name)s",
}

SQLModel.metadata.naming_convention = NAMING
metadata: MetaData = SQLModel.metadata


def text_column(**more: Any) -> Any:
    """Return a column for text of any length."""
    return Field(sa_type=Text, **more)


def word_column(words: type[StrEnum], name: str) -> Any:
    """Return the constraint that a column of this name contains one of these words."""
    kind = Enum(*words, native_enum=False, create_constraint=True, name=name)
    return Field(sa_type=kind, sa_column_kwargs={"name": name})


def flag_column(name: str) -> Any:
    """Return the constraint that a column of this name contains 0 or 1."""
    check = CheckConstraint(f"{name} IN (0, 1)", name=name)
    return Field(sa_type=Integer, sa_column_args=(check,))


def entry_number_key_column(**more: Any) -> Any:
    """Return the column for the number of an entry. It is never AUTOINCREMENT: the number is hashed
    with the entry."""
    return Field(primary_key=True, sa_column_kwargs={"autoincrement": False}, **more)


class JournalRow(SQLModel, table=True):
    """One appended entry: `payload` canonical JSON, `hash` of the chain, `said` its sentences."""

    __tablename__ = "journal"

    seq: int = entry_number_key_column()
    payload: str = text_column()
    hash: str = text_column()
    said: str = text_column()


class DieRollRow(SQLModel, table=True):
    """A roll that is not undone: `seq` its entry, `dice` "3,4", `modifiers` [[amount, reason]] as
    JSON, `row` the key of the table row that its Final hit."""

    __tablename__ = "die_rolls"

    seq: int = entry_number_key_column(foreign_key="journal.seq")
    date: str = text_column()
    rule: str = text_column()
    subject: str = text_column()
    position: int
    dice: str = text_column()
    modifiers: str = text_column()
    original: int
    final: int
    row: str = text_column()


class CampaignRow(SQLModel, table=True):
    __tablename__ = "campaign"

    id: str = text_column(primary_key=True)
    cg: str = text_column()
    name: str | None = text_column()
    phase: Phase = word_column(Phase, "phase")
    date: str = text_column()
    ended: str | None = text_column()
    initial: bool = flag_column("initial")
    paragraph: str | None = text_column()
    done: str | None = text_column()
    winner: Side | None = word_column(Side, "winner")
    moved_first: Side | None = word_column(Side, "moved_first")
    first_setup: Side | None = word_column(Side, "first_setup")
    first_move: Side | None = word_column(Side, "first_move")
    turns: str | None = text_column()
    massacre: bool = flag_column("massacre")
    nights_without_scenario: int
    pillbox_vp: int
    banzai: bool | None = flag_column("banzai")
    perimeters: str = text_column()
    buying: str = text_column()
    victor: Side | None = word_column(Side, "victor")
    pillbox_vp_so_far: int | None
    said_winner: Side | None = word_column(Side, "said_winner")
    overruled: str | None = text_column()
    key: str | None = text_column()


class SideRow(SQLModel, table=True):
    __tablename__ = "sides"

    id: str = text_column(primary_key=True)
    player: str | None = text_column()
    san: int
    announced_san: int
    elr: int
    cvp: int
    cvp_before: int


class SetupAreaRow(SQLModel, table=True):
    __tablename__ = "setup_areas"

    id: str = text_column(primary_key=True)
    side: Side = word_column(Side, "side")
    hexes: str = text_column()


class CounterRow(SQLModel):
    """The columns of every counter except flags, whose CHECK belongs to one table."""

    id: str = text_column(primary_key=True)
    location: str | None = text_column()
    fate: Fate = word_column(Fate, "fate")
    became: str | None = text_column()
    name: str | None = text_column()
    purchase: str | None = text_column()


class PieceRow(CounterRow):
    """The columns of every unit, weapon and vehicle."""

    side: Side = word_column(Side, "side")
    status: str = text_column()
    setup_area: str | None = text_column()
    recorded_location: str | None = text_column()


class UnitRow(PieceRow, table=True):
    __tablename__ = "units"

    unseen: bool = flag_column("unseen")
    isolated: bool = flag_column("isolated")
    kind: UnitKind = word_column(UnitKind, "kind")
    type: str = text_column()
    class_: UnitClass | None = word_column(UnitClass, "class")
    strength: UnitStrength = word_column(UnitStrength, "strength")
    traits: str = text_column()
    aboard: str | None = text_column()
    guard: str | None = text_column()


class WeaponRow(PieceRow, table=True):
    __tablename__ = "weapons"

    unseen: bool = flag_column("unseen")
    isolated: bool = flag_column("isolated")
    kind: WeaponKind = word_column(WeaponKind, "kind")
    type: str = text_column()
    nation: Side = word_column(Side, "nation")
    possessor: str | None = text_column()
    vehicle: str | None = text_column()
    main_armament: bool = flag_column("main_armament")
    repair_number: int | None
    pp: int | None
    depleted: str = text_column()
    non_qualified_use_only: bool = flag_column("non_qualified_use_only")


class VehicleRow(PieceRow, table=True):
    __tablename__ = "vehicles"

    unseen: bool = flag_column("unseen")
    isolated: bool = flag_column("isolated")
    type: str = text_column()
    nation: Side = word_column(Side, "nation")
    armored: bool = flag_column("armored")
    best_af: int | None
    armor_leader: str | None = text_column()
    pathfinder: PathfinderState = word_column(PathfinderState, "pathfinder")
    amphibious: bool | None = flag_column("amphibious")
    inherent_crew: bool = flag_column("inherent_crew")
    crew_survival: int | None
    bulldozer: bool = flag_column("bulldozer")
    non_qualified_use_only: bool = flag_column("non_qualified_use_only")
    cvp: int


class FortificationRow(CounterRow, table=True):
    __tablename__ = "fortifications"

    unseen: bool = flag_column("unseen")
    side: Side = word_column(Side, "side")
    type: str = text_column()
    exit: str | None = text_column()
    covered_arc: str = text_column()
    hidden: bool = flag_column("hidden")
    capacity: int | None
    ca_tem: int | None
    nca_tem: int | None
    controller: Side | None = word_column(Side, "controller")
    fell: str | None = text_column()


class TerrainRow(CounterRow, table=True):
    __tablename__ = "terrain"

    unseen: bool = flag_column("unseen")
    kind: TerrainKind = word_column(TerrainKind, "kind")
    material: Material | None = word_column(Material, "material")
    building: str | None = text_column()
    fire: Fire | None = word_column(Fire, "fire")


class PurchaseRow(SQLModel, table=True):
    __tablename__ = "purchases"

    id: str = text_column(primary_key=True)
    date: str = text_column()
    side: Side = word_column(Side, "side")
    beach: str | None = text_column()
    points: str = text_column()
    item: str = text_column()
    quantity: int
    unit_cost: int
    total: int
    exponent: int
    location: str | None = text_column()
    exit: str | None = text_column()
    covered_arc: str = text_column()
    capacity: int
    entered_by: str | None = text_column()
    entered_at: str | None = text_column()
    initial: bool = flag_column("initial")
    draft: bool = flag_column("draft")
    voids: str | None = text_column()
    reason: str | None = text_column()
    created: str = text_column()


class AllotmentRow(SQLModel, table=True):
    __tablename__ = "allotments"

    id: str = text_column(primary_key=True)
    side: Side = word_column(Side, "side")
    beach: str | None = text_column()
    date: str | None = text_column()
    gpp: int
    capp: int
    exponent: int
    fpp: int
    credited: bool = flag_column("credited")


class RulingRow(SQLModel, table=True):
    __tablename__ = "rulings"

    id: str = text_column(primary_key=True)
    value: str = text_column()


class ArrivalRow(SQLModel, table=True):
    __tablename__ = "arrivals"

    id: str = text_column(primary_key=True)
    side: Side = word_column(Side, "side")
    date: str = text_column()
    wave: str | None = text_column()
    lines: str = text_column()
    state: str = text_column()
    entered: bool = flag_column("entered")


class CasualtyRow(SQLModel, table=True):
    __tablename__ = "casualties"

    id: str = text_column(primary_key=True)
    side: Side = word_column(Side, "side")
    points: int
    how: LossKind = word_column(LossKind, "how")
    counter: str | None = text_column()
    date: str | None = text_column()
    rule: str = text_column()
    ruling: str | None = text_column()
    reason: str | None = text_column()
    secret: Side | None = word_column(Side, "secret")
    open: bool = flag_column("open")


# --- fields that no class above names -------------------------------------------------------------


def _column(of: fields.Field) -> Column[Any]:
    """Return the column derived from the declaration of a field."""
    name, holds = of.name, of.holds
    if issubclass(holds, StrEnum):
        words = Enum(*holds, native_enum=False, create_constraint=True, name=name)
        return Column(name, words, nullable=of.optional)
    if holds is bool:
        check = CheckConstraint(f"{name} IN (0, 1)", name=name)
        return Column(name, Integer, check, nullable=of.optional)
    return Column(name, Text if holds in (str, tuple) else Integer, nullable=of.optional)


for kind in TABLES:
    for field in fields.declared_fields(kind):
        if field.name not in metadata.tables[kind.TABLE].columns:
            metadata.tables[kind.TABLE].append_column(_column(field))
