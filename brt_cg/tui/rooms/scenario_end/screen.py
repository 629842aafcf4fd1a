"""The form for the end of a scenario: one key for each event, in a list of counters or on the map,
where counters are put, moved, marked and removed."""

from collections.abc import Mapping
from pathlib import Path

from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from brt_cg.board.locations import OFF_MAP, ground
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter
from brt_cg.model.events import BY_NAME, MOVED
from brt_cg.questions.answers import Pointed
from brt_cg.storage.place import Place
from brt_cg.text import counted
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply, is_sure
from brt_cg.tui.forms.importing import ImportingRoom
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.keys.actions import FORCES, REFIT, SCENARIO_END, actions_of
from brt_cg.tui.lists.counter_list import CounterList
from brt_cg.tui.lists.filter_line import FilterLine
from brt_cg.tui.lists.found import next_of
from brt_cg.tui.lists.groups import filtered, group_of
from brt_cg.tui.look.lines import Lines, click, hanging, in_rows
from brt_cg.tui.map.island_map import IslandMap
from brt_cg.tui.map.map_room import HasIsland
from brt_cg.tui.map.pointing import Pointing
from brt_cg.tui.map.sheet import sheet_of
from brt_cg.tui.memory.on_disk import NotedOnDisk
from brt_cg.tui.point.screen import PointScreen
from brt_cg.tui.rooms.scenario_end import numbered, ticks
from brt_cg.tui.rooms.scenario_end.by_numbers import ByNumbers, NumbersLine
from brt_cg.tui.rooms.scenario_end.tick_sheet import TickSheet, sheet_for
from brt_cg.tui.rooms.scenario_end.totals_form import TotalsForm, open_after
from brt_cg.tui.session.session import Seat, Seen

LEFT = "Not yet accounted for"
LOOK_EVERY = 1.0  # seconds between looks at what another window has ticked
ON_MAP = ("next_here", "put", "go_to", "closer", "farther")
NO_SHEET = TickSheet(NotedOnDisk(Path(), {}), "", {}, {})  # while no scenario is being played


class ScenarioEndScreen(ByNumbers, HasIsland, ImportingRoom):
    """The counters in play; a tick's key sets it on the selected counter, or on all marked ones,
    and removes it again. Enter goes on to the totals. Beside the map the list shows the counters of
    the hex under the cursor, and those not yet accounted for."""

    PLACE = SCENARIO_END
    POSSIBLE = dict.fromkeys(ON_MAP, lambda room, seen: room.at_map)

    sheet = NO_SHEET
    _now: Campaign | None = None  # the campaign with the ticks applied, as on the map
    _ends: tuple[Place, Seat, str] | None = None  # the file, seat and date of the sheet

    def room(self) -> ComposeResult:
        yield IslandMap()
        with Vertical(id="listed"):
            yield FilterLine("filter")
            yield CounterList(id="counters")
            yield Static(id="question")
            yield NumbersLine(id="typed")
            yield Lines(id="legend")

    def on_mount(self) -> None:
        self.turn_to_map(False)
        self.listed.mark, self.listed.heading = self._mark, " # Counter"
        self.set_interval(LOOK_EVERY, self.look_again)
        self.query_one("#legend", Lines).write_by(self._legend)
        self.ask_nothing()

    def _legend(self, room: Size) -> Content:
        """The keys of the ticks: in rows below the list; beside it, what each means."""
        words = {name: event.words for name, event in BY_NAME.items()} | {"captures": "captures"}
        ticks = [tick for tick in actions_of(SCENARIO_END) if tick.name in words]
        beside = self.has_class("-wide") and not self.at_map
        wide = max(map(len, words.values())) + 2
        parts = []
        for tick in ticks:
            name = words[tick.name].ljust(wide if beside else 0)
            part = Content.assemble((self.app.key(tick.id), "bold $accent"), f" {name}")
            means = Content.styled(tick.help if beside else "", "dim")
            line = hanging(Content.assemble(part, means), room.width, part.cell_length)
            parts.append(line.stylize(click(tick.clicked)))
        return Content("\n").join(parts) if beside else in_rows(parts, room.width)

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
            if self.sheet.lost:
                self.app.warn(f"Ticks of counters that are gone: {', '.join(self.sheet.lost)}")
            self.filter_line.field.value = ""
            self.ask_nothing()
            self.forget_line()
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
        found = numbered.lists_of(seen.view, seen.seat) if seen.ends_scenario else []
        self.all = [numbered.group_of_list(seen.view, each) for each in found]
        self.filter()

    def action_import(self) -> None:
        """Takes the end from a file; asks first if something is ticked, which is not in it."""
        if self.ticks:
            self._import_instead()
        else:
            super().action_import()

    @work(group="instead", exclusive=True)
    async def _import_instead(self) -> None:
        words = "They are kept here, but they are not part of what the file says."
        title = f"{counted(len(self.ticks), 'counter')} ticked"
        if await is_sure(self.app, title, words, "i", "take the file instead"):
            super().action_import()

    def look_again(self) -> None:
        """Joins what another window has ticked on the same sheet."""
        if self.is_current and self.sheet is not NO_SHEET and self.sheet.join():
            self.show_sheet()

    def arrive(self) -> None:
        if not self.seen.ends_scenario and self.is_current:  # here, or by another window
            self.app.call_later(self.app.switch_mode, REFIT)

    def filter(self) -> None:
        self.listed.show(filtered(self.all, self.filter_line.words))
        self.tell_count()

    def tell_count(self) -> None:
        left = f", {len(self.all[1].rows)} left" if self.at_map and self.all else ""
        differ = f", {len(self.sheet.others)} differ" if self.sheet.others else ""
        offer = (
            "" if self.ticks else f" · {self.app.key(f'{SCENARIO_END}.import')}: from a VASL save"
        )
        ticked = f"{len(self.ticks)} ticked{offer}"
        self.filter_line.tell(f"{ticked}{differ}{left}{self.marked.count_text}")

    def _mark(self, id: str) -> str:
        sign = self.marked.sign(id)
        ticked_here = self.ticks.get(id)
        ticked = f"✓ {ticks.ticks_text(ticked_here)}" if ticked_here else ""
        along = ticks.goes_along(self.seen.view, self.ticks, id)
        if id in self.sheet.others:
            either = (_ticks_text(each) for each in (ticked_here or {}, self.sheet.others[id]))
            ticked = f"≠ {' or '.join(either)}?"
        taken = ticks.captured_by(self.ticks, id)
        has = f"✓ captured {', '.join(taken)}" if taken else ""
        state = ", ".join(filter(None, (ticked, has, along and f"also moves to {along}")))
        return f"{sign} {state}".strip()

    def can_point(self) -> bool:
        return self.asks == MOVED

    # --- on the map -----------------------------------------------------------------------------

    def _show_stack(self, seen: Seen, now: Campaign) -> None:
        """Shows the counters in the hex under the cursor, those that fell there last."""
        hex = self.island.cursor
        lie = self.island.drawing.sheet.here.get(hex, ())
        here = [counter for counter in lie if ticks.belongs_to(counter, seen.seat)]
        ticked = (counter for counter in map(now.find, self.ticks) if counter is not None)
        here += [counter for counter in ticked if _fell_in(counter, hex)]
        left = ticks.unaccounted(seen.view, self.ticks, seen.seat)
        self.here = [counter.id for counter in here]
        found = [group_of(now, hex, here), group_of(seen.view, LEFT, left)]
        self.all = numbered.with_numbers(found, seen.view, seen.seat)
        selected = self.selected_counter
        self.filter()
        if self.focused is not self.listed:
            first = next(iter(self.here), None)
            self.listed.put_cursor(selected if selected in self.here else first)

    @property
    def at_map(self) -> bool:
        """Whether the map is shown, and not the whole list."""
        return self.has_class("-map")

    def turn_to_map(self, at_map: bool) -> None:
        self.set_class(at_map, "-map")
        self.set_class(not at_map, "-list")
        self.query_one("#legend", Lines).write_anew()
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
        if event.start in self.selected_hexes():
            self.set_tick(MOVED, event.hex)

    def selected_hexes(self) -> set[str]:
        """The hexes that the selected or marked counters are in now."""
        found = [self._now.find(id) for id in self.targets()] if self._now else []
        places = {counter.location for counter in found if counter and counter.location}
        return {ground(place) for place in places if place != OFF_MAP}

    def action_next_here(self) -> None:
        if self.here:
            self.listed.put_cursor(next_of(self.here, self.selected_counter))

    def action_put(self) -> None:
        if self.targets():
            self.set_tick(MOVED, self.island.cursor)

    def action_go_to(self) -> None:
        hex = next(iter(self.selected_hexes()), None)
        if hex is not None:
            self.island.go_to(hex)

    def show_ticks(self) -> None:
        if self.at_map:
            self.show_all(self.seen)

    # --- pointing -------------------------------------------------------------------------------

    def point(self) -> None:
        """Points at the Location that the selected counters have moved to."""
        names = [counter.label for counter in self.chosen()]
        if not names:
            return
        title = f"Moved: {', '.join(names[:3])}{' …' if len(names) > 3 else ''}"
        start = next(iter(self.selected_hexes()), None)
        pointing = Pointing(title, Pointed(made=lambda at: at[0]), start=start)
        _ = self.app.push_screen(PointScreen(pointing, lambda raw: self.set_tick(MOVED, raw)))

    # --- going on -------------------------------------------------------------------------------

    def action_totals(self) -> None:
        """Goes on to the totals."""
        self.ask_nothing()
        self._go_on()

    @work(group="totals", exclusive=True)
    async def _go_on(self) -> None:
        if not await self.line_settled() or not await self._differences_settled():
            return
        before = ticks.NONE_BEFORE
        if (half := self.seen.half) is not None:
            points = await self.app.session.consult(
                lambda desk: ticks.points_before(desk.book().of(half))
            )
            before = {half: points}
        seen, sheet = self.seen, self.sheet
        left = await self.app.session.consult(lambda desk: open_after(desk, seen, sheet))
        form = TotalsForm(self.app.session, sheet, before, *left)
        await self.app.push_screen(FormScreen(form))

    async def _differences_settled(self) -> bool:
        """Asks which ticks are right where two windows ticked one counter differently; whether all
        have been chosen."""
        self.look_again()
        for id, theirs in [*self.sheet.others.items()]:
            counter, mine = self.seen.view.find(id), self.ticks.get(id, {})
            answers = [
                Reply(mine, "1", _ticks_text(mine)),
                Reply(theirs, "2", _ticks_text(theirs)),
            ]
            label = counter.label if counter is not None else id
            words = "Two windows ticked it differently. Which is right?"
            chosen = await self.app.push_screen_wait(ChoiceScreen(label, words, answers, at=None))
            if chosen is None:
                return False
            self.sheet.choose(id, chosen.value)
            self.show_sheet()
        return True

    async def action_leave(self) -> None:
        """Returns to the list from a field, and to Forces from the list."""
        if self.asks:
            self.ask_nothing()
            self.tell_put_by()
        elif self.is_filtered:
            self.end_filter()
        elif self.at_map and self.focused is not self.island:
            self.take_keys()
        else:
            await self.app.switch_mode(FORCES)

    @property
    def is_filtered(self) -> bool:
        return not self.asks and super().is_filtered

    def end_filter(self) -> None:
        self.filter_line.field.value = ""
        self.take_keys()


def _ticks_text(of_counter: Mapping[str, str]) -> str:
    return ticks.ticks_text(of_counter) or "nothing"


def _fell_in(counter: Counter, hex: str) -> bool:
    """Whether a counter is out of play, and was last in a hex."""
    at = counter.location
    return not counter.in_play and at not in (None, OFF_MAP) and ground(str(at)) == hex
