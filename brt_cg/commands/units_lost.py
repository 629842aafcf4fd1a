"""Consequences of a command: prisoners and Isolated Locations of units that it removes."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from brt_cg.commands import Command
from brt_cg.model import Campaign, Unit, Vehicle
from brt_cg.questions import RefusedError
from brt_cg.refit.play import Play
from brt_cg.refit.s608_retained import makes_location_isolated, take_over_location_if_deserted
from brt_cg.refit.s609_prisoners import move_prisoner_to_guard, reassign_or_free_prisoners
from brt_cg.refit.sequence import has_played_prisoners_paragraph
from brt_cg.refit.trial import run_with_defaults


@contextmanager
def settling_lost_units(command: Command) -> Iterator[None]:
    """Settle and log, after a `with` block, the fate of the prisoners and the Isolated equipment of
    units lost in it (15.609); do nothing until prisoners are settled."""
    campaign = command.campaign
    if not has_played_prisoners_paragraph(campaign.situation):
        yield
        return
    copied = {kind.TABLE: campaign.tables[kind.TABLE].snapshot() for kind in (Unit, Vehicle)}
    before = Campaign(Campaign().tables | copied)
    yield
    play = Play("15.609", campaign, command.card)
    settle_prisoners_and_isolated_equipment(play, before)
    command.said += play.said


# --- cleaning up afterwards -----------------------------------------------------------------------


def settle_prisoners_and_isolated_equipment(play: Play, before: Campaign) -> None:
    """Hand over or free the prisoners of guards lost since `before`, and end Isolated Locations
    whose last unit was lost; between 15.609 and the next scenario there must be neither. Nobody is
    asked: among several guards, or equally near areas, the one with the lowest id is used. Raises
    RefusedError for a unit that has just become a prisoner without a guard."""
    run_with_defaults(partial(_settle, play, before))


async def _settle(play: Play, before: Campaign) -> None:
    for was in before.sort_counters_in_play(before.units.values()):
        held = [play.campaign.units[prisoner.id] for prisoner in before.prisoners_of(was)]
        left = [
            prisoner for prisoner in held if prisoner.prisoner and not _is_guarded(play, prisoner)
        ]
        await reassign_or_free_prisoners(play, was, left)
    for unit in play.campaign.sort_counters_in_play(play.campaign.units.values()):
        known = before.units.get(unit.id)
        if unit.prisoner and unit.guard is None and (known is None or not known.prisoner):
            raise RefusedError(f"{unit.id}: no guard; enter an enemy unit as its guard (15.609)")
        if (known is None or known.guard != unit.guard) and _is_guarded(play, unit):
            move_prisoner_to_guard(unit, play.campaign.units[unit.guard])
    for piece in before.sort_counters_in_play([*before.units.values(), *before.vehicles.values()]):
        if (
            piece.isolated
            and makes_location_isolated(piece)
            and _is_lost(play.campaign.find(piece.id))
        ):
            take_over_location_if_deserted(play, piece.location)


def _is_guarded(play: Play, prisoner: Unit) -> bool:
    guard = play.campaign.units.get(prisoner.guard or "")
    return guard is not None and not _is_lost(guard)


def _is_lost(piece: object) -> bool:
    """Whether a piece can neither guard nor isolate: it is out of play, captured, or an empty
    vehicle."""
    if isinstance(piece, Vehicle):
        return not piece.in_play or not piece.manned
    return not (isinstance(piece, Unit) and piece.in_play and piece.armed)
