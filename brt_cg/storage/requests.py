"""The data stored with entries where a campaign on a server has seats, and the players'
requests."""

from collections.abc import Callable, Mapping

from brt_cg.counters import Side
from brt_cg.journal.seat_pages import Pages
from brt_cg.values import frozen


@frozen
class Request:
    """A player's request: his side, its number among the side's requests, and the work as JSON."""

    side: Side
    number: int
    work: str


@frozen
class Beside:
    """The data stored together with entries: both sides' pages after them, and the request that
    they carry out, if any."""

    pages: Callable[[], Mapping[Side, Pages]]
    request: Request | None = None
