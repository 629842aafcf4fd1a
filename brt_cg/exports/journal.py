"""The journal: the lines of the log, the whole of it as a document, and a side's head hash."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import Any

from brt_cg.counters import Side
from brt_cg.exports.blocks import Block, Bullets, Document, Item, Section, Sheet
from brt_cg.exports.entries_told import Line, LogLine, Row, lines_of, title_of
from brt_cg.exports.heads import head_of, opening, page_head
from brt_cg.exports.seat_journal import is_undone, journal_rows, reading
from brt_cg.exports.view_chain import view_hashes, view_head
from brt_cg.journal.book import Book
from brt_cg.journal.entries import canonical

__all__ = ["LogLine", "log_lines", "view_hashes", "view_head"]

COLUMNS = (
    *("at", "by", "kind", "rule", "title", "subject", "answer", "roll", "lines", "changes"),
    "undone",
)


def log_lines(book: Book, side: Side | None = None, since: int = 0) -> list[LogLine]:
    """The log in the players' words, of the entries after the one numbered `since`. Lines that were
    taken back are there, marked. For a side (None: the umpire) without the enemy's secrets."""
    if since or side is not None:
        return [line for line in newest_lines(book, side, since) if line.entry > since]
    return [*whole_log(book, side)]


def whole_log(book: Book, side: Side | None) -> list[LogLine]:
    """All lines that a seat may read, first to last, read on where the journal has grown. Nobody
    may change the list."""
    return reading(book, side).log()


def newest_lines(book: Book, side: Side | None, since: int) -> list[LogLine]:
    """The lines of the entries after the one numbered `since`; for a side all that it may read."""
    if side is not None:
        return whole_log(book, side)
    return [
        LogLine(entry.seq, entry.rule, title_of(entry), line.text, undone, line.secret, entry.seq)
        for entry in book.entries[since:]
        for undone in (is_undone(book, entry),)
        for line in lines_of(entry)
    ]


def lines_since(book: Book, side: Side | None, entry: int, hash: str) -> list[LogLine]:
    """What a seat may read of what came after an entry that it has seen; nothing if there is no
    such entry with that hash in this journal."""
    known = 0 < entry <= len(book.entries) and book.entries[entry - 1].hash == hash
    return log_lines(book, side, entry) if known else []


# --- the document ---------------------------------------------------------------------------------


def row_document(row: Row) -> dict[str, Any]:
    """A row as JSON: with `seq` and `hash` for the umpire, numbered `n` for a side."""
    number = {"seq": row.number} if row.hash is not None else {"n": row.number}
    values: dict[str, Any] = {name: getattr(row, name) for name in COLUMNS}
    values["lines"] = [line.text for line in row.lines]
    return number | values | ({"hash": row.hash} if row.hash is not None else {})


def build(book: Book, side: Side | None) -> Document:
    """All rows; for people the log, a heading for each paragraph or command."""
    rows = journal_rows(book, side)
    told = [row_document(row) for row in rows]
    data = {**opening("journal", side), "head": head_of(book, side), "rows": told}
    columns = ("seq", *COLUMNS, "hash") if side is None else ("n", *COLUMNS)
    sheet = Sheet("journal", columns, [_flat(row) for row in told])
    return Document("Journal", page_head(book, side), data, lambda: [sheet], partial(_blocks, rows))


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """A row without lists."""
    answer, changes = row["answer"], row["changes"]
    return row | {
        "lines": "\n".join(row["lines"]),
        "changes": canonical(changes) if changes else None,
        "answer": canonical(answer) if isinstance(answer, list) else answer,
    }


def _blocks(rows: Iterable[Row]) -> Iterator[Block]:
    for heading, run in groupby(rows, key=lambda row: row.heading):
        items = [_item(row, line) for row in run for line in row.lines]
        if items:
            yield Section(heading, [Bullets(items)])


def _item(row: Row, line: Line) -> Item:
    after = " (taken back)" if row.undone else ""
    return Item(line.text, f"{after} · {row.number}", struck=row.undone)
