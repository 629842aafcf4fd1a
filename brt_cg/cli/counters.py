"""The commands that add, remove and correct counters."""

import argparse
from contextlib import suppress
from pathlib import Path

from brt_cg.cli.console import DONE, open_for_command, print_new_log, print_output, run_command
from brt_cg.commands.edit import parse_assignments
from brt_cg.imports.order_lines import parse_order_lines, reinforce_inputs
from brt_cg.imports.state_file import errors_by_cell, read_state
from brt_cg.imports.text_files import read_stdin, read_text

FILES = (".txt", ".md", ".json", ".xlsx", ".csv")


def reinforce(options: argparse.Namespace) -> int:
    words: list[str] = options.state
    path = Path(words[0])
    is_file = len(words) == 1 and (
        _is_there(path) or path.suffix.lower() in FILES or not any(map(str.isdigit, words[0]))
    )
    if not is_file or (path.suffix.lower() in ("", ".txt", ".md") and not path.is_dir()):
        return _reinforce_by_lines(options, path if is_file else None)
    asked = read_state(path)
    with errors_by_cell(path):
        return run_command(options, "reinforce", asked)


def _is_there(path: Path) -> bool:
    with suppress(OSError, ValueError):  # a line may be no name of a file
        return path.exists()
    return False


def _reinforce_by_lines(options: argparse.Namespace, path: Path | None) -> int:
    """Adds the counters of an order of battle by lines, from a file or (None) the words of the
    command; arrivals wait for their date."""
    if path is None:
        text = "\n".join(options.state)
    else:
        text = read_stdin() if path == Path("-") else read_text(path)
    desk = open_for_command(options)
    book = desk.view()
    lines = parse_order_lines(text, book.side, book.campaign, book.card, desk.figures.catalogue)
    if options.preview:
        for line in lines:
            print_output(f"{line.number} · {line.text} · {line.words}")
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
    values = parse_assignments(desk.view().campaign, options.id, options.fields)
    with print_new_log(desk):
        desk.run_command("edit", {"id": options.id, "set": values, "reason": options.reason})
    return DONE
