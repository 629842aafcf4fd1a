"""The purchase commands: buy, void, draft, allot, and the list of purchases."""

import argparse
from typing import Any

from brt_cg.cli.console import DONE, open_for_command, print_new_log, print_output, run_command
from brt_cg.cli.early_answers import add_to_shopping_list
from brt_cg.exports.purchases import prices_text, purchases_text
from brt_cg.model import Side
from brt_cg.questions import RefusedError
from brt_cg.text import list_text, split_at_spaces_and_commas


def buy(options: argparse.Namespace) -> int:
    asked = {
        "item": _key(options.item),
        "side": options.side,
        "beach": _key(options.beach),
        "quantity": _figure(options.quantity),
        "location": options.location,
        "exit": options.exit,
        "arc": [] if options.arc is None else split_at_spaces_and_commas(options.arc),
        "capacity": _figure(options.capacity),
        "draft": options.draft,
    }
    if options.instead is not None:
        asked["instead"] = options.instead
    if options.ahead:
        return _wish(options, asked)
    return run_command(options, "buy", asked, by=options.side)


def _wish(options: argparse.Namespace, asked: dict[str, Any]) -> int:
    """Put the order on its side's shopping list."""
    if options.draft or options.instead is not None:
        raise RefusedError(
            "--ahead cannot be combined with --draft or --instead; leave one of them out"
        )
    side = Side.from_name(options.side)
    if side is None:
        raise RefusedError(f"--side: {options.side} is not accepted; enter {list_text(Side)}")
    kept = {name: found for name, found in asked.items() if name != "draft"}
    kept = {name: found for name, found in kept.items() if found not in (None, [])}
    add_to_shopping_list(open_for_command(options), side, kept)
    return DONE


def _key(name: str | None) -> str | None:
    """Return the key for "Red One" or "red-one"; None for None."""
    return "_".join(name.lower().replace("-", " ").split()) or None if name else None


def _figure(text: str | None) -> int | str | None:
    """Return a whole number; if the text is not one, return the text, which is refused later
    together with all other problems."""
    try:
        return None if text is None else int(text)
    except ValueError:
        return text


def void(options: argparse.Namespace) -> int:
    asked = {"purchase": options.purchase, "reason": options.reason}
    return run_command(options, "void", asked)


def purchases(options: argparse.Namespace) -> int:
    desk = open_for_command(options)
    view = prices_text if options.prices else purchases_text
    print_output(view(desk.view()))
    return DONE


def draft(options: argparse.Namespace) -> int:
    desk = open_for_command(options)
    whose = options.side
    if whose is None:
        sides = sorted(
            {each.side for each in desk.view().campaign.purchases.values() if each.draft}
        )
        if len(sides) != 1:
            both = "both sides have a draft; choose one with --side"
            raise RefusedError(both if sides else "there are no drafts")
        whose = sides[0]
    with print_new_log(desk):
        desk.run_command(options.what, {"side": str(whose)}, by=str(whose))
    return DONE


def allot(options: argparse.Namespace) -> int:
    names = ("side", "date", "gpp", "capp", "exponent", "fpp")
    given = {name: getattr(options, name) for name in names} | {"beach": _key(options.beach)}
    asked = {name: value for name, value in given.items() if value is not None}
    return run_command(options, "allot", asked, by=options.side)
