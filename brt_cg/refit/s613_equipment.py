"""15.6132-15.6138: Weapons, ammo and possession."""

from collections.abc import Iterable
from functools import partial

from brt_cg.model import SIDES, Fate, Side, Unit, Vehicle, Weapon, WeaponKind
from brt_cg.questions import (
    NOTHING,
    AnswerForm,
    Candidate,
    Option,
    QuestionItem,
    Raw,
    raise_problems,
)
from brt_cg.refit.entered_outcomes import UsualOutcome, ask_and_apply_outcomes
from brt_cg.refit.losses import OF_A_CREW, burn_out_vehicle, disembark_crew, remove_from_play
from brt_cg.refit.moves import is_in_friendly_area
from brt_cg.refit.play import Play, TableResults, paragraph
from brt_cg.refit.printed_figures import Asked, ask_printed_figure_if_unknown
from brt_cg.refit.qualified_use import ask_if_only_non_qualified_use
from brt_cg.refit.s608_retained import clear_recorded_location_if_mobile, place_retained_vehicle
from brt_cg.refit.selection import friendly_units_retained_with, pieces_with_any_of_statuses
from brt_cg.text import short_json

BROKEN = {"malfunctioned", "disabled"}


class WeaponRepairResults(TableResults, tables=("15.6132",)):
    """The results for a malfunctioned Weapon."""

    REPAIRED = "repaired"
    ELIMINATED = "eliminated"


class CapturedWeaponResults(TableResults, tables=("15.6134",)):
    """The results for a captured Weapon."""

    KEPT = "kept"
    ELIMINATED = "eliminated"


class DepletedAmmoResults(TableResults, tables=("15.6136",)):
    """The results for Depleted ammo."""

    RESTORED = "restored"
    DEPLETED = "depleted"


@paragraph(
    "15.6132",
    nothing="no malfunctioned Weapon is in a Setup Area with Personnel to repair it",
    rolls=[WeaponRepairResults],
    subjects=("use:COUNTER",),
)
async def roll_for_weapon_repair(play: Play) -> None:
    """Each malfunctioned, non-captured Retained Weapon in a friendly area that holds Personnel, or
    on a vehicle with an Inherent crew, rolls: it is repaired, or else eliminated (disabled, if
    it is vehicular)."""
    in_vain: Asked = set()
    for weapon in play.campaign.sort_counters_in_play(
        pieces_with_any_of_statuses(play.campaign, "malfunctioned")
    ):
        broken = weapon.has_status("disabled") or weapon.captured
        if broken or not _has_somebody_to_repair_it(play, weapon):
            continue
        facts = {
            "repair_number": await ask_printed_figure_if_unknown(
                play, weapon, "repair_number", in_vain
            ),
            "vehicular": int(_vehicular(weapon)),
            "us": int(weapon.nation is Side.MARINE),
            "non_qualified": int(await ask_if_only_non_qualified_use(play, weapon)),
            "isolated": int(weapon.isolated),
        }
        outcome = await play.roll(WeaponRepairResults, weapon, facts)
        if outcome.result == WeaponRepairResults.REPAIRED:
            weapon.remove_status("malfunctioned")
        else:
            _lose(play, weapon)


def _has_somebody_to_repair_it(play: Play, weapon: Weapon) -> bool:
    if not _vehicular(weapon):
        return bool(friendly_units_retained_with(play.campaign, weapon))
    vehicle = play.campaign.vehicles.get(weapon.vehicle or "")
    return vehicle is not None and vehicle.manned and is_in_friendly_area(play.campaign, vehicle)


def _vehicular(weapon: Weapon) -> bool:
    return weapon.kind is WeaponKind.VEHICULAR


def _lose(play: Play, weapon: Weapon, why: str = "") -> None:
    """Eliminate a Weapon, or disable a vehicular one; neither scores CVP (R-CVP-REFIT)."""
    if _vehicular(weapon):
        weapon.remove_status("malfunctioned")
        weapon.add_status("disabled")
        play.log_event(weapon, f"{why}is disabled")
    else:
        play.log_event(weapon, f"{why}is eliminated")
        remove_from_play(play.campaign, weapon)


@paragraph("15.6133", nothing="no FT or DC is replenished")
async def ask_replenished_ft_and_dc(play: Play) -> None:
    """The players enter which FT and DC are replenished (R-FT-DC)."""
    await ask_and_apply_outcomes(
        play, "FT and DC are replenished", "R-FT-DC", partial(_replenished, play)
    )


def _replenished(play: Play, side: Side) -> Iterable[UsualOutcome]:
    """Return FT and DC that could work again, or return to a unit of their side."""
    for weapon in sorted(play.campaign.weapons.values(), key=play.campaign.asking_order_key):
        if weapon.side is not side or not weapon.type.startswith(("FT", "DC")):
            continue
        if weapon.retained and weapon.has_status("malfunctioned"):
            yield UsualOutcome(weapon, "replenished", {"status": sorted({*weapon.status} - BROKEN)})
        elif weapon.fate is Fate.ELIMINATED and weapon.became is None:
            for unit in _retained_units(play, side):
                values: dict[str, Raw] = {"fate": "in_play", "status": [], "possessor": unit.id}
                yield UsualOutcome(weapon, f"replenished, for {unit.label}", values)


def _retained_units(play: Play, side: Side) -> list[Unit]:
    units = (unit for unit in play.campaign.units.values() if unit.side is side and unit.retained)
    return play.campaign.sort_counters_in_play(u for u in units if u.armed)


@paragraph(
    "15.6134",
    nothing="no captured equipment is in its captor's Setup Areas",
    rolls=[CapturedWeaponResults],
)
async def roll_for_captured_equipment(play: Play) -> None:
    """Each captured Retained Weapon in an area of its captor that holds Personnel rolls to be
    kept; one that is malfunctioned already is lost without a dr, with or without Personnel there.
    Lost means eliminated, or disabled if it is vehicular. A captured vehicle with no functioning
    Weapon becomes a Burnt-Out Wreck, which its crew leaves; one with any may be kept. If its
    Weapons were never entered, its captor decides."""
    captured = (weapon for weapon in play.campaign.weapons.values() if weapon.captured)
    for weapon in play.campaign.sort_counters_in_play(
        weapon for weapon in captured if weapon.retained
    ):
        if not weapon.has_status("disabled"):
            await _keep_or_lose(play, weapon)
    for vehicle in play.campaign.sort_counters_in_play(play.campaign.vehicles.values()):
        kept = (
            vehicle.captured and not vehicle.wreck and is_in_friendly_area(play.campaign, vehicle)
        )
        if kept:
            await _keep_or_wreck(play, vehicle)


async def _keep_or_lose(play: Play, weapon: Weapon) -> None:
    if weapon.has_status("malfunctioned"):
        _lose(play, weapon, "was already malfunctioned and ")
    elif friendly_units_retained_with(play.campaign, weapon):
        outcome = await play.roll(CapturedWeaponResults, weapon)
        if outcome.result == CapturedWeaponResults.ELIMINATED:
            _lose(play, weapon)


async def _keep_or_wreck(play: Play, vehicle: Vehicle) -> None:
    weapons = list(play.campaign.weapons.records_with("vehicle", vehicle.id))
    works = not weapons or any(weapon.functioning for weapon in weapons)
    unless = "" if weapons else " (only if one of its Weapons functions: none is entered)"
    if works and not await play.ask_choice(
        vehicle,
        f" is captured: keep it{unless}, or turn it into a Burnt-Out Wreck?",
        Option("keep", "keep it", False),
        Option("wreck", "a Burnt-Out Wreck", True),
        default="keep",
    ):
        clear_recorded_location_if_mobile(vehicle)
        return
    because = "" if works else "has no functioning Weapon and "
    play.log_event(vehicle, f"{because}becomes a Burnt-Out Wreck")
    if vehicle.manned:
        disembark_crew(play, vehicle)
    await burn_out_vehicle(play, vehicle)
    place_retained_vehicle(play, vehicle)


@paragraph(
    "15.6135",
    nothing="nothing is abandoned, scrounged or removed",
)
async def ask_abandoned_and_scrounged(play: Play) -> None:
    """The players enter which equipment is abandoned, scrounged or removed (R-SCROUNGE)."""
    what, usual = (
        "equipment is abandoned, scrounged or removed",
        partial(_abandoned_or_removed, play),
    )
    await ask_and_apply_outcomes(play, what, "R-SCROUNGE", usual)


def _abandoned_or_removed(play: Play, side: Side) -> Iterable[UsualOutcome]:
    """Return SW and Guns that could be left by their possessor or removed, and immobile vehicles
    that their crew could leave."""
    for weapon in _retained_sw_and_guns(play, side):
        if weapon.possessor is not None:
            yield UsualOutcome(weapon, "abandoned", {"possessor": None})
        yield UsualOutcome(weapon, "removed", {"fate": "eliminated"})
    own = (vehicle for vehicle in play.campaign.vehicles.values() if vehicle.side is side)
    for vehicle in play.campaign.sort_counters_in_play(own):
        if vehicle.in_play and vehicle.manned and vehicle.immobile:
            status = sorted({*vehicle.status, "abandoned"} - {*OF_A_CREW})
            yield UsualOutcome(vehicle, "abandoned", {"status": status, "inherent_crew": False})


@paragraph(
    "15.6136",
    nothing="no Weapon in its own side's Setup Areas has Depleted ammo",
    rolls=[DepletedAmmoResults],
    subjects=("COUNTER/…",),
)
async def restore_special_ammo(play: Play) -> None:
    """Each non-captured, non-Isolated Marine Weapon in a Setup Area of its side has all Depleted
    ammo restored; a Japanese one rolls for each Depleted type."""
    weapons = play.campaign.weapons.values()
    for weapon in play.campaign.sort_counters_in_play(
        weapon for weapon in weapons if weapon.depleted
    ):
        at_home = is_in_friendly_area(play.campaign, weapon) and not weapon.isolated
        if weapon.captured or not at_home:
            continue
        if weapon.nation is Side.MARINE:
            play.log_event(weapon, f"gets its Depleted {' and '.join(weapon.depleted)} ammo back")
            weapon.depleted = ()
            continue
        for ammo in weapon.depleted:
            subject = f"{weapon.id}/{ammo}"
            outcome = await play.roll(
                DepletedAmmoResults, weapon, subject=subject, what=f"Depleted {ammo}"
            )
            if outcome.result == DepletedAmmoResults.RESTORED:
                weapon.depleted = tuple(used for used in weapon.depleted if used != ammo)


Transfer = tuple[Weapon, Unit | None]  # a SW or Gun, and its new possessor (None: nobody)


@paragraph("15.6137", nothing="no SW or Gun is transferred")
async def ask_transfers(play: Play) -> None:
    """SW and Guns may be transferred among the units Retained in one Setup Area (R-TRANSFER)."""
    for side in SIDES:
        for weapon, unit in await _transfers_of(play, side):
            weapon.possessor = unit.id if unit else None
            words = f"is now possessed by {_unit_called(play, weapon.possessor)}"
            play.log_event(weapon, words, *([unit] if unit else []), ruling="R-TRANSFER")


async def _transfers_of(play: Play, side: Side) -> list[Transfer]:
    weapons = {weapon.id: weapon for weapon in _retained_sw_and_guns(play, side)}
    return await play.ask_about_counters_together(
        side,
        "SW and Guns: which ones are transferred (R-TRANSFER)?",
        weapons,
        lambda weapon: _transfer_item(play, weapon),
        lambda raw: _read_transfers(play, weapons, raw),
        "{weapon id: unit id, …}, null for nobody; {} for none",
        "no transfers",
    )


def _transfer_item(play: Play, weapon: Weapon) -> QuestionItem:
    """Return a Weapon with its current possessor, and those who may take it."""

    def takers() -> list[Candidate]:
        nobody = Candidate(None, "nobody", "-")
        able = _able_to_take(play, weapon)
        named = [Candidate(unit.id, unit.label, unit.id) for unit in able]
        return [*named, nobody]

    form = AnswerForm(
        hint="the unit that takes it, or - for nobody",
        typed=lambda text: None if text.lower() in NOTHING else text,
        worded=partial(_unit_called, play),
        candidates=takers,
        counters=lambda: play.named_counters(_able_to_take(play, weapon)),
    )
    return play.question_item(weapon, f", {_unit_called(play, weapon.possessor)} has it", form)


def _unit_called(play: Play, id: str | None) -> str:
    unit = play.campaign.units.get(id or "")
    return unit.label if unit is not None else "nobody"


def _able_to_take(play: Play, weapon: Weapon) -> list[Unit]:
    """Return the armed units Retained in the same area (R-TRANSFER); a lone SMC cannot man a
    Gun."""
    gun = weapon.kind is WeaponKind.GUN
    able = (
        unit
        for unit in friendly_units_retained_with(play.campaign, weapon)
        if not unit.has_status("unarmed")
    )
    return [unit for unit in able if unit.mmc or not gun]


def _retained_sw_and_guns(play: Play, side: Side) -> list[Weapon]:
    return play.campaign.sort_counters_in_play(
        weapon
        for weapon in play.campaign.weapons.values()
        if weapon.side is side
        and weapon.vehicle is None
        and weapon.retained
        and friendly_units_retained_with(play.campaign, weapon)
    )


def _read_transfers(play: Play, weapons: dict[str, Weapon], raw: dict[str, Raw]) -> list[Transfer]:
    problems: list[str] = []
    found: list[Transfer] = []
    for key, taker in raw.items():
        able = {unit.id: unit for unit in _able_to_take(play, weapons[key])}
        if taker is None:
            found.append((weapons[key], None))
        elif isinstance(taker, str) and taker in able:
            found.append((weapons[key], able[taker]))
        else:
            takers = play.names_or_ids_text(able.values())
            allowed = f"{takers}, or none to leave it" if takers else "none: nobody may take it"
            problems.append(
                f"{key}: {short_json(taker)} may not take it (R-TRANSFER); enter {allowed}"
            )
    raise_problems(problems)
    return found


@paragraph("15.6138", nothing="no unit that is not Isolated has Low Ammo")
async def remove_low_ammo(play: Play) -> None:
    """Low Ammo is removed from each unit and vehicle that is not Isolated."""
    low = pieces_with_any_of_statuses(play.campaign, "low_ammo")
    for piece in play.campaign.sort_counters_in_play(piece for piece in low if not piece.isolated):
        piece.remove_status("low_ammo")
        play.log_event(piece, "no longer has Low Ammo")
