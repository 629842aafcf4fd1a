"""The end of the campaign, after its last scenario or a CG victory (R-CG-END)."""

from brt_cg.model.counters import Side, Unit
from brt_cg.model.records import Lost, Phase
from brt_cg.refit.casualties import (
    Loss,
    counted_as_captured,
    enter,
    figure,
    open_rows,
    totals_text,
    worth,
)
from brt_cg.refit.play import Play
from brt_cg.refit.victory import (
    ask_who_won,
    both_sums,
    capture_pillbox,
    leading,
    taken_with_their_hex,
    victory_points,
)


async def end_of_campaign(play: Play) -> None:
    """R-CG-END: scores prisoners still held double, and ends the campaign. Its victor is the side
    that has won it at once, or else by Victory Points (R-CG-VICTORY), as the players confirm."""
    for box in taken_with_their_hex(play.campaign):
        capture_pillbox(play, box, "R-EMPTY-PILLBOX")
    open_rows(play.campaign)
    for prisoner in play.campaign.in_order(play.campaign.units.values()):
        if prisoner.prisoner and prisoner.guard:
            _score_double(play, prisoner)
    situation = play.campaign.situation
    if situation.victor is None:
        situation.victor = await _victor(play)
    situation.phase = Phase.OVER
    totals = totals_text(play.campaign)
    play.say(f"the campaign is over; CVP: {totals}", ruling="R-CG-END")
    play.say(f"the {situation.victor.label} side has won the campaign")


def _score_double(play: Play, prisoner: Unit) -> None:
    """Scores a prisoner still held: double, with what was scored for him as captured."""
    campaign, points = play.campaign, worth(play.card, prisoner)
    before, captor = counted_as_captured(campaign, prisoner), prisoner.side.enemy
    loss = Loss(
        side=captor, points=2 * points - before, how=Lost.HELD, rule=play.rule, counter=prisoner
    )
    enter(campaign, loss, campaign.situation.fought)
    reckoned = f"2 × {points}" + (f", {before} of them scored as captured" if before else "")
    change, _, now = figure(captor, loss.points, campaign.cvp(captor)).partition(":")
    play.tell(prisoner, f"still held: {change} ({reckoned}):{now}")


async def _victor(play: Play) -> Side:
    """The victor by 15.615 over the whole campaign, as the players confirm or enter
    (R-CG-VICTORY)."""
    points = victory_points(play.campaign, whole=True)
    ahead = leading(points)
    play.say(f"Victory Points of the campaign: {both_sums(points)}", ruling="R-CG-VICTORY")
    by_points = f"By Victory Points ({both_sums(points)}) the {ahead.label} side has won."
    enter = play.ruling("R-CG-VICTORY") == "enter"
    prompt = f"{'' if enter else by_points + ' '}Who has won the campaign (R-CG-VICTORY)?"
    return await ask_who_won(play, "victor", prompt, ahead)
