"""The lines of the log in a list, of which only what is in view is ever made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.cells import set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from brt_cg.tui.widgets.log import TAKEN_BACK

if TYPE_CHECKING:
    from brt_cg.exports.entries_told import LogLine

NUMBER, DATE, RULE, HEADING = 6, 7, 11, 36  # cells of the columns
STRUCK = Style(strike=True, dim=True)


class LineList(ScrollView, can_focus=True):
    """The list. Arrows and the mouse move the cursor; it stays with its line, or at the newest."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "edge(0)", "First", show=False),
        Binding("end", "edge(-1)", "Last", show=False),
        Binding("left,shift+tab", "heading(-1)", "Step before", show=False),
        Binding("right,tab", "heading(1)", "Next step", show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "lines--heading",
        "lines--quiet",
        "lines--marine",
        "lines--japanese",
        "lines--cursor",
    }
    DEFAULT_CSS = """
    LineList .lines--heading { color: $accent; }
    LineList .lines--quiet { color: $secondary; }
    LineList .lines--marine { color: $marine; }
    LineList .lines--japanese { color: $japanese; }
    LineList .lines--cursor {
        background: $block-cursor-background; color: $block-cursor-foreground; text-style: bold;
    }
    """

    @dataclass
    class Moved(Message):
        """The cursor is on another line."""

    @dataclass
    class Chosen(Message):
        """A line was clicked once more."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lines: Sequence[LogLine] = ()
        self._at = 0

    # --- what is shown --------------------------------------------------------------------------

    def show(self, lines: Sequence["LogLine"]) -> None:
        """Shows lines; the cursor stays with its line, or with the newest if it was there."""
        before = self.line_at_cursor
        newest = self._at >= len(self.lines) - 1
        self.lines = lines
        self._at = max(0, len(lines) - 1)
        if before is not None and not newest:
            self._at = min(self._place_of(before), self._at)
        self.virtual_size = Size(0, len(lines))
        self.refresh()
        self._keep_in_view()
        if self.line_at_cursor is not before:
            self.post_message(self.Moved())

    def _place_of(self, line: "LogLine") -> int:
        """The place of a line, or of the first one after it."""
        after = (at for at, other in enumerate(self.lines) if other.entry >= line.entry)
        first = next(after, len(self.lines))
        same = (at for at in range(first, len(self.lines)) if self.lines[at] == line)
        return next(same, first)

    @property
    def line_at_cursor(self) -> "LogLine | None":
        return self.lines[self._at] if self._at < len(self.lines) else None

    def go_to(self, number: int) -> None:
        """Puts the cursor on the first line with a number, or after it."""
        found = (at for at, line in enumerate(self.lines) if line.seq >= number)
        self._go(next(found, len(self.lines) - 1))

    # --- drawing --------------------------------------------------------------------------------

    def on_resize(self) -> None:
        self.call_after_refresh(self._keep_in_view)

    def render_line(self, y: int) -> Strip:
        at = self.scroll_offset.y + y
        width = self.scrollable_content_region.width
        if at >= len(self.lines):
            return Strip.blank(width, self.rich_style)
        strip = Strip(self._row(at, y == 0, width)).adjust_cell_length(width)
        if at == self._at:
            return Strip(Segment.apply_style(strip, post_style=self._style("cursor")), width)
        return strip.apply_style(self.rich_style)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"lines--{name}", partial=True)

    def _row(self, at: int, top: bool, width: int) -> list[Segment]:
        line, before = self.lines[at], self.lines[at - 1] if at else None
        goes_on = before is not None and not top and before.heading == line.heading
        wide = width >= NUMBER + DATE + HEADING + 40
        heading = line.heading if wide else line.rule or line.title
        room = HEADING if wide else RULE
        parts = [
            Segment("›" if at == self._at else " "),
            Segment(_cell(str(line.seq), NUMBER - 1), self._style("quiet")),
            Segment(
                _cell("" if goes_on and at != self._at else heading, room), self._style("heading")
            ),
        ]
        if wide:
            parts.insert(2, Segment(_cell(line.date, DATE), self._style("quiet")))
        struck = STRUCK if line.undone else None
        if line.undone:
            parts.append(Segment(TAKEN_BACK))
        if line.secret:
            style = self.get_component_rich_style(f"lines--{line.secret}", partial=True)
            parts.append(Segment("(secret) ", style))
        left = width - sum(part.cell_length for part in parts)
        return [*parts, Segment(_cell(line.text, left), struck)]

    # --- moving ---------------------------------------------------------------------------------

    def action_move(self, by: int) -> None:
        self._go(self._at + by)

    def action_page(self, by: int) -> None:
        self._go(self._at + by * max(1, self.size.height - 1))

    def action_edge(self, at: int) -> None:
        self._go(at % max(1, len(self.lines)))

    def action_heading(self, by: int) -> None:
        """To the first line of the next paragraph or command, or of the one before."""
        at = self._at
        while 0 < at + by < len(self.lines):
            at += by
            if self.lines[at].heading != self.lines[at - 1].heading:
                break
        self._go(at if at + by > 0 or by > 0 else 0)

    def _go(self, at: int) -> None:
        before, self._at = self._at, max(0, min(len(self.lines) - 1, at))
        if before == self._at:
            return
        for row in (before, self._at):
            self.refresh(Region(0, row - self.scroll_offset.y, self.size.width, 1))
        self._keep_in_view()
        self.post_message(self.Moved())

    def _keep_in_view(self) -> None:
        top, height = self.scroll_offset.y, self.size.height
        if not height:
            return
        if self._at < top:
            self.scroll_to(y=self._at, animate=False, force=True, immediate=True)
        elif self._at >= top + height:
            self.scroll_to(y=self._at - height + 1, animate=False, force=True, immediate=True)

    def on_click(self, event: events.Click) -> None:
        at = self.scroll_offset.y + event.y
        if at < len(self.lines):
            again = at == self._at
            self._go(at)
            if again:
                self.post_message(self.Chosen())


def _cell(text: str, width: int) -> str:
    """A text in so many cells, with a blank at its end; one that is too long ends in "…"."""
    short = set_cell_size(text, max(0, width - 1))
    return f"{short} " if short.rstrip() == text.rstrip() else f"{short[:-1]}… "[: max(0, width)]
