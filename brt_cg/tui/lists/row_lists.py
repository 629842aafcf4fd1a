"""The lists of text rows: one to pick from, and one whose cursor stays on its row."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.actions import SkipAction
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from brt_cg.tui.keys.actions import LISTS, bindings_of_named
from brt_cg.tui.look.lines import CachedScrollbars, NoRelayout

KEYS = ("cursor_up", "cursor_down", "page_up", "page_down", "first", "last", "select")
POINTER = "›"
BESIDE = "-beside"  # the class of a list beside another, without a pointer until it has the focus
LEAST = 8  # the smallest width in cells that rows are wrapped to
HANGING = 4  # the indent of a row's later lines


class FieldAbove(Widget):
    """A widget or dialog with a field above a list: while the field has the focus, the up and down
    keys move in the list. It must not be the first base class, from which Textual takes the
    styles."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of_named(
        LISTS, cursor_up="cursor_up", cursor_down="cursor_down"
    )

    @property
    def list_below(self) -> OptionList:
        """The list."""
        raise NotImplementedError(self)

    def action_cursor_up(self) -> None:
        self.list_below.action_cursor_up()

    def action_cursor_down(self) -> None:
        self.list_below.action_cursor_down()


class RowList(OptionList, CachedScrollbars, inherit_bindings=False):
    """A list of rows that may have ids. A pointer before the selected row marks it without color,
    in the blank that `app.tcss` leaves there."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of_named(
        LISTS, **{name: name for name in KEYS}
    )

    @property
    def id_at_cursor(self) -> str | None:
        """The id of the row under the cursor, for example an item or a purchase."""
        option = self.highlighted_option
        return option.id if option is not None else None

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the height at a width of at least LEAST cells: Textual cannot wrap a word if no
        cell is left for it."""
        return super().get_content_height(container, viewport, max(width, LEAST))

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        if self.has_class(BESIDE) and not self.has_focus:
            return strip
        at = _row_of(strip)
        if at is None or at != self.highlighted:
            return strip
        first = y == 0 or _row_of(super().render_line(y - 1)) != at
        if first and strip.text.startswith(" "):
            pointer = Segment(POINTER, next(iter(strip)).style)
            return Strip.join([Strip([pointer], 1), strip.crop(1)])
        return strip


def _row_of(strip: Strip) -> int | None:
    """Return the number of the row that a line belongs to, as Textual notes it for clicks."""
    found = next((segment.style.meta.get("option") for segment in strip if segment.style), None)
    return found if isinstance(found, int) else None


class PickList(RowList):
    """A list to pick from: later lines of a row are indented. The cursor stops at both ends. If
    all rows are visible, the page keys scroll the log."""

    class NothingChosen(Message):
        """Posted for Enter while no row is selected."""

    rows: Mapping[str, Content] = {}  # by id
    _width = 0  # the width that they are written for

    def show(self, rows: Sequence[tuple[str, Content]], at: int | None = 0) -> None:
        """Show rows, each with its id; select the one with the index `at`, or none."""
        self.rows = dict(rows)
        self.clear_options()
        self.add_options(Option(self._written(id), id=id) for id in self.rows)
        self.highlighted = min(at, len(rows) - 1) if rows and at is not None else None

    def rewrap_rows(self) -> None:
        """Write all rows again for the available width."""
        for id in self.rows:
            self.replace_option_prompt(id, self._written(id))

    def on_resize(self, event: events.Resize) -> None:
        """Keep the selected row visible: a field above or below may now cover its lines."""
        if self.size.width == self._width:
            event.prevent_default()  # Textual would draw all rows again
        else:
            self.rewrap_rows()
        self.call_after_refresh(self.scroll_to_highlight)

    def _written(self, id: str) -> Content:
        # The last cell is for a scroll bar. A hidden list keeps its last width.
        self._width = width = self.size.width or self._width
        row = self.rows[id]
        lines = row.wrap(width - HANGING - 1) if width > 20 else [row]
        return Content.assemble("  ", Content("\n" + " " * HANGING).join(lines))

    def action_cursor_down(self) -> None:
        if self.highlighted is None or self.highlighted < self.option_count - 1:
            super().action_cursor_down()

    def action_cursor_up(self) -> None:
        if self.highlighted != 0:
            super().action_cursor_up()

    def action_select(self) -> None:
        if self.highlighted is None:
            self.post_message(self.NothingChosen())
        else:
            super().action_select()

    def action_page_down(self) -> None:
        self._only_if_longer()
        super().action_page_down()  # type: ignore[no-untyped-call]

    def action_page_up(self) -> None:
        self._only_if_longer()
        super().action_page_up()  # type: ignore[no-untyped-call]

    def _only_if_longer(self) -> None:
        if not self.max_scroll_y:
            raise SkipAction


class SteadyList(RowList, NoRelayout):
    """A list whose cursor stays on its row when the list is refilled.

    Options without an id are headings; `write` makes all of them for a width in cells.
    """

    write: Callable[[int], Iterable[Option]] = staticmethod(lambda width: ())
    _width = 0  # the width that they are written for
    _is_emptied = False  # whether new rows follow immediately

    def show(self, write: Callable[[int], Iterable[Option]]) -> None:
        """Show other rows."""
        self.write = write
        self.fill()

    def fill(self) -> None:
        """Write the rows again, for the available width."""
        self._width = width = self._available
        if width <= 0:
            return
        before, at = self.id_at_cursor, self.highlighted
        options = [*self.write(width)]
        self._is_emptied = True
        self.clear_options()
        self._is_emptied = False
        self.add_options(options)
        if not options:
            self._update_lines()
        ids = [option.id for option in options]
        rows = [number for number, id in enumerate(ids) if id is not None]
        if before in ids and before is not None:
            self.highlighted = ids.index(before)
        elif rows:
            wanted = at if at is not None else rows[0]
            self.highlighted = min(rows, key=lambda row: abs(row - wanted))

    @property
    def _available(self) -> int:
        return self.scrollable_content_region.width - 2

    def _update_lines(self) -> None:
        # An empty list has no scroll bar, and without one Textual would lay out the screen.
        if not self._is_emptied:
            super()._update_lines()

    def on_resize(self, event: events.Resize) -> None:
        if self._available != self._width:
            self.fill()
            return
        event.prevent_default()  # Textual would draw all rows again
        self.call_after_refresh(self.scroll_to_highlight)
