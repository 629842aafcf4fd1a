"""Undo of entries below others that remain, by a side that may not know of the others.

The remaining entries may not depend on the undone ones: they have no changed field in common, and
in the paragraph in progress the remaining answers must still be allowed.
"""

from collections.abc import Callable
from contextlib import suppress

from brt_cg.journal.entries import KINDS_OF_PARAGRAPH, TRANSPARENT, Entry
from brt_cg.journal.journal import Journal
from brt_cg.questions import RefusedError


def can_undo_below_later_entries(journal: Journal, group: list[int]) -> bool:
    """Whether it is certain, without playing, that entries may be undone together although later
    ones remain."""
    if not group or group[0] <= 1 or not journal.standing.issuperset(group):
        return False
    if group != journal.with_dependents(group):
        return False
    going = [journal.entries[seq - 1] for seq in group]
    staying = [
        journal.entries[seq - 1]
        for seq in sorted(journal.standing.difference(group))
        if seq > group[0]
    ]
    if any(map(_is_played, going)):
        return not any(map(_is_played, staying)) and (
            bool(staying) or _begins_call(going[0], journal)
        )
    return bool(staying) and len({entry.invocation for entry in going}) == 1


def _begins_call(entry: Entry, journal: Journal) -> bool:
    """Whether an entry begins its invocation, except for entries that undo skips: a command that
    enters early answers comes before the answers that they give immediately."""
    before = journal.entries[entry.invocation - 1 : entry.seq - 1]
    return all(each.kind in TRANSPARENT for each in before)


def _is_played(entry: Entry) -> bool:
    return entry.kind in KINDS_OF_PARAGRAPH


class _Tried(Exception):
    """The exception that rolls back an attempt."""


def entries_undone_with(journal: Journal, group: list[int]) -> list[int]:
    """Return the entries that an undo of some entries includes: those that depend on them; or all
    later ones, if play could not continue from the remaining ones."""
    everything = sorted(seq for seq in journal.standing if seq >= group[0])
    some = journal.with_dependents(group)
    if some == everything or not can_undo_below_later_entries(journal, some):
        return everything
    return some if _fits(journal, lambda: journal.undo_entries(some)) else everything


def _fits(journal: Journal, travel: Callable[[], Entry]) -> bool:
    """Whether the paragraph in progress, if it fits the rules now, would still fit after these
    entries were undone or restored. The change is only tried, not kept."""
    fitted, fits = journal.mismatch is None, False
    with suppress(_Tried, ValueError, LookupError), journal.transaction():
        travel()
        fits = not fitted or journal.mismatch is None
        raise _Tried
    return fits


def redo_entries(journal: Journal, group: list[int]) -> Entry:
    """Restore a group of undone entries, below those entered since. Raises RefusedError if it no
    longer fits."""
    if journal.redoable and journal.redoable[-1] == group:
        return journal.redo()
    if can_redo_below_later_entries(journal, group) and _fits(journal, lambda: journal.redo(group)):
        return journal.redo(group)
    raise RefusedError("the undone entries no longer fit, so they cannot be restored")


def can_redo_below_later_entries(journal: Journal, group: list[int]) -> bool:
    """Whether a group that is no longer the newest one undone may be restored: it was undone as
    one, and since then it has not been restored, and nothing has been played."""
    undone: list[int] | None = None
    for entry in reversed(journal.entries):
        if entry.kind == "undo" and entry.asked["entries"] == group and "for" not in entry.asked:
            undone = group
            break
        if _is_played(entry) and entry.seq in journal.standing:
            break
    if undone is None or not journal.standing.isdisjoint(group):
        return False
    first = journal.entries[group[0] - 1]
    before = (entry for entry in journal.newest_not_undone_first() if entry.seq < first.seq)
    played = next((entry for entry in before if _is_played(entry)), None)
    return first.kind != "answer" or (played is not None and played.rule == first.rule)
