"""The counters that the lines of an order of battle would add, tried on a copy of the campaign."""

from collections.abc import Iterable

from brt_cg.card import Card, read_arrival_counters
from brt_cg.catalogue import Catalogue
from brt_cg.catalogue.command_figures import add_catalog_figures
from brt_cg.commands import Command
from brt_cg.commands.reinforce import add_reinforcements
from brt_cg.imports.order_line import ParsedOrderLine, reinforce_inputs
from brt_cg.model import Campaign, Counter


def counters_of_lines(
    lines: Iterable[ParsedOrderLine], campaign: Campaign, card: Card, catalogue: Catalogue
) -> list[Counter]:
    """Return the counters that the lines would add, those still to arrive last; the campaign is not
    changed. Raises RefusedError as `reinforce_inputs` and `reinforce` would."""
    after = campaign.clone()
    for asked in reinforce_inputs(lines):
        filled = add_catalog_figures("reinforce", asked, catalogue, after, card)
        add_reinforcements(Command("reinforce", filled, after, card, {}, "preview", ""))
    there = [each for each in after.counters() if campaign.find(each.id) is None]
    later = (after.arrivals[key] for key in after.arrivals if key not in campaign.arrivals)
    return [*there, *(each for arrival in later for each in read_arrival_counters(arrival))]
