"""The title of the terminal's window: whose turn it is, so that it shows in a row of windows."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from brt_cg.text import printable
from brt_cg.tui.frame.around import title
from brt_cg.tui.session.campaign_app import CampaignApp

KEEP, RESTORE = "\x1b[22;2t", "\x1b[23;2t"


def name_window(app: CampaignApp) -> None:
    """Gives the window a title, if it is another than before."""
    text = printable(title(app.session.seen))
    if text != app.window_title:
        app.window_title = text
        if app._driver is not None:
            app._driver.write(f"\x1b]2;{text}\x07")


@contextmanager
def keeping_the_title() -> Iterator[None]:
    """Gives the window its own title back at the end, where the terminal can."""
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
