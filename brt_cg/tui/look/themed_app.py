"""The app in the colors and symbols that the terminal can show."""

import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from rich.segment import Segment
from textual.app import App
from textual.color import Color
from textual.filter import ANSIToTruecolor, LineFilter

from brt_cg.tui.look.depth import (
    ColorDepth,
    FadedColorFilter,
    TerminalColorFilter,
    detect_color_depth,
)
from brt_cg.tui.look.signs import InvisibleCharacterFilter, PlainSignsFilter, SignSet
from brt_cg.tui.look.style_filter import ReadableTextFilter
from brt_cg.tui.look.themes import OURS, few_color_variables, make_variables_readable, side_colors

# One filter for all lines, because Textual caches a drawn line by its filter.
SEEN = InvisibleCharacterFilter()


class FilterChain(LineFilter):
    """Several filters as one: Textual would make each line again for each of them."""

    def __init__(self, filters: Iterable[LineFilter]) -> None:
        super().__init__()
        self._filters = (*filters,)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        for each in self._filters:
            segments = each.apply(segments, background)
        return segments


@lru_cache(8)
def single_filter(filters: tuple[LineFilter, ...]) -> Sequence[LineFilter]:
    """Return some filters combined into one; the same filters always give the same combined
    filter."""
    return (FilterChain(filters),)


class ThemedApp(App[int]):
    """An app with our themes, which draws every line as the terminal can show it."""

    COLORS: ClassVar[dict[tuple[str, bool], dict[str, str]]] = {}  # by theme, once computed
    _limits: Sequence[LineFilter] = (ReadableTextFilter(),)
    _behind: Sequence[LineFilter] = ()
    _signs: Sequence[LineFilter] = ()

    def __init__(self) -> None:
        self._depth = ColorDepth.FULL  # Textual asks for colors while it begins
        super().__init__()
        for theme in OURS:
            self.register_theme(theme)

    # --- colors -----------------------------------------------------------------------------------

    @property
    def depth(self) -> ColorDepth:
        """The number of colors drawn."""
        return self._depth

    def detect_depth(self) -> None:
        """Detect the colors of the terminal; without a terminal, use all."""
        self.use_depth(
            ColorDepth.FULL if self.is_headless else detect_color_depth(self.console, os.environ)
        )

    def use_depth(self, depth: ColorDepth) -> None:
        """Draw in this number of colors."""
        before, self._depth = self._depth, depth
        unlimited = depth in (ColorDepth.FULL, ColorDepth.NONE)
        self._limits = (ReadableTextFilter() if unlimited else TerminalColorFilter(depth),)
        self._behind = () if unlimited else (FadedColorFilter(depth),)
        if before.is_low is not depth.is_low:
            self.refresh_css(animate=False)
        if before is not depth:
            self.theme_changed_signal.publish(self.current_theme)

    @property
    def has_no_colors(self) -> bool:
        """Whether there are no colors, so that symbols must replace them."""
        return self.no_color or self._depth is ColorDepth.NONE

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return side_colors(self.current_theme.dark)

    def get_css_variables(self) -> dict[str, str]:
        if OURS[0].name not in self.available_themes:
            return {}  # Textual asks before our themes are registered
        theme, few = self.current_theme, self._depth.is_low
        key = (theme.name, few)
        if key not in self.COLORS:
            found = make_variables_readable(super().get_css_variables())
            self.COLORS[key] = found | (few_color_variables(theme.dark) if few else {})
        return self.COLORS[key]

    def refresh_css(self, animate: bool = True) -> None:
        """Apply changed colors. Before there is a screen, only store them: Textual would read all
        styles now, and then again with those of the screen."""
        if self._screen_stacks.get(self._current_mode):
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    # --- signs ------------------------------------------------------------------------------------

    @property
    def signs(self) -> SignSet:
        """The set of symbols that is drawn."""
        return SignSet.PLAIN if self._signs else SignSet.FULL

    def use_signs(self, signs: SignSet) -> None:
        """Draw in a set of symbols."""
        self._signs = (PlainSignsFilter(),) if signs is SignSet.PLAIN else ()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters for each line before it is shown."""
        return single_filter((*self._usual_filters(), *self._limits, SEEN, *self._signs))

    def filters_behind_a_box(self) -> Sequence[LineFilter]:
        """Return the filters for each line of the room behind a box, which is not meant to be
        read."""
        return single_filter((*self._usual_filters(), *self._behind, SEEN, *self._signs))

    def _usual_filters(self) -> Sequence[LineFilter]:
        """Return Textual's own filters. A terminal with few colors receives its own color numbers,
        which Textual would convert into other colors."""
        found: Sequence[Any] = super().get_line_filters()
        if self._behind:
            found = [each for each in found if not isinstance(each, ANSIToTruecolor)]
        return found
