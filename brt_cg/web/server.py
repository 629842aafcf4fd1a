"""The server behind `serve`: textual-serve's screens, with access control.

textual-serve by itself accepts a websocket from any page and any visitor. Here an address holds a
random token for one seat. It is exchanged once for a cookie that no script can read, and that other
sites can send only where a link in them is clicked; Host and Origin must be ours; and the page
loads nothing from elsewhere.
"""

import asyncio
import contextlib
import gzip
import ipaddress
import logging
import os
import secrets
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from html import escape
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from queue import Full, Queue
from string import Template
from threading import Thread
from typing import Any

from aiohttp import web
from textual_serve.server import Server

from brt_cg.model.value import value
from brt_cg.questions.answers import Refused
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Place
from brt_cg.text import abridged, printable
from brt_cg.web import SEATS, plain
from brt_cg.web.addresses import ServerAddress, Tokens, public_url, tokens_of
from brt_cg.web.files import MOST_GIVEN, Kept, given
from brt_cg.web.frames import Page, size_of
from brt_cg.web.notifying import Notifier, command_of
from brt_cg.web.screens import MOST_SCREENS, Screens

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
NO_SEAT = "Open the address of your seat, as serve printed it."
CLOSED = "This address was closed when new ones were made. Ask for the new one of your seat."
FIRST_LOOK = 60.0  # seconds until serve says who has come
REFUSAL = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>brt-cg</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head><body
style="font: 18px/1.5 system-ui, sans-serif; max-width: 34em; margin: 2em auto; padding: 0 1em">
<h1>This page does not open</h1><p>$words</p>
<p>Ask the player who serves the campaign, from whom you have the address: he sees it where he
has started <b>brt-cg serve</b>. Open all of it, up to its last letter.</p></body></html>
"""
PAGE = Path(__file__).parent / "page.html"
TAB = "[0-9a-f]{8,64}"  # the id that a page gives its tab
POLICY = (
    "default-src 'none'; connect-src 'self'; font-src 'self'; img-src 'self' data: blob:; "
    "script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


# Its forms tell their Origin, which a browser keeps back with the referrer.
PLAIN_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)


class SeatServer(Server):
    """Serves one campaign's screen, each seat at its own address."""

    def __init__(self, file: Place, tokens: Tokens, reach: ServerAddress) -> None:
        super().__init__("", host=reach.host, port=reach.port, title="brt-cg")
        self.tokens, self.reach = tokens, reach
        self.kept = {seat: Kept() for seat in SEATS}
        self.entering = asyncio.Lock()
        self.reached: set[str] = set()  # the seats whose cookie was shown
        self.giving = {seat: asyncio.Lock() for seat in SEATS}
        self.screens = Screens(file, self.kept)
        self.statics = Statics(Path(self.statics_path))
        self.lines = Lines()

    def address(self, seat: str) -> str:
        """The address that a seat's player opens first."""
        return f"{self.reach.origin}/?token={self.tokens.of_seat[seat]}"

    # --- the doors --------------------------------------------------------------------------------

    async def make_app(self) -> web.Application:
        app = web.Application(middlewares=[self.guard], client_max_size=MOST_GIVEN)
        app.add_routes(
            [
                web.get("/", self.enter),
                web.get("/seat/{seat}", self.with_a_slash),
                web.get("/seat/{seat}/", self.page),
                web.get("/seat/{seat}/plain", self.plain),
                web.post("/seat/{seat}/plain", self.plain_entered),
                web.get(f"/seat/{{seat}}/ws/{{tab:{TAB}}}", self.handle_websocket),
                web.get(f"/seat/{{seat}}/state/{{tab:{TAB}}}", self.state),
                web.get("/seat/{seat}/file/{key}/{name}", self.file),
                web.post(f"/seat/{{seat}}/give/{{tab:{TAB}}}", self.give),
                web.get("/static/{path:.+}", self.statics.send),
            ]
        )
        return app

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuses requests for other hosts or from other origins, and forbids caching and
        framing."""
        if not self.reach.is_ours(request.host, request.headers.get("Origin")):
            raise web.HTTPForbidden(text="This address is not served here.")
        try:
            response = await handler(request)
        except web.HTTPException as refused:
            if refused.status < 400 or "text/html" not in request.headers.get("Accept", ""):
                raise
            response = refusal(refused.status, refused.text or refused.reason)
        if not response.prepared:
            response.headers.setdefault("Content-Security-Policy", POLICY.format(nonce=""))
            response.headers.setdefault("Referrer-Policy", "no-referrer")
            response.headers["X-Content-Type-Options"] = "nosniff"
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    def _seat_of(self, request: web.Request) -> str:
        """The seat that a request is for. Raises HTTPForbidden without its cookie."""
        seat = request.match_info["seat"]
        if not self.tokens.opens(seat, request.cookies):
            raise web.HTTPForbidden(text=NO_SEAT)
        self.lines.know(request.protocol)
        self.reached.add(seat)
        return seat

    async def with_a_slash(self, request: web.Request) -> web.StreamResponse:
        """Leads to the page of a seat whoever typed its path without the last sign."""
        raise web.HTTPFound(f"/seat/{self._seat_of(request)}/")

    async def tell_who_came(self, seats: Sequence[str], say: Callable[[str], None]) -> None:
        """Says after a while whose address has been opened, and whose has not."""
        await asyncio.sleep(FIRST_LOOK)
        for seat in seats:
            came = "its address has been opened"
            if seat not in self.reached:
                came = "nobody has opened its address yet; if he tries in vain, see serve --help"
            say(f"{seat}: {came}")

    async def enter(self, request: web.Request) -> web.StreamResponse:
        """Exchanges a token for the seat's cookie, and redirects to its screen, or with `&plain` to
        its plain page, without the token."""
        token = request.query.get("token", "")
        seat = self.tokens.seat_of(token)
        if seat is None:
            raise web.HTTPForbidden(text=CLOSED if self.tokens.was_closed(token) else NO_SEAT)
        to = "plain" if "plain" in request.query else ""
        response = web.Response(status=303, headers={"Location": f"/seat/{seat}/{to}"})
        response.set_cookie(
            self.tokens.cookie_name(seat),
            self.tokens.cookie(seat),
            path="/",
            httponly=True,
            samesite="Lax",  # Strict is not sent where a link in a mail led here,
            secure=self.reach.is_encrypted(request.host, request.headers.get("X-Forwarded-Proto")),
        )
        return response

    async def page(self, request: web.Request) -> web.StreamResponse:
        seat = self._seat_of(request)
        nonce = secrets.token_urlsafe(16)
        text = Template(PAGE.read_text(encoding="utf-8")).substitute(
            title=f"brt-cg: {seat}", nonce=nonce, seat=seat, version=self.statics.version
        )
        policy = POLICY.format(nonce=nonce)
        response = web.Response(
            text=text, content_type="text/html", headers={"Content-Security-Policy": policy}
        )
        response.enable_compression()
        return response

    async def plain(self, request: web.Request, problem: str = "") -> web.StreamResponse:
        """The plain page of a seat, with what was wrong with what it entered."""
        seat, file = self._seat_of(request), self.screens.file
        try:
            text = await asyncio.to_thread(plain.shown, file, seat, problem)
        except StorageError as why:
            raise web.HTTPServiceUnavailable(text=str(why)) from None
        headers = {"Content-Security-Policy": PLAIN_POLICY, "Referrer-Policy": "same-origin"}
        response = web.Response(text=text, content_type="text/html", headers=headers)
        response.enable_compression()
        return response

    async def plain_entered(self, request: web.Request) -> web.StreamResponse:
        """Enters what a form of the plain page holds, and shows what came of it."""
        seat = self._seat_of(request)
        if request.headers.get("Origin") is None:
            raise web.HTTPForbidden(text="What is entered comes from the page of its seat.")
        given = await request.post()
        asked = {name: found for name, found in given.items() if isinstance(found, str)}
        try:
            async with self.entering:
                told = await asyncio.to_thread(plain.done, self.screens.file, seat, asked)
        except (Refused, StorageError) as why:
            return await self.plain(request, str(why))
        if told:
            return await self.plain(request, "\n".join(told))
        return web.Response(status=303, headers={"Location": f"/seat/{seat}/plain"})

    async def state(self, request: web.Request) -> web.StreamResponse:
        """Tells a page whether the server is there, and what became of its screen."""
        seat = self._seat_of(request)
        return web.json_response({"state": self.screens.state(seat, request.match_info["tab"])})

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Shows the screen of a tab for as long as its page is open."""
        seat, tab = self._seat_of(request), request.match_info["tab"]
        if request.headers.get("Origin") is None:
            raise web.HTTPForbidden(text="A websocket comes from the page of its seat.")
        service = await self.screens.room_for(seat, tab)
        if service is None:
            raise web.HTTPTooManyRequests(
                text=f"{MOST_SCREENS} screens of this seat are open: close one first."
            )
        page = Page()
        await page.prepare(request)
        self.lines.watch(request.protocol)
        size = size_of(request.query.get("width"), request.query.get("height"))
        await self.screens.show(service, tab, page, size)
        return page

    async def file(self, request: web.Request) -> web.StreamResponse:
        """Sends a file from a screen to the browser of its own player, and to no other."""
        seat = self._seat_of(request)
        file = self.kept[seat].find(request.match_info["key"])
        if file is None:
            raise web.HTTPGone(text="This file is no longer kept here: export it again.")
        return file.answer()

    async def give(self, request: web.Request) -> web.StreamResponse:
        """Takes files from a page to its screen, once those of the seat's other pages are taken."""
        seat = self._seat_of(request)
        if request.headers.get("Origin") is None:
            raise web.HTTPForbidden(text="Files come from the page of their seat.")
        async with self.giving[seat]:
            files = await given(request)
            if not await self.screens.give(seat, request.match_info["tab"], files):
                raise web.HTTPGone(text="This screen is gone.")
        return web.Response(text="")


def refusal(status: int, words: str) -> web.Response:
    """What is refused as a page, which names whom to ask."""
    text = Template(REFUSAL).substitute(words=escape(words))
    return web.Response(status=status, text=text, content_type="text/html")


# --- running ----------------------------------------------------------------------------------


@value
class Serving:
    """What `serve` was asked for: where to listen, the address in front of it, whether to close the
    old addresses, the seat of the player who serves, if he said one, the command to run when it
    becomes a player's turn, and whether the umpire, who sees all, has an address too."""

    bind: str
    port: int = 0
    public: str | None = None
    new_addresses: bool = False
    seat: str | None = None
    notify: str | None = None
    umpire: bool = False

    @property
    def seats(self) -> Sequence[str]:
        """The seats that have an address."""
        return [seat for seat in SEATS if self.umpire or seat != SEATS[0]]


def run(
    file: Place,
    campaign: str,
    asked: Serving,
    show: Callable[[str], None],
    say: Callable[[str], None],
) -> None:
    """Serves the screen of a campaign, identified by the hash of its first entry, until it is
    interrupted; with `port` 0 on any free one. `show` gets the addresses, which are data, and `say`
    what they are for, which is talk. Raises Refused for an address that is not available."""
    public = None if asked.public is None else public_url(asked.public)
    notifier = Notifier(file, command_of(asked.notify)) if asked.notify is not None else None
    listening = _listen(asked.bind, asked.port)
    tokens = tokens_of(campaign, asked.seats, asked.new_addresses)
    server = SeatServer(file, tokens, ServerAddress(asked.bind, listening.getsockname()[1], public))
    is_encrypted = public is not None and public.startswith("https://")
    is_reached = public is not None or not ipaddress.ip_address(asked.bind).is_loopback
    if is_reached and not is_encrypted:
        say(
            f"{public or asked.bind} can be reached by other machines. Whoever has a seat's "
            "address plays that seat, and what travels is not encrypted: give each player his own "
            "address only, on a network that you trust."
        )
    for seat in asked.seats:
        show(f"{seat} {server.address(seat)}")
        if sys.stderr.isatty():
            say("\n".join(qr_code(server.address(seat))))
    works = [server.tell_who_came(asked.seats, say)]
    works += [notifier.watch()] if notifier is not None else []
    with faults_said(), contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(server, listening, works))


async def _serve(
    server: SeatServer, listening: socket.socket, works: Iterable[Coroutine[Any, Any, None]]
) -> None:
    runner = web.AppRunner(await server.make_app(), keepalive_timeout=IDLE, shutdown_timeout=2)
    await runner.setup()
    assert runner.server is not None
    site = await asyncio.get_running_loop().create_server(
        partial(server.lines.new, runner.server), sock=listening
    )
    ended = asyncio.Event()
    with contextlib.suppress(NotImplementedError):  # Windows has no such signal
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    works = [server.screens.tidy(), server.screens.watch(), *works]
    beside = [asyncio.create_task(work) for work in works]
    try:
        await ended.wait()
    finally:
        for task in beside:
            task.cancel()
        site.close()
        await server.screens.end_all()
        await runner.cleanup()


def _listen(bind: str, port: int) -> socket.socket:
    """A listening socket at an address of this machine. Raises Refused."""
    try:
        address = ipaddress.ip_address(bind)
    except ValueError:
        raise Refused(
            f"--bind: found {bind}; allowed: an address of this machine, such as 192.168.1.20"
        ) from None
    if address.is_unspecified:
        raise Refused(f"--bind: found {bind}; allowed: one address of this machine, not all")
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    # Windows would let another program listen beside it otherwise; elsewhere a port is not free for
    # a minute after its server has ended.
    exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
    listening.setsockopt(
        socket.SOL_SOCKET, socket.SO_REUSEADDR if exclusive is None else exclusive, 1
    )
    try:
        listening.bind((bind, port))
    except OSError as error:
        listening.close()
        raise Refused(f"{bind}, port {port}: {error.strerror}") from None
    listening.listen()
    return listening


# --- faults, a line each on stderr, where perhaps nobody reads them -------------------------------

WHO = ("aiohttp", "asyncio", "brt_cg.web", "textual-serve")  # the loggers that tell of faults
MOST_WAITING = 100  # lines that nobody has read; what comes then is dropped
LAST = 0.5  # seconds to say the rest, at the end


class _Faults(logging.Handler):
    """Says faults from a thread of its own, so that nobody waits where the pipe is full."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(logging.ERROR)
        self._descriptor = descriptor
        self._lines: Queue[bytes | None] = Queue(MOST_WAITING)
        self._saying = Thread(target=self._say, name="faults", daemon=True)
        self._saying.start()

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else None
        text = f"serve: {record.getMessage()}{f': {fault!r}' if fault else ''}"
        with suppress(Full):
            self._lines.put_nowait(f"{abridged(printable(text))}\n".encode())

    def _say(self) -> None:
        with suppress(OSError):
            # Not through sys.stderr, whose lock Python needs when it ends.
            while line := self._lines.get():
                os.write(self._descriptor, line)

    def close(self) -> None:
        with suppress(Full):
            self._lines.put_nowait(None)
        self._saying.join(LAST)
        super().close()


@contextmanager
def faults_said() -> Iterator[None]:
    """Has the faults of the server and its libraries said on stderr, if there is one."""
    if sys.stderr is None:
        yield
        return
    faults = _Faults(sys.stderr.fileno())
    loggers = [logging.getLogger(name) for name in WHO]
    for logger in loggers:
        logger.addHandler(faults)
        logger.propagate = False
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(faults)
            logger.propagate = True
        faults.close()


# --- connections, of which there are no more than a server can deal with --------------------------

MOST_LINES = 128  # without a websocket; two seats' and an umpire's pages need half of that
IDLE = 150.0  # seconds for a request to come; web servers in front give up theirs after 120


class Lines:
    """Makes the connections of a server. Where there are too many, the oldest is cut: of somebody
    who has not shown that he has a seat, if there is one."""

    def __init__(self) -> None:
        self._known: set[asyncio.BaseProtocol] = set()
        self._watched: set[asyncio.BaseProtocol] = set()

    def new(self, server: web.Server) -> asyncio.BaseProtocol:
        """A new connection of a server."""
        every = server.connections
        self._known.intersection_update(every)
        self._watched.intersection_update(every)
        lines = [
            line
            for line in every
            if line not in self._watched and line.transport and not line.transport.is_closing()
        ]
        too_many = max(0, len(lines) + 1 - MOST_LINES)
        for line in sorted(lines, key=self._known.__contains__)[:too_many]:
            assert line.transport is not None
            line.transport.abort()
        return server()

    def know(self, line: asyncio.BaseProtocol) -> None:
        """Notes that a connection is that of a seat's player."""
        self._known.add(line)

    def watch(self, line: asyncio.BaseProtocol) -> None:
        """Leaves a connection to its page: a websocket, of which each screen has one."""
        self._watched.add(line)


# --- what a page loads, compressed and kept by the browser ----------------------------------------

KINDS = {".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf", ".png": "image/png"}
A_YEAR = "private, max-age=31536000, immutable"  # the version is part of the address


class Statics:
    """The files of a folder, each compressed once."""

    def __init__(self, folder: Path) -> None:
        self.version = version("textual-serve")
        self._files = {
            f"{self.version}/{path.relative_to(folder).as_posix()}": path
            for path in folder.rglob("*")
            if path.suffix in KINDS
        }

    async def send(self, request: web.Request) -> web.StreamResponse:
        """Sends a file. Raises HTTPNotFound for anything but a file of the folder."""
        path = self._files.get(request.match_info["path"])
        if path is None:
            raise web.HTTPNotFound
        headers = {"Cache-Control": A_YEAR, "Vary": "Accept-Encoding"}
        body = _compressed(path)
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"] = "gzip"
        else:
            body = path.read_bytes()
        return web.Response(body=body, content_type=KINDS[path.suffix], headers=headers)


@cache
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 9, mtime=0)


def qr_code(address: str) -> Iterator[str]:
    """An address as a QR code for a terminal, line by line; nothing without the library."""
    try:
        import segno
    except ImportError:
        return
    drawn = StringIO()
    segno.make(address, error="l").terminal(out=drawn, compact=True)
    yield from drawn.getvalue().rstrip("\n").split("\n")
