"""The Wave at the beginning of a line of an order of battle, or alone above the lines of its
counters (T15.13): "Wave 2 (2/8, Red Two, turn 2):", "2nd Wave, 2/8 on Red Beach 2:", "Turn 3:"."""

import re

from brt_cg.board import locations
from brt_cg.card import Wave
from brt_cg.text import NotUnderstoodError, TextSlice

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_NTH = rf"\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(_ORDINALS)}"
_NAME = r"[\w/&.+]+(?:\s?[-–&]\s?\d{1,2}(?![\w/]))?"
_TURN = r"(?:(?:game\s+)?turn|gt)\s*\d{1,2}"
# What a heading may say after the name of its Wave; a colon ends it.
_MORE = rf"(?:\s*[,;(\[][^:]*|\s+(?:on|at|[-–—]|{_TURN}|red|green|black|beach)(?!\w)[^:]*)?"
HEADING = rf"(?:(?:waves?\s+{_NAME}|(?:{_NTH})\s+wave|{_TURN}){_MORE})"
_PARTS = re.compile(
    rf"(?:waves?\s+(?P<name>{_NAME})|(?P<nth>{_NTH})\s+wave|(?={_TURN}))(?P<more>.*)",
    re.IGNORECASE,
)
_PART = re.compile(r"(?:(?!\s(?:on|at|[-–—])\s)[^,;()\[\]])+", re.IGNORECASE)
_OPENS = re.compile(r"(?:on|at|[-–—])\s+", re.IGNORECASE)
_ONE_TURN = re.compile(r"(?:(?:(?:game\s+)?turn|gt)\s*)(\d{1,2})", re.IGNORECASE)
_TURN_AFTER = re.compile(rf"(.+?)\s+({_TURN})", re.IGNORECASE)
_A_TURN = re.compile(r"(?:game\s+)?turns?\b", re.IGNORECASE)
_COUNTERS = re.compile(r"\d+\s*[x×]\s*\S|\d-\d-\d|\d{3}(?!\d)|(?:[6-9]|10)[-+]\d\b", re.IGNORECASE)
_HEXES = re.compile(r"[a-z]{1,2}\d{1,2}(?:\s*(?:[-–/&]|to|and)\s*[a-z]{1,2}\d{1,2})*")
_SAYS_NOTHING = ("beach", "the", "entry", "area", "hex", "hexes")


def parse_wave(text: TextSlice) -> Wave:
    """Return the Wave in the words of a heading. Raises NotUnderstoodError."""
    found = _PARTS.fullmatch(text)
    if found is None:
        raise NotUnderstoodError(text, "no Wave; write Wave 2 (2/8, Red Two, turn 3):")
    name: str | None = found["name"]
    if nth := found["nth"]:
        name = str(_ORDINALS.index(nth.lower()) + 1) if nth.lower() in _ORDINALS else nth[:-2]
    turn: int | None = None
    formations, areas = list[str](), list[str]()
    for part in _parts(text.cut_and_strip(found.start("more"))):
        if (number := parse_turn(part)) is not None:
            if turn is not None:
                raise NotUnderstoodError(part, "has two turns; enter one")
            turn = number
        elif _COUNTERS.match(part):
            raise NotUnderstoodError(part, "counters come after a colon: Wave 2: 4 x 6-6-8")
        elif (area := parse_entry_area(part)) is not None:
            areas.append(area)
        else:
            formations.append(str(part))
    return Wave(name, ", ".join(formations) or None, ", ".join(areas) or None, turn)


def _parts(text: TextSlice) -> list[TextSlice]:
    """Return the words after the name, split at commas, at brackets, and before "on" and "turn
    3"."""
    found: list[TextSlice] = []
    for span in _PART.finditer(text):
        part = text.cut_and_strip(*span.span())
        opens = _OPENS.match(part)
        part = part.cut_and_strip(opens.end()) if opens else part
        after = _TURN_AFTER.fullmatch(part)
        found += (
            [part.cut_and_strip(*after.span(1)), part.cut_and_strip(*after.span(2))]
            if after
            else [part]
        )
    return [part for part in found if part]


def parse_turn(text: TextSlice, bare: bool = False) -> int | None:
    """Return the turn in "turn 3"; with `bare`, also in "3"; None for any other text. Raises
    NotUnderstoodError."""
    found = _ONE_TURN.fullmatch(text) or (re.fullmatch(r"()?(\d{1,2})", text) if bare else None)
    number = int(found[found.lastindex or 1]) if found else 0
    if number:
        return number
    if found or bare or _A_TURN.match(text):
        raise NotUnderstoodError(text, "no turn; write turn 3")
    return None


def parse_entry_area(text: str) -> str | None:
    """Return the Entry Area that the text names: a beach ("Red Beach 2"), a hex or a range of
    hexes, or a pier; None for any other text."""
    numbers = {"1": "one", "2": "two", "3": "three"}
    words = text.casefold().replace("-", " ").replace("_", " ").split()
    beach = " ".join(numbers.get(word, word) for word in words if word not in _SAYS_NOTHING)
    if beach in {section.replace("_", " ") for section in locations.beach_sections()}:
        return beach.title()
    hexes = " ".join(word for word in text.casefold().split() if word not in _SAYS_NOTHING)
    is_named = "pier" in words or words[:1] in (["entry"], ["area"])
    return text if is_named or _HEXES.fullmatch(hexes) else None
