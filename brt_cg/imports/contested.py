"""Units that the other half of a scenario's end lists as captured, and this half does not."""

from typing import Any

from brt_cg.model.counters import Fate, Side, Unit
from brt_cg.views.book import Book


def contested(book: Book, side: Side | None, state: Any) -> list[Unit]:
    """The units of a side that the enemy's half made prisoners, and that its own document does not
    have as such: free, lost or not named."""
    view = book.campaign
    if side is None or not view.situation.refit_is_due or not isinstance(state, dict):
        return []
    rows = state.get("units") or ()
    held = {row.get("id") for row in rows if isinstance(row, dict) and _is_held(row)}
    before = book.before_end
    return [
        unit
        for unit in view.in_order(view.units.values())
        if unit.side is side and unit.prisoner and unit.id not in held
        if (was := before.units.get(unit.id)) is not None and not was.prisoner
    ]


def _is_held(row: dict[str, Any]) -> bool:
    """Whether a document has a unit as a prisoner who lives."""
    lives = row.get("fate") in (None, Fate.IN_PLAY)
    return lives and "prisoner" in (row.get("status") or ())


def lost_in_the_other_half(book: Book, side: Side) -> list[Unit]:
    """The enemy's units that were in play before the end of the scenario, and that the enemy's half
    has eliminated, as far as a side knew them."""
    if not book.campaign.situation.refit_is_due:
        return []
    known = book.before_end.units
    return [
        unit
        for unit in book.campaign.units.values()
        if unit.side is side.enemy and not unit.in_play
        if (was := known.get(unit.id)) is not None and was.in_play
    ]
