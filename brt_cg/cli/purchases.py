"""What the commands about purchases do: buy, void, draft, allot, and the list of them."""

import argparse

from brt_cg.asks import Refused
from brt_cg.cli.talk import DONE, carry_out, log, opened, show, side_of


def buy(options: argparse.Namespace) -> int:
    arc = [] if options.arc is None else options.arc.split(",")
    asked = {
        "item": options.item,
        "side": options.side,
        "beach": options.beach,
        "quantity": options.qty,
        "location": options.location,
        "exit": options.exit,
        "arc": arc,
        "capacity": options.capacity,
        "draft": options.draft,
    }
    return carry_out(options, "buy", asked, by=options.side)


def void(options: argparse.Namespace) -> int:
    asked = {"purchase": options.purchase, "reason": options.reason}
    return carry_out(options, "void", asked)


def purchases(options: argparse.Namespace) -> int:
    from brt_cg.exports.purchases import purchases_text

    desk = opened(options)
    show(purchases_text(desk.book, side_of(options)))
    return DONE


def draft(options: argparse.Namespace) -> int:
    desk = opened(options)
    whose = options.side
    if whose is None:
        sides = sorted({one.side for one in desk.campaign.purchases.values() if one.draft})
        if len(sides) > 1:
            raise Refused("both sides have a draft: say which with --side")
        whose = sides[0] if sides else "japanese"
    before = len(desk.book.entries)
    desk.command(options.what, {"side": str(whose)}, by=str(whose))
    log(desk, before)
    return DONE


def allot(options: argparse.Namespace) -> int:
    names = ("side", "beach", "date", "gpp", "capp", "fpp")
    given = {name: getattr(options, name) for name in names}
    asked = {name: value for name, value in given.items() if value is not None}
    return carry_out(options, "allot", asked, by=options.side)
