"""The rules of style, each read once."""

from typing import Any

from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet

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
