"""Screens that are styled once."""

from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from textual import events
from textual.screen import Screen

T = TypeVar("T")

LISTS = Path(__file__).with_name("lists.tcss")


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
