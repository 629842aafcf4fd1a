"""15.6131: abandoned, immobilized and stunned vehicles, and AFV Recall."""

from brt_cg.board import OFF_MAP, locations
from brt_cg.model import Fate, Side, Unit, UnitKind, UnitStrength, Vehicle
from brt_cg.questions import Option
from brt_cg.refit.losses import (
    abandon_vehicle,
    mark_crews_eliminated,
    reduce_to_half_squad,
    remove_from_play,
    score_crew_loss,
    split_off_half_squad,
)
from brt_cg.refit.moves import is_in_friendly_area
from brt_cg.refit.play import Play, TableResults, paragraph
from brt_cg.refit.qualified_use import ask_if_only_non_qualified_use
from brt_cg.refit.s608_retained import (
    clear_recorded_location_if_mobile,
    place_retained_vehicle,
    take_over_location_if_deserted,
)
from brt_cg.refit.s609_prisoners import reassign_prisoners_if_guard_lost
from brt_cg.refit.selection import friendly_units_retained_with


class ImmobilizedVehicleResults(TableResults, tables=("15.6131b",)):
    """The results for an immobilized vehicle."""

    MOBILE = "mobile"
    REMAINS = "remains"
    RULING = "ruling"


class StunnedVehicleResults(TableResults, tables=("15.6131c",)):
    """The results for a stunned vehicle."""

    UNSTUNNED = "unstunned"
    STUNNED = "stunned"
    CREW_ELIMINATED = "crew_eliminated"


@paragraph(
    "15.6131",
    nothing="no vehicle is abandoned, immobilized or stunned, or may be Recalled",
    rolls=[ImmobilizedVehicleResults, StunnedVehicleResults],
    subjects=("immobile:COUNTER", "use:COUNTER", "R-CVP-REFIT"),
)
async def remedy_or_recall_vehicles(play: Play) -> None:
    """In each friendly area (an Isolated Location is one by R-ISOLATED-AREA): a) an abandoned
    vehicle may be re-manned by a crew or HS Retained there, or by a HS of a squad. b) An
    immobilized one that is manned, not captured and not in an Ocean Location rolls to become
    mobile. c) A stunned one, off map too, rolls to be unstunned; at worst its crew is
    eliminated. d) An AFV may be Recalled (R-RECALL)."""
    for vehicle in play.campaign.sort_counters_in_play(play.campaign.vehicles.values()):
        if vehicle.wreck:
            continue
        if is_in_friendly_area(play.campaign, vehicle):
            await _in_a_friendly_area(play, vehicle)
        elif vehicle.off_map:
            await _stun(play, vehicle)


async def _in_a_friendly_area(play: Play, vehicle: Vehicle) -> None:
    abandoned = not vehicle.manned
    if abandoned:
        await _re_man(play, vehicle)
    await _immobilization(play, vehicle)
    await _stun(play, vehicle)
    # A unit that has just manned a vehicle is not offered again: each vehicle has one choice.
    if not abandoned:
        await _recall(play, vehicle)
    place_retained_vehicle(play, vehicle)
    if not vehicle.captured:
        clear_recorded_location_if_mobile(vehicle)


# a) abandoned


async def _re_man(play: Play, vehicle: Vehicle) -> None:
    there = friendly_units_retained_with(play.campaign, vehicle)
    able = [unit for unit in there if unit.mmc and not unit.has_status("unarmed")]
    if not able:
        return
    options: list[Option[Unit | None]] = [
        Option(
            {"crew": unit.id},
            f"re-manned by {play.name_with_place(unit)}",
            unit,
            of=play.named_counter(unit),
        )
        for unit in able
    ]
    crew = await play.ask_choice(
        vehicle,
        " is abandoned: who re-mans it?",
        *options,
        Option(None, "stays abandoned", None),
        secret=play.whose_secret(able),
        about="re-manning",
    )
    if crew is not None:
        await _man(play, vehicle, crew)


async def _man(play: Play, vehicle: Vehicle, crew: Unit) -> None:
    play.log(f"{play.name_with_place(vehicle)} is re-manned by {crew.label}", vehicle, crew)
    mark_crews_eliminated(play.campaign, vehicle)
    if crew.kind is UnitKind.SQUAD:
        alone = (
            crew.strength is UnitStrength.REDUCED and play.ruling_value("R-DEPLOY-CREW") == "one"
        )
        crew = _deployed_whole(play, crew) if alone else _a_half_squad_of(play, crew)
    prisoners = play.campaign.prisoners_of(crew)
    remove_from_play(play.campaign, crew, Fate.CREWED)
    await reassign_prisoners_if_guard_lost(play, crew, prisoners)
    crew.became = vehicle.id
    crew.place_unisolated(None)
    vehicle.inherent_crew = True
    vehicle.remove_status("abandoned")


def _deployed_whole(play: Play, squad: Unit) -> Unit:
    """Turn a reduced squad into the one HS that it Deploys into (G1.16)."""
    reduce_to_half_squad(play.campaign, play.card, squad)
    words = "was a reduced squad and Deploys into just one HS, which crews the vehicle"
    play.log_event(squad, words, ruling="R-DEPLOY-CREW")
    return squad


def _a_half_squad_of(play: Play, squad: Unit) -> Unit:
    """Split one HS off a squad as a new counter; the squad becomes its other HS, which keeps
    everything."""
    crew = split_off_half_squad(play.campaign, play.card, squad)
    play.log_event(squad, "is the HS that remains; the squad's other HS crews the vehicle")
    return crew


# b) immobilization repair


async def _immobilization(play: Play, vehicle: Vehicle) -> None:
    here = vehicle.location or vehicle.recorded_location or OFF_MAP
    able = vehicle.manned and not vehicle.captured and not locations.is_ocean(here)
    if not vehicle.has_status("immobilized") or not able:
        return
    facts = {
        "armor_leader": play.card.ladders.armor_leader_drm(vehicle.armor_leader),
        "non_qualified": int(await ask_if_only_non_qualified_use(play, vehicle)),
        "japanese": int(vehicle.side is Side.JAPANESE),
        "front_line": int(play.campaign.is_front_line(here, play.secret_of(vehicle))),
        "isolated": int(vehicle.isolated),
    }
    outcome = await play.roll(
        ImmobilizedVehicleResults, vehicle, facts, what="Immobilization repair"
    )
    if outcome.result == ImmobilizedVehicleResults.MOBILE:
        vehicle.remove_status("immobilized")
    elif outcome.result == ImmobilizedVehicleResults.RULING:
        await _as_ruled(play, vehicle)


async def _as_ruled(play: Play, vehicle: Vehicle) -> None:
    """Apply R-IMMOBILE-4; the loss scores no CVP (R-CVP-REFIT names only part c)."""
    outcome = play.ruling_value("R-IMMOBILE-4")
    if outcome == "enter":
        outcome = await play.ask_choice(
            vehicle,
            ": Final 4 or more: choose the outcome (R-IMMOBILE-4)",
            Option("remains", "it remains immobilized", "remains"),
            Option("eliminated", "it is eliminated", "eliminated"),
            subject=f"immobile:{vehicle.id}",
            about="immobile",
            public=True,
            default=play.card.rulings["R-IMMOBILE-4"].auto,
        )
    if outcome == "eliminated":
        play.log_event(vehicle, "is eliminated", ruling="R-IMMOBILE-4")
        remove_from_play(play.campaign, vehicle)
        if vehicle.isolated:
            take_over_location_if_deserted(play, vehicle.location)
    else:
        play.log_event(vehicle, "remains immobilized", ruling="R-IMMOBILE-4")


# c) stun


async def _stun(play: Play, vehicle: Vehicle) -> None:
    if not vehicle.has_status("stunned", "stun_plus1") or not vehicle.manned or not vehicle.in_play:
        return
    facts = {
        "japanese": int(vehicle.side is Side.JAPANESE),
        "isolated": int(vehicle.isolated),
        "off_map": int(vehicle.off_map),
    }
    outcome = await play.roll(StunnedVehicleResults, vehicle, facts, what="Stun recovery")
    if outcome.result == StunnedVehicleResults.UNSTUNNED:
        vehicle.remove_status("stunned", "stun_plus1")
    elif outcome.result == StunnedVehicleResults.CREW_ELIMINATED:
        await score_crew_loss(play, vehicle)
        abandon_vehicle(play.campaign, vehicle)
        if vehicle.isolated:
            take_over_location_if_deserted(play, vehicle.location)


# d) Recall


async def _recall(play: Play, vehicle: Vehicle) -> None:
    if not vehicle.armored or not vehicle.manned or not vehicle.in_play:
        return
    recalled = await play.ask_choice(
        vehicle,
        ": is it Recalled (R-RECALL)?",
        Option({"recall": True}, "Recalled", True),
        Option(None, "not Recalled", False),
        about="Recall",
        public=True,
    )
    if not recalled:
        return
    play.log_event(vehicle, "is Recalled and leaves the map", ruling="R-RECALL")
    vehicle.add_status("recalled")
    here = vehicle.location if vehicle.isolated else None
    for piece in (vehicle, *play.campaign.weapons_mounted_on(vehicle)):
        piece.place_unisolated(OFF_MAP)
    for rider in play.campaign.units_aboard(vehicle):
        rider.aboard = None
    take_over_location_if_deserted(play, here)
