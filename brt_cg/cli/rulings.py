"""The commands for what players agree on: `rulings` shows and changes the rulings of a campaign,
`agree`, `decline` and `withdraw` answer what one side asks of the other."""

import argparse
from collections.abc import Callable

from brt_cg.card import Card
from brt_cg.cli.talk import (
    DONE,
    logged,
    opened,
    say,
    show,
)
from brt_cg.commands.rulings import read_ruling, ruling_of
from brt_cg.journal.entries import Entry
from brt_cg.model.records import Phase
from brt_cg.questions.answers import Refused, refuse
from brt_cg.refit.play_out import ruling_page, rulings_ahead
from brt_cg.service import agreements
from brt_cg.service.desk import Desk
from brt_cg.text import assigned


def rulings(options: argparse.Namespace) -> int:
    desk = opened(options)
    book = desk.book()
    if options.sets:
        agreed = _agreed(options.sets, book.card)
        with logged(desk):
            desk.commands("ruling", agreed)
        return DONE
    if options.ahead or options.defaults:
        return _rulings_ahead(desk, options)
    for ruling in (ruling_of(book.card, id.upper()) for id in options.ids):
        for line in ruling_page(ruling):
            show(line)
        show(f"    now: {book.campaign.ruling(ruling.id)}")
    if options.ids:
        return DONE
    every = book.card.rulings.values()
    for ruling in (each for each in every if each.is_choice):
        value = book.campaign.ruling(ruling.id)
        mark = "" if value == ruling.default else f" (default {ruling.worded(ruling.default)})"
        if ruling.is_asked and not book.campaign.is_agreed(ruling.id):
            mark = " (asked the first time it matters)"
        show(f"{ruling.id} · {ruling.rule} · {ruling.question}: {ruling.worded(value)}{mark}")
        show(f"    allowed: {ruling.allowed} · {ruling.provenance} · {ruling.sure}")
    show("\nRead so, with nothing to choose:")
    for ruling in (each for each in every if not each.is_choice):
        changed = book.campaign.ruling(ruling.id)
        words = ruling.read_so if changed == ruling.default else f"{ruling.question} {changed}"
        show(f"{ruling.rule} · {words} ({ruling.id}; {ruling.provenance})")
    return DONE


def _rulings_ahead(desk: Desk, options: argparse.Namespace) -> int:
    """Shows the rulings that what is on the table will raise, or agrees on all their defaults."""
    book = desk.book()
    if book.campaign.situation.phase is Phase.SCENARIO:
        raise Refused("what the Refit Phase asks is known once the scenario's end is imported")
    ahead = rulings_ahead(book.campaign, book.card)
    if not ahead:
        say("the coming Refit Phase asks about no ruling")
    elif options.defaults:
        with logged(desk):
            desk.commands("ruling", [{"id": each.id, "value": each.default} for each in ahead])
    for line in () if options.defaults else (line for each in ahead for line in ruling_page(each)):
        show(line)
    return DONE


def _agreed(sets: list[str], card: Card) -> list[dict[str, str]]:
    """What the command `ruling` is asked by each --set. Raises Refused with everything that is
    wrong, before any is stored."""
    asked, problems = [], []
    for text in sets:
        try:
            id, value = assigned(text, "R-…=VALUE")
            asked.append({"id": id, "value": value})
            read_ruling(card, asked[-1])
        except ValueError as wrong:
            problems.append(f"--set {wrong}")
    refuse(problems)
    return asked


# --- what one side asks of the other --------------------------------------------------------------


def agree(options: argparse.Namespace) -> int:
    return _carry_out(options, agreements.agree)


def decline(options: argparse.Namespace) -> int:
    return _carry_out(
        options, lambda desk, number: agreements.decline(desk, number, options.reason)
    )


def withdraw(options: argparse.Namespace) -> int:
    return _carry_out(options, agreements.withdraw)


def _carry_out(options: argparse.Namespace, work: Callable[[Desk, int | None], Entry]) -> int:
    desk = opened(options)
    with logged(desk):
        work(desk, options.request)
    return DONE
