"""Plays the Refit Phase from the screen, forwards and back: work for the desk's thread."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from brt_cg.model.counters import Side
from brt_cg.model.value import value
from brt_cg.questions.answers import HAND, Raw, Source
from brt_cg.questions.asks import Ask
from brt_cg.questions.dice import DiceSource
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Supply
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
from brt_cg.tui.session.session import Seat
from brt_cg.views.rights import is_for_both
from brt_cg.views.taking_back import Sides

Playing = Callable[[Desk, DiceSource, Seat, bool], Iterator[None]]  # `at_table` last


def answer(desk: Desk, ask: Ask[Any], raw: Raw, source: Source = HAND) -> None:
    """Answers a question, or each of one kind, if it is still open, and plays on to the next."""
    if desk.book().ask is not ask.first:
        return
    if ask.first is not ask:
        desk.answer_alike([*ask.asks.values()], raw)
    else:
        desk.begin_call()
        desk.answer_on(ask, raw, source)


def roll(desk: Desk, ask: Ask[Any], dice: DiceSource) -> None:
    """Rolls for a question, if it is still open, and plays on to the next one."""
    if desk.book().ask is ask:
        raw, source = desk.supply(ask, Supply(dice=dice))
        answer(desk, ask, raw, source)


def to_decision(desk: Desk, dice: DiceSource, at_table: bool = False) -> Iterator[None]:
    """Rolls dice up to the next real decision; at the table also up to a secret die."""
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
    more than one answer. Must run in a worker."""
    who = who_looks(app)

    def whole(desk: Desk) -> bool:
        """Whether the whole last command is undone: if that is asked for, and for a list."""
        return whole_call or is_one_list(desk, who.sides)

    def check(desk: Desk) -> None:
        reach = undo_reach(desk, whole(desk), who.sides)
        check_reach(reach, "undo")

    def asks_first(desk: Desk) -> str:
        check(desk)
        return much_text(desk, whole_call, who.sides)

    def travel(desk: Desk) -> str:
        check(desk)
        all_of_it = whole(desk)
        with who.both_agree(desk):
            entry = desk.undo(all_of_it, who.sides)
        # What the other side is asked for is told by a notice of the desk.
        return "" if entry.kind == "ask" else travel_text(desk, entry)

    try:
        much = await app.session.consult(asks_first)
    except Exception as error:
        app.tell(error)
        return
    words = f"{much}\n\nRedo restores it, until something new is entered."
    if much and not await is_sure(app, "Undo this?", words, "undo it"):
        return
    if who_looks(app) == who:
        app.perform(travel, app.say)


def redo(desk: Desk, who: "WhoLooks") -> str:
    """Restores what was undone last, and returns a sentence about it. Raises Refused if there is
    nothing to restore, or nothing that those who look may know of."""
    check_reach(redo_reach(desk, who.sides), "redo")
    with who.both_agree(desk):
        entry = desk.redo(who.sides)
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
