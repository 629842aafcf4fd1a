"""The Portage Points that a unit carries."""

from brt_cg.answers import Raw, Refused
from brt_cg.asks import Enter
from brt_cg.counters import Unit, Weapon, WeaponKind
from brt_cg.refit.play import Play


async def carried(play: Play, unit: Unit) -> int:
    """The PP of the SW and Guns that a unit possesses."""
    total = 0
    for weapon in play.campaign.possessed_by(unit):
        gun = weapon.kind is WeaponKind.GUN
        if not gun and weapon.pp is None:
            weapon.pp = await _enter_pp(play, unit, weapon)
        total += play.card.ladders.gun_pp if gun else weapon.pp or 0
    return total


async def _enter_pp(play: Play, unit: Unit, weapon: Weapon) -> int:
    points = await play.ask(
        Enter(
            subject=weapon.id,
            side=weapon.side,
            prompt=f"{play.who(weapon)}, possessed by {play.campaign.label(unit)}: its PP",
            counter=weapon.id,
            reader=_read_pp,
            hint="a whole number of PP, 0 or more",
            default=0,
        )
    )
    warning = "" if points else "warning: "
    play.tell(weapon, f"{warning}counted as {points} PP")
    return points


def _read_pp(raw: Raw) -> int:
    if type(raw) is not int or raw < 0:
        raise Refused(f"found {raw!r}; allowed: a whole number of PP, 0 or more")
    return raw
