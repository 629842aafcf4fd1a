"""The screens behind the pages: a process for each tab, which outlives a cut link for a while."""

import asyncio
import json
import sys
import time
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from aiohttp import WSMsgType, web
from textual_serve._binary_encode import load as binary_load
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from brt_cg.storage.place import Address, Place
from brt_cg.web import SEAT_VARIABLE
from brt_cg.web.files import Given, HandedOut, Kept

GRACE = 600.0  # seconds for which a screen waits for its page to come back
MOST_SCREENS = 8  # of one seat at the same time
MOST_FRAME = 256 * 1024  # bytes of a frame from a browser
MOST_TYPED = 100_000  # characters of one input, such as a paste
MOST_FRAMES = 400  # frames a second; a mouse gives about a hundred
COLUMNS, ROWS = (20, 500), (5, 200)  # the sizes that a page may ask for
LOOK_EVERY = 0.05  # seconds between two looks at the campaign's file
SHORT = 0.2  # seconds in which a screen notes that its size has changed
LAST = 12.0  # seconds for a process to end by itself
# What a terminal has to know of the screen that is on it already: the alternate screen, the mouse,
# the hidden cursor, and pastes in brackets.
MODES = b"\x1b[?1049h\x1b[?1000h\x1b[?1003h\x1b[?1015h\x1b[?1006h\x1b[?25l\x1b[?2004h"


class SeatService(AppService):
    """The screen of one tab, as a process of its own. `left` is whether the player has left it."""

    def __init__(self, file: Place, seat: str, kept: Kept) -> None:
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
        self.left = False
        self.alone_since: float | None = None
        self._page: web.WebSocketResponse | None = None
        self._kept = kept
        self._told: dict[object, str] = {}  # the newest of each type, for a page that comes later

    # --- its process ------------------------------------------------------------------------------

    async def _open_app_process(
        self, width: int = 80, height: int = 24
    ) -> asyncio.subprocess.Process:
        """Starts the process from a list of words: no shell reads the file's name."""
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
    def runs(self) -> bool:
        return self._task is not None and not self._task.done()

    async def run(self) -> None:
        await super().run()
        await self._close()

    async def stop(self) -> None:
        """Ends the process, by force if it does not end by itself."""
        task, process, self._task = self._task, self._process, None
        if task is None or process is None:
            return
        await self.send_meta({"type": "quit"})
        try:
            await asyncio.wait_for(asyncio.shield(task), LAST)
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
        await task
        await process.wait()

    # --- its page ---------------------------------------------------------------------------------

    async def attach(self, page: web.WebSocketResponse, width: int, height: int) -> None:
        """Shows the screen on a page, and no longer on an earlier one. Starts it, or draws it
        anew."""
        before, self._page, self.alone_since = self._page, page, None
        if before is not None:
            await _quietly(before.send_json(["brt", {"type": "replaced"}]))
            await _quietly(before.close())
        if self._process is None:
            await self.start(width, height)
            return
        for message in self._told.values():
            await self._write_str(message)
        await self._write_bytes(MODES)
        # Only another size makes the screen draw all of itself, and it overlooks a short one.
        await self.set_terminal_size(width, height - 1)
        await asyncio.sleep(SHORT)
        await self.set_terminal_size(width, height)

    def detach(self, page: web.WebSocketResponse) -> None:
        """Notes that a page is gone; the screen waits for it."""
        if self._page is page:
            self._page, self.alone_since = None, time.monotonic()

    async def _write_bytes(self, data: bytes) -> None:
        if self._page is not None:
            await _quietly(self._page.send_bytes(data))

    async def _write_str(self, text: str) -> None:
        if self._page is not None:
            await _quietly(self._page.send_str(text))

    async def _close(self) -> None:
        if self._page is not None:
            await _quietly(self._page.close())

    async def on_meta(self, data: bytes) -> None:
        message = json.loads(data)
        if message.get("type") == "exit":
            self.left = True
        if message.get("type") == "brt":  # of our own: for the page
            tells = message["tells"]
            self._told[tells["type"]] = json.dumps(["brt", tells])
            await self._write_str(self._told[tells["type"]])
        else:
            await super().on_meta(data)

    async def on_packed(self, payload: bytes) -> None:
        """Keeps a file that the screen hands out, and tells the page where it is."""
        packed: Any = binary_load(payload)
        _, name, kind, how, content = packed
        file = HandedOut(name, kind, how == "browser", content)
        tells = {"type": "file", "key": self._kept.keep(file), "name": name, "shows": file.shows}
        await self._write_str(json.dumps(["brt", tells]))

    async def give(self, files: Given) -> None:
        """Gives a visitor's files to the screen."""
        listed = [(name, b64encode(data).decode()) for name, data in files.items()]
        await self.send_meta({"type": "files", "files": listed})  # type: ignore[dict-item]


async def _quietly(sending: Awaitable[Any]) -> None:
    """Sends to a page that may be gone at any moment."""
    with suppress(ConnectionError, RuntimeError):
        await sending


# --- what a page may send -------------------------------------------------------------------------


class Frame(NamedTuple):
    """A frame from a browser that makes sense: its kind, and its value."""

    kind: str
    value: Any


def frame_of(text: str) -> Frame | None:
    """Reads a frame; None if it makes no sense: nothing is done then."""
    try:
        kind, value = (*json.loads(text), None)[:2]
    except (ValueError, TypeError, RecursionError):
        return None
    match kind:
        case "stdin" if isinstance(value, str) and len(value) <= MOST_TYPED:
            return Frame(kind, value.encode("utf-8", "replace"))
        case "resize" if isinstance(value, dict):
            return Frame(kind, size_of(value.get("width"), value.get("height")))
        case "ping" if isinstance(value, int | float | str) and len(str(value)) < 100:
            return Frame(kind, value)
        case "focus" | "blur":
            return Frame(kind, None)
        case _:
            return None


def size_of(width: object, height: object) -> tuple[int, int]:
    """A size in cells that a screen can have, nearest to what a page asks for."""
    return _within(width, COLUMNS, 80), _within(height, ROWS, 24)


def _within(asked: object, bounds: tuple[int, int], usual: int) -> int:
    try:
        number = int(asked) if isinstance(asked, int | str) else usual
    except ValueError:
        number = usual
    return min(max(number, bounds[0]), bounds[1])


async def obey(page: web.WebSocketResponse, service: SeatService) -> None:
    """Passes on what a page sends, until it is gone; faster than MOST_FRAMES it has to wait."""
    pace = Pace(MOST_FRAMES)
    async for message in page:
        await pace.keep()
        found = frame_of(message.data) if message.type == WSMsgType.TEXT else None
        if found is None:
            continue
        match found.kind:
            case "stdin":
                await service.send_bytes(found.value)
            case "resize":
                await service.set_terminal_size(*found.value)
            case "ping":
                await _quietly(page.send_json(["pong", found.value]))
            case "focus":
                await service.focus()
            case _:
                await service.blur()


@dataclass(slots=True)
class Pace:
    """Lets through so many things a second."""

    most: int
    clock: Callable[[], float] = time.monotonic
    second: float = 0.0
    count: int = 0

    async def keep(self) -> None:
        """Waits until the next one may pass."""
        now = self.clock()
        if now - self.second >= 1:
            self.second, self.count = now, 0
        self.count += 1
        if self.count > self.most:
            await asyncio.sleep(1 - (now - self.second))


def changes_of(file: Path) -> bytes:
    """SQLite's own count of the changes of a file, which stands in its first page; empty if it
    cannot be read now."""
    with suppress(OSError), file.open("rb", buffering=0) as opened:
        opened.seek(24)
        return opened.read(4)
    return b""


# --- all of them ------------------------------------------------------------------------------


Key = tuple[str, str]  # of a screen: its seat, and the id of its tab


class Screens:
    """The screens of all seats, by seat and by the id of the tab."""

    def __init__(self, file: Place, kept: Mapping[str, Kept]) -> None:
        self._file, self._kept = file, kept
        self._of: dict[Key, SeatService] = {}
        self._left: dict[Key, None] = {}

    def state(self, seat: str, tab: str) -> str:
        """What a page is told of its screen: "open", "left" by its player, "none", or "full" where
        its seat can have no more of them."""
        service = self._of.get((seat, tab))
        if service is not None and service.runs and not service.left:
            return "open"
        if (seat, tab) in self._left:
            return "left"
        return "none" if self._has_room(seat, tab) else "full"

    async def show(
        self, seat: str, tab: str, page: web.WebSocketResponse, width: int, height: int
    ) -> None:
        """Shows the screen of a tab on its page for as long as that is open."""
        key = seat, tab
        service = self._of.get(key)
        if service is None or not service.runs or service.left:
            service = self._of[key] = SeatService(self._file, seat, self._kept[seat])
            self._left.pop(key, None)
        try:
            await service.attach(page, width, height)
            await obey(page, service)
        finally:
            service.detach(page)
            if service.left or not service.runs:
                await self._end(key)

    async def give(self, seat: str, tab: str, files: Given) -> bool:
        """Gives a visitor's files to the screen of his tab. Returns whether there is one."""
        service = self._of.get((seat, tab))
        if service is None or not service.runs:
            return False
        await service.give(files)
        return True

    async def make_room(self, seat: str, tab: str) -> bool:
        """Ends the screen that has been without a page for longest, if a seat has too many.
        Returns whether there is room for another one."""
        mine, alone = self._of_seat(seat)
        if (seat, tab) not in self._of and len(mine) >= MOST_SCREENS and alone:
            await self._end(min(alone)[1])
        return self._has_room(seat, tab)

    def _has_room(self, seat: str, tab: str) -> bool:
        """Whether a seat may have this screen, perhaps instead of one without a page."""
        mine, alone = self._of_seat(seat)
        return (seat, tab) in self._of or len(mine) < MOST_SCREENS or bool(alone)

    def _of_seat(
        self, seat: str
    ) -> tuple[list[tuple[str, str]], list[tuple[float, tuple[str, str]]]]:
        """The screens of a seat, and those without a page, each with when it lost it."""
        mine = [key for key in self._of if key[0] == seat]
        alone = [(since, key) for key in mine if (since := self._of[key].alone_since) is not None]
        return mine, alone

    async def _end(self, key: Key) -> None:
        service = self._of.pop(key, None)
        if service is not None:
            if service.left:
                self._left[key] = None
            await service.stop()

    async def tidy(self) -> None:
        """Ends the screens whose pages did not come back; never returns."""
        while True:
            await asyncio.sleep(GRACE / 20)
            before = time.monotonic() - GRACE
            for key, service in [*self._of.items()]:
                alone = service.alone_since
                if (alone is not None and alone < before) or not service.runs:
                    await self._end(key)

    async def watch(self) -> None:
        """Tells the screens when the campaign's file has changed, so that not each of them has to
        look; never returns. On a server each hears it by itself."""
        if isinstance(self._file, Address):
            return
        known = changes_of(self._file)
        while True:
            await asyncio.sleep(LOOK_EVERY)
            now = changes_of(self._file) if self._of else known
            if now != known:
                known = now
                for service in [*self._of.values()]:
                    if service.runs:
                        await service.send_meta({"type": "moved"})

    async def end_all(self) -> None:
        """Ends every screen."""
        await asyncio.gather(*(self._end(key) for key in [*self._of]))
