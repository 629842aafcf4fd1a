"""The colors of the map: a tint for each kind of terrain and its holder, in three shades, so that
neighbors always differ.

A terminal with 256 colors has no shades so near to each other: there each tint is one color, of its
holder's hue. One with 16 has symbols on a plain background, and colors for marked hexes only.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path

from textual.color import BLACK, WHITE, Color

from brt_cg.board import TerrainType
from brt_cg.model import Side
from brt_cg.resources import read_toml_cached
from brt_cg.tui.look.contrast import LEAST, contrast_ratio
from brt_cg.tui.look.depth import ColorDepth, ansi_theme_color
from brt_cg.tui.look.themes import FEW

Rgb = tuple[int, int, int]

SHADES = read_toml_cached(Path(__file__).with_name("shades.toml"))
# The least contrast of prominent letters, of others, and of a symbol.
STRONG, READ, SEEN = LEAST + 0.3, LEAST + 0.02, 3
STEP = (7, 9)  # from one shade to the next, in the dark and the light themes


class HexMark(StrEnum):
    """The ways in which a hex is highlighted: the player may point at it or has painted it; the
    player pointed at it, or it is within the arc that is drawn; or, if there is no room for
    letters, the sides in it."""

    LIT = "lit"
    DRAWN = "drawn"
    CONTESTED = "contested"
    MARINE_ISOLATED = "marine_isolated"
    JAPANESE_ISOLATED = "japanese_isolated"

    @property
    def is_highlight(self) -> bool:
        """Whether the player marked the hex, or is asked to mark it."""
        return self in (HexMark.LIT, HexMark.DRAWN)


CUT_OFF = "_isolated"  # after a side: the mark of its Isolated counters
# The background of a hex: its terrain, its holder, its mark, and whether the theme is dark.
Tint = tuple[TerrainType, Side | None, HexMark | None, bool]

SIGNS: Mapping[str, str] = SHADES["sign"]  # by terrain, side and mark


@cache
def shade_colors(
    terrain: TerrainType, holder: Side | None, mark: HexMark | None, dark: bool
) -> tuple[Rgb, ...]:
    """Return the three shades of a tint for a terminal with full color."""
    which = 0 if dark else 1
    base: Rgb = SHADES["rgb"][terrain][which]
    if holder is not None:
        base = _mixed(base, SHADES["rgb"][holder][which], 0.42)
    if mark is not None:
        base = _mixed(base, SHADES["rgb"][mark][which], 0.55 if mark.is_highlight else 1)
    step = STEP[which]
    return tuple(_lighter(base, (shade - 1) * step) for shade in range(3))


def palette_ground_and_edge(
    terrain: TerrainType, holder: Side | None, mark: HexMark | None, dark: bool
) -> tuple[int, int]:
    """Return the color of a tint among the 256, and the color of the edge of its hexagons."""
    tints = SHADES["dark" if dark else "light"]
    ground, edge = tints[mark] if mark is not None else tints[holder or "nobody"][terrain]
    return ground, edge


@lru_cache(maxsize=1024)
def ground_color(depth: ColorDepth, tint: Tint, shade: int) -> Rgb | None:
    """Return the background of a tint on a terminal, or None to use the background of the page:
    with few colors, only marked hexes have their own."""
    if depth is ColorDepth.FULL:
        return shade_colors(*tint)[shade]
    if depth is ColorDepth.OF_256:
        return ansi_theme_color(palette_ground_and_edge(*tint)[0]).rgb
    number = SHADES["few"].get(tint[2]) if depth.is_low else None
    return None if number is None else ansi_theme_color(number).rgb


@lru_cache(maxsize=4096)
def letter_color(
    depth: ColorDepth, tint: Tint, shade: int, side: Side | None, least: float = READ
) -> Rgb | None:
    """Return the color of a side's letters on that background, or of letters of neither side with
    at `least` this contrast; None without colors. With few colors it is the color of the theme,
    which the screen makes readable."""
    below = ground_color(depth, tint, shade)
    if depth is ColorDepth.NONE:
        return None
    if depth.is_low or below is None:
        return ansi_theme_color(FEW["dark" if tint[3] else "light"][side or "text-muted"]).rgb
    return dimmer_ink(below, least) if side is None else readable_ink(below, side)


def cursor_colors(depth: ColorDepth, dark: bool) -> tuple[Rgb, Rgb]:
    """Return the colors of the cursor: the background, and the letters on it."""
    found = [Color(*rgb) for rgb in SHADES["rgb"]["cursor"]]
    if depth.is_low:
        found = [ansi_theme_color(7), ansi_theme_color(0)]
    light, shadow = found if dark else found[::-1]
    return light.rgb, shadow.rgb


@cache
def readable_ink(ground: Rgb, side: Side | None = None) -> Rgb:
    """Return a readable color for letters on a background, light or dark: the color of a side or of
    neither, made lighter or darker as much as needed."""
    below = Color(*ground)
    end = max(WHITE, BLACK, key=lambda colour: contrast_ratio(colour, below))
    wanted = Color(*SHADES["ink"][side or "nobody"][end is BLACK])
    found = (wanted.blend(end, part / 20) for part in range(20))
    return next((each.rgb for each in found if contrast_ratio(each, below) >= STRONG), end.rgb)


@cache
def dimmer_ink(ground: Rgb, least: float) -> Rgb:
    """Return the least striking color for letters on a background, with at `least` this
    contrast."""
    below, strong = Color(*ground), Color(*readable_ink(ground))
    found = (below.blend(strong, part / 100) for part in range(10, 100))
    return next((each.rgb for each in found if contrast_ratio(each, below) >= least), strong.rgb)


def _mixed(first: Rgb, second: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def _lighter(colour: Rgb, by: int) -> Rgb:
    red, green, blue = (max(0, min(255, part + by)) for part in colour)
    return red, green, blue
