"""Every theme can be read: ours, and all that Textual brings."""

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from brt_cg.tui.app import BrtApp
from brt_cg.tui.look.contrast import LEAST, contrast_ratio
from brt_cg.tui.look.themes import CURSOR, GROUNDS, ON_CURSOR, OURS, TEXTS

# The themes whose names begin so are drawn in the terminal's own colours, which nobody knows here.
THEMES = sorted(
    name for name in (*BUILTIN_THEMES, *(one.name for one in OURS)) if "ansi" not in name
)


def test_contrast_is_measured_by_wcag() -> None:
    assert contrast_ratio(Color.parse("#000000"), Color.parse("#ffffff")) == pytest.approx(21)
    assert contrast_ratio(Color.parse("#777777"), Color.parse("#ffffff")) == pytest.approx(
        4.48, abs=0.01
    )


@pytest.mark.parametrize("theme", THEMES)
def test_all_text_of_a_theme_is_readable(theme: str) -> None:
    app = BrtApp(seat=None)
    app.theme = theme
    found = app.get_css_variables()
    grounds = (*GROUNDS, CURSOR)
    pairs = [(text, ground) for text in TEXTS for ground in grounds] + [(ON_CURSOR, CURSOR)]
    colours = {name: Color.parse(found[name]) for pair in pairs for name in pair}
    faint = [pair for pair in pairs if contrast_ratio(colours[pair[0]], colours[pair[1]]) < LEAST]
    assert faint == []
