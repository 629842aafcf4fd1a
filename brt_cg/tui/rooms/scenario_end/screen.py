"""The form for the end of a scenario: one key for each event, in a list of counters or on the map,
where counters are put, moved, marked and removed."""

from collections.abc import Sequence
from pathlib import Path

from textual import getters, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from brt_cg.board.locations import OFF_MAP, ground
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Side
from brt_cg.questions.answers import Pointed
from brt_cg.storage.place import Place
from brt_cg.text import counted
from brt_cg.tui.dialogs.pick import PickScreen
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.frame.list_room import CounterRoom
from brt_cg.tui.keys.actions import FORCES, REFIT, SCENARIO_END, actions_of
from brt_cg.tui.lists.counter_list import CounterList
from brt_cg.tui.lists.filter_line import FilterLine
from brt_cg.tui.lists.found import next_of
from brt_cg.tui.lists.groups import GONE, Group, filtered, group_of, groups, ids_of
from brt_cg.tui.lists.marking import Marked
from brt_cg.tui.look.hanging import Hanging
from brt_cg.tui.look.lines import click
from brt_cg.tui.map.island_map import IslandMap
from brt_cg.tui.map.map_room import HasIsland
from brt_cg.tui.map.pointing import Pointing
from brt_cg.tui.map.sheet import sheet_of
from brt_cg.tui.memory.on_disk import NotedOnDisk
from brt_cg.tui.point.screen import PointScreen
from brt_cg.tui.question.form import counters_offered
from brt_cg.tui.rooms.scenario_end import ticks
from brt_cg.tui.rooms.scenario_end.tick_keys import TickKeys
from brt_cg.tui.rooms.scenario_end.tick_sheet import TickSheet, sheet_for
from brt_cg.tui.rooms.scenario_end.ticks import BY_NAME, Ticks
from brt_cg.tui.rooms.scenario_end.totals_form import TotalsForm, open_after
from brt_cg.tui.session.session import Seat, Seen

LEFT = "Not yet accounted for"
ON_MAP = ("next_here", "put", "go_to", "closer", "farther")
NO_SHEET = TickSheet(NotedOnDisk(Path(), {}), "", {}, {})  # while no scenario is being played


class ScenarioEndScreen(TickKeys, HasIsland, CounterRoom):
    """The counters in play; a tick's key sets it on the selected counter, or on all marked ones,
    and removes it again. Enter goes on to the totals. Beside the map the list shows the counters of
    the hex under the cursor, and those not yet accounted for."""

    PLACE = SCENARIO_END
    POSSIBLE = dict.fromkeys(ON_MAP, lambda room, seen: room.at_map)

    question = getters.query_one("#question", Static)
    typed = getters.query_one("#typed", Input)
    sheet = NO_SHEET
    all: Sequence[Group] = ()
    _now: Campaign | None = None  # the campaign with the ticks applied, as on the map
    _here: Sequence[str] = ()  # ids of the counters in the hex under the cursor
    _ends: tuple[Place, Seat, str] | None = None  # the file, seat and date of the sheet

    def __init__(self) -> None:
        super().__init__()
        self.marked = Marked()

    def room(self) -> ComposeResult:
        yield IslandMap()
        with Vertical(id="listed"):
            yield FilterLine("filter")
            yield CounterList(id="counters")
            yield Static(id="question")
            yield Input(id="typed")
            yield Hanging(id="legend")

    def on_mount(self) -> None:
        self.turn_to_map(False)
        self.listed.mark = self._mark
        self.query_one("#legend", Hanging).tell(self._legend(), 0)
        self._ask_nothing()

    def _legend(self) -> Content:
        """The keys of the ticks, on as many lines as they need."""
        ticks = [action for action in actions_of(SCENARIO_END) if action.name in BY_NAME]
        parts = [
            Content.assemble(
                (self.app.key(tick.id), "bold $accent"),
                f" {BY_NAME[tick.name].words}".replace(" ", "\N{NO-BREAK SPACE}"),
            ).stylize(click(tick.clicked))
            for tick in ticks
        ]
        return Content("  ").join(parts)

    # --- showing --------------------------------------------------------------------------------

    @property
    def seen(self) -> Seen:
        return super().seen.for_half()

    def show(self, seen: Seen) -> None:
        seen = self.seen
        date = seen.view.situation.date
        ends = (seen.path, seen.seat, date) if seen.ends_scenario else None
        if ends != self._ends:
            # Marks and typed text belonged to the sheet before.
            self._ends, self.sheet = ends, sheet_for(seen) if ends else NO_SHEET
            self.marked.clear()
            self.filter_line.field.value = ""
            self._ask_nothing()
        if ends is None:
            self.turn_to_map(False)
        self.show_all(seen)

    def show_all(self, seen: Seen) -> None:
        """Shows all counters in groups; with the map those in the hex under the cursor, and those
        not yet accounted for."""
        if self.at_map:
            self._now = ticks.after(seen.view, self.ticks, seen.card)
            self.island.show(sheet_of(self._now, seen.card))
            self._show_stack(seen, self._now)
            return
        mine = (seen.seat, None) if seen.seat else (*Side, None)
        found = groups(seen.view) if seen.ends_scenario else []
        self.all = [group for group in found if group.place != GONE and group.side in mine]
        self.filter()

    def arrive(self) -> None:
        if not self.seen.ends_scenario and self.is_current:  # here, or by another window
            self.app.call_later(self.app.switch_mode, REFIT)

    def filter(self) -> None:
        self.listed.show(filtered(self.all, self.filter_line.words))
        self._tell_count()

    def _tell_count(self) -> None:
        left = f", {len(self.all[1].rows)} left" if self.at_map and self.all else ""
        self.filter_line.tell(f"{len(self.ticks)} ticked{left}{self.marked.count_text}")

    def _mark(self, id: str) -> str:
        sign = self.marked.sign(id)
        ticked_here = self.ticks.get(id)
        ticked = f"✓ {ticks.ticks_text(ticked_here)}" if ticked_here else ""
        along = ticks.goes_along(self.seen.view, self.ticks, id)
        state = ", ".join(filter(None, (ticked, along and f"also moves to {along}")))
        return f"{sign} {state}".strip()

    def can_point(self) -> bool:
        return self.asks_where

    # --- on the map -----------------------------------------------------------------------------

    def _show_stack(self, seen: Seen, now: Campaign) -> None:
        """Shows the counters in the hex under the cursor, those that fell there last."""
        hex = self.island.cursor
        lie = self.island.drawing.sheet.here.get(hex, ())
        here = [counter for counter in lie if ticks.belongs_to(counter, seen.seat)]
        ticked = (counter for counter in map(now.find, self.ticks) if counter is not None)
        here += [counter for counter in ticked if _fell_in(counter, hex)]
        left = ticks.unaccounted(seen.view, self.ticks, seen.seat)
        self._here = [counter.id for counter in here]
        self.all = [group_of(now, hex, here), group_of(seen.view, LEFT, left)]
        selected = self.selected_counter
        self.filter()
        if self.focused is not self.listed:
            first = next(iter(self._here), None)
            self.listed.put_cursor(selected if selected in self._here else first)

    @property
    def at_map(self) -> bool:
        """Whether the map is shown, and not the whole list."""
        return self.has_class("-map")

    def turn_to_map(self, at_map: bool) -> None:
        self.set_class(at_map, "-map")
        self.island.display = at_map

    def action_on_map(self) -> None:
        self.turn_to_map(not self.at_map)
        self.take_keys()
        if self.at_map:
            self.island.go_to(self.app.map_cursor, self.app.map_zoom)
        self.show_all(self.seen)
        self.refresh_bindings()

    def take_keys(self) -> None:
        """Gives the focus to the map, or to the list."""
        self.set_focus(self.island if self.at_map else self.listed)

    def on_island_map_moved(self, event: IslandMap.Moved) -> None:
        self.app.map_cursor = event.hex
        if self.at_map and self._now is not None:
            self._show_stack(self.seen, self._now)

    def on_island_map_dropped(self, event: IslandMap.Dropped) -> None:
        """Moves the selected or marked counters to where the mouse dropped them."""
        if event.start in self._selected_hexes():
            self.set_tick("moved", event.hex)

    def _selected_hexes(self) -> set[str]:
        """The hexes that the selected or marked counters are in now."""
        found = [self._now.find(id) for id in self.targets()] if self._now else []
        places = {counter.location for counter in found if counter and counter.location}
        return {ground(place) for place in places if place != OFF_MAP}

    def action_next_here(self) -> None:
        if self._here:
            self.listed.put_cursor(next_of(self._here, self.selected_counter))

    def action_put(self) -> None:
        if self.targets():
            self.set_tick("moved", self.island.cursor)

    def action_go_to(self) -> None:
        hex = next(iter(self._selected_hexes()), None)
        if hex is not None:
            self.island.go_to(hex)

    # --- ticking --------------------------------------------------------------------------------

    @property
    def ticks(self) -> Ticks:
        return self.sheet.ticks

    def targets(self) -> tuple[str, ...]:
        """The ids of the marked counters, or of the selected one."""
        return self.marked.chosen(self.selected_counter)

    def _chosen(self) -> list[Counter]:
        """The marked counters, or the selected one."""
        found = map(self.seen.view.find, self.targets())
        return [counter for counter in found if counter is not None]

    def tick(self, name: str) -> None:
        """Sets a tick, or removes it if all have it; asks first for its text, if it needs one."""
        self._ask_nothing()
        seen, targets, points = self.seen, self.targets(), name == "moved" and self.at_map
        if targets and not points and all(name in self.ticks.get(id, {}) for id in targets):
            for id in targets:
                ticks.untick(self.ticks, id, name)
            self._ticked()
        elif problems := ticks.unfit(seen.view, self._chosen(), BY_NAME[name], seen.seat):
            self._refuse(problems)
        elif points:  # even if it has moved already: somewhere else
            self.point()
        elif name == "moved":
            self._ask_where()
        elif name == "captured":
            self._pick_captor()
        else:
            self.set_tick(name, "")

    def _refuse(self, problems: list[str]) -> None:
        why = "; ".join([*dict.fromkeys(problems)][:3])
        self._say(Content.from_markup("[bold $error]✗ Not allowed:[/] $why", why=why))

    def _say(self, words: str | Content) -> None:
        self.question.display = True
        self.question.update(words)

    @property
    def asks_where(self) -> bool:
        """Whether a Location for what has moved is being typed."""
        return bool(self.typed.display)

    def _ask_where(self) -> None:
        many = f" ({counted(len(self.marked), 'counter')})" if self.marked else ""
        point = f"{self.app.key('everywhere.point')}: point on the map"
        self._say(f"Moved{many}: {BY_NAME['moved'].asks}  {point}")
        self.typed.display = True
        self.typed.value = ""
        self.typed.focus()

    @work(group="captor", exclusive=True)
    async def _pick_captor(self) -> None:
        """Asks which enemy unit captured what is selected."""
        ticked = ticks.after(self.seen.view, self.ticks, self.seen.card)
        offered = counters_offered(ticked, ticks.captors(ticked, self._chosen()))
        title = f"Captured: {BY_NAME['captured'].asks}"
        captor = await self.app.push_screen_wait(PickScreen(title, "", offered))
        if captor:
            self.set_tick("captured", captor)

    def _ask_nothing(self) -> None:
        self.question.display = self.typed.display = False
        if self.focused in (None, self.typed):
            self.take_keys()

    def set_tick(self, name: str, typed: str) -> None:
        """Sets a tick on all selected counters, or on none of them."""
        view, found, typed = self.seen.view, self._chosen(), ticks.as_meant(name, typed)
        tried = (ticks.tick_problem(view, each, BY_NAME[name], typed) for each in found)
        problems = [problem for problem in tried if problem is not None]
        if problems:
            self._refuse(problems)
            return
        for counter in found:
            ticks.set_tick(self.ticks, counter.id, name, typed)
        self._ticked()

    def on_drawn_list_moved(self, event: CounterList.Moved) -> None:
        if not self.asks_where:
            self.question.display = False

    def _ticked(self) -> None:
        self.sheet.keep()
        self.marked.clear()
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
            self.marked.turn([self.selected_counter])
            self.listed.refresh()
            self.listed.action_move(1)
            self._tell_count()

    def action_mark_all(self) -> None:
        """Marks all counters of the filter, or of the hex; the second time, unmarks them."""
        listed = filtered(self.all, self.filter_line.words)
        self.marked.turn(self._here if self.at_map else ids_of(listed))
        self.listed.refresh()
        self._tell_count()

    # --- pointing -------------------------------------------------------------------------------

    def point(self) -> None:
        """Points at the Location that the selected counters have moved to."""
        names = [self.seen.view.label(counter) for counter in self._chosen()]
        if not names:
            return
        title = f"Moved: {', '.join(names[:3])}{' …' if len(names) > 3 else ''}"
        start = next(iter(self._selected_hexes()), None)
        pointing = Pointing(title, Pointed(made=lambda at: at[0]), start=start)
        _ = self.app.push_screen(PointScreen(pointing, lambda raw: self.set_tick("moved", raw)))

    # --- going on -------------------------------------------------------------------------------

    async def action_totals(self) -> None:
        self._ask_nothing()
        before = ticks.NONE_BEFORE
        if (half := self.seen.half) is not None:
            points = await self.app.session.consult(
                lambda desk: desk.tell_whole(ticks.points_before, half)
            )
            before = {half: points}
        seen, sheet = self.seen, self.sheet
        open_ = await self.app.session.consult(lambda desk: open_after(desk, seen, sheet))
        form = TotalsForm(self.app.session, sheet, before, open_)
        await self.app.push_screen(FormScreen(form))

    async def action_leave(self) -> None:
        """Returns to the list from a field, and to Forces from the list."""
        if self.asks_where:
            self._ask_nothing()
        elif self.is_filtered:
            self.end_filter()
        elif self.at_map and self.focused is not self.island:
            self.take_keys()
        else:
            await self.app.switch_mode(FORCES)

    @property
    def is_filtered(self) -> bool:
        return not self.asks_where and super().is_filtered

    def end_filter(self) -> None:
        self.filter_line.field.value = ""
        self.take_keys()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input is self.typed:
            self.set_tick("moved", event.value.strip())


def _fell_in(counter: Counter, hex: str) -> bool:
    """Whether a counter is out of play, and was last in a hex."""
    at = counter.location
    return not counter.in_play and at not in (None, OFF_MAP) and ground(str(at)) == hex
