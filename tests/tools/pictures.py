"""Draws the pictures of the README: `python -m tests.tools.pictures .pictures`.

They are made from the demo campaign, played to the same places with the same dice, so that they
change only when a screen or a document does.
"""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typst
from textual.pilot import Pilot

from brt_cg.exports import build_document, export_document
from brt_cg.exports.writers import as_pdf
from brt_cg.model.counters import Side
from brt_cg.questions.dice import SeededDice
from brt_cg.refit.sequence import last_paragraph_beginning_with
from brt_cg.service import demo
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.app import BrtApp
from brt_cg.tui.session.session import Seat
from brt_cg.views.view import create_view

SEED = 3
AT = "15.6111"  # the last paragraph that is played before most pictures are taken
BUYING = "15.6142"  # and before those of purchases
SETUP = "15.616"  # and before that of the setup of the next scenario
PAGE = 0  # of the roster: how the scenario starts, M1 and M2
END = "end"  # of the phase: before the next scenario, whose end is entered
FOLDERS = {
    AT: "Tarawa",
    BUYING: "Tarawa while buying",
    SETUP: "Tarawa in setup",
    END: "Tarawa before the next scenario",
}
CARD = ("full_stop", "right", "right", *["down"] * 8, "enter")  # the field for lines
LINES = """4 x 6-6-8
2 HMG
9-1 Crowe
3 x 7-6-8 engineers: DC, DC, FT
20 NT: 3 x 6-6-8 in LVT2
5 x 6-6-9"""
CODES = "x1d1f w1c1u\tq35 1s1z"  # of Areas M1 and M2
BASKET = (
    {"item": "hmg", "beach": "red_two", "quantity": 2},
    {"item": "pillbox_1_4_6", "beach": "red_two", "capacity": 2},
    {"item": "foxhole_2s", "beach": "green", "quantity": 3},
    {"item": "at_37l", "beach": "red_three", "quantity": 2, "draft": True},
    {"item": "seawall_breach", "beach": "red_three", "quantity": 3, "draft": True},
)


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: its name, the keys that lead there from the Dashboard, the seat, the size, and
    the last paragraph that is played before it is taken."""

    name: str
    keys: tuple[str, ...] = ()
    seat: Seat = None
    size: tuple[int, int] = (120, 36)
    through: str = AT


def typed(text: str) -> tuple[str, ...]:
    """The keys of a text."""
    return tuple({"\n": "enter", "\t": "tab"}.get(letter, letter) for letter in text)


SHOTS = (
    Shot("dashboard"),
    Shot("refit", ("r",)),
    Shot("order-of-battle", (*CARD, *typed(LINES)), Side.MARINE, through=SETUP),
    Shot("island", ("m", "plus"), Side.MARINE),
    Shot("setup", ("p",), through=SETUP),
    Shot("purchases", ("b", "right", "right"), Side.JAPANESE, through=BUYING),
    Shot("scenario-end", ("f", "i", "comma", *typed(CODES)), through=END),
)


def draw(folder: Path) -> Iterator[Path]:
    """Draws all pictures into a folder, yielding each file."""
    folder.mkdir(parents=True, exist_ok=True)
    with away_from_home() as away:
        places = {shot.through for shot in SHOTS}
        paths = {through: campaign_at(away / FOLDERS[through], through) for through in places}
        for shot in SHOTS:
            svg = asyncio.run(_taken(shot, paths[shot.through]))
            file = folder / f"{shot.name}.svg"
            file.write_text(svg, "utf-8")
            yield file
        yield from _on_paper(folder, away / "paper")


def _on_paper(folder: Path, away: Path) -> Iterator[Path]:
    """The map, and the page of a roster, after a whole Refit Phase."""
    away.mkdir()
    desk = OpenCampaign.open(demo.create_demo(away))
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(SEED), defaults=True)):
        pass
    drawing = folder / "map.svg"
    drawing.write_text(
        str(export_document(create_view(unrestricted_campaign(desk)), "map")), "utf-8"
    )
    yield drawing
    code = as_pdf.typst_source(
        build_document(create_view(unrestricted_campaign(desk), Side.MARINE), "roster")
    ).encode()
    pages: Any = typst.compile(code, format="png", ppi=80.0, ignore_system_fonts=True)
    desk.close()
    page = folder / "roster.png"
    page.write_bytes(pages[PAGE])
    yield page


def campaign_at(folder: Path, through: str) -> Path:
    """The demo campaign, played through a paragraph; END plays the whole Refit Phase."""
    folder.mkdir()
    path = folder / demo.NAME
    demo.create_demo(folder)
    desk = OpenCampaign.open(path)
    last = None if through == END else last_paragraph_beginning_with(through)
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(SEED), defaults=True), last):
        pass
    if last is not None:
        desk.play_to_question()
    if through == BUYING:
        for order in BASKET:
            desk.run_command("buy", {"side": "japanese", **order}, "japanese")
    desk.close()
    return path


@contextmanager
def away_from_home() -> Iterator[Path]:
    """A folder to play in, which is the player's home meanwhile: no picture shows where it is."""
    homes = ("HOME", "USERPROFILE", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
    kept = {name: os.environ.get(name) for name in homes}
    with TemporaryDirectory() as folder:
        os.environ.update(dict.fromkeys(kept, folder))
        try:
            yield Path(folder)
        finally:
            for name, value in kept.items():
                os.environ.pop(name)
                if value is not None:
                    os.environ[name] = value


async def _taken(shot: Shot, path: Path) -> str:
    app = BrtApp(path, seat=shot.seat)
    async with app.run_test(size=shot.size) as pilot:
        await settled(pilot, app)
        await pilot.press(*shot.keys)
        await settled(pilot, app)
        # Some programs drop blanks at the edge of a text unless they are told not to.
        drawn = app.export_screenshot(title="brt-cg")
        return drawn.replace("<text ", '<text xml:space="preserve" ')


async def settled(pilot: Pilot[int], app: BrtApp) -> None:
    """Waits until the campaign has been read and drawn."""
    while app.session.seen is None or app.session.busy:
        await pilot.pause(0.02)
    await pilot.wait_for_scheduled_animations()
    await pilot.pause(0.2)


def main() -> int:
    """The command; its one argument is the folder."""
    if len(sys.argv) != 2:
        sys.stderr.write("usage: python -m tests.tools.pictures FOLDER\n")
        return 2
    for file in draw(Path(sys.argv[1])):
        sys.stdout.write(f"{file}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
