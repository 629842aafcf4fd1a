"""The meaning of a campaign's schema, however its SQL is written: the columns of each table, their
allowed values, keys, references, and the objects other than tables.

`expected_tables` gives the tables of a revision; `read_schema` and `expected_non_table_objects`
give the actual and expected contents of a campaign file, and `postgres_shapes` those of a server. A
restored dump has constraints with the same meaning in other words.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from enum import StrEnum
from functools import cache

from brt_cg.immutable import immutable
from brt_cg.model import TABLES, Field, declared_fields
from brt_cg.storage.cells import Value, quote_name
from brt_cg.storage.errors import REFUSAL
from brt_cg.storage.projection import ROLLS, cell_value
from brt_cg.storage.reader import HEAD, JOURNAL, VERSION
from brt_cg.storage.sqlite import run_query

TEXT, INTEGER = "text", "integer"

Allowed = frozenset[str | int]
Reference = tuple[str, str, str]  # column, and the table and column that it refers to


@immutable
class ColumnShape:
    """A column: `holds` is TEXT, INTEGER, or another name of the engine for its type; `allowed` are
    the values of its CHECK; `room` is the length of the longest text that it can hold, if limited;
    `default` is the constant with which the database fills it, or may fill it: the value in the
    rows that existed when a revision added the column."""

    holds: str
    required: bool
    allowed: Allowed | None = None
    room: int | None = None
    default: Value = None


@immutable
class TableShape:
    """A table; `others` are its other properties, in the engine's words."""

    columns: Mapping[str, ColumnShape]
    key: tuple[str, ...]
    references: frozenset[Reference] = frozenset()
    others: tuple[str, ...] = ()


@immutable
class SchemaShape:
    """The tables by name; the other objects by kind and name, each with its definition."""

    tables: Mapping[str, TableShape]
    objects: Mapping[tuple[str, str], str] = field(default_factory=dict)


# --- expected -------------------------------------------------------------------------------------


@cache
def expected_tables(revision: str) -> Mapping[str, TableShape]:
    """Return the tables of a revision: those of the newest as the records declare them, those of an
    older one as the revisions up to it make them."""
    tables = _declared() if revision == HEAD else _made(revision)
    version = ColumnShape(TEXT, True, room=len(revision))
    return {**tables, VERSION: TableShape({"version_num": version}, ("version_num",))}


def _declared() -> dict[str, TableShape]:
    text, number = ColumnShape(TEXT, True), ColumnShape(INTEGER, True)
    rolls = dict.fromkeys(("date", "rule", "subject", "dice", "modifiers", "row"), text)
    rolls |= dict.fromkeys(("seq", "position", "original", "final"), number)
    entry = {"seq": number} | dict.fromkeys(("payload", "hash", "said"), text)
    return {
        JOURNAL: TableShape(entry, ("seq",)),
        ROLLS: TableShape(rolls, ("seq",), frozenset({("seq", JOURNAL, "seq")})),
        **{
            kind.TABLE: TableShape(
                {one.name: _column(one) for one in declared_fields(kind)}, ("id",)
            )
            for kind in TABLES
        },
    }


def _column(of: Field) -> ColumnShape:
    holds = INTEGER if of.holds in (int, bool) else TEXT
    allowed: Allowed | None = frozenset({0, 1}) if of.holds is bool else None
    if issubclass(of.holds, StrEnum):
        allowed = frozenset(word.value for word in of.holds)
    return ColumnShape(holds, not of.optional, allowed, default=cell_value(of.default))


def _made(revision: str) -> Mapping[str, TableShape]:
    # Imported here: they need SQLAlchemy and Alembic.
    from sqlalchemy import create_engine

    from brt_cg.storage.migrations import migrate

    with create_engine("sqlite://").connect() as connection:
        migrate(connection, revision)
        return read_schema(connection.connection.driver_connection).tables  # type: ignore[arg-type]


# --- compared -------------------------------------------------------------------------------------


def differences_besides_missing_columns(found: TableShape, due: TableShape) -> Iterator[str]:
    """Yield the differences between a table and its expected form in the columns that both have, in
    words."""
    for name, wanted in due.columns.items():
        if name in found.columns:
            yield from (f"{name} {what}" for what in _of_column(found.columns[name], wanted))
    if found.key != due.key:
        yield f"its key is {', '.join(found.key) or 'missing'}"
    for column, table, other in sorted(found.references ^ due.references):
        wrong = "refers to" if (column, table, other) in found.references else "does not refer to"
        yield f"{column} {wrong} {table}.{other}"
    yield from found.others


def _of_column(found: ColumnShape, due: ColumnShape) -> Iterator[str]:
    if found.holds != due.holds:
        yield f"is of the type {found.holds}"
    if found.required != due.required:
        yield "may not be empty" if found.required else "may be empty"
    if found.allowed != due.allowed:
        yield "allows other values"
    needed = max(len(str(word)) for word in due.allowed) if due.allowed else due.room
    if found.room is not None and (needed is None or found.room < needed):
        yield f"holds at most {found.room} characters"
    if found.default not in (None, due.default):
        yield "is filled by the database"


# --- CHECKs ---------------------------------------------------------------------------------------

_CHECK_TOKENS = re.compile(
    r"'(?:[^']|'')*'"
    r"|::\s*(?:character varying|varchar|text|integer)(?:\[\])?(?![\w\[(])"  # a cast
    r'|"(?:[^"]|"")*"|\w+|\S'
)
_ONE_OF = (["IN"], ["=", "ANY", "ARRAY"])


def parse_check(text: str) -> tuple[str, Allowed] | None:
    """Return a column and the values that a CHECK allows in it: `side IN ('marine', 'japanese')`,
    or a server's version of that. Return None for any other CHECK."""
    tokens = [
        token for token in _CHECK_TOKENS.findall(text) if token not in "()[]" and token[:2] != "::"
    ]
    if not tokens:
        return None
    column, *rest = tokens
    for words in _ONE_OF:
        if [token.upper() for token in rest[: len(words)]] == words:
            values, commas = rest[len(words) :: 2], rest[len(words) + 1 :: 2]
            literal = re.compile(r"'.*'|\d+", re.DOTALL)
            if values and {*commas} <= {","} and all(map(literal.fullmatch, values)):
                return column.strip('"'), frozenset(map(_value, values))
    return None


def _value(token: str) -> str | int:
    return token[1:-1].replace("''", "'") if token[0] == "'" else int(token)


def with_checks(
    columns: Mapping[str, ColumnShape], checks: list[str]
) -> tuple[dict[str, ColumnShape], tuple[str, ...]]:
    """Return the columns with the values that their CHECKs allow, and the CHECKs that do not list
    values, in words."""
    read, others = dict(columns), []
    for check in checks:
        column, allowed = parse_check(check) or ("", frozenset())
        known = read.get(column)
        if known is None or known.allowed is not None:
            others.append(f"it has the CHECK {check}")
        else:
            read[column] = replace(known, allowed=allowed)
    return read, tuple(others)


# --- values filled in by the database -------------------------------------------------------------

_CONSTANT = re.compile(r"\(?(?:'((?:[^']|'')*)'|(-?\d+))\)?(?:::[\w ]+(?:\(\d+\))?)?")


def with_default(column: ColumnShape, text: str | None) -> ColumnShape | None:
    """Return a column with the default that its SQL gives it; None if that is not a constant."""
    if text is None or text.upper() == "NULL":
        return column
    read = _CONSTANT.fullmatch(text)
    if read is None:
        return None
    told = (read[1] or "").replace("''", "'") if read[2] is None else read[2]
    number = column.holds == INTEGER and re.fullmatch(r"-?\d+", told)
    return replace(column, default=int(told) if number else told)


# --- in a campaign file ---------------------------------------------------------------------------

_REFUSED = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
_TRIGGERS = {
    "journal_refuses_update": "BEFORE UPDATE ON journal",
    "journal_refuses_delete": "BEFORE DELETE ON journal",
    # INSERT OR REPLACE would delete without asking the trigger above.
    "journal_refuses_disorder": (
        "BEFORE INSERT ON journal "
        "WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM journal)"
    ),
}
_TOKENS = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|\S""")
# Changes of a constraint that can only be read from the SQL.
_TWISTS = ("CONFLICT", "COLLATE", "GENERATED", "DEFERRABLE")


def read_schema(connection: sqlite3.Connection) -> SchemaShape:
    """Return the contents of a file, except for SQLite's own objects."""
    tables, objects = {}, {}
    for kind, name, sql in run_query(connection, "SELECT type, name, sql FROM sqlite_master"):
        if str(name)[:7] == "sqlite_":
            continue
        if kind == "table":
            tables[str(name)] = _table(connection, str(name), str(sql))
        else:
            objects[str(kind), str(name)] = _plain(str(sql))
    return SchemaShape(tables, objects)


def expected_non_table_objects() -> dict[tuple[str, str], str]:
    """Return the objects in a campaign file other than tables."""
    return {
        ("trigger", name): _plain(f"CREATE TRIGGER {name} {when} {_REFUSED}")
        for name, when in _TRIGGERS.items()
    }


def _plain(sql: str) -> str:
    """Return SQL without its spaces and the quotes around names."""
    return " ".join(token.strip('"') for token in _TOKENS.findall(sql))


def _table(connection: sqlite3.Connection, name: str, sql: str) -> TableShape:
    tokens = _TOKENS.findall(sql)
    info = run_query(connection, f"PRAGMA table_xinfo({quote_name(name)})")
    columns, others = dict[str, ColumnShape](), list[str]()
    for _, column, kind, required, default, _, hidden in info:
        plain = ColumnShape(_holds(str(kind)), bool(required))
        filled = with_default(plain, None if default is None else str(default))
        if hidden or filled is None:
            others.append(f"{column!s} is filled by the database")
        columns[str(column)] = filled or plain
    numbered = sorted((int(at or 0), str(column)) for _, column, *_, at, _ in info if at)
    references = frozenset(
        (str(column), str(parent), str(key))
        for _, _, parent, column, key, *_ in run_query(
            connection, f"PRAGMA foreign_key_list({quote_name(name)})"
        )
    )
    read, odd = with_checks(columns, [*_checks(tokens)])
    return TableShape(
        read,
        tuple(column for _, column in numbered),
        references,
        (*odd, *_twists(connection, name, tokens), *others),
    )


def _holds(kind: str) -> str:
    """Return the kind of values of a declared type, by SQLite's own rule."""
    upper = kind.upper()
    if "INT" in upper:
        return INTEGER
    return TEXT if any(part in upper for part in ("CHAR", "CLOB", "TEXT")) else kind or "none"


def _checks(tokens: list[str]) -> Iterator[str]:
    """Yield the conditions of the CHECKs of a table."""
    for at, token in enumerate(tokens):
        if token.upper() == "CHECK":
            depth, end = 1, at + 2
            while depth and end < len(tokens):
                depth += {"(": 1, ")": -1}.get(tokens[end], 0)
                end += 1
            yield " ".join(tokens[at + 2 : end - 1])


def _twists(connection: sqlite3.Connection, name: str, tokens: list[str]) -> Iterator[str]:
    words = {token.upper() for token in tokens}
    yield from (f"it has a {word} clause" for word in _TWISTS if word in words)
    listed = run_query(connection, f"PRAGMA index_list({quote_name(name)})")
    yield from (f"it has the index {index!s}" for _, index, _, kind, *_ in listed if kind == "u")
    references = run_query(connection, f"PRAGMA foreign_key_list({quote_name(name)})")
    for _, _, _, column, _, updated, deleted, _ in references:
        if (updated, deleted) != ("NO ACTION", "NO ACTION"):
            yield f"{column!s} changes with the row that it refers to"
