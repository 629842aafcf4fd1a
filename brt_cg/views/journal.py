"""The journal as a seat may read it: every entry for the umpire, and for a side only those that it
may know.

A side's view must follow from what the side may know, so that the enemy's secrets leave no trace in
it: not in the numbering, not in gaps of time, and not in the grouping of lines.

- A paragraph is one heading, whether it found something to do or not: a skipped paragraph, and one
  with only secret events, look the same. A heading has no time, which would show how long a secret
  answer took.
- The enemy's choices are left out, secret or not, since one may be secret only because of hidden
  options. So are the enemy's dice for hidden counters. Public results of them are shown under the
  row before.
- Changes are the difference between the side's views before a row and after it.
- An undone answer or command that the side saw stays visible. Undone headings do not: an undone
  secret would show through them.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import wraps
from itertools import islice, takewhile
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from brt_cg.journal.changes import Change, force_changes, invert_changes
from brt_cg.journal.entries import TIME_TRAVEL, TRANSPARENT, Entry
from brt_cg.journal.journal import Journal
from brt_cg.model import Campaign, Side, Situation, seat_of_side
from brt_cg.refit.log_line import LogLine
from brt_cg.views.journal_rows import (
    ShownLine,
    ShownRow,
    answer_source,
    subject_of_entry,
    title_of_entry,
)
from brt_cg.views.side_view import RowChanges, is_paragraph_progress

T = TypeVar("T")

NOTHING = "nothing public"
HEADINGS = ("begin", "skip")
A_LITTLE = 400  # entries read at a time


@dataclass(slots=True)
class VisibleEntry:
    """An entry that is a row for a seat, with the lines shown there: its own and those of secret
    entries after it. `entry` is its number, `date` the CG Date after it, and `side` the side that
    was asked or that entered it; `told` has each line with the number of its entry."""

    entry: int
    kind: str
    rule: str | None
    title: str
    date: str
    side: Side | None
    rolled: bool
    told: list[tuple[int, LogLine]] = field(default_factory=list)
    undone: bool = False
    shown: list[ShownLine] | None = None  # its lines in the log, once made

    @property
    def is_heading(self) -> bool:
        return self.kind in HEADINGS

    @property
    def is_standing(self) -> bool:
        return not self.undone and self.kind not in TIME_TRAVEL


def cached_per_seat(
    view: Callable[[Journal, Side | None], T],
) -> Callable[[Journal, Side | None], T]:
    """Make a function cache its last result for each seat, until the journal changes. Callers must
    not change the result."""
    cache: WeakKeyDictionary[Journal, dict[Side | None, tuple[str | None, T]]]
    cache = WeakKeyDictionary()

    @wraps(view)
    def cached(journal: Journal, side: Side | None) -> T:
        by_seat = cache.setdefault(journal, {})
        if side not in by_seat or by_seat[side][0] != journal.digest:
            by_seat[side] = (journal.digest, view(journal, side))
        return by_seat[side][1]

    return cached


@cached_per_seat
def journal_rows(journal: Journal, side: Side | None) -> list[ShownRow]:
    """Return the journal, first to last. For a side (None: the umpire) the enemy's secrets are left
    out, and so is everything that would reveal their number: rows have their own numbers."""
    if side is None:
        return [*_umpire_rows(journal, range(1, len(journal.entries) + 1))]
    seen = [*enumerate(visible_entries(journal, side), start=1)]
    return [*_side_rows(journal, RowChanges(side), seen)]


def rows_without_changes(journal: Journal, side: Side) -> list[ShownRow]:
    """Return the rows of a side without their changes, which take much longer to find."""
    seen = [(row, journal.entries[row.entry - 1]) for row in visible_entries(journal, side)]
    return [
        _side_row(number, row, entry, (), side, _rolls(journal, entry, side))
        for number, (row, entry) in enumerate(seen, start=1)
    ]


def shared_rows(journal: Journal, side: Side) -> list[ShownRow]:
    """Return the rows, not undone, that a side and its enemy share, first to last, each with the
    facts that both know. They are numbered separately, without the seat, the time, and the source
    of dice."""
    both = {row.entry for row in visible_entries(journal, side.enemy)}
    told = shared_lines(journal, side)
    spoken = {entry for entry, _ in told}
    seen = [
        VisibleEntry(row.entry, row.kind, row.rule, row.title, row.date, row.side, row.rolled)
        for row in visible_entries(journal, side)
        if row.is_standing
        and row.entry in both
        and (row.is_heading or row.rolled or row.entry in spoken)
    ]
    starts = [row.entry for row in seen]
    for entry, line in told:
        if at := bisect_right(starts, entry):
            seen[at - 1].told.append((entry, line))
    rows = _side_rows(journal, RowChanges(side, other=side.enemy), [*enumerate(seen, start=1)])
    nobody: dict[str, Any] = {"at": None, "by": None, "seat": None, "source": None, "seed": None}
    return [replace(row, **nobody) for row in rows]


def shared_lines(journal: Journal, side: Side) -> list[tuple[int, LogLine]]:
    """Return the lines that a side and its enemy share, by their entry. They never say that nothing
    public happened in a paragraph, because one side may know of more."""
    other = updated_seat_reader(journal, side.enemy).entry_text_pairs
    told = (each for row in visible_entries(journal, side) for each in row.told)
    return [
        (entry, line)
        for entry, line in told
        if line.secret is None and line.text != NOTHING and (entry, line.text) in other
    ]


def campaign_and_rows_since(
    journal: Journal, side: Side | None, first: int
) -> tuple[Campaign, list[ShownRow]]:
    """Return the campaign as a seat saw it before a row, and the rows from that one on that are not
    undone. Entries before that row are not read, and later undone entries only if `visible_entries`
    needs them."""
    if side is None:
        rest = range(first, len(journal.entries) + 1)
        rows = [*_umpire_rows(journal, (seq for seq in rest if seq in journal.standing))]
        return _before(journal, first), rows
    seen = [*enumerate(visible_entries(journal, side)[first - 1 :], start=first)]
    since = seen[0][1].entry if first > 1 else 1
    walk = RowChanges(side, _before(journal, since))
    before = walk.view.seen.clone()
    standing = [(number, row) for number, row in seen if row.is_standing]
    return before, [*_side_rows(journal, walk, standing, since)]


def _umpire_rows(journal: Journal, numbers: Iterable[int]) -> Iterator[ShownRow]:
    """Yield the umpire's rows for entries of these numbers."""
    for entry in (journal.entries[seq - 1] for seq in numbers):
        yield _shown_row(
            entry, undone=is_undone(journal, entry), rolls=_rolls(journal, entry, None)
        )


def _side_rows(
    journal: Journal, walk: RowChanges, seen: list[tuple[int, VisibleEntry]], since: int = 1
) -> Iterator[ShownRow]:
    """Yield a side's rows, by number, for the entries that it has seen since a given one; `walk`
    reads their changes."""
    side = walk.view.side
    changes = dict(
        walk.read_changes_by_row(journal, {row.entry for _, row in seen if row.is_standing}, since)
    )
    changes[walk.row], _ = walk.newest_changes_and_campaign()
    for number, row in seen:
        entry = journal.entries[row.entry - 1]
        rolls = _rolls(journal, entry, side)
        yield _side_row(number, row, entry, changes.get(row.entry, ()), side, rolls)


def _before(journal: Journal, seq: int) -> Campaign:
    """Return the campaign before an entry."""
    if seq == 1:
        return Campaign()
    found = journal.campaign.clone()
    for entry in takewhile(lambda entry: entry.seq >= seq, journal.newest_not_undone_first()):
        # A waiting side sees an older state of the paragraph than the newest entry.
        force_changes(found, invert_changes(entry.changes))
    return found


def kinds_of_rows_not_undone(journal: Journal, side: Side | None) -> Iterator[tuple[int, str]]:
    """Yield the rows of a seat that are not undone, by number, with their kind, newest first."""
    if side is None:
        yield from ((entry.seq, entry.kind) for entry in journal.newest_not_undone_first())
        return
    rows = visible_entries(journal, side)
    for number in range(len(rows), 0, -1):
        row = rows[number - 1]
        if row.is_standing:
            yield number, "paragraph" if row.is_heading else row.kind


def _side_row(
    number: int, seen: VisibleEntry, entry: Entry, changes: Iterable[Change], side: Side, rolls: int
) -> ShownRow:
    source = answer_source(entry, side)
    shown: dict[str, Any] = {"number": number, "undone": seen.undone, "hash": None, "rolls": rolls}
    shown |= {"source": source.get("from"), "seed": source.get("seed")}
    shown["lines"] = tuple(line for _, line in seen.told)
    shown["changes"] = [change for change in changes if not is_paragraph_progress(change)]
    if entry.kind in TIME_TRAVEL:
        shown["subject"] = None
    if seen.is_heading:
        shown |= {"at": None, "by": None, "seat": None, "kind": "paragraph"}
    return _shown_row(entry, **shown)


def _rolls(journal: Journal, entry: Entry, side: Side | None) -> int:
    """Return the number of rolls that an undo undid and that a seat may know of."""
    if entry.kind != "undo":
        return 0
    concerned = (journal.entries[seq - 1] for seq in entry.asked["entries"])
    rolled = (each for each in concerned if "roll" in each.payload)
    return sum(side is None or not is_hidden_from(each, side) for each in rolled)


def _shown_row(entry: Entry, **shown: Any) -> ShownRow:
    """Return the row of an entry, without the changes that the seat sees."""
    payload = entry.payload
    whole: dict[str, Any] = {
        "number": entry.seq,
        "at": payload.get("at"),
        "by": payload.get("by"),
        "kind": entry.kind,
        "rule": entry.rule,
        "title": title_of_entry(entry),
        "subject": subject_of_entry(entry),
        "answer": payload.get("answer"),
        "source": payload.get("from"),
        "seed": payload.get("seed"),
        "seat": entry.seat,
        "roll": payload.get("roll"),
        "lines": entry.said,
        "changes": entry.changes,
        "hash": entry.hash,
        "side": Side(payload["ask"]["side"]) if "ask" in payload else None,
    }
    return ShownRow(**(whole | shown))


def is_undone(journal: Journal, entry: Entry) -> bool:
    """Whether an entry has been undone."""
    return entry.seq not in journal.standing and entry.kind not in (*TIME_TRAVEL, *TRANSPARENT)


# --- which entries make a row ---------------------------------------------------------------------


def visible_entries(journal: Journal, side: Side) -> list[VisibleEntry]:
    """Return the entries that a side may know of, in order, with the lines that it may read. The
    list must not be changed: it is extended as the journal grows."""
    return updated_seat_reader(journal, side).rows


def updated_seat_reader(journal: Journal, side: Side | None) -> "SeatJournalReader":
    """Return the up-to-date journal reader of a seat (None: the umpire)."""
    found = _begun(journal, side)
    found.read_new_entries(journal)
    return found


def read_some_new_entries(journal: Journal, side: Side | None) -> bool:
    """Read a limited number of new entries, to save time later. Return whether all are read."""
    found = _begun(journal, side)
    before = len(found.rows)
    found.read_new_entries(journal, A_LITTLE)
    found.lines_after_rows(before)
    return found.read == (len(journal.entries), journal.head)


def _begun(journal: Journal, side: Side | None) -> "SeatJournalReader":
    return _readings.setdefault(journal, {}).setdefault(side, SeatJournalReader(side))


class SeatJournalReader:
    """The rows of a journal that a seat (None: the umpire) may know of, with their lines. Only new
    entries, and those that an undo or redo affects, are read."""

    def __init__(self, side: Side | None) -> None:
        self.side = side
        self.rows: list[VisibleEntry] = []
        self.read = (0, "")  # the number of entries read, and the hash of the last one
        self._dates: list[tuple[int, str]] = []  # each CG Date, with the entry that began it
        self._heading: VisibleEntry | None = None  # the paragraph in progress
        # Its last row that is not undone; this collects the later lines.
        self._within: VisibleEntry | None = None
        self._said = False  # whether any of its rows that is not undone has a line
        self.met = 0  # the first entry of the opponent's that the side knows of

    def read_new_entries(self, journal: Journal, most: int | None = None) -> None:
        """Read the entries since the last reading, at most `most`, and read again the entries that
        they undid or restored."""
        read, hash = self.read
        length = len(journal.entries) if most is None else min(len(journal.entries), read + most)
        if read > len(journal.entries) or (read and journal.entries[read - 1].hash != hash):
            read = 0
        since = min(read, self._turned(journal, read, length)) if read else 0
        if since < self.read[0]:
            self._go_back(since)
        for at in range(since, length):  # one by one, since most are read back from the file
            self._take(journal, journal.entries[at])
        if length:
            self.read = (length, journal.entries[length - 1].hash)

    @staticmethod
    def _turned(journal: Journal, read: int, length: int) -> int:
        """Return the first already-read entry that a new undo or redo affects."""
        new = journal.entries[read:length]
        groups = (made.asked["entries"] for made in new if made.kind in TIME_TRAVEL)
        return min((min(group) - 1 for group in groups), default=read)

    def _go_back(self, since: int) -> None:
        """Drop everything read after an entry."""
        while self.rows and self.rows[-1].entry > since:
            self.rows.pop()
        while self._dates and self._dates[-1][0] > since:
            self._dates.pop()
        self._heading, self._within, self._said = None, None, False
        self.met = self.met if self.met <= since else 0
        for seen in reversed(self.rows):
            if not (seen.is_standing and seen.rule):
                continue
            seen.told, seen.shown = [each for each in seen.told if each[0] <= since], None
            self._within = self._within or seen
            if seen.is_heading:
                seen.told = [each for each in seen.told if each[1].text != NOTHING]
                self._heading = seen
            self._said = self._said or bool(seen.told)
            if seen.is_heading:
                return

    def _take(self, journal: Journal, entry: Entry) -> None:
        self._note_date(entry)
        side = self.side
        if side and not self.met and _is_of_enemy(entry, side):
            self.met = entry.seq
        if side is None:
            self._add(entry, entry.said, is_undone(journal, entry))
        elif entry.kind in TIME_TRAVEL:
            known = entries_of_undo(journal, entry, side)
            if known:  # an undo or redo is shown if it concerns a visible answer or command
                verb = TIME_TRAVEL[entry.kind]
                self._add(entry, (LogLine(f"{verb}: {entry_name(other)}") for other in known))
        elif is_undone(journal, entry):
            if entry.can_be_undone_alone and not is_hidden_from(entry, side):
                self._add(entry, undone_lines(entry, side), undone=True)
        elif not is_hidden_from(entry, side):
            seen = self._add(entry, known_lines(entry, side))
            if seen.rule:
                self._begin(seen)
        elif entry.kind == "answer" and self._within is not None:
            self._within.told.extend((entry.seq, line) for line in known_lines(entry, side))
            self._within.shown = None
            self._said = self._said or bool(self._within.told)

    def _add(self, entry: Entry, lines: Iterable[LogLine], undone: bool = False) -> VisibleEntry:
        kind, payload = entry.kind, entry.payload
        whose = payload["ask"]["side"] if "ask" in payload else payload["by"]
        whose = entry.seat if kind in TIME_TRAVEL else whose
        side, title, rolled = Side.from_name(whose), title_of_entry(entry), "roll" in payload
        date = self._dates[-1][1] if self._dates else ""
        seen = VisibleEntry(entry.seq, kind, entry.rule, title, date, side, rolled)
        seen.told, seen.undone = [(entry.seq, line) for line in lines], undone
        self.rows.append(seen)
        return seen

    def _begin(self, seen: VisibleEntry) -> None:
        """Add a row of a paragraph. A heading ends the previous paragraph; if that paragraph has no
        line, it gets one that says so. The newest paragraph may be in progress."""
        if seen.is_heading:
            before = self._heading
            if before is not None and not self._said:
                before.told.append((before.entry, LogLine(NOTHING)))
                before.shown = None
            self._heading, self._said = seen, False
        self._within = seen
        self._said = self._said or bool(seen.told)

    def lines_after_rows(self, since: int = 0) -> list[ShownLine]:
        """Return the lines of the rows after the first `since`."""
        lines: list[ShownLine] = []
        for number, seen in enumerate(self.rows[since:], since + 1):
            if seen.shown is None:
                seen.shown = _log_lines(number, seen)
            lines += seen.shown
        return lines

    def lines_where(self, keeps: Callable[[int, str], bool]) -> list[ShownLine]:
        """Return the lines that `keeps` accepts, by the number of their entry and their text."""
        self.lines_after_rows()
        return [
            line
            for seen in self.rows
            for (entry, _), line in zip(seen.told, seen.shown or (), strict=True)
            if keeps(entry, line.text)
        ]

    @property
    def entry_text_pairs(self) -> set[tuple[int, str]]:
        """The lines as pairs of entry and text."""
        return {(entry, line.text) for seen in self.rows for entry, line in seen.told}

    @property
    def mark(self) -> tuple[int, int]:
        """The number of rows that remain even after an undo (headings do not), and the number of
        lines after the last of these."""
        rows = sum(not seen.is_heading for seen in self.rows)
        return rows, len(self._after(rows))

    def lines_after_mark(self, rows: int, lines: int) -> list[ShownLine]:
        """Return the lines after a mark."""
        return self._after(rows)[lines:]

    def _after(self, rows: int) -> list[ShownLine]:
        """Return the lines of the entries after this many remaining rows."""
        staying = (seen.entry for seen in self.rows if not seen.is_heading)
        last = next(islice(staying, rows - 1, None), None) if rows else 0
        return [] if last is None else self.lines_where(lambda entry, _: entry > last)

    def _note_date(self, entry: Entry) -> None:
        for table, _, name, _, new in entry.changes:
            if table == Situation.TABLE and name in ("", "date") and new is not None:
                self._dates.append((entry.seq, new if name else new["date"]))


def _is_of_enemy(entry: Entry, side: Side) -> bool:
    """Whether a side's enemy made an entry that the side may know of, undone since or not."""
    is_his = entry.can_be_undone_alone and entry.seat is seat_of_side(side.enemy)
    return is_his and not is_unknown_to(entry, side)


def knows_enemy_acted(journal: Journal, side: Side) -> bool:
    """Whether a side knows that its opponent has made any entry, undone since or not."""
    return updated_seat_reader(journal, side).met > 0


# The readings of a journal by each seat, as long as that journal exists.
_readings: WeakKeyDictionary[Journal, dict[Side | None, SeatJournalReader]] = WeakKeyDictionary()


def _log_lines(number: int, seen: VisibleEntry) -> list[ShownLine]:
    kind = _kind(seen)
    return [
        ShownLine(
            number,
            seen.rule,
            seen.title,
            line.text,
            seen.undone,
            line.secret,
            kind=kind,
            date=seen.date,
            side=seen.side,
            about=line.about,
        )
        for _, line in seen.told
    ]


def _kind(seen: VisibleEntry) -> str:
    """Return the kind of event of a row, for the players' filters."""
    if seen.kind == "answer":
        return "Dice" if seen.rolled else "Decision"
    return "Automatic" if seen.is_heading else seen.title


def is_hidden_from(entry: Entry, side: Side) -> bool:
    """Whether a side may not know of an entry: its enemy's secret, its enemy's choice, or a command
    that has no line for it."""
    if entry.secret is side.enemy:
        return True
    if entry.kind == "answer":
        return entry.payload["ask"]["side"] == side.enemy and "roll" not in entry.payload
    if entry.kind in (*HEADINGS, "new"):
        return False
    return not any(known_lines(entry, side))


def is_unknown_to(entry: Entry, side: Side) -> bool:
    """Whether a side may not know that there is an entry; a side does know of the enemy's answer to
    a question that concerns both."""
    return not entry.payload.get("public") and is_hidden_from(entry, side)


def known_lines(entry: Entry, side: Side) -> Iterable[LogLine]:
    """Return the lines of an entry that are not the enemy's secret. Only the umpire reads why a
    paragraph was skipped, because a paragraph with secret events gives no reason."""
    if entry.kind == "skip":
        return ()
    return (line for line in entry.said if line.secret is not side.enemy)


def undone_lines(entry: Entry, side: Side) -> Iterable[LogLine]:
    """Return the lines of an undone entry that a side may read: for a die only its result, since
    its effects may have depended on a secret."""
    lines = list(known_lines(entry, side))
    if entry.kind != "answer":
        return lines
    rolls = [line for line in entry.said[:1] if "roll" in entry.payload]
    return [line for line in rolls if line in lines]


def entries_of_undo(journal: Journal, entry: Entry, side: Side) -> list[Entry]:
    """Return the answers and commands known to a side that an undo or redo is about."""
    concerned = (journal.entries[seq - 1] for seq in entry.asked["entries"])
    return [
        entry
        for entry in concerned
        if entry.can_be_undone_alone and not is_hidden_from(entry, side)
    ]


def entry_name_for_sides(entry: Entry, sides: Iterable[Side]) -> str:
    """Return an entry's name as these sides see it: only its paragraph if one of them has no row
    for it and sees only its consequences."""
    if any(is_hidden_from(entry, side) for side in sides):
        return " ".join(filter(None, (entry.rule, title_of_entry(entry))))
    return entry_name(entry)


def entry_name(entry: Entry) -> str:
    """Return an entry's name: its paragraph or command, and its subject."""
    about = subject_of_entry(entry)
    whom = Side(about).label if about in list(Side) else about
    what = " ".join(filter(None, (entry.rule, title_of_entry(entry))))
    return ", ".join(filter(None, (what, whom)))


def reminder_sentences(
    journal: Journal, sides: Collection[Side], dates: Collection[str]
) -> list[str]:
    """Return the reminders for these CG Dates that are not undone and that these sides know of,
    oldest first: "Marine reminder for 20 AM: the naval battery fires"."""
    made = (journal.entries[seq - 1] for seq in journal.reminders if seq in journal.standing)
    due = (entry for entry in made if entry.asked["date"] in dates)
    return [
        _reminder(entry) for entry in due if not any(is_hidden_from(entry, each) for each in sides)
    ]


def _reminder(entry: Entry) -> str:
    whose = f"{entry.secret.label} reminder" if entry.secret else "Reminder"
    return f"{whose} for {entry.asked['date']}: {str(entry.asked['words']).strip()}"
