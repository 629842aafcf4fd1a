"""The websocket of a page, and its allowed input: valid frames, of harmless sizes and at a harmless
pace."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from aiohttp import WSMsgType, web
from aiohttp.abc import AbstractStreamWriter

MOST_FRAME = 256 * 1024  # bytes of a frame from a browser
MOST_TYPED = 100_000  # characters of one input, such as a paste
MOST_FRAMES = 400  # frames a second; a mouse gives about a hundred
A_FRAME = 250  # characters; what is longer counts as several, so that one large paste is a second's
PATIENCE = 20.0  # seconds in which a page has to take what is sent to it
CLOSING = 2.0  # seconds in which it has to answer that it is closed
COLUMNS, ROWS = (20, 500), (5, 200)  # the sizes that a page may ask for


class PageWebSocket(web.WebSocketResponse):
    """The websocket of a page. It is cut off if it accepts nothing for PATIENCE seconds, so that
    nobody waits for it any longer."""

    def __init__(self) -> None:
        super().__init__(heartbeat=10, timeout=CLOSING, max_msg_size=MOST_FRAME, autoping=False)
        self._line: asyncio.Transport | None = None

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter:
        self._line = request.transport
        return await super().prepare(request)

    async def send_ignoring_errors(self, sending: Awaitable[Any]) -> None:
        """Send to a page that may be gone at any moment."""
        try:
            async with asyncio.timeout(PATIENCE):
                await sending
        except TimeoutError:
            self.cut_connection()
        except (ConnectionError, RuntimeError):
            pass

    async def close_as_replaced(self) -> None:
        """Notify a page, if it listens, that another page now shows its screen, and close its
        websocket."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING):
                await self.send_ignoring_errors(self.send_json(["brt", {"type": "replaced"}]))
                await self.send_ignoring_errors(self.close())
        self.cut_connection()

    def cut_connection(self) -> None:
        """Close the connection immediately."""
        if self._line is not None:
            self._line.abort()


class Frame(NamedTuple):
    """A valid frame from a browser: its kind and its value."""

    kind: str
    value: Any


def parse_frame(text: str) -> Frame | None:
    """Read a frame; return None if it is not valid, so that it is ignored."""
    try:
        kind, value = (*json.loads(text), None)[:2]
    except (ValueError, TypeError, RecursionError):
        return None
    match kind:
        case "stdin" if isinstance(value, str) and len(value) <= MOST_TYPED:
            return Frame(kind, value.encode("utf-8", "replace"))
        case "resize" if isinstance(value, dict):
            return Frame(kind, clamp_size(value.get("width"), value.get("height")))
        case "ping" if isinstance(value, int | float | str) and len(str(value)) < 100:
            return Frame(kind, value)
        case "focus" | "blur":
            return Frame(kind, None)
        case _:
            return None


def clamp_size(width: object, height: object) -> tuple[int, int]:
    """Return a size in cells that a screen can have, nearest to what a page asks for."""
    return _within(width, COLUMNS, 80), _within(height, ROWS, 24)


def _within(asked: object, bounds: tuple[int, int], usual: int) -> int:
    try:
        number = int(asked) if isinstance(asked, int | str) else usual
    except ValueError:
        number = usual
    return min(max(number, bounds[0]), bounds[1])


class FrameReceiver(Protocol):
    """The part of a screen that its page can access."""

    async def send_bytes(self, data: bytes) -> bool: ...
    async def set_terminal_size(self, width: int, height: int) -> None: ...
    async def focus(self) -> None: ...
    async def blur(self) -> None: ...


async def dispatch_frames(page: PageWebSocket, screen: FrameReceiver) -> None:
    """Pass on the frames that a page sends, until the page is gone; beyond MOST_FRAMES a second,
    the page has to wait."""
    pace = RateLimiter(MOST_FRAMES)
    async for message in page:
        data = message.data if isinstance(message.data, str | bytes) else ""  # or why it was closed
        await pace.wait(1 + len(data) // A_FRAME)
        if message.type == WSMsgType.PING:
            await page.send_ignoring_errors(page.pong(message.data))
        found = parse_frame(data) if isinstance(data, str) else None
        if found is None:
            continue
        match found.kind:
            case "stdin":
                await screen.send_bytes(found.value)
            case "resize":
                await screen.set_terminal_size(*found.value)
            case "ping":
                await page.send_ignoring_errors(page.send_json(["pong", found.value]))
            case "focus":
                await screen.focus()
            case _:
                await screen.blur()


@dataclass(slots=True)
class RateLimiter:
    """A limiter that lets a given number of things through each second."""

    most: int
    clock: Callable[[], float] = time.monotonic
    second: float = 0.0
    count: int = 0

    async def wait(self, count: int = 1) -> None:
        """Wait until a given number of further things may pass."""
        now = self.clock()
        if now - self.second >= 1:
            self.second, self.count = now, 0
        self.count += count
        if self.count > self.most:
            await asyncio.sleep(1 - (now - self.second))
