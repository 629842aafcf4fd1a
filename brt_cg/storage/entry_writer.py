"""The writing of entries: their rows of the journal, and the rows of the records that they
changed."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Any

from brt_cg.immutable import immutable
from brt_cg.journal.entries import NO_HASH, TIME_TRAVEL, Entry, chain_hash, log_lines_to_json
from brt_cg.model import Campaign
from brt_cg.storage.cells import quote_name
from brt_cg.storage.errors import StaleCampaignError
from brt_cg.storage.projection import ROLLS, Row, record_row, roll_row
from brt_cg.storage.reader import JOURNAL, NEWEST


@immutable
class EntryWriter:
    """A transaction of a campaign: the driver's own connection, and the `mark` for a value in its
    statements. An append needs so little SQL that loading SQLAlchemy would take ten times as long
    as using it."""

    connection: Any
    mark: str

    def fetch_first(self, query: str) -> Any:
        """Return the first row of a query, or None."""
        return self.connection.execute(query).fetchone()

    def insert(self, table: str, rows: Sequence[Row], key: str | None = None) -> None:
        """Insert rows that have the same columns; with a key, replace rows that have the same
        key."""
        if rows:
            self._each(_insert(table, tuple(rows[0]), self.mark, key), rows)

    def delete(self, table: str, key: str, values: Iterable[Any]) -> None:
        """Delete the rows whose key is one of these values."""
        gone: list[Row] = [{key: value} for value in values]
        if gone:
            where = f"{quote_name(key)} = {self.mark}"
            self._each(f"DELETE FROM {quote_name(table)} WHERE {where}", gone)

    def _each(self, statement: str, rows: Sequence[Row]) -> None:
        self.connection.cursor().executemany(statement, [tuple(row.values()) for row in rows])


def store_entries(pen: EntryWriter, entries: Sequence[Entry], campaign: Campaign) -> None:
    """Store entries and their projection; `campaign` is the campaign after them. Raises
    StaleCampaignError if the entries do not follow the newest one in the file."""
    _refuse_if_moved_on(pen, entries[0])
    rows: list[Row] = [
        {
            "seq": entry.seq,
            "payload": entry.text,
            "hash": entry.hash,
            "said": log_lines_to_json(entry.said),
        }
        for entry in entries
    ]
    pen.insert(JOURNAL, rows)
    _store_records(pen, entries, campaign)
    for travels, some in groupby(entries, key=lambda entry: entry.kind in TIME_TRAVEL):
        if travels:
            for entry in some:
                _move_rolls(pen, entry)
        else:
            _store_rolls(pen, map(roll_row, some))


def _refuse_if_moved_on(pen: EntryWriter, entry: Entry) -> None:
    seq, digest = pen.fetch_first(NEWEST) or (0, NO_HASH)
    if seq != entry.seq - 1 or chain_hash(digest, entry.seq, entry.text) != entry.hash:
        raise StaleCampaignError


def _store_records(pen: EntryWriter, entries: Sequence[Entry], campaign: Campaign) -> None:
    touched: dict[str, dict[str, None]] = {}
    for table, key, *_ in (change for entry in entries for change in entry.changes):
        touched.setdefault(table, {})[key] = None
    for table, keys in touched.items():
        records = campaign.tables[table]
        pen.insert(table, [record_row(records[key]) for key in keys if key in records], "id")
        pen.delete(table, "id", [key for key in keys if key not in records])


def _store_rolls(pen: EntryWriter, rolls: Iterable[Row | None]) -> None:
    pen.insert(ROLLS, [row for row in rolls if row is not None])


def _move_rolls(pen: EntryWriter, entry: Entry) -> None:
    """Delete the rolls of undone entries and insert those of redone ones."""
    if entry.kind == "undo":
        pen.delete(ROLLS, "seq", entry.asked["entries"])
    else:
        _store_rolls(pen, _rolls_done_again(pen, entry))


def _rolls_done_again(pen: EntryWriter, entry: Entry) -> Iterator[Row | None]:
    for seq in entry.asked["entries"]:
        (text,) = pen.fetch_first(f"SELECT payload FROM {JOURNAL} WHERE seq = {seq:d}")
        yield roll_row(Entry(seq, text, "", json.loads(text)))


@cache
def _insert(table: str, columns: tuple[str, ...], mark: str, key: str | None) -> str:
    """Return the statement that inserts a row or, with a key, replaces the row that has this
    key."""
    names = ", ".join(map(quote_name, columns))
    marks = ", ".join(mark for _ in columns)
    statement = f"INSERT INTO {quote_name(table)} ({names}) VALUES ({marks})"
    if key is None:
        return statement
    new = ", ".join(f"{quote_name(c)} = excluded.{quote_name(c)}" for c in columns if c != key)
    return f"{statement} ON CONFLICT ({quote_name(key)}) DO UPDATE SET {new}"
