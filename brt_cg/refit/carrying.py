"""15.605: the PP that wading Infantry carries above its IPC."""

from brt_cg.model.counters import Unit, Weapon, WeaponKind
from brt_cg.model.fields import fields_of
from brt_cg.questions.asks import Figure, ReadOff, of_shape
from brt_cg.refit.play import Play
from brt_cg.refit.read_off import for_its_type


async def excess_pp(
    play: Play, location: str, mmc: list[Unit], leaders: list[Unit]
) -> dict[str, int]:
    """The PP that each MMC carries above its IPC. One leader may add the rest of his own IPC to
    that of one MMC."""
    excess = {
        unit.id: max(0, await _carried(play, unit) - play.card.ladders.ipc(unit)) for unit in mmc
    }
    burdened = [unit for unit in mmc if excess[unit.id]]
    if not burdened:
        return excess
    spare = [
        max(0, play.card.ladders.ipc(leader) - await _carried(play, leader)) for leader in leaders
    ]
    more = max(spare, default=0)
    if not more:
        return excess
    helped: Unit | None = burdened[0]
    if len(burdened) > 1:
        prompt = f"{location}: which MMC does the leader help to carry {more} PP?"
        helped = await play.one_of(burdened, f"ipc:{location}", prompt, "none", about="ipc")
    if helped is not None:
        excess[helped.id] = max(0, excess[helped.id] - more)
        play.tell(helped, f"a leader helps it carry {more} PP")
    return excess


async def _carried(play: Play, unit: Unit) -> int:
    """The PP of the SW and Guns that a unit possesses."""
    total = 0
    for weapon in play.campaign.possessed_by(unit):
        gun = weapon.kind is WeaponKind.GUN
        if not gun and weapon.pp is None:
            weapon.pp = await _enter_pp(play, unit, weapon)
        total += play.card.ladders.figures.portage.gun if gun else weapon.pp or 0
    return total


async def _enter_pp(play: Play, unit: Unit, weapon: Weapon) -> int:
    points: int = await play.ask(
        ReadOff(
            subject=weapon.id,
            side=weapon.side,
            prompt=f"{play.who(weapon)}, possessed by {unit.label}: its PP?",
            counter=weapon.id,
            reader=of_shape(fields_of(Weapon)["pp"].shape),
            hint="a whole number of PP, 0 to 99",
            default=0,
            figure=Figure(weapon.TABLE, weapon.nation, weapon.type, "pp"),
        )
    )
    if points:
        for_its_type(play, weapon, "pp", points)
    warning = "" if points else "warning: "
    play.tell(weapon, f"{warning}counts as {points} PP")
    return points
