"""The screen in tests: the app on the demo campaign, what it shows as lines of text, goldens."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from textual._context import visible_screen_stack
from textual.pilot import Pilot

from brt_cg.tui.app import BrtApp
from brt_cg.tui.session import Seen
from tests.tui import clock

GOLDENS = Path(__file__).parent / "goldens"
SMALL, MIDDLE, LARGE = (80, 24), (120, 40), (160, 50)


def screen_lines(app: BrtApp) -> list[str]:
    """What the screen shows, one text for each line, without trailing blanks."""
    clock.draw()  # lists measure their rows while they are drawn
    visible_screen_stack.set(app._background_screens)
    lines = [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]
    app.screen._compositor._dirty_regions.clear()
    return lines


def screen_text(app: BrtApp) -> str:
    """What the screen shows, as one text."""
    return "\n".join(screen_lines(app))


def same_as_golden(app: BrtApp, name: str, more: Iterable[str] = ()) -> None:
    """Compares the screen, and more lines, with `goldens/NAME.txt`; BRT_CG_GOLDENS=write writes it
    instead."""
    path = GOLDENS / f"{name}.txt"
    shown = "\n".join([screen_text(app).rstrip(), *more]) + "\n"
    if os.environ.get("BRT_CG_GOLDENS") == "write":
        path.write_text(shown, "utf-8")
    assert path.is_file(), f"there is no golden {path.name}: BRT_CG_GOLDENS=write makes it"
    assert shown == path.read_text("utf-8")


async def settled(pilot: Pilot[Any]) -> Seen:
    """Waits until the campaign has been read and the desk has nothing to do; what is seen then."""
    app = pilot.app
    assert isinstance(app, BrtApp)
    for _ in range(500):
        await pilot.pause()
        workers = [
            one for one in app.workers if one.group in ("desk", "open") and not one.is_finished
        ]
        if app.session.seen is not None and not workers:
            return app.session.seen
        await pilot.pause(0.01)
    raise AssertionError("the campaign was not read within five seconds")


async def shown(pilot: Pilot[Any], words: str) -> str:
    """Waits until the screen shows some words; all that it shows then."""
    app = pilot.app
    assert isinstance(app, BrtApp)
    for _ in range(500):
        text = screen_text(app)
        if words in text:
            await pilot.pause()
            return screen_text(app)
        await pilot.pause(0.01)
    raise AssertionError(f"{words!r} was not shown within five seconds:\n{screen_text(app)}")
