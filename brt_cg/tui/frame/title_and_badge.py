"""Messages to the page around a served screen, and the window's title.

The page gets the keys that work now, for a phone's row of buttons; the page and the terminal's
window get a title that says whose turn it is.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from textual.screen import Screen

from brt_cg.exports.wording import turn_words
from brt_cg.text import escape_unprintable, key_text
from brt_cg.tui.frame.keybar import active_actions
from brt_cg.tui.keys.actions import BY_ID
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot, seat_label

SOON = 0.2  # seconds after a change, until it is reported to the page
# The page has a row of buttons for these, whatever the screen does with them.
ALWAYS = {"up", "down", "left", "right", "enter", "space", "tab", "escape"}


class TitleAndBadge:
    """An app that reports each change of its keys or its title to the page once."""

    def __init__(self, app: CampaignApp) -> None:
        self.app = app
        self._sent: dict[object, Mapping[str, object]] = {}
        self._is_due = False

    def follow_screen(self, screen: Screen[Any]) -> None:
        """Follow the keys of the screen that has come to the front."""
        screen.bindings_updated_signal.subscribe(self.app, self.schedule_report)
        self.schedule_report(screen)

    def schedule_report(self, _: object = None) -> None:
        """Report the keys and the title to the page, if they have changed: a little later, so that
        the screen is drawn first, and changes made together are reported once."""
        if not self._is_due:
            self._is_due = True
            self.app.set_timer(SOON, self._tell)

    def _tell(self) -> None:
        self._is_due = False
        if not self.app.screen_stack:  # the app is closing
            return
        seen = self.app.session.seen
        keys = [list(button) for button in browser_page_buttons(self.app, self.app.screen)]
        for message in (
            {"type": "title", "text": window_title(seen), "own": is_own_turn(seen)},
            {"type": "keys", "keys": keys},
        ):
            if self._sent.get(message["type"]) != message:
                self._sent[message["type"]] = message
                self.app.send_to_page(message)


def browser_page_buttons(app: CampaignApp, screen: Screen[Any]) -> Iterator[tuple[str, str]]:
    """Yield the keys that work on a screen, each with its label: first those of its key bar, and
    without those that the page always has."""
    shown = [(key, action) for action, key in active_actions(app, screen)]
    listed = {action.id for _, action in shown}
    for key, active in screen.active_bindings.items():
        action = BY_ID.get(active.binding.id or "")
        if (
            action is None
            or not active.enabled
            or action.id in listed
            or key not in app.keys_of(action)
        ):
            continue
        listed.add(action.id)
        if (
            key not in ALWAYS
            and action.name != app.current_mode
            and app.is_action_allowed(action.id)
        ):
            shown.append((key, action))
    for key, action in shown:
        yield _named(key), action.label


def _named(key: str) -> str:
    """Return a key as a page sends it: a character as itself, any other by Textual's name."""
    shown = key_text(key)
    return shown if len(shown) == 1 and shown.isascii() else key


def window_title(seen: CampaignSnapshot | None) -> str:
    """Return the title of a window: whose turn it is, as the seat may know it, and the campaign."""
    if seen is None:
        return "brt-cg"
    name = seen.view.situation.name or seen.path.stem
    seat = "The table" if seen.shows_shared_table else seat_label(seen.seat)
    turn = turn_words(seen.side_to_answer, None if seen.shows_shared_table else seen.seat)
    return " · ".join(filter(None, (turn, name, seat)))


def is_own_turn(seen: CampaignSnapshot | None) -> bool:
    """Whether the seat at this window has to answer."""
    if seen is None or seen.side_to_answer is None or seen.shows_shared_table:
        return False
    return seen.side_to_answer is seen.seat


# --- the terminal's window ------------------------------------------------------------------------


KEEP, RESTORE = "\x1b[22;2t", "\x1b[23;2t"


def set_window_title(app: CampaignApp) -> None:
    """Give the window a title, if it differs from the last one."""
    text = escape_unprintable(window_title(app.session.seen))
    if text != app.window_title:
        app.window_title = text
        if app._driver is not None:
            app._driver.write(f"\x1b]2;{text}\x07")


@contextmanager
def restoring_window_title() -> Iterator[None]:
    """Restore the window's own title at the end, if the terminal can."""
    _write(KEEP)
    try:
        yield
    finally:
        _write(RESTORE)


def _write(text: str) -> None:
    terminal = sys.__stderr__  # where Textual draws
    if terminal is not None and terminal.isatty():
        terminal.write(text)
        terminal.flush()
