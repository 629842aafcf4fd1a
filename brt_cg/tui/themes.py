"""Two themes of our own beside Textual's: a page by daylight, and by lamplight. All are readable.

The sides have a colour each, a blue and an ochre that also those tell apart who see red and green
alike; their names or signs always stand beside it.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from textual.color import BLACK, WHITE, Color
from textual.theme import Theme

from brt_cg.counters import Side

SIGNS = {Side.MARINE: "★", Side.JAPANESE: "●"}
LAMPLIGHT = Theme(
    name="lamplight",
    primary="#c9b48a",
    secondary="#9aa5ad",
    accent="#d8c08f",
    foreground="#ddd6c8",
    background="#1b1d1f",
    surface="#212427",
    panel="#2a2e31",
    success="#9db57f",
    warning="#d9b36c",
    error="#d98a7a",
    dark=True,
    variables={
        "marine": "#86b6cf",
        "japanese": "#e0a25c",
        "border": "#565b5e",
        "border-blurred": "#43484b",
        "block-cursor-background": "#3a4147",
        "block-cursor-foreground": "#f2ecdf",
        "input-selection-background": "#c9b48a 35%",
    },
)
DAYLIGHT = Theme(
    name="daylight",
    primary="#6b5836",
    secondary="#5b656c",
    accent="#7a5a1e",
    foreground="#2b2923",
    background="#f6f1e4",
    surface="#efe8d6",
    panel="#e6dcc5",
    success="#4f6b2e",
    warning="#8a5a12",
    error="#9a3b2c",
    dark=False,
    variables={
        "marine": "#1f5f80",
        "japanese": "#96480c",
        "border": "#a89a7c",
        "border-blurred": "#c6baa0",
        "block-cursor-background": "#ddd0b0",
        "block-cursor-foreground": "#1d1b16",
        "input-selection-background": "#6b5836 30%",
    },
)
OURS = (LAMPLIGHT, DAYLIGHT)


def side_colours(dark: bool) -> dict[str, str]:
    """The colours of the sides in themes that are not ours."""
    ours = LAMPLIGHT if dark else DAYLIGHT
    return {name: ours.variables[name] for name in ("marine", "japanese")}


# --- contrast -------------------------------------------------------------------------------------

LEAST = 4.5  # the contrast of text with what it stands on, as WCAG has it
TEXTS = ("foreground", "accent", "secondary", "error", "warning", "success", "marine", "japanese")
GROUNDS = ("background", "surface", "panel")
APART, SHADE = 2.0, 0.15  # contrast of cursor and panel that is too much; how it is shaded then
CURSOR, ON_CURSOR = "block-cursor-background", "block-cursor-foreground"


def readable(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables of a theme with every colour that text is written in moved away from what it
    stands on, until it can be read. A cursor that is far from the panel, often the accent itself,
    would swallow what is accented in its row: it becomes a shade of the panel. A theme of the
    terminal's own colours stays as it is."""
    if variables["background"].startswith("ansi"):
        return dict(variables)
    grounds = [Color.parse(variables[name]) for name in GROUNDS]
    cursor = Color.parse(variables[CURSOR])
    if contrast(cursor, grounds[-1]) > APART:
        cursor = grounds[-1].blend(Color.parse(variables["foreground"]), SHADE)
    moved = {name: _away(Color.parse(variables[name]), [*grounds, cursor]).hex for name in TEXTS}
    on_it = max(WHITE, BLACK, key=lambda text: contrast(text, cursor))
    return {**variables, **moved, CURSOR: cursor.hex, ON_CURSOR: on_it.hex}


def contrast(text: Color, ground: Color) -> float:
    """From 1, the same, to 21, black on white."""
    light, dark = sorted((_luminance(text), _luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _away(text: Color, grounds: Iterable[Color]) -> Color:
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
