"""Two themes in addition to Textual's own: for daylight and for lamplight. All themes are made
readable.

Each side has a color, a blue and an ochre, which color-blind players can also distinguish; a name
or a symbol is always next to it.
"""

from collections.abc import Mapping
from pathlib import Path

from textual.color import BLACK, WHITE, Color
from textual.theme import Theme

from brt_cg.resources import read_toml_cached
from brt_cg.tui.look.contrast import contrast_ratio, make_readable
from brt_cg.tui.look.depth import ansi_theme_color

OURS = tuple(
    Theme(name, **colours)
    for name, colours in read_toml_cached(Path(__file__).with_name("our_themes.toml")).items()
)


FEW = read_toml_cached(Path(__file__).with_name("few_colours.toml"))


def few_color_variables(dark: bool) -> dict[str, str]:
    """Return the variables of all themes on a terminal with 16 colors, where only dark and light
    are left of a theme."""
    return {
        name: ansi_theme_color(number).hex
        for name, number in FEW["dark" if dark else "light"].items()
    }


def side_colors(dark: bool) -> dict[str, str]:
    """Return the colors of the sides for themes other than ours."""
    ours = next(theme for theme in OURS if theme.dark is dark)
    return {name: ours.variables[name] for name in ("marine", "japanese")}


# --- contrast -------------------------------------------------------------------------------------

TEXTS = ("foreground", "accent", "secondary", "error", "warning", "success", "marine", "japanese")
GROUNDS = ("background", "surface", "panel")
APART, SHADE = 2.0, 0.15  # the most contrast of cursor and panel; the shade used beyond that
FAINT = dict.fromkeys(("text-muted", "text-disabled"), "auto 62%")
BLURRED = "block-cursor-blurred-background"
CURSOR, ON_CURSOR = "block-cursor-background", "block-cursor-foreground"


def make_variables_readable(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a theme, with every text color changed until it is readable on its
    backgrounds. A cursor that differs much from the panel (it often is the accent color) would hide
    accented text in its row, so it becomes a shade of the panel; so does that of a list without the
    focus. A theme that uses the terminal's own colors is returned unchanged."""
    if variables["background"].startswith("ansi"):
        return dict(variables)
    grounds = [Color.parse(variables[name]) for name in GROUNDS]
    cursor = Color.parse(variables[CURSOR])
    if contrast_ratio(cursor, grounds[-1]) > APART:
        cursor = grounds[-1].blend(Color.parse(variables["foreground"]), SHADE)
    moved = {
        name: make_readable(Color.parse(variables[name]), [*grounds, cursor]).hex for name in TEXTS
    }
    on_it = max(WHITE, BLACK, key=lambda text: contrast_ratio(text, cursor))
    cursors = {CURSOR: cursor.hex, BLURRED: cursor.hex, ON_CURSOR: on_it.hex}
    return {**variables, **moved, **cursors, **FAINT, "scrollbar": variables["border"]}
