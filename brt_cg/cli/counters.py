"""The commands that add, remove and correct counters."""

import argparse
from pathlib import Path

from brt_cg.cli.talk import DONE, carry_out, logged, opened, show
from brt_cg.commands.edit import parse_assignments
from brt_cg.imports.order_lines import asked_of, read_lines
from brt_cg.imports.state_file import errors_by_cell, read_state
from brt_cg.imports.text_files import read_text, read_typed


def reinforce(options: argparse.Namespace) -> int:
    path: Path = options.state
    if path == Path("-") or (path.suffix.lower() in ("", ".txt", ".md") and not path.is_dir()):
        return _reinforce_by_lines(options)
    asked = read_state(path)
    with errors_by_cell(path):
        return carry_out(options, "reinforce", asked)


def _reinforce_by_lines(options: argparse.Namespace) -> int:
    """Adds the counters of an order of battle by lines; arrivals wait for their date."""
    path: Path = options.state
    text = read_typed() if path == Path("-") else read_text(path)
    desk = opened(options)
    book = desk.book()
    lines = read_lines(text, book.side, book.campaign, book.card, desk.figures.catalogue)
    if options.preview:
        for line in lines:
            show(f"{line.number} · {line.text} · {line.words}")
        return DONE
    asked = asked_of(lines, None if path == Path("-") else path.name)
    with logged(desk):
        desk.commands("reinforce", asked)
    return DONE


def drop(options: argparse.Namespace) -> int:
    return carry_out(options, "drop", {"ids": options.ids})


def deploy(options: argparse.Namespace) -> int:
    return carry_out(options, "deploy", {"ids": options.ids})


def edit(options: argparse.Namespace) -> int:
    desk = opened(options)
    values = parse_assignments(desk.book().campaign, options.id, options.fields)
    with logged(desk):
        desk.command("edit", {"id": options.id, "set": values, "reason": options.reason})
    return DONE
