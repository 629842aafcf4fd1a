"""The symbols that the screen draws, and the plain ones for terminals that lack them."""

import sys
from collections.abc import Mapping
from enum import StrEnum

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from brt_cg import resources
from brt_cg.model import Side
from brt_cg.text import replace_invisible

SIGNS = {Side.MARINE: "★", Side.JAPANESE: "●"}
VARIABLE = "BRT_CG_SIGNS"
WIDE_IN = ("ja", "ko", "zh")  # languages whose terminals may give a symbol two cells
_TABLE = resources.read_toml_cached(resources.SIGNS)
PLAIN = {sign: plain for plain, signs in _TABLE["plain"].items() for sign in signs}
PAIRS: Mapping[str, str] = _TABLE["pairs"]
_TRANSLATED = str.maketrans(PLAIN | {"\N{NO-BREAK SPACE}": " "})


class SignSet(StrEnum):
    """The sets of symbols."""

    FULL = "full"
    PLAIN = "plain"


def choose_sign_set(
    wanted: str | None, environ: Mapping[str, str], system: str = sys.platform
) -> SignSet:
    """Return the set of symbols to draw: the one in the environment, else the one that the player
    `wanted`, else plain symbols if the terminal is the old console of Windows, or may give a symbol
    two cells."""
    for name in (environ.get(VARIABLE, ""), wanted):
        if name in list(SignSet):
            return SignSet(name)
    old = system == "win32" and not environ.keys() & {"WT_SESSION", "TERM_PROGRAM"}
    locale = next(filter(None, map(environ.get, ("LC_ALL", "LC_CTYPE", "LANG"))), "")
    return SignSet.PLAIN if old or locale.startswith(WIDE_IN) else SignSet.FULL


def with_plain_signs(text: str) -> str:
    """Return text in plain symbols, with the width unchanged."""
    if text.isascii():
        return text
    for pair, drawn in PAIRS.items():
        text = text.replace(pair, drawn)
    return text.translate(_TRANSLATED)


def without_invisible_characters(text: str) -> str:
    """Return text without invisible characters, which a terminal might obey; its width is
    unchanged."""
    return replace_invisible(text, lambda sign: " " * cell_len(sign))


class InvisibleCharacterFilter(LineFilter):
    """A filter that removes invisible characters, because text may come from the opponent."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the lines without invisible characters; those that control the terminal are
        kept."""
        return [
            segment
            if segment.control
            else Segment(without_invisible_characters(segment.text), segment.style)
            for segment in segments
        ]


class PlainSignsFilter(LineFilter):
    """A filter that draws all text in plain symbols."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the lines in plain symbols."""
        return [
            Segment(with_plain_signs(text), style, control) for text, style, control in segments
        ]
