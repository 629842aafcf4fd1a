"""The common part of rooms that show a list below a filter line."""

import asyncio
from typing import ClassVar

from textual import getters, work
from textual.binding import BindingType
from textual.containers import Container
from textual.widget import Widget
from textual.widgets import Input

from brt_cg.tui.frame.room import Room
from brt_cg.tui.keys.actions import BY_ID, LISTS, bindings_of_named
from brt_cg.tui.keys.key_buffer import ON_ROW
from brt_cg.tui.lists.counter_list import CounterList
from brt_cg.tui.lists.drawn_list import DrawnList
from brt_cg.tui.lists.filter_line import FILTER, FilterLine


class ListContents(Container):
    """The contents of a room with a list below a filter line. The key that ends the filter is
    different from the one that leaves the room."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of_named(LISTS, end_filter="screen.end_filter")


class ListRoom(Room):
    """A room with a FilterLine above its list, which has the focus at first (AUTO_FOCUS). Enter and
    the arrows move from the line to the list; Escape shows the whole list again."""

    CONTENTS = ListContents
    filter_line = getters.query_one(FilterLine)

    def on_mount(self) -> None:
        ids = (f"{self.PLACE}.{name}" for name in ("filter", "find"))
        self.filter_line.key.update(next((self.app.key_text(id) for id in ids if id in BY_ID), "/"))

    def show_selected_row_details(self) -> None:
        """Show the selected row in full."""

    @work(group="rest", exclusive=True)
    async def show_row_details_when_idle(self) -> None:
        """Show the row's page when no more keys follow, because that changes the layout of the
        room."""
        self.app.let_keys_pass()
        await asyncio.sleep(ON_ROW)
        if self.display:  # the player has not left the room meanwhile
            self.show_selected_row_details()

    @property
    def focus_chain(self) -> list[Widget]:
        """The widgets that Tab visits, the filter line last, because it has its own key."""
        return sorted(super().focus_chain, key=lambda widget: widget.id == FILTER)

    def apply_filter(self) -> None:
        """Show the rows that contain the words of the filter line."""
        raise NotImplementedError(self)

    def clear_shown_and_typed(self) -> None:
        """Clear the filter, whose words may be the secret of another seat."""
        self.filter_line.set_text_without_filtering("")

    def focus_list(self) -> None:
        """Move the focus to the list."""
        self.query_one(str(self.AUTO_FOCUS)).focus()

    @property
    def can_end_filter(self) -> bool:
        """Whether Escape has a filter to end, even one that is still being typed."""
        return self.filter_line.field.has_focus or bool(self.filter_line.words)

    def action_end_filter(self) -> None:
        """Show all rows again."""
        self.filter_line.field.value = ""
        self.focus_list()

    def action_filter(self) -> None:
        self.filter_line.field.focus()

    def on_drawn_list_moved(self, event: DrawnList.Moved) -> None:
        self.show_row_details_when_idle()

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input is self.filter_line.field:
            self.apply_filter()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input is self.filter_line.field:
            self.focus_list()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "end_filter":
            return self.shows_contents and self.can_end_filter
        return super().check_action(action, parameters)

    def action_to_list(self) -> None:
        self.focus_list()


class CounterRoom(ListRoom):
    """A room with a list of counters."""

    AUTO_FOCUS = "CounterList"

    listed = getters.query_one(CounterList)

    @property
    def selected_counter(self) -> str | None:
        """The id of the counter under the cursor."""
        return self.listed.id_at_cursor

    def selected_row_text(self) -> str | None:
        row = self.listed.row_at_cursor
        if row is None:
            return None
        return " · ".join(filter(None, (row.name, row.place, self.listed.mark(row.id), row.state)))

    def why_subjects(self) -> tuple[str, ...]:
        return (self.selected_counter,) if self.selected_counter else ()
