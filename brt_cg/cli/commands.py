"""The commands that answer, note or undo something. Each calls the open campaign and prints the
result."""

import argparse
from collections.abc import Callable
from functools import partial

from brt_cg.cli import last_question
from brt_cg.cli.console import (
    DONE,
    open_for_command,
    print_error,
    print_log_since,
    print_new_log,
    print_notices,
    print_output,
    run_command,
)
from brt_cg.journal.entries import Entry
from brt_cg.model import Phase
from brt_cg.questions import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.undo_redo import undo_text
from brt_cg.text import shell_quote
from brt_cg.views.rights import private_turn_error


def note(options: argparse.Namespace) -> int:
    asked = {"words": options.words, "side": options.side, "about": options.about}
    if options.date is not None:
        asked["date"] = options.date.strip().upper()
    return run_command(options, "note", asked)


def answer(options: argparse.Namespace) -> int:
    shown = last_question.last_shown_question(options)
    desk = open_for_command(options)
    if not options.value.strip():
        raise RefusedError("the answer is empty; to choose nothing, answer none")
    book = desk.view()
    in_play = book.waiting or book.campaign.situation.phase in (Phase.REFIT, Phase.SETUP)
    if book.ask is None and not in_play:
        raise RefusedError("there is no open question; see `brt-cg status`")
    with print_new_log(desk):
        desk.answer_typed(
            options.value, partial(last_question.check_same_question, options, shown, desk)
        )
    print_notices(desk)
    _say_next(options, desk)
    return DONE


def _say_next(options: argparse.Namespace, desk: OpenCampaign) -> None:
    """Print the open question, if any."""
    book = desk.view()
    if (ask := book.ask) is not None:
        print_error(f"next: {ask.rule} {ask.subject}: {ask.prompt}; enter {ask.allowed_text}")
    elif book.mismatch is not None:
        file = shell_quote(options.file)
        print_error("\n".join(book.mismatch.sentences))
        print_error("\n".join(book.mismatch.ways_out(f"brt-cg undo {file}", f"brt-cg redo {file}")))
    elif book.waiting:
        print_error(str(private_turn_error()))
    last_question.remember_question(options, desk)


def undo(options: argparse.Namespace) -> int:
    return _travel(options, lambda desk: desk.undo_or_request(options.whole))


def redo(options: argparse.Namespace) -> int:
    return _travel(options, OpenCampaign.redo)


def _travel(options: argparse.Namespace, travel: Callable[[OpenCampaign], Entry]) -> int:
    """Undo or redo, and report it even if the seat's log has no line about it, as when a paragraph
    has just begun, or while the opponent makes a secret decision."""
    desk = open_for_command(options)
    before = desk.view().mark
    entry = travel(desk)
    if desk.view().lines_since(before):
        print_log_since(desk, before)
    else:
        print_output(undo_text(desk, entry))
    _say_next(options, desk)
    return DONE
