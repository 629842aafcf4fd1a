"""The colors that the terminal has, and text that can be read in them.

A terminal with 256 or 16 colors shows its own nearest ones, and text may get the color of its
background. Here the background gets the nearest color, and the text the nearest one that can be
read on it.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache, lru_cache

from rich.color import Color
from rich.console import Console
from rich.style import Style
from textual.color import Color as Rgb

from brt_cg.tui.look.contrast import LEAST, contrast_ratio
from brt_cg.tui.look.style_filter import DIM, StyleFilter, is_rgb

# The values of the 16 colors in common terminals: xterm, the consoles of Linux and of Windows.
SIXTEEN = (
    "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 "
    "7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
    "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa "
    "555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
    "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc "
    "767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2",
)
ALMOST_GREY = 45  # the most that red, green and blue differ in what counts as a gray
FAINT = 8  # the darker of the grays among the 16
NAMED_BY = 1  # whose values of the 16 colors the themes use, as Rich does


class ColorDepth(StrEnum):
    """The number of colors that the terminal has: all, 256, 16, 16 of which only eight can be a
    background, or none."""

    FULL = "full"
    OF_256 = "256"
    OF_16 = "16"
    OF_8 = "8"
    NONE = "none"

    @property
    def is_low(self) -> bool:
        """Whether the terminal has no more than 16 colors."""
        return self in (ColorDepth.OF_16, ColorDepth.OF_8)


def detect_color_depth(console: Console, environ: Mapping[str, str]) -> ColorDepth:
    """Return the colors of a terminal, as detected by Rich. The console of Linux has no bright
    backgrounds."""
    match console.color_system:
        case None:
            return ColorDepth.NONE
        case "truecolor":
            return ColorDepth.FULL
        case "256":
            return ColorDepth.OF_256
        case _:
            return (
                ColorDepth.OF_8 if environ.get("TERM", "").startswith("linux") else ColorDepth.OF_16
            )


@cache
def possible_rgbs_of_color(number: int) -> tuple[Rgb, ...]:
    """Return the possible appearances of a color of the terminal: the first 16 differ between
    terminals; the others, a cube of six levels and grays, are the same everywhere."""
    if number < 16:
        return tuple(Rgb.parse(f"#{table.split()[number]}") for table in SIXTEEN)
    if number >= 232:
        grey = 8 + 10 * (number - 232)
        return (Rgb(grey, grey, grey),)
    levels = (0, 95, 135, 175, 215, 255)
    red, rest = divmod(number - 16, 36)
    return (Rgb(levels[red], levels[rest // 6], levels[rest % 6]),)


@cache
def least_contrast(ink: int, ground: int) -> float:
    """Return the lowest possible contrast of two of the terminal's colors."""
    return min(map(contrast_ratio, possible_rgbs_of_color(ink), possible_rgbs_of_color(ground)))


@cache
def has_readable_ink(ground: int) -> bool:
    """Whether any of the 16 colors can be read on one of them, on every terminal."""
    return any(least_contrast(ink, ground) >= LEAST for ink in range(16))


class TerminalColorFilter(StyleFilter):
    """A filter that draws everything in the colors that the terminal has. Colors that are given by
    number are left unchanged."""

    def __init__(self, depth: ColorDepth) -> None:
        super().__init__()
        few = depth.is_low
        self.inks = range(16) if few else range(16, 256)
        grounds = range(8) if depth is ColorDepth.OF_8 else self.inks
        self.grounds = tuple(filter(has_readable_ink, grounds)) if few else grounds

    def adapted_style(self, style: Style, background: Rgb, drawn: bool) -> Style:
        """Return the style in colors of the terminal."""
        text, below = style.color, style.bgcolor or background.rich_color
        if text is not None and style.reverse:
            text, below = below, text
        ground = (
            nearest_color(Rgb.from_rich_color(below), self.grounds)
            if is_rgb(below)
            else below.number
        )
        if ground is None or (text is not None and not is_rgb(text)):
            return style
        fitted = style + Style(bgcolor=Color.from_ansi(ground))
        if text is None:
            return fitted
        wanted = Rgb.from_rich_color(text)
        if style.dim and is_rgb(below):
            wanted = Rgb.from_rich_color(below).blend(wanted, DIM)
        ink = self.text_color(ground, wanted, drawn)
        return fitted + Style(color=Color.from_ansi(ink), dim=False, reverse=False)

    def text_color(self, ground: int, wanted: Rgb, drawn: bool) -> int:
        """Return a readable color for text, or a color for a frame, which need not be prominent."""
        return (
            _kin(wanted, self.inks) if drawn else nearest_readable_color(ground, wanted, self.inks)
        )


class FadedColorFilter(TerminalColorFilter):
    """A filter for the room behind a box, drawn faint because it is not meant to be read."""

    def text_color(self, ground: int, wanted: Rgb, drawn: bool) -> int:
        """Return a color near that of the background."""
        return FAINT if self.inks[0] < FAINT else _kin(wanted, self.inks)


@lru_cache(4096)
def nearest_color(wanted: Rgb, among: Iterable[int]) -> int:
    """Return the color of the terminal that is nearest to another."""
    return min(among, key=lambda number: _distance(wanted, ansi_theme_color(number)))


@lru_cache(4096)
def nearest_readable_color(ground: int, wanted: Rgb, among: Iterable[int]) -> int:
    """Return the nearest color for text that can be read on a background; for a gray, a gray if
    possible; if none can be read, the color with the highest contrast."""
    known = tuple(number for number in among if least_contrast(number, ground) >= LEAST)
    if not known:
        return max(among, key=lambda number: least_contrast(number, ground))
    return _kin(wanted, known)


@lru_cache(4096)
def _kin(wanted: Rgb, among: Iterable[int]) -> int:
    """Return the color of the terminal that is nearest to another; for a gray the nearest gray, if
    any."""
    greys = tuple(number for number in among if len({*ansi_theme_color(number).rgb}) == 1)
    return nearest_color(wanted, greys if greys and _is_grey(wanted) else tuple(among))


def ansi_theme_color(number: int) -> Rgb:
    """Return the value by which a theme names a color of the terminal."""
    found = possible_rgbs_of_color(number)
    return found[NAMED_BY] if len(found) > 1 else found[0]


def _is_grey(colour: Rgb) -> bool:
    return max(colour.rgb) - min(colour.rgb) <= ALMOST_GREY


def _distance(one: Rgb, other: Rgb) -> float:
    """Return the difference between two colors: the redmean of their parts."""
    red = (one.r + other.r) / 2
    parts = (one.r - other.r) ** 2, (one.g - other.g) ** 2, (one.b - other.b) ** 2
    return (2 + red / 256) * parts[0] + 4 * parts[1] + (2 + (255 - red) / 256) * parts[2]
