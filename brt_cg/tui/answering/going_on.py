"""Plays the Refit Phase from the screen, forwards and back: work for the desk's thread."""

from collections.abc import Iterator
from typing import Any

from brt_cg.exports.time_travel import (
    check_reach,
    much_text,
    redo_reach,
    travel_text,
    undo_reach,
)
from brt_cg.journal.entries import Entry
from brt_cg.questions.answers import Raw
from brt_cg.questions.asks import Ask, Roll
from brt_cg.questions.dice import DiceSource
from brt_cg.questions.sources import HAND, Source
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Supply
from brt_cg.tui.dialogs.choice import is_sure
from brt_cg.tui.question.picking import AskGroup
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seat


def answer(desk: Desk, ask: Ask[Any], raw: Raw, source: Source = HAND) -> None:
    """Answers a question, or each of one kind, if it is still open, and plays on to the next."""
    if isinstance(ask, AskGroup):
        asks = [*ask.asks.values()]
        if desk.ask is asks[0]:
            desk.answer_alike(asks, raw)
    elif desk.ask is ask:
        desk.begin_call()
        desk.answer_on(ask, raw, source)


def roll(desk: Desk, ask: Roll, dice: DiceSource) -> None:
    """Rolls for a question, if it is still open, and plays on to the next one."""
    if desk.ask is ask:
        raw, source = desk.supply(ask, Supply(dice=dice))
        answer(desk, ask, raw, source)


def to_decision(desk: Desk, dice: DiceSource) -> Iterator[Entry]:
    """Rolls dice up to the next real decision."""
    return _play_until(desk, dice, lambda ask: ask.is_decision)


def to_end_of_paragraph(desk: Desk, dice: DiceSource, seat: Seat) -> Iterator[Entry]:
    """Rolls dice and takes the defaults to the end of the current paragraph, or up to a decision of
    the seat's enemy."""
    number = desk.campaign.situation.paragraph

    def stops(ask: Ask[Any]) -> bool:
        ended = desk.campaign.situation.paragraph != number
        return ended or _is_of_the_enemy(ask, seat)

    return _play_until(desk, dice, stops)


def to_end(desk: Desk, dice: DiceSource, seat: Seat) -> Iterator[Entry]:
    """Plays to the end of the phase with defaults, or up to a decision of the seat's enemy."""
    return _play_until(desk, dice, lambda ask: _is_of_the_enemy(ask, seat))


def _is_of_the_enemy(ask: Ask[Any], seat: Seat) -> bool:
    return ask.is_decision and seat not in (None, ask.side)


def _play_until(desk: Desk, dice: DiceSource, stops: Any) -> Iterator[Entry]:
    supply = Supply(dice=dice, defaults=True)
    ask = desk.begin()
    while ask is not None and not stops(ask):
        raw, source = desk.supply(ask, supply)
        answered = len(desk.entries)
        ask = desk.answer_on(ask, raw, source)
        yield desk.entries[answered]


# --- and back -------------------------------------------------------------------------------------


async def undo(app: CampaignApp, whole_call: bool = False) -> None:
    """Undoes the newest entry, or the whole last command, if the seat may; asks first if that is
    more than one answer. Must run in a worker."""
    seat = app.session.seat

    def asks_first(desk: Desk) -> str:
        check_reach(desk.tell_whole(undo_reach, seat, whole_call), "undo")
        return desk.tell_whole(much_text, seat, whole_call)

    def travel(desk: Desk) -> str:
        check_reach(desk.tell_whole(undo_reach, seat, whole_call), "undo")
        return desk.tell_whole(travel_text, seat, desk.undo(whole_call))

    try:
        much = await app.session.consult(asks_first)
    except Exception as error:
        app.tell(error)
        return
    words = f"{much}\n\nRedo restores it, until something new is entered."
    if much and not await is_sure(app, "Undo this?", words, "y", "undo it"):
        return
    if app.session.seat is seat:
        app.perform(travel, app.say)


def redo(desk: Desk, seat: Seat) -> str:
    """Restores what was undone last, and returns a sentence about it. Raises Refused if there is
    nothing to restore, or nothing that the seat may know of."""
    check_reach(desk.tell_whole(redo_reach, seat), "redo")
    return desk.tell_whole(travel_text, seat, desk.redo())
