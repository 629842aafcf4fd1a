"""The journal as a seat may read it: every entry for the umpire, what it may know for a side.

What a side reads must follow from what it may know, so that the enemy's secrets leave no trace in
it: not in the numbering, not in gaps of time, and not in the way that lines are grouped.

- A paragraph is one heading, whether it found something to do or not: a paragraph skipped, and one
  that did nothing but what is secret, read alike. A heading has no time, which would tell how long
  a secret answer took.
- The enemy's choices are not there, secret or not: one may be secret only because of what is
  hidden among its options. Nor are his dice for what is hidden. What followed from them and is
  known to both stands under the row before them.
- Changes are the difference between what the side saw before a row and after it.
- What was taken back stays visible if it was an answer or command that the side saw. Headings that
  were taken back do not: a secret that was taken back would show through them.
"""

from collections.abc import Callable, Iterable
from dataclasses import field
from functools import wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from brt_cg.counters import Side
from brt_cg.journal.book import Book
from brt_cg.journal.changes import Change
from brt_cg.journal.entries import TIME_TRAVEL, Entry
from brt_cg.records import Situation
from brt_cg.seats.entries_told import Line, LogLine, Row, lines_of, subject_of, title_of
from brt_cg.seats.side_view import RowChanges, is_progress
from brt_cg.values import mutable

T = TypeVar("T")

NOTHING = "nothing that is not secret"
HEADINGS = ("begin", "skip")
A_LITTLE = 400  # entries that are read on in one go


@mutable
class Seen:
    """An entry that makes a row for a seat, and the lines shown there, its own and those of secret
    entries after it. `entry` is its number, `date` the CG Date after it, `side` who was asked or
    entered it."""

    entry: int
    kind: str
    rule: str | None
    title: str
    date: str
    side: Side | None
    rolled: bool
    lines: list[Line] = field(default_factory=list)
    undone: bool = False
    told: list[LogLine] | None = None  # its lines in the log, once they have been made

    @property
    def heading(self) -> bool:
        return self.kind in HEADINGS

    @property
    def stands(self) -> bool:
        return not self.undone and self.kind not in TIME_TRAVEL


def remembered(view: Callable[[Book, Side | None], T]) -> Callable[[Book, Side | None], T]:
    """A view that keeps what it last said to each side: asked again of the same journal, that is
    not worked out anew. Whoever asks must not change what he is given."""
    kept: dict[Side | None, tuple[str, T]] = {}

    @wraps(view)
    def said(book: Book, side: Side | None) -> T:
        head, found = kept.get(side, (None, None))
        if found is None or head is None or head != book.digest:
            found = view(book, side)
            if book.digest is not None:
                kept[side] = (book.digest, found)
        return found

    return said


@remembered
def journal_rows(book: Book, side: Side | None) -> list[Row]:
    """The journal, first to last. For a side (None: the umpire) the enemy's secrets are left out,
    and so is everything that would tell how many there are: numbers start anew."""
    if side is None:
        return [_row(entry, undone=is_undone(book, entry)) for entry in book.entries]
    seen = visible(book, side)
    walk = RowChanges(side)
    changes = dict(walk.read_on(book, 0, {row.entry for row in seen if row.stands}))
    changes[walk.row], _ = walk.newest()
    return [
        _side_row(number, row, book.entries[row.entry - 1], changes.get(row.entry, ()))
        for number, row in enumerate(seen, start=1)
    ]


def _side_row(number: int, seen: Seen, entry: Entry, changes: Iterable[Change]) -> Row:
    shown: dict[str, Any] = {"number": number, "undone": seen.undone, "hash": None}
    shown["lines"] = tuple(seen.lines)
    shown["changes"] = [change for change in changes if not is_progress(change)]
    if entry.kind in TIME_TRAVEL:
        shown["subject"] = None
    if seen.heading:
        shown |= {"at": None, "by": None, "kind": "paragraph"}
    return _row(entry, **shown)


def _row(entry: Entry, **shown: Any) -> Row:
    """An entry, whole but for what is shown otherwise."""
    payload = entry.payload
    whole: dict[str, Any] = {
        "number": entry.seq,
        "at": payload.get("at"),
        "by": payload.get("by"),
        "kind": entry.kind,
        "rule": entry.rule,
        "title": title_of(entry),
        "subject": subject_of(entry),
        "answer": payload.get("answer"),
        "source": payload.get("from"),
        "roll": payload.get("roll"),
        "lines": lines_of(entry),
        "changes": entry.changes,
        "hash": entry.hash,
        "side": Side(payload["ask"]["side"]) if "ask" in payload else None,
    }
    return Row(**(whole | shown))


def is_undone(book: Book, entry: Entry) -> bool:
    """Whether an entry has been taken back."""
    return entry.seq not in book.standing and entry.kind not in TIME_TRAVEL


# --- which entries make a row ---------------------------------------------------------------------


def visible(book: Book, side: Side) -> list[Seen]:
    """The entries that a side may know of, in order, with the lines that it may read. Nobody may
    change the list: it is read on when the journal has grown."""
    return reading(book, side).rows


def reading(book: Book, side: Side | None) -> "Reading":
    """The journal as a seat (None: the umpire) reads it, up to date."""
    found = _readings.setdefault(book, {}).setdefault(side, Reading(side))
    found.read_on(book)
    return found


def read_some(book: Book, side: Side | None) -> bool:
    """Reads on a little, so that whoever wants all of it later need not wait; whether that is
    all."""
    found = _readings.setdefault(book, {}).setdefault(side, Reading(side))
    before = len(found.rows)
    found.read_on(book, A_LITTLE)
    found.log(before)
    return found.read == (len(book.entries), book.head)


class Reading:
    """The rows of a journal that a seat (None: the umpire) may know of, with their lines. Only what
    is new is read, and what an undo or redo has turned."""

    def __init__(self, side: Side | None) -> None:
        self.side = side
        self.rows: list[Seen] = []
        self.read = (0, "")  # how many entries, and the hash of the last of them
        self._dates: list[tuple[int, str]] = []  # each CG Date, with the entry that came to it
        self._heading: Seen | None = None  # of the paragraph in progress
        self._within: Seen | None = None  # its standing row that takes up what follows
        self._said = False  # whether any standing row of it has a line

    def read_on(self, book: Book, most: int | None = None) -> None:
        """Reads what has come since the last reading, at most so many entries; and again what that
        took back or restored."""
        read, hash = self.read
        length = len(book.entries) if most is None else min(len(book.entries), read + most)
        if read > len(book.entries) or (read and book.entries[read - 1].hash != hash):
            read = 0
        since = min(read, self._turned(book, read, length)) if read else 0
        if since < self.read[0]:
            self._go_back(since)
        for at in range(since, length):  # one by one: most are read back from the file
            self._take(book, book.entries[at])
        if length:
            self.read = (length, book.entries[length - 1].hash)

    @staticmethod
    def _turned(book: Book, read: int, length: int) -> int:
        """Before which entry that has been read a new undo or redo reaches."""
        new = book.entries[read:length]
        groups = (made.asked["entries"] for made in new if made.kind in TIME_TRAVEL)
        return min((min(group) - 1 for group in groups), default=read)

    def _go_back(self, since: int) -> None:
        """Forgets all that was read after an entry."""
        while self.rows and self.rows[-1].entry > since:
            self.rows.pop()
        while self._dates and self._dates[-1][0] > since:
            self._dates.pop()
        self._heading, self._within, self._said = None, None, False
        for seen in reversed(self.rows):
            if not (seen.stands and seen.rule):
                continue
            seen.lines, seen.told = [line for line in seen.lines if line.entry <= since], None
            self._within = self._within or seen
            if seen.heading:
                seen.lines = [line for line in seen.lines if line.text != NOTHING]
                self._heading = seen
            self._said = self._said or bool(seen.lines)
            if seen.heading:
                return

    def _take(self, book: Book, entry: Entry) -> None:
        self._note_date(entry)
        side = self.side
        if side is None:
            self._add(entry, lines_of(entry), is_undone(book, entry))
        elif entry.kind in TIME_TRAVEL:
            known = travelled(book, entry, side)
            verb = "taken back" if entry.kind == "undo" else "done again"
            if known:  # an undo or redo is seen if it concerns an answer or command that is
                self._add(entry, (Line(f"{verb}: {named(other)}", entry.seq) for other in known))
        elif entry.seq not in book.standing:
            if entry.stands_alone and not is_hidden(entry, side):
                self._add(entry, undone_lines(entry, side), undone=True)
        elif not is_hidden(entry, side):
            seen = self._add(entry, known_lines(entry, side))
            if seen.rule:
                self._begin(seen)
        elif entry.kind == "answer" and self._within is not None:
            self._within.lines.extend(known_lines(entry, side))
            self._within.told = None
            self._said = self._said or bool(self._within.lines)

    def _add(self, entry: Entry, lines: Iterable[Line], undone: bool = False) -> Seen:
        kind, payload = entry.kind, entry.payload
        whose = payload["ask"]["side"] if "ask" in payload else payload["by"]
        side = Side(whose) if whose in list(Side) else None
        date = self._dates[-1][1] if self._dates else ""
        seen = Seen(entry.seq, kind, entry.rule, title_of(entry), date, side, "roll" in payload)
        seen.lines, seen.undone = list(lines), undone
        self.rows.append(seen)
        return seen

    def _begin(self, seen: Seen) -> None:
        """Takes up a standing row of a paragraph. A heading ends the paragraph before, which then
        says so if it has no line; the newest one may be in progress."""
        if seen.heading:
            before = self._heading
            if before is not None and not self._said:
                before.lines.append(Line(NOTHING, before.entry))
                before.told = None
            self._heading, self._said = seen, False
        self._within = seen
        self._said = self._said or bool(seen.lines)

    def log(self, since: int = 0) -> list[LogLine]:
        """The lines of the rows after so many."""
        lines: list[LogLine] = []
        for number, seen in enumerate(self.rows[since:], since + 1):
            if seen.told is None:
                seen.told = [_log_line(number, seen, line) for line in seen.lines]
            lines += seen.told
        return lines

    def _note_date(self, entry: Entry) -> None:
        for table, _, name, _, new in entry.changes:
            if table == Situation.TABLE and name in ("", "date") and new is not None:
                self._dates.append((entry.seq, new if name else new["date"]))


def _log_line(number: int, seen: Seen, line: Line) -> LogLine:
    return LogLine(
        number,
        seen.rule,
        seen.title,
        line.text,
        seen.undone,
        line.secret,
        entry=line.entry,
        kind=_kind(seen),
        date=seen.date,
        side=seen.side,
        about=line.about,
    )


def _kind(seen: Seen) -> str:
    """What sort of thing a row is, for whoever looks for some."""
    if seen.kind == "answer":
        return "Dice" if seen.rolled else "Decision"
    return "What follows" if seen.heading else seen.title


_readings: WeakKeyDictionary[Book, dict[Side | None, Reading]] = WeakKeyDictionary()


def is_hidden(entry: Entry, side: Side) -> bool:
    """Whether a side may not know that there is such an entry: its enemy's secret, a choice of its
    enemy's, or a command that says nothing to it."""
    if entry.secret is side.enemy:
        return True
    if entry.kind == "answer":
        return entry.payload["ask"]["side"] == side.enemy and "roll" not in entry.payload
    if entry.kind in (*HEADINGS, "new"):
        return False
    return not any(known_lines(entry, side))


def known_lines(entry: Entry, side: Side) -> Iterable[Line]:
    """The lines of an entry that are not the enemy's secret. Why a paragraph was skipped is told to
    nobody but the umpire: one that has something secret to do gives no reason."""
    if entry.kind == "skip":
        return ()
    return (line for line in lines_of(entry) if line.secret is not side.enemy)


def undone_lines(entry: Entry, side: Side) -> Iterable[Line]:
    """Of a die that was taken back, its telling; what came after it may have waited on a secret."""
    lines = list(known_lines(entry, side))
    if entry.kind != "answer":
        return lines
    told = [line for line in lines_of(entry)[:1] if "roll" in entry.payload]
    return [line for line in told if line in lines]


def travelled(book: Book, entry: Entry, side: Side) -> list[Entry]:
    """The answers and commands known to a side that an undo took back or a redo restored."""
    concerned = (book.entries[seq - 1] for seq in entry.asked["entries"])
    return [entry for entry in concerned if entry.stands_alone and not is_hidden(entry, side)]


def named(entry: Entry) -> str:
    """An entry by its paragraph or command, and whom it is about."""
    about = subject_of(entry)
    whom = Side(about).label if about in list(Side) else about
    what = " ".join(filter(None, (entry.rule, title_of(entry))))
    return ", ".join(filter(None, (what, whom)))
