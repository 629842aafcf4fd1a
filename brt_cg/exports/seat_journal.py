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

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from brt_cg.counters import Side
from brt_cg.exports.entries_told import Line, Row, lines_of, subject_of, title_of
from brt_cg.exports.remembered import remembered
from brt_cg.exports.side_view import SideView
from brt_cg.journal.book import Book
from brt_cg.journal.changes import Change
from brt_cg.journal.entries import TIME_TRAVEL, Entry
from brt_cg.records import Situation

NOTHING = "nothing that is not secret"
HEADINGS = ("begin", "skip")
PROGRESS = {"paragraph", "done", "phase"}  # where a secret answer may move the campaign on


@dataclass(slots=True)
class Seen:
    """An entry that makes a row for a side, and the lines shown there, its own and those of secret
    entries after it."""

    entry: Entry
    lines: list[Line] = field(default_factory=list)
    undone: bool = False

    @property
    def heading(self) -> bool:
        return self.entry.kind in HEADINGS

    @property
    def stands(self) -> bool:
        return not self.undone and self.entry.kind not in TIME_TRAVEL


@remembered
def journal_rows(book: Book, side: Side | None) -> list[Row]:
    """The journal, first to last. For a side (None: the umpire) the enemy's secrets are left out,
    and so is everything that would tell how many there are: numbers start anew."""
    if side is None:
        return [_umpire_row(book, entry) for entry in book.entries]
    seen = visible(book, side)
    changes = changes_seen(book, side, seen)
    return [
        _side_row(number, row, changes.get(row.entry.seq, []))
        for number, row in enumerate(seen, start=1)
    ]


def _umpire_row(book: Book, entry: Entry) -> Row:
    """An entry, whole."""
    return Row(
        number=entry.seq,
        at=entry.payload["at"],
        by=entry.payload["by"],
        kind=entry.kind,
        subject=subject_of(entry),
        lines=lines_of(entry),
        changes=entry.changes,
        undone=is_undone(book, entry),
        hash=entry.hash,
        **_in_common(entry),
    )


def _side_row(number: int, seen: Seen, changes: list[Change]) -> Row:
    entry = seen.entry
    return Row(
        number=number,
        at=None if seen.heading else entry.payload["at"],
        by=None if seen.heading else entry.payload["by"],
        kind="paragraph" if seen.heading else entry.kind,
        subject=None if entry.kind in TIME_TRAVEL else subject_of(entry),
        lines=tuple(seen.lines),
        changes=changes,
        undone=seen.undone,
        hash=None,
        **_in_common(entry),
    )


def _in_common(entry: Entry) -> dict[str, Any]:
    payload = entry.payload
    return {
        "rule": entry.rule,
        "title": title_of(entry),
        "answer": payload.get("answer"),
        "source": payload.get("from"),
        "roll": payload.get("roll"),
        "side": Side(payload["ask"]["side"]) if "ask" in payload else None,
    }


def is_undone(book: Book, entry: Entry) -> bool:
    """Whether an entry has been taken back."""
    return entry.seq not in book.standing and entry.kind not in TIME_TRAVEL


# --- which entries make a row ---------------------------------------------------------------------


def visible(book: Book, side: Side) -> list[Seen]:
    """The entries that a side may know of, in order, with the lines that it may read."""
    found: list[Seen] = []
    within: Seen | None = None  # the standing row of a paragraph that takes up what follows
    for entry in book.entries:
        if entry.kind in TIME_TRAVEL:
            found.extend(_travel(book, entry, side))
        elif entry.seq not in book.standing:
            if entry.stands_alone and not is_hidden(entry, side):
                found.append(Seen(entry, list(undone_lines(entry, side)), undone=True))
        elif not is_hidden(entry, side):
            found.append(Seen(entry, list(known_lines(entry, side))))
            within = found[-1] if entry.rule else within
        elif entry.kind == "answer" and within is not None:
            within.lines.extend(known_lines(entry, side))
    _say_nothing_found(found)
    return found


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


def _travel(book: Book, entry: Entry, side: Side) -> Iterable[Seen]:
    """An undo or redo is seen if it concerns an answer or command that is."""
    known = travelled(book, entry, side)
    if known:
        verb = "taken back" if entry.kind == "undo" else "done again"
        yield Seen(entry, [Line(f"{verb}: {named(other)}", entry.seq) for other in known])


def travelled(book: Book, entry: Entry, side: Side) -> list[Entry]:
    """The answers and commands known to a side that an undo took back or a redo restored."""
    concerned = (book.entries[seq - 1] for seq in entry.asked["entries"])
    return [entry for entry in concerned if entry.stands_alone and not is_hidden(entry, side)]


def named(entry: Entry) -> str:
    """An entry by its paragraph or command, and whom it is about."""
    words = (entry.rule, title_of(entry), subject_of(entry))
    return " ".join(word for word in words if word)


def _say_nothing_found(found: list[Seen]) -> None:
    """Each paragraph but the last, which may be in progress, says so if it has no line."""
    standing = [row for row in found if row.stands and row.entry.rule]
    headings = [at for at, row in enumerate(standing) if row.heading]
    for start, end in pairwise(headings):
        if not any(row.lines for row in standing[start:end]):
            heading = standing[start]
            heading.lines.append(Line(NOTHING, heading.entry.seq))


# --- what a side saw change -----------------------------------------------------------------------


def changes_seen(book: Book, side: Side, seen: list[Seen]) -> dict[int, list[Change]]:
    """By entry, how what a side sees changed from its row to the next one."""
    opening = {line.entry.seq for line in seen if line.stands}
    changes: dict[int, list[Change]] = {}
    view = SideView(side)
    row, touched = 0, False
    for entry in book.entries:
        if entry.seq not in book.standing:
            continue
        if entry.seq in opening:
            if touched:
                changes[row] = _update(view)
            row, touched = entry.seq, False
        view.take_in(entry.changes)
        touched = touched or any(not is_progress(change) for change in entry.changes)
    if touched:
        changes[row] = _update(view)
    return changes


def _update(view: SideView) -> list[Change]:
    return [change for change in view.update() if not is_progress(change)]


def is_progress(change: Change) -> bool:
    """Whether a change is only how far the paragraphs have come, which a row leaves out."""
    table, _, name, _, _ = change
    return table == Situation.TABLE and name in PROGRESS
