"""The server behind `serve`: one campaign, or all of a club's campaigns, at one port.

Host and Origin of a request must be the server's; a page loads nothing from elsewhere; the routes
of each campaign decide on the rights of its seats.
"""

import asyncio
import contextlib
import gzip
import ipaddress
import logging
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from hashlib import sha256
from html import escape
from io import StringIO
from pathlib import Path
from queue import Full, Queue
from string import Template
from threading import Thread
from typing import Any
from urllib.parse import quote

import textual_serve
from aiohttp import web

from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.questions import RefusedError
from brt_cg.service.opening import open_campaign
from brt_cg.storage import reader
from brt_cg.storage.engine import list_campaigns
from brt_cg.storage.errors import DamagedError, StorageError
from brt_cg.storage.place import Address, Place
from brt_cg.text import count_text, escape_unprintable, truncate_long_words_and_lines
from brt_cg.web import SEATS
from brt_cg.web.addresses import ServerAddress, load_or_create_tokens, parse_public_url
from brt_cg.web.connections import IDLE, Connections
from brt_cg.web.files import MOST_GIVEN
from brt_cg.web.notifier import Notifier, split_command
from brt_cg.web.seats import DOORS, NO_SEAT, POLICY, REPLACED, VERSION, SeatServer

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Door = Callable[[SeatServer, web.Request], Awaitable[web.StreamResponse]]
Says = Callable[[str], None]
ENDING = ".brt"  # the ending of a campaign's file in a club's folder
OF_CLUB = "/c/{campaign}"  # the beginning of the addresses of one of a club's campaigns
LOOK_EVERY = 20.0  # seconds between two checks for a club's new campaigns
REFUSAL = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>brt-cg</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head><body
style="font: 18px/1.5 system-ui, sans-serif; max-width: 34em; margin: 2em auto; padding: 0 1em">
<h1>$title</h1><p style="white-space: pre-wrap">$words</p>$help</body></html>
"""
WHOM_TO_ASK = """<p>Ask the player who serves the campaign and gave you the address. It is shown
where <b>brt-cg serve</b> was started. Open the complete address, to its last letter.</p>"""
AGAIN = """<p>Nothing that you entered before is lost.</p>
<p><a href="" style="display: inline-block; padding: 0.6em 0">Try again</a></p>"""


@immutable
class ServeOptions:
    """The options of `serve`: where to listen, the address in front of it, whether to close the old
    addresses, the commands to run when it becomes a player's turn (for both players and for each),
    whether the umpire, who sees everything, has an address too, and whether friends without a seat
    have one (None: as before)."""

    bind: str = "127.0.0.1"
    port: int = 0
    public: str | None = None
    new_addresses: bool = False
    notify: str | None = None
    notify_marine: str | None = None
    notify_japanese: str | None = None
    umpire: bool = False
    friends: bool | None = None


class Club:
    """The campaigns served at one port: one at its root, or each of a folder or a server's
    database, by its name. `show` prints the addresses, which are data; `say` prints their
    purpose."""

    def __init__(self, reach: ServerAddress, asked: ServeOptions, show: Says, say: Says) -> None:
        self._reach, self._asked, self._show, self._say = reach, asked, show, say
        self._commands = notify_commands(asked)
        self._statics = StaticFiles(Path(textual_serve.__file__).parent / "static")
        self._left_out: dict[str, str] = {}  # the reason for each, by name
        self._damaged: set[str] = set()  # the names of damaged campaigns, left out
        self._replaced: dict[str, SeatServer] = {}  # replaced by others; not ended yet
        self._works: dict[str, list[asyncio.Task[None]]] = {}
        self.of: dict[str, SeatServer] = {}
        self.lines = Connections()

    # --- its campaigns ----------------------------------------------------------------------------

    def serve_new_campaigns(self, where: Place) -> None:
        """Serve each campaign that is not served yet. Report once why a campaign is left out."""
        damaged = set[str]()
        for name, place in _campaigns_at(where):
            served = self.of.get(name)
            if served is not None and not served.is_replaced():
                continue
            try:
                _check_name_fits_address(place, name)
                self.serve_campaign(place, name)
                self._left_out.pop(name, None)
                if served is not None:
                    self._replaced[name] = served
            except (StorageError, RefusedError, OSError) as why:
                if self._left_out.get(name) != str(why):
                    self._say(f"left out: {why}")
                self._left_out[name] = str(why)
                if isinstance(why, DamagedError):
                    damaged.add(name)
        self._damaged = damaged - self.of.keys()

    def serve_campaign(self, place: Place, name: str = "") -> None:
        """Serve a campaign; one of a club's has a `name`. Raises StorageError and RefusedError."""
        desk = open_campaign(place)
        desk.close()
        umpire = SEATS if self._asked.umpire else SEATS[1:]
        # Copies of a campaign, and two that were begun in the same second, begin the same way.
        begun = (
            sha256(f"{desk.campaign_id} {name}".encode()).hexdigest() if name else desk.campaign_id
        )
        tokens = load_or_create_tokens(
            begun, umpire, self._asked.new_addresses, self._asked.friends
        )
        base = f"/c/{quote(name, safe='')}" if name else ""
        self.of[name] = server = SeatServer(place, tokens, self._reach, self.lines, base)
        for seat in tokens.of_seat:
            self._show(f"{server.seat_text(seat)} {server.seat_address(seat)}")
            if not name and sys.stderr.isatty():
                self._say("\n".join(qr_code_lines(server.seat_address(seat))))

    async def run_background_work(self, where: Place | None) -> None:
        """Do the background work of each campaign, and look for a club's new campaigns; never
        returns."""
        while True:
            await self._end_replaced()
            for name in self.of.keys() - self._works.keys():
                self._works[name] = [asyncio.create_task(work) for work in self._work_for(name)]
            await asyncio.sleep(LOOK_EVERY)
            if where is not None:
                with suppress(StorageError, OSError):  # /health reports the error
                    await asyncio.to_thread(self.serve_new_campaigns, where)

    async def _end_replaced(self) -> None:
        """End the screens and the work of campaigns that others have replaced."""
        while self._replaced:
            name, served = self._replaced.popitem()
            for task in self._works.pop(name, []):
                task.cancel()
            await served.screens.end_all()

    def _work_for(self, name: str) -> Iterator[Coroutine[Any, Any, None]]:
        server = self.of[name]
        yield server.screens.keep_ending_abandoned()
        yield server.screens.notify_of_file_changes()
        yield server.report_opened_addresses_later(self._say)
        if self._commands:
            campaign = server.tokens.campaign
            yield Notifier(server.screens.file, self._commands, name, campaign).watch_and_notify()

    async def end(self) -> None:
        """End every screen."""
        for task in [task for works in self._works.values() for task in works]:
            task.cancel()
        await asyncio.gather(*(server.screens.end_all() for server in self.of.values()))

    # --- its doors --------------------------------------------------------------------------------

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self.guard], client_max_size=MOST_GIVEN)
        for base in ("", OF_CLUB):
            app.add_routes(
                web.route(method, base + path, partial(self._through, door))
                for method, path, door in DOORS
            )
        app.add_routes([web.get("/static/{path:.+}", self._statics.send)])
        app.add_routes([web.get("/health", self.health)])
        return app

    async def _through(self, door: Door, request: web.Request) -> web.StreamResponse:
        """Return the response of the campaign that a request names."""
        server = self.of.get(request.match_info.get("campaign", ""))
        if server is None:
            raise web.HTTPForbidden(text=NO_SEAT)
        if await asyncio.to_thread(server.is_replaced):
            raise web.HTTPForbidden(text=REPLACED)
        return await door(server, request)

    async def health(self, request: web.Request) -> web.StreamResponse:
        """Report to a monitor whether every campaign can be read, and the number of screens,
        without names."""
        bad, count = len(self._damaged), len(self.of) + len(self._damaged)
        for server in [*self.of.values()]:
            try:
                await asyncio.to_thread(reader.newest_entry, server.screens.file)
            except (StorageError, OSError):
                bad += 1
        screens = count_text(sum(server.screens.count for server in self.of.values()), "screen")
        state = f"{bad} of them cannot be read" if bad else "all can be read"
        text = f"{count_text(count, 'campaign')}, {state}; {screens}\n"
        return web.Response(text=text, status=503 if bad else 200)

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse requests for other hosts or from other origins, and forbid caching and framing."""
        if not self._reach.is_allowed(request.host, request.headers.get("Origin")):
            raise web.HTTPForbidden(text="This address is not served here.")
        try:
            response = await handler(request)
        except web.HTTPException as refused:
            if refused.status < 400 or "text/html" not in request.headers.get("Accept", ""):
                raise
            response = error_page(refused.status, refused.text or refused.reason)
        if not response.prepared:
            response.headers.setdefault("Content-Security-Policy", POLICY.format(nonce=""))
            response.headers.setdefault("Referrer-Policy", "no-referrer")
            response.headers["X-Content-Type-Options"] = "nosniff"
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def _check_name_fits_address(place: Place, name: str) -> None:
    """Raise RefusedError for a name that cannot be part of an address."""
    try:
        quote(name)
    except UnicodeEncodeError:
        raise RefusedError(f"{place}: its name is not in UTF-8; rename the file") from None


def notify_commands(asked: ServeOptions) -> dict[Side, list[str]]:
    """Return the command of each side that has one. Raises RefusedError."""
    own = {Side.MARINE: asked.notify_marine, Side.JAPANESE: asked.notify_japanese}
    commands = {}
    for side, text in own.items():
        if text is not None:
            commands[side] = split_command(text, f"--notify-{side}")
        elif asked.notify is not None:
            commands[side] = split_command(asked.notify)
    return commands


def error_page(status: int, words: str) -> web.Response:
    """Return a refusal as a page that names the person to ask or, while the campaign cannot be
    read, asks the visitor to try again."""
    is_for_now = status == web.HTTPServiceUnavailable.status_code
    title = "The campaign cannot be read now" if is_for_now else "This page cannot be opened"
    text = Template(REFUSAL).substitute(
        title=title, words=escape(words), help=AGAIN if is_for_now else WHOM_TO_ASK
    )
    return web.Response(status=status, text=text, content_type="text/html")


def _campaigns_at(where: Place) -> Iterator[tuple[str, Place]]:
    """Yield the name and place of each possible campaign in a folder or a server's database. Raises
    StorageError."""
    if isinstance(where, Address):
        yield from ((there.address.stem, there.address) for there in list_campaigns(where))
    else:
        yield from ((file.stem, file) for file in sorted(where.glob(f"*{ENDING}")))


# --- running ----------------------------------------------------------------------------------


def run_server(place: Place, asked: ServeOptions, show: Says, say: Says) -> None:
    """Serve a campaign, or all of a folder or a server's database, until it is interrupted; with
    `port` 0 on any free port. Raises StorageError, and RefusedError for an address that is not
    available or if there is no campaign."""
    public = None if asked.public is None else parse_public_url(asked.public)
    listening = _listen(asked.bind, asked.port)
    reach = ServerAddress(asked.bind, listening.getsockname()[1], public)
    is_encrypted = public is not None and public.startswith("https://")
    is_reached = public is not None or not ipaddress.ip_address(asked.bind).is_loopback
    club = Club(reach, asked, show, say)
    if is_reached and not is_encrypted:
        say(
            f"{public or asked.bind} can be reached by other machines. Whoever has a seat's "
            "address plays that seat, and the connection is not encrypted: give each player "
            "only that player's address, on a network that you trust."
        )
    is_club = place.campaign is None if isinstance(place, Address) else place.is_dir()
    if is_club:
        club.serve_new_campaigns(place)
        if not club.of:
            raise RefusedError(
                f"{place}: no campaign is there; give a folder with {ENDING} files or a server "
                f"with campaigns, or make a campaign with brt-cg new"
            )
    else:
        club.serve_campaign(place)
    with errors_logged_to_stderr(), contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(club, listening, place if is_club else None))


async def _serve(club: Club, listening: socket.socket, where: Place | None) -> None:
    runner = web.AppRunner(club.app(), keepalive_timeout=IDLE, shutdown_timeout=2)
    await runner.setup()
    assert runner.server is not None
    loop = asyncio.get_running_loop()
    site = await loop.create_server(
        partial(club.lines.new_within_limit, runner.server), sock=listening
    )
    ended = asyncio.Event()
    with contextlib.suppress(NotImplementedError):  # Windows has no such signal
        loop.add_signal_handler(signal.SIGTERM, ended.set)
    following = asyncio.create_task(club.run_background_work(where))
    try:
        await ended.wait()
    finally:
        following.cancel()
        site.close()
        await club.end()
        await runner.cleanup()


def _listen(bind: str, port: int) -> socket.socket:
    """Return a listening socket at an address of this machine. Raises RefusedError."""
    try:
        address = ipaddress.ip_address(bind)
    except ValueError:
        raise RefusedError(
            f"--bind: {bind} is not an address; enter an address of this machine, such as "
            f"192.168.1.20"
        ) from None
    if address.is_unspecified:
        raise RefusedError(f"--bind: {bind} means all addresses; enter one address of this machine")
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    # Otherwise Windows would let another program listen on the same port; elsewhere a port stays
    # taken for a minute after its server has ended.
    exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
    listening.setsockopt(
        socket.SOL_SOCKET, socket.SO_REUSEADDR if exclusive is None else exclusive, 1
    )
    try:
        listening.bind((bind, port))
    except OSError as error:
        listening.close()
        raise RefusedError(f"{bind}, port {port}: {error.strerror}") from None
    listening.listen()
    return listening


# --- faults, a line each on stderr, which perhaps nobody reads -----------------------------------

WHO = ("aiohttp", "asyncio", "brt_cg.web", "textual-serve")  # the loggers that report errors
MOST_WAITING = 100  # lines that nobody has read; later ones are dropped
LAST = 0.5  # seconds to write the remaining lines, at the end


class _Faults(logging.Handler):
    """A writer of errors in a separate thread, so that nobody waits if the pipe is full."""

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
            self._lines.put_nowait(
                f"{truncate_long_words_and_lines(escape_unprintable(text))}\n".encode()
            )

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
def errors_logged_to_stderr() -> Iterator[None]:
    """Print the errors of the server and its libraries on stderr, if there is one."""
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


# --- files that a page loads, compressed and cached by the browser --------------------------------

KINDS = {".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf", ".png": "image/png"}
A_YEAR = "private, max-age=31536000, immutable"  # the version is part of the address


class StaticFiles:
    """The files of a folder, each compressed once."""

    def __init__(self, folder: Path) -> None:
        self._files = {
            f"{VERSION}/{path.relative_to(folder).as_posix()}": path
            for path in folder.rglob("*")
            if path.suffix in KINDS
        }

    async def send(self, request: web.Request) -> web.StreamResponse:
        """Send a file. Raises HTTPNotFound for anything that is not a file of the folder."""
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


def qr_code_lines(address: str) -> Iterator[str]:
    """Yield an address as a QR code for a terminal, line by line; nothing without the library."""
    try:
        import segno
    except ImportError:
        return
    drawn = StringIO()
    segno.make(address, error="l").terminal(out=drawn, compact=True)
    yield from drawn.getvalue().rstrip("\n").split("\n")
