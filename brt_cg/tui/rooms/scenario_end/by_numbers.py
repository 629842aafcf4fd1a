"""Ticking counters by their numbers, in a line."""

from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input

from brt_cg.imports.hex_lines import Part, understood
from brt_cg.model.counters import Counter
from brt_cg.model.events import BY_NAME, CAPTURED, MOVED, PASSED, Event
from brt_cg.model.numbered import NumberedList
from brt_cg.tui.dialogs.choice import is_sure
from brt_cg.tui.keys.actions import LISTS, SCENARIO_END, bound_to
from brt_cg.tui.rooms.scenario_end import numbered, ticks
from brt_cg.tui.rooms.scenario_end.ticking import Ticking

NUMBERS = "numbers"  # what the line is asked for, if not the answer to an event's question
PARTS_TOLD = 3  # the newest parts of a line that are told while it is typed
LINE_HINT = "numbers, as x 1 4 7-9; P34 3 5; in Q35; c 2 by Crowe"


class ByNumbers(Ticking):
    """A room where counters are ticked by the numbers of the printed sheet too. A line that is left
    before it is taken is set aside."""

    _put_by: tuple[str, str | None] | None = None  # such a line, and a counter of its list

    def ask_nothing(self) -> None:
        if self.asks == NUMBERS and self.typed.value.strip():
            self._put_by = self.typed.value, self.selected_counter
        super().ask_nothing()

    def action_numbers(self) -> None:
        """Opens the line for numbers of the list that the cursor is in; or the one that was set
        aside, in its list."""
        self.ask_nothing()
        text, of_list = self._put_by or ("", None)
        self._put_by = None
        if of_list is not None and not self.at_map:
            self.listed.go_to(of_list)
        self.open_line(NUMBERS, text)
        self._tell_line()

    def forget_line(self) -> None:
        """Drops a line that was set aside."""
        self._put_by = None

    def tell_put_by(self) -> None:
        """Says that a line was set aside, and how to go on with it."""
        if self._put_by is not None:
            key = self.app.key(f"{SCENARIO_END}.numbers")
            words = "[$warning]Kept, but not taken:[/] $text   [$accent]$key[/] goes on with it"
            self.say(Content.from_markup(words, text=self._put_by[0], key=key))

    async def line_settled(self) -> bool:
        """Asks what becomes of a line that was set aside, if there is one; whether to go on."""
        if self._put_by is None:
            return True
        title, words = "A line is not taken", f"It says: {self._put_by[0]}"
        if await is_sure(self.app, title, words, "g", "go on without it", "back to the line"):
            self.forget_line()
            return True
        self.action_numbers()
        return False

    @property
    def _lists(self) -> list[NumberedList]:
        """The lists that may be named; those of the enemy for captors."""
        seen = self.seen
        own = numbered.lists_of(seen.view, seen.seat)
        return own if seen.seat is None else [*own, *numbered.lists_of(seen.view, seen.seat.enemy)]

    def _parts(self) -> list[Part]:
        lists = self._lists
        at = numbered.list_with(lists, self.selected_counter)
        return understood(self.typed.value, lists, at, self._nowhere(), events=True)

    def _nowhere(self) -> list[Counter]:
        """The counters of the list that have no Location, and are in play."""
        seen = self.seen
        now = ticks.after(seen.view, self.ticks, seen.card)
        at = numbered.list_with(self._lists, self.selected_counter)
        found = (now.find(counter.id) for counter in (at.counters if at is not None else ()))
        return [each for each in found if each and each.in_play and each.location is None]

    def _wrong_with(self, part: Part) -> list[str]:
        """What is wrong with a part of the line."""
        if part.problems:
            return part.problems
        event = event_of(part)
        unfit = ticks.unfit(self.seen.view, part.counters, event, self.seen.seat)
        if unfit or is_to_be_picked(part):
            return unfit
        return self._problems(event, answer_of(part), part.counters)

    def _tell_line(self) -> None:
        """Shows what is understood so far."""
        at = numbered.list_with(self._lists, self.selected_counter)
        where = f"{at.title}: " if at is not None else ""
        lines = [
            _told(part, self._wrong_with(part) if part.counters or part.problems else [])
            for part in self._parts()
        ]
        hint = Content.styled(f"{where}{LINE_HINT}", "$foreground-muted")
        self.say(Content("\n").join(lines[-PARTS_TOLD:] or [hint]))

    @work(group="line", exclusive=True, description="line")
    async def _take_line(self, on: int = 0) -> None:
        """Ticks what the line says, and asks who captured or took what; the line stays open, for
        the list so many lists on. Parts that are not understood stay in it, to be mended."""
        parts, wrong = list[Part](), list[tuple[Part, str]]()
        for part in self._parts():
            found = self._wrong_with(part)
            if found:
                wrong.append((part, found[0]))
            else:
                parts.append(part)
        self.typed.value = "; ".join(_in_its_list(part) for part, _ in wrong)
        for part in parts:
            answer: str | None = answer_of(part)
            if is_to_be_picked(part):
                answer = await self._picked(event_of(part), part.counters)
            if answer is not None:
                self._set(event_of(part), answer, part.counters)
        self.sheet.keep()
        self.show_sheet()
        last = next((each for part in reversed(parts) for each in part.counters), None)
        if last is not None and not self.at_map and not wrong:
            self.listed.go_to(last.id)
        if on and not wrong:
            self.listed.action_group(on)
        self.typed.focus()
        self._tell_line()
        if wrong:
            self.typed.cursor_position = _end_of_wrong(*wrong[0])

    def action_next_list(self, by: int) -> None:
        """Takes the line, and goes on to the next list."""
        if self.asks == NUMBERS:
            self._take_line(by)

    def action_turn_page(self, by: int) -> None:
        """Shows another page of the list while a line is typed."""
        self.listed.scroll_relative(y=by * (self.listed.size.height - 1), animate=False)

    # Textual calls the handlers of the base classes too.

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input is self.typed and self.asks == NUMBERS:
            self._tell_line()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input is self.typed and self.asks == NUMBERS:
            if event.value.strip():
                self._take_line()
            else:
                self.ask_nothing()


def event_of(part: Part) -> Event:
    """The event that a part of the line tells; a Location tells a move."""
    return BY_NAME[part.event or MOVED]


def answer_of(part: Part) -> str:
    """What a part of the line gives with its event."""
    return part.given or part.location or ""


def _in_its_list(part: Part) -> str:
    return f"{part.of}: {part.text}" if part.of else part.text


def _end_of_wrong(part: Part, problem: str) -> int:
    """The place in a part after the word that a problem is about; its end if it is about none."""
    word, text = problem.partition(":")[0], _in_its_list(part)
    at = f" {text} ".find(f" {word} ")
    return at + len(word) if at >= 0 else len(text)


def is_to_be_picked(part: Part) -> bool:
    """Whether the unit that captured or took something is still to be picked."""
    return part.event in (CAPTURED, PASSED) and not part.given


class NumbersLine(Input):
    """The line for what is typed; Tab takes numbers, and goes on to the next list."""

    BINDINGS: ClassVar[list[BindingType]] = bound_to(
        LISTS,
        next_group="screen.next_list(1)",
        last_group="screen.next_list(-1)",
        page_up="screen.turn_page(-1)",
        page_down="screen.turn_page(1)",
    )


def _told(part: Part, wrong: Sequence[str]) -> Content:
    """A part of the line as it is understood."""
    if wrong:
        return Content.from_markup(
            "[$error]✗[/] $text: $why", text=part.text, why="; ".join(wrong[:2])
        )
    sign = "✓" if part.counters else "…"
    return Content.from_markup("[$success]$sign[/] $words", sign=sign, words=part.words)
