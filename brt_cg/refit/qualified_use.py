"""The qualified users of a Gun or a vehicle: its modifier "only Non-Qualified Use possible"
(15.6131b, 15.6132)."""

from brt_cg.model import UnitKind, Vehicle, Weapon, WeaponKind
from brt_cg.questions import Option
from brt_cg.refit.losses import units_crewing
from brt_cg.refit.play import Play
from brt_cg.refit.selection import friendly_units_retained_with


async def ask_if_only_non_qualified_use(play: Play, piece: Weapon | Vehicle) -> bool:
    """Whether only Non-Qualified Use is possible: the counter is flagged as such, or no crew for it
    is Retained there or in it, and its side confirms that."""
    if piece.non_qualified_use_only:
        return True
    why = _who_is_lacking(play, piece)
    if why is None:
        return False
    return await play.ask_choice(
        piece,
        f": {why}, so only Non-Qualified Use is possible (+1); is that so?",
        Option(True, "yes: +1", True),
        Option(False, "no: a unit there is qualified", False),
        subject=f"use:{piece.id}",
        about="Non-Qualified Use",
        default=True,
        optional=True,
    )


def _who_is_lacking(play: Play, piece: Weapon | Vehicle) -> str | None:
    """Return the reason why nobody there is qualified; None if somebody is. Anybody is qualified to
    use a SW."""
    campaign = play.campaign
    vehicle = campaign.vehicles.get(piece.vehicle or "") if isinstance(piece, Weapon) else piece
    if vehicle is not None:
        crews = units_crewing(campaign, vehicle)
        if vehicle.manned and crews and crews[-1].kind is not UnitKind.VEHICLE_CREW:
            return f"its crew is a {crews[-1].type} {crews[-1].kind.label}, not a vehicle crew"
        return None
    if not isinstance(piece, Weapon) or piece.kind is not WeaponKind.GUN:
        return None
    there = friendly_units_retained_with(campaign, piece)
    if any(unit.kind is UnitKind.CREW and unit.armed for unit in there):
        return None
    return "no crew is Retained there"
