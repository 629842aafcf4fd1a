"""The commands for agreements of the players: `rulings` shows and changes the rulings of a
campaign; `agree`, `decline` and `withdraw` end a player's request."""

import argparse
from collections.abc import Callable

from brt_cg.card import Card
from brt_cg.cli.console import (
    DONE,
    open_for_command,
    print_error,
    print_new_log,
    print_output,
)
from brt_cg.commands.rulings import find_ruling, read_agreed_ruling
from brt_cg.journal.entries import Entry
from brt_cg.model import Phase
from brt_cg.questions import RefusedError, raise_problems
from brt_cg.refit.simulation import ruling_page_lines, rulings_likely_to_be_asked
from brt_cg.service import agreements
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.text import split_assignment


def rulings(options: argparse.Namespace) -> int:
    desk = open_for_command(options)
    book = desk.view()
    ids = [id for id in options.ids if "=" not in id]
    sets = [*options.sets, *(id for id in options.ids if "=" in id)]
    if sets:
        agreed = _agreed(sets, book.card)
        with print_new_log(desk):
            desk.run_commands("ruling", agreed)
        return DONE
    if options.ahead or options.defaults:
        return _rulings_ahead(desk, options)
    for ruling in (find_ruling(book.card, id.upper()) for id in ids):
        for line in ruling_page_lines(ruling):
            print_output(line)
        print_output(f"    now: {book.campaign.ruling_value(ruling.id)}")
    if ids:
        return DONE
    every = book.card.rulings.values()
    for ruling in (each for each in every if each.has_choice):
        value = book.campaign.ruling_value(ruling.id)
        mark = "" if value == ruling.default else f" (default {ruling.value_text(ruling.default)})"
        if ruling.is_asked_when_it_matters and not book.campaign.is_ruling_agreed(ruling.id):
            mark = " (you will be asked the first time it matters)"
        print_output(
            f"{ruling.id} · {ruling.rule} · {ruling.question}: {ruling.value_text(value)}{mark}"
        )
        print_output(f"    options: {ruling.allowed_text} · {ruling.provenance} · {ruling.sure}")
    print_output("\nNo choice here; the program reads these rules as follows:")
    for ruling in (each for each in every if not each.has_choice):
        changed = book.campaign.ruling_value(ruling.id)
        words = (
            ruling.fixed_reading_text
            if changed == ruling.default
            else f"{ruling.question} {changed}"
        )
        print_output(f"{ruling.rule} · {words} ({ruling.id}; {ruling.provenance})")
    for fixed in book.card.fixed_completions:
        print_output(f"{fixed.rule} · {fixed.text}")
    return DONE


def _rulings_ahead(desk: OpenCampaign, options: argparse.Namespace) -> int:
    """Show the rulings that matter for the counters on the table, or agree on all their
    defaults."""
    book = desk.view()
    if book.campaign.situation.phase is Phase.SCENARIO:
        raise RefusedError(
            "the Refit Phase rulings are not known yet; import the end of the scenario first"
        )
    ahead = rulings_likely_to_be_asked(book.campaign, book.card)
    if not ahead:
        print_error("no ruling needs to be agreed on for the coming Refit Phase")
    elif options.defaults:
        with print_new_log(desk):
            desk.run_commands("ruling", [{"id": each.id, "value": each.default} for each in ahead])
    for line in (
        () if options.defaults else (line for each in ahead for line in ruling_page_lines(each))
    ):
        print_output(line)
    return DONE


def _agreed(sets: list[str], card: Card) -> list[dict[str, str]]:
    """Return the input of the `ruling` command for each --set. Raises RefusedError with all
    problems, before any is stored."""
    asked, problems = [], []
    for text in sets:
        try:
            id, value = split_assignment(text, "R-…=VALUE")
            asked.append({"id": id.upper(), "value": value})
            read_agreed_ruling(card, asked[-1])
        except ValueError as wrong:
            problems.append(f"--set {wrong}")
    raise_problems(problems)
    return asked


# --- requests of one player to the other ----------------------------------------------------------


def agree(options: argparse.Namespace) -> int:
    return _carry_out(options, agreements.agree_and_carry_out_request)


def decline(options: argparse.Namespace) -> int:
    return _carry_out(
        options, lambda desk, number: agreements.decline_request(desk, number, options.reason)
    )


def withdraw(options: argparse.Namespace) -> int:
    return _carry_out(options, agreements.withdraw_request)


def _carry_out(
    options: argparse.Namespace, work: Callable[[OpenCampaign, int | None], Entry]
) -> int:
    desk = open_for_command(options)
    with print_new_log(desk):
        work(desk, options.request)
    return DONE
