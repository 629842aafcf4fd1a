"""Writes entries: their rows of the journal, and the rows of the records that they changed."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import groupby

from sqlalchemy import Connection, Delete, Table, bindparam, delete, insert
from sqlalchemy.sql.dml import Insert

from brt_cg.journal.entries import NO_HASH, TIME_TRAVEL, Entry, chain_hash, said_plain
from brt_cg.model.campaign import Campaign
from brt_cg.storage.errors import MovedOn
from brt_cg.storage.projection import ROLLS, Row, roll_row, row_of
from brt_cg.storage.reader import JOURNAL, NEWEST
from brt_cg.storage.tables import metadata


def store(connection: Connection, entries: Sequence[Entry], campaign: Campaign) -> None:
    """Stores entries and their projection; `campaign` is the campaign after them. Raises MovedOn if
    they do not follow the newest entry in the file."""
    _refuse_if_moved_on(connection, entries[0])
    rows = [
        {
            "seq": entry.seq,
            "payload": entry.text,
            "hash": entry.hash,
            "said": said_plain(entry.said),
        }
        for entry in entries
    ]
    connection.execute(insert(_table(JOURNAL)), rows)
    _store_records(connection, entries, campaign)
    for travels, some in groupby(entries, key=lambda entry: entry.kind in TIME_TRAVEL):
        if travels:
            for entry in some:
                _move_rolls(connection, entry)
        else:
            _store_rolls(connection, map(roll_row, some))


def _refuse_if_moved_on(connection: Connection, entry: Entry) -> None:
    seq, digest = connection.exec_driver_sql(NEWEST).first() or (0, NO_HASH)
    if seq != entry.seq - 1 or chain_hash(digest, entry.seq, entry.text) != entry.hash:
        raise MovedOn


def _store_records(connection: Connection, entries: Sequence[Entry], campaign: Campaign) -> None:
    touched: dict[str, dict[str, None]] = {}
    for table, key, *_ in (change for entry in entries for change in entry.changes):
        touched.setdefault(table, {})[key] = None
    for table, keys in touched.items():
        records = campaign.tables[table]
        there = [row_of(records[key]) for key in keys if key in records]
        if there:
            connection.execute(_upsert(table, connection.dialect.name), there)
        gone = [{"gone": key} for key in keys if key not in records]
        if gone:
            connection.execute(_delete(table, "id"), gone)


def _store_rolls(connection: Connection, rolls: Iterable[Row | None]) -> None:
    rows = [row for row in rolls if row is not None]
    if rows:
        connection.execute(insert(_table(ROLLS)), rows)


def _move_rolls(connection: Connection, entry: Entry) -> None:
    """Deletes the rolls of undone entries and inserts those of redone ones."""
    if entry.kind == "undo":
        undone = [{"gone": seq} for seq in entry.asked["entries"]]
        connection.execute(_delete(ROLLS, "seq"), undone)
    else:
        _store_rolls(connection, _rolls_done_again(connection, entry))


def _rolls_done_again(connection: Connection, entry: Entry) -> Iterator[Row | None]:
    for seq in entry.asked["entries"]:
        wanted = f"SELECT payload FROM {JOURNAL} WHERE seq = {seq:d}"
        text = connection.exec_driver_sql(wanted).scalar_one()
        yield roll_row(Entry(seq, text, "", json.loads(text)))


# --- statements, made once --------------------------------------------------------------------


def _table(name: str) -> Table:
    return metadata.tables[name]


@cache
def _upsert(table: str, dialect: str) -> Insert:
    """The statement that inserts a row or replaces the one with its id."""
    found = _table(table)
    statement = import_module(f"sqlalchemy.dialects.{dialect}").insert(found)
    keys = [column.name for column in found.primary_key]
    new = {c.name: statement.excluded[c.name] for c in found.columns if c.name not in keys}
    upsert: Insert = statement.on_conflict_do_update(index_elements=keys, set_=new)
    return upsert


@cache
def _delete(table: str, key: str) -> Delete:
    found = _table(table)
    return delete(found).where(found.c[key] == bindparam("gone"))
