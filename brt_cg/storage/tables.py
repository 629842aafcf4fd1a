"""The tables of a campaign file: the journal, and one table per kind of record, field by field.

Only the journal is original; the other tables are written beside it for lists, filters and anyone's
SQL. The table classes validate nothing, so the CHECKs here are a second check after the records'.
"""

from enum import StrEnum
from types import new_class
from typing import Any

from sqlalchemy import CheckConstraint, Column, Enum, ForeignKey, Integer, MetaData, Text
from sqlmodel import Field, SQLModel

from brt_cg import fields
from brt_cg.record import Record
from brt_cg.records import TABLES

NAMING = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ix": "ix_%(table_name)s_%(column_0_name)s",
}

SQLModel.metadata.naming_convention = NAMING
metadata: MetaData = SQLModel.metadata


# --- the journal ------------------------------------------------------------------------------


def _text() -> Any:
    return Field(sa_column=Column(Text, nullable=False))


def _number() -> Any:
    return Field(sa_column=Column(Integer, nullable=False))


def _entry_number(*references: ForeignKey) -> Any:
    # Never AUTOINCREMENT: an entry's number is hashed with it.
    return Field(sa_column=Column(Integer, *references, primary_key=True, autoincrement=False))


class JournalRow(SQLModel, table=True):
    """One appended entry: `payload` canonical JSON, `hash` of the chain, `said` its sentences."""

    __tablename__ = "journal"

    seq: int = _entry_number()
    payload: str = _text()
    hash: str = _text()
    said: str = _text()


class DieRollRow(SQLModel, table=True):
    """A roll that is not undone: `seq` its entry, `dice` "3,4", `modifiers` JSON [[amount,
    reason]], `row` the key of the table row that its Final hit."""

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


def _row_class(kind: type[Record]) -> type[SQLModel]:
    """The table of a kind of record: a column for each of its fields, in the record's order."""
    described = fields.schema_of(kind).by_attribute
    body: dict[str, Any] = {"__tablename__": kind.TABLE, "__module__": __name__}
    body["__annotations__"] = {name: _held_in_row(described[name]) for name in kind.names()}
    body |= {name: Field(sa_column=_column(described[name])) for name in kind.names()}
    return new_class(
        f"{kind.__name__}Row", (SQLModel,), {"table": True}, lambda at: at.update(body)
    )


def _held_in_row(field: fields.Field) -> Any:
    """The value of a field in a row: truth values as 0 and 1, lists as JSON."""
    held: Any = int if field.holds is bool else str if field.holds is tuple else field.holds
    return held | None if field.optional else held


def _column(field: fields.Field) -> Column[Any]:
    if field.name == "id":
        return Column(field.name, Text, primary_key=True)
    name, checks = field.name, []
    type_: Any = Text if field.holds in (str, tuple) else Integer
    if issubclass(field.holds, StrEnum):
        words = [word.value for word in field.holds]
        type_ = Enum(*words, native_enum=False, create_constraint=True, name=name)
    elif field.holds is bool:
        checks = [CheckConstraint(f"{name} IN (0, 1)", name=name)]
    return Column(name, type_, *checks, nullable=field.optional)


ROWS = {kind.TABLE: _row_class(kind) for kind in TABLES}
