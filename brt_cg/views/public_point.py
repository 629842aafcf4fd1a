"""The campaign as a side sees it while it waits for something that only the enemy may know.

The paragraph that has the question could reveal a hidden counter that the question is about. So a
side sees the campaign after the last answer or command that it knows of and that is not undone, or
after the last answer to a public question. When a question that it may know of is open, everything
since then is shown together. Undone entries do not count: after an undo a side sees what it saw
when that point was first reached, and the rows about the undo.
"""

from collections.abc import Callable
from itertools import islice, takewhile
from typing import Any
from weakref import WeakKeyDictionary

from brt_cg.journal.changes import apply_changes, invert_changes
from brt_cg.journal.entries import KINDS_OF_PARAGRAPH, TRANSPARENT, Entry
from brt_cg.journal.journal import NOTE, Journal
from brt_cg.model import Side
from brt_cg.questions import Question
from brt_cg.refit.sequence import NUMBERS, phase_of
from brt_cg.views.journal import visible_entries


class FrozenJournal(Journal):
    """A journal up to a public point, only for reading: no question is open in it, and none
    follows."""

    def open_question(self) -> Question[Any] | None:
        return None

    @property
    def mismatch(self) -> None:
        return None

    def number_of_next_paragraph(self) -> str | None:
        return None


# The view of a journal for each side, and for both (None), as long as that journal exists.
_known: WeakKeyDictionary[Journal, dict[Side | None, tuple[str | None, FrozenJournal]]]
_known = WeakKeyDictionary()
# Whether a side saw everything before an undo, by the undo's hash.
_open_before: WeakKeyDictionary[Journal, dict[tuple[str, Side], bool]] = WeakKeyDictionary()


def known_question(journal: Journal, side: Side | None) -> Question[Any] | None:
    """Return the open question, if a side (None: the umpire) may know of it: its own, a public one,
    or the enemy's dice for counters that are not hidden. The enemy's other choices may exist, or be
    secret, because of something hidden."""
    ask = journal.open_question()
    if ask is None or side is None:
        return ask
    known = ask.side is side or ask.public or ask.dice
    return ask if known and ask.secret is not side.enemy else None


def is_position_known_to(journal: Journal, side: Side | None) -> bool:
    """Whether a side (None: the umpire) may know the position in the phase: the open question, if
    any. If the paragraph in progress does not fit the rules, nobody can say whether it would ask
    about something hidden."""
    if side is None:
        return True
    return journal.mismatch is None and known_question(journal, side) is journal.open_question()


def visible_journal(journal: Journal, side: Side | None) -> Journal:
    """Return the part of the journal that a side (None: the umpire) may see now."""
    if side is None or is_position_known_to(journal, side):
        return journal
    return _cached(journal, side, side, lambda entry: True)


def shared_journal(journal: Journal) -> Journal:
    """Return the part of the journal that both sides see now. If one side may not know the open
    question, the end of that part depends on neither side's secrets."""
    side = next((each for each in Side if not is_position_known_to(journal, each)), None)
    if side is None:
        return journal
    known = {row.entry for row in visible_entries(journal, side.enemy)}
    return _cached(journal, None, side, known.__contains__)


def _cached(
    journal: Journal, whose: Side | None, side: Side, counts: Callable[[int], bool]
) -> FrozenJournal:
    """Return the journal as a side, or both (None), may see it, cached until the journal
    changes."""
    kept = _known.setdefault(journal, {})
    if whose not in kept or kept[whose][0] != journal.digest:
        last, length = _last_point(journal, side, counts)
        found = _frozen(journal, last, length)
        before = kept[whose][1] if whose in kept else found
        same = (before.head, before.standing) == (found.head, found.standing)
        kept[whose] = (journal.digest, before if same else found)
    return kept[whose][1]


def _last_point(journal: Journal, side: Side, counts: Callable[[int], bool]) -> tuple[int, int]:
    """Return the newest answer or command, not undone, that a side knows of, or the last public
    answer after it; and the newest entry, undone or not, of which the side has seen anything."""
    rows = (row for row in reversed(visible_entries(journal, side)) if not row.is_heading)
    known = [row for row in rows if row.kind not in TRANSPARENT and counts(row.entry)]
    # A note may be written at any time, and reveals nothing about the play before it.
    last = next((row.entry for row in known if row.is_standing and row.kind != NOTE), 0)
    later = takewhile(lambda entry: entry.seq > last, journal.newest_not_undone_first())
    last = next((entry.seq for entry in later if entry.payload.get("public")), last)
    newest = max((last, *(row.entry for row in known)))
    return last, _newest_seen_undo(journal, side, newest) or newest


def _newest_seen_undo(journal: Journal, side: Side, newest: int) -> int | None:
    """Return the newest undo, after a given entry, that undid only entries without a row for a side
    while the side saw entries that followed from them."""
    for seq in range(len(journal.entries), newest, -1):
        entry = journal.entries[seq - 1]
        if entry.kind == "undo" and _hides_seen_entries(journal, entry, side):
            return seq
    return None


def _hides_seen_entries(journal: Journal, undo: Entry, side: Side) -> bool:
    group = (journal.entries[seq - 1] for seq in undo.asked["entries"])
    if not any(entry.kind in KINDS_OF_PARAGRAPH for entry in group):
        return False
    cache = _open_before.setdefault(journal, {})
    if (undo.hash, side) not in cache:
        before = Journal(journal.clock)
        before.load(journal.entries[: undo.seq - 1])
        cache[undo.hash, side] = is_position_known_to(before, side)
    return cache[undo.hash, side]


def _frozen(journal: Journal, last: int, length: int) -> FrozenJournal:
    """Return the first entries of a journal, with all entries after `last` undone except notes: a
    paragraph that began after it may have begun because of a secret."""
    entries = journal.entries  # not the journal itself, which would then never be forgotten
    found = FrozenJournal(journal.clock, fetch=lambda first, end: entries[first - 1 : end])
    for entry in islice(entries, length):
        found.append(entry)
        found.entries.mark_stored()
    later = [*takewhile(lambda entry: entry.seq > last, journal.newest_not_undone_first())]
    found.set_not_undone(journal.standing - {each.seq for each in later if each.kind != NOTE})
    found.campaign = journal.campaign.clone()
    for entry in later:
        apply_changes(found.campaign, invert_changes(entry.changes))
    newest = entries[last - 1]
    if newest.kind == "answer" and newest.rule is not None:
        # Whether it ended its paragraph depends on other questions.
        at = NUMBERS.index(newest.rule)
        situation = found.campaign.situation
        situation.paragraph = newest.rule
        situation.done = NUMBERS[at - 1] if at else None
        situation.phase = phase_of(newest.rule)
    return found
