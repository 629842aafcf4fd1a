"""Whether what a mail adds is true: audited before anything of it is stored, as its receiver may
see it; and whether its times can be."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from brt_cg.audit.additions import additions
from brt_cg.audit.finding import Finding
from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import Refused
from brt_cg.service import mailed
from brt_cg.text import counted
from brt_cg.views.journal import HEADINGS, visible
from brt_cg.views.public_point import public_book

MOST_TOLD = 3  # notices of an audit
APART = timedelta(minutes=5)  # what the clocks of two homes may differ by
FAR_AHEAD = timedelta(hours=1)


def check_it_is_true(
    path: Path, before: Sequence[Entry], new: Sequence[Entry], side: Side | None
) -> list[str]:
    """Raises Refused, naming the entry, if the audit finds anything in the new entries of a mail.
    Returns its notices: what other rules explain is no reason to refuse a mail."""
    report = additions(before, new, side)
    if not report.ok:
        # The first that names its entry.
        found = min(report.findings, key=lambda each: each.entry is None and each.row is None)
        more = len(report.findings) - 1
        also = f" (and {counted(more, 'finding')} more)" if more else ""
        raise Refused(
            f"{path}: what it says is not true ({_named(found, side)}{also}): nothing was taken; "
            "ask for a campaign without it"
        )
    told = [finding.message for finding in report.notices]
    more = len(told) - MOST_TOLD
    return told[:MOST_TOLD] + ([f"and {more} notices more: brt-cg audit"] if more > 0 else [])


def _named(found: Finding, side: Side | None) -> str:
    """A finding with its rule; of an entry that the side does not read, no more than its kind."""
    rule = "" if found.rule == "journal" else f"{found.rule}, "
    if side is not None and found.row is None:
        return f"something that you may not know of yet: {found.message}"
    return f"{rule}{found.message}"


def odd_times(book: Journal, begun: int, side: Side | None, now: str) -> Iterator[str]:
    """What a side (None: the umpire) should know of the times of the entries after the first
    `begun`: those before the entry that they follow, and those far ahead of the clock here, which
    says `now`. What was entered again after the other player's keeps its time: it follows from what
    its own seat entered before."""
    back, ahead = list[str](), list[str]()
    before: Entry | None = None
    of_seat: dict[Seat | None, Entry] = {}
    for named, entry in _read_by(book, side):
        if entry.seq > begun:
            told = f"{named} is from {_shown(entry)}"
            due = of_seat.get(entry.seat) if mailed.entered_again(entry) else before
            if due is not None and _at(entry) < _at(due) - APART:
                back.append(f"{told}, and what it follows from {_shown(due)}")
            if _at(entry) > datetime.fromisoformat(now) + FAR_AHEAD:
                ahead.append(f"{told}, and it is {_shown_at(now)} here")
        before = of_seat[entry.seat] = entry
    for words, found in (("before what came before it", back), ("ahead of your clock", ahead)):
        if found:
            more = f"; {len(found) - 1} more" if found[1:] else ""
            yield f"a time in it is {words}: {found[0]}{more}"


def _read_by(book: Journal, side: Side | None) -> Iterator[tuple[str, Entry]]:
    """The entries that a side reads with their times, and what they are called."""
    if side is None:
        for entry in book.entries:
            yield f"entry {entry.seq}", entry
        return
    for number, seen in enumerate(visible(public_book(book, side), side), 1):
        if seen.kind not in HEADINGS:
            yield f"row {number} of the journal", book.entries[seen.entry - 1]


def _at(entry: Entry) -> datetime:
    return datetime.fromisoformat(str(entry.payload["at"]))


def _shown(entry: Entry) -> str:
    return _shown_at(str(entry.payload["at"]))


def _shown_at(moment: str) -> str:
    return f"{datetime.fromisoformat(moment):%Y-%m-%d %H:%M} UTC"
