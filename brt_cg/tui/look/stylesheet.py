"""Parses style sheets once, and styles each screen once."""

from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from textual import events
from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet
from textual.screen import Screen

T = TypeVar("T")

LISTS = Path(__file__).with_name("lists.tcss")
MOST = 1024  # sources of rules: a widget class, a room's file

_READ: dict[tuple[tuple[str, str], ...], LRUCache[Any, Any]] = {}


class StylesheetReadOnce(Stylesheet):
    """A stylesheet that keeps the parsed rules for each set of colours. Textual's own parses all
    rules again at the first visit of each room with rules of its own, and twice if the theme was
    set before."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._keep()

    def set_variables(self, variables: dict[str, str]) -> None:
        if variables != self._variables:
            self._parse_cache = LRUCache(MOST)  # a new one, as Textual clears it
            super().set_variables(variables)
            self._keep()

    def reparse(self) -> None:
        self.parse()

    def _keep(self) -> None:
        colours = tuple(sorted(self._variables.items()))
        self._parse_cache = _READ.setdefault(colours, LRUCache(MOST))


class StyledOnce(Screen[T], Generic[T]):
    """A screen that is styled when it is created, and again only for other colours. Textual would
    read its rules when it is shown, and then restyle all screens twice."""

    HAS_LISTS: ClassVar[bool] = True

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        styles = self.app.stylesheet
        for path in [LISTS, *self.css_path] if self.HAS_LISTS else self.css_path:
            if not styles.has_source(str(path)):
                styles.read(path)
                styles.parse()
        self._css_update_count = self.app._css_update_count

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        event.refresh_styles = False
