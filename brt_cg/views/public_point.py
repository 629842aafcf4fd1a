"""The campaign as a side sees it while it waits for something that only the enemy may know.

The paragraph in which the phase waits could reveal a hidden counter that the question is about. So
a side sees the campaign as the last answer or command that it knows of left it, or the last answer
to a public question, until a question is open that it may know of; then everything since is shown
together.
"""

from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import Any
from weakref import WeakKeyDictionary

from brt_cg.journal.changes import apply_changes, invert_changes
from brt_cg.journal.entries import TRANSPARENT, Entry
from brt_cg.journal.journal import Journal
from brt_cg.model import Side
from brt_cg.questions import Question
from brt_cg.refit.sequence import NUMBERS, phase_of
from brt_cg.views.journal import is_unknown, visible_entries


class FrozenJournal(Journal):
    """A journal up to a public point, for reading: no question is open in it, and none follows."""

    def open_ask(self) -> Question[Any] | None:
        return None

    @property
    def mismatch(self) -> None:
        return None

    def next_paragraph(self) -> str | None:
        return None


# What each side, and both (None), may see of a journal, as long as there is that journal.
_known: WeakKeyDictionary[Journal, dict[Side | None, FrozenJournal]] = WeakKeyDictionary()


def known_question(journal: Journal, side: Side | None) -> Question[Any] | None:
    """The open question, if a side (None: the umpire) may know of it: its own, a public one, and
    the enemy's dice for counters that are not hidden. The enemy's other choices may be asked, or be
    secret, because of something hidden."""
    ask = journal.open_ask()
    if ask is None or side is None:
        return ask
    known = ask.side is side or ask.public or ask.dice
    return ask if known and ask.secret is not side.enemy else None


def is_open_to(journal: Journal, side: Side | None) -> bool:
    """Whether a side (None: the umpire) may know the position in the phase: the open question, if
    any. If the paragraph in progress does not fit the rules, nobody can say whether it would ask
    about something hidden."""
    if side is None:
        return True
    return journal.mismatch is None and known_question(journal, side) is journal.open_ask()


def public_journal(journal: Journal, side: Side | None) -> Journal:
    """The part of the journal that a side (None: the umpire) may see now."""
    if side is None or is_open_to(journal, side):
        return journal
    return _standing(journal, side, _last_point(journal, side, lambda entry: True))


def shared_journal(journal: Journal) -> Journal:
    """The part of the journal that both sides see now. If one side may not know the open question,
    the end of that part depends on neither side's secrets."""
    side = next((each for each in Side if not is_open_to(journal, each)), None)
    if side is None:
        return journal
    known = {row.entry for row in visible_entries(journal, side.enemy)}
    return _standing(journal, None, _last_point(journal, side, known.__contains__))


def _last_point(journal: Journal, side: Side, counts: Callable[[int], bool]) -> int:
    """The last answer or command that a side knows of, of those whose entry counts, or the last
    public answer after it."""
    rows = reversed(visible_entries(journal, side))
    points = (row.entry for row in rows if not row.is_heading and row.kind not in TRANSPARENT)
    last = next(filter(counts, points), 0)
    later = takewhile(lambda entry: entry.seq > last, journal.newest_first())
    return next((entry.seq for entry in later if entry.payload.get("public")), last)


def _standing(journal: Journal, whose: Side | None, last: int) -> FrozenJournal:
    """The journal up to an entry, kept for a side, or for both (None)."""
    kept = _known.setdefault(journal, {})
    if whose not in kept or kept[whose].head != journal.entries[last - 1].hash:
        kept[whose] = _up_to(journal, whose, last)
    return kept[whose]


def _up_to(journal: Journal, whose: Side | None, last: int) -> FrozenJournal:
    entries = journal.entries  # not the journal itself, which would then never be forgotten
    found = FrozenJournal(journal.clock, fetch=lambda first, end: entries[first - 1 : end])
    found.load(entries[:last])
    newest: Entry | None = found.entries[-1]
    if newest is not None and newest.kind == "redo":
        newest = _undo_what_followed(found, newest, tuple(Side) if whose is None else (whose,))
    if newest is not None and newest.kind == "answer" and newest.rule is not None:
        # Whether it ended its paragraph depends on other questions.
        at = NUMBERS.index(newest.rule)
        situation = found.campaign.situation
        situation.paragraph = newest.rule
        situation.done = NUMBERS[at - 1] if at else None
        situation.phase = phase_of(newest.rule)
    return found


def _undo_what_followed(found: FrozenJournal, redo: Entry, sides: Iterable[Side]) -> Entry | None:
    """In a journal that ends with a redo, undo the restored entries after the newest answer or
    command that the sides know of, which is returned: a paragraph that began then may have begun
    because of a secret."""
    restored = [found.entries[seq - 1] for seq in redo.asked["entries"]]
    after: list[Entry] = []
    while restored and not _is_known(restored[-1], sides):
        after.append(restored.pop())
    apply_changes(
        found.campaign, invert_changes(c for each in reversed(after) for c in each.changes)
    )
    return restored[-1] if restored else None


def _is_known(entry: Entry, sides: Iterable[Side]) -> bool:
    return entry.undoable_alone and not any(is_unknown(entry, side) for side in sides)
