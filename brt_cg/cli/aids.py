"""The command `brt-cg aid`: asks a play aid and prints its answer, which a campaign may keep."""

import argparse
from typing import Any

from brt_cg.aids.line import AidReply, AidTable, DiceEnd, answer
from brt_cg.aids.outcomes import edit_of
from brt_cg.cli.talk import DONE, FINDINGS, MISSING, on_terminal, say, show, show_json
from brt_cg.questions.answers import Refused
from brt_cg.questions.asks import Ask
from brt_cg.service.desk import Desk
from brt_cg.storage.place import place_of


def aid(options: argparse.Namespace) -> int:
    desk = Desk.open(place_of(options.campaign)) if options.campaign else None
    try:
        units = desk.book().campaign.units if desk else {}
        found = answer(options, AidTable(typed=_typed, say=say, find=units.get))
    except DiceEnd as end:
        say(f"{end}; nothing was done")
        return MISSING
    entered = _entered(options, found, desk)
    if desk is not None and found.noted:
        line = " ".join([options.aid, *options.words])
        kept = {"line": line, "said": list(found.lines), "unit": found.unit}
        correction = [("edit", entered)] if entered is not None else []
        desk.at_once([*correction, ("aid", kept)])
    if options.json:
        show_json(found.plain)
    else:
        for text in found.lines:
            show(text)
    return FINDINGS if found.wrong else DONE


def _entered(
    options: argparse.Namespace, found: AidReply, desk: Desk | None
) -> dict[str, Any] | None:
    """The correction that --enter asks for, if anything changes. Raises Refused if it is unclear
    what to enter."""
    if not options.enter:
        return None
    if desk is None or found.unit is None:
        raise Refused("--enter needs --campaign FILE, and the id of one of its units in the words")
    if len(found.results) > 1:
        raise Refused("--enter needs one result: say whether it fails, exceeds its ELR, …")
    if not found.results:
        return None
    (result,) = found.results
    values = edit_of(result, desk.book().campaign.units[found.unit])
    reason = f"{result.row.rule}: {result.row.text}"
    return None if values is None else {"id": found.unit, "set": values, "reason": reason}


def _typed(ask: Ask[Any]) -> str | None:
    """The text that the player types at the terminal; None if there is no terminal."""
    if not on_terminal():
        return None
    return input(f"  {ask.allowed_text} (Enter: left to the program): ").strip()
