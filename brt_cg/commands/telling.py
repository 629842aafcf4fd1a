"""Counters in the sentences of a command."""

from brt_cg.campaign import Campaign
from brt_cg.counters import Counter


def told(campaign: Campaign, counter: Counter) -> str:
    """A counter in one phrase, with its id and where it is: "7-6-8 squad m-sq-1, N21"."""
    return f"{named(campaign, counter)}, {campaign.place(counter)}"


def named(campaign: Campaign, counter: Counter) -> str:
    """A counter in one phrase, with its id: "7-6-8 squad m-sq-1"."""
    label = campaign.label(counter)
    return label if counter.id in label else f"{label} ({counter.id})"
