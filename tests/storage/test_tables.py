"""The tables: a column for every field, walls against wrong values, a journal that only grows."""

import sqlite3
from enum import StrEnum
from typing import get_args, get_type_hints

import psycopg
import pytest
from sqlalchemy import Enum

from brt_cg.journal.entries import NO_HASH
from brt_cg.model.fields import field_name_in_files
from brt_cg.model.record import Record
from brt_cg.model.records import TABLES
from brt_cg.storage.place import Address
from brt_cg.storage.reader import VERSION
from brt_cg.storage.tables import metadata
from tests.storage.pen import Pen, sql, write_a_campaign

WALLS = (sqlite3.IntegrityError, psycopg.IntegrityError, psycopg.DataError)

each_record = pytest.mark.parametrize("kind", TABLES, ids=lambda kind: kind.TABLE)


@each_record
def test_every_field_has_a_column(kind: type[Record]) -> None:
    columns = {column.name for column in metadata.tables[kind.TABLE].columns}
    assert columns == {field_name_in_files(name) for name in kind.names()}


@each_record
def test_a_column_is_nullable_exactly_when_its_field_is_optional(kind: type[Record]) -> None:
    hints = get_type_hints(kind)
    optional = {field_name_in_files(n) for n in kind.names() if type(None) in get_args(hints[n])}
    columns = metadata.tables[kind.TABLE].columns
    assert {column.name for column in columns if column.nullable} == optional


@each_record
def test_an_enum_allows_exactly_the_words_of_its_field(kind: type[Record]) -> None:
    words = {
        field_name_in_files(name): [one.value for one in choice]
        for name, hint in get_type_hints(kind).items()
        for choice in (hint, *get_args(hint))
        if isinstance(choice, type) and issubclass(choice, StrEnum)
    }
    columns = metadata.tables[kind.TABLE].columns
    assert {c.name: c.type.enums for c in columns if isinstance(c.type, Enum)} == words


def test_there_are_no_other_tables(file_pen: Pen) -> None:
    names = {
        name for (name,) in sql(file_pen.place, "SELECT name FROM sqlite_master WHERE type='table'")
    }
    records = {kind.TABLE for kind in TABLES}
    assert names == set(metadata.tables) | {VERSION} == records | {"journal", "die_rolls", VERSION}


def test_no_number_comes_from_the_database_itself(file_pen: Pen) -> None:
    sequences = "SELECT * FROM sqlite_master WHERE name = 'sqlite_sequence'"
    assert sql(file_pen.place, sequences) == []


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("units", "side", "'allied'"),
        ("units", "class", "'Elite'"),
        ("units", "isolated", "2"),
        ("campaign", "banzai", "'no'"),
        ("campaign", "phase", "NULL"),
        ("weapons", "nation", "''"),
        ("terrain", "fire", "'smoke'"),
        ("setup_areas", "id", "NULL"),
        ("die_rolls", "final", "NULL"),
    ],
)
def test_a_wrong_value_is_refused(pen: Pen, table: str, column: str, value: str) -> None:
    with pytest.raises(WALLS, match=r"(?i)check|not.null|invalid input"):
        sql(pen.place, f'UPDATE {table} SET "{column}" = {value}')


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE journal SET said = '[]' WHERE seq = 2",
        "DELETE FROM journal WHERE seq = 5",
        f"INSERT INTO journal VALUES (7, '{{}}', '{NO_HASH}', '[]')",
        f"INSERT INTO journal VALUES (0, '{{}}', '{NO_HASH}', '[]')",
    ],
    ids=["alter", "delete", "leave a gap", "go before the first"],
)
def test_the_journal_is_append_only(pen: Pen, statement: str) -> None:
    with pytest.raises(WALLS, match="only ever added"):
        sql(pen.place, statement)


def test_no_entry_replaces_another(file_pen: Pen) -> None:
    replacing = f"INSERT OR REPLACE INTO journal VALUES (2, '{{}}', '{NO_HASH}', '[]')"
    with pytest.raises(WALLS, match="only ever added"):
        sql(file_pen.place, replacing)


@pytest.mark.postgres
def test_the_journal_on_a_server_cannot_be_emptied(address: Address) -> None:
    write_a_campaign(address).kept.close()
    for statement in (
        "TRUNCATE journal CASCADE",
        "UPDATE journal SET seq = seq + 1 WHERE false",
        f"INSERT INTO journal VALUES (2, '{{}}', '{NO_HASH}', '[]') "
        "ON CONFLICT (seq) DO UPDATE SET said = excluded.said",
    ):
        with pytest.raises(WALLS, match="only ever added"):
            sql(address, statement)


def test_the_next_entry_is_accepted(pen: Pen) -> None:
    sql(pen.place, f"INSERT INTO journal VALUES (6, '{{}}', '{NO_HASH}', '[]')")
