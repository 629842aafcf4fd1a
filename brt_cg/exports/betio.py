"""The map of Betio as a drawing (SVG), north up, from the hex data and a campaign.

A unit of length is a tenth of a hex's width. Hexes have a corner at the bottom: numbers run from
west to east, hexrows from A in the south to Z in the north, odd hexrows half a hex further east.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from math import dist

from brt_cg.board import grid, locations
from brt_cg.board.locations import NUMBERS, ROWS, TerrainType, ground, hex_order
from brt_cg.exports.blocks import printable
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side, Unit, Vehicle
from brt_cg.model.records import Area

WIDTH, HEIGHT = 10.0, 11.63  # of a hex, across the sides and across the corners
ROW = 8.725  # from one hexrow to the next
EDGE = 6.0  # the margin for the names of hexrows and numbers
CLOSE = 26  # a map of at most so many hexes across shows the name of each hex
FONT = "Helvetica Neue, Segoe UI, Liberation Sans, Arial, Libertinus Serif, sans-serif"
COLOURS = {
    TerrainType.OCEAN: "#dce8ec",
    TerrainType.BEACH: "#f8f2e2",
    TerrainType.LAND: "#efe6cf",
    TerrainType.PIER: "#cdb98e",
}
INKS = {Side.MARINE: "#2f6249", Side.JAPANESE: "#a2402c"}
LEGEND = (
    "Setup Areas, stacks with their number of units and vehicles, and Isolated Locations (dashed "
    "rings)."
)
CORNERS = ((0, -1), (0.5, -0.5), (0.5, 0.5), (0, 1), (-0.5, 0.5), (-0.5, -0.5))


@dataclass(frozen=True, slots=True)
class Stack:
    """A side's stack in a hex: its units, without prisoners, and its vehicles."""

    hex: str
    side: Side
    units: int
    vehicles: int


def stacks(view: Campaign, sides: Iterable[Side]) -> list[Stack]:
    """The stacks on map of these sides, in order of hex."""
    found: dict[tuple[str, Side], Counter[str]] = {}
    wanted = set(sides)
    for piece in view.pieces():
        where = piece.location or (piece.recorded_location if piece.isolated else None)
        counts = isinstance(piece, Vehicle) or (isinstance(piece, Unit) and not piece.prisoner)
        if counts and piece.side in wanted and piece.in_play and where and not piece.off_map:
            found.setdefault((ground(where), piece.side), Counter())[piece.TABLE] += 1
    order = sorted(found, key=lambda key: (hex_order(key[0]), key[1]))
    return [Stack(*key, found[key]["units"], found[key]["vehicles"]) for key in order]


def isolated_hexes(view: Campaign) -> list[tuple[str, Side]]:
    """The hexes in which a side is Isolated, and that side."""
    return list(dict.fromkeys((ground(where), side) for where, side in view.isolated_units()))


# --- the drawing ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Frame:
    """The visible part of the map, in its units: the corner, width and height."""

    left: float
    top: float
    width: float
    height: float

    @property
    def close(self) -> bool:
        return self.width <= CLOSE * WIDTH

    def holds(self, x: float, y: float) -> bool:
        """Whether the name of an area fits in around a point."""
        across = self.left + 10 < x < self.left + self.width - 10
        return across and self.top + 8 < y < self.top + self.height - 6

    def shows(self, hex: str) -> bool:
        x, y = centre(hex)
        inside = self.left - WIDTH < x < self.left + self.width + WIDTH
        return inside and self.top - HEIGHT < y < self.top + self.height + HEIGHT


WHOLE = Frame(-EDGE, -EDGE, NUMBERS * WIDTH + 5 + 2 * EDGE, 25 * ROW + HEIGHT + 2 * EDGE)


@cache
def centre(hex: str) -> tuple[float, float]:
    """The point in the middle of a hex."""
    row, number = locations.key(hex)
    return (number - 0.5) * WIDTH + (5 if row % 2 else 0), (25 - row) * ROW + HEIGHT / 2


def frame_round(hexes: Iterable[str]) -> Frame:
    """The part of the map with these hexes and their surroundings."""
    middles = [centre(hex) for hex in hexes]
    lefts, tops = [x for x, _ in middles], [y for _, y in middles]
    width = max(max(lefts) - min(lefts) + 7 * WIDTH, 18 * WIDTH)
    height = max(max(tops) - min(tops) + 5 * ROW, width * 0.36)
    width = max(width, height * 1.4)
    x, y = (min(lefts) + max(lefts)) / 2, (min(tops) + max(tops)) / 2
    left = max(WHOLE.left, min(x - width / 2, WHOLE.left + WHOLE.width - width))
    top = max(WHOLE.top, min(y - height / 2, WHOLE.top + WHOLE.height - height))
    return Frame(left, top, min(width, WHOLE.width), min(height, WHOLE.height))


def map_svg(
    view: Campaign,
    words: str,
    *,
    max_hex: int = NUMBERS,
    own: Iterable[Side] = tuple(Side),
    frame: Frame = WHOLE,
) -> str:
    """The map with Setup Areas, Isolated Locations, and the stacks of the sides in `own`."""
    shown = _shown(frame)
    areas = sorted(view.areas.values(), key=lambda area: area.id)
    body = [
        _ground(frame),
        _out_of_play(frame, max_hex),
        *(line for area in areas for line in _area(area, shown)),
        _names(frame),
        *(_ring(hex, side) for hex, side in isolated_hexes(view) if frame.shows(hex)),
        *(line for stack in stacks(view, own) if frame.shows(stack.hex) for line in _stack(stack)),
        *(line for area in areas for line in _area_name(area, frame)),
    ]
    box = f"{frame.left:.1f} {frame.top:.1f} {frame.width:.1f} {frame.height:.1f}"
    # The size of the drawing by itself, in an image viewer.
    size = f'width="{frame.width * 5:.0f}" height="{frame.height * 5:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} role="img" '
        f'font-family="{FONT}"><title>{escape(printable(words))}</title>{"".join(body)}</svg>'
    )


@cache
def _shown(frame: Frame) -> list[str]:
    """The hexes within a frame, in order."""
    return sorted((hex for hex in locations.in_play() if frame.shows(hex)), key=locations.key)


@cache
def _ground(frame: Frame) -> str:
    """Sea, beaches, land and the pier: the same in every drawing of a frame."""
    rect = f'x="{frame.left}" y="{frame.top}" width="{frame.width}" height="{frame.height}"'
    drawn = [f'<rect class="sea" {rect} fill="{COLOURS[TerrainType.OCEAN]}"/>']
    for terrain, colour in COLOURS.items():
        path = "".join(_outline(hex) for hex in _shown(frame) if locations.terrain(hex) is terrain)
        name = "sea" if terrain is TerrainType.OCEAN else terrain.value
        faint = ' stroke-opacity=".35"' if terrain is TerrainType.OCEAN else ""
        drawn.append(
            f'<path class="{name} grid" d="{path}" fill="{colour}" '
            f'stroke="#b9b09a" stroke-width=".25"{faint}/>'
        )
    return "".join(drawn)


@cache
def _names(frame: Frame) -> str:
    """The names of hexes, or of beaches if hexes are too small; of hexrows and numbers."""
    inside = _hex_names(_shown(frame)) if frame.close else _beach_names()
    return "".join([*inside, *_edge_names(frame)])


@cache
def _outline(hex: str) -> str:
    x, y = centre(hex)
    return f"M{x - 5:.1f} {y - 2.91:.1f}l5-2.9 5 2.9v5.82l-5 2.9-5-2.9z"


def _area(area: Area, shown: Iterable[str]) -> Iterator[str]:
    """An area's hexes tinted, with a line around them."""
    mine = set(area.hexes)
    hexes = [hex for hex in shown if hex in mine]
    ink, name = INKS[area.side], area.side.value
    if not hexes:
        return
    tint = "".join(map(_outline, hexes))
    yield f'<path class="{name}" d="{tint}" fill="{ink}" fill-opacity=".16"/>'
    # The sides of its hexes that are not shared with another one of them.
    line = "".join(line for hex in hexes for near, line in _sides(hex) if near not in mine)
    yield (
        f'<path class="{name}-line" d="{line}" fill="none" stroke="{ink}" stroke-width="1.1" '
        'stroke-linecap="round"/>'
    )


@cache
def _sides(hex: str) -> tuple[tuple[str | None, str], ...]:
    """Each side of a hex: the hex beyond it, if there is one, and the line along it."""
    x, y = centre(hex)
    corners = [(x + across * WIDTH, y + down * HEIGHT / 2) for across, down in CORNERS]
    sides = []
    for (a, b), (c, d) in zip(corners, [*corners[1:], corners[0]], strict=True):
        across = (a + c - x, b + d - y)
        near = (near for near in grid.neighbours(hex) if dist(centre(near), across) < 1)
        sides.append((next(near, None), f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}"))
    return tuple(sides)


@cache
def _out_of_play(frame: Frame, max_hex: int) -> str:
    """A veil over the hexes that are not in play."""
    beyond = [hex for hex in _shown(frame) if locations.key(hex)[1] > max_hex]
    path = "".join(map(_outline, beyond))
    return f'<path class="away" d="{path}" fill="#fff" fill-opacity=".62"/>' if beyond else ""


# --- names and marks ------------------------------------------------------------------------------


def _text(x: float, y: float, words: str, size: float, **marks: str) -> str:
    attributes = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in marks.items())
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="middle"'
    return f"<text {place}{attributes}>{escape(words)}</text>"


def _hex_names(shown: Iterable[str]) -> Iterator[str]:
    for hex in shown:
        if locations.terrain(hex) is not TerrainType.OCEAN:
            x, y = centre(hex)
            yield _text(x, y - 2.6, hex, 2, fill="#8d8674", **{"class": "label"})


def _beach_names() -> Iterator[str]:
    """The name of each section, in the water off the beach."""
    sections: dict[str, list[str]] = {}
    for hex in _shown(WHOLE):
        if (name := locations.beach(hex)) is not None:
            sections.setdefault(name, []).append(hex)
    marks = {"class": "label", "font_style": "italic", "letter_spacing": ".4"}
    for name, section in sorted(sections.items()):
        shallows = _water_by(section)
        deeper = _water_by(shallows) - shallows
        middles = sorted(centre(hex) for hex in (deeper | _water_by(deeper)) - shallows)
        x = sum(x for x, _ in middles) / len(middles)
        y = sum(y for _, y in middles) / len(middles)
        yield _text(x, y, locations.beach_name(name), 6, fill="#8d8674", **marks)


def _water_by(hexes: Iterable[str]) -> set[str]:
    """The Ocean hexes adjacent to any of these."""
    near = {beside for hex in hexes for beside in grid.neighbours(hex)}
    return {hex for hex in near if locations.terrain(hex) is TerrainType.OCEAN}


def _edge_names(frame: Frame) -> Iterator[str]:
    """The letters of hexrows on both sides, every fifth number above and below."""
    marks = {"fill": "#8d8674", "class": "label"}
    right, foot = frame.left + frame.width, frame.top + frame.height
    for row in range(ROWS):
        y = (25 - row) * ROW + HEIGHT / 2 + 1.4
        if frame.top + 6 < y < foot - 4:
            for x in (frame.left + 3, right - 3):
                yield _text(x, y, chr(ord("A") + row), 4, **marks)
    for number in range(5, NUMBERS + 1, 5):
        x = (number - 0.5) * WIDTH
        if frame.left + 4 < x < right - 4:
            yield _text(x, frame.top + 4.2, str(number), 4, **marks)
            yield _text(x, foot - 1.4, str(number), 4, **marks)


def _ring(hex: str, side: Side) -> str:
    x, y = centre(hex)
    return (
        f'<circle class="{side.value}-line" cx="{x:.1f}" cy="{y:.1f}" r="4.3" fill="none" '
        f'stroke="{INKS[side]}" stroke-width=".9" stroke-dasharray="1.6 1.1"/>'
    )


def _stack(stack: Stack) -> Iterator[str]:
    """A counter with the number of units and vehicles in the hex."""
    x, y = centre(stack.hex)
    aside = 0.6 if stack.side is Side.JAPANESE else -0.6
    yield (
        f'<rect class="{stack.side.value} halo" x="{x - 2.4 + aside:.1f}" y="{y - 1.6:.1f}" '
        f'width="4.8" height="4.8" rx=".7" fill="{INKS[stack.side]}" stroke="#fff" '
        'stroke-width=".35"/>'
    )
    count = str(stack.units + stack.vehicles)
    marks = {"fill": "#fff", "class": "paper", "font_weight": "600"}
    yield _text(x + aside, y + 2.1, count, 3.4 if len(count) < 3 else 2.6, **marks)


def _area_name(area: Area, frame: Frame) -> Iterator[str]:
    """An area's id, in the middle of its visible part, unless the edge would cut it."""
    mine = set(area.hexes)
    middles = [centre(hex) for hex in _shown(frame) if hex in mine]
    inside = [spot for spot in middles if frame.holds(*spot)]
    if not inside:
        return
    x = sum(x for x, _ in middles) / len(middles)
    y = sum(y for _, y in middles) / len(middles)
    at = min(inside, key=lambda spot: (spot[0] - x) ** 2 + (spot[1] - y) ** 2)
    marks = {
        "fill": INKS[area.side],
        "class": f"{area.side.value} halo",
        "stroke": "#fff",
        "stroke_width": "1.6",
        "stroke_linejoin": "round",
        "paint_order": "stroke",
        "font_weight": "700",
    }
    yield _text(at[0], at[1] + 3.4, area.id, 9.5, **marks)
