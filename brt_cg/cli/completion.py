"""Shell completion and the man page, both made from the parser of the command line.

It runs when the wheel is built, with only the build requirements installed.
"""

import argparse
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from brt_cg.board import beach_sections
from brt_cg.card import load_card
from brt_cg.cli.arguments import place_argument
from brt_cg.cli.help import GROUPS, guide_text
from brt_cg.cli.options import SIDES
from brt_cg.exports import DOCUMENTS
from brt_cg.purchases.totals import ISLAND

FILES = (Path, place_argument)  # types of arguments that are completed with files
EXIT_STATUS = (
    ("0", "done"),
    ("1", "done, but something is wrong: what an audit found, or a repair lost"),
    ("2", "refused; nothing was changed"),
    ("3", "an answer is missing"),
)


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the completion script of a shell. Raises ModuleNotFoundError where shtab is
    missing."""
    import shtab

    offered, lent = _offered(), []
    for name, (_, command) in subcommands_of(parser).items():
        for action in _arguments(command):
            if action.type in FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
            elif (name, action.dest) in offered:
                action.choices = offered[name, action.dest]
                lent.append(action)
    try:
        return shtab.complete(parser, shell=shell)
    finally:
        for action in lent:  # the parser accepts any value; the command refuses unknown ones
            action.choices = None


def _offered() -> dict[tuple[str, str], Sequence[str]]:
    """Return the completions of arguments that the parser does not restrict, by command and
    name."""
    beaches = (*sorted(beach_sections()), ISLAND)
    return {
        ("allot", "beach"): beaches,
        ("buy", "beach"): beaches,
        ("buy", "item"): tuple(load_card("III").prices),
        ("buy", "side"): SIDES,
        ("export", "format"): tuple(dict.fromkeys(chain.from_iterable(DOCUMENTS.values()))),
        ("export", "what"): (*DOCUMENTS, "vsav"),
    }


def subcommands_of(
    parser: argparse.ArgumentParser,
) -> dict[str, tuple[str, argparse.ArgumentParser]]:
    """Return the commands, each with its one line of help and its parser."""
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    helps = {choice.dest: choice.help or "" for choice in commands._get_subactions()}
    return {name: (helps[name], command) for name, command in commands.choices.items()}


def _arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the arguments and options, without the commands."""
    return [a for a in parser._actions if not isinstance(a, argparse._SubParsersAction)]


# --- the man page ---------------------------------------------------------------------------------


def man_page(parser: argparse.ArgumentParser, version: str) -> str:
    """Build the man page, in roff."""
    lines = [f'.TH BRT-CG 1 "" "brt-cg {version}"', ".SH NAME", f"brt\\-cg \\- {_about(parser)}"]
    lines += [".SH SYNOPSIS", ".B brt\\-cg", "[COMMAND] [FILE] ...", ".SH DESCRIPTION"]
    lines += [_roff(f"{parser.description} {parser.epilog}"), ".SH OPTIONS"]
    lines += _entries(parser)
    lines.append(".SH COMMANDS")
    commands = subcommands_of(parser)
    for name in (name for names in GROUPS.values() for name in names):
        text, command = commands[name]
        usage = " ".join(command.format_usage().split()).removeprefix("usage: ")
        lines += [f".SS {_roff(name)}", _roff(usage), ".PP", _roff(text), *_entries(command)]
        if text := guide_text(command):
            lines += [".PP", ".nf", *map(_roff, text.splitlines()), ".fi"]
    lines.append(".SH EXIT STATUS")
    for status, meaning in EXIT_STATUS:
        lines += [".TP", f".B {status}", _roff(meaning)]
    return "\n".join(lines) + "\n"


def _about(parser: argparse.ArgumentParser) -> str:
    text = (parser.description or "").rstrip(".")
    return _roff(text[:1].lower() + text[1:])


def _entries(parser: argparse.ArgumentParser) -> list[str]:
    """Build an entry for each argument with a help text."""
    lines: list[str] = []
    for action in _arguments(parser):
        if action.help:
            names = ", ".join(action.option_strings)
            choices = "{" + ",".join(map(str, action.choices)) + "}" if action.choices else ""
            value = action.metavar or choices or action.dest.upper()
            name = names or value
            if names and action.nargs != 0:
                name = f"{names} {value}"
            help = action.help.replace("%%", "%")  # as argparse shows it
            lines += [".TP", f".B {_roff(str(name))}", _roff(help)]
    return lines


def _roff(text: str) -> str:
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    plain = "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in plain)
    return "\\&" + plain if plain.startswith((".", "'")) else plain
