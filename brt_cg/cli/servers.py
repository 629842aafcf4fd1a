"""The commands about a server: listing its campaigns, a campaign's seats, and keeping one for its
players."""

import argparse
import shlex
from dataclasses import asdict, replace
from typing import Any

from brt_cg.cli.talk import DONE, say, show, show_listing
from brt_cg.opening import open_desk
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.storage.errors import StorageError
from brt_cg.storage.seats import make
from brt_cg.storage.server import Listed, listed

NOT_LISTED = ("address", "seated")  # fields of a campaign that a list words otherwise, or omits


def campaigns(options: argparse.Namespace) -> int:
    server = options.server
    none = f"there is no campaign on {server} that your role may read: make one with brt-cg new"
    return show_listing([_plain(there) for there in listed(server)], options.json, _line, none)


def _line(there: dict[str, Any]) -> str:
    stands = "{date} · {phase} · {turn} · entry {entries}, {at}".format(**there)
    return f"{there['campaign']} · {there['problem'] or stands}"


def _plain(there: Listed) -> dict[str, Any]:
    """A campaign of a server as JSON, with whose turn it is."""
    turn = ""
    if there.problem is None:
        try:
            desk = open_desk(there.address)
            ask = desk.ask
            turn = f"{ask.side.label} is asked" if ask is not None else "nobody is asked"
            there = _from_its_seat(there, desk) if there.seated else there
        except (StorageError, Refused) as error:
            there = replace(there, problem=str(error))
    told = {name: value for name, value in asdict(there).items() if name not in NOT_LISTED}
    return {"campaign": there.address.campaign, "turn": turn} | told


def _from_its_seat(there: Listed, desk: Desk) -> Listed:
    """A campaign's state as far as its player may know it."""
    situation, times = desk.campaign.situation, [row.payload.get("at") for row in desk.entries]
    newest = next((at for at in reversed(times) if at), "")
    name, phase = situation.name or "", str(situation.phase)
    return replace(
        there, name=name, date=situation.date, phase=phase, entries=len(times), at=newest
    )


def seats(options: argparse.Namespace) -> int:
    desk = Desk.open(options.server)
    roles = make(options.server, desk.pages(), options.anew)
    desk.close()
    for role in roles:
        show(f"{role.seat} {role.address}")
        if role.password is not None:
            show(f"{role.seat} password {role.password}")
    if any(role.password is not None for role in roles):
        say(
            "A password is shown only now, and is not stored: give each player his own line and "
            "password. He enters it through PGPASSWORD or ~/.pgpass."
        )
    say(f"To carry out what the players enter, run: brt-cg keep {shlex.quote(str(options.server))}")
    return DONE


def keep(options: argparse.Namespace) -> int:
    from brt_cg.keeper import keep as kept

    try:
        kept(options.server, say, options.once)
    except KeyboardInterrupt:
        say("the keeper has stopped; what the players enter now waits")
    return DONE
