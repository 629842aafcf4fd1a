"""The common part of the pages of the Campaign room: rows in a list, each with its details, an
action for Enter, and lines that lead to the journal."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from textual.content import Content

from brt_cg.exports.explain import explanation_page, known_facts
from brt_cg.exports.explain.pages import ENTRY
from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.questions import RefusedError
from brt_cg.tui.keys.actions import BY_ID, EVERYWHERE
from brt_cg.tui.look.columns import Cell, Columns, columns
from brt_cg.tui.look.lines import hang_text
from brt_cg.tui.look.signs import SIGNS
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot, Session


@immutable
class RowLink:
    """A line about the selected row; `entry` is the number of the row of the journal that it leads
    to, as the seat counts rows. A line that does not fit is wrapped, unless `is_cut`."""

    words: str | Content
    entry: int | None = None
    is_cut: bool = False

    def content_for_width(self, width: int, shift: int = 0) -> Content:
        """Return the line in a width; one that is cut begins `shift` cells to the right."""
        words = Content(self.words) if isinstance(self.words, str) else self.words
        return words[shift:] if self.is_cut else hang_text(words, width)


NO_COLUMNS = columns(0)
LookUp = Callable[[Session, CampaignSnapshot, str], Awaitable[Sequence[RowLink]]]


@immutable
class PageRow:
    """A row of the list, its `words` optionally fitted to a width in cells; one without an id is a
    heading.

    In full it shows its `title` and `details`. Enter runs `does`, which is called `enter` on the
    screen; if that is "", Enter does nothing. `leads` looks up the lines that lead to the journal,
    once the cursor rests on the row. The page opens at the first row that `lacks` something that a
    new campaign needs.
    """

    words: Content | Callable[[int], Content]
    id: str | None = None
    title: str = ""
    details: Content = field(default_factory=Content)
    enter: str = ""
    does: Callable[[CampaignApp], Awaitable[object]] | None = None
    leads: LookUp | None = None
    lacks: bool = False

    def content_for_width(self, width: int) -> Content:
        """Return the text of the row in a list of some width."""
        return self.words if isinstance(self.words, Content) else self.words(width)


def heading_row(words: str, table: Columns = NO_COLUMNS, style: str = "bold") -> PageRow:
    """Return a heading for the rows below it, and for all but the first of their columns."""
    others = [(column.heading, "dim") for column in table.columns[1:]]
    return PageRow(lambda width: row_within(width, table, (words, style), *others))


def label_row(
    label: str, text: Cell, style: str = "dim", room: int = 11
) -> Callable[[int], Content]:
    """Return a row with a label, wrapped in any width."""
    row = columns(room).row((f"  {label}", style), text)
    return lambda width: hang_text(row, width, room)


def row_within(width: int, table: Columns, *cells: Cell) -> Content:
    """Return a row of the columns that fit into a width."""
    fitting = table.fitting_columns(width)
    return fitting.row(*cells[: len(fitting.columns)])


def side_heading(side: Side, table: Columns = NO_COLUMNS) -> PageRow:
    """Return the heading for a side's rows."""
    return heading_row(f"{SIGNS[side]} {side.label}", table, f"bold ${side}")


class PageShape(StrEnum):
    """The parts of the room that a page needs."""

    EVEN = "even"
    FEW = "few"  # a few short rows
    BROAD = "broad"  # long rows
    TABLE = "table"  # long rows, with few details each
    PREVIEW = "preview"  # the details of a row


@dataclass(eq=False)
class CampaignPage:
    """A page. `name` is the name of the action that leads to it; `rows` makes its rows, as a seat
    may see them; `leads_title` is shown above its leads."""

    name: str
    rows: Callable[[CampaignSnapshot], Sequence[PageRow]]
    leads_title: str = "History"
    shape: PageShape = PageShape.EVEN
    running: bool = False  # whether the page is doing work that Escape stops
    changed: Callable[[], None] = lambda: None  # shows the page again

    @property
    def title(self) -> str:
        return BY_ID[f"{EVERYWHERE}.{self.name}"].label

    async def read_page_data(self, app: CampaignApp, seen: CampaignSnapshot, opened: bool) -> None:
        """Read the data that take long to read. This is called whenever the page is `opened`, again
        for another seat, and when the campaign changes meanwhile."""

    def stop(self) -> None:
        """Stop the running work."""


async def journal_rows_explaining(
    session: Session, seen: CampaignSnapshot, subject: str
) -> Sequence[RowLink]:
    """Return the rows of the journal that `explain` names for a subject; empty if nothing is
    known."""
    try:
        page = await session.look_up(
            lambda desk: explanation_page(known_facts(desk.view()), subject)
        )
    except RefusedError:
        return ()
    numbers = (
        (line.text, [lead.removeprefix(ENTRY) for lead in line.leads if lead.startswith(ENTRY)])
        for line in page.lines
    )
    return [RowLink(words, int(entries[0])) for words, entries in numbers if entries]
