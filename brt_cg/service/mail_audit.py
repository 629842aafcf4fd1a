"""The audit of a mail: whether its entries follow from the rules, checked before any is stored, as
its receiver may see them; whether its times are possible; and the rights by which it is judged."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from brt_cg.audit.additions import audit_additions
from brt_cg.audit.finding import Finding
from brt_cg.immutable import immutable
from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.model import Seat, Side, seat_of_side
from brt_cg.questions import RefusedError
from brt_cg.service import mail_state
from brt_cg.text import count_text
from brt_cg.views.journal import HEADINGS, visible_entries
from brt_cg.views.journal_rows import title_of_entry
from brt_cg.views.public_point import visible_journal

MOST_TOLD = 3  # notices of an audit
APART = timedelta(minutes=5)  # the possible difference of the clocks of two homes
FAR_AHEAD = timedelta(hours=1)
UNNAMED = (
    "neither you nor the mail says which side it comes from (receive --side, send "
    "--side), so its entries could not be checked against what that side may enter"
)
FROM_UMPIRE = (
    "it was received as the umpire's, so its entries were not checked against what a side may enter"
)
AS_IT_IS = (
    "this campaign is new here, so its entries were not checked against what a side may enter"
)
TAKEN_BACK = "it contains entries for your seat, which were accepted as yours; check them"


@immutable
class MailSenderRights:
    """The seat by whose rights a mail is judged, None if it is not known; `as_umpire` if the
    receiver says that the mail comes from the umpire, who may enter anything."""

    sender: Seat | None
    as_umpire: bool = False

    @classmethod
    def for_mail(
        cls, named: Seat | None, receiver: Seat | None, as_umpire: bool
    ) -> "MailSenderRights":
        """Return the rights for a mail that says it is from the seat `named`. A player who plays a
        side knows the sender, whatever the mail says."""
        if as_umpire:
            return cls(Seat.UMPIRE, True)
        if receiver is None or receiver.side is None:
            return cls(named)
        return cls(seat_of_side(receiver.side.enemy))

    def unchecked_texts(self, took_back: bool) -> Iterator[str]:
        """Yield the entries that were not judged, in words; `took_back` says whether some of them
        were assumed to be the receiver's own."""
        if self.as_umpire:
            yield FROM_UMPIRE
        elif self.sender is None or self.sender.side is None:
            yield UNNAMED
        if took_back:
            yield TAKEN_BACK


def audit_mail(path: Path, book: Journal, begun: int, side: Side | None) -> list[str]:
    """Raise RefusedError, naming the entry, if the audit finds anything in the entries of a mail,
    which are those of `book` after the first `begun`. Return its notices: differences that other
    rules explain are no reason to refuse a mail."""
    entries = [*book.entries]
    report = audit_additions(entries[:begun], entries[begun:], side)
    if not report.ok:
        # The first finding that names its entry.
        found = min(report.findings, key=lambda each: each.entry is None and each.row is None)
        more = len(report.findings) - 1
        also = f" (and {count_text(more, 'finding')} more)" if more else ""
        raise RefusedError(
            f"{path} does not follow from the rules ({_named(found, book, side)}{also}), so "
            f"nothing was accepted; ask your opponent to undo that entry and send again"
        )
    told = [finding.message for finding in report.notices]
    more = len(told) - MOST_TOLD
    return told[:MOST_TOLD] + ([f"and {more} more notices: run brt-cg audit"] if more > 0 else [])


def _named(found: Finding, book: Journal, side: Side | None) -> str:
    """Return a finding with the title of its entry, or only its kind if the side may not read the
    entry."""
    if side is None:
        title = "" if found.entry is None else f"{title_of_entry(book.entries[found.entry - 1])}, "
        return f"{title}{found.message}"
    if found.row is None:
        return f"an entry that you may not see yet: {found.message}"
    return (
        f"{visible_entries(visible_journal(book, side), side)[found.row - 1].title}, "
        f"{found.message}"
    )


def odd_time_warnings(book: Journal, begun: int, side: Side | None, now: str) -> Iterator[str]:
    """Return warnings for a side (None: the umpire) about the times of the entries after the first
    `begun`: times before that of the preceding entry, and times far ahead of the clock here, which
    says `now`. A re-entered entry keeps its time, so its time is compared with the earlier entries
    of the same seat."""
    back, ahead = list[str](), list[str]()
    before: Entry | None = None
    of_seat: dict[Seat | None, Entry] = {}
    for named, entry in _read_by(book, side):
        if entry.seq > begun:
            text = f"{named} is from {_shown(entry)}"
            due = of_seat.get(entry.seat) if mail_state.can_be_entered_again(entry) else before
            if due is not None and _at(entry) < _at(due) - APART:
                back.append(f"{text}, but the entry before it from {_shown(due)}")
            if _at(entry) > datetime.fromisoformat(now) + FAR_AHEAD:
                ahead.append(f"{text}, but here it is {_shown_at(now)}")
        before = of_seat[entry.seat] = entry
    for words, found in (
        ("earlier than that of a previous entry", back),
        ("later than your clock", ahead),
    ):
        if found:
            more = f"; {len(found) - 1} more" if found[1:] else ""
            yield f"a time in it is {words}: {found[0]}{more}"


def _read_by(book: Journal, side: Side | None) -> Iterator[tuple[str, Entry]]:
    """Yield the entries that a side reads, with their times and names."""
    if side is None:
        for entry in book.entries:
            yield f"entry {entry.seq}", entry
        return
    for number, seen in enumerate(visible_entries(visible_journal(book, side), side), 1):
        if seen.kind not in HEADINGS:
            yield f"row {number} of the journal", book.entries[seen.entry - 1]


def _at(entry: Entry) -> datetime:
    return datetime.fromisoformat(str(entry.payload["at"]))


def _shown(entry: Entry) -> str:
    return _shown_at(str(entry.payload["at"]))


def _shown_at(moment: str) -> str:
    return f"{datetime.fromisoformat(moment):%Y-%m-%d %H:%M} UTC"
