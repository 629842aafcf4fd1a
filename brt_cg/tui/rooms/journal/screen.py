"""Journal: everything that happened, line by line; undone lines are kept, struck out."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import getters, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, OptionList

from brt_cg.exports.dice import luck_by_side_and_table
from brt_cg.model import Campaign, Side
from brt_cg.questions import Problem, RefusedError
from brt_cg.service import shown_actions
from brt_cg.service.undo_redo import go_back_lines, undo_text
from brt_cg.text import count_text
from brt_cg.tui.answering.playback import CHANGED
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply, confirm
from brt_cg.tui.dialogs.pick import FindDialog
from brt_cg.tui.dialogs.text_boxes import LuckScreen, show_service_record
from brt_cg.tui.dialogs.why import show_reasons
from brt_cg.tui.frame.list_room import ListRoom
from brt_cg.tui.keys.actions import FORCES, JOURNAL, LISTS, MAP, binding_of, bindings_of_named
from brt_cg.tui.lists.drawn_list import DrawnList
from brt_cg.tui.lists.filter_line import FilterLine
from brt_cg.tui.lists.log import TAKEN_BACK, text_in_words
from brt_cg.tui.lists.panes import DetailPanel
from brt_cg.tui.lists.search import contains_words
from brt_cg.tui.look.columns import Column, Columns, column_width_for, columns
from brt_cg.tui.look.lines import HangingText, Static, Vertical
from brt_cg.tui.question.form import EntryForm, FormField, FormPage, Typed, counter_candidates
from brt_cg.tui.rooms.journal.log_filter import (
    Destination,
    FilterChoice,
    FilterOffer,
    LineFilter,
    LineLink,
    choice_text,
    filter_lines,
    filter_offers,
    line_links,
    merge_similar_lines,
)
from brt_cg.tui.session.campaign_app import SEAT
from brt_cg.tui.session.last_seen import News
from brt_cg.tui.session.session import CampaignSnapshot, Seat, Session
from brt_cg.views.journal_rows import ShownLine

NUMBER, DATE, RULE = 6, 7, 13  # widths of the columns
TEXT = 76  # the width that most lines need; the date and the step's title need more
STRUCK = Style(strike=True, dim=True)


class LineList(DrawnList):
    """The log in a list; the cursor stays with its line, or at the newest."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of_named(
        LISTS,
        fold="heading(-1)",
        last_group="heading(-1)",
        unfold="heading(1)",
        next_group="heading(1)",
    )
    lines: Sequence[ShownLine]
    _longest = 0  # the length of the longest title of a step

    def show(self, lines: Sequence[ShownLine]) -> None:
        """Show lines; the cursor stays with its line, or with the newest if it was there."""
        self._longest = column_width_for({line.heading for line in lines})
        before, newest = self.line_at_cursor, len(lines) - 1
        at = newest
        if before is not None and self.at != len(self.lines) - 1:
            at = min(_place_of(before, lines), newest)
        self.put_lines_posting_moved(lines, at if lines else None)

    @property
    def line_at_cursor(self) -> ShownLine | None:
        return self.lines[self.at] if self.at is not None else None

    def go_to_entry(self, number: int) -> None:
        """Put the cursor on the first line with this number, or else with a higher one."""
        found = (at for at, line in enumerate(self.lines) if line.seq >= number)
        if self.lines:
            self.put_cursor_on_line(next(found, len(self.lines) - 1))

    def heading_segments(self, width: int) -> list[Segment]:
        table = self._columns(width)
        return table.row_segments(*table.heading_cells)

    def _columns(self, width: int) -> Columns:
        """Return the columns: the step has only its number, unless there is room for its title; the
        date is added if there is room."""
        date = DATE if width >= NUMBER + DATE + RULE + TEXT else 0
        step = self._longest if width >= NUMBER + DATE + self._longest + TEXT else RULE
        rest = width - NUMBER - date - step
        heads = (Column(NUMBER, " No."), Column(date, "Date"), Column(step, "Step"))
        return columns(*heads, Column(rest, "What happened"))

    def line_segments(self, at: int, width: int, is_top: bool) -> list[Segment]:
        line, before = self.lines[at], self.lines[at - 1] if at else None
        goes_on = before is not None and not is_top and before.heading == line.heading
        table, quiet = self._columns(width), self.part_style("quiet")
        _, _, heads, _ = table.columns
        step = line.heading if heads.width > RULE else line.rule or line.title
        number = [Segment("›" if at == self.at else " "), Segment(str(line.seq), quiet)]
        text = [
            Segment(TAKEN_BACK if line.undone else ""),
            Segment("(secret) " if line.secret else "", self.part_style(line.secret or "quiet")),
            Segment(text_in_words(line.text), STRUCK if line.undone else None),
        ]
        stands = [Segment("" if goes_on and at != self.at else step)]
        return table.row_segments(number, [Segment(line.date, quiet)], stands, text)

    def action_heading(self, by: int) -> None:
        """Go to the first line of the next or the previous paragraph or command."""
        if self.at is None:
            return
        at = self.at
        while 0 < at + by < len(self.lines):
            at += by
            if self.lines[at].heading != self.lines[at - 1].heading:
                break
        self.put_cursor_on_line(at if at + by > 0 or by > 0 else 0)


def _place_of(line: ShownLine, lines: Sequence[ShownLine]) -> int:
    """Return the index of a line among others, or of the first one after it."""
    after = (at for at, other in enumerate(lines) if other.seq >= line.seq)
    first = next(after, len(lines))
    same = (at for at in range(first, len(lines)) if lines[at] == line)
    return next(same, first)


BY_UMPIRE = (
    "Going back undoes actions of both sides, so only the umpire can{}. Undo ({}) removes "
    "the newest entry."
)


class JournalScreen(ListRoom):
    """The lines with a filter above; below, the selected line in full and its links."""

    PLACE = JOURNAL
    AUTO_FOCUS = "LineList"
    POSSIBLE = {
        "show_all": lambda room, seen: room.only.is_active,
        "news": lambda room, seen: room.app.news is not None,
        "go_back": lambda room, seen: seen.undo != "nothing",
    }

    listed = getters.query_one(LineList)
    all: Sequence[ShownLine] = ()
    has_all = False  # whether older lines have been read
    only = LineFilter()
    _news: News | None = None  # the new lines that have been shown
    _wanted: int | None = None  # the entry to go to, once it has been read

    def compose_contents(self) -> ComposeResult:
        with Vertical(id="listed"):
            yield FilterLine("filter: any words of a line")
            yield Static(id="only")
            yield LineList(id="lines")
        with DetailPanel():
            yield HangingText(id="line")

    # --- showing --------------------------------------------------------------------------------

    def clear_shown_and_typed(self) -> None:
        self.all, self._news = (), None

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        if not self.all:
            # The newest lines are in memory; all others come from the campaign's thread.
            self.all, self.has_all = seen.log, False
            self._keep(LineFilter())
        self._read(seen)

    def after_catch_up(self) -> None:
        """Show once the lines that are new to the seat; then catch up as usual."""
        news = self.app.news
        if news is not None and news is not self._news:
            self._news = news
            if self._wanted is None:
                self._keep(LineFilter(since=news.since))

    @work(group="journal", exclusive=True, description="read")
    async def _read(self, seen: CampaignSnapshot) -> None:
        lines = await self.app.session.look_up(lambda desk: tuple(desk.view().lines))
        if seen is self.seen:
            self.all, self.has_all = lines, True
            self.apply_filter()
            self._wanted = None

    def _keep(self, only: LineFilter) -> None:
        """Change the filter."""
        self.only = only
        self.filter_line.set_text_without_filtering(only.words)
        self.apply_filter()

    def apply_filter(self) -> None:
        lines = filter_lines(self.all, self.only, self._whose)
        self.listed.show(lines if self.only.is_active else [*merge_similar_lines(lines)])
        if self._wanted is not None:
            self.listed.go_to_entry(self._wanted)
        words = (
            f"{len(lines)} of {len(self.all)}"
            if self.only.is_active
            else count_text(len(self.all), "line")
        )
        self.filter_line.show_count(words)
        text = self._only_text()
        shown = self.query_one("#only", Static)
        shown.display = bool(text)
        shown.update(Content(text))
        self.refresh_bindings()
        self.show_selected_row_details()

    def _only_text(self) -> str:
        """Return the filter in words."""
        parts = ["since you last looked"] if self.only.since else []
        parts += [choice_text(*choice, self.seen.view) for choice in sorted(self.only.choices)]
        return f"only: {' · '.join(parts)}" if parts else ""

    def _whose(self, id: str) -> Side | None:
        return getattr(self.seen.view.find(id), "side", None)

    def go_to(self, number: str) -> None:
        """Go to an entry by its number in this seat's journal."""
        self._wanted = int(number)
        self._keep(LineFilter())
        self._wanted = None if self.has_all else int(number)

    # --- the selected line -----------------------------------------------------------------------

    @property
    def line(self) -> ShownLine | None:
        return self.listed.line_at_cursor

    def show_selected_row_details(self) -> None:
        line, page = self.line, self.query_one(DetailPanel)
        if line is None:
            page.set_titles("No line" if self.all else "Nothing has been entered yet")
            self.query_one("#line", HangingText).set_text(Content())
            return
        kind = line.kind if line.kind != line.title else ""
        below = " · ".join(filter(None, (line.date, kind)))
        page.set_titles(Content(f"{line.seq} · {line.heading}"), below)
        struck = "strike dim" if line.undone else ""
        parts = [Content.styled(line.text, struck)]
        if line.undone:
            parts.append(Content.styled("undone", "$warning"))
        if line.secret:
            parts.append(Content.styled(f"a {line.secret.label} secret", f"${line.secret}"))
        names = list(dict.fromkeys(lead.words for lead in self._leads()))
        if names:
            parts.append(Content.assemble(("Enter opens ", "dim"), "; ".join(names)))
        self.query_one("#line", HangingText).set_text(Content("\n").join(parts))

    def why_subjects(self) -> tuple[str, ...]:
        """Return the selected line and the subjects that it leads to."""
        line = self.line
        if line is None:
            return ()
        counters = (lead.subject for lead in self._leads() if lead.to is Destination.FORCES)
        return (f"entry {line.seq}", *counters)

    def _leads(self) -> list[LineLink]:
        return line_links(self.line, self.seen.view, self.seen.card) if self.line else []

    # --- the possible actions -------------------------------------------------------------------

    def action_news(self) -> None:
        if self.app.news is not None:
            self._keep(LineFilter(since=self.app.news.since))

    def action_show_all(self) -> None:
        self._keep(LineFilter())

    @work(group="only", exclusive=True)
    async def action_only(self) -> None:
        seen, lines = self.seen, self.all
        found = await self.app.session.look_up(
            lambda _: filter_offers(lines, seen.view, self._whose)
        )
        chosen = await self.app.push_screen_wait(FilterScreen(found, self.only.choices))
        if chosen is not None and self.seen.seat is seen.seat:
            self._keep(LineFilter(self.only.words, chosen, self.only.since))
            self.focus_list()

    @work(group="note", exclusive=True)
    async def action_note(self) -> None:
        about = next((lead.subject for lead in self._leads() if lead.to is Destination.FORCES), "")
        form = NoteForm(self.app.session, self.seen.view, self.seen.seat, about)
        await self.app.show_form(form)

    # --- going on from a line -------------------------------------------------------------------

    @work(group="leads", exclusive=True)
    async def action_leads(self) -> None:
        """Follow the line's link; ask which one if there are several."""
        found = self._leads()
        if not found:
            self.app.show_notice("There is nothing to open from this line.")
            return
        rows = [_lead_text(lead, found) for lead in found]
        chosen = await self.app.push_screen_wait(ChoiceScreen("Open from this line", "", rows))
        if chosen is not None:
            await self._follow(chosen.value)

    async def _follow(self, lead: LineLink) -> None:
        room = {Destination.FORCES: FORCES, Destination.MAP: MAP}.get(lead.to)
        if room is not None:
            await self.app.go_to_room(room, lead.subject)
        elif lead.to is Destination.LIFE:
            await show_service_record(self.app, lead.subject)
        else:
            await show_reasons(self.app, lead.subject)

    def counters_for_service_record(self) -> Iterable[str]:
        return [lead.subject for lead in self._leads() if lead.to is Destination.LIFE]

    def on_drawn_list_chosen(self, event: LineList.Chosen) -> None:
        self.action_leads()

    @work(group="dice", exclusive=True)
    async def action_dice(self) -> None:
        seat = self.app.session.seat
        found = await self.app.session.look_up(lambda desk: luck_by_side_and_table(desk.view()))
        if seat is self.app.session.seat:
            await self.app.push_screen(LuckScreen(*found))

    # --- going back -----------------------------------------------------------------------------

    @work(group="undo", exclusive=True)
    async def action_go_back(self) -> None:
        """Undo everything after the selected line, after showing it and asking."""
        line, session = self.line, self.app.session
        if line is None:
            return
        if session.seat is not None:
            change = (
                f": change seats ({self.app.key_text(SEAT)})"
                if self.app.is_action_allowed(SEAT)
                else ""
            )
            self.app.show_warning(
                BY_UMPIRE.format(change, self.app.key_text("everywhere.undo")), ""
            )
            return
        seq, shown, changed = line.seq, shown_actions.NOTHING_UNDONE, ""
        while True:
            lost, group = await session.look_up(
                lambda desk: (
                    go_back_lines(desk, seq),
                    shown_actions.identity_of_go_back_entries(desk, seq),
                )
            )
            if not lost:
                self.app.show_notice("Nothing was answered or entered after this line.")
                return
            if group == shown:
                break
            words = f"{changed}Undoes everything after {seq} · {line.heading}:\n\n"
            words += "\n".join(lost) + "\n\nYou can redo this until you enter something new."
            sure = await confirm(self.app, "Go back to here?", words, "undo all of this")
            if not sure or session.seat is not None:
                return
            shown, changed = group, CHANGED
        self.app.perform(
            lambda desk: undo_text(desk, shown_actions.go_back_shown(desk, seq, shown)),
            self.app.show_notice,
        )

    # --- the filter -----------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        self.only = LineFilter(event.value, self.only.choices, self.only.since)

    @property
    def can_end_filter(self) -> bool:
        return super().can_end_filter or self.only.is_active

    def action_end_filter(self) -> None:
        self._keep(LineFilter())
        self.focus_list()

    def selected_row_text(self) -> str | None:
        return str(self.line) if self.line else None


def _lead_text(lead: LineLink, found: Sequence[LineLink]) -> Reply[LineLink]:
    """Return a link as an answer: the first of its kind has a key."""
    first = next(other for other in found if other.to is lead.to) is lead
    key, where = lead.to.value
    text = columns(18).row((where, "dim"), lead.words)
    return Reply(lead, key if first else "", text)


# --- the form for a note --------------------------------------------------------------------------


BOTH = ("", "both sides may read it")
NO_DATE = ("", "no CG Date")


class NoteForm(EntryForm[None]):
    """The form for a note, by default about the selected counter."""

    def __init__(self, session: Session, view: Campaign, seat: Seat, about: str) -> None:
        self.session, self.view, self.seat, self.about = session, view, seat, about
        self.shown = session.current_snapshot.basis_of()

    @property
    def draft_name(self) -> str:
        return "note"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        sides = [side for side in Side if self.seat in (None, side)]
        whose = [(side.value, f"a {side.label} secret") for side in sides]
        counters = counter_candidates(self.view, self.view.counters())
        seen = self.session.current_snapshot
        dates = seen.card.dates[seen.card.date_index(self.view.situation.date) :]
        fields = (
            FormField("words", "Note", hint="your words", required=True),
            FormField("side", "For", choices=(BOTH, *whose)),
            FormField("about", "About", value=self.about, hint="a counter", offered=counters),
            FormField("date", "Reminds on", choices=(NO_DATE, *((each, each) for each in dates))),
        )
        return (FormPage("A note in the journal", fields, "write it"),)

    async def submit(self, typed: Typed) -> None:
        about = typed["about"].strip()
        if about and self.view.find(about) is None:
            raise RefusedError(
                Problem("about", f'"{about}" is not accepted; enter the name of a counter')
            )
        asked = {"words": typed["words"], "side": typed["side"] or None, "about": about or None}
        if typed["date"]:
            asked["date"] = typed["date"]
        by = self.seat.value if self.seat else "players"
        await self.session.perform(
            lambda desk: shown_actions.run_shown_command(desk, self.shown, "note", asked, by)
        )


# --- the dialog of the filter ---------------------------------------------------------------------


class FilterScreen(FindDialog[frozenset[FilterChoice]]):
    """The screen that returns the ticked choices when the player leaves. Typing searches; Enter
    ticks or unticks a choice."""

    KEYS = "type to find · {lists.select} ticks or unticks · {dialogs.close} shows the lines"
    PLACEHOLDER = "Marine, 20 PM, Dice, 15.6112, a counter"
    BINDINGS = [binding_of("dialogs.close", "leave")]
    _shown: Sequence[FilterOffer] = ()

    def __init__(self, found: Sequence[FilterOffer], chosen: frozenset[FilterChoice]) -> None:
        super().__init__("Show only")
        self.found, self.chosen = found, chosen

    def matching_rows(self, words: str) -> Iterable[Content]:
        found = (
            each for each in self.found if contains_words(f"{each.choice[0]} {each.words}", words)
        )
        self._shown = sorted(found, key=lambda offer: offer.choice not in self.chosen)
        return map(self._offer_row, self._shown)

    def _offer_row(self, offer: FilterOffer) -> Content:
        tick = ("✓" if offer.choice in self.chosen else "", "bold $accent")
        by = (offer.choice[0], "dim")
        return columns(2, 9).row(tick, by, offer.words, (f" {offer.lines}", "dim"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._toggle(self.listed.highlighted)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._toggle(event.option_index)

    def _toggle(self, at: int | None) -> None:
        if at is not None:
            self.chosen ^= {self._shown[at].choice}
            with self.field.prevent(Input.Changed):
                self.field.value = ""
            self.show_matches()

    def action_leave(self) -> None:
        _ = self.dismiss(self.chosen)
