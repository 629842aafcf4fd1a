"""Converts between hexes and pixels on VASL's board of Betio.

The board begins 400 pixels in from the edges of the map; hexrow A is its left edge, number 1 its
top.
"""

import math

from brt_cg.board import locations

MARGIN = 400
FIRST = 20.0  # the centre of A1, measured from both edges of the board
ROW = 56.25  # from one hexrow to the next
HEX = 64.47  # from one number to the next
FAR = 30.0  # pixels from the centre of a hex beyond which a piece's hex is doubtful


def centre(hex: str) -> tuple[int, int]:
    """The pixel of the map at the centre of a hex."""
    row, number = locations.key(hex)
    down = number - 1 if row % 2 == 0 else number - 0.5
    return round(MARGIN + FIRST + ROW * row), round(MARGIN + FIRST + HEX * down)


def hex_at(x: int, y: int) -> tuple[str, float] | None:
    """The hex whose centre is nearest to a pixel of the map, and how far that is, in pixels; None
    in the margin."""
    column = (x - MARGIN - FIRST) / ROW
    near = []
    for row in {math.floor(column), math.ceil(column)}:
        down = (y - MARGIN - FIRST) / HEX
        number = round(down + 1 if row % 2 == 0 else down + 0.5)
        name = f"{chr(ord('A') + row)}{number}" if 0 <= row < 26 else ""
        if name in locations.in_play():
            at = centre(name)
            near.append((math.dist(at, (x, y)), name))
    distance, name = min(near, default=(HEX + 1, ""))
    return (name, distance) if distance <= HEX else None
