"""The screens behind the pages: a process for each tab, which survives a lost connection for a
while."""

import asyncio
import json
import logging
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from typing import Any

from textual_serve._binary_encode import load as binary_load
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from brt_cg.storage.place import Address, Place
from brt_cg.storage.watch import FileWatch
from brt_cg.text import escape_unprintable
from brt_cg.tui.session import CANNOT_OPEN
from brt_cg.web import SEAT_VARIABLE
from brt_cg.web.files import FileStore, Given, OutgoingFile
from brt_cg.web.frames import PageWebSocket, dispatch_frames

GRACE = 600.0  # seconds for which a screen waits for its page to come back
MOST_SCREENS = 8  # the most screens of one seat at the same time
MOST_ENDED = 1000  # screens whose ending is remembered
MOST_WORDS = 2000  # bytes of a screen's last output on stderr
LOOK_EVERY = 0.25  # seconds between two checks for others' changes to the campaign's file
REST = 0.05  # seconds after news in which no more are sent
LAST = 12.0  # seconds for a process to end by itself
HOW = {0: "left", CANNOT_OPEN: "unopened"}  # how a screen ended, by its exit status
READY = b"__GANGLION__\n"  # the first output of a screen
# The settings of a terminal for a screen that is on it already: the alternate screen, the mouse,
# the hidden cursor, and bracketed paste.
MODES = b"\x1b[?1049h\x1b[?1000h\x1b[?1003h\x1b[?1015h\x1b[?1006h\x1b[?25l\x1b[?2004h"

log = logging.getLogger(__name__)


class SeatService(AppService):
    """The screen of one tab, as a separate process. `ended` says how it ended: "left" by its
    player, "unopened" if the campaign could not be opened, "failed" by a crash, or "killed"."""

    def __init__(
        self, file: Place, seat: str, kept: FileStore, stored: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(
            "",
            write_bytes=self._write_bytes,
            write_str=self._write_str,
            close=self._close,
            download_manager=DownloadManager(),  # unused: a file comes in one piece
        )
        self.seat = seat
        self.file = file
        self.password = file.password if isinstance(file, Address) else None
        self.ended: str | None = None
        self.alone_since: float | None = time.monotonic()
        self._page: PageWebSocket | None = None
        self._comes = asyncio.Lock()  # lets in one page at a time
        self._telling: asyncio.Task[bool] | None = None
        self._kept, self._stored = kept, stored
        self._newest: dict[object, str] = {}  # newest message of each type, for a later page

    # --- its process ------------------------------------------------------------------------------

    async def _open_app_process(
        self, width: int = 80, height: int = 24
    ) -> asyncio.subprocess.Process:
        """Start the process from a list of words: no shell reads the file's name."""
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "brt_cg", "open", str(self.file)),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=self._build_environment(width, height),
        )
        assert self._process.stdin is not None
        self._stdin = self._process.stdin
        return self._process

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        environment = super()._build_environment(width, height) | {SEAT_VARIABLE: self.seat}
        environment["TEXTUAL_DRIVER"] = "brt_cg.web.driver:SeatDriver"
        if self.password:  # not on the command line, where everybody could read it
            environment["PGPASSWORD"] = self.password
        return environment

    @property
    def is_running(self) -> bool:
        return self._task is not None and self.ended is None

    async def run(self) -> None:
        """Pass on the messages of the process, until it ends; report in a line if it crashed."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        assert process.stderr is not None
        said = asyncio.create_task(_last_words(process.stderr))
        try:
            with suppress(EOFError, asyncio.LimitOverrunError, ConnectionError):
                await process.stdout.readuntil(READY)
                while True:
                    head = await process.stdout.readexactly(5)
                    told = await process.stdout.readexactly(int.from_bytes(head[1:], "big"))
                    await self._pass_on(head[:1], told)
        finally:
            code = await _end_of(process)
            self.ended = HOW.get(code, "failed" if code > 0 else "killed")
            if code:
                words = f"a screen of {self.seat} ended with status {code}. {await said}"
                log.error("%s", words.strip())
            await self._close()

    async def _pass_on(self, kind: bytes, told: bytes) -> None:
        match kind:
            case b"D":
                await self._write_bytes(told)
            case b"M":
                await self.on_meta(told)
            case b"P":
                await self.on_packed(told)

    async def stop(self) -> None:
        """End the process, by force if it does not end by itself."""
        async with self._comes:
            task, process = self._task, self._process
        if task is None or process is None:
            self.ended = "killed"
            return
        try:
            async with asyncio.timeout(LAST):
                if not task.done():
                    await self.send_meta({"type": "quit"})
                await asyncio.wait([task])
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            if self._page is not None:
                self._page.cut_connection()
            await asyncio.wait([task])

    def notify_change(self) -> None:
        """Tell the screen that the campaign has changed. If the screen has not read the last such
        message yet, send no other."""
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self.send_meta({"type": "moved"}))

    # --- its page ---------------------------------------------------------------------------------

    async def attach(self, page: PageWebSocket, width: int, height: int) -> None:
        """Show the screen on a page instead of an earlier one. Start it, or draw it again."""
        before, self._page, self.alone_since = self._page, page, None
        if before is not None:
            await before.close_as_replaced()
        async with self._comes:
            if self.ended is not None:
                await self._close()
                return
            if self._process is None:
                await self.start(width, height)
                return
        for message in self._newest.values():
            await self._write_str(message)
        await self._write_bytes(MODES)
        await self.set_terminal_size(width, height)
        await self.send_meta({"type": "redraw"})

    def detach(self, page: PageWebSocket) -> None:
        """Note that a page is gone; the screen waits for it."""
        if self._page is page:
            self._page, self.alone_since = None, time.monotonic()

    async def _write_bytes(self, data: bytes) -> None:
        if self._page is not None:
            await self._page.send_ignoring_errors(self._page.send_bytes(data))

    async def _write_str(self, text: str) -> None:
        if self._page is not None:
            await self._page.send_ignoring_errors(self._page.send_str(text))

    async def _close(self) -> None:
        if self._page is not None:
            await self._page.send_ignoring_errors(self._page.close())

    async def on_meta(self, data: bytes) -> None:
        message = json.loads(data)
        if message["type"] == "brt":  # our own message to the page
            tells = message["tells"]
            self._newest[tells["type"]] = json.dumps(["brt", tells])
            await self._write_str(self._newest[tells["type"]])
        elif message["type"] == "stored":
            self._stored()
        elif message["type"] != "exit":  # the end of the process shows that
            await super().on_meta(data)

    async def on_packed(self, payload: bytes) -> None:
        """Keep a file that the screen sends, and send its address to the page."""
        packed: Any = binary_load(payload)
        _, name, kind, how, content = packed
        file = OutgoingFile(name, kind, how == "browser", content)
        tells = {"type": "file", "key": self._kept.add(file), "name": name, "shows": file.shows}
        await self._write_str(json.dumps(["brt", tells]))

    async def send_files(self, files: Given) -> None:
        """Give a visitor's files to the screen."""
        listed = [(name, b64encode(data).decode()) for name, data in files.items()]
        await self.send_meta({"type": "files", "files": listed})  # type: ignore[dict-item]


async def _last_words(stderr: asyncio.StreamReader) -> str:
    """Read everything that a screen writes to stderr; return the last line, or everything after the
    header of a traceback."""
    end = b""
    while data := await stderr.read(4096):
        end = (end + data)[-MOST_WORDS:]
    _, framed, rest = end.decode("utf-8", "replace").rpartition("╯\n")
    lines = rest.split("\n") if framed else rest.strip().split("\n")[-1:]
    return escape_unprintable(" ".join(lines).strip())


async def _end_of(process: asyncio.subprocess.Process) -> int:
    """Wait until a process that sends no more output has ended; kill it if that takes too long.
    Return its exit status."""
    try:
        return await asyncio.wait_for(process.wait(), LAST)
    except TimeoutError:
        process.kill()
        return await process.wait()


# --- all of them ------------------------------------------------------------------------------


Key = tuple[str, str]  # key of a screen: its seat, and the id of its tab


class Screens:
    """The screens of all seats, by seat and by the id of the tab."""

    def __init__(self, file: Place, kept: Mapping[str, FileStore]) -> None:
        self.file, self._kept = file, kept
        self._of: dict[Key, SeatService] = {}
        self._ended: dict[Key, str] = {}
        self._stored = asyncio.Event()  # whether a screen has stored something since the last check

    @property
    def count(self) -> int:
        """The current number of screens."""
        return len(self._of)

    def screen_state(self, seat: str, tab: str) -> str:
        """Return the state of a page's screen: "open", the way it ended, "none", or "full" if its
        seat can have no more of them."""
        key = seat, tab
        service = self._of.get(key)
        if service is not None:
            return service.ended or "open"
        return self._ended.get(key) or ("full" if self._is_full(key) else "none")

    async def get_or_create_screen(self, seat: str, tab: str) -> SeatService | None:
        """Return the screen of a tab, or a new one if none is running. If a seat has too many
        screens, end the one that has been without a page longest; return None if every screen has a
        page."""
        key = seat, tab
        found = self._of.get(key)
        if found is not None and found.ended is None:
            return found
        if self._is_full(key):
            return None
        others = self._others(key)
        self._ended.pop(key, None)
        self._of[key] = found = SeatService(self.file, seat, self._kept[seat], self._stored.set)
        if len(others) >= MOST_SCREENS:
            alone = {other: since for other in others if (since := self._of[other].alone_since)}
            await self._of.pop(min(alone, key=alone.__getitem__)).stop()
        return found

    async def show(
        self, service: SeatService, tab: str, page: PageWebSocket, size: tuple[int, int]
    ) -> None:
        """Show the screen of a tab on its page for as long as that is open."""
        try:
            await service.attach(page, *size)
            await dispatch_frames(page, service)
        finally:
            service.detach(page)
            self._note_end((service.seat, tab), service)

    async def send_files(self, seat: str, tab: str, files: Given) -> bool:
        """Give a visitor's files to the screen of the visitor's tab. Return whether there is
        one."""
        service = self._of.get((seat, tab))
        if service is None or not service.is_running:
            return False
        await service.send_files(files)
        return True

    def _is_full(self, key: Key) -> bool:
        """Whether a seat may not have this screen, even in place of a screen without a page."""
        others = self._others(key)
        return len(others) >= MOST_SCREENS and all(
            self._of[other].alone_since is None for other in others
        )

    def _others(self, key: Key) -> list[Key]:
        """Return the other screens of a seat."""
        return [other for other in self._of if other[0] == key[0] and other != key]

    def _note_end(self, key: Key, service: SeatService) -> None:
        """Forget a screen that has ended, but keep the way it ended if its page should learn
        that."""
        if service.ended is None or self._of.get(key) is not service:
            return
        del self._of[key]
        if service.ended != "killed":
            self._ended[key] = service.ended
        if len(self._ended) > MOST_ENDED:
            del self._ended[next(iter(self._ended))]

    async def keep_ending_abandoned(self) -> None:
        """End the screens whose pages did not come back; never returns."""
        while True:
            await asyncio.sleep(GRACE / 20)
            before = time.monotonic() - GRACE
            for key, service in [*self._of.items()]:
                if service.alone_since is not None and service.alone_since < before:
                    await service.stop()
                self._note_end(key, service)

    async def notify_of_file_changes(self) -> None:
        """Tell the screens when the campaign's file has changed, so that each of them need not
        check: immediately after one of them has stored something, and soon after others have; never
        returns. With a database server, each screen is notified by the server."""
        if isinstance(self.file, Address):
            return
        with closing(FileWatch(self.file)) as file:
            known = file.change_token()
            while True:
                self._stored.clear()
                now = file.change_token() if self._of else known
                if now != known:
                    known = now
                    self._tell_of_news()
                    await asyncio.sleep(REST)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stored.wait(), LOOK_EVERY)

    def _tell_of_news(self) -> None:
        for service in self._of.values():
            if service.is_running:
                service.notify_change()

    async def end_all(self) -> None:
        """End every screen."""
        await asyncio.gather(*(service.stop() for service in self._of.values()))
