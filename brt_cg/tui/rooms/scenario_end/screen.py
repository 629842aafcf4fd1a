"""The form for the end of a scenario: a letter for each event, in a list of counters or on the map,
where counters are put, moved, marked and removed."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import partialmethod
from pathlib import Path
from types import MappingProxyType

from textual import events, getters, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Input

from brt_cg.board import OFF_MAP, ground_hex
from brt_cg.imports.code_line import tick_code_events
from brt_cg.imports.event_sheet import (
    EventSheet,
    Ticks,
    normalize_event_details,
    units_lost_in_opponents_report,
)
from brt_cg.imports.totals import open_places_of_sheet
from brt_cg.model import Campaign, Counter, Unit
from brt_cg.model.events import BY_NAME, CAPTURED, JOINED, MOVED, TICKED, CounterEvent
from brt_cg.questions import PointingForm
from brt_cg.questions.pointing import MapPointing
from brt_cg.service.drafts import FormDraft
from brt_cg.service.saved_notes import SavedNotes
from brt_cg.service.tick_sheet import TickSheet, load_tick_sheet
from brt_cg.storage.place import Place
from brt_cg.text import capitalize, count_text
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply, confirm
from brt_cg.tui.dialogs.pick import PickScreen
from brt_cg.tui.forms.import_action import import_in_room
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.frame.list_room import CounterRoom
from brt_cg.tui.frame.moved_key_notices import MovedKeyNotices
from brt_cg.tui.keys.actions import FORCES, REFIT, SCENARIO_END, actions_of
from brt_cg.tui.lists.counter_list import CounterList
from brt_cg.tui.lists.filter_line import FilterLine
from brt_cg.tui.lists.groups import Group, filter_rows_by_text, ids_of, make_group
from brt_cg.tui.lists.marks import MarkedRows
from brt_cg.tui.lists.search import next_cyclic
from brt_cg.tui.look.lines import Lines
from brt_cg.tui.map.island_map import IslandMap, Maps, WholeIsland
from brt_cg.tui.map.layouts import ZOOMS
from brt_cg.tui.map.map_room import legend_content
from brt_cg.tui.map.sheet import build_map_sheet
from brt_cg.tui.point.screen import PointScreen
from brt_cg.tui.question.form import counter_candidates
from brt_cg.tui.rooms.scenario_end.tick_line import CODES, TickLine, pick_captor
from brt_cg.tui.rooms.scenario_end.tick_list import (
    CAPTURES,
    SELDOM,
    TickList,
    groups_of_printed_lists,
    tick_keys_legend,
    tick_text,
    ticks_of_counter_text,
    with_codes,
)
from brt_cg.tui.rooms.scenario_end.totals_form import ScenarioEndForm
from brt_cg.tui.session.session import CampaignSnapshot, Seat

LEFT = "Not yet accounted for"
LOOK_EVERY = 1.0  # seconds between checks for another window's ticks
ON_MAP = ("next_here", "put", "go_to", "closer", "farther")
TICKS = tuple(action for action in actions_of(SCENARIO_END) if action.written)
NO_SHEET = TickSheet(SavedNotes(Path()), "")  # the sheet while no scenario is being played


class ScenarioEndScreen(CounterRoom):
    """The counters in play, and their ticks.

    Letters are typed as text: while no line is begun, the letter of a tick sets it on the selected
    counter, or on all marked ones, or removes it; a code after it makes both a line, and any other
    letter begins one. An event that needs an answer asks for it in the line below the list, or
    offers the possible counters. Enter continues with the totals. Next to the map, the list shows
    the counters of the hex under the cursor, and those not yet accounted for.
    """

    PLACE = SCENARIO_END
    POSSIBLE = dict.fromkeys(ON_MAP, lambda room, seen: room.is_map_shown)

    island = getters.query_one(IslandMap)
    whole = getters.query_one(WholeIsland)
    line = getters.query_one(TickLine)
    sheet = NO_SHEET
    all: Sequence[Group] = ()
    here: Sequence[str] = ()  # ids of the counters in the hex under the cursor
    _letter = ""  # the letter of a tick, if that was typed last
    _has_ticked = False
    _left_out = ""  # marked counters that the newest event cannot have happened to
    _now: Campaign | None = None  # the campaign with the ticks applied, as on the map
    _needs: Mapping[str, str] = MappingProxyType({})  # why a hex is needed, by id
    _ends: tuple[Place, Seat, str] | None = None  # the file, seat and date of the sheet

    def __init__(self) -> None:
        super().__init__()
        self.marked = MarkedRows()
        self._moved_keys = MovedKeyNotices(types=True)

    def compose_contents(self) -> ComposeResult:
        yield Maps()
        with Vertical(id="listed"):
            yield FilterLine("filter")
            yield TickList(id="counters")
            yield TickLine(lambda: self.event_sheet, self._look_at)
            yield Lines(id="legend")

    def on_mount(self) -> None:
        self.show_map(False)
        found = self.query_one(TickList)
        found.mark, found.ticks, found.now = self._mark, self._ticks_of, self._ticks_text
        found.needs, found.heading = self._why_hex, "Code Counter"
        found.fold_at_first(SELDOM)
        self.set_interval(LOOK_EVERY, self.merge_ticks_of_other_window)
        self.query_one("#legend", Lines).show_written_by(self._legend)
        self.close_question()

    def _legend(self, room: Size) -> Content:
        beside = self.has_class("-wide") and not self.is_map_shown
        ticks = tick_keys_legend(self.app, room, self._is_in_legend, beside=beside)
        if not self.is_map_shown or not self.has_class("-high"):
            return ticks
        drawn = legend_content([self.island.drawing, self.whole.drawing], room.width, "", False)
        return Content("\n").join([ticks, Content(""), drawn])

    def _is_in_legend(self, name: str) -> bool:
        """Whether the legend lists a tick: on a low screen, only if the counter can have it."""
        is_short = self.has_class("-low") and not (self.is_map_shown or self.has_class("-typing"))
        counter = self.seen.view.find(self.selected_counter or "") if self.shows_contents else None
        if counter is None or not is_short:
            return True
        if name == CAPTURES:
            return isinstance(counter, Unit) and self.event_sheet.can_capture(counter)
        return BY_NAME[name].fits(counter)

    # --- showing --------------------------------------------------------------------------------

    @property
    def seen(self) -> CampaignSnapshot:
        return super().seen.for_missing_scenario_report()

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        seen = self.seen
        date = seen.view.situation.date
        ends = (seen.path, seen.seat, date) if seen.can_report_scenario_end else None
        if ends != self._ends:
            # The marks and the typed text belong to the previous sheet.
            self._ends, self.sheet = ends, self._sheet(seen) if ends else NO_SHEET
            self.marked.clear()
            if self.sheet.lost:
                self.app.show_warning(
                    f"Ticks on counters that are gone: {', '.join(self.sheet.lost)}"
                )
            self.filter_line.field.value = ""
            self.close_question()
            self.line.restore_set_aside_line(self._line_draft(seen) if ends else None)
            if self.line.put_by:
                key = self.app.key_text(f"{SCENARIO_END}.codes")
                self.app.show_notice(
                    f"Kept, but not entered: {self.line.put_by} · {key} continues it"
                )
        if ends is None:
            self.show_map(False)
        self.show_groups(seen)

    def _line_draft(self, seen: CampaignSnapshot) -> FormDraft:
        date, drafts = seen.view.situation.date, self.app.session.drafts(seen.seat)
        return drafts.form_draft(f"codes {date}")

    def _sheet(self, seen: CampaignSnapshot) -> TickSheet:
        return load_tick_sheet(seen, self.app.session.warn_draft_not_saved)

    def show_groups(self, seen: CampaignSnapshot) -> None:
        """Show all counters in groups; with the map those in the hex under the cursor, and those
        not yet accounted for."""
        if self.is_map_shown:
            self._now = self.event_sheet.campaign_after()
            self.island.show_sheet(build_map_sheet(self._now, seen.card))
            self.query_one("#legend", Lines).rewrite()
            self._show_stack(seen, self._now)
            return
        self._now = self.event_sheet.campaign_after() if seen.can_report_scenario_end else seen.view
        self._needs = self.event_sheet.reasons_hex_is_required(self._now)
        self.all = (
            groups_of_printed_lists(seen.view, self.event_sheet)
            if seen.can_report_scenario_end
            else []
        )
        self.apply_filter()

    @work(group="instead", exclusive=True)
    async def action_import(self) -> None:
        """Import the end from a file; ask first if there are ticks, which are not in it."""
        words = "They are kept here, but the file does not include them."
        title = f"{count_text(len(self.ticks), 'counter')} ticked"
        instead = (self.app, title, words, "use the file instead")
        if not self.ticks or await confirm(*instead):
            import_in_room(self)

    def merge_ticks_of_other_window(self) -> None:
        """Join another window's ticks on the same sheet."""
        if self.is_current and self.sheet is not NO_SHEET and self.sheet.merge_saved():
            self.refresh_ticks()

    def after_catch_up(self) -> None:
        """Switch to Refit when the scenario has ended, here or in another window, and all boxes are
        closed: an open form remains."""
        if not self.seen.can_report_scenario_end and self.app.screen is self:
            self.app.call_later(self._go_on)

    async def _go_on(self) -> None:
        if self.app.screen is self:
            await self.app.switch_mode(REFIT)

    def apply_filter(self) -> None:
        if self.filter_line.words:
            self.query_one(TickList).unfold_all()
        self.listed.show(filter_rows_by_text(self.all, self.filter_line.words))
        self.show_count()

    def show_count(self) -> None:
        left = f", {len(self.all[1].rows)} left" if self.is_map_shown and self.all else ""
        differ = f", {len(self.sheet.others)} differ" if self.sheet.others else ""
        offer = (
            ""
            if self.ticks
            else f" · {self.app.key_text(f'{SCENARIO_END}.import')}: from a VASL save or file"
        )
        told, total = self.event_sheet, len({id for group in self.all for id in ids_of([group])})
        points = told.casualty_points_gained(self._now) if self.ticks else {}
        cvp = "".join(f", {side.label} CVP +{gain}" for side, gain in points.items() if gain)
        of = "" if self.is_map_shown else f" of {total}"
        ticked = f"{len(self.ticks)}{of} accounted for{cvp}{offer}"
        self.filter_line.show_count(f"{ticked}{differ}{left}{self.marked.count_text}")
        self.refresh_state_line()

    def has_draft(self) -> bool:
        return bool(self.ticks)

    def _mark(self, id: str) -> str:
        if not self.is_map_shown:
            return self.marked.sign_before(id)
        return (
            f"{self.marked.sign_before(id)} {tick_text(self.event_sheet, self.sheet, id)}".strip()
        )

    def _ticks_of(self, id: str) -> str:
        """Return the marks in the columns of the usual events: ticked, possible, impossible."""
        counter, own = self.seen.view.find(id), self.ticks.get(id, {})
        if counter is None:
            return ""
        return "".join(
            "✓" if each.name in own else "·" if each.fits(counter) else " " for each in TICKED
        )

    def _ticks_text(self, id: str) -> str:
        return tick_text(self.event_sheet, self.sheet, id, apart=True)

    def _why_hex(self, id: str) -> str:
        return self._needs.get(id, "")

    def refresh_ticks(self) -> None:
        """Show the ticks, and their number."""
        if self.is_map_shown:
            self.show_groups(self.seen)
        self._now = self.event_sheet.campaign_after()
        self._needs = self.event_sheet.reasons_hex_is_required(self._now)
        self.listed.refresh()
        self.show_count()

    # --- writing --------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Handle a typed letter."""
        before, self._letter = self._letter, ""
        text = event.character or ""
        if isinstance(self.focused, Input) or not self._is_written(text, before):
            return
        _ = event.prevent_default().stop()
        name = next((each.name for each in TICKS if self.app.has_key(event.key, each.id)), "")
        if before and (text.isdigit() or text == "/"):
            _ = self.sheet.undo_last() if self._has_ticked else False
            self._begin_line(before + text)
        elif name:
            ticks = deepcopy(dict(self.ticks))
            self.action_tick(name)
            self._letter, self._has_ticked = text, ticks != self.ticks
        else:
            if words := self._moved_keys.new_key_text(self.app, self, event.key, works=True):
                self.app.show_notice(words)
            self._begin_line(text)

    def _is_written(self, text: str, before: str) -> bool:
        """Whether a key types something that may begin a line, or a code after a tick's letter."""
        starts = text.isalnum() or text == "@" or (text == "=" and not self.is_map_shown)
        return len(text) == 1 and (starts or (text == "/" and bool(before)))

    def _begin_line(self, text: str) -> None:
        """Open the line for codes with initial text, which follows the line that was set aside, if
        any."""
        self.action_codes()
        field = self.line.typed
        field.value = f"{field.value} {text}".lstrip()
        field.cursor_position = len(field.value)
        self.refresh_ticks()

    # --- ticking --------------------------------------------------------------------------------

    @property
    def ticks(self) -> Ticks:
        return self.sheet.ticks

    @property
    def event_sheet(self) -> EventSheet:
        """The ticks, on the campaign as it is seen now."""
        return self.sheet.event_sheet(self.seen)

    def target_ids(self) -> tuple[str, ...]:
        """Return the ids of the marked counters, or of the selected one."""
        return self.marked.marked_or_selected(self.selected_counter)

    def target_counters(self) -> list[Counter]:
        """Return the marked counters, or the selected one."""
        found = map(self.seen.view.find, self.target_ids())
        return [counter for counter in found if counter is not None]

    def action_tick(self, name: str) -> None:
        """Set a tick, or remove it if all have it, except for a move; first ask for its text, if it
        needs one."""
        self.close_question()
        if name == CAPTURES:
            self._pick_captive()
            return
        event = BY_NAME[name]
        if name != MOVED and self.event_sheet.are_ticked(self.target_ids(), name):
            self.event_sheet.untick(self.target_ids(), name)
            self._ticked()
            return
        if problems := self._unfit(event):
            self.line.show_refusal(problems)
        elif not event.asks:
            self.set_tick(name, "")
        elif name == MOVED and self.is_map_shown:
            self.start_pointing()
        elif name in (MOVED, JOINED):
            self._ask(event)
        else:
            self._pick(event)

    def _unfit(self, event: CounterEvent) -> list[str]:
        """Return the reason why an event cannot have happened; marked counters that it cannot have
        happened to are left out if there are others."""
        wrong = {
            each.id: self.event_sheet.reasons_event_is_impossible([each], event)
            for each in self.target_counters()
        }
        problems = {id: found for id, found in wrong.items() if found}
        lines = [line for found in problems.values() for line in found]
        if not wrong or len(problems) == len(wrong):
            return lines or ["select a counter first"]
        self.marked.mark_or_unmark_all(problems)
        self._left_out = "; ".join(lines)
        return []

    def set_tick(self, name: str, typed: str) -> None:
        """Set a tick on all selected counters, or on none of them."""
        typed = normalize_event_details(name, typed)
        problems = self.event_sheet.detail_problems(self.target_counters(), BY_NAME[name], typed)
        if problems:
            self.line.show_refusal(problems)
            return
        self.event_sheet.tick([each.id for each in self.target_counters()], name, typed)
        self._ticked()

    def _ticked(self) -> None:
        self.sheet.save()
        self.marked.clear()
        self.close_question()
        self.refresh_ticks()
        if self._left_out:
            self.line.show_words(
                Content.from_markup("[$warning]Left out:[/] $what", what=self._left_out)
            )
            self._left_out = ""

    def action_untick(self) -> None:
        for id in self.target_ids():
            self.ticks.pop(id, None)
        self._ticked()

    def action_mark(self) -> None:
        """Mark the selected counter, and go to the next."""
        if self.selected_counter:
            self.marked.mark_or_unmark_all([self.selected_counter])
            self.listed.refresh()
            self.listed.action_move(1)
            self.show_count()

    def action_mark_all(self) -> None:
        """Mark all counters of the filter, or of the hex; the second time, unmark them."""
        listed = filter_rows_by_text(self.all, self.filter_line.words)
        self.marked.mark_or_unmark_all(self.here if self.is_map_shown else ids_of(listed))
        self.listed.refresh()
        self.show_count()

    # --- asking ---------------------------------------------------------------------------------

    def close_question(self) -> None:
        """Close the question in the line, and return the focus to the map or the list."""
        self.line.close_and_set_aside()
        if self.focused in (None, self.line.typed):
            self.focus_map_or_list()

    def on_drawn_list_moved(self, event: CounterList.Moved) -> None:
        self.line.clear_words()
        if self.has_class("-low"):
            self.query_one("#legend", Lines).rewrite()

    def _ask(self, event: CounterEvent) -> None:
        """Ask for the answer of an event in the line; propose the last one given."""
        many = f" ({count_text(len(self.marked), 'counter')})" if self.marked else ""
        words = capitalize(event.words)
        moved = event.name == MOVED
        point = f"  {self.app.key_text('everywhere.point')}: point on the map" if moved else ""
        given = {self.ticks.get(id, {}).get(event.name, "") for id in self.target_ids()}
        self.line.open_field(event.name, given.pop() if len(given) == 1 else "")
        self.line.show_words(f"{words}{many}: {event.asks}{point}")

    @work(group="captor", exclusive=True, description="pick")
    async def _pick(self, event: CounterEvent) -> None:
        """Offer the units that may have captured, or taken, the selected counters."""
        found = await pick_captor(self.app, self.event_sheet, event, self.target_counters())
        if found:
            self.set_tick(event.name, found)

    @work(group="captor", exclusive=True)
    async def _pick_captive(self) -> None:
        """Ask which enemy counter the selected unit captured."""
        told, unit = self.event_sheet, self.seen.view.units.get(self.selected_counter or "")
        if unit is None or not told.can_capture(unit):
            self.line.show_refusal(["only a free unit can capture: select one"])
            return
        lost = await self.app.session.look_up(
            lambda desk: units_lost_in_opponents_report(desk.view().for_seat(unit.side), unit.side)
        )
        then = told.on_campaign_after()
        found = then.possible_captives(unit.id, lost)
        title = f"{unit.label} captured which counter? (press again to undo)"
        offered = counter_candidates(then.view, found)
        taken = await self.app.push_screen_wait(PickScreen(title, "", offered))
        if taken is None:
            return
        if taken in told.ids_captured_by(unit.id):
            told.untick([taken], CAPTURED)
        elif taken in {each.id for each in found}:
            told.tick([taken], CAPTURED, unit.id)
        else:
            self.line.show_refusal([f"{taken!r} is not a counter that it could have captured"])
            return
        self.sheet.save()
        self.refresh_ticks()

    def on_tick_line_answered(self, event: TickLine.Answered) -> None:
        if event.asks != CODES:
            self.set_tick(event.asks, event.text)
        elif event.text:
            self._take_line()
        else:
            self.action_totals()  # Enter on an empty line means done

    # --- by codes -------------------------------------------------------------------------------

    def action_codes(self) -> None:
        """Open the line for codes, with the line that was set aside, if any."""
        self.close_question()
        text, self.line.put_by = self.line.put_by, ""
        self.line.open_field(CODES, text)

    def _look_at(self, id: str) -> None:
        """Select the counter that was typed last, unless the map is shown."""
        if not self.is_map_shown:
            self.listed.go_to(id)

    @work(group="line", exclusive=True, description="line")
    async def _take_line(self, on: int = 0) -> None:
        """Tick the events of the line, all or none, and ask who captured or took counters; the line
        remains open, and the list moves on by this many lists."""
        told, said = self.event_sheet, self.line.validate_typed_codes()
        given: list[str] = []
        for each in said:
            by: str | None = ""
            if each.needs_captor_or_possessor and each.event is not None:
                by = await pick_captor(self.app, told, each.event, each.counters)
            if by is None:
                return  # the line is still there
            given.append(by)
        for each, by in zip(said, given, strict=True):
            tick_code_events(told, each, by)
        number = len({counter.id for each in said if each.has_effect for counter in each.counters})
        if said:
            self.sheet.save()
            self.refresh_ticks()
            self.line.clear_line(f"{count_text(number, 'counter')} ticked", stays_open=bool(on))
            if not on:
                self.focus_map_or_list()
        if on and not self.line.typed.value:
            self.listed.action_group(on)

    def action_take_back(self) -> None:
        """Undo the last line or tick."""
        if self.sheet.undo_last():
            self.refresh_ticks()
            self.line.show_words("The last line or tick is undone.")
        else:
            self.line.show_words("Nothing to undo: nothing has been ticked since this was opened.")

    def action_next_list(self, by: int) -> None:
        """Accept the line, and go to the next list."""
        if self.line.asks == CODES:
            self._take_line(by)

    def action_turn_page(self, by: int) -> None:
        """Show another page of the list while a line is typed."""
        self.listed.scroll_relative(y=by * (self.listed.size.height - 1), animate=False)

    # --- on the map -----------------------------------------------------------------------------

    def _show_stack(self, seen: CampaignSnapshot, now: Campaign) -> None:
        """Show the counters in the hex under the cursor, with those that fell there at the end."""
        hex = self.island.cursor
        lie = self.island.drawing.sheet.here.get(hex, ())
        told = self.event_sheet
        here = [counter for counter in lie if told.is_reported_by_seat(counter)]
        ticked = (counter for counter in map(now.find, self.ticks) if counter is not None)
        here += [counter for counter in ticked if _fell_in(counter, hex)]
        self.here = [counter.id for counter in here]
        found = [make_group(now, hex, here), make_group(seen.view, LEFT, told.unticked_counters())]
        self.all = with_codes(found, told.codes)
        selected = self.selected_counter
        self.apply_filter()
        if self.focused is not self.listed:
            first = next(iter(self.here), None)
            self.listed.put_cursor(selected if selected in self.here else first)

    @property
    def is_map_shown(self) -> bool:
        """Whether the map is shown, and not the whole list."""
        return self.has_class("-map")

    def show_map(self, at_map: bool) -> None:
        self.set_class(at_map, "-map")
        self.set_class(not at_map, "-list")
        self.query_one("#legend", Lines).rewrite()
        self.query_one(Maps).display = at_map

    def action_on_map(self) -> None:
        self.show_map(not self.is_map_shown)
        self.focus_map_or_list()
        if self.is_map_shown:
            self.island.zoom_to(self.app.map_zoom)
            self.island.go_to(self.app.map_cursor)
        self.show_groups(self.seen)
        self.refresh_bindings()

    def focus_map_or_list(self) -> None:
        """Give the focus to the map, or to the list."""
        self.set_focus(self.island if self.is_map_shown else self.listed)

    def on_island_map_moved(self, event: IslandMap.Moved) -> None:
        self.app.map_cursor = event.hex
        if self.is_map_shown and self._now is not None:
            self._show_stack(self.seen, self._now)

    def on_island_map_dropped(self, event: IslandMap.Dropped) -> None:
        """Move the selected or marked counters to the hex where the mouse dropped them."""
        if event.start in self.hexes_of_target_counters():
            self.set_tick(MOVED, event.hex)

    def hexes_of_target_counters(self) -> set[str]:
        """Return the hexes that the selected or marked counters are in now."""
        found = [self._now.find(id) for id in self.target_ids()] if self._now else []
        places = {counter.location for counter in found if counter and counter.location}
        return {ground_hex(place) for place in places if place != OFF_MAP}

    def action_next_here(self) -> None:
        if self.here:
            self.listed.put_cursor(next_cyclic(self.here, self.selected_counter))

    def action_put(self) -> None:
        if self.target_ids():
            self.set_tick(MOVED, self.island.cursor)

    def action_go_to(self) -> None:
        hex = next(iter(self.hexes_of_target_counters()), None)
        if hex is not None:
            self.island.go_to(hex)

    def action_closer(self, by: int = 1) -> None:
        self.app.map_zoom = max(0, min(len(ZOOMS) - 1, self.island.zoom + by))
        self.island.zoom_to(self.app.map_zoom)
        self.query_one("#legend", Lines).rewrite()

    action_farther = partialmethod(action_closer, -1)

    # --- pointing -------------------------------------------------------------------------------

    def can_point(self) -> bool:
        return self.line.asks == MOVED

    def start_pointing(self) -> None:
        """Let the player point on the map to the Location that the selected counters have moved
        to."""
        names = [counter.label for counter in self.target_counters()]
        if not names:
            return
        title = f"Moved: {', '.join(names[:3])}{' …' if len(names) > 3 else ''}"
        start = next(iter(self.hexes_of_target_counters()), None)
        pointing = MapPointing(title, PointingForm(made=lambda at: at[0]), start=start)
        _ = self.app.push_screen(PointScreen(pointing, lambda raw: self.set_tick(MOVED, raw)))

    # --- going on -------------------------------------------------------------------------------

    @work(group="totals", exclusive=True)
    async def action_totals(self) -> None:
        """Continue with the totals."""
        self.close_question()
        if not await self._line_settled() or not await self._differences_settled():
            return
        told, session = self.event_sheet, self.app.session
        left = await session.look_up(lambda desk: open_places_of_sheet(desk.view(), told))
        await self.app.push_screen(FormScreen(ScenarioEndForm(session, self.sheet, left)))

    async def _line_settled(self) -> bool:
        """Ask whether to continue without the line that was set aside, if there is one; return
        whether to continue."""
        if not self.line.put_by:
            return True
        title, words = "One line was not entered", f"It says: {self.line.put_by}"
        if await confirm(self.app, title, words, "continue without it", "back to the line"):
            self.line.put_by = ""
            self.line.save_unaccepted_line("")
            return True
        self.action_codes()
        return False

    async def _differences_settled(self) -> bool:
        """Ask which ticks are right if two windows ticked one counter differently; return whether
        all have been chosen."""
        self.merge_ticks_of_other_window()
        for id, theirs in [*self.sheet.others.items()]:
            counter, mine = self.seen.view.find(id), self.ticks.get(id, {})
            answers = [
                Reply(mine, "1", ticks_of_counter_text(mine)),
                Reply(theirs, "2", ticks_of_counter_text(theirs)),
            ]
            label = counter.label if counter is not None else id
            words = "Two windows ticked it differently. Which is right?"
            chosen = await self.app.push_screen_wait(ChoiceScreen(label, words, answers, at=None))
            if chosen is None:
                return False
            self.sheet.resolve_tick_conflict(id, chosen.value)
            self.refresh_ticks()
        return True

    async def action_leave(self) -> None:
        """Return to the list from a field, and to Forces from the list."""
        if self.line.asks:
            self.close_question()
            self.line.show_set_aside()
        elif self.can_end_filter:
            self.action_end_filter()
        elif self.is_map_shown and self.focused is not self.island:
            self.focus_map_or_list()
        else:
            await self.app.switch_mode(FORCES)

    @property
    def can_end_filter(self) -> bool:
        return not self.line.asks and super().can_end_filter

    def action_end_filter(self) -> None:
        self.filter_line.field.value = ""
        self.focus_map_or_list()


def _fell_in(counter: Counter, hex: str) -> bool:
    """Whether a counter is out of play, and was last in a hex."""
    at = counter.location
    return not counter.in_play and at not in (None, OFF_MAP) and ground_hex(str(at)) == hex
