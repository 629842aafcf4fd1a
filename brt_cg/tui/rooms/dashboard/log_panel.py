"""The newest lines of the log on the Dashboard; between scenarios, the last Refit Phase."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from textual.content import Content
from textual.geometry import Size

from brt_cg.text import counted
from brt_cg.tui.lists.log import LogView
from brt_cg.tui.look.lines import hanging
from brt_cg.views.rows import TITLES, ShownLine

if TYPE_CHECKING:
    from brt_cg.exports.refit_summary import RefitSummary


LEAST = 2  # lines of the log on a low screen


class DashboardLog(LogView):
    """The log; above it a summary of the last Refit Phase, if there is one to read."""

    summary: "RefitSummary | None" = None

    def __init__(self, beside: Callable[[Size], int]) -> None:
        super().__init__(classes="panel")
        self.beside = beside

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """What the rest of a low room leaves; Textual adds the height of a scroll bar."""
        left = max(LEAST, container.height - self.beside(container))
        return left - self.styles.scrollbar_size_horizontal

    def show_summary(self, summary: "RefitSummary | None") -> None:
        """Shows what the last Refit Phase came to; None: only the log."""
        if summary is not self.summary:
            self.summary = summary
            self.border_title = f"The Refit Phase after {summary.date}" if summary else "Log"
            self.screen.set_class(summary is not None, "-summed")
            self.write_anew()

    def write(self, room: Size) -> Content:
        log = super().write(room)
        if self.summary is None:
            return log
        lines = [hanging(Content(line), room.width) for line in self.summary.lines()]
        text = Content("\n").join(lines or [Content("Nothing was lost, repaired or bought.")])
        return Content("\n\n").join([text, log]) if self.screen.has_class("-wide") else text

    def fit(self) -> None:
        super().fit()
        if self.summary is not None:
            self.scroll_to(y=0, animate=False, force=True)


def with_imports_in_one(lines: Sequence[ShownLine], counters: int) -> list[ShownLine]:
    """The lines, with all those of an import as one; `counters` is the number that the newest one
    named, 0 if it is not known."""
    found: list[ShownLine] = []
    for is_import, run in groupby(lines, lambda line: line.title == TITLES["import"]):
        these = [*run]
        if is_import and len(these) > 1:
            what = counted(counters, "counter") if counters else counted(len(these), "line")
            these = [replace(these[-1], text=f"{what} imported", secret=None, about=())]
        found += these
    return found
