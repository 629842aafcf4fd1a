"""Counters and their changes in the sentences of a command."""

from collections.abc import Iterable
from enum import StrEnum

from brt_cg.campaign import Campaign
from brt_cg.counters import Counter, Fate, Kind, Side
from brt_cg.fields import Changed, public_name


def in_words(changes: Iterable[Changed]) -> str:
    """Changes in a sentence: "location N21 → N22, status – → broken"."""
    return ", ".join(
        worded(after)
        if name == "fate" and after is not Fate.IN_PLAY
        else f"{public_name(name).replace('_', ' ')} {worded(before)} → {worded(after)}"
        for name, before, after in changes
    )


def worded(value: object) -> str:
    """A field's value in a sentence: "broken, wounded", "yes", "–" for nothing."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(worded, value)) or "–"
    if value is None:
        return "–"
    if isinstance(value, Side | Kind):
        return value.label
    return value.replace("_", " ") if isinstance(value, StrEnum) else str(value)


def told(campaign: Campaign, counter: Counter) -> str:
    """A counter in one phrase, with its id and where it is: "7-6-8 squad m-sq-1, N21"."""
    return f"{named(campaign, counter)}, {campaign.place(counter)}"


def named(campaign: Campaign, counter: Counter) -> str:
    """A counter in one phrase, with its id: "7-6-8 squad m-sq-1"."""
    label = campaign.label(counter)
    return label if counter.id in label else f"{label} ({counter.id})"
