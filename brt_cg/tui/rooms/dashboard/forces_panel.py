"""A side's panel on the Dashboard: its counters by place, Isolated ones, its points."""

import textwrap
from collections import Counter
from dataclasses import replace

from textual.content import Content
from textual.geometry import Size

from brt_cg.board.locations import beach_name
from brt_cg.model.counters import Side
from brt_cg.purchases.pools import HEADS, Account, Amounts, accounts, total
from brt_cg.text import counted, minus
from brt_cg.tui.lists.tally import HEADINGS, Tally, isolated_at, leaders, tallies
from brt_cg.tui.look.columns import Column, Columns, columns, figures
from brt_cg.tui.look.lines import Panel, click, hanging
from brt_cg.tui.session.session import Seen

WIDE = 44  # the cells needed for wider columns


class ForcesPanel(Panel):
    """The forces of one side; the panel scrolls if they do not fit."""

    def __init__(self, side: Side) -> None:
        super().__init__(id=side.value, classes=f"panel {side.value}")
        self.side = side
        self.border_title = side.label

    def show(self, seen: Seen) -> None:
        """Shows the side as the seat may see it."""
        player = seen.view.sides[self.side].player
        self.border_title = Content(f"{self.side.label} · {player}" if player else self.side.label)
        self._seen = seen
        self.write_anew()

    _seen: Seen | None = None

    @property
    def least_height(self) -> int:
        """The lines needed on a low screen, with the frame."""
        places = len(tallies(self._seen.view, self.side)) if self._seen is not None else 0
        return len(("frame", "headings", "frame")) + places + (places > 1)

    def write(self, room: Size) -> Content:
        """All lines, for the size of the panel. On a low screen the points left are in its
        border."""
        seen = self._seen
        if seen is None:
            return Content("")
        blocks = [self._forces(seen, room)]
        self.border_subtitle = ""
        if seen.may_know(self.side):
            found = accounts(seen.view, seen.card, self.side)
            left = _brief(total(account.left for account in found))
            if self.screen.has_class("-low"):
                self.border_subtitle = f"left: {left}"
            elif len(found) == 1:
                blocks.append(Content.assemble(("Points left", "dim"), f"   {left}"))
            else:
                blocks.append(self._points_table(found, room))
        else:
            self.border_subtitle = "as far as known"
        if self.screen.has_class("-wide"):
            led = self._leaders(seen, room)
            lines = sum(len(block.plain.splitlines()) + 1 for block in (*blocks, led)) - 1
            if lines <= room.height:
                blocks.insert(1, led)
        return Content("\n\n").join(blocks)

    def _forces(self, seen: Seen, room: Size) -> Content:
        first, more = _widths(room)
        heads = [head for head, _ in HEADINGS]
        table = columns(first, *figures(heads, (_figure(head, more) for head in heads)))
        rows = tallies(seen.view, self.side)
        lines = [table.headings(), *(_row(row, table, first) for row in rows)]
        if len(rows) > 1:
            whole = sum((row.counts for row in rows), Counter[str | None]())
            # First where not all places may be seen at once.
            at = 1 if self.screen.has_class("-low") else len(lines)
            lines.insert(at, _row(Tally("Total", None, whole), table, first, "bold"))
        where = isolated_at(seen.view, self.side)
        if where and not self.screen.has_class("-low"):
            text = Content.styled(f"Isolated in {', '.join(where)}", "dim")
            lines.append(hanging(text, room.width))
        return Content("\n").join(lines)

    def _leaders(self, seen: Seen, room: Size) -> Content:
        """The leaders and their places, best first."""
        found = leaders(seen.view, self.side)
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
        left = figures(HEADS.values(), (_figure(head, more) for head in HEADS.values()))
        table = columns(Column(max(first, 12), "Points left"), *left)
        lines = [table.headings()]
        for account in found:
            points = (minus(account.left.of(kind) or "·") for kind in HEADS)
            lines.append(table.row(beach_name(account.beach), *points))
        return Content("\n").join(lines)


def _widths(room: Size) -> tuple[int, int]:
    """The width of the first column, and the additional width of the others."""
    return (14, min(3, (room.width - WIDE) // 6 + 1)) if room.width >= WIDE else (8, 0)


def _figure(head: str, more: int) -> int:
    """The width of a column of figures."""
    return max(4 + more, len(head) + 1)


def _row(tally: Tally, table: Columns, first: int, style: str = "") -> Content:
    """A place in a table of the first column's width `first`."""
    hexes = counted(tally.hexes, "hex") if tally.hexes and first > 12 else ""
    name = (tally.place, style or "bold")
    words = columns(5).row(name, (hexes, "dim")) if hexes else Content.assemble(name)
    if tally.hexes:
        words = words.stylize(click(f"app.why('{tally.place}')"))
    if tally.counts and not any(tally.figures()):  # only SW, heroes or Pathfinders
        return columns(first).row(words, (f"  {tally.words}", style))
    return table.row(words, *((str(number or "·"), style) for number in tally.figures()))


def _brief(left: Amounts) -> str:
    """Points summed over the beaches, without the exponents, whose sum means nothing: "72 GPP, 59
    CAPP, 165 FPP"."""
    whole = replace(left, exponent=0)
    return str(whole) if whole else "none"
