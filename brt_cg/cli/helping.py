"""The help of the command line: its commands in groups, and the word that was probably meant."""

import argparse
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import fill
from typing import NoReturn

from brt_cg.text import abridged, nearest, shown

GROUPS = {  # every command once
    "Begin and open": ("open", "demo", "new", "serve"),
    "Play the Refit Phase": ("refit", "answer", "undo", "redo", "ahead"),
    "Between the sides": ("agree", "decline", "withdraw"),
    "Enter what happened": (
        "import",
        "end",
        "reinforce",
        "drop",
        "deploy",
        "edit",
        "rulings",
        "note",
    ),
    "Buy": ("purchases", "buy", "void", "draft", "allot"),
    "Look": ("status", "explain", "forecast", "export", "aid", "catalogue"),
    "By mail or on a server": ("send", "receive", "campaigns", "copy"),
    "Keep safe": ("audit", "backups", "restore", "repair"),
    "For your shell": ("completion",),
}
COLUMN = 14  # where what a command does begins
WIDTH = 79
_CHOICE = re.compile(r"invalid choice: (?:'(.*?)'|(\S+)) \(choose from (.*)\)", re.DOTALL)


class BriefParser(argparse.ArgumentParser):
    """A parser that quotes nothing at great length, and suggests what was probably meant."""

    def error(self, message: str) -> NoReturn:
        found = _CHOICE.search(message)
        if found is not None:
            allowed = re.findall(r"[^\s',]+", found[3])
            message += meant(found[1] or found[2] or "", allowed)
        super().error(abridged(message))


class MainParser(BriefParser):
    """The parser of the whole command line, whose help lists the commands in groups."""

    about: Mapping[str, str]  # what each command does
    commands: Mapping[str, argparse.ArgumentParser]  # those that it can read

    def format_help(self) -> str:
        groups = [
            "\n".join([f"{title}:", *map(self._line, names)]) for title, names in GROUPS.items()
        ]
        ways = ("[COMMAND …]", "COMMAND --help", "--version")
        usage = "usage: " + "\n       ".join(f"{self.prog} {way}" for way in ways)
        return "\n\n".join([usage, str(self.description), *groups, str(self.epilog)]) + "\n"

    def _line(self, name: str) -> str:
        text = f"  {name:<{COLUMN - 2}}{self.about[name]}"
        return fill(text, WIDTH, subsequent_indent=" " * COLUMN)


def meant(word: str, known: Iterable[str]) -> str:
    """The question for the word that was probably meant, after a message; "" if none is alike."""
    near = nearest(word.lower(), known)
    return f"; did you mean {near}?" if near else ""


def no_command(word: str, known: Iterable[str]) -> str:
    """The message for a first word that is no command."""
    names = [*known]
    wrong = f"there is no command {shown(word)}"
    if question := meant(word, names):
        return wrong + question
    if Path(word).suffix == ".brt" or "://" in word:
        return f"{wrong}; did you mean brt-cg open {word}?"
    return f"{wrong}; brt-cg --help lists the commands"
