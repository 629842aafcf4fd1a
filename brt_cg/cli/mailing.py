"""The commands that mail a campaign: `send` and `receive`."""

import argparse

from brt_cg.cli.talk import DONE, opened, say, show
from brt_cg.exports.wording import turn_of
from brt_cg.forecast.coming_questions import left_open
from brt_cg.model.seat import Seat
from brt_cg.service import last_seen, mail
from brt_cg.service.desk import Desk
from brt_cg.service.mail import Take
from brt_cg.text import counted, in_shell


def send(options: argparse.Namespace) -> int:
    desk = opened(options)
    seat = Seat.called(options.side)
    sent = mail.send(desk, options.out, seat, options.whole, options.force)
    show(sent.letter)
    if sent.entries:
        what = "the news" if seat and seat.side else counted(sent.entries, "entry")
        say(f"written: {options.out}, with {what}; send the text with it")
    else:
        say(f"written: {options.out}, with nothing new since the last mail received")
    whose, words = turn_of(desk.shared())
    if whose is not None:
        say(f"next: the {whose.label} side: {words}")
    if seat is None or seat.side is None:
        say("without --side the text tells only what both sides may know")
    elif left := left_open(desk, seat.side):
        say(left)
    return DONE


def receive(options: argparse.Namespace) -> int:
    seat = Seat.called(options.side)
    take = Take(options.take) if options.take else None
    got = mail.receive(
        options.file, options.mail, seat, take, not options.no_backup, options.from_umpire
    )
    show(f"{options.file}: {got.words}")
    for notice in got.notices:
        say(notice)
    if got.kept is not None:
        say(got.kept_words)
    _compare(options, seat)
    return DONE


def _compare(options: argparse.Namespace, seat: Seat | None) -> None:
    """Remembers the campaign as seen, or says what of it is gone; tells what comes next."""
    side = None if seat is None else seat.side
    parted = last_seen.look(Desk.look_at(options.file, seat))
    if parted is not None:
        say(parted.text(in_shell(options.file)))
    option = f" --side {side}" if side else ""
    say(f"what comes next: brt-cg status {in_shell(options.file)}{option}")
