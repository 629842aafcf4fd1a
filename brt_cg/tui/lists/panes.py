"""Panes for text that may not fit into them; one of them is beside or below a list, and shows the
selected row in full."""

from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget

from brt_cg.model import Side
from brt_cg.tui.keys.actions import LISTS, bindings_of_named
from brt_cg.tui.look.lines import NoRelayout


class Pane(VerticalScroll, NoRelayout, can_focus=False, inherit_bindings=False):
    """A pane that is scrolled by the mouse, or by keys of its screen."""


class ReadingPane(Pane, can_focus=True):
    """A pane of text that has the focus, and is scrolled by its keys."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of_named(
        LISTS,
        cursor_up="scroll_up",
        cursor_down="scroll_down",
        page_up="page_up",
        page_down="page_down",
        first="scroll_home",
        last="scroll_end",
    )


class LongPane(ReadingPane):
    """A pane that accepts the focus only while its text is longer than the visible part."""

    def allow_focus(self) -> bool:
        """Whether the pane can be scrolled."""
        return super().allow_focus() and self.max_scroll_y > 0


class DetailPanel(Pane):
    """The details of a row; the frame has its title, the possible actions, and its side's color."""

    _frame_words = ("", "")  # the words on the frame

    def __init__(self, *children: Widget) -> None:
        super().__init__(*children, id="page", classes="panel")

    def set_titles(
        self, title: str | Content = "", below: str = "", *, side: Side | None = None
    ) -> None:
        """Write on the frame: the title above, and words below."""
        words = title.markup if isinstance(title, Content) else title
        if (words, below) != self._frame_words:  # Textual would draw all of the panel again
            self._frame_words = words, below
            self.border_title, self.border_subtitle = title, below
        for each in Side:
            self.set_class(each is side, each.value)
