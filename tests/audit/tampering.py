"""Other values for the cells of a campaign's tables."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import psycopg

from brt_cg.storage.place import Place
from tests.audit.forger import columns, pried_open

Edit = tuple[str, str]  # what it is, and the SQL of the new value
REFUSALS = (
    *(sqlite3.IntegrityError, psycopg.IntegrityError, psycopg.DataError),
    psycopg.ProgrammingError,  # bytes and the like in a column of another type
)


@dataclass(frozen=True)
class Tampering:
    """A cell, named by the key of its row and its column, and the SQL of another value for it."""

    key: Any
    column: str
    what: str
    sql: str


def edits(value: Any) -> Iterator[Edit]:
    """Other values for a cell: another one, one of each other storage class, and nothing."""
    if isinstance(value, int):
        yield from (("another", str(value + 1)), ("real", f"{value}.5"), ("text", "'words'"))
    elif value is None:
        yield from (("another", "'x'"), ("real", "0.5"))
    else:
        yield from (("another", quoted(f"{value}x")), ("blob", f"CAST({quoted(value)} AS BLOB)"))
        yield ("stray bytes", "CAST(x'ff41' AS TEXT)")
        yield ("control", "char(27) || '[2J'")
    if value is not None:
        yield ("nothing", "NULL")
        yield ("bytes", "x'00ff'")


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def tampered_with(place: Place, table: str, wanted: Iterable[Tampering]) -> list[Tampering]:
    """Edits cells; those of them that the schema lets be edited so."""
    key = columns(place, table)[0]
    done = []
    with pried_open(place) as connection:
        for one in wanted:
            row = f'"{key}" = {literal(one.key)}'
            with suppress(*REFUSALS):
                connection.execute(f'UPDATE {table} SET "{one.column}" = {one.sql} WHERE {row}')
                done.append(one)
    return done


def literal(value: Any) -> str:
    return str(value) if isinstance(value, int) else quoted(value)
