"""The ticks of the form for the end of a scenario, kept between runs until they are stored.

They are no part of the campaign yet: a small JSON file in the player's state folder, one for each
campaign file and seat. One that is missing, spoilt or of another CG Date is as good as none.
"""

import contextlib
import json
import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from brt_cg.tui.memory import APP
from brt_cg.tui.scenario_end import BY_NAME, Ticks
from brt_cg.tui.session import Seen


@dataclass(frozen=True, slots=True)
class TickSheet:
    """The ticks for the scenario of one CG Date; `keep` writes them down."""

    file: Path
    date: str
    ticks: Ticks

    def keep(self) -> None:
        """Writes the ticks down; a disk that is full or read-only is not worth a word."""
        beside = self.file.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            if not self.ticks:
                self.file.unlink(missing_ok=True)
                return
            self.file.parent.mkdir(parents=True, exist_ok=True)
            found = {"date": self.date, "ticks": self.ticks}
            beside.write_text(json.dumps(found, ensure_ascii=False, indent=1), "utf-8")
            beside.replace(self.file)

    def clear(self) -> None:
        """Forgets the ticks, once they are stored."""
        self.ticks.clear()
        self.keep()


def sheet_for(seen: Seen) -> TickSheet:
    """The ticks kept for a campaign, as a seat sees it, and the scenario now being played."""
    whose = f"{seen.seat or 'umpire'} {seen.path.resolve()}"
    file = user_state_path(APP) / "ticks" / f"{sha256(whose.encode()).hexdigest()[:16]}.json"
    date = seen.view.situation.date
    return TickSheet(file, date, _read(file, seen, date))


def _read(file: Path, seen: Seen, date: str) -> Ticks:
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict) or found.get("date") != date:
        return {}
    rows = found.get("ticks")
    known = rows.items() if isinstance(rows, dict) else ()
    return {id: ticks for id, ticks in known if seen.view.find(id) and _are_ticks(ticks)}


def _are_ticks(ticks: Any) -> bool:
    return isinstance(ticks, dict) and all(
        name in BY_NAME and isinstance(typed, str) for name, typed in ticks.items()
    )
