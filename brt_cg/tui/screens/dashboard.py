"""dashboard"""

from textual.app import ComposeResult
from textual.widgets import Static

from brt_cg.tui.actions import DASHBOARD, bindings
from brt_cg.tui.room import Room
from brt_cg.tui.session import Seen


class DashboardScreen(Room):
    PLACE = DASHBOARD
    BINDINGS = bindings(DASHBOARD)

    def room(self) -> ComposeResult:
        yield Static(id="tmp")

    def show(self, seen: Seen) -> None:
        self.query_one("#tmp", Static).update(seen.view.situation.date)
