"""Betio from the north, as an overview: one cell for two hexes, one above the other."""

from textual.strip import Strip

from brt_cg.tui.map.drawing import Cell
from brt_cg.tui.map.island_map import WholeIsland
from brt_cg.tui.map.layouts import ISLAND
from brt_cg.tui.map.sheet import Hex, MapSheet, build_blank_hexes


class Island(WholeIsland):
    """The island without rulers, 63 cells wide and 13 high, in the middle of its space; the names
    of Setup Areas are on their land."""

    DEFAULT_CSS = f"Island {{ width: {ISLAND.width}; height: {ISLAND.height}; }}"

    def __init__(self) -> None:
        super().__init__(ISLAND)
        self._named: list[tuple[int, int, Hex]] = []
        self.drawing.sheet = MapSheet(build_blank_hexes(), {})

    def show_sheet(self, sheet: MapSheet) -> None:
        areas: dict[str, list[Hex]] = {}
        for hex in sheet.hexes.values():
            if hex.area is not None:
                areas.setdefault(hex.area, []).append(hex)
        self._named = [_middle(land) for land in areas.values()]
        super().show_sheet(sheet)

    @property
    def _beside(self) -> int:
        return (self.size.width - ISLAND.width) // 2

    def render_line(self, y: int) -> Strip:
        cells = self.drawing.line_cells(y, 0, ISLAND.width)
        for x, line, hex in self._named:
            if line == y:
                look = self.drawing.hex_style(hex, hex.holder)
                cells[x : x + len(hex.area or "")] = [Cell(one, *look) for one in hex.area or ""]
        beside = Strip.blank(self._beside, self.rich_style)
        return Strip.join([beside, self._strip(cells)])

    def hexes_under(self, x: int, y: int) -> tuple[str, ...]:
        return ISLAND.hexes_at(x - self._beside, y)


def _middle(land: list[Hex]) -> tuple[int, int, Hex]:
    """Return the cell for the name of an area, on the one of its hexes that is nearest to its
    middle."""
    places = [(*ISLAND.corner(hex.name), hex) for hex in land]
    column, row = (
        sum(axis) / len(land) for axis in zip(*(place[:2] for place in places), strict=True)
    )
    x, y, hex = min(places, key=lambda at: (at[0] - column) ** 2 + 4 * (at[1] - row) ** 2)
    return min(x, ISLAND.width - len(hex.area or "")), y, hex
