"""What one side sees, kept up to date entry by entry.

A view of the whole campaign for each entry of a long journal would take seconds. Of what an entry
touched, only what hangs together with it can look otherwise now: records that name each other.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from brt_cg.campaign import Campaign
from brt_cg.counters import Counter, Side
from brt_cg.journal.changes import Change, adopt, compare
from brt_cg.records import TABLES, Purchase, SideRecord, Situation
from brt_cg.secrets_kept import seen_by
from brt_cg.table import Table

# How far the paragraphs have come; everything else of the situation may decide what is secret.
COURSE = {"paragraph", "done"}
WHOLE = (Situation.TABLE, SideRecord.TABLE)
LINKED = {kind.TABLE for kind in TABLES if issubclass(kind, Counter) or kind is Purchase}


class SideView:
    """A campaign in the making: `fold` is the whole of it, `seen` what `side` saw of it at the last
    `update`."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.fold = Campaign()
        self.seen = Campaign()
        self._touched: set[str] = set()
        self._everything = False
        self._ids: set[str] = set()
        self._near: defaultdict[str, set[str]] = defaultdict(set)

    def apply(self, changes: Iterable[Change]) -> None:
        """Folds an entry's changes; `seen` stays as it is."""
        for change in changes:
            table, key, name, _, new = change
            adopt(self.fold, (change,))
            self._touched.add(key)
            self._everything |= table == Situation.TABLE and name not in COURSE
            if table in LINKED:
                self._link(key, new)

    def update(self) -> list[Change]:
        """Brings `seen` up to date; what the side sees otherwise than before."""
        if not self._touched:
            return []
        if self._everything:
            now = view_of(self.fold, self.side)
            changes = compare(self.seen, now)
            self.seen = now
        else:
            part = self._hanging_together()
            now = view_of(excerpt(self.fold, part), self.side)
            changes = compare(excerpt(self.seen, part), now)
            self._replace(part, now)
        self._touched, self._everything = set(), False
        return changes

    def _replace(self, part: set[str], now: Campaign) -> None:
        for name, table in self.seen.tables.items():
            for key in part:
                table.pop(key, None)
            table.update(now.tables[name])

    # --- what hangs together ------------------------------------------------------------------

    def _link(self, key: str, value: Any) -> None:
        """Notes whom a record names. What it named before is kept: its view may change with it."""
        self._ids.add(key)
        for text in _texts(value):
            self._near[key].add(text)
            self._near[text].add(key)

    def _hanging_together(self) -> set[str]:
        """The records that were touched, all that they name or that names them, and so on."""
        found = set(self._touched)
        ahead = list(found)
        while ahead:
            near = self._near.get(ahead.pop(), set()) & self._ids
            ahead += near - found
            found |= near
        return found


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value, and the place that it names if it is a Location."""
    if isinstance(value, str):
        yield value
        _, colon, place = value.partition(":")
        if colon:
            yield place
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def view_of(fold: Campaign, side: Side) -> Campaign:
    """A campaign in the making as a side may see it: before its first entry there is none."""
    return seen_by(fold, side) if fold.tables[Situation.TABLE] else Campaign()


def excerpt(campaign: Campaign, keys: Iterable[str]) -> Campaign:
    """The same records, but only those of these ids, the situation, and the sides' totals."""
    keys = list(keys)
    return Campaign(
        {
            name: table if name in WHOLE else Table(table[key] for key in keys if key in table)
            for name, table in campaign.tables.items()
        }
    )
