"""What an order of battle by lines would add, tried on a copy of the campaign."""

from collections.abc import Iterable

from brt_cg.card import Card
from brt_cg.card.arriving import counters_of
from brt_cg.catalogue import Catalogue
from brt_cg.catalogue.entering import with_figures
from brt_cg.commands import Command
from brt_cg.commands.reinforce import reinforce
from brt_cg.imports.order_lines import Line, asked_of
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Side
from brt_cg.questions.answers import Refused

NOT_YOURS = "these are the other side's: enter your own"


def tried(
    lines: Iterable[Line], campaign: Campaign, card: Card, catalogue: Catalogue
) -> list[Counter]:
    """The counters that the lines would add, those still to arrive last; the campaign is not
    changed. Raises Refused as `asked_of` and `reinforce` would."""
    after = campaign.clone()
    for asked in asked_of(lines):
        filled = with_figures("reinforce", asked, catalogue, after, card)
        reinforce(Command("reinforce", filled, after, card, {}, "preview", ""))
    there = [each for each in after.counters() if campaign.find(each.id) is None]
    later = (after.arrivals[key] for key in after.arrivals if key not in campaign.arrivals)
    return [*there, *(each for arrival in later for each in counters_of(arrival))]


def check_own(lines: Iterable[Line], seat: Side | None) -> None:
    """Notes a problem at each line of the enemy's, if a side sits at the program. Raises Refused if
    there is one."""
    if any(line.side is not None and line.side is not seat for line in lines if seat is not None):
        raise Refused(NOT_YOURS)
