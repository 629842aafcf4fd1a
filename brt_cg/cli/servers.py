"""The command about a server: listing its campaigns, and removing the roles of an older brt-cg."""

import argparse
from dataclasses import asdict, replace
from typing import Any

from brt_cg.cli.talk import DONE, say, show, show_listing
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.storage.errors import StorageError
from brt_cg.storage.old_seats import campaigns_with_seats, drop_seats
from brt_cg.storage.server import ListedCampaign, campaigns_on
from brt_cg.text import listed


def campaigns(options: argparse.Namespace) -> int:
    server = options.server
    if options.drop_seats:
        return _drop_seats(options)
    none = f"there is no campaign on {server} that your role may read: make one with brt-cg new"
    done = show_listing(
        [_plain(there) for there in campaigns_on(server)], options.json, _line, none
    )
    seated = campaigns_with_seats(replace(server, campaign=None))
    if seated:
        say(
            f"players' roles of an older brt-cg are still there, with their passwords: "
            f"{listed(seated)}; --drop-seats removes them"
        )
    return done


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


def _drop_seats(options: argparse.Namespace) -> int:
    dropped = drop_seats(options.server)
    for each in dropped:
        show(f"removed: the schema {each.schema}, the roles {listed(each.roles) or 'none'}")
    if not dropped:
        say(f"{options.server} has no roles of an older brt-cg: nothing was removed")
    return DONE
