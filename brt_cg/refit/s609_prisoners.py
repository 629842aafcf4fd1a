"""15.609: prisoners, and units that are neither guarded nor armed."""

from collections.abc import Iterable
from itertools import chain

from brt_cg.board import grid, ground_hex, locations
from brt_cg.model import Area, LossKind, Side, Unit
from brt_cg.questions import ChoiceQuestion, Option
from brt_cg.refit.casualties import (
    CAPTURE,
    Loss,
    casualty_points,
    cvp_known_to_both,
    enter_loss,
    points_scored_for_capture,
)
from brt_cg.refit.end_of_campaign import end_campaign
from brt_cg.refit.losses import enter_and_log_loss, remove_from_play, secret_before_loss
from brt_cg.refit.play import Play, paragraph
from brt_cg.refit.rearm import rearm_unit
from brt_cg.refit.s607_perimeters import is_cut_off, isolate_in_place, land_in_play
from brt_cg.refit.selection import friendly_units_retained_with
from brt_cg.refit.sequence import is_campaign_ending
from brt_cg.refit.victory import check_immediate_victory, minimum_cvp
from brt_cg.text import count_text, hyphens_to_minus_signs

TELL_OF_MASSACRE = (
    "Massacre (A20.4) is in effect: apply it at the table in each scenario from now on; the "
    "program does not"
)


@paragraph(
    "15.609",
    nothing="there is no prisoner, and no unit is unarmed",
    subjects=("rearm:COUNTER", "victor"),
)
async def resolve_prisoners_and_unarmed_units(play: Play) -> None:
    """A Japanese prisoner guarded by a non-Isolated Marine is eliminated, and its prisoner CVP are
    subtracted from the Japanese total (R-PRISONER-CVP). The Japanese keep each Marine prisoner,
    hand him to another guard in the area, or Massacre him. An unguarded, unarmed unit is Rearmed
    (R-REARM) and Retained in the nearest friendly Setup Area. The campaign may end here
    (R-CG-END)."""
    units = play.campaign.units.values()
    for unit in play.campaign.sort_counters_in_play(unit for unit in units if not unit.armed):
        guard = play.campaign.units.get(unit.guard or "")
        if unit.prisoner and guard is not None and guard.in_play:
            await _guarded(play, unit, guard)
        else:
            await _unguarded(play, unit)
    if play.ruling_value("R-CG-END") == "close" and is_campaign_ending(
        play.campaign.situation, play.card
    ):
        await end_campaign(play)


async def _guarded(play: Play, prisoner: Unit, guard: Unit) -> None:
    if prisoner.side is Side.JAPANESE:
        if guard.isolated:
            captor = guard.label
            play.log_event(
                prisoner, f"stays a prisoner, because its guard {captor} is Isolated", guard
            )
        else:
            _japanese_prisoner(play, prisoner)
        return
    captor = guard.label
    what, new_guard = await play.ask(
        ChoiceQuestion(
            subject=prisoner.id,
            side=Side.JAPANESE,
            prompt=(
                f"{play.name_with_place(prisoner)} is a prisoner of {captor}: keep or Massacre it?"
            ),
            about="Massacre",
            options=tuple(_fates(play, guard)),
            default="keep",
        )
    )
    if what == "massacre":
        _massacre(play, prisoner)
    elif new_guard is not None:
        prisoner.guard = new_guard.id
        play.log_event(prisoner, f"is now guarded by {new_guard.label}", new_guard)
    else:
        play.log_event(prisoner, f"stays a prisoner of {guard.label}", guard)


def _fates(play: Play, guard: Unit) -> list[Option[tuple[str, Unit | None]]]:
    options: list[Option[tuple[str, Unit | None]]] = [
        Option("keep", "keep", ("keep", None)),
        Option("massacre", "Massacre", ("massacre", None)),
    ]
    for other in friendly_units_retained_with(play.campaign, guard):
        if other is not guard and not other.has_status("unarmed"):
            words = f"keep, guarded by {play.name_with_place(other)}"
            guards = ("keep", other)
            options.append(Option({"guard": other.id}, words, guards, of=play.named_counter(other)))
    return options


def _japanese_prisoner(play: Play, prisoner: Unit) -> None:
    """Eliminate a prisoner and subtract its CVP from the Japanese total (R-PRISONER-CVP)."""
    points, campaign = 2 * casualty_points(play.card, prisoner), play.campaign
    secret = secret_before_loss(play, prisoner)
    play.log_event(prisoner, "is eliminated as a prisoner of the Marines")
    remove_from_play(campaign, prisoner)
    if points and play.ruling_value("R-PRISONER-CVP") != "ignore":
        least, total = minimum_cvp(campaign, Side.JAPANESE), campaign.cvp(Side.JAPANESE)
        at_least = f", not below {least}" if total - points < least else ""
        loss = Loss(
            side=Side.JAPANESE,
            points=max(least, total - points) - total,
            how=LossKind.PRISONER,
            rule=play.rule,
            counter=prisoner,
            ruling="R-PRISONER-CVP",
            secret=secret,
        )
        enter_loss(campaign, loss, campaign.situation.scenario_date_of_losses)
        named = f" for {prisoner.label}" if secret is None else ""
        reckoned = f"−{points}{named} (twice its {points // 2}{at_least})"
        now = hyphens_to_minus_signs(cvp_known_to_both(campaign, Side.JAPANESE))
        play.log(f"Japanese CVP {reckoned}, now {now}", ruling="R-PRISONER-CVP", secret=secret)
    check_immediate_victory(play)


def _massacre(play: Play, prisoner: Unit) -> None:
    play.log_event(prisoner, "is Massacred; Massacre is in effect for the rest of the campaign")
    if not play.campaign.situation.massacre:
        play.log(TELL_OF_MASSACRE)
    play.campaign.situation.massacre = True
    points, secret, lost = (
        casualty_points(play.card, prisoner),
        secret_before_loss(play, prisoner),
        prisoner.label,
    )
    points -= points_scored_for_capture(play.campaign, prisoner)
    remove_from_play(play.campaign, prisoner)
    if points <= 0:
        play.log(
            f"{lost} scored at the capture, so it scores no more CVP",
            ruling=CAPTURE,
            secret=secret,
        )
        return
    loss = Loss(
        side=prisoner.side.enemy,
        points=points,
        how=LossKind.MASSACRED,
        rule=play.rule,
        counter=prisoner,
        secret=secret,
    )
    enter_and_log_loss(play, loss, None if secret else lost)  # regardless of R-CVP-REFIT


async def _unguarded(play: Play, unit: Unit) -> None:
    """Rearm the unit and Retain it in the nearest friendly Setup Area."""
    start = _hexes_of(play, unit)
    for armed in await rearm_unit(play, unit):
        if not start:
            continue
        area = await _nearest_area(play, armed, start)
        armed.place_unisolated(armed.location)
        if area is None:
            _stays(play, armed)
            continue
        armed.place_unisolated(None, area.id)
        armed.aboard = None
        play.log(f"{armed.label} is Retained in {area.display_name}", armed)


def _stays(play: Play, unit: Unit) -> None:
    """Leave a unit that cannot reach an area of its side in place, Isolated if it is cut off
    there."""
    if unit.location is None:
        words = "can reach no friendly Setup Area, and it is not known where it was held"
        play.log_event(unit, f"{words}; enter its Location with edit")
        return
    play.log_event(unit, "can reach no friendly Setup Area and stays where it is")
    if is_cut_off(play, unit):
        isolate_in_place(unit)
        play.log_event(unit, "is Isolated")


def _hexes_of(play: Play, unit: Unit) -> frozenset[str]:
    """Return the hex that a unit is in, or those of the area that it is in without a hex."""
    if unit.location is not None and not unit.is_on_map_without_hex:
        return frozenset() if unit.off_map else frozenset({ground_hex(unit.location)})
    area = play.campaign.areas.get(unit.setup_area or "") or play.campaign.area_at(unit.location)
    return frozenset(area.hexes) if area else frozenset()


async def _nearest_area(play: Play, unit: Unit, start: frozenset[str]) -> Area | None:
    """Return the friendly area with the shortest path of enterable Locations; the owner chooses
    ties. For a unit left in the Ocean the path begins at the nearest land."""
    enterable = land_in_play(play)
    start = frozenset(chain.from_iterable(_ashore(hex, enterable) for hex in start))
    own = [area for _, area in sorted(play.campaign.areas.items()) if area.side is unit.side]
    away = {area.id: grid.path_length(start, enterable, area.hexes) for area in own}
    least = min((length for length in away.values() if length is not None), default=None)
    if least is None:
        return None
    nearest = [area for area in own if away[area.id] == least]
    if len(nearest) == 1:
        return nearest[0]
    return await play.ask_choice(
        unit,
        ": Retained in which of the equally near Setup Areas?",
        *(
            Option(area.id, f"{area.display_name}, {count_text(least, 'hex')} away", area)
            for area in nearest
        ),
        about="Setup Area",
        default=nearest[0].id,
        of_equals=True,
    )


def _ashore(hex: str, land: frozenset[str]) -> Iterable[str]:
    """Return the hex itself, or the land nearest to it if it is Ocean without a pier."""
    afloat = hex not in land and locations.is_ocean(hex)
    return grid.nearest_hexes(hex, tuple(sorted(land)))[1] if afloat else (hex,)


# --- guards that are lost later ----------------------------------------------------------------


async def reassign_prisoners_if_guard_lost(play: Play, guard: Unit, prisoners: list[Unit]) -> None:
    """Hand over the prisoners of a Retained guard that is lost after 15.609."""
    if prisoners and not guard.in_play:
        await reassign_or_free_prisoners(play, guard, prisoners)


async def reassign_or_free_prisoners(play: Play, guard: Unit, prisoners: list[Unit]) -> None:
    """Give the prisoners of a lost guard to another friendly unit Retained with it, because they
    may be transferred freely; if there is none, they are set free as at 15.609."""
    able = sorted(_retained_with(play, guard), key=lambda unit: unit.id)
    for prisoner in prisoners:
        if able:
            prisoner.guard = able[0].id
            move_prisoner_to_guard(prisoner, able[0])
            play.log_event(prisoner, f"is now guarded by {able[0].label}", able[0])
        else:
            play.log_event(prisoner, "loses its guard, and nobody else there can guard it")
            await _unguarded(play, prisoner)


def move_prisoner_to_guard(prisoner: Unit, guard: Unit) -> None:
    """Put a prisoner where its guard is, Retained with it and never Isolated."""
    prisoner.place_unisolated(guard.location, guard.setup_area)


def _retained_with(play: Play, guard: Unit) -> list[Unit]:
    """Return the units of a guard's side in the same area, or the same Isolated Location."""

    def home(unit: Unit) -> tuple[str | None, str | None]:
        return unit.setup_area, unit.location if unit.isolated or unit.off_map else None

    there = home(guard)
    return [
        unit
        for unit in play.campaign.units.records_with("setup_area", guard.setup_area)
        if unit.in_play
        and unit.id != guard.id
        and unit.side is guard.side
        and home(unit) == there
        and unit.armed
    ]
