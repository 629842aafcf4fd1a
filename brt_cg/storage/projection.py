"""The contents that the tables of a campaign file must have: the campaign's records as SQLite
values.

The writer and the audit both use this, so every cell can be checked exactly.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from brt_cg.immutable import immutable
from brt_cg.journal.entries import Entry, canonical_json, encode
from brt_cg.model import TABLES, Campaign, Record, declared_fields, field_names_in_files

Value = str | int | None
Row = dict[str, Value]

ROLLS = "die_rolls"


@immutable
class ExpectedRows:
    """The rows that a table must hold, by id: their `columns`, and a value for each. Truth values
    and words of a field are converted by `cell`."""

    columns: tuple[str, ...]
    values: Mapping[str, tuple[Any, ...]]


def table_rows(campaign: Campaign) -> dict[str, ExpectedRows]:
    """Return the rows of every table of records."""
    return {
        kind.TABLE: ExpectedRows(
            field_names_in_files(kind), _values(kind, campaign.tables[kind.TABLE])
        )
        for kind in TABLES
    }


def _values(kind: type[Record], records: Mapping[str, Record]) -> dict[str, tuple[Any, ...]]:
    """Return the values of records of one kind, with lists as cells."""
    lists = [field.holds is tuple for field in declared_fields(kind)]
    return {
        key: tuple(
            cell_value(value) if is_list else value
            for value, is_list in zip(record.values(), lists, strict=True)
        )
        for key, record in records.items()
    }


def record_row(record: Record) -> Row:
    """Return a record's row: a value per column, by public name."""
    return dict(
        zip(field_names_in_files(type(record)), map(cell_value, record.values()), strict=True)
    )


def cell_value(value: Any) -> Value:
    """Return a field's value as the value of a cell."""
    kind = type(value)
    if kind is str or kind is int or value is None:
        return value  # type: ignore[no-any-return]
    if kind is bool:
        return int(value)
    if kind is tuple:
        return encode(value) if value else "[]"
    return str(value)


def roll_row(entry: Entry) -> Row | None:
    """Return the row for an entry's roll, or None if it has none."""
    roll = entry.payload.get("roll")
    if roll is None:
        return None
    ask = entry.payload["ask"]
    return {
        "seq": entry.seq,
        "date": roll["date"],
        "rule": ask["rule"],
        "subject": ask["subject"],
        "position": roll["position"],
        "dice": ",".join(map(str, roll["dice"])),
        "modifiers": canonical_json(roll["modifiers"]),
        "original": roll["original"],
        "final": roll["final"],
        "row": roll["row"],
    }


def roll_rows(entries: Iterable[Entry]) -> ExpectedRows:
    """Return the rows for the rolls of entries that are not undone, by number of the entry."""
    rows = [row for row in map(roll_row, entries) if row is not None]
    columns = tuple(rows[0]) if rows else ()
    return ExpectedRows(columns, {str(row["seq"]): tuple(row.values()) for row in rows})
