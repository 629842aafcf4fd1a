"""The end of a scenario on the map: counters are put, moved, marked and removed where they lie."""

from collections.abc import Sequence
from pathlib import Path

from brt_cg.answers import Pointed
from brt_cg.board import OFF_MAP, ground
from brt_cg.campaign import Campaign
from brt_cg.counters import Counter
from brt_cg.tui import scenario_end
from brt_cg.tui.groups import Group, group_of
from brt_cg.tui.list_room import CounterRoom
from brt_cg.tui.map.pointing import Pointing
from brt_cg.tui.map.sheet import Sheet, sheet_of
from brt_cg.tui.scenario_end import Ticks
from brt_cg.tui.screens.island import HasIsland
from brt_cg.tui.screens.pointing import PointScreen
from brt_cg.tui.session import Seen
from brt_cg.tui.tick_sheet import TickSheet
from brt_cg.tui.widgets.island_map import IslandMap

LEFT = "Not yet accounted for"
ON_MAP = ("next_here", "put", "go_to", "closer", "farther")
NO_SHEET = TickSheet(Path(), "", "", {}, {})  # while no scenario is being played


class EndOnMap(HasIsland, CounterRoom):
    """The half of the room that is the map. Beside it the list holds the counters of the hex under
    the cursor, and those that are not accounted for yet; its ticks are those of the whole list."""

    POSSIBLE = dict.fromkeys(ON_MAP, lambda room, seen: room.at_map)

    sheet = NO_SHEET
    marked: frozenset[str] = frozenset()
    all: Sequence[Group] = ()
    _now: Campaign | None = None  # the campaign with the ticks, as the map shows it
    _here: Sequence[str] = ()  # the ids of those in the hex under the cursor

    @property
    def ticks(self) -> Ticks:
        return self.sheet.ticks

    def targets(self) -> list[str]:
        """The ids of the counters that are marked, or of the selected one."""
        id = self.selected_counter
        return sorted(self.marked) if self.marked else [id] if id else []

    def set_tick(self, name: str, typed: str) -> None:
        """Sets a tick on the targets, or says why not."""
        raise NotImplementedError(self)

    def show_all(self, seen: Seen) -> None:
        """Shows the counters anew, on the map or in the list."""
        raise NotImplementedError(self)

    # --- showing --------------------------------------------------------------------------------

    def show_map(self, seen: Seen) -> None:
        """Shows the map with the ticks, and the stack under the cursor."""
        now = scenario_end.after(seen.view, self.ticks, seen.card)
        sheet = sheet_of(now, seen.card)
        self.island.show(sheet)
        self._show_stack(seen, now, sheet)

    def _show_stack(self, seen: Seen, now: Campaign, sheet: Sheet) -> None:
        hex = self.island.cursor
        here = [
            counter
            for counter in sheet.here.get(hex, ())
            if scenario_end.belongs_to(counter, seen.seat)
        ]
        here += [
            counter for counter in map(now.find, self.ticks) if counter and _fell_in(counter, hex)
        ]
        left = scenario_end.unaccounted(seen.view, self.ticks, seen.seat)
        self._now, self._here = now, [counter.id for counter in here]
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
        """Gives the keys to the map, or to the list."""
        self.set_focus(self.island if self.at_map else self.listed)

    def on_island_map_moved(self, event: IslandMap.Moved) -> None:
        self.app.map_cursor = event.hex
        if self.at_map and self._now is not None:
            self._show_stack(self.seen, self._now, self.island.drawing.sheet)

    def on_island_map_dropped(self, event: IslandMap.Dropped) -> None:
        """What is selected, or marked, is moved by the mouse."""
        if event.start in self._selected_hexes():
            self.set_tick("moved", event.hex)

    def _selected_hexes(self) -> set[str]:
        found = [self._now.find(id) for id in self.targets()] if self._now else []
        return {
            ground(counter.location)
            for counter in found
            if counter and counter.location not in (None, OFF_MAP)
        }

    def action_next_here(self) -> None:
        if self._here:
            known = self.selected_counter in self._here
            at = self._here.index(str(self.selected_counter)) + 1 if known else 0
            self.listed.put_cursor(self._here[at % len(self._here)])

    def action_put(self) -> None:
        if self.targets():
            self.set_tick("moved", self.island.cursor)

    def action_go_to(self) -> None:
        hex = next(iter(self._selected_hexes()), None)
        if hex is not None:
            self.island.go_to(hex)

    # --- pointing -------------------------------------------------------------------------------

    def point(self) -> None:
        """Points at the Location that what is selected has moved to."""
        view, targets = self.seen.view, self.targets()
        if not targets:
            return
        names = [view.label(counter) for counter in map(view.find, targets) if counter]
        title = f"Moved: {', '.join(names[:3])}{' …' if len(names) > 3 else ''}"
        start = next(iter(self._selected_hexes()), None)
        pointing = Pointing(title, Pointed(made=lambda at: at[0]), start=start)
        _ = self.app.push_screen(PointScreen(pointing, lambda raw: self.set_tick("moved", raw)))


def _fell_in(counter: Counter, hex: str) -> bool:
    """Whether a counter is out of play, and was in a hex last."""
    at = counter.location
    return not counter.in_play and at not in (None, OFF_MAP) and ground(str(at)) == hex
