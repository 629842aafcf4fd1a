"""The commands that mail a campaign: `send` and `receive`."""

import argparse

from brt_cg.cli.console import DONE, open_for_command, print_error, print_output
from brt_cg.exports.wording import side_and_turn_text
from brt_cg.forecast.upcoming_questions import could_begin_answering_early, still_unanswered_text
from brt_cg.model import Seat
from brt_cg.service import last_seen, mail
from brt_cg.service.mail import ForkChoice
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.text import count_text, shell_quote


def send(options: argparse.Namespace) -> int:
    desk = open_for_command(options)
    seat = Seat.from_name(options.side)
    sent = mail.write_mail_file(desk, options.out, seat, options.whole, options.force)
    print_output(sent.letter)
    if sent.entries:
        what = "the news" if seat and seat.side else count_text(sent.entries, "entry")
        print_error(f"written: {options.out}, with {what}; send the text above with it")
    else:
        print_error(f"written: {options.out}, with nothing new since the last mail you received")
    whose, words = side_and_turn_text(desk.shared_view())
    if whose is not None:
        print_error(f"next, {whose.label}: {words}")
    if seat is None or seat.side is None:
        print_error("without --side, the text above contains only what both players may know")
    elif left := still_unanswered_text(desk, seat.side):
        print_error(left)
    elif could_begin_answering_early(desk, seat.side):
        command = f"brt-cg ahead {shell_quote(options.file)} --side {seat} --defaults"
        print_error(f"it takes fewer mails if you answer early: {command}; then send again")
    return DONE


def receive(options: argparse.Namespace) -> int:
    seat = Seat.from_name(options.side)
    take = ForkChoice(options.take) if options.take else None
    got = mail.receive_mail(
        options.file, options.mail, seat, take, not options.no_backup, options.from_umpire
    )
    print_output(f"{options.file}: {got.result_text}")
    for notice in got.notices:
        print_error(notice)
    if got.backup_text:
        print_error(got.backup_text)
    _compare(options, seat)
    return DONE


def _compare(options: argparse.Namespace, seat: Seat | None) -> None:
    """Remember the campaign as seen, or report its missing entries; say how to show the next
    step."""
    side = None if seat is None else seat.side
    parted = last_seen.find_divergence_or_remember(OpenCampaign.open_read_only(options.file, seat))
    if parted is not None:
        print_error(parted.text(shell_quote(options.file)))
    option = f" --side {side}" if side else ""
    print_error(f"next step: brt-cg status {shell_quote(options.file)}{option}")
