"""The points of a side, a column for each beach: allotted, spent, left."""

from collections.abc import Iterable, Sequence

from textual.content import Content
from textual.geometry import Size

from brt_cg.board.locations import beach_name
from brt_cg.purchases.pools import HEADS, KINDS, Account
from brt_cg.text import minus
from brt_cg.tui.look.columns import Column, columns, longest
from brt_cg.tui.look.lines import click

FIRST, SPARE = 6, 4  # width of the first column; the most that another is wider than it must
NONE_YET = "No points are allotted to this side: enter those of the CG card in Allotments."


def points_text(accounts: Sequence[Account], beach: str | None, room: Size) -> Content:
    """The accounts of one side; that of the selected beach in reverse. A click selects another."""
    kinds = [kind for kind in KINDS if any(_has(account, kind) for account in accounts)]
    if not kinds:
        return Content.styled(NONE_YET, "dim")
    heads = [_head(account, beach) for account in accounts]
    rows = [[_figures(account, kind) for account in accounts] for kind in kinds]
    widths = _widths(heads, rows)
    if sum(widths) > room.width - FIRST:
        rows = [[Content("").join(cell.split(" ")) for cell in cells] for cells in rows]
        widths = _widths(heads, rows)
    spare = (room.width - FIRST - sum(widths)) // len(widths)
    table = columns(FIRST, *(Column(w + min(SPARE, max(0, spare)), right=True) for w in widths))
    lines = [table.row(("Points", "dim"), *heads)]
    lines += [
        table.row((HEADS[kind], "dim"), *cells) for kind, cells in zip(kinds, rows, strict=True)
    ]
    return Content("\n").join(lines)


def _widths(heads: Sequence[Content], rows: Iterable[Sequence[Content]]) -> list[int]:
    """The least width of each column, with two blanks."""
    return [longest(cell.plain for cell in column) for column in zip(heads, *rows, strict=True)]


def _head(account: Account, beach: str | None) -> Content:
    style = "reverse bold" if account.beach == beach else "bold"
    name = Content.styled(beach_name(account.beach), style)
    return name.stylize(click(f"screen.take_beach('{account.beach}')"))


def _has(account: Account, kind: str) -> bool:
    return bool(account.given.of(kind) or account.spent.of(kind))


def _figures(account: Account, kind: str) -> Content:
    """An account's points of one kind: "12 − 4 = 8"; the rest is emphasized."""
    given, spent = account.given.of(kind), account.spent.of(kind)
    if not _has(account, kind):
        return Content.styled("·", "dim")
    before = f"{given} − {spent} = " if spent else ""
    return Content.assemble((before, "dim"), (minus(account.left.of(kind)), "bold"))
