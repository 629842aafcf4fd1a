"""The command about a server: listing its campaigns."""

import argparse
from dataclasses import asdict, replace
from typing import Any

from brt_cg.cli.talk import show_listing
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.storage.errors import StorageError
from brt_cg.storage.server import ListedCampaign, campaigns_on


def campaigns(options: argparse.Namespace) -> int:
    server = options.server
    none = f"there is no campaign on {server} that your role may read: make one with brt-cg new"
    return show_listing(
        [_plain(there) for there in campaigns_on(server)], options.json, _line, none
    )


def _line(there: dict[str, Any]) -> str:
    stands = "{date} · {phase} · {turn} · entry {entries}, {at}".format(**there)
    return f"{there['campaign']} · {there['problem'] or stands}"


def _plain(there: ListedCampaign) -> dict[str, Any]:
    """A campaign of a server as JSON, with whose turn it is."""
    turn = ""
    if there.problem is None:
        try:
            asked = Desk.open(there.address).book().turn
            turn = f"{asked.label} is asked" if asked is not None else "nobody is asked"
        except (StorageError, Refused) as error:
            there = replace(there, problem=str(error))
    document = {name: value for name, value in asdict(there).items() if name != "address"}
    return {"campaign": there.address.campaign, "turn": turn} | document
