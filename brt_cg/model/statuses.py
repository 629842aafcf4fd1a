"""The traits and statuses that counters may have."""

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
