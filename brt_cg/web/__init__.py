"""The screen in a browser: an address for each seat, and nothing else (extra `web`)."""

import os

from brt_cg.model import Side

SEATS = ("umpire", *Side)
SEAT_VARIABLE = "BRT_CG_SERVED_SEAT"  # the variable that gives a served screen its seat


def served_seat() -> str | None:
    """The seat that this process is served for: one of SEATS; None if it is not served."""
    return os.environ.get(SEAT_VARIABLE)
