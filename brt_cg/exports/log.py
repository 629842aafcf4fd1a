"""The log: what happened in the players' words, line by line, as a seat may read it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from brt_cg.counters import Side
from brt_cg.journal.book import Book
from brt_cg.seats.entries_told import LogLine, title_of
from brt_cg.seats.journal import is_undone, reading

MOST_TAKEN_BACK = 12  # lines in a row


def log_lines(book: Book, side: Side | None = None, since: int = 0) -> list[LogLine]:
    """The log in the players' words, of the entries after the one numbered `since`. Lines that were
    taken back are there, marked. For a side (None: the umpire) without the enemy's secrets."""
    if since or side is not None:
        return [line for line in newest_lines(book, side, since) if line.entry > since]
    return whole_log(book, side)


def whole_log(book: Book, side: Side | None) -> list[LogLine]:
    """All lines that a seat may read, first to last, read on where the journal has grown."""
    return reading(book, side).log()


def newest_lines(book: Book, side: Side | None, since: int) -> list[LogLine]:
    """The lines of the entries after the one numbered `since`; for a side all that it may read."""
    if side is not None:
        return whole_log(book, side)
    return [
        LogLine(entry.seq, rule, title, line.text, undone, line.secret, entry.seq)
        for entry in book.entries[since:]
        for rule, title, undone in ((entry.rule, title_of(entry), is_undone(book, entry)),)
        for line in entry.said
    ]


def shortened(lines: Iterable[LogLine]) -> Iterator[LogLine]:
    """The lines, but of many in a row that were taken back, or that say so, only the first: a whole
    phase that was undone does not hide what stands. An undo and the redo after it are two rows."""
    for gone, run in groupby(lines, lambda line: (line.undone, line.travels and line.title)):
        row = [*run]
        most = MOST_TAKEN_BACK if any(gone) else len(row)
        yield from row[:most]
        if row[most:]:
            under, more = row[most - 1], f"and {len(row) - most} lines more"
            yield replace(row[-1], rule=under.rule, title=under.title, text=more)


def lines_since(book: Book, side: Side | None, entry: int, hash: str) -> list[LogLine]:
    """What a seat may read of what came after an entry that it has seen; nothing if there is no
    such entry with that hash in this journal."""
    known = 0 < entry <= len(book.entries) and book.entries[entry - 1].hash == hash
    return log_lines(book, side, entry) if known else []
