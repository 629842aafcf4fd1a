"""Betio in hexes: a map to look at, point at and paint on."""

from collections.abc import Set
from dataclasses import dataclass
from typing import ClassVar

from textual import events, getters
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from brt_cg.board import locations
from brt_cg.tui.keys.actions import ISLAND, bound_to
from brt_cg.tui.look.depth import Depth
from brt_cg.tui.look.lines import BarsDrawnOnce
from brt_cg.tui.look.signs import SignSet
from brt_cg.tui.look.themed_app import Dressed
from brt_cg.tui.map.drawing import Cell, Drawing, segments
from brt_cg.tui.map.layouts import TOP, WORKING, ZOOMS, MapLayout, all_hexes, layout_for
from brt_cg.tui.map.sheet import MapSheet


class IslandMap(BarsDrawnOnce, can_focus=True, inherit_bindings=False):
    """The map. Arrows move the cursor from hex to hex; the mouse points, drags, and zooms with
    Ctrl and its wheel."""

    BINDINGS: ClassVar[list[BindingType]] = bound_to(
        ISLAND,
        west="step(0, -1)",
        east="step(0, 1)",
        north="step(1, 0)",
        south="step(-1, 0)",
        far_north="step(5, 0)",
        far_south="step(-5, 0)",
        far_west="step(0, -10)",
        far_east="step(0, 10)",
    )

    @dataclass
    class Moved(Message):
        """Posted when the cursor is on another hex."""

        hex: str

    @dataclass
    class Pointed(Message):
        """Posted when a hex was clicked; `again` if the cursor was on it already."""

        hex: str
        again: bool

    @dataclass
    class Dragged(Message):
        """Posted when the mouse was dragged over a hex."""

        hex: str

    @dataclass
    class Dropped(Message):
        """Posted when the mouse was dragged from one hex to another, and released."""

        start: str
        hex: str

    app = getters.app(Dressed)
    cursor = "N21"
    zoom = ZOOMS.index(WORKING)  # the number of the present zoom
    _dragged: tuple[int, int] | None = None  # where the mouse was last, while it is pressed
    _pressed: str | None = None

    def __init__(self) -> None:
        super().__init__(id="island")
        self.drawing = Drawing(MapSheet({}, {}), WORKING)
        self._kept: dict[int, tuple[int, int, list[Cell], Strip]] = {}

    @property
    def layout_now(self) -> MapLayout:
        """The layout of the present zoom."""
        return self.drawing.layout

    # --- what is shown --------------------------------------------------------------------------

    def on_mount(self) -> None:
        self._take_colours()
        self.app.theme_changed_signal.subscribe(self, lambda _: self._take_colours())
        self._resize()

    def _take_colours(self) -> None:
        app = self.app
        self.use(Depth.NONE if app.has_no_colours else app.depth)

    def use(self, depth: Depth) -> None:
        """Sets the colours that the terminal has."""
        self.drawing.depth = depth
        self.drawing.dark = self.app.current_theme.dark
        self.drawing.whole = self.app.signs is SignSet.PLAIN
        self._forget()

    def show(self, sheet: MapSheet) -> None:
        """Shows another state of the campaign; zoom and cursor stay."""
        self.drawing.sheet = sheet
        self._forget()

    def mark(self, hexes: Set[str], drawn: Set[str] = frozenset()) -> None:
        """Marks hexes, and in another way those of an arc that is `drawn`; redraws only their
        lines."""
        changed = (self.drawing.marked ^ hexes) | (self.drawing.drawn ^ drawn)
        self.drawing.marked, self.drawing.drawn = frozenset(hexes), frozenset(drawn)
        for y in {y for name in changed for y in self.layout_now.lines_of(name)}:
            self._kept.pop(y, None)
            self._refresh_line(y)

    def _forget(self) -> None:
        self._kept.clear()
        self.refresh()

    def _refresh_line(self, y: int) -> None:
        shown = y - self.scroll_offset.y
        if 0 <= shown < self.size.height:
            self.refresh(Region(0, shown, self.size.width, 1))

    def render_line(self, y: int) -> Strip:
        left, top = self.scroll_offset
        width, y = self.scrollable_content_region.width, y + top
        if y >= self.layout_now.height:
            return Strip.blank(width, self.rich_style)
        kept = self._kept.get(y)
        if kept is None or kept[:2] != (left, left + width):
            cells = self.drawing.line(y, left, left + width)
            kept = (left, left + width, cells, self._strip(cells))
            self._kept[y] = kept
        if y not in self.layout_now.lines_of(self.cursor):
            return kept[3]
        return self._strip(self.drawing.with_cursor(kept[2], self.cursor, y, left))

    def _strip(self, cells: list[Cell]) -> Strip:
        """Cells as a line; beside the map is the page."""
        return Strip(segments(cells), len(cells)).apply_style(self.rich_style)

    # --- moving ---------------------------------------------------------------------------------

    def go_to(self, name: str, zoom: int | None = None) -> None:
        """Puts the cursor on a hex and brings it into view, at a zoom. Raises BadLocation."""
        locations.check_hex(name)
        if zoom is not None:
            self.action_zoom(zoom - self.zoom)
        before, self.cursor = self.cursor, name
        for changed in (before, name):
            for y in self.layout_now.lines_of(changed):
                self._refresh_line(y)
        self._keep_in_view()
        if before != name:
            self.post_message(self.Moved(name))

    def action_step(self, rows: int, numbers: int) -> None:
        row, number = locations.key(self.cursor)
        row = max(0, min(TOP, row + rows))
        number = max(1, min(locations.NUMBERS, number + numbers))
        self.go_to(all_hexes()[row, number])

    def action_zoom(self, steps: int) -> None:
        at = self.zoom + steps
        if steps and 0 <= at < len(ZOOMS):
            self.zoom = at
            self._fit()

    def _fit(self) -> None:
        """Takes the layout of the zoom for the available rows."""
        layout = layout_for(self.zoom, self.size.height)
        if layout != self.drawing.layout:
            self.drawing.layout = layout
            self._forget()
            self._resize()

    def _resize(self) -> None:
        self.virtual_size = Size(self.layout_now.width, self.layout_now.height)
        self.refresh()
        self.call_after_refresh(self._keep_in_view, True)

    def on_resize(self) -> None:
        self._fit()
        self.call_after_refresh(self._keep_in_view)

    def _keep_in_view(self, centre: bool = False) -> None:
        layout = self.layout_now
        x, y = layout.corner(self.cursor)
        region = Region(x, y, layout.across, layout.down + (1 if layout.hexagons else 0))
        around = region.grow((layout.down, layout.across, layout.down, layout.across))
        self.scroll_to_region(around, animate=False, center=centre, force=True)

    # --- the mouse ------------------------------------------------------------------------------

    def _under(self, x: int, y: int) -> str | None:
        left, top = self.scroll_offset
        return self.layout_now.hex_at(x + left, y + top)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._dragged, self._pressed = (event.x, event.y), self._under(event.x, event.y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drags over all hexes on the way: a fast mouse reports only some of its places."""
        if not event.button or self._dragged is None:
            return
        x, y = self._dragged
        right, down = event.x - x, event.y - y
        steps = max(abs(right), abs(down), 1)
        way = ((x + right * at // steps, y + down * at // steps) for at in range(steps + 1))
        hexes = dict.fromkeys(filter(None, (self._under(*place) for place in way)))
        for hex in hexes if len(hexes) > 1 else ():
            self.post_message(self.Dragged(hex))
        self._dragged = (event.x, event.y)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        start, hex = self._pressed, self._under(event.x, event.y)
        self._dragged = self._pressed = None
        if start is not None and hex is not None and start != hex:
            self.post_message(self.Dropped(start, hex))

    def on_click(self, event: events.Click) -> None:
        name = self._under(event.x, event.y)
        if name is not None:
            again = name == self.cursor
            self.go_to(name)
            self.post_message(self.Pointed(name, again))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        if event.ctrl:
            event.stop()
            self.action_zoom(1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        if event.ctrl:
            event.stop()
            self.action_zoom(-1)
