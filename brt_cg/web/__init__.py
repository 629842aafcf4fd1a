"""The screen in a browser, with an address for each seat (extra `web`)."""

import os

from brt_cg.model import Side

SEATS = ("umpire", *Side)
FRIENDS = "friends"  # visitors without a seat, who see what both sides know
SEAT_VARIABLE = "BRT_CG_SERVED_SEAT"  # the variable that gives a served screen its seat


def served_seat() -> str | None:
    """Return the seat that this process serves, one of SEATS; None if it serves none."""
    return os.environ.get(SEAT_VARIABLE)
