"""The command line: arguments in, text out, nothing more.

Data goes to stdout, messages to stderr. Exit status: 0 done, 1 audit findings, 2 refused or
unusable input, 3 an answer is missing. The module of a command is imported when it is run, to keep
`--help` fast.
"""

import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module

from brt_cg.cli.help import MainParser, is_only_campaign_or_mail, unknown_command_text
from brt_cg.cli.parser import COMMANDS, command_line_parser
from brt_cg.cli.streams import accept_any_text

# The modules of the commands that are not in `commands`.
MODULES = {
    **{
        "ahead": "early_answers",
        "aid": "aids",
        "audit": "audit",
        "catalogue": "catalogue",
        "forecast": "forecast",
        "import": "scenario_end",
        "end": "scenario_end",
        "refit": "refit",
    },
    **dict.fromkeys(("rulings", "agree", "decline", "withdraw"), "rulings"),
    **dict.fromkeys(("backups", "restore", "repair"), "backups"),
    **dict.fromkeys(("send", "receive"), "mail"),
    **dict.fromkeys(("reinforce", "drop", "deploy", "edit"), "counters"),
    **dict.fromkeys(("new", "copy", "completion"), "create"),
    **dict.fromkeys(("allot", "buy", "draft", "purchases", "void"), "purchases"),
    **dict.fromkeys(("export", "explain", "guide"), "documents"),
    **dict.fromkeys(("home", "open", "serve", "demo"), "screens"),
    "status": "status",
    "campaigns": "servers",
}


# The beginnings of command lines without a command.
NO_COMMAND: tuple[list[str], ...] = ([], ["-h"], ["--help"], ["--version"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, by default the one on the command line of this process. Return the exit
    status."""
    return load_command(sys.argv[1:] if arguments is None else arguments)()


def load_command(words: Sequence[str]) -> Callable[[], int]:
    """Load the command in a command line. Return a function that runs it and returns its exit
    status. Raises SystemExit if help is requested, or if the command line is wrong."""
    for stream in (sys.stdout, sys.stderr):
        accept_any_text(stream)
    if (
        words and words[0] not in COMMANDS and is_only_campaign_or_mail(words)
    ):  # a double-click, or a file dropped on the program
        words = ["open", *words]
    options = _parser_for(words).parse_args(words)
    # Imported here: `--help` needs no rules.
    from brt_cg.cli.console import run_and_report_errors

    return partial(run_and_report_errors, command_function(options.command or "home"), options)


def _parser_for(words: Sequence[str]) -> MainParser:
    """Build a parser for only the command at the beginning of a command line."""
    if [*words[:1]] in NO_COMMAND:
        return command_line_parser(())
    if words[0] in COMMANDS:
        return command_line_parser((words[0],))
    parser = command_line_parser()
    if not words[0].startswith("-"):
        parser.exit(2, f"brt-cg: {unknown_command_text(words[0], COMMANDS)}\n")
    return parser


def command_function(command: str) -> Callable[[Namespace], int]:
    """Return the function that runs a command. The function has the command's name, followed by `_`
    if that is a Python keyword."""
    found = vars(import_module(f"brt_cg.cli.{MODULES.get(command, 'commands')}"))
    verb: Callable[[Namespace], int] = found.get(f"{command}_") or found[command]
    return verb
