"""The lines of the map as cells: a letter, its color and the color under it.

A line is drawn for the visible columns only, and without the cursor, so that lines can be cached;
the cursor is drawn over them.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from typing import NamedTuple

from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from brt_cg.board import TerrainType
from brt_cg.model import Side
from brt_cg.text import halves_text
from brt_cg.tui.look.depth import ColorDepth, ansi_theme_color
from brt_cg.tui.look.signs import SIGNS
from brt_cg.tui.map import colors
from brt_cg.tui.map.colors import CUT_OFF, HexMark, Rgb, Tint
from brt_cg.tui.map.layouts import SQUARE, MapLayout
from brt_cg.tui.map.sheet import Hex, HexStack, MapSheet

CONTESTED, ISOLATED, FRONT, MANY = "×", "!", "▸", ">"
PROPERTY = {Side.MARINE: "☆", Side.JAPANESE: "○"}  # counters without units, in the overview
# If only symbols show the holder, a cell of two hexes has a pattern; OF_BOTH is for both sides.
PATTERNS: Mapping[Side | None, str] = {Side.MARINE: "█", Side.JAPANESE: "▒", None: "░"}
OF_BOTH = "▓"
Part = tuple[str, Side | None]  # a text in a line of a hex, and the side in whose color it is


class Cell(NamedTuple):
    """One cell. `ink` and `ground` are colors, or None if there are none."""

    letter: str
    ink: Color | None = None
    ground: Color | None = None
    bold: bool = False
    reverse: bool = False


@dataclass(slots=True)
class Drawing:
    """The look of the map: `marked` hexes are highlighted (a painted Perimeter, hexes that may be
    pointed at), and so are `drawn` ones in another way (those pointed at, an arc)."""

    sheet: MapSheet
    layout: MapLayout
    depth: ColorDepth = ColorDepth.FULL
    dark: bool = True
    whole: bool = False  # no cell is divided between two hexes, for terminals without half blocks
    marked: Set[str] = field(default_factory=frozenset)
    drawn: Set[str] = field(default_factory=frozenset)

    def line_cells(self, y: int, left: int, right: int) -> list[Cell]:
        """Return the cells of a line of the map, from column `left` up to `right`."""
        uppers, lowers = (
            self.layout.hexes_in_half_line(half, left, right) for half in (2 * y, 2 * y + 1)
        )
        halves = [*zip(uppers, lowers, strict=True)]
        looks = {pair: self._half_cell(*pair) for pair in set(halves)}
        cells = [looks[pair] for pair in halves]
        if not self.layout.has_room_for_letters:
            return cells
        if self.layout.hexagons and self.depth is not ColorDepth.FULL:
            self._outline(cells, uppers, y, left)
        for name in dict.fromkeys(uppers):
            if name is not None:
                hex = self.sheet.hexes[name]
                self._sign_land(cells, hex, y, left)
                self._write(cells, hex, y, left)
        return cells

    def _half_cell(self, upper: str | None, lower: str | None) -> Cell:
        """Return a cell without letters, of one hex or of parts of two."""
        if self.has_too_few_colors and not self.layout.has_room_for_letters:
            return self._pattern(upper, lower)
        if not self.has_half_cells:
            name = upper or lower
            return Cell(" ", None, self._ground(self.sheet.hexes[name]) if name else None)
        above = self._ground(self.sheet.hexes[upper]) if upper else None
        below = self._ground(self.sheet.hexes[lower]) if lower else None
        if above == below:
            return Cell(" ", None, above)
        return Cell("▀", above, below) if above else Cell("▄", below, None)

    def _pattern(self, upper: str | None, lower: str | None) -> Cell:
        """Return a cell of two hexes, whose pattern shows the sides that hold them."""
        found = [self.sheet.hexes[name] for name in (upper, lower) if name]
        land = [hex for hex in found if hex.terrain is not TerrainType.OCEAN]
        if not land:
            return Cell(" ")
        if len(land) < len(found):
            letter = "▀" if land[0].name == upper else "▄"
        else:
            letter = OF_BOTH if land[0].holder is not land[1].holder else PATTERNS[land[0].holder]
        return Cell(letter, self._ink(land[0], land[0].holder))

    @property
    def has_half_cells(self) -> bool:
        """Whether a cell may hold two hexes, because their colors show everything known about
        them."""
        return not (self.whole or self.has_too_few_colors)

    @property
    def has_too_few_colors(self) -> bool:
        """Whether there are too few colors to distinguish terrain, and one hex from the next."""
        return self.depth.is_low or self.depth is ColorDepth.NONE

    def legend_cell(
        self,
        terrain: TerrainType,
        holder: Side | None = None,
        mark: HexMark | None = None,
        shade: int = 1,
    ) -> Cell:
        """Return the symbol in each hex of a kind: the symbol of its mark, or else of the side that
        holds it, or else of its terrain if colors do not show the terrain."""
        told = mark or holder or (terrain if self.has_too_few_colors else None)
        letter = colors.SIGNS[told] if told and self.layout.has_room_for_letters else " "
        tint = (terrain, holder, mark, self.dark)
        least = colors.READ if mark else colors.SEEN
        side = holder if self.has_too_few_colors else None
        ink = colors.letter_color(self.depth, tint, shade, side, least)
        return Cell(letter, _color(ink), _color(colors.ground_color(self.depth, tint, shade)))

    def _sample(self, hex: Hex) -> Cell:
        return self.legend_cell(hex.terrain, hex.holder, self._mark(hex), hex.shade)

    def _outline(self, cells: list[Cell], uppers: list[str | None], y: int, left: int) -> None:
        """Draw the west and north edges of each hexagon whose background is the same as the next
        one's. With too few colors, draw the hex's symbol there instead."""
        wests = self.layout.hexes_in_half_line(2 * y, left - 1, left + len(cells) - 1)
        norths = self.layout.hexes_in_half_line(2 * y - 2, left, left + len(cells))
        for at, owners in enumerate(zip(uppers, wests, norths, strict=True)):
            if owners[0] is not None and len({*owners}) > 1:
                hex = self.sheet.hexes[owners[0]]
                edge = ansi_theme_color(colors.palette_ground_and_edge(*self._tint(hex))[1]).rgb
                cells[at] = (
                    self._sample(hex) if self.has_too_few_colors else Cell(" ", None, _color(edge))
                )

    def _sign_land(self, cells: list[Cell], hex: Hex, y: int, left: int) -> None:
        """Show by a symbol the mark of a hex, its side, or its terrain. The hex has no letters."""
        x, line = self.layout.sign_cell(hex.name)
        if line == y and 0 <= x - left < len(cells):
            sign = self._sample(hex)
            if sign.letter != " ":
                cells[x - left] = sign

    def _write(self, cells: list[Cell], hex: Hex, y: int, left: int) -> None:
        """Write the text of a hex in one of its lines: its name, and each side's strength."""
        corner, top = self.layout.corner(hex.name)
        line = y - top - (1 if self.layout.hexagons else 0)
        if not 0 <= line <= len(hex.stacks):  # the name, and no more than a line for each side
            return
        lines = _lines(hex, self.layout)
        parts = lines[line] if line < len(lines) else []
        length = sum(len(text) for text, _ in parts)
        start = corner - left + (self.layout.across - length) // 2
        if start < 0 or start + length > len(cells):
            return  # a cut-off name could be another hex's name
        for text, side in parts:
            look = self.hex_style(hex, side)
            cells[start : start + len(text)] = [Cell(letter, *look) for letter in text]
            start += len(text)

    def hex_style(self, hex: Hex, side: Side | None) -> tuple[Color | None, Color | None, bool]:
        """Return the color of letters on a hex, its background, and whether they are bold."""
        of_side = hex.holder if side is None and self.has_too_few_colors else side
        return self._ink(hex, of_side), self._ground(hex), side is not None

    def _ink(self, hex: Hex, side: Side | None) -> Color | None:
        return _color(colors.letter_color(self.depth, self._tint(hex), hex.shade, side))

    def _mark(self, hex: Hex) -> HexMark | None:
        if hex.name in self.drawn:
            return HexMark.DRAWN
        if hex.name in self.marked:
            return HexMark.LIT
        if self.layout.has_room_for_letters:
            return None
        if hex.contested:
            return HexMark.CONTESTED
        return HexMark(f"{hex.isolated}{CUT_OFF}") if hex.isolated else None

    def _tint(self, hex: Hex) -> Tint:
        """Return the tint of a hex; without room for a letter, all land of a side has the same
        tint."""
        terrain = hex.terrain
        if not self.layout.has_room_for_letters and hex.holder is not None:
            terrain = TerrainType.LAND
        return (terrain, hex.holder, self._mark(hex), self.dark)

    def _ground(self, hex: Hex) -> Color | None:
        shade = hex.shade if self.layout.has_room_for_letters else 1
        return _color(colors.ground_color(self.depth, self._tint(hex), shade))

    # --- the cursor -----------------------------------------------------------------------------

    def with_cursor(self, cells: list[Cell], cursor: str, y: int, left: int) -> list[Cell]:
        """Return the cells of a line with the cursor on a hex."""
        if y not in self.layout.lines_of(cursor):
            return cells
        corner, _ = self.layout.corner(cursor)
        first = max(0, corner - left)
        last = max(first, corner + self.layout.across - left)
        uppers, lowers = (
            self.layout.hexes_in_half_line(half, left + first, left + last)
            for half in (2 * y, 2 * y + 1)
        )
        under = [
            self._under_cursor(cell, upper == cursor, lower == cursor)
            for cell, upper, lower in zip(cells[first:last], uppers, lowers, strict=False)
        ]
        return [*cells[:first], *under, *cells[last:]]

    def _under_cursor(self, cell: Cell, upper: bool, lower: bool) -> Cell:
        """Return a cell with the cursor on both its hexes, one of them, or none."""
        if not upper and not lower:
            return cell
        if self.depth is ColorDepth.NONE:
            return cell._replace(reverse=True)
        light, shadow = map(_color, colors.cursor_colors(self.depth, self.dark))
        if self.whole or (upper and lower):
            return Cell(cell.letter if cell.letter not in "▀▄" else " ", shadow, light, bold=True)
        above, below = (cell.ink, cell.ground) if cell.letter in "▀▄" else (cell.ground,) * 2
        return Cell("▀", light, below) if upper else Cell("▀", above, light)


@cache
def _color(rgb: Rgb | None) -> Color | None:
    return None if rgb is None else Color.from_rgb(*rgb)


def _lines(hex: Hex, layout: MapLayout) -> list[list[Part]]:
    """Return the lines of text in a hex that a zoom has room for, with the sides' symbols."""
    there = [(side, hex.stacks[side]) for side in Side if side in hex.stacks]
    there = [(side, stack) for side, stack in there if stack.is_there]
    if not layout.has_room_for_names:
        return [_overview(hex, there, layout == SQUARE)]
    if not layout.hexagons:
        return [[(f"{hex.name:<3}{state_sign(hex)} ", None)], _strengths(there, layout.across)]
    lines: list[Part] = [(f"{hex.name}{state_sign(hex)}", None)]
    lines += (
        (f"{SIGNS[side]}{_strength(stack)} {''.join(sorted(stack.signs))}", side)
        for side, stack in there
    )
    return [[(text.strip(), side)] for text, side in lines]


def _overview(hex: Hex, there: list[tuple[Side, HexStack]], has_room: bool) -> list[Part]:
    """Return the symbol of a hex in the color of a side; if there is room, also the symbol of its
    most important counter."""
    if not there:
        return []
    side, stack = max(there, key=lambda found: found[1].manned)  # the manned one, or the first
    who = CONTESTED if hex.contested else (SIGNS if stack.manned else PROPERTY)[side]
    return [(who + (stack.sign if has_room else ""), side)]


def state_sign(hex: Hex) -> str:
    """Return the symbol for the special feature of a hex."""
    if hex.contested:
        return CONTESTED
    if hex.isolated:
        return ISOLATED
    return FRONT if hex.front else " "


def _strengths(there: list[tuple[Side, HexStack]], width: int) -> list[Part]:
    """Return the contents of a hex, after the side's symbol: "★1½V"; if both sides are there, their
    strengths without fractions. The last cell of a brick is kept for the symbol of its land."""
    if len(there) == 1:
        side, stack = there[0]
        what = f"{_strength(stack)}{stack.sign}".strip()[: width - 2]
        return [(f"{SIGNS[side]}{what}".rjust(width - 1), side)]
    return [(f"{SIGNS[side]}{_short(stack)}", side) for side, stack in there]


def _short(stack: HexStack) -> str:
    """Return a strength, or the symbol of a stack without any, in one letter: ">" is ten or
    more."""
    if not stack.strength:
        return stack.sign
    return halves_text(stack.strength)[:1] if stack.strength < 10 else MANY


def _strength(stack: HexStack) -> str:
    return halves_text(stack.strength) if stack.strength else ""


# --- cells as what Textual shows ----------------------------------------------------------------


def segments(cells: list[Cell]) -> list[Segment]:
    """Return the cells as runs of one style."""
    return [
        Segment("".join(cell.letter for cell in run), _style(*look))
        for look, run in groupby(cells, key=lambda cell: cell[1:])
    ]


@cache
def _style(ink: Color | None, ground: Color | None, bold: bool, reverse: bool) -> Style:
    return Style.from_color(ink, ground) + Style(bold=bold, reverse=reverse)
