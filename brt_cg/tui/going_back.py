"""Undo and redo from a seat of the screen: work for the desk's thread."""

from brt_cg.desk import Desk
from brt_cg.exports.time_travel import (
    check_reach,
    lost_told,
    much_told,
    redo_reach,
    travel_told,
    undo_reach,
)
from brt_cg.tui.session import Seat


def undo(desk: Desk, seat: Seat, whole_call: bool = False) -> str:
    """Takes back what is newest, or the whole last invocation, and tells it. Raises Refused where
    there is nothing, or something that the seat may not know."""
    check_reach(desk.tell_whole(undo_reach, seat, whole_call), "take back")
    return desk.tell_whole(travel_told, desk.undo(whole_call), seat)


def asks_first(desk: Desk, seat: Seat, whole_call: bool = False) -> str:
    """What would be taken back, if so much that it is asked about first; "" else. Raises Refused as
    `undo` does."""
    check_reach(desk.tell_whole(undo_reach, seat, whole_call), "take back")
    return desk.tell_whole(much_told, seat, whole_call)


def redo(desk: Desk, seat: Seat) -> str:
    """Does again what was taken back last, and tells it. Raises Refused as `undo` does."""
    check_reach(desk.tell_whole(redo_reach, seat), "do again")
    return desk.tell_whole(travel_told, desk.redo(), seat)


def after(desk: Desk, entry: int) -> str:
    """What going back to an entry would take back, a line for each paragraph or command; "" where
    there is nothing. For the umpire."""
    return "\n".join(desk.tell(lost_told, entry))


def go_back(desk: Desk, entry: int) -> str:
    """Takes back all that came after an entry, and tells it. For the umpire. Raises Refused where
    there is nothing."""
    return desk.tell(travel_told, desk.go_back(entry), None)
