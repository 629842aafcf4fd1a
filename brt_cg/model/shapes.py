"""The shapes of a field's value, in JSON and as text (CSV cells, `edit` assignments), and the marks
for all other properties of a field.

The record classes name them next to the types of their fields. Each shape has `read(raw)`, which
converts a JSON value (its ValueError names the value found and the allowed ones), and
`parse(text)`, which turns text into JSON. `parse` never refuses: it leaves text that it cannot
convert unchanged, and `read` refuses that.
"""

import re
from enum import Enum, StrEnum, auto
from typing import Any

from brt_cg.board import OFF_MAP, grid, locations
from brt_cg.immutable import immutable
from brt_cg.text import (
    invisible_sign_problem,
    list_text,
    parse_whole_number,
    short_json,
    split_at_spaces_and_commas,
)

Raw = Any

RESERVED = ("marine", "japanese", "campaign", "winner", "first_move", "victor", OFF_MAP, "pier")
MOST = 9999
CONTROLS = "".join(map(chr, (*range(32), *range(127, 160))))  # refused as no text in one line
A_LOCATION = "a Location: a hex A1–Z63, a place in it (N21:1), or off_map"
_TYPED_HEX = re.compile(r"(^|^in |/)([A-Za-z]) ?(\d{1,2})(?=$|[:/])")
NO_HEX = "in N18, for the Setup Area that includes N18, if the hex is not known"


class FieldMark(Enum):
    """A property of a field, in addition to its shape."""

    REQUIRED = auto()  # required in a file, though a record can be made without it
    FOLLOWS = auto()  # when omitted, derived from the other fields
    KEPT = auto()  # identifies a counter: when omitted for a known counter, unchanged
    PRINTED = auto()  # printed on every counter of its type; None: not known
    FIXED = auto()  # never corrected
    OF_THE_PROGRAM = auto()  # not set by hand in the Refit Phase: the rules set it
    MAKES_DIGITS = auto()  # the digits of a Japanese MMC follow from it (G1.1)
    OWN = auto()  # known to the owner only
    OF_NO_SEAT = auto()  # shown to no seat
    SITE = auto()  # as secret as its counter's place
    WHERE = auto()  # reveals where a counter is
    SCENARIO = auto()  # entered for the scenario just played
    FACT = auto()  # entered for the campaign


@immutable
class Label:
    """The name of a field on the screen, if it differs from its name in files."""

    text: str


@immutable
class Shape:
    """The form of a field's value."""

    def read(self, raw: Raw) -> Any:
        """Return the value. Raises ValueError."""
        raise NotImplementedError

    def parse(self, text: str) -> Raw:
        """Return text as JSON."""
        return text.strip()


def not_allowed_error(raw: Raw, allowed: str) -> ValueError:
    """Return the error for a refused value."""
    return ValueError(f"{short_json(raw)} is not accepted; enter {allowed}")


def refuse_invisible_characters(raw: Raw) -> None:
    """Raise ValueError for text with an invisible character."""
    if isinstance(raw, str) and (wrong := invisible_sign_problem(raw, CONTROLS)):
        raise ValueError(wrong)


@immutable
class Text(Shape):
    """Free text: not empty, printable, without spaces at either end."""

    def read(self, raw: Raw) -> str:
        refuse_invisible_characters(raw)
        if isinstance(raw, str) and raw and raw.isprintable() and raw == raw.strip():
            return raw
        raise not_allowed_error(raw, "one line of text")


@immutable
class Id(Shape):
    """The id of a record, or another name of that form."""

    def read(self, raw: Raw) -> str:
        if not isinstance(raw, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", raw):
            raise not_allowed_error(raw, "an id of letters, digits, - _ . without spaces")
        if raw in RESERVED:
            raise not_allowed_error(raw, f"an id other than {list_text(RESERVED)}")
        return raw


@immutable
class Link(Id):
    """The id of another counter: `words` introduce it on the screen ("possessed by"), and `back` is
    the reverse ("possesses").

    `to` is its table; None: of any, in or out of play.
    """

    to: str | None
    words: str
    back: str | None = None


@immutable
class Flag(Shape):
    """True or false."""

    def read(self, raw: Raw) -> bool:
        if isinstance(raw, bool):
            return raw
        raise not_allowed_error(raw, "true or false")

    def parse(self, text: str) -> Raw:
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        return words.get(text.strip().lower(), text)


@immutable
class Number(Shape):
    """A whole number from `low` to `high`."""

    low: int = 0
    high: int = MOST

    def read(self, raw: Raw) -> int:
        # type() and not isinstance(): true is not a number.
        if type(raw) is int and self.low <= raw <= self.high:
            return raw
        raise not_allowed_error(raw, f"a whole number from {self.low} to {self.high}")

    def parse(self, text: str) -> Raw:
        number = parse_whole_number(text)
        return text if number is None else number


@immutable
class Word(Shape):
    """A word of an enum."""

    words: type[StrEnum]

    def read(self, raw: Raw) -> StrEnum:
        if isinstance(raw, str) and raw in list(self.words):
            return self.words(raw)
        raise not_allowed_error(raw, list_text(self.words))

    def parse(self, text: str) -> Raw:
        word = "_".join(text.casefold().split())
        return word if word in list(self.words) else text.strip()


@immutable
class ListOf(Shape):
    """A sorted list of strings; each is one of `words`, if there are any."""

    words: tuple[str, ...] = ()

    def read(self, raw: Raw) -> tuple[str, ...]:
        allowed = list_text(self.words) if self.words else "texts"
        if not isinstance(raw, list):
            raise not_allowed_error(raw, f"a list of {allowed}")
        for found in raw:
            refuse_invisible_characters(found)
        wrong = [found for found in raw if not self._allows(found)]
        if wrong:
            allowed = list_text(self.words) if self.words else "texts of one line each"
            raise ValueError(
                f"{', '.join(map(short_json, wrong))} is not accepted; enter {allowed}"
            )
        return tuple(sorted(set(raw)))

    def _allows(self, found: Raw) -> bool:
        if self.words:
            return isinstance(found, str) and found in self.words
        return isinstance(found, str) and bool(found.strip()) and found.isprintable()

    def parse(self, text: str) -> Raw:
        if not self.words:
            return split_at_spaces_and_commas(text)
        typed = split_at_spaces_and_commas(text.replace(";", " "))
        return [word.casefold() if word.casefold() in self.words else word for word in typed]


@immutable
class Place(Shape):
    """A Location; with `hexside`, a hexside is allowed too; with `area`, "in N18" for a hex that is
    not known."""

    hexside: bool = False
    area: bool = False

    def read(self, raw: Raw) -> str:
        if not isinstance(raw, str):
            raise not_allowed_error(raw, f"{A_LOCATION}; or {NO_HEX}" if self.area else A_LOCATION)
        if self.hexside and "/" in raw:
            return grid.normalize_hexside(raw)
        if self.area and locations.is_area_only_location(raw):
            return locations.area_only_location(locations.check_hex(raw.removeprefix(locations.IN)))
        return locations.check_location(raw)

    def parse(self, text: str) -> Raw:
        """Return text as JSON, with its hexes in capitals: "n18/n19", "o 20:pb-1"."""
        text = text.strip()
        if "_".join(text.casefold().split()) == OFF_MAP:
            return OFF_MAP
        return _TYPED_HEX.sub(lambda hex: f"{hex[1]}{hex[2].upper()}{hex[3]}", text)


@immutable
class Arc(Shape):
    """A Covered Arc: two hexes, or none."""

    def read(self, raw: Raw) -> tuple[str, ...]:
        if not isinstance(raw, list) or not all(isinstance(hex, str) for hex in raw):
            raise not_allowed_error(raw, "a list of two hexes")
        hexes = tuple(sorted({locations.check_hex(hex) for hex in raw}, key=locations.hex_sort_key))
        if len(hexes) != len(raw) or len(hexes) not in (0, 2):
            raise not_allowed_error(raw, "two different hexes")
        return hexes

    def parse(self, text: str) -> Raw:
        return split_at_spaces_and_commas(text)
