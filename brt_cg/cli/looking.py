"""The command status: where a campaign stands."""

import argparse

from brt_cg.cli import last_question
from brt_cg.cli.talk import (
    DONE,
    MISSING,
    opened,
    say,
    show,
    show_json,
)
from brt_cg.exports.status import status_document, status_text
from brt_cg.service import last_seen
from brt_cg.service.desk import Desk
from brt_cg.text import in_shell


def status(options: argparse.Namespace) -> int:
    desk = opened(options)
    _compare(desk, options)
    book = desk.book()
    if options.json:
        show_json(status_document(book))
    else:
        show(status_text(book, in_shell(options.file)))
    last_question.note(options, desk)
    is_asked = book.side is not None and book.ask is not None and book.ask.side is book.side
    return MISSING if is_asked else DONE


def _compare(desk: Desk, options: argparse.Namespace) -> None:
    """Says so if the campaign does not continue what the seat last saw of it, unless the player
    takes it as it is."""
    if options.accept:
        last_seen.accept(desk)
    parted = last_seen.look(desk)
    if parted is not None:
        say(parted.text(in_shell(options.file)))
