"""The input of a command, with ids in place of the names that players use for counters, since the
journal has ids."""

from collections.abc import Iterable, Iterator
from typing import Any

from brt_cg.board import OFF_MAP
from brt_cg.model import Campaign, Counter, Side, counter_known_to
from brt_cg.questions import RefusedError
from brt_cg.text import normalize_spaces_and_case, searchable_names

NAMED = {"edit": "id", "note": "about", "drop": "ids", "deploy": "ids", "buy": "location"}


def replace_names_with_ids(
    kind: str, asked: dict[str, Any], campaign: Campaign, side: Side | None
) -> dict[str, Any]:
    """Return the input of a command, with the id of each counter that it names. Raises RefusedError
    if several counters have a name; the command itself refuses an unknown name."""
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
    found = counters_side_may_mean(campaign, named, side)
    if len(found) > 1:
        listed = ", ".join(each.name_with_id for each in found)
        raise RefusedError(f"several counters are called {named}; enter one of {listed}")
    return found[0].id if found else named


# --- counters by the players' names for them ------------------------------------------------------


def counters_side_may_mean(campaign: Campaign, called: str, side: Side | None) -> list[Counter]:
    """Return the counters that a side (None: the umpire) may mean: the one with this id, or else
    those in play with this name or number, but never one that its enemy hides."""
    known = counter_known_to(campaign, called, side)
    if known is not None:
        return [known]
    wanted = normalize_spaces_and_case(called)
    alike = (each for each in campaign.counters() if each.in_play and wanted in _all_names(each))
    return [each for each in alike if counter_known_to(campaign, each.id, side) is not None]


def _all_names(counter: Counter) -> Iterator[str]:
    yield from searchable_names(counter.name_or_number, counter.full_type_text)


def only_one(found: Iterable[Counter]) -> Counter | None:
    """Return the only one of some counters; None if there are none or several."""
    some = [*found]
    return some[0] if len(some) == 1 else None
