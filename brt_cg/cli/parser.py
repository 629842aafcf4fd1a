"""The options and arguments of each command, and its guide."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from brt_cg import __version__
from brt_cg.aids.options import add_aid_subcommands
from brt_cg.cli.arguments import (
    CampaignGames,
    place_argument,
    server_argument,
    whole_number_between,
)
from brt_cg.cli.help import CommandParser, MainParser
from brt_cg.forecast import MOST

SIDES = ("marine", "japanese")
PAPERS = ("letter", "a4")
MOST_RUNS = 1_000_000
MANY = 9999  # more than any card gives, or anybody needs
# The completion file of each shell in the wheel.
SCRIPTS = {
    "bash": "brt-cg.bash",
    "zsh": "_brt-cg",
    "fish": "brt-cg.fish",
    "powershell": "brt-cg.ps1",
}


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
    """Build an option that may be given several times."""
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
NO_BACKUP = _flag("--no-backup", "continue even if no backup can be made")
AS_SEEN = _side("as this side sees it")
BEACH = _argument(
    "--beach", metavar="B", help="the beach whose points pay: green, red_one, …, island"
)
STORING = (
    _argument(
        "--free", metavar="NAMES", help='the units no longer Encircled: "all", or names with commas'
    ),
    _flag("--preview", "show the changes without storing them"),
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
        help="the number of the request, if there are several (status lists them)",
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
                help="the address to listen on, so that other machines can connect",
            ),
            _argument(
                "--public-url",
                metavar="URL",
                help="the address that players use, such as https://…",
            ),
            _flag("--new-addresses", "make new addresses, and close the old ones"),
            _argument(
                "--notify",
                metavar="COMMAND",
                help="run this command when it becomes a player's turn",
            ),
            _argument(
                "--notify-marine", metavar="COMMAND", help="a command for the Marine player only"
            ),
            _argument(
                "--notify-japanese",
                metavar="COMMAND",
                help="a command for the Japanese player only",
            ),
            _flag("--unit", "print a systemd unit that serves this folder, and exit"),
            _flag("--umpire", "also print an address for an umpire, who sees both sides' secrets"),
            _flag(
                "--friends",
                "make an address for friends without a seat, with only what both sides know",
            ),
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
    "guide": Command(
        "read a walkthrough of an evening, or the FAQ",
        (_flag("--faq", "the questions that newcomers have, with answers"),),
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
                help="keep missing counters in play, or list them as eliminated",
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
                'explains a VASL stack: "aboard: all", "inside: none", "guard: 6-6-8 no. 3"',
            ),
            _argument(
                "--cvp",
                choices=("losses", "file"),
                help="which CVP count if those in the file do not match its losses",
            ),
            *STORING,
        ),
    ),
    "end": Command(
        "end the scenario in short lines, by the codes of its printed form",
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
            _argument(
                "--date",
                metavar="DATE",
                help="refuse the lines unless this scenario is the one that ends",
            ),
            _side("the side that reports; its codes have no slash"),
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
            _side("the side that gets the counters"),
            _flag("--preview", "show how the program reads the lines, without storing anything"),
        ),
    ),
    "drop": Command(
        "remove counters from the order of battle",
        (
            FILE,
            _argument(
                "ids", metavar="COUNTER", nargs="+", help="counters, or arrivals, of one side"
            ),
            SEAT,
        ),
    ),
    "deploy": Command(
        "exchange squads for their half-squads during setup",
        (
            FILE,
            _argument("ids", metavar="SQUAD", nargs="+", help="squads of one side"),
            SEAT,
        ),
    ),
    "note": Command(
        "add a note to the journal",
        (
            FILE,
            _argument("words", metavar="WORDS", help="the note, in quotes"),
            _side("only this side can read it"),
            _argument("--about", metavar="COUNTER", help="the counter that the note is about"),
            _argument(
                "--date", metavar="DATE", help="a CG Date on which status and the card remind you"
            ),
        ),
    ),
    "edit": Command(
        "correct a counter",
        (
            FILE,
            _argument("id", metavar="COUNTER", help="a counter, marine, japanese or campaign"),
            _argument("fields", metavar="FIELD=VALUE", nargs="+", help="the new value"),
            _argument(
                "--reason", required=True, metavar="TEXT", help="why; both players may read it"
            ),
            _flag("--alone", "for a counter that is in play again: do not restore its possessions"),
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
            _flag("--ahead", "only those that may matter in the coming Refit Phase"),
            _flag("--defaults", "agree on all their defaults"),
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
        "write the news to a file, to mail to your opponent",
        (
            FILE,
            _argument(
                "-o", "--out", metavar="MAIL", type=Path, required=True, help="the file to mail"
            ),
            _side("the side that you play; the text is for your opponent"),
            _flag("--all", "the whole campaign, not only the news", dest="whole"),
            _flag("--force", "replace a file even if it is not one of your mails"),
        ),
    ),
    "receive": Command(
        "add the news that your opponent mailed to the campaign",
        (
            FILE,
            _argument("mail", metavar="MAIL", type=Path, help="the mail file that you received"),
            _side("the side that you play"),
            _argument(
                "--take",
                choices=("mine", "theirs"),
                help="if both of you have continued: which campaign to keep",
            ),
            _flag("--from-umpire", "the mail is from the umpire, who may enter anything"),
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
            _flag(
                "--one-report",
                "begin although one side's report is missing; both players must agree",
            ),
            SEAT,
            NO_BACKUP,
        ),
    ),
    "answer": Command(
        "answer the open question",
        (
            FILE,
            _argument("value", metavar="VALUE", help='a die, "3,4", a counter, "no", or JSON'),
            _argument(
                "--rule", metavar="RULE", help="refuse it unless the question is under this rule"
            ),
            _argument(
                "--subject", metavar="SUBJECT", help="refuse it unless the question is about this"
            ),
            SEAT,
            NO_BACKUP,
        ),
    ),
    "undo": Command(
        "undo the last answer or command",
        (
            FILE,
            _flag("--command", "the whole last command", dest="whole"),
            SEAT,
        ),
    ),
    "redo": Command("restore the undone entries", (FILE, SEAT)),
    "ahead": Command(
        "answer your side's questions before they are asked",
        (
            FILE,
            _side("the side that answers", required=True),
            _list("--answer", "RULE SUBJECT=ANSWER", "an answer; give as many as you like"),
            _argument("--answers", metavar="JSON", type=Path, help="a file of choices"),
            _flag(
                "--defaults",
                "answer all others by default, except purchases, Banzai, setup and rulings",
            ),
            _list(
                "--except",
                "WHAT",
                "leave these open, and withdraw any answer to them: a rule, or RULE SUBJECT",
                dest="except_",
            ),
            _list(
                "--always",
                "RULE",
                (
                    "answer every question under this rule by default, whatever is rolled; or "
                    "RULE SUBJECT; 15.6: all"
                ),
            ),
            _flag("--none", "withdraw all your early answers"),
        ),
    ),
    "agree": Command("agree to your opponent's request, and carry it out", REQUEST),
    "withdraw": Command("withdraw your own request", REQUEST),
    "decline": Command(
        "decline your opponent's request",
        (
            *REQUEST,
            _argument("--reason", help="reason (your opponent sees it)"),
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
            _argument("--location", metavar="HEX", help="the hex where it sets up"),
            _argument("--exit", metavar="HEX", help="the other end of a tunnel or Passage"),
            _argument("--arc", metavar="H,H", help="a pillbox's Covered Arc: two hexes"),
            _argument(
                "--capacity",
                metavar="N",
                help=(
                    "squad-equivalents that a pillbox holds; for "
                    "one already on the map, --location N20:ID"
                ),
            ),
            _flag("--draft", "plan it, and buy it later"),
            _argument("--instead", metavar="PURCHASE", help="replace this draft"),
            _flag("--ahead", "put it on your shopping list, bought at 15.614 while points last"),
        ),
    ),
    "void": Command(
        "void a purchase; in the same buying window you get its points back",
        (
            FILE,
            _argument("purchase", metavar="PURCHASE", help="its id (purchases lists them)"),
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
        "buy everything in a draft, or discard it",
        (
            FILE,
            _argument(
                "what", choices=("commit", "discard"), help="buy everything, or discard the draft"
            ),
            _side("whose draft, if both sides have one"),
        ),
    ),
    "allot": Command(
        "change the points of the CG card",
        (
            FILE,
            _side("whose points", required=True),
            BEACH,
            _argument("--date", metavar="DATE", help="points that the card grants on this CG Date"),
            _argument("--gpp", type=whole_number_between(0, MANY), metavar="N", help="Gun points"),
            _argument(
                "--exponent", type=whole_number_between(0, MANY), metavar="N", help="CAPP exponent"
            ),
            _argument(
                "--fpp",
                type=whole_number_between(0, MANY),
                metavar="N",
                help="Fortification points",
            ),
            _argument("--capp", metavar="N^E", help='CAPP and exponent, like "26^2"'),
        ),
    ),
    "status": Command(
        "show the current state and the open question",
        (
            FILE,
            JSON,
            AS_SEEN,
            _flag(
                "--accept", "accept the file even if it is not a continuation of the one last seen"
            ),
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
                help="for vsav: your VASL module (a .vmod), to make counters that are not in "
                "the save; this machine remembers it until --module none",
            ),
            _side(
                "as this side sees it; public: only what "
                "both sides know (the chronicle and the map)",
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
            _flag("--full", "for the roster: one page for each place, with all strengths"),
            _flag("--force", "replace the file even if it was edited or is not an export"),
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
            _side("using only what this side knows"),
            _argument(
                "--choices",
                type=Path,
                action="append",
                metavar="JSON",
                help="a file of answers to use; give two to compare them",
            ),
            JSON,
        ),
    ),
    "explain": Command(
        "explain how a number or a counter got its present value",
        (
            FILE,
            _argument(
                "subject",
                metavar="SUBJECT",
                nargs="*",
                help="a counter, a number (cvp, san, marine.cvp, marine/fpp), a Setup Area, a "
                "hex, an entry's number, a paragraph, a ruling "
                "(R-SAN), a purchase; without it: a list",
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
                metavar="CHECKSUM",
                help="a checksum that the journal must contain: 13 letters or a hash",
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
            _flag("--force", "even if the audit finds errors in it"),
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
        "show and change the printed values of weapons and vehicles",
        (
            _argument(
                "what",
                nargs="?",
                default="list",
                metavar="WHAT",
                help=(
                    "list; edit, export or import your own values; or a type of weapon or vehicle"
                ),
            ),
            _argument(
                "words",
                nargs="*",
                metavar="WORDS",
                help="a type; for edit also FIELD=VALUE; for export and import a file",
            ),
            _side("values on this side's counters (default: both)"),
            _flag("--vehicle", "for edit: a new type is a vehicle"),
        ),
    ),
    "aid": Command(
        "the play aids: Japanese rules, PTO chart, quick fight", (), add_aid_subcommands
    ),
}


@cache
def command_line_parser(names: tuple[str, ...] | None = None) -> MainParser:
    """Build the parser of a command line with one of these commands, or none (None: with any).
    Building all of them takes 40 times as long as one."""
    parser = MainParser(
        prog="brt-cg",
        description="Runs a campaign game of Blood Reef: Tarawa between its scenarios.",
        epilog="With no command, opens the screen; with only a campaign file, opens that.",
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
