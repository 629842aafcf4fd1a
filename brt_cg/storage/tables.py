"""The tables of a campaign file: the journal, and one table per kind of record, field by field.

Only the journal is original; the other tables are written beside it for lists, filters and anyone's
SQL. The tables check little, so the CHECKs here are a second check after the records'.
"""

from enum import StrEnum
from types import new_class
from typing import Any

from sqlalchemy import CheckConstraint, Column, Enum, ForeignKey, Integer, MetaData, Text
from sqlmodel import Field, SQLModel

from brt_cg.model import fields
from brt_cg.model.records import TABLES

NAMING = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ix": "ix_%(table_name)s_%(column_0_name)s",
}

SQLModel.metadata.naming_convention = NAMING
metadata: MetaData = SQLModel.metadata


def _table(name: str, *columns: Column[Any]) -> None:
    """Adds a table to the metadata."""
    body: dict[str, Any] = {column.name: Field(sa_column=column) for column in columns}
    body["__annotations__"] = dict.fromkeys(body, Any)
    body |= {"__tablename__": name, "__module__": __name__}
    new_class(name, (SQLModel,), {"table": True}, lambda namespace: namespace.update(body))


def _text(name: str) -> Column[Any]:
    return Column(name, Text, nullable=False)


def _number(name: str) -> Column[Any]:
    return Column(name, Integer, nullable=False)


def _entry_number(*references: ForeignKey) -> Column[Any]:
    # Never AUTOINCREMENT: an entry's number is hashed with it.
    return Column("seq", Integer, *references, primary_key=True, autoincrement=False)


def _column(field: fields.Field) -> Column[Any]:
    """The column of a field of a record."""
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


# One appended entry: `payload` canonical JSON, `hash` of the chain, `said` its sentences.
_table("journal", _entry_number(), *map(_text, ("payload", "hash", "said")))
# A roll that is not undone: `seq` its entry, `dice` "3,4", `modifiers` JSON [[amount, reason]],
# `row` the key of the table row that its Final hit.
_table(
    "die_rolls",
    _entry_number(ForeignKey("journal.seq")),
    *map(_text, ("date", "rule", "subject")),
    _number("position"),
    *map(_text, ("dice", "modifiers")),
    *map(_number, ("original", "final")),
    _text("row"),
)
for kind in TABLES:
    _table(kind.TABLE, *map(_column, fields.declared(kind)))
