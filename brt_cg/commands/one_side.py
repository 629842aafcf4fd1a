"""What an import of one side's half must not give away, nor spoil, of what the enemy hides."""

from collections.abc import Set

from brt_cg.campaign import Campaign
from brt_cg.commands.problems import Findings
from brt_cg.commands.state_document import Item
from brt_cg.counters import Counter, Unit, Vehicle, Weapon
from brt_cg.fields import marked
from brt_cg.refit.s609_prisoners import join_guard
from brt_cg.shapes import Mark


def check_free(campaign: Campaign, view: Campaign, item: Item, findings: Findings) -> None:
    """Notes an id that is the enemy's secret. A Weapon or vehicle may have been captured; what else
    he hides stays what it is."""
    id = item.counter.id
    known = campaign.find(id) if view.find(id) is None else None
    if known is None:
        return
    captured = isinstance(known, Weapon | Vehicle) and type(known) is type(item.counter)
    if not captured or not known.in_play:
        findings.add(f"{item.path}.id", f"{id} may not be used; allowed: another id")


def is_held(campaign: Campaign, view: Campaign, new: Counter) -> bool:
    """Whether a counter is a prisoner whose guard, and so his Location, is the enemy's secret, and
    the document says no more of him than his side sees."""
    known, seen = campaign.units.get(new.id), view.units.get(new.id)
    if known is None or seen is None or not isinstance(new, Unit):
        return False
    unsaid = new.prisoner and new.in_play and new.location is None and new.guard is None
    return unsaid and known.guard is not None and seen.guard is None


def leave_with_his_guard(campaign: Campaign, prisoner: Counter) -> None:
    """Gives a prisoner back what the campaign knew and his side did not see."""
    known = campaign.units[prisoner.id]
    for name in ("guard", *marked(Unit, Mark.WHERE)):
        setattr(prisoner, name, getattr(known, name))


def go_with_their_guards(campaign: Campaign, taken: Set[str]) -> None:
    """A prisoner whose guard was imported (ids) is where that guard is now, unless the document
    says himself where he is."""
    for prisoner in campaign.units.values():
        guard = campaign.units.get(prisoner.guard or "") if prisoner.in_play else None
        if guard is not None and guard.id in taken and prisoner.id not in taken:
            join_guard(prisoner, guard)
