"""Ticking counters: one by one, or marked together."""

from collections.abc import Sequence

from textual import getters, work
from textual.content import Content
from textual.widgets import Input, Static

from brt_cg.imports.contested import lost_in_the_other_half
from brt_cg.model.counters import Counter, Unit
from brt_cg.model.events import BY_NAME, CAPTURED, DROPPED, JOINED, MOVED, Event
from brt_cg.questions.answers import Candidate
from brt_cg.text import capital, counted
from brt_cg.tui.dialogs.pick import PickScreen
from brt_cg.tui.frame.list_room import CounterRoom
from brt_cg.tui.lists.counter_list import CounterList
from brt_cg.tui.lists.groups import Group, filtered, ids_of
from brt_cg.tui.lists.marking import Marked
from brt_cg.tui.question.form import counters_offered
from brt_cg.tui.rooms.scenario_end import ticks
from brt_cg.tui.rooms.scenario_end.tick_keys import TickKeys
from brt_cg.tui.rooms.scenario_end.tick_sheet import TickSheet
from brt_cg.tui.rooms.scenario_end.ticks import Ticks


class Ticking(TickKeys, CounterRoom):
    """A room where counters are ticked. An event that needs an answer asks for it in the line below
    the list, or offers those who may be meant."""

    question = getters.query_one("#question", Static)
    typed = getters.query_one("#typed", Input)
    sheet: TickSheet
    all: Sequence[Group] = ()
    here: Sequence[str] = ()  # ids of the counters in the hex under the cursor
    asks = ""  # the event whose answer is being typed in the line, or what else is; "" for nothing
    _left_out = ""  # marked counters that the newest event cannot have happened to

    def __init__(self) -> None:
        super().__init__()
        self.marked = Marked()

    # --- what the screen does -------------------------------------------------------------------

    @property
    def at_map(self) -> bool:
        """Whether the map is shown, and not the whole list."""
        raise NotImplementedError(self)

    def take_keys(self) -> None:
        """Gives the focus to the map, or to the list."""
        raise NotImplementedError(self)

    def show_ticks(self) -> None:
        """Shows what the ticks make of the counters."""
        raise NotImplementedError(self)

    def tell_count(self) -> None:
        """Shows how many counters are ticked."""
        raise NotImplementedError(self)

    def point(self) -> None:
        """Points at the Location that the selected counters have moved to."""
        raise NotImplementedError(self)

    # --- ticking --------------------------------------------------------------------------------

    @property
    def ticks(self) -> Ticks:
        return self.sheet.ticks

    def targets(self) -> tuple[str, ...]:
        """The ids of the marked counters, or of the selected one."""
        return self.marked.chosen(self.selected_counter)

    def chosen(self) -> list[Counter]:
        """The marked counters, or the selected one."""
        found = map(self.seen.view.find, self.targets())
        return [counter for counter in found if counter is not None]

    def tick(self, name: str) -> None:
        """Sets a tick, or removes it if all have it, but for a move; asks first for its text, if it
        needs one."""
        self.ask_nothing()
        targets, event = self.targets(), BY_NAME[name]
        has_all = bool(targets) and all(name in self.ticks.get(id, {}) for id in targets)
        if has_all and name != MOVED:
            for id in targets:
                ticks.untick(self.ticks, id, name)
            self._ticked()
        elif problems := self._unfit(event):
            self._refuse(problems)
        elif not event.asks:
            self.set_tick(name, "")
        elif name == MOVED and self.at_map:
            self.point()
        elif name in (MOVED, JOINED):
            self._ask(name)
        else:
            self._pick(name)

    def _unfit(self, event: Event) -> list[str]:
        """Why an event cannot have happened; marked counters that it cannot have happened to are
        left out if there are others."""
        view, seat = self.seen.view, self.seen.seat
        wrong = {each.id: ticks.unfit(view, [each], event, seat) for each in self.chosen()}
        problems = {id: found for id, found in wrong.items() if found}
        if not wrong or len(problems) == len(wrong):
            return [line for found in problems.values() for line in found] or [
                "no counter is selected"
            ]
        if problems:
            self.marked.turn(problems)
            self._left_out = "; ".join(line for found in problems.values() for line in found)
        return []

    def _refuse(self, problems: Sequence[str]) -> None:
        why = "; ".join([*dict.fromkeys(problems)][:3])
        self.say(Content.from_markup("[bold $error]✗ Not allowed:[/] $why", why=why))

    def say(self, words: str | Content) -> None:
        """Shows a line below the list, until the cursor moves."""
        self.question.display = True
        self.question.update(words)

    def set_tick(self, name: str, typed: str) -> None:
        """Sets a tick on all selected counters, or on none of them."""
        found, typed = self.chosen(), ticks.as_meant(name, typed)
        problems = self._problems(BY_NAME[name], typed, found)
        if problems:
            self._refuse(problems)
            return
        self._set(BY_NAME[name], typed, found)
        self._ticked()

    def _set(self, event: Event, typed: str, counters: Sequence[Counter]) -> None:
        for counter in counters:
            ticks.set_tick(self.ticks, counter.id, event.name, typed)

    def _problems(self, event: Event, typed: str, counters: Sequence[Counter]) -> list[str]:
        """What is wrong with the answer that an event was given."""
        seen = self.seen
        tried = (ticks.tick_problem(seen.view, each, event, typed, seen.card) for each in counters)
        return [problem for problem in tried if problem is not None]

    def _ticked(self) -> None:
        self.sheet.keep()
        self.marked.clear()
        self.ask_nothing()
        self.show_sheet()
        if self._left_out:
            self.say(Content.from_markup("[$warning]Left out:[/] $what", what=self._left_out))
            self._left_out = ""

    def show_sheet(self) -> None:
        """Shows the ticks, and how many there are."""
        self.show_ticks()
        self.listed.refresh()
        self.tell_count()

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
            self.tell_count()

    def action_mark_all(self) -> None:
        """Marks all counters of the filter, or of the hex; the second time, unmarks them."""
        listed = filtered(self.all, self.filter_line.words)
        self.marked.turn(self.here if self.at_map else ids_of(listed))
        self.listed.refresh()
        self.tell_count()

    # --- asking ---------------------------------------------------------------------------------

    def ask_nothing(self) -> None:
        """Ends the question."""
        self.asks = ""
        self.question.display = self.typed.display = False
        if self.focused in (None, self.typed):
            self.take_keys()

    def on_drawn_list_moved(self, event: CounterList.Moved) -> None:
        if not self.asks:
            self.question.display = False

    def _ask(self, name: str) -> None:
        """Asks for the answer of an event in the line; proposes the one that was given."""
        event = BY_NAME[name]
        many = f" ({counted(len(self.marked), 'counter')})" if self.marked else ""
        words = capital(event.words)
        point = f"  {self.app.key('everywhere.point')}: point on the map" if name == MOVED else ""
        given = {self.ticks.get(id, {}).get(name, "") for id in self.targets()}
        self.open_line(name, given.pop() if len(given) == 1 else "")
        self.say(f"{words}{many}: {event.asks}{point}")

    def open_line(self, asks: str, text: str) -> None:
        self.asks = asks
        self.typed.display = True
        self.typed.value = text
        self.typed.focus()

    @work(group="captor", exclusive=True, description="pick")
    async def _pick(self, name: str) -> None:
        """Offers the units that captured, or took, what is selected."""
        found = await self._picked(BY_NAME[name], self.chosen())
        if found:
            self.set_tick(name, found)

    async def _picked(self, event: Event, counters: Sequence[Counter]) -> str | None:
        """The unit that captured, or took, some counters; those in the same place are offered
        first."""
        ticked = ticks.after(self.seen.view, self.ticks, self.seen.card)
        if event.name == CAPTURED:
            offered = counters_offered(ticked, ticks.captors(ticked, counters))
        else:
            units = ticks.possessors(ticked, counters[0])
            nobody = Candidate(DROPPED, "nobody: it was dropped", DROPPED)
            offered = (*counters_offered(ticked, units), nobody)
        what = f"{', '.join(each.label for each in counters[:2])} {event.words}"
        picked: str | None = await self.app.push_screen_wait(
            PickScreen(f"{what}: {event.asks}", "", offered)
        )
        return picked

    def action_captures(self) -> None:
        """Asks which enemy counter the selected unit captured."""
        self.ask_nothing()
        unit = self.seen.view.units.get(self.selected_counter or "")
        if unit is None or not unit.in_play or unit.prisoner:
            self._refuse(["a free unit captures: select one"])
        else:
            self._pick_captive(unit)

    @work(group="captor", exclusive=True, description="captive")
    async def _pick_captive(self, unit: Unit) -> None:
        lost = await self.app.session.consult(
            lambda desk: lost_in_the_other_half(desk.book().of(unit.side), unit.side)
        )
        ticked = ticks.after(self.seen.view, self.ticks, self.seen.card)
        now = ticked.units[unit.id]
        mine = [*filter(None, map(ticked.find, ticks.captured_by(self.ticks, unit.id)))]
        still = [each for each in lost if CAPTURED not in self.ticks.get(each.id, {})]
        found: list[Counter] = [*mine, *ticks.may_be_captured(ticked, now, still)]
        title = f"{unit.label} captured: which? (again: take it back)"
        offered = counters_offered(ticked, found)
        picked = await self.app.push_screen_wait(PickScreen(title, "", offered))
        if picked is None:
            return
        if picked in ticks.captured_by(self.ticks, unit.id):
            ticks.untick(self.ticks, picked, CAPTURED)
        elif picked in {each.id for each in found}:
            ticks.set_tick(self.ticks, picked, CAPTURED, unit.id)
        else:
            self._refuse([f"{picked!r} is not a counter that it can have captured"])
            return
        self.sheet.keep()
        self.show_sheet()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input is self.typed and self.asks in BY_NAME:
            self.set_tick(self.asks, event.value.strip())
