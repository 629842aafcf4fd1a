"""Keys that come faster than the screen follows: each waits until what the one before did is drawn.

Over a slow line several keys arrive at once. Textual hands each to whatever has the keys at that
moment, so that what is typed for the next page of a form would go to the page before, or be lost.
"""

import asyncio
from collections import deque
from contextlib import suppress
from time import monotonic

from textual import events
from textual.app import App
from textual.message_pump import MessagePump

PATIENCE = 1.0  # seconds that a key waits at most for the one before
GLANCE = 0.005  # seconds between two looks at a screen that is on its way
ROUNDS = 2  # a key becomes a message to the widget itself, and that one to those around it
REDRAWS = {"page", "desk"}  # groups of a screen's own workers after which other widgets stand there


class TypedAhead(App[int]):
    """An app that deals with one key at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._keys_waiting: deque[events.Key] = deque()
        self._key_let_on: events.Key | None = None
        self._in_key: asyncio.Task[None] | None = None

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key) and not event.is_forwarded and self._must_wait(event):
            return
        await super().on_event(event)

    def _must_wait(self, key: events.Key) -> bool:
        if key is self._key_let_on:
            return False
        if self._in_key is not None and not self._in_key.done():
            self._keys_waiting.append(key)
            return True
        self._in_key = asyncio.create_task(self._let_on_in_turn())
        return False

    async def _let_on_in_turn(self) -> None:
        """Waits for the selected key, then lets those on that have come meanwhile."""
        await self._dealt_with()
        while self._keys_waiting and self.is_running:
            self._key_let_on = self._keys_waiting.popleft()
            self.post_message(self._key_let_on)
            await self._dealt_with()

    async def _dealt_with(self) -> None:
        """Waits until the newest key has come to all who may take it, and their screen stands."""
        end = monotonic() + PATIENCE
        await _passed(self, end)
        for _ in range(ROUNDS):
            if self.is_running and self.screen_stack:
                for pump in (self.focused or self.screen).ancestors_with_self:
                    await _passed(pump, end)
        while self.is_running and self.screen_stack and self._on_its_way() and monotonic() < end:
            await asyncio.sleep(GLANCE)

    def _on_its_way(self) -> bool:
        """Whether the screen in front is still being made, or made anew."""
        return not self.screen.is_mounted or any(
            worker.node is self.screen and worker.group in REDRAWS and not worker.is_finished
            for worker in self.workers
        )


async def _passed(pump: MessagePump, end: float) -> None:
    """Waits, until a time at most, for all that has been sent to somebody so far."""
    passed = asyncio.Event()
    if pump.call_later(passed.set):
        with suppress(TimeoutError):
            await asyncio.wait_for(passed.wait(), max(0.0, end - monotonic()))
