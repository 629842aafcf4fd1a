"""Text can be read in the colours that the terminal has, in every room."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from rich.color import Color as RichColor
from rich.color import ColorType
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._context import visible_screen_stack
from textual.color import Color
from textual.pilot import Pilot
from textual.theme import BUILTIN_THEMES, Theme

from brt_cg.tui.app import BrtApp
from brt_cg.tui.keys.actions import ROOMS, SCENARIO_END
from brt_cg.tui.look.contrast import LEAST, contrast_ratio
from brt_cg.tui.look.depth import (
    ColorDepth,
    FadedColorFilter,
    TerminalColorFilter,
    ansi_theme_color,
    detect_color_depth,
    least_contrast,
    nearest_color,
    nearest_readable_color,
    possible_rgbs_of_color,
)
from brt_cg.tui.look.style_filter import ReadableTextFilter
from brt_cg.tui.look.themes import OURS
from brt_cg.tui.map.island_map import IslandMap
from tests.settings import count
from tests.tui import clock
from tests.tui.helpers import MIDDLE
from tests.tui.moments import opened, played, press, to_room

BLACK = Color(0, 0, 0)


@pytest.mark.parametrize(
    ("term", "colours", "depth"),
    [
        ("xterm", "", ColorDepth.OF_16),
        ("screen", "", ColorDepth.OF_16),
        ("linux", "", ColorDepth.OF_8),
        ("xterm-256color", "", ColorDepth.OF_256),
        ("xterm", "truecolor", ColorDepth.FULL),
        ("dumb", "", ColorDepth.NONE),
    ],
)
@pytest.mark.posix  # Windows is asked instead
def test_the_number_of_colors_is_read_from_the_terminal(
    term: str, colours: str, depth: ColorDepth
) -> None:
    environ = {"TERM": term, "COLORTERM": colours}
    console = Console(force_terminal=True, legacy_windows=False, _environ=environ)
    assert detect_color_depth(console, environ) is depth


def test_the_256_colors_are_a_cube_and_grays() -> None:
    assert [possible_rgbs_of_color(number)[0].rgb for number in (16, 21, 196, 231, 232, 255)] == [
        (0, 0, 0),
        (0, 0, 255),
        (255, 0, 0),
        (255, 255, 255),
        (8, 8, 8),
        (238, 238, 238),
    ]


def test_text_gets_the_nearest_readable_color() -> None:
    yellow = Color(200, 200, 60)
    assert least_contrast(nearest_color(yellow, range(16)), 7) < LEAST
    assert least_contrast(nearest_readable_color(7, yellow, range(16)), 7) >= LEAST


def test_dim_and_reversed_text_is_readable() -> None:
    style = Style(color=RichColor.from_rgb(120, 120, 120), dim=True)
    style += Style(bgcolor=RichColor.from_rgb(0, 0, 0))
    for some in (style, style + Style(reverse=True)):
        (fitted,) = TerminalColorFilter(ColorDepth.OF_16).apply([Segment("x", some)], BLACK)
        assert fitted.style is not None
        assert not fitted.style.dim
        assert not fitted.style.reverse
        assert contrast_of(fitted.style) >= LEAST


@pytest.mark.parametrize("ground", [(0, 0, 0), (90, 95, 100), (128, 128, 128), (250, 240, 220)])
def test_in_full_color_any_text_is_adjusted_until_readable(
    ground: tuple[int, int, int],
) -> None:
    below = Style(bgcolor=RichColor.from_rgb(*ground))
    for ink in ((0, 0, 0), (100, 100, 100), (200, 160, 60), (255, 255, 255)):
        text = below + Style(color=RichColor.from_rgb(*ink))
        for style in (text, text + Style(dim=True), text + Style(reverse=True)):
            (fitted,) = ReadableTextFilter().apply([Segment("x", style)], BLACK)
            assert fitted.style is not None
            assert not fitted.style.dim
            assert contrast_of(fitted.style) >= LEAST
            (frame,) = ReadableTextFilter().apply([Segment("──╮", style)], BLACK)
            assert frame.style == style


@pytest.mark.parametrize("depth", [ColorDepth.OF_256, ColorDepth.OF_16, ColorDepth.OF_8])
def test_the_background_of_a_box_does_not_stand_out(depth: ColorDepth) -> None:
    faint = Style(color=RichColor.from_rgb(70, 70, 70), bgcolor=RichColor.from_rgb(20, 20, 20))
    drawn = [
        each(depth).apply([Segment("x", faint)], BLACK)
        for each in (FadedColorFilter, TerminalColorFilter)
    ]
    behind, in_front = (segment.style for (segment,) in drawn)
    assert behind is not None
    assert in_front is not None
    assert contrast_of(behind) < LEAST <= contrast_of(in_front)


def test_a_gray_has_no_hue_among_256_colors() -> None:
    for grey in ((130, 125, 115), (168, 154, 124), (99, 101, 103)):
        shown = possible_rgbs_of_color(nearest_readable_color(16, Color(*grey), range(16, 256)))[0]
        assert len({*shown.rgb}) == 1


def test_frames_need_not_stand_out() -> None:
    grey = Style(color=RichColor.from_rgb(85, 85, 85), bgcolor=RichColor.from_rgb(0, 0, 0))
    (frame,) = TerminalColorFilter(ColorDepth.OF_16).apply([Segment("──╮", grey)], BLACK)
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
        return contrast_ratio(*(pair[::-1] if style.reverse else pair))
    assert ink.number is not None
    assert ground.number is not None
    return least_contrast(ink.number, ground.number)


def faint(app: BrtApp) -> Iterator[tuple[str, float]]:
    """Yields the texts on the screen, or in the box in front, that cannot be read, with their
    contrast."""
    clock.draw()
    front = app.screen
    visible_screen_stack.set(app._background_screens)
    left, top, width, height = front.children[0].region if front.is_modal else front.region
    for strip in front._compositor.render_strips()[top : top + height]:
        for text, style, _ in strip.crop(left, left + width):
            words = "".join(letter for letter in text if letter.isalnum())
            if style is None or not words or style.color is None or style.bgcolor is None:
                continue
            found = contrast_of(style)
            if found < LEAST:
                yield text.strip(), round(found, 2)


async def dress(pilot: Pilot[int], theme: str, depth: ColorDepth) -> None:
    """Draws all that is shown in the colours of a theme, on a terminal that has so many."""
    app = pilot.app
    assert isinstance(app, BrtApp)
    app.theme = theme
    app.use_depth(depth)
    for map in app.screen.query(IslandMap):
        map.use_depth(depth)
    app.refresh_css(animate=False)
    await pilot.pause()


async def faint_in(pilot: Pilot[int], looks: Iterable[tuple[Theme, ColorDepth]]) -> list[str]:
    """The texts on the screen in front that cannot be read in some looks."""
    app = pilot.app
    assert isinstance(app, BrtApp)
    found = []
    for theme, depth in looks:
        await dress(pilot, theme.name, depth)
        found += [f"{theme.name} {depth}: {text} {least}" for text, least in faint(app)]
    return found


LAMPLIGHT, DAYLIGHT = OURS


async def test_all_text_of_every_room_is_readable(demo_file: Path) -> None:
    looks = [(DAYLIGHT, ColorDepth.FULL), (LAMPLIGHT, ColorDepth.OF_16)]
    looks += [(LAMPLIGHT, ColorDepth.OF_256), (DAYLIGHT, ColorDepth.OF_8)][: count(0, 2)]
    async with opened(played(demo_file, "15.6111"), size=MIDDLE) as (_, pilot):
        found = []
        for room in ROOMS:
            if room != SCENARIO_END:
                await to_room(pilot, room)
                found += await faint_in(pilot, looks)
        assert found == []


async def test_all_text_of_the_scenario_end_and_of_boxes_is_readable(demo_file: Path) -> None:
    looks = [(BUILTIN_THEMES["solarized-light"], ColorDepth.FULL)]
    looks += [(BUILTIN_THEMES["gruvbox"], ColorDepth.OF_16), (DAYLIGHT, ColorDepth.FULL)][
        : count(1, 2)
    ]
    async with opened(played(demo_file, None), size=MIDDLE) as (app, pilot):
        found = []
        for keys in ("f i", "question_mark", "escape down m", "escape enter", "escape escape f e"):
            await press(pilot, *keys.split())
            assert app.screen.is_modal is not keys.endswith(("i", "m")), keys
            found += await faint_in(pilot, looks)
        assert found == []


def test_faint_gray_stays_without_a_hue() -> None:
    for ground in (0, 4, 7, 15):
        ink = nearest_readable_color(ground, Color(130, 125, 115), range(16))
        assert ink in (0, 7, 8, 15)
        assert least_contrast(ink, ground) >= LEAST


@pytest.mark.parametrize("term", ["xterm", "dumb"])
async def test_all_colors_are_drawn_without_a_terminal(
    term: str, demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    async with opened(demo_file) as (app, pilot):
        assert app.depth is ColorDepth.FULL
        assert Color.parse(app.get_css_variables()["marine"]) == Color.parse(
            OURS[0].variables["marine"]
        )
        await to_room(pilot, "map")
        assert island(app).drawing.depth is ColorDepth.FULL


@pytest.mark.posix
async def test_a_terminal_with_16_colors_has_its_own_theme_and_map(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setattr(BrtApp, "is_headless", False)
    async with opened(demo_file) as (app, pilot):
        assert app.depth is ColorDepth.OF_16
        assert Color.parse(app.get_css_variables()["marine"]) == ansi_theme_color(14)
        await to_room(pilot, "map")
        assert island(app).drawing.depth is ColorDepth.OF_16


def island(app: BrtApp) -> IslandMap:
    return app.screen.query_one(IslandMap)
