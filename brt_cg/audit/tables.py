"""The tables against the fold of the journal: every cell, by value and storage class."""

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

from brt_cg.audit.finding import Finding
from brt_cg.storage.engine import open_to_read
from brt_cg.storage.projection import Row, storage_class
from brt_cg.storage.reader import RawTable

PROJECTION = "projection"
TRIGGERS = {"journal_refuses_update", "journal_refuses_delete", "journal_refuses_disorder"}


def compared(
    found: Mapping[str, RawTable], expected: Mapping[str, Mapping[str, Row]]
) -> Iterator[Finding]:
    """Every table that the journal does not reproduce, cell by cell."""
    for name in sorted(found.keys() | expected.keys()):
        if name not in found:
            yield Finding("projection", PROJECTION, f"the table {name} is missing", (name,))
        elif name not in expected:
            yield Finding("projection", PROJECTION, f"the table {name} is unknown", (name,))
        else:
            yield from _table(name, found[name], expected[name])


def _table(name: str, found: RawTable, expected: Mapping[str, Row]) -> Iterator[Finding]:
    rows: dict[str, int] = {}
    for row in found.rows:
        key = str(next(iter(row.values()))[0])
        rows[key] = rows.get(key, 0) + 1
        if key not in expected:
            message = f"{name}: {key} is in no entry of the journal"
            yield Finding("projection", PROJECTION, message, (key,))
            continue
        for column, (value, kind) in row.items():
            wanted = expected[key].get(column)
            if value != wanted or kind != storage_class(wanted) or column not in expected[key]:
                message = f"{name}: {key}.{column} is {value!r}, the journal says {wanted!r}"
                yield Finding("projection", PROJECTION, message, (key,))
    for key in expected:
        if rows.get(key, 0) != 1:
            message = f"{name}: {key} stands {rows.get(key, 0)} times instead of once"
            yield Finding("projection", PROJECTION, message, (key,))


def integrity(path: Path) -> Iterator[Finding]:
    """The file is whole, and its journal still refuses changes."""
    connection = open_to_read(path)
    try:
        for (line,) in connection.execute("PRAGMA integrity_check"):
            if line != "ok":
                yield Finding("integrity", "storage", f"the file is damaged: {line}")
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        missing = TRIGGERS - {name for (name,) in names}
        for name in sorted(missing):
            yield Finding("append-only", "storage", f"the trigger {name} is gone", (name,))
    except sqlite3.DatabaseError as error:
        yield Finding("integrity", "storage", f"the file is damaged: {error}")
    finally:
        connection.close()
