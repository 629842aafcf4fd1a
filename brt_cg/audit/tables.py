"""Compares the tables with the folded journal: every cell, by value and storage class."""

from collections.abc import Iterator, Mapping
from itertools import chain
from operator import itemgetter

from brt_cg.audit.finding import Finding, shown
from brt_cg.storage.cells import RawTable, Value, storage_class
from brt_cg.storage.projection import Row, Rows, cell

PROJECTION = "projection"
WHOLE = frozenset({str, int, type(None)})  # storage classes of the cells, since 1.0 == 1


def compared(
    found: Mapping[str, RawTable | None], expected: Mapping[str, Rows]
) -> Iterator[Finding]:
    """The cells, rows and tables that differ from the journal's; a table that cannot be read (None)
    is not compared."""
    for name in sorted(found.keys() | expected.keys()):
        table, due = found.get(name, RawTable((), ())), expected.get(name, Rows((), {}))
        if table is not None:
            yield from _table(name, _in_order_of(table, due), due)


def _in_order_of(found: RawTable, expected: Rows) -> RawTable:
    """A table with its columns in the expected order: a migration adds columns at the end."""
    columns = expected.columns
    if found.columns == columns or sorted(found.columns) != sorted(columns):
        return found
    cells = itemgetter(*map(found.columns.index, columns))
    return RawTable(columns, tuple(map(cells, found.rows)))


def _table(name: str, found: RawTable, expected: Rows) -> Iterator[Finding]:
    if not _is_just_so(found, expected):
        yield from _rows(name, found, expected)


def _is_just_so(found: RawTable, expected: Rows) -> bool:
    """Whether a table holds exactly the expected rows, each once."""
    if found.columns != expected.columns or len(found.rows) != len(expected.values):
        return False
    rows = {str(row[0]): row for row in found.rows}
    return rows == expected.values and WHOLE.issuperset(map(type, chain.from_iterable(found.rows)))


def _rows(name: str, found: RawTable, expected: Rows) -> Iterator[Finding]:
    rows: dict[str, int] = {}
    alike = found.columns == expected.columns
    for row in sorted(found.rows, key=lambda row: str(row[0])):
        key = str(row[0])
        rows[key] = rows.get(key, 0) + 1
        due = expected.values.get(key)
        if due is None:
            yield _finding(f"{name}: {shown(key)} is in no entry of the journal", key)
        elif not (alike and row == due and WHOLE.issuperset(map(type, row))):
            wanted = dict(zip(expected.columns, map(cell, due), strict=True))
            yield from _cells(name, key, dict(zip(found.columns, row, strict=True)), wanted)
    for key in expected.values:
        if rows.get(key, 0) != 1:
            yield _finding(f"{name}: {key} stands {rows.get(key, 0)} times instead of once", key)


def _cells(name: str, key: str, row: Mapping[str, Value], expected: Row) -> Iterator[Finding]:
    for column, value in row.items():
        kind = storage_class(value)
        if column not in expected:
            yield _finding(f"{name}: {key} has {column} {shown(value)}, and there is none", key)
        elif value != expected[column] or kind != storage_class(expected[column]):
            due = f"the journal says {shown(expected[column])}"
            yield _finding(f"{name}: {key}.{column} is {shown(value)} ({kind}), {due}", key)
    for column in expected.keys() - row.keys():
        yield _finding(f"{name}: {key} has no {column}", key)


def _finding(what: str, key: str) -> Finding:
    return Finding("projection", PROJECTION, what, (key,))
