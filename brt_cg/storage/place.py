"""The place of a campaign: a file, or an address on a server."""

import re
from dataclasses import field, replace
from pathlib import Path
from urllib.parse import quote, unquote

from brt_cg.files import path_as_spelled_on_disk
from brt_cg.immutable import immutable
from brt_cg.storage.errors import StorageError

SCHEMES = ("postgresql://", "postgres://")
SHAPE = "postgresql://HOST/DATABASE?campaign=NAME"
# The options allowed after the "?", besides campaign and password; none of them is secret.
ALLOWED = (
    *("host", "port", "user", "dbname", "passfile", "service", "connect_timeout", "sslmode"),
    *("sslrootcert", "sslcert", "sslkey", "channel_binding", "target_session_attrs"),
)
NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}"  # a campaign's name, as a regular expression


class AddressError(ValueError):
    """The error for text that looks like the address of a server but is not one; the message shows
    no password."""


@immutable
class Address:
    """A campaign on a PostgreSQL server; with `campaign` None, the server's database itself.

    `server` is the address as players may read it, `str` adds the campaign; neither shows the
    password, if there is one.
    """

    server: str
    campaign: str | None = None
    password: str | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        if self.campaign is None:
            return self.server
        return f"{self.server}{'&' if '?' in self.server else '?'}campaign={self.campaign}"

    @property
    def stem(self) -> str:
        """The campaign's name, like a file's name without its suffix."""
        return self.campaign or self.server

    def absolute(self) -> "Address":
        """Return the address itself, which does not depend on the folder."""
        return self

    def resolve(self) -> "Address":
        """Return the address itself, which does not depend on the folder."""
        return self

    def of_campaign(self, campaign: str) -> "Address":
        """Return the address of a campaign on the same server."""
        return replace(self, campaign=campaign)


Place = Path | Address


def canonical_place(place: Place) -> Place:
    """Return the place by which a campaign is remembered: a file as its folder spells it."""
    return path_as_spelled_on_disk(place) if isinstance(place, Path) else place


def file_of_place(place: Place) -> Path:
    """Return the file of a campaign, for work that needs one. Raises StorageError for an
    address."""
    if isinstance(place, Path):
        return place
    raise StorageError(
        f"{place} is not a file; a campaign on a server is backed up and restored there, "
        f"with pg_dump --schema 'brt_{place.campaign}'"
    )


def parse_place(text: str) -> Place:
    """Return the file or address that a player typed. Raises AddressError."""
    return parse_address(text) if text.startswith(SCHEMES) else Path(text)


def parse_address(text: str) -> Address:
    """Parse an address. Raises AddressError."""
    scheme = next((known for known in SCHEMES if text.startswith(known)), None)
    if scheme is None:
        raise AddressError(f"the address of a server must begin with postgresql://; enter {SHAPE}")
    rest, _, asked = text.removeprefix(scheme).partition("?")
    host, slash, database = rest.rpartition("/") if "/" in rest else (rest, "", "")
    user, at, host = host.rpartition("@")
    user, _, password = user.partition(":")
    # Here "+" is a plus, not a space.
    parts = (part.partition("=") for part in asked.split("&") if part)
    options = {name: unquote(value) for name, _, value in parts}
    password = options.pop("password", unquote(password))
    campaign = options.pop("campaign", None)
    if campaign is not None and not re.fullmatch(NAME, campaign):
        raise AddressError(
            f"campaign={campaign} is not accepted; enter up to 40 characters: a–z, digits, - and _"
        )
    if not {*options} <= {*ALLOWED}:
        # Does not quote the text: an unescaped "?" in a password would show the rest of it.
        raise AddressError(
            f"wrong option after the ? of an address; use only campaign, {', '.join(ALLOWED)}"
        )
    more = "&".join(f"{name}={quote(value)}" for name, value in options.items())
    more = f"?{more}" if more else ""
    return Address(
        f"{SCHEMES[0]}{user}{at}{host}{slash}{database}{more}", campaign, password or None
    )
