"""The addresses of the seats: a token for each, kept for the next start, and the names under which
the server may be reached.

A token is exchanged once for a cookie that is derived from it, so the cookie is valid as long as
the token. The cookies of two campaigns have different names, so that both can be in one browser.
"""

import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from hashlib import sha256
from urllib.parse import urlsplit

from brt_cg.files import read_state_file, state_file_path, write_state_file
from brt_cg.immutable import immutable
from brt_cg.questions import RefusedError
from brt_cg.text import short_json
from brt_cg.web import FRIENDS, SEATS

LOOPBACKS = ("localhost", "127.0.0.1", "[::1]")
BELOW_A_PATH = (
    "It cannot be served under a path: give it its own host name, in nginx with "
    "`server_name tarawa.example;` and `location / { proxy_pass http://127.0.0.1:8000; }`"
)
PORT = re.compile(r"[0-9]{1,5}")
HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")  # a name, or an address of IPv6
# the number of closed addresses of a campaign that are distinguished from unknown ones
MOST_CLOSED = 100


@immutable
class Tokens:
    """The token of each seat of one campaign, and its friends' token, if any; and the digests of
    closed tokens."""

    campaign: str
    of_seat: Mapping[str, str]
    closed: tuple[str, ...] = ()

    def seat_of(self, token: str) -> str | None:
        """Return the seat that a token opens, if any."""
        return next(
            (seat for seat, own in self.of_seat.items() if constant_time_equal(token, own)), None
        )

    def was_closed(self, token: str) -> bool:
        """Whether a token belongs to an address that has been closed."""
        return _digest(token) in self.closed

    def cookie_name(self, seat: str) -> str:
        return f"brt_cg_{self.campaign[:12]}_{seat}"

    def cookie_value(self, seat: str) -> str:
        """Return the value of a seat's cookie."""
        return hmac.new(self.of_seat[seat].encode(), b"cookie", sha256).hexdigest()

    def are_cookies_valid(self, seat: str, cookies: Mapping[str, str]) -> bool:
        """Whether a browser's cookies open a seat."""
        given = cookies.get(self.cookie_name(seat), "")
        return seat in self.of_seat and constant_time_equal(given, self.cookie_value(seat))


def load_or_create_tokens(
    campaign: str, seats: Iterable[str], new: bool = False, friends: bool | None = None
) -> Tokens:
    """Return the tokens of a campaign, by the hash of its first entry. They are the same as at the
    last start, unless `new` closes the old ones. `friends` says whether friends get one; None keeps
    the earlier choice."""
    file = state_file_path("addresses", campaign)
    state = read_state_file(file)
    known = {seat: str(token) for seat, token in dict(state.get("tokens") or {}).items()}
    closed = [str(digest) for digest in state.get("closed") or ()]
    has_friends = FRIENDS in known if friends is None else friends
    wanted = [*SEATS, *([FRIENDS] if has_friends else [])]
    gone = [seat for seat in known if new or seat not in wanted]
    closed = [*closed, *(_digest(known.pop(seat)) for seat in gone)][-MOST_CLOSED:]
    for seat in wanted:
        known.setdefault(seat, secrets.token_urlsafe(32))
    write_state_file(file, {"tokens": known, "closed": closed})
    served = [*seats, *wanted[len(SEATS) :]]
    return Tokens(campaign, {seat: known[seat] for seat in served}, tuple(closed))


def constant_time_equal(given: str, secret: str) -> bool:
    """Compare in a time that does not depend on the number of right characters in `given`; nothing
    equals an empty secret."""
    same = hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())
    return same and bool(secret)


def _digest(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()[:24]


# --- the names of the server ------------------------------------------------------------------


@immutable
class ServerAddress:
    """The ways for browsers to reach the server: the address where it listens, and the address in
    front of it, if any, such as "https://tarawa.example"."""

    host: str
    port: int
    public: str | None = None

    @property
    def origin(self) -> str:
        """The beginning of an address of a seat."""
        return self.public or f"http://{self._named(self.host)}:{self.port}"

    def is_allowed(self, host: str, origin: str | None) -> bool:
        """Whether a request may be answered: its Host is a name of the server, and its Origin, if
        any, is a page of the server. At the loopback address any port is accepted, because `ssh -L`
        changes the port."""
        host = host.lower()
        if host != self._public_host and not self._is_here(host):
            return False
        return origin in (None, f"http://{host}", self.public)

    def is_encrypted(self, host: str, forwarded: str | None) -> bool:
        """Whether the browser used HTTPS, so that a cookie may be restricted to HTTPS."""
        behind = self.public is not None and self.public.startswith("https://")
        return behind and (host.lower() == self._public_host or forwarded == "https")

    def _is_here(self, host: str) -> bool:
        if self.host in ("127.0.0.1", "::1"):
            name, _, port = host.rpartition(":")
            return name in LOOPBACKS and PORT.fullmatch(port) is not None
        return host == f"{self._named(self.host)}:{self.port}"

    @property
    def _public_host(self) -> str | None:
        return self.public.partition("://")[2] if self.public else None

    @staticmethod
    def _named(host: str) -> str:
        return f"[{host}]" if ":" in host else host


def parse_public_url(text: str) -> str:
    """Return the typed address in front of the server, as an origin. Raises RefusedError."""
    found = f"--public-url: {short_json(text)} is not the address of a server"
    allowed = "enter one such as https://tarawa.example or http://my-pc:8000"
    try:
        parts = urlsplit(text.strip())
        port, host = parts.port, parts.hostname or ""
        if not host.isascii():  # as browsers send it
            host = host.encode("idna").decode()
    except ValueError:
        raise RefusedError(f"{found}; {allowed}") from None
    if parts.scheme not in ("http", "https") or not HOST.fullmatch(host) or "@" in parts.netloc:
        raise RefusedError(f"{found}; {allowed}")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise RefusedError(
            f"{found}: it has more than a host and a port; {allowed}. {BELOW_A_PATH}"
        )
    usual = {"http": 80, "https": 443}[parts.scheme]
    named = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{named}" + (f":{port}" if port not in (None, usual) else "")
