"""The shapes that a field's value may have, in JSON and as text (CSV cells, `edit` assignments).

Each shape has `read(raw)`, the value of a JSON one (ValueError says what was found and what is
allowed), and `parse(text)`, the JSON value of a text. `parse` never refuses: what it cannot convert
stays a text, which `read` then refuses.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from brt_cg import board
from brt_cg.campaign import lowest_first
from brt_cg.commands.problems import listed, shown
from brt_cg.counters import OFF_MAP

Raw = Any

RESERVED = ("marine", "japanese", "campaign", "winner", "first_move", OFF_MAP, "pier")
MOST = 9999


class Shape(Protocol):
    """How a field's value is read."""

    def read(self, raw: Raw) -> Any:
        """The value. Raises ValueError."""
        ...

    def parse(self, text: str) -> Raw:
        """A text as JSON."""
        ...


def not_allowed(raw: Raw, allowed: str) -> ValueError:
    """The refusal of a value."""
    return ValueError(f"found {shown(raw)}; allowed: {allowed}")


@dataclass(frozen=True, slots=True)
class Text:
    """Free text: not empty, printable, no blanks at its ends."""

    def read(self, raw: Raw) -> str:
        if isinstance(raw, str) and raw and raw.isprintable() and raw == raw.strip():
            return raw
        raise not_allowed(raw, "a text in one line")

    def parse(self, text: str) -> Raw:
        return text.strip()


@dataclass(frozen=True, slots=True)
class Id:
    """The id of a counter, or another name of that form."""

    def read(self, raw: Raw) -> str:
        if not isinstance(raw, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", raw):
            raise not_allowed(raw, "an id of letters, digits, - _ . without spaces")
        if raw in RESERVED:
            raise not_allowed(raw, f"an id other than {listed(RESERVED)}")
        return raw

    def parse(self, text: str) -> Raw:
        return text.strip()


@dataclass(frozen=True, slots=True)
class Flag:
    """true or false."""

    def read(self, raw: Raw) -> bool:
        if isinstance(raw, bool):
            return raw
        raise not_allowed(raw, "true or false")

    def parse(self, text: str) -> Raw:
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        return words.get(text.strip().lower(), text)


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `low` to `high`."""

    low: int = 0
    high: int = MOST

    def read(self, raw: Raw) -> int:
        # type() and not isinstance(): true is no number.
        if type(raw) is int and self.low <= raw <= self.high:
            return raw
        raise not_allowed(raw, f"a whole number from {self.low} to {self.high}")

    def parse(self, text: str) -> Raw:
        written = text.strip().replace("−", "-")
        return int(written) if re.fullmatch(r"[+-]?[0-9]{1,9}", written) else text


@dataclass(frozen=True, slots=True)
class One:
    """One of an enum's values."""

    kind: type[StrEnum]

    def read(self, raw: Raw) -> StrEnum:
        if isinstance(raw, str) and raw in list(self.kind):
            return self.kind(raw)
        raise not_allowed(raw, listed(self.kind))

    def parse(self, text: str) -> Raw:
        return text.strip()


@dataclass(frozen=True, slots=True)
class Many:
    """A list of texts, kept sorted; each of `options`, if there are any."""

    options: tuple[str, ...] = ()

    def read(self, raw: Raw) -> tuple[str, ...]:
        if not isinstance(raw, list):
            raise not_allowed(raw, f"a list of {listed(self.options) if self.options else 'texts'}")
        wrong = [one for one in raw if not self._allows(one)]
        if wrong:
            allowed = listed(self.options) if self.options else "texts in one line"
            raise ValueError(f"found {', '.join(map(shown, wrong))}; allowed: {allowed}")
        return tuple(sorted(set(raw)))

    def _allows(self, one: Raw) -> bool:
        if self.options:
            return isinstance(one, str) and one in self.options
        return isinstance(one, str) and bool(one.strip()) and one.isprintable()

    def parse(self, text: str) -> Raw:
        return text.replace(",", " ").split()


@dataclass(frozen=True, slots=True)
class Place:
    """A Location; with `hexside`, a hexside too."""

    hexside: bool = False

    def read(self, raw: Raw) -> str:
        if not isinstance(raw, str):
            raise not_allowed(raw, "a Location: a hex A1–Z63, a place in it (N21:1), or off_map")
        if self.hexside and "/" in raw:
            return board.check_hexside(raw)
        return board.check_location(raw)

    def parse(self, text: str) -> Raw:
        return text.strip()


@dataclass(frozen=True, slots=True)
class Arc:
    """A Covered Arc: two hexes, or none."""

    def read(self, raw: Raw) -> tuple[str, ...]:
        if not isinstance(raw, list) or not all(isinstance(one, str) for one in raw):
            raise not_allowed(raw, "a list of two hexes")
        hexes = lowest_first({board.check_hex(one) for one in raw})
        if len(hexes) != len(raw) or len(hexes) not in (0, 2):
            raise not_allowed(raw, "two different hexes")
        return hexes

    def parse(self, text: str) -> Raw:
        return text.replace(",", " ").split()


def perimeters_problem(perimeters: Iterable[Iterable[str]]) -> list[tuple[int, str]]:
    """Where perimeters share a hex: (index, what is wrong)."""
    taken: dict[str, int] = {}
    wrong = []
    for index, hexes in enumerate(perimeters):
        for one in hexes:
            first = taken.setdefault(one, index)
            if first != index:
                wrong.append(
                    (index, f"{one} is in perimeters[{first}] too; allowed: each hex once")
                )
    return wrong
