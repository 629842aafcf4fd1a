"""The rules of style: each is read once, and each screen is styled once."""

from typing import Any, Generic, TypeVar

from textual import events
from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet
from textual.screen import Screen

T = TypeVar("T")

MOST = 1024  # sources of rules: a widget's own, a room's file

_READ: dict[tuple[tuple[str, str], ...], LRUCache[Any, Any]] = {}


class StylesheetReadOnce(Stylesheet):
    """Textual's stylesheet reads all rules anew whenever a room with rules of its own is first
    visited, and twice if the theme was chosen before. They follow from their text and from the
    colours, and are kept for each set of colours."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._keep()

    def set_variables(self, variables: dict[str, str]) -> None:
        if variables != self._variables:
            self._parse_cache = LRUCache(MOST)  # to be cleared, not what was kept
            super().set_variables(variables)
            self._keep()

    def reparse(self) -> None:
        self.parse()

    def _keep(self) -> None:
        colours = tuple(sorted(self._variables.items()))
        self._parse_cache = _READ.setdefault(colours, LRUCache(MOST))


class StyledOnce(Screen[T], Generic[T]):
    """A screen that is styled when it is made, and anew with other colours. Textual reads its rules
    only once it stands, and styles it and all others anew, twice; but they hold for it alone."""

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        styles = self.app.stylesheet
        for path in self.css_path:
            if not styles.has_source(str(path)):
                styles.read(path)
                styles.parse()
        self._css_update_count = self.app._css_update_count

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        event.refresh_styles = False
