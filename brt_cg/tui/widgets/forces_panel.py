"""A side's panel on the Dashboard: its counters place by place, who is Isolated, its points.

The rules are imported when there is something to show: the first frame does not wait for them.
"""

import textwrap
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from brt_cg.counters import Side
from brt_cg.tui.session import Seen

if TYPE_CHECKING:
    from brt_cg.purchases.pools import Account, Amounts
    from brt_cg.tui.tally import Tally

POINTS = (("GPP", "gpp"), ("CAPP", "capp"), ("Exp", "exponent"), ("FPP", "fpp"))
WIDE = 45  # cells from which the columns stand further apart


class ForcesPanel(VerticalScroll):
    """Forces of one side; the panel scrolls if there is more than room for."""

    def __init__(self, side: Side) -> None:
        super().__init__(id=side.value, classes=f"panel {side.value}", can_focus=False)
        self.side = side
        self.border_title = side.label

    def compose(self) -> ComposeResult:
        yield Static()

    def show(self, seen: Seen) -> None:
        """Shows the side as the seat may see it."""
        player = seen.view.sides[self.side].player
        self.border_title = f"{self.side.label} · {player}" if player else self.side.label
        self._seen = seen
        self._write()

    _seen: Seen | None = None

    def on_resize(self) -> None:
        self._write()

    def _write(self) -> None:
        from brt_cg.purchases.pools import accounts, total

        seen = self._seen
        if seen is None or not self.size.width:
            return
        blocks = [self._forces(seen)]
        self.border_subtitle = "as far as it is known" if not seen.may_know(self.side) else ""
        if seen.may_know(self.side):
            found = accounts(seen.view, seen.card, self.side)
            left = _brief(total(account.left for account in found))
            if self.screen.has_class("-low"):
                self.border_subtitle = f"left: {left}"
            elif len(found) == 1:
                blocks.append(Content.from_markup("[dim]Points left[/]   $left", left=left))
            else:
                blocks.append(self._points_table(found))
        led = self._leaders(seen)
        lines = sum(len(block.plain.splitlines()) + 1 for block in (*blocks, led)) - 1
        if self.screen.has_class("-wide") and lines <= self.scrollable_content_region.height:
            blocks.insert(1, led)
        self.query_one(Static).update(Content("\n\n").join(blocks))

    def _columns(self) -> tuple[int, int]:
        """The width of the first column, and by how much the others grow."""
        width = self.scrollable_content_region.width
        return (14, min(3, (width - WIDE) // 6 + 1)) if width >= WIDE else (8, 0)

    def _forces(self, seen: Seen) -> Content:
        from brt_cg.tui.tally import HEADINGS, isolated_at, tallies

        first, more = self._columns()
        widths = [max(4, len(head) + 1) + more for head, _ in HEADINGS]
        rows = tallies(seen.view, self.side)
        heads = "".join(f"{head:>{w}}" for (head, _), w in zip(HEADINGS, widths, strict=True))
        lines = [Content.styled(f"{'':<{first}}{heads}", "dim")]
        lines += [_row(row, first, widths) for row in rows]
        if len(rows) > 1:
            whole = sum(rows[1:], rows[0])
            whole.place, whole.hexes = "Together", None
            lines.append(_row(whole, first, widths, "bold"))
        where = isolated_at(seen.view, self.side)
        if where and not self.screen.has_class("-low"):
            lines.append(Content.styled(f"Isolated in {', '.join(where)}", "dim"))
        return Content("\n").join(lines)

    def _leaders(self, seen: Seen) -> Content:
        """Who leads where, best first."""
        from brt_cg.tui.tally import leaders

        first, _ = self._columns()
        lines = [Content.styled("Leaders", "dim")]
        for place, names in leaders(seen.view, self.side):
            words = textwrap.wrap(", ".join(names), self.size.width - first - 1) or [""]
            heads = [place, *("" for _ in words[1:])]
            lines += [
                Content.assemble((f"{head:<{first}}", "bold"), word)
                for head, word in zip(heads, words, strict=True)
            ]
        return Content("\n").join(lines)

    def _points_table(self, found: list["Account"]) -> Content:
        first, more = self._columns()
        first = max(first, 12)
        lines = [
            Content.styled(
                f"{'Points left':<{first}}" + "".join(f"{head:>{5 + more}}" for head, _ in POINTS),
                "dim",
            )
        ]
        for account in found:
            name = (account.beach or "").replace("_", " ").title()
            figures = "".join(f"{account.left.of(kind) or '·':>{5 + more}}" for _, kind in POINTS)
            lines.append(Content(f"{name:<{first}}{figures}"))
        return Content("\n").join(lines)


def _row(tally: "Tally", first: int, widths: list[int], style: str = "") -> Content:
    hexes = f"{tally.hexes} hexes" if tally.hexes and first > 12 else ""
    figures = "".join(
        f"{number or '·':>{width}}" for number, width in zip(tally.figures(), widths, strict=True)
    )
    name = f"{tally.place:<4}" if hexes else tally.place
    words = Content.assemble((name, style or "bold"), (f" {hexes}" if hexes else "", "dim"))
    return Content.assemble(words, " " * max(0, first - words.cell_length), (figures, style))


def _brief(left: "Amounts") -> str:
    """The points of a kind in a line: "72 GPP · 59 CAPP^9 · 165 FPP"."""
    gpp, capp, exponent, fpp = (left.of(kind) for _, kind in POINTS)
    words = [f"{gpp} GPP"] if gpp else []
    if capp or exponent:
        words.append(f"{capp}^{exponent} CAPP" if exponent else f"{capp} CAPP")
    return ", ".join([*words, f"{fpp} FPP"] if fpp else words) or "none"
