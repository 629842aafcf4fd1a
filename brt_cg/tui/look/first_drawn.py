"""The time when something was first drawn, to decide which keys were pressed before that."""

from math import inf

from textual.message import Message
from textual.message_pump import MessagePump


class FirstDrawn:
    """The moment when something was first drawn, on the clock that events use."""

    def __init__(self) -> None:
        self._at = inf

    def expect_redraw(self, node: MessagePump) -> None:
        """Expect something new to be drawn with the next refresh of a screen or widget."""
        self._at = inf
        node.call_after_refresh(self._note)

    def _note(self) -> None:
        self._at = Message().time

    def forget(self) -> None:
        """Forget that something was drawn, because it is gone."""
        self._at = inf

    def was_drawn_before(self, time: float) -> bool:
        """Whether the thing had been drawn when something happened, such as a key press."""
        return self._at <= time
