"""Betio in hexes: a map to look at, point at and paint on, between its rulers."""

from collections.abc import Set
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import events, getters
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Region, Size, Spacing
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from brt_cg.board import locations
from brt_cg.tui.keys.actions import ISLAND, bindings_of_named
from brt_cg.tui.look.depth import ColorDepth
from brt_cg.tui.look.lines import CachedScrollbars, Vertical
from brt_cg.tui.look.signs import SignSet
from brt_cg.tui.look.themed_app import ThemedApp
from brt_cg.tui.map.drawing import Cell, Drawing, segments
from brt_cg.tui.map.layouts import (
    SQUARE,
    TOP,
    WORKING,
    ZOOMS,
    MapLayout,
    all_hexes,
    hexrow_letters_by_line,
    layout_for,
    overview_above,
)
from brt_cg.tui.map.sheet import MapSheet

HERE = "island--here"


class DrawnMap(CachedScrollbars):
    """The drawn map, with the letters of its hexrows beside it and every fifth number above it. The
    map in `also` shows the same state."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {HERE}
    DEFAULT_CSS = f"""
    DrawnMap {{ color: $text-muted; }}
    DrawnMap > .{HERE} {{ color: $accent; text-style: bold; }}
    """

    app = getters.app(ThemedApp)
    cursor = "N21"

    def __init__(
        self, layout: MapLayout, also: "WholeIsland | None" = None, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self._also = also
        self.drawing = Drawing(MapSheet({}, {}), layout)
        self._kept: dict[int, tuple[int, int, list[Cell], Strip]] = {}

    @property
    def layout_now(self) -> MapLayout:
        """The layout of the current zoom."""
        return self.drawing.layout

    # --- the contents ---------------------------------------------------------------------------

    def on_mount(self) -> None:
        self._use_colors_of_app()
        self.app.theme_changed_signal.subscribe(self, lambda _: self._use_colors_of_app())

    def _use_colors_of_app(self) -> None:
        app = self.app
        self.use_depth(ColorDepth.NONE if app.has_no_colors else app.depth)

    def use_depth(self, depth: ColorDepth) -> None:
        """Set the colors that the terminal has."""
        self.drawing.depth = depth
        self.drawing.dark = self.app.current_theme.dark
        self.drawing.whole = self.app.signs is SignSet.PLAIN
        self.redraw_all()

    def show_sheet(self, sheet: MapSheet) -> None:
        """Show another state of the campaign; zoom and cursor are kept."""
        self.drawing.sheet = sheet
        self.redraw_all()
        if self._also is not None:
            self._also.show_sheet(sheet)

    def lay_out(self, layout: MapLayout) -> None:
        """Draw the map at another zoom."""
        if layout != self.drawing.layout:
            self.drawing.layout = layout
            self.redraw_all()

    def replace_hex_marks(self, hexes: Set[str], drawn: Set[str] = frozenset()) -> None:
        """Mark hexes, and in another way those of an arc that is `drawn`; redraw only their
        lines."""
        changed = (self.drawing.marked ^ hexes) | (self.drawing.drawn ^ drawn)
        self.drawing.marked, self.drawing.drawn = frozenset(hexes), frozenset(drawn)
        for y in {y for name in changed for y in self.layout_now.lines_of(name)}:
            self._kept.pop(y, None)
            self._refresh_line(y)
        if self._also is not None:
            self._also.replace_hex_marks(hexes, drawn)

    def put_cursor(self, name: str) -> None:
        """Draw the cursor on a hex."""
        before, self.cursor = self.cursor, name
        for changed in (before, name):
            for y in self.layout_now.lines_of(changed):
                self._refresh_line(y)
        if not self.layout_now.has_room_for_names:
            self.refresh(Region(0, 0, self.size.width, 1))
        if self._also is not None:
            self._also.put_cursor(name)

    def redraw_all(self) -> None:
        """Draw everything again."""
        self._kept.clear()
        self.refresh()

    def _refresh_line(self, y: int) -> None:
        shown = y - self.scroll_offset.y
        if 0 <= shown < self.size.height - 1:
            self.refresh(Region(0, shown + 1, self.size.width, 1))

    def render_line(self, y: int) -> Strip:
        layout, (left, top) = self.layout_now, self.scroll_offset
        width = self.scrollable_content_region.width - layout.margin
        if y == 0:
            name = "" if layout.has_room_for_names else self.cursor
            ruler = Strip([Segment(layout.number_ruler(left, left + width))])
            return self._between(name, ruler, True)
        y += top - 1
        if y >= layout.height:
            return Strip.blank(width + layout.margin, self.rich_style)
        kept = self._kept.get(y)
        if kept is None or kept[:2] != (left, left + width):
            cells = self.drawing.line_cells(y, left, left + width)
            kept = (left, left + width, cells, self._strip(cells))
            self._kept[y] = kept
        letter = hexrow_letters_by_line(layout).get(y, "")
        if y not in layout.lines_of(self.cursor):
            return self._between(letter, kept[3], False)
        under = self._strip(self.drawing.with_cursor(kept[2], self.cursor, y, left))
        return self._between(letter, under, True)

    def _between(self, words: str, line: Strip, here: bool) -> Strip:
        """Return a line with its margin. The words in the margin are highlighted if the cursor is
        `here`."""
        style = self.get_component_rich_style(HERE) if here else self.rich_style
        margin = Segment(f"{words:<{self.layout_now.margin}}", style)
        return Strip([margin, *line.apply_style(self.rich_style)])

    def _strip(self, cells: list[Cell]) -> Strip:
        """Return the cells as a line; where there is no map, the cells have the style of the
        page."""
        return Strip(segments(cells), len(cells)).apply_style(self.rich_style)

    # --- the mouse ------------------------------------------------------------------------------

    def hexes_under(self, x: int, y: int) -> tuple[str, ...]:
        """Return the hexes at a cell of the widget."""
        left, top = self.scroll_offset
        margin = self.layout_now.margin
        if x < margin or y < 1:
            return ()
        return self.layout_now.hexes_at(x - margin + left, y - 1 + top)

    def cell_of_hex(self, name: str) -> tuple[int, int]:
        """Return the cell of the widget where a hex begins."""
        (x, y), (left, top) = self.layout_now.corner(name), self.scroll_offset
        return x + self.layout_now.margin - left, y + 1 - top

    def hex_clicked(self, x: int, y: int) -> str | None:
        """Return the hex that a click means: of two, first the upper one, then the lower."""
        found = self.hexes_under(x, y)
        return found[-1] if found[:1] == (self.cursor,) else next(iter(found), None)


class WholeIsland(DrawnMap):
    """The whole island above a closer zoom. A click on a hex moves the closer map there."""

    @dataclass
    class Pointed(Message):
        """Posted when a hex was clicked."""

        hex: str

    def show_above_if_room(self, zoom: int, room: Size) -> None:
        """Show the island above a closer zoom, if there is room for both."""
        layout = overview_above(zoom, room, self.drawing.has_half_cells)
        self.display = layout is not None
        if layout is not None:
            self.lay_out(layout)
            self.styles.height = layout.framed.height

    def on_click(self, event: events.Click) -> None:
        name = self.hex_clicked(event.x, event.y)
        if name is not None:
            self.post_message(self.Pointed(name))


class IslandMap(DrawnMap, can_focus=True, inherit_bindings=False):
    """The map to work on. Arrows move the cursor from hex to hex; the mouse points, drags, and
    zooms with Ctrl and its wheel. The map of the `whole` island shows the same."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of_named(
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

    zoom = ZOOMS.index(WORKING)  # the number of the present zoom
    _dragged: tuple[int, int] | None = None  # where the mouse was last, while it is pressed
    _pressed: str | None = None

    def __init__(self, also: WholeIsland | None = None) -> None:
        super().__init__(WORKING, also, id="island")

    def on_mount(self) -> None:
        self._resize()

    # --- moving ---------------------------------------------------------------------------------

    def go_to(self, name: str) -> None:
        """Put the cursor on a hex and bring it into view. Raises BadLocationError."""
        locations.check_hex(name)
        before = self.cursor
        self.put_cursor(name)
        self._keep_in_view()
        if before != name:
            self.post_message(self.Moved(name))

    def action_step(self, rows: int, numbers: int) -> None:
        row, number = locations.hex_sort_key(self.cursor)
        row = max(0, min(TOP, row + rows))
        number = max(1, min(locations.NUMBERS, number + numbers))
        self.go_to(all_hexes()[row, number])

    def zoom_to(self, zoom: int) -> None:
        """Draw the map at a zoom, by its number."""
        if zoom != self.zoom:
            self.zoom = zoom
            self._fit()

    def _fit(self) -> None:
        """Choose the layout of the zoom for the available room."""
        self.lay_out(layout_for(self.zoom, self.size, self.drawing.has_half_cells))
        if self._also is not None and isinstance(self.parent, Widget):
            self._also.show_above_if_room(self.zoom, self.parent.size)

    def lay_out(self, layout: MapLayout) -> None:
        before = self.layout_now
        super().lay_out(layout)
        if layout != before:
            self._resize()

    def _resize(self) -> None:
        self.virtual_size = self.layout_now.framed
        self.refresh()
        self.call_after_refresh(self._keep_in_view, True)

    def on_resize(self) -> None:
        self._fit()
        self.call_after_refresh(self._keep_in_view, True)

    def _keep_in_view(self, centre: bool = False) -> None:
        layout = self.layout_now
        x, y = layout.corner(self.cursor)
        lines = len(layout.lines_of(self.cursor))
        region = Region(x + layout.margin, y + 1, layout.across, lines)
        around = region.grow((lines, layout.across, lines, layout.across))
        rulers = Spacing(1, 0, 0, layout.margin)
        self.scroll_to_region(around, spacing=rulers, animate=False, center=centre, force=True)

    # --- the mouse ------------------------------------------------------------------------------

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._dragged = (event.x, event.y)
        self._pressed = next(iter(self.hexes_under(event.x, event.y)), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag over all hexes on the way: a fast mouse reports only some of its positions."""
        if not event.button or self._dragged is None:
            return
        x, y = self._dragged
        right, down = event.x - x, event.y - y
        steps = max(abs(right), abs(down), 1)
        way = ((x + right * at // steps, y + down * at // steps) for at in range(steps + 1))
        hexes = dict.fromkeys(hex for place in way for hex in self.hexes_under(*place))
        for hex in hexes if len(hexes) > 1 else ():
            self.post_message(self.Dragged(hex))
        self._dragged = (event.x, event.y)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        start, hexes = self._pressed, self.hexes_under(event.x, event.y)
        self._dragged = self._pressed = None
        if start is not None and hexes and start not in hexes:
            self.post_message(self.Dropped(start, hexes[0]))

    def on_click(self, event: events.Click) -> None:
        name = self.hex_clicked(event.x, event.y)
        if name is not None:
            again = name == self.cursor
            self.go_to(name)
            self.post_message(self.Pointed(name, again))

    async def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        await self._zoom_by(event, "closer")

    async def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        await self._zoom_by(event, "farther")

    async def _zoom_by(self, event: events.MouseEvent, action: str) -> None:
        if event.ctrl:
            event.stop()
            await self.run_action(f"screen.{action}")


class Maps(Vertical):
    """The map to work on, and if there is room the whole island above it: clicking it moves the
    map there."""

    DEFAULT_CSS = """
    Maps { width: 1fr; height: 1fr; }
    Maps WholeIsland { display: none; scrollbar-size: 0 0; }
    """

    def compose(self) -> ComposeResult:
        whole = WholeIsland(SQUARE)
        yield whole
        yield IslandMap(whole)

    def on_whole_island_pointed(self, event: WholeIsland.Pointed) -> None:
        self.query_one(IslandMap).go_to(event.hex)
