"""Makes each key wait until the effects of the one before are drawn.

Over a slow line several keys arrive at once. Textual sends each to the widget that has the focus at
that moment, so that keys meant for the next page of a form would go to the page before, or be lost.
"""

import asyncio
from collections import deque
from contextlib import suppress
from time import monotonic

from textual import events
from textual.app import App
from textual.message_pump import MessagePump

PATIENCE = 1.0  # the most seconds that a key waits for the one before
GLANCE = 0.005  # seconds between checks of a screen that is being built
ROUNDS = 2  # a key makes a message to its widget, and that a message to the widget's ancestors
# Groups of a screen's workers that replace its widgets, or open a form or list over it.
REDRAWS = {"page", "desk", "place", "captor", "edit", "buy"}


class TypedAhead(App[int]):
    """An app that handles one key at a time, and pastes several lines as one."""

    def __init__(self) -> None:
        super().__init__()
        self._keys_waiting: deque[events.Key] = deque()
        self._passed_on: events.Key | None = None
        self._handling: asyncio.Task[None] | None = None

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key) and not event.is_forwarded and self._must_wait(event):
            return
        if isinstance(event, events.Paste):  # a field has one line, and would keep only the first
            lines = map(str.strip, event.text.expandtabs(1).splitlines())
            event.text = " ".join(filter(None, lines))
        await super().on_event(event)

    def _must_wait(self, key: events.Key) -> bool:
        if key is self._passed_on:
            return False
        if self._handling is not None and not self._handling.done():
            self._keys_waiting.append(key)
            return True
        self._handling = asyncio.create_task(self._handle_in_turn())
        return False

    async def _handle_in_turn(self) -> None:
        """Waits until the current key is handled, then passes on the waiting keys one by one."""
        await self._wait_until_handled()
        while self._keys_waiting and self.is_running:
            self._passed_on = self._keys_waiting.popleft()
            self.post_message(self._passed_on)
            await self._wait_until_handled()

    async def _wait_until_handled(self) -> None:
        """Waits until all who may handle the newest key have done so, and the screen in front is
        ready."""
        end = monotonic() + PATIENCE
        await _drain(self, end)
        for _ in range(ROUNDS):
            if self.is_running and self.screen_stack:
                for pump in (self.focused or self.screen).ancestors_with_self:
                    await _drain(pump, end)
        while self.is_running and self.screen_stack and self._rebuilding() and monotonic() < end:
            await asyncio.sleep(GLANCE)

    def _rebuilding(self) -> bool:
        """Whether the screen in front is still being built, or rebuilt."""
        return not self.screen.is_mounted or any(
            worker.node is self.screen and worker.group in REDRAWS and not worker.is_finished
            for worker in self.workers
        )


async def _drain(pump: MessagePump, end: float) -> None:
    """Waits until a message pump has handled everything sent to it so far, or until the time
    `end`."""
    drained = asyncio.Event()
    if pump.call_later(drained.set):
        with suppress(TimeoutError):
            await asyncio.wait_for(drained.wait(), max(0.0, end - monotonic()))
