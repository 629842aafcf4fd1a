"""The place of each hex on the screen, at each zoom.

North is up. A hexrow runs from west to east, and every other one is half a hex to the right, so a
wall of bricks is a hex grid, its ends filled up by the last brick, as on the board; the closest
zoom draws hexagons in half blocks.
"""

from functools import cache

from brt_cg.board import locations
from brt_cg.board.locations import NUMBERS, ROWS
from brt_cg.model.value import value

TOP = ROWS - 1  # the hexrow at the top of the screen: Z, the lagoon


@value
class MapLayout:
    """A zoom: the distance in cells from one hex to the next, and from one hexrow to the next."""

    across: int
    down: int
    hexagons: bool = False

    @property
    def width(self) -> int:
        """The width of the whole map, in cells."""
        return self.across * NUMBERS + self.across // 2

    @property
    def height(self) -> int:
        """The height of the whole map, in cells."""
        return self.down * ROWS + (2 if self.hexagons else 0)

    def corner(self, name: str) -> tuple[int, int]:
        """The upper left cell of a hex; for a hexagon, of the box around its middle."""
        row, number = locations.key(name)
        top = (TOP - row) * self.down + (1 if self.hexagons else 0)
        return (number - 1) * self.across + (row % 2) * (self.across // 2), top

    def foot(self, name: str) -> tuple[int, int]:
        """The cell of a hex that no letters use, for the sign of its land."""
        x, y = self.corner(name)
        if self.hexagons:
            return x + self.across // 2, y + self.down - 1
        return x + self.across - 1, y + self.down - 1

    def hex_at(self, x: int, y: int) -> str | None:
        """The hex at a cell; None beside the map."""
        return self.owners(2 * y, x, x + 1)[0]

    def owners(self, half: int, left: int, right: int) -> list[str | None]:
        """The hexes at the half cells of a half line, from column `left` up to `right`."""
        found, columns = all_hexes(), range(left, right)
        if self.hexagons:
            return [found.get(_hexagon_at(x, half)) for x in columns]
        row = TOP - half // 2 // self.down
        shift = (row % 2) * (self.across // 2)
        numbers = (max(1, min(NUMBERS, (x - shift) // self.across + 1)) for x in columns)
        return [
            found.get((row, number)) if 0 <= x < self.width else None
            for x, number in zip(columns, numbers, strict=True)
        ]

    def lines_of(self, name: str) -> range:
        """The lines of the map in which a hex has cells."""
        _, top = self.corner(name)
        return range(top - 1, top + self.down + 1) if self.hexagons else range(top, top + self.down)


OVERVIEW = MapLayout(2, 1)
TALL = MapLayout(2, 2)
WORKING = MapLayout(5, 2)
CLOSE = MapLayout(12, 5, hexagons=True)
ZOOMS = (OVERVIEW, WORKING, CLOSE)
LAYOUTS = (OVERVIEW, TALL, WORKING, CLOSE)


def layout_for(zoom: int, rows: int) -> MapLayout:
    """The layout of a zoom on so many rows: the overview is taller where the whole island fits."""
    return TALL if ZOOMS[zoom] is OVERVIEW and rows >= TALL.height else ZOOMS[zoom]


@cache
def all_hexes() -> dict[tuple[int, int], str]:
    """All hexes by hexrow (A is 0) and number."""
    return {locations.key(name): name for name in locations.in_play()}


# --- hexagons -----------------------------------------------------------------------------------


def _hexagon_at(x: int, half: int) -> tuple[int, int]:
    """The hexrow and number at a half cell of the closest zoom, on the map or beside it."""
    across, column = divmod(x, CLOSE.across)
    band, line = divmod(half, 4 * CLOSE.down)  # the height of two hexrows, in half lines
    rows, numbers = _tile()[column, line]
    return TOP - 2 * band - rows, across + numbers


@cache
def _tile() -> dict[tuple[int, int], tuple[int, int]]:
    """The pattern of hexagons, which repeats every hex to the right and every two hexrows down: for
    each half cell, the hexrow from the top of the tile, and the hex in its row."""
    halves = range(4 * CLOSE.down)
    return {(x, half): _nearest(x, half) for x in range(CLOSE.across) for half in halves}


def _nearest(x: int, half: int) -> tuple[int, int]:
    """The hex with the nearest centre, in a grid stretched until it is regular."""
    step = 2 * CLOSE.down
    stretch = CLOSE.across * 0.866 / step

    def distance(candidate: tuple[int, int]) -> float:
        row, number = candidate
        right = CLOSE.across / 2 * (1 - row % 2)
        centre_x = (number - 0.5) * CLOSE.across + right
        centre_y = step * (row + 0.5) + 2
        return (x + 0.5 - centre_x) ** 2 + ((half + 0.5 - centre_y) * stretch) ** 2

    candidates = [(row, number) for row in range(-1, 4) for number in range(-1, 4)]
    return min(candidates, key=distance)
