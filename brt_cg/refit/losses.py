"""Losing and reducing counters in the Refit Phase, and the Casualty VP that this scores."""

from brt_cg.campaign import Campaign
from brt_cg.counters import (
    Class,
    Counter,
    Fate,
    Fortification,
    Kind,
    Piece,
    Side,
    Strength,
    Unit,
    Vehicle,
    Weapon,
    WeaponKind,
)
from brt_cg.refit.play import Play

SCORING = frozenset(
    {"15.601", "15.6041", "15.6043", "15.605", "15.609", "15.6112", "15.6131", "15.6139"}
)


def scores(play: Play) -> bool:
    """Whether a loss in the present paragraph scores Casualty VP (R-CVP-REFIT)."""
    return play.rule in SCORING and play.ruling("R-CVP-REFIT") == "combat"


def casualty_vp(play: Play, counter: Counter) -> int:
    """The Casualty VP that a counter is worth to its enemy, as it stands now. A vehicle's Inherent
    crew is counted in it, as long as it is there; captured equipment is worth nothing, but the crew
    of a captured vehicle is."""
    if isinstance(counter, Unit):
        return play.card.ladders.cvp(counter)
    if isinstance(counter, Vehicle):
        return play.card.ladders.vehicle_worth(counter)
    if isinstance(counter, Weapon) and not counter.captured:
        return play.card.ladders.weapon_cvp(counter.kind)
    return 0


def award(play: Play, loser: Side, points: int) -> None:
    """Adds Casualty VP to the enemy of the side that lost, where losses score."""
    if points and scores(play):
        record = play.campaign.sides[loser.enemy]
        record.cvp += points
        play.say(f"{loser.enemy.label} CVP +{points}: {record.cvp}", ruling="R-CVP-REFIT")


def eliminate(play: Play, counter: Counter) -> None:
    """Takes a counter out of play, scoring what it is worth. What it possessed, guarded or carried
    stays where it is, possessed, guarded or carried by nobody."""
    points = casualty_vp(play, counter)
    remove(play, counter)
    side = getattr(counter, "side", None)
    if isinstance(side, Side) and not isinstance(counter, Fortification):
        award(play, side, points)


def remove(play: Play, counter: Counter, fate: Fate = Fate.ELIMINATED) -> None:
    """Takes a counter out of play without any score, and loosens what was tied to it."""
    counter.fate = fate
    if isinstance(counter, Unit):
        for weapon in play.campaign.possessed_by(counter):
            keep_secret(play, weapon)
            weapon.possessor = None
        for prisoner in play.campaign.prisoners_of(counter):
            prisoner.guard = None
        counter.aboard = None
        counter.guard = None
    if isinstance(counter, Vehicle):
        for weapon in play.campaign.mounted_on(counter):
            weapon.fate = fate
        for rider in play.campaign.aboard(counter):
            keep_secret(play, rider)
            rider.aboard = None
    if isinstance(counter, Weapon):
        keep_secret(play, counter)
        counter.possessor = None


def keep_secret(play: Play, piece: Piece) -> None:
    """What was only as hidden as its possessor, its vehicle or the Fortification around it is
    hidden by itself from now on."""
    if play.secret_of(piece) is not None and not (piece.hidden or piece.unseen):
        piece.gain("hidden")


async def casualty_reduce(play: Play, unit: Unit) -> None:
    """Casualty Reduction (G1.14): a squad becomes one of its HS, a HS or crew is eliminated, an SMC
    is wounded and rolls for the severity of it."""
    if unit.smc:
        await _wound(play, unit)
    elif unit.kind is Kind.SQUAD:
        reduce_to_half_squad(play, unit)
        award(play, unit.side, 1)
    else:
        play.tell(unit, "Casualty Reduction: eliminated")
        eliminate(play, unit)


def reduce_to_half_squad(play: Play, squad: Unit) -> None:
    """Turns a squad, full or reduced, into one of its same-class HS."""
    before = play.who(squad)
    squad.type = play.card.ladders.half_squad_of(squad)
    squad.kind = Kind.HALF_SQUAD
    squad.strength = Strength.FULL
    play.say(f"{before}: Casualty Reduction: now a {squad.type} HS", squad)


async def _wound(play: Play, unit: Unit) -> None:
    already = unit.has("wounded")
    severity = await play.roll(
        "wound", unit, {"already_wounded": int(already)}, what="Wound Severity"
    )
    if severity.result == "dies":
        eliminate(play, unit)
    else:
        unit.gain("wounded")


def inherent_crew(play: Play, vehicle: Vehicle) -> Unit:
    """The Inherent crew of a vehicle as a counter of its own, in the vehicle's Location and not yet
    in the campaign."""
    crew = Unit(
        id=play.campaign.free_id(f"{vehicle.id}-crew"),
        side=vehicle.side,
        kind=Kind.VEHICLE_CREW,
        type=play.card.ladders.figures.marine.vehicle_crew,
        class_=Class.ELITE,
        location=vehicle.location,
    )
    crew.type = play.card.ladders.digits(crew)
    return crew


def abandon(play: Play, vehicle: Vehicle) -> None:
    """Leaves a vehicle without its crew, in its Location; the unit that crewed it is lost."""
    close_crews(play.campaign, vehicle)
    vehicle.inherent_crew = False
    vehicle.armor_leader = None
    vehicle.gain("abandoned")
    vehicle.lose("stunned", "stun_plus1", "shocked", "unconfirmed_kill", "motion", "crew_exposed")


def close_crews(campaign: Campaign, vehicle: Vehicle) -> None:
    """Whoever crewed a vehicle (15.6131a) and is no longer in it is lost."""
    for crew in campaign.crews_of(vehicle):
        crew.fate, crew.became = Fate.ELIMINATED, None


def burn_out(play: Play, vehicle: Vehicle) -> None:
    """Turns a vehicle into a Burnt-Out Wreck; its Weapons go with it."""
    vehicle.inherent_crew = False
    vehicle.armor_leader = None
    vehicle.status = ("burnt_out", "wreck")
    for weapon in play.campaign.mounted_on(vehicle):
        remove(play, weapon)


def is_gun(weapon: Weapon) -> bool:
    return weapon.kind is WeaponKind.GUN
