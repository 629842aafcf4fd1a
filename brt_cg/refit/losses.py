"""The loss, reduction and capture of counters, and its scoring in the casualty ledger.

First come the effects on counters, both in a scenario, whose end is entered in its form, and in the
Refit Phase. Then the scoring and the log lines of the Refit Phase.
"""

from brt_cg.card import Card
from brt_cg.model import (
    Campaign,
    Counter,
    Fate,
    LossKind,
    PathfinderState,
    Piece,
    Side,
    Unit,
    UnitClass,
    UnitKind,
    UnitStrength,
    Vehicle,
    Weapon,
    only_side_allowed_to_read,
)
from brt_cg.model.cleanup import keep_hidden_without_holder, release_possessions_and_prisoners
from brt_cg.model.hidden_ids import CREW, HALF, new_part_id
from brt_cg.refit.casualties import (
    Loss,
    casualty_points,
    cvp_change_text,
    cvp_known_to_both,
    enter_loss,
    points_scored_for_capture,
)
from brt_cg.refit.engineers import keep_engineer_trait
from brt_cg.refit.play import Play, TableResults
from brt_cg.refit.victory import check_immediate_victory

# States of a vehicle that an abandoned one no longer has.
OF_A_CREW = ("stunned", "stun_plus1", "shocked", "unconfirmed_kill", "motion", "crew_exposed")
SCORING = frozenset(
    {"15.601", "15.6041", "15.6043", "15.605", "15.609", "15.6112", "15.6131", "15.6139"}
)


# --- the fate of the counters ---------------------------------------------------------------------


def remove_from_play(campaign: Campaign, counter: Counter, fate: Fate = Fate.ELIMINATED) -> None:
    """Remove a counter from play, with a vehicle's own Weapons. Its possessions, prisoners and
    passengers stay where they are."""
    counter.fate = fate
    if isinstance(counter, Unit):
        for weapon in campaign.weapons_possessed_by(counter):
            keep_hidden_without_holder(campaign, weapon)
            weapon.possessor = None
        for prisoner in campaign.prisoners_of(counter):
            prisoner.guard = None
        counter.aboard = None
        counter.guard = None
    if isinstance(counter, Vehicle):
        for weapon in campaign.weapons_mounted_on(counter):
            weapon.fate = fate
        for rider in campaign.units_aboard(counter):
            keep_hidden_without_holder(campaign, rider)
            rider.aboard = None
        counter.pathfinder = PathfinderState.NONE
    if isinstance(counter, Weapon):
        keep_hidden_without_holder(campaign, counter)
        counter.possessor = None


def apply_step_reduction(card: Card, squad: Unit) -> None:
    """Apply a step loss on the map: a Full-Strength Japanese squad flips (G1.1), any other squad
    becomes a HS."""
    if (
        squad.side is Side.MARINE
        or squad.strength is UnitStrength.REDUCED
        or squad.has_trait("korean_laborer")
    ):
        turn_into_half_squad(card, squad)
    else:
        squad.strength = UnitStrength.REDUCED
        squad.type = card.ladders.digits_of_unit(squad)


def turn_into_half_squad(card: Card, squad: Unit) -> None:
    """Turn a squad, full or reduced, into one of its same-class HS (G1.14)."""
    squad.type = card.ladders.half_squad_of(squad)
    squad.kind, squad.strength = UnitKind.HALF_SQUAD, UnitStrength.FULL


def reduce_to_half_squad(campaign: Campaign, card: Card, squad: Unit) -> None:
    """Turn a squad into one of its HS; a HS of Assault Engineers remains Assault Engineers
    (R-ENGINEERS)."""
    before = squad.clone()
    turn_into_half_squad(card, squad)
    keep_engineer_trait(campaign, card, before, squad)


def split_off_half_squad(campaign: Campaign, card: Card, squad: Unit) -> Unit:
    """Split one HS off a squad as a new counter beside it, aboard the same vehicle. The squad
    becomes its other HS, and keeps its name, its equipment and its prisoners."""
    reduce_to_half_squad(campaign, card, squad)
    half = squad.clone()
    half.id, half.name = new_part_id(campaign, squad, HALF), None
    campaign.add(half)
    return half


def make_prisoner(campaign: Campaign, unit: Unit, captor: Unit) -> None:
    """Make a unit the prisoner of another; its equipment is dropped, and its own prisoners are
    free."""
    release_possessions_and_prisoners(campaign, unit)
    unit.reveal()
    unit.remove_status("berserk", "encircled", "unarmed")
    unit.add_status("prisoner")
    unit.guard, unit.aboard = captor.id, None


def abandon_vehicle(campaign: Campaign, vehicle: Vehicle) -> None:
    """Mark a vehicle as abandoned in its Location; the unit that crewed it is lost."""
    _unman(campaign, vehicle)
    vehicle.add_status("abandoned")
    vehicle.remove_status(*OF_A_CREW)


def make_wreck(campaign: Campaign, vehicle: Vehicle, *status: str) -> None:
    """Turn a vehicle into a wreck; its Weapons are lost with it."""
    _unman(campaign, vehicle)
    vehicle.status = tuple(sorted({"wreck", *status}))
    vehicle.pathfinder = PathfinderState.NONE
    for weapon in campaign.weapons_mounted_on(vehicle):
        remove_from_play(campaign, weapon)


def _unman(campaign: Campaign, vehicle: Vehicle) -> None:
    mark_crews_eliminated(campaign, vehicle)
    vehicle.inherent_crew, vehicle.armor_leader = False, None


def units_crewing(campaign: Campaign, vehicle: Vehicle) -> list[Unit]:
    """Return the units that became a vehicle's Inherent crew (15.6131a), by id."""
    became = campaign.units.records_with("became", vehicle.id)
    return [unit for unit in became if unit.fate is Fate.CREWED]


def mark_crews_eliminated(campaign: Campaign, vehicle: Vehicle) -> None:
    """Eliminate the units that crewed a vehicle (15.6131a) and are no longer in it."""
    for crew in units_crewing(campaign, vehicle):
        crew.fate, crew.became = Fate.ELIMINATED, None


# --- scoring and log lines of the Refit Phase -----------------------------------------------------


async def score_loss_if_it_counts(
    play: Play,
    counter: Piece,
    points: int,
    how: LossKind = LossKind.ELIMINATED,
    secret: Side | None = None,
    lost: str | None = None,
) -> None:
    """Enter a loss in the ledger, if losses in the current paragraph score (R-CVP-REFIT); `secret`
    is the side whose secret the counter was until then, `lost` the counter in words."""
    if isinstance(counter, Unit) and counter.prisoner:
        points -= points_scored_for_capture(play.campaign, counter)
    if points <= 0 or play.rule not in SCORING:
        return
    named = None if secret is not None else lost or counter.label
    if await play.ask_ruling_if_not_agreed("R-CVP-REFIT", about=named) == "combat":
        enter_and_log_loss(
            play,
            Loss(
                side=counter.side.enemy,
                points=points,
                how=how,
                rule=play.rule,
                counter=counter,
                ruling="R-CVP-REFIT",
                secret=secret,
            ),
            named,
        )


def enter_and_log_loss(play: Play, loss: Loss, lost: str | None) -> None:
    """Enter a loss in the ledger and log it. Log the loss of a hidden counter for its own side
    only, until the points may be known (R-HIDDEN-LOSSES)."""
    campaign = play.campaign
    row = enter_loss(campaign, loss, campaign.situation.scenario_date_of_losses)
    private = row.secret if not row.open else None
    side = loss.side
    now = campaign.cvp(side) if private else cvp_known_to_both(campaign, side)
    if private is not None and loss.counter is not None:
        lost = loss.counter.label
    named = f" for {lost}" if lost else ""
    readings = ("wounded_leader",) if _is_wounded_marine_leader(loss.counter) else ()
    words = cvp_change_text(side, loss.points, now, named)
    play.log(words, ruling=loss.ruling, readings=readings, secret=private)


def _is_wounded_marine_leader(counter: Counter | None) -> bool:
    if not isinstance(counter, Unit) or counter.side is not Side.MARINE:
        return False
    return counter.leader and counter.has_status("wounded")


def secret_before_loss(play: Play, counter: Counter) -> Side | None:
    """Return the side that hides a counter that is about to be lost, if any."""
    return only_side_allowed_to_read(play.campaign, counter)


async def eliminate_and_score(play: Play, piece: Piece) -> None:
    """Eliminate a counter and score it; a vehicle's Weapons are lost with it."""
    points, secret, lost = (
        casualty_points(play.card, piece),
        secret_before_loss(play, piece),
        piece.label,
    )
    if isinstance(piece, Vehicle):
        log_lost_weapons(play, piece)
    remove_from_play(play.campaign, piece)
    await score_loss_if_it_counts(play, piece, points, secret=secret, lost=lost)
    check_immediate_victory(play)


def log_lost_weapons(play: Play, vehicle: Vehicle) -> None:
    """Log that a vehicle's own Weapons are lost with it."""
    for weapon in play.campaign.weapons_mounted_on(vehicle):
        play.log_event(weapon, "is lost with its vehicle")


async def log_and_score_crew_loss(play: Play, vehicle: Vehicle) -> None:
    """Eliminate and score the crew of a vehicle that no longer exists as such."""
    if vehicle.manned:
        play.log_event(vehicle, "loses its crew")
        await score_crew_loss(play, vehicle)


def disembark_crew(play: Play, vehicle: Vehicle, ruling: str | None = None) -> None:
    """Turn the crew of a vehicle into a unit again, in its area or Location: the unit that
    re-manned it (15.6131a), else its Inherent crew as a vehicle crew."""
    crews = units_crewing(play.campaign, vehicle)
    crew = crews[-1] if crews else build_inherent_crew_unit(play, vehicle)
    if not crews:
        play.campaign.add(crew)
    vehicle.inherent_crew = False
    crew.fate, crew.became = Fate.IN_PLAY, None
    crew.setup_area, crew.isolated = vehicle.setup_area, vehicle.isolated
    crew.location = vehicle.location if vehicle.setup_area is None else None
    crew.recorded_location = vehicle.recorded_location if vehicle.isolated else None
    words = f"leaves {vehicle.label}"
    play.log_event(crew, words, ruling=ruling, secret=play.secret_of(vehicle))


async def score_crew_loss(play: Play, vehicle: Vehicle) -> None:
    """Score the Inherent crew of a vehicle, just before or after its loss."""
    points = casualty_points(play.card, build_inherent_crew_unit(play, vehicle))
    secret, lost = secret_before_loss(play, vehicle), f"the crew of {vehicle.label}"
    await score_loss_if_it_counts(play, vehicle, points, LossKind.CREW, secret, lost)


async def burn_out_vehicle(play: Play, vehicle: Vehicle) -> None:
    """Turn a vehicle into a Burnt-Out Wreck; its crew and its Weapons are lost."""
    await log_and_score_crew_loss(play, vehicle)
    log_lost_weapons(play, vehicle)
    make_wreck(play.campaign, vehicle, "burnt_out")


async def casualty_reduce(play: Play, unit: Unit) -> None:
    """Apply Casualty Reduction (G1.14): a squad becomes one of its HS, a HS or crew is eliminated,
    an SMC is wounded and rolls for the severity; an SMC that is already heroic and wounded is
    eliminated (R-HERO-WOUND)."""
    if unit.smc:
        await _wound(play, unit)
    elif unit.kind is UnitKind.SQUAD:
        before, lost, secret = (
            play.name_with_place(unit),
            f"half of {unit.label}",
            secret_before_loss(play, unit),
        )
        reduce_to_half_squad(play.campaign, play.card, unit)
        play.log(f"{before} suffers Casualty Reduction and is now a {unit.type} HS", unit)
        await score_loss_if_it_counts(play, unit, 1, LossKind.REDUCED, secret, lost)
        check_immediate_victory(play)
    else:
        play.log_event(unit, "suffers Casualty Reduction and is eliminated")
        await eliminate_and_score(play, unit)


class WoundSeverityResults(TableResults, tables=("wound",)):
    """The results of a wound for an SMC."""

    WOUNDED = "wounded"
    DIES = "dies"


async def _wound(play: Play, unit: Unit) -> None:
    already = unit.has_status("wounded")
    heroic = unit.kind is UnitKind.HERO or unit.has_trait("heroic")
    if already and heroic and play.ruling_value("R-HERO-WOUND") == "eliminated":
        play.log_event(unit, "is wounded again and eliminated", ruling="R-HERO-WOUND")
        await eliminate_and_score(play, unit)
        return
    facts = {"already_wounded": int(already)}
    severity = await play.roll(WoundSeverityResults, unit, facts, what="Wound Severity")
    if severity.result == WoundSeverityResults.DIES:
        await eliminate_and_score(play, unit)
    else:
        unit.add_status("wounded")


def build_inherent_crew_unit(play: Play, vehicle: Vehicle) -> Unit:
    """Return the Inherent crew of a vehicle as a new counter in the vehicle's Location, not yet in
    the campaign."""
    crew = Unit(
        id=new_part_id(play.campaign, vehicle, CREW),
        side=vehicle.side,
        kind=UnitKind.VEHICLE_CREW,
        type=play.card.ladders.figures.marine.vehicle_crew,
        class_=UnitClass.ELITE,
        location=vehicle.location,
    )
    crew.type = play.card.ladders.digits_of_unit(crew)
    return crew
