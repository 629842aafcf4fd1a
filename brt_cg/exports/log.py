"""The log: the events in the players' words, line by line, as a seat may read it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from brt_cg.views.journal_rows import ShownLine

MOST_TAKEN_BACK = 12  # lines kept of a run


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
