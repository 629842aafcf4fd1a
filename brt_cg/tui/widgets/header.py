"""The header of every room: campaign, rooms with their keys, date, phase, SAN and CVP."""

from textual.app import ComposeResult
from textual.containers import Grid
from textual.content import Content
from textual.widgets import Static

from brt_cg.campaign import SIDES
from brt_cg.tui.actions import EVERYWHERE, MODES, actions_of
from brt_cg.tui.keys import shown_key
from brt_cg.tui.session import Seen

PHASES = {
    "purchase": "Purchases",
    "scenario": "Scenario",
    "refit": "Refit",
    "setup": "Setup",
    "over": "Over",
}


class Header(Grid):
    """Two lines: what campaign and which room; where it stands."""

    def __init__(self, place: str) -> None:
        super().__init__()
        self.place = place

    def compose(self) -> ComposeResult:
        yield Static("brt-cg", id="title", markup=False)
        yield Static(self._rooms(), id="rooms")
        yield Static(id="stands", markup=False)
        yield Static(id="totals")

    def show(self, seen: Seen | None, busy: bool = False) -> None:
        """Shows where the campaign stands; None while none has been read."""
        title, stands, totals = self.query("#title, #stands, #totals").results(Static)
        if seen is None:
            title.update("brt-cg")
            stands.update("")
            totals.update("")
            return
        situation = seen.view.situation
        title.update(situation.name or seen.path.stem)
        working = " ⋯" if busy else ""
        stands.update(f"CG {situation.cg} · {situation.date} · {PHASES[situation.phase]}{working}")
        totals.update(_totals(seen))

    def _rooms(self) -> Content:
        named = {action.name: action for action in actions_of(EVERYWHERE)}
        parts = []
        for mode in MODES:
            action = named[mode]
            key, here = shown_key(action.keys), mode == self.place
            shown = f"[reverse bold] {key} {action.label} [/]"
            other = f"[@click=app.{mode}] [$accent]{key}[/] {action.label} [/]"
            parts.append(Content.from_markup(shown if here else other))
        return Content("").join(parts)


def _totals(seen: Seen) -> Content:
    return Content(" │ ").join(
        Content.from_markup(
            f"[bold ${side}]{side.label}[/] SAN {seen.view.sides[side].san} "
            f"CVP {seen.view.sides[side].cvp}"
        )
        for side in SIDES
    )
