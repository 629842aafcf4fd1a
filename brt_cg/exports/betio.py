"""The map of Betio as a drawing (SVG), north up, from the hex data and a campaign."""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache, partial
from html import escape
from math import dist

from brt_cg.board import NUMBERS, ROWS, TerrainType, locations
from brt_cg.exports.blocks import printable_line
from brt_cg.exports.font_metrics import text_width
from brt_cg.exports.map_frame import (
    EDGE,
    FONT,
    HEIGHT,
    ROW,
    WHOLE,
    WIDTH,
    MapFrame,
    border_path_of_hexes,
    hex_center,
    hex_outline,
    hexes_in_frame,
    svg_text,
)
from brt_cg.exports.map_symbols import (
    area_name_symbol,
    area_symbols,
    former_front_line,
    hex_tooltips,
    legend_height,
    legend_symbols,
    map_stacks,
    stack_and_isolation_symbols,
)
from brt_cg.model import Campaign, Side, natural_sort_key

# Light and dark enough to be distinguished in gray; as in the style sheet of HTML.
COLORS = {
    TerrainType.OCEAN: "#c2d4db",
    TerrainType.BEACH: "#fdfbf4",
    TerrainType.LAND: "#f4eedd",
    TerrainType.PIER: "#c3ae84",
}
SOFT = "#7d7766"
CROWDED = 4.4  # units of a name that leaves room for that of the next hex
BEACH_NAME = 7  # units
MIDDLE = (WHOLE.left + WHOLE.width / 2, WHOLE.top + WHOLE.height / 2)


def draw_map(
    view: Campaign,
    words: str,
    *,
    max_hex: int = NUMBERS,
    own: Iterable[Side] = tuple(Side),
    frame: MapFrame = WHOLE,
    explained: bool = True,
    former: Iterable[str] = (),
    former_date: str = "",
    tells: bool = False,
) -> str:
    """Return the map with Setup Areas, Isolated Locations, and the stacks of the sides in `own`; if
    it is `explained`, with a legend below it. `former` are the hexes that the Marines held at the
    end of a CG Date: the former front is drawn there. A drawing that `tells` shows the contents of
    the hex under the pointer."""
    was = set(former)
    front = f"Front on {former_date}" if was else ""
    # The Marines' solid lines cover the dotted ones.
    found = view.areas.values()
    areas = sorted(found, key=lambda area: (area.side is Side.MARINE, natural_sort_key(area.id)))
    body = [
        _ground(frame),
        _out_of_play(frame, max_hex),
        *(line for area in areas for line in area_symbols(area, frame)),
        *([former_front_line(border_path_of_hexes(was, was | _ocean()))] if was else ()),
        _names(frame, frozenset(stack.hex for stack in map_stacks(view, own))),
        *stack_and_isolation_symbols(view, own, frame),
        *(line for area in areas for line in area_name_symbol(area, frame)),
        *(hex_tooltips(view, frame) if tells else ()),
        *(legend_symbols(frame, front) if explained else ()),
    ]
    height = frame.height + (legend_height(frame, front) if explained else 0)
    box = f"{frame.left:.1f} {frame.top:.1f} {frame.width:.1f} {height:.1f}"
    # The size of the drawing by itself, in an image viewer.
    size = f'width="{frame.width * 5:.0f}" height="{height * 5:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} role="img" '
        f'font-family="{FONT}"><title>{escape(printable_line(words))}</title>{"".join(body)}</svg>'
    )


@cache
def _ground(frame: MapFrame) -> str:
    """Draw the sea, beaches, land and the pier. They are the same in every drawing of a frame, and
    have an id, so that a page with several drawings contains them only once."""
    rect = f'x="{frame.left}" y="{frame.top}" width="{frame.width}" height="{frame.height}"'
    drawn = [f'<rect class="sea" {rect} fill="{COLORS[TerrainType.OCEAN]}"/>']
    for terrain, color in COLORS.items():
        path = "".join(
            hex_outline(hex)
            for hex in hexes_in_frame(frame)
            if locations.terrain_of(hex) is terrain
        )
        name = "sea" if terrain is TerrainType.OCEAN else terrain.value
        faint = ' stroke-opacity=".35"' if terrain is TerrainType.OCEAN else ""
        drawn.append(
            f'<path class="{name} grid" d="{path}" fill="{color}" '
            f'stroke="#b9b09a" stroke-width=".25"{faint}/>'
        )
    shore = border_path_of_hexes(
        hex for hex in hexes_in_frame(frame) if locations.terrain_of(hex) is not TerrainType.OCEAN
    )
    drawn.append(
        f'<path class="shore" d="{shore}" fill="none" stroke="{SOFT}" stroke-width=".45" '
        'stroke-linecap="round"/>'
    )
    name = f"ground-{frame.printed}-{frame.left:.0f}-{frame.top:.0f}-{frame.width:.0f}"
    return f'<g id="{name}">{"".join(drawn)}</g>'


@cache
def _out_of_play(frame: MapFrame, max_hex: int) -> str:
    """Return a veil over the hexes that are not in play."""
    beyond = [hex for hex in hexes_in_frame(frame) if locations.hex_sort_key(hex)[1] > max_hex]
    path = "".join(map(hex_outline, beyond))
    return f'<path class="away" d="{path}" fill="#fff" fill-opacity=".62"/>' if beyond else ""


# --- names ----------------------------------------------------------------------------------------


def _names(frame: MapFrame, stacked: frozenset[str]) -> str:
    """Return the names of hexes, or of beaches if hexes are too small, and those of hexrows and
    numbers."""
    inside = _hex_names(frame) if frame.is_close_up else _beach_names(stacked)
    return "".join([*inside, *_edge_names(frame)])


def _hex_names(frame: MapFrame) -> Iterator[str]:
    size = frame.points_to_units(6)
    every = 1 if size <= CROWDED else 2  # with an even number only, to stay legible
    for hex in hexes_in_frame(frame):
        if _is_dry(hex) and locations.hex_sort_key(hex)[1] % every == 0:
            x, y = hex_center(hex)
            yield svg_text(
                x,
                y - 4.9 + size * (1 if every == 1 else 1.2),
                hex,
                size,
                fill=SOFT,
                **{"class": "label"},
            )


@lru_cache(maxsize=16)
def beach_label_positions(stacked: frozenset[str] = frozenset()) -> dict[str, tuple[float, float]]:
    """Return the position of each section's name: in the water off it, clear of the coast, stacks
    and other names."""
    spots: dict[str, tuple[float, float]] = {}
    taken: list[tuple[float, float, float]] = [
        (*hex_center(hex), WIDTH) for hex in hexes_in_frame(WHOLE) if _is_dry(hex) or hex in stacked
    ]
    for section, hexes in sorted(_sections().items()):
        name = locations.beach_name(section)
        half = text_width(name, BEACH_NAME) / 2 + 0.4 * len(name)
        middle = [sum(both) / len(hexes) for both in zip(*map(hex_center, hexes), strict=True)]
        near = sorted(map(hex_center, hexes_in_frame(WHOLE)), key=partial(dist, middle))
        spots[name] = next(
            (x, y)
            for x, y in near
            if abs(x - MIDDLE[0]) < WHOLE.width / 2 - EDGE - half
            and abs(y - MIDDLE[1]) < WHOLE.height / 2 - EDGE - BEACH_NAME
            and all(
                abs(x - other) > half + wide / 2 + 2 or abs(y - high) > HEIGHT / 2 + BEACH_NAME / 2
                for other, high, wide in taken
            )
        )
        taken.append((*spots[name], 2 * half))
    return spots


def _beach_names(stacked: frozenset[str]) -> Iterator[str]:
    marks = {"class": "label beach-name", "font_style": "italic", "letter_spacing": ".4"}
    for name, (x, y) in beach_label_positions(stacked).items():
        yield svg_text(x, y + BEACH_NAME * 0.35, name, BEACH_NAME, fill=SOFT, **marks)


def _sections() -> dict[str, list[str]]:
    """Return the hexes of each section."""
    sections: dict[str, list[str]] = {}
    for hex in hexes_in_frame(WHOLE):
        if (name := locations.beach_of_hex(hex)) is not None:
            sections.setdefault(name, []).append(hex)
    return sections


def _edge_names(frame: MapFrame) -> Iterator[str]:
    """Yield the letters of hexrows on both sides, every fifth number above and below."""
    size = min(frame.points_to_units(7), EDGE - 2)
    marks = {"fill": SOFT, "class": "label"}
    right, foot = frame.left + frame.width, frame.top + frame.height
    spots = [
        (x, (25 - row) * ROW + HEIGHT / 2, chr(ord("A") + row))
        for row in range(ROWS)
        for x in (frame.left + size * 0.6, right - size * 0.6)
    ]
    spots += [
        ((number - 0.5) * WIDTH, y, str(number))
        for number in range(5, NUMBERS + 1, 5)
        for y in (frame.top + size * 0.65, foot - size * 0.65)
    ]
    dry = (hex_center(hex) for hex in hexes_in_frame(frame) if frame.is_close_up and _is_dry(hex))
    near = 2 * WIDTH  # the least distance to the edge
    named = [
        (x, y) for x, y in dry if min(x - frame.left, right - x, y - frame.top, foot - y) < near
    ]
    for x, y, words in spots:
        inside = frame.left < x < right and frame.top + size / 2 < y < foot - size / 2
        # Where hexes have names of their own, nothing else is written over them.
        if inside and all(dist((x, y), other) > WIDTH for other in named):
            yield svg_text(x, y + size * 0.35, words, size, **marks)


@cache
def _ocean() -> frozenset[str]:
    return frozenset(hex for hex in hexes_in_frame(WHOLE) if not _is_dry(hex))


def _is_dry(hex: str) -> bool:
    return locations.terrain_of(hex) is not TerrainType.OCEAN
