"""Plays the Refit Phase from the screen, forwards and back: work for the desk's thread."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from brt_cg.model.counters import Side
from brt_cg.model.value import value
from brt_cg.questions.answers import Raw
from brt_cg.questions.asks import Ask
from brt_cg.questions.dice import DiceSource
from brt_cg.service import as_shown
from brt_cg.service.as_shown import Group, NotAsShown, Reversal, to_undo
from brt_cg.service.desk import Desk
from brt_cg.service.time_travel import (
    check_reach,
    is_one_list,
    much_text,
    redo_reach,
    travel_text,
    undo_reach,
)
from brt_cg.tui.dialogs.choice import is_sure
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seat, Seen
from brt_cg.views.question_name import QuestionName
from brt_cg.views.rights import is_for_both
from brt_cg.views.taking_back import Sides

CHANGED = "It has changed since you were asked:\n\n"
Playing = Callable[[Desk, DiceSource, Seat, bool], Iterator[None]]  # `at_table` last


def answer(desk: Desk, ask: Ask[Any], shown: QuestionName | None, raw: Raw) -> None:
    """Answers the question that was `shown`, or each of its list, and plays on to the next. Raises
    NotAsShown and Refused."""
    if ask.first is not ask:
        as_shown.answer_list(desk, shown, ask.asks, raw)
    else:
        as_shown.answer(desk, shown, raw)


def from_there(desk: Desk, seen: Seen) -> None:
    """Raises NotAsShown unless the campaign stands where it was seen: at the same question, or
    before the same paragraph."""
    if seen.ask is not None:
        _ = as_shown.asked(desk, seen.asked)
        return
    book, upcoming = desk.book(), seen.upcoming
    if book.ask is not None or book.next != (upcoming.number if upcoming else None):
        raise NotAsShown(as_shown.CLOSED)


def begin(desk: Desk, seen: Seen) -> None:
    """Begins the paragraph that was shown to be next; without a report of the scenario's end only
    if both players agree. Raises NotAsShown and Refused."""
    from_there(desk, seen)
    missing = desk.book().half
    if missing is not None:
        with desk.for_both() if desk.at_table else nullcontext():
            desk.command("waive", {"side": missing.value})
        if desk.book().half is not None:
            return  # the other side is asked for its consent
    desk.begin()


def to_decision(desk: Desk, dice: DiceSource, seen: Seen) -> Iterator[None]:
    """Rolls dice from where the campaign was seen up to the next real decision; at the table also
    up to a secret die."""
    from_there(desk, seen)
    at_table = seen.at_table
    return desk.run(dice, lambda ask: ask.is_decision or (at_table and not is_for_both(ask)))


def to_end_of_paragraph(
    desk: Desk, dice: DiceSource, seat: Seat, at_table: bool = False
) -> Iterator[None]:
    """Rolls dice and takes the defaults to the end of the current paragraph, or up to a decision of
    the seat's enemy; where two players look at the table, up to what only one of them may see."""
    return desk.run(dice, lambda ask: _is_of_another(ask, seat, at_table), within=True)


def to_end(desk: Desk, dice: DiceSource, seat: Seat, at_table: bool = False) -> Iterator[None]:
    """Plays to the end of the phase in the same way."""
    return desk.run(dice, lambda ask: _is_of_another(ask, seat, at_table))


def to_purchases(
    desk: Desk, dice: DiceSource, seat: Seat, at_table: bool = False
) -> Iterator[None]:
    """Plays to the purchases in the same way (15.614)."""
    return desk.run(dice, lambda ask: ask.buying or _is_of_another(ask, seat, at_table))


def _is_of_another(ask: Ask[Any], seat: Seat, at_table: bool) -> bool:
    if at_table:
        return not is_for_both(ask)
    return ask.is_decision and seat not in (None, ask.side)


# --- and back -------------------------------------------------------------------------------------


async def undo(app: CampaignApp, whole_call: bool = False) -> None:
    """Undoes the newest entry, or the whole last command, if the seat may; asks first if that is
    more than one answer, and again if it has changed meanwhile. Must run in a worker."""
    who, seen = who_looks(app), app.session.now

    def look(desk: Desk, again: bool = True) -> tuple[Reversal, str]:
        """What would be undone, and in words if that is much, or is asked about `again`."""
        whole = whole_call or is_one_list(desk, who.sides)
        check_reach(undo_reach(desk, whole, who.sides), "undo")
        shown = Reversal(to_undo(desk, whole, who.sides), whole)
        return shown, much_text(desk, whole, who.sides, always=again)

    def first_look(desk: Desk) -> tuple[Reversal, str]:
        if to_undo(desk) != seen.undoes:
            raise NotAsShown(as_shown.OTHERS.format("undone"))
        return look(desk, again=False)

    try:
        shown, much = await app.session.consult(first_look)
        before, changed = None, ""
        while much and shown != before:
            words = f"{changed}{much}\n\nRedo restores it, until something new is entered."
            if not await is_sure(app, "Undo this?", words, "undo it") or who_looks(app) != who:
                return
            before, changed = shown, CHANGED
            shown, much = await app.session.consult(look)
    except Exception as error:
        app.tell(error)
        return

    def travel(desk: Desk) -> str:
        with who.both_agree(desk):
            entry = as_shown.undo(desk, shown, who.sides)
        # What the other side is asked for is told by a notice of the desk.
        return "" if entry.kind == "ask" else travel_text(desk, entry)

    if who_looks(app) == who:
        app.perform(travel, app.say)


def redo(desk: Desk, who: "WhoLooks", shown: Group) -> str:
    """Restores what was undone last, and returns a sentence about it. Raises Refused if there is
    nothing to restore, or nothing that those who look may know of."""
    check_reach(redo_reach(desk, who.sides), "redo")
    with who.both_agree(desk):
        entry = as_shown.redo(desk, shown, who.sides)
    return travel_text(desk, entry)


@value
class WhoLooks:
    """Who takes something back: a seat, or the two who share the screen (`shared`), at the table or
    behind the curtain of one; they agree in person, so the campaign asks neither."""

    seat: Seat
    shared: bool = False
    at_table: bool = False

    @property
    def sides(self) -> Sides | None:
        """Those who must know of what is taken back, of two who sit together."""
        if not self.shared or self.seat is None:
            return None
        return tuple(Side) if self.at_table else (self.seat,)

    def both_agree(self, desk: Desk) -> AbstractContextManager[None]:
        """Lets the work be entered for both where they sit together."""
        return desk.for_both() if self.shared else nullcontext()


def who_looks(app: CampaignApp) -> WhoLooks:
    """Who takes something back now."""
    session = app.session
    at_table = session.seen is not None and session.seen.at_table
    return WhoLooks(session.seat, session.hot is not None, at_table)
