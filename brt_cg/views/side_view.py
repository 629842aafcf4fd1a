"""The campaign as one side sees it, updated entry by entry.

Making a view of the whole campaign for each entry of a long journal would take seconds. After an
entry, only the records that it touched, and those connected with them by references, can look
different.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any

from brt_cg.journal.changes import Change, apply_changes, compare_campaigns, force_changes
from brt_cg.journal.journal import Journal
from brt_cg.model import (
    FORM,
    TABLES,
    Campaign,
    Counter,
    Purchase,
    Side,
    SideRecord,
    Situation,
    Table,
    visible_campaign,
)

# Progress through the paragraphs; everything else in the situation may affect secrecy.
COURSE = {"paragraph", "done"}
PROGRESS = COURSE | {"phase"}  # the fields that a secret answer may change
WHOLE = (Situation.TABLE, SideRecord.TABLE)
LINKED = {kind.TABLE for kind in TABLES if issubclass(kind, Counter) or kind is Purchase}


class VisibleCampaign:
    """The campaign as one side sees it. `fold` is the whole campaign, at first empty or as given;
    `seen` is the view of `side` at the last `update`; with `other`, only the part that this other
    side saw too."""

    def __init__(self, side: Side, fold: Campaign | None = None, other: Side | None = None) -> None:
        self.side, self.other = side, other
        self.fold = Campaign() if fold is None else fold
        self.seen = self.view_of(self.fold).clone()
        self._touched: set[str] = set()
        self._everything = False
        self._ids: set[str] = set()
        self._near: defaultdict[str, set[str]] = defaultdict(set)
        for name in LINKED:
            for key, record in self.fold.tables[name].items():
                self._link(key, record.values())

    def apply_to_whole(self, changes: Sequence[Change]) -> None:
        """Apply an entry's changes to `fold`; `seen` is not changed."""
        force_changes(self.fold, changes)
        for table, key, name, _, new in changes:
            self._touched.add(key)
            self._everything |= table == Situation.TABLE and name not in COURSE
            if table in LINKED:
                self._link(key, new)

    def update(self, form: int = FORM) -> list[Change]:
        """Bring `seen` up to date. Return the changes that the side sees, written as in an entry of
        this `form`."""
        if not self._touched:
            return []
        if self._everything:
            now = self.view_of(self.fold)
            changes = compare_campaigns(self.seen, now, form)
            self.seen = now
        else:
            part = self._hanging_together()
            now = self.view_of(extract_records_and_totals(self.fold, part))
            changes = compare_campaigns(extract_records_and_totals(self.seen, part), now, form)
            self._replace(part, now)
        self._touched, self._everything = set(), False
        return changes

    def view_of(self, fold: Campaign) -> Campaign:
        """Return the visible part of a campaign."""
        seen = visible_or_empty(fold, self.side)
        return seen if self.other is None else visible_or_empty(seen, self.other)

    def _replace(self, part: set[str], now: Campaign) -> None:
        for name, table in self.seen.tables.items():
            for key in part:
                table.pop(key, None)
            table.update(now.tables[name])

    # --- connected records --------------------------------------------------------------------

    def _link(self, key: str, value: Any) -> None:
        """Note the records that a record refers to. Earlier references are kept, since those
        records' views may change as well."""
        self._ids.add(key)
        for text in _texts(value):
            self._near[key].add(text)
            self._near[text].add(key)

    def _hanging_together(self) -> set[str]:
        """Return the touched records, and all records connected with them by references."""
        found = set(self._touched)
        ahead = list(found)
        while ahead:
            near = self._near.get(ahead.pop(), set()) & self._ids
            ahead += near - found
            found |= near
        return found


class RowChanges:
    """The changes that a side sees between successive rows, skipping undone ones, from the first
    one on or, with the campaign `before` it, from a later one; with `other`, those that
    both sides see. `row` is the entry of the newest row."""

    def __init__(
        self, side: Side, before: Campaign | None = None, other: Side | None = None
    ) -> None:
        self.view = VisibleCampaign(side, before, other)
        self.row = 0  # the entry of the newest row
        self._form = FORM  # of that entry
        self._touched = False  # whether anything but progress has changed since

    def read_changes_by_row(
        self, journal: Journal, opening: Set[int], since: int = 1
    ) -> Iterator[tuple[int, list[Change]]]:
        """Read the journal since an entry; the entries in `opening` begin rows. Yield each
        completed row, by its entry, with its changes; if there was only progress, yield that."""
        view = self.view
        for seq in range(since, len(journal.entries) + 1):
            if seq not in journal.standing:
                continue
            entry = journal.entries[seq - 1]
            if entry.seq in opening:
                if self._touched:
                    changes = _ordered(view.update(self._form))
                else:
                    changes = _progress(view.seen, view.fold)
                    apply_changes(view.seen, changes)
                yield self.row, changes
                self.row, self._form, self._touched = entry.seq, entry.record_form, False
            view.apply_to_whole(entry.changes)
            self._touched |= any(not is_paragraph_progress(change) for change in entry.changes)

    def newest_changes_and_campaign(self) -> tuple[list[Change], Campaign]:
        """Return the changes of the newest row so far, and the campaign as the side sees it
        then."""
        shown = self.view.seen.clone()
        changes = _progress(shown, self.view.fold)
        if self._touched:
            now = self.view.view_of(self.view.fold)
            changes = _ordered(compare_campaigns(shown, now, self._form))
        apply_changes(shown, changes)
        return changes, shown


def is_paragraph_progress(change: Change) -> bool:
    """Whether a change is only progress through the paragraphs, which a row leaves out."""
    table, _, name, _, _ = change
    return table == Situation.TABLE and name in PROGRESS


def _ordered(changes: list[Change]) -> list[Change]:
    """Return the changes, with progress first, so that their order does not show whether anything
    secret changed too."""
    progress = sorted(filter(is_paragraph_progress, changes), key=lambda change: str(change[2]))
    return progress + [change for change in changes if not is_paragraph_progress(change)]


def _progress(before: Campaign, now: Campaign) -> list[Change]:
    """Return the progress through the paragraphs between two campaigns."""
    if not before.tables[Situation.TABLE]:
        return []
    old, new = before.situation, now.situation
    return [
        [Situation.TABLE, new.id, name, getattr(old, name), getattr(new, name)]
        for name in sorted(PROGRESS)
        if getattr(old, name) != getattr(new, name)
    ]


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in a value; for a Location, also the hex in it."""
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


def visible_or_empty(fold: Campaign, side: Side) -> Campaign:
    """Return a campaign as a side may see it; empty before its first entry."""
    return visible_campaign(fold, side) if fold.tables[Situation.TABLE] else Campaign()


def extract_records_and_totals(campaign: Campaign, keys: Iterable[str]) -> Campaign:
    """Return the records with these ids, the situation, and the sides' totals."""
    keys = list(keys)
    return Campaign(
        {
            name: table if name in WHOLE else Table(table[key] for key in keys if key in table)
            for name, table in campaign.tables.items()
        }
    )
