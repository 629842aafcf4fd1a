"""The Rearming of units that were prisoners or unarmed (15.6041, 15.609; R-REARM)."""

from brt_cg.model import Side, Unit, UnitKind, UnitStrength
from brt_cg.questions import EntryQuestion, Raw, RefusedError
from brt_cg.refit.casualties import (
    CAPTURE,
    cvp_change_text,
    cvp_known_to_both,
    subtract_capture_points,
)
from brt_cg.refit.manual_outcomes import FieldSetting, apply_setting, read_setting
from brt_cg.refit.play import Play
from brt_cg.refit.trial import read_after_trial


async def rearm_unit(play: Play, unit: Unit) -> list[Unit]:
    """Rearm a unit: a Japanese squad or HS becomes a Full-Strength Conscript one, a Marine HS a
    2-4-8, a Marine squad two of them; a crew or SMC stays the same, but with R-REARM `conscript` a
    Japanese crew becomes a Conscript HS. With `enter` the players enter the result; null means the
    result above. Return the armed units, by id."""
    entered = await _entered(play, unit) if play.ruling_value("R-REARM") == "enter" else None
    before, label = play.name_with_place(unit), unit.label
    freed = subtract_capture_points(play.campaign, unit, play.rule) if unit.prisoner else None
    _freed(unit)
    if freed is not None:
        total = cvp_known_to_both(play.campaign, freed.side)
        why = f" for the release of {label}"
        play.log(cvp_change_text(freed.side, freed.points, total, why), unit, ruling=CAPTURE)
    if entered is not None:
        play.log(f"{before} is Rearmed", unit, ruling="R-REARM")
        apply_setting(play, entered)
        return [unit]
    second = _become(play, unit)
    armed = [unit] if second is None else [unit, second]
    as_usual = "; no other values were entered" if play.ruling_value("R-REARM") == "enter" else ""
    becomes = "" if unit.label == label else f" and is now {unit.label}"
    also = "" if second is None else f", with a second {second.type} HS"
    play.log(f"{before} is Rearmed{becomes}{also}{as_usual}", *armed, ruling="R-REARM")
    return armed


async def _entered(play: Play, unit: Unit) -> FieldSetting | None:
    def read(on: Play, raw: Raw) -> FieldSetting | None:
        return None if raw is None else read_setting(on, on.campaign.units[unit.id], raw, unit.side)

    async def put(trial: Play, setting: FieldSetting | None) -> None:
        freed = trial.campaign.units[unit.id]
        _freed(freed)
        if setting is not None:
            apply_setting(trial, setting)
        if not freed.armed:
            raise RefusedError(
                f"{unit.label}: a Rearmed unit cannot still be a prisoner or unarmed"
            )

    return await play.ask(
        EntryQuestion(
            subject=f"rearm:{unit.id}",
            side=unit.side,
            prompt=(
                f"{play.name_with_place(unit)} is Rearmed: its new values, or null for "
                "those of G1.15"
            ),
            counter=unit.id,
            about="rearming",
            reader=lambda raw: read_after_trial(play, lambda on: read(on, raw), put),
            hint='an object of fields and values ({"type": "2-4-8"}), or null',
        )
    )


def _freed(unit: Unit) -> None:
    unit.remove_status("prisoner", "unarmed")
    unit.guard = None


def _become(play: Play, unit: Unit) -> Unit | None:
    """Turn a unit into its Rearmed form. Return the second HS of a Marine squad."""
    if unit.crew and unit.side is Side.JAPANESE and play.ruling_value("R-REARM") == "conscript":
        unit.kind = UnitKind.HALF_SQUAD
    armed = play.card.ladders.rearmed_units(unit)
    if unit.kind in (UnitKind.SQUAD, UnitKind.HALF_SQUAD):
        unit.strength = UnitStrength.FULL
        # Engineers are Elite, and 2-4-8 never pair up: neither result is an engineer.
        unit.traits = tuple(trait for trait in unit.traits if trait != "engineer")
    unit.kind, unit.class_, unit.type = armed.kind, armed.class_, armed.type
    if armed.count == 1:
        return None
    assert unit.side is Side.MARINE
    second = unit.clone()
    second.id, second.name = _second_id(play, unit), None
    play.campaign.add(second)
    return second


def _second_id(play: Play, unit: Unit) -> str:
    number = 2
    while play.campaign.find(f"{unit.id}.{number}") is not None:
        number += 1
    return f"{unit.id}.{number}"
