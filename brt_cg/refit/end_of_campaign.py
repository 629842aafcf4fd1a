"""The end of the campaign, after its last scenario or a CG victory (R-CG-END)."""

from brt_cg.model import LossKind, Phase, Side, Unit
from brt_cg.refit.casualties import (
    Loss,
    casualty_points,
    cvp_change_text,
    cvp_totals_text,
    enter_loss,
    points_scored_for_capture,
    reveal_hidden_losses,
)
from brt_cg.refit.play import Play
from brt_cg.refit.victory import (
    ask_who_won,
    leading_side,
    pillboxes_taken_with_hex,
    score_controlled_pillbox,
    victory_points,
    victory_points_text,
)


async def end_campaign(play: Play) -> None:
    """Apply R-CG-END: score prisoners still held double, and end the campaign. The victor is the
    side that has won immediately, or else the side with the Victory Points (R-CG-VICTORY), as the
    players confirm."""
    for box in pillboxes_taken_with_hex(play.campaign):
        score_controlled_pillbox(play, box, "R-EMPTY-PILLBOX")
    reveal_hidden_losses(play.campaign)
    for prisoner in play.campaign.sort_counters_in_play(play.campaign.units.values()):
        if prisoner.prisoner and prisoner.guard:
            _score_double(play, prisoner)
    situation = play.campaign.situation
    if situation.victor is None:
        situation.victor = await _victor(play)
    situation.phase = Phase.OVER
    totals = cvp_totals_text(play.campaign)
    play.log(f"the campaign is over; the CVP are {totals}", ruling="R-CG-END")
    play.log(f"the {situation.victor.plural} have won the campaign")


def _score_double(play: Play, prisoner: Unit) -> None:
    """Score a prisoner still held at double value, which includes the points scored for the
    capture."""
    campaign, points = play.campaign, casualty_points(play.card, prisoner)
    before, captor = points_scored_for_capture(campaign, prisoner), prisoner.side.enemy
    loss = Loss(
        side=captor, points=2 * points - before, how=LossKind.HELD, rule=play.rule, counter=prisoner
    )
    enter_loss(campaign, loss, campaign.situation.scenario_date_of_losses)
    reckoned = f"twice its {points}" + (
        f", less {before} already scored for the capture" if before else ""
    )
    change = cvp_change_text(captor, loss.points, campaign.cvp(captor), f" ({reckoned})")
    play.log_event(prisoner, f"is still held; {change}", readings=("held",))


async def _victor(play: Play) -> Side:
    """Return the victor by 15.615 over the whole campaign, as the players confirm or enter it
    (R-CG-VICTORY)."""
    points = victory_points(play.campaign, whole=True)
    ahead = leading_side(points)
    play.log(
        f"Victory Points of the campaign: {victory_points_text(points)}", ruling="R-CG-VICTORY"
    )
    by_points = f"By Victory Points ({victory_points_text(points)}) the {ahead.plural} have won."
    enter = play.ruling_value("R-CG-VICTORY") == "enter"
    prompt = f"{'' if enter else by_points + ' '}Who has won the campaign (R-CG-VICTORY)?"
    return await ask_who_won(play, "victor", prompt, ahead)
