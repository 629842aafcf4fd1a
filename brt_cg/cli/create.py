"""The commands that begin or copy a campaign, and completion for a shell."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from brt_cg import resources
from brt_cg.card import Card, load_card
from brt_cg.cli.completion import completion_script
from brt_cg.cli.console import (
    DONE,
    is_terminal,
    print_error,
    print_output,
)
from brt_cg.cli.parser import SCRIPTS, command_line_parser
from brt_cg.imports.text_files import read_allotments_file
from brt_cg.model import Number, Side
from brt_cg.purchases.pools import parse_capp
from brt_cg.purchases.totals import ISLAND, Fund
from brt_cg.questions import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage import store
from brt_cg.storage.sync_folders import sync_warning
from brt_cg.text import count_text


def completion(options: argparse.Namespace) -> int:
    """Print the installed completion script; in a checkout, the one that the wheel would
    contain."""
    try:
        text = (resources.data_folder("completions") / SCRIPTS[options.shell]).read_text("utf-8")
    except FileNotFoundError:
        try:
            text = completion_script(command_line_parser(), options.shell)
        except ModuleNotFoundError as error:
            raise RefusedError(
                f"to run this from a checkout you need the package {error.name}; "
                f"run pip install {error.name}"
            ) from None
    print(text.rstrip("\n"))
    return DONE


def new(options: argparse.Namespace) -> int:
    card = load_card(options.cg)
    allotments = read_allotments_file(options.allotments, card) if options.allotments else None
    if allotments is None and is_terminal():
        store.prepare_new_store(options.file).close()  # only to refuse an existing place
        allotments = ask_allotments(card)
    asked = {"cg": options.cg, "name": options.name, "allotments": allotments}
    desk = OpenCampaign.create(options.file, asked)
    book = desk.view()
    situation = book.campaign.situation
    print_output(
        f"{options.file}: {book.card.title}, {situation.date}, {situation.phase.when_text}"
    )
    synced = sync_warning(options.file)
    if synced is not None:
        print_error(synced)
    for line in book.lines:
        if any(misprint.text in line.text for misprint in book.card.misprints):
            print_output(str(line))
    if allotments is None:
        print_error(
            "the campaign has no points yet; enter those on the CG card with `brt-cg allot`"
        )
    return DONE


def copy(options: argparse.Namespace) -> int:
    entries, head = store.copy_campaign(options.file, options.target)
    print_output(f"{options.target}: {count_text(entries, 'entry')}, checksum {head}")
    return DONE


# --- questions on a terminal for omitted arguments ------------------------------------------------

T = TypeVar("T")


def ask_allotments(card: Card) -> dict[str, Any] | None:
    """Ask for the points of the CG card, beach by beach, and its grants at later dates; None if the
    player does not have them at hand. Raises RefusedError if the player cancels."""
    print(
        "Enter the points on the CG card, or press Enter for none; you can change them "
        "later with `allot`."
    )
    try:
        return _allotments(card) or None
    except (EOFError, KeyboardInterrupt):
        raise RefusedError("\nstopped; no campaign was created") from None


def _allotments(card: Card) -> dict[str, Any]:
    beaches = {beach: _points(beach, Fund(Side.JAPANESE, beach)) for beach in card.beaches}
    found: dict[str, Any] = {
        "japanese": {beach: points for beach, points in beaches.items() if points},
        "marine": _points("Marine", Fund(Side.MARINE, None)),
        "grant": _grants(card),
    }
    return {key: given for key, given in found.items() if given}


def _grants(card: Card) -> list[dict[str, Any]]:
    print(
        "Enter the points that the card gives in the Refit Phase of a later CG Date; "
        "press Enter when done."
    )
    grants: list[dict[str, Any]] = []
    while (date := _ask("CG Date", _one_of(card.dates[1:]))) is not None:
        side = Side(_ask("  side (Enter: japanese)", _one_of(list(Side))) or Side.JAPANESE)
        beach = None
        if side is Side.JAPANESE:
            beach = _ask("  beach (Enter: island)", _one_of(card.beaches)) or ISLAND
        points = _points(" ", Fund(side, beach))
        if points:
            named = {"date": date, "side": side.value} | ({"beach": beach} if beach else {})
            grants.append(named | points)
    return grants


def _points(whose: str, fund: Fund) -> dict[str, Any]:
    readers: dict[str, Callable[[str], Any]] = {"capp": _capp}
    asked = {
        kind: _ask(f"{whose} {kind.upper()}", readers.get(kind, _number))
        for kind in fund.point_kinds_on_card
    }
    return {kind: value for kind, value in asked.items() if value is not None}


def _ask(words: str, read: Callable[[str], T]) -> T | None:
    """Ask until the typed text can be read. Return None for no text."""
    while text := input(f"  {words}: ").strip():
        try:
            return read(text)
        except (ValueError, RefusedError) as problem:
            print(f"  {problem}")
    return None


def _number(text: str) -> int:
    return Number().read(Number().parse(text))


def _capp(text: str) -> str:
    parse_capp(text)
    return text


def _one_of(allowed: Sequence[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        near = {word.casefold(): word for word in allowed}.get(text.casefold())
        if near is None:
            raise ValueError(f"{text} is not accepted; enter {', '.join(allowed)}")
        return near

    return read
