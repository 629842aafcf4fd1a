"""15.603: rally and unloading; who won, and the Casualty VP."""

from brt_cg.board import locations
from brt_cg.model.counters import Fortification, Side
from brt_cg.model.leaving import keep_secret
from brt_cg.model.records import SIDES
from brt_cg.questions.answers import Form, Raw, Refused, in_words
from brt_cg.questions.asks import Choose, Item, Option, Several
from brt_cg.refit.gathering import carrying
from brt_cg.refit.moves import place
from brt_cg.refit.play import Play, paragraph
from brt_cg.refit.victory import (
    ask_who_won,
    both_sums,
    fall,
    falls_by_its_hex,
    leading,
    least_cvp,
    look_at_once,
    look_for_victory,
    newly_fallen,
    victory_points,
    vp_before,
    worth_of,
)
from brt_cg.text import Bit, signed, told_hidden, whole_number

MOST_CORRECTED = 999  # the most CVP at once: more is a typing error


@paragraph(
    "15.6031",
    nothing="no unit is broken and none is aboard",
    subjects=("R-UNLOAD",),
)
async def rally_and_unloading(play: Play) -> None:
    """Every broken or Disrupted unit rallies, without a DR. Passengers and Riders unload where they
    are, except as R-UNLOAD says in an Ocean Location. CG I may end before anyone rallies
    (R-CG1-WHEN)."""
    look_at_once(play)
    units = play.campaign.units.values()
    for unit in play.campaign.in_order(carrying(play.campaign, "broken", "disrupted")):
        unit.lose("broken", "disrupted", "dm")
        play.tell(unit, "rallies")
    for unit in play.campaign.in_order(unit for unit in units if unit.aboard):
        vehicle = play.campaign.vehicles[unit.aboard]
        label = vehicle.label
        in_ocean = vehicle.location is not None and locations.is_ocean(vehicle.location)
        if in_ocean and await play.agreed("R-UNLOAD", unit) == "stay":
            play.tell(unit, f"stays aboard {label}", vehicle, ruling="R-UNLOAD")
            continue
        keep_secret(play.campaign, unit)
        unit.aboard = None
        place(play, unit, vehicle.location)
        ruling = "R-UNLOAD" if in_ocean else None
        play.tell(unit, f"unloads from {label}", vehicle, ruling=ruling)


@paragraph(
    "15.6032",
    nothing="there is nothing to settle",
    subjects=("winner", "pillboxes", "victor"),
)
async def victory_and_cvp(play: Play) -> None:
    """Control is settled as the players say, each side's CVP total is brought up to date, and the
    scenario is decided (15.615): the Marines win by more Victory Points than the Japanese, counting
    CVP and the stacking capacity of each pillbox eliminated or captured (R-VP, R-EMPTY-PILLBOX).
    The program counts the pillboxes; where the state says another number, the players say which it
    is. Control of anything else scores nothing: the players settle it on the map, and it enters
    with the Perimeters of 15.607."""
    totals = ", ".join(f"{side.label} {play.campaign.sides[side].cvp}" for side in SIDES)
    corrections = await play.ask(
        Several(
            subject="cvp",
            side=Side.MARINE,
            prompt=f"The CVP are {totals}: enter corrections, or none",
            public=True,
            items=tuple(Item(side, side.label, CORRECTION) for side in SIDES),
            reader=lambda raw: [
                (side, *_correction(play, side, raw[side]))
                for side in SIDES
                if raw.get(side) is not None
            ],
            hint='{"marine": {"cvp": ±n, "reason": "…"}}, the Japanese likewise, or none',
            none_text="no corrections",
        )
    )
    for side, points, reason in corrections:
        play.campaign.sides[side].cvp += points
        total = play.campaign.sides[side].cvp
        play.say(f"{side.label} CVP {signed(points)}: now {total} ({reason})")
    await _pillboxes(play)
    sums = victory_points(play.campaign, whole=play.ruling("R-VP") == "campaign")
    play.say(f"15.615 Victory Points: {both_sums(sums)}", ruling="R-VP")
    ahead, given = leading(sums), play.campaign.situation.winner
    prompt = f"By Victory Points the {ahead.label} side has won. Who won the scenario?"
    winner = await ask_who_won(play, "winner", prompt, given or ahead)
    play.campaign.situation.winner = winner
    play.say(f"the {winner.label} side won the {play.campaign.situation.date} scenario")
    look_for_victory(play)


def _correction_typed(text: str) -> Raw:
    points, reason = Bit(text.strip()).halves(" ")
    if (cvp := whole_number(points)) is None or not reason:
        raise Refused(f"{text!r}: write the points and why, for example: +2 recounted")
    return {"cvp": cvp, "reason": str(reason)}


CORRECTION = Form(
    hint="±points and the reason: +2 recounted",
    typed=_correction_typed,
    worded=lambda raw: f"{signed(raw['cvp'])} ({raw['reason']})" if raw else in_words(raw),
)


def _correction(play: Play, side: Side, raw: Raw) -> tuple[int, str]:
    if not isinstance(raw, dict) or set(raw) != {"cvp", "reason"}:
        raise Refused(f'{side}: a correction is {{"cvp": ±n, "reason": "…"}}')
    points, reason = raw["cvp"], raw["reason"]
    if isinstance(reason, str) and (wrong := told_hidden(reason)):
        raise Refused(f"{side}: {wrong}")
    readable = isinstance(reason, str) and reason.strip() and reason.isprintable()
    if type(points) is not int or not readable:
        raise Refused(f"{side}: a correction needs a whole number of cvp and a reason")
    total = play.campaign.sides[side].cvp
    if abs(points) > MOST_CORRECTED:
        raise Refused(f"{side.label} CVP {signed(points)}: allowed: at most ±{MOST_CORRECTED}")
    if total + points < least_cvp(play.campaign, side):
        raise Refused(f"{side.label} CVP are {total}: {signed(points)} would make them too low")
    return points, reason


async def _pillboxes(play: Play) -> None:
    """Counts the pillboxes that fell in the scenario, each once, and settles their VP; what is
    settled stands for this date in the sum of the campaign."""
    situation = play.campaign.situation
    boxes, before = newly_fallen(play.campaign), vp_before(play.campaign)
    for box in boxes:
        by_hex = falls_by_its_hex(play.campaign, box)
        how = "captured" if box.in_play else "eliminated"
        worth = fall(play.campaign, box)
        words = f"{how} by the Marines: {worth} VP for its capacity (15.615)"
        play.tell(box, words, ruling="R-EMPTY-PILLBOX" if by_hex else None)
    earlier = before if play.ruling("R-VP") == "campaign" else 0
    counted = earlier + sum(map(worth_of, boxes))
    # By R-VP `campaign` the number of the last date stays, until the state says another one.
    if situation.pillbox_vp in (0, earlier, counted):
        situation.pillbox_vp = counted
    else:
        await _settle_their_vp(play, boxes, counted)
    situation.pillbox_vp_so_far = before - earlier + situation.pillbox_vp


async def _settle_their_vp(play: Play, boxes: list[Fortification], counted: int) -> None:
    """Asks the players which number is right: the state's, or the one counted."""
    situation = play.campaign.situation
    entered = situation.pillbox_vp
    listed = ", ".join(f"{play.who(box)} {worth_of(box)}" for box in boxes) or "none fell"
    situation.pillbox_vp = await play.ask(
        Choose(
            subject="pillboxes",
            side=Side.MARINE,
            prompt=f"{entered} VP for pillboxes were entered, but the Fortifications come to "
            f"{counted} ({listed}): which is right?",
            public=True,
            about="pillboxes",
            options=(
                Option("entered", f"{entered}, as entered", entered),
                Option("counted", f"{counted}, as counted", counted),
            ),
            default="entered",
        )
    )
    play.say(f"Victory Points for pillboxes: {situation.pillbox_vp}")
