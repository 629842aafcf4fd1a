"""What follows a key only once the next keys have not come."""

from collections.abc import Callable
from typing import Any

from textual.message_pump import MessagePump
from textual.timer import Timer


class Pause:
    """Does `then` after some seconds in which it has not been begun again."""

    def __init__(self, pump: MessagePump, seconds: float, then: Callable[[], Any]) -> None:
        self._pump, self._seconds, self._then = pump, seconds, then
        self._timer: Timer | None = None

    def begin(self) -> None:
        """Waits, from now on."""
        self.end()
        self._timer = self._pump.set_timer(self._seconds, self._then)

    def end(self) -> None:
        """Waits no longer, and does nothing."""
        if self._timer is not None:
            self._timer.stop()
