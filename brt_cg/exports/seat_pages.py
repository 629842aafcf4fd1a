"""The pages of a side: what is written for it wherever it may read nothing else of a campaign.

They hold what the views of a journal take from it for that side, and nothing more: each row that it
may know of (seat_journal.py), as an entry with what the side saw change, where the campaign stands
at the public point, the question that it knows of, and its chain.
"""

from collections.abc import Iterable
from typing import Any

from brt_cg.counters import Side
from brt_cg.exports.entries_told import SUBJECTS, Line
from brt_cg.exports.public_point import known_to_be_asked, public_book
from brt_cg.exports.seat_asks import page_of_ask
from brt_cg.exports.seat_journal import (
    NOTHING,
    PROGRESS,
    Seen,
    is_progress,
    travelled,
    visible,
)
from brt_cg.exports.side_view import SideView, view_of
from brt_cg.exports.view_chain import view_links
from brt_cg.journal.book import Book
from brt_cg.journal.changes import Change, apply, compare
from brt_cg.journal.coming import Coming, coming
from brt_cg.journal.entries import TIME_TRAVEL, Entry, canonical
from brt_cg.journal.seat_pages import Pages
from brt_cg.records import Situation

AS_IT_IS = ("rule", "ask", "answer", "from", "roll", "by", "at", "secret")  # of an entry's payload


def pages_of(whole: Book, side: Side) -> Pages:
    """The pages of a side."""
    book = public_book(whole, side)
    seen, view = visible(book, side), SideView(side)
    changes = _changes(book, seen, view)
    last = compare(view.seen, view_of(book.campaign, side))
    numbers = {row.entry: number for number, row in enumerate(seen, start=1)}
    calls: dict[int, int] = {}  # the first row of each invocation
    known = {key for table in view.seen.tables.values() for key in table}
    known |= {key for some in changes.values() for _, key, *_ in some}
    rows = tuple(
        canonical(
            {
                "payload": _payload(book, side, row, numbers, changes.get(row.entry, []))
                | {"call": calls.setdefault(book.entries[row.entry - 1].call, numbers[row.entry])},
                "said": [_said(line, known) for line in _own_lines(row)],
            }
        )
        for row in seen
    )
    return Pages(rows, canonical(_stands(whole, side, last)), view_links(book, side))


def _changes(book: Book, seen: Iterable[Seen], view: SideView) -> dict[int, list[Change]]:
    """By entry, how what the side sees changed from its row to the next one, and how far the
    paragraphs had come then; `view` is what it has seen in the end."""
    opening = {row.entry for row in seen if row.stands}
    changes: dict[int, list[Change]] = {}
    row, touched = 0, False
    for entry in book.entries:
        if entry.seq not in book.standing:
            continue
        if entry.seq in opening:
            changes[row] = _told_of(view, touched)
            row, touched = entry.seq, False
        view.take_in(entry.changes)
        touched = touched or any(not is_progress(change) for change in entry.changes)
    changes[row] = _told_of(view, touched)
    return changes


def _told_of(view: SideView, touched: bool) -> list[Change]:
    """What a row tells; where nothing but progress was made nothing else comes to light yet, as in
    the journal."""
    if touched:
        return view.update()
    if not view.seen.tables[Situation.TABLE]:
        return []
    before, now = view.seen.situation, view.fold.situation
    changes: list[Change] = [
        [Situation.TABLE, now.id, name, getattr(before, name), getattr(now, name)]
        for name in sorted(PROGRESS)
        if getattr(before, name) != getattr(now, name)
    ]
    apply(view.seen, changes)
    return changes


def _payload(
    book: Book, side: Side, row: Seen, numbers: dict[int, int], changes: list[Change]
) -> dict[str, Any]:
    """A row as the payload of an entry."""
    entry = book.entries[row.entry - 1]
    if row.heading:
        # Whether it found anything to do, when, and for whom, is not told.
        return {"kind": "begin", "rule": entry.rule, "by": "players", "changes": changes}
    if entry.kind in TIME_TRAVEL:
        known = travelled(book, entry, side)
        asked: dict[str, Any] = {"entries": [numbers[one.seq] for one in known]}
    else:
        asked = _subject(entry)
    payload = {name: entry.payload[name] for name in AS_IT_IS if name in entry.payload}
    return payload | {"kind": entry.kind, "asked": asked, "changes": changes}


def _subject(entry: Entry) -> dict[str, str]:
    """Of what a command was asked with, whom or what it is about."""
    named = (key for key in SUBJECTS if entry.asked.get(key))
    return {key: str(entry.asked[key]) for key, _ in zip(named, (1,), strict=False)}


def _own_lines(row: Seen) -> Iterable[Line]:
    """That a paragraph did nothing is found anew by whoever reads."""
    return (line for line in row.lines if not (row.heading and line.text == NOTHING))


def _said(line: Line, known: set[str]) -> list[Any]:
    """A sentence, with the ids that the side has heard of."""
    return [line.text, [id for id in line.about if id in known], line.secret]


def _stands(whole: Book, side: Side, changes: list[Change]) -> dict[str, Any]:
    """Where the campaign stands: what its rows do not tell, and the question."""
    ask = whole.open_ask()
    known = ask is not None and known_to_be_asked(ask, side)
    asks = Coming((ask,) if known and ask is not None else ())
    if known and ask is not None and ask.side is side:
        asks = coming(whole)
    return {
        "changes": changes,
        "asks": [page_of_ask(one, side) for one in asks.asks],
        "doubtful": sorted(asks.doubtful),
        "waits": ask is not None and not known,
    }
