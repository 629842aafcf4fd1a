"""What one side sees, kept up to date entry by entry.

A view of the whole campaign for each entry of a long journal would take seconds. Of what an entry
touched, only what hangs together with it can look otherwise now: records that name each other.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from typing import Any

from brt_cg.campaign import Campaign
from brt_cg.counters import Counter, Side
from brt_cg.journal.book import Book
from brt_cg.journal.changes import Change, adopt, apply, compare
from brt_cg.records import TABLES, Purchase, SideRecord, Situation
from brt_cg.secrets_kept import seen_by
from brt_cg.table import Table

# How far the paragraphs have come; everything else of the situation may decide what is secret.
COURSE = {"paragraph", "done"}
PROGRESS = COURSE | {"phase"}  # where a secret answer may move the campaign on
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


class RowChanges:
    """What a side sees change from each of its rows that stand to the next one, read on as the
    journal grows. What only the whole tells of where `row`, the newest, stands is not in it."""

    def __init__(self, side: Side) -> None:
        self.view = SideView(side)
        self.row = 0  # the entry that made it
        self._touched = False  # whether more has changed since than how far the paragraphs are

    def read_on(
        self, book: Book, since: int, opening: Set[int]
    ) -> Iterator[tuple[int, list[Change]]]:
        """Reads the entries after one; those in `opening` begin rows. Yields each row that has
        ended, by its entry, and what it tells: where nothing but progress was made, only that."""
        view = self.view
        for entry in book.entries[since:]:
            if entry.seq not in book.standing:
                continue
            if entry.seq in opening:
                told = view.update() if self._touched else _progress(view.seen, view.fold)
                if not self._touched:
                    apply(view.seen, told)
                yield self.row, told
                self.row, self._touched = entry.seq, False
            view.apply(entry.changes)
            self._touched |= any(not is_progress(change) for change in entry.changes)

    def newest(self) -> tuple[list[Change], Campaign]:
        """What the newest row tells so far, and the campaign as the side knows it then."""
        shown = self.view.seen.clone()
        told = _progress(shown, self.view.fold)
        if self._touched:
            told = compare(shown, view_of(self.view.fold, self.view.side))
        apply(shown, told)
        return told, shown


def is_progress(change: Change) -> bool:
    """Whether a change is only how far the paragraphs have come, which a row leaves out."""
    table, _, name, _, _ = change
    return table == Situation.TABLE and name in PROGRESS


def _progress(before: Campaign, now: Campaign) -> list[Change]:
    """How much further the paragraphs have come."""
    if not before.tables[Situation.TABLE]:
        return []
    old, new = before.situation, now.situation
    return [
        [Situation.TABLE, new.id, name, getattr(old, name), getattr(new, name)]
        for name in sorted(PROGRESS)
        if getattr(old, name) != getattr(new, name)
    ]


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
