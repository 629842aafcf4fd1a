"""15.605: wading units and vehicles at the end of the scenario."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import field
from typing import Any

from brt_cg.board import grid, ground_hex, hex_order_key, locations
from brt_cg.immutable import immutable
from brt_cg.model import (
    SIDES,
    PathfinderState,
    Piece,
    Side,
    Unit,
    UnitKind,
    Vehicle,
    Weapon,
    WeaponKind,
    fields_of,
)
from brt_cg.model.cleanup import keep_hidden_without_holder
from brt_cg.model.hidden_ids import LEADER, new_part_id
from brt_cg.questions import FigureQuestion, Option, PrintedFigure, reader_of_shape
from brt_cg.refit.losses import (
    WoundSeverityResults,
    build_inherent_crew_unit,
    casualty_reduce,
    eliminate_and_score,
)
from brt_cg.refit.moves import place_piece_with_possessions
from brt_cg.refit.play import Play, TableResults, paragraph
from brt_cg.refit.printed_figures import (
    Asked,
    ask_printed_figure_if_unknown,
    fill_in_figure_for_type,
)
from brt_cg.refit.s604_encirclement import (
    leader_drm_now,
    leaders_with_usable_drm,
    must_apply_harmful_leader_drm,
)
from brt_cg.refit.selection import counters_by_map_location, units_at


class InfantryWadingResults(TableResults, tables=("15.605.infantry",)):
    """The results for a wading MMC."""

    SURVIVES = "survives"
    CASUALTY_REDUCTION = "casualty_reduction"
    WITHOUT_EQUIPMENT = "casualty_reduction_equipment"
    ELIMINATED = "eliminated"


class VehicleWadingResults(TableResults, tables=("15.605.vehicle",)):
    """The results for a wading vehicle."""

    SURVIVES = "survives"
    MIRED = "mired"
    IMMOBILIZED = "immobilized"
    ELIMINATED = "eliminated"


class CrewSurvivalResults(TableResults, tables=("15.605.crew",)):
    """The results for the crew of an eliminated vehicle."""

    SURVIVES = "survives"
    ELIMINATED = "eliminated"


@immutable
class SideWading:
    """One side's wading, with the Beach hexes that are friendly to it when the paragraph begins;
    `placed` are the Beach hexes where each side is known to have been placed since."""

    play: Play
    side: Side
    beaches: tuple[str, ...]
    placed: Mapping[Side, set[str]]
    in_vain: Asked = field(default_factory=set)

    def distance_to_destination(self, piece: Piece) -> int:
        """Return the distance to the destination, in hexes."""
        return self._nearest(piece)[0]

    async def ask_destination(self, piece: Piece) -> str:
        """Return the nearest friendly Beach hex; its owner chooses among several."""
        _, near = self._nearest(piece)
        if len(near) == 1:
            return near[0]
        return await self.play.ask_choice(
            piece,
            ": on which of the equally near Beach hexes is it placed?",
            *(Option(hex, hex, hex, spot=hex) for hex in near),
            about="destination",
            default=near[0],
            of_equals=True,
        )

    def _nearest(self, piece: Piece) -> tuple[int, tuple[str, ...]]:
        return grid.nearest_hexes(ground_hex(piece.location or ""), self._possible)

    @property
    def _possible(self) -> tuple[str, ...]:
        """Apply R-SHARED-BEACH: return the possible Beach hexes, without those where enemies were
        placed, if the ruling excludes these and any others are left."""
        if self.play.ruling_value("R-SHARED-BEACH") == "shared":
            return self.beaches
        taken = self.placed[self.side.enemy]
        return tuple(hex for hex in self.beaches if hex not in taken) or self.beaches

    def place_on_beach_hex(self, piece: Unit | Vehicle, hex: str) -> None:
        """Place a piece on a Beach hex."""
        place_piece_with_possessions(self.play, piece, hex)
        if self.play.secret_of(piece) is None:
            self.placed[self.side].add(hex)
        label = piece.label
        self.play.log(f"{label} wades ashore to {hex}", piece, ruling="R-FRIENDLY-BEACH")


@paragraph(
    "15.605",
    nothing="nothing has to wade",
    rolls=[InfantryWadingResults, VehicleWadingResults, CrewSurvivalResults, WoundSeverityResults],
    subjects=(
        *("leader:LOCATION", "ipc:LOCATION", "crew:COUNTER", "armor_leader:COUNTER"),
        *("best_af:COUNTER", "amphibious:COUNTER", "R-CVP-REFIT", "R-WADE-SMC"),
    ),
)
async def roll_for_wading_survival(play: Play) -> None:
    """Each Infantry MMC and each vehicle that must wade (R-WADE-WHO) in an Ocean Location makes a
    DR: it is placed on the nearest friendly Beach hex (R-FRIENDLY-BEACH), with losses, or is Mired,
    Immobilized or eliminated. Prisoners share their guard's fate, those aboard their vehicle's; for
    an SMC see R-WADE-SMC. The SW and Guns of an MMC that is eliminated are lost with it, and so are
    unpossessed ones there, unless they may be aboard a vehicle."""
    beaches = locations.beach_hexes_in_play(
        play.card.highest_hex_number(play.campaign.current_rulings)
    )
    held = _held_by(play, frozenset(beaches))
    placed: dict[Side, set[str]] = {side: set() for side in SIDES}
    wading = [
        SideWading(play, side, _friendly(play, side, beaches, held), placed) for side in SIDES
    ]
    left = _left_in_the_ocean(play)
    for wade in wading:
        for location in _ocean_locations(play, wade.side):
            await _infantry(wade, location)
            for vehicle in await _vehicles(wade, location):
                await _vehicle(wade, vehicle)
    for weapon, vehicles in left:
        await _left_by(play, weapon, [each for each in vehicles if each.in_play])


async def _left_by(play: Play, weapon: Weapon, vehicles: list[Vehicle]) -> None:
    """Decide the fate of unpossessed SW and Guns in the Ocean: they are lost if none of the
    vehicles that may carry them is still in play, else perhaps left behind (R-OCEAN-SW)."""
    if not weapon.in_play:
        return
    if not vehicles:
        await _share_its_fate(play, (), (weapon,))
        return
    goes_by = play.ruling_value("R-OCEAN-SW")
    if any(vehicle.location == weapon.location for vehicle in vehicles) or goes_by == "stays":
        return
    carrier = min(vehicles, key=lambda vehicle: vehicle.id)
    if goes_by == "lost":
        play.log_event(weapon, "is lost in the Ocean", ruling="R-OCEAN-SW")
        await eliminate_and_score(play, weapon)
    else:
        keep_hidden_without_holder(play.campaign, weapon)
        weapon.location = carrier.location
        label = carrier.label
        play.log_event(weapon, f"goes along with {label}", carrier, ruling="R-OCEAN-SW")


def _friendly(
    play: Play, side: Side, beaches: tuple[str, ...], held: Mapping[Side, Set[str]]
) -> tuple[str, ...]:
    """Return the Beach hexes in play that are friendly to a side (R-FRIENDLY-BEACH), lowest first;
    `held` are the hexes with units of each side."""
    perimeters = {hex for hexes in play.campaign.situation.perimeters for hex in hexes}
    free = [hex for hex in beaches if hex not in held[side.enemy]]
    if side is Side.MARINE:
        own = perimeters | held[side]
        friendly = [hex for hex in free if hex in own]
    else:
        friendly = [hex for hex in free if hex not in perimeters]
    return tuple(friendly or free or beaches)


def _held_by(play: Play, hexes: Set[str]) -> dict[Side, set[str]]:
    """Return, for each side, the hexes among these that hold one of its units known to the enemy;
    hidden units do not count."""
    held: dict[Side, set[str]] = {side: set() for side in SIDES}
    for location, there in counters_by_map_location(play.campaign, Unit, Vehicle):
        hex = ground_hex(location)
        for piece in there if hex in hexes else ():
            known = hex in held[piece.side] or play.secret_of(piece) is None
            if known and piece.in_play and piece.is_opposing:
                held[piece.side].add(hex)
    return held


def _ocean_locations(play: Play, side: Side) -> list[str]:
    """Return the Ocean Locations with counters of a side, in order."""
    found = {
        location
        for location, there in counters_by_map_location(play.campaign, Unit, Weapon, Vehicle)
        if locations.is_ocean(location)
        and any(each.side is side and each.in_play for each in there)
    }
    return sorted(found, key=lambda location: (hex_order_key(location), location))


def _left_in_the_ocean(play: Play) -> list[tuple[Weapon, list[Vehicle]]]:
    """Return the SW and Guns in an Ocean Location that nobody possesses, with the vehicles
    there."""
    return [
        (weapon, [each for each in play.campaign.pieces_at(where) if isinstance(each, Vehicle)])
        for weapon in play.campaign.sort_counters_in_play(play.campaign.weapons.values())
        if weapon.possessor is None and (where := weapon.location) and locations.is_ocean(where)
    ]


# --- Infantry ---------------------------------------------------------------------------------


async def _infantry(wade: SideWading, location: str) -> None:
    """Roll for each MMC of a Location, then handle the SMC there."""
    there = [unit for unit in units_at(wade.play.campaign, location) if unit.side is wade.side]
    here = [unit for unit in there if unit.aboard is None and not unit.prisoner]
    mmc = sorted((unit for unit in here if unit.mmc), key=lambda unit: unit.id)
    smc = sorted((unit for unit in here if unit.smc), key=lambda unit: unit.id)
    leaders = [leader for leader in smc if leader.leader and leader.good_order]
    led, drm = await _led(wade.play, location, mmc, leaders)
    excess = await excess_pp(wade.play, location, mmc, leaders)
    landed: dict[str, str | None] = {}
    for unit in mmc:
        facts = {
            "encircled": int(unit.has_status("encircled")),
            "hexes": wade.distance_to_destination(unit),
            "leader": drm if unit is led else 0,
            "excess_pp": excess[unit.id],
        }
        helpers = {"leader": leaders} if unit is led else {}
        result = await wade.play.roll(InfantryWadingResults, unit, facts, helpers=helpers)
        landed[unit.id] = await _fate_of(wade, unit, result.result)
    known_first = sorted(mmc, key=lambda unit: wade.play.secret_of(unit) is not None)
    for unit in smc:
        companion = led if unit.leader and led is not None else next(iter(known_first), None)
        await _goes_along(wade, unit, companion, landed)


async def _fate_of(wade: SideWading, unit: Unit, result: str) -> str | None:
    """Apply the result to an MMC. Return the hex in which it is placed, or None if it is
    eliminated."""
    play = wade.play
    weapons = play.campaign.weapons_possessed_by(unit)
    prisoners = play.campaign.prisoners_of(unit)
    if result == InfantryWadingResults.ELIMINATED:
        await eliminate_and_score(play, unit)
    elif result != InfantryWadingResults.SURVIVES:
        await casualty_reduce(play, unit)
    if not unit.in_play:
        await _share_its_fate(play, prisoners, weapons)
        return None
    if result == InfantryWadingResults.WITHOUT_EQUIPMENT:
        await _share_its_fate(play, (), weapons, "final_10")
    return await _lands(wade, unit)


async def _goes_under(play: Play, unit: Unit, how: str) -> None:
    """Eliminate a unit that makes no DR itself, with its prisoners, SW and Guns."""
    weapons = play.campaign.weapons_possessed_by(unit)
    prisoners = play.campaign.prisoners_of(unit)
    play.log_event(unit, how)
    await eliminate_and_score(play, unit)
    await _share_its_fate(play, prisoners, weapons)


async def _share_its_fate(
    play: Play,
    prisoners: Iterable[Unit],
    weapons: Iterable[Weapon],
    reading: str = "lost_with_unit",
) -> None:
    for prisoner in prisoners:
        play.log_event(prisoner, "is eliminated with its guard", readings=(reading,))
        await eliminate_and_score(play, prisoner)
    for weapon in weapons:
        play.log_event(weapon, "is lost in the Ocean", readings=(reading,))
        await eliminate_and_score(play, weapon)


async def _lands(wade: SideWading, unit: Unit, hex: str | None = None) -> str:
    destination = hex or await wade.ask_destination(unit)
    wade.place_on_beach_hex(unit, destination)
    return destination


async def _goes_along(
    wade: SideWading, smc: Unit, companion: Unit | None, landed: dict[str, str | None]
) -> None:
    """Apply R-WADE-SMC: an SMC shares the fate of an MMC in its Location; a leader shares that of
    the MMC he helped."""
    play = wade.play
    where = landed[companion.id] if companion is not None else None
    lost = companion if where is None else None
    with_whom, goes = "", " by himself"  # also for the enemy, whose log does not show the MMC
    if companion is not None and play.secret_of(companion) in (None, play.secret_of(smc)):
        with_whom = f" with {companion.label}"
        goes = goes if where is None else with_whom
    known = smc if with_whom else lost  # ask nobody about an MMC unseen by the enemy
    if (
        lost
        and known
        and await play.ask_ruling_if_not_agreed("R-WADE-SMC", known) == "eliminated-with"
    ):
        await _goes_under(play, smc, f"is eliminated{with_whom} (ruling R-WADE-SMC)")
        return
    play.log_event(smc, f"wades{goes}, without a DR", ruling="R-WADE-SMC")
    await _lands(wade, smc, where)


async def _led(
    play: Play, location: str, mmc: list[Unit], leaders: list[Unit]
) -> tuple[Unit | None, int]:
    """Return the one MMC of a Location that a leader's DRM applies to, and that DRM. A leader whose
    DRM would hurt is left out or applied under R-LEADER-DRM."""
    usable = [
        leader_drm_now(play, leader)
        for leader in leaders_with_usable_drm(play, leaders if mmc else (), mmc)
    ]
    if not usable:
        return None, 0
    led: Unit | None = mmc[0]
    if len(mmc) > 1:
        prompt = (
            f"{play.campaign.location_text(location)}: which MMC does the leader's DRM apply to?"
        )
        nobody = None if must_apply_harmful_leader_drm(play) else "none"
        led = await play.ask_unit(mmc, f"leader:{location}", prompt, nobody, about="leader")
    return led, min(usable)


# --- vehicles ---------------------------------------------------------------------------------


async def _vehicles(wade: SideWading, location: str) -> list[Vehicle]:
    """Return the manned vehicles that must wade (R-WADE-WHO); by default not amphibious ones."""
    play = wade.play
    everyone = play.ruling_value("R-WADE-WHO") == "all"
    here = (each for each in play.campaign.pieces_at(location) if isinstance(each, Vehicle))
    wading = []
    for vehicle in [each for each in here if each.side is wade.side and each.manned]:
        if everyone or not await _read_off(wade, vehicle, "amphibious"):
            wading.append(vehicle)
    return wading


async def _read_off(wade: SideWading, vehicle: Vehicle, name: str) -> Any:
    subject = f"{name}:{vehicle.id}"
    return await ask_printed_figure_if_unknown(
        wade.play, vehicle, name, wade.in_vain, subject=subject
    )


async def _vehicle(wade: SideWading, vehicle: Vehicle) -> None:
    play = wade.play
    known = None if vehicle.armored else vehicle.best_af or 0
    best_af = await _read_off(wade, vehicle, "best_af") if known is None else known
    result = await play.roll(VehicleWadingResults, vehicle, _vehicle_facts(wade, vehicle, best_af))
    if result.result == VehicleWadingResults.ELIMINATED:
        await _sinks(wade, vehicle)
    elif result.result in (VehicleWadingResults.MIRED, VehicleWadingResults.IMMOBILIZED):
        vehicle.add_status(result.result)
    elif vehicle.has_status("immobilized"):
        play.log_event(vehicle, "is already immobilized and stays where it is", ruling="R-WADE-WHO")
    else:
        destination = await wade.ask_destination(vehicle)
        wade.place_on_beach_hex(vehicle, destination)
        if vehicle.pathfinder is not PathfinderState.NONE:
            vehicle.pathfinder = PathfinderState.NONE
            play.log_event(vehicle, "reaches land and loses its Pathfinder")


def _vehicle_facts(wade: SideWading, vehicle: Vehicle, best_af: int) -> dict[str, int]:
    """Return a vehicle's facts for the table of 15.605."""
    return {
        "hexes": wade.distance_to_destination(vehicle),
        "armor_leader": wade.play.card.ladders.armor_leader_drm(vehicle.armor_leader),
        "armor_af": best_af,
        "unarmored": int(not vehicle.armored),
        "pathfinder_wounded": int(vehicle.pathfinder is PathfinderState.WOUNDED),
        "no_pathfinder": int(vehicle.pathfinder is PathfinderState.NONE),
    }


async def _sinks(wade: SideWading, vehicle: Vehicle) -> None:
    """Eliminate a vehicle; its crew, now a separate counter, and those aboard survive together or
    not (R-CREW-SURVIVAL). A surviving crew is not counted in the vehicle's CVP."""
    play = wade.play
    survives = await _crew_survives(play, vehicle)
    aboard = play.campaign.units_aboard(vehicle)
    if not survives:
        for rider in aboard:
            if rider.in_play:
                await _goes_under(play, rider, "is eliminated with its vehicle")
        await eliminate_and_score(play, vehicle)
        return
    destination = await wade.ask_destination(vehicle)
    crew = [build_inherent_crew_unit(play, vehicle), *await _armor_leader_leaves(play, vehicle)]
    vehicle.inherent_crew = False
    await eliminate_and_score(play, vehicle)
    for unit in crew:
        play.campaign.add(unit)
    for unit in (*crew, *aboard):
        await _lands(wade, unit, destination)


async def _armor_leader_leaves(play: Play, vehicle: Vehicle) -> list[Unit]:
    """Ask about G1.411: if a Japanese crew survives and has not been stunned in the scenario, its
    armor leader may become an Infantry leader of the next-lower quality, as a new counter."""
    type_ = play.card.ladders.infantry_leader_from_armor_leader(vehicle)
    if type_ is None or vehicle.has_status("stunned", "stun_plus1", "recalled"):
        return []
    becomes = await play.ask_choice(
        vehicle,
        f": its crew survives; does its {vehicle.armor_leader} armor leader become Infantry leader "
        f"{type_} (G1.411: not if the crew was stunned or Recalled in this scenario)?",
        Option("leader", f"yes: {type_} goes with the crew", True),
        Option("none", "no", False),
        subject=f"armor_leader:{vehicle.id}",
        about="armor leader",
        default="none",
    )
    if not becomes:
        return []
    leader = Unit(
        id=new_part_id(play.campaign, vehicle, LEADER),
        side=vehicle.side,
        kind=UnitKind.LEADER,
        type=type_,
        location=vehicle.location,
    )
    play.log(f"the armor leader of {vehicle.label} becomes the {leader.label} (G1.411)", vehicle)
    return [leader]


async def _crew_survives(play: Play, vehicle: Vehicle) -> bool:
    if vehicle.crew_survival is not None:
        number = {"crew_survival": -vehicle.crew_survival}
        result = await play.roll(CrewSurvivalResults, vehicle, number, what="crew survival")
        return result.result == CrewSurvivalResults.SURVIVES
    outcome = await play.ask_choice(
        vehicle,
        " is eliminated: do its crew and those aboard survive?",
        Option("survives", "they survive", True),
        Option("eliminated", "they do not", False),
        subject=f"crew:{vehicle.id}",
        about="crew",
        default="eliminated",
    )
    fate = "survive" if outcome else "are eliminated"
    words = f"the crew of {play.name_with_place(vehicle)} and those aboard {fate}"
    play.log(words, vehicle, ruling="R-CREW-SURVIVAL")
    return outcome


# --- the PP that wading Infantry carries above its IPC --------------------------------------------


async def excess_pp(
    play: Play, location: str, mmc: list[Unit], leaders: list[Unit]
) -> dict[str, int]:
    """Return the PP that each MMC carries above its IPC. One leader may add the rest of his own IPC
    to that of one MMC."""
    excess = {
        unit.id: max(
            0, await _carried(play, unit) - play.card.ladders.inherent_portage_capacity(unit)
        )
        for unit in mmc
    }
    burdened = [unit for unit in mmc if excess[unit.id]]
    if not burdened:
        return excess
    spare = [
        max(0, play.card.ladders.inherent_portage_capacity(leader) - await _carried(play, leader))
        for leader in leaders
    ]
    more = max(spare, default=0)
    if not more:
        return excess
    helped: Unit | None = burdened[0]
    if len(burdened) > 1:
        prompt = (
            f"{play.campaign.location_text(location)}: which MMC does the leader "
            f"help to carry {more} PP?"
        )
        helped = await play.ask_unit(burdened, f"ipc:{location}", prompt, "none", about="ipc")
    if helped is not None:
        excess[helped.id] = max(0, excess[helped.id] - more)
        play.log_event(helped, f"carries {more} PP with a leader's help")
    return excess


async def _carried(play: Play, unit: Unit) -> int:
    """Return the PP of the SW and Guns that a unit possesses."""
    total = 0
    for weapon in play.campaign.weapons_possessed_by(unit):
        gun = weapon.kind is WeaponKind.GUN
        if not gun and weapon.pp is None:
            weapon.pp = await _enter_pp(play, unit, weapon)
        total += play.card.ladders.figures.portage.gun if gun else weapon.pp or 0
    return total


async def _enter_pp(play: Play, unit: Unit, weapon: Weapon) -> int:
    points: int = await play.ask(
        FigureQuestion(
            subject=weapon.id,
            side=weapon.side,
            prompt=f"{play.name_with_place(weapon)}, possessed by {unit.label}: its PP?",
            counter=weapon.id,
            reader=reader_of_shape(fields_of(Weapon)["pp"].shape),
            hint="a whole number of PP, 0 to 99",
            default=0,
            figure=PrintedFigure(weapon.TABLE, weapon.nation, weapon.type, "pp"),
        )
    )
    if points:
        fill_in_figure_for_type(play, weapon, "pp", points)
    warning = "" if points else "warning: "
    play.log(f"{warning}{play.name_with_place(weapon)} counts as {points} PP", weapon)
    return points
