"""The screen in tests: the app on the demo campaign, what it shows as lines of text, goldens."""

import os
import re
from collections.abc import Callable, Iterable
from itertools import zip_longest
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from textual._context import visible_screen_stack
from textual.pilot import Pilot

from brt_cg.model.counters import Side
from brt_cg.model.seat import seat_of_side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.session.session import CampaignSnapshot, take_snapshot
from tests.tui import clock

GOLDENS = Path(__file__).parent / "goldens"
SMALL, MIDDLE, LARGE = (80, 24), (120, 40), (160, 50)
LOOKS = 1000  # a hundredth of a second apart on the screen's own clock
PATIENCE = 120.0  # seconds for anything at all: a slow machine is no defect


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


def words(text: str) -> str:
    """A text without the blanks and frames that lay it out."""
    return " ".join(re.sub("[│▌▐╭╮╰╯]", " ", text).split())


def words_on_the_left(app: BrtApp) -> str:
    """What the boxes on the left show, wherever their lines are broken."""
    return words("\n".join(line.partition("││")[0] for line in screen_lines(app)))


def same_as_golden(app: BrtApp, name: str, more: Iterable[str] = ()) -> None:
    """Compares the screen, and more lines, with `goldens/NAME.txt`, and prints what differs;
    BRT_CG_GOLDENS=write writes it instead."""
    path = GOLDENS / f"{name}.txt"
    shown = "\n".join([screen_text(app).rstrip(), *more]) + "\n"
    if clock.AS_IT_IS:
        return  # it may be another Textual than the one that drew them
    if os.environ.get("BRT_CG_GOLDENS") == "write":
        path.write_text(shown, "utf-8")
    assert path.is_file(), f"there is no golden {path.name}: BRT_CG_GOLDENS=write makes it"
    kept = path.read_text("utf-8")
    if shown != kept:
        pytest.fail(f"{path.name} differs:\n{_difference(kept, shown)}", pytrace=False)


def _difference(kept: str, shown: str) -> str:
    """The lines that differ, numbered: of the golden with "-", of the screen with "+"; and below
    them where."""
    told = []
    pairs = zip_longest(kept.splitlines(), shown.splitlines(), fillvalue="")
    for number, (old, new) in enumerate(pairs, start=1):
        if old != new:
            letters = zip_longest(old, new, fillvalue=" ")
            marks = "".join("^" if one != other else " " for one, other in letters)
            told += [f"{number:>4} - {old}", f"     + {new}", f"       {marks.rstrip()}"]
    return "\n".join(told)


async def settled(pilot: Pilot[Any]) -> CampaignSnapshot:
    """Waits until the campaign has been read and the desk has nothing to do; what is seen then."""
    app = pilot.app
    assert isinstance(app, BrtApp)
    await pilot.pause()
    await until(pilot, lambda: app.session.seen is not None and not at_work(app, "desk", "open"))
    assert app.session.seen is not None
    return app.session.seen


def at_work(app: BrtApp, *groups: str) -> bool:
    """Whether any worker of some groups has not finished."""
    return any(worker.group in groups and not worker.is_finished for worker in app.workers)


async def until(pilot: Pilot[Any], holds: Callable[[], object], what: object = "it") -> None:
    """Waits for something that a worker brings about."""
    since, looks = monotonic(), 0
    while not holds():
        looks += 1
        if looks > LOOKS and monotonic() - since > PATIENCE:
            assert isinstance(pilot.app, BrtApp)
            raise AssertionError(f"{what} did not come about:\n{screen_text(pilot.app)}")
        await pilot.pause(0.01)
        if looks > LOOKS:
            sleep(clock.NAP)  # whose turn it is may be another process's
    await pilot.pause()


async def shown(pilot: Pilot[Any], words: str) -> str:
    """Waits until the screen shows some words; all that it shows then."""
    app = pilot.app
    assert isinstance(app, BrtApp)

    def are_shown() -> bool:
        try:
            return words in screen_text(app)
        except KeyError:  # a widget of the screen has no styles yet
            return False

    await until(pilot, are_shown, repr(words))
    return screen_text(app)


def look_from(desk: OpenCampaign, seat: Side | None) -> CampaignSnapshot:
    """The campaign as a seat sees it, without taking the seat."""
    sat = desk.seat
    desk.set_seat(seat_of_side(seat))
    try:
        return take_snapshot(desk)
    finally:
        desk.set_seat(sat)
