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
    side_of,
)
from brt_cg.exports.status import status_document, status_text
from brt_cg.service import last_seen
from brt_cg.service.desk import Desk
from brt_cg.text import in_shell
from brt_cg.views.public_point import known_ask


def status(options: argparse.Namespace) -> int:
    desk = opened(options)
    side = side_of(options)
    _compare(desk, options)
    if options.json:
        show_json(desk.tell(status_document, side))
    else:
        show(desk.tell(status_text, side, in_shell(options.file)))
    last_question.note(options, desk)
    ask = desk.tell(known_ask, side)
    return MISSING if side is not None and ask is not None and ask.side is side else DONE


def _compare(desk: Desk, options: argparse.Namespace) -> None:
    """Says so if the campaign does not continue what the seat last saw of it, unless the player
    takes it as it is."""
    side = side_of(options)
    if options.accept:
        last_seen.accept(desk, side)
    parted = last_seen.look(desk, side)
    if parted is not None:
        say(parted.text(in_shell(options.file)))
