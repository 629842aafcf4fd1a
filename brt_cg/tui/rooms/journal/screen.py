"""Journal: everything that happened, line by line; undone lines stay, struck out."""

from collections.abc import Iterable, Sequence

from textual import getters, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from brt_cg.exports.dice import luck_of
from brt_cg.model.counters import Side
from brt_cg.service.time_travel import lost_text, travel_text
from brt_cg.text import counted
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply, is_sure
from brt_cg.tui.dialogs.luck import LuckScreen
from brt_cg.tui.dialogs.why import explain
from brt_cg.tui.dialogs.words import show_life
from brt_cg.tui.frame.list_room import ListRoom
from brt_cg.tui.keys.actions import FORCES, JOURNAL, MAP
from brt_cg.tui.lists.detail import DetailPanel
from brt_cg.tui.lists.filter_line import FilterLine
from brt_cg.tui.look.columns import columns
from brt_cg.tui.look.hanging import Hanging
from brt_cg.tui.rooms.journal.line_list import LineList
from brt_cg.tui.rooms.journal.looking_back import (
    Destination,
    LineFilter,
    LineLink,
    choice_text,
    gathered_lines,
    kept,
    leads,
    offers,
)
from brt_cg.tui.rooms.journal.note_form import NoteForm
from brt_cg.tui.rooms.journal.only_dialog import OnlyScreen
from brt_cg.tui.session.campaign_app import SEAT
from brt_cg.tui.session.news import News
from brt_cg.tui.session.session import Seen
from brt_cg.views.rows import ShownLine

BY_UMPIRE = (
    "Going back undoes what both sides have done, so only the umpire can{}. Undo ({}) takes back "
    "the newest entry."
)


class JournalScreen(ListRoom):
    """The lines with a filter above; below, the selected line in full and its links."""

    PLACE = JOURNAL
    AUTO_FOCUS = "LineList"
    POSSIBLE = {
        "show_all": lambda room, seen: room.only.any,
        "news": lambda room, seen: room.app.news is not None,
        "go_back": lambda room, seen: seen.undo != "nothing",
    }

    listed = getters.query_one(LineList)
    all: Sequence[ShownLine] = ()
    has_all = False  # whether older lines have been read
    only = LineFilter()
    _news: News | None = None  # the new lines that have been shown
    _wanted: int | None = None  # the entry to go to, once it has been read

    def room(self) -> ComposeResult:
        with Vertical(id="listed"):
            yield FilterLine("filter: any words of a line")
            yield Static(id="only")
            yield LineList(id="lines")
        with DetailPanel():
            yield Hanging(id="line")

    # --- showing --------------------------------------------------------------------------------

    def forget(self) -> None:
        self.all, self._news = (), None

    def show(self, seen: Seen) -> None:
        if not self.all:
            # The newest lines are in memory; all others follow from the desk.
            self.all, self.has_all = seen.log, False
            self._keep(LineFilter())
        self._read(seen)

    def arrive(self) -> None:
        """Shows first, once, what is new to the seat."""
        news = self.app.news
        if news is not None and news is not self._news:
            self._news = news
            if self._wanted is None:
                self._keep(LineFilter(since=news.since))

    @work(group="journal", exclusive=True, description="read")
    async def _read(self, seen: Seen) -> None:
        lines = await self.app.session.consult(lambda desk: tuple(desk.book().lines))
        if seen is self.seen:
            self.all, self.has_all = lines, True
            self.filter()
            self._wanted = None

    def _keep(self, only: LineFilter) -> None:
        """Changes the filter."""
        self.only = only
        self.filter_line.put(only.words)
        self.filter()

    def filter(self) -> None:
        lines = kept(self.all, self.only, self._whose)
        self.listed.show(lines if self.only.any else [*gathered_lines(lines)])
        if self._wanted is not None:
            self.listed.go_to(self._wanted)
        words = (
            f"{len(lines)} of {len(self.all)}" if self.only.any else counted(len(self.all), "line")
        )
        self.filter_line.tell(words)
        text = self._only_text()
        shown = self.query_one("#only", Static)
        shown.display = bool(text)
        shown.update(Content(text))
        self.refresh_bindings()
        self.show_page()

    def _only_text(self) -> str:
        """The filter in words."""
        parts = ["since you last looked"] if self.only.since else []
        parts += [choice_text(*choice, self.seen.view) for choice in sorted(self.only.choices)]
        return f"only: {' · '.join(parts)}" if parts else ""

    def _whose(self, id: str) -> Side | None:
        return getattr(self.seen.view.find(id), "side", None)

    def go_to(self, number: str) -> None:
        """Goes to an entry by its number in this seat's journal."""
        self._wanted = int(number)
        self._keep(LineFilter())
        self._wanted = None if self.has_all else int(number)

    # --- the selected line -----------------------------------------------------------------------

    @property
    def line(self) -> ShownLine | None:
        return self.listed.line_at_cursor

    def show_page(self) -> None:
        line, page = self.line, self.query_one(DetailPanel)
        if line is None:
            page.entitle("No line" if self.all else "Nothing has been entered yet")
            self.query_one("#line", Hanging).tell(Content())
            return
        kind = line.kind if line.kind != line.title else ""
        below = " · ".join(filter(None, (line.date, kind)))
        page.entitle(Content(f"{line.seq} · {line.heading}"), below)
        struck = "strike dim" if line.undone else ""
        parts = [Content.styled(line.text, struck)]
        if line.undone:
            parts.append(Content.styled("undone", "$warning"))
        if line.secret:
            parts.append(
                Content.styled(f"a secret of the {line.secret.label} side", f"${line.secret}")
            )
        names = list(dict.fromkeys(lead.words for lead in self._leads()))
        if names:
            parts.append(Content.assemble(("Enter opens ", "dim"), "; ".join(names)))
        self.query_one("#line", Hanging).tell(Content("\n").join(parts))

    def _leads(self) -> list[LineLink]:
        return leads(self.line, self.seen.view, self.seen.card) if self.line else []

    # --- what can be done -----------------------------------------------------------------------

    def action_news(self) -> None:
        if self.app.news is not None:
            self._keep(LineFilter(since=self.app.news.since))

    def action_show_all(self) -> None:
        self._keep(LineFilter())

    @work(group="only", exclusive=True)
    async def action_only(self) -> None:
        seen, lines = self.seen, self.all
        found = await self.app.session.consult(lambda _: offers(lines, seen.view, self._whose))
        chosen = await self.app.push_screen_wait(OnlyScreen(found, self.only.choices))
        if chosen is not None and self.seen.seat is seen.seat:
            self._keep(LineFilter(self.only.words, chosen, self.only.since))
            self.to_list()

    @work(group="note", exclusive=True)
    async def action_note(self) -> None:
        about = next((lead.subject for lead in self._leads() if lead.to is Destination.FORCES), "")
        form = NoteForm(self.app.session, self.seen.view, self.seen.seat, about)
        await self.app.fill_in(form)

    # --- going on from a line -------------------------------------------------------------------

    @work(group="leads", exclusive=True)
    async def action_leads(self) -> None:
        """Follows the line's link; asks which one if there are several."""
        found = self._leads()
        if not found:
            self.app.say("There is nothing to open from this line.")
            return
        rows = [_lead_text(lead, found) for lead in found]
        chosen = await self.app.push_screen_wait(ChoiceScreen("Open from this line", "", rows))
        if chosen is not None:
            await self._follow(chosen.value)

    async def _follow(self, lead: LineLink) -> None:
        room = {Destination.FORCES: FORCES, Destination.MAP: MAP}.get(lead.to)
        if room is not None:
            await self.app.show(room, lead.subject)
        elif lead.to is Destination.LIFE:
            await show_life(self.app, lead.subject)
        else:
            await explain(self.app, lead.subject)

    def counters_here(self) -> Iterable[str]:
        return [lead.subject for lead in self._leads() if lead.to is Destination.LIFE]

    def on_drawn_list_chosen(self, event: LineList.Chosen) -> None:
        self.action_leads()

    @work(group="dice", exclusive=True)
    async def action_dice(self) -> None:
        seat = self.app.session.seat
        found = await self.app.session.consult(lambda desk: luck_of(desk.book()))
        if seat is self.app.session.seat:
            await self.app.push_screen(LuckScreen(*found))

    # --- going back -----------------------------------------------------------------------------

    @work(group="undo", exclusive=True)
    async def action_go_back(self) -> None:
        """Undoes everything after the selected line, after showing it and asking."""
        line, session = self.line, self.app.session
        if line is None:
            return
        if session.seat is not None:
            change = f": change seats ({self.app.key(SEAT)})" if self.app.may(SEAT) else ""
            self.app.warn(BY_UMPIRE.format(change, self.app.key("everywhere.undo")), "")
            return
        lost = await session.consult(lambda desk: lost_text(desk, line.seq))
        if not lost:
            self.app.say("Nothing was answered or entered after this line.")
            return
        words = f"Undoes all that came after {line.seq} · {line.heading}:\n\n" + "\n".join(lost)
        words += "\n\nRedo restores it, until something new is entered."
        sure = await is_sure(self.app, "Go back to here?", words, "y", "undo all of this")
        if sure and session.seat is None:
            self.app.perform(lambda desk: travel_text(desk, desk.go_back(line.seq)), self.app.say)

    # --- the filter -----------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        self.only = LineFilter(event.value, self.only.choices, self.only.since)

    @property
    def is_filtered(self) -> bool:
        return super().is_filtered or self.only.any

    def end_filter(self) -> None:
        self._keep(LineFilter())
        self.to_list()

    def row_text(self) -> str | None:
        return str(self.line) if self.line else None


def _lead_text(lead: LineLink, found: Sequence[LineLink]) -> Reply[LineLink]:
    """A link as an answer: the first of its kind has a key."""
    first = next(other for other in found if other.to is lead.to) is lead
    key, where = lead.to.value
    text = columns(18).row((where, "dim"), lead.words)
    return Reply(lead, key if first else "", text)
