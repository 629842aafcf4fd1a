"""Units that the other half of a scenario's end lists as captured, and this half does not."""

from itertools import takewhile
from typing import Any

from brt_cg.journal.changes import apply, inverse
from brt_cg.journal.entries import KINDS_OF_PARAGRAPH
from brt_cg.journal.journal import Journal
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Fate, Side, Unit
from brt_cg.model.visibility import seen_by


def before_the_end(journal: Journal) -> Campaign:
    """The campaign as it was before the first half of the scenario's end was entered."""
    before = journal.campaign.clone()
    for entry in takewhile(
        lambda entry: entry.kind not in KINDS_OF_PARAGRAPH, journal.newest_first()
    ):
        apply(before, inverse(entry.changes))
        if entry.kind == "import" and before.situation.ended != journal.campaign.situation.ended:
            break
    return before


def contested(journal: Journal, side: Side | None, state: Any) -> list[Unit]:
    """The units of a side that the enemy's half made prisoners, and that its own document does not
    have as such: free, lost or not named."""
    campaign = journal.campaign
    if side is None or not campaign.situation.refit_is_due or not isinstance(state, dict):
        return []
    rows = state.get("units") or ()
    held = {row.get("id") for row in rows if isinstance(row, dict) and _is_held(row)}
    before = before_the_end(journal)
    view = seen_by(campaign, side)
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


def lost_in_the_other_half(journal: Journal, side: Side) -> list[Unit]:
    """The enemy's units that were in play before the end of the scenario, and that the enemy's half
    has eliminated, as far as a side knew them."""
    if not journal.campaign.situation.refit_is_due:
        return []
    known = seen_by(before_the_end(journal), side).units
    now = seen_by(journal.campaign, side).units.values()
    return [
        unit
        for unit in now
        if unit.side is side.enemy and not unit.in_play
        if (was := known.get(unit.id)) is not None and was.in_play
    ]
