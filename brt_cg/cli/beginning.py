"""The commands that begin or copy a campaign, and completion for a shell."""

import argparse

from brt_cg import resources
from brt_cg.card import load_card
from brt_cg.cli.completion import script
from brt_cg.cli.parser import SCRIPTS, command_line_parser
from brt_cg.cli.prompts import ask_allotments
from brt_cg.cli.talk import (
    DONE,
    on_terminal,
    say,
    show,
)
from brt_cg.imports.text_files import read_allotments
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.storage import store
from brt_cg.storage.synced import warning
from brt_cg.text import counted


def completion(options: argparse.Namespace) -> int:
    """Prints the installed completion; in a checkout, the one that the wheel would contain."""
    try:
        text = (resources.folder("completions") / SCRIPTS[options.shell]).read_text("utf-8")
    except FileNotFoundError:
        try:
            text = script(command_line_parser(), options.shell)
        except ModuleNotFoundError as error:
            raise Refused(
                f"in a checkout this needs {error.name}: pip install {error.name}"
            ) from None
    print(text.rstrip("\n"))
    return DONE


def new(options: argparse.Namespace) -> int:
    card = load_card(options.cg)
    allotments = read_allotments(options.allotments, card) if options.allotments else None
    if allotments is None and on_terminal():
        store.create(options.file).close()  # makes nothing yet, but refuses an existing place
        allotments = ask_allotments(card)
    asked = {"cg": options.cg, "name": options.name, "allotments": allotments}
    desk = Desk.create(options.file, asked)
    book = desk.book()
    situation = book.campaign.situation
    show(f"{options.file}: {book.card.title}, {situation.date}, {situation.phase.when}")
    synced = warning(options.file)
    if synced is not None:
        say(synced)
    if allotments is None:
        say("no allotments: enter the points of the CG card with brt-cg allot")
    return DONE


def copy(options: argparse.Namespace) -> int:
    entries, head = store.copy(options.file, options.target)
    show(f"{options.target}: {counted(entries, 'entry')}, head {head}")
    return DONE
