"""15.603: rally and unloading; the winner, and the Casualty VP."""

from collections.abc import Iterator

from brt_cg.board import locations
from brt_cg.model import SIDES, Fortification, LossKind, Side, Unit
from brt_cg.model.cleanup import keep_hidden_without_holder
from brt_cg.questions import (
    AnswerForm,
    ChoiceQuestion,
    EntryQuestion,
    MultiQuestion,
    Option,
    QuestionItem,
    Raw,
    RefusedError,
    answer_text,
)
from brt_cg.refit.casualties import (
    CAPTURE,
    HIDDEN,
    Loss,
    casualty_points,
    cvp_change_text,
    cvp_totals_text,
    enter_correction,
    enter_loss,
    points_scored_for_capture,
    reveal_hidden_losses,
)
from brt_cg.refit.losses import secret_before_loss
from brt_cg.refit.moves import place_piece_with_possessions
from brt_cg.refit.play import Play, paragraph
from brt_cg.refit.selection import pieces_with_any_of_statuses
from brt_cg.refit.victory import (
    ask_who_won,
    check_immediate_victory,
    is_empty_outside_perimeters,
    leading_side,
    minimum_cvp,
    newly_fallen_pillboxes,
    pillbox_points,
    pillbox_vp_before_last_scenario,
    record_fallen_pillbox,
    record_immediate_victory_if_reached,
    score_text,
    victory_points,
    victory_points_text,
)
from brt_cg.text import (
    TextSlice,
    count_text,
    invisible_sign_problem,
    parse_whole_number,
    signed_text,
)

MOST_CORRECTED = 999  # the most CVP in one scenario: more is a typing error


@paragraph(
    "15.6031",
    nothing="no unit is broken or aboard a vehicle",
    subjects=("R-UNLOAD",),
)
async def rally_and_unload(play: Play) -> None:
    """Every broken or Disrupted unit rallies, without a DR. Passengers and Riders unload where they
    are, except as R-UNLOAD says in an Ocean Location. CG I may end before anyone rallies
    (R-CG1-WHEN)."""
    check_immediate_victory(play)
    units = play.campaign.units.values()
    for unit in play.campaign.sort_counters_in_play(
        pieces_with_any_of_statuses(play.campaign, "broken", "disrupted")
    ):
        unit.remove_status("broken", "disrupted", "dm")
        play.log_event(unit, "rallies")
    for unit in play.campaign.sort_counters_in_play(unit for unit in units if unit.aboard):
        vehicle = play.campaign.vehicles[unit.aboard]
        label = vehicle.label
        in_ocean = vehicle.location is not None and locations.is_ocean(vehicle.location)
        if in_ocean and await play.ask_ruling_if_not_agreed("R-UNLOAD", unit) == "stay":
            play.log_event(unit, f"stays aboard {label}", vehicle, ruling="R-UNLOAD")
            continue
        keep_hidden_without_holder(play.campaign, unit)
        unit.aboard = None
        place_piece_with_possessions(play, unit, vehicle.location)
        ruling = "R-UNLOAD" if in_ocean else None
        play.log_event(unit, f"unloads from {label}", vehicle, ruling=ruling)


@paragraph(
    "15.6032",
    nothing="there is nothing to settle",
    subjects=("R-CAPTURE-VP", "winner", "overruling", "pillboxes", "victor"),
)
async def settle_control_cvp_and_winner(play: Play) -> None:
    """The players settle Control, each side's CVP total is brought up to date, and the scenario is
    decided (15.615): the Marines win if they have more Victory Points than the Japanese, counting
    CVP and the stacking capacity of each pillbox eliminated or captured (R-VP, R-EMPTY-PILLBOX).
    The program counts the pillboxes; if the end-of-scenario report gives another number, the
    players say which is right. Control of anything else scores nothing: settle it on the map, and
    enter it with the Perimeters of 15.607. Counters lost while hidden are counted openly from here
    on (R-HIDDEN-LOSSES), and so are units captured and still held (R-CAPTURE-VP)."""
    _open_hidden_losses(play)
    await _count_prisoners(play)
    totals = cvp_totals_text(play.campaign)
    corrections = await play.ask(
        MultiQuestion(
            subject="cvp",
            side=Side.MARINE,
            prompt=f"The CVP are {totals}: enter corrections, or none",
            public=True,
            items=tuple(QuestionItem(side, side.label, CORRECTION) for side in SIDES),
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
        enter_correction(play.campaign, side, points, play.rule, reason)
        play.log(f"{cvp_change_text(side, points, play.campaign.cvp(side))}: {reason}")
    await _pillboxes(play)
    await _winner(play)
    record_immediate_victory_if_reached(play)


def _open_hidden_losses(play: Play) -> None:
    for side, points in reveal_hidden_losses(play.campaign).items():
        if points:
            now = play.campaign.cvp(side)
            play.log(
                f"{cvp_change_text(side, points, now)}, for losses hidden until now", ruling=HIDDEN
            )


async def _count_prisoners(play: Play) -> None:
    """Score each prisoner that has not been scored as one yet (R-CAPTURE-VP)."""
    campaign, held = play.campaign, [*_held(play)]
    if not held:
        return
    counts = await play.ask_ruling_if_not_agreed(CAPTURE, *held) == "normal"
    for side in SIDES:
        own = [unit for unit in held if unit.side is side.enemy]
        if not own:
            continue
        worth = {_called(play, unit): casualty_points(play.card, unit) for unit in own}
        words = f"the prisoners that the {side.plural} hold"
        if not counts:
            named = ", ".join(f"{name} ({points} CVP)" for name, points in worth.items())
            play.log(f"{words} do not count for the scenario: {named}", ruling=CAPTURE)
            continue
        named = ", ".join(f"{points} for {name}" for name, points in worth.items())
        before = campaign.cvp(side)
        for unit in own:
            _score_as_captured(play, unit)
        change = cvp_change_text(side, campaign.cvp(side) - before, campaign.cvp(side))
        play.log(f"{change}, for {words}: {named}")


def _held(play: Play) -> Iterator[Unit]:
    """Yield the prisoners of either side that were not scored as captured, in order."""
    for unit in play.campaign.sort_counters_in_play(play.campaign.units.values()):
        if unit.prisoner and casualty_points(play.card, unit) > points_scored_for_capture(
            play.campaign, unit
        ):
            yield unit


def _called(play: Play, unit: Unit) -> str:
    return unit.label if secret_before_loss(play, unit) is None else "one whose guard is hidden"


def _score_as_captured(play: Play, unit: Unit) -> None:
    campaign, secret = play.campaign, secret_before_loss(play, unit)
    points = casualty_points(play.card, unit) - points_scored_for_capture(campaign, unit)
    loss = Loss(
        side=unit.side.enemy,
        points=points,
        how=LossKind.CAPTURED,
        rule=play.rule,
        counter=unit,
        ruling=CAPTURE,
        secret=secret,
    )
    row = enter_loss(campaign, loss, campaign.situation.scenario_date_of_losses)
    row.open = secret is not None


async def _winner(play: Play) -> None:
    """Decide the scenario by the count of Victory Points; the players may overrule it, with a
    reason."""
    situation = play.campaign.situation
    sums = victory_points(play.campaign, whole=play.ruling_value("R-VP") == "campaign")
    play.log(f"Victory Points (15.615): {victory_points_text(sums)}", ruling="R-VP")
    ahead = leading_side(sums)
    score, why = score_text(sums), ""
    if sums[Side.MARINE].total == sums[Side.JAPANESE].total:
        why = "; at a tie the Japanese win (15.615)"
    if situation.said_winner not in (None, ahead):
        play.log(
            f"warning: the report says that the {situation.said_winner.plural} won, but the "
            f"count is {score} for the {ahead.plural}"
        )
    prompt = f"The count is {score} for the {ahead.plural}{why}. Who won the scenario?"
    winner = await ask_who_won(play, "winner", prompt, ahead)
    situation.winner, situation.overruled = winner, None
    named = f"the {winner.plural} won the {situation.date} scenario"
    if winner is ahead:
        play.log(f"{named}, {score}{why}")
        return
    reason = await play.ask(
        EntryQuestion(
            subject="overruling",
            side=Side.MARINE,
            prompt=f"The count is {score} for the {ahead.plural}. Why did the "
            f"{winner.plural} win all the same? (none: the count decides)",
            public=True,
            about="overruling",
            reader=_read_reason,
            form=AnswerForm(hint="the reason, in a few words; none: the count decides"),
            hint="the reason, a text, or null: the count decides",
        )
    )
    if reason is None:
        situation.winner = ahead
        play.log(f"the count decides: the {ahead.plural} won the {situation.date} scenario")
        return
    situation.overruled = reason
    play.log(f"warning: {named}, although the count is {score} for the {ahead.plural}: {reason}")


def _read_reason(raw: Raw) -> str | None:
    if raw is None:
        return None
    if not isinstance(raw, str) or not raw.strip() or not raw.isprintable():
        raise RefusedError("no reason given; write why the count is overruled")
    if wrong := invisible_sign_problem(raw):
        raise RefusedError(wrong)
    return raw.strip()


def _correction_typed(text: str) -> Raw:
    points, reason = TextSlice(text.strip()).split_at(" ")
    if (cvp := parse_whole_number(points)) is None or not reason:
        raise RefusedError(f"{text!r}: write the points and why, for example: +2 recounted")
    return {"cvp": cvp, "reason": str(reason)}


CORRECTION = AnswerForm(
    hint="±points and the reason, for example: +2 recounted",
    typed=_correction_typed,
    worded=lambda raw: f"{signed_text(raw['cvp'])} ({raw['reason']})" if raw else answer_text(raw),
)


def _correction(play: Play, side: Side, raw: Raw) -> tuple[int, str]:
    if not isinstance(raw, dict) or set(raw) != {"cvp", "reason"}:
        raise RefusedError(f'{side}: a correction is {{"cvp": ±n, "reason": "…"}}')
    points, reason = raw["cvp"], raw["reason"]
    if isinstance(reason, str) and (wrong := invisible_sign_problem(reason)):
        raise RefusedError(f"{side}: {wrong}")
    readable = isinstance(reason, str) and reason.strip() and reason.isprintable()
    if type(points) is not int or not readable:
        raise RefusedError(f"{side.label}: a correction needs a whole number of CVP and a reason")
    total = play.campaign.cvp(side)
    if abs(points) > MOST_CORRECTED:
        raise RefusedError(
            f"{side.label} CVP {signed_text(points)}: enter at most ±{MOST_CORRECTED}"
        )
    if total + points < minimum_cvp(play.campaign, side):
        raise RefusedError(
            f"{side.label} CVP are {total}: {signed_text(points)} would make them too low"
        )
    return points, reason


async def _pillboxes(play: Play) -> None:
    """Count the pillboxes that fell in the scenario, each once, and settle their VP; the settled
    number counts for this date in the total of the campaign."""
    situation = play.campaign.situation
    boxes, before = (
        newly_fallen_pillboxes(play.campaign),
        pillbox_vp_before_last_scenario(play.campaign),
    )
    for box in boxes:
        by_hex = is_empty_outside_perimeters(play.campaign, box)
        how = "captured" if box.in_play else "eliminated"
        worth = record_fallen_pillbox(play.campaign, box)
        words = f"is {how} by the Marines, worth {worth} VP for its capacity (15.615)"
        play.log_event(box, words, ruling="R-EMPTY-PILLBOX" if by_hex else None)
    earlier = before if play.ruling_value("R-VP") == "campaign" else 0
    counted = earlier + sum(map(pillbox_points, boxes))
    # By R-VP `campaign` the number of the last date is kept, until the state gives another one.
    if situation.pillbox_vp in (0, earlier, counted):
        situation.pillbox_vp = counted
    else:
        await _settle_their_vp(play, boxes, counted)
    situation.pillbox_vp_so_far = before - earlier + situation.pillbox_vp


async def _settle_their_vp(play: Play, boxes: list[Fortification], counted: int) -> None:
    """Ask the players which number is right: the report's, or the program's count."""
    situation = play.campaign.situation
    entered = situation.pillbox_vp
    listed = (
        ", ".join(f"{play.name_with_place(box)} {pillbox_points(box)}" for box in boxes)
        or "none fell"
    )
    situation.pillbox_vp = await play.ask(
        ChoiceQuestion(
            subject="pillboxes",
            side=Side.MARINE,
            prompt=f"The end-of-scenario report gives {entered} VP for pillboxes; the "
            f"Fortifications add up to {counted} ({listed}): which is right?",
            public=True,
            about="pillboxes",
            options=(
                Option("entered", f"{entered}, as entered", entered),
                Option("counted", f"{counted}, as counted", counted),
            ),
            default="entered",
        )
    )
    play.log(f"the pillboxes count {count_text(situation.pillbox_vp, 'Victory Point')}")
