"""What a command leaves behind: prisoners and Isolated Locations of units that it takes out."""

from collections.abc import Iterator
from contextlib import contextmanager

from brt_cg.commands import Command
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Unit, Vehicle
from brt_cg.refit.left_behind import left_behind
from brt_cg.refit.play import Play
from brt_cg.refit.sequence import prisoners_are_settled


@contextmanager
def settling(command: Command) -> Iterator[None]:
    """Settles and logs, after a `with` block, the fate of the prisoners and the Isolated equipment
    of units lost in it (15.609); nothing while prisoners are not settled yet."""
    campaign = command.campaign
    if not prisoners_are_settled(campaign.situation):
        yield
        return
    copied = {kind.TABLE: campaign.tables[kind.TABLE].clone() for kind in (Unit, Vehicle)}
    before = Campaign(Campaign().tables | copied)
    yield
    play = Play("15.609", campaign, command.card)
    left_behind(play, before)
    command.said += play.said
