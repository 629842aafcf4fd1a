"""Whether a payload has the shape of an entry, so that whatever follows may rely on it."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from brt_cg.journal.entries import TIME_TRAVEL
from brt_cg.records import SIDES
from brt_cg.shapes import listed

Shape = Callable[[Any], bool]


def is_text(value: object) -> bool:
    return isinstance(value, str)


def is_number(value: object) -> bool:
    return type(value) is int


def is_object(value: object) -> bool:
    return isinstance(value, dict)


def _maybe(shape: Shape) -> Shape:
    return lambda value: value is None or shape(value)


def _list_of(shape: Shape) -> Shape:
    return lambda value: isinstance(value, list) and all(map(shape, value))


def _row_of(*shapes: Shape) -> Shape:
    def fits(value: Any) -> bool:
        whole = isinstance(value, list) and len(value) == len(shapes)
        return whole and all(shape(part) for shape, part in zip(shapes, value, strict=True))

    return fits


def _anything(value: object) -> bool:
    return True


def _is_side(value: object) -> bool:
    return value in SIDES


ALWAYS: dict[str, Shape] = {
    "kind": is_text,
    "by": is_text,
    "at": is_text,
    "rules": is_text,
    "call": is_number,
    "changes": _list_of(_row_of(is_text, is_text, is_text, _anything, _anything)),
    "rule": _maybe(is_text),
    "secret": _maybe(_is_side),
    "asked": _maybe(is_object),
    "ask": _maybe(is_object),
    "roll": _maybe(is_object),
}
ASK: dict[str, Shape] = {"rule": is_text, "subject": is_text, "kind": is_text, "side": _is_side}
ROLL: dict[str, Shape] = {
    "table": is_text,
    "dice": _list_of(is_number),
    "modifiers": _list_of(_row_of(is_number, is_text)),
    "original": is_number,
    "final": is_number,
    "row": is_text,
    "position": is_number,
    "date": is_text,
}
SOURCES = ("hand", "file", "app", "default")  # where an answer may come from
MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def problems(payload: Any, seq: int) -> Iterator[str]:
    """What is wrong with a payload as that of the entry numbered `seq`."""
    if not isinstance(payload, dict):
        yield "its payload is not an object"
        return
    wrong = list(_wrong(payload, ALWAYS, ""))
    if not wrong:
        wrong = [*_of_kind(payload, seq)]
    if wrong:
        yield f"its payload lacks {', '.join(wrong)}, or has it in another form"


def _wrong(values: dict[str, Any], shapes: dict[str, Shape], where: str) -> Iterator[str]:
    return (f"{where}{name}" for name, fits in shapes.items() if not fits(values.get(name)))


def _of_kind(payload: dict[str, Any], seq: int) -> Iterator[str]:
    kind = payload["kind"]
    if kind in TIME_TRAVEL:
        numbers = (payload.get("asked") or {}).get("entries")
        fitting = _list_of(lambda number: is_number(number) and 0 < number < seq)
        if not numbers or not fitting(numbers):
            yield "asked.entries"
    elif kind in ("begin", "skip") and payload.get("rule") is None:
        yield "rule"
    elif payload.get("ask") is None and (kind == "answer" or payload.get("roll") is not None):
        yield "ask"
    if payload.get("ask") is not None:
        yield from _wrong(payload["ask"], ASK, "ask.")
    if payload.get("roll") is not None:
        yield from _wrong(payload["roll"], ROLL, "roll.")


def oddities(payload: dict[str, Any]) -> Iterator[str]:
    """What is wrong with a payload of the right shape, though the entry can be read."""
    if not _is_moment(payload["at"]):
        yield f"its time {payload['at']!r} is none; a time is 2026-01-31T23:59:59Z, in UTC"
    source = payload.get("from")
    if payload["kind"] == "answer" and source not in SOURCES:
        yield f"its answer is from {source!r}; allowed: {listed(SOURCES)}"


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return MOMENT.fullmatch(text) is not None
