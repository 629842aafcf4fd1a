"""Prisoners that one side's half of a scenario's end reports, since they are the enemy's units."""

from collections.abc import Iterable, Iterator, Mapping, Set

from brt_cg.commands.problems import InputProblems
from brt_cg.commands.state_document import StateItem
from brt_cg.immutable import immutable
from brt_cg.model import Campaign, Counter, Fate, Side, Unit
from brt_cg.refit.losses import capture
from brt_cg.refit.s609_prisoners import join_guard


@immutable
class Captive:
    """An enemy unit that a side's half says one of its units captured, by their ids; `was_lost`:
    the enemy's half lists it as eliminated."""

    id: str
    guard: str
    was_lost: bool


def reported_captives(
    view: Campaign, side: Side | None, items: Mapping[str, StateItem], lost: Set[str | None]
) -> Iterator[Captive]:
    """The enemy's units that a side's document newly has as prisoners of its own units, as far as
    the side knows them; those that are out of play only if they were `lost` in this scenario."""
    for id, item in items.items():
        unit, known = item.counter, view.units.get(id)
        if side is None or not isinstance(unit, Unit) or unit.side is side or known is None:
            continue
        if not (unit.in_play and unit.prisoner and unit.guard) or known.side is side:
            continue
        if known.prisoner or not (known.in_play or id in lost):
            continue
        yield Captive(id, unit.guard, not known.in_play)


def note_unknown_guards(
    found: Iterable[Captive],
    items: Mapping[str, StateItem],
    view: Campaign,
    findings: InputProblems,
) -> None:
    """Notes captives whose guard is not one of their captors' free units in play."""
    for captive in found:
        item = items.get(captive.guard)
        guard: Counter | None = item.counter if item is not None else view.find(captive.guard)
        free = isinstance(guard, Unit) and guard.in_play and not guard.prisoner
        if not free or guard is None or guard.side is items[captive.id].counter.side:
            allowed = "a free unit in play of the other side"
            findings.add_bad_value(f"{items[captive.id].path}.guard", captive.guard, allowed)


def apply_captives(after: Campaign, found: Iterable[Captive]) -> None:
    """Makes the captives prisoners; all else about them stays as the campaign has it."""
    for captive in found:
        prisoner, guard = after.units[captive.id], after.units[captive.guard]
        prisoner.fate, prisoner.became = Fate.IN_PLAY, None
        capture(after, prisoner, guard)
        join_guard(prisoner, guard)


def remove_captured_guards(campaign: Campaign) -> None:
    """Leaves the prisoners of those who are prisoners now where they are, without a guard."""
    for unit in campaign.units.values():
        guard = campaign.units.get(unit.guard or "")
        if unit.in_play and guard is not None and guard.prisoner:
            unit.guard = None


def captive_text(after: Campaign, captive: Captive) -> str:
    """What the players must agree on about a captive, since only one side says so."""
    prisoner, guard = after.units[captive.id], after.units[captive.guard]
    enemy = prisoner.side.label
    says = (
        f"the {enemy} report lists it as eliminated"
        if captive.was_lost
        else "only this report says so"
    )
    return f"captured by {guard.label}: {prisoner.label}; {says}"
