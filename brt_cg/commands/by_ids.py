"""What a command is asked, with the ids of the counters that the players named: the journal has
ids."""

from typing import Any

from brt_cg.board.locations import OFF_MAP
from brt_cg.model.calling import bearers
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused

NAMED = {"edit": "id", "note": "about", "drop": "ids", "buy": "location"}


def by_ids(
    kind: str, asked: dict[str, Any], campaign: Campaign, side: Side | None
) -> dict[str, Any]:
    """What a command is asked, with the id of each counter that it names. Raises Refused where
    several have that name; a name that nobody has stays for the command to refuse."""
    key = NAMED.get(kind, "")
    named = asked.get(key)
    if isinstance(named, list):
        return asked | {key: [_id(one, campaign, side) for one in named]}
    if kind == "buy" and isinstance(named, str):
        hex, colon, inside = named.partition(":")
        known = not inside.isdecimal() and named != OFF_MAP
        return asked | {key: f"{hex}:{_id(inside, campaign, side)}"} if colon and known else asked
    return asked if named is None else asked | {key: _id(named, campaign, side)}


def _id(named: Any, campaign: Campaign, side: Side | None) -> Any:
    if not isinstance(named, str) or not named.strip():
        return named
    found = bearers(campaign, named, side)
    if len(found) > 1:
        listed = ", ".join(each.named for each in found)
        raise Refused(f"{named}: several have that name: {listed}")
    return found[0].id if found else named
