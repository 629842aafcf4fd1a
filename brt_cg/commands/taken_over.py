"""What an imported counter keeps from the campaign's; and the enemy's secrets that an import of one
side's half must neither reveal nor change."""

from collections.abc import Set

from brt_cg.board.locations import is_within
from brt_cg.commands.problems import Findings
from brt_cg.commands.state_document import StateItem
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Fortification, Piece, Unit, Vehicle, Weapon
from brt_cg.model.fields import marked
from brt_cg.model.shapes import Mark
from brt_cg.refit.s609_prisoners import join_guard


def take_over(item: StateItem, known: Counter | None, running: bool) -> None:
    """Copies to a counter of the document what only the campaign knows of it, or knows better while
    it is running."""
    new = item.counter
    if known is not None:
        for name, field in marked(type(new), Mark.KEPT).items():
            if name not in item.given:
                setattr(new, field.attribute, getattr(known, field.attribute))
    if known is not None and (running or "unseen" not in item.given):
        new.unseen = known.unseen
    elif running:
        new.unseen = False
    if running:
        _keep_own(new, known)
    if new.unseen and (running or "unseen" not in item.given):
        # The enemy has seen it on map in the scenario just played.
        new.unseen = not _was_seen(new)


def _was_seen(counter: Counter) -> bool:
    """Whether the enemy has seen a counter on map: it is known where it stood, and it is not
    hidden."""
    where = counter.location
    return not (where is None or counter.off_map or is_within(where) or counter.hidden)


def _keep_own(new: Counter, known: Counter | None) -> None:
    if isinstance(new, Fortification):
        before = known if isinstance(known, Fortification) else None
        new.controller = before.controller if before is not None else None
        new.fell = before.fell if before is not None else None
    if not isinstance(new, Piece):
        return
    forget_setup(new)
    if new.in_play and new.location is None and isinstance(known, Piece):
        new.setup_area, new.isolated = known.setup_area, known.isolated
        new.recorded_location = known.recorded_location


def forget_setup(counter: Counter) -> None:
    """Ends the Retained status of a counter that is on map again."""
    if isinstance(counter, Piece) and (counter.location is not None or not counter.in_play):
        counter.be_at(counter.location)


# --- of one side's half ---------------------------------------------------------------------------


def check_free(campaign: Campaign, view: Campaign, item: StateItem, findings: Findings) -> None:
    """Notes an id that is the enemy's secret. A Weapon or vehicle may have been captured; other
    hidden counters do not change."""
    id = item.counter.id
    known = campaign.find(id) if view.find(id) is None else None
    if known is None:
        return
    captured = isinstance(known, Weapon | Vehicle) and type(known) is type(item.counter)
    if not captured or not known.in_play:
        findings.add(f"{item.path}.id", f"{id} may not be used; allowed: another id")


def is_held(view: Campaign, new: Counter) -> bool:
    """Whether a counter is a prisoner whose guard, and so his Location, is the enemy's secret,
    while the document gives no more about him than his side sees."""
    seen = view.units.get(new.id)
    if seen is None or not isinstance(new, Unit):
        return False
    unsaid = new.prisoner and new.in_play and new.location is None and new.guard is None
    nowhere = seen.location is None and seen.setup_area is None
    return unsaid and seen.prisoner and seen.guard is None and nowhere


def leave_with_his_guard(campaign: Campaign, prisoner: Counter) -> None:
    """Restores what the campaign knew of a prisoner and his side did not see."""
    known = campaign.units[prisoner.id]
    for name in ("guard", *marked(Unit, Mark.WHERE)):
        setattr(prisoner, name, getattr(known, name))


def go_with_their_guards(campaign: Campaign, taken: Set[str]) -> None:
    """Moves a prisoner whose guard was imported (ids) to that guard, unless the document gives his
    own place."""
    for prisoner in campaign.units.values():
        guard = campaign.units.get(prisoner.guard or "") if prisoner.in_play else None
        if guard is not None and guard.id in taken and prisoner.id not in taken:
            join_guard(prisoner, guard)
