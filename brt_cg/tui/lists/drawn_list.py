"""A list drawn line by line: only visible lines are made."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from brt_cg.tui.keys.actions import LISTS, bindings_of_named
from brt_cg.tui.look.lines import CachedScrollbars

STYLES = ("quiet", "marine", "japanese", "strong", "cursor")  # styles of parts of a line


class DrawnList(CachedScrollbars, can_focus=True, inherit_bindings=False):
    """A list of lines with a cursor for arrows and mouse. A subclass defines `segments`, and the
    lines that the cursor may be on."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of_named(
        LISTS,
        cursor_up="move(-1)",
        cursor_down="move(1)",
        page_up="page(-1)",
        page_down="page(1)",
        first="edge(0)",
        last="edge(-1)",
    )
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"drawn--{name}" for name in STYLES}

    class Moved(Message):
        """Posted when the cursor is on another line."""

    class Chosen(Message):
        """Posted when the line under the cursor is clicked again."""

    lines: Sequence[Any] = ()
    at: int | None = None  # the line with the cursor

    def line_segments(self, at: int, width: int, is_top: bool) -> list[Segment]:
        """Return a line as it is drawn; `is_top` if it is the first visible one."""
        raise NotImplementedError(self)

    def heading_segments(self, width: int) -> list[Segment] | None:
        """Return the line that remains above all others, if there is one."""
        return None

    @property
    def _top(self) -> int:
        """The number of lines that remain at the top."""
        return int(bool(self.lines) and self.heading_segments(self.size.width) is not None)

    def may_hold_cursor(self, at: int) -> bool:
        """Whether the cursor may be on a line."""
        return True

    def lines_kept_above(self, at: int) -> int:
        """Return the number of lines above a line to keep visible with it."""
        return 0

    def handle_repeated_click(self) -> None:
        """Handle a click on the line under the cursor."""
        self.post_message(self.Chosen())

    # --- drawing --------------------------------------------------------------------------------

    def put_lines(self, lines: Sequence[Any], at: int | None) -> None:
        """Replace the lines, and put the cursor on one of them or on none."""
        self.lines, self.at = lines, at
        self.virtual_size = Size(0, len(lines) + self._top)
        self.refresh()
        self.keep_cursor_in_view()

    def put_lines_posting_moved(self, lines: Sequence[Any], at: int | None) -> None:
        """Replace the lines, and keep the cursor where it was if possible. Return whether the
        cursor is now on something else."""
        before = self.subject_at_cursor
        self.put_lines(lines, at)
        if self.subject_at_cursor != before:
            self.post_message(self.Moved())

    @property
    def subject_at_cursor(self) -> object:
        """The subject of the line under the cursor; None without one."""
        return self.lines[self.at] if self.at is not None else None

    def on_resize(self) -> None:
        self.call_after_refresh(self.keep_cursor_in_view)

    def render_line(self, y: int) -> Strip:
        top, width = self._top, self.scrollable_content_region.width
        at = self.scroll_offset.y + y - top
        if y < top:
            above = Strip(self.heading_segments(width) or []).adjust_cell_length(width)
            return above.apply_style(self.part_style("quiet")).apply_style(self.rich_style)
        if at >= len(self.lines):
            return Strip.blank(width, self.rich_style)
        strip = Strip(self.line_segments(at, width, y == top)).adjust_cell_length(width)
        if at == self.at:
            return Strip(Segment.apply_style(strip, post_style=self.part_style("cursor")), width)
        return strip.apply_style(self.rich_style)

    def part_style(self, name: str) -> Style:
        """Return the style of a part of a line, such as a side or a heading."""
        return self.get_component_rich_style(f"drawn--{name}", partial=True)

    # --- moving ---------------------------------------------------------------------------------

    def action_move(self, by: int) -> None:
        """Move by lines, skipping those that cannot hold the cursor."""
        at = -1 if self.at is None else self.at
        while 0 <= (at := at + by) < len(self.lines):
            if self.may_hold_cursor(at):
                self.put_cursor_on_line(at)
                return

    def action_page(self, by: int) -> None:
        if self.at is not None:
            wanted = self.at + by * max(1, self.size.height - self._top - 1)
            self._go_near(max(0, min(len(self.lines) - 1, wanted)))

    def action_edge(self, at: int) -> None:
        if self.lines:
            self._go_near(at % len(self.lines))

    def _go_near(self, wanted: int) -> None:
        def near() -> Iterator[int]:
            for away in range(len(self.lines)):
                yield from (at for at in (wanted - away, wanted + away) if self._holds(at))

        at = next(near(), None)
        if at is not None:
            self.put_cursor_on_line(at)

    def _holds(self, at: int) -> bool:
        return 0 <= at < len(self.lines) and self.may_hold_cursor(at)

    def put_cursor_on_line(self, at: int) -> None:
        """Put the cursor on a line."""
        if at == self.at:
            return
        before, self.at = self.at, at
        for line in (before, at):
            if line is not None:
                self.refresh_line(line)
        self.keep_cursor_in_view()
        self.post_message(self.Moved())

    def refresh_line(self, at: int) -> None:
        """Draw a line again."""
        y = at - self.scroll_offset.y + self._top
        self.refresh(Region(0, y, self.size.width, 1))

    def keep_cursor_in_view(self) -> None:
        """Scroll to the cursor."""
        if self.at is None or not self.size.height:
            return
        first = self.at - self.lines_kept_above(self.at)
        top, height = self.scroll_offset.y, self.size.height - self._top
        if first < top:
            self.scroll_to(y=first, animate=False, force=True, immediate=True)
        elif self.at >= top + height:
            self.scroll_to(y=self.at - height + 1, animate=False, force=True, immediate=True)

    def on_click(self, event: events.Click) -> None:
        at = self.scroll_offset.y + event.y - self._top
        if event.y >= self._top and self._holds(at):
            again = at == self.at
            self.put_cursor_on_line(at)
            if again:
                self.handle_repeated_click()
