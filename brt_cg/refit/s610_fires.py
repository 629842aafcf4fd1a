"""15.610: the end of fires, and their effects."""

from collections.abc import Iterable

from brt_cg.board import ground_hex
from brt_cg.model import Fire, Material, Side, Terrain, TerrainKind, Vehicle
from brt_cg.model.cleanup import move_counters_out
from brt_cg.questions import ChoiceQuestion, Option
from brt_cg.refit.losses import burn_out_vehicle, disembark_crew, remove_from_play
from brt_cg.refit.play import Play, paragraph
from brt_cg.refit.s608_retained import place_retained_vehicle
from brt_cg.refit.selection import pieces_with_any_of_statuses

ISLAND_COMMAND_BUNKER = "M45"  # cannot be rubbled (15.6105)
BURNS_ON = (
    *(TerrainKind.BUILDING, TerrainKind.WOODEN_RUBBLE, TerrainKind.STONE_RUBBLE),
    *(TerrainKind.COLLAPSED_TOWER, TerrainKind.OBSTACLE),
)
BURNT = ("burnt_building",)  # the fixed reading that a collapse rests on
RUBBLE = {Material.WOOD: TerrainKind.WOODEN_RUBBLE, Material.STONE: TerrainKind.STONE_RUBBLE}


@paragraph("15.6101", nothing="no wreck burns")
async def burn_out_burning_wrecks(play: Play) -> None:
    """A Burning Wreck loses its Blaze and becomes Burnt-Out; in an obstacle or rubble hex the Blaze
    moves to that building or rubble."""
    for wreck in play.campaign.sort_counters_in_play(
        pieces_with_any_of_statuses(play.campaign, "burning")
    ):
        await burn_out_vehicle(play, wreck)
        fuel = _fuel_in_the_hex_of(play, wreck)
        if fuel is not None:
            fuel.fire, label = Fire.BLAZE, fuel.label
            words = f"becomes Burnt-Out, and its Blaze moves to {label}"
            play.log_event(wreck, words, readings=("blaze",))
        else:
            play.log_event(wreck, "becomes Burnt-Out")


def _fuel_in_the_hex_of(play: Play, wreck: Vehicle) -> Terrain | None:
    """Return the terrain that a wreck's Blaze moves to: in its Location, else in its hex."""
    if wreck.location is None or wreck.off_map:
        return None
    hex, fuel = (
        ground_hex(wreck.location),
        (each for each in _terrain(play) if each.kind in BURNS_ON),
    )
    here = play.campaign.sort_counters_in_play(
        each for each in fuel if ground_hex(each.location or "") == hex
    )
    exact = [terrain for terrain in here if terrain.location == wreck.location]
    return next(iter([*exact, *here]), None)


@paragraph(
    "15.6102",
    nothing="no vehicle is in a Blaze Location",
    subjects=("R-FIRE-VEHICLES",),
)
async def burn_out_vehicles_in_blaze(play: Play) -> None:
    """Vehicles and wrecks in a Blaze Location burn out, with or without their crews, as
    R-FIRE-VEHICLES says: those that are abandoned, immobile or wrecks already."""
    blazes = {terrain.location for terrain in _terrain(play) if terrain.fire is Fire.BLAZE}
    vehicles = (each for each in play.campaign.vehicles.values() if each.location in blazes)
    for vehicle in play.campaign.sort_counters_in_play(vehicles):
        if not vehicle.immobile or vehicle.has_status("burnt_out"):
            continue
        outcome = await play.ask_ruling_if_not_agreed("R-FIRE-VEHICLES", vehicle)
        if outcome == "leaves" and vehicle.manned:
            disembark_crew(play, vehicle, "R-FIRE-VEHICLES")
        if outcome != "none":
            await burn_out_vehicle(play, vehicle)
            play.log_event(
                vehicle, "burns in a Blaze and becomes a Burnt-Out Wreck", ruling="R-FIRE-VEHICLES"
            )
            place_retained_vehicle(play, vehicle)


@paragraph("15.6103", nothing="no wooden rubble or collapsed tower burns")
async def remove_burning_wooden_rubble(play: Play) -> None:
    """Burning wooden rubble and burning collapsed towers are removed, with their fires."""
    for rubble in _burning(play, TerrainKind.WOODEN_RUBBLE, TerrainKind.COLLAPSED_TOWER):
        rubble.fire = None
        play.log_event(rubble, "burns down and is removed with its fire")
        remove_from_play(play.campaign, rubble)


@paragraph("15.6104", nothing="no stone rubble burns")
async def extinguish_stone_rubble(play: Play) -> None:
    """The fire of burning stone rubble is removed; the rubble stays."""
    for rubble in _burning(play, TerrainKind.STONE_RUBBLE):
        rubble.fire = None
        play.log_event(rubble, "stops burning")


@paragraph("15.6105", nothing="no building or obstacle burns", subjects=("BUILDING",))
async def rubble_burning_buildings(play: Play) -> None:
    """A building with a Flame or Blaze becomes rubble of its material in all its ground-level
    Locations; its fires, upper levels and Fortified status are removed. The Island Command Bunker
    (M45) cannot be rubbled, and any other obstacle only loses its fire."""
    for locations in _burning_buildings(play):
        for location in locations:
            location.fire = None
        if ISLAND_COMMAND_BUNKER in {ground_hex(location.location or "") for location in locations}:
            words = "stops burning; the Island Command Bunker cannot be rubbled"
            play.log_event(locations[0], words)
            continue
        material = await _material(play, locations)
        for location in locations:
            _collapse(play, location, material)
    for obstacle in _burning(play, TerrainKind.OBSTACLE):
        obstacle.fire = None
        play.log_event(obstacle, "stops burning")


async def _material(play: Play, locations: list[Terrain]) -> Material:
    known = next((location.material for location in locations if location.material), None)
    if known is not None:
        return known
    first = locations[0]
    return await play.ask(
        ChoiceQuestion(
            subject=first.building or first.id,
            side=Side.MARINE,
            prompt=f"{play.name_with_place(first)} burns down: is it of wood or of stone?",
            public=True,
            options=tuple(Option(kind.value, kind.value, kind) for kind in Material),
            default="wood",
        )
    )


def _collapse(play: Play, building: Terrain, material: Material) -> None:
    """Turn a ground-level Location into rubble; remove an upper level."""
    _end_fortified_status(play, building)
    if building.location is not None and ":" in building.location:
        play.log_event(building, "burns, and its upper level is removed", readings=BURNT)
        move_counters_out(play.campaign, building)
        remove_from_play(play.campaign, building)
        return
    words = f"burns down to {RUBBLE[material].replace('_', ' ')}"
    play.log_event(building, words, readings=BURNT)
    building.kind = RUBBLE[material]
    building.material = material
    building.building = None


def _end_fortified_status(play: Play, building: Terrain) -> None:
    there = play.campaign.fortifications.records_with("location", building.location)
    for fort in play.campaign.sort_counters_in_play(
        f for f in there if f.type == "fortified_building"
    ):
        play.log_event(fort, "is no longer Fortified", readings=BURNT)
        move_counters_out(play.campaign, fort)
        remove_from_play(play.campaign, fort)


def _burning_buildings(play: Play) -> list[list[Terrain]]:
    """Return the Locations of each burning building, lowest hex first."""
    found: dict[str, list[Terrain]] = {}
    buildings = (each for each in _terrain(play) if each.kind is TerrainKind.BUILDING)
    for building in play.campaign.sort_counters_in_play(buildings):
        found.setdefault(building.building or building.id, []).append(building)
    return [building for building in found.values() if any(part.fire for part in building)]


def _burning(play: Play, *kinds: TerrainKind) -> list[Terrain]:
    burning = (each for each in _terrain(play) if each.fire and each.kind in kinds)
    return play.campaign.sort_counters_in_play(burning)


def _terrain(play: Play) -> Iterable[Terrain]:
    """Return the terrain on map, in any order."""
    on_map = (each for each in play.campaign.terrain.values() if each.location)
    return (each for each in on_map if each.in_play and not each.off_map)
