"""The screen in a browser: an address for each seat, and nothing else (extra `web`)."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from brt_cg.answers import Refused
from brt_cg.counters import Side

if TYPE_CHECKING:
    from brt_cg.storage.place import Place

LOOPBACK = "127.0.0.1"
SEATS = ("umpire", *Side)
SEAT_VARIABLE = "BRT_CG_SERVED_SEAT"  # the variable that gives a served screen its seat


def served_seat() -> str | None:
    """The seat that this process is served for: one of SEATS; None if it is not served."""
    return os.environ.get(SEAT_VARIABLE)


def serve(
    file: "Place", bind: str, port: int, show: Callable[[str], None], say: Callable[[str], None]
) -> None:
    """Serves the screen of a campaign until it is interrupted; with `port` 0 on any free one.
    `show` gets the addresses, which are data, and `say` what they are for, which is talk.

    Raises Refused where the extra is missing, or the address is not available.
    """
    try:
        from brt_cg.web.server import run
    except ModuleNotFoundError as missing:
        raise Refused(
            f"serve needs the extra web ({missing.name} is not installed): "
            "pip install 'brt-cg[web]'"
        ) from None
    run(file, bind, port, show, say)
