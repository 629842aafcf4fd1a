"""The line above a list that filters it by words."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Input

from brt_cg.tui.keys.actions import LISTS, bindings_of_named
from brt_cg.tui.look.lines import Horizontal, Static

FILTER = "filter"  # the id of the field


class FilterLine(Horizontal):
    """A line with the `key` that leads to its field, the field, and then the result: the number of
    rows `found`, or the room's own widget."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of_named(
        LISTS, cursor_up="screen.to_list", cursor_down="screen.to_list"
    )

    def __init__(self, placeholder: str, beside: Widget | None = None) -> None:
        super().__init__(id="filter_line")
        self.key = Static("/", id="slash")
        self.field = Input(placeholder=placeholder, id=FILTER)
        self._found = Static(id="found")
        self._beside = beside or self._found

    def compose(self) -> ComposeResult:
        yield self.key
        yield self.field
        yield self._beside

    @property
    def words(self) -> str:
        """The typed text."""
        return self.field.value

    def set_text_without_filtering(self, words: str) -> None:
        """Replace the text without changing the list."""
        with self.field.prevent(Input.Changed):
            self.field.value = words

    def show_count(self, found: str) -> None:
        """Show the number found."""
        self._found.update(found)
