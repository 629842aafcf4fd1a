"""Betio from the north, drawn from its hexes: one cell for two hexes, one above the other."""

from collections.abc import Iterable, Mapping
from string import ascii_uppercase

from textual.app import RenderResult
from textual.content import Content
from textual.widget import Widget

from brt_cg.board.locations import NUMBERS, land
from brt_cg.model.counters import Side
from brt_cg.model.records import Area

PAIRS = tuple(zip(ascii_uppercase[::-2], ascii_uppercase[-2::-2], strict=True))  # Z over Y, …
WIDTH, HEIGHT = NUMBERS, len(PAIRS)
NOBODY = "$foreground 30%"
FULL: Mapping[Side | None, str] = {Side.MARINE: "█", Side.JAPANESE: "▒", None: "░"}
PLAIN: Mapping[Side | None, str] = {None: "█"}
Cell = tuple[str, str]  # a glyph and its style


class Island(Widget):
    """The island, 63 cells wide and 13 high; with Setup Areas, each side's hexes in its own pattern
    and colour, with the areas' names."""

    DEFAULT_CSS = f"Island {{ width: {WIDTH}; height: {HEIGHT}; }}"
    _areas: tuple[Area, ...] = ()

    def show(self, areas: Iterable[Area]) -> None:
        """Shows the holders of the hexes."""
        self._areas = tuple(areas)
        self.refresh()

    def render(self) -> RenderResult:
        whose = {where: area.side for area in self._areas for where in area.hexes}
        rows = [
            [_cell(f"{upper}{n}", f"{lower}{n}", whose) for n in range(1, NUMBERS + 1)]
            for upper, lower in PAIRS
        ]
        for area in self._areas:
            _write_name(rows, area)
        return Content("\n").join(Content.assemble(*row) for row in rows)


def _cell(upper: str, lower: str, whose: Mapping[str, Side]) -> Cell:
    above, below = upper in land(), lower in land()
    full = FULL if whose else PLAIN
    if not above and not below:
        return " ", ""
    side = whose.get(upper if above else lower)
    style = f"${side}" if side else NOBODY
    if above and below:
        other = whose.get(lower)
        return full[side] if side is other else "▓", style
    return ("▀" if above else "▄"), style


def _write_name(rows: list[list[Cell]], area: Area) -> None:
    """Writes an area's name in its middle, on one of its own hexes."""
    places = [(ascii_uppercase[::-1].index(hex[0]) // 2, int(hex[1:]) - 1) for hex in area.hexes]
    row = sum(place[0] for place in places) / len(places)
    column = sum(place[1] for place in places) / len(places)
    at = min(places, key=lambda place: (place[0] - row) ** 2 * 4 + (place[1] - column) ** 2)
    start = min(at[1], WIDTH - len(area.id))
    for offset, letter in enumerate(area.id):
        rows[at[0]][start + offset] = (letter, f"bold $background on ${area.side}")
