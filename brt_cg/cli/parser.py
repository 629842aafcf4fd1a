"""The options and arguments of each command, and its guide."""

import argparse
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from textwrap import fill
from types import MappingProxyType
from typing import Any, NamedTuple

from brt_cg import __version__
from brt_cg.aids.options import EXAMPLES, add_aids
from brt_cg.cli.arguments import (
    CampaignGames,
    place_argument,
    server_argument,
    whole_number_between,
)
from brt_cg.cli.help import BriefParser, MainParser
from brt_cg.forecast import MOST

SIDES = ("marine", "japanese")
PAPERS = ("letter", "a4")
MOST_RUNS = 1_000_000
MANY = 9999  # more than any card gives, or anybody asks
# The completion file of each shell in the wheel.
SCRIPTS = {
    "bash": "brt-cg.bash",
    "zsh": "_brt-cg",
    "fish": "brt-cg.fish",
    "powershell": "brt-cg.ps1",
}
GUIDE = Path(__file__).parent / "guide"
DOCUMENTS = "  {documents}"  # where a guide lists them


class CommandParser(BriefParser):
    """A command. The text below its options is in `guide/`, and read on demand; the part of it that
    ends with two empty lines is printed above them."""

    def format_help(self) -> str:
        first, _, self.epilog = guide_text(self).rpartition("\n\n\n")
        about = str(self.description).partition("\n\n")[0]
        self.description = f"{about}\n\n{first}".rstrip()
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()


def guide_text(parser: ArgumentParser) -> str:
    """A command's guide beyond its options, with examples; may be empty."""
    name = parser.prog.rpartition(" ")[2]
    if name == "aid":
        return EXAMPLES
    path = GUIDE / f"{name}.txt"
    text = path.read_text("utf-8") if path.exists() else ""
    return text.replace(DOCUMENTS, _documents()) if DOCUMENTS in text else text


def _documents() -> str:
    """The documents that `export` makes, each in a few words."""
    from brt_cg.exports import ABOUT  # imported here: other help waits for no rules

    beside = " " * 19
    lines = (
        fill(f"  {name:<15}  {about}", 79, subsequent_indent=beside)
        for name, about in ABOUT.items()
    )
    return "\n".join(lines)


class Argument(NamedTuple):
    """An argument of a command: its names, and its other settings for argparse."""

    names: tuple[str, ...]
    settings: dict[str, Any]


def _argument(*names: str, **settings: Any) -> Argument:
    return Argument(names, settings)


def _flag(name: str, text: str, **more: Any) -> Argument:
    return Argument((name,), {"action": "store_true", "help": text, **more})


def _side(text: str, sides: tuple[str, ...] = SIDES, **more: Any) -> Argument:
    return Argument(("--side",), {"choices": sides, "help": text, **more})


def _list(name: str, metavar: str, text: str, **more: Any) -> Argument:
    """An option that may be given several times."""
    settings = {"action": "append", "default": [], "metavar": metavar, "help": text}
    return Argument((name,), {**settings, **more})


class Command(NamedTuple):
    """A command: its purpose in a line, its arguments, and the function that adds its
    subcommands."""

    about: str
    arguments: tuple[Argument, ...]
    more: Callable[[ArgumentParser], None] | None = None
    defaults: Mapping[str, Any] = MappingProxyType({})

    def add_to(self, parser: ArgumentParser) -> None:
        """Add the arguments to the command's parser."""
        for names, settings in self.arguments:
            added = {key: value for key, value in settings.items() if key != "choices"}
            # Added with it, the choices of --cg would be looked up immediately.
            parser.add_argument(*names, **added).choices = settings.get("choices")
        parser.set_defaults(**self.defaults)
        if self.more:
            self.more(parser)


FILE = _argument(
    "file",
    metavar="FILE",
    type=place_argument,
    help="the campaign's file, or its address on a server",
)
SEAT = _side("the seat that enters this", (*SIDES, "umpire"))
JSON = _flag("--json", "as JSON, for other programs")
NO_BACKUP = _flag("--no-backup", "go on even if no backup can be made")
AS_SEEN = _side("as this side sees it")
BEACH = _argument("--beach", metavar="B", help="whose points: green, red_one, …, island")
STORING = (
    _argument(
        "--free", metavar="IDS", help='who is no longer Encircled: "all", or ids with commas'
    ),
    _flag("--preview", "show the changes, store nothing"),
    _flag("--yes", "store without asking"),
    NO_BACKUP,
)
REQUEST = (
    FILE,
    _argument(
        "request",
        metavar="N",
        type=whole_number_between(1, MANY),
        nargs="?",
        help="the number of the request, if there are several: see status",
    ),
    SEAT,
)

COMMANDS: dict[str, Command] = {  # in the order of the man page
    "open": Command(
        "open a campaign on the screen",
        (
            FILE,
            NO_BACKUP,
        ),
    ),
    "serve": Command(
        "open a campaign, or a folder of them, in browsers: an address for each seat",
        (
            FILE,
            _argument(
                "--port",
                type=whole_number_between(0, 65535),
                default=0,
                metavar="N",
                help="the port (any free one)",
            ),
            _argument(
                "--bind",
                default="127.0.0.1",
                metavar="ADDRESS",
                help="the address to serve on, for other machines",
            ),
            _argument(
                "--public-url", metavar="URL", help="the address that others use, such as https://…"
            ),
            _flag("--new-addresses", "make new addresses, and close the old ones"),
            _argument(
                "--notify",
                metavar="COMMAND",
                help="run this command when it becomes a player's turn",
            ),
            _argument("--notify-marine", metavar="COMMAND", help="the same for the Marine player"),
            _argument("--notify-japanese", metavar="COMMAND", help="… for the Japanese player"),
            _flag("--unit", "print a unit for systemd that serves this folder, and end"),
            _flag("--umpire", "an address for an umpire too, who sees both sides' secrets"),
            _flag("--friends", "make an address for friends without a seat: only what both know"),
            _flag("--no-friends", "close the address for friends"),
        ),
    ),
    "demo": Command(
        "try out the example campaign",
        (
            _flag("--headless", "play without the screen, and print the log"),
            _argument("--seed", help="repeatable dice for --headless"),
            _argument(
                "-o",
                "--out",
                metavar="PATH",
                type=place_argument,
                help=(
                    "the folder for demo.brt and the rosters (default: a new one here), "
                    "or an address"
                ),
            ),
        ),
    ),
    "new": Command(
        "begin a campaign",
        (
            FILE,
            _argument("--cg", required=True, help="the campaign game", choices=CampaignGames()),
            _argument("--allotments", metavar="TOML", type=Path, help="points of the CG card"),
            _argument("--name", help="a name for the campaign"),
        ),
    ),
    "completion": Command(
        "print a completion script for a shell",
        (_argument("shell", choices=[*SCRIPTS], help="the shell that will read it"),),
    ),
    "import": Command(
        "import the situation at the end of a scenario",
        (
            FILE,
            _argument(
                "state",
                metavar="STATE",
                type=Path,
                help="a JSON or XLSX file, a CSV folder, a VASL save or log",
            ),
            _argument(
                "--missing",
                choices=("keep", "eliminated"),
                help="keep missing counters, or lose them",
            ),
            _side("import this side only; required for a VASL save", (*SIDES, "both")),
            _argument("--names", metavar="TOML", type=Path, help="your names for VASL's pieces"),
            _list(
                "--places",
                "LINE",
                'hexes by the numbers of a list: "M1: P34 1 2 5; Q35 3, 9-1 Crowe; in P30 6"',
            ),
            _list(
                "--stacked",
                "LINE",
                'settles a VASL stack: "aboard: all", "inside: none", "guard: m-sq-3"',
            ),
            _argument(
                "--cvp",
                choices=("losses", "file"),
                help="which CVP count if the file gives others than its losses make",
            ),
            *STORING,
        ),
    ),
    "end": Command(
        "end the scenario in short lines, by the codes of its sheet",
        (
            FILE,
            _argument(
                "lines",
                metavar="LINES",
                nargs="+",
                help=(
                    'events by codes: "x1a1b4k b2c q35 3f", or - for standard input; "": '
                    "nothing happened"
                ),
            ),
            _argument("--date", metavar="DATE", help="the scenario that ended; no other one is"),
            _side("whose half it is; its codes have no stroke"),
            *STORING,
        ),
        defaults={"places": [], "missing": None, "cvp": None},
    ),
    "reinforce": Command(
        "add counters: order of battle, arrivals",
        (
            FILE,
            _argument(
                "state",
                metavar="STATE",
                nargs="+",
                help='lines such as "4 x 6-6-8", here, in a text file, or - for standard '
                "input; a JSON or "
                "XLSX file, or a CSV folder",
            ),
            _side("whose counters the lines add"),
            _flag("--preview", "show how the lines are understood, store nothing"),
        ),
    ),
    "drop": Command(
        "remove counters from the order of battle",
        (
            FILE,
            _argument("ids", metavar="ID", nargs="+", help="counters, or arrivals, of one side"),
            SEAT,
        ),
    ),
    "deploy": Command(
        "exchange squads for their half squads during setup",
        (
            FILE,
            _argument("ids", metavar="ID", nargs="+", help="squads of one side"),
            SEAT,
        ),
    ),
    "note": Command(
        "write a note of your own in the journal",
        (
            FILE,
            _argument("words", metavar="WORDS", help="the note, in quotes"),
            _side("keep it a secret of this side"),
            _argument("--about", metavar="ID", help="the counter that the note is about"),
            _argument("--date", metavar="DATE", help="a CG Date: status and card remind you then"),
        ),
    ),
    "edit": Command(
        "correct a counter",
        (
            FILE,
            _argument("id", metavar="ID", help="a counter, marine, japanese or campaign"),
            _argument("fields", metavar="FIELD=VALUE", nargs="+", help="the new value"),
            _argument(
                "--reason", required=True, metavar="TEXT", help="why; both players may read it"
            ),
            _flag("--alone", "do not restore what a counter in play again had when it was lost"),
            _flag("--yes", "store without asking"),
            SEAT,
        ),
    ),
    "rulings": Command(
        "show or change the current rulings",
        (
            FILE,
            _argument(
                "ids", metavar="R-…[=VALUE]", nargs="*", help="show only these, or set a new value"
            ),
            _list("--set", "R-…=VALUE", "a new value", dest="sets"),
            _flag("--ahead", "only those that the coming Refit Phase may ask about"),
            _flag("--defaults", "agree on the default of each of these"),
            SEAT,
        ),
    ),
    "campaigns": Command(
        "list the campaigns on a server",
        (
            _argument(
                "server", metavar="ADDRESS", type=server_argument, help="postgresql://HOST/DATABASE"
            ),
            JSON,
        ),
    ),
    "copy": Command(
        "copy a campaign: from a file to a server, or back",
        (
            FILE,
            _argument("target", metavar="TO", type=place_argument, help="a new file or address"),
        ),
    ),
    "send": Command(
        "write the news to a file, to mail to the other player",
        (
            FILE,
            _argument(
                "-o", "--out", metavar="MAIL", type=Path, required=True, help="the file to mail"
            ),
            _side("the side that you play; the text is for the other player"),
            _flag("--all", "the whole campaign, not only the news", dest="whole"),
            _flag("--force", "replace a file even if it is not a mail of yours"),
        ),
    ),
    "receive": Command(
        "take in what the other player has mailed",
        (
            FILE,
            _argument("mail", metavar="MAIL", type=Path, help="the file that he has mailed"),
            _side("the side that you play"),
            _argument(
                "--take",
                choices=("mine", "theirs"),
                help="if both of you have gone on: which campaign to keep",
            ),
            _flag("--from-umpire", "the mail is the umpire's, who may enter what a side may not"),
            NO_BACKUP,
        ),
    ),
    "refit": Command(
        "continue the Refit Phase",
        (
            FILE,
            _argument("--answers", metavar="JSON", type=Path, help="a file of dice and choices"),
            _flag("--auto", "roll dice, and choose by default"),
            _argument("--seed", help="repeatable dice for --auto"),
            _argument("--through", metavar="RULE", help="stop after this paragraph"),
            _flag("--one-report", "begin though one side's report is missing; both must agree"),
            SEAT,
            NO_BACKUP,
        ),
    ),
    "answer": Command(
        "answer the open question",
        (
            FILE,
            _argument("value", metavar="VALUE", help='a die, "3,4", an id, "no", or JSON'),
            _argument("--rule", metavar="RULE", help="refuse it unless this rule asks"),
            _argument(
                "--subject", metavar="SUBJECT", help="refuse it unless the question is about this"
            ),
            SEAT,
            NO_BACKUP,
        ),
    ),
    "undo": Command(
        "take back the newest answer or command, or what has just begun",
        (
            FILE,
            _flag("--command", "the whole last command", dest="whole"),
            SEAT,
        ),
    ),
    "redo": Command("restore what was undone", (FILE, SEAT)),
    "ahead": Command(
        "answer your side's questions before they are asked",
        (
            FILE,
            _side("the side that answers", required=True),
            _list("--answer", "RULE SUBJECT=ANSWER", "an answer; give as many as you like"),
            _argument("--answers", metavar="JSON", type=Path, help="a file of choices"),
            _flag(
                "--defaults",
                "answer all others by default, but no purchases, Banzai, setup and rulings",
            ),
            _list(
                "--except",
                "WHAT",
                "leave open, and take back what was answered: a rule, or RULE SUBJECT",
                dest="except_",
            ),
            _list(
                "--always",
                "RULE",
                (
                    "answer each question of this rule by default, whatever the dice; or RULE "
                    "ABOUT; 15.6: all"
                ),
            ),
            _flag("--none", "take back every answer given ahead"),
        ),
    ),
    "agree": Command("agree to what the other side asks for, and do it", REQUEST),
    "withdraw": Command("withdraw what your side asks for", REQUEST),
    "decline": Command(
        "decline what the other side asks for",
        (
            *REQUEST,
            _argument("--reason", help="why; the other side reads it"),
        ),
    ),
    "buy": Command(
        "buy Guns, pillboxes, Fortifications",
        (
            FILE,
            _argument("item", metavar="ITEM", help="a key in the price list: purchases --prices"),
            _argument("--side", metavar="{marine,japanese}", required=True, help="who buys"),
            BEACH,
            _argument("--qty", dest="quantity", default="1", metavar="N", help="how many (1)"),
            _argument("--location", metavar="HEX", help="where it sets up"),
            _argument("--exit", metavar="HEX", help="the other end of a tunnel or Passage"),
            _argument("--arc", metavar="H,H", help="a pillbox's Covered Arc: two hexes"),
            _argument(
                "--capacity",
                metavar="N",
                help=(
                    "squad-equivalents that a pillbox holds; for one that stands, --location N20:ID"
                ),
            ),
            _flag("--draft", "plan it, and buy it later"),
            _argument("--instead", metavar="PURCHASE", help="replace this draft"),
            _flag("--ahead", "put it on your shopping list, bought at 15.614 as far as points go"),
        ),
    ),
    "void": Command(
        "void a purchase; in its own window its points come back",
        (
            FILE,
            _argument("purchase", metavar="PURCHASE", help="its id: see purchases"),
            _argument("--reason", required=True, metavar="TEXT", help="why"),
            SEAT,
        ),
    ),
    "purchases": Command(
        "show purchases, and the points left",
        (
            FILE,
            _flag("--prices", "the price list and its limits"),
            AS_SEEN,
        ),
    ),
    "draft": Command(
        "buy everything in a draft, or drop it",
        (
            FILE,
            _argument("what", choices=("commit", "discard"), help="buy it all, or drop it"),
            _side("whose draft, if both sides have one"),
        ),
    ),
    "allot": Command(
        "change the points of the CG card",
        (
            FILE,
            _side("whose points", required=True),
            BEACH,
            _argument("--date", metavar="DATE", help="granted at this CG Date"),
            _argument("--gpp", type=whole_number_between(0, MANY), metavar="N", help="how many"),
            _argument(
                "--exponent", type=whole_number_between(0, MANY), metavar="N", help="how many"
            ),
            _argument("--fpp", type=whole_number_between(0, MANY), metavar="N", help="how many"),
            _argument("--capp", metavar="N^E", help='CAPP and exponent, like "26^2"'),
        ),
    ),
    "status": Command(
        "show where the campaign is, and the open question",
        (
            FILE,
            JSON,
            AS_SEEN,
            _flag("--accept", "take the file as it is, though it does not continue what was seen"),
        ),
    ),
    "export": Command(
        "write files for players and spreadsheets",
        (
            FILE,
            _argument("what", metavar="DOCUMENT", help="one of the documents listed below"),
            _argument(
                "--format", help="json, csv, md, html, xlsx, pdf, svg (each document has a default)"
            ),
            _argument(
                "--from",
                metavar="SAVE",
                type=Path,
                dest="source",
                help="for vsav: the save to write into",
            ),
            _argument(
                "--module",
                metavar="MODULE",
                help="for vsav: your VASL module (a .vmod): what the save lacks is made "
                "from it; this "
                "machine remembers where it is, until --module none",
            ),
            _side(
                "as this side sees it; public: what both know (the chronicle and the map)",
                (*SIDES, "public"),
            ),
            _argument(
                "-o",
                "--out",
                metavar="PATH",
                type=Path,
                help="a file, or a folder for several CSV tables",
            ),
            _argument("--paper", choices=PAPERS, help="the paper to print on (your country's)"),
            _flag("--full", "for the roster: a page for each place, and all strengths"),
            _flag("--force", "replace a file that was edited, or is not an export"),
        ),
    ),
    "forecast": Command(
        "show what to expect in the coming Refit Phase",
        (
            FILE,
            _argument(
                "--runs",
                type=whole_number_between(1, MOST_RUNS),
                metavar="N",
                help=(
                    f"how many phases to play (until each chance is known to ±2%%, at most {MOST})"
                ),
            ),
            _argument("--seed", help="repeatable dice"),
            _side("as this side knows the campaign"),
            _argument(
                "--choices",
                type=Path,
                action="append",
                metavar="JSON",
                help="a file of answers to play with; give two to compare them",
            ),
            JSON,
        ),
    ),
    "explain": Command(
        "explain how something came to be as it is",
        (
            FILE,
            _argument(
                "subject",
                metavar="SUBJECT",
                nargs="*",
                help="a counter's id or name, a number (cvp, san, marine.cvp, "
                "marine/fpp), a Setup Area, a "
                "hex, an entry's number, a paragraph, a ruling (R-SAN), a purchase; "
                "without it: a list",
            ),
            AS_SEEN,
        ),
    ),
    "audit": Command(
        "recompute everything from the journal",
        (
            FILE,
            JSON,
            _argument(
                "--head",
                metavar="HEAD",
                help="a head that the journal must contain: 13 letters or a hash",
            ),
            _flag("--strict", "count notices as findings"),
            AS_SEEN,
        ),
    ),
    "backups": Command(
        "list the backups of a campaign",
        (
            FILE,
            JSON,
            AS_SEEN,
        ),
    ),
    "restore": Command(
        "go back to a backup",
        (
            FILE,
            _argument("backup", metavar="BACKUP", help="its number or its file"),
            _flag("--yes", "go back without asking"),
            _flag("--force", "even one in which the audit finds something"),
            SEAT,
            NO_BACKUP,
        ),
    ),
    "repair": Command(
        "save what a damaged file still holds",
        (
            FILE,
            SEAT,
            _argument(
                "-o",
                "--out",
                metavar="PATH",
                type=Path,
                help="the new campaign file (FILE.repaired)",
            ),
        ),
    ),
    "catalogue": Command(
        "show and change the printed figures of weapons and vehicles",
        (
            _argument(
                "what",
                nargs="?",
                default="list",
                metavar="WHAT",
                help=(
                    "list it, edit figures in your own, export your own, import another; or a type"
                ),
            ),
            _argument(
                "words",
                nargs="*",
                metavar="WORDS",
                help="a type; for edit also FIELD=VALUE; for export and import a file",
            ),
            _side("as on this side's counters (both)"),
            _flag("--vehicle", "for edit: a new type is a vehicle"),
        ),
    ),
    "aid": Command("the play aids: Japanese rules, PTO chart, quick fight", (), add_aids),
}


@cache
def command_line_parser(names: tuple[str, ...] | None = None) -> MainParser:
    """The parser of a command line with one of these commands, or none (None: with any). To make
    all of them takes 40 times as long as one command needs."""
    parser = MainParser(
        prog="brt-cg",
        description="Runs a campaign game of Blood Reef: Tarawa between its scenarios.",
        epilog="With no command, opens the screen. A campaign is one file; alone, it is opened.",
    )
    parser.about = {name: command.about for name, command in COMMANDS.items()}
    parser.add_argument("--version", action="version", version=f"brt-cg {__version__}")
    # Without `prog` argparse would format a usage first to get the name.
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", prog=parser.prog, parser_class=CommandParser
    )
    for name in COMMANDS if names is None else names:
        command = COMMANDS[name]
        command.add_to(commands.add_parser(name, help=command.about, description=command.about))
    parser.commands = commands.choices
    return parser
