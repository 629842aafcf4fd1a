"""The place of each hex on the screen, at each zoom.

North is up. A hexrow runs from west to east, and every other one is half a hex to the right, so a
wall of bricks is an exact hex grid; the closest zoom draws hexagons in half blocks.
"""

from functools import cache

from brt_cg import board
from brt_cg.tui.map.sheet import NUMBERS, ROWS
from brt_cg.values import frozen


@frozen
class Layout:
    """A zoom: the distance in cells from one hex to the next, and from one hexrow to the next."""

    name: str
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
        return self.down * len(ROWS) + (2 if self.hexagons else 0)

    def corner(self, name: str) -> tuple[int, int]:
        """The upper left cell of a hex; for a hexagon, of the box around its middle."""
        row, number = board.key(name)
        top = (len(ROWS) - 1 - row) * self.down + (1 if self.hexagons else 0)
        return (number - 1) * self.across + (row % 2) * (self.across // 2), top

    def hex_at(self, x: int, y: int) -> str | None:
        """The hex at a cell; None beside the map."""
        if self.hexagons:
            return owner(x, 2 * y)
        row = len(ROWS) - 1 - y // self.down
        if not 0 <= row < len(ROWS):
            return None
        number = (x - (row % 2) * (self.across // 2)) // self.across + 1
        return name_of(row, number)

    def lines_of(self, name: str) -> range:
        """The lines of the map in which a hex has cells."""
        _, top = self.corner(name)
        return range(top - 1, top + self.down + 1) if self.hexagons else range(top, top + self.down)


OVERVIEW = Layout("overview", 2, 1)
WORKING = Layout("working", 4, 2)
CLOSE = Layout("close", 12, 5, hexagons=True)
ZOOMS = (OVERVIEW, WORKING, CLOSE)


def name_of(row: int, number: int) -> str | None:
    """The hex with a hexrow (A is 0) and number; None if there is none."""
    if 0 <= row < len(ROWS) and 1 <= number <= NUMBERS:
        return f"{ROWS[len(ROWS) - 1 - row]}{number}"
    return None


# --- hexagons -----------------------------------------------------------------------------------


def owner(x: int, half: int) -> str | None:
    """The hex at a half cell of the closest zoom; `half` counts half lines."""
    period = 4 * CLOSE.down  # the height of two hexrows, in half lines
    across, band = divmod(x, CLOSE.across), divmod(half, period)
    rows, numbers = _tile()[across[1], band[1]]
    # The top hexrow, Z, is one of those shifted half a hex to the right.
    row = len(ROWS) - 1 - (2 * band[0] + rows)
    return name_of(row, across[0] + numbers)


def owners(half: int, left: int, right: int) -> list[str | None]:
    """The hexes at the half cells of a half line, from column `left` up to `right`."""
    band, rest = divmod(half, 4 * CLOSE.down)
    tile, names = _tile(), _names()
    row = [tile[x, rest] for x in range(CLOSE.across)]
    found = []
    for x in range(left, right):
        across, at = divmod(x, CLOSE.across)
        rows, numbers = row[at]
        found.append(names.get((len(ROWS) - 1 - 2 * band - rows, across + numbers)))
    return found


@cache
def _names() -> dict[tuple[int, int], str]:
    """All hexes by hexrow and number."""
    return {board.key(name): name for name in board.in_play(NUMBERS)}


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
