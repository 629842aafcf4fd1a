"""The options and arguments of each command, and its guide."""

from functools import cache
from pathlib import Path

from brt_cg import __version__
from brt_cg.aids.options import add_aid_subcommands
from brt_cg.cli.arguments import (
    CampaignGames,
    place_argument,
    server_argument,
    whole_number_between,
)
from brt_cg.cli.help import CommandParser, MainParser
from brt_cg.cli.options import SIDES, Command, argument, flag, list_option, side_option
from brt_cg.forecast import MOST

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


FILE = argument(
    "file",
    metavar="FILE",
    type=place_argument,
    help="the campaign's file, or its address on a server",
)
SEAT = side_option(
    "your seat: the side that you play (default: umpire, who may enter anything)",
    (*SIDES, "umpire"),
)
JSON = flag("--json", "as JSON, for other programs")
NO_BACKUP = flag("--no-backup", "continue even if no backup can be made")
AS_SEEN = side_option("show only what this side may know (default: both sides' secrets)")
BEACH = argument(
    "--beach", metavar="B", help="the beach whose points are spent: green, red_one, …, island"
)
STORING = (
    argument(
        "--free",
        metavar="NAMES",
        help='the units no longer Encircled: "all", or names separated by commas',
    ),
    flag("--preview", "show the changes without storing them"),
    flag("--yes", "store without asking"),
    NO_BACKUP,
)
REQUEST = (
    FILE,
    argument(
        "request",
        metavar="N",
        type=whole_number_between(1, MANY),
        nargs="?",
        help="the number of the request, if there are several (`status` lists them)",
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
            argument(
                "--port",
                type=whole_number_between(0, 65535),
                default=0,
                metavar="N",
                help="the port to listen on (default: any free port)",
            ),
            argument(
                "--bind",
                default="127.0.0.1",
                metavar="ADDRESS",
                help="the address to listen on, so that other machines can connect",
            ),
            argument(
                "--public-url",
                metavar="URL",
                help="the address that players use, such as https://…",
            ),
            flag("--new-addresses", "make new addresses, and close the old ones"),
            argument(
                "--notify",
                metavar="COMMAND",
                help="run this command when it becomes a player's turn",
            ),
            argument(
                "--notify-marine", metavar="COMMAND", help="a command for the Marine player only"
            ),
            argument(
                "--notify-japanese",
                metavar="COMMAND",
                help="a command for the Japanese player only",
            ),
            flag("--unit", "print a systemd unit that serves this folder, and exit"),
            flag("--umpire", "also print an address for an umpire, who sees both sides' secrets"),
            flag(
                "--friends",
                "make an address for friends without a seat, with only what both sides know",
            ),
            flag("--no-friends", "close the address for friends"),
        ),
    ),
    "demo": Command(
        "try out the example campaign",
        (
            flag("--headless", "play without the screen, and print the log"),
            argument("--seed", help="repeatable dice for --headless"),
            argument(
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
        (flag("--faq", "answers to newcomers' questions"),),
    ),
    "new": Command(
        "begin a campaign",
        (
            FILE,
            argument("--cg", required=True, help="the campaign game", choices=CampaignGames()),
            argument("--allotments", metavar="TOML", type=Path, help="the CG card's points"),
            argument("--name", help="a name for the campaign"),
        ),
    ),
    "completion": Command(
        "print a completion script for a shell",
        (argument("shell", choices=[*SCRIPTS], help="the shell that will read it"),),
    ),
    "import": Command(
        "import the situation at the end of a scenario",
        (
            FILE,
            argument(
                "state",
                metavar="STATE",
                type=Path,
                help="a JSON or XLSX file, a CSV folder, a VASL save or log",
            ),
            argument(
                "--missing",
                choices=("keep", "eliminated"),
                help="keep missing counters in play, or list them as eliminated",
            ),
            side_option(
                "whose counters to import; required for a VASL save (default: both sides')",
                (*SIDES, "both"),
            ),
            argument("--names", metavar="TOML", type=Path, help="your names for VASL's pieces"),
            list_option(
                "--places",
                "LINE",
                "hexes for the numbered counters of a list: "
                '"M1: P34 1 2 5; Q35 3, 9-1 Crowe; in P30 6"',
            ),
            list_option(
                "--stacked",
                "LINE",
                'explains a VASL stack: "aboard: all", "inside: none", "guard: 6-6-8 no. 3"',
            ),
            argument(
                "--cvp",
                choices=("losses", "file"),
                help="which CVP count if those in the file do not match its losses",
            ),
            *STORING,
        ),
    ),
    "end": Command(
        "report a scenario's end in short lines, using the codes on the printed form",
        (
            FILE,
            argument(
                "lines",
                metavar="LINES",
                nargs="+",
                help=(
                    'what happened, in codes: "x1a1b4k b2c q35 3f", or - for standard input; "": '
                    "nothing happened"
                ),
            ),
            argument(
                "--date",
                metavar="DATE",
                help="refuse the lines unless this scenario is the one that ends",
            ),
            side_option("the side that reports; its codes have no slash (default: both sides)"),
            *STORING,
        ),
        defaults={"places": [], "missing": None, "cvp": None},
    ),
    "reinforce": Command(
        "add counters: order of battle, arrivals",
        (
            FILE,
            argument(
                "state",
                metavar="STATE",
                nargs="+",
                help='lines such as "4 x 6-6-8", here, in a text file, or - for standard '
                "input; a JSON or "
                "XLSX file, or a CSV folder",
            ),
            side_option("the side that gets the counters"),
            flag("--preview", "show how the program reads the lines, without storing anything"),
        ),
    ),
    "drop": Command(
        "remove counters from the order of battle",
        (
            FILE,
            argument(
                "ids", metavar="COUNTER", nargs="+", help="counters, or arrivals, of one side"
            ),
            SEAT,
        ),
    ),
    "deploy": Command(
        "exchange squads for their half-squads during setup",
        (
            FILE,
            argument("ids", metavar="SQUAD", nargs="+", help="squads of one side"),
            SEAT,
        ),
    ),
    "note": Command(
        "add a note to the journal",
        (
            FILE,
            argument("words", metavar="WORDS", help="the note, in quotes"),
            side_option("only this side can read the note (default: both)"),
            argument("--about", metavar="COUNTER", help="the counter that the note is about"),
            argument(
                "--date",
                metavar="DATE",
                help="the CG Date on which `status` and the scenario card remind you of this note",
            ),
        ),
    ),
    "edit": Command(
        "correct a counter",
        (
            FILE,
            argument("id", metavar="COUNTER", help="a counter, marine, japanese or campaign"),
            argument("fields", metavar="FIELD=VALUE", nargs="+", help="the new value"),
            argument(
                "--reason", required=True, metavar="TEXT", help="why; both players may read it"
            ),
            flag("--alone", "for a counter that is in play again: do not restore its possessions"),
            flag("--yes", "store without asking"),
            SEAT,
        ),
    ),
    "rulings": Command(
        "show or change the current rulings",
        (
            FILE,
            argument(
                "ids", metavar="R-…[=VALUE]", nargs="*", help="show only these, or set a new value"
            ),
            list_option("--set", "R-…=VALUE", "a new value", dest="sets"),
            flag("--ahead", "only those that may matter in the coming Refit Phase"),
            flag("--defaults", "accept the default of every ruling"),
            SEAT,
        ),
    ),
    "campaigns": Command(
        "list the campaigns on a server",
        (
            argument(
                "server", metavar="ADDRESS", type=server_argument, help="postgresql://HOST/DATABASE"
            ),
            JSON,
        ),
    ),
    "copy": Command(
        "copy a campaign: from a file to a server, or back",
        (
            FILE,
            argument("target", metavar="TO", type=place_argument, help="a new file or address"),
        ),
    ),
    "send": Command(
        "write your newest entries to a file, to mail to your opponent",
        (
            FILE,
            argument(
                "-o", "--out", metavar="MAIL", type=Path, required=True, help="the file to mail"
            ),
            side_option("the side that you play; the text is for your opponent"),
            flag("--all", "the whole campaign, not only the news", dest="whole"),
            flag("--force", "replace a file even if it is not one of your mails"),
        ),
    ),
    "receive": Command(
        "merge your opponent's mail into the campaign",
        (
            FILE,
            argument("mail", metavar="MAIL", type=Path, help="the mail file that you received"),
            side_option("the side that you play"),
            argument(
                "--take",
                choices=("mine", "theirs"),
                help="if both of you have continued: which campaign to keep",
            ),
            flag("--from-umpire", "the mail is from the umpire, who may enter anything"),
            NO_BACKUP,
        ),
    ),
    "refit": Command(
        "play the Refit Phase, or the setup before the first scenario",
        (
            FILE,
            argument("--answers", metavar="JSON", type=Path, help="a file of dice and choices"),
            flag("--auto", "roll dice, and choose by default"),
            argument("--seed", help="repeatable dice for --auto"),
            argument("--through", metavar="RULE", help="stop after this paragraph"),
            flag(
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
            argument(
                "value",
                metavar="VALUE",
                help='your dice ("4", "3,4"), or an answer that `status` lists; "no": nothing',
            ),
            argument(
                "--rule", metavar="RULE", help="refuse it unless the question is under this rule"
            ),
            argument(
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
            flag("--command", "the whole last command", dest="whole"),
            SEAT,
        ),
    ),
    "redo": Command("restore the undone entries", (FILE, SEAT)),
    "ahead": Command(
        "answer your side's questions before they are asked",
        (
            FILE,
            side_option("your side, whose questions you answer", required=True),
            list_option("--answer", "RULE SUBJECT=ANSWER", "an answer; give as many as you like"),
            argument("--answers", metavar="JSON", type=Path, help="a file of choices"),
            flag(
                "--defaults",
                "answer all others by default, except purchases, Banzai, setup and rulings",
            ),
            list_option(
                "--except",
                "WHAT",
                "leave these open, and withdraw any answer to them: a rule, or RULE SUBJECT",
                dest="except_",
            ),
            list_option(
                "--always",
                "RULE",
                (
                    "answer every question under this rule by default, whatever is rolled; or "
                    "RULE SUBJECT; 15.6: all"
                ),
            ),
            flag("--none", "withdraw all your early answers"),
        ),
    ),
    "agree": Command("agree to your opponent's request, and carry it out", REQUEST),
    "withdraw": Command("withdraw your own request", REQUEST),
    "decline": Command(
        "decline your opponent's request",
        (
            *REQUEST,
            argument("--reason", help="reason (your opponent sees it)"),
        ),
    ),
    "buy": Command(
        "buy Guns, machine guns and Fortifications",
        (
            FILE,
            argument("item", metavar="ITEM", help="a key in the price list: `purchases --prices`"),
            argument("--side", metavar="{marine,japanese}", required=True, help="the buying side"),
            BEACH,
            argument("--qty", dest="quantity", default="1", metavar="N", help="how many (1)"),
            argument("--location", metavar="HEX", help="the hex where it sets up"),
            argument("--exit", metavar="HEX", help="the other end of a tunnel or Passage"),
            argument("--arc", metavar="H,H", help="a pillbox's Covered Arc: two hexes"),
            argument(
                "--capacity",
                metavar="N",
                help=(
                    "squad-equivalents that a pillbox holds; for "
                    "one already on the map, --location N20:ID"
                ),
            ),
            flag("--draft", "plan it, and buy it later"),
            argument("--instead", metavar="PURCHASE", help="replace this draft"),
            flag("--ahead", "put it on your shopping list, bought at 15.614 while points last"),
        ),
    ),
    "void": Command(
        "void a purchase; in the same buying window you get its points back",
        (
            FILE,
            argument("purchase", metavar="PURCHASE", help="its id (`purchases` lists them)"),
            argument("--reason", required=True, metavar="TEXT", help="why"),
            SEAT,
        ),
    ),
    "purchases": Command(
        "show purchases, and the points left",
        (
            FILE,
            flag("--prices", "the price list and its limits"),
            AS_SEEN,
        ),
    ),
    "draft": Command(
        "buy everything in a draft, or discard it",
        (
            FILE,
            argument(
                "what", choices=("commit", "discard"), help="buy everything, or discard the draft"
            ),
            side_option("the side whose draft it is, if both have one"),
        ),
    ),
    "allot": Command(
        "change the CG card's points",
        (
            FILE,
            side_option("the side that gets the points", required=True),
            BEACH,
            argument("--date", metavar="DATE", help="points that the card grants on this CG Date"),
            argument("--gpp", type=whole_number_between(0, MANY), metavar="N", help="Gun points"),
            argument(
                "--exponent", type=whole_number_between(0, MANY), metavar="N", help="CAPP exponent"
            ),
            argument(
                "--fpp",
                type=whole_number_between(0, MANY),
                metavar="N",
                help="Fortification points",
            ),
            argument("--capp", metavar="N^E", help='CAPP and exponent, like "26^2"'),
        ),
    ),
    "status": Command(
        "show the current state and the open question",
        (
            FILE,
            JSON,
            AS_SEEN,
            flag(
                "--accept", "accept the file even if it is not a continuation of the one last seen"
            ),
        ),
    ),
    "export": Command(
        "write files for players and spreadsheets",
        (
            FILE,
            argument("what", metavar="DOCUMENT", help="one of the documents listed below"),
            argument(
                "--format", help="json, csv, md, html, xlsx, pdf, svg (each document has a default)"
            ),
            argument(
                "--from",
                metavar="SAVE",
                type=Path,
                dest="source",
                help="for vsav: the save to write into",
            ),
            argument(
                "--module",
                metavar="MODULE",
                help="for vsav: your VASL module (a .vmod), to make counters that are not in "
                "the save; this machine remembers it until --module none",
            ),
            side_option(
                "show only what this side may know; public: only what both sides know "
                "(the chronicle and the map; default: both sides' secrets)",
                (*SIDES, "public"),
            ),
            argument(
                "-o",
                "--out",
                metavar="PATH",
                type=Path,
                help="a file, or a folder for several CSV tables",
            ),
            argument("--paper", choices=PAPERS, help="the paper to print on (your country's)"),
            flag("--full", "for the roster: one page for each place, with all strengths"),
            flag("--force", "replace the file even if it was edited or is not an export"),
        ),
    ),
    "forecast": Command(
        "show what to expect in the coming Refit Phase",
        (
            FILE,
            argument(
                "--runs",
                type=whole_number_between(1, MOST_RUNS),
                metavar="N",
                help=(
                    f"how many phases to play (until each chance is known to ±2%%, at most {MOST})"
                ),
            ),
            argument("--seed", help="repeatable dice"),
            side_option("use only what this side knows (default: both sides' secrets)"),
            argument(
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
        "explain how a number or a counter got its current value",
        (
            FILE,
            argument(
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
            argument(
                "--head",
                metavar="CHECKSUM",
                help="a checksum that the journal must contain: 13 letters or a hash",
            ),
            flag("--strict", "count notices as findings"),
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
            argument("backup", metavar="BACKUP", help="its number or its file"),
            flag("--yes", "go back without asking"),
            flag("--force", "even if the audit finds errors in it"),
            SEAT,
            NO_BACKUP,
        ),
    ),
    "repair": Command(
        "save what a damaged file still holds",
        (
            FILE,
            SEAT,
            argument(
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
            argument(
                "what",
                nargs="?",
                default="list",
                metavar="WHAT",
                help=(
                    "list; edit, export or import your own values; or a type of weapon or vehicle"
                ),
            ),
            argument(
                "words",
                nargs="*",
                metavar="WORDS",
                help="a type; for edit also FIELD=VALUE; for export and import a file",
            ),
            side_option("values on this side's counters (default: both)"),
            flag("--vehicle", "for edit: the new type is a vehicle"),
        ),
    ),
    "aid": Command(
        "the play aids: Japanese rules, PTO chart, quick fight", (), add_aid_subcommands
    ),
}


@cache
def command_line_parser(names: tuple[str, ...] | None = None) -> MainParser:
    """Build the parser of a command line with one of these commands or with none (None: with any
    command). Building all of them takes 40 times as long as one."""
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
