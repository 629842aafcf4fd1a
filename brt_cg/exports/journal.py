"""The journal as a document."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import Any

from brt_cg.exports.blocks import Block, Bullets, Document, ListItem, SectionBlock, Sheet
from brt_cg.exports.headers import json_document_start, page_header_maker
from brt_cg.journal.entries import TIME_TRAVEL, canonical_json
from brt_cg.views.journal_rows import MOST_TAKEN_BACK, ShownRow, undone_mark
from brt_cg.views.view import View

COLUMNS = (
    *("at", "by", "kind", "rule", "title", "subject", "answer", "roll", "lines", "changes"),
    *("undone", "seat", "source", "seed"),
)


def row_json(row: ShownRow) -> dict[str, Any]:
    """Return a row as JSON: with `seq` and `hash` for the umpire, numbered `n` for a side."""
    number = {"seq": row.number} if row.hash is not None else {"n": row.number}
    values: dict[str, Any] = {name: getattr(row, name) for name in COLUMNS}
    values["lines"] = [line.text for line in row.lines]
    return number | values | ({"hash": row.hash} if row.hash is not None else {})


def build_journal(book: View) -> Document:
    """Return all rows; for people the log, with a heading for each paragraph or command."""
    rows = book.rows
    documents = [row_json(row) for row in rows]
    data = {**json_document_start("journal", book.side), "head": book.head, "rows": documents}
    columns = ("seq", *COLUMNS, "hash") if book.side is None else ("n", *COLUMNS)
    sheet = Sheet("journal", columns, [_flat(row) for row in documents])
    return Document(
        "Journal", page_header_maker(book), data, lambda: [sheet], partial(_journal_blocks, rows)
    )


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row without lists."""
    answer, changes = row["answer"], row["changes"]
    return row | {
        "lines": "\n".join(row["lines"]),
        "changes": canonical_json(changes) if changes else None,
        "answer": canonical_json(answer) if isinstance(answer, list) else answer,
    }


def _journal_blocks(rows: Iterable[ShownRow]) -> Iterator[Block]:
    for heading, run in groupby(rows, key=lambda row: row.heading):
        items = [_list_item(row, text) for row in run for text in _row_lines(row)]
        if items:
            yield SectionBlock(heading, [Bullets(items)])


def _row_lines(row: ShownRow) -> Iterator[str]:
    """Yield a row's lines. For an undo or redo, yield only the first few, because the undone or
    restored lines are in the journal already."""
    most = MOST_TAKEN_BACK if row.kind in TIME_TRAVEL else len(row.lines)
    yield from (line.text for line in row.lines[:most])
    if row.lines[most:]:
        yield f"and {len(row.lines) - most} more lines"


def _list_item(row: ShownRow, text: str) -> ListItem:
    after = f"{undone_mark(row.undone)} · {row.number}"
    return ListItem(text, after, struck=row.undone)
