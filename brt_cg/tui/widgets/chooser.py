"""One of a few values, turned over with ← and →, a click or the space bar."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.widget import Widget


class Chooser(Widget, can_focus=True):
    """`choices` are values and their names; `value` is the one in force."""

    BINDINGS = [
        ("left", "turn(-1)", "Before"),
        ("right", "turn(1)", "After"),
        ("space", "turn(1)", "After"),
        ("enter", "submit", "Enter"),
    ]
    DEFAULT_CSS = "Chooser { height: 1; } Chooser:focus { background: $panel; }"

    @dataclass
    class Changed(Message):
        """Another value is in force."""

        value: str

    class Submitted(Message):
        """Enter was pressed."""

    def __init__(self, choices: Sequence[tuple[str, str]], value: str, id: str) -> None:
        super().__init__(id=id)
        self.choices, self.value = choices, value

    def render(self) -> RenderResult:
        name = dict(self.choices)[self.value]
        return Content.from_markup("[$accent]‹[/] [bold]$name[/] [$accent]›[/]", name=name)

    def action_turn(self, by: int) -> None:
        values = [value for value, _ in self.choices]
        self.value = values[(values.index(self.value) + by) % len(values)]
        self.refresh()
        self.post_message(self.Changed(self.value))

    def action_submit(self) -> None:
        self.post_message(self.Submitted())

    def on_click(self, event: events.Click) -> None:
        self.action_turn(1)
