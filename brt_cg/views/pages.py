"""The pages of a side: everything stored for it where it may read nothing else of a campaign.

They hold exactly what the views of a journal use for that side: each row that it may know of
(journal.py), as an entry with the changes that the side saw, the state of the campaign at the
public point, the open question if the side knows it, and its chain.
"""

from bisect import bisect_right
from collections.abc import Set
from typing import Any

from brt_cg.journal.changes import Change, apply, compare
from brt_cg.journal.coming import Coming, coming
from brt_cg.journal.entries import NO_HASH, TIME_TRAVEL, Entry, canonical
from brt_cg.journal.journal import Journal
from brt_cg.journal.seat_pages import Pages
from brt_cg.model.counters import Side
from brt_cg.views.asks import page_of_ask
from brt_cg.views.journal import NOTHING, Seen, travelled, visible
from brt_cg.views.public_point import StandingJournal, known_ask, public_book
from brt_cg.views.rows import SUBJECTS
from brt_cg.views.side_view import RowChanges, is_progress, view_of
from brt_cg.views.view_chain import Links

# Keys of an entry's payload.
COPIED_KEYS = ("rule", "ask", "answer", "from", "roll", "by", "at", "secret")


def pages_of(whole: Journal, side: Side) -> Pages:
    """The pages of a side. Reads only the new part of the journal, unless something was undone."""
    journal = public_book(whole, side)
    writing: _Writing | None = whole.memo.get((_Writing, side))
    if writing is None or not writing.goes_on_to(journal):
        writing = whole.memo[_Writing, side] = _Writing(side)
    rows, last = writing.read_on(journal)
    return Pages(rows, canonical(_stands(whole, side, last)), writing.links.read_on(journal))


class _Writing:
    """The rows of a side, extended as the journal grows."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.links = Links(side)
        self._read = (0, NO_HASH)  # the number of entries read, and the hash of the last one
        self._walk = RowChanges(side)
        # By entry: the changes of the rows before the newest, the ids that the side knew then, and
        # their texts with the number of their lines.
        self._changes: dict[int, list[Change]] = {}
        self._known: dict[int, frozenset[str]] = {}
        self._texts: dict[int, tuple[int, str]] = {}
        self._calls: dict[int, int] = {}  # the first row of each invocation, but for headings

    def goes_on_to(self, journal: Journal) -> bool:
        """Whether a journal extends the one that has been read, without undoing any of it."""
        read, hash = self._read
        if read > len(journal.entries) or (read and journal.entries[read - 1].hash != hash):
            return False
        return all(entry.kind not in TIME_TRAVEL for entry in journal.entries[read:])

    def read_on(self, journal: Journal) -> tuple[tuple[str, ...], list[Change]]:
        """Returns all rows, and the changes that the side sees since the newest one."""
        seen = visible(journal, self.side)
        for ended, row_changes in self._walk.read_on(
            journal, self._read[0], {row.entry for row in seen if row.stands}
        ):
            self._known[ended] = self._heard(row_changes)
            self._changes[ended] = row_changes
        self._read = (len(journal.entries), journal.head or NO_HASH)
        newest = self._walk.row
        row_changes, shown = self._walk.newest()
        if isinstance(journal, StandingJournal):  # what the enemy is asked may be of any paragraph
            row_changes = [change for change in row_changes if not is_progress(change)]
            shown = self._walk.view.seen.clone()
            apply(shown, row_changes)
        changes = self._changes | {newest: row_changes}
        known = self._known | {newest: self._heard(row_changes)}
        opened = [*known]
        numbers = {row.entry: number for number, row in enumerate(seen, start=1)}
        texts, call = [], 1
        for row in seen:
            if not row.heading:  # which invocation a paragraph began in may be a secret one's
                begun = journal.entries[row.entry - 1].call
                call = self._calls.setdefault(begun, numbers[row.entry])
            written = self._texts.get(row.entry)
            if written is None or written[0] != len(row.lines):
                heard = known[opened[bisect_right(opened, row.entry) - 1]]
                text = self._text(journal, row, numbers, changes.get(row.entry, []), heard, call)
                written = (len(row.lines), text)
                if row.entry < newest:
                    self._texts[row.entry] = written
            texts.append(written[1])
        return tuple(texts), compare(shown, view_of(journal.campaign, self.side))

    def _heard(self, changes: list[Change]) -> frozenset[str]:
        """The ids that the side knows after the newest row and these changes."""
        before = next(reversed(self._known.values()), frozenset[str]())
        new = {key for _, key, *_ in changes} - before
        return before | new if new else before

    def _text(
        self,
        journal: Journal,
        row: Seen,
        numbers: dict[int, int],
        changes: list[Change],
        heard: Set[str],
        call: int,
    ) -> str:
        payload = _payload(journal, self.side, row, numbers, changes) | {"call": call}
        # The reader finds by himself that a paragraph did nothing.
        own = (line for line in row.lines if not (row.heading and line.text == NOTHING))
        said = [[line.text, [id for id in line.about if id in heard], line.secret] for line in own]
        return canonical({"payload": payload, "said": said})


def _payload(
    journal: Journal, side: Side, row: Seen, numbers: dict[int, int], changes: list[Change]
) -> dict[str, Any]:
    """A row as the payload of an entry."""
    entry = journal.entries[row.entry - 1]
    if row.heading:
        # Leaves out whether it found anything to do, when, and for whom.
        return {"kind": "begin", "rule": entry.rule, "by": "players", "changes": changes}
    if entry.kind in TIME_TRAVEL:
        known = travelled(journal, entry, side)
        asked: dict[str, Any] = {"entries": [numbers[undone.seq] for undone in known]}
    else:
        asked = _subject(entry)
    payload = {name: entry.payload[name] for name in COPIED_KEYS if name in entry.payload}
    return payload | {"kind": entry.kind, "asked": asked, "changes": changes}


def _subject(entry: Entry) -> dict[str, str]:
    """The subject of a command, from its arguments; for an import also whose half it is."""
    named = (key for key in SUBJECTS if entry.asked.get(key))
    found = {key: str(entry.asked[key]) for key, _ in zip(named, (1,), strict=False)}
    half = entry.asked.get("side") if entry.kind == "import" else None
    return found | {"side": half} if half else found


def _stands(whole: Journal, side: Side, changes: list[Change]) -> dict[str, Any]:
    """The current state of the campaign beyond its rows, with the question."""
    ask = known_ask(whole, side)
    asks = Coming((ask,) if ask is not None else ())
    if ask is not None and ask.side is side:
        asks = coming(whole)
    return {
        "changes": changes,
        "asks": [page_of_ask(each, side) for each in asks.asks],
        "doubtful": sorted(asks.doubtful),
        "waits": ask is not whole.open_ask(),
    }
