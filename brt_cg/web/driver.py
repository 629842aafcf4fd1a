"""Textual's driver for browsers, made to end with its connection, and to hear Escape on Windows.

Textual's own looks at the clock only when bytes come, where the system cannot wait for a pipe: a
single Escape would wait for the next key. And when its input ends, the screen would stay.
"""

import os
import sys
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from threading import Event, Thread, Timer
from typing import Any

from textual import messages
from textual.drivers.web_driver import WebDriver

TICK = 0.1  # seconds without input after which the parser looks at the clock
READ = 65536
LAST = 10.0  # seconds for the screen to end once nobody is left to see it


class PatientReader:
    """Reads standard input in a thread of its own; yields what came, and b"" at each tick."""

    def __init__(self) -> None:
        assert sys.__stdin__ is not None, "a served screen is started with pipes"
        self._fileno = sys.__stdin__.fileno()
        self._came: SimpleQueue[bytes] = SimpleQueue()
        self._closed = Event()
        Thread(target=self._read, name="input", daemon=True).start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._fileno, READ)
            except OSError:
                data = b""
            self._came.put(data)
            if not data:
                return

    def close(self) -> None:
        """Ends the iteration."""
        self._closed.set()

    def __iter__(self) -> Iterator[bytes]:
        while not self._closed.is_set():
            try:
                data = self._came.get(timeout=TICK)
            except Empty:
                yield b""
                continue
            if not data:
                return
            yield data


class SeatDriver(WebDriver):
    """The driver of a served screen."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._input_reader.close()
        self._input_reader = PatientReader()  # type: ignore[assignment]

    def run_input_thread(self) -> None:
        """Dispatches input until it ends, and the screen with it."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            stuck = Timer(LAST, os._exit, (1,))  # all that was entered is stored
            stuck.daemon = True
            stuck.start()
            self._app.post_message(messages.ExitApp())
