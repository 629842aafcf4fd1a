"""The readability of text on its background."""

from collections.abc import Iterable
from functools import lru_cache

from textual.color import BLACK, WHITE, Color

LEAST = 4.5  # the contrast between text and background that WCAG requires


def contrast_ratio(text: Color, ground: Color) -> float:
    """Return the contrast of two colors, from 1 (equal) to 21 (black on white)."""
    light, dark = sorted((_luminance(text), _luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@lru_cache(maxsize=1024)
def _luminance(colour: Color) -> float:
    parts = (part / 255 for part in colour.rgb)
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def make_readable(text: Color, grounds: Iterable[Color]) -> Color:
    """Return a text color, made lighter or darker until the text can be read on all its
    backgrounds."""
    known = list(grounds)
    end = max(
        WHITE, BLACK, key=lambda colour: min(contrast_ratio(colour, ground) for ground in known)
    )
    for step in range(21):
        found = text.blend(end, step / 20)
        if min(contrast_ratio(found, ground) for ground in known) >= LEAST:
            return found
    return end
