"""The line of keys: as many of the screen's actions as fit."""

from collections.abc import Sequence
from typing import Any

from textual import getters
from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget

from brt_cg.text import key_text
from brt_cg.tui.keys.actions import ACTIONS, BY_ID, EVERYWHERE, NO_KEY, WRITTEN, Action
from brt_cg.tui.keys.own_keys import is_letter_or_digit
from brt_cg.tui.look.lines import KeepsLinkColors, click_style
from brt_cg.tui.look.screen_size import LEAST, is_too_small
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import seat_label

Entry = tuple[str, Content]  # the id of an action; its key and label
BETWEEN = "   "
LAST = ("everywhere.seat", "everywhere.help", "point.leave")  # always shown


class KeyBar(KeepsLinkColors, Widget):
    """One line at the bottom; each entry can be clicked."""

    app = getters.app(CampaignApp)
    _shown = Content()
    _fitted = Size()  # the size that they are chosen for
    _is_due = False

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._soon)

    def _soon(self, _: object) -> None:
        if not self._is_due:  # Textual reports the same change several times
            self._is_due = True
            self.call_later(self.catch_up)

    def catch_up(self) -> None:
        """Draw the keys that work now, unless they are drawn already."""
        before, self._shown = self._shown, self._keys()
        self._is_due, self._fitted = False, self.size
        if not self._shown.is_same(before):
            self.refresh()

    def render(self) -> RenderResult:
        if self._fitted != self.size:
            self._shown, self._fitted = self._keys(), self.size
        return self._shown

    def _keys(self) -> Content:
        """Return the keys that work now, as many as there is room for."""
        if is_too_small(self.app.size):
            text = "Terminal too small: needs {} × {}".format(*LEAST)
            return Content.styled(text, "bold $warning")
        entries = [
            self._entry(action, key) for action, key in active_actions(self.app, self.screen)
        ]
        tail = [entry for entry in entries if entry[0] in LAST]
        head = [entry for entry in entries if entry[0] not in LAST]
        room = self.size.width + len(BETWEEN) - _width(tail)
        while head and _width(head) > room:
            # The least used one is dropped; of two such, the later.
            head.remove(max(reversed(head), key=lambda entry: BY_ID[entry[0]].key_bar_rank))
        return Content(BETWEEN).join(words for _, words in [*head, *tail])

    def _entry(self, action: Action, key: str) -> Entry:
        label = action.label
        if action.name == "seat":
            seen = self.app.session.seen
            at_table = seen is not None and seen.shows_shared_table
            label = f"Seat: {'the table' if at_table else seat_label(self.app.session.seat)}"
        words = Content.assemble((key_text(key), "bold $accent"), f" {label}")
        return action.id, words.stylize(click_style(action.click_action))


def _width(entries: Sequence[Entry]) -> int:
    """Return the cells that entries take, each with the gap before the next."""
    return sum(words.cell_length + len(BETWEEN) for _, words in entries)


def active_actions(app: CampaignApp, screen: Screen[Any]) -> list[tuple[Action, str]]:
    """Return the possible actions that a screen shows, its own first, each with a key that works
    now: not every key works in a field, or in a form that uses it."""
    keys: dict[str | None, list[str]] = {}
    own = getattr(screen, "PLACE", "")
    for key, active in screen.active_bindings.items():
        is_written = own in WRITTEN and is_letter_or_digit(key)
        if active.enabled and active.binding.show and not (is_written or key.startswith(NO_KEY)):
            keys.setdefault(active.binding.id, []).append(key)
    possible = [action for action in ACTIONS if action.id in keys]
    possible.sort(key=lambda at: (at.place != own, at.place == EVERYWHERE))
    return [(action, _first(app, action, keys[action.id])) for action in possible]


def _first(app: CampaignApp, action: Action, working: list[str]) -> str:
    """Return the first of an action's keys that works now, in the player's notation."""
    return next((key for key in app.keys_of(action) if key in working), working[0])
