"""The form for the end of a scenario: one key for each thing that happened to a counter."""

from functools import partialmethod

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from brt_cg.figures import counted
from brt_cg.records import Phase
from brt_cg.storage.place import Place
from brt_cg.tui import scenario_end
from brt_cg.tui.actions import FORCES, REFIT, SCENARIO_END, actions_of, bindings
from brt_cg.tui.forms.totals import TotalsForm
from brt_cg.tui.groups import GONE, filtered, groups
from brt_cg.tui.scenario_end import BY_NAME
from brt_cg.tui.screens.form import FormScreen
from brt_cg.tui.screens.scenario_end_map import NO_SHEET, EndOnMap
from brt_cg.tui.session import Seat, Seen
from brt_cg.tui.tick_sheet import TickSheet, sheet_for
from brt_cg.tui.widgets.counter_list import CounterList
from brt_cg.tui.widgets.filter_line import FilterLine
from brt_cg.tui.widgets.island_map import IslandMap
from brt_cg.tui.widgets.lines import Clickable


class ScenarioEndScreen(EndOnMap):
    """The counters in play; a tick's key sets it on the selected one, or on all that are marked,
    and takes it off again. Enter goes on to the totals."""

    PLACE = SCENARIO_END
    BINDINGS = bindings(SCENARIO_END)
    CSS_PATH = "scenario_end.tcss"

    question = getters.query_one("#question", Static)
    typed = getters.query_one("#typed", Input)
    _whose: tuple[Place, Seat] | None = None  # file and seat that the sheet is of
    _asking: str | None = None

    def room(self) -> ComposeResult:
        yield IslandMap()
        with Vertical(id="listed"):
            yield FilterLine("filter")
            yield CounterList(id="counters")
            yield Static(id="question")
            yield Input(id="typed", compact=True)
            yield Clickable(self._legend(), id="legend")

    def on_mount(self) -> None:
        self.turn_to_map(False)
        self.listed.mark = self._mark
        self._ask_nothing()

    def _legend(self) -> Content:
        """The keys of the ticks, as many lines as they need."""
        ticks = [action for action in actions_of(SCENARIO_END) if action.name in BY_NAME]
        parts = [
            Content.from_markup(
                f"[@click=screen.{tick.name}][bold $accent]$key[/]\N{NO-BREAK SPACE}$words[/]",
                key=self.app.key(tick.id),
                words=BY_NAME[tick.name].words.replace(" ", "\N{NO-BREAK SPACE}"),
            )
            for tick in ticks
        ]
        return Content("  ").join(parts)

    # --- showing --------------------------------------------------------------------------------

    def show(self, seen: Seen) -> None:
        if seen.view.situation.phase is not Phase.SCENARIO:
            self._take_sheet(None, NO_SHEET)
            self.turn_to_map(False)
            self.all = ()
            self.filter()
            return
        if self._whose != (seen.path, seen.seat) or self.sheet.date != seen.view.situation.date:
            self._take_sheet((seen.path, seen.seat), sheet_for(seen))
        self.show_all(seen)

    def show_all(self, seen: Seen) -> None:
        """All counters in groups; on the map those in the hex under the cursor, and those that are
        not accounted for yet."""
        mine = seen.seat
        if self.at_map:
            self.show_map(seen)
            return
        self.all = [
            group
            for group in groups(seen.view)
            if group.place != GONE and (mine is None or group.side in (mine, None))
        ]
        self.filter()

    def arrive(self) -> None:
        taken_in = self.seen.view.situation.phase is not Phase.SCENARIO
        if taken_in and self.is_current:  # here, or by another window
            self.app.call_later(self.app.switch_mode, REFIT)

    def _take_sheet(self, whose: tuple[Place, Seat] | None, sheet: TickSheet) -> None:
        """Shows another sheet; what is marked or typed was for the one before."""
        self._whose, self.sheet = whose, sheet
        self.marked = frozenset()
        self.filter_line.field.value = ""
        self._ask_nothing()

    def filter(self) -> None:
        self.listed.show(filtered(self.all, self.filter_line.words))
        self._tell_count()

    def _tell_count(self) -> None:
        marked = f", {len(self.marked)} marked" if self.marked else ""
        left = f", {len(self.all[1].rows)} left" if self.at_map and self.all else ""
        self.filter_line.tell(f"{len(self.ticks)} ticked{left}{marked}")

    def _mark(self, id: str) -> str:
        sign = "■ " if id in self.marked else ""
        ticks = self.ticks.get(id)
        return sign + (f"✓ {scenario_end.told(ticks)}" if ticks else "")

    def can_point(self) -> bool:
        return self._asking == "moved"

    # --- ticking --------------------------------------------------------------------------------

    def tick(self, name: str) -> None:
        """Sets a tick, or takes it off where all have it; asks first for what must be typed."""
        targets = self.targets()
        if name == "moved" and self.at_map and not self._unfit(name):
            self.point()  # once more: somewhere else
        elif targets and all(name in self.ticks.get(id, {}) for id in targets):
            for id in targets:
                self._untick(id, name)
            self._ticked()
        elif problems := self._unfit(name):
            self._refuse(problems)
        elif BY_NAME[name].asks:
            self._ask(name)
        else:
            self.set_tick(name, "")

    def _unfit(self, name: str) -> list[str]:
        """Why this cannot happen to the selected counters, where it cannot."""
        view = self.seen.view
        return [
            f"{view.label(counter)} cannot be {BY_NAME[name].words}"
            for counter in map(view.find, self.targets())
            if counter is not None and not BY_NAME[name].fits(counter)
        ]

    def _refuse(self, problems: list[str]) -> None:
        why = "; ".join(problems[:3])
        self._say(Content.from_markup("[bold $error]✗ Not allowed:[/] $why", why=why))

    def _say(self, words: str | Content) -> None:
        self.question.display = True
        self.question.update(words)

    def _untick(self, id: str, name: str) -> None:
        del self.ticks[id][name]
        if not self.ticks[id]:
            del self.ticks[id]

    def _ask(self, name: str) -> None:
        self._asking = name
        many = f" ({counted(len(self.marked), 'counter')})" if self.marked else ""
        on_map = "  F4: point on the map" if name == "moved" else ""
        self._say(f"{BY_NAME[name].words.capitalize()}{many}: {BY_NAME[name].asks}{on_map}")
        self.typed.display = True
        self.typed.value = ""
        self.typed.focus()

    def _ask_nothing(self) -> None:
        self._asking = None
        self.question.display = self.typed.display = False
        if self.focused in (None, self.typed):
            self.take_keys()

    def set_tick(self, name: str, typed: str) -> None:
        view, problems = self.seen.view, []
        typed = scenario_end.as_meant(name, typed)
        for counter in filter(None, map(view.find, self.targets())):
            problem = scenario_end.tick_problem(view, counter, BY_NAME[name], typed)
            if problem is None:
                scenario_end.set_tick(self.ticks, counter.id, name, typed)
            else:
                problems.append(problem)
        if problems:
            self._refuse(problems)
        else:
            self._ticked()

    def on_drawn_list_moved(self, event: CounterList.Moved) -> None:
        if self._asking is None:
            self.question.display = False

    def _ticked(self) -> None:
        self.sheet.keep()
        self.marked = frozenset()
        self._ask_nothing()
        if self.at_map:
            self.show_all(self.seen)
        self.listed.refresh()
        self._tell_count()

    def action_untick(self) -> None:
        for id in self.targets():
            self.ticks.pop(id, None)
        self._ticked()

    def action_mark(self) -> None:
        """Marks the selected counter, and goes to the next."""
        if self.selected_counter:
            self.marked ^= {self.selected_counter}
            self.listed.refresh()
            self.listed.action_move(1)
            self._tell_count()

    # --- going on -------------------------------------------------------------------------------

    async def action_totals(self) -> None:
        form = TotalsForm(self.app.session, self.seen, self.sheet)
        await self.app.push_screen(FormScreen(form))

    async def action_leave(self) -> None:
        """Back to the list from a field, and from the list to Forces."""
        if self._asking is not None:
            self._ask_nothing()
        elif self.is_filtered:
            self.end_filter()
        elif self.at_map and self.focused is not self.island:
            self.take_keys()
        else:
            await self.app.switch_mode(FORCES)

    @property
    def is_filtered(self) -> bool:
        return self._asking is None and super().is_filtered

    def end_filter(self) -> None:
        self.filter_line.field.value = ""
        self.take_keys()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input is self.typed and self._asking is not None:
            self.set_tick(self._asking, event.value.strip())


for _name in BY_NAME:  # a key for each tick
    setattr(ScenarioEndScreen, f"action_{_name}", partialmethod(ScenarioEndScreen.tick, _name))
