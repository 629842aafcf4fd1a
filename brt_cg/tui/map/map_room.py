"""The common part of all rooms with the map: finding, zooming, the hex under the cursor down to the
stack, and the legend: what the present zoom draws, in the signs and colours that the terminal
has."""

from collections.abc import Iterator, Sequence
from functools import partialmethod
from pathlib import Path
from typing import ClassVar

from rich.color import Color as Drawn
from textual import events, getters
from textual.app import ComposeResult
from textual.color import Color
from textual.content import Content
from textual.geometry import Size
from textual.style import Style
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from brt_cg.board import locations
from brt_cg.board.locations import OFF_MAP, TerrainType
from brt_cg.exports.wording import state_text
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Side
from brt_cg.model.records import area_named
from brt_cg.tui.frame.counter_history import CameToBe
from brt_cg.tui.frame.list_room import ListRoom
from brt_cg.tui.lists.filter_line import FilterLine
from brt_cg.tui.lists.found import holds, next_of
from brt_cg.tui.lists.panes import LongPane
from brt_cg.tui.lists.row_lists import BESIDE, SteadyList
from brt_cg.tui.look.depth import named
from brt_cg.tui.look.fit import is_low, is_narrow
from brt_cg.tui.look.lines import Hanging, Lines, Vertical, hanging, in_rows
from brt_cg.tui.look.signs import SIGNS
from brt_cg.tui.map.colours import HexMark
from brt_cg.tui.map.drawing import CONTESTED, FRONT, ISOLATED, MANY, PROPERTY, Drawing
from brt_cg.tui.map.island_map import IslandMap
from brt_cg.tui.map.layouts import WORKING, ZOOMS, layout_for
from brt_cg.tui.map.sheet import LEGEND, Hex, sheet_of
from brt_cg.tui.session.session import Seen

PAGE_WIDTH = 38  # of the page beside the map, in cells
LOW_PAGE, PAGE = 3 + 9, 3 + 11  # rows of header, key bar and the page below the map, at least


class IslandScreen(ListRoom):
    """The map, and beside or below it the hex under the cursor, with its counters. The line of
    words finds hexes. A subclass puts its question into `asking`, above the counters; `LIT` says
    why hexes are lit."""

    CSS_PATH = Path(__file__).with_name("map.tcss")
    AUTO_FOCUS = "IslandMap"
    POSSIBLE = {"next_found": lambda room, seen: len(room._hits) > 1}
    LIT: ClassVar[str] = "painted"

    island = getters.query_one(IslandMap)
    stack = getters.query_one("#stack", SteadyList)
    _hits: Sequence[str] = ()

    def room(self) -> ComposeResult:
        yield IslandMap()
        with Vertical(id="beside", classes="panel"):
            yield FilterLine("a hex, or words of a counter")
            yield Hanging(id="hex")
            with LongPane(id="page"):
                yield from self.asking()
                yield SteadyList(id="stack", classes=BESIDE, markup=False)
                yield CameToBe(id="chain")
            yield Lines(id="legend")

    def asking(self) -> ComposeResult:
        """The question, above the contents of the hex."""
        yield from ()

    # --- showing --------------------------------------------------------------------------------

    def show(self, seen: Seen) -> None:
        self.island.show(sheet_of(seen.view, seen.card))
        self.show_legend()
        self.show_page()

    def on_mount(self) -> None:
        self.go_to(self.app.map_cursor)

    def on_screen_resume(self, _: events.ScreenResume) -> None:
        if self._composed:
            self.go_to(self.app.map_cursor)

    def forget(self) -> None:
        """Leaves the hex, which may be another seat's secret."""
        super().forget()
        self.go_to(self.app.map_cursor)

    def go_to(self, hex: str) -> None:
        """Goes to a hex, at the shared zoom."""
        self.app.map_cursor = hex
        self.island.go_to(hex, self.app.map_zoom)
        self.fit_to_zoom()

    def fitting(self, size: Size) -> dict[str, bool]:
        return super().fitting(size) | {"-beside": self._is_beside(size)}

    def _is_beside(self, size: Size) -> bool:
        """Whether the page is beside the map: not if the map is too wide for that, and all its
        hexrows have room above the page."""
        if is_low(self) or is_narrow(self):
            return False
        layout = ZOOMS[self.app.map_zoom]
        return layout.width + PAGE_WIDTH <= size.width or layout.height + PAGE > size.height

    def fit_to_zoom(self) -> None:
        """Gives the map the room that it can fill, and the page the rest."""
        size, styles = self.app.size, self.island.styles
        self.update_classes(self.fitting(size), animate=False)
        if self._is_beside(size):
            styles.width = min(ZOOMS[self.app.map_zoom].width, size.width - PAGE_WIDTH)
            styles.height = "1fr"
        else:
            rows = size.height - (LOW_PAGE if is_low(self) else PAGE)
            styles.width = "1fr"
            styles.height = min(layout_for(self.app.map_zoom, rows).height, rows)
        self.show_legend()

    def on_resize(self, event: events.Resize) -> None:
        if self._composed:
            self.fit_to_zoom()

    def _zoom(self, by: int) -> None:
        self.island.action_zoom(by)
        self.app.map_zoom = self.island.zoom
        self.fit_to_zoom()

    action_closer = partialmethod(_zoom, 1)
    action_farther = partialmethod(_zoom, -1)

    def show_legend(self) -> None:
        """Explains what the present zoom draws."""
        drawing, beside = self.island.drawing, self.has_class("-beside")
        self.query_one("#legend", Lines).write_by(
            lambda room: legend(drawing, room.width, self.LIT, beside)
        )

    def show_page(self) -> None:
        """Shows the hex under the cursor, and lists its counters."""
        sheet = self.island.drawing.sheet
        hex = sheet.hexes.get(self.island.cursor)
        if hex is None:
            return
        self.query_one("#hex", Hanging).tell(_hex_text(hex))
        self.query_one(CameToBe).show(None)
        view, here = self.seen.view, sheet.here.get(hex.name, ())
        self.stack.display = bool(here)
        self.stack.show(
            lambda width: [
                Option(hanging(_counter_text(view, lying), width), lying.id) for lying in here
            ]
        )

    def on_island_map_moved(self, event: IslandMap.Moved) -> None:
        """Updates the hex beside the map; later, since that changes the layout, while the map is
        drawn at once."""
        self.app.map_cursor = event.hex
        self.rest()

    # --- a counter of the stack -----------------------------------------------------------------

    @property
    def selected_counter(self) -> str | None:
        """The id of the selected counter, while the stack has the focus."""
        return self.stack.id_at_cursor if self.stack.has_focus else None

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_list is self.stack:
            self.query_one(CameToBe).show(self.selected_counter)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if event.widget is self.stack:
            self.query_one(CameToBe).show(self.selected_counter)

    # --- finding --------------------------------------------------------------------------------

    def action_find(self) -> None:
        self.action_filter()

    def filter(self) -> None:
        self._hits = self._found(self.filter_line.words)
        if self._hits:
            self.island.go_to(self._hits[0])

    def _found(self, words: str) -> list[str]:
        """The hexes that words mean: the hex of that name, or the hexes of counters with these
        words in their names."""
        wanted = words.strip()
        if not wanted:
            return []
        if locations.is_location(wanted.upper()) and wanted.upper() != OFF_MAP.upper():
            return [locations.hex_of(wanted.upper())]
        view = self.seen.view
        return [
            hex
            for hex, lying in self.island.drawing.sheet.here.items()
            if any(holds(_words_of(view, counter), wanted) for counter in lying)
        ]

    def action_next_found(self) -> None:
        if self._hits:
            self.island.go_to(next_of(self._hits, self.island.cursor))

    @property
    def is_filtered(self) -> bool:
        return super().is_filtered or not self.island.has_focus

    def row_text(self) -> str | None:
        return self.island.cursor


def _words_of(view: Campaign, counter: Counter) -> str:
    return f"{counter.label} {counter.id} {state_text(counter)}"


def _hex_text(hex: Hex) -> Content:
    """A hex in words: its terrain, and whose it is."""
    facts = [hex.terrain.label, hex.beach and locations.beach_name(hex.beach)]
    if hex.area and hex.holder:
        facts.append(f"{area_named(hex.area)}, {hex.holder.label}")
    facts += ["Front Line"] if hex.front else []
    facts += [f"{hex.isolated.label} Isolated"] if hex.isolated else []
    text = " · ".join(filter(None, facts))
    return Content.assemble((hex.name, "bold"), f"  {text}")


def _counter_text(view: Campaign, counter: Counter) -> Content:
    side = counter.side
    place = (counter.location or "").partition(":")[2]
    words = ", ".join(filter(None, (place and f"in {place}", state_text(counter))))
    named = f"{SIGNS[side] if side else '·'} {counter.label}"
    return Content.assemble((named, f"${side or 'foreground'}"), (f" {words}", "dim"))


# --- the legend -----------------------------------------------------------------------------------


COLUMN = 16  # the width of a column, two cells from the next
UNSEEN = (None, Drawn.from_ansi(0))  # grounds that are told by a sign only


def legend(drawing: Drawing, width: int, lit: str, in_columns: bool) -> Content:
    """What a map draws, in rows of a width, the most important first; `lit` says in words why hexes
    are marked."""
    parts = [*_land(drawing), *_marks_drawn(drawing, lit), *map(Content, _signs(drawing))]
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
        yield _drawn_as(drawing, f"{side.label} land", TerrainType.LAND, side)


def _marks_drawn(drawing: Drawing, lit: str) -> Iterator[Content]:
    """Yields the marks that any hex has now."""
    shown = ((HexMark.LIT, drawing.marked, lit), (HexMark.DRAWN, drawing.drawn, "chosen, or arc"))
    for mark, hexes, words in shown:
        if hexes:
            yield _drawn_as(drawing, words, TerrainType.LAND, None, mark)


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
            yield _drawn_as(drawing, terrain.label, terrain)


def _drawn_as(
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
