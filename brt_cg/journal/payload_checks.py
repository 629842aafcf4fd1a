"""The check that a payload has the shape of an entry, so that all later code may rely on it."""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any

from brt_cg.journal.entries import TIME_TRAVEL
from brt_cg.journal.rules_version import VERSION
from brt_cg.model import FORMS, SIDES, Seat
from brt_cg.questions import SOURCES
from brt_cg.text import list_text

# The form of a value: a type, or one of several; a member of a set; a list, [form];
# or a tuple of this length, (form, form).
Form = Any

ALWAYS: dict[str, Form] = {
    **{"kind": str, "by": str, "at": str, "rules": str, "call": int},
    "changes": [(str, str, str, object, object)],
    "rule": str | None,
    "secret": {None, *SIDES},
    "form": {None, *FORMS[1:]},
    "seat": {None, *Seat},
    "seed": str | None,
    **dict.fromkeys(("asked", "ask", "roll"), dict | None),
}
ASK: dict[str, Form] = {"rule": str, "subject": str, "kind": str, "side": {*SIDES}}
ROLL: dict[str, Form] = {
    **{"table": str, "dice": [int], "modifiers": [(int, str)], "original": int, "final": int},
    **{"row": str, "position": int, "date": str},
}
OF_FORM_2 = {str(number) for number in range(17, VERSION + 1)}  # versions that do not know form 1
MOST = 2**63  # a whole number below it can be stored
MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def payload_problems(payload: Any, seq: int) -> Iterator[str]:
    """Yield the problems of the payload of the entry numbered `seq`."""
    if not isinstance(payload, dict):
        yield "its payload is not an object"
        return
    wrong = list(_wrong(payload, ALWAYS, ""))
    if not wrong:
        wrong = [*_of_kind(payload, seq)]
    if wrong:
        yield f"incomplete or in the wrong format ({', '.join(wrong)})"


def _wrong(values: dict[str, Any], forms: dict[str, Form], where: str) -> Iterator[str]:
    return (
        f"{where}{name}" for name, form in forms.items() if not matches_form(values.get(name), form)
    )


def matches_form(value: Any, form: Form) -> bool:
    """Whether a value has the required form."""
    if isinstance(form, list):
        return isinstance(value, list) and all(matches_form(part, form[0]) for part in value)
    if isinstance(form, tuple):
        whole = isinstance(value, list) and len(value) == len(form)
        return whole and all(map(matches_form, value, form))
    if isinstance(form, set):
        return any(value == choice for choice in form)
    if form is int:
        return type(value) is int and -MOST <= value < MOST
    return isinstance(value, form)


def _of_kind(payload: dict[str, Any], seq: int) -> Iterator[str]:
    kind = payload["kind"]
    if kind in TIME_TRAVEL:
        numbers = (payload.get("asked") or {}).get("entries")
        if (
            not numbers
            or not matches_form(numbers, [int])
            or not all(0 < at < seq for at in numbers)
        ):
            yield "asked.entries"
    elif kind in ("begin", "skip") and payload.get("rule") is None:
        yield "rule"
    elif payload.get("ask") is None and (kind == "answer" or payload.get("roll") is not None):
        yield "ask"
    if payload.get("ask") is not None:
        yield from _wrong(payload["ask"], ASK, "ask.")
    if payload.get("roll") is not None:
        yield from _wrong(payload["roll"], ROLL, "roll.")
        if payload["roll"].get("dice") == []:
            yield "roll.dice"


def payload_oddities(payload: dict[str, Any]) -> Iterator[str]:
    """Yield the problems of a payload of the right shape, although its entry can be read."""
    if "form" not in payload and (number := payload["rules"].partition(" ")[0]) in OF_FORM_2:
        yield f"it is in format 1, but version {number} of the program's rules writes format 2"
    if not _is_moment(payload["at"]):
        yield (
            f"its time {payload['at']!r} is not valid; a time looks like "
            f"2026-01-31T23:59:59Z, in UTC"
        )
    source = payload.get("from")
    if payload["kind"] == "answer" and source not in [*SOURCES]:
        yield f"its answer is from {source!r}, but must be from {list_text(SOURCES)}"
    if payload.get("seed") is not None and (payload.get("roll") is None or source != "app"):
        yield "it has a seed, but no dice rolled by the program"


@lru_cache(maxsize=1)  # entries of one invocation have the same time
def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return MOMENT.fullmatch(text) is not None
