"""The lines of the log in a list."""

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import BindingType

from brt_cg.tui.keys.actions import LISTS, bound_to
from brt_cg.tui.lists.drawn_list import DrawnList
from brt_cg.tui.lists.log import TAKEN_BACK
from brt_cg.tui.look.columns import Column, Columns, columns, longest
from brt_cg.views.rows import ShownLine

NUMBER, DATE, RULE = 6, 7, 13  # widths of the columns
TEXT = 76  # what most lines need; only beyond it are there the date and the step's title
STRUCK = Style(strike=True, dim=True)


class LineList(DrawnList):
    """The log in a list; the cursor stays with its line, or at the newest."""

    BINDINGS: ClassVar[list[BindingType]] = bound_to(
        LISTS,
        fold="heading(-1)",
        last_group="heading(-1)",
        unfold="heading(1)",
        next_group="heading(1)",
    )
    lines: Sequence[ShownLine]
    _longest = 0  # the title of a step

    def show(self, lines: Sequence[ShownLine]) -> None:
        """Shows lines; the cursor stays with its line, or with the newest if it was there."""
        self._longest = longest({line.heading for line in lines})
        before, newest = self.line_at_cursor, len(lines) - 1
        at = newest
        if before is not None and self.at != len(self.lines) - 1:
            at = min(_place_of(before, lines), newest)
        self.refill(lines, at if lines else None)

    @property
    def line_at_cursor(self) -> ShownLine | None:
        return self.lines[self.at] if self.at is not None else None

    def go_to(self, number: int) -> None:
        """Puts the cursor on the first line with a number, or after it."""
        found = (at for at, line in enumerate(self.lines) if line.seq >= number)
        if self.lines:
            self.go(next(found, len(self.lines) - 1))

    def headings(self, width: int) -> list[Segment]:
        table = self._columns(width)
        return table.drawn(*table.heads)

    def _columns(self, width: int) -> Columns:
        """The step by its number; with the date and its title if there is room for them."""
        date = DATE if width >= NUMBER + DATE + RULE + TEXT else 0
        step = self._longest if width >= NUMBER + DATE + self._longest + TEXT else RULE
        rest = width - NUMBER - date - step
        heads = (Column(NUMBER, " No."), Column(date, "Date"), Column(step, "Step"))
        return columns(*heads, Column(rest, "What happened"))

    def segments(self, at: int, width: int, is_top: bool) -> list[Segment]:
        line, before = self.lines[at], self.lines[at - 1] if at else None
        goes_on = before is not None and not is_top and before.heading == line.heading
        table, quiet = self._columns(width), self.style("quiet")
        _, _, heads, _ = table.columns
        step = line.heading if heads.width > RULE else line.rule or line.title
        number = [Segment("›" if at == self.at else " "), Segment(str(line.seq), quiet)]
        text = [
            Segment(TAKEN_BACK if line.undone else ""),
            Segment("(secret) " if line.secret else "", self.style(line.secret or "quiet")),
            Segment(line.text, STRUCK if line.undone else None),
        ]
        stands = [Segment("" if goes_on and at != self.at else step)]
        return table.drawn(number, [Segment(line.date, quiet)], stands, text)

    def action_heading(self, by: int) -> None:
        """Goes to the first line of the next paragraph or command, or of the one before."""
        if self.at is None:
            return
        at = self.at
        while 0 < at + by < len(self.lines):
            at += by
            if self.lines[at].heading != self.lines[at - 1].heading:
                break
        self.go(at if at + by > 0 or by > 0 else 0)


def _place_of(line: ShownLine, lines: Sequence[ShownLine]) -> int:
    """The index of a line among others, or of the first one after it."""
    after = (at for at, other in enumerate(lines) if other.seq >= line.seq)
    first = next(after, len(lines))
    same = (at for at in range(first, len(lines)) if lines[at] == line)
    return next(same, first)
