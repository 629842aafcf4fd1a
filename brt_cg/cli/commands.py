"""The commands that answer, note or take back something: each calls the desk and prints the
result."""

import argparse
from collections.abc import Callable
from functools import partial

from brt_cg.cli import last_question
from brt_cg.cli.talk import (
    DONE,
    carry_out,
    log,
    logged,
    opened,
    say,
    say_notices,
    show,
)
from brt_cg.journal.entries import Entry
from brt_cg.model.records import Phase
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.service.time_travel import travel_text
from brt_cg.text import in_shell
from brt_cg.views.rights import in_private


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
    book = desk.book()
    if (ask := book.ask) is not None:
        say(f"next: {ask.rule} {ask.subject}: {ask.prompt}; allowed: {ask.allowed_text}")
    elif book.mismatch is not None:
        file = in_shell(options.file)
        say("\n".join(book.mismatch.sentences))
        say("\n".join(book.mismatch.ways(f"brt-cg undo {file}", f"brt-cg redo {file}")))
    elif book.waiting:
        say(str(in_private()))
    last_question.note(options, desk)


def undo(options: argparse.Namespace) -> int:
    return _travel(options, lambda desk: desk.undo(options.whole))


def redo(options: argparse.Namespace) -> int:
    return _travel(options, Desk.redo)


def _travel(options: argparse.Namespace, travel: Callable[[Desk], Entry]) -> int:
    """Undoes or redoes, and says what, also where the log that the seat may read has no line of it:
    of a paragraph that has just begun, or while the other side decides in private."""
    desk = opened(options)
    before = desk.book().mark
    entry = travel(desk)
    if desk.book().lines_since(before):
        log(desk, before)
    else:
        show(travel_text(desk, entry))
    _say_next(options, desk)
    return DONE
