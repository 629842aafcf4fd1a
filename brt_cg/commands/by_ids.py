"""What a command is asked, with the ids of the counters that the players named: the journal has
ids."""

from collections.abc import Iterable, Iterator
from typing import Any

from brt_cg.board.locations import OFF_MAP
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Side
from brt_cg.model.visibility import found_by
from brt_cg.questions.answers import Refused
from brt_cg.text import folded, names_of

NAMED = {"edit": "id", "note": "about", "drop": "ids", "deploy": "ids", "buy": "location"}


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


# --- counters by what players call them -----------------------------------------------------------


def bearers(campaign: Campaign, called: str, side: Side | None) -> list[Counter]:
    """The counters that a side (None: the umpire) may mean: the one with this id, else those in
    play with that name or number; never one that its enemy hides."""
    known = found_by(campaign, called, side)
    if known is not None:
        return [known]
    wanted = folded(called)
    alike = (each for each in campaign.counters() if each.in_play and wanted in _all_names(each))
    return [each for each in alike if found_by(campaign, each.id, side) is not None]


def _all_names(counter: Counter) -> Iterator[str]:
    yield from names_of(counter.own_name, counter.full_sort)


def the_one(found: Iterable[Counter]) -> Counter | None:
    """The only one of some counters; None if there are none or several."""
    some = [*found]
    return some[0] if len(some) == 1 else None
