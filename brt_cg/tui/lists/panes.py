"""Places for text that may be longer than they are; one of them beside or below a list, with the
selected row in full."""

from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget

from brt_cg.model import Side
from brt_cg.tui.keys.actions import LISTS, bindings_of
from brt_cg.tui.look.lines import NoRelayout


class Pane(VerticalScroll, NoRelayout, can_focus=False, inherit_bindings=False):
    """What is scrolled by the mouse, or by keys of the screen that it is on."""


class ReadingPane(Pane, can_focus=True):
    """Text that has the keys, and is scrolled by them."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        LISTS,
        cursor_up="scroll_up",
        cursor_down="scroll_down",
        page_up="page_up",
        page_down="page_down",
        first="scroll_home",
        last="scroll_end",
    )


class LongPane(ReadingPane):
    """Takes the keys only while there is more of the text than is seen."""

    def allow_focus(self) -> bool:
        """Whether it can be scrolled."""
        return super().allow_focus() and self.max_scroll_y > 0


class DetailPanel(Pane):
    """What is shown of a row; the frame has its title, what may be done, and its side's colour."""

    _told = ("", "")  # the words on the frame

    def __init__(self, *children: Widget) -> None:
        super().__init__(*children, id="page", classes="panel")

    def set_titles(
        self, title: str | Content = "", below: str = "", *, side: Side | None = None
    ) -> None:
        """Writes on the frame: the title, and words below."""
        words = title.markup if isinstance(title, Content) else title
        if (words, below) != self._told:  # Textual would draw all of the panel again
            self._told = words, below
            self.border_title, self.border_subtitle = title, below
        for each in Side:
            self.set_class(each is side, each.value)
