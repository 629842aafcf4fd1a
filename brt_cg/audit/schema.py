"""The checks of a campaign's storage: that it is intact, has exactly the tables and columns of a
campaign, and has triggers that protect the journal."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from operator import itemgetter
from pathlib import Path

from brt_cg.audit.finding import Finding, quote_value
from brt_cg.storage import reader, shapes
from brt_cg.storage.cells import RawTable, Value, storage_class
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Place
from brt_cg.storage.projection import ExpectedRows, Row, cell_value
from brt_cg.storage.shapes import (
    SchemaShape,
    TableShape,
    differences_besides_missing_columns,
    expected_tables,
)
from brt_cg.storage.sqlite import is_in_wal_mode, reading_connection

STORAGE = "storage"


def check_integrity(path: Place) -> list[Finding]:
    """Check that the storage is intact by the engine's own check, and that a campaign file is a
    single file."""
    found = [*_damage(reader.integrity_problems, path), *_damage(reader.broken_references, path)]
    if isinstance(path, Path) and is_in_wal_mode(path):
        what = (
            "its newest changes are in a second file (SQLite WAL mode), but a campaign must be one "
            "file"
        )
        found.append(Finding("integrity", STORAGE, what))
    return list(dict.fromkeys(found))


def _damage(check: Callable[[Place], list[str]], path: Place) -> list[Finding]:
    """Return the findings of a check of the storage itself."""
    try:
        lines = [f"the file is damaged: {line}" for line in check(path)]
    except StorageError as error:
        lines = [str(error)]
    return [Finding("integrity", STORAGE, line) for line in lines]


def check_schema(path: Place, revision: str) -> list[Finding]:
    """Check that the storage has every table of a campaign with the columns, constraints and
    triggers of its revision, and nothing else. On a server, also check that only the owner, whom
    the triggers stop, may change the journal."""
    if isinstance(path, Path):
        with reading_connection(path) as connection:
            found = shapes.read_schema(connection)
        return [*_tables(found, revision), *_objects(found, shapes.expected_non_table_objects())]
    # Imported here: they need psycopg.
    from brt_cg.storage import postgres, postgres_shapes

    with postgres.reading_connection(path) as there:
        found, granted = (
            postgres_shapes.read_schema(there),
            [*postgres_shapes.journal_change_grants(there)],
        )
    return [
        *_tables(found, revision),
        *_objects(found, postgres_shapes.expected_non_table_objects()),
        *(
            Finding("append-only", STORAGE, f"{role} may {may.lower()} journal entries", (role,))
            for role, may in granted
        ),
    ]


def _tables(schema: SchemaShape, revision: str) -> Iterator[Finding]:
    """Report the tables that differ from those of the revision, are missing, or are extra."""
    due = expected_tables(revision)
    for name in sorted(schema.tables.keys() | due.keys()):
        if name not in due:
            yield Finding("schema", STORAGE, f"the table {name} is unknown", (name,))
        elif name not in schema.tables:
            yield Finding("schema", STORAGE, f"the table {name} is missing", (name,))
        else:
            yield from _of_a_table(name, schema.tables[name], due[name], revision)


def _of_a_table(table: str, found: TableShape, due: TableShape, revision: str) -> Iterator[Finding]:
    """Report the extra or missing columns of a table, and its differing types and constraints."""
    held, wanted = found.columns.keys(), due.columns.keys()
    for words, names in (("is unknown", held - wanted), ("is missing", wanted - held)):
        for name in sorted(names):
            what = f"the column {table}.{name} {words}"
            yield Finding("schema", STORAGE, what, (f"{table}.{name}",))
    wrong = "; ".join(differences_besides_missing_columns(found, due))
    if wrong:
        what = (
            f"the types or constraints of {table} differ from those of revision {revision}: {wrong}"
        )
        yield Finding("schema", STORAGE, what, (table,))


def _objects(schema: SchemaShape, due: Mapping[tuple[str, str], str]) -> Iterator[Finding]:
    """Report the triggers and other objects that differ, are missing, or are extra."""
    for kind, name in sorted(schema.objects.keys() | due.keys()):
        made, wanted = schema.objects.get((kind, name)), due.get((kind, name))
        if wanted is None:
            yield Finding("schema", STORAGE, f"the {kind} {name} is unknown", (name,))
        elif made is None:
            yield Finding("append-only", STORAGE, f"the {kind} {name} is gone", (name,))
        elif made != wanted:
            what = f"the {kind} {name} is wrong"
            yield Finding("append-only", STORAGE, what, (name,))


def check_one_revision(path: Place) -> list[Finding]:
    """Check that the file names its revision exactly once."""
    count = len(reader.raw_table(path, reader.VERSION).rows)
    if count == 1:
        return []
    what = f"{reader.VERSION} has {count} rows instead of one"
    return [Finding("schema", STORAGE, what, (reader.VERSION,))]


# --- every cell, by value and storage class, as the folded journal has it -------------------------

PROJECTION = "projection"
WHOLE = frozenset({str, int, type(None)})  # storage classes of the cells, since 1.0 == 1


def compare_tables(
    found: Mapping[str, RawTable | None], expected: Mapping[str, ExpectedRows]
) -> Iterator[Finding]:
    """Report the cells, rows and tables that differ from the journal's; a table that cannot be read
    (None) is not compared."""
    for name in sorted(found.keys() | expected.keys()):
        table, due = found.get(name, RawTable((), ())), expected.get(name, ExpectedRows((), {}))
        if table is not None:
            yield from _table(name, _in_order_of(table, due), due)


def _in_order_of(found: RawTable, expected: ExpectedRows) -> RawTable:
    """Return a table with its columns in the expected order: a migration adds columns at the
    end."""
    columns = expected.columns
    if found.columns == columns or sorted(found.columns) != sorted(columns):
        return found
    cells = itemgetter(*map(found.columns.index, columns))
    return RawTable(columns, tuple(map(cells, found.rows)))


def _table(name: str, found: RawTable, expected: ExpectedRows) -> Iterator[Finding]:
    if not _is_just_so(found, expected):
        yield from _compare_rows(name, found, expected)


def _is_just_so(found: RawTable, expected: ExpectedRows) -> bool:
    """Whether a table holds exactly the expected rows, each only once."""
    if found.columns != expected.columns or len(found.rows) != len(expected.values):
        return False
    rows = {str(row[0]): row for row in found.rows}
    return rows == expected.values and WHOLE.issuperset(map(type, chain.from_iterable(found.rows)))


def _compare_rows(name: str, found: RawTable, expected: ExpectedRows) -> Iterator[Finding]:
    rows: dict[str, int] = {}
    alike = found.columns == expected.columns
    for row in sorted(found.rows, key=lambda row: str(row[0])):
        key = str(row[0])
        rows[key] = rows.get(key, 0) + 1
        due = expected.values.get(key)
        if due is None:
            yield _finding(f"{name}: {quote_value(key)} is not in any journal entry", key)
        elif not (alike and row == due and WHOLE.issuperset(map(type, row))):
            wanted = dict(zip(expected.columns, map(cell_value, due), strict=True))
            yield from _cells(name, key, dict(zip(found.columns, row, strict=True)), wanted)
    for key in expected.values:
        if rows.get(key, 0) != 1:
            yield _finding(f"{name}: {key} appears {rows.get(key, 0)} times instead of once", key)


def _cells(name: str, key: str, row: Mapping[str, Value], expected: Row) -> Iterator[Finding]:
    for column, value in row.items():
        kind = storage_class(value)
        if column not in expected:
            yield _finding(
                f"{name}: {key} has {quote_value(value)} in the unknown column {column}", key
            )
        elif value != expected[column] or kind != storage_class(expected[column]):
            due = f"the journal says {quote_value(expected[column])}"
            yield _finding(f"{name}: {key}.{column} is {quote_value(value)} ({kind}), {due}", key)
    for column in expected.keys() - row.keys():
        yield _finding(f"{name}: {key} has no {column}", key)


def _finding(what: str, key: str) -> Finding:
    return Finding("projection", PROJECTION, what, (key,))
