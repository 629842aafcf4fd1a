"""The ticks and totals of the form for the end of a scenario, kept between runs. They are kept even
after they are stored, so that a player who undoes that can correct them.

They are not part of the campaign: each campaign and seat has a small JSON file in the player's
state folder. It is ignored if it is missing or damaged, or of another CG Date or another campaign
in the same place.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from brt_cg.files import state_file
from brt_cg.imports.open_places import AT, ENCIRCLED, EXCEPT
from brt_cg.imports.ticks import Ticked, Ticks
from brt_cg.imports.totals import TOTALS
from brt_cg.model.events import BY_NAME
from brt_cg.storage.place import spelled
from brt_cg.tui.memory.on_disk import NotedOnDisk, kept
from brt_cg.tui.session.session import Seen

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TickSheet:
    """The ticks for the scenario of one CG Date, and the totals that differ from the form's first
    values, by field, as typed. `keep` writes the sheet.

    Another window may tick on the same sheet: what it wrote is joined, counter by counter. Where
    both ticked one counter differently, `ticks` has the one and `others` the other, until one is
    chosen. `lost` are the ids of counters with ticks that are no
    longer in the campaign.
    """

    disk: NotedOnDisk
    date: str
    ticks: Ticks
    totals: dict[str, str]
    others: Ticks = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    _before: "_Written" = field(default_factory=lambda: _Written({}, {}, {}))

    def told(self, seen: Seen) -> Ticked:
        """What the ticks say of the campaign as it is seen."""
        return Ticked(seen.view, seen.card, seen.seat, self.ticks)

    def type(self, name: str, typed: str, first: str) -> None:
        """Keeps what was typed in a field of the totals, unless it equals the first value."""
        before = dict(self.totals)
        if typed == first:
            self.totals.pop(name, None)
        else:
            self.totals[name] = typed
        if self.totals != before:
            self.keep()

    def keep(self) -> None:
        """Writes the sheet to its file, joined with what another window wrote; deletes the file if
        there is nothing to keep."""
        with self.disk.alone():
            self.join()
            self.disk.keep(ticks=self.ticks, totals=self.totals, others=self.others)
            self._note()

    def join(self) -> bool:
        """Joins what another window wrote since this one last did; whether there was anything."""
        found = self.disk.read()
        if not found and self.disk.file.exists():
            return False  # damaged, or of another scenario; without a file nothing is ticked
        theirs, before = _written(found), self._before
        if theirs == before:
            return False
        for id in theirs.others.keys() | before.others.keys():
            _take(id, self.others, theirs.others, before.others)
        for id in theirs.ticks.keys() | before.ticks.keys():
            if not _take(id, self.ticks, theirs.ticks, before.ticks):
                self.others.setdefault(id, dict(theirs.ticks.get(id, {})))
        for name in theirs.totals.keys() | before.totals.keys():
            _take(name, self.totals, theirs.totals, before.totals)
        self._before.put(theirs)
        return True

    def choose(self, id: str, chosen: Mapping[str, str]) -> None:
        """Keeps one of the two that a counter was ticked, and forgets the other."""
        self.others.pop(id, None)
        self.ticks.pop(id, None)
        if chosen:
            self.ticks[id] = dict(chosen)
        self.keep()

    def _note(self) -> None:
        self._before.put(_Written(self.ticks, self.totals, self.others))


@dataclass(slots=True)
class _Written:
    """What a sheet's file held when it was last written or read here."""

    ticks: Ticks
    totals: dict[str, str]
    others: Ticks

    def put(self, now: "_Written") -> None:
        """Copies what the file holds now."""
        self.ticks = {id: dict(ticks) for id, ticks in now.ticks.items()}
        self.totals = dict(now.totals)
        self.others = {id: dict(ticks) for id, ticks in now.others.items()}


def _take(id: str, mine: dict[str, T], theirs: Mapping[str, T], before: Mapping[str, T]) -> bool:
    """Takes the other window's value where this one has not changed it. Whether they agree now."""
    if theirs.get(id) == before.get(id) or mine.get(id) == theirs.get(id):
        return True
    if mine.get(id) != before.get(id):
        return False
    if id in theirs:
        mine[id] = theirs[id]
    else:
        mine.pop(id, None)
    return True


def sheet_for(seen: Seen) -> TickSheet:
    """Reads the ticks kept for this campaign, seat and scenario."""
    file = state_file("ticks", f"{seen.seat or 'umpire'} {spelled(seen.path)}")
    date = seen.view.situation.date
    disk = NotedOnDisk(file, {"date": date, "begun": seen.begun})
    found = _written(disk.read())
    lost = tuple(id for id in found.ticks if seen.view.find(id) is None)
    ticks, others = (
        {id: dict(each) for id, each in sheet.items() if id not in lost}
        for sheet in (found.ticks, found.others)
    )
    sheet = TickSheet(disk, date, ticks, dict(found.totals), others, lost)
    sheet._note()
    return sheet


def _written(found: dict[str, Any]) -> _Written:
    """What a file holds that can be used."""
    typed = kept(found, "totals", dict).items()
    totals = {name: text for name, text in typed if _is_field(name) and isinstance(text, str)}
    ticks, others = (
        {id: ticks for id, ticks in kept(found, name, dict).items() if _are_ticks(ticks)}
        for name in ("ticks", "others")
    )
    return _Written(ticks, totals, others)


def _is_field(name: str) -> bool:
    return name in (*TOTALS, ENCIRCLED, EXCEPT) or name.startswith(AT)


def _are_ticks(ticks: Any) -> bool:
    return isinstance(ticks, dict) and all(
        name in BY_NAME and isinstance(typed, str) for name, typed in ticks.items()
    )
