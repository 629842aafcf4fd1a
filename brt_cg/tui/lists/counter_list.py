"""Counters in groups, in a list."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.segment import Segment
from textual.binding import BindingType

from brt_cg.model import Side
from brt_cg.tui.keys.actions import LISTS, bindings_of_named
from brt_cg.tui.lists.drawn_list import DrawnList
from brt_cg.tui.lists.groups import CounterRow, Group
from brt_cg.tui.lists.search import next_cyclic
from brt_cg.tui.look.columns import Column, Columns, column_width_for, columns
from brt_cg.tui.look.signs import SIGNS

Line = Group | CounterRow
SIGN = 4  # cells for the cursor and the symbol of the side
WIDE = 70  # cells of a list with room for a place that is not cut off
PLACE = len("on the table") + 2  # cells for a place, if there is a long one


class CounterList(DrawnList):
    """A list of groups, each under its heading, which can be folded. `mark` puts a word before a
    row's state."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of_named(
        LISTS, next_group="group(1)", last_group="group(-1)", fold="fold", unfold="unfold"
    )
    lines: Sequence[Line]
    mark: Callable[[str], str] = staticmethod(lambda id: "")
    heading = "Counter"  # above the names
    _groups: Sequence[Group] = ()
    _longest = (0, 0)  # lengths of a name and a place
    _folded: frozenset[str] = frozenset()  # titles of folded groups

    # --- the contents ---------------------------------------------------------------------------

    def show(self, found: Sequence[Group]) -> None:
        """Show groups; the cursor stays on its counter, or its folded group, if that is still
        there."""
        before = self.lines[self.at] if self.at is not None else None
        self._groups = found
        rows = [row for group in found for row in group.rows]
        self._longest = (
            column_width_for(row.name for row in rows),
            column_width_for(row.place for row in rows),
        )
        lines: list[Line] = []
        for group in found:
            lines += [group, *(() if group.title in self._folded else group.rows)]
        names = {_name(line): at for at, line in enumerate(lines) if self._takes_cursor(line)}
        first = next((at for at, line in enumerate(lines) if isinstance(line, CounterRow)), None)
        self.put_lines_posting_moved(lines, names.get(_name(before), first) if before else first)

    @property
    def subject_at_cursor(self) -> str | None:
        return self.id_at_cursor

    def put_cursor(self, id: str | None) -> None:
        """Put the cursor on a counter, or on none."""
        ids = (line.id if isinstance(line, CounterRow) else None for line in self.lines)
        self.at = next((at for at, found in enumerate(ids) if id and found == id), None)
        self.refresh()
        if self.at is None:
            self.scroll_home(animate=False, force=True, immediate=True)
        self.keep_cursor_in_view()

    def go_to(self, id: str) -> None:
        """Put the cursor on a counter, unfolding its group."""
        for group in self._groups:
            if any(row.id == id for row in group.rows):
                self._folded -= {group.title}
                self.show(self._groups)
                self.put_cursor(id)
                self.post_message(self.Moved())
                return

    @property
    def id_at_cursor(self) -> str | None:
        """The counter under the cursor."""
        row = self.row_at_cursor
        return row.id if row else None

    @property
    def row_at_cursor(self) -> CounterRow | None:
        line = self.lines[self.at] if self.at is not None else None
        return line if isinstance(line, CounterRow) else None

    # --- drawing --------------------------------------------------------------------------------

    def line_segments(self, at: int, width: int, is_top: bool) -> list[Segment]:
        line = self.lines[at]
        if isinstance(line, Group):
            return self._heading(line, width)
        return self._row_segments(line, width, at == self.at)

    def heading_segments(self, width: int) -> list[Segment]:
        return self._columns(width).row_segments(*self._columns(width).heading_cells)

    def _columns(self, width: int) -> Columns:
        """Return the columns, as wide as their contents if there is room; the state column gets
        the rest."""
        name = max(22, min(self._longest[0], width * 2 // 5))
        place = max(11, min(self._longest[1], max(PLACE if width >= WIDE else 0, width // 6)))
        state = width - SIGN - name - place
        return columns(
            SIGN, Column(name, self.heading), Column(place, "Place"), Column(state, "State")
        )

    def _heading(self, group: Group, width: int) -> list[Segment]:
        fold = "▸ " if group.title in self._folded else ""
        title = f"{side_sign(group.side)} {fold}{group.title}  "
        style = self.part_style("strong")
        return [
            Segment(title, style + self.part_style(group.side) if group.side else style),
            Segment(fit_tally(group.tally, width - len(title)), self.part_style("quiet")),
        ]

    def _row_segments(self, row: CounterRow, width: int, here: bool) -> list[Segment]:
        quiet, mark = self.part_style("quiet"), self.mark(row.id)
        sign = f" {'›' if here else ' '}{side_sign(row.side)}"
        return self._columns(width).row_segments(
            [Segment(sign, self.part_style(row.side) if row.side else quiet)],
            [Segment(row.name_without_id), Segment(row.name[len(row.name_without_id) :], quiet)],
            [Segment(row.place, quiet)],
            [
                Segment(f"{mark}  " if mark else "", self.part_style("strong")),
                Segment(row.state, quiet if mark else None),
            ],
        )

    # --- moving ---------------------------------------------------------------------------------

    def may_hold_cursor(self, at: int) -> bool:
        return self._takes_cursor(self.lines[at])

    def _takes_cursor(self, line: Line) -> bool:
        """Whether a line is a counter, or the placeholder of a folded group."""
        return isinstance(line, CounterRow) or line.title in self._folded

    def lines_kept_above(self, at: int) -> int:
        """Keep the heading above the first row of its group."""
        return int(at > 0 and isinstance(self.lines[at - 1], Group))

    def handle_repeated_click(self) -> None:
        if self.id_at_cursor is None:
            self.action_unfold()
        else:
            super().handle_repeated_click()

    def _group_at(self, at: int) -> int:
        """Return the heading of the group that a line is in."""
        return next(index for index in range(at, -1, -1) if isinstance(self.lines[index], Group))

    def action_group(self, by: int) -> None:
        """Go to the first counter of the next or the previous group."""
        if self.at is None:
            return
        heads = [at for at, line in enumerate(self.lines) if isinstance(line, Group)]
        head = next_cyclic(heads, self._group_at(self.at), by)
        self.put_cursor_on_line(head if self.may_hold_cursor(head) else head + 1)

    def action_fold(self) -> None:
        """Fold the selected group; the cursor goes to its heading."""
        if self.at is not None:
            head = self._group_at(self.at)
            group = self.lines[head]
            assert isinstance(group, Group), "a heading"
            self._folded |= {group.title}
            self.show(self._groups)
            self.put_cursor_on_line(head)

    def action_unfold(self) -> None:
        head = self.at
        line = self.lines[head] if head is not None else None
        if head is not None and isinstance(line, Group):
            self._folded -= {line.title}
            self.show(self._groups)
            self.put_cursor_on_line(head + 1)


def _name(line: Line) -> str:
    return line.id if isinstance(line, CounterRow) else line.title


def side_sign(side: Side | None) -> str:
    """Return the symbol of a side, before its counters."""
    return SIGNS[side] if side else " "


def fit_tally(tally: str, width: int) -> str:
    """Return as many figures of a tally as fit, and the number of other counters."""
    parts = tally.split(", ")
    for kept in range(len(parts), -1, -1):
        more = sum(int(part.split()[0]) for part in parts[kept:])
        text = ", ".join([*parts[:kept], *([f"{more} more"] if more else [])])
        if len(text) <= width:
            return text
    return ""
