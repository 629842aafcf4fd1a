"""How answers, rolls and undos are written down in an entry."""

import json
from typing import Any

from brt_cg.answers import Raw, Refused
from brt_cg.dice import Outcome
from brt_cg.journal.entries import Entry
from brt_cg.refit.play import Said
from brt_cg.shapes import MOST

_encode = json.JSONEncoder(sort_keys=True, ensure_ascii=False).encode


def roll_record(outcome: Outcome) -> dict[str, Any]:
    """A roll as the journal keeps it: dice, modifiers with reasons, Final and table row."""
    return {
        "table": outcome.table_key,
        "dice": list(outcome.faces),
        "modifiers": [[modifier.amount, modifier.reason] for modifier in outcome.modifiers],
        "original": outcome.original,
        "final": outcome.final,
        "row": outcome.row.result,
    }


def as_recorded(raw: Raw) -> Raw:
    """What was asked or answered as it will be read back from the journal, keys in order: so the
    rules run afresh meet the very same thing. Raises Refused for a text that no file can hold."""
    if raw is None or isinstance(raw, int):
        return raw
    text = raw if type(raw) is str else _encode(raw)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Refused("a text holds half of a character") from None
    return raw if text is raw else json.loads(text)


def check_numbers(raw: Raw) -> None:
    """Raises Refused for a number in an answer that no counter and no total can have."""
    if isinstance(raw, float) or (isinstance(raw, int) and abs(raw) > MOST):
        raise Refused(f"{raw} is no number that may stand here; allowed: −{MOST} to {MOST}, whole")
    for part in raw.values() if isinstance(raw, dict) else raw if isinstance(raw, list) else ():
        check_numbers(part)


def travel_said(kind: str, about: list[Entry]) -> tuple[Said, ...]:
    """The lines of an undo or redo: one per line that it takes back or restores, so that a secret
    stays one."""
    verb = "taken back" if kind == "undo" else "done again"
    lines = [line for entry in about for line in entry.said]
    return tuple(Said(f"{verb}: {line.text}", line.about, line.secret) for line in lines)
