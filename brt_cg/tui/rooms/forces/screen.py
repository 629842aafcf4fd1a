"""Forces: every counter that the seat may know, its page, corrections, the end of a scenario."""

from collections.abc import Iterable, Sequence

from textual import work
from textual.app import ComposeResult
from textual.content import Content

from brt_cg.exports.wording import field_texts
from brt_cg.model import Counter, Phase, Side, Unit
from brt_cg.text import count_text
from brt_cg.tui.forms.edit import EditForm
from brt_cg.tui.frame.counter_history import CounterHistory
from brt_cg.tui.frame.list_room import CounterRoom
from brt_cg.tui.keys.actions import FORCES
from brt_cg.tui.lists.counter_list import CounterList
from brt_cg.tui.lists.filter_line import FilterLine
from brt_cg.tui.lists.groups import (
    ORDERS,
    Group,
    filter_rows_by_text,
    group_counters,
    ids_of,
    sort_rows_in_groups,
)
from brt_cg.tui.lists.panes import DetailPanel
from brt_cg.tui.lists.search import next_cyclic
from brt_cg.tui.look.lines import HangingText, Vertical
from brt_cg.tui.session.session import CampaignSnapshot


class ForcesScreen(CounterRoom):
    """The counters in groups, a filter above, the page of the selected one beside or below."""

    PLACE = FORCES
    POSSIBLE = {
        "form": lambda room, seen: room.can_enter_scenario_end(seen),
        "edit": lambda room, seen: seen.view.situation.phase is not Phase.OVER,
    }

    all: Sequence[Group] = ()
    _order = ORDERS[0]

    def compose_contents(self) -> ComposeResult:
        with Vertical(id="listed"):
            yield FilterLine("filter: words of a name, place or state")
            yield CounterList(id="counters")
        with DetailPanel():
            yield HangingText(id="fields")
            yield CounterHistory(id="chain")

    # --- showing --------------------------------------------------------------------------------

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        self.all = group_counters(seen.view)
        self.apply_filter()
        self.show_selected_row_details(anew=True)

    def apply_filter(self) -> None:
        text = self.filter_line.words
        kept = filter_rows_by_text(self.all, text)
        self.listed.show(sort_rows_in_groups(kept, self._order))
        found, whole = len(ids_of(kept)), len(ids_of(self.all))
        words = f"{found} of {whole}" if text.strip() else count_text(whole, "counter")
        words += f", by {self._order}" if self._order != ORDERS[0] else ""
        self.filter_line.show_count(words)

    def show_selected_row_details(self, anew: bool = False) -> None:
        """Show the page of the selected counter; its history follows when the cursor rests."""
        view, counter = self.seen.view, self._counter
        page, chain = self.query_one(DetailPanel), self.query_one(CounterHistory)
        if counter is None:
            page.set_titles("No counter")
            self.query_one("#fields", HangingText).set_text("")
            chain.show(None)
            return
        page.set_titles(Content(counter.label), side=counter.side)
        low = self.has_class("-narrow")
        rows = field_texts(view, counter)
        parts = [Content.from_markup("[dim]$name[/] $value", name=n, value=v) for n, v in rows]
        fields = Content(" · " if low else "\n").join(parts)
        self.query_one("#fields", HangingText).set_text(fields)
        chain.show(counter.id, anew)

    @property
    def _counter(self) -> Counter | None:
        """The selected counter."""
        id = self.selected_counter
        return self.seen.view.find(id) if id else None

    # --- the possible actions -------------------------------------------------------------------

    def go_to(self, id: str) -> None:
        """Put the cursor on a counter."""
        self.clear_shown_and_typed()
        self.apply_filter()
        self.listed.go_to(id)

    def action_order(self) -> None:
        self._order = next_cyclic(ORDERS, self._order)
        self.apply_filter()

    def counters_for_service_record(self) -> Iterable[str]:
        return filter(None, [self.selected_counter])

    @work(group="edit", exclusive=True)
    async def action_edit(self) -> None:
        view, counter = self.seen.view, self._counter
        if counter is not None:
            form = EditForm(self.app.session, view, counter, counter.label)
            await self.app.show_form(form)

    def on_drawn_list_chosen(self, event: CounterList.Chosen) -> None:
        self.action_edit()

    def aid_question_prefix(self) -> str:
        unit = self._counter
        mine = isinstance(unit, Unit) and unit.side is Side.JAPANESE
        return f"{unit.id} " if unit and mine else ""
