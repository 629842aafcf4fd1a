"""An audit as one side may see it: its own hashes, and no finding about an enemy secret.

That the file has been tampered with is nobody's secret, but where may be: of such a finding a side
reads only what it is. A finding about an entry that the side reads carries the number of its row.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from brt_cg.audit.chain import tail
from brt_cg.audit.finding import Finding, Report
from brt_cg.counters import Side
from brt_cg.exports.journal import view_hashes
from brt_cg.exports.side_rows import visible
from brt_cg.journal.book import Book
from brt_cg.journal.entries import Entry

# What a side reads of a finding whose place or words may tell of a secret.
PLAINLY = {
    "journal-cell": "a cell of the journal is not stored as it should be",
    "order": "an entry is missing, or entries do not stand in order",
    "hash-chain": "an entry's hash does not follow from it and the one before",
    "payload": "an entry is not written as one is",
    "call": "an entry does not say which invocation made it",
    "fold": "an entry does not fit the campaign that it found",
    "unjudged": "an entry cannot be judged",
    "projection": "a table holds what the journal does not make",
    "schema": "the tables are not those of a campaign",
    "append-only": "the journal does not refuse changes as it should",
    "integrity": "the file is damaged",
    "rules": "the rules, run again, make something else of it",
}
OF_ENTRIES = ("rules",)  # told only of an entry that the side reads


def as_seen(
    entries: Sequence[Entry], findings: Sequence[Finding], head: str | None, side: Side
) -> Report:
    """The report for a side, of the umpire's findings."""
    try:
        book = _book_of(entries)
        hashes, rows = view_hashes(book, side), _rows(book, side)
    except Exception:  # a journal with findings may be beyond any view of it
        hashes, rows = [], {}
    kept = [*dict.fromkeys(_told(findings, rows, side)), *tail(hashes, head)]
    return Report(len(hashes), hashes[-1] if hashes else None, tuple(kept))


def _book_of(entries: Sequence[Entry]) -> Book:
    book = Book(lambda: "")
    try:
        book.load(entries)
    except ValueError:
        book = Book(lambda: "")
        for entry in entries:
            book.force(entry)
    return book


def _rows(book: Book, side: Side) -> dict[int, int]:
    """The number of a side's row by that of its entry."""
    return {one.entry.seq: number for number, one in enumerate(visible(book, side), start=1)}


def _told(findings: Sequence[Finding], rows: dict[int, int], side: Side) -> Iterator[Finding]:
    for one in findings:
        row = rows.get(one.entry or 0)
        if one.code in PLAINLY and one.code not in OF_ENTRIES:
            yield Finding(one.code, "journal", PLAINLY[one.code])
        elif one.secret is side.enemy or (one.entry is not None and row is None):
            continue
        elif row is not None:
            yield _of_row(one, row)
        else:
            yield one


def _of_row(one: Finding, row: int) -> Finding:
    what = f"row {row} of the journal: {PLAINLY.get(one.code, one.what)}"
    return replace(one, what=what, records=(str(row),), entry=None)
