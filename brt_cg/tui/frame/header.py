"""The header of every room: campaign, rooms with their keys, date, phase, SAN and CVP."""

from textual import getters
from textual.app import RenderResult
from textual.content import Content
from textual.widget import Widget

from brt_cg.exports.wording import total_text
from brt_cg.model import Side
from brt_cg.text import count_text
from brt_cg.tui.keys.actions import (
    BESIDE,
    BY_ID,
    EVERYWHERE,
    MODES,
    WRITTEN,
    place_name,
)
from brt_cg.tui.keys.own_keys import is_letter_or_digit
from brt_cg.tui.look.lines import KeepsLinkColors, click_style
from brt_cg.tui.look.screen_size import is_screen_narrow, is_screen_wide, is_too_small
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot, seat_label

BESIDE_THEM = tuple(place for place in BESIDE if f"{EVERYWHERE}.{place}" in BY_ID)
TITLE = 7  # cells that the title has at the least, with the blank after it


class Header(KeepsLinkColors, Widget):
    """Two lines: campaign and rooms; the opponent's requests, date, phase and totals."""

    app = getters.app(CampaignApp)

    def __init__(self, place: str) -> None:
        super().__init__()
        self.place = place
        self._title, self._situation, self._totals = "brt-cg", Content(), Content()

    def show(self, seen: CampaignSnapshot | None, lost: bool = False) -> None:
        """Show the state of the campaign; None before it has been read. `lost` means that there is
        no connection to its server."""
        before = self._title, self._situation, self._totals
        self._take(seen, lost)
        if before != (self._title, self._situation, self._totals):
            self.refresh()

    def _take(self, seen: CampaignSnapshot | None, lost: bool) -> None:
        if seen is None:
            self._title, self._situation, self._totals = "brt-cg", Content(), Content()
            return
        situation = seen.view.situation
        self._title = situation.name or seen.path.stem
        offline = "OFFLINE · " if lost else ""
        phase = "Purchases" if situation.phase == "purchase" else situation.phase.capitalize()
        # A terminal's key bar names the seat, with the key to change it.
        seat = f"{seat_label(seen.seat)} · " if self.app.served else ""
        situation_text = f"{offline}{seat}CG {situation.cg} · {situation.date} · {phase}"
        self._situation = Content.assemble(self._asked(seen), situation_text)
        self._totals = _totals(seen)

    def _asked(self, seen: CampaignSnapshot) -> Content:
        """Return the number of requests for this seat, and the key that shows them."""
        if not seen.requests_for_seat:
            return Content()
        key = self.app.key_text(f"{EVERYWHERE}.requests")
        number = f" {count_text(len(seen.requests_for_seat), 'request')}"
        words = Content.assemble((key, "bold $accent"), (number, "bold $warning"))
        return Content.assemble(words.stylize(click_style("app.requests")), " · ")

    def render(self) -> RenderResult:
        title = Content.styled(self._title, "bold $foreground")
        return Content("\n").join(
            (self._line(title, self._names()), self._line(self._situation, self._totals))
        )

    def _line(self, left: Content, right: Content) -> Content:
        """Return a line with two ends; if there is too little room, the left one is cut off."""
        room = self.size.width - right.cell_length - 1
        left = left.truncate(max(0, room), ellipsis=True, pad=True)
        return Content.assemble(left, " ", right.stylize_before("$foreground"))

    def _names(self) -> Content:
        """Return the rooms with their keys, including this one. If they do not all fit beside the
        beginning of the title, add the key to the list of rooms."""
        wide, narrow = is_screen_wide(self), is_screen_narrow(self)
        rooms = [*MODES, *BESIDE_THEM] if wide else [*MODES]
        if is_too_small(self.app.size):
            rooms = []
        shown = {place: self._room(place) for place in dict.fromkeys((*rooms, self.place))}
        key = (self.app.key_text(f"{EVERYWHERE}.rooms"), "$accent")
        more = [
            Content.assemble(" " * (not narrow), key, " More").stylize(click_style("app.rooms"))
        ]
        tail = [] if wide else more
        while True:
            names = Content(" " * narrow).join((*shown.values(), *tail))
            others = [place for place in shown if place != self.place]
            if not others or names.cell_length <= self.size.width - TITLE:
                return names
            tail = more
            del shown[others[-1]]

    def _room(self, place: str) -> Content:
        """Return a room with its key; dim and without a key if that key does something else, or
        nothing, or the room is not for this player."""
        app, narrow = self.app, is_screen_narrow(self)
        has_key = place in (*MODES, *BESIDE_THEM)
        action = BY_ID[f"{EVERYWHERE}.{place}"] if has_key else None
        label = place_name(place)
        pad = " " * (not narrow)
        if action is None:
            return Content.styled(f"{pad}{label}{pad}", "reverse bold")
        if place == self.place:
            return Content.styled(f"{pad}{app.key_text(action.id)} {label}{pad}", "reverse bold")
        if (
            self.screen.is_modal
            or place == app.current_mode
            or app.keys_in(self.place).issuperset(app.keys_of(action))
            or (self.place in WRITTEN and all(map(is_letter_or_digit, app.keys_of(action))))
            or not app.is_action_allowed(action.id)
        ):
            shown = Content.styled(label, "dim")
        else:
            shown = Content.assemble((app.key_text(action.id), "$accent"), f" {label}")
        return Content.assemble(pad, shown, pad).stylize(click_style(f"app.{place}"))


def _totals(seen: CampaignSnapshot) -> Content:
    """Return SAN and CVP of both sides; a click on one explains it."""
    return Content(" │ ").join(
        Content.assemble(
            (side.label, f"bold ${side}"),
            " ",
            (f"SAN {total_text(seen.view, side, 'san')}", click_style(f"app.why('{side}.san')")),
            " ",
            (f"CVP {total_text(seen.view, side, 'cvp')}", click_style(f"app.why('{side}.cvp')")),
        )
        for side in Side
    )
