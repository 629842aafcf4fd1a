"""Forces: every counter that the seat may know, its page, corrections, the end of a scenario."""

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input, Static

from brt_cg.asks import Refused
from brt_cg.counters import Side, counted
from brt_cg.records import Phase
from brt_cg.tui.actions import FORCES, SCENARIO_END, bindings
from brt_cg.tui.counter_words import fields_told
from brt_cg.tui.groups import ORDERS, Group, filtered, groups, sorted_by
from brt_cg.tui.room import Room
from brt_cg.tui.session import Seat, Seen
from brt_cg.tui.widgets.counter_list import CounterList

REST = 0.04  # seconds on a counter before its page is written
PAUSE = 0.15  # seconds on a counter before its history is looked up


class ForcesScreen(Room):
    """The counters in groups, a filter above, the page of the one in hand beside or below."""

    PLACE = FORCES
    BINDINGS = bindings(FORCES)
    CSS_PATH = "forces.tcss"
    AUTO_FOCUS = "CounterList"

    def __init__(self) -> None:
        super().__init__()
        self.all: list[Group] = []
        self._seat: Seat = None  # whose words the filter holds
        self._order = ORDERS[0]
        self._chain: tuple[str | None, list[str]] = (None, [])
        self._wait: Timer | None = None
        self._page_wait: Timer | None = None

    def room(self) -> ComposeResult:
        with Vertical(id="listed"):
            with Horizontal(id="filter_line"):
                yield Static("/", id="slash")
                yield Input(
                    placeholder="filter: any words of a name, place or state",
                    id="filter",
                    compact=True,
                )
                yield Static(id="found")
            yield CounterList(id="counters")
        with VerticalScroll(id="page", classes="panel", can_focus=False):
            yield Static(id="fields")
            yield Static(id="chain")

    # --- showing --------------------------------------------------------------------------------

    def show(self, seen: Seen) -> None:
        self.all = groups(seen.view)
        self._chain = (None, [])
        if seen.seat is not self._seat:
            self._seat = seen.seat
            field = self.query_one("#filter", Input)
            with field.prevent(Input.Changed):
                field.value = ""
        self._filter()
        self._show_page()

    def _filter(self) -> None:
        text = self.query_one("#filter", Input).value
        kept = filtered(self.all, text)
        self.query_one(CounterList).show(sorted_by(kept, self._order))
        found, whole = (sum(len(group.rows) for group in some) for some in (kept, self.all))
        words = f"{found} of {whole}" if text.strip() else counted(whole, "counter")
        words += f", by {self._order}" if self._order != ORDERS[0] else ""
        self.query_one("#found", Static).update(words)

    def _show_page(self) -> None:
        """The page of the counter in hand; its history follows when the cursor rests."""
        seen, id = self.seen, self.query_one(CounterList).id_at_cursor
        page = self.query_one("#page")
        counter = seen.view.find(id) if seen and id else None
        for side in Side:
            page.set_class(getattr(counter, "side", None) is side, side.value)
        if seen is None or counter is None:
            page.border_title = "No counter"
            self.query_one("#fields", Static).update("")
            self.query_one("#chain", Static).update("")
            return
        page.border_title = seen.view.label(counter)
        low = self.has_class("-narrow")
        rows = fields_told(seen.view, counter)
        parts = [Content.from_markup("[dim]$name[/] $value", name=n, value=v) for n, v in rows]
        self.query_one("#fields", Static).update(Content(" · " if low else "\n").join(parts))
        if self._chain[0] == id:
            self._tell_chain()
            return
        self.query_one("#chain", Static).update("")
        if self._wait is not None:
            self._wait.stop()
        self._wait = self.set_timer(PAUSE, lambda: self._look_up(str(id)))

    def _look_up(self, id: str) -> None:
        self.run_worker(self._fetch_chain(id), group="chain", exclusive=True)

    async def _fetch_chain(self, id: str) -> None:
        from brt_cg.exports.explain import explain

        seat = self.brt.session.seat
        try:
            lines = await self.brt.session.consult(lambda desk: desk.tell(explain, id, seat))
        except Refused:
            lines = []
        if self.query_one(CounterList).id_at_cursor == id:
            self._chain = (id, lines[1:])
            self._tell_chain()

    def _tell_chain(self) -> None:
        lines = self._chain[1]
        told = [Content.from_markup("[bold $accent]How it came to be[/]")]
        told += [Content(line) for line in lines]
        self.query_one("#chain", Static).update(Content("\n").join(told) if lines else "")

    # --- what can be done -----------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        seen = self.seen
        if action == "form":
            return seen is not None and seen.view.situation.phase is Phase.SCENARIO
        if action == "edit":
            return seen is not None and seen.view.situation.phase is not Phase.OVER
        return super().check_action(action, parameters)

    def go_to(self, id: str) -> None:
        """Puts the cursor on a counter."""
        field = self.query_one("#filter", Input)
        with field.prevent(Input.Changed):
            field.value = ""
        self._filter()
        self.query_one(CounterList).go_to(id)

    def action_order(self) -> None:
        self._order = ORDERS[(ORDERS.index(self._order) + 1) % len(ORDERS)]
        self._filter()

    def action_filter(self) -> None:
        self.query_one("#filter", Input).focus()

    async def action_life(self) -> None:
        id = self.query_one(CounterList).id_at_cursor
        if id is not None:
            await self.brt.show_life(id)

    def action_edit(self) -> None:
        self.run_worker(self._edit(), group="edit", exclusive=True)

    async def _edit(self) -> None:
        seen, id = self.seen, self.query_one(CounterList).id_at_cursor
        counter = seen.view.find(id) if seen and id else None
        if seen is not None and counter is not None:
            from brt_cg.tui.forms.edit import EditForm
            from brt_cg.tui.screens.form import FormScreen

            form = EditForm(self.brt.session, seen.view, counter, seen.view.label(counter))
            await self.app.push_screen_wait(FormScreen(form))

    async def action_form(self) -> None:
        await self.app.switch_mode(SCENARIO_END)

    def on_counter_list_moved(self, event: CounterList.Moved) -> None:
        """The row is drawn at once; its page, which lays the room out anew, follows."""
        if self._page_wait is not None:
            self._page_wait.stop()
        self._page_wait = self.set_timer(REST, self._show_page)

    def on_counter_list_chosen(self, event: CounterList.Chosen) -> None:
        self.action_edit()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._filter()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.query_one(CounterList).focus()

    def on_key(self, event: events.Key) -> None:
        field = self.query_one("#filter", Input)
        if event.key == "escape" and (field.has_focus or field.value):
            event.stop()
            field.value = ""
            self.query_one(CounterList).focus()
        elif field.has_focus and event.key in ("down", "up"):
            event.stop()
            self.query_one(CounterList).focus()

    # --- help, clipboard ------------------------------------------------------------------------

    def row_text(self) -> str | None:
        row = self.query_one(CounterList).row_at_cursor
        return " · ".join(filter(None, (row.name, row.place, row.state))) if row else None

    def why(self) -> tuple[str, ...]:
        id = self.query_one(CounterList).id_at_cursor
        return (id,) if id else ()

    def aid_words(self) -> str:
        seen, id = self.seen, self.query_one(CounterList).id_at_cursor
        unit = seen.view.units.get(id) if seen and id else None
        return f"{id} " if unit is not None and unit.side is Side.JAPANESE else ""

    def about(self) -> tuple[str, str]:
        return (
            "Forces",
            "Every counter that this seat may know, side by side and area by area (15.6071); "
            "type / and any words to find some of them: a name, a hex, wounded, HMG. The page "
            "tells how the counter in hand came to be what it is. A correction stands in the "
            "journal with its reason. Tab goes from group to group, ← folds one, → unfolds it.",
        )
