"""Prisoners in one side's scenario-end report, which are the enemy's units."""

from collections.abc import Iterable, Iterator, Mapping, Set

from brt_cg.commands.problems import InputProblems
from brt_cg.commands.state_document import StateItem
from brt_cg.immutable import immutable
from brt_cg.model import Campaign, Counter, Fate, Side, Unit
from brt_cg.refit.losses import make_prisoner
from brt_cg.refit.s609_prisoners import move_prisoner_to_guard


@immutable
class Captive:
    """An enemy unit that one of a side's units captured, according to that side's report: its id,
    and that of its guard. `was_lost` means that the enemy's report lists it as eliminated."""

    id: str
    guard: str
    was_lost: bool


def reported_captives(
    view: Campaign, side: Side | None, items: Mapping[str, StateItem], lost: Set[str | None]
) -> Iterator[Captive]:
    """Return the enemy's units that are new prisoners of a side's units in its document, if the
    side knows them; units out of play only if they were `lost` in this scenario."""
    for id, item in items.items():
        unit, known = item.counter, view.units.get(id)
        if side is None or not isinstance(unit, Unit) or unit.side is side or known is None:
            continue
        if not (unit.in_play and unit.prisoner and unit.guard) or known.side is side:
            continue
        if known.prisoner or not (known.in_play or id in lost):
            continue
        yield Captive(id, unit.guard, not known.in_play)


def note_impossible_guards(
    found: Iterable[Captive],
    items: Mapping[str, StateItem],
    view: Campaign,
    findings: InputProblems,
) -> None:
    """Note captives whose guard is not a free unit of their captors in play."""
    for captive in found:
        item = items.get(captive.guard)
        guard: Counter | None = item.counter if item is not None else view.find(captive.guard)
        free = isinstance(guard, Unit) and guard.in_play and not guard.prisoner
        if not free or guard is None or guard.side is items[captive.id].counter.side:
            allowed = "an enemy unit in play that is not a prisoner itself"
            findings.add_bad_value(f"{items[captive.id].path}.guard", captive.guard, allowed)


def make_captives_prisoners(after: Campaign, found: Iterable[Captive]) -> None:
    """Make the captives prisoners; everything else about them stays as the campaign has it."""
    for captive in found:
        prisoner, guard = after.units[captive.id], after.units[captive.guard]
        prisoner.fate, prisoner.became = Fate.IN_PLAY, None
        make_prisoner(after, prisoner, guard)
        move_prisoner_to_guard(prisoner, guard)


def unlink_prisoners_from_captured_guards(campaign: Campaign) -> None:
    """Leave in place, without a guard, the prisoners of units that are now prisoners themselves."""
    for unit in campaign.units.values():
        guard = campaign.units.get(unit.guard or "")
        if unit.in_play and guard is not None and guard.prisoner:
            unit.guard = None


def captive_agreement_text(after: Campaign, captive: Captive) -> str:
    """Return the sentence about a captive that only one side reports, so that the players must
    agree."""
    prisoner, guard = after.units[captive.id], after.units[captive.guard]
    enemy = prisoner.side.label
    says = (
        f"the {enemy} report lists it as eliminated"
        if captive.was_lost
        else "only this report says so"
    )
    return f"captured by {guard.label}: {prisoner.label}; {says}"
