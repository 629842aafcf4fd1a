"""Writes entries: their rows of the journal, and the rows of the records that they changed."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Any

from brt_cg.journal.entries import NO_HASH, TIME_TRAVEL, Entry, chain_hash, said_plain
from brt_cg.model.campaign import Campaign
from brt_cg.model.value import value
from brt_cg.storage.cells import quoted
from brt_cg.storage.errors import MovedOn
from brt_cg.storage.projection import ROLLS, Row, roll_row, row_of
from brt_cg.storage.reader import JOURNAL, NEWEST


@value
class Pen:
    """A transaction of a campaign: the driver's own connection, and the `mark` that stands for a
    value in its statements. What an append needs is so little SQL that SQLAlchemy would take ten
    times as long to load as to use."""

    connection: Any
    mark: str

    def first(self, query: str) -> Any:
        """The first row of a query, or None."""
        return self.connection.execute(query).fetchone()

    def insert(self, table: str, rows: Sequence[Row], key: str | None = None) -> None:
        """Inserts rows that have the same columns; with a key, in place of those that have it."""
        if rows:
            self._each(_insert(table, tuple(rows[0]), self.mark, key), rows)

    def delete(self, table: str, key: str, values: Iterable[Any]) -> None:
        """Deletes the rows that have one of the values as their key."""
        gone: list[Row] = [{key: value} for value in values]
        if gone:
            where = f"{quoted(key)} = {self.mark}"
            self._each(f"DELETE FROM {quoted(table)} WHERE {where}", gone)

    def _each(self, statement: str, rows: Sequence[Row]) -> None:
        self.connection.cursor().executemany(statement, [tuple(row.values()) for row in rows])


def store(pen: Pen, entries: Sequence[Entry], campaign: Campaign) -> None:
    """Stores entries and their projection; `campaign` is the campaign after them. Raises MovedOn if
    they do not follow the newest entry in the file."""
    _refuse_if_moved_on(pen, entries[0])
    rows: list[Row] = [
        {
            "seq": entry.seq,
            "payload": entry.text,
            "hash": entry.hash,
            "said": said_plain(entry.said),
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


def _refuse_if_moved_on(pen: Pen, entry: Entry) -> None:
    seq, digest = pen.first(NEWEST) or (0, NO_HASH)
    if seq != entry.seq - 1 or chain_hash(digest, entry.seq, entry.text) != entry.hash:
        raise MovedOn


def _store_records(pen: Pen, entries: Sequence[Entry], campaign: Campaign) -> None:
    touched: dict[str, dict[str, None]] = {}
    for table, key, *_ in (change for entry in entries for change in entry.changes):
        touched.setdefault(table, {})[key] = None
    for table, keys in touched.items():
        records = campaign.tables[table]
        pen.insert(table, [row_of(records[key]) for key in keys if key in records], "id")
        pen.delete(table, "id", [key for key in keys if key not in records])


def _store_rolls(pen: Pen, rolls: Iterable[Row | None]) -> None:
    pen.insert(ROLLS, [row for row in rolls if row is not None])


def _move_rolls(pen: Pen, entry: Entry) -> None:
    """Deletes the rolls of undone entries and inserts those of redone ones."""
    if entry.kind == "undo":
        pen.delete(ROLLS, "seq", entry.asked["entries"])
    else:
        _store_rolls(pen, _rolls_done_again(pen, entry))


def _rolls_done_again(pen: Pen, entry: Entry) -> Iterator[Row | None]:
    for seq in entry.asked["entries"]:
        (text,) = pen.first(f"SELECT payload FROM {JOURNAL} WHERE seq = {seq:d}")
        yield roll_row(Entry(seq, text, "", json.loads(text)))


@cache
def _insert(table: str, columns: tuple[str, ...], mark: str, key: str | None) -> str:
    """The statement that inserts a row or, with a key, replaces the one that has it."""
    names = ", ".join(map(quoted, columns))
    marks = ", ".join(mark for _ in columns)
    statement = f"INSERT INTO {quoted(table)} ({names}) VALUES ({marks})"
    if key is None:
        return statement
    new = ", ".join(f"{quoted(c)} = excluded.{quoted(c)}" for c in columns if c != key)
    return f"{statement} ON CONFLICT ({quoted(key)}) DO UPDATE SET {new}"
