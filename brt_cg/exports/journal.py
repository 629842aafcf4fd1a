"""The journal: the lines of the log, the whole of it as a document, and a side's head hash."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from brt_cg.counters import Side
from brt_cg.exports.formats import csv_text, json_text, md_document, md_text, view_name
from brt_cg.exports.rows import is_undone, rows
from brt_cg.exports.side_rows import visible
from brt_cg.exports.told import Line, Row, lines_of, title_of
from brt_cg.exports.view_chain import view_hashes, view_head
from brt_cg.journal.book import Book
from brt_cg.journal.entries import canonical

__all__ = ["LogLine", "document", "head_of", "log_lines", "view_hashes", "view_head"]

FORMAT = "brt-cg/journal"
COLUMNS = (
    *("at", "by", "kind", "rule", "title", "subject", "answer", "roll", "lines", "changes"),
    "undone",
)


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log. `seq` is the entry's number (in a side's view that of the row); `rule` is
    None for a command; `secret` is whose secret the line is, if anybody's."""

    seq: int
    rule: str | None
    title: str
    text: str
    undone: bool = False
    secret: Side | None = None

    def __str__(self) -> str:
        heading = f"{self.rule} {self.title}" if self.rule else self.title
        return f"{heading} · {self.text}" + (" (taken back)" if self.undone else "")


def log_lines(book: Book, side: Side | None = None, since: int = 0) -> list[LogLine]:
    """The log in the players' words, of the entries after the one numbered `since`. Lines that were
    taken back are there, marked. For a side (None: the umpire) without the enemy's secrets."""
    return list(_umpire_lines(book, since) if side is None else _side_lines(book, side, since))


def _umpire_lines(book: Book, since: int) -> Iterator[LogLine]:
    for entry in book.entries[since:]:
        undone, title = is_undone(book, entry), title_of(entry)
        for line in lines_of(entry):
            yield LogLine(entry.seq, entry.rule, title, line.text, undone, line.secret)


def _side_lines(book: Book, side: Side, since: int) -> Iterator[LogLine]:
    for number, seen in enumerate(visible(book, side), start=1):
        rule, title = seen.entry.rule, title_of(seen.entry)
        for line in seen.lines:
            if line.entry > since:
                yield LogLine(number, rule, title, line.text, seen.undone, line.secret)


# --- the document ---------------------------------------------------------------------------------


def head_of(book: Book, side: Side | None) -> str | None:
    """The hash that a document of a view carries."""
    return book.head if side is None else view_head(book, side)


def row_document(row: Row) -> dict[str, Any]:
    """A row as JSON: with `seq` and `hash` for the umpire, numbered `n` for a side."""
    number = {"seq": row.number} if row.hash is not None else {"n": row.number}
    values: dict[str, Any] = {name: getattr(row, name) for name in COLUMNS}
    values["lines"] = [line.text for line in row.lines]
    return number | values | ({"hash": row.hash} if row.hash is not None else {})


def document(book: Book, side: Side | None) -> dict[str, Any]:
    """The journal as JSON."""
    return {
        "format": FORMAT,
        "version": 1,
        "view": view_name(side),
        "head": head_of(book, side),
        "rows": [row_document(row) for row in rows(book, side)],
    }


def as_json(book: Book, side: Side | None) -> str:
    return json_text(document(book, side))


def as_csv(book: Book, side: Side | None) -> str:
    columns = ("seq", *COLUMNS, "hash") if side is None else ("n", *COLUMNS)
    return csv_text(columns, (_csv_row(row) for row in rows(book, side)))


def _csv_row(row: Row) -> dict[str, Any]:
    found = row_document(row)
    found["lines"] = "\n".join(found["lines"])
    found["changes"] = canonical(found["changes"]) if found["changes"] else None
    if isinstance(found["answer"], list):
        found["answer"] = canonical(found["answer"])
    return found


def as_md(book: Book, side: Side | None) -> str:
    """The log, a heading for each paragraph or command."""
    runs = groupby(rows(book, side), key=lambda row: row.heading)
    blocks = [block for heading, run in runs for block in _md_block(heading, run)]
    return md_document("Journal", side, *blocks)


def _md_block(heading: str, run: Iterable[Row]) -> Iterator[list[str]]:
    items = [_md_line(row, line) for row in run for line in row.lines]
    if items:
        yield [f"## {md_text(heading)}"]
        yield items


def _md_line(row: Row, line: Line) -> str:
    text = md_text(line.text)
    told = f"~~{text}~~ (taken back)" if row.undone else text
    return f"- {told} · {row.number}"
