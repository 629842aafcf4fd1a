"""The parts of the Dashboard: at the top the line of CG Dates, the next step and the links to the
pages; each side's counters by place, Isolated ones, its points; the newest lines of the log, or
between scenarios the last Refit Phase."""

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from textual.content import Content
from textual.geometry import Size

from brt_cg.board import beach_name
from brt_cg.exports.tally import (
    HEADINGS,
    PlaceTally,
    isolated_locations,
    leaders_by_place,
    place_tallies,
)
from brt_cg.model import Side
from brt_cg.purchases.pools import HEADS, Account, Amounts, list_accounts, sum_amounts
from brt_cg.text import count_text, hyphens_to_minus_signs
from brt_cg.tui.lists.log import LogView
from brt_cg.tui.look.columns import Column, Columns, columns, right_aligned_columns
from brt_cg.tui.look.lines import Lines, Panel, click_style, hang_text
from brt_cg.tui.session.session import CampaignSnapshot
from brt_cg.views.journal_rows import TITLES, ShownLine

DONE, NOW, AHEAD = "●", "◉", "○"
STYLES = ("dim", "bold $accent", "$foreground")  # styles of these marks
MOON = "☾"
WIDEST = 18  # cells from one date to the next
LAST = 6  # cells for the last date


class Overview(Lines):
    """The dates of the CG: days; parts of the day, nights under a moon; a mark for each date. Below
    them the next steps, beside a bar, and the links to the Campaign room's pages.

    The shape of a date's mark shows past, current or future, and so does the line after it.
    """

    dates: Sequence[str] = ()
    at = 0  # the number of past dates
    steps: Sequence[Content] = ()
    pages = Content()

    def show(self, dates: Sequence[str], at: int, steps: Sequence[Content], pages: Content) -> None:
        """Show the dates of a CG, of which `at` are past, the next steps, and the links."""
        self.dates, self.at, self.steps, self.pages = dates, at, steps, pages
        self.rewrite()

    def write_content(self, room: Size) -> Content:
        high = self.screen.has_class("-high")
        air, gap = ([Content()], "  ") if high else ([], " ")
        lines = [hang_text(step, room.width - 1 - len(gap)) for step in self.steps]
        rows = [row for step in lines for row in step.split("\n")]
        beside = [Content.assemble(("▌", "$accent"), gap, row) for row in rows]
        pages = self.pages.truncate(room.width - 2, ellipsis=True).stylize_before("$secondary")
        above = [Content.assemble("  ", row) for row in self._dates(room.width - 4)]
        return Content("\n").join([*air, *above, *air, *beside, Content.assemble("  ", pages)])

    def _dates(self, room: int) -> Iterator[Content]:
        """Yield the three lines of dates."""
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


WIDE = 44  # the cells needed for wider columns


class ForcesPanel(Panel):
    """The forces of one side; the panel scrolls if they do not fit."""

    def __init__(self, side: Side) -> None:
        super().__init__(id=side.value, classes=f"panel {side.value}")
        self.side = side
        self.border_title = side.label

    def show(self, seen: CampaignSnapshot) -> None:
        """Show the side as the seat may see it."""
        player = seen.view.sides[self.side].player
        self.border_title = Content(f"{self.side.label} · {player}" if player else self.side.label)
        self._seen = seen
        self.rewrite()

    _seen: CampaignSnapshot | None = None

    @property
    def least_height(self) -> int:
        """The lines needed on a low screen, with the frame."""
        places = len(place_tallies(self._seen.view, self.side)) if self._seen is not None else 0
        return len(("frame", "headings", "frame")) + places + (places > 1)

    def write_content(self, room: Size) -> Content:
        """Return all lines, for the size of the panel. On a low screen its border shows the
        remaining points."""
        seen = self._seen
        if seen is None:
            return Content("")
        blocks = [self._forces(seen, room)]
        self.border_subtitle = ""
        if seen.may_know(self.side):
            found = list_accounts(seen.view, seen.card, self.side)
            left = _brief(sum_amounts(account.left for account in found))
            points = Content.assemble(("Points left", "dim"), f"   {left}")
            if len(found) > 1:
                points = self._points_table(found, room)
            if _height(*blocks, points) <= room.height:
                blocks.append(points)
            else:
                self.border_subtitle = f"left: {left}"
        else:
            self.border_subtitle = "known so far"
        if self.screen.has_class("-wide"):
            led = self._leaders(seen, room)
            if _height(*blocks, led) <= room.height:
                blocks.insert(1, led)
        return Content("\n\n").join(blocks)

    def _forces(self, seen: CampaignSnapshot, room: Size) -> Content:
        first, more = _widths(room)
        heads = [head for head, _ in HEADINGS]
        table = columns(
            first, *right_aligned_columns(heads, (_figure(head, more) for head in heads))
        )
        rows = place_tallies(seen.view, self.side)
        lines = [table.headings(), *(_tally_row(row, table, first) for row in rows)]
        if len(rows) > 1:
            whole = sum((row.counts for row in rows), Counter[str | None]())
            # The total comes first if not all places are visible together.
            at = 1 if self.screen.has_class("-low") else len(lines)
            lines.insert(at, _tally_row(PlaceTally("Total", None, whole), table, first, "bold"))
        where = isolated_locations(seen.view, self.side)
        if where and not self.screen.has_class("-low"):
            text = Content.styled(
                f"Isolated in {', '.join(map(seen.view.location_text, where))}", "dim"
            )
            lines.append(hang_text(text, room.width))
        return Content("\n").join(lines)

    def _leaders(self, seen: CampaignSnapshot, room: Size) -> Content:
        """Return the leaders and their places, best first."""
        found = leaders_by_place(seen.view, self.side)
        first = max([len(Side.JAPANESE.label), *(len(place) + 2 for place, _ in found)])
        lines = [Content.styled("Leaders", "dim")]
        for place, names in found:
            words = textwrap.wrap(", ".join(names), max(1, room.width - first - 1)) or [""]
            heads = [place, *("" for _ in words[1:])]
            lines += [
                columns(first).row((head, "bold"), word)
                for head, word in zip(heads, words, strict=True)
            ]
        return Content("\n").join(lines)

    def _points_table(self, found: list[Account], room: Size) -> Content:
        first, more = _widths(room)
        left = right_aligned_columns(
            HEADS.values(), (_figure(head, more) for head in HEADS.values())
        )
        table = columns(Column(max(first, 12), "Points left"), *left)
        lines = [table.headings()]
        for account in found:
            points = (hyphens_to_minus_signs(account.left.points_of(kind) or "·") for kind in HEADS)
            lines.append(table.row(beach_name(account.beach), *points))
        return Content("\n").join(lines)


def _height(*blocks: Content) -> int:
    """Return the number of lines of some blocks, with a blank line between blocks."""
    return sum(len(block.plain.splitlines()) + 1 for block in blocks) - 1


def _widths(room: Size) -> tuple[int, int]:
    """Return the width of the first column, and the additional width of the others."""
    return (14, min(3, (room.width - WIDE) // 6 + 1)) if room.width >= WIDE else (8, 0)


def _figure(head: str, more: int) -> int:
    """Return the width of a column of figures."""
    return max(4 + more, len(head) + 1)


def _tally_row(tally: PlaceTally, table: Columns, first: int, style: str = "") -> Content:
    """Return a place as a table row, its first column `first` wide."""
    hexes = count_text(tally.hexes, "hex") if tally.hexes and first > 12 else ""
    name = (tally.place, style or "bold")
    words = columns(5).row(name, (hexes, "dim")) if hexes else Content.assemble(name)
    if tally.hexes:
        words = words.stylize(click_style(f"app.why('{tally.place}')"))
    if tally.counts and not any(tally.figures()):  # the place has only SW, heroes or Pathfinders
        return columns(first).row(words, (f"  {tally.words}", style))
    return table.row(words, *((str(number or "·"), style) for number in tally.figures()))


def _brief(left: Amounts) -> str:
    """Return the points summed over the beaches, without the exponents, which cannot be added: "72
    GPP, 59 CAPP, 165 FPP"."""
    whole = replace(left, exponent=0)
    return str(whole) if whole else "none"


if TYPE_CHECKING:
    from brt_cg.exports.refit_summary import RefitSummary


LEAST = 1  # lines of the log on a low screen


class DashboardLog(LogView):
    """The log; above it a summary of the last Refit Phase, if there is one to read."""

    summary: "RefitSummary | None" = None

    def __init__(self, beside: Callable[[Size], int]) -> None:
        super().__init__(classes="panel")
        self.beside = beside

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the height that the other parts of a low room leave. Textual adds the height of a
        scroll bar."""
        left = max(LEAST, container.height - self.beside(container))
        return left - self.styles.scrollbar_size_horizontal

    def show_summary(self, summary: "RefitSummary | None") -> None:
        """Show the results of the last Refit Phase; None: only the log."""
        if summary is not self.summary:
            self.summary = summary
            self.border_title = f"The Refit Phase after {summary.date}" if summary else "Log"
            self.screen.set_class(summary is not None, "-summed")
            self.rewrite()

    def write_content(self, room: Size) -> Content:
        log = super().write_content(room)
        if self.summary is None:
            return log
        lines = [hang_text(Content(line), room.width) for line in self.summary.lines()]
        text = Content("\n").join(lines or [Content("Nothing was lost, repaired or bought.")])
        return Content("\n\n").join([text, log]) if self.screen.has_class("-wide") else text

    def write_for_size(self) -> None:
        super().write_for_size()
        if self.summary is not None:
            self.scroll_to(y=0, animate=False, force=True)


def merge_import_lines(lines: Sequence[ShownLine], counters: int) -> list[ShownLine]:
    """Return the lines, with those of each import merged into one; `counters` is the number that
    the newest one named, 0 if it is not known."""
    found: list[ShownLine] = []
    for is_import, run in groupby(lines, lambda line: line.title == TITLES["import"]):
        these = [*run]
        if is_import and len(these) > 1:
            what = count_text(counters, "counter") if counters else count_text(len(these), "line")
            these = [replace(these[-1], text=f"{what} entered", secret=None, about=())]
        found += these
    return found
