"""The colours of the map: a tint for each kind of ground and its holder, in three shades, so that
neighbours always differ.

A terminal of 256 colours would merge the shades, so it has a table of its own. One of 16 has a
colour for each tint; there, and without colours, each kind of hex has a sign.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path

from textual.color import BLACK, WHITE, Color

from brt_cg.board.locations import TerrainType
from brt_cg.model.counters import Side
from brt_cg.resources import toml
from brt_cg.tui.look.contrast import LEAST, contrast
from brt_cg.tui.look.depth import readable_on, shown_as

Rgb = tuple[int, int, int]
Three = tuple[int, int, int]

SHADES = toml(Path(__file__).with_name("shades.toml"))
INKS = {side: SHADES["few"]["ink"][side] for side in Side}
# The least contrast of letters that stand out, of others, and of a sign that is only seen.
STRONG, READ, SEEN = LEAST + 0.3, LEAST + 0.02, 3
STEP = (7, 9)  # from one shade to the next, in the dark and the light themes


class HexMark(StrEnum):
    """The ways in which a hex stands out: it may be pointed at or is painted; it was pointed at, or
    is within the arc that is drawn."""

    LIT = "lit"
    DRAWN = "drawn"


SIGNS: Mapping[str, str] = SHADES["sign"]  # by terrain, side and mark


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


def of_few(terrain: TerrainType, holder: Side | None, mark: HexMark | None, dark: bool) -> int:
    """The ground of a tint among 16 colours."""
    found: int = SHADES["few"]["dark" if dark else "light"][mark or holder or terrain]
    return found


def ink_of_few(ground: int, side: Side | None) -> int:
    """A readable colour for letters on one of the 16: that of a side if it can be, or nobody's."""
    wanted = shown_as(INKS[side] if side else SHADES["few"]["ink"]["nobody"])[0]
    return readable_on(ground, wanted, range(16))


@cache
def ink(ground: Rgb, side: Side | None = None) -> Rgb:
    """A readable colour for letters on a ground: light or dark, that of a side or of nobody, as
    much lighter or darker as is needed."""
    below = Color(*ground)
    end = max(WHITE, BLACK, key=lambda colour: contrast(colour, below))
    wanted = Color(*SHADES["ink"][side or "nobody"][end is BLACK])
    found = (wanted.blend(end, part / 20) for part in range(20))
    return next((each.rgb for each in found if contrast(each, below) >= STRONG), end.rgb)


@cache
def dimmer_ink(ground: Rgb, least: float) -> Rgb:
    """The least striking colour for letters on a ground, of a contrast of at `least` so much."""
    below, strong = Color(*ground), Color(*ink(ground))
    found = (below.blend(strong, part / 100) for part in range(10, 100))
    return next((each.rgb for each in found if contrast(each, below) >= least), strong.rgb)


def _mixed(first: Rgb, second: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def _lighter(colour: Rgb, by: int) -> Rgb:
    red, green, blue = (max(0, min(255, part + by)) for part in colour)
    return red, green, blue
