"""The command that lists the campaigns on a server."""

import argparse
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from brt_cg.cli.console import print_list
from brt_cg.questions import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage.engine import list_campaigns
from brt_cg.storage.errors import StorageError

if TYPE_CHECKING:
    from brt_cg.storage.server_campaign import ListedCampaign


def campaigns(options: argparse.Namespace) -> int:
    server = options.server
    none = f"there is no campaign on {server} that your role may read; create one with brt-cg new"
    return print_list(
        [_plain(there) for there in list_campaigns(server)], options.json, _line, none
    )


def _line(there: dict[str, Any]) -> str:
    state = "{date} · {phase} · {turn} · entry {entries}, {at}".format(**there)
    return f"{there['campaign']} · {there['problem'] or state}"


def _plain(there: "ListedCampaign") -> dict[str, Any]:
    """Return a campaign of a server as JSON, with the side whose turn it is."""
    turn = ""
    if there.problem is None:
        try:
            asked = OpenCampaign.open(there.address).view().turn
            turn = f"{asked.label} player to answer" if asked is not None else "no open question"
        except (StorageError, RefusedError) as error:
            there = replace(there, problem=str(error))
    document = {name: value for name, value in asdict(there).items() if name != "address"}
    return {"campaign": there.address.campaign, "turn": turn} | document
