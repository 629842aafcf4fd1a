"""15.603: rally and unloading; who won, and the Casualty VP."""

import re

from brt_cg import board
from brt_cg.asks import Choose, Form, Item, Option, Raw, Refused, Several, in_words
from brt_cg.counters import Kind, Side
from brt_cg.dice import signed
from brt_cg.records import SIDES
from brt_cg.refit.losses import keep_secret
from brt_cg.refit.moves import place_unit
from brt_cg.refit.play import Play, paragraph


@paragraph("15.6031", "Rally and unloading", nothing="no unit is broken and none is aboard")
async def rally_and_unloading(play: Play) -> None:
    """Every broken or Disrupted unit rallies, without a DR. Passengers and Riders unload where they
    are, except as R-UNLOAD says in an Ocean Location."""
    for unit in play.campaign.in_order(play.campaign.units.values()):
        if unit.has("broken", "disrupted"):
            unit.lose("broken", "disrupted", "dm")
            play.tell(unit, "rallies")
    for unit in play.campaign.in_order(play.campaign.units.values()):
        vehicle = play.campaign.vehicles.get(unit.aboard) if unit.aboard else None
        if vehicle is None:
            continue
        in_ocean = vehicle.location is not None and board.is_ocean(vehicle.location)
        if in_ocean and play.ruling("R-UNLOAD") == "stay":
            play.tell(unit, f"stays aboard {play.who(vehicle)}", vehicle, ruling="R-UNLOAD")
            continue
        keep_secret(play.campaign, unit)
        unit.aboard = None
        place_unit(play, unit, vehicle.location)
        ruling = "R-UNLOAD" if in_ocean else None
        play.tell(unit, f"unloads from {play.campaign.label(vehicle)}", vehicle, ruling=ruling)


@paragraph("15.6032", "Victory and CVP", nothing="there is nothing to settle", subjects=("winner",))
async def victory_and_cvp(play: Play) -> None:
    """Control is settled as the players say, each side's CVP total is brought up to date, and the
    scenario is decided (15.615): the Marines win by more Victory Points than the Japanese, counting
    CVP and the stacking capacity of each pillbox eliminated or captured (R-VP)."""
    totals = ", ".join(f"{side.label} {play.campaign.sides[side].cvp}" for side in SIDES)
    corrections = await play.ask(
        Several(
            subject="cvp",
            side=Side.MARINE,
            prompt=f"The CVP stand at {totals}: corrections, or none",
            public=True,
            items=tuple(Item(side, side.label, CORRECTION) for side in SIDES),
            reader=lambda raw: _read_corrections(play, raw),
            hint='{"marine": {"cvp": ±n, "reason": "…"}}, the Japanese likewise, or none',
        )
    )
    for side, points, reason in corrections:
        play.campaign.sides[side].cvp += points
        total = play.campaign.sides[side].cvp
        play.say(f"{side.label} CVP {signed(points)}: {total} ({reason})")
    leading = _leading_side(play)
    given = play.campaign.situation.winner
    winner = await play.ask(
        Choose(
            subject="winner",
            side=Side.MARINE,
            prompt=f"By Victory Points the {leading.label} side has won. Who won the scenario?",
            public=True,
            options=tuple(Option(str(side), f"the {side.label} side", side) for side in SIDES),
            default=str(given or leading),
        )
    )
    play.campaign.situation.winner = winner
    play.say(f"the {winner.label} side won the {play.campaign.situation.date} scenario")
    _campaign_victory(play)


def _correction_typed(text: str) -> Raw:
    found = re.fullmatch(r"([+-]?\d+)\s+(.+)", text.strip().replace("−", "-"))
    if found is None:
        raise Refused(f"{text!r}: write the points and why, as in: +2 counted anew")
    return {"cvp": int(found[1]), "reason": found[2]}


def _correction_told(raw: Raw) -> str:
    return f"{signed(raw['cvp'])} ({raw['reason']})" if raw else in_words(raw)


CORRECTION = Form(
    hint="±points and the reason: +2 counted anew", typed=_correction_typed, told=_correction_told
)


def _read_corrections(play: Play, raw: Raw) -> list[tuple[Side, int, str]]:
    given = [(side, raw[side]) for side in SIDES if raw.get(side) is not None]
    return [(side, *_correction(play, side, one)) for side, one in given]


def _correction(play: Play, side: Side, raw: Raw) -> tuple[int, str]:
    if not isinstance(raw, dict) or set(raw) != {"cvp", "reason"}:
        raise Refused(f'{side}: a correction is {{"cvp": ±n, "reason": "…"}}')
    points, reason = raw["cvp"], raw["reason"]
    readable = isinstance(reason, str) and reason.strip() and reason.isprintable()
    if type(points) is not int or not readable:
        raise Refused(f"{side}: a correction needs a whole number of cvp and a reason")
    total = play.campaign.sides[side].cvp
    if total + points < 0:
        raise Refused(f"{side.label} CVP are {total}: {signed(points)} would make them negative")
    return points, reason


def _leading_side(play: Play) -> Side:
    """15.615: the Marines need more Victory Points than the Japanese."""
    since = play.ruling("R-VP") == "scenario"
    points: dict[Side, int] = {}
    for side in SIDES:
        record = play.campaign.sides[side]
        points[side] = record.cvp - (record.cvp_before if since else 0)
    pillboxes = play.campaign.situation.pillbox_vp
    marine = points[Side.MARINE] + pillboxes
    play.say(
        f"15.615 Victory Points: Marine {points[Side.MARINE]} CVP + {pillboxes} for pillboxes = "
        f"{marine}, Japanese {points[Side.JAPANESE]}",
        ruling="R-VP",
    )
    return Side.MARINE if marine > points[Side.JAPANESE] else Side.JAPANESE


def _campaign_victory(play: Play) -> None:
    """CG I: the Marines win at once when no unbroken Japanese or Korean squad is on map while the
    Japanese CVP are within the card's limit."""
    victory = play.card.victory
    if victory is None:
        return
    limit = victory.japanese_cvp_limit
    if play.campaign.sides[Side.JAPANESE].cvp > limit:
        return
    squads = (
        unit
        for unit in play.campaign.units.values()
        if unit.in_play and unit.side is Side.JAPANESE and unit.kind is Kind.SQUAD
    )
    if any(not unit.off_map and not unit.prisoner for unit in squads):
        return
    play.campaign.situation.victor = victory.winner
    play.say(
        f"no unbroken Japanese or Korean squad is on map and the Japanese CVP are "
        f"{play.campaign.sides[Side.JAPANESE].cvp} (limit {limit}): "
        "the Marines have won the campaign"
    )
