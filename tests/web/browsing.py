"""The screen in a real Chromium, and in a terminal beside it, for the tests.

The page paints on canvases, so what it shows is read from the frames of its websocket.
"""

import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from brt_cg.storage.place import Place
from tests.web.proxy import NAME
from tests.web.tabs import Words, plain

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    f"--host-resolver-rules=MAP {NAME} 127.0.0.1",
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


class Page:
    """A seat's page in a browser of its own, and every byte that its websocket received."""

    def __init__(
        self, browser: Any, address: str, width: int = 1200, height: int = 760, **device: Any
    ) -> None:
        self.frames: list[bytes] = []
        self._words = Words()
        self.requests: list[str] = []
        self.sockets: list[str] = []
        self.since = 0  # the number of frames that had come before the newest socket
        self.context = browser.new_context(viewport={"width": width, "height": height}, **device)
        self.page = self.context.new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", self._listen)
        self.page.goto(address)

    def _listen(self, websocket: Any) -> None:
        self.sockets.append(websocket.url)
        self.since = len(self.frames)
        websocket.on("framereceived", self._received)

    def _received(self, frame: str | bytes) -> None:
        self.frames.append(frame.encode() if isinstance(frame, str) else frame)
        self._words.hear(self.frames[-1])

    def text(self, since: int = 0) -> str:
        """All text that came, without its colours."""
        return plain(b"".join(self.frames[since:])) if since else self._words.text

    def wait_for(self, words: str, since: int = 0, seconds: float = 20) -> float:
        """Waits until words have come; how long that took."""
        started = time.monotonic()
        while words not in self.text(since):
            assert time.monotonic() - started < seconds, f"{words!r} did not come"
            self.page.wait_for_timeout(20)
        return time.monotonic() - started

    def rest(self, milliseconds: int = 20) -> None:
        """Lets the browser work for a moment."""
        self.page.wait_for_timeout(milliseconds)

    def press(self, key: str) -> int:
        """Presses a key; the number of frames that had come before."""
        before = len(self.frames)
        self.page.keyboard.press(key)
        return before


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser."""
    from playwright.sync_api import sync_playwright

    assert CHROMIUM, "no Chromium is installed: install Debian's chromium, or set WEB=skip"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


SLOW = 1_000_000 / 8  # bytes a second
FAR = 40  # milliseconds for the way there and back


def painted_after(browser: Any, address: str) -> float:
    """How long the first screen takes to appear by a link of 1 Mbit/s in a browser that has kept
    nothing, in seconds."""
    context = browser.new_context(viewport={"width": 1100, "height": 700})
    page = context.new_page()
    link = context.new_cdp_session(page)
    speed = {"downloadThroughput": SLOW, "uploadThroughput": SLOW, "latency": FAR}
    link.send("Network.enable")
    link.send("Network.emulateNetworkConditions", {"offline": False, **speed})
    started = time.monotonic()
    page.goto(address)
    while not page.evaluate("document.body.classList.contains('-first-byte')"):
        page.wait_for_timeout(20)
    page.evaluate("document.fonts.ready")
    took = time.monotonic() - started
    context.close()
    return took


class Terminal:
    """The screen in a pseudo-terminal of its own, and all text that it wrote there."""

    def __init__(self, path: Place, home: Path) -> None:
        self._words = Words()
        self._child, self._end = pty.fork()
        if self._child == 0:
            homes = {f"XDG_{kind}_HOME": str(home) for kind in ("CACHE", "CONFIG", "STATE")}
            words = [sys.executable, "-m", "brt_cg", "open", str(path)]
            os.execve(sys.executable, words, {**os.environ, **homes, "TERM": "xterm-256color"})
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def press(self, key: str) -> int:
        """Presses a key; the number of characters that had come before."""
        before = len(self.text())
        os.write(self._end, key.encode())
        return before

    def text(self, since: int = 0) -> str:
        """All text that came, without its colours."""
        while select.select([self._end], [], [], 0)[0]:
            self._words.hear(os.read(self._end, 65536))
        return self._words.text[since:]

    def close(self) -> None:
        os.kill(self._child, signal.SIGTERM)
        os.waitpid(self._child, 0)
        os.close(self._end)


def until(holds: Callable[[], bool], rest: Callable[[], None] = lambda: time.sleep(0.02)) -> None:
    """Waits until something has come about."""
    started = time.monotonic()
    while not holds():
        assert time.monotonic() - started < 20, "it did not come about"
        rest()
