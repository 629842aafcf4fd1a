"""Textual's driver for browsers, changed so that it ends with its connection, recognizes Escape on
Windows, limits the size of a paste, and passes files between a screen and its page.

If the system cannot wait for a pipe, Textual's own driver checks the time only when bytes arrive,
so that a single Escape would wait for the next key. When its input ended, the screen would remain.
"""

import os
import sys
from base64 import b64decode
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Thread, Timer
from time import monotonic
from typing import Any, BinaryIO, Literal, TextIO

from textual import events, messages
from textual._xterm_parser import BRACKETED_PASTE_START, XTermParser
from textual.drivers._byte_stream import ByteStream
from textual.drivers.web_driver import WebDriver
from textual.message import Message

from brt_cg.tui.keys.key_buffer import KeyBufferApp
from brt_cg.tui.session.page import CampaignFileChanged, FilesGiven, GivenFile

try:
    import resource
except ImportError:  # Windows has none
    resource = None  # type: ignore[assignment]

MOST_MEMORY = 512 * 1024**2  # bytes; a screen has about 80 MB
TICK = 0.1  # seconds without input after which the parser looks at the clock
TICKS = 5  # checks after an input, then it waits for the next one: an idle screen costs nothing
READ = 65536
MOST_PASTED = 100_000  # characters of one paste, which come in one frame of a page
MOST_READ = 4  # pieces that are read but not parsed yet
MOST_BEHIND = 100  # events that the screen has not handled; then no more are parsed
SHORT = 0.01  # seconds between two checks of a screen that is behind
LAST = 10.0  # seconds for the screen to end once nobody is left to see it


class TickingInputReader:
    """An iterator that reads standard input in a separate thread; it yields the input, and then b""
    at each of the TICKS."""

    def __init__(self) -> None:
        assert sys.__stdin__ is not None, "this is not for direct use; run brt-cg serve instead"
        self._fileno = sys.__stdin__.fileno()
        self._came: Queue[bytes] = Queue(MOST_READ)
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
        """End the iteration."""
        self._closed.set()
        with suppress(Full):  # a full queue: nobody waits for more
            self._came.put_nowait(b"")

    def __iter__(self) -> Iterator[bytes]:
        ticks = 0
        while not self._closed.is_set():
            try:
                data = self._came.get(timeout=TICK if ticks else None)
            except Empty:
                ticks -= 1
                yield b""
                continue
            if not data:
                return
            ticks = TICKS
            yield data


class BoundedParser(XTermParser):
    """Textual's parser of terminal input, which drops the beginning of a paste that is too long and
    ignores sizes, because these come from the page."""

    _unheard = 0  # characters since the last event

    def feed(self, data: str) -> Iterable[Message]:
        yield from self._heard(data)
        if self._unheard > MOST_PASTED:
            super().__init__()
            self._unheard = 0
            yield from self._heard(BRACKETED_PASTE_START)

    def _heard(self, data: str) -> Iterator[Message]:
        self._unheard += len(data)
        for event in super().feed(data):
            self._unheard = 0
            if isinstance(event, events.Resize):
                self.mouse_pixels = False
            else:
                yield event


def limit_memory() -> None:
    """Make the system limit this process's memory to the needs of a screen, regardless of its
    input."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))


class SeatDriver(WebDriver):
    """The driver of a served screen."""

    _app: KeyBufferApp

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._hangs = False
        limit_memory()
        self._input_reader.close()
        self._input_reader = TickingInputReader()  # type: ignore[assignment]

    def run_input_thread(self) -> None:
        """Dispatch input until it ends, and the screen with it."""
        parser, decoder, packets = BoundedParser(), getincrementaldecoder("utf-8")(), ByteStream()
        for data in self._input_reader:
            for kind, told in packets.feed(data) if data else ():
                if kind != "D":
                    self._on_meta(kind, told)
                    continue
                try:
                    for event in parser.feed(decoder.decode(told)):
                        self.process_message(event)
                except (ValueError, OverflowError):  # a key that no keyboard has
                    parser = BoundedParser()
            for event in parser.tick():
                self.process_message(event)
        if not self.exit_event.is_set():
            stuck = Timer(LAST, os._exit, (1,))  # safe, because all entries are stored
            stuck.daemon = True
            stuck.start()
            self._app.post_message(messages.ExitApp())

    def send_message(self, message: Message) -> None:
        """Pass on a player's input; drop it if the screen does not keep up at all."""
        if not self._is_behind():
            super().send_message(message)

    def _is_behind(self) -> bool:
        """Wait until the screen has handled most of the earlier input. Meanwhile the rest remains
        in the pipe, where it uses none of the screen's memory, and the page waits. Return whether
        the screen is still behind."""
        until = monotonic() + LAST
        while self._app.backlog > MOST_BEHIND:
            self._hangs = self._hangs or self.exit_event.wait(SHORT) or monotonic() > until
            if self._hangs:
                return True
        self._hangs = False
        return False

    # --- the page around the screen ---------------------------------------------------------------

    def send_to_page(self, told: Mapping[str, object]) -> None:
        """Send a message to the page, by its "type"."""
        self.write_meta({"type": "brt", "tells": dict(told)})

    def notify_stored(self) -> None:
        """Notify the server that something has been stored, which others wait for."""
        self.write_meta({"type": "stored"})

    def deliver_binary(
        self,
        binary: BinaryIO | TextIO,
        *,
        delivery_key: str,
        save_path: Path,
        open_method: Literal["browser", "download"] = "download",
        encoding: str | None = None,
        mime_type: str | None = None,
        name: str | None = None,
    ) -> None:
        """Send a file to the server in one piece, from the thread that writes everything else:
        Textual's own pieces come from another thread, in the middle of a frame."""
        with binary:
            content = binary.read()
        data = content.encode(encoding or "utf-8") if isinstance(content, str) else content
        kind = mime_type or "application/octet-stream"
        self.write_binary_encoded(("file", save_path.name, kind, open_method, data))

    def on_meta(self, packet_type: str, payload: dict[str, Any]) -> None:
        """Carry out a message from the server: pass a visitor's files and news of the campaign to
        the app, or draw everything again."""
        self._is_behind()
        match packet_type:
            case "files":
                files = [GivenFile(name, b64decode(data)) for name, data in payload["files"]]
                self._app.post_message(FilesGiven(files))
            case "moved":
                self._app.post_message(CampaignFileChanged())
            case "redraw":  # the page has returned, and shows nothing
                self._app.call_later(self._app.refresh)
            case _:
                super().on_meta(packet_type, payload)
