"""The commands that answer, note or take back something: each calls the desk and prints the
result."""

import argparse
from functools import partial

from brt_cg.cli import last_question
from brt_cg.cli.talk import (
    DONE,
    carry_out,
    logged,
    opened,
    say,
    say_notices,
    show,
)
from brt_cg.exports.time_travel import travel_text
from brt_cg.journal.entries import Entry
from brt_cg.model.records import Phase
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk


def note(options: argparse.Namespace) -> int:
    asked = {"words": options.words, "side": options.side, "about": options.about}
    return carry_out(options, "note", asked)


def answer(options: argparse.Namespace) -> int:
    shown = last_question.shown_before(options)
    desk = opened(options)
    if not options.value.strip():
        raise Refused("the answer is empty; if there is nothing, answer none")
    book = desk.book()
    in_play = book.waiting or book.campaign.situation.phase in (Phase.REFIT, Phase.SETUP)
    if book.ask is None and not in_play:
        raise Refused("there is no open question: see brt-cg status")
    with logged(desk):
        desk.answer_typed(options.value, partial(last_question.check, options, shown, desk))
    say_notices(desk)
    _say_next(options, desk)
    return DONE


def _say_next(options: argparse.Namespace, desk: Desk) -> None:
    """Says what is asked now, if anything is."""
    ask = desk.book().ask
    if ask is not None:
        say(f"next: {ask.rule} {ask.subject}: {ask.prompt}; allowed: {ask.allowed_text}")
    last_question.note(options, desk)


def undo(options: argparse.Namespace) -> int:
    desk = opened(options)
    with logged(desk):
        _say_if_silent(desk, desk.undo(options.whole))
    _say_next(options, desk)
    return DONE


def redo(options: argparse.Namespace) -> int:
    desk = opened(options)
    with logged(desk):
        _say_if_silent(desk, desk.redo())
    _say_next(options, desk)
    return DONE


def _say_if_silent(desk: Desk, entry: Entry) -> None:
    """Names what was undone or redone if its log has no line, as a paragraph that has just begun
    has none."""
    if not entry.said:
        show(desk.tell_whole(travel_text, desk.side, entry))
