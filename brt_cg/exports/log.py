"""The log: the events in the players' words, line by line, as a seat may read it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.views.journal import is_undone, reading
from brt_cg.views.rows import ShownLine, title_of

MOST_TAKEN_BACK = 12  # lines kept of a run


def log_lines(journal: Journal, side: Side | None = None, since: int = 0) -> list[ShownLine]:
    """The lines of the entries after the one numbered `since`, undone ones marked. For a side
    (None: the umpire) without the enemy's secrets. Of all lines only new ones are read again; some
    of the umpire's are read without the rest of the journal, and have no kind, date or side."""
    if not since or side is not None:
        return [line for line in reading(journal, side).log() if line.entry > since]
    return [
        ShownLine(entry.seq, rule, title, line.text, undone, line.secret, entry.seq)
        for entry in journal.entries[since:]
        for rule, title, undone in ((entry.rule, title_of(entry), is_undone(journal, entry)),)
        for line in entry.said
    ]


def shortened(lines: Iterable[ShownLine]) -> Iterator[ShownLine]:
    """The lines, but only the first few of a long run of undone lines, or of lines about an undo,
    so that undoing a whole phase does not hide the rest. An undo and the redo after it are two
    runs."""
    for gone, run in groupby(lines, lambda line: (line.undone, line.travels and line.title)):
        row = [*run]
        most = MOST_TAKEN_BACK if any(gone) else len(row)
        yield from row[:most]
        if row[most:]:
            under, more = row[most - 1], f"and {len(row) - most} more lines"
            yield replace(row[-1], rule=under.rule, title=under.title, text=more)


def lines_since(journal: Journal, side: Side | None, entry: int, hash: str) -> list[ShownLine]:
    """The lines after an entry that a seat has seen; none if the journal has no such entry with
    that hash."""
    known = 0 < entry <= len(journal.entries) and journal.entries[entry - 1].hash == hash
    return log_lines(journal, side, entry) if known else []
