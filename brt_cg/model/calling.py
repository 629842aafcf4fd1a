"""Counters by what players call them: the id, the name, or what is printed with the name ("6-6-8
B")."""

from collections.abc import Iterable, Iterator

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Side
from brt_cg.model.visibility import found_by
from brt_cg.text import folded, names_of


def bearers(campaign: Campaign, called: str, side: Side | None) -> list[Counter]:
    """The counters that a side (None: the umpire) may mean: the one with this id, else those in
    play with that name; never one that its enemy hides."""
    known = found_by(campaign, called, side)
    if known is not None:
        return [known]
    wanted = folded(called)
    named = (each for each in campaign.counters() if each.in_play and each.name)
    alike = (each for each in named if wanted in _all_names(campaign, each))
    return [each for each in alike if found_by(campaign, each.id, side) is not None]


def _all_names(campaign: Campaign, counter: Counter) -> Iterator[str]:
    yield from names_of(counter.name, counter.sort)
    yield folded(counter.label)


def the_one(found: Iterable[Counter]) -> Counter | None:
    """The only one of some counters; None if there are none or several."""
    some = [*found]
    return some[0] if len(some) == 1 else None
