"""The header of every room: campaign, rooms with their keys, date, phase, SAN and CVP."""

from typing import cast

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from brt_cg.counters import Side
from brt_cg.tui.actions import DASHBOARD, EVERYWHERE, MODES, PURCHASES, actions_of
from brt_cg.tui.campaign_app import CampaignApp
from brt_cg.tui.fit import is_narrow
from brt_cg.tui.keys import shown_key
from brt_cg.tui.session import Seen
from brt_cg.tui.widgets.clickable import Clickable

SHORT = {DASHBOARD: "Dash", PURCHASES: "Points"}  # names where there is little room
PHASES = {
    "purchase": "Purchases",
    "scenario": "Scenario",
    "refit": "Refit",
    "setup": "Setup",
    "over": "Over",
}


class Header(Vertical):
    """Two lines: what campaign and which room; where it stands."""

    def __init__(self, place: str) -> None:
        super().__init__()
        self.place = place
        self._title = Static("brt-cg", id="title", markup=False)
        self._stands = Static(id="stands", markup=False)
        self._totals = Clickable(id="totals")
        self._rooms = Clickable(id="rooms")

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield self._title
            yield self._rooms
        with Horizontal():
            yield self._stands
            yield self._totals

    def show(self, seen: Seen | None, busy: bool = False, lost: bool = False) -> None:
        """Shows where the campaign stands; None while none has been read. `lost` says that there is
        no connection to its server."""
        self._rooms.update(self._names())
        if seen is None:
            self._title.update("brt-cg")
            self._stands.update("")
            self._totals.update("")
            return
        situation = seen.view.situation
        self._title.update(situation.name or seen.path.stem)
        working = " ⋯" if busy else ""
        offline = "OFFLINE · " if lost else ""
        self._stands.update(
            f"{offline}CG {situation.cg} · {situation.date} · {PHASES[situation.phase]}{working}"
        )
        self._totals.update(_totals(seen))

    def _names(self) -> Content:
        """The rooms with their keys; dim and without one where the key means something else."""
        app = cast(CampaignApp, self.app)
        named = {action.name: action for action in actions_of(EVERYWHERE)}
        taken = {key for action in actions_of(self.place) for key in app.keys_of(action).split(",")}
        narrow = is_narrow(self)
        parts = []
        for mode in MODES:
            action = named[mode]
            keys = app.keys_of(action)
            label = SHORT.get(mode, action.label) if narrow else action.label
            if mode == self.place:
                shown = f"[reverse bold] {shown_key(keys)} {label} [/]"
            elif mode == app.current_mode or {*keys.split(",")} <= taken:
                shown = f"[@click=app.{mode}] [dim]{label}[/][/]"
            else:
                shown = f"[@click=app.{mode}] [$accent]{shown_key(keys)}[/] {label}[/]"
            parts.append(Content.from_markup(shown + ("" if narrow else " ")))
        return Content("").join(parts)


def _totals(seen: Seen) -> Content:
    """SAN and CVP of both sides; a click on one asks why."""
    return Content(" │ ").join(
        Content.from_markup(
            f"[bold ${side}]{side.label}[/] "
            f"[@click=app.why_of('{side}.san')]SAN {seen.view.sides[side].san}[/] "
            f"[@click=app.why_of('{side}.cvp')]CVP {seen.view.sides[side].cvp}[/]"
        )
        for side in Side
    )
