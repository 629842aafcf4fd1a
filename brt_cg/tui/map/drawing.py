"""Lines of the map as cells: a letter, its colour and the colour under it.

A line is drawn for the visible columns only, and without the cursor, so that lines can be cached;
the cursor is drawn over them.
"""

from collections.abc import Set
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple

from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from brt_cg.board.locations import TerrainType
from brt_cg.model.counters import Side
from brt_cg.purchases.breach import halves
from brt_cg.tui.look.themes import SIGNS
from brt_cg.tui.map import colours
from brt_cg.tui.map.colours import HexMark
from brt_cg.tui.map.layouts import MapLayout
from brt_cg.tui.map.sheet import Hex, HexStack, MapSheet

CONTESTED, ISOLATED, FRONT = "×", "!", "▸"
Tint = tuple[TerrainType, Side | None, HexMark | None, bool]
Part = tuple[str, Side | None]  # a text in a line of a hex, and the side in whose colour it is


class Palette(StrEnum):
    """The colours that the terminal has."""

    FULL = "full"
    OF_256 = "256"
    NONE = "none"


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
    palette: Palette = Palette.FULL
    dark: bool = True
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
                self._write(cells, self.sheet.hexes[name], y, left)
        return cells

    def _half_cell(self, upper: str | None, lower: str | None) -> Cell:
        """A cell without letters, of one hex or of the halves of two."""
        if self.palette is Palette.NONE:
            hex = self.sheet.hexes[upper] if upper else None
            tint = (hex.terrain, hex.holder, self._mark(hex), hex.shade) if hex else None
            return Cell(colours.pattern(*tint) if tint else " ")
        above = self._colour(self.sheet.hexes[upper]) if upper else None
        below = self._colour(self.sheet.hexes[lower]) if lower else None
        if above == below:
            return Cell(" ", None, above)
        return Cell("▀", above, below) if above else Cell("▄", below, None)

    def _write(self, cells: list[Cell], hex: Hex, y: int, left: int) -> None:
        """Writes what a hex says in a line of it: its name, and each side's strength."""
        corner, top = self.layout.corner(hex.name)
        line = y - top - (1 if self.layout.hexagons else 0)
        if not 0 <= line <= len(hex.stacks):  # the name, and no more than a line for each side
            return
        lines = _lines(hex, self.layout, self.palette is Palette.NONE)
        parts = lines[line] if line < len(lines) else []
        start = corner - left + (self.layout.across - sum(len(text) for text, _ in parts)) // 2
        for text, side in parts:
            ink, ground, bold = self._look(hex, side)
            for at, letter in enumerate(text, start):
                # A space in ink keeps the text in one run.
                if 0 <= at < len(cells) and (ink or letter != " "):
                    cells[at] = Cell(letter, ink, ground, bold)
            start += len(text)

    def _look(self, hex: Hex, side: Side | None) -> tuple[Color | None, Color | None, bool]:
        """The ink of letters on a hex, its ground, and whether they are bold."""
        if self.palette is Palette.NONE:
            return None, None, True
        ink = _ink(self.palette, self._tint(hex), hex.shade, side)
        return ink, self._colour(hex), side is not None

    def _mark(self, hex: Hex) -> HexMark | None:
        if hex.name in self.drawn:
            return HexMark.DRAWN
        return HexMark.LIT if hex.name in self.marked else None

    def _tint(self, hex: Hex) -> Tint:
        return (hex.terrain, hex.holder, self._mark(hex), self.dark)

    def _colour(self, hex: Hex) -> Color:
        return _ground(self.palette, self._tint(hex), hex.shade)

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
        if self.palette is Palette.NONE:
            return cell._replace(reverse=True)
        pair = [Color.from_rgb(*rgb) for rgb in colours.SHADES["rgb"]["cursor"]]
        light, shadow = pair if self.dark else reversed(pair)
        if upper and lower:
            return Cell(cell.letter if cell.letter not in "▀▄" else " ", shadow, light, bold=True)
        above, below = (cell.ink, cell.ground) if cell.letter in "▀▄" else (cell.ground,) * 2
        return Cell("▀", light, below) if upper else Cell("▀", above, light)


@lru_cache(maxsize=1024)
def _ground(palette: Palette, tint: Tint, shade: int) -> Color:
    if palette is Palette.OF_256:
        return Color.from_ansi(colours.in_palette(*tint)[shade])
    return Color.from_rgb(*colours.shades(*tint)[shade])


@lru_cache(maxsize=4096)
def _ink(palette: Palette, tint: Tint, shade: int, side: Side | None) -> Color:
    if palette is Palette.OF_256:
        ground = colours.palette_rgb(colours.in_palette(*tint)[shade])
    else:
        ground = colours.shades(*tint)[1]
    return Color.from_rgb(*colours.ink(ground, side))


def _is_there(stack: HexStack) -> bool:
    return stack.manned or bool(stack.signs)


def _lines(hex: Hex, layout: MapLayout, signed: bool) -> list[list[Part]]:
    """The lines of text in a hex, as far as a zoom has room for them; without colours they are
    `signed` with the sides' signs at every zoom."""
    there = [(side, hex.stacks[side]) for side in Side if side in hex.stacks]
    there = [(side, stack) for side, stack in there if _is_there(stack)]
    if layout.down == 1:
        return [_overview(hex, there, signed)]
    if not layout.hexagons:
        strengths = _signed if signed else _strengths
        return [[(f"{hex.name:<3}{_sign(hex)}", None)], strengths(there, layout.across)]
    lines: list[Part] = [(f"{hex.name}{_sign(hex)}", None)]
    lines += (
        (f"{SIGNS[side]}{_strength(stack)} {''.join(sorted(stack.signs))}", side)
        for side, stack in there
    )
    return [[(text.strip(), side)] for text, side in lines]


def _overview(hex: Hex, there: list[tuple[Side, HexStack]], signed: bool) -> list[Part]:
    """The sign of a hex, in the colour of a side; if `signed`, of a side's property after its
    sign."""
    if not there:
        return []
    side, stack = max(there, key=lambda found: found[1].manned)  # the first, if both are
    if hex.contested:
        return [(CONTESTED, side)]
    found = SIGNS[side] if stack.manned else stack.sign
    return [(f"{SIGNS[side]}{found}" if signed and not stack.manned else found, side)]


def _sign(hex: Hex) -> str:
    """The sign for the special feature of a hex."""
    if hex.contested:
        return CONTESTED
    if hex.isolated:
        return ISOLATED
    return FRONT if hex.front else " "


def _strengths(there: list[tuple[Side, HexStack]], width: int) -> list[Part]:
    """The contents of a hex, in the width of a brick: one side's strength and sign, or both."""
    if len(there) == 1:
        side, stack = there[0]
        return [(f"{_strength(stack):>{width - 1}}{stack.sign}", side)]
    half = width // 2
    return [(f"{_strength(stack)[:half]:>{half}}", side) for side, stack in there]


def _signed(there: list[tuple[Side, HexStack]], width: int) -> list[Part]:
    """The same after the side's sign: "★1½V"; of both sides the strengths without halves."""
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
