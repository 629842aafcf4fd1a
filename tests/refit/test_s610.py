"""15.6101-15.6105: fires."""

import pytest

from brt_cg.model.counters import Fate, Fire, Material, TerrainKind
from brt_cg.refit.s610_fires import (
    burn_out_burning_wrecks,
    burn_out_vehicles_in_blaze,
    extinguish_stone_rubble,
    remove_burning_wooden_rubble,
    rubble_burning_buildings,
)
from tests.refit.table import (
    JAPANESE,
    MARINE,
    campaign,
    fort,
    japanese_squad,
    play,
    sw,
    terrain,
    vehicle,
    vehicular,
)


def test_a_burning_wreck_becomes_burnt_out():
    result = play(burn_out_burning_wrecks, campaign(vehicle("v", "N19", status="burning wreck")))
    assert result.vehicle("v").status == ("burnt_out", "wreck")


@pytest.mark.parametrize(
    "kind", ["building", "wooden_rubble", "stone_rubble", "obstacle", "collapsed_tower"]
)
def test_a_wreck_blaze_moves_to_the_obstacle_or_rubble_in_its_hex(kind):
    table = campaign(vehicle("v", "N19", status="burning wreck"), terrain("t", "N19", kind))
    assert play(burn_out_burning_wrecks, table).campaign.terrain["t"].fire is Fire.BLAZE


def test_a_wreck_blaze_moves_to_the_terrain_in_its_location():
    tank, rubble = vehicle("v", "N19", status="burning wreck"), terrain("b", "N19", "stone_rubble")
    table = campaign(tank, terrain("a", "N19:1"), rubble)
    left = play(burn_out_burning_wrecks, table).campaign.terrain
    assert (left["a"].fire, left["b"].fire) == (None, Fire.BLAZE)


def test_a_wreck_that_does_not_burn_stays_a_wreck():
    result = play(burn_out_burning_wrecks, campaign(vehicle("v", "N19", status="wreck")))
    assert (result.vehicle("v").status, result.said) == (("wreck",), [])


def test_the_blaze_that_moved_to_an_obstacle_goes_out():
    table = campaign(vehicle("v", "N19", status="burning wreck"), terrain("t", "N19", "obstacle"))
    play(burn_out_burning_wrecks, table)
    result = play(rubble_burning_buildings, table)
    obstacle = result.campaign.terrain["t"]
    assert (obstacle.fire, obstacle.fate, obstacle.kind) == (
        None,
        Fate.IN_PLAY,
        TerrainKind.OBSTACLE,
    )
    assert "stops burning" in result.log


def test_terrain_in_another_hex_does_not_catch_fire():
    table = campaign(vehicle("v", "N19", status="burning wreck"), terrain("t", "N20"))
    assert play(burn_out_burning_wrecks, table).campaign.terrain["t"].fire is None


def test_the_weapons_of_a_burnt_out_wreck_are_gone():
    tank = vehicle("v", "N19", status="burning wreck")
    result = play(burn_out_burning_wrecks, campaign(tank, vehicular("ma", "N19", "v")))
    assert result.weapon("ma").fate is Fate.ELIMINATED


@pytest.mark.parametrize("status", ["abandoned", "immobilized", "bogged", "mired", "wreck"])
def test_abandoned_immobile_and_wrecked_vehicles_in_a_blaze_burn_out(status):
    table = campaign(vehicle("v", "N19", status=status), terrain("t", "N19", fire="blaze"))
    result = play(burn_out_vehicles_in_blaze, table)
    assert result.vehicle("v").has_status("burnt_out")
    assert "R-FIRE-VEHICLES" in result.log


def test_a_burnt_out_wreck_is_not_mentioned():
    gone = vehicle("v", "N19", status="burnt_out wreck")
    assert (
        play(burn_out_vehicles_in_blaze, campaign(gone, terrain("t", "N19", fire="blaze"))).said
        == []
    )


def test_a_mobile_vehicle_drives_out_of_the_blaze():
    table = campaign(vehicle("v", "N19"), terrain("t", "N19", fire="blaze"))
    assert play(burn_out_vehicles_in_blaze, table).vehicle("v").status == ()


def test_a_wreck_and_its_equipment_are_no_longer_isolated():
    isolated = {"isolated": True, "recorded_location": "N30"}
    tank = vehicle("v", "N30", status="immobilized", **isolated)
    lying, blaze = sw("w", "N30", side=MARINE, **isolated), terrain("t", "N30", fire="blaze")
    table = campaign(tank, lying, blaze, areas={"M1": "N20", "J1": "N28-N32"})
    result = play(burn_out_vehicles_in_blaze, table)
    assert (result.vehicle("v").isolated, result.vehicle("v").location) == (False, "N30")
    assert (result.weapon("w").side, result.weapon("w").setup_area) == (JAPANESE, "J1")


def test_a_flame_is_no_blaze():
    tank = vehicle("v", "N19", status="abandoned")
    table = campaign(tank, terrain("t", "N19", fire="flame"))
    assert not play(burn_out_vehicles_in_blaze, table).vehicle("v").has_status("burnt_out")


@pytest.mark.parametrize(("ruling", "left"), [("burn", []), ("leaves", ["v-crew"])])
def test_the_crew_of_an_immobile_vehicle_burns_with_it_or_gets_out_as_ruled(ruling, left):
    tank = vehicle("v", "N19", status="immobilized", setup_area="M1")
    table = campaign(tank, terrain("t", "N19", fire="blaze"), rulings={"R-FIRE-VEHICLES": ruling})
    result = play(burn_out_vehicles_in_blaze, table)
    assert result.vehicle("v").has_status("burnt_out")
    assert [unit.id for unit in result.campaign.free_units_in_play_of(MARINE)] == left
    assert all(unit.setup_area == "M1" for unit in result.campaign.units.values())
    assert ("loses its crew" in result.log) is (left == [])
    assert "(ruling R-FIRE-VEHICLES)" in result.log
    assert result.cvp(JAPANESE) == 0


def test_no_vehicle_burns_if_so_ruled():
    tank, fire = vehicle("v", "N19", status="abandoned"), terrain("t", "N19", fire="blaze")
    table = campaign(tank, fire, rulings={"R-FIRE-VEHICLES": "none"})
    assert play(burn_out_vehicles_in_blaze, table).said == []


@pytest.mark.parametrize("kind", ["wooden_rubble", "collapsed_tower"])
@pytest.mark.parametrize("fire", ["flame", "blaze"])
def test_burning_wooden_rubble_or_tower_is_removed_with_its_fire(kind, fire):
    result = play(remove_burning_wooden_rubble, campaign(terrain("t", "N19", kind, fire=fire)))
    gone = result.campaign.terrain["t"]
    assert (gone.fate, gone.fire) == (Fate.ELIMINATED, None)


def test_wooden_rubble_that_does_not_burn_stays():
    table = campaign(terrain("t", "N19", "wooden_rubble"))
    assert play(remove_burning_wooden_rubble, table).campaign.terrain["t"].in_play


def test_only_the_fire_of_burning_stone_rubble_is_removed():
    result = play(
        extinguish_stone_rubble, campaign(terrain("t", "N19", "stone_rubble", fire="blaze"))
    )
    left = result.campaign.terrain["t"]
    assert (left.fate, left.fire) == (Fate.IN_PLAY, None)


def building(material: str):
    return [
        terrain("a", "N19", material=material, building="b1"),
        terrain("b", "N20", material=material, building="b1", fire="flame"),
        terrain("c", "N20:1", material=material, building="b1"),
    ]


@pytest.mark.parametrize(
    ("material", "rubble"),
    [("wood", TerrainKind.WOODEN_RUBBLE), ("stone", TerrainKind.STONE_RUBBLE)],
)
def test_a_building_with_one_fire_is_rubble_in_all_its_ground_level_locations(material, rubble):
    result = play(rubble_burning_buildings, campaign(*building(material)))
    left = result.campaign.terrain
    assert left["a"].kind is left["b"].kind is rubble
    assert left["c"].fate is Fate.ELIMINATED
    assert left["a"].building is left["b"].building is None
    assert all(one.fire is None for one in left.values())
    told = result.log.replace("wooden", "wood")
    assert f"building b (N20) burns down to {material} rubble" in told


def test_a_rubbled_building_is_no_longer_fortified():
    fortified = fort("f", "N19", "fortified_building")
    others = fort("g", "P30", "fortified_building"), fort("w", "N19", "wire")
    result = play(rubble_burning_buildings, campaign(*building("wood"), fortified, *others))
    assert result.campaign.fortifications["f"].fate is Fate.ELIMINATED
    assert all(result.campaign.fortifications[id].in_play for id in "gw")


def test_the_island_command_bunker_cannot_be_rubbled():
    bunker = terrain("icb", "M45", material="stone", building="b", fire="blaze")
    part = terrain("part", "L45", material="stone", building="b", fire="flame")
    result = play(rubble_burning_buildings, campaign(bunker, part))
    for left in result.campaign.terrain.values():
        assert (left.kind, left.fire) == (TerrainKind.BUILDING, None)


def test_players_are_asked_for_an_unknown_building_material():
    result = play(
        rubble_burning_buildings,
        campaign(terrain("t", "N19", fire="flame")),
        choices={"t": "stone"},
    )
    assert result.ask("t").public
    assert result.campaign.terrain["t"].kind is TerrainKind.STONE_RUBBLE
    assert result.campaign.terrain["t"].material is Material.STONE


def test_an_unknown_building_is_wooden_by_default():
    result = play(rubble_burning_buildings, campaign(terrain("t", "N19", fire="flame")))
    assert result.campaign.terrain["t"].kind is TerrainKind.WOODEN_RUBBLE


def test_a_building_without_fire_stays():
    table = campaign(terrain("t", "N19", material="wood"))
    assert play(rubble_burning_buildings, table).said == []


def test_a_blaze_that_moved_from_a_wreck_burns_the_building_down():
    table = campaign(
        vehicle("v", "N19", status="burning wreck"), terrain("t", "N19", material="wood")
    )
    play(burn_out_burning_wrecks, table)
    assert (
        play(rubble_burning_buildings, table).campaign.terrain["t"].kind
        is TerrainKind.WOODEN_RUBBLE
    )


# --- what nobody sees burn, and who was inside --------------------------------------------------


def test_a_fire_off_map_is_left_alone():
    table = campaign(
        vehicle("v", "off_map", status="burning wreck"),
        terrain("t", "off_map", fire="blaze"),
        terrain("b", "N20"),
    )
    for step in (
        burn_out_burning_wrecks,
        burn_out_vehicles_in_blaze,
        remove_burning_wooden_rubble,
        extinguish_stone_rubble,
        rubble_burning_buildings,
    ):
        play(step, table)
    assert table.terrain["b"].fire is None
    assert table.terrain["t"].fate is Fate.IN_PLAY


def isolated(id, location):
    return japanese_squad(id, location, isolated=True, recorded_location=location)


def test_units_in_a_rubbled_building_go_to_its_hex():
    table = campaign(
        terrain("ground", "N19", building="b", fire="blaze", material="stone"),
        terrain("upstairs", "N19:1", building="b"),
        fort("fb", "N19", "fortified_building"),
        isolated("j1", "N19:1"),
        isolated("j2", "N19:fb"),
        isolated("j3", "N20:1"),
    )
    result = play(rubble_burning_buildings, table)
    places = [
        (result.unit(j).location, result.unit(j).recorded_location) for j in ("j1", "j2", "j3")
    ]
    assert places == [("N19", "N19"), ("N19", "N19"), ("N20:1", "N20:1")]
