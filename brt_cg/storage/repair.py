"""Saves what a damaged campaign file still holds: its journal, and all that can be made anew.

The tables are made from the journal, and its sentences by the rules. An entry of which only what
the rules make of it is damaged is made again, if its hash says that it is the same. Where another
one is lost, those that follow are entered again as long as the rules make the same of them without
it. It works on a copy and leaves the damaged file as it is.
"""

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from brt_cg.journal.changes import apply
from brt_cg.journal.entries import NO_HASH, TIME_TRAVEL, Entry, chain_hash, encode, said_from, seal
from brt_cg.journal.replay import CannotReplay, Replay, made_again, with_as_it_stands
from brt_cg.journal.rules_version import in_force
from brt_cg.model.campaign import Campaign
from brt_cg.refit.log_line import LogLine
from brt_cg.storage.errors import Damaged, StorageError
from brt_cg.storage.file import CampaignFile
from brt_cg.storage.reader import ROWS, VERSION, check_not_newer
from brt_cg.storage.sqlite import open_damaged, plain_errors

Row = tuple[Any, Any, Any, Any]  # seq, payload, hash, said
CHANGES = re.compile(r'"changes":.*\],(?="(?:form|from|kind)":)', re.DOTALL)
# What rows that are no entries raise, and whatever a forged one makes a rule raise.
NO_ENTRY = (sqlite3.Error, ValueError, TypeError, LookupError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class RepairResult:
    """The result of a repair: how many entries were saved, how many of them, from the first on,
    have their old hash, and the head; the numbers of those that were made again, and of those with
    new sentences; why an entry could not be saved, by its number; and the entries after the last
    one saved that are still readable: number and kind."""

    entries: int
    unchanged: int
    head: str
    mended: tuple[int, ...]
    reworded: tuple[int, ...]
    bad: dict[int, str]
    lost: tuple[tuple[int, str], ...]

    @property
    def is_whole(self) -> bool:
        """Whether nothing was lost."""
        return not self.bad and not self.lost


def repair(path: Path, target: Path) -> RepairResult:
    """Writes what can be saved of a damaged campaign to a new file. Raises StorageError, leaving
    none; NewerFile if a newer brt-cg made it."""
    if not path.is_file():
        raise StorageError(f"{path}: there is no such file")
    file = CampaignFile.create(target)
    saving, lost = _saved(path)
    if not saving.entries:
        why = saving.bad.get(1, "it holds no entry")
        raise Damaged(f"{path}: nothing of its journal can be saved ({why})")
    try:
        file.write(saving.entries, saving.campaign)
    finally:
        file.close()
    return saving.result(lost)


def _saved(path: Path) -> tuple["_Saving", tuple[tuple[int, str], ...]]:
    saving = _Saving()
    with TemporaryDirectory() as folder:
        copied = Path(folder) / path.name
        for each in (path, path.with_name(f"{path.name}-journal")):
            if each.is_file():
                with plain_errors(path):
                    shutil.copyfile(each, copied.with_name(each.name))
        try:
            with closing(open_damaged(copied)) as connection:
                _refuse_newer(path, connection)
                last = _save_all(saving, connection)
                return saving, tuple(_behind(connection, last))
        except sqlite3.Error as error:
            saving.bad[1] = f"the file cannot be read: {error}"
    return saving, ()


def _refuse_newer(path: Path, connection: sqlite3.Connection) -> None:
    rows: list[tuple[object]] = []
    with suppress(sqlite3.Error):
        rows = connection.execute(f"SELECT version_num FROM {VERSION}").fetchall()
    for (revision,) in rows:
        check_not_newer(path, revision)


def _save_all(saving: "_Saving", connection: sqlite3.Connection) -> int:
    """Saves entry by entry, until one does not follow. Returns the number of the one before."""
    connection.execute(f"{ROWS} WHERE seq = 1").fetchone()  # raises if nothing can be read at all
    due, row = 1, _row(connection, 1)
    while row is not None or any(_behind(connection, due)):
        following = _row(connection, due + 1)
        if not saving.goes_on_with(due, row, following):
            return due - 1
        due, row = due + 1, following
    return due


def _row(connection: sqlite3.Connection, seq: int) -> Row | None:
    with suppress(sqlite3.Error):
        row: Row | None = connection.execute(f"{ROWS} WHERE seq = ?", (seq,)).fetchone()
        return row
    return None


def _behind(connection: sqlite3.Connection, last: int) -> Iterator[tuple[int, str]]:
    """The readable entries after one: number and kind."""
    with suppress(sqlite3.Error):
        for seq, text, *_ in connection.execute(f"{ROWS} WHERE seq > ? ORDER BY seq", (last,)):
            kind = "unreadable"
            with suppress(*NO_ENTRY):
                kind = str(json.loads(text)["kind"])
            if isinstance(seq, int):
                yield seq, kind


class _Saving:
    """The entries saved so far, the campaign that they fold to, and a replay that goes along."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.campaign = Campaign()
        self.mended: list[int] = []
        self.reworded: list[int] = []
        self.bad: dict[int, str] = {}
        self._replay = Replay()
        self._before: object = NO_HASH  # the hash of the entry before, as the file tells it
        self._numbers: dict[int, int] = {}  # of the entries that were saved, by their old number
        self._calls: dict[int, int] = {}

    def result(self, lost: tuple[tuple[int, str], ...]) -> RepairResult:
        unchanged = min(self.bad, default=len(self.entries) + 1) - 1
        return RepairResult(
            entries=len(self.entries),
            unchanged=unchanged,
            head=self.entries[-1].hash,
            mended=tuple(self.mended),
            reworded=tuple(self.reworded),
            bad=self.bad,
            lost=lost,
        )

    def goes_on_with(self, due: int, row: Row | None, following: Row | None) -> bool:
        """Saves the entry of a row, if it is as it was written, or can be made so. After one that
        is not (`bad`), an entry is saved if the rules make of it what it says. Returns whether to
        go on with the next."""
        entry = self._as_written(due, row, following)
        self._before = entry.hash if entry else row[2] if row else None
        if entry is None:
            self.bad[due] = "is missing" if row is None else "is not as it was written"
            return due > 1
        kept = self._entered_again if self.bad else self._kept
        try:
            saved = kept(entry, row)
            apply(self.campaign, saved.changes)
        except (CannotReplay, *NO_ENTRY):
            if not self.bad:
                self.bad[due] = "does not fit what came before it"
                self.campaign = Campaign()
                for earlier in self.entries:
                    apply(self.campaign, earlier.changes)
            return False
        self._numbers[due] = saved.seq
        self.entries.append(saved)
        return True

    def _as_written(self, due: int, row: Row | None, following: Row | None) -> Entry | None:
        """The entry of a row, if it follows the one before, with the hash that it then has."""
        if row is None:
            return None
        _, text, digest, _ = row
        with suppress(*NO_ENTRY):
            payload = _payload(text)
            if not isinstance(self._before, str):  # that the rules make the same is the only check
                return Entry(due, text, str(digest), payload) if "changes" in payload else None
            found = _hash(self._before, due, text)
            if found == digest or _follows(found, following):
                return Entry(due, text, found, payload)
            return None if self.bad else self._mended(Entry(due, text, str(digest), payload))
        return None

    def _mended(self, entry: Entry) -> Entry | None:
        """The entry as the rules make it, if that is what was hashed."""
        before = len(self.entries)
        try:
            self._replay.come_to(entry)
            made = made_again(self._replay, entry, None)
            payload = made.payload | {"rules": entry.payload["rules"]}
            text = encode(payload)
            if chain_hash(str(self._before), entry.seq, text) != entry.hash:
                return None
            self.mended.append(entry.seq)
            return Entry(entry.seq, text, entry.hash, payload)
        except (CannotReplay, *NO_ENTRY):
            return None
        finally:
            self._replay.forget(before)

    # --- as it was --------------------------------------------------------------------------------

    def _kept(self, entry: Entry, row: Row | None) -> Entry:
        """An intact entry, with its sentences; the replay comes to where it stands."""
        made: Entry | None = None
        try:
            self._replay.come_to(entry)
            made = made_again(self._replay, entry, None)
            is_same = made.seq == entry.seq and _content(made.payload) == _content(entry.payload)
        except (CannotReplay, *NO_ENTRY):
            is_same = False
        kept = self._with_sentences(entry, row, made if is_same else None)
        if is_same:
            self._replay.replace_newest(kept)
        else:
            self._replay = with_as_it_stands(self._replay, kept)
        self._calls[entry.call] = entry.call
        return kept

    def _with_sentences(self, entry: Entry, row: Row | None, made: Entry | None) -> Entry:
        """The entry with its stored sentences; with those that the rules make where they are
        spoilt, or where they would have to be the same."""
        stored = _sentences(row)
        said = stored
        if made is not None and (
            stored is None
            or entry.payload["rules"] == in_force(self._replay.campaign.situation.cg)
            or _about(stored) != _about(made.said)
        ):
            said = made.said
        if said != stored:
            self.reworded.append(entry.seq)
        return Entry(entry.seq, entry.text, entry.hash, entry.payload, said or ())

    # --- after one that is lost -------------------------------------------------------------------

    def _entered_again(self, entry: Entry, row: Row | None) -> Entry:
        """An entry behind one that is lost, with another number and hash. Raises CannotReplay if
        by the current rules its result is different."""
        seq = len(self.entries) + 1
        payload = {**entry.payload, "call": self._calls.setdefault(entry.call, seq)}
        if entry.kind in TIME_TRAVEL:
            recorded = entry.asked
            numbers = [self._numbers[number] for number in recorded["entries"]]
            payload["asked"] = {**recorded, "entries": numbers}
        due = Entry(seq, encode(payload), "", payload)
        self._replay.come_to(due)
        made = made_again(self._replay, due, None)
        if made.seq != seq or _content(made.payload) != _content(payload):
            raise CannotReplay("by the current rules its result is different")
        sealed = seal(self.entries, payload)
        again = self._with_sentences(sealed, row, made)
        self._replay.replace_newest(again)
        return again


def _payload(text: str) -> dict[str, Any]:
    """What an entry's text says; without its changes, if they are what cannot be read. Raises
    ValueError."""
    try:
        payload: dict[str, Any] = json.loads(text)
    except ValueError:
        payload = json.loads(CHANGES.sub("", text))
    return payload


def _hash(before: str, seq: int, text: str) -> str:
    """The hash of an entry; none of a text that is not one."""
    with suppress(UnicodeEncodeError):
        return chain_hash(before, seq, text)
    return ""


def _follows(digest: str, following: Row | None) -> bool:
    """Whether an entry, whose own hash is damaged, is the one that the next was written after."""
    if following is None or not digest:
        return False
    seq, text, next_digest, _ = following
    return isinstance(text, str) and _hash(digest, seq, text) == next_digest


def _content(payload: dict[str, Any]) -> str:
    """What an entry holds, whatever version of the rules it names."""
    return encode({**payload, "rules": None})


def _sentences(row: Row | None) -> tuple[LogLine, ...] | None:
    """The stored sentences of an entry; None if they are spoilt. They are not in the chain."""
    with suppress(*NO_ENTRY):
        return said_from(str(row[3])) if row else None
    return None


def _about(said: tuple[LogLine, ...]) -> list[object]:
    return [(sentence.about, sentence.secret) for sentence in said]
