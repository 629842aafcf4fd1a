"""The entries that a seat would undo, or redo, next: determined only from the seat's knowledge, so
that they are the same with and without the enemy's secrets.

The enemy's secret commands are skipped and remain. The enemy's secret answers that were given after
the undone entries follow from them, and are undone too.
"""

from collections.abc import Collection

from brt_cg.journal.entries import TIME_TRAVEL, Entry
from brt_cg.journal.journal import Journal
from brt_cg.journal.selective_undo import can_undo_below_later_entries
from brt_cg.model import Side
from brt_cg.questions import RefusedError
from brt_cg.views.journal import HEADINGS, is_unknown_to

Sides = Collection[Side]  # those that must know of it: a side, or both; the umpire does not count


def sides_of_seat(side: Side | None) -> Sides:
    """Return the sides that must know of the entries that a seat undoes."""
    return () if side is None else (side,)


def next_to_undo(journal: Journal, sides: Sides, whole_call: bool = False) -> list[int]:
    """Return the entries to undo with the newest answer or command that these sides know of, or
    with the whole invocation that it is in; if the paragraph in progress does not fit the rules,
    with the newest one up to the point where it does. Empty if they know of none."""
    if not sides:
        try:
            return journal.entries_to_undo(whole_call) if len(journal.standing) > 1 else []
        except RefusedError:
            return []
    if report := _own_report(journal, sides):
        return [report.seq]
    above: list[Entry] = []
    mismatch = journal.mismatch
    newest = mismatch.entry if mismatch is not None else len(journal.entries)
    for entry in journal.newest_not_undone_first():
        if entry.seq == 1:
            break
        if entry.seq <= newest and entry.can_be_undone_alone and not _unknown(entry, sides):
            return (
                _bare(above, entry.invocation, sides)
                or _own_below(journal, entry, above, sides, whole_call)
                or _unit(journal, entry, above[::-1], sides, whole_call)
            )
        above.append(entry)
    return _bare(above, 0, sides)


def next_to_redo(journal: Journal, sides: Sides) -> list[int]:
    """Return the entries that a redo of the newest undo that these sides know of restores; empty if
    they know of none, or of anything new since."""
    if not sides:
        return journal.redoable[-1] if journal.redoable else []
    restored: list[list[int]] = []
    for entry in reversed(journal.entries):
        if entry.kind in TIME_TRAVEL:
            group: list[int] = entry.asked["entries"]
            if entry.kind == "redo":
                restored.append(group)
            elif group in restored:
                restored.remove(group)
            elif "for" in entry.asked:
                if not _was_restored(journal, group, entry.seq):
                    break
            elif _is_known(journal, group, sides):
                return group
        elif entry.seq in journal.standing and not is_passed_over(entry, sides):
            break
    return []


def _own_report(journal: Journal, sides: Sides) -> Entry | None:
    """Return a side's scenario-end report that is below its opponent's, if that is the newest entry
    that it knows of and does not depend on the report."""
    if len(sides) != 1:
        return None
    (side,) = sides
    reports = journal.scenario_end_reports()
    own, other = reports.get(side), reports.get(side.enemy)
    if own is None or other is None or own.seq > other.seq:
        return None
    known = (
        e
        for e in journal.newest_not_undone_first()
        if e.can_be_undone_alone and not _unknown(e, sides)
    )
    newest = next(known, None)
    alone = journal.with_dependents([own.seq]) == [own.seq]
    return own if newest is not None and newest.seq == other.seq and alone else None


def _own_below(
    journal: Journal, newest: Entry, above: list[Entry], sides: Sides, whole_call: bool
) -> list[int]:
    """Return the entries to undo together with a side's own newest entry of this Refit Phase or
    scenario, if the newest entry that it knows of is its opponent's and can stay; `above` are the
    entries after that one, newest first."""
    if len(sides) != 1 or not _is_of_others(newest, sides):
        return []
    later = [*above]
    for entry in journal.entries_of_this_phase():
        if entry.seq > newest.seq:
            continue
        if entry.can_be_undone_alone and _entered_by(entry) in sides and not _unknown(entry, sides):
            group = _unit(journal, entry, later[::-1], sides, whole_call)
            return group if _can_go_alone(journal, group, sides) else []
        if not _is_command(entry):
            later.append(entry)
    return []


def _entered_by(entry: Entry) -> Side | None:
    """Return the side that entered an entry; None if it is not known, or the umpire did."""
    return Side.from_name(entry.seat or entry.payload.get("by"))


def _is_of_others(entry: Entry, sides: Sides) -> bool:
    """Whether an entry is the opponent's or the umpire's."""
    return (entry.seat or _entered_by(entry)) is not None and _entered_by(entry) not in sides


def _is_command(entry: Entry) -> bool:
    return entry.can_be_undone_alone and entry.kind != "answer"


def _can_go_alone(journal: Journal, group: list[int], sides: Sides) -> bool:
    """Whether entries can be undone although later ones remain, without undoing any of the
    opponent's entries."""
    going = journal.with_dependents(group)
    entries = (journal.entries[seq - 1] for seq in going)
    seen = (entry for entry in entries if entry.can_be_undone_alone and not _unknown(entry, sides))
    return can_undo_below_later_entries(journal, going) and not any(
        _is_of_others(entry, sides) for entry in seen
    )


def _was_restored(journal: Journal, group: list[int], before: int) -> bool:
    """Whether entries had been restored by a redo before they were undone, so that nothing has been
    played since."""
    for seq in range(before - 1, group[-1], -1):
        entry = journal.entries[seq - 1]
        if entry.kind in TIME_TRAVEL and entry.asked["entries"] == group:
            return entry.kind == "redo"
    return False


def _unknown(entry: Entry, sides: Sides) -> bool:
    return any(is_unknown_to(entry, side) for side in sides)


def is_passed_over(entry: Entry, sides: Sides) -> bool:
    """Whether an entry is a command that these sides do not know of, which remains."""
    return _is_command(entry) and _unknown(entry, sides)


def _is_known(journal: Journal, group: list[int], sides: Sides) -> bool:
    alone = [e for e in (journal.entries[seq - 1] for seq in group) if e.can_be_undone_alone]
    return not alone or not all(_unknown(entry, sides) for entry in alone)


def _bare(above: list[Entry], call: int, sides: Sides) -> list[int]:
    """Return the entries from the first one of an invocation that only began paragraphs; `above`
    are the entries after the newest known answer or command, newest first, and `call` is the
    invocation that made that one."""
    others = {call, *(entry.invocation for entry in above if entry.can_be_undone_alone)}
    first = min((entry.seq for entry in above if entry.invocation not in others), default=None)
    if first is None:
        return []
    return [e.seq for e in reversed(above) if e.seq >= first and not is_passed_over(e, sides)]


def _unit(
    journal: Journal, newest: Entry, later: list[Entry], sides: Sides, whole_call: bool
) -> list[int]:
    """Return the entries that are undone together with the newest known one. `later` are the
    entries after it, oldest first."""
    before = _of_its_call(journal, newest, sides) if whole_call else []
    unit = [*before, newest]
    plays = any(entry.kind in (*HEADINGS, "answer") for entry in unit)
    follows = [
        entry
        for entry in later
        if not is_passed_over(entry, sides)
        and (plays or (entry.invocation == newest.invocation and not entry.can_be_undone_alone))
    ]
    return [entry.seq for entry in (*unit, *follows)]


def _of_its_call(journal: Journal, newest: Entry, sides: Sides) -> list[Entry]:
    """Return the entries of an invocation, not undone, that come before its newest known one. They
    begin with the first one that these sides know of, oldest first."""
    seqs = range(max(newest.invocation, 2), newest.seq)
    same = [journal.entries[seq - 1] for seq in seqs if seq in journal.standing]
    same = [entry for entry in same if entry.invocation == newest.invocation]
    while same and same[0].can_be_undone_alone and _unknown(same[0], sides):
        del same[0]
    return [entry for entry in same if not is_passed_over(entry, sides)]
