"""What a seat has seen is remembered, and its campaign listed at Home."""

from textual.app import App

from brt_cg.model.records import Situation
from brt_cg.storage.place import Place, spelled
from brt_cg.tui.memory.recent import Looked, Memory, Recent
from brt_cg.tui.session.session import Seen, seat_label

AFTER = 2.0  # seconds until it is written down

Look = tuple[str, str, Looked]  # a campaign, a seat, and how far it has seen it


def _look(seen: Seen) -> Look:
    return str(spelled(seen.path)), seat_label(seen.seat), Looked(seen.begun, seen.mark)


class Looks:
    """Writes down in the screen's memory how far a seat has seen its campaign."""

    def __init__(self, app: App[int], memory: Memory) -> None:
        self._app, self._memory = app, memory
        self._last: Look | None = None  # what was last written
        self._due: Seen | None = None  # what is still to be written

    def soon(self, seen: Seen) -> None:
        """Remembers it after a while: a disk is slow, and others may answer every second."""
        if self._due is None:
            self._app.set_timer(AFTER, self.now)
        self._due = seen

    def now(self) -> None:
        """Remembers what is still waiting to be written."""
        seen, self._due = self._due, None
        if seen is not None and _look(seen) != self._last:  # it may have been forgotten at Home
            self.at(seen)

    def at(self, seen: Seen) -> None:
        """Remembers that the seat has seen the campaign, and how far."""
        self.list_at_home(seen.path, seen.view.situation)
        if seen.at_table:
            return  # it is no seat's look
        look = _look(seen)
        if look != self._last:
            self._last = look
            self._memory.note_seen(*look)

    def list_at_home(self, path: Place, situation: Situation) -> None:
        """Puts a campaign first in Home's list."""
        stands = f"CG {situation.cg} · {situation.date} · {situation.phase}"
        recent = Recent(str(spelled(path)), situation.name or path.stem, stands)
        if self._memory.recent[:1] != [recent]:
            self._memory.note_opened(recent)
