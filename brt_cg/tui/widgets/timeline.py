"""The line of CG Dates: past, current and future."""

from collections.abc import Sequence

from textual.content import Content
from textual.geometry import Size

from brt_cg.tui.widgets.lines import Lines

DONE, NOW, AHEAD = "●", "◉", "○"
MOON = "☾"
WIDEST = 18  # cells from one date to the next


class Timeline(Lines):
    """Three lines: days; parts of the day, nights under a moon; a mark for each date.

    The shape of the mark shows done, current or ahead, and so does the stroke after it.
    """

    dates: Sequence[str] = ()
    at = 0  # the number of past dates

    def show(self, dates: Sequence[str], date: str, over: bool) -> None:
        """Shows the dates of a CG; `over` if the last one is over too."""
        self.dates = dates
        self.at = len(dates) if over else list(dates).index(date)
        self.write_anew()

    def write(self, room: Size) -> Content:
        last = 6  # cells for the last date itself
        width = max(5, min(WIDEST, (room.width - last) // max(1, len(self.dates) - 1)))
        days = [
            f"{_day(date)} November" if not at or _day(self.dates[at - 1]) != _day(date) else ""
            for at, date in enumerate(self.dates)
        ]
        parts = [date.split()[1].replace("NT", f"{MOON} NT") for date in self.dates]
        lines = [
            Content.assemble(*((f"{day:<{width}}", "dim") for day in days)),
            Content.assemble(
                *((f"{part:<{width}}", self._style(at)) for at, part in enumerate(parts))
            ),
            Content.assemble(*(self._mark(at, width) for at in range(len(self.dates)))),
        ]
        return Content("\n").join(line.rstrip() for line in lines)

    def _style(self, at: int) -> str:
        if at == self.at:
            return "bold $accent"
        return "dim" if at < self.at else "$foreground"

    def _mark(self, at: int, width: int) -> tuple[str, str]:
        last = at == len(self.dates) - 1
        mark, stroke = (DONE, "━") if at < self.at else (AHEAD, "╌")
        mark = NOW if at == self.at else mark
        return mark + ("" if last else stroke * (width - 1)), self._style(at)


def _day(date: str) -> str:
    return date.split()[0]
