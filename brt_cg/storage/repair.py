"""Saves what a damaged campaign file still holds: the journal up to the first break of its chain.

The tables are rebuilt from the journal, so damage to them, or to indexes, loses nothing. It works
on a copy and leaves the damaged file as it is.
"""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from brt_cg.journal.changes import apply
from brt_cg.journal.entries import NO_HASH, Entry, chain_hash, said_from
from brt_cg.model.campaign import Campaign
from brt_cg.refit.log_line import LogLine
from brt_cg.storage.errors import Damaged, StorageError
from brt_cg.storage.file import CampaignFile
from brt_cg.storage.reader import ROWS
from brt_cg.storage.sqlite import open_damaged, plain_errors

Row = tuple[object, object, object, object]  # seq, payload, hash, said


@dataclass(frozen=True, slots=True)
class RepairResult:
    """The result of a repair: the entries saved; `why` the next one could not be (None if the whole
    journal was); and the entries after it that are still readable: number and kind."""

    entries: int
    head: str
    why: str | None
    lost: tuple[tuple[int, str], ...]


def repair(path: Path, target: Path) -> RepairResult:
    """Writes the intact part of a damaged campaign to a new file. Raises StorageError, leaving
    none."""
    if not path.is_file():
        raise StorageError(f"{path}: there is no such file")
    file = CampaignFile.create(target)
    campaign = Campaign()
    entries, why, lost = _saved(path, campaign)
    if not entries:
        raise Damaged(f"{path}: nothing of its journal can be saved ({why})")
    try:
        file.write(entries, campaign)
    finally:
        file.close()
    return RepairResult(len(entries), entries[-1].hash, why, lost)


def _saved(
    path: Path, campaign: Campaign
) -> tuple[list[Entry], str | None, tuple[tuple[int, str], ...]]:
    """The intact entries, folded into `campaign`, and the problem with the next one."""
    with TemporaryDirectory() as folder:
        copied = Path(folder) / path.name
        for each in (path, path.with_name(f"{path.name}-journal")):
            if each.is_file():
                with plain_errors(path):
                    shutil.copyfile(each, copied.with_name(each.name))
        try:
            with closing(open_damaged(copied)) as connection:
                entries, why = _holding(connection, campaign)
                lost = tuple(_behind(connection, len(entries))) if why else ()
        except sqlite3.Error as error:
            return [], f"the file cannot be read: {error}", ()
    return entries, why, lost


def _holding(connection: sqlite3.Connection, campaign: Campaign) -> tuple[list[Entry], str | None]:
    entries: list[Entry] = []
    before = NO_HASH
    while True:
        due = len(entries) + 1
        try:
            row = connection.execute(f"{ROWS} WHERE seq = ?", (due,)).fetchone()
            if row is None:
                more = any(_behind(connection, due))
                return entries, f"entry {due} is missing" if more else None
            entry = _entry(row, before)
            apply(campaign, entry.changes)
        except (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return entries, f"entry {due} is not as it was written"
        entries.append(entry)
        before = entry.hash


def _entry(row: Row, before: str) -> Entry:
    """The entry of a row, if it follows the one before. Raises ValueError."""
    seq, text, digest, said = row
    if not isinstance(seq, int) or not isinstance(text, str) or not isinstance(digest, str):
        raise ValueError("a cell is not of its type")
    if chain_hash(before, seq, text) != digest:
        raise ValueError("its hash is different")
    return Entry(seq, text, digest, json.loads(text), _sentences(said))


def _sentences(said: object) -> tuple[LogLine, ...]:
    """The sentences of an entry; spoilt ones are dropped, since they are derived and not in the
    chain."""
    with suppress(ValueError, TypeError):
        return said_from(str(said))
    return ()


def _behind(connection: sqlite3.Connection, last: int) -> Iterator[tuple[int, str]]:
    """The readable entries after the last intact one: number and kind."""
    with suppress(sqlite3.Error):
        for seq, text, *_ in connection.execute(f"{ROWS} WHERE seq > ? ORDER BY seq", (last,)):
            kind = "unreadable"
            with suppress(ValueError, TypeError, KeyError, RecursionError):
                kind = str(json.loads(text)["kind"])
            if isinstance(seq, int):
                yield seq, kind
