"""The conversion between hexes and pixels on VASL's board of Betio.

The board begins 400 pixels in from the edges of the map; hexrow A is its left edge, number 1 its
top.
"""

import math

from brt_cg.board import grid, locations

MAIN_MAP = "Main Map"
MARGIN = 400
FIRST = 20.0  # the center of A1, measured from both edges of the board
ROW = 56.25  # from one hexrow to the next
HEX = 64.47  # from one number to the next
FAR = 30.0  # pixels from the center of a hex beyond which a piece's hex is doubtful
DRAWN = 16.0  # pixels above the middle of its picture at which a hexside's counter is drawn


def hex_center(hex: str) -> tuple[int, int]:
    """Return the pixel of the map at the center of a hex, rounded down as VASL does."""
    row, number = locations.hex_sort_key(hex)
    down = number - 1 if row % 2 == 0 else number - 0.5
    return int(MARGIN + FIRST + ROW * row), int(MARGIN + FIRST + HEX * down)


def hex_at(x: float, y: float) -> tuple[str, float] | None:
    """Return the hex whose center is nearest to a pixel of the map, and the distance, in pixels;
    None in the margin."""
    near = _near(x, y)
    if not near or near[0][0] > HEX:
        return None
    distance, name = near[0]
    return name, distance


def hexside_at(x: float, y: float, turned: int) -> str:
    """Return the hexside on which a counter is drawn, from its pixel on the map and its rotation,
    `turned` times 60 degrees clockwise. The hexside is between the two nearest hexes."""
    angle = math.radians(60 * turned)
    near = _near(x + DRAWN * math.sin(angle), y - DRAWN * math.cos(angle))
    beside = next(name for _, name in near[1:] if grid.are_adjacent(near[0][1], name))
    return grid.normalize_hexside(f"{near[0][1]}/{beside}")


def _near(x: float, y: float) -> list[tuple[float, str]]:
    """Return the hexes around a pixel of the map, nearest first, with their distances in pixels."""
    column = (x - MARGIN - FIRST) / ROW
    found = []
    for row in range(math.floor(column) - 1, math.ceil(column) + 2):
        down = (y - MARGIN - FIRST) / HEX
        middle = round(down + 1 if row % 2 == 0 else down + 0.5)
        for number in (middle - 1, middle, middle + 1):
            name = f"{chr(ord('A') + row)}{number}" if 0 <= row < 26 else ""
            if name in locations.hexes_in_play():
                found.append((math.dist(hex_center(name), (x, y)), name))
    return sorted(found)
