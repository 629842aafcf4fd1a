"""The legend of the map: what the present zoom draws, in the signs and colours that the terminal
has."""

from collections.abc import Iterator

from rich.color import Color as Drawn
from textual.color import Color
from textual.content import Content
from textual.style import Style

from brt_cg.board.locations import TerrainType
from brt_cg.model.counters import Side
from brt_cg.tui.look.depth import named
from brt_cg.tui.look.lines import in_rows
from brt_cg.tui.look.signs import SIGNS
from brt_cg.tui.map.colours import HexMark
from brt_cg.tui.map.drawing import CONTESTED, FRONT, ISOLATED, MANY, PROPERTY, Drawing
from brt_cg.tui.map.layouts import WORKING
from brt_cg.tui.map.sheet import LEGEND

COLUMN = 16  # the width of a column, two cells from the next
UNSEEN = (None, Drawn.from_ansi(0))  # grounds that are told by a sign only


def legend(drawing: Drawing, width: int, lit: str, in_columns: bool) -> Content:
    """What a map draws, in rows of a width, the most important first; `lit` says in words why hexes
    are marked."""
    parts = [*_land(drawing), *_marks(drawing, lit), *map(Content, _signs(drawing))]
    parts += _terrain(drawing)
    if in_columns:
        parts = [
            part.pad_right(COLUMN - part.cell_length)
            if part.cell_length <= COLUMN
            else part.pad_right(2 * COLUMN + 2 - part.cell_length)
            for part in parts
        ]
        width = (width + 2) // (2 * COLUMN + 4) * (2 * COLUMN + 4)  # two signs stand together
    return in_rows(parts, width)


def _land(drawing: Drawing) -> Iterator[Content]:
    for side, sign in SIGNS.items():
        yield Content(f"{sign} {side.label}")
        yield _sample(drawing, f"{side.label} land", TerrainType.LAND, side)


def _marks(drawing: Drawing, lit: str) -> Iterator[Content]:
    """Yields the marks that any hex has now."""
    shown = ((HexMark.LIT, drawing.marked, lit), (HexMark.DRAWN, drawing.drawn, "chosen, or arc"))
    for mark, hexes, words in shown:
        if hexes:
            yield _sample(drawing, words, TerrainType.LAND, None, mark)


def _signs(drawing: Drawing) -> Iterator[str]:
    """Yields what a zoom writes in a hex."""
    layout, (marine, japanese) = drawing.layout, SIGNS.values()
    property = LEGEND
    if layout.across == 2:
        yield f"{''.join(PROPERTY.values())} no units, only property"
        yield f"{CONTESTED} contested"
        property = property if layout.down > 1 else {}
    else:
        yield f"{marine}1½V squad-equivalents, property"
        yield from (f"{CONTESTED} contested", f"{ISOLATED} Isolated", f"{FRONT} Front Line")
    yield from (f"{sign} {what}" for sign, what in property.items())
    if layout == WORKING:
        yield f"{marine}1{japanese}{MANY} {MANY} is 10 or more"


def _terrain(drawing: Drawing) -> Iterator[Content]:
    """Yields the terrain that is drawn: nobody's only, where a side's sign takes its place."""
    hexes = drawing.sheet.hexes.values()
    for terrain in TerrainType:
        drawn = any(hex.terrain is terrain for hex in hexes if hex.holder is None)
        cell = drawing.sample(terrain)
        is_seen = cell.letter != " " or cell.ground not in UNSEEN
        if is_seen and (drawn or not drawing.has_signs):
            yield _sample(drawing, terrain.label, terrain)


def _sample(
    drawing: Drawing,
    words: str,
    terrain: TerrainType,
    holder: Side | None = None,
    mark: HexMark | None = None,
) -> Content:
    """A cell as the map draws it, and words."""
    cell = drawing.sample(terrain, holder, mark)
    style = Style(foreground=_shown(cell.ink), background=_shown(cell.ground))
    drawn = Content.styled(cell.letter, style) if cell.ground else Content(cell.letter)
    return Content.assemble(drawn, f" {words}")


def _shown(colour: Drawn | None) -> Color | None:
    if colour is None:
        return None
    return named(colour.number) if colour.number is not None else Color.from_rich_color(colour)
