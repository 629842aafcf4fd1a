"""The base of filters that draw text in another style, which is computed once for each style."""

from functools import lru_cache

from rich.color import Color, ColorType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as Rgb
from textual.filter import LineFilter

from brt_cg.tui.look.contrast import LEAST, contrast_ratio, make_readable

DIM = 0.66  # the share of a dim color that is its own; the rest is its background's


class StyleFilter(LineFilter):
    """A filter of lines. A subclass defines the new style."""

    def __init__(self) -> None:
        super().__init__()
        self._fit = lru_cache(4096)(self.adapted_style)

    def apply(self, segments: list[Segment], background: Rgb) -> list[Segment]:
        """Return the lines in their new styles."""
        return [
            Segment(text, style and self._fit(style, background, _is_drawn(text)), control)
            for text, style, control in segments
        ]

    def adapted_style(self, style: Style, background: Rgb, drawn: bool) -> Style:
        """Return the new style of text, or of a `drawn` frame, on a background."""
        raise NotImplementedError(self)


class ReadableTextFilter(StyleFilter):
    """A filter that changes the color of text until it can be read on its background. Colors that
    are given by number are left unchanged."""

    def adapted_style(self, style: Style, background: Rgb, drawn: bool) -> Style:
        """Return the style, with a different text color if the text could not be read."""
        text, below = style.color, style.bgcolor or background.rich_color
        if drawn or text is None or not (is_rgb(text) and is_rgb(below)):
            return style
        if style.reverse:
            text, below = below, text
        ground, wanted = Rgb.from_rich_color(below), Rgb.from_rich_color(text)
        if style.dim:
            wanted = ground.blend(wanted, DIM)
        elif contrast_ratio(wanted, ground) >= LEAST:
            return style
        ink = make_readable(wanted, [ground]).rich_color
        return style + Style(color=ink, bgcolor=below, dim=False, reverse=False)


def is_rgb(colour: Color) -> bool:
    """Whether a color is given by its red, green and blue, not by a number."""
    return colour.type is ColorType.TRUECOLOR


def _is_drawn(text: str) -> bool:
    """Whether a string is a frame or a bar."""
    return not text.isascii() and all("\u2500" <= sign <= "\u259f" or sign == " " for sign in text)
