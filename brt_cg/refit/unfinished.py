"""A side's unfinished business: Fortifications that were bought but not placed, and points that
were not spent."""

from collections import Counter as Tally
from collections.abc import Container

from brt_cg.card import Card
from brt_cg.model import Campaign, Side
from brt_cg.purchases.pools import list_accounts, owner_text
from brt_cg.refit.play import Play
from brt_cg.refit.setup_places import unplaced_fortifications


def unplaced_fortifications_text(
    campaign: Campaign, side: Side, but_not: Container[str] = ()
) -> str | None:
    """Return the Fortifications of a side without a Location, except those in `but_not` (ids), in
    words: "4 × 1S foxhole"; None if there are none. They can still be placed in the next setup, or
    at the end of a scenario."""
    open_ones = (fort for fort in unplaced_fortifications(campaign, side) if fort.id not in but_not)
    kinds = Tally(fort.full_type_text for fort in open_ones)
    return ", ".join(f"{many} × {what}" for what, many in kinds.items()) or None


def unfinished_texts(campaign: Campaign, card: Card, side: Side) -> list[str]:
    """Return everything that a side has not done yet when it ends its purchases or setup: unplaced
    counters, and points left."""
    unplaced = unplaced_fortifications_text(campaign, side)
    lines = [f"not placed: {unplaced}"] if unplaced else []
    funds = list_accounts(campaign, card, side)
    left = [f"{each.left} left for {owner_text(each)}" for each in funds if each.left]
    return lines + left


def log_unplaced_fortifications(play: Play, side: Side) -> None:
    """Log, for a side, the purchases that it has not placed when its setup ends."""
    forts = unplaced_fortifications(play.campaign, side)
    if forts:
        listed = unplaced_fortifications_text(play.campaign, side)
        words = f"the {side.plural} bought these Fortifications but have not placed them: {listed}"
        how = "they can place them in the next setup, or at the scenario's end"
        play.log(f"{words}; {how}", secret=side)
