"""Lines of the map as cells: a letter, its colour and the colour under it.

A line is drawn for the visible columns only, and without the cursor, so that lines can be cached;
the cursor is drawn over them.
"""

from collections.abc import Set
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple

from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from brt_cg.board.locations import TerrainType
from brt_cg.model.counters import Side
from brt_cg.purchases.breach import halves
from brt_cg.tui.look.depth import Depth, shown_as
from brt_cg.tui.look.signs import SIGNS
from brt_cg.tui.map import colours
from brt_cg.tui.map.colours import HexMark
from brt_cg.tui.map.layouts import MapLayout
from brt_cg.tui.map.sheet import Hex, HexStack, MapSheet

CONTESTED, ISOLATED, FRONT = "×", "!", "▸"
HELD = {Side.MARINE: "╱", Side.JAPANESE: "░"}  # the land of a side
Tint = tuple[TerrainType, Side | None, HexMark | None, bool]
Part = tuple[str, Side | None]  # a text in a line of a hex, and the side in whose colour it is


class Cell(NamedTuple):
    """One cell. `ink` and `ground` are colours, or None where there are none."""

    letter: str
    ink: Color | None = None
    ground: Color | None = None
    bold: bool = False
    reverse: bool = False


@dataclass(slots=True)
class Drawing:
    """The look of the map: `marked` hexes stand out (a painted Perimeter, hexes that may be pointed
    at), and so do `drawn` ones in another way (those pointed at, an arc)."""

    sheet: MapSheet
    layout: MapLayout
    depth: Depth = Depth.FULL
    dark: bool = True
    whole: bool = False  # no cell is of two hexes, for terminals without half blocks
    marked: Set[str] = field(default_factory=frozenset)
    drawn: Set[str] = field(default_factory=frozenset)

    def line(self, y: int, left: int, right: int) -> list[Cell]:
        """The cells of a line of the map, from column `left` up to `right`."""
        uppers, lowers = (self.layout.owners(half, left, right) for half in (2 * y, 2 * y + 1))
        halves = [*zip(uppers, lowers, strict=True)]
        looks = {pair: self._half_cell(*pair) for pair in set(halves)}
        cells = [looks[pair] for pair in halves]
        for name in dict.fromkeys(uppers):
            if name is not None:
                hex = self.sheet.hexes[name]
                self._sign_land(cells, hex, y, left)
                self._write(cells, hex, y, left)
        return cells

    def _half_cell(self, upper: str | None, lower: str | None) -> Cell:
        """A cell without letters, of one hex or of the halves of two."""
        if self.whole or self.has_patterns:
            name = upper or lower
            return self._whole_cell(self.sheet.hexes[name]) if name else Cell(" ")
        above = self._colour(self.sheet.hexes[upper]) if upper else None
        below = self._colour(self.sheet.hexes[lower]) if lower else None
        if above == below:
            return Cell(" ", None, above)
        return Cell("▀", above, below) if above else Cell("▄", below, None)

    def _whole_cell(self, hex: Hex) -> Cell:
        """A cell of one hex, without letters."""
        if not self.has_patterns:
            return Cell(" ", None, self._colour(hex))
        letter = colours.pattern(hex.terrain, hex.holder, self._mark(hex), hex.shade)
        if self.depth is Depth.NONE:
            return Cell(letter)
        ground = colours.of_few(*self._tint(hex))
        return Cell(letter, Color.from_ansi(colours.pattern_ink(ground)), Color.from_ansi(ground))

    @property
    def has_patterns(self) -> bool:
        """Whether there are too few colours to tell hexes apart."""
        return self.depth.is_low or self.depth is Depth.NONE

    def _sign_land(self, cells: list[Cell], hex: Hex, y: int, left: int) -> None:
        """Tells by a faint sign how a hex is marked, else who holds it, where patterns do not."""
        x, line = self.layout.foot(hex.name)
        mark = self._mark(hex)
        sign = colours.MARKS[mark] if mark else HELD[hex.holder] if hex.holder else ""
        if not sign or self.has_patterns or line != y or not 0 <= x - left < len(cells):
            return
        ink = _ink(self.depth, self._tint(hex), hex.shade, None, faint=True)
        cells[x - left] = Cell(sign, ink, self._colour(hex))

    def _write(self, cells: list[Cell], hex: Hex, y: int, left: int) -> None:
        """Writes what a hex says in a line of it: its name, and each side's strength."""
        corner, top = self.layout.corner(hex.name)
        line = y - top - (1 if self.layout.hexagons else 0)
        if not 0 <= line <= len(hex.stacks):  # the name, and no more than a line for each side
            return
        lines = _lines(hex, self.layout)
        parts = lines[line] if line < len(lines) else []
        start = corner - left + (self.layout.across - sum(len(text) for text, _ in parts)) // 2
        for text, side in parts:
            ink, ground, bold = self._look(hex, side)
            for at, letter in enumerate(text, start):
                # A space in ink keeps the text in one run.
                if 0 <= at < len(cells) and (ink or side or letter != " "):
                    cells[at] = Cell(letter, ink, ground, bold)
            start += len(text)

    def _look(self, hex: Hex, side: Side | None) -> tuple[Color | None, Color | None, bool]:
        """The ink of letters on a hex, its ground, and whether they are bold."""
        if self.depth is Depth.NONE:
            return None, None, side is not None
        return (
            _ink(self.depth, self._tint(hex), hex.shade, side),
            self._colour(hex),
            side is not None,
        )

    def _mark(self, hex: Hex) -> HexMark | None:
        if hex.name in self.drawn:
            return HexMark.DRAWN
        return HexMark.LIT if hex.name in self.marked else None

    def _tint(self, hex: Hex) -> Tint:
        return (hex.terrain, hex.holder, self._mark(hex), self.dark)

    def _colour(self, hex: Hex) -> Color:
        return _ground(self.depth, self._tint(hex), hex.shade)

    # --- the cursor -----------------------------------------------------------------------------

    def with_cursor(self, cells: list[Cell], cursor: str, y: int, left: int) -> list[Cell]:
        """The cells of a line with the cursor on a hex."""
        if y not in self.layout.lines_of(cursor):
            return cells
        corner, _ = self.layout.corner(cursor)
        first = max(0, corner - left)
        last = max(first, corner + self.layout.across - left)
        uppers, lowers = (
            self.layout.owners(half, left + first, left + last) for half in (2 * y, 2 * y + 1)
        )
        under = [
            self._under_cursor(cell, upper == cursor, lower == cursor)
            for cell, upper, lower in zip(cells[first:last], uppers, lowers, strict=False)
        ]
        return [*cells[:first], *under, *cells[last:]]

    def _under_cursor(self, cell: Cell, upper: bool, lower: bool) -> Cell:
        """A cell with the cursor on both its halves, one of them, or none."""
        if not upper and not lower:
            return cell
        if self.depth is Depth.NONE:
            return cell._replace(reverse=True)
        light, shadow = _cursor(self.depth, self.dark)
        if self.has_patterns:
            return Cell(" " if _is_pattern(cell) else cell.letter, shadow, light, bold=True)
        if self.whole or (upper and lower):
            return Cell(cell.letter if cell.letter not in "▀▄" else " ", shadow, light, bold=True)
        above, below = (cell.ink, cell.ground) if cell.letter in "▀▄" else (cell.ground,) * 2
        return Cell("▀", light, below) if upper else Cell("▀", above, light)


def _is_pattern(cell: Cell) -> bool:
    """Whether a cell has a letter of a pattern, in a terminal of 16 colours."""
    ground = cell.ground.number if cell.ground else None
    return ground is not None and cell.ink == Color.from_ansi(colours.pattern_ink(ground))


@cache
def _cursor(depth: Depth, dark: bool) -> tuple[Color, Color]:
    """The ground of the cursor, and the letters on it."""
    if depth.is_low:
        ground = colours.SHADES["few"]["dark" if dark else "light"]["cursor"]
        return Color.from_ansi(ground), Color.from_ansi(7 - ground)
    light, shadow = (Color.from_rgb(*rgb) for rgb in colours.SHADES["rgb"]["cursor"])
    return (light, shadow) if dark else (shadow, light)


@lru_cache(maxsize=1024)
def _ground(depth: Depth, tint: Tint, shade: int) -> Color:
    if depth.is_low:
        return Color.from_ansi(colours.of_few(*tint))
    if depth is Depth.OF_256:
        return Color.from_ansi(colours.in_palette(*tint)[shade])
    return Color.from_rgb(*colours.shades(*tint)[shade])


@lru_cache(maxsize=4096)
def _ink(depth: Depth, tint: Tint, shade: int, side: Side | None, faint: bool = False) -> Color:
    if depth.is_low:
        return Color.from_ansi(colours.ink_of_few(colours.of_few(*tint), side))
    if depth is Depth.OF_256:
        ground = shown_as(colours.in_palette(*tint)[shade])[0].rgb
    else:
        ground = colours.shades(*tint)[shade]
    if side is not None:
        return Color.from_rgb(*colours.ink(ground, side))
    return Color.from_rgb(*colours.dimmer_ink(ground, colours.SEEN if faint else colours.READ))


def _is_there(stack: HexStack) -> bool:
    return stack.manned or bool(stack.signs)


def _lines(hex: Hex, layout: MapLayout) -> list[list[Part]]:
    """The lines of text in a hex, as far as a zoom has room for them, with the sides' signs."""
    there = [(side, hex.stacks[side]) for side in Side if side in hex.stacks]
    there = [(side, stack) for side, stack in there if _is_there(stack)]
    if layout.down == 1:
        return [_overview(hex, there)]
    if not layout.hexagons:
        return [[(f"{hex.name:<3}{_sign(hex)}", None)], _strengths(there, layout.across)]
    lines: list[Part] = [(f"{hex.name}{_sign(hex)}", None)]
    lines += (
        (f"{SIGNS[side]}{_strength(stack)} {''.join(sorted(stack.signs))}", side)
        for side, stack in there
    )
    return [[(text.strip(), side)] for text, side in lines]


def _overview(hex: Hex, there: list[tuple[Side, HexStack]]) -> list[Part]:
    """The sign of a hex, in the colour of a side: the side's, and that of its property."""
    if not there:
        return []
    side, stack = max(there, key=lambda found: found[1].manned)  # the first, if both are
    if hex.contested:
        return [(CONTESTED, side)]
    return [(SIGNS[side] if stack.manned else f"{SIGNS[side]}{stack.sign}", side)]


def _sign(hex: Hex) -> str:
    """The sign for the special feature of a hex."""
    if hex.contested:
        return CONTESTED
    if hex.isolated:
        return ISOLATED
    return FRONT if hex.front else " "


def _strengths(there: list[tuple[Side, HexStack]], width: int) -> list[Part]:
    """The contents of a hex in the width of a brick, after the side's sign: "★1½V"; of both sides
    the strengths without halves."""
    if len(there) == 1:
        side, stack = there[0]
        what = f"{_strength(stack)}{stack.sign}".strip()[: width - 1]
        return [(f"{SIGNS[side]}{what}".rjust(width), side)]
    return [(f"{SIGNS[side]}{_short(stack)}", side) for side, stack in there]


def _short(stack: HexStack) -> str:
    """A strength, or the sign of a stack without any, in one letter: "+" is ten or more."""
    if not stack.strength:
        return stack.sign
    return halves(stack.strength)[:1] if stack.strength < 10 else "+"


def _strength(stack: HexStack) -> str:
    return halves(stack.strength) if stack.strength else ""


# --- cells as what Textual shows ----------------------------------------------------------------


def segments(cells: list[Cell]) -> list[Segment]:
    """Cells as runs of one style."""
    return [
        Segment("".join(cell.letter for cell in run), _style(*look))
        for look, run in groupby(cells, key=lambda cell: cell[1:])
    ]


@cache
def _style(ink: Color | None, ground: Color | None, bold: bool, reverse: bool) -> Style:
    return Style.from_color(ink, ground) + Style(bold=bold, reverse=reverse)
