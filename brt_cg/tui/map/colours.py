"""The colours of the map: a tint for each kind of ground and its holder, in three shades, so that
neighbours always differ.

A terminal of 256 colours would merge the shades, so it has a table of its own. Without colours each
shade is a pattern.
"""

from enum import StrEnum
from functools import cache
from pathlib import Path

from brt_cg.board.locations import TerrainType
from brt_cg.model.counters import Side
from brt_cg.resources import toml

Rgb = tuple[int, int, int]
Three = tuple[int, int, int]

SHADES = toml(Path(__file__).with_name("shades.toml"))
STEP = (7, 9)  # from one shade to the next, in the dark and the light themes


class HexMark(StrEnum):
    """The ways in which a hex stands out: it may be pointed at or is painted; it was pointed at, or
    is within the arc that is drawn."""

    LIT = "lit"
    DRAWN = "drawn"


@cache
def shades(
    terrain: TerrainType, holder: Side | None, mark: HexMark | None, dark: bool
) -> tuple[Rgb, ...]:
    """The three shades of a tint for a terminal with full colour."""
    which = 0 if dark else 1
    base: Rgb = SHADES["rgb"][terrain][which]
    if holder is not None:
        base = _mixed(base, SHADES["rgb"][holder][which], 0.42)
    if mark is not None:
        base = _mixed(base, SHADES["rgb"][mark][which], 0.55)
    step = STEP[which]
    return tuple(_lighter(base, (shade - 1) * step) for shade in range(3))


def in_palette(
    terrain: TerrainType, holder: Side | None, mark: HexMark | None, dark: bool
) -> Three:
    """The three shades of a tint among the 256 colours."""
    tints = SHADES["dark" if dark else "light"]
    found: Three = tints[mark] if mark is not None else tints[holder or "nobody"][terrain]
    return found


def pattern(terrain: TerrainType, holder: Side | None, mark: HexMark | None, shade: int) -> str:
    """The fill of a hex without colours."""
    return str(SHADES["pattern"][mark or holder or terrain][shade])


@cache
def palette_rgb(number: int) -> Rgb:
    """A colour of the 256, from 16 on: a cube of six levels, then greys."""
    if number >= 232:
        grey = 8 + 10 * (number - 232)
        return grey, grey, grey
    levels = (0, 95, 135, 175, 215, 255)
    red, rest = divmod(number - 16, 36)
    return levels[red], levels[rest // 6], levels[rest % 6]


def ink(ground: Rgb, side: Side | None = None) -> Rgb:
    """A readable colour for letters on a ground: light or dark, that of a side or of nobody."""
    dark_ground = 0.299 * ground[0] + 0.587 * ground[1] + 0.114 * ground[2] < 112
    found: Rgb = SHADES["ink"][side or "nobody"][0 if dark_ground else 1]
    return found


def _mixed(first: Rgb, second: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def _lighter(colour: Rgb, by: int) -> Rgb:
    red, green, blue = (max(0, min(255, part + by)) for part in colour)
    return red, green, blue
