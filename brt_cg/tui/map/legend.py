"""The legend of the map: what the present zoom draws, in the signs that the terminal has."""

from collections.abc import Iterator
from itertools import zip_longest

from textual.content import Content

from brt_cg.board.locations import TerrainType
from brt_cg.model.counters import Side
from brt_cg.tui.look.columns import columns
from brt_cg.tui.look.signs import SIGNS
from brt_cg.tui.map import colours
from brt_cg.tui.map.colours import HexMark
from brt_cg.tui.map.drawing import CONTESTED, FRONT, HELD, ISOLATED, Drawing
from brt_cg.tui.map.sheet import LEGEND

WIDTH = 16  # of its first column
MARKED = {HexMark.LIT: "painted, or possible", HexMark.DRAWN: "chosen, or arc"}


def legend(drawing: Drawing) -> Content:
    """What a map draws."""
    marine, japanese = SIGNS.values()
    if drawing.layout.down == 1:
        signs = [f"{marine} {japanese} units", f"{marine}V {japanese}P property without units"]
    else:
        signs = [f"{marine}1½V squad-equivalents, property"]
    parts = [f"{sign} {what}" for sign, what in (_signs(drawing) | LEGEND).items()]
    if drawing.has_patterns:
        parts += ["", *_terrain()] if len(parts) % 2 else _terrain()  # the last is a long one
    table = columns(WIDTH)
    sides = [
        table.row(f"{SIGNS[side]} {side.label}", f"{_land(drawing, side)} its land")
        for side in Side
    ]
    pairs = zip_longest(parts[::2], parts[1::2], fillvalue="")
    lines = [*sides, *map(Content, signs), *(table.row(*pair) for pair in pairs)]
    return Content("\n").join([*lines, *map(Content, _marks(drawing))])


def in_short(drawing: Drawing) -> str:
    """Whose is what, and what hexes are marked for, or else the signs beside names; in one line."""
    sides = [f"{SIGNS[side]} {_land(drawing, side)} {side.label}" for side in Side]
    signs = [f"{sign} {what}" for sign, what in _signs(drawing).items()]
    return " · ".join([*sides, *([*_marks(drawing)] or signs)])


def _signs(drawing: Drawing) -> dict[str, str]:
    """The signs that a zoom draws beside the name of a hex, or instead of it."""
    if drawing.layout.down == 1:
        return {CONTESTED: "contested"}
    return {CONTESTED: "contested", ISOLATED: "Isolated", FRONT: "Front Line"}


def _marks(drawing: Drawing) -> Iterator[str]:
    """Yields the marks that any hex has now."""
    for mark, hexes in ((HexMark.LIT, drawing.marked), (HexMark.DRAWN, drawing.drawn)):
        if hexes:
            yield f"{colours.MARKS[mark]} {MARKED[mark]}"


def _land(drawing: Drawing, side: Side) -> str:
    """What a side's land is drawn with."""
    return colours.PATTERNS[side] if drawing.has_patterns else HELD[side]


def _terrain() -> list[str]:
    """What nobody's land is drawn with, where patterns tell."""
    return [f"{colours.PATTERNS[terrain].strip()} {terrain.label}" for terrain in TerrainType]
