"""The saving of the contents of a damaged campaign file: its journal, and everything that can be
rebuilt.

The tables are made from the journal, and its sentences by the rules. An entry with damage only in
parts that the rules make is made again, if its hash confirms that it is the same. If an entry is
lost otherwise, the following ones are entered again as long as they have the same result without
it. This works on a copy and leaves the damaged file as it is.

Entries are read by SQLite, and from the raw pages if its trees are broken. Only if the tree leads
to its last row is it certain that all entries were found.
"""

import json
import re
import sqlite3
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from brt_cg.connections import copy_file_bytes, read_in_parts
from brt_cg.immutable import immutable
from brt_cg.journal.changes import apply_changes
from brt_cg.journal.entries import (
    NO_HASH,
    TIME_TRAVEL,
    Entry,
    chain_hash,
    encode,
    log_lines_from_json,
    make_next_entry,
)
from brt_cg.journal.replay import Replay, ReplayError, append_as_recorded, replay_entry
from brt_cg.journal.rules_version import current_version_text
from brt_cg.model import Campaign
from brt_cg.refit.log_line import LogLine
from brt_cg.storage.campaign_file import CampaignFile
from brt_cg.storage.errors import DamagedError, StorageError
from brt_cg.storage.projection import ROLLS
from brt_cg.storage.raw_pages import CorruptPageError, RawPages
from brt_cg.storage.reader import JOURNAL, ROWS, VERSION, check_not_newer
from brt_cg.storage.sqlite import open_damaged_copy, translate_errors

Row = tuple[Any, Any, Any, Any]  # seq, payload, hash, said
CHANGES = re.compile(r'"changes":.*\],(?="(?:form|from|kind)":)', re.DOTALL)
# The errors raised by rows that are not entries, and by rules on a forged one.
FAR = 1000  # entries that may be missing in a row
NO_ENTRY = (sqlite3.Error, ValueError, TypeError, LookupError, AttributeError, RecursionError)


@immutable
class RepairResult:
    """The result of a repair: the number of entries saved, the number of those, counted from the
    first, that keep their old hash, and the head; the numbers of entries that were made again, and
    of entries with new sentences; the reasons why entries could not be saved, by number; the
    readable entries after the last one saved, by number and kind; and other doubts about whether
    all entries were found."""

    entries: int
    unchanged: int
    head: str
    mended: tuple[int, ...]
    reworded: tuple[int, ...]
    bad: dict[int, str]
    lost: tuple[tuple[int, str], ...]
    doubts: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether the file shows no losses."""
        return not (self.bad or self.lost or self.doubts)


def repair_file(path: Path, target: Path) -> RepairResult:
    """Write everything that can be saved of a damaged campaign to a new file. Raises StorageError,
    leaving no file; NewerFileError if a newer brt-cg made it."""
    if not path.is_file():
        raise StorageError(f"{path}: there is no such file")
    file = CampaignFile.prepare_new(target)
    saving, lost, doubts = _saved(path)
    if not saving.entries:
        why = saving.bad.get(1, "it contains no entry")
        raise DamagedError(f"{path}: none of its journal can be saved ({why})")
    try:
        file.write_with_notices(saving.entries, saving.campaign)
    finally:
        file.close()
    return saving.result(lost, doubts)


Left = tuple["_Saving", tuple[tuple[int, str], ...], tuple[str, ...]]


def _saved(path: Path) -> Left:
    """Return the saved entries, the entries that can be read but were not saved, and the
    messages about doubtful entries."""
    saving = _Saving()
    with TemporaryDirectory() as folder:
        copied = Path(folder) / path.name
        for each in (path, *(path.with_name(f"{path.name}-{end}") for end in ("journal", "wal"))):
            if each.is_file():
                with translate_errors(path):
                    copy_file_bytes(each, copied.with_name(each.name))
        with closing(open_damaged_copy(copied)) as connection:
            _refuse_newer(path, connection)
            rows = _Rows(connection, copied)
            last = _save_all(saving, rows)
            if not saving.entries and rows.error:
                saving.bad[1] = f"the file cannot be read: {rows.error}"
            return saving, tuple(rows.readable_after(last)), tuple(rows.doubts(last))


def _refuse_newer(path: Path, connection: sqlite3.Connection) -> None:
    rows: list[tuple[object]] = []
    with suppress(sqlite3.Error):
        rows = connection.execute(f"SELECT version_num FROM {VERSION}").fetchall()
    for (revision,) in rows:
        check_not_newer(path, revision)


def _save_all(saving: "_Saving", rows: "_Rows") -> int:
    """Save entry by entry, until one does not follow. Return the number of the last one saved."""
    due = 1
    while rows.may_hold(due):
        if not saving.save_entry(due, rows):
            return due - 1
        due += 1
    return due - 1


# --- the rows that can still be read --------------------------------------------------------------


class _Rows:
    """The rows of a damaged journal: those that SQLite reads, and those in the raw pages. `error`
    is SQLite's message about the file, if it cannot read any of it."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self.error = ""
        # If a page is wrong, SQLite reads rows that do not exist.
        numbers = f"SELECT seq FROM {JOURNAL} WHERE payload LIKE '{{%' AND length(hash) = 64"
        self._read = {seq for (seq,) in self._tried(numbers)}
        self._tried("PRAGMA wal_checkpoint(TRUNCATE)")  # else the file lacks the newest pages
        self._pages = RawPages(b"".join(read_in_parts(path)))
        self._end = self._end_of_tree()
        self._raw: dict[int, list[int]] = {}
        for number, begins in self._pages.row_numbers_and_offsets():
            # After an intact end there are only rows that were never stored, such as those of a
            # commit that was rolled back.
            if self._end is None or number <= self._end:
                self._raw.setdefault(number, []).append(begins)
        self._numbers = sorted({*self._read, *self._raw, self._end or 0})

    def _tried(self, query: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query that can be read."""
        found = []
        try:
            for row in self._connection.execute(query):
                found.append(row)
        except sqlite3.Error as error:
            self.error = str(error)
        return iter(found)

    def _end_of_tree(self) -> int | None:
        """Return the number of the last row, if the path to it is undamaged."""
        roots = [*self._tried(f"SELECT rootpage FROM sqlite_master WHERE name = '{JOURNAL}'")]
        with suppress(CorruptPageError, TypeError, IndexError):
            return self._pages.last_row_number(*roots[0])
        return None

    def may_hold(self, due: int) -> bool:
        """Whether the file may hold an entry, or one soon after it. A number far beyond all others
        is damaged."""
        after = bisect_left(self._numbers, due)
        return after < len(self._numbers) and self._numbers[after] - due < FAR

    def rows_numbered(self, seq: int) -> Iterator[Row]:
        """Yield the rows with a number: SQLite's, and others found in the pages."""
        with suppress(sqlite3.Error):
            yield from self._connection.execute(f"{ROWS} WHERE seq = ?", (seq,))
        yield from self._in_pages(seq)

    def _in_pages(self, number: int) -> Iterator[Row]:
        for begins in self._raw.get(number, ()):
            with suppress(CorruptPageError):
                yield self._pages.row_at(begins)

    def under_another_number(self, before: str, due: int) -> Row | None:
        """Return the row that follows a hash as the next entry, even if its number is damaged."""
        for number in self._strays():
            for _, text, digest, said in self._in_pages(number):
                if _hash(before, due, text) == digest:
                    self._numbers.remove(number)
                    if self._end == number:
                        self._end = max(due, *self._numbers)
                    return due, text, digest, said
        return None

    def _strays(self) -> list[int]:
        """Return the numbers that do not follow another number, or that belong to two rows."""
        known = self._numbers
        return [
            number
            for place, number in enumerate(known)
            if len(self._raw.get(number, ())) > 1 or not place or known[place - 1] != number - 1
        ]

    def readable_after(self, last: int) -> Iterator[tuple[int, str]]:
        """Yield the number and kind of each readable entry after a given one."""
        for seq in self._numbers[bisect_left(self._numbers, last + 1) :]:
            for _, text, *_ in self.rows_numbered(seq):
                kind = "unreadable"
                with suppress(*NO_ENTRY):
                    kind = str(json.loads(text)["kind"])
                yield seq, kind
                break

    def doubts(self, last: int) -> Iterator[str]:
        """Return the reasons why there may have been entries after the last one that was found."""
        if self._end != last:
            cut = self._pages.pages_present_and_expected
            why = "only {} of its {} pages exist".format(*cut) if cut else "its pages are damaged"
            yield f"where the journal ended can no longer be read ({why})"
        for (seq,) in self._tried(f"SELECT max(seq) FROM {ROLLS}"):
            if isinstance(seq, int) and seq > last:
                yield f"the tables contain a die roll of entry {seq}"


class _Saving:
    """The entries saved so far, the campaign that they make, and a replay of them."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.campaign = Campaign()
        self.mended: list[int] = []
        self.reworded: list[int] = []
        self.bad: dict[int, str] = {}
        self._replay = Replay()
        self._before: object = NO_HASH  # the hash of the previous entry, from the file
        self._numbers: dict[int, int] = {}  # the saved entries by their old number
        self._calls: dict[int, int] = {}

    def result(self, lost: tuple[tuple[int, str], ...], doubts: tuple[str, ...]) -> RepairResult:
        unchanged = min(self.bad, default=len(self.entries) + 1) - 1
        return RepairResult(
            entries=len(self.entries),
            unchanged=unchanged,
            head=self.entries[-1].hash,
            mended=tuple(self.mended),
            reworded=tuple(self.reworded),
            bad=self.bad,
            lost=lost,
            doubts=doubts,
        )

    def save_entry(self, due: int, rows: _Rows) -> bool:
        """Save the entry with a number, if it is unaltered or can be restored. After an entry that
        cannot be restored (`bad`), save an entry if the rules give the result that it records.
        Return whether to continue with the next."""
        there = [*rows.rows_numbered(due)]
        entry, row = self._as_written(due, there, rows)
        self._before = entry.hash if entry else there[0][2] if there else None
        if entry is None:
            self.bad[due] = "was altered" if there else "is missing"
            return due > 1
        kept = self._entered_again if self.bad else self._kept
        try:
            saved = kept(entry, row)
            apply_changes(self.campaign, saved.changes)
        except (ReplayError, *NO_ENTRY):
            if not self.bad:
                self.bad[due] = "does not fit the entries before it"
                self.campaign = Campaign()
                for earlier in self.entries:
                    apply_changes(self.campaign, earlier.changes)
            return False
        self._numbers[due] = saved.seq
        self.entries.append(saved)
        return True

    def _as_written(
        self, due: int, there: Sequence[Row], rows: _Rows
    ) -> tuple[Entry | None, Row | None]:
        """Return the entry with a number, if it follows the previous one with the right hash, and
        its row."""
        before = self._before
        if not isinstance(before, str):  # the only check: the rules give the same entry
            return next(filter(None, map(_unchecked, there)), (None, None))
        for row in there:
            if _hash(before, due, row[1]) == row[2]:
                with suppress(*NO_ENTRY):
                    return Entry(due, row[1], row[2], _payload(row[1])), row
        if (stray := rows.under_another_number(before, due)) is not None:
            return Entry(due, stray[1], stray[2], _payload(stray[1])), stray
        following = [*rows.rows_numbered(due + 1)]
        for row in there:
            found = _hash(before, due, row[1])
            with suppress(*NO_ENTRY):
                if any(_follows(found, one) for one in following):
                    return Entry(due, row[1], found, _payload(row[1])), row
        for row in () if self.bad else there:
            with suppress(*NO_ENTRY):
                told = Entry(due, row[1], str(row[2]), _payload(row[1]))
                if (mended := self._mended(told)) is not None:
                    return mended, row
        return None, None

    def _mended(self, entry: Entry) -> Entry | None:
        """Return the entry as the rules make it, if its hash is the same."""
        before, numbers = len(self.entries), self._replay.campaign.numbers
        try:
            self._replay.prepare_for(entry)
            made = replay_entry(self._replay, entry, None)
            payload = made.payload | {"rules": entry.payload["rules"]}
            text = encode(payload)
            if chain_hash(str(self._before), entry.seq, text) != entry.hash:
                return None
            self.mended.append(entry.seq)
            return Entry(entry.seq, text, entry.hash, payload)
        except (ReplayError, *NO_ENTRY):
            return None
        finally:
            self._replay.drop_entries_after(before)
            # While an entry's sentences are made, a counter that it adds has no number yet.
            self._replay.campaign.numbers = numbers

    # --- as it was --------------------------------------------------------------------------------

    def _kept(self, entry: Entry, row: Row | None) -> Entry:
        """Return an intact entry with its sentences. The replay applies it too."""
        made: Entry | None = None
        try:
            self._replay.prepare_for(entry)
            made = replay_entry(self._replay, entry, None)
            is_same = made.seq == entry.seq and _content(made.payload) == _content(entry.payload)
        except (ReplayError, *NO_ENTRY):
            is_same = False
        kept = self._with_sentences(entry, row, made if is_same else None)
        if is_same:
            self._replay.replace_newest(kept)
        else:
            self._replay = append_as_recorded(self._replay, kept)
        self._calls[entry.invocation] = entry.invocation
        return kept

    def _with_sentences(self, entry: Entry, row: Row | None, made: Entry | None) -> Entry:
        """Return the entry with its stored sentences, or with the sentences that the rules make if
        the stored ones are damaged or should be the same."""
        stored = _sentences(row)
        said = stored
        if made is not None and (
            stored is None
            or entry.payload["rules"] == current_version_text(self._replay.campaign.situation.cg)
            or _about(stored) != _about(made.said)
        ):
            said = made.said
        if said != stored:
            self.reworded.append(entry.seq)
        return Entry(entry.seq, entry.text, entry.hash, entry.payload, said or ())

    # --- after one that is lost -------------------------------------------------------------------

    def _entered_again(self, entry: Entry, row: Row | None) -> Entry:
        """Return an entry after a lost one, with a different number and hash. Raises ReplayError if
        the current rules give a different result."""
        seq = len(self.entries) + 1
        payload = {**entry.payload, "call": self._calls.setdefault(entry.invocation, seq)}
        if entry.kind in TIME_TRAVEL:
            recorded = entry.asked
            numbers = [self._numbers[number] for number in recorded["entries"]]
            payload["asked"] = {**recorded, "entries": numbers}
        due = Entry(seq, encode(payload), "", payload)
        self._replay.prepare_for(due)
        made = replay_entry(self._replay, due, None)
        if made.seq != seq or _content(made.payload) != _content(payload):
            raise ReplayError("has a different result by the current rules")
        sealed = make_next_entry(self.entries, payload)
        again = self._with_sentences(sealed, row, made)
        self._replay.replace_newest(again)
        return again


def _unchecked(row: Row) -> tuple[Entry, Row] | None:
    seq, text, digest, _ = row
    with suppress(*NO_ENTRY):
        payload = _payload(text)
        return (Entry(seq, text, str(digest), payload), row) if "changes" in payload else None
    return None


def _payload(text: str) -> dict[str, Any]:
    """Return the payload in an entry's text; without its changes, if these cannot be read. Raises
    ValueError."""
    try:
        payload: dict[str, Any] = json.loads(text)
    except ValueError:
        payload = json.loads(CHANGES.sub("", text))
    return payload


def _hash(before: str, seq: int, text: str) -> str:
    """Return the hash of an entry; None if the text is not a hash."""
    with suppress(UnicodeEncodeError):
        return chain_hash(before, seq, text)
    return ""


def _follows(digest: str, following: Row | None) -> bool:
    """Whether the next entry was written after this one, whose hash is damaged."""
    if following is None or not digest:
        return False
    seq, text, next_digest, _ = following
    return isinstance(text, str) and _hash(digest, seq, text) == next_digest


def _content(payload: dict[str, Any]) -> str:
    """Return the contents of an entry, without the version of the rules that it names."""
    return encode({**payload, "rules": None})


def _sentences(row: Row | None) -> tuple[LogLine, ...] | None:
    """Return the stored sentences of an entry; None if they are damaged. They are not in the hash
    chain."""
    with suppress(*NO_ENTRY):
        return log_lines_from_json(str(row[3])) if row else None
    return None


def _about(said: tuple[LogLine, ...]) -> list[object]:
    return [(sentence.about, sentence.secret) for sentence in said]
