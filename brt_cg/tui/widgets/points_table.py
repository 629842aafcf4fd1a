"""The points of a side, a column for each beach: allotted, spent, left."""

from collections.abc import Sequence

from textual.app import RenderResult
from textual.content import Content
from textual.widget import Widget

from brt_cg.board import beach_name
from brt_cg.purchases.pools import KINDS, Account
from brt_cg.tui.widgets.clickable import KeepsColours

HEADS = {"gpp": "GPP", "capp": "CAPP", "exponent": "Exp", "fpp": "FPP"}
FIRST, WIDEST = 8, 16  # cells of the first column; the most of another
NONE_YET = "No points are allotted to this side: brt-cg allot enters those of the CG card."


class PointsTable(KeepsColours, Widget):
    """The accounts of one side; the selected beach stands reversed. A click takes another."""

    DEFAULT_CSS = "PointsTable { height: auto; }"
    accounts: Sequence[Account] = ()
    beach: str | None = None

    def show(self, accounts: Sequence[Account], beach: str | None) -> None:
        """Shows accounts, with that of a beach selected."""
        self.accounts, self.beach = accounts, beach
        self.refresh(layout=True)

    def render(self) -> RenderResult:
        kinds = [kind for kind in KINDS if self._any(kind)]
        if not kinds:
            return Content.styled(NONE_YET, "dim")
        cells = [[_figures(account, kind) for account in self.accounts] for kind in kinds]
        if any(cell.cell_length >= self._column for line in cells for cell in line):
            cells = [[_close(cell) for cell in line] for line in cells]
        lines = [self._line(kind, line) for kind, line in zip(kinds, cells, strict=True)]
        return Content("\n").join([self._heads(), *lines])

    def _any(self, kind: str) -> bool:
        return any(account.given.of(kind) or account.spent.of(kind) for account in self.accounts)

    @property
    def _column(self) -> int:
        return min(WIDEST, (self.size.width - FIRST) // max(1, len(self.accounts)))

    def _heads(self) -> Content:
        parts = [Content.styled(f"{'Points':<{FIRST}}", "dim")]
        for account in self.accounts:
            name, width = beach_name(account.beach), self._column
            style = "reverse bold" if account.beach == self.beach else "$accent"
            cell = f"[@click=screen.take_beach('{account.beach}')][{style}]$name[/][/]"
            parts.append(Content.from_markup(cell, name=name))
            parts.append(Content(" " * (width - len(name))))
        return Content("").join(parts)

    def _line(self, kind: str, cells: Sequence[Content]) -> Content:
        parts = [Content.styled(f"{HEADS[kind]:<{FIRST}}", "dim")]
        for cell in cells:
            parts += [cell, Content(" " * (self._column - cell.cell_length))]
        return Content("").join(parts)


def _figures(account: Account, kind: str) -> Content:
    """ "12 − 4 = 8"; what is left stands out."""
    given, spent = account.given.of(kind), account.spent.of(kind)
    if not given and not spent:
        return Content.styled("·", "dim")
    before = f"{given} − {spent} = " if spent else ""
    return Content.assemble((before, "dim"), (str(given - spent), "bold"))


def _close(cell: Content) -> Content:
    """The same without blanks, where there is less room."""
    return Content("").join(cell.split(" "))
