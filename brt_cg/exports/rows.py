"""The journal as rows to read: every entry for the umpire, what a side may know for a side."""

from brt_cg.counters import Side
from brt_cg.exports.side_rows import side_rows
from brt_cg.exports.told import Row, lines_of, subject_of, title_of
from brt_cg.journal.book import Book
from brt_cg.journal.entries import TIME_TRAVEL, Entry


def rows(book: Book, side: Side | None) -> list[Row]:
    """The journal, first to last. For a side (None: the umpire) the enemy's secrets are left out,
    and so is everything that would tell how many there are: numbers start anew."""
    if side is not None:
        return side_rows(book, side)
    return [umpire_row(book, entry) for entry in book.entries]


def umpire_row(book: Book, entry: Entry) -> Row:
    """An entry, whole."""
    payload = entry.payload
    return Row(
        number=entry.seq,
        at=payload["at"],
        by=payload["by"],
        kind=entry.kind,
        rule=entry.rule,
        title=title_of(entry),
        subject=subject_of(entry),
        answer=payload.get("answer"),
        source=payload.get("from"),
        roll=payload.get("roll"),
        lines=lines_of(entry),
        changes=entry.changes,
        undone=is_undone(book, entry),
        hash=entry.hash,
    )


def is_undone(book: Book, entry: Entry) -> bool:
    """Whether an entry has been taken back."""
    return entry.seq not in book.standing and entry.kind not in TIME_TRAVEL
