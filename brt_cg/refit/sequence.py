"""The Refit Phase from its first paragraph to its last: the whole procedure at a glance.

A paragraph's module is loaded at first use, since reading the status of a campaign needs one of
them, not all.
"""

from functools import cache
from importlib import import_module

from brt_cg.card import Card
from brt_cg.model import Campaign, Phase, Situation
from brt_cg.questions import RefusedError
from brt_cg.refit.play import Paragraph
from brt_cg.text import unknown_name_error

# Each paragraph by its number: its title, its module, and its name there.
STEPS = {
    "15.601": ("Conclusion of Melee", "s601_melee", "fight_out_melees"),
    "15.602": ("Marker removal", "s602_markers", "place_hidden_and_remove_markers"),
    "15.6031": ("Rally and unloading", "s603_rally_and_victory", "rally_and_unload"),
    "15.6032": ("Victory and CVP", "s603_rally_and_victory", "settle_control_cvp_and_winner"),
    "15.6041": ("Encirclement", "s604_encirclement", "check_encircled_units"),
    "15.6042": ("Bog", "s604_encirclement", "attempt_bog_removal"),
    "15.6043": ("Shock", "s604_encirclement", "roll_for_shocked_vehicles"),
    "15.605": ("Wading survival", "s605_wading", "roll_for_wading_survival"),
    "15.606": ("Encirclement marker removal", "s606_encirclement_removal", "remove_encirclement"),
    "15.607": ("Marine Perimeters", "s607_perimeters", "enter_perimeters"),
    "15.6071": ("Setup Areas", "s607_perimeters", "divide_into_setup_areas"),
    "15.6072": ("Isolated units", "s607_perimeters", "isolate_cut_off_units"),
    "15.6081": ("Retained units", "s608_retained", "retain_units_and_equipment"),
    "15.6082": ("Hidden Fortifications", "s608_retained", "reveal_fortifications_and_set_control"),
    "15.609": ("Prisoners", "s609_prisoners", "resolve_prisoners_and_unarmed_units"),
    "15.6101": ("Burning wrecks", "s610_fires", "burn_out_burning_wrecks"),
    "15.6102": ("Vehicles in a Blaze", "s610_fires", "burn_out_vehicles_in_blaze"),
    "15.6103": ("Wooden rubble and collapsed towers", "s610_fires", "remove_burning_wooden_rubble"),
    "15.6104": ("Stone rubble", "s610_fires", "extinguish_stone_rubble"),
    "15.6105": ("Buildings", "s610_fires", "rubble_burning_buildings"),
    "15.6111": ("Recombining", "s611_promotion", "recombine_half_squads"),
    "15.6112": ("Wounded leaders", "s611_promotion", "roll_for_wounded_leaders"),
    "15.6113": ("Heroes and MMC", "s611_promotion", "harden_mmc_by_heroes"),
    "15.6114": ("Leaders", "s611_promotion", "promote_leaders"),
    "15.6121": ("New CG Date", "s612_new_date", "begin_new_cg_date"),
    "15.6122": ("SAN adjustment", "s612_new_date", "adjust_san"),
    "15.6131": ("Vehicles", "s6131_vehicles", "remedy_or_recall_vehicles"),
    "15.6132": ("Weapon repair", "s613_equipment", "roll_for_weapon_repair"),
    "15.6133": ("FT and DC", "s613_equipment", "ask_replenished_ft_and_dc"),
    "15.6134": ("Captured equipment", "s613_equipment", "roll_for_captured_equipment"),
    "15.6135": (
        "Abandoning, scrounging and removal",
        "s613_equipment",
        "ask_abandoned_and_scrounged",
    ),
    "15.6136": ("Special ammo", "s613_equipment", "restore_special_ammo"),
    "15.6137": ("SW and Gun transfers", "s613_equipment", "ask_transfers"),
    "15.6138": ("Low Ammo removal", "s613_equipment", "remove_low_ammo"),
    "15.6139": ("Fortification and wreck removal", "s6139_removal", "attempt_removals"),
    "15.6141": ("Gun Purchase Points", "s614_purchases", "credit_gun_points"),
    "15.6142": ("Covered Arc Purchase Points", "s614_purchases", "credit_covered_arc_points"),
    "15.6143": (
        "Fortification Purchase Points",
        "s614_purchases",
        "credit_fortification_points_and_buy",
    ),
    "15.616": ("Banzai Night Attack decision", "s616_banzai", "ask_banzai_decision"),
    "15.6201": ("Isolated unit setup", "s620_setup", "set_up_isolated_units"),
    "15.6202": ("Setup of the rest", "s620_setup", "set_up_the_rest"),
    "15.6203": ("Banzai Night Attack determination", "s620_setup", "determine_banzai_night"),
    "15.6204": ("Commencement", "s620_setup", "commence_scenario"),
    "15.6205": ("Order and length", "s620_setup", "determine_first_move_and_length"),
}
NUMBERS = tuple(STEPS)
TITLES = {number: title for number, (title, _, _) in STEPS.items()}
AT = {number: at for at, number in enumerate(NUMBERS)}


PRISONERS = "15.609"  # the last paragraph of a campaign by R-CG-END `close`
VICTORY = "15.6032"
FIRST_OF_SETUP = "15.6201"
SETUP_ORDER = NUMBERS[AT[FIRST_OF_SETUP] :]
TUNNELS = "tunnels"  # the question among them about the free tunnels of pillboxes


@cache
def paragraph_of(number: str) -> Paragraph:
    """Return the paragraph with a number. Raises KeyError if there is none."""
    _, module, name = STEPS[number]
    paragraph: Paragraph = getattr(import_module(f"brt_cg.refit.{module}"), name)
    return paragraph


def phase_of(number: str) -> Phase:
    """Return the phase that a paragraph belongs to."""
    return Phase.REFIT if AT[number] < AT[FIRST_OF_SETUP] else Phase.SETUP


def next_paragraph_number(situation: Situation) -> str | None:
    """Return the number of the next paragraph: after the one in progress, or else the last one
    completed; None outside a Refit Phase, and after its last paragraph."""
    at = situation.paragraph or situation.done
    if situation.phase is Phase.PURCHASE:
        return FIRST_OF_SETUP
    if situation.phase not in (Phase.REFIT, Phase.SETUP):
        return None
    if at is None:
        return NUMBERS[0] if situation.phase is Phase.REFIT else FIRST_OF_SETUP
    after = NUMBERS[AT[at] + 1 :]
    return after[0] if after else None


def is_past_paragraph(situation: Situation, number: str) -> bool:
    """Whether this Refit Phase is past the paragraph with a number."""
    if situation.done is not None:
        last = AT[situation.done]
    else:
        before_setup = situation.phase is Phase.PURCHASE
        last = AT[FIRST_OF_SETUP] - 1 if before_setup else -1
    return AT[number] <= last


def has_played_prisoners_paragraph(situation: Situation) -> bool:
    """Whether 15.609 has been played, and the next scenario has not begun."""
    running = situation.phase in (Phase.REFIT, Phase.SETUP) and situation.ended is not None
    return running and is_past_paragraph(situation, PRISONERS)


def is_campaign_ending(situation: Situation, card: Card) -> bool:
    """Whether the campaign ends with the current CG Date, in the Refit Phase after its scenario
    (R-CG-END): it is the last one, or the campaign has been won."""
    return card.is_last_date(situation.date) or situation.victor is not None


def last_paragraph_number_of_campaign(campaign: Campaign) -> str:
    """Return the paragraph with which a campaign ends on its last date (R-CG-END)."""
    return VICTORY if campaign.ruling_value("R-CG-END") == "none" else PRISONERS


def last_paragraph_beginning_with(rule: str) -> Paragraph:
    """Return the last paragraph whose number begins with this text ("15.611" gives 15.6114). Raises
    RefusedError."""
    found = [number for number in NUMBERS if rule and number.startswith(rule)]
    if not found:
        raise RefusedError(
            unknown_name_error(NUMBERS, rule, f"{rule!r} is not a paragraph of the Refit Phase")
        )
    return paragraph_of(found[-1])
