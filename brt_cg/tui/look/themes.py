"""Two themes besides Textual's own: for daylight and for lamplight. All themes are made readable.

Each side has a colour, a blue and an ochre, which colour-blind players can also tell apart; a name
or a sign is always next to it.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from textual.color import BLACK, WHITE, Color
from textual.theme import Theme

from brt_cg.model.counters import Side
from brt_cg.resources import toml

SIGNS = {Side.MARINE: "★", Side.JAPANESE: "●"}
OURS = tuple(
    Theme(name, **colours)
    for name, colours in toml(Path(__file__).with_name("our_themes.toml")).items()
)


def side_colours(dark: bool) -> dict[str, str]:
    """The colours of the sides for themes other than ours."""
    ours = next(theme for theme in OURS if theme.dark is dark)
    return {name: ours.variables[name] for name in ("marine", "japanese")}


# --- contrast -------------------------------------------------------------------------------------

LEAST = 4.5  # the contrast between text and background that WCAG requires
TEXTS = ("foreground", "accent", "secondary", "error", "warning", "success", "marine", "japanese")
GROUNDS = ("background", "surface", "panel")
APART, SHADE = 2.0, 0.15  # the most contrast of cursor and panel; the shade used beyond that
CURSOR, ON_CURSOR = "block-cursor-background", "block-cursor-foreground"


def readable(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables of a theme, with every text colour moved away from its backgrounds until it is
    readable. A cursor that differs much from the panel (it often is the accent colour) would hide
    accented text in its row, so it becomes a shade of the panel. A theme that uses the terminal's
    own colours is returned unchanged."""
    if variables["background"].startswith("ansi"):
        return dict(variables)
    grounds = [Color.parse(variables[name]) for name in GROUNDS]
    cursor = Color.parse(variables[CURSOR])
    if contrast(cursor, grounds[-1]) > APART:
        cursor = grounds[-1].blend(Color.parse(variables["foreground"]), SHADE)
    moved = {
        name: _moved_away(Color.parse(variables[name]), [*grounds, cursor]).hex for name in TEXTS
    }
    on_it = max(WHITE, BLACK, key=lambda text: contrast(text, cursor))
    return {**variables, **moved, CURSOR: cursor.hex, ON_CURSOR: on_it.hex}


def contrast(text: Color, ground: Color) -> float:
    """The contrast of two colours, from 1 (equal) to 21 (black on white)."""
    light, dark = sorted((_luminance(text), _luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _moved_away(text: Color, grounds: Iterable[Color]) -> Color:
    known = list(grounds)
    end = max(WHITE, BLACK, key=lambda colour: min(contrast(colour, ground) for ground in known))
    for step in range(21):
        found = text.blend(end, step / 20)
        if min(contrast(found, ground) for ground in known) >= LEAST:
            return found
    return end


@lru_cache(maxsize=1024)
def _luminance(colour: Color) -> float:
    parts = (part / 255 for part in colour.rgb)
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
