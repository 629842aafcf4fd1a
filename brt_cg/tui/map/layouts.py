"""The place of each hex on the screen, at each zoom.

North is up. A hexrow runs from west to east, and every other one is half a hex to the right, so the
hex grid is drawn as a wall of bricks, whose ends the last bricks fill, as on the board; the closest
zoom draws hexagons in half blocks. A cell is about twice as high as wide: at every zoom the island
keeps its proportions.
"""

from functools import cache
from string import ascii_uppercase

from textual.geometry import Size

from brt_cg.board import NUMBERS, ROWS, locations
from brt_cg.immutable import immutable

TOP = ROWS - 1  # the hexrow at the top of the screen: Z, the lagoon


@immutable
class MapLayout:
    """A zoom: the distance in cells from one hex to the next, and in half lines from one hexrow to
    the next."""

    across: int
    halves: int
    hexagons: bool = False

    @property
    def width(self) -> int:
        """The width of the whole map, in cells."""
        return self.across * NUMBERS + self.across // 2

    @property
    def height(self) -> int:
        """The height of the whole map, in cells."""
        return (self.halves * ROWS + 1) // 2 + (2 if self.hexagons else 0)

    @property
    def has_room_for_names(self) -> bool:
        """Whether each hex has room for its name."""
        return self.across > SQUARE.across

    @property
    def has_room_for_letters(self) -> bool:
        """Whether each hex has a whole cell, for a letter or a symbol."""
        return self.halves > 1

    @property
    def margin(self) -> int:
        """The width of the letters beside the map, or of the name of the cursor's hex above
        them."""
        return 2 if self.has_room_for_names else 4

    @property
    def framed(self) -> Size:
        """The size of the whole map with its rulers."""
        return Size(self.width + self.margin, self.height + 1)

    def fits(self, width: int, height: int) -> bool:
        """Whether the whole map with its rulers fits into this many cells."""
        return self.framed.width <= width and self.framed.height <= height

    def corner(self, name: str) -> tuple[int, int]:
        """Return the upper left cell of a hex, or the cell that it shares with another hex. For a
        hexagon, return the upper left cell of the box around its middle."""
        row, number = locations.hex_sort_key(name)
        top = self._top(row)
        x = (number - 1) * self.across + (row % 2) * (self.across // 2)
        return x, (top + 1) // 2 if self.has_room_for_letters else top // 2

    def _top(self, row: int) -> int:
        """Return the half-line in which a hexrow begins."""
        return (TOP - row) * self.halves + (2 if self.hexagons else 0)

    def sign_cell(self, name: str) -> tuple[int, int]:
        """Return the cell of a hex that no letters use, for the symbol of its land."""
        x, y = self.corner(name)
        x += self.across // 2 if self.hexagons else self.across - 1
        return x, y + self.halves // 2 - 1

    def hexes_at(self, x: int, y: int) -> tuple[str, ...]:
        """Return the hexes at a cell: none beside the map, two, the upper first, if the cell is
        divided between them."""
        owners = (self.hexes_in_half_line(half, x, x + 1)[0] for half in (2 * y, 2 * y + 1))
        found = (*dict.fromkeys(filter(None, owners)),)
        return found[:1] if self.hexagons else found

    def hexes_in_half_line(self, half: int, left: int, right: int) -> list[str | None]:
        """Return the hexes at the half cells of a half line, from column `left` up to `right`."""
        found, columns = all_hexes(), range(left, right)
        if self.hexagons:
            return [found.get(_hexagon_at(x, half)) for x in columns]
        row = TOP - half // self.halves
        shift = (row % 2) * (self.across // 2)
        numbers = (max(1, min(NUMBERS, (x - shift) // self.across + 1)) for x in columns)
        return [
            found.get((row, number)) if 0 <= x < self.width else None
            for x, number in zip(columns, numbers, strict=True)
        ]

    def lines_of(self, name: str) -> range:
        """Return the lines of the map in which a hex has cells."""
        top = self._top(locations.hex_sort_key(name)[0])
        more = 2 if self.hexagons else 0
        return range((top - more) // 2, (top + self.halves + more + 1) // 2)

    # --- the rulers -----------------------------------------------------------------------------

    def number_ruler(self, left: int, right: int) -> str:
        """Return every fifth number, above the middle of its hexes, from column `left` up to
        `right`."""
        cells = [" "] * (right - left)
        for number in range(5, NUMBERS + 1, 5):
            start = (number - 1) * self.across + self.across * 3 // 4 - left
            if start >= 0 and start + len(str(number)) <= len(cells):
                cells[start : start + len(str(number))] = str(number)
        return "".join(cells)


ISLAND = MapLayout(1, 1)
OVERVIEW = MapLayout(2, 2)
SQUARE = MapLayout(3, 3)
WORKING = MapLayout(5, 4)
CLOSE = MapLayout(12, 10, hexagons=True)
OVERVIEWS = (SQUARE, OVERVIEW, ISLAND)  # the widest first
ZOOMS = (OVERVIEW, WORKING, CLOSE)
LAYOUTS = (*OVERVIEWS, WORKING, CLOSE)


def overviews(in_halves: bool) -> tuple[MapLayout, ...]:
    """Return the overviews, widest first: all of them if a cell may hold two hexes (`in_halves`),
    else only those of whole cells."""
    return OVERVIEWS if in_halves else (OVERVIEW,)


def layout_for(zoom: int, room: Size, in_halves: bool) -> MapLayout:
    """Return the layout of a zoom in this many cells: for an overview the widest one that fits."""
    if ZOOMS[zoom] is not OVERVIEW:
        return ZOOMS[zoom]
    known = overviews(in_halves)
    return next((layout for layout in known if layout.fits(room.width, room.height)), known[-1])


def overview_above(zoom: int, room: Size, in_halves: bool) -> MapLayout | None:
    """Return the widest overview that fits above a closer zoom in this many cells and leaves that
    zoom as many lines; None if there is no room, or if the closer zoom already shows the whole
    island."""
    if ZOOMS[zoom] is OVERVIEW or ZOOMS[zoom].fits(room.width, room.height):
        return None
    found = (known for known in overviews(in_halves) if known.fits(room.width, room.height // 2))
    return next(found, None)


@cache
def hexrow_letters_by_line(layout: MapLayout) -> dict[int, str]:
    """Return the names of hexrows beside the lines of the map: "N", or "N/M" for two in one
    line."""
    found: dict[int, str] = {}
    for letter in reversed(ascii_uppercase):
        line = layout.corner(f"{letter}1")[1] + (1 if layout.hexagons else 0)
        found[line] = f"{found[line]}/{letter}" if line in found else letter
    return found


@cache
def all_hexes() -> dict[tuple[int, int], str]:
    """Return all hexes by hexrow (A is 0) and number."""
    return {locations.hex_sort_key(name): name for name in locations.hexes_in_play()}


# --- hexagons -----------------------------------------------------------------------------------


def _hexagon_at(x: int, half: int) -> tuple[int, int]:
    """Return the hexrow and number at a half cell of the closest zoom, on the map or beside it."""
    across, column = divmod(x, CLOSE.across)
    band, line = divmod(half, 2 * CLOSE.halves)  # the height of two hexrows, in half lines
    rows, numbers = _tile()[column, line]
    return TOP - 2 * band - rows, across + numbers


@cache
def _tile() -> dict[tuple[int, int], tuple[int, int]]:
    """Return the pattern of hexagons, which repeats every hex to the right and every two hexrows
    down: for each half cell, the hexrow from the top of the tile, and the hex in its row."""
    halves = range(2 * CLOSE.halves)
    return {(x, half): _nearest(x, half) for x in range(CLOSE.across) for half in halves}


def _nearest(x: int, half: int) -> tuple[int, int]:
    """Return the hex with the nearest center, in a grid stretched until it is regular."""
    step = CLOSE.halves
    stretch = CLOSE.across * 0.866 / step

    def distance(candidate: tuple[int, int]) -> float:
        row, number = candidate
        right = CLOSE.across / 2 * (1 - row % 2)
        centre_x = (number - 0.5) * CLOSE.across + right
        centre_y = step * (row + 0.5) + 2
        return (x + 0.5 - centre_x) ** 2 + ((half + 0.5 - centre_y) * stretch) ** 2

    candidates = [(row, number) for row in range(-1, 4) for number in range(-1, 4)]
    return min(candidates, key=distance)
