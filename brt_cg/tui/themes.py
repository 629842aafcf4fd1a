"""Two themes of our own beside Textual's: a page by daylight, and by lamplight.

The sides have a colour each, a blue and an ochre that also those tell apart who see red and green
alike; their names always stand beside it.
"""

from textual.theme import Theme

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
