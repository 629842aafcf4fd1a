"""What `brt-cg aid` does: asks a play aid, which needs no campaign, and prints its answer."""

import json
from collections.abc import Sequence
from typing import Any

from brt_cg.aids.line import DiceEnd, Table, answer, read_line
from brt_cg.asks import Ask
from brt_cg.cli.talk import DONE, FINDINGS, MISSING, on_terminal, say, show, shown


def main(words: Sequence[str]) -> int:
    """Runs one aid; returns the exit status. Raises Refused."""
    options = read_line(words)
    try:
        found = answer(options, Table(typed=_typed, say=say))
    except DiceEnd as end:
        say(f"{end}; nothing was done")
        return MISSING
    if options.json:
        show(json.dumps(found.plain, ensure_ascii=False, indent=2))
    else:
        for line in found.lines:
            show(line)
    return FINDINGS if found.wrong else DONE


def _typed(ask: Ask[Any]) -> str | None:
    """What the player at the terminal types; None if there is no terminal."""
    if not on_terminal():
        return None
    return input(f"  {shown(ask.allowed)} (Enter: left to the program): ").strip()
