"""What the tables of a campaign file must hold: the records of the fold, as exact SQLite values.

Both the writer and the audit go by this, so a cell is right or wrong to the last bit.
"""

from collections.abc import Iterable
from typing import Any

from brt_cg.campaign import Campaign
from brt_cg.fields import plain, public_names
from brt_cg.journal.entries import Entry, canonical
from brt_cg.record import Record
from brt_cg.records import TABLES

Value = str | int | None
Row = dict[str, Value]

ROLLS = "die_rolls"


def rows_of(campaign: Campaign) -> dict[str, dict[str, Row]]:
    """The rows of every table of records, by table and id; each a value per column."""
    return {
        kind.TABLE: {key: row_of(record) for key, record in campaign.tables[kind.TABLE].items()}
        for kind in TABLES
    }


def row_of(record: Record) -> Row:
    """A record's row: a value per column, by public name."""
    return dict(zip(public_names(type(record)), map(_cell, record.values()), strict=True))


def _cell(value: Any) -> Value:
    kind = type(value)
    if kind is str or kind is int or value is None:
        return value  # type: ignore[no-any-return]
    if kind is bool:
        return int(value)
    if kind is tuple:
        return canonical(plain(value)) if value else "[]"
    return str(value)


def roll_row(entry: Entry) -> Row | None:
    """The row of an entry's roll, or None if it holds none."""
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
        "modifiers": canonical(roll["modifiers"]),
        "original": roll["original"],
        "final": roll["final"],
        "row": roll["row"],
    }


def roll_rows(entries: Iterable[Entry]) -> dict[int, Row]:
    """The rows of the rolls of standing entries, by number of the entry."""
    rows = ((entry.seq, roll_row(entry)) for entry in entries)
    return {seq: row for seq, row in rows if row is not None}
