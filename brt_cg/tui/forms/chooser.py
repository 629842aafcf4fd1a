"""One of a few values, changed with ← and →, a click, the space bar or a first letter."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from brt_cg.tui.keys.actions import FORMS, bound_to
from brt_cg.tui.lists.found import next_of


class Chooser(Widget, can_focus=True):
    """`choices` are values and their names; `value` is the chosen one."""

    BINDINGS = bound_to(FORMS, turn_back="turn(-1)", turn_on="turn(1)")

    @dataclass
    class Changed(Message):
        """Posted when another value is chosen."""

        name: str
        value: str

    def __init__(self, choices: Sequence[tuple[str, str]], value: str, id: str, name: str) -> None:
        super().__init__(id=id, name=name)
        values = [known for known, _ in choices]
        self.choices, self.value = choices, value if value in values else values[0]

    def render(self) -> RenderResult:
        name = dict(self.choices)[self.value]
        return Content.from_markup("[$accent]‹[/] [bold]$name[/] [$accent]›[/]", name=name)

    def action_turn(self, by: int) -> None:
        self._take(next_of([value for value, _ in self.choices], self.value, by))

    def _take(self, value: str) -> None:
        self.value = value
        self.refresh()
        self.post_message(self.Changed(str(self.name), value))

    def on_click(self, event: events.Click) -> None:
        self.action_turn(1)

    def on_key(self, event: events.Key) -> None:
        """Goes to the next choice that begins with the letter."""
        if event.character is None or not event.character.isalnum():
            return
        values = [value for value, _ in self.choices]
        at = values.index(self.value) + 1
        for value, name in (*self.choices[at:], *self.choices[:at]):
            if name.lower().startswith(event.character.lower()):
                event.stop()
                self._take(value)
                return
