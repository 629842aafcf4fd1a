"""Draws every room as the terminals of players show it: `python -m tests.tools.gallery FOLDER`.

One picture for each room, size and look, as SVG; `--rooms`, `--sizes` and `--looks` draw fewer.
They are for looking at, one by one, before a release; nothing compares them.
"""

import argparse
import asyncio
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from textual.pilot import Pilot

from brt_cg.model.counters import Side
from brt_cg.tui.app import BrtApp
from brt_cg.tui.look.depth import SIXTEEN, ColorDepth
from brt_cg.tui.look.signs import SignSet
from brt_cg.tui.look.themes import OURS
from brt_cg.tui.session.session import Seat
from tests.tools.pictures import AT, BUYING, END, SETUP, away_from_home, campaign_at, settled

SIZES = ("80x24", "120x40", "200x60")
LOOKS = ("dark", "light", "256", "256-light", "16", "16-light", "8-light", "none", "plain")
DEPTHS = {"256": ColorDepth.OF_256, "16": ColorDepth.OF_16, "8": ColorDepth.OF_8}


@dataclass(frozen=True, slots=True)
class Subject:
    """What a picture shows: the keys that lead there from the Dashboard, the seat, and the last
    paragraph that is played before."""

    keys: tuple[str, ...] = ()
    seat: Seat = None
    through: str = AT


SUBJECTS = {
    "home": Subject(("h",)),
    "dashboard": Subject(),
    "refit": Subject(("r",)),
    "refit-list": Subject(("r",), through="15.6136"),
    "forces": Subject(("f",)),
    "map": Subject(("m",)),
    "map-far": Subject(("m", "minus")),
    "map-near": Subject(("m", "plus")),
    "perimeters": Subject(("m",), through="15.606"),
    "point": Subject(("b", "enter", "down", "down", "f4"), Side.JAPANESE, BUYING),
    "journal": Subject(("j",), through=BUYING),
    "dice": Subject(("j", "D"), through=BUYING),
    "purchases": Subject(("b", "right", "right"), Side.JAPANESE, BUYING),
    "purchases-marine": Subject(("b",), Side.MARINE, BUYING),
    "campaign": Subject(("f2",)),
    "rulings": Subject(("ctrl+p", *"rulings", "enter")),
    "allotments": Subject(("ctrl+p", *"allotments", "enter"), through=BUYING),
    "totals": Subject(("ctrl+p", *"totals", "enter")),
    "order_of_battle": Subject(("ctrl+p", *"order", "enter")),
    "audit": Subject(("ctrl+p", *"audit", "enter")),
    "catalogue": Subject(("ctrl+p", *"catalogue", "enter")),
    "export": Subject(("ctrl+p", *"export", "enter")),
    "forecast": Subject(("F",)),
    "setup": Subject(("p",), through=SETUP),
    "aids": Subject(("a",)),
    "scenario_end": Subject(("f", "i"), through=END),
    "edit": Subject(("f", "down", "enter")),
    "buy": Subject(("b", "enter"), Side.JAPANESE, BUYING),
    "new": Subject(("h", "N", "enter")),
    "why": Subject(("f", "w")),
    "help": Subject(("question_mark",)),
    "palette": Subject(("ctrl+p",)),
    "seat": Subject(("s",)),
}


def draw(folder: Path, subjects: list[str], sizes: list[str], looks: list[str]) -> Iterator[Path]:
    """Draws the pictures into a folder, yielding each file."""
    folder.mkdir(parents=True, exist_ok=True)
    with away_from_home() as away:
        places = {SUBJECTS[name].through for name in subjects}
        paths = {through: campaign_at(away / through, through) for through in sorted(places)}
        for name in subjects:
            subject = SUBJECTS[name]
            for size in sizes:
                for look in looks:
                    with _colours(look):
                        app = BrtApp(paths[subject.through], seat=subject.seat)
                    drawn = asyncio.run(_drawn(app, subject, size, look))
                    file = folder / f"{name}-{size}-{look}.svg"
                    file.write_text(drawn, "utf-8")
                    yield file


@contextmanager
def _colours(look: str) -> Iterator[None]:
    """An app looks for the variable when it is made."""
    if look == "none":
        os.environ["NO_COLOR"] = "1"
    yield
    os.environ.pop("NO_COLOR", None)


async def _drawn(app: BrtApp, subject: Subject, size: str, look: str) -> str:
    columns, rows = map(int, size.split("x"))
    async with app.run_test(size=(columns, rows)) as pilot:
        app.theme = OURS["light" in look].name
        app.use_depth(DEPTHS.get(look.split("-")[0], ColorDepth.FULL))
        app.use_signs(SignSet.PLAIN if look == "plain" else SignSet.FULL)
        await _there(pilot, app, subject)
        return _as_svg(app)


async def _there(pilot: Pilot[Any], app: BrtApp, subject: Subject) -> None:
    await settled(pilot, app)
    for key in subject.keys:
        await pilot.press(key)
    await settled(pilot, app)
    while any(worker.group == "counting" and worker.is_running for worker in app.workers):
        await pilot.pause(0.1)  # a forecast is played
    await pilot.pause(0.2)


def _as_svg(app: BrtApp) -> str:
    """The screen in the colours of the Linux console where it names them by number."""
    width, height = app.size
    kept = Console(
        width=width,
        height=height,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        record=True,
        legacy_windows=False,
        safe_box=False,
    )
    screens = app._background_screens
    kept.print(app.screen._compositor.render_update(full=True, screen_stack=screens))
    drawn = kept.export_svg(title="brt-cg", theme=_sixteen())
    return drawn.replace("<text ", '<text xml:space="preserve" ')


def _sixteen() -> TerminalTheme:
    table = SIXTEEN[1].split()
    colours = [(int(rgb[:2], 16), int(rgb[2:4], 16), int(rgb[4:], 16)) for rgb in table]
    return TerminalTheme(colours[0], colours[7], colours[:8], colours[8:])


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rooms", nargs="+", default=[*SUBJECTS], choices=[*SUBJECTS])
    parser.add_argument("--sizes", nargs="+", default=SIZES)
    parser.add_argument("--looks", nargs="+", default=LOOKS, choices=LOOKS)
    wanted = parser.parse_args()
    for file in draw(wanted.folder, wanted.rooms, wanted.sizes, wanted.looks):
        sys.stdout.write(f"{file}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
