"""The ticks and totals of the form for the end of a scenario, kept between runs. They are kept even
after they are stored, so that a player who undoes that can correct them.

They are not part of the campaign: each campaign and seat has a small JSON file in the player's
state folder. It is ignored if it is missing or damaged, or of another CG Date or another campaign
in the same place.
"""

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brt_cg.model.counters import Side
from brt_cg.tui.memory.state_files import kept, read_state, state_file, write_state
from brt_cg.tui.rooms.scenario_end.ticks import BY_NAME, Ticks
from brt_cg.tui.session.session import Seen

PER_SIDE = [f"{figure}_{side}" for figure in ("cvp", "san") for side in Side]
TOTALS = ("winner", "moved", *PER_SIDE, "pillboxes", "perimeters")


@dataclass(frozen=True, slots=True)
class TickSheet:
    """The ticks for the scenario of one CG Date, and the totals that differ from the form's first
    values, by field (TOTALS), as typed; `begun` identifies the campaign. `keep` writes the sheet.
    """

    file: Path
    date: str
    begun: str
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
        if self.ticks or self.totals:
            begun = {"date": self.date, "begun": self.begun}
            write_state(self.file, {**begun, "ticks": self.ticks, "totals": self.totals})
        else:
            with contextlib.suppress(OSError):
                self.file.unlink(missing_ok=True)


def sheet_for(seen: Seen) -> TickSheet:
    """Reads the ticks kept for this campaign, seat and scenario."""
    file = state_file("ticks", f"{seen.seat or 'umpire'} {seen.path.resolve()}")
    date, found = seen.view.situation.date, read_state(file)
    if (found.get("date"), found.get("begun", seen.begun)) != (date, seen.begun):
        found = {}
    known, typed = kept(found, "ticks", dict).items(), kept(found, "totals", dict).items()
    ticks = {id: ticks for id, ticks in known if seen.view.find(id) and _are_ticks(ticks)}
    totals = {id: value for id, value in typed if id in TOTALS and isinstance(value, str)}
    return TickSheet(file, date, seen.begun, ticks, totals)


def _are_ticks(ticks: Any) -> bool:
    return isinstance(ticks, dict) and all(
        name in BY_NAME and isinstance(typed, str) for name, typed in ticks.items()
    )
