"""The options and arguments of each command, and its guide."""

import argparse
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import Any

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
    """A command. The text below its options is in `guide/`, and read on demand."""

    def format_help(self) -> str:
        self.epilog = guide(self)
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()


def guide(parser: argparse.ArgumentParser) -> str:
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


@cache
def command_line_parser() -> MainParser:
    """The parser of the whole command line."""
    parser = MainParser(
        prog="brt-cg",
        description="Runs a campaign game of Blood Reef: Tarawa between its scenarios.",
        epilog="With no command, opens the screen. A campaign is one file.",
    )
    parser.add_argument("--version", action="version", version=f"brt-cg {__version__}")
    # Without `prog` argparse would format a usage first to get the name.
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", prog=parser.prog, parser_class=CommandParser
    )
    groups = (
        _campaigns,
        _entering,
        _servers,
        _mailing,
        _refit,
        _purchases,
        _looking,
        _checking,
        _keeping,
    )
    for add in (*groups, _catalogue, _aids):
        add(commands)
    parser.commands = commands.choices
    return parser


def _aids(commands: Any) -> None:
    text = "the play aids: Japanese rules, PTO chart, quick fight"
    add_aids(commands.add_parser("aid", help=text, description=text))


def _command(commands: Any, name: str, text: str, *, file: bool = True) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=text, description=text)
    if file:
        words = "the campaign's file, or its address on a server"
        parser.add_argument("file", metavar="FILE", type=place, help=words)
    return parser


def _on_server(commands: Any, name: str, text: str, address: str) -> argparse.ArgumentParser:
    parser = _command(commands, name, text, file=False)
    parser.add_argument("server", metavar="ADDRESS", type=server, help=address)
    return parser


def _side(parser: argparse.ArgumentParser, text: str, *, required: bool = False) -> None:
    parser.add_argument("--side", choices=SIDES, required=required, help=text)


def _seat(parser: argparse.ArgumentParser) -> None:
    seats = (*SIDES, "umpire")
    parser.add_argument("--side", choices=seats, help="the seat that enters this")


def _flag(parser: argparse.ArgumentParser, name: str, text: str, **more: Any) -> None:
    parser.add_argument(name, action="store_true", help=text, **more)


def _json(parser: argparse.ArgumentParser) -> None:
    _flag(parser, "--json", "as JSON, for other programs")


def _no_backup(parser: argparse.ArgumentParser) -> None:
    _flag(parser, "--no-backup", "go on even if no backup can be made")


def _out(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("-o", "--out", metavar="PATH", type=Path, help=text)


def _campaigns(commands: Any) -> None:
    _no_backup(_command(commands, "open", "open a campaign on the screen"))
    serving = _command(
        commands, "serve", "open a campaign in browsers, at an address for each seat"
    )
    serving.add_argument(
        "--port", type=whole(0, 65535), default=0, metavar="N", help="the port (any free one)"
    )
    serving.add_argument(
        "--bind",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="the address to serve on, for other machines",
    )
    serving.add_argument(
        "--public-url", metavar="URL", help="the address that others use, such as https://…"
    )
    _flag(serving, "--new-addresses", "make new addresses, and close the old ones")
    serving.add_argument(
        "--as",
        choices=SIDES,
        dest="seat",
        help="play this side yourself: no address for the umpire",
    )
    demo = _command(commands, "demo", "try out the example campaign", file=False)
    _flag(demo, "--headless", "play without the screen, and print the log")
    demo.add_argument("--seed", help="repeatable dice for --headless")
    words = "the folder for demo.brt and the rosters (default: a new one here), or an address"
    demo.add_argument("-o", "--out", metavar="PATH", type=place, help=words)
    new = _command(commands, "new", "begin a campaign")
    game = new.add_argument("--cg", required=True, help="the campaign game")
    game.choices = CampaignGames()  # added with it, it would be looked up for every command
    new.add_argument("--allotments", metavar="TOML", type=Path, help="points of the CG card")
    new.add_argument("--name", help="a name for the campaign")
    script = "print a completion script for a shell"
    completing = _command(commands, "completion", script, file=False)
    completing.add_argument("shell", choices=[*SCRIPTS], help="the shell that will read it")


def _entering(commands: Any) -> None:
    taking = _command(commands, "import", "import the situation at the end of a scenario")
    taking.add_argument(
        "state",
        metavar="STATE",
        type=Path,
        help="a JSON or XLSX file, a CSV folder, a VASL save or log",
    )
    taking.add_argument(
        "--missing", choices=("keep", "eliminated"), help="what happened to missing counters"
    )
    taking.add_argument(
        "--side", choices=(*SIDES, "both"), help="import this side only; required for a VASL save"
    )
    taking.add_argument("--names", metavar="TOML", type=Path, help="your names for VASL's pieces")
    taking.add_argument(
        "--places",
        action="append",
        default=[],
        metavar="LINE",
        help='hexes by the numbers of a list: "M1: P34 1 2 5; Q35 3, 9-1 Crowe; in P30 6"',
    )
    taking.add_argument(
        "--free", metavar="IDS", help='who is no longer Encircled: "all", or ids with commas'
    )
    _flag(taking, "--preview", "show the changes, store nothing")
    _flag(taking, "--yes", "store without asking")
    _no_backup(taking)
    more = _command(commands, "reinforce", "add counters: order of battle, arrivals")
    more.add_argument(
        "state",
        metavar="STATE",
        type=Path,
        help='lines such as "4 x 6-6-8" in a text file, or - for standard input; a JSON or XLSX '
        "file, or a CSV folder",
    )
    _side(more, "whose counters the lines add")
    _flag(more, "--preview", "show how the lines are understood, store nothing")
    drop = _command(commands, "drop", "remove counters from the order of battle")
    drop.add_argument("ids", metavar="ID", nargs="+", help="counters, or arrivals, of one side")
    _seat(drop)
    note = _command(commands, "note", "write a note of your own in the journal")
    note.add_argument("words", metavar="WORDS", help="the note, in quotes")
    _side(note, "keep it a secret of this side")
    note.add_argument("--about", metavar="ID", help="the counter that the note is about")
    edit = _command(commands, "edit", "correct a counter")
    edit.add_argument("id", metavar="ID", help="a counter, marine, japanese or campaign")
    edit.add_argument("fields", metavar="FIELD=VALUE", nargs="+", help="the new value")
    edit.add_argument(
        "--reason", required=True, metavar="TEXT", help="why; both players may read it"
    )
    _seat(edit)
    rulings = _command(commands, "rulings", "show or change the current rulings")
    rulings.add_argument(
        "--set", action="append", default=[], metavar="R-…=VALUE", dest="sets", help="a new value"
    )
    _flag(rulings, "--ahead", "only those that the coming Refit Phase may ask about")
    _flag(rulings, "--defaults", "agree on the default of each of these")
    _seat(rulings)


def _servers(commands: Any) -> None:
    listing = _on_server(
        commands, "campaigns", "list the campaigns on a server", "postgresql://HOST/DATABASE"
    )
    _json(listing)
    copying = _command(commands, "copy", "copy a campaign: from a file to a server, or back")
    copying.add_argument("target", metavar="TO", type=place, help="a new file or address")


def _mailing(commands: Any) -> None:
    sending = _command(commands, "send", "write a file of what is new, to mail to the other player")
    words = "the file to mail"
    sending.add_argument("-o", "--out", metavar="MAIL", type=Path, required=True, help=words)
    _side(sending, "the side that you play; the text is for the other player")
    _flag(sending, "--all", "the whole campaign, not only what is new", dest="whole")
    _flag(sending, "--force", "replace a file even if it is not a mail of yours")
    taking = _command(commands, "receive", "take in what the other player has mailed")
    taking.add_argument("mail", metavar="MAIL", type=Path, help="the file that he has mailed")
    _side(taking, "the side that you play")
    forked = "if both of you have gone on: which campaign to keep"
    taking.add_argument("--take", choices=("mine", "theirs"), help=forked)
    _flag(taking, "--from-umpire", "the mail is the umpire's, who may enter what a side may not")
    _no_backup(taking)


def _refit(commands: Any) -> None:
    refit = _command(commands, "refit", "continue the Refit Phase")
    refit.add_argument("--answers", metavar="JSON", type=Path, help="a file of dice and choices")
    _flag(refit, "--auto", "roll dice, and choose by default")
    refit.add_argument("--seed", help="repeatable dice for --auto")
    refit.add_argument("--through", metavar="RULE", help="stop after this paragraph")
    _seat(refit)
    _no_backup(refit)
    answer = _command(commands, "answer", "answer the open question")
    answer.add_argument("value", metavar="VALUE", help='a die, "3,4", an id, "no", or JSON')
    answer.add_argument("--rule", metavar="RULE", help="refuse it unless this rule asks")
    answer.add_argument(
        "--subject", metavar="SUBJECT", help="refuse it unless this is what is asked about"
    )
    _seat(answer)
    _no_backup(answer)
    newest = "take back the newest answer or command, or what has just begun"
    undo = _command(commands, "undo", newest)
    _flag(undo, "--command", "all that the last command entered", dest="whole")
    _seat(undo)
    _seat(_command(commands, "redo", "restore what was undone"))
    ahead = _command(commands, "ahead", "answer your side's questions before they are asked")
    _side(ahead, "the side that answers", required=True)
    answering = "an answer; give as many as you like"
    ahead.add_argument(
        "--answer", metavar="RULE SUBJECT=ANSWER", action="append", default=[], help=answering
    )
    ahead.add_argument("--answers", metavar="JSON", type=Path, help="a file of choices")
    _flag(ahead, "--defaults", "answer all others by default, but no rulings")
    _flag(ahead, "--none", "take back all that was answered ahead")
    for verb, text in (
        ("agree", "agree to what the other side asks for, and do it"),
        ("decline", "decline what the other side asks for"),
        ("withdraw", "withdraw what your side asks for"),
    ):
        ending = _command(commands, verb, text)
        number = "the number of the request, if there are several: see status"
        ending.add_argument("request", metavar="N", type=whole(1, MANY), nargs="?", help=number)
        if verb == "decline":
            ending.add_argument("--reason", help="why; the other side reads it")
        _seat(ending)


def _purchases(commands: Any) -> None:
    buy = _command(commands, "buy", "buy Guns, pillboxes, Fortifications")
    buy.add_argument("item", metavar="ITEM", help="a key in the price list: purchases --prices")
    buy.add_argument("--side", metavar="{marine,japanese}", required=True, help="who buys")
    buy.add_argument("--beach", metavar="B", help="whose points: green, red_one, …, island")
    buy.add_argument("--qty", default="1", metavar="N", help="how many (1)")
    buy.add_argument("--location", metavar="HEX", help="where it sets up")
    buy.add_argument("--exit", metavar="HEX", help="the other end of a tunnel or Passage")
    buy.add_argument("--arc", metavar="H,H", help="a pillbox's Covered Arc: two hexes")
    buy.add_argument(
        "--capacity",
        metavar="N",
        help="squad-equivalents that a pillbox holds; for one that stands, --location N20:ID",
    )
    _flag(buy, "--draft", "plan it, and buy it later")
    buy.add_argument("--instead", metavar="PURCHASE", help="replace this draft")
    void = _command(commands, "void", "void a purchase; in its own window its points come back")
    void.add_argument("purchase", metavar="PURCHASE", help="its id: see purchases")
    void.add_argument("--reason", required=True, metavar="TEXT", help="why")
    _seat(void)
    listing = _command(commands, "purchases", "show what has been bought, and what is left")
    _flag(listing, "--prices", "the price list and its limits")
    _side(listing, "as this side sees it")
    draft = _command(commands, "draft", "buy everything in a draft, or drop it")
    draft.add_argument("what", choices=("commit", "discard"), help="buy it all, or drop it")
    _side(draft, "whose draft, if both sides have one")
    allot = _command(commands, "allot", "change the points of the CG card")
    _side(allot, "whose points", required=True)
    allot.add_argument("--beach", metavar="B", help="whose points: green, red_one, …, island")
    allot.add_argument("--date", metavar="DATE", help="granted at this CG Date")
    for points in ("gpp", "exponent", "fpp"):
        allot.add_argument(f"--{points}", type=whole(0, MANY), metavar="N", help="how many")
    allot.add_argument("--capp", metavar="N^E", help='CAPP and exponent, like "26^2"')


def _looking(commands: Any) -> None:
    status = _command(commands, "status", "show where the campaign is, and the open question")
    _json(status)
    _side(status, "as this side sees it")
    _flag(status, "--accept", "take the file as it is, though it does not continue what was seen")
    export = _command(commands, "export", "write files for players and spreadsheets")
    export.add_argument(
        "what",
        metavar="DOCUMENT",
        help="one of the documents listed below",
    )
    export.add_argument(
        "--format", help="json, csv, md, html, xlsx, pdf, svg (each document has a default)"
    )
    export.add_argument(
        "--from", metavar="SAVE", type=Path, dest="source", help="for vsav: the save to write into"
    )
    _side(export, "as this side sees it")
    _out(export, "a file, or a folder for several CSV tables")
    papers = "the paper to print on (your country's)"
    export.add_argument("--paper", choices=PAPERS, help=papers)
    _flag(export, "--full", "for the roster: a page for each place, and all strengths")
    _flag(export, "--force", "replace a file that was edited, or is not an export")
    expecting = _command(commands, "forecast", "show what to expect in the coming Refit Phase")
    expecting.add_argument(
        "--runs",
        type=whole(1, MOST_RUNS),
        metavar="N",
        help=f"how many phases to play (until each chance is known to ±2%%, at most {MOST})",
    )
    expecting.add_argument("--seed", help="repeatable dice")
    _side(expecting, "as this side knows the campaign")
    expecting.add_argument(
        "--choices",
        type=Path,
        action="append",
        metavar="JSON",
        help="a file of answers to play with; give two to compare them",
    )
    _json(expecting)


def _checking(commands: Any) -> None:
    explain = _command(commands, "explain", "explain how something came to be as it is")
    explain.add_argument(
        "subject",
        metavar="SUBJECT",
        nargs="*",
        help="a counter's id or name, a number (cvp, san, marine.cvp, marine/fpp), a Setup Area, a "
        "hex, an entry's number, a paragraph, a ruling (R-SAN), a purchase; without it: a list",
    )
    _side(explain, "as this side sees it")
    audit = _command(commands, "audit", "recompute everything from the journal")
    _json(audit)
    audit.add_argument(
        "--head", metavar="HEAD", help="a head that the journal must contain: 13 letters or a hash"
    )
    _flag(audit, "--strict", "count notices as findings")
    _side(audit, "as this side sees it")


def _catalogue(commands: Any) -> None:
    text = "show and change what is printed on weapons and vehicles"
    parser = _command(commands, "catalogue", text, file=False)
    parser.add_argument(
        "what",
        nargs="?",
        default="list",
        choices=("list", "edit", "export", "import"),
        help="list it, edit figures in your own, export your own, or import another",
    )
    words = "a type; for edit also FIELD=VALUE; for export and import a file"
    parser.add_argument("words", nargs="*", metavar="WORDS", help=words)
    _side(parser, "as on this side's counters (both)")
    _flag(parser, "--vehicle", "for edit: a new type is a vehicle")


def _keeping(commands: Any) -> None:
    listing = _command(commands, "backups", "list the backups of a campaign")
    _json(listing)
    _side(listing, "as this side sees it")
    restoring = _command(commands, "restore", "go back to a backup")
    restoring.add_argument("backup", metavar="BACKUP", help="its number or its file")
    _flag(restoring, "--force", "even one in which the audit finds something")
    _seat(restoring)
    _no_backup(restoring)
    repairing = _command(commands, "repair", "save what a damaged file still holds")
    _seat(repairing)
    _out(repairing, "the new campaign file (FILE.repaired)")
