"""What an imported counter takes over from the one that the campaign knows."""

from brt_cg.commands.state_document import Item
from brt_cg.counters import Counter, Fortification, Piece
from brt_cg.fields import marked
from brt_cg.shapes import Mark


def take_over(item: Item, known: Counter | None, running: bool) -> None:
    """What a counter of the document takes over from the one that the campaign knew, and what a
    running campaign knows better than a document."""
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
        new.unseen = not _is_seen(new)


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
    """A counter that is on map again is no longer Retained anywhere."""
    if isinstance(counter, Piece) and (counter.location is not None or not counter.in_play):
        counter.be_at(counter.location)


def _is_seen(counter: Counter) -> bool:
    """Whether the enemy has seen a counter on map in the scenario just played."""
    return counter.location is not None and not counter.off_map and not counter.hidden
