"""The options of each play aid, for the command line and for the line on the screen."""

import argparse
from pathlib import Path
from typing import Any

AID_NAMES = ("japanese", "roll", "allowed", "cost", "rules", "rulings", "pto", "fight")
EXAMPLES = Path(__file__).with_name("examples.txt").read_text("utf-8")


def add_aid_subcommands(
    parser: argparse.ArgumentParser,
    kind: type[argparse.ArgumentParser] = argparse.ArgumentParser,
) -> None:
    """Add a subcommand with a parser of some `kind` for each aid; `aid` is the one chosen."""
    aids = parser.add_subparsers(
        dest="aid", required=True, metavar="AID", help="what to ask about", parser_class=kind
    )

    def add(name: str, words: str, text: str) -> Any:
        aid = aids.add_parser(name, help=text, description=text)
        aid.add_argument("words", nargs="*", metavar="WORDS", help=words)
        aid.add_argument("--json", action="store_true", help="as JSON, for other programs")
        text = "log the answer in this campaign; you can then refer to its units by name"
        aid.add_argument("--campaign", metavar="FILE", help=text)
        aid.set_defaults(enter=False)
        return aid

    text = "what happens to a Japanese unit (G1.1–G1.4)"
    unit = add("japanese", "the unit, and what happens to it", text)
    text = "use another value of a ruling for this question"
    unit.add_argument("--ruling", action="append", default=[], metavar="R-…=VALUE", help=text)
    text = "the BPV of a kind of unit, for the Casualty Tally"
    unit.add_argument("--bpv", action="append", default=[], metavar='"elite squad=N"', help=text)
    unit.add_argument("--elr", type=int, metavar="N", help="the ELR, to roll the morale check")
    unit.add_argument(
        "--drm", type=int, default=0, metavar="N", help="the sum of all other DRM to the check"
    )
    text = "enter the result for the campaign's unit as a correction"
    unit.add_argument("--enter", action="store_true", help=text)
    _dice(unit)
    _dice(add("roll", "a roll and its modifiers", "T-H Heroes, ATMM, Hara-Kiri"))
    add("allowed", "what, of how many, year=, russian", "how many are allowed")
    add("cost", "an item, its normal cost, year=", "Japanese DYO costs")
    add("rules", "words to look for", "other paragraphs of the Japanese rules")
    add("rulings", "words to look for", "points that the rules leave open")
    add("pto", "words to look for", "the PTO chart")
    forms = "new|do|undo|show|log|check FILE …, try …, orders, rules"
    fight = add("fight", forms, "quick fight")
    fight.add_argument("--first", default="marine", metavar="SIDE", help="who moves first")
    text = "use another value of a ruling in a new fight"
    fight.add_argument(
        "--ruling", action="append", default=[], metavar="R-FIGHT-…=VALUE", help=text
    )
    _dice(fight)


def _dice(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dice",
        metavar="DICE",
        help='your own dice, in the order of the questions, such as "6,5 3"',
    )
    parser.add_argument("--auto", action="store_true", help="the program rolls")
    parser.add_argument("--seed", help="repeatable dice for --auto")
