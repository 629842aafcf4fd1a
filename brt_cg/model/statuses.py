"""The traits, statuses and states that counters may have."""

from enum import StrEnum

TRAITS = ("engineer", "heroic", "korean_laborer", "tank_hunter")
UNIT_STATUS = (
    *("berserk", "broken", "cloaked", "concealed", "cx", "disrupted", "dm", "encircled", "fanatic"),
    *("hidden", "low_ammo", "pinned", "prisoner", "ti", "unarmed", "wall_advantage", "wounded"),
)
WEAPON_STATUS = ("disabled", "hidden", "malfunctioned")
VEHICLE_STATUS = (
    *("abandoned", "bogged", "burning", "burnt_out", "crew_exposed", "encircled", "hidden"),
    *("hull_down", "immobilized", "low_ammo", "mired", "motion", "ocean_mired", "recalled"),
    *("sand_bog", "sand_mired", "shocked", "stun_plus1", "stunned", "unconfirmed_kill", "wreck"),
)
BOGGED = ("bogged", "mired", "ocean_mired", "sand_bog", "sand_mired")  # until freed (15.6042)


class PathfinderState(StrEnum):
    """The state of a vehicle's Pathfinder."""

    GOOD_ORDER = "good_order"
    WOUNDED = "wounded"
    NONE = "none"


class TerrainKind(StrEnum):
    """The kinds of terrain counters."""

    BUILDING = "building"
    WOODEN_RUBBLE = "wooden_rubble"
    STONE_RUBBLE = "stone_rubble"
    COLLAPSED_TOWER = "collapsed_tower"
    OBSTACLE = "obstacle"


class Material(StrEnum):
    """The material of a building."""

    WOOD = "wood"
    STONE = "stone"


class Fire(StrEnum):
    """A fire in a Location."""

    FLAME = "flame"
    BLAZE = "blaze"
