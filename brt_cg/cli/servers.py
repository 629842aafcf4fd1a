"""What `brt-cg campaigns` does: which campaigns there are on a server, and how they stand."""

import argparse
import json
from typing import Any

from brt_cg.asks import Refused
from brt_cg.cli.talk import DONE, say, show
from brt_cg.desk import Desk
from brt_cg.storage.errors import StorageError
from brt_cg.storage.server import Listed, listed


def campaigns(options: argparse.Namespace) -> int:
    server = options.server
    found = [_told(one) for one in listed(server)]
    if options.json:
        show(json.dumps(found, ensure_ascii=False, indent=2))
        return DONE
    for one in found:
        stands = one["problem"] or "{date} · {phase} · {turn} · entry {entries}, {at}".format(**one)
        show(f"{one['campaign']} · {stands}")
    if not found:
        say(
            f"there is no campaign on {server} that your role may look at: make one with brt-cg new"
        )
    return DONE


def _told(one: Listed) -> dict[str, Any]:
    """A campaign of a server, with whose turn it is."""
    turn, problem = "", one.problem
    if problem is None:
        try:
            ask = Desk.look_at(one.address).ask
            turn = f"{ask.side.label} is asked" if ask is not None else "nobody is asked"
        except (StorageError, Refused) as error:
            problem = str(error)
    return {
        "campaign": one.address.campaign,
        "name": one.name,
        "date": one.date,
        "phase": one.phase,
        "turn": turn,
        "entries": one.entries,
        "at": one.at,
        "problem": problem,
    }
