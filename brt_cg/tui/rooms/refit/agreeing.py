"""The rulings that are agreed on before the Refit Phase begins."""

from brt_cg.model.records import Phase
from brt_cg.refit.sequence import NUMBERS
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seen


def is_before_the_phase(seen: Seen) -> bool:
    """Whether 15.601 begins next, and those who look may agree on rulings for both sides."""
    upcoming, together = seen.upcoming, seen.seat is None or seen.at_table
    refit = seen.view.situation.phase is Phase.REFIT
    return together and refit and upcoming is not None and upcoming.number == NUMBERS[0]


async def agree_beforehand(app: CampaignApp, seen: Seen) -> None:
    """Asks on one page about the rulings that what is on the table may raise, and stores what is
    agreed on as one command. Must run in a worker."""
    from brt_cg.refit.play_out import rulings_ahead
    from brt_cg.tui.dialogs.rulings_ahead import RulingsAheadScreen

    view, card = seen.view, seen.card
    found = await app.session.consult(lambda _: rulings_ahead(view, card))
    open_ones = [ruling for ruling in found if not view.is_agreed(ruling.id)]
    if not open_ones:
        return
    chosen = await app.push_screen_wait(RulingsAheadScreen(open_ones))
    if chosen is not None:
        asked = [{"id": id, "value": value} for id, value in chosen.items()]
        await app.session.perform(lambda desk: desk.commands("ruling", asked))
