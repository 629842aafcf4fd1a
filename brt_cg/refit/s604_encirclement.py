"""15.604: Encirclement, bogged vehicles, Shock."""

from collections.abc import Iterable

from brt_cg.board import hex_order_key, locations
from brt_cg.model import BOGGED, PathfinderState, Piece, Side, Unit, Vehicle, Weapon
from brt_cg.questions import EntryQuestion, Option, Raw, RefusedError
from brt_cg.refit.losses import abandon_vehicle, eliminate_and_score, score_crew_loss
from brt_cg.refit.play import Play, TableResults, ids_form, paragraph
from brt_cg.refit.rearm import rearm_unit
from brt_cg.refit.selection import pieces_with_any_of_statuses, units_at
from brt_cg.text import short_json, signed_text

Left = set[str]  # the ids of the equipment of eliminated Encircled units


class EncirclementCheckResults(TableResults, tables=("15.6041",)):
    """The results of an Encirclement Task Check."""

    PASSES = "passes"
    FAILS = "fails"


class BogRemovalResults(TableResults, tables=("15.6042.provisional",)):
    """The results of Bog Removal."""

    FREED = "freed"
    AGAIN = "again"
    IMMOBILIZED = "immobilized"


class ShockResults(TableResults, tables=("15.6043.shock_marker",)):
    """The results for a Shocked vehicle by the side of its marker."""

    RECOVERS = "recovers"
    UNCONFIRMED_KILL = "unconfirmed_kill"


class UnconfirmedKillResults(TableResults, tables=("15.6043.unconfirmed_kill",)):
    """The results for an Unconfirmed Kill."""

    RECOVERS = "recovers"
    ELIMINATED = "eliminated"


@paragraph(
    "15.6041",
    nothing="nothing is Encircled",
    rolls=[EncirclementCheckResults],
    subjects=("prisoners:COUNTER", "equipment:COUNTER", "rearm:COUNTER", "R-CVP-REFIT"),
)
async def check_encircled_units(play: Play) -> None:
    """Each Encircled unit (not prisoners) takes a check (Marine 1TC, Japanese NTC), leaders before
    MMC, the best first; one other Good Order friendly leader in the Location may help. A unit that
    fails is eliminated. An Encircled vehicle checks with its Inherent crew's Morale Level; it is
    eliminated with those aboard, but an immobile one is left abandoned. Those aboard who are
    Encircled in their own right check for themselves. Prisoners of an eliminated unit are claimed
    by a friendly unit there, or are Rearmed (R-REARM) and may take the equipment that those
    eliminated left unpossessed there."""
    left: Left = set()
    for piece in _in_order_of_checks(play):
        if isinstance(piece, Unit) and piece.in_play:
            await _check_unit(play, piece, left)
        elif isinstance(piece, Vehicle) and piece.in_play:
            await _check_vehicle(play, piece, left)


def _in_order_of_checks(play: Play) -> list[Piece]:
    """Return the checks in order: Marine first; by Location; leaders, the best first by current
    Morale Level, then DRM; then others by id; then vehicles."""

    def order(piece: Piece) -> tuple[object, ...]:
        rank = (0, 0)
        if isinstance(piece, Unit) and piece.leader:
            rank = (-play.card.ladders.morale_level(piece), leader_drm_now(play, piece))
        smc_first = 0 if isinstance(piece, Unit) and piece.smc else 1
        where = (piece.side is Side.JAPANESE, hex_order_key(piece.location), piece.location or "")
        return (*where, isinstance(piece, Vehicle), rank, smc_first, piece.id)

    encircled = (
        piece for piece in pieces_with_any_of_statuses(play.campaign, "encircled") if piece.in_play
    )
    return sorted((piece for piece in encircled if piece.is_opposing), key=order)


async def _check_unit(play: Play, unit: Unit, left: Left) -> None:
    raising = None if unit.leader else _morale_raising_leader(play, unit)
    if not await _passes(play, unit, play.card.ladders.morale_level(unit), raising):
        await _lost(play, unit, left)


async def _check_vehicle(play: Play, vehicle: Vehicle, left: Left) -> None:
    morale = play.card.ladders.inherent_crew_morale(vehicle.side, vehicle.armored)
    if await _passes(play, vehicle, morale, None):
        return
    for rider in play.campaign.units_aboard(vehicle):
        if rider.has_status("encircled"):
            rider.aboard = None
        else:
            await _lost(play, rider, left, "is eliminated with its vehicle")
    if vehicle.immobile:
        play.log_event(vehicle, "loses its crew and is abandoned")
        await score_crew_loss(play, vehicle)
        abandon_vehicle(play.campaign, vehicle)
    else:
        play.log_event(vehicle, "is eliminated")
        await eliminate_and_score(play, vehicle)


async def _passes(play: Play, piece: Piece, morale_level: int, raising: Unit | None) -> bool:
    """Make the check, with a helping leader and one who raises the Morale Level."""
    leader = await _helping_leader(play, piece)
    marine = piece.side is Side.MARINE
    lowered = marine and play.ruling_value("R-ENCIRCLED-ML") == "marine"
    facts = {
        "marine_1tc": int(marine),
        "morale_level": -morale_level,
        "encircled": int(lowered),
        "leader": leader_drm_now(play, leader) if leader else 0,
        "japanese_leader": int(raising is not None),
    }
    who = (("leader", leader), ("japanese_leader", raising))
    helpers = {fact: [helper] for fact, helper in who if helper is not None}
    check = await play.roll(EncirclementCheckResults, piece, facts, helpers=helpers)
    return check.result == EncirclementCheckResults.PASSES


# --- leaders ----------------------------------------------------------------------------------


def _leaders_there(play: Play, piece: Piece) -> list[Unit]:
    """Return the other Good Order leaders of its side in the same Location, the best DRM first."""
    found = [
        unit
        for unit in units_at(play.campaign, piece.location)
        if unit.leader and unit.good_order and unit.side is piece.side and unit is not piece
    ]
    return sorted(found, key=lambda leader: (leader_drm_now(play, leader), leader.id))


def _morale_raising_leader(play: Play, unit: Unit) -> Unit | None:
    """Return the Japanese leader who raises this unit's Morale Level (R-LEADER-ML): one known to
    the enemy, if any is there."""
    if (
        play.ruling_value("R-LEADER-ML") == "no"
        or unit.side is not Side.JAPANESE
        or unit.has_status("berserk")
    ):
        return None
    there = _leaders_there(play, unit)
    return min(there, key=lambda leader: play.secret_of(leader) is not None, default=None)


def _may_help(play: Play, leader: Unit, piece: Piece) -> bool:
    """Whether a leader there may help at all; R-LEADER-CREW decides whether a leader on foot can
    help a vehicle's crew."""
    if not isinstance(piece, Vehicle) or play.ruling_value("R-LEADER-CREW") == "yes":
        return True
    return leader.aboard == piece.id


async def _helping_leader(play: Play, piece: Piece) -> Unit | None:
    """Return the leader whose DRM helps. By R-LEADER-DRM a leader who would hurt is left out, or
    one of those present must be applied."""
    there = [leader for leader in _leaders_there(play, piece) if _may_help(play, leader, piece)]
    must, leaders = (
        must_apply_harmful_leader_drm(play),
        leaders_with_usable_drm(play, there, [piece]),
    )
    if not leaders:
        return None
    if must and len({leader_drm_now(play, leader) for leader in leaders}) == 1:
        return min(leaders, key=lambda leader: play.secret_of(leader) is not None)
    chosen: Unit | None = await play.ask_unit(
        leaders,
        piece.id,
        f"{play.name_with_place(piece)}: which leader helps with its Encirclement check?",
        None if must else "none",
        secret=play.whose_secret((piece, *leaders)),
        about="leader",
        default=leaders[0].id,
        of_equals=False,  # the best
    )
    return chosen


# --- prisoners and equipment of those eliminated ----------------------------------------------


async def _lost(play: Play, unit: Unit, left: Left, how: str = "is eliminated") -> None:
    """Eliminate a unit, which leaves its equipment; its prisoners are claimed, or are Rearmed and
    may take the equipment left there."""
    prisoners = play.campaign.prisoners_of(unit)
    left.update(weapon.id for weapon in play.campaign.weapons_possessed_by(unit))
    play.log_event(unit, how)
    await eliminate_and_score(play, unit)
    if not prisoners:
        return
    claims = await _claimed_by(play, unit)
    if claims is not None:
        for prisoner in prisoners:
            prisoner.guard = claims.id
            play.log_event(prisoner, f"is now guarded by {claims.label}", claims)
        return
    armed = [taken for prisoner in prisoners for taken in await rearm_unit(play, prisoner)]
    await _take_equipment(play, unit, armed, left)


async def _claimed_by(play: Play, lost: Unit) -> Unit | None:
    """Return the friendly unit in the Location that takes over an eliminated unit's prisoners; one
    that can must do so."""
    able = [
        unit
        for unit in units_at(play.campaign, lost.location)
        if unit.side is lost.side and unit.good_order
    ]
    if not able:
        return None
    able.sort(key=lambda unit: unit.id)
    prompt = f"{play.name_with_place(lost)} is eliminated: who takes over its prisoners?"
    claims: Unit = await play.ask_unit(able, f"prisoners:{lost.id}", prompt, about="prisoners")
    return claims


async def _take_equipment(play: Play, lost: Unit, armed: list[Unit], left: Left) -> None:
    """Let the first of the Rearmed units take the SW and Guns that were left there, but not those
    that were unpossessed before."""
    there = (counter for counter in play.campaign.pieces_at(lost.location) if counter.id in left)
    weapons = (counter for counter in there if isinstance(counter, Weapon))
    lying = [weapon for weapon in weapons if weapon.possessor is None]
    taker = min(armed, key=lambda unit: unit.id)
    lying = [weapon for weapon in lying if play.secret_of(weapon) is not taker.side.enemy]
    if not lying:
        return
    where = lost.label
    taken = await play.ask(
        EntryQuestion(
            subject=f"equipment:{lost.id}",
            side=taker.side,
            prompt=(
                f"{play.name_with_place(taker)} is Rearmed where {where} fell: what does it take?"
            ),
            about="equipment",
            reader=lambda raw: _read_weapons(raw, lying),
            hint=f"a list of weapon ids, of {', '.join(weapon.id for weapon in lying)}",
            form=ids_form([(weapon, weapon.label) for weapon in lying]),
            default=[],
        )
    )
    for weapon in taken:
        weapon.side, weapon.possessor = taker.side, taker.id
        weapon.remove_status("hidden")
        play.log_event(weapon, f"is picked up by {taker.label}", taker)


def _read_weapons(raw: Raw, lying: list[Weapon]) -> list[Weapon]:
    ids = [weapon.id for weapon in lying]
    if not isinstance(raw, list) or any(id_ not in ids for id_ in raw):
        raise RefusedError(f"{short_json(raw)} is not accepted; enter a list of {', '.join(ids)}")
    return [weapon for weapon in lying if weapon.id in raw]


# --- vehicles ---------------------------------------------------------------------------------


@paragraph("15.6042", nothing="no vehicle is bogged or mired", rolls=[BogRemovalResults])
async def attempt_bog_removal(play: Play) -> None:
    """Each bogged or mired vehicle that is not abandoned attempts Bog Removal until it is freed or
    immobilized (R-BOG)."""
    ends = (BogRemovalResults.FREED, BogRemovalResults.IMMOBILIZED)
    for vehicle in _vehicles(play, *BOGGED):
        outcome = await _entered(play, vehicle, "R-BOG", "Bog Removal", ends, "provisional")
        while outcome not in ends:
            what = "Bog Removal (assumed numbers)"
            roll = await play.roll(
                BogRemovalResults, vehicle, _ground(vehicle), ruling="R-BOG", what=what
            )
            outcome = roll.result
        vehicle.remove_status(*BOGGED)
        if outcome == BogRemovalResults.IMMOBILIZED:
            vehicle.add_status("immobilized")


def _ground(vehicle: Vehicle) -> dict[str, int]:
    """Return the facts of Bog Removal: the vehicle's terrain, and its marker. A vehicle Mired in an
    Ocean Location is Ocean Mired."""
    in_ocean = vehicle.location is not None and locations.is_ocean(vehicle.location)
    guided = vehicle.pathfinder is not PathfinderState.NONE
    markers = ("sand_bog", "sand_mired", "ocean_mired", "mired")
    marker = next((marker for marker in markers if vehicle.has_status(marker)), "bogged")
    if marker == "mired" and in_ocean:
        marker = "ocean_mired"
    return {
        "land": int(not in_ocean),
        "ocean_pathfinder": int(in_ocean and guided),
        **{fact: int(fact == marker) for fact in ("mired", "sand_bog", "ocean_mired")},
    }


@paragraph(
    "15.6043",
    nothing="no vehicle is Shocked or an Unconfirmed Kill",
    rolls=[ShockResults, UnconfirmedKillResults],
    subjects=("R-CVP-REFIT",),
)
async def roll_for_shocked_vehicles(play: Play) -> None:
    """Each vehicle with a Shock or Unconfirmed Kill counter rolls until it recovers or is
    eliminated (R-SHOCK); those aboard are eliminated with it, and no wreck is left."""
    for vehicle in _vehicles(play, "shocked", "unconfirmed_kill"):
        ends = ("recovered", "eliminated")
        outcome = await _entered(play, vehicle, "R-SHOCK", "Shock recovery", ends, "marker")
        if outcome not in ends:
            outcome = await _roll_to_the_end(play, vehicle)
        vehicle.remove_status("shocked", "unconfirmed_kill")
        if outcome == "eliminated":
            for rider in play.campaign.units_aboard(vehicle):
                play.log_event(rider, "is eliminated with its vehicle")
                await eliminate_and_score(play, rider)
            await eliminate_and_score(play, vehicle)


async def _roll_to_the_end(play: Play, vehicle: Vehicle) -> str:
    """Roll until Shock is resolved; if it turns into an Unconfirmed Kill, roll for that."""
    killed = vehicle.has_status("unconfirmed_kill")
    if not killed:
        roll = await play.roll(ShockResults, vehicle, ruling="R-SHOCK", what="Shock recovery")
        killed = roll.result == ShockResults.UNCONFIRMED_KILL
    if killed:
        vehicle.remove_status("shocked")
        vehicle.add_status("unconfirmed_kill")
        what = "Unconfirmed Kill recovery"
        roll = await play.roll(UnconfirmedKillResults, vehicle, ruling="R-SHOCK", what=what)
    recovers = roll.result in (ShockResults.RECOVERS, UnconfirmedKillResults.RECOVERS)
    return "recovered" if recovers else "eliminated"


def _vehicles(play: Play, *status: str) -> list[Vehicle]:
    """Return the manned vehicles with a given status, in order."""
    vehicles = (
        each
        for each in pieces_with_any_of_statuses(play.campaign, *status)
        if isinstance(each, Vehicle)
    )
    return play.campaign.sort_counters_in_play(vehicle for vehicle in vehicles if vehicle.manned)


def _rolled_text(play: Play, rolled: str) -> str:
    """Return an answer for which the program rolls, in words, with the numbers that are assumed."""
    if rolled == "marker":
        return "roll as its marker says"
    (key,) = BogRemovalResults.TABLES
    rows = play.card.tables[key].rows
    return f"roll (assumed: {', '.join(f'{row.finals_text} {row.result}' for row in rows)})"


async def _entered(
    play: Play, vehicle: Vehicle, ruling: str, what: str, outcomes: tuple[str, str], rolled: str
) -> str:
    """Return the outcome that the players enter, or `rolled` ("provisional" or "marker"), if they
    let the program roll or have agreed on that."""
    if play.ruling_value(ruling) != "enter":
        return rolled
    entered = await play.ask_choice(
        vehicle,
        f": {what}: choose the outcome ({ruling})",
        *(Option(end, end, end) for end in outcomes),
        Option(rolled, _rolled_text(play, rolled), rolled),
        public=True,
        default=rolled,
    )
    if entered != rolled:
        words = f"is {entered}, as the players entered for {what}"
        play.log_event(vehicle, words, ruling=ruling)
    return entered


# --- the DRM of leaders who help another unit's roll ----------------------------------------------


def leader_drm_now(play: Play, leader: Unit) -> int:
    """Return a leader's current DRM."""
    return play.card.ladders.leader_drm(leader.side, leader.type, leader.has_status("wounded"))


def must_apply_harmful_leader_drm(play: Play) -> bool:
    """Whether a leader's DRM must be applied even if it hurts."""
    return play.ruling_value("R-LEADER-DRM") == "apply"


def leaders_with_usable_drm(
    play: Play, leaders: Iterable[Unit], helped: Iterable[Piece]
) -> list[Unit]:
    """Return the leaders whose DRM may be applied to another's roll; those who would hurt are left
    out if that is allowed, and the log says so, unless the enemy may not know of the roll."""
    hidden = [play.secret_of(piece) for piece in helped]
    secret = None if None in hidden else next(iter(hidden), None)
    helping = []
    for leader in leaders:
        drm = leader_drm_now(play, leader)
        if drm < 0 or must_apply_harmful_leader_drm(play):
            helping.append(leader)
        elif drm > 0:
            words = f"has a DRM of {signed_text(drm)}, which would hurt and does not apply"
            play.log_event(leader, words, ruling="R-LEADER-DRM", secret=secret)
    return helping
