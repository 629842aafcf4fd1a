"""Text that may be longer than its place."""

from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll

from brt_cg.tui.keys.actions import LISTS, bound_to
from brt_cg.tui.look.laid_out import LaidOutOnce


class Pane(VerticalScroll, LaidOutOnce, can_focus=False, inherit_bindings=False):
    """What is scrolled by the mouse, or by keys of the screen that it is on."""


class ReadingPane(Pane, can_focus=True):
    """Text that has the keys, and is scrolled by them."""

    BINDINGS: ClassVar[list[BindingType]] = bound_to(
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
