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

NUMBER, DATE, RULE, HEADING = 6, 7, 11, 39  # widths of the columns
TEXT = 40  # of the last one, if the step is to have its title
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
        """With the date and the step's title if there is room for them."""
        if not _is_roomy(width):
            rest = width - NUMBER - RULE
            return columns(
                Column(NUMBER, " No."), Column(RULE, "Step"), Column(rest, "What happened")
            )
        step = min(self._longest, max(HEADING, width // 4))
        rest = width - NUMBER - DATE - step
        heads = (Column(NUMBER, " No."), Column(DATE, "Date"), Column(step, "Step"))
        return columns(*heads, Column(rest, "What happened"))

    def segments(self, at: int, width: int, is_top: bool) -> list[Segment]:
        line, before = self.lines[at], self.lines[at - 1] if at else None
        goes_on = before is not None and not is_top and before.heading == line.heading
        quiet, roomy = self.style("quiet"), _is_roomy(width)
        step = line.heading if roomy else line.rule or line.title
        number = [Segment("›" if at == self.at else " "), Segment(str(line.seq), quiet)]
        text = [
            Segment(TAKEN_BACK if line.undone else ""),
            Segment("(secret) " if line.secret else "", self.style(line.secret or "quiet")),
            Segment(line.text, STRUCK if line.undone else None),
        ]
        return self._columns(width).drawn(
            number,
            *([[Segment(line.date, quiet)]] if roomy else []),
            [Segment("" if goes_on and at != self.at else step)],
            text,
        )

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
    after = (at for at, other in enumerate(lines) if other.entry >= line.entry)
    first = next(after, len(lines))
    same = (at for at in range(first, len(lines)) if lines[at] == line)
    return next(same, first)


def _is_roomy(width: int) -> bool:
    return width >= NUMBER + DATE + HEADING + TEXT
