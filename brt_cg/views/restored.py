"""The possessions, prisoners and passengers that a counter had when it was lost, and that a
correction may restore with it."""

from collections.abc import Iterator, Mapping
from typing import Any

from brt_cg.commands.edit import preview_edit
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import BY_TABLE, Counter, Fate
from brt_cg.questions.answers import RefusedError
from brt_cg.views.journal_rows import ShownRow
from brt_cg.views.view import SharedView, View

LINKS = ("possessor", "guard", "aboard")
Also = list[dict[str, Any]]  # the `also` of the command `edit`


def corrections_restoring_links(book: View, asked: Mapping[str, Any], by: str = "players") -> Also:
    """Return the corrections to make together with one that brings a counter back into play; none
    for counters that are elsewhere by now."""
    counter = book.campaign.find(str(asked.get("id")))
    revives = asked.get("set", {}).get("fate") == Fate.IN_PLAY
    if counter is None or counter.in_play or not revives or isinstance(book, SharedView):
        return []
    lost = _row_that_lost(book, counter)
    found: Also = []
    for each in _links(book.campaign, counter, lost) if lost is not None else ():
        try:
            preview_edit(book.campaign, book.card, {**asked, "also": [*found, each]}, by)
        except RefusedError:
            continue
        found.append(each)
    return found


def _row_that_lost(book: View, counter: Counter) -> ShownRow | None:
    """Return the newest row that took a counter out of play."""
    at = (counter.TABLE, counter.id, "fate")
    return next(
        (
            row
            for row in reversed(book.rows)
            if row.is_standing and any((*change[:3],) == at for change in row.changes)
        ),
        None,
    )


def _links(campaign: Campaign, counter: Counter, lost: ShownRow) -> Iterator[dict[str, Any]]:
    changed = {(table, key, name): (old, new) for table, key, name, old, new in lost.changes}
    for (table, key, name), (old, _) in changed.items():
        other = campaign.find(key) if table in BY_TABLE and name in LINKS else None
        if other is None or old != counter.id or not other.in_play:
            continue
        if getattr(other, name) is not None:
            continue  # somebody else has it now
        held, now = changed.get((table, key, "status"), (None, None))
        freed = name == "guard" and held is not None and [*getattr(other, "status", ())] == now
        yield {"id": key, "set": {name: counter.id} | ({"status": held} if freed else {})}
