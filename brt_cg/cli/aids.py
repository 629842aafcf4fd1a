"""The `brt-cg aid` command, which asks a question of a play aid and prints the answer; the answer
can be stored in a campaign."""

import argparse
from typing import Any

from brt_cg.aids.line import AidPlayer, AidReply, OutOfDiceError, answer_line
from brt_cg.aids.outcomes import edit_for_result
from brt_cg.cli.console import (
    DONE,
    FINDINGS,
    MISSING,
    is_terminal,
    open_for_command,
    print_error,
    print_json,
    print_output,
)
from brt_cg.questions import Question, RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage.place import parse_place


def aid(options: argparse.Namespace) -> int:
    desk = None
    if options.campaign:
        options.file = parse_place(options.campaign)
        desk = open_for_command(options)
    try:
        units = desk.view().campaign.units if desk else {}
        found = answer_line(options, AidPlayer(typed=_typed, say=print_error, find=units.get))
    except OutOfDiceError as end:
        print_error(f"{end}; nothing was done")
        return MISSING
    entered = _entered(options, found, desk)
    if desk is not None and found.noted:
        line = " ".join([options.aid, *options.words])
        kept = {"line": line, "said": list(found.lines), "unit": found.unit}
        correction = [("edit", entered)] if entered is not None else []
        desk.run_as_one_invocation([*correction, ("aid", kept)])
    if options.json:
        print_json(found.plain)
    else:
        for text in found.lines:
            print_output(text)
    return FINDINGS if found.wrong else DONE


def _entered(
    options: argparse.Namespace, found: AidReply, desk: OpenCampaign | None
) -> dict[str, Any] | None:
    """Return the correction that --enter makes; None if nothing changes. Raises RefusedError if the
    result to enter is unclear."""
    if not options.enter:
        return None
    if desk is None or found.unit is None:
        raise RefusedError(
            "--enter needs --campaign FILE, and the name of one of its units in WORDS"
        )
    if len(found.results) > 1:
        raise RefusedError(
            "--enter needs one definite result: add whether the unit fails, exceeds its ELR, …"
        )
    if not found.results:
        return None
    (result,) = found.results
    values = edit_for_result(result, desk.view().campaign.units[found.unit])
    reason = f"{result.row.rule}: {result.row.text}"
    return None if values is None else {"id": found.unit, "set": values, "reason": reason}


def _typed(ask: Question[Any]) -> str | None:
    """Return the text that the player types at the terminal; None if there is no terminal."""
    if not is_terminal():
        return None
    return input(f"  {ask.allowed_text} (Enter: the program decides): ").strip()
