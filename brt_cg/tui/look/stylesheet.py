"""Screens that are styled once."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from textual import events
from textual.await_complete import AwaitComplete
from textual.geometry import Size
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget

from brt_cg.tui.look.first_drawn import FirstDrawn

T = TypeVar("T")

LISTS = Path(__file__).with_name("lists.tcss")


def restyle(widget: Widget, classes: Mapping[str, bool]) -> None:
    """Give a widget the classes that apply, and remove the others. Style rules for the widgets
    inside it must not use these classes, because only the widget itself is styled again."""
    if any(widget.has_class(name) is not holds for name, holds in classes.items()):
        widget.update_classes(classes, update=False)
        widget.app.stylesheet.update_nodes([widget])


class PrestyledScreen(Screen[T], Generic[T]):
    """A screen that is styled when it is created, and again only for other colors. Textual would
    read its rules when it is shown, and then restyle all screens twice."""

    HAS_LISTS: ClassVar[bool] = True
    # The widgets that lose and get the focus paint themselves; Textual would paint the whole
    # screen.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    def __init__(self, **names: Any) -> None:
        super().__init__(**names)
        styles = self.app.stylesheet
        for path in [LISTS, *self.css_path] if self.HAS_LISTS else self.css_path:
            if not styles.has_source(str(path)):
                styles.read(path)
                styles.parse()
        self._css_update_count = self.app._css_update_count
        self.in_front = FirstDrawn()  # the time since which it has been in front

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        event.refresh_styles = False
        self.in_front.expect_redraw(self)

    def _screen_resized(self, size: Size) -> None:
        """Lay the screen out only for a new size: Textual does so for the same size too, four times
        when a screen is first shown."""
        if size != self._size:
            super()._screen_resized(size)

    def on_screen_suspend(self) -> None:
        """Release the drawn lines behind another screen, which Textual would keep together with the
        cut, filtered and joined lines made from them. Behind a dialog they can still be seen."""
        self.in_front.forget()
        if not self.app.screen.is_modal:
            for widget in self.walk_children(with_self=True):
                widget.refresh()

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Close the screen, unless it is closed already; otherwise Textual would close whichever
        screen is in front."""
        is_open = self in self.app.screen_stack
        return super().dismiss(result) if is_open else AwaitComplete()
