"""The server behind `serve`: textual-serve's, with access control.

textual-serve by itself accepts a websocket from any page and any visitor. Here an address holds a
random token for one seat. It is exchanged once for a cookie that no script can read and no other
site can send; Host and Origin must be ours; and the page loads nothing from elsewhere.
"""

import asyncio
import contextlib
import hmac
import ipaddress
import os
import secrets
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from string import Template

from aiohttp import web
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager
from textual_serve.server import Server, to_int

from brt_cg.questions.answers import Refused
from brt_cg.storage.place import Address, Place
from brt_cg.web import SEAT_VARIABLE, SEATS

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
LOOPBACK = "127.0.0.1"
NO_SEAT = "Open the address of your seat, as serve printed it."
PAGE = Path(__file__).parent / "page.html"
POLICY = (
    "default-src 'none'; connect-src 'self'; font-src 'self'; img-src 'self' data:; "
    "script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class SeatServer(Server):
    """Serves one campaign's screen, each seat at its own address."""

    def __init__(self, file: Place, host: str, port: int) -> None:
        super().__init__("", host=host, port=port, title="brt-cg")
        self.file = file
        self.tokens = {seat: secrets.token_urlsafe(32) for seat in SEATS}
        self.cookies = {seat: secrets.token_urlsafe(32) for seat in SEATS}
        self.downloads = {seat: DownloadManager() for seat in SEATS}
        self.open: set[web.WebSocketResponse] = set()

    # --- addresses --------------------------------------------------------------------------------

    @property
    def origin(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    def address(self, seat: str) -> str:
        """The address that a seat's player opens first."""
        return f"{self.origin}/?token={self.tokens[seat]}"

    # --- the doors --------------------------------------------------------------------------------

    async def make_app(self) -> web.Application:
        app = web.Application(middlewares=[self.guard])
        app.add_routes(
            [
                web.get("/", self.enter),
                web.get("/seat/{seat}/", self.page),
                web.get("/seat/{seat}/ws", self.handle_websocket),
                web.get("/download/{key}", self.handle_download),
                web.static("/static", self.statics_path),
            ]
        )
        return app

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuses requests for other hosts or from other origins, and forbids caching and
        framing."""
        if not self._is_ours(request):
            raise web.HTTPForbidden(text="This address is not served here.")
        response = await handler(request)
        if not response.prepared:
            response.headers.setdefault("Content-Security-Policy", POLICY.format(nonce=""))
            response.headers["Referrer-Policy"] = "no-referrer"
            response.headers["X-Content-Type-Options"] = "nosniff"
            response.headers["Cache-Control"] = "no-store"
        return response

    def _is_ours(self, request: web.Request) -> bool:
        names = {self.origin.removeprefix("http://")}
        if self.host == LOOPBACK:
            names.add(f"localhost:{self.port}")
        origin = request.headers.get("Origin")
        return request.host in names and origin in (None, f"http://{request.host}")

    def _seat_of(self, request: web.Request) -> str:
        """The seat that a request is for. Raises HTTPForbidden without its cookie."""
        seat = request.match_info["seat"]
        given = request.cookies.get(_cookie_name(seat), "")
        if seat not in SEATS or not _are_alike(given, self.cookies[seat]):
            raise web.HTTPForbidden(text=NO_SEAT)
        return seat

    async def enter(self, request: web.Request) -> web.StreamResponse:
        """Exchanges a token for the seat's cookie, and redirects to its page, without the token."""
        token = request.query.get("token", "")
        found = [seat for seat in SEATS if _are_alike(token, self.tokens[seat])]
        if not found:
            raise web.HTTPForbidden(text=NO_SEAT)
        seat = found[0]
        response = web.Response(status=303, headers={"Location": f"/seat/{seat}/"})
        response.set_cookie(
            _cookie_name(seat), self.cookies[seat], path="/", httponly=True, samesite="Strict"
        )
        return response

    async def page(self, request: web.Request) -> web.StreamResponse:
        seat = self._seat_of(request)
        nonce = secrets.token_urlsafe(16)
        socket_address = f"ws://{request.host}/seat/{seat}/ws"
        text = Template(PAGE.read_text(encoding="utf-8")).substitute(
            title=f"brt-cg: {seat}", nonce=nonce, socket=socket_address
        )
        policy = POLICY.format(nonce=nonce)
        return web.Response(
            text=text, content_type="text/html", headers={"Content-Security-Policy": policy}
        )

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Runs the screen of one seat for as long as its page is open."""
        seat = self._seat_of(request)
        if request.headers.get("Origin") is None:
            raise web.HTTPForbidden(text="A websocket comes from the page of its seat.")
        websocket = web.WebSocketResponse(heartbeat=15)
        await websocket.prepare(request)
        service = SeatService(self.file, seat, websocket, self.downloads[seat])
        width, height = (
            to_int(request.query.get(length, ""), 80) for length in ("width", "height")
        )
        self.open.add(websocket)
        try:
            await service.start(width, min(height, 500))
            await self._process_messages(websocket, service)
        finally:
            self.open.discard(websocket)
            await service.stop()
        return websocket

    async def leave_all(self) -> None:
        """Closes every screen, which ends its process."""
        for websocket in [*self.open]:
            await websocket.close()

    async def handle_download(self, request: web.Request) -> web.StreamResponse:
        """Sends a file from a screen to its own player's browser, and to no other."""
        for seat, cookie in self.cookies.items():
            if _are_alike(request.cookies.get(_cookie_name(seat), ""), cookie):
                self.download_manager = self.downloads[seat]
                try:
                    return await super().handle_download(request)
                except web.HTTPNotFound:
                    continue
        raise web.HTTPForbidden(text=NO_SEAT)


class SeatService(AppService):
    """The screen of one seat, as a process of its own."""

    def __init__(
        self, file: Place, seat: str, websocket: web.WebSocketResponse, downloads: DownloadManager
    ) -> None:
        words = [sys.executable, "-m", "brt_cg", "open", str(file)]
        quoted = subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
        super().__init__(
            quoted,
            write_bytes=websocket.send_bytes,
            write_str=websocket.send_str,
            close=partial(_close, websocket),
            download_manager=downloads,
        )
        self.seat = seat
        self.password = file.password if isinstance(file, Address) else None

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        environment = super()._build_environment(width, height) | {SEAT_VARIABLE: self.seat}
        if self.password:  # not on the command line, where everybody could read it
            environment["PGPASSWORD"] = self.password
        return environment


async def _close(websocket: web.WebSocketResponse) -> None:
    await websocket.close()


def _are_alike(given: str, secret: str) -> bool:
    """Compares in a time that does not depend on how much of `given` is right."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())


def _cookie_name(seat: str) -> str:
    return f"brt_cg_{seat}"


# --- running ----------------------------------------------------------------------------------


def run(
    file: Place, bind: str, port: int, show: Callable[[str], None], say: Callable[[str], None]
) -> None:
    """Serves the screen of a campaign until it is interrupted; with `port` 0 on any free one.
    `show` gets the addresses, which are data, and `say` what they are for, which is talk. Raises
    Refused for an address that is not available."""
    listening = _listen(bind, port)
    server = SeatServer(file, bind, listening.getsockname()[1])
    if not ipaddress.ip_address(bind).is_loopback:
        say(
            f"{bind} can be reached by other machines. Whoever has a seat's address plays that "
            "seat, and what travels is not encrypted: give each player his own address only, on a "
            "network that you trust."
        )
    for seat in SEATS:
        show(f"{seat} {server.address(seat)}")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(server, listening))


async def _serve(server: SeatServer, listening: socket.socket) -> None:
    runner = web.AppRunner(await server.make_app())
    await runner.setup()
    await web.SockSite(runner, listening, shutdown_timeout=2).start()
    ended = asyncio.Event()
    with contextlib.suppress(NotImplementedError):  # Windows has no such signal
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    try:
        await ended.wait()
    finally:
        await server.leave_all()
        await runner.cleanup()


def _listen(bind: str, port: int) -> socket.socket:
    """A listening socket at an address of this machine. Raises Refused."""
    try:
        address = ipaddress.ip_address(bind)
    except ValueError:
        raise Refused(f"--bind: found {bind}; allowed: an address of this machine") from None
    if address.is_unspecified:
        raise Refused(f"--bind: found {bind}; allowed: one address of this machine, not all")
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((bind, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise Refused(f"{bind}, port {port}: {getattr(error, 'strerror', error)}") from None
    listening.listen()
    return listening
