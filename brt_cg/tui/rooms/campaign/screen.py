"""The Campaign room: pages for rulings, totals, points, and more, each in its own file."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partialmethod
from typing import ClassVar

from textual import events, getters, on, work
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from brt_cg.text import count_text
from brt_cg.tui.forms.export import SAVE, write_chronicle, write_documents_per_side
from brt_cg.tui.frame.list_room import ListRoom
from brt_cg.tui.keys.actions import CAMPAIGN, JOURNAL, LISTS, bindings_of_named
from brt_cg.tui.keys.key_buffer import BEFORE_LOOKING_UP
from brt_cg.tui.lists.filter_line import FilterLine
from brt_cg.tui.lists.marks import MarkedRows
from brt_cg.tui.lists.panes import DetailPanel, Pane
from brt_cg.tui.lists.row_lists import BESIDE, SteadyList
from brt_cg.tui.lists.search import contains_words, next_cyclic
from brt_cg.tui.look.lines import HangingText, Horizontal, Static, Vertical
from brt_cg.tui.look.screen_size import is_screen_low
from brt_cg.tui.rooms.campaign import allotments, export, rulings, totals
from brt_cg.tui.rooms.campaign.audit import AuditPage
from brt_cg.tui.rooms.campaign.catalogue import CataloguePage
from brt_cg.tui.rooms.campaign.order_of_battle import OrderOfBattlePage
from brt_cg.tui.rooms.campaign.page import CampaignPage, PageRow, PageShape, RowLink
from brt_cg.tui.session.session import CampaignSnapshot


def campaign_pages() -> tuple[CampaignPage, ...]:
    """Return all pages, in order."""
    return (
        CampaignPage("allotments", allotments.allotment_rows, shape=PageShape.FEW),
        CampaignPage("totals", totals.total_rows, shape=PageShape.FEW),
        OrderOfBattlePage(),
        CampaignPage("rulings", rulings.ruling_rows, "Decisions based on it", PageShape.BROAD),
        AuditPage(),
        CampaignPage("export", export.document_rows, "Preview", PageShape.PREVIEW),
        CataloguePage(),
    )


NO_ROW = PageRow(Content())
WHOLE = 1000  # cells in which no row is cut off


class LinkList(SteadyList):
    """The lines about the selected row. Lines of a preview that are cut can be scrolled
    sideways."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of_named(
        LISTS, fold="sideways(-1)", unfold="sideways(1)"
    )
    told: Sequence[RowLink] = ()
    shift = 0  # cells scrolled, in steps of half the width

    def show_lines(self, lines: Sequence[RowLink]) -> None:
        """Replace the lines, shown from their beginning."""
        self.told, self.shift = lines, 0
        self.show(self._written)

    def _written(self, width: int) -> list[Option]:
        return [
            Option(line.content_for_width(width, self.shift), str(number))
            for number, line in enumerate(self.told)
        ]

    @property
    def can_scroll_sideways(self) -> bool:
        """Whether a line is cut, and can be moved."""
        return self._widest > self.scrollable_content_region.width

    @property
    def _widest(self) -> int:
        cut = (line.content_for_width(0) for line in self.told if line.is_cut)
        return max((line.cell_length for line in cut), default=0)

    def action_sideways(self, by: int) -> None:
        """Scroll cut lines sideways; if no line is cut, turn the page."""
        if not self.can_scroll_sideways:
            raise SkipAction
        half = self.scrollable_content_region.width // 2
        shift = self.shift + by * half
        if 0 <= shift < self._widest - half:
            self.shift, at = shift, self.scroll_offset.y
            self.fill()
            self.scroll_to(y=at, animate=False, immediate=True)


class CampaignScreen(ListRoom):
    """The names of the pages, above the list of the current page and, beside it, the details of the
    selected row."""

    PLACE = CAMPAIGN
    AUTO_FOCUS = "#rows"
    POSSIBLE = {
        "stop": lambda room, seen: room.page.running,
        "filter": lambda room, seen: room.page.shape is not PageShape.PREVIEW,
        "mark": lambda room, seen: room.page.shape is PageShape.PREVIEW,
    }

    rows = getters.query_one("#rows", SteadyList)
    leads = getters.query_one("#leads", LinkList)
    details = getters.query_one("#told", HangingText)
    _rows: Sequence[PageRow] = ()
    _leads: Sequence[RowLink] = ()
    _in_front: CampaignPage | None = None  # the page that knows that it is in front

    def __init__(self) -> None:
        super().__init__()
        self.pages = campaign_pages()
        for page in self.pages:
            page.changed = self._again
        self.page = self.pages[0]
        self._at: dict[str, str | None] = {}  # the selected row of each page
        self.marked = MarkedRows()  # documents

    def compose_contents(self) -> ComposeResult:
        yield HangingText(id="pages")
        with Horizontal(id="lists"):
            with Vertical(id="listed"):
                yield FilterLine("filter by any words")
                yield SteadyList(id="rows", markup=False)
            with DetailPanel():
                with Pane(id="telling"):
                    yield HangingText(id="told")
                yield Static(id="leads_title")
                yield LinkList(id="leads", classes=BESIDE, markup=False)

    # --- showing --------------------------------------------------------------------------------

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        shapes = {f"-{shape}": self.page.shape is shape for shape in PageShape}
        self.query_one("#lists").update_classes(shapes, animate=False)
        opened, self._in_front = self._in_front is not self.page, self.page
        self._read(seen, opened)
        self._rows = self.page.rows(seen)
        self._name_pages()
        self.apply_filter()
        self.refresh_bindings()

    @work(group="page", description="read")
    async def _read(self, seen: CampaignSnapshot, opened: bool) -> None:
        try:
            await self.page.read_page_data(self.app, seen, opened)
        except Exception as error:
            self.app.report_error(error)

    def _again(self) -> None:
        if self.shows_contents and self.is_running:
            self.show_snapshot(self.seen)

    def go_to(self, name: str) -> None:
        """Show the page with a name."""
        self._at[self.page.name] = self.rows.id_at_cursor
        self.page = next(page for page in self.pages if page.name == name)
        self.clear_shown_and_typed()  # go_to brings the page to the front in any case
        if self.shows_contents:
            self.show_snapshot(self.seen)
        ids = [option.id for option in self.rows.options]
        lacking = [row.id for row in self._rows if row.lacks]
        wanted = (*lacking, self._at.get(name), *ids)
        self.rows.highlighted = next((ids.index(id) for id in wanted if id and id in ids), None)
        self.rows.focus()

    def clear_shown_and_typed(self) -> None:
        super().clear_shown_and_typed()
        self.marked.clear()
        self._leads, self._in_front = (), None

    def _name_pages(self) -> None:
        """Show the names of the pages, with a mark if a new campaign still lacks something
        there."""
        missing = {stage.action for stage in self.seen.stages if stage.missing}
        parts = []
        for page in self.pages:
            style = "reverse bold" if page is self.page else "$foreground"
            cell = f"[@click=app.{page.name}][{style}] $name [/][/]"
            mark = "○ " if page.name in missing else ""
            parts.append(Content.from_markup(cell, name=f"{mark}{page.title}"))
        self.query_one("#pages", HangingText).set_text(Content(" ").join(parts), 0)

    def apply_filter(self) -> None:
        words = self.filter_line.words
        kept = [self._with_mark(row) for row in self._rows if _holds(row, words)]
        gap = not is_screen_low(self)
        self.rows.show(lambda width: _options(kept, width, gap))
        self._show_row()

    def _with_mark(self, row: PageRow) -> PageRow:
        """Return a row; on the page of documents, with its mark before it."""
        if self.page.shape is not PageShape.PREVIEW or row.id is None:
            return row
        mark = f"{self.marked.sign_before(row.id):<2}"
        return replace(
            row, words=lambda width: Content(mark) + row.content_for_width(width - len(mark))
        )

    @property
    def selected(self) -> PageRow | None:
        """The selected row."""
        id = self.rows.id_at_cursor
        return next((row for row in self._rows if id is not None and row.id == id), None)

    def _show_row(self) -> None:
        """Show the selected row in full; its entries follow when the cursor rests."""
        row = self.selected or NO_ROW
        self._show_leads(())
        self._entitle()
        self.details.set_text(row.details)
        self.query_one("#telling").scroll_home(animate=False)
        self._look_up()

    @on(events.DescendantFocus)
    def _entitle(self) -> None:
        """Put a title on the panel, and the action of Enter in the focused list."""
        row = self.selected or NO_ROW
        below = f"Enter: {row.enter}" if row.enter else ""
        below = f"Enter: write {count_text(len(self.marked), 'document')}" if self.marked else below
        if self.leads.has_focus and self.page.shape is PageShape.PREVIEW:
            sides = f"{self.app.key_text('lists.fold')} {self.app.key_text('lists.unfold')}"
            below = (
                f"{sides}: sideways, Esc: back" if self.leads.can_scroll_sideways else "Esc: back"
            )
        elif self.leads.has_focus:
            below = "Enter: go to its line, Esc: back"
        self.query_one(DetailPanel).set_titles(Content(row.title), below)

    @work(group="leads", exclusive=True)
    async def _look_up(self) -> None:
        self.app.let_keys_pass()
        await asyncio.sleep(BEFORE_LOOKING_UP)
        seen, row = self.seen, self.selected
        if row is None or row.id is None or row.leads is None:
            return
        try:
            leads = await row.leads(self.app.session, seen, row.id)
        except Exception as error:
            self.app.report_error(error)
            return
        if row is self.selected:
            self._show_leads(leads)

    def _show_leads(self, leads: Sequence[RowLink]) -> None:
        self._leads = leads
        self.query_one(DetailPanel).set_class(bool(leads), "-leads")
        self.leads.show_lines(leads)
        title = self.query_one("#leads_title", Static)
        counted = len({lead.entry for lead in leads} - {None})
        many = f" ({counted})" if counted > 1 else ""
        title.update(Content.styled(f"{self.page.leads_title}{many}", "bold"))

    # --- the possible actions -------------------------------------------------------------------

    def action_stop(self) -> None:
        self.page.stop()

    def on_unmount(self) -> None:
        for page in self.pages:
            page.stop()

    def _turn(self, by: int) -> None:
        self.go_to(next_cyclic(self.pages, self.page, by).name)

    action_next_page = partialmethod(_turn, 1)
    action_last_page = partialmethod(_turn, -1)

    @work(group="chronicle", exclusive=True, description="write the chronicle")
    async def action_chronicle(self) -> None:
        await write_chronicle(self.app, self.seen)

    def action_mark(self) -> None:
        """Mark the selected document, or unmark it, and go to the next. A VASL save cannot be
        marked, because it is written separately, into a save."""
        id = self.rows.id_at_cursor
        if id is not None and id != SAVE:
            self.marked.mark_or_unmark_all([id])
            self.apply_filter()
        self.rows.action_cursor_down()

    def _marked_documents(self) -> list[str]:
        """Return the marked documents in the order of the list, and unmark them."""
        found = [row.id for row in self._rows if row.id is not None and row.id in self.marked.ids]
        self.marked.clear()
        self.apply_filter()
        return found

    def action_leads(self) -> None:
        """Move the focus from the list to the entries, and back."""
        at_rows = self.leads.has_focus or not self._leads
        self.set_focus(self.rows if at_rows else self.leads)

    @property
    def can_end_filter(self) -> bool:
        return super().can_end_filter or self.leads.has_focus

    def action_end_filter(self) -> None:
        """Go back from the entries, keeping the filter; else end the filter."""
        if self.leads.has_focus:
            self.focus_list()
        else:
            super().action_end_filter()

    @on(OptionList.OptionHighlighted, "#rows")
    def _moved(self) -> None:
        self._show_row()

    @on(OptionList.OptionSelected, "#rows")
    @work(group="form")
    async def _chosen(self) -> None:
        # A second Enter may come before the first has opened the form.
        row = self.selected
        if self.marked and self.app.screen is self:
            await write_documents_per_side(self.app, self.seen, self._marked_documents())
        elif row is not None and row.enter and row.does is not None and self.app.screen is self:
            await row.does(self.app)

    @on(OptionList.OptionSelected, "#leads")
    def _led_on(self, event: OptionList.OptionSelected) -> None:
        entry = self._leads[int(event.option_id or 0)].entry
        if entry is not None:
            self.run_worker(self.app.go_to_room(JOURNAL, str(entry)), group="entry", exclusive=True)

    def selected_row_text(self) -> str | None:
        option = self.rows.highlighted_option
        return None if option is None else str(option.prompt).strip()

    def why_subjects(self) -> tuple[str, ...]:
        id = self.rows.id_at_cursor
        return (id,) if id else ()

    @property
    def help_topic(self) -> tuple[str, ...]:
        return (self.PLACE, self.page.name)


def _holds(row: PageRow, words: str) -> bool:
    """Whether a row contains all the words of a filter; with a filter, headings are left out."""
    known = row.id is not None or not words.strip()
    return known and contains_words(
        f"{row.id} {row.title} {row.content_for_width(WHOLE).plain}", words
    )


def _options(rows: Sequence[PageRow], width: int, gap: bool) -> list[Option]:
    """Return the rows in a width, perhaps with a blank line above each heading."""
    if not rows:
        return [Option(Content.styled("There is nothing here yet.", "dim"), disabled=True)]
    options: list[Option] = []
    for row in rows:
        if gap and options and row.id is None:
            options.append(Option("", disabled=True))
        options.append(Option(row.content_for_width(width), row.id, disabled=row.id is None))
    return options
