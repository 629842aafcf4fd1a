"""The command line: arguments in, text out, nothing more.

Data goes to stdout, messages to stderr. Exit status: 0 done, 1 audit findings, 2 refused or
unusable input, 3 an answer is missing. The module of a command is imported when it is run, to keep
`--help` fast.
"""

import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module

from brt_cg.cli.helping import no_command
from brt_cg.cli.parser import command_line_parser
from brt_cg.cli.streams import accept_any_text

# The modules of the commands that are not in `commands`.
MODULES = {
    **{
        "ahead": "ahead",
        "aid": "aids",
        "audit": "auditing",
        "catalogue": "catalogue",
        "forecast": "forecast",
        "import": "importing",
        "refit": "refit",
    },
    **dict.fromkeys(("rulings", "agree", "decline", "withdraw"), "rulings"),
    **dict.fromkeys(("backups", "restore", "repair"), "keeping"),
    **dict.fromkeys(("send", "receive"), "mailing"),
    **dict.fromkeys(("reinforce", "drop", "edit"), "counters"),
    **dict.fromkeys(("new", "copy", "completion"), "beginning"),
    **dict.fromkeys(("allot", "buy", "draft", "purchases", "void"), "purchases"),
    **dict.fromkeys(("export", "explain"), "documents"),
    **dict.fromkeys(("home", "open", "serve", "demo"), "screens"),
    "status": "looking",
    "campaigns": "servers",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command, by default that of this process. Returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        accept_any_text(stream)
    words = sys.argv[1:] if arguments is None else [*arguments]
    parser = command_line_parser()
    if words and not words[0].startswith("-") and words[0] not in parser.commands:
        parser.exit(2, f"brt-cg: {no_command(words[0], parser.commands)}\n")
    options = parser.parse_args(words)
    # Imported here: `--help` waits for no rules.
    from brt_cg.cli.talk import guarded

    return guarded(verb_of(options.command or "home"), options)


def verb_of(command: str) -> Callable[[Namespace], int]:
    """The function that runs a command; `_` follows its name where Python has the same word."""
    found = vars(import_module(f"brt_cg.cli.{MODULES.get(command, 'commands')}"))
    verb: Callable[[Namespace], int] = found.get(f"{command}_") or found[command]
    return verb
