"""The Refit Phase from its first paragraph to its last: the whole procedure at a glance."""

from brt_cg.records import Phase, Situation
from brt_cg.refit.play import Paragraph
from brt_cg.refit.s601_melee import conclusion_of_melee
from brt_cg.refit.s602_markers import marker_removal
from brt_cg.refit.s603_rally_and_victory import rally_and_unloading, victory_and_cvp
from brt_cg.refit.s604_encirclement import bog, encirclement, shock
from brt_cg.refit.s605_wading import wading_survival
from brt_cg.refit.s606_encirclement_removal import encirclement_removal
from brt_cg.refit.s607_perimeters import isolated_units, perimeters, setup_areas
from brt_cg.refit.s608_retained import hidden_fortifications, retained_units
from brt_cg.refit.s609_prisoners import prisoners
from brt_cg.refit.s610_fires import (
    buildings,
    burning_wrecks,
    stone_rubble,
    vehicles_in_a_blaze,
    wooden_rubble,
)
from brt_cg.refit.s611_promotion import heroes, leaders, recombining, wounded_leaders
from brt_cg.refit.s612_new_date import new_cg_date, san_adjustment
from brt_cg.refit.s613_equipment import (
    abandon_and_scrounge,
    captured_equipment,
    flamethrowers_and_demolition_charges,
    low_ammo_removal,
    special_ammo,
    transfers,
    weapon_repair,
)
from brt_cg.refit.s614_purchases import capp, fpp, gpp
from brt_cg.refit.s616_banzai import banzai_decision
from brt_cg.refit.s620_setup import (
    banzai_determination,
    commencement,
    isolated_setup,
    order_and_length,
    setup_of_the_rest,
)
from brt_cg.refit.s6131_vehicles import vehicles
from brt_cg.refit.s6139_removal import removal

SEQUENCE: tuple[Paragraph, ...] = (
    conclusion_of_melee,  # 15.601
    marker_removal,  # 15.602
    rally_and_unloading,  # 15.6031
    victory_and_cvp,  # 15.6032
    encirclement,  # 15.6041
    bog,  # 15.6042
    shock,  # 15.6043
    wading_survival,  # 15.605
    encirclement_removal,  # 15.606
    perimeters,  # 15.607
    setup_areas,  # 15.6071
    isolated_units,  # 15.6072
    retained_units,  # 15.6081
    hidden_fortifications,  # 15.6082
    prisoners,  # 15.609
    burning_wrecks,  # 15.6101
    vehicles_in_a_blaze,  # 15.6102
    wooden_rubble,  # 15.6103
    stone_rubble,  # 15.6104
    buildings,  # 15.6105
    recombining,  # 15.6111
    wounded_leaders,  # 15.6112
    heroes,  # 15.6113
    leaders,  # 15.6114
    new_cg_date,  # 15.6121
    san_adjustment,  # 15.6122
    vehicles,  # 15.6131
    weapon_repair,  # 15.6132
    flamethrowers_and_demolition_charges,  # 15.6133
    captured_equipment,  # 15.6134
    abandon_and_scrounge,  # 15.6135
    special_ammo,  # 15.6136
    transfers,  # 15.6137
    low_ammo_removal,  # 15.6138
    removal,  # 15.6139
    gpp,  # 15.6141
    capp,  # 15.6142
    fpp,  # 15.6143
    banzai_decision,  # 15.616
    isolated_setup,  # 15.6201
    setup_of_the_rest,  # 15.6202
    banzai_determination,  # 15.6203
    commencement,  # 15.6204
    order_and_length,  # 15.6205
)

BY_NUMBER = {paragraph.number: paragraph for paragraph in SEQUENCE}
FIRST_OF_SETUP = next(one for one in SEQUENCE if one.phase is Phase.SETUP)
WINDOW = fpp  # where 15.614 asks each side whether it is done with its purchases


def following(situation: Situation) -> Paragraph | None:
    """The paragraph that comes next: after the one in progress, or else the one that was done last;
    None outside a Refit Phase, and after its last."""
    at = situation.paragraph or situation.done
    if situation.phase is Phase.PURCHASE:
        return FIRST_OF_SETUP
    if situation.phase not in (Phase.REFIT, Phase.SETUP):
        return None
    if at is None:
        return SEQUENCE[0] if situation.phase is Phase.REFIT else FIRST_OF_SETUP
    after = SEQUENCE.index(BY_NUMBER[at]) + 1
    return SEQUENCE[after] if after < len(SEQUENCE) else None


def played(situation: Situation, paragraph: Paragraph) -> bool:
    """Whether this Refit Phase has come past a paragraph."""
    if situation.done is not None:
        last = SEQUENCE.index(BY_NUMBER[situation.done])
    else:
        before_setup = situation.phase is Phase.PURCHASE
        last = SEQUENCE.index(FIRST_OF_SETUP) - 1 if before_setup else -1
    return SEQUENCE.index(paragraph) <= last
