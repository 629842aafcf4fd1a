"""The ticks and totals of the form for the end of a scenario, kept between runs. They are kept even
after they are stored, so that a player who undoes that can correct them.

They are not part of the campaign: each campaign and seat has a small JSON file in the player's
state folder. It is ignored if it is missing or damaged, or of another CG Date or another campaign
in the same place.
"""

from dataclasses import dataclass
from typing import Any

from brt_cg.files import state_file
from brt_cg.imports.open_places import AT, ENCIRCLED, EXCEPT
from brt_cg.model.counters import Side
from brt_cg.model.events import BY_NAME
from brt_cg.storage.place import spelled
from brt_cg.tui.memory.on_disk import NotedOnDisk, kept
from brt_cg.tui.rooms.scenario_end.ticks import Ticks
from brt_cg.tui.session.session import Seen

PER_SIDE = [f"{figure}_{side}" for figure in ("cvp", "san") for side in Side]
TOTALS = ("winner", "moved", *PER_SIDE, "pillboxes", "perimeters")


@dataclass(frozen=True, slots=True)
class TickSheet:
    """The ticks for the scenario of one CG Date, and the totals that differ from the form's first
    values, by field (TOTALS), as typed. `keep` writes the sheet.
    """

    disk: NotedOnDisk
    date: str
    ticks: Ticks
    totals: dict[str, str]

    def type(self, field: str, typed: str, first: str) -> None:
        """Keeps what was typed in a field of the totals, unless it equals the first value."""
        before = dict(self.totals)
        if typed == first:
            self.totals.pop(field, None)
        else:
            self.totals[field] = typed
        if self.totals != before:
            self.keep()

    def keep(self) -> None:
        """Writes the sheet to its file; deletes the file if there are no ticks and totals."""
        self.disk.keep(ticks=self.ticks, totals=self.totals)


def sheet_for(seen: Seen) -> TickSheet:
    """Reads the ticks kept for this campaign, seat and scenario."""
    file = state_file("ticks", f"{seen.seat or 'umpire'} {spelled(seen.path)}")
    date = seen.view.situation.date
    disk = NotedOnDisk(file, {"date": date, "begun": seen.begun})
    found = disk.read()
    known, typed = kept(found, "ticks", dict).items(), kept(found, "totals", dict).items()
    ticks = {id: ticks for id, ticks in known if seen.view.find(id) and _are_ticks(ticks)}
    totals = {id: value for id, value in typed if _is_field(id) and isinstance(value, str)}
    return TickSheet(disk, date, ticks, totals)


def _is_field(id: str) -> bool:
    return id in (*TOTALS, ENCIRCLED, EXCEPT) or id.startswith(AT)


def _are_ticks(ticks: Any) -> bool:
    return isinstance(ticks, dict) and all(
        name in BY_NAME and isinstance(typed, str) for name, typed in ticks.items()
    )
