"""The commands that write documents, and that explain."""

import argparse
import sys

from brt_cg import exports
from brt_cg.cli.streams import escaped, is_plain
from brt_cg.cli.talk import (
    DONE,
    opened,
    say,
    show,
)
from brt_cg.exports.blocks import Output
from brt_cg.exports.explain import known_to, page_of
from brt_cg.exports.paper import Paper, Printing, usual_paper
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.vasl.module import players_module
from brt_cg.vasl.savefile import read_save
from brt_cg.vasl.writing import NO_SAVE, write


def export(options: argparse.Namespace) -> int:
    desk = opened(options)
    if options.what == "vsav" and options.side == "public":
        raise Refused("a VASL save is made for one side, or for the umpire: not with --side public")
    if options.what == "vsav":
        return _export_save(options, desk)
    printing = Printing(Paper(options.paper) if options.paper else usual_paper(), options.full)
    book = desk.public() if options.side == "public" else desk.book()
    output = exports.export(book, options.what, options.format, printing)
    if options.out is not None:
        _put(output, options)
    elif isinstance(output, dict):
        raise Refused(f"{len(output)} CSV tables need a folder: -o FOLDER")
    elif isinstance(output, str):
        is_json = (options.format or exports.DOCUMENTS[options.what][0]) == "json"
        print((escaped(output) if is_json and is_plain(sys.stdout) else output).rstrip("\n"))
    else:
        raise Refused(f"{options.format or options.what} cannot be printed as text: give -o FILE")
    _say_whose_view(options)
    return DONE


def _say_whose_view(options: argparse.Namespace) -> None:
    if not options.side:
        say("umpire's view: both sides' secrets")


def _export_save(options: argparse.Namespace, desk: Desk) -> int:
    """Writes the next setup into the save that was read."""
    if options.source is None or options.out is None:
        raise Refused(f"vsav needs --from SAVE, the save to write into, and -o FILE. {NO_SAVE}")
    if options.source.resolve() == options.out.resolve():
        raise Refused(f"{options.out} is the save to write into: keep it, and give another name")
    written = write(desk.book(), read_save(options.source), players_module(options.module))
    for line in written.made:
        show(line)
    for line in (*written.exposed, *written.left_out):
        say(line)
    _put(written.file.as_zip(), options)
    _say_whose_view(options)
    return DONE


def _put(made: Output, options: argparse.Namespace) -> None:
    for file in exports.put(made, options.out, private=not options.side, force=options.force):
        say(f"written: {file}")


def explain(options: argparse.Namespace) -> int:
    page = page_of(known_to(opened(options).book()), " ".join(options.subject))
    show(page.title)
    for line in page.lines:
        further = [subject for subject in line.leads if subject not in line.text]
        show(f"{line.text}  → {', '.join(further)}" if further else line.text)
    return DONE
