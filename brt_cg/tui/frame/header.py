"""The header of every room: campaign, rooms with their keys, date, phase, SAN and CVP."""

from textual import getters
from textual.app import RenderResult
from textual.content import Content
from textual.widget import Widget

from brt_cg.exports.wording import total_text
from brt_cg.model.counters import Side
from brt_cg.text import counted
from brt_cg.tui.keys.actions import BESIDE, BY_ID, DASHBOARD, EVERYWHERE, MODES, PURCHASES
from brt_cg.tui.look.fit import is_narrow, is_too_small, is_wide
from brt_cg.tui.look.lines import KeepsColours, click
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seen, seat_label

BESIDE_THEM = tuple(place for place in BESIDE if f"{EVERYWHERE}.{place}" in BY_ID)
# Short names for little room.
SHORT = {DASHBOARD: "Dash", PURCHASES: "Points", "order_of_battle": "OB"}


class Header(KeepsColours, Widget):
    """Two lines: campaign and rooms; what the other side asks, date, phase and totals."""

    app = getters.app(CampaignApp)

    def __init__(self, place: str) -> None:
        super().__init__()
        self.place = place
        self._title, self._stands, self._totals = "brt-cg", Content(), Content()

    def show(self, seen: Seen | None, busy: bool = False, lost: bool = False) -> None:
        """Shows the state of the campaign; None before it has been read. `lost`: there is no
        connection to its server."""
        before = self._title, self._stands, self._totals
        self._take(seen, busy, lost)
        if before != (self._title, self._stands, self._totals):
            self.refresh()

    def _take(self, seen: Seen | None, busy: bool, lost: bool) -> None:
        if seen is None:
            self._title, self._stands, self._totals = "brt-cg", Content(), Content()
            return
        situation = seen.view.situation
        self._title = situation.name or seen.path.stem
        working = " ⋯" if busy else ""
        offline = "OFFLINE · " if lost else ""
        phase = "Purchases" if situation.phase == "purchase" else situation.phase.capitalize()
        # A terminal's key bar names the seat, with the key to change it.
        seat = f"{seat_label(seen.seat)} · " if self.app.served else ""
        stands = f"{offline}{seat}CG {situation.cg} · {situation.date} · {phase}{working}"
        self._stands = Content.assemble(self._asked(seen), stands)
        self._totals = _totals(seen).pad_right(1)

    def _asked(self, seen: Seen) -> Content:
        """How many requests wait for this seat, and the key that shows them."""
        if not seen.asked_here:
            return Content()
        key = self.app.key(f"{EVERYWHERE}.requests")
        number = f" {counted(len(seen.asked_here), 'request')}"
        words = Content.assemble((key, "bold $accent"), (number, "bold $warning"))
        return Content.assemble(words.stylize(click("app.requests")), " · ")

    def render(self) -> RenderResult:
        title = Content.styled(self._title, "bold $foreground")
        return Content("\n").join(
            (self._line(title, self._names()), self._line(self._stands, self._totals))
        )

    def _line(self, left: Content, right: Content) -> Content:
        """A line with two ends; if there is too little room, the left one is cut off."""
        room = self.size.width - right.cell_length - 1
        left = left.truncate(max(0, room), ellipsis=True, pad=True)
        return Content.assemble(left, " ", right.stylize_before("$foreground"))

    def _names(self) -> Content:
        """The rooms with their keys: all of them if there is room, else the way to the others; in
        a terminal that is too small for that, only this one and the way."""
        if is_wide(self):
            return Content("").join(map(self._room, (*MODES, *BESIDE_THEM)))
        key = (self.app.key(f"{EVERYWHERE}.rooms"), "$accent")
        more = Content.assemble(" ", key, " More ").stylize(click("app.rooms"))
        if is_too_small(self.app.size):
            here = [self._room(self.place)] if self.place in (*MODES, *BESIDE_THEM) else []
            return Content("").join((*here, more))
        last = self._room(self.place) if self.place in BESIDE_THEM else more
        return Content("").join((*map(self._room, MODES), last))

    def _room(self, place: str) -> Content:
        """A room with its key; dim and without a key where that key does something else, or
        nothing, or the room is not for this player."""
        app, narrow = self.app, is_narrow(self)
        action = BY_ID[f"{EVERYWHERE}.{place}"]
        label = SHORT.get(place, action.label) if narrow else action.label
        if place == self.place:
            shown = Content.styled(f" {app.key(action.id)} {label} ", "reverse bold")
        elif (
            self.screen.is_modal
            or place == app.current_mode
            or app.keys_in(self.place).issuperset(app.keys_of(action))
            or not app.may(action.id)
        ):
            shown = Content.assemble(" ", (label, "dim")).stylize(click(f"app.{place}"))
        else:
            both = Content.assemble(" ", (app.key(action.id), "$accent"), f" {label}")
            shown = both.stylize(click(f"app.{place}"))
        return Content.assemble(shown, "" if narrow else " ")


def _totals(seen: Seen) -> Content:
    """SAN and CVP of both sides; a click on one asks why."""
    return Content(" │ ").join(
        Content.assemble(
            (side.label, f"bold ${side}"),
            " ",
            (f"SAN {total_text(seen.view, side, 'san')}", click(f"app.why('{side}.san')")),
            " ",
            (f"CVP {total_text(seen.view, side, 'cvp')}", click(f"app.why('{side}.cvp')")),
        )
        for side in Side
    )
