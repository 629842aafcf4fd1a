"""The options and arguments of each command, and its guide."""

import argparse
from argparse import ArgumentParser
from collections.abc import Callable
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

from brt_cg import __version__
from brt_cg.aids.options import EXAMPLES, add_aids
from brt_cg.cli.arguments import CampaignGames, place, server, whole
from brt_cg.cli.helping import BriefParser, MainParser
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
    """A command. The text below its options is in `guide/`, and read on demand; what ends there
    with two empty lines stands above them."""

    def format_help(self) -> str:
        first, _, self.epilog = guide(self).rpartition("\n\n\n")
        about = str(self.description).partition("\n\n")[0]
        self.description = f"{about}\n\n{first}".rstrip()
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()


def guide(parser: ArgumentParser) -> str:
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


Adds = Callable[[ArgumentParser], None]


class Command(NamedTuple):
    """A command: what it does, in a line, and what adds its arguments to a parser."""

    about: str
    add: Adds


COMMANDS: dict[str, Command] = {}  # each by its name, in the order of the man page


@cache
def command_line_parser(names: tuple[str, ...] | None = None) -> MainParser:
    """The parser of a command line with one of these commands, or none (None: with any). To make
    all of them takes a while, of which a command needs a fortieth."""
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
        about, add = COMMANDS[name]
        add(commands.add_parser(name, help=about, description=about))
    parser.commands = commands.choices
    return parser


def _command(name: str, about: str, *, file: bool = True) -> Callable[[Adds], Adds]:
    """Notes a command, the arguments of which a function adds; most have a campaign's file
    before them."""

    def noted(adds: Adds) -> Adds:
        def add(parser: ArgumentParser) -> None:
            words = "the campaign's file, or its address on a server"
            parser.add_argument("file", metavar="FILE", type=place, help=words)
            adds(parser)

        COMMANDS[name] = Command(about, add if file else adds)
        return adds

    return noted


def _side(parser: ArgumentParser, text: str, *, required: bool = False) -> None:
    parser.add_argument("--side", choices=SIDES, required=required, help=text)


def _seat(parser: ArgumentParser) -> None:
    seats = (*SIDES, "umpire")
    parser.add_argument("--side", choices=seats, help="the seat that enters this")


def _flag(parser: ArgumentParser, name: str, text: str, **more: Any) -> None:
    parser.add_argument(name, action="store_true", help=text, **more)


def _json(parser: ArgumentParser) -> None:
    _flag(parser, "--json", "as JSON, for other programs")


def _no_backup(parser: ArgumentParser) -> None:
    _flag(parser, "--no-backup", "go on even if no backup can be made")


def _out(parser: ArgumentParser, text: str) -> None:
    parser.add_argument("-o", "--out", metavar="PATH", type=Path, help=text)


@_command("open", "open a campaign on the screen")
def _open(parser: ArgumentParser) -> None:
    _no_backup(parser)


@_command("serve", "open a campaign, or a folder of them, in browsers: an address for each seat")
def _serve(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=whole(0, 65535), default=0, metavar="N", help="the port (any free one)"
    )
    parser.add_argument(
        "--bind",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="the address to serve on, for other machines",
    )
    parser.add_argument(
        "--public-url", metavar="URL", help="the address that others use, such as https://…"
    )
    _flag(parser, "--new-addresses", "make new addresses, and close the old ones")
    notifies = "run this command when it becomes a player's turn"
    parser.add_argument("--notify", metavar="COMMAND", help=notifies)
    _flag(parser, "--unit", "print a unit for systemd that serves this folder, and end")
    _flag(parser, "--umpire", "an address for an umpire too, who sees both sides' secrets")


@_command("demo", "try out the example campaign", file=False)
def _demo(parser: ArgumentParser) -> None:
    _flag(parser, "--headless", "play without the screen, and print the log")
    parser.add_argument("--seed", help="repeatable dice for --headless")
    words = "the folder for demo.brt and the rosters (default: a new one here), or an address"
    parser.add_argument("-o", "--out", metavar="PATH", type=place, help=words)


@_command("new", "begin a campaign")
def _new(parser: ArgumentParser) -> None:
    game = parser.add_argument("--cg", required=True, help="the campaign game")
    game.choices = CampaignGames()  # added with it, it would be looked up at once
    parser.add_argument("--allotments", metavar="TOML", type=Path, help="points of the CG card")
    parser.add_argument("--name", help="a name for the campaign")


@_command("completion", "print a completion script for a shell", file=False)
def _completion(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=[*SCRIPTS], help="the shell that will read it")


@_command("import", "import the situation at the end of a scenario")
def _import(parser: ArgumentParser) -> None:
    parser.add_argument(
        "state",
        metavar="STATE",
        type=Path,
        help="a JSON or XLSX file, a CSV folder, a VASL save or log",
    )
    parser.add_argument(
        "--missing", choices=("keep", "eliminated"), help="keep missing counters, or lose them"
    )
    parser.add_argument(
        "--side", choices=(*SIDES, "both"), help="import this side only; required for a VASL save"
    )
    parser.add_argument("--names", metavar="TOML", type=Path, help="your names for VASL's pieces")
    parser.add_argument(
        "--places",
        action="append",
        default=[],
        metavar="LINE",
        help='hexes by the numbers of a list: "M1: P34 1 2 5; Q35 3, 9-1 Crowe; in P30 6"',
    )
    parser.add_argument(
        "--stacked",
        action="append",
        default=[],
        metavar="LINE",
        help='settles a VASL stack: "aboard: all", "inside: none", "guard: m-sq-3"',
    )
    parser.add_argument(
        "--cvp",
        choices=("losses", "file"),
        help="which CVP count if the file gives others than its losses make",
    )
    _storing(parser)


@_command("end", "end the scenario in short lines, by the codes of its sheet")
def _end(parser: ArgumentParser) -> None:
    parser.add_argument(
        "lines",
        metavar="LINES",
        nargs="+",
        help='events by codes: "x1a1b4k b2c q35 3f", or - for standard input; "": nothing happened',
    )
    parser.add_argument("--date", metavar="DATE", help="the scenario that ended; no other one is")
    _side(parser, "whose half it is; its codes have no stroke")
    parser.set_defaults(places=[], missing=None, cvp=None)
    _storing(parser)


def _storing(parser: ArgumentParser) -> None:
    """The options of what stores the end of a scenario."""
    parser.add_argument(
        "--free", metavar="IDS", help='who is no longer Encircled: "all", or ids with commas'
    )
    _flag(parser, "--preview", "show the changes, store nothing")
    _flag(parser, "--yes", "store without asking")
    _no_backup(parser)


@_command("reinforce", "add counters: order of battle, arrivals")
def _reinforce(parser: ArgumentParser) -> None:
    parser.add_argument(
        "state",
        metavar="STATE",
        nargs="+",
        help='lines such as "4 x 6-6-8", here, in a text file, or - for standard input; a JSON or '
        "XLSX file, or a CSV folder",
    )
    _side(parser, "whose counters the lines add")
    _flag(parser, "--preview", "show how the lines are understood, store nothing")


@_command("drop", "remove counters from the order of battle")
def _drop(parser: ArgumentParser) -> None:
    parser.add_argument("ids", metavar="ID", nargs="+", help="counters, or arrivals, of one side")
    _seat(parser)


@_command("deploy", "exchange squads for their half squads during setup")
def _deploy(parser: ArgumentParser) -> None:
    parser.add_argument("ids", metavar="ID", nargs="+", help="squads of one side")
    _seat(parser)


@_command("note", "write a note of your own in the journal")
def _note(parser: ArgumentParser) -> None:
    parser.add_argument("words", metavar="WORDS", help="the note, in quotes")
    _side(parser, "keep it a secret of this side")
    parser.add_argument("--about", metavar="ID", help="the counter that the note is about")


@_command("edit", "correct a counter")
def _edit(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="a counter, marine, japanese or campaign")
    parser.add_argument("fields", metavar="FIELD=VALUE", nargs="+", help="the new value")
    parser.add_argument(
        "--reason", required=True, metavar="TEXT", help="why; both players may read it"
    )
    _seat(parser)


@_command("rulings", "show or change the current rulings")
def _rulings(parser: ArgumentParser) -> None:
    parser.add_argument("ids", metavar="R-…", nargs="*", help="show only these")
    parser.add_argument(
        "--set", action="append", default=[], metavar="R-…=VALUE", dest="sets", help="a new value"
    )
    _flag(parser, "--ahead", "only those that the coming Refit Phase may ask about")
    _flag(parser, "--defaults", "agree on the default of each of these")
    _seat(parser)


@_command("campaigns", "list the campaigns on a server", file=False)
def _campaigns(parser: ArgumentParser) -> None:
    words = "postgresql://HOST/DATABASE"
    parser.add_argument("server", metavar="ADDRESS", type=server, help=words)
    _json(parser)


@_command("copy", "copy a campaign: from a file to a server, or back")
def _copy(parser: ArgumentParser) -> None:
    parser.add_argument("target", metavar="TO", type=place, help="a new file or address")


@_command("send", "write the news to a file, to mail to the other player")
def _send(parser: ArgumentParser) -> None:
    words = "the file to mail"
    parser.add_argument("-o", "--out", metavar="MAIL", type=Path, required=True, help=words)
    _side(parser, "the side that you play; the text is for the other player")
    _flag(parser, "--all", "the whole campaign, not only the news", dest="whole")
    _flag(parser, "--force", "replace a file even if it is not a mail of yours")


@_command("receive", "take in what the other player has mailed")
def _receive(parser: ArgumentParser) -> None:
    parser.add_argument("mail", metavar="MAIL", type=Path, help="the file that he has mailed")
    _side(parser, "the side that you play")
    forked = "if both of you have gone on: which campaign to keep"
    parser.add_argument("--take", choices=("mine", "theirs"), help=forked)
    _flag(parser, "--from-umpire", "the mail is the umpire's, who may enter what a side may not")
    _no_backup(parser)


@_command("refit", "continue the Refit Phase")
def _refit(parser: ArgumentParser) -> None:
    parser.add_argument("--answers", metavar="JSON", type=Path, help="a file of dice and choices")
    _flag(parser, "--auto", "roll dice, and choose by default")
    parser.add_argument("--seed", help="repeatable dice for --auto")
    parser.add_argument("--through", metavar="RULE", help="stop after this paragraph")
    _flag(parser, "--one-report", "begin though one side's report is missing; both must agree")
    _seat(parser)
    _no_backup(parser)


@_command("answer", "answer the open question")
def _answer(parser: ArgumentParser) -> None:
    parser.add_argument("value", metavar="VALUE", help='a die, "3,4", an id, "no", or JSON')
    parser.add_argument("--rule", metavar="RULE", help="refuse it unless this rule asks")
    parser.add_argument(
        "--subject", metavar="SUBJECT", help="refuse it unless the question is about this"
    )
    _seat(parser)
    _no_backup(parser)


@_command("undo", "take back the newest answer or command, or what has just begun")
def _undo(parser: ArgumentParser) -> None:
    _flag(parser, "--command", "the whole last command", dest="whole")
    _seat(parser)


_command("redo", "restore what was undone")(_seat)


@_command("ahead", "answer your side's questions before they are asked")
def _ahead(parser: ArgumentParser) -> None:
    _side(parser, "the side that answers", required=True)
    answering = "an answer; give as many as you like"
    parser.add_argument(
        "--answer", metavar="RULE SUBJECT=ANSWER", action="append", default=[], help=answering
    )
    parser.add_argument("--answers", metavar="JSON", type=Path, help="a file of choices")
    light = "answer the others by default; but no purchases, Banzai, setup and rulings"
    _flag(parser, "--defaults", light)
    parser.add_argument(
        "--except",
        metavar="WHAT",
        action="append",
        default=[],
        dest="except_",
        help="leave open, and take back what was answered: a rule, or RULE SUBJECT",
    )
    always = (
        "answer each question of this rule by default, whatever the dice; or RULE ABOUT; 15.6: all"
    )
    parser.add_argument("--always", metavar="RULE", action="append", default=[], help=always)
    _flag(parser, "--none", "take back every answer given ahead")


@_command("withdraw", "withdraw what your side asks for")
@_command("agree", "agree to what the other side asks for, and do it")
def _request(parser: ArgumentParser) -> None:
    number = "the number of the request, if there are several: see status"
    parser.add_argument("request", metavar="N", type=whole(1, MANY), nargs="?", help=number)
    _seat(parser)


@_command("decline", "decline what the other side asks for")
def _decline(parser: ArgumentParser) -> None:
    _request(parser)
    parser.add_argument("--reason", help="why; the other side reads it")


@_command("buy", "buy Guns, pillboxes, Fortifications")
def _buy(parser: ArgumentParser) -> None:
    parser.add_argument("item", metavar="ITEM", help="a key in the price list: purchases --prices")
    parser.add_argument("--side", metavar="{marine,japanese}", required=True, help="who buys")
    parser.add_argument("--beach", metavar="B", help="whose points: green, red_one, …, island")
    parser.add_argument("--qty", dest="quantity", default="1", metavar="N", help="how many (1)")
    parser.add_argument("--location", metavar="HEX", help="where it sets up")
    parser.add_argument("--exit", metavar="HEX", help="the other end of a tunnel or Passage")
    parser.add_argument("--arc", metavar="H,H", help="a pillbox's Covered Arc: two hexes")
    parser.add_argument(
        "--capacity",
        metavar="N",
        help="squad-equivalents that a pillbox holds; for one that stands, --location N20:ID",
    )
    _flag(parser, "--draft", "plan it, and buy it later")
    parser.add_argument("--instead", metavar="PURCHASE", help="replace this draft")
    _flag(parser, "--ahead", "put it on your shopping list, bought at 15.614 as far as points go")


@_command("void", "void a purchase; in its own window its points come back")
def _void(parser: ArgumentParser) -> None:
    parser.add_argument("purchase", metavar="PURCHASE", help="its id: see purchases")
    parser.add_argument("--reason", required=True, metavar="TEXT", help="why")
    _seat(parser)


@_command("purchases", "show purchases, and the points left")
def _purchases(parser: ArgumentParser) -> None:
    _flag(parser, "--prices", "the price list and its limits")
    _side(parser, "as this side sees it")


@_command("draft", "buy everything in a draft, or drop it")
def _draft(parser: ArgumentParser) -> None:
    parser.add_argument("what", choices=("commit", "discard"), help="buy it all, or drop it")
    _side(parser, "whose draft, if both sides have one")


@_command("allot", "change the points of the CG card")
def _allot(parser: ArgumentParser) -> None:
    _side(parser, "whose points", required=True)
    parser.add_argument("--beach", metavar="B", help="whose points: green, red_one, …, island")
    parser.add_argument("--date", metavar="DATE", help="granted at this CG Date")
    for points in ("gpp", "exponent", "fpp"):
        parser.add_argument(f"--{points}", type=whole(0, MANY), metavar="N", help="how many")
    parser.add_argument("--capp", metavar="N^E", help='CAPP and exponent, like "26^2"')


@_command("status", "show where the campaign is, and the open question")
def _status(parser: ArgumentParser) -> None:
    _json(parser)
    _side(parser, "as this side sees it")
    _flag(parser, "--accept", "take the file as it is, though it does not continue what was seen")


@_command("export", "write files for players and spreadsheets")
def _export(parser: ArgumentParser) -> None:
    parser.add_argument(
        "what",
        metavar="DOCUMENT",
        help="one of the documents listed below",
    )
    parser.add_argument(
        "--format", help="json, csv, md, html, xlsx, pdf, svg (each document has a default)"
    )
    parser.add_argument(
        "--from", metavar="SAVE", type=Path, dest="source", help="for vsav: the save to write into"
    )
    parser.add_argument(
        "--module",
        metavar="MODULE",
        help="for vsav: your VASL module (a .vmod): what the save lacks is made from it; this "
        "machine remembers where it is, until --module none",
    )
    seats = (*SIDES, "public")
    words = "as this side sees it; public: what both know (the chronicle and the map)"
    parser.add_argument("--side", choices=seats, help=words)
    _out(parser, "a file, or a folder for several CSV tables")
    papers = "the paper to print on (your country's)"
    parser.add_argument("--paper", choices=PAPERS, help=papers)
    _flag(parser, "--full", "for the roster: a page for each place, and all strengths")
    _flag(parser, "--force", "replace a file that was edited, or is not an export")


@_command("forecast", "show what to expect in the coming Refit Phase")
def _forecast(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--runs",
        type=whole(1, MOST_RUNS),
        metavar="N",
        help=f"how many phases to play (until each chance is known to ±2%%, at most {MOST})",
    )
    parser.add_argument("--seed", help="repeatable dice")
    _side(parser, "as this side knows the campaign")
    parser.add_argument(
        "--choices",
        type=Path,
        action="append",
        metavar="JSON",
        help="a file of answers to play with; give two to compare them",
    )
    _json(parser)


@_command("explain", "explain how something came to be as it is")
def _explain(parser: ArgumentParser) -> None:
    parser.add_argument(
        "subject",
        metavar="SUBJECT",
        nargs="*",
        help="a counter's id or name, a number (cvp, san, marine.cvp, marine/fpp), a Setup Area, a "
        "hex, an entry's number, a paragraph, a ruling (R-SAN), a purchase; without it: a list",
    )
    _side(parser, "as this side sees it")


@_command("audit", "recompute everything from the journal")
def _audit(parser: ArgumentParser) -> None:
    _json(parser)
    parser.add_argument(
        "--head", metavar="HEAD", help="a head that the journal must contain: 13 letters or a hash"
    )
    _flag(parser, "--strict", "count notices as findings")
    _side(parser, "as this side sees it")


@_command("backups", "list the backups of a campaign")
def _backups(parser: ArgumentParser) -> None:
    _json(parser)
    _side(parser, "as this side sees it")


@_command("restore", "go back to a backup")
def _restore(parser: ArgumentParser) -> None:
    parser.add_argument("backup", metavar="BACKUP", help="its number or its file")
    _flag(parser, "--yes", "go back without asking")
    _flag(parser, "--force", "even one in which the audit finds something")
    _seat(parser)
    _no_backup(parser)


@_command("repair", "save what a damaged file still holds")
def _repair(parser: ArgumentParser) -> None:
    _seat(parser)
    _out(parser, "the new campaign file (FILE.repaired)")


@_command("catalogue", "show and change the printed figures of weapons and vehicles", file=False)
def _catalogue(parser: ArgumentParser) -> None:
    what = "list it, edit figures in your own, export your own, import another; or a type"
    parser.add_argument("what", nargs="?", default="list", metavar="WHAT", help=what)
    words = "a type; for edit also FIELD=VALUE; for export and import a file"
    parser.add_argument("words", nargs="*", metavar="WORDS", help=words)
    _side(parser, "as on this side's counters (both)")
    _flag(parser, "--vehicle", "for edit: a new type is a vehicle")


_command("aid", "the play aids: Japanese rules, PTO chart, quick fight", file=False)(add_aids)
