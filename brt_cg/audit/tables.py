"""The tables against the fold of the journal: every cell, by value and storage class."""

from collections.abc import Iterator, Mapping

from brt_cg.audit.finding import Finding, shown
from brt_cg.storage.cells import Cell, RawTable
from brt_cg.storage.projection import Row, storage_class

PROJECTION = "projection"


def compared(
    found: Mapping[str, RawTable], expected: Mapping[str, Mapping[str, Row]]
) -> Iterator[Finding]:
    """Every cell, row and table that the journal does not reproduce."""
    for name in sorted(found.keys() | expected.keys()):
        table = found.get(name, RawTable((), ()))
        yield from _table(name, table, expected.get(name, {}))


def _table(name: str, found: RawTable, expected: Mapping[str, Row]) -> Iterator[Finding]:
    rows: dict[str, int] = {}
    for row in found.rows:
        key = str(next(iter(row.values()))[0])
        rows[key] = rows.get(key, 0) + 1
        if key not in expected:
            yield _finding(f"{name}: {shown(key)} is in no entry of the journal", key)
        else:
            yield from _cells(name, key, row, expected[key])
    for key in expected:
        if rows.get(key, 0) != 1:
            yield _finding(f"{name}: {key} stands {rows.get(key, 0)} times instead of once", key)


def _cells(name: str, key: str, row: Mapping[str, Cell], expected: Row) -> Iterator[Finding]:
    for column, (value, kind) in row.items():
        if column not in expected:
            yield _finding(f"{name}: {key} has {column} {shown(value)}, and there is none", key)
        elif value != expected[column] or kind != storage_class(expected[column]):
            due = f"the journal says {shown(expected[column])}"
            yield _finding(f"{name}: {key}.{column} is {shown(value)} ({kind}), {due}", key)
    for column in expected.keys() - row.keys():
        yield _finding(f"{name}: {key} has no {column}", key)


def _finding(what: str, key: str) -> Finding:
    return Finding("projection", PROJECTION, what, (key,))
