"""The command-line help: commands in groups, and suggestions for misspelled words."""

import argparse
import re
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any, NoReturn

from brt_cg.aids.options import EXAMPLES
from brt_cg.text import (
    nearest_name,
    quote_typed,
    shell_quote,
    truncate_long_words_and_lines,
    unknown_name_error,
)

GUIDE = Path(__file__).parent / "guide"
DOCUMENTS = "  {documents}"  # where a guide lists them

GROUPS = {  # every command once
    "Begin and open": ("open", "demo", "guide", "new", "serve"),
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
COLUMN = 14  # where the description of a command begins
WIDTH = 79
_CHOICE = re.compile(r"invalid choice: (?:'(.*?)'|(\S+)) \(choose from (.*)\)", re.DOTALL)
_LACKING = "the following arguments are required"


class BriefParser(argparse.ArgumentParser):
    """A parser that reports an error and its remedy in one line, quotes nothing long, and suggests
    the word that the player probably meant."""

    def error(self, message: str) -> NoReturn:
        where, _, wrong = message.removeprefix("argument ").partition(": ")
        if (found := _CHOICE.match(wrong)) is not None:
            word = found[1] or found[2] or ""
            wrong = str(
                unknown_name_error(
                    re.findall(r"[^\s',]+", found[3]), word, f"{quote_typed(word)} is not accepted"
                )
            )
        where = "missing" if where == _LACKING else where.rpartition("/")[2]
        said = f"{where}: {wrong}" if wrong else message
        self.exit(
            2, truncate_long_words_and_lines(f"{self.prog}: {said}; see {self.prog} --help") + "\n"
        )

    def refuse_words(self, words: Sequence[str]) -> NoReturn:
        """Refuse words that this command does not accept."""
        word = words[0].partition("=")[0]
        options = [name for name in self._option_string_actions if name.startswith("--")]
        if word.startswith("-"):
            self.error(str(unknown_name_error(options, word, f"there is no option {word}")))
        self.error(
            f"{quote_typed(word)} is one word too many; "
            "put quotes around several words that belong together"
        )


class MainParser(BriefParser):
    """The parser of the whole command line, whose help lists the commands in groups."""

    about: Mapping[str, str]  # the description of each command
    commands: Mapping[str, argparse.ArgumentParser]  # those that it can read

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read a command line. Each command refuses the words that it does not accept."""
        options, left = self.parse_known_args(args, namespace)
        command: Any = self.commands.get(options.command, self)
        if left:
            command.refuse_words(left)
        options.typed = {
            each.dest: (each.option_strings or [each.metavar or each.dest])[-1]
            for each in command._actions
        }
        return options

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


def is_only_campaign_or_mail(words: Sequence[str]) -> bool:
    """Whether a command line is nothing but a campaign or a mail."""
    if len(words) != 1 or words[0].startswith("-"):
        return False
    from brt_cg.files import CAMPAIGN_ENDING, MAIL_ENDING  # `--help` need not load it

    return "://" in words[0] or Path(words[0]).suffix.lower() in (CAMPAIGN_ENDING, MAIL_ENDING)


def unknown_command_text(word: str, known: Iterable[str]) -> str:
    """Return the message for a first word that is not a command."""
    names = [*known]
    wrong = f"there is no command {quote_typed(word)}"
    if near := nearest_name(word, names):
        return f"{wrong}; did you mean {near}?"
    if is_only_campaign_or_mail([word]):
        return f"{wrong}; did you mean brt-cg open {shell_quote(word)}?"
    return f"{wrong}; brt-cg --help lists the commands"


class CommandParser(BriefParser):
    """The parser of a command. The text below the options is read from `guide/` on demand; a part
    of that text that ends with two empty lines is printed above the options."""

    def format_help(self) -> str:
        first, _, self.epilog = guide_text(self).rpartition("\n\n\n")
        about = str(self.description).partition("\n\n")[0]
        self.description = f"{about}\n\n{first}".rstrip()
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()


def guide_text(parser: ArgumentParser) -> str:
    """Return a command's guide, with examples; it may be empty."""
    name = parser.prog.rpartition(" ")[2]
    if name == "aid":
        return EXAMPLES
    path = GUIDE / f"{name}.txt"
    text = path.read_text("utf-8") if path.exists() else ""
    return text.replace(DOCUMENTS, _documents()) if DOCUMENTS in text else text


def _documents() -> str:
    """List the documents that `export` makes, each in a few words, with its name on the screen if
    that differs."""
    from brt_cg.exports import ABOUT, NAMES  # imported here: other help needs no rules

    beside = " " * 19
    lines = []
    for name, about in ABOUT.items():
        called = NAMES[name]
        known = called.lower() in (name, name.replace("-", " "))
        told = about if known else f"{called}: {about}"
        lines.append(fill(f"  {name:<15}  {told}", 79, subsequent_indent=beside))
    return "\n".join(lines)
