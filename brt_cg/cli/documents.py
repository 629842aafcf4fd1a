"""The commands that write documents, and `explain`."""

import argparse
import sys

from brt_cg import exports
from brt_cg.cli.console import (
    DONE,
    open_for_command,
    print_error,
    print_output,
)
from brt_cg.cli.streams import escape_json, is_ascii_only
from brt_cg.exports.blocks import Output
from brt_cg.exports.explain import explanation_page, known_facts
from brt_cg.exports.guide import (
    FAQ_TITLE,
    TITLE,
    faq_sections,
    guide_sections,
    plain_guide_text,
)
from brt_cg.exports.paper import Paper, Printing, default_paper
from brt_cg.model import Side
from brt_cg.questions import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.vasl.module import load_given_or_remembered_module
from brt_cg.vasl.save_writer import NO_SAVE, make_next_setup_save
from brt_cg.vasl.savefile import read_save

HIP_SHEET = "hip-sheet"
GUIDE = "guide"  # the same for every seat


def guide(options: argparse.Namespace) -> int:
    """Print the guide to an evening, or the questions and answers."""
    if options.faq:
        print_output(plain_guide_text(FAQ_TITLE, faq_sections()))
    else:
        print_output(plain_guide_text(TITLE, guide_sections()))
    return DONE


def export(options: argparse.Namespace) -> int:
    desk = open_for_command(options)
    if options.what == "vsav" and options.side == "public":
        raise RefusedError(
            "a VASL save cannot be public; use --side marine or japanese, or leave out "
            "--side for the umpire"
        )
    if options.what == "vsav":
        return _export_save(options, desk)
    printing = Printing(Paper(options.paper) if options.paper else default_paper(), options.full)
    book = desk.public_view() if options.side == "public" else desk.view()
    if options.what == HIP_SHEET and not options.side:
        book = book.for_seat(Side.JAPANESE)  # each side gets a separate page to seal
        options.side = Side.JAPANESE.value
        print_error("this is the Japanese sheet; use --side marine for the Marine sheet")
    output = exports.export_document(book, options.what, options.format, printing)
    if options.out is not None and str(options.out) != "-":  # "-": standard output
        _put(output, options)
    elif isinstance(output, dict):
        raise RefusedError(
            f"these are {len(output)} CSV tables; name a folder for them with -o FOLDER"
        )
    elif isinstance(output, str):
        is_json = (options.format or exports.DOCUMENTS[options.what][0]) == "json"
        print(
            (escape_json(output) if is_json and is_ascii_only(sys.stdout) else output).rstrip("\n")
        )
    else:
        raise RefusedError(
            f"{options.format or options.what} cannot be printed as text; name a file with -o FILE"
        )
    _say_whose_view(options)
    return DONE


def _say_whose_view(options: argparse.Namespace) -> None:
    if not options.side and options.what != GUIDE:
        print_error("Umpire view: shows both sides' secrets")


def _export_save(options: argparse.Namespace, desk: OpenCampaign) -> int:
    """Write the next setup into the imported save."""
    if options.source is None or options.out is None:
        raise RefusedError(
            f"vsav needs --from SAVE (the save to write into) and -o FILE. {NO_SAVE}"
        )
    if options.source.resolve() == options.out.resolve():
        raise RefusedError(f"{options.out} is the save to write into; choose another name")
    module = load_given_or_remembered_module(options.module)
    written = make_next_setup_save(desk.view(), read_save(options.source), module)
    for line in written.made:
        print_output(line)
    for line in (*written.exposed, *written.left_out):
        print_error(line)
    if written.left_out and module is None:
        print_error("With --module VASL.vmod missing counters are made from your own module.")
    _put(written.file.as_zip(), options)
    if not options.side:
        print_error(
            "Umpire view: the lines above show both sides' secrets; in the save, counters that a "
            "player must not see are hidden, except those listed"
        )
    return DONE


def _put(made: Output, options: argparse.Namespace) -> None:
    for file in exports.save_document(
        made, options.out, private=options.side != "public", force=options.force
    ):
        print_error(f"written: {file}")


def explain(options: argparse.Namespace) -> int:
    page = explanation_page(
        known_facts(open_for_command(options).view()), " ".join(options.subject)
    )
    print_output(page.title)
    for line in page.lines:
        further = [subject for subject in line.leads if subject not in line.text]
        print_output(f"{line.text}  → {', '.join(further)}" if further else line.text)
    return DONE
