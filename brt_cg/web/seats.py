"""The web routes of one campaign: the requests allowed to a browser with a seat's address, and the
responses.

textual-serve by itself accepts a websocket from any page and any visitor. Here an address contains
a random token for one seat. It is exchanged once for a cookie that no script can read, and that
other sites can send only when a link in them is clicked.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from string import Template
from threading import Lock
from typing import Any, TypeVar
from urllib.parse import unquote

from aiohttp import web

from brt_cg.questions import RefusedError
from brt_cg.storage import reader
from brt_cg.storage.errors import BusyError, StaleCampaignError, StorageError
from brt_cg.storage.place import Place
from brt_cg.web import FRIENDS, SEATS, friends_page, plain_page
from brt_cg.web.addresses import ServerAddress, Tokens
from brt_cg.web.connections import Connections
from brt_cg.web.files import FileStore, OutgoingFile, read_form, read_upload
from brt_cg.web.frames import PageWebSocket, clamp_size
from brt_cg.web.page_state import PageState
from brt_cg.web.page_tokens import FIELD, USED, PageTokens
from brt_cg.web.plain_html import NOTHING_TYPED
from brt_cg.web.screens import MOST_SCREENS, Screens

NO_SEAT = "Open the address of your seat, as serve printed it."
CLOSED = "This address was closed by the player who serves the campaign. Ask for the new one."
NO_FRIENDS = "This address for friends is closed or incomplete. Ask for a new one."
REPLACED = "Another campaign has this address now. Ask for the new address of your seat."
TRIES = 4  # attempts at a campaign to which others are writing
UNUSABLE = "The campaign cannot be used now. The player who serves it can see why. Try again soon."
TYPED = ("words", "codes", "reason")  # the fields whose text is too long to be typed again
FIRST_LOOK = 60.0  # seconds until serve reports the visitors
VERSION = version("textual-serve")
log = logging.getLogger(__name__)
T = TypeVar("T")
PAGE = Path(__file__).parent / "page.html"
SCRIPTS = "plain|bell"  # of the pages
TAB = "[0-9a-f]{8,64}"  # the id that a page gives its tab
POLICY = (
    "default-src 'none'; connect-src 'self'; font-src 'self'; img-src 'self' data: blob:; "
    "script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# Its forms send their Origin, which a browser withholds together with the referrer.
PLAIN_POLICY = (
    "default-src 'none'; connect-src 'self'; script-src 'self'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
FRIENDS_POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)


class SeatServer:
    """The web routes of one campaign, whose addresses begin with `base`, to its screens and
    pages."""

    def __init__(
        self, file: Place, tokens: Tokens, reach: ServerAddress, lines: Connections, base: str = ""
    ) -> None:
        self.tokens, self.reach, self.lines, self.base = tokens, reach, lines, base
        self.kept = {seat: FileStore() for seat in SEATS}
        self.entering = asyncio.Lock()
        self.reached: set[str] = set()  # the seats whose cookie was shown
        # The state of each seat, with the newest entry then.
        self._states: dict[str, tuple[object, PageState]] = {}
        # The pages for friends, each with the newest entry when it was made.
        self._public: dict[str, tuple[object, bytes]] = {}
        self._making = Lock()
        self.page_tokens = PageTokens(tokens.campaign)
        self._begun = reader.first_hash(file)
        self.giving = {seat: asyncio.Lock() for seat in SEATS}
        self.screens = Screens(file, self.kept)

    def seat_address(self, seat: str) -> str:
        """Return the address that a seat's player opens first."""
        return f"{self.reach.origin}{self.base}/?token={self.tokens.of_seat[seat]}"

    def is_replaced(self) -> bool:
        """Whether another campaign has taken the place of this one."""
        try:
            return reader.first_hash(self.screens.file) != self._begun
        except (StorageError, OSError):
            return False  # each page reports that itself

    def _seat_of(self, request: web.Request) -> str:
        """Return the seat that a request is for. Raises HTTPForbidden if the request lacks the
        seat's cookie."""
        seat = request.match_info["seat"]
        if seat not in SEATS or not self.tokens.are_cookies_valid(seat, request.cookies):
            raise web.HTTPForbidden(text=NO_SEAT)
        self.lines.mark_as_player(request.protocol)
        self.reached.add(seat)
        return seat

    async def redirect_to_slash(self, request: web.Request) -> web.StreamResponse:
        """Redirect a browser to the page of a seat if its path was typed without the last slash."""
        self._seat_of(request)
        raise web.HTTPFound(f"{request.rel_url.raw_path}/")

    async def report_opened_addresses_later(self, show: Callable[[str], None]) -> None:
        """Report after a while which seats' addresses have been opened, and which have not."""
        await asyncio.sleep(FIRST_LOOK)
        for seat in filter(self.tokens.of_seat.__contains__, SEATS):
            came = "its address has been opened"
            if seat not in self.reached:
                came = "nobody has opened its address yet; if it does not open, see serve --help"
            show(f"{self.seat_text(seat)}: {came}")

    def seat_text(self, seat: str) -> str:
        """Return a seat in words; in a club, with the name of its campaign."""
        return f"{unquote(self.base.rpartition('/')[2])} {seat}".strip()

    async def sign_in(self, request: web.Request) -> web.StreamResponse:
        """Exchange a token for the seat's cookie, and redirect to its screen or, with `&plain`, to
        its plain page, without the token. Friends are redirected to their page."""
        token = request.query.get("token", "")
        seat = self.tokens.seat_of(token)
        own = [seat for seat in SEATS if self.tokens.are_cookies_valid(seat, request.cookies)]
        if seat is None and not token and len(own) == 1:  # a visitor who has come before
            raise web.HTTPSeeOther(f"{self.base}/seat/{own[0]}/")
        if seat is None and not token and self.tokens.are_cookies_valid(FRIENDS, request.cookies):
            raise web.HTTPSeeOther(f"{self.base}/{FRIENDS}/")
        if seat is None:
            raise web.HTTPForbidden(text=CLOSED if self.tokens.was_closed(token) else NO_SEAT)
        to = "plain" if "plain" in request.query else ""
        page = f"{FRIENDS}/" if seat == FRIENDS else f"seat/{seat}/{to}"
        response = web.Response(status=303, headers={"Location": f"{self.base}/{page}"})
        response.set_cookie(
            self.tokens.cookie_name(seat),
            self.tokens.cookie_value(seat),
            path=f"{self.base}/",
            httponly=True,
            samesite="Lax",  # Strict is not sent after a link in a mail,
            secure=self.reach.is_encrypted(request.host, request.headers.get("X-Forwarded-Proto")),
        )
        return response

    async def serve_page(self, request: web.Request) -> web.StreamResponse:
        seat = self._seat_of(request)
        nonce = secrets.token_urlsafe(16)
        text = Template(PAGE.read_text(encoding="utf-8")).substitute(
            title=f"brt-cg: {seat}", nonce=nonce, seat=seat, version=VERSION
        )
        policy = POLICY.format(nonce=nonce)
        response = web.Response(
            text=text, content_type="text/html", headers={"Content-Security-Policy": policy}
        )
        response.enable_compression()
        return response

    async def serve_plain_page(
        self,
        request: web.Request,
        problem: str = "",
        typed: Mapping[str, str] = NOTHING_TYPED,
    ) -> web.StreamResponse:
        """Return the plain page of a seat, with the problem of its last entry, if any, and what was
        `typed` for it."""
        seat, file = self._seat_of(request), self.screens.file
        page = await self._in_thread(plain_page.render_page, file, seat, problem, typed)
        text = self.page_tokens.add_form_token(page)
        headers = {"Content-Security-Policy": PLAIN_POLICY, "Referrer-Policy": "same-origin"}
        response = web.Response(text=text, content_type="text/html", headers=headers)
        response.enable_compression()
        return response

    async def serve_script(self, request: web.Request) -> web.StreamResponse:
        """Return a script of the pages."""
        _ = self._seat_of(request)
        file = PAGE.with_name(f"{request.match_info['script']}.js")
        text = file.read_text(encoding="utf-8")
        return web.Response(text=text, content_type="text/javascript")

    async def serve_page_state(self, request: web.Request) -> web.StreamResponse:
        """Send a plain page the state of the campaign, as its seat may know it, and whether it is
        the seat's turn."""
        seat = self._seat_of(request)
        try:
            found = await asyncio.to_thread(self._state, seat)
        except (StorageError, RefusedError):  # the error is reported when a page is loaded
            raise web.HTTPServiceUnavailable(text=UNUSABLE) from None
        return web.json_response({"state": found.state, "own": found.own})

    def _state(self, seat: str) -> PageState:
        """Return the state as a seat may know it, read again only if there are new entries."""
        file = self.screens.file
        newest = reader.newest_entry(file)
        if seat not in self._states or self._states[seat][0] != newest:
            self._states[seat] = newest, plain_page.read_page_state(file, seat)
        return self._states[seat][1]

    async def serve_chronicle(self, request: web.Request) -> web.StreamResponse:
        """Return the chronicle as the seat may read it, or with `?friends` with only public
        facts."""
        seat, friends = self._seat_of(request), "friends" in request.query
        told = await self._in_thread(plain_page.render_chronicle, self.screens.file, seat, friends)
        name = f"chronicle-{'public' if friends else seat}.html"
        response = OutgoingFile(name, "text/html", True, told.encode()).response()
        response.enable_compression()
        return response

    # --- for friends, who have no seat ------------------------------------------------------------

    def _admit_friend(self, request: web.Request) -> None:
        """Raise HTTPForbidden if the request lacks the cookie that the address of friends gives."""
        if not self.tokens.are_cookies_valid(FRIENDS, request.cookies):
            raise web.HTTPForbidden(text=NO_FRIENDS)

    async def serve_friends_page(self, request: web.Request) -> web.StreamResponse:
        """Return the page for friends, which shows only what both sides know."""
        self._admit_friend(request)
        page = await self._in_thread(self._public_page, friends_page.STATUS)
        headers = {"Content-Security-Policy": FRIENDS_POLICY}
        response = web.Response(
            body=page, content_type="text/html", charset="utf-8", headers=headers
        )
        response.enable_compression()
        return response

    async def serve_friends_document(self, request: web.Request) -> web.StreamResponse:
        """Return the chronicle or the map for friends."""
        self._admit_friend(request)
        what = request.match_info["what"]
        page = await self._in_thread(self._public_page, what)
        format, kind = friends_page.FORMATS[what]
        response = OutgoingFile(f"{what}-public.{format}", kind, True, page).response()
        response.enable_compression()
        return response

    def _public_page(self, what: str) -> bytes:
        """Return a page for friends, made again only if there are new entries."""
        file = self.screens.file
        with self._making:
            newest = reader.newest_entry(file)
            if what not in self._public or self._public[what][0] != newest:
                self._public[what] = newest, friends_page.render_friends_page(file, what)
            return self._public[what][1]

    # --- what its pages send ----------------------------------------------------------------------

    async def submit_plain_form(self, request: web.Request) -> web.StreamResponse:
        """Enter the contents of a form of the plain page, and show the result."""
        seat = self._seat_of(request)
        if request.headers.get("Origin") is None:
            raise web.HTTPForbidden(text="Enter this from your seat's page.")
        asked = await read_form(request)
        try:
            async with self.entering:
                if not self.page_tokens.use(asked.pop(FIELD, "")):
                    raise RefusedError(USED)
                told = await self._in_thread(plain_page.submit_form, self.screens.file, seat, asked)
        except RefusedError as why:
            return await self.serve_plain_page(request, str(why), asked)
        except web.HTTPServiceUnavailable as why:
            # No browser keeps it for its Back button, because these pages may not be stored.
            lines = [asked[name] for name in TYPED if asked.get(name, "").strip()]
            typed = ["You typed:", *lines] if lines else []
            raise web.HTTPServiceUnavailable(text="\n".join([str(why.text), *typed])) from None
        if told:
            return await self.serve_plain_page(request, "\n".join(told))
        return web.Response(status=303, headers={"Location": request.rel_url.raw_path})

    async def _in_thread(self, what: Callable[..., T], *given: Any) -> T:
        """Return the result of reading or writing in a thread. Raises RefusedError, and
        HTTPServiceUnavailable if the campaign cannot be used: the reason, which names the
        campaign's place, is shown only to the server's owner."""
        try:
            for _ in range(TRIES - 1):
                with suppress(BusyError):  # nothing was stored
                    return await asyncio.to_thread(what, *given)
            return await asyncio.to_thread(what, *given)
        except StaleCampaignError as why:
            raise RefusedError(str(why)) from None
        except StorageError as why:
            log.error("%s", why)
            raise web.HTTPServiceUnavailable(text=UNUSABLE) from None

    async def serve_screen_state(self, request: web.Request) -> web.StreamResponse:
        """Tell a page whether the server is there, and the state of its screen."""
        seat = self._seat_of(request)
        return web.json_response(
            {"state": self.screens.screen_state(seat, request.match_info["tab"])}
        )

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Show the screen of a tab for as long as its page is open."""
        seat, tab = self._seat_of(request), request.match_info["tab"]
        if request.headers.get("Origin") is None:
            raise web.HTTPForbidden(text="Open this screen from your seat's page.")
        service = await self.screens.get_or_create_screen(seat, tab)
        if service is None:
            raise web.HTTPTooManyRequests(
                text=f"{MOST_SCREENS} screens of this seat are open: close one first."
            )
        page = PageWebSocket()
        await page.prepare(request)
        self.lines.exempt_from_limit(request.protocol)
        size = clamp_size(request.query.get("width"), request.query.get("height"))
        await self.screens.show(service, tab, page, size)
        return page

    async def serve_file(self, request: web.Request) -> web.StreamResponse:
        """Send a file from a screen to the browser of its player only."""
        seat = self._seat_of(request)
        file = self.kept[seat].find(request.match_info["key"])
        if file is None:
            raise web.HTTPGone(text="This file is no longer kept here: export it again.")
        return file.response()

    async def upload(self, request: web.Request) -> web.StreamResponse:
        """Pass files from a page to its screen, after those of the seat's other pages."""
        seat = self._seat_of(request)
        if request.headers.get("Origin") is None:
            raise web.HTTPForbidden(text="Open this file from your seat's page.")
        async with self.giving[seat]:
            files = await read_upload(request)
            if not await self.screens.send_files(seat, request.match_info["tab"], files):
                raise web.HTTPGone(text="This session has ended.")
        return web.Response(text="")


DOORS = (
    ("GET", "/", SeatServer.sign_in),
    ("GET", f"/{FRIENDS}/", SeatServer.serve_friends_page),
    ("GET", f"/{FRIENDS}/{{what:chronicle|map}}", SeatServer.serve_friends_document),
    ("GET", "/seat/{seat}", SeatServer.redirect_to_slash),
    ("GET", "/seat/{seat}/", SeatServer.serve_page),
    ("GET", "/seat/{seat}/plain", SeatServer.serve_plain_page),
    ("POST", "/seat/{seat}/plain", SeatServer.submit_plain_form),
    ("GET", f"/seat/{{seat}}/{{script:{SCRIPTS}}}.js", SeatServer.serve_script),
    ("GET", "/seat/{seat}/news", SeatServer.serve_page_state),
    ("GET", "/seat/{seat}/chronicle", SeatServer.serve_chronicle),
    ("GET", f"/seat/{{seat}}/ws/{{tab:{TAB}}}", SeatServer.handle_websocket),
    ("GET", f"/seat/{{seat}}/state/{{tab:{TAB}}}", SeatServer.serve_screen_state),
    ("GET", "/seat/{seat}/file/{key}/{name}", SeatServer.serve_file),
    ("POST", f"/seat/{{seat}}/give/{{tab:{TAB}}}", SeatServer.upload),
)
