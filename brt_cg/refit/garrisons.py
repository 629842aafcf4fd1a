"""The garrisons of the pillboxes at setup (15.6142).

None is larger than its pillbox holds, and in the Initial Scenario each pillbox is filled before any
Japanese unit sets up elsewhere.
"""

from collections.abc import Container, Iterator
from types import MappingProxyType

from brt_cg.board import OFF_MAP, locations
from brt_cg.card import Card
from brt_cg.immutable import immutable
from brt_cg.model import Campaign, Counter, Fortification, Side, Unit, WeaponKind
from brt_cg.purchases.breach import squad_equivalents_text
from brt_cg.purchases.placement import Chosen
from brt_cg.refit.play import Play
from brt_cg.refit.setup_places import bound_location
from brt_cg.text import first_few_text, halves_text

FEW = 3  # pillboxes to be filled first that the question names


@immutable
class Garrison:
    """A pillbox with one side's units in it after the chosen setup. `inside` is None while the
    pillbox has no Location; `held` and `room` are in squad-equivalents."""

    box: Fortification
    inside: str | None
    units: tuple[Unit, ...]
    held: float

    @property
    def capacity(self) -> int:
        return self.box.capacity or 1

    @property
    def free_room(self) -> float:
        return self.capacity - self.held


def over_capacity_problems(campaign: Campaign, card: Card, side: Side, chosen: Chosen) -> list[str]:
    """Return the reasons why units may not be in a pillbox that has no room for them (A5.1); a unit
    bound to the pillbox may stay."""
    if not any(":" in spot.location for spot in chosen.values()):
        return []
    problems = []
    for garrison in _garrisons(campaign, card, side, chosen):
        here = (unit for unit in garrison.units if unit.id in chosen)
        come = [unit.label for unit in here if _comes(campaign, unit, garrison.inside)]
        if come and garrison.free_room < 0 and garrison.box.capacity:
            problems.append(
                f"{first_few_text(come)}: {garrison.box.label} has room for "
                f"{squad_equivalents_text(garrison.capacity)}, and would then hold "
                f"{halves_text(garrison.held)} (15.6142)"
            )
    return problems


def _comes(campaign: Campaign, unit: Unit, inside: str | None) -> bool:
    """Whether a unit sets up in a pillbox without being bound to it or recorded in it."""
    if unit.isolated:
        return unit.recorded_location != inside
    return bound_location(campaign, unit) is None


def unfilled_pillbox_problems(
    campaign: Campaign, card: Card, side: Side, chosen: Chosen, but_not: Container[str] = ()
) -> list[str]:
    """Return the reasons why Japanese units may not be outside the pillboxes: one of these
    (`but_not` excludes some) is not full, and a unit, even one without a Location, could still fill
    it."""
    if not _must_be_filled(campaign, side):
        return []
    garrisons = list(_garrisons(campaign, card, side, chosen))
    outside = {unit.id: unit for unit in _outside(campaign, side, garrisons, chosen)}
    first = next((key for key in chosen if key in outside), None)
    if first is None:
        return []
    size, problems = card.ladders.size_in_squad_equivalents, []
    for garrison in garrisons:
        able = next((u for u in outside.values() if 0 < size(u) <= garrison.free_room), None)
        if able is not None and garrison.box.id not in but_not:
            nowhere = "has no Location and " if garrison.inside is None else ""
            problems.append(
                f"{outside[first].label}: {garrison.box.label} {nowhere}is not "
                f"filled ({halves_text(garrison.free_room)} of "
                f"{squad_equivalents_text(garrison.capacity)} free, "
                f"{able.label} would fit): no Japanese unit may set up elsewhere until "
                "it is (15.6142)"
            )
    return problems


def pillboxes_to_fill_text(
    campaign: Campaign, card: Card, side: Side, chosen: Chosen = MappingProxyType({})
) -> str:
    """Return, in words for the question, the pillboxes that after the chosen setup must still be
    filled before any Japanese unit sets up elsewhere; "" if there are none."""
    if not _must_be_filled(campaign, side):
        return ""
    garrisons = [found for found in _garrisons(campaign, card, side, chosen) if found.free_room > 0]
    named = [
        f"{campaign.name_with_place(found.box)} ({squad_equivalents_text(found.free_room)})"
        for found in garrisons
    ]
    if len(named) > FEW:
        room = squad_equivalents_text(sum(found.free_room for found in garrisons))
        named = [f"{len(named)} Fortifications ({room}), {named[0]} and others"]
    return f"; to be filled first (15.6142): {first_few_text(named)}" if named else ""


def _must_be_filled(campaign: Campaign, side: Side) -> bool:
    return side is Side.JAPANESE and campaign.situation.initial


def warn_of_unfilled_pillboxes(play: Play, side: Side) -> None:
    """Warn of a pillbox that is not full while Japanese units are elsewhere."""
    if not _must_be_filled(play.campaign, side):
        return
    garrisons = list(_garrisons(play.campaign, play.card, side, {}))
    if not any(unit.location for unit in _outside(play.campaign, side, garrisons, {})):
        return
    for garrison in sorted(garrisons, key=lambda found: play.campaign.asking_order_key(found.box)):
        if garrison.free_room > 0:
            whole = squad_equivalents_text(garrison.capacity)
            box = play.name_with_place(garrison.box)
            words = f"warning: {box} holds only {halves_text(garrison.held)} of {whole} (15.6142)"
            play.log(words, garrison.box, secret=side)


# --- the places of counters -----------------------------------------------------------------------


def _garrisons(campaign: Campaign, card: Card, side: Side, chosen: Chosen) -> Iterator[Garrison]:
    """Yield the pillboxes of a side, captured ones included."""
    by_place: dict[str | None, list[Unit]] = {}
    for unit in campaign.free_units_in_play_of(side):
        by_place.setdefault(_place(unit, chosen), []).append(unit)
    for box in campaign.fortifications.values():
        if not (box.in_play and box.is_pillbox) or box.off_map:
            continue
        if (box.controller or box.side) is side:
            at = _place(box, chosen)
            inside = None if at is None else locations.location_inside_fortification(at, box.id)
            units = () if inside is None else tuple(by_place.get(inside, ()))
            sizes = (_size(campaign, card, unit, inside, chosen) for unit in units)
            yield Garrison(box, inside, units, sum(sizes, 0.0))


def _outside(
    campaign: Campaign, side: Side, garrisons: list[Garrison], chosen: Chosen
) -> Iterator[Unit]:
    """Yield the units of a side that are on map (or will be set up there) but not in a pillbox."""
    homes = {OFF_MAP, *(garrison.inside for garrison in garrisons if garrison.inside is not None)}
    return (
        unit for unit in campaign.free_units_in_play_of(side) if _place(unit, chosen) not in homes
    )


def _place(counter: Counter, chosen: Chosen) -> str | None:
    return chosen[counter.id].location if counter.id in chosen else counter.location


def _size(campaign: Campaign, card: Card, unit: Unit, here: str | None, chosen: Chosen) -> float:
    """Return the size of a unit in a pillbox, in squad-equivalents: a crew that mans a Gun counts
    as a squad (G1.631)."""
    guns = (gun for gun in campaign.weapons_possessed_by(unit) if gun.kind is WeaponKind.GUN)
    if unit.crew and any(_place(gun, chosen) == here for gun in guns):
        return 1
    return card.ladders.size_in_squad_equivalents(unit)
