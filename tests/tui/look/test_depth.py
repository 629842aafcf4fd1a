"""Text can be read in the colours that the terminal has, in every room."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.color import Color as RichColor
from rich.color import ColorType
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._context import visible_screen_stack
from textual.color import Color
from textual.theme import Theme

from brt_cg.tui.app import BrtApp
from brt_cg.tui.keys.actions import ROOMS, SCENARIO_END
from brt_cg.tui.look.contrast import LEAST, contrast
from brt_cg.tui.look.depth import (
    Depth,
    TerminalColours,
    depth_of,
    least_contrast,
    named,
    nearest,
    readable_on,
    shown_as,
)
from brt_cg.tui.look.themes import OURS
from brt_cg.tui.map.island_map import IslandMap
from tests.tui import clock
from tests.tui.helpers import MIDDLE
from tests.tui.moments import opened, played, to_room

BLACK = Color(0, 0, 0)


@pytest.mark.parametrize(
    ("term", "colours", "depth"),
    [
        ("xterm", "", Depth.OF_16),
        ("screen", "", Depth.OF_16),
        ("linux", "", Depth.OF_8),
        ("xterm-256color", "", Depth.OF_256),
        ("xterm", "truecolor", Depth.FULL),
        ("dumb", "", Depth.NONE),
    ],
)
def test_the_terminal_says_how_many_colours_it_has(term: str, colours: str, depth: Depth) -> None:
    environ = {"TERM": term, "COLORTERM": colours}
    console = Console(force_terminal=True, legacy_windows=False, _environ=environ)
    assert depth_of(console, environ) is depth


def test_the_256_colours_are_a_cube_and_greys() -> None:
    assert [shown_as(number)[0].rgb for number in (16, 21, 196, 231, 232, 255)] == [
        (0, 0, 0),
        (0, 0, 255),
        (255, 0, 0),
        (255, 255, 255),
        (8, 8, 8),
        (238, 238, 238),
    ]


def test_text_moves_to_the_nearest_colour_that_can_be_read() -> None:
    yellow = Color(200, 200, 60)
    assert least_contrast(nearest(yellow, range(16)), 7) < LEAST
    assert least_contrast(readable_on(7, yellow, range(16)), 7) >= LEAST


def test_dim_and_reversed_text_can_be_read_too() -> None:
    style = Style(color=RichColor.from_rgb(120, 120, 120), dim=True)
    style += Style(bgcolor=RichColor.from_rgb(0, 0, 0))
    for some in (style, style + Style(reverse=True)):
        (fitted,) = TerminalColours(Depth.OF_16).apply([Segment("x", some)], BLACK)
        assert fitted.style is not None
        assert not fitted.style.dim
        assert not fitted.style.reverse
        assert contrast_of(fitted.style) >= LEAST


def test_frames_need_not_stand_out() -> None:
    grey = Style(color=RichColor.from_rgb(85, 85, 85), bgcolor=RichColor.from_rgb(0, 0, 0))
    (frame,) = TerminalColours(Depth.OF_16).apply([Segment("──╮", grey)], BLACK)
    assert frame.style is not None
    assert frame.style.color == RichColor.from_ansi(8)


def contrast_of(style: Style) -> float:
    """The contrast of text with its ground; in colours that differ from terminal to terminal the
    least one."""
    ink, ground = style.color, style.bgcolor
    assert ink is not None
    assert ground is not None
    if ink.type is ColorType.TRUECOLOR and ground.type is ColorType.TRUECOLOR:
        pair = Color.from_rich_color(ink), Color.from_rich_color(ground)
        return contrast(*(pair[::-1] if style.reverse else pair))
    assert ink.number is not None
    assert ground.number is not None
    return least_contrast(ink.number, ground.number)


def faint(app: BrtApp) -> Iterator[tuple[str, float]]:
    """Yields the texts on the screen that cannot be read, with their contrast."""
    clock.draw()
    visible_screen_stack.set(app._background_screens)
    for strip in app.screen._compositor.render_strips():
        for text, style, _ in strip:
            words = "".join(letter for letter in text if letter.isalnum())
            if style is None or not words or style.color is None or style.bgcolor is None:
                continue
            found = contrast_of(style)
            if found < LEAST:
                yield text.strip(), round(found, 2)


@pytest.mark.parametrize("depth", [Depth.FULL, Depth.OF_256, Depth.OF_16, Depth.OF_8])
@pytest.mark.parametrize("theme", OURS, ids=lambda theme: theme.name)
async def test_all_text_of_every_room_can_be_read(
    theme: Theme, depth: Depth, demo_file: Path
) -> None:
    path = played(demo_file, "15.6111")
    async with opened(path, size=MIDDLE) as (app, pilot):
        app.theme = theme.name
        app.use_depth(depth)
        await pilot.pause()
        found = []
        for room in ROOMS:
            if room != SCENARIO_END:
                await to_room(pilot, room)
                found += [(room, *one) for one in faint(app)]
        assert found == []


def test_faint_grey_stays_without_a_hue() -> None:
    for ground in (0, 4, 7, 15):
        ink = readable_on(ground, Color(130, 125, 115), range(16))
        assert ink in (0, 7, 8, 15)
        assert least_contrast(ink, ground) >= LEAST


@pytest.mark.parametrize("term", ["xterm", "dumb"])
async def test_without_a_terminal_all_colours_are_drawn(
    term: str, demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    async with opened(demo_file) as (app, pilot):
        assert app.depth is Depth.FULL
        assert Color.parse(app.get_css_variables()["marine"]) == Color.parse(
            OURS[0].variables["marine"]
        )
        await to_room(pilot, "map")
        assert island(app).drawing.depth is Depth.FULL


async def test_a_terminal_of_16_colours_has_its_own_theme_and_map(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setattr(BrtApp, "is_headless", False)
    async with opened(demo_file) as (app, pilot):
        assert app.depth is Depth.OF_16
        assert Color.parse(app.get_css_variables()["marine"]) == named(14)
        await to_room(pilot, "map")
        assert island(app).drawing.depth is Depth.OF_16


def island(app: BrtApp) -> IslandMap:
    return app.screen.query_one(IslandMap)
