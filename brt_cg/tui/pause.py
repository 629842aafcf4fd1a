"""Delays an action until no more keys follow."""

from collections.abc import Callable
from typing import Any

from textual.message_pump import MessagePump
from textual.timer import Timer


class Pause:
    """Calls `then` some seconds after the last `begin`."""

    def __init__(self, pump: MessagePump, seconds: float, then: Callable[[], Any]) -> None:
        self._pump, self._seconds, self._then = pump, seconds, then
        self._timer: Timer | None = None

    def begin(self) -> None:
        """Starts the wait, from zero if it runs already."""
        self.end()
        self._timer = self._pump.set_timer(self._seconds, self._then)

    def end(self) -> None:
        """Cancels the wait."""
        if self._timer is not None:
            self._timer.stop()
