"""The `status` command, which prints the current state of a campaign."""

import argparse

from brt_cg.cli import last_question
from brt_cg.cli.console import (
    DONE,
    MISSING,
    open_without_seen_check,
    print_error,
    print_json,
    print_output,
)
from brt_cg.exports.status import status_document, status_text
from brt_cg.service import last_seen
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.text import shell_quote


def status(options: argparse.Namespace) -> int:
    desk = open_without_seen_check(options)
    _compare(desk, options)
    book = desk.view()
    if options.json:
        print_json(status_document(book))
    else:
        print_output(status_text(book, shell_quote(options.file)))
    last_question.remember_question(options, desk)
    is_asked = book.side is not None and book.side_to_answer is book.side
    return MISSING if is_asked else DONE


def _compare(desk: OpenCampaign, options: argparse.Namespace) -> None:
    """Report a campaign that is not a continuation of the one that the seat last saw, unless the
    player accepts it anyway."""
    if options.accept:
        last_seen.accept_as_seen(desk)
    parted = last_seen.find_divergence_or_remember(desk)
    if parted is not None:
        print_error(parted.text(shell_quote(options.file)))
