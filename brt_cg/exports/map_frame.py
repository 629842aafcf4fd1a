"""The geometry of drawings of Betio: the position of a hex, and the part of the map that a drawing
shows.

A unit of length is a tenth of a hex's width. Hexes have a corner at the bottom: numbers run from
west to east, hexrows from A in the south to Z in the north, odd hexrows half a hex further east.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from html import escape

from brt_cg.board import NUMBERS, locations
from brt_cg.immutable import immutable
from brt_cg.model import Side

WIDTH, HEIGHT = 10.0, 11.63  # of a hex, across the sides and across the corners
ROW = 8.725  # from one hexrow to the next
EDGE = 9.0  # the margin for the names of hexrows and numbers
CLOSE = 45  # a map of at most so many hexes across shows the name of each hex
POINT = 0.3528  # millimeters
READABLE, GENEROUS = 7.2, 9.5  # points of the numbers on paper: at least, and where hexes are large
LARGEST = 6.8  # units of a number that fits into a hex
LANDSCAPE, PORTRAIT, COLUMN = 249, 178, 84  # millimeters across a drawing on the smallest paper
FONT = "Helvetica Neue, Segoe UI, Liberation Sans, Arial, Libertinus Serif, sans-serif"
INKS = {Side.MARINE: "#2f6249", Side.JAPANESE: "#a2402c"}
CORNERS = ((0, -1), (0.5, -0.5), (0.5, 0.5), (0, 1), (-0.5, 0.5), (-0.5, -0.5))


@immutable
class MapFrame:
    """The visible part of the map, in its units: the corner, width and height; and its width on
    paper, in millimeters."""

    left: float
    top: float
    width: float
    height: float
    printed: int = LANDSCAPE

    @property
    def is_close_up(self) -> bool:
        return self.width <= CLOSE * WIDTH and self.has_numbers

    @property
    def number_size(self) -> float:
        """The size of a hex number, in units."""
        return max(self.points_to_units(READABLE), min(self.points_to_units(GENEROUS), 5.2))

    @property
    def has_numbers(self) -> bool:
        """Whether a number that is legible on paper fits into a hex."""
        return self.points_to_units(READABLE) <= LARGEST

    def points_to_units(self, size: float) -> float:
        """Return the size, in units, of text that has this many points on paper."""
        return round(size * POINT * self.width / self.printed, 2)

    def has_room_for_name(self, x: float, y: float) -> bool:
        """Whether the name of an area fits around a point."""
        across = self.left + 10 < x < self.left + self.width - 10
        return across and self.top + 8 < y < self.top + self.height - 6

    def contains_hex(self, hex: str) -> bool:
        x, y = hex_center(hex)
        inside = self.left - WIDTH < x < self.left + self.width + WIDTH
        return inside and self.top - HEIGHT < y < self.top + self.height + HEIGHT


WHOLE = MapFrame(-EDGE, -EDGE, NUMBERS * WIDTH + 5 + 2 * EDGE, 25 * ROW + HEIGHT + 2 * EDGE)
HALF = 1.6 * WHOLE.height  # the width of a part of the map that fills a landscape page


@cache
def hex_center(hex: str) -> tuple[float, float]:
    """Return the point in the middle of a hex."""
    row, number = locations.hex_sort_key(hex)
    return (number - 0.5) * WIDTH + (5 if row % 2 else 0), (25 - row) * ROW + HEIGHT / 2


def frame_around_hexes(hexes: Iterable[str]) -> MapFrame:
    """Return the part of the map with these hexes and their surroundings, as wide as a column."""
    middles = [hex_center(hex) for hex in hexes]
    lefts, tops = [x for x, _ in middles], [y for _, y in middles]
    width = max(max(lefts) - min(lefts) + 5 * WIDTH, 18 * WIDTH)
    height = max(max(tops) - min(tops) + 4 * ROW, width * 0.36)
    width = max(width, height * 1.4)
    x, y = (min(lefts) + max(lefts)) / 2, (min(tops) + max(tops)) / 2
    left = max(WHOLE.left, min(x - width / 2, WHOLE.left + WHOLE.width - width))
    top = max(WHOLE.top, min(y - height / 2, WHOLE.top + WHOLE.height - height))
    return MapFrame(left, top, min(width, WHOLE.width), min(height, WHOLE.height), COLUMN)


def frame_with_most_hexes(hexes: Iterable[str]) -> MapFrame:
    """Return the part of the map, as high as the map, that fills a landscape page and contains most
    of these hexes; if several parts contain equally many, return the westernmost."""
    middles = [hex_center(hex)[0] for hex in hexes]
    lefts = [WHOLE.left + step * WIDTH for step in range(NUMBERS) if step * WIDTH + HALF < _RIGHT]
    held = {
        left: sum(left + WIDTH < x < left + HALF - WIDTH for x in middles)
        for left in [*lefts, WHOLE.left + WHOLE.width - HALF]
    }
    left = max(held, key=lambda left: held[left])
    return MapFrame(left, WHOLE.top, HALF, WHOLE.height)


_RIGHT = WHOLE.width


@cache
def hex_outline(hex: str) -> str:
    """Return the path around a hex."""
    x, y = hex_center(hex)
    return f"M{x - 5:.1f} {y - 2.91:.1f}l5-2.9 5 2.9v5.82l-5 2.9-5-2.9z"


@cache
def hex_corners(hex: str) -> list[tuple[float, float]]:
    """Return the corners of a hex, clockwise from the top."""
    x, y = hex_center(hex)
    return [(x + across * WIDTH, y + down * HEIGHT / 2) for across, down in CORNERS]


@cache
def hex_sides_with_neighbors(hex: str) -> tuple[tuple[str | None, str], ...]:
    """Return each side of a hex: the hex beyond it, if there is one, and the line along it."""
    around = hex_corners(hex)
    ends = zip(around, [*around[1:], around[0]], strict=True)
    lines = (f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}" for (a, b), (c, d) in ends)
    return tuple(zip(_beyond(hex), lines, strict=True))


def _beyond(hex: str) -> Iterator[str | None]:
    """Yield the hexes around a hex, clockwise from the north-east; None beyond the edge of the
    map."""
    row, number = locations.hex_sort_key(hex)
    west = number - 1 + row % 2  # of the two hexes in the next hexrow
    steps = ((1, west + 1), (0, number + 1), (-1, west + 1), (-1, west), (0, number - 1), (1, west))
    for up, beside in steps:
        near = f"{chr(ord('A') + row + up)}{beside}"
        yield near if near in locations.hexes_in_play() else None


@cache
def hexes_in_frame(frame: MapFrame) -> list[str]:
    """Return the hexes within a frame, in order."""
    return sorted(
        (hex for hex in locations.hexes_in_play() if frame.contains_hex(hex)),
        key=locations.hex_sort_key,
    )


def border_path_of_hexes(hexes: Iterable[str], beyond: Iterable[str] | None = None) -> str:
    """Return the path along the sides of these hexes that border no hex of `beyond` (by default, of
    themselves)."""
    mine = list(hexes)
    within = set(mine if beyond is None else beyond)
    return "".join(
        line for hex in mine for near, line in hex_sides_with_neighbors(hex) if near not in within
    )


def svg_text(x: float, y: float, words: str, size: float, **marks: str) -> str:
    """Return text centered on a point of its base line."""
    attributes = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in marks.items())
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}"'
    anchor = "" if "text_anchor" in marks else ' text-anchor="middle"'
    return f"<text {place}{anchor}{attributes}>{escape(words)}</text>"
