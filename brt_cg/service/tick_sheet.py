"""The ticks and totals of the form for the end of a scenario, kept between runs. They are kept even
after the report is entered, so that a player who undoes the report can correct them.

They are not part of the campaign: each campaign and seat has a draft, which is ignored if it is
missing, damaged, or of another CG Date.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Protocol

from brt_cg.card import Card
from brt_cg.files import state_file_path
from brt_cg.imports.event_sheet import EventSheet, Ticks
from brt_cg.imports.open_places import AT, ENCIRCLED, EXCEPT
from brt_cg.imports.totals import TOTALS
from brt_cg.model import Campaign, CounterCodes, Side, seat_of_side
from brt_cg.model.events import BY_NAME
from brt_cg.service.drafts import Drafts
from brt_cg.service.saved_notes import (
    SavedNotes,
    ignore_error,
    merge_changes_yielding_conflicts,
    saved_value_or_empty,
)
from brt_cg.storage.place import Place, canonical_place

Noted = dict[str, dict[str, Any]]  # what the file holds: others, ticks and totals


class ReportedCampaign(Protocol):
    """The campaign as seen by the seat that reports the end of a scenario. `begun` is the hash of
    its first entry."""

    @property
    def path(self) -> Place: ...
    @property
    def begun(self) -> str: ...
    @property
    def seat(self) -> Side | None: ...
    @property
    def view(self) -> Campaign: ...
    @property
    def card(self) -> Card: ...
    @property
    def codes(self) -> CounterCodes: ...


@dataclass(slots=True)
class TickSheet:
    """The ticks for the scenario of one CG Date, and the totals that differ from the form's first
    values, by field, as typed. `keep` writes the sheet.

    Another window may tick on the same sheet: its ticks are joined, counter by counter. If both
    ticked one counter differently, `ticks` has this window's and `others` the other's, until the
    player chooses. `lost` are the ids of counters with ticks that are no longer in the campaign.
    """

    disk: SavedNotes
    date: str
    ticks: Ticks = field(default_factory=dict)
    totals: dict[str, str] = field(default_factory=dict)
    others: Ticks = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    _before: Noted = field(default_factory=lambda: _usable({}))  # as last written or read here
    _past: list[Ticks] = field(default_factory=list)  # the ticks before each change made here
    _now: Ticks = field(default_factory=dict)  # the ticks after the last of them

    def event_sheet(self, seen: ReportedCampaign) -> EventSheet:
        """Return the ticks, on the campaign as it is seen."""
        return EventSheet(seen.view, seen.card, seen.seat, self.ticks, seen.codes)

    def keep_typed_total(self, name: str, typed: str, first: str) -> None:
        """Keep the text typed in a field of the totals, unless it equals the first value."""
        wanted = typed if typed != first else None
        if self.totals.get(name) != wanted:
            self.totals.pop(name, None)
            self.totals |= {name: wanted} if wanted is not None else {}
            self.save()

    def undo_last(self) -> bool:
        """Undo the last line or tick that was entered here; return whether there was one."""
        if not self._past:
            return False
        last = self._past.pop()
        for id in {*last, *self._now}:
            if last.get(id) != self._now.get(id):
                self.ticks.pop(id, None)
                self.ticks |= {id: dict(last[id])} if id in last else {}
        self._now = deepcopy(self.ticks)
        self.save()
        return True

    def save(self) -> None:
        """Write the sheet to its file, joined with another window's; delete the file if there is
        nothing to keep. The change can be undone."""
        if self.ticks != self._now:
            self._past.append(self._now)
        with self.disk.lock():
            self.merge_saved()
            if self.disk.save(**self._noted):
                self._before = deepcopy(self._noted)
        self._now = deepcopy(self.ticks)

    @property
    def _noted(self) -> Noted:
        return {"others": self.others, "ticks": self.ticks, "totals": self.totals}

    def merge_saved(self) -> bool:
        """Join the changes that another window has written since this one last wrote. Return
        whether there were any."""
        found = self.disk.read()
        if not found and self.disk.file.exists():
            return False  # damaged or of another scenario; no file means no ticks
        theirs = _usable(found)
        if theirs == self._before:
            return False
        for name, mine in self._noted.items():
            differ = [*merge_changes_yielding_conflicts(mine, theirs[name], self._before[name])]
            for id in differ if name == "ticks" else ():
                self.others.setdefault(id, dict(theirs["ticks"].get(id, {})))
        self._before, self._now = deepcopy(theirs), deepcopy(self.ticks)
        return True

    def resolve_tick_conflict(self, id: str, chosen: Mapping[str, str]) -> None:
        """Keep one of the two sets of ticks of a counter, and forget the other."""
        self.others.pop(id, None)
        self.ticks.pop(id, None)
        if chosen:
            self.ticks[id] = dict(chosen)
        self.save()


def load_tick_sheet(
    seen: ReportedCampaign, failed: Callable[[OSError], None] = ignore_error
) -> TickSheet:
    """Read the ticks kept for this campaign, seat and scenario."""
    date = seen.view.situation.date
    drafts = Drafts(seen.begun, str(seat_of_side(seen.seat)), failed)
    disk = drafts.saved_notes("ticks", {"date": date, "begun": seen.begun})
    before = _usable(disk.read())
    if not disk.file.exists() and any((before := _as_kept_before(seen, disk)).values()):
        disk.save(**before)
    noted = deepcopy(before)
    sheet = TickSheet(disk, date, noted["ticks"], noted["totals"], noted["others"], _before=before)
    sheet.lost = tuple(id for id in sheet.ticks if seen.view.find(id) is None)
    for id in sheet.lost:
        del sheet.ticks[id]
        sheet.others.pop(id, None)
    sheet._now = deepcopy(sheet.ticks)
    return sheet


def _as_kept_before(seen: ReportedCampaign, disk: SavedNotes) -> Noted:
    """Return the ticks that version 1.0 kept for the file of the campaign."""
    file = state_file_path("ticks", f"{seen.seat or 'umpire'} {canonical_place(seen.path)}")
    return _usable(SavedNotes(file, disk.stands_for).read())


def _usable(found: dict[str, Any]) -> Noted:
    """Return the usable contents of a file."""
    wanted = {"others": _are_ticks, "ticks": _are_ticks, "totals": _is_total}
    return {
        part: {
            name: value
            for name, value in saved_value_or_empty(found, part, dict).items()
            if fits(name, value)
        }
        for part, fits in wanted.items()
    }


def _is_total(name: str, typed: Any) -> bool:
    is_field = name in (*TOTALS, ENCIRCLED, EXCEPT) or name.startswith(AT)
    return is_field and isinstance(typed, str)


def _are_ticks(id: str, ticks: Any) -> bool:
    return isinstance(ticks, dict) and all(
        name in BY_NAME and isinstance(typed, str) for name, typed in ticks.items()
    )
