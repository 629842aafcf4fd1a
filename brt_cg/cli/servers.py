"""What `brt-cg campaigns` does: which campaigns there are on a server, and how they stand."""

import argparse
from typing import Any

from brt_cg.asks import Refused
from brt_cg.cli.talk import show_listing
from brt_cg.desk import Desk
from brt_cg.storage.errors import StorageError
from brt_cg.storage.server import Listed, listed


def campaigns(options: argparse.Namespace) -> int:
    server = options.server
    none = f"there is no campaign on {server} that your role may look at: make one with brt-cg new"
    return show_listing([_plain(there) for there in listed(server)], options.json, _line, none)


def _line(there: dict[str, Any]) -> str:
    stands = "{date} · {phase} · {turn} · entry {entries}, {at}".format(**there)
    return f"{there['campaign']} · {there['problem'] or stands}"


def _plain(there: Listed) -> dict[str, Any]:
    """A campaign of a server, with whose turn it is."""
    turn, problem = "", there.problem
    if problem is None:
        try:
            ask = Desk.look_at(there.address).ask
            turn = f"{ask.side.label} is asked" if ask is not None else "nobody is asked"
        except (StorageError, Refused) as error:
            problem = str(error)
    return {
        "campaign": there.address.campaign,
        "name": there.name,
        "date": there.date,
        "phase": there.phase,
        "turn": turn,
        "entries": there.entries,
        "at": there.at,
        "problem": problem,
    }
