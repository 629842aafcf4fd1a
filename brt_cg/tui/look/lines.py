"""Text on the screen, laid out once: links that keep their colors; lines written for the available
size; hanging indents, so that the beginning of each line is easy to see."""

from collections.abc import Callable, Iterable
from typing import Any

from rich.cells import cell_len
from rich.style import Style as RichStyle
from textual import containers, widgets
from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.style import Style
from textual.visual import VisualType
from textual.widget import Widget


class NoRelayout(Widget):
    """A widget that accepts its size from a layout without asking for another layout, as Textual's
    own widgets do whenever a layout has changed their size. That second layout changes nothing, but
    everything is drawn again. It must not be the first base class, from which Textual takes the
    styles."""

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), repaint=False)


class CachedScrollbars(ScrollView):
    """A scrolling widget whose bars are drawn again only if their contents have changed. Textual
    compares the outer size with the size inside the frame, and so draws them after every layout. It
    must not be the first base class if there is another."""

    _bars: object = None  # the state that they were drawn for

    def _scroll_update(self, virtual_size: Size) -> None:
        shown = (self.show_vertical_scrollbar, self.show_horizontal_scrollbar)
        drawn = (virtual_size, self.size, self.container_size, shown)
        if drawn != self._bars:
            super()._scroll_update(virtual_size)
            shown = (self.show_vertical_scrollbar, self.show_horizontal_scrollbar)
            self._bars = (virtual_size, self.size, self.container_size, shown)


class Static(widgets.Static, NoRelayout):
    """A text widget that does not redraw text already shown."""

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        if not _is_same(content, self.content):
            super().update(content, layout=layout)


def _is_same(words: VisualType, others: VisualType) -> bool:
    """Whether the words and their styles are the same; Textual's equality ignores the styles."""
    if isinstance(words, Content) and isinstance(others, Content):
        return words.is_same(others)
    return isinstance(words, str) and isinstance(others, str) and words == others


class Vertical(containers.Vertical, NoRelayout):
    """A column of widgets."""


class Horizontal(containers.Horizontal, NoRelayout):
    """A row of widgets."""


OWN = RichStyle.null()
INDENT = 2  # the indent of a line's later rows
BLANKS = Content("  ")
LEAST = 20  # the width below which nothing is indented


def click_style(action: str) -> Style:
    """Return a style that makes words run an action when clicked; unlike markup, it need not be
    parsed."""
    return Style.from_meta({"@click": action})


def flow_in_rows(parts: Iterable[Content], width: int, between: Content = BLANKS) -> Content:
    """Lay out short strings side by side, in as many rows as they need; none is broken."""
    rows: list[list[Content]] = [[]]
    for part in parts:
        row = between.join([*rows[-1], part])
        if rows[-1] and row.cell_length > width:
            rows.append([part])
        else:
            rows[-1].append(part)
    return Content("\n").join(between.join(row) for row in rows)


class KeepsLinkColors:
    """A widget that keeps the colors of links, which Textual would all draw in one color, hiding
    bold and accented words; only the link under the pointer is highlighted."""

    @property
    def link_style(self) -> RichStyle:
        return OWN


class Lines(KeepsLinkColors, NoRelayout):
    """A widget of lines written for the available size as soon as that is known, before anything is
    drawn: by the function given to `show_written_by`, or by a subclass."""

    _room: tuple[Size, Size] | None = None  # the width written for, and the terminal's
    _written, _height = Content(""), 0
    _write: Callable[[Size], Content] = staticmethod(lambda room: Content())

    def show_written_by(self, write: Callable[[Size], Content]) -> None:
        """Show the lines that a function writes for a size."""
        self._write = write
        self.rewrite()

    def write_content(self, room: Size) -> Content:
        """Return the contents, for a size."""
        return self._write(room)

    def rewrite(self) -> None:
        """Write the lines again, because their contents have changed."""
        self._room = None
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        self._fill(Size(width, container.height))
        return self._height

    def render(self) -> RenderResult:
        before = self._room[0] if self._room else self.size
        self._fill(Size(self.size.width, before.height))
        return self._written

    def _fill(self, room: Size) -> None:
        if not room.width:  # hidden, but asked for the selected text
            self._room, self._written, self._height = None, Content(""), 0
        elif self._room != (room, self.app.size):
            self._room, self._written = (room, self.app.size), self.write_content(room)
            self._height = self._height_in(room.width)

    def _height_in(self, width: int) -> int:
        """Return the height at a width. This is faster than Textual's method, which breaks every
        line although most fit."""
        rows = self._written.plain.split("\n")
        if all(cell_len(row) <= width for row in rows):
            return len(rows)
        return self._written.get_height(self.styles.get_rules(), width)


class Panel(Lines, CachedScrollbars, can_focus=False):
    """A panel of lines that scroll if they do not fit. Only visible lines are drawn, and lines that
    are too wide are cut off."""

    def rewrite(self) -> None:
        self._room = None
        self.write_for_size()

    def on_resize(self) -> None:
        self.write_for_size()

    def write_for_size(self) -> None:
        """Write the lines for the available size, unless they have been written for it."""
        if not self.size.width:  # not laid out yet
            return
        self._fill(Size(self.scrollable_content_region.width, self.size.height))
        self.virtual_size = Size(0, self._height)
        self._scroll_update(self.virtual_size)  # so that the first frame shows the bar
        self.refresh()

    def render(self) -> Content:
        self._fill(Size(self.scrollable_content_region.width, self.size.height))
        top = self.scroll_offset.y
        lengths = [len(line) + 1 for line in self._written.plain.split("\n")]
        start = sum(lengths[:top])
        return self._written[start : start + sum(lengths[top : top + self.size.height])]

    def _height_in(self, width: int) -> int:
        return self._written.plain.count("\n") + 1


# --- hanging --------------------------------------------------------------------------------------


def hang_text(line: Content, width: int, indent: int = INDENT) -> Content:
    """Return a line broken at a width, its later rows indented."""
    if line.cell_length <= width or width <= LEAST:
        return line
    first, *_ = line.wrap(width)
    rest = line[len(first) :]
    rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
    return Content("\n" + " " * indent).join([first, *rest.wrap(width - indent)])


class HangingText(Lines):
    """A widget of lines that have a hanging indent at any width."""

    _text: tuple[Content, int | None] | None = None

    def __init__(self, text: Content | str = "", **named: Any) -> None:
        super().__init__(**named)
        self.set_text(text)

    def set_text(self, text: Content | str, indent: int | None = None) -> None:
        """Replace the lines. Their later rows have this `indent` in cells, by default 2 more than
        their first rows."""
        text = Content(text) if isinstance(text, str) else text
        before, self._text = self._text, (text, indent)
        if before is None or before[1] != indent or not text.is_same(before[0]):
            lines = text.split("\n", allow_blank=True)
            self.show_written_by(
                lambda room: Content("\n").join(_hang(line, room.width, indent) for line in lines)
            )


def _hang(line: Content, width: int, indent: int | None) -> Content:
    blanks = len(line.plain) - len(line.plain.lstrip(" "))
    return hang_text(line, width, blanks + INDENT if indent is None else indent)
