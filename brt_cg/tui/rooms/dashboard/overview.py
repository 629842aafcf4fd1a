"""The top of the Dashboard: the line of CG Dates, the next step, the links to the pages."""

from collections.abc import Iterator, Sequence

from textual.content import Content
from textual.geometry import Size

from brt_cg.tui.look.lines import Lines, hanging

DONE, NOW, AHEAD = "●", "◉", "○"
STYLES = ("dim", "bold $accent", "$foreground")  # of the same
MOON = "☾"
WIDEST = 18  # cells from one date to the next
LAST = 6  # cells for the last date


class Overview(Lines):
    """The dates of the CG: days; parts of the day, nights under a moon; a mark for each date. Below
    them the next steps, beside a bar, and the links to the Campaign room's pages.

    The shape of a date's mark shows done, current or ahead, and so does the stroke after it.
    """

    dates: Sequence[str] = ()
    at = 0  # the number of past dates
    steps: Sequence[Content] = ()
    pages = Content()

    def show(self, dates: Sequence[str], at: int, steps: Sequence[Content], pages: Content) -> None:
        """Shows the dates of a CG, of which `at` are past, the next steps, and the links."""
        self.dates, self.at, self.steps, self.pages = dates, at, steps, pages
        self.write_anew()

    def write(self, room: Size) -> Content:
        high = self.screen.has_class("-high")
        air, gap = ([Content()], "  ") if high else ([], " ")
        lines = [hanging(step, room.width - 1 - len(gap)) for step in self.steps]
        rows = [row for step in lines for row in step.split("\n")]
        beside = [Content.assemble(("▌", "$accent"), gap, row) for row in rows]
        pages = self.pages.truncate(room.width - 2, ellipsis=True).stylize_before("$secondary")
        above = [Content.assemble("  ", row) for row in self._dates(room.width - 4)]
        return Content("\n").join([*air, *above, *air, *beside, Content.assemble("  ", pages)])

    def _dates(self, room: int) -> Iterator[Content]:
        """Yields the three lines of dates."""
        width = max(5, min(WIDEST, (room - LAST) // max(1, len(self.dates) - 1)))
        days = [date.split()[0] for date in self.dates]
        first = [f"{day} November" * (day not in days[:at]) for at, day in enumerate(days)]
        parts = [date.split()[1].replace("NT", f"{MOON} NT") for date in self.dates]
        done, now, ahead = f"{DONE:━<{width}}", f"{NOW:╌<{width}}", f"{AHEAD:╌<{width}}"
        marks = [*[done] * self.at, now, *[ahead] * len(parts)][: len(parts)]
        yield Content.styled("".join(f"{day:<{width}}" for day in first).rstrip(), "dim")
        for cells in ([f"{part:<{width}}" for part in parts], marks):
            stages = cells[: self.at], cells[self.at : self.at + 1], cells[self.at + 1 :]
            styled = zip(map("".join, stages), STYLES, strict=True)
            yield Content.assemble(*styled).rstrip(" ━╌")
