"""The schema of a campaign file as SQLite has it."""

import re
import sqlite3
from collections.abc import Iterator

from brt_cg.storage.cells import Value, quoted
from brt_cg.storage.errors import REFUSAL
from brt_cg.storage.shapes import INTEGER, TEXT, ColumnShape, SchemaShape, TableShape, with_checks
from brt_cg.storage.sqlite import cells

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
# What changes a constraint, and can only be read from the SQL.
_TWISTS = ("CONFLICT", "COLLATE", "GENERATED", "DEFERRABLE")


def found(connection: sqlite3.Connection) -> SchemaShape:
    """What is in a file, but for SQLite's own objects."""
    tables, objects = {}, {}
    for kind, name, sql in cells(connection, "SELECT type, name, sql FROM sqlite_master"):
        if str(name)[:7] == "sqlite_":
            continue
        if kind == "table":
            tables[str(name)] = _table(connection, str(name), str(sql))
        else:
            objects[str(kind), str(name)] = _plain(str(sql))
    return SchemaShape(tables, objects)


def due() -> dict[tuple[str, str], str]:
    """The objects that a campaign file has beside its tables."""
    return {
        ("trigger", name): _plain(f"CREATE TRIGGER {name} {when} {_REFUSED}")
        for name, when in _TRIGGERS.items()
    }


def _plain(sql: str) -> str:
    """SQL without its spaces, and the quotes of names."""
    return " ".join(token.strip('"') for token in _TOKENS.findall(sql))


def _table(connection: sqlite3.Connection, name: str, sql: str) -> TableShape:
    tokens = _TOKENS.findall(sql)
    info = cells(connection, f"PRAGMA table_xinfo({quoted(name)})")
    columns = {
        str(column): ColumnShape(_holds(str(kind)), bool(required))
        for _, column, kind, required, *_ in info
    }
    numbered = sorted((int(at or 0), str(column)) for _, column, *_, at, _ in info if at)
    references = frozenset(
        (str(column), str(parent), str(key))
        for _, _, parent, column, key, *_ in cells(
            connection, f"PRAGMA foreign_key_list({quoted(name)})"
        )
    )
    read, others = with_checks(columns, [*_checks(tokens)])
    return TableShape(
        read,
        tuple(column for _, column in numbered),
        references,
        (*others, *_twists(connection, name, tokens), *_defaults(info)),
    )


def _holds(kind: str) -> str:
    """What a declared type holds, by SQLite's own rule."""
    upper = kind.upper()
    if "INT" in upper:
        return INTEGER
    return TEXT if any(part in upper for part in ("CHAR", "CLOB", "TEXT")) else kind or "none"


def _checks(tokens: list[str]) -> Iterator[str]:
    """The conditions of the CHECKs of a table."""
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
    listed = cells(connection, f"PRAGMA index_list({quoted(name)})")
    yield from (f"it has the index {index!s}" for _, index, _, kind, *_ in listed if kind == "u")
    references = cells(connection, f"PRAGMA foreign_key_list({quoted(name)})")
    for _, _, _, column, _, updated, deleted, _ in references:
        if (updated, deleted) != ("NO ACTION", "NO ACTION"):
            yield f"{column!s} changes with what it refers to"


def _defaults(info: list[tuple[Value, ...]]) -> Iterator[str]:
    for _, column, _, _, default, _, hidden in info:
        if default is not None or hidden:
            yield f"{column!s} is filled by the database"
