"""Counters in groups, drawn line by line: only what is in view is ever made."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from brt_cg.counters import Side
from brt_cg.tui.groups import CounterRow, Group

SIGNS = {Side.MARINE: "★", Side.JAPANESE: "●", None: " "}
Line = Group | CounterRow


class CounterList(ScrollView, can_focus=True):
    """The list. Arrows and the mouse move the cursor; `mark` puts a word before a row's state."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "edge(0)", "First", show=False),
        Binding("end", "edge(-1)", "Last", show=False),
        Binding("tab", "group(1)", "Next group", show=False),
        Binding("shift+tab", "group(-1)", "Group before", show=False),
        Binding("left", "fold", "Fold", show=False),
        Binding("right", "unfold", "Unfold", show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "counters--heading",
        "counters--marine",
        "counters--japanese",
        "counters--quiet",
        "counters--tick",
        "counters--cursor",
    }
    DEFAULT_CSS = """
    CounterList .counters--heading { text-style: bold; color: $accent; }
    CounterList .counters--marine { color: $marine; }
    CounterList .counters--japanese { color: $japanese; }
    CounterList .counters--quiet { color: $secondary; }
    CounterList .counters--tick { text-style: bold; color: $accent; }
    CounterList .counters--cursor {
        background: $block-cursor-background; color: $block-cursor-foreground; text-style: bold;
    }
    """

    @dataclass
    class Moved(Message):
        """The cursor is on another counter."""

        id: str | None

    @dataclass
    class Chosen(Message):
        """A counter was clicked once more."""

        id: str

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.mark: Callable[[str], str] = lambda _: ""
        self.rows: list[Line] = []
        self._groups: Sequence[Group] = ()
        self._folded: set[str] = set()  # titles of groups of which only the heading is shown
        self._at: int | None = None

    # --- what is shown --------------------------------------------------------------------------

    def show(self, found: Sequence[Group]) -> None:
        """Shows groups; the cursor stays on its counter if that is still there."""
        before = self.id_at_cursor
        self._groups, self.rows = found, []
        for group in found:
            self.rows += [group, *(() if group.title in self._folded else group.rows)]
        ids = {line.id: at for at, line in enumerate(self.rows) if isinstance(line, CounterRow)}
        first = next(iter(ids.values()), None)
        self._at = ids.get(before, first) if before else first
        self.virtual_size = Size(0, len(self.rows))
        self.refresh()
        self._keep_in_view()
        if self.id_at_cursor != before:
            self.post_message(self.Moved(self.id_at_cursor))

    def put_cursor(self, id: str | None) -> None:
        """Puts the cursor on a counter, or on none."""
        rows = (at for at, line in enumerate(self.rows) if isinstance(line, CounterRow))
        self._at = next((at for at in rows if self.rows[at].id == id), None)  # type: ignore[union-attr]
        self.refresh()
        if self._at is None:
            self.scroll_home(animate=False, force=True, immediate=True)
        self._keep_in_view()

    def go_to(self, id: str) -> None:
        """Puts the cursor on a counter, unfolding its group."""
        group = next((one for one in self._groups if any(row.id == id for row in one.rows)), None)
        if group is not None:
            self._folded.discard(group.title)
            self.show(self._groups)
            self.put_cursor(id)
            self.post_message(self.Moved(id))

    @property
    def id_at_cursor(self) -> str | None:
        """The counter under the cursor."""
        row = self.row_at_cursor
        return row.id if row else None

    @property
    def row_at_cursor(self) -> CounterRow | None:
        line = self.rows[self._at] if self._at is not None else None
        return line if isinstance(line, CounterRow) else None

    # --- drawing --------------------------------------------------------------------------------

    def on_resize(self) -> None:
        self.call_after_refresh(self._keep_in_view)

    def render_line(self, y: int) -> Strip:
        at = self.scroll_offset.y + y
        width = self.scrollable_content_region.width
        if at >= len(self.rows):
            return Strip.blank(width, self.rich_style)
        line = self.rows[at]
        if isinstance(line, Group):
            segments = self._heading(line, width)
        else:
            segments = self._row(line, width, at == self._at)
        strip = Strip(segments).adjust_cell_length(width)
        if at == self._at:
            return Strip(Segment.apply_style(strip, post_style=self._style("cursor")), width)
        return strip.apply_style(self.rich_style)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"counters--{name}", partial=True)

    def _heading(self, group: Group, width: int) -> list[Segment]:
        fold = "▸ " if group.title in self._folded else ""
        title = f"{SIGNS[group.side]} {fold}{group.title}  "
        return [
            Segment(title, self._style("heading")),
            Segment(fitting(group.tally, width - len(title)), self._style("quiet")),
        ]

    def _row(self, row: CounterRow, width: int, here: bool) -> list[Segment]:
        name = max(22, min(34, width * 2 // 5))
        side = self._style(row.side) if row.side else self._style("quiet")
        mark = self.mark(row.id)
        left = width - 4 - name - 11
        state = _cut(row.state, left - len(mark) - 2 * bool(mark)) if row.state else ""
        return [
            Segment(f" {'›' if here else ' '}{SIGNS[row.side]} ", side),
            Segment(_cut(row.name, name)),
            Segment(_cut(row.place, 11), self._style("quiet")),
            Segment(f"{mark}  " if mark else "", self._style("tick")),
            Segment(state, self._style("quiet") if mark else None),
        ]

    # --- moving ---------------------------------------------------------------------------------

    def action_move(self, by: int) -> None:
        """Moves by rows, over headings."""
        at = -1 if self._at is None else self._at
        while 0 <= (at := at + by) < len(self.rows):
            if self._holds_cursor(at):
                self._go(at)
                return

    def _holds_cursor(self, at: int) -> bool:
        """Whether the cursor may be on a line: on a counter, or on what stands for folded ones."""
        line = self.rows[at]
        return isinstance(line, CounterRow) or line.title in self._folded

    def _group_at(self, at: int) -> int:
        """The heading that a line is under."""
        return next(index for index in range(at, -1, -1) if isinstance(self.rows[index], Group))

    def action_group(self, by: int) -> None:
        """To the first counter of the next group, or of the one before."""
        if self._at is None:
            return
        heads = [at for at, line in enumerate(self.rows) if isinstance(line, Group)]
        now = heads.index(self._group_at(self._at))
        head = heads[(now + by) % len(heads)]
        self._go(head if self._holds_cursor(head) else head + 1)

    def action_fold(self) -> None:
        """Folds the group in hand; the cursor goes to its heading."""
        if self._at is not None:
            head = self._group_at(self._at)
            group = self.rows[head]
            assert isinstance(group, Group), "a heading"
            self._folded.add(group.title)
            self.show(self._groups)
            self._go(head)

    def action_unfold(self) -> None:
        line = self.rows[self._at] if self._at is not None else None
        if isinstance(line, Group):
            self._folded.discard(line.title)
            head = self._at
            self.show(self._groups)
            self._go((head or 0) + 1)

    def action_page(self, by: int) -> None:
        if self._at is not None:
            wanted = self._at + by * max(1, self.size.height - 2)
            self._go_near(max(0, min(len(self.rows) - 1, wanted)))

    def action_edge(self, at: int) -> None:
        if self.rows:
            self._go_near(at % len(self.rows))

    def _go_near(self, wanted: int) -> None:
        found = [at for at in range(len(self.rows)) if self._holds_cursor(at)]
        if found:
            self._go(min(found, key=lambda at: abs(at - wanted)))

    def _go(self, at: int) -> None:
        if at == self._at:
            return
        before, self._at = self._at, at
        for row in (before, at):
            if row is not None:
                self.refresh_row(row)
        self._keep_in_view()
        self.post_message(self.Moved(self.id_at_cursor))

    def refresh_row(self, at: int) -> None:
        """Draws one line anew."""
        self.refresh(Region(0, at - self.scroll_offset.y, self.size.width, 1))

    def _keep_in_view(self) -> None:
        """Scrolls so that the cursor is seen, with the heading above a group's first row."""
        if self._at is None or not self.size.height:
            return
        heading = self._at > 0 and isinstance(self.rows[self._at - 1], Group)
        top, height = self.scroll_offset.y, self.size.height
        if self._at - heading < top:
            self.scroll_to(y=self._at - heading, animate=False, force=True, immediate=True)
        elif self._at >= top + height:
            self.scroll_to(y=self._at - height + 1, animate=False, force=True, immediate=True)

    def on_click(self, event: events.Click) -> None:
        at = self.scroll_offset.y + event.y
        if at < len(self.rows) and isinstance(self.rows[at], CounterRow):
            again = at == self._at
            self._go(at)
            if again and self.id_at_cursor:
                self.post_message(self.Chosen(self.id_at_cursor))


def fitting(tally: str, width: int) -> str:
    """As many figures of a tally as there is room for, and how many counters more."""
    parts = tally.split(", ")
    for kept in range(len(parts), -1, -1):
        more = sum(int(part.split()[0]) for part in parts[kept:])
        told = ", ".join([*parts[:kept], *([f"{more} more"] if more else [])])
        if len(told) <= width:
            return told
    return ""


def _cut(text: str, width: int) -> str:
    """A text in so many cells; one that is too long ends in "…"."""
    if len(text) < width:
        return text.ljust(width)
    return f"{text[: max(0, width - 2)]}… "[: max(0, width)]
