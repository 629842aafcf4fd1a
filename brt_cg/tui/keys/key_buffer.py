"""The buffer in which each key waits until the effects of the previous one are drawn.

Over a slow line several keys arrive together. Textual sends each to the widget that has the focus
at that moment, so that keys meant for the next page of a form would go to the previous page, or be
lost.

A key belongs to the thing shown when it was pressed: a screen, a question, a row. It waits its turn
there; once something else is shown it is dropped, and so are those pressed right after it,
including the other die of its pair. Text written into a field is kept in order.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

from textual import events
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widgets import Input, TextArea
from textual.worker import Worker, active_worker, get_current_worker

from brt_cg.tui.look.themed_app import ThemedApp

PATIENCE = 1.0  # the most seconds that a key waits for the widgets to handle the previous one
LONG = 10.0  # the most seconds that it waits for the work started
GLANCE = 0.005  # seconds between checks of a screen that is at work
MANY_LINES = "-many-lines"  # the class of a field of several lines
HABIT = 0.5  # seconds within which a letter may be pressed twice by habit
NONE_SPENT = ("", -inf)
AT_WORK = 0.15  # seconds of work, after which keys pressed meanwhile are dropped
BURST = 0.2  # the most seconds between keys pressed together
PAIR = 0.7  # and between the two dice of a pair
ENDS_LINE = frozenset(("enter",))  # in a field of several lines
MOVES = frozenset(("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "escape"))
ROUNDS = 2  # a key sends a message to its widget, which sends one to its ancestors
WITH_OTHERS = "pressed together with a key that was ignored, so ignored too"
DURING_WORK = "pressed while the program was busy, so ignored"
# The seconds that the screen waits for the next key before it does longer work.
ON_ROW = 0.04  # before the page of a row is shown, which lays the room out again
BEFORE_LOOKING_UP = 0.15  # before something is looked up: a history, entries, an effect
WHILE_TYPING = 0.2  # before the text in a form is checked


class KeyBufferApp(ThemedApp):
    """An app that handles one key (or pasted text) at a time. Several lines pasted into a one-line
    field are joined: by spaces, or by the `between_lines` of a field for a list.

    A key waits for all work that the screen in front, or the app, still has to do: all their
    workers, except workers that themselves wait for the player, and those that `let_keys_pass`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._spent = NONE_SPENT
        self.newest_key = ""  # the key that is being handled
        self._dropped_at = -inf  # when the newest dropped key was pressed
        self._half_a_pair = -inf  # when a die was pressed that was dropped without the other
        self._keys_waiting: deque[events.Key | events.Paste] = deque()
        self._passed_on: events.Event | None = None
        self._handling: asyncio.Task[None] | None = None
        # Workers with the screen whose result they wait for; None: no key waits for them.
        self._waiting_workers: WeakKeyDictionary[Worker[Any], Screen[Any] | None] = (
            WeakKeyDictionary()
        )

    # --- for the screens --------------------------------------------------------------------------

    def let_keys_pass(self, worker: Worker[Any] | None = None) -> None:
        """Let keys pass while a worker (by default the current one) is busy: the worker only shows
        more, or works long in the background, and no key needs its result."""
        self._waiting_workers[worker or get_current_worker()] = None

    async def push_screen_wait(self, screen: Any, *, mode: str | None = None) -> Any:
        """Push a screen and wait, as in Textual; a key does not wait for a worker while this screen
        is open."""
        self._waiting_workers[get_current_worker()] = screen
        try:
            return await super().push_screen_wait(screen, mode=mode)
        finally:
            self._waiting_workers.pop(get_current_worker(), None)

    def close_boxes(self) -> None:
        """Close all boxes over the room in front; work that waits for their results is canceled."""
        for worker, screen in [*self._waiting_workers.items()]:
            if screen is not None and screen in self.screen_stack:
                worker.cancel()
        while len(self.screen_stack) > 1:
            _ = self.pop_screen()

    def interrupts_work(self, key: events.Key) -> bool:
        """Whether a key stops the work that others wait for."""
        return False

    def ignore_repeat_of(self, key: events.Key) -> None:
        """Note the letter that answered a box: pressed again by habit, it would do something else
        in the room behind."""
        self._spent = key.key, key.time

    def _is_spent(self, key: events.Key) -> bool:
        (spent, at), self._spent = self._spent, NONE_SPENT
        return key.key == spent and key.time - at < HABIT

    def note_dropped_die(self) -> None:
        """Note that a typed die was dropped: the other die of its pair is dropped too."""
        self._half_a_pair = Message().time

    def show_dropped(self, keys: Sequence[events.Key], why: str) -> None:
        """Show the names of keys that were dropped."""

    def is_text_for_field(self, key: events.Key) -> bool:
        """Whether a key is text for the field in focus, where it enters nothing by itself."""
        field = self.focused
        lines = field is not None and field.has_class(MANY_LINES)
        return isinstance(field, Input | TextArea) and (
            key.is_printable or (lines and key.key in ENDS_LINE)
        )

    def _is_dropped(self, key: events.Key) -> bool:
        """Whether a key, or a key pressed together with it, came too early."""
        is_die = key.character is not None and key.character in "123456"
        early = self.report_if_too_early(key)
        with_others = key.time - self._dropped_at < BURST
        is_other_die = is_die and key.time - self._half_a_pair < PAIR
        if not (early or with_others or is_other_die):
            return False
        if not early:
            self.show_dropped([key], WITH_OTHERS)
        self._dropped_at = key.time if early or with_others else self._dropped_at
        self._half_a_pair = key.time if is_die and not is_other_die else -inf
        return True

    def report_if_too_early(self, key: events.Key) -> bool:
        """Return whether a key is dropped because it was pressed before its question could be seen;
        if so, report that to the player."""
        return False

    @property
    def backlog(self) -> int:
        """The number of keys and other inputs not handled yet; it may be read from any thread."""
        front = self.screen_stack[-1:] if self.is_running else []
        pumps: list[MessagePump] = [self, *front]
        return len(self._keys_waiting) + sum(pump.message_queue_size for pump in pumps)

    # --- in turn ----------------------------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            if self._must_wait(event):
                return
            if isinstance(event, events.Key):
                if self._is_spent(event) or self._is_dropped(event):
                    return
                self.newest_key = event.key
        if isinstance(event, events.Paste):
            lines = map(str.strip, event.text.expandtabs(1).splitlines())
            event.text = self._between_lines().join(filter(None, lines))
        await super().on_event(event)

    def _between_lines(self) -> str:
        """Return the separator between pasted lines: a one-line field would keep only the first."""
        if self.focused is not None and self.focused.has_class(MANY_LINES):
            return "\n"
        return str(getattr(self.focused, "between_lines", " "))

    def _must_wait(self, key: events.Key | events.Paste) -> bool:
        if key is self._passed_on:
            return False
        is_handling = self._handling is not None and not self._handling.done()
        waits = is_handling or self.is_at_work()  # also for work that no key began
        if waits and isinstance(key, events.Key) and self.interrupts_work(key):
            return False
        if waits:
            self._keys_waiting.append(key)
        if not is_handling:
            self._handling = asyncio.create_task(self._handle_in_turn())
        return waits

    async def _handle_in_turn(self) -> None:
        """Wait until the current key is handled, then pass on the waiting keys one by one. Of the
        keys pressed during long work, only moves and written text are kept."""
        worked = await self._wait_until_handled()
        while self._keys_waiting and self.is_running:
            if worked > AT_WORK:
                self._drop_waiting()
            if self._keys_waiting:
                self._passed_on = self._keys_waiting.popleft()
                self.post_message(self._passed_on)
                worked = await self._wait_until_handled()

    def _drop_waiting(self) -> None:
        """Drop the waiting keys, except moves and written text."""
        waiting = [*self._keys_waiting]
        dropped = [
            key
            for key in waiting
            if isinstance(key, events.Key) and not (key.key in MOVES or self.is_text_for_field(key))
        ]
        if dropped:
            self._keys_waiting = deque(key for key in waiting if key not in dropped)
            self._dropped_at = dropped[-1].time
            self.show_dropped(dropped, DURING_WORK)

    async def _wait_until_handled(self) -> float:
        """Wait until everything that may handle the newest key has done so, and the screen in front
        is ready. Return the seconds of work that it waited for."""
        end = monotonic() + PATIENCE
        await _drain(self, end)
        for _ in range(ROUNDS):
            if self.is_running and self.screen_stack:
                for pump in (self.focused or self.screen).ancestors_with_self:
                    await _drain(pump, end)
        end, loop = monotonic() + LONG, asyncio.get_running_loop()
        since = loop.time()
        while self.is_at_work() and not self._is_stopped_next() and monotonic() < end:
            await asyncio.sleep(GLANCE)
        return loop.time() - since

    def _is_stopped_next(self) -> bool:
        key = self._keys_waiting[0] if self._keys_waiting else None
        return isinstance(key, events.Key) and self.interrupts_work(key)

    def is_current_worker_awaited(self) -> bool:
        """Whether keys wait for the current worker, because the player waits for its result."""
        worker = active_worker.get(None)
        has_screen = self.is_running and bool(self.screen_stack)
        return has_screen and worker is not None and self._holds_keys(worker)

    def is_at_work(self) -> bool:
        """Whether the screen in front is still being built, or work is running that decides what
        the next key does."""
        if not self.is_running or not self.screen_stack:
            return False
        return not self.screen.is_mounted or any(map(self._holds_keys, self.workers))

    def _holds_keys(self, worker: Worker[Any]) -> bool:
        node = worker.node
        concerns = node is self or self.screen in node.ancestors_with_self
        if worker.is_finished or not concerns:
            return False
        if worker not in self._waiting_workers:
            return True
        dialog = self._waiting_workers[worker]
        return dialog is not None and dialog not in self.screen_stack


async def _drain(pump: MessagePump, end: float) -> None:
    """Wait until a message pump has handled everything sent to it so far, or until the time
    `end`."""
    drained = asyncio.Event()
    if pump.call_later(drained.set):
        with suppress(TimeoutError):
            await asyncio.wait_for(drained.wait(), max(0.0, end - monotonic()))
