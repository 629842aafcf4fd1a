"""What goes with entries where a campaign on a server has seats, and what their players ask for."""

from collections.abc import Callable, Mapping

from brt_cg.counters import Side
from brt_cg.journal.seat_pages import Pages
from brt_cg.values import frozen


@frozen
class Request:
    """What a player asks for: his side, the number of it among his, and the work as JSON."""

    side: Side
    number: int
    work: str


@frozen
class Beside:
    """What is stored together with entries: the pages of both sides after them, and the request
    that they came of, if any, as done."""

    pages: Callable[[], Mapping[Side, Pages]]
    request: Request | None = None
