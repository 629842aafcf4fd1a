"""The commands that add, remove and correct counters."""

import argparse
from contextlib import suppress
from pathlib import Path
from typing import Any

from brt_cg.cli.console import (
    DONE,
    ask_choice,
    is_terminal,
    open_for_command,
    print_error,
    print_new_log,
    print_output,
    run_command,
)
from brt_cg.commands.edit import parse_edit_assignments, preview_edit
from brt_cg.imports.order_line import reinforce_inputs
from brt_cg.imports.order_lines import parse_order_lines
from brt_cg.imports.state_file import errors_with_cell_names, format_of, read_state_document
from brt_cg.imports.text_files import read_stdin, read_text_file
from brt_cg.views.restored import corrections_restoring_links

FILES = (".txt", ".md", ".json", ".xlsx", ".csv")


def reinforce(options: argparse.Namespace) -> int:
    words: list[str] = options.state
    path = Path(words[0])
    is_file = len(words) == 1 and (
        _is_there(path) or path.suffix.lower() in FILES or not any(map(str.isdigit, words[0]))
    )
    if not is_file or (path.suffix.lower() in ("", ".txt", ".md") and not path.is_dir()):
        return _reinforce_by_lines(options, path if is_file else None)
    asked, notices = read_state_document(path, format_of(path))
    for notice in notices:
        print_error(notice)
    with errors_with_cell_names(path):
        return run_command(options, "reinforce", asked)


def _is_there(path: Path) -> bool:
    with suppress(OSError, ValueError):  # a line may not be a valid file name
        return path.exists()
    return False


def _reinforce_by_lines(options: argparse.Namespace, path: Path | None) -> int:
    """Add the counters of an order of battle that is written as lines of text in a file or (None)
    in the words of the command; arrivals enter on their date."""
    if path is None:
        text = "\n".join(options.state)
    else:
        text = read_stdin() if path == Path("-") else read_text_file(path)
    desk = open_for_command(options)
    book = desk.view()
    lines = parse_order_lines(text, book.side, book.campaign, book.card, desk.figures.catalogue)
    if options.preview:
        for line in lines:
            print_output(f"{line.number} · {line.text} · {line.meaning_or_problem_text}")
        return DONE
    asked = reinforce_inputs(lines, None if path in (None, Path("-")) else path.name)
    with print_new_log(desk):
        desk.run_commands("reinforce", asked)
    return DONE


def drop(options: argparse.Namespace) -> int:
    return run_command(options, "drop", {"ids": options.ids})


def deploy(options: argparse.Namespace) -> int:
    return run_command(options, "deploy", {"ids": options.ids})


def edit(options: argparse.Namespace) -> int:
    desk = open_for_command(options)
    book = desk.view()
    values = parse_edit_assignments(book.campaign, options.id, options.fields)
    asked: dict[str, Any] = {"id": options.id, "set": values, "reason": options.reason}
    also = [] if options.alone else corrections_restoring_links(book, asked)
    asked |= {"also": also} if also else {}
    if is_terminal() and not options.yes:
        lines = preview_edit(book.campaign, book.card, asked, "players")
        for line in lines:
            print_output(line)
        if len(lines) > 1 and ask_choice("Store all of this?", ("yes", "no")) == "no":
            print_error("nothing stored")
            return DONE
    with print_new_log(desk):
        desk.run_command("edit", asked)
    return DONE
