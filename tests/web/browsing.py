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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from brt_cg.storage.place import Place
from brt_cg.tui.session.campaign_app import BRIEFLY
from tests.homes import homes
from tests.web.proxy import NAME
from tests.web.tabs import PATIENCE, Words, plain

GLANCE = 250  # milliseconds, in which a screen that has come is read
DROPPED = "so ignored"  # a key that came before its question
# Seconds until the notice of a dropped key has gone. Until then it may be drawn anew, which is no
# second drop, and a second drop draws nothing.
GONE = BRIEFLY + 1

# The first needs least of the processor: it has no windows.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    "--font-render-hinting=none",  # as in a window: else letters are wider on narrow pages
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
        self._pressed = "", 0  # the last key, and the number of frames that had come before
        self.since = 0  # the number of frames that had come before the newest socket
        self.context = browser.new_context(viewport={"width": width, "height": height}, **device)
        self.context.set_default_timeout(PATIENCE * 1000)
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

    def wait_for(self, words: str, since: int = 0) -> None:
        """Wait until words have come and the page has been painted, then for a player's glance:
        until then the browser or the screen drops what is pressed."""
        until(lambda: words in self.text(since), self._press_again, f"{words!r} did not come")
        until(self._is_painted, self.rest, "the page was not painted")
        self.page.wait_for_timeout(GLANCE)

    def wait_for_socket(self, number: int, words: str) -> None:
        """Waits until the page has opened its websocket for so many times, and words have come
        since: as the page came back or was loaded anew."""
        until(lambda: len(self.sockets) >= number, self.rest, f"no socket {number}")
        self.wait_for(words, since=self.since)

    def _is_painted(self) -> bool:
        from playwright.sync_api import Error

        try:
            return bool(self.page.evaluate("performance.getEntriesByType('paint').length"))
        except Error:  # it is being loaded anew
            return False

    def rest(self) -> None:
        """Lets the browser work for a moment."""
        self.page.wait_for_timeout(20)

    def press(self, key: str) -> int:
        """Presses a key; the number of frames that had come before."""
        self._pressed = key, len(self.frames)
        self.page.keyboard.press(key)
        return self._pressed[1]

    def _press_again(self) -> None:
        """Press again, as a player would, the last key if the screen says that it was dropped."""
        self.rest()
        key, before = self._pressed
        if before and DROPPED in self.text(before):
            self.page.wait_for_timeout(GONE * 1000)
            self._pressed = key, len(self.frames)
            self.page.keyboard.press(key)


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
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            words = [sys.executable, "-m", "brt_cg", "open", str(path)]
            os.execve(
                sys.executable, words, {**os.environ, **homes(home), "TERM": "xterm-256color"}
            )

    def rest(self) -> None:
        """Lets it work for a moment."""
        time.sleep(0.02)

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

    def shows(self, words: str, seconds: float) -> bool:
        """Whether words come within so many seconds."""
        end = time.monotonic() + seconds
        while words not in self.text() and time.monotonic() < end:
            self.rest()
        return words in self.text()

    def close(self) -> None:
        os.kill(self._child, signal.SIGTERM)
        os.waitpid(self._child, 0)
        os.close(self._end)


def until(
    holds: Callable[[], bool],
    rest: Callable[[], None] = lambda: time.sleep(0.02),
    otherwise: str = "it did not come about",
) -> None:
    """Waits until something has come about."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, otherwise
        rest()


def in_refit(terminal: Terminal, pages: Sequence[Page]) -> None:
    """Has everybody, who sits at a campaign at its first question, look at it."""
    for page in pages:
        page.wait_for("Demo: Betio")
        page.press("r")
        page.wait_for("Melee round 1")
    seen_by(terminal, "Which seat?")
    terminal.press("u")
    seen_by(terminal, "Seat: Umpire")
    while not terminal.shows("similar questions", 2.0):  # a key that comes too early is dropped
        terminal.press("r")


def entered(
    who: Terminal | Page, key: str, words: str, everybody: Sequence[Terminal | Page]
) -> None:
    """Presses a key; all others, and who pressed it, show what came of it. A key that comes before
    its question is drawn is dropped, and the screen says so: then it is pressed again."""
    before, mine = [len(each.text()) for each in everybody], len(who.text())
    who.press(key)
    while heard(who, (words, DROPPED), mine) != words:
        wait_until_gone(who)
        mine = len(who.text())
        who.press(key)
    for each, since in zip(everybody, before, strict=True):
        seen_by(each, words, since)


def wait_until_gone(who: Terminal | Page) -> None:
    """Wait until the notice of a dropped key has gone."""
    end = time.monotonic() + GONE
    until(lambda: time.monotonic() > end, who.rest)


def heard(each: Terminal | Page, words: Sequence[str], since: int) -> str:
    """Which words are on a screen, after so many characters, the first of them; waits for them."""
    found: list[str] = []

    def come() -> bool:
        text = each.text()[since:]
        found.extend(one for one in words if one in text)
        return bool(found)

    until(come, each.rest, f"none of {words} came")
    return found[0]


def seen_by(each: Terminal | Page, words: str, since: int = 0) -> None:
    """Waits until words are on a screen, after so many characters."""
    heard(each, [words], since)
