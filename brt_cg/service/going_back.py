"""Undo and redo at a desk: what a seat takes back, asks for, or is refused.

All of it follows from what the seat may know, so that it is the same with and without the enemy's
secrets.
"""

from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.journal.taking_back import planned, restore
from brt_cg.questions.answers import Refused
from brt_cg.service import mailed
from brt_cg.service.time_travel import Reach, check_reach
from brt_cg.service.whole import AtDesk
from brt_cg.views.journal import has_met
from brt_cg.views.requests import ask_for
from brt_cg.views.rights import Right, right_to_take_back
from brt_cg.views.taking_back import Sides, next_to_redo, next_to_undo, seats


def undo(desk: AtDesk, journal: Journal, whole_call: bool, sides: Sides | None = None) -> Entry:
    """Undoes what the seat of a desk would take back next, or asks the other side for it; where
    two sit together, what these `sides` know of. Raises Refused."""
    side = desk.side
    if side is None and sides is None:
        return desk.travelled(journal.undo(whole_call))
    group = next_to_undo(journal, seats(side) if sides is None else sides, whole_call)
    right = _right(desk, journal, group)
    if right is Right.AGREED and side is not None:
        return ask_for(journal, "undo", {"whole": whole_call}, side)
    if right is Right.NONE:
        check_reach(Reach.NOT_YOURS, "undo")
    return desk.travelled(journal.take_back(planned(journal, group)))


def redo(desk: AtDesk, journal: Journal, sides: Sides | None = None) -> Entry:
    """Restores what the seat of a desk, or these sides, undid last. Raises Refused."""
    side = desk.side
    if side is None and sides is None:
        return desk.travelled(journal.redo())
    group = next_to_redo(journal, seats(side) if sides is None else sides)
    if _right(desk, journal, group) is not Right.OWN:
        check_reach(Reach.NOT_YOURS, "redo")
    try:
        return desk.travelled(restore(journal, group))
    except Refused:
        check_reach(Reach.NOT_YOURS, "redo")
        raise


def _right(desk: AtDesk, journal: Journal, group: list[int]) -> Right:
    if not group:
        return Right.NONE
    return right_to_take_back(journal, desk.seat, group, shared_up_to(desk, journal))


def shared_up_to(desk: AtDesk, journal: Journal) -> int:
    """The number of entries that both players have, or have before them: all, where both use the
    campaign, or the side of the desk knows that the other one entered anything; of a campaign that
    is mailed those that were mailed."""
    side, length = desk.side, len(journal.entries)
    if side is None or desk.both_play:
        return length
    mailed_so_far = mailed.given(desk.begun)
    if mailed_so_far is not None:
        return min(mailed_so_far, length)
    return length if has_met(journal, side) else 0
