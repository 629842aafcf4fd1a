"""The common part of all rooms with the map: finding, zooming, the hex under the cursor and its
stack, and the legend of the current zoom, in the symbols and colors that the terminal has."""

import asyncio
from collections.abc import Callable, Iterator, Sequence, Set
from functools import partialmethod
from pathlib import Path
from typing import ClassVar

from textual import events, getters, work
from textual.app import ComposeResult
from textual.color import Color
from textual.content import Content
from textual.geometry import Size
from textual.style import Style
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from brt_cg.board import OFF_MAP, TerrainType, ground_hex, locations, sort_hexes
from brt_cg.card import Card
from brt_cg.exports.wording import notable_state_text
from brt_cg.immutable import immutable
from brt_cg.model import Campaign, Counter, Side, area_name
from brt_cg.questions import RefusedError
from brt_cg.refit.s607_perimeters import campaign_divided_by_perimeters
from brt_cg.text import count_text
from brt_cg.tui.frame.counter_history import CounterHistory
from brt_cg.tui.frame.list_room import ListRoom
from brt_cg.tui.keys.key_buffer import BEFORE_LOOKING_UP
from brt_cg.tui.lists.filter_line import FilterLine
from brt_cg.tui.lists.panes import LongPane
from brt_cg.tui.lists.row_lists import BESIDE, SteadyList
from brt_cg.tui.lists.search import contains_words, group_pairs, next_cyclic
from brt_cg.tui.look.lines import HangingText, Lines, Vertical, flow_in_rows, hang_text
from brt_cg.tui.look.screen_size import LOW, NARROW, is_screen_low
from brt_cg.tui.look.signs import SIGNS, SignSet
from brt_cg.tui.map.colors import CUT_OFF, HexMark
from brt_cg.tui.map.drawing import CONTESTED, FRONT, ISOLATED, MANY, PROPERTY, Drawing, state_sign
from brt_cg.tui.map.island_map import IslandMap, Maps, WholeIsland
from brt_cg.tui.map.layouts import OVERVIEW, WORKING, ZOOMS, MapLayout, overview_above, overviews
from brt_cg.tui.map.painting import Painting
from brt_cg.tui.map.sheet import LEGEND, Hex, build_map_sheet
from brt_cg.tui.session.session import CampaignSnapshot

PAINTS = ("paint", "answer", "unpaint")  # the actions that are possible while there is a painting
LEAST_NAMED, OTHER_ROWS = 6, 32  # how many Isolated counters are named, by the rows of the screen
PAGE_WIDTH = 38  # of the page beside the map, in cells
FRAME = 4  # rows of header, state line and key bar
# Rows of the page below the map, on a low screen and on others: at least, and below a map that
# scrolls.
LEAST_PAGE, PAGE = (6, 10), (9, 11)


@immutable
class Arrangement:
    """The division of the screen in a room with the map: the zoom; whether the page is `beside` the
    map; the columns and rows of the maps."""

    zoom: int
    beside: bool
    size: Size


def arrange_screen(screen: Size, zoom: int, in_halves: bool) -> Arrangement:
    """Return the arrangement for a screen and a zoom; `in_halves` if a cell may hold two hexes."""
    columns, rows = screen.width, screen.height - FRAME
    is_high, known = screen.height >= LOW, overviews(in_halves)
    if ZOOMS[zoom] is OVERVIEW:
        closer = arrange_screen(screen, ZOOMS.index(WORKING), in_halves)
        alike = overview_above(closer.zoom, closer.size, in_halves)
        for layout in known:
            if layout is alike:  # the map is shown that large anyway
                return closer
            if layout.fits(columns, rows - LEAST_PAGE[is_high]):
                return Arrangement(zoom, False, Size(columns, layout.framed.height))
            if layout.fits(columns - PAGE_WIDTH, rows):
                return Arrangement(zoom, True, Size(layout.framed.width, rows))
        height = min(known[-1].framed.height, rows - PAGE[is_high])
        return Arrangement(zoom, False, Size(columns, height))
    beside = is_high and columns >= NARROW
    wanted = ZOOMS[zoom].framed
    width = min(wanted.width, columns - PAGE_WIDTH) if beside else columns
    height = rows if beside else rows - PAGE[is_high]
    return Arrangement(zoom, beside, Size(width, height))


class IslandScreen(ListRoom):
    """The map, and beside or below it the hex under the cursor, with its counters. The line of
    words finds hexes. A subclass puts its question into `asking`, above the counters; `LIT` says
    why hexes are highlighted. While there is a `painting`, areas of hexes are painted."""

    CSS_PATH = Path(__file__).with_name("map.tcss")
    AUTO_FOCUS = "IslandMap"
    POSSIBLE = {
        "next_found": lambda room, seen: len(room._hits) > 1,
        "closer": lambda room, seen: room.can_zoom(1),
        "farther": lambda room, seen: room.can_zoom(-1),
        **dict.fromkeys(PAINTS, lambda room, seen: room.painting is not None),
    }
    LIT: ClassVar[str] = "painted"

    island = getters.query_one(IslandMap)
    whole = getters.query_one(WholeIsland)
    stack = getters.query_one("#stack", SteadyList)
    painting: Painting | None = None
    _hits: Sequence[str] = ()

    def compose_contents(self) -> ComposeResult:
        yield Maps()
        with Vertical(id="beside", classes="panel"):
            yield FilterLine("a hex, or words of a counter")
            yield HangingText(id="hex")
            with LongPane(id="page"):
                yield from self.compose_question()
                yield SteadyList(id="stack", classes=BESIDE, markup=False)
                yield CounterHistory(id="chain")
            yield Lines(id="legend")

    def compose_question(self) -> ComposeResult:
        """Yield the question, above the contents of the hex."""
        yield HangingText(id="painted")

    # --- showing --------------------------------------------------------------------------------

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        self.island.show_sheet(build_map_sheet(seen.view, seen.card))
        self.show_legend()
        self.show_selected_row_details()

    def on_mount(self) -> None:
        self.go_to(self.app.map_cursor)

    def on_screen_resume(self, _: events.ScreenResume) -> None:
        if self._composed:
            self.go_to(self.app.map_cursor)

    def clear_shown_and_typed(self) -> None:
        """Return to the app's map cursor, because the current hex may be another seat's secret."""
        super().clear_shown_and_typed()
        self.go_to(self.app.map_cursor)

    def go_to(self, hex: str) -> None:
        """Go to a hex, at the shared zoom."""
        self.app.map_cursor = hex
        self.fit_to_zoom()
        self.island.go_to(hex)

    def size_classes(self, size: Size) -> dict[str, bool]:
        return super().size_classes(size) | {"-beside": self._arranged(size).beside}

    @property
    def _in_halves(self) -> bool:
        """Whether a cell may hold two hexes."""
        app = self.app
        return not (app.has_no_colors or app.depth.is_low or app.signs is SignSet.PLAIN)

    def _arranged(self, size: Size) -> Arrangement:
        return arrange_screen(size, self.app.map_zoom, self._in_halves)

    def fit_to_zoom(self) -> None:
        """Give the maps the space that they can fill, and the page the rest."""
        found, maps = self._arranged(self.app.size), self.query_one(Maps)
        self.update_classes(self.size_classes(self.app.size), animate=False)
        self.island.zoom_to(found.zoom)
        maps.styles.width = found.size.width if found.beside else "1fr"
        maps.styles.height = "1fr" if found.beside else found.size.height
        self.whole.show_above_if_room(found.zoom, found.size)
        self.show_legend()

    def on_resize(self, event: events.Resize) -> None:
        if self._composed:
            self.fit_to_zoom()

    def can_zoom(self, by: int) -> bool:
        """Whether the map can be drawn closer or farther."""
        size, in_halves = self.app.size, self._in_halves
        zoom = self._arranged(size).zoom + by
        return 0 <= zoom < len(ZOOMS) and arrange_screen(size, zoom, in_halves).zoom == zoom

    def _zoom(self, by: int) -> None:
        self.app.map_zoom = self._arranged(self.app.size).zoom + by
        self.fit_to_zoom()
        self.refresh_bindings()

    action_closer = partialmethod(_zoom, 1)
    action_farther = partialmethod(_zoom, -1)

    def show_legend(self) -> None:
        """Show the legend of the current zoom."""
        drawings = [self.island.drawing, *[self.whole.drawing] * self.whole.display]
        self.query_one("#legend", Lines).show_written_by(
            lambda room: legend_content(drawings, room.width, self.LIT, self.has_class("-beside"))
        )

    def show_selected_row_details(self) -> None:
        """Show the hex under the cursor, and list its counters."""
        sheet = self.island.drawing.sheet
        hex = sheet.hexes.get(self.island.cursor)
        if hex is None:
            return
        self.query_one("#hex", HangingText).set_text(_hex_text(hex))
        self.query_one(CounterHistory).show(None)
        view, here = self.seen.view, sheet.here.get(hex.name, ())
        self.stack.display = bool(here)
        self.stack.show(
            lambda width: [
                Option(hang_text(_counter_text(view, lying), width), lying.id) for lying in here
            ]
        )

    def on_island_map_moved(self, event: IslandMap.Moved) -> None:
        """Update the hex shown beside the map. This waits a moment, because it changes the layout;
        the map itself is drawn immediately."""
        self.app.map_cursor = event.hex
        self.show_row_details_when_idle()

    # --- a counter of the stack -----------------------------------------------------------------

    @property
    def selected_counter(self) -> str | None:
        """The id of the selected counter, while the stack has the focus."""
        return self.stack.id_at_cursor if self.stack.has_focus else None

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_list is self.stack:
            self.query_one(CounterHistory).show(self.selected_counter)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if event.widget is self.stack:
            self.query_one(CounterHistory).show(self.selected_counter)

    # --- finding --------------------------------------------------------------------------------

    def action_find(self) -> None:
        self.action_filter()

    def apply_filter(self) -> None:
        self._hits = self._find_hexes(self.filter_line.words)
        if self._hits:
            self.island.go_to(self._hits[0])

    def _find_hexes(self, words: str) -> list[str]:
        """Return the hexes that the words mean: the hex with that name, or the hexes of counters
        with these words in their names."""
        wanted = words.strip()
        if not wanted:
            return []
        if locations.is_location(wanted.upper()) and wanted.upper() != OFF_MAP.upper():
            return [locations.hex_of_location(wanted.upper())]
        view = self.seen.view
        return [
            hex
            for hex, lying in self.island.drawing.sheet.here.items()
            if any(contains_words(_words_of(view, counter), wanted) for counter in lying)
        ]

    def action_next_found(self) -> None:
        if self._hits:
            self.island.go_to(next_cyclic(self._hits, self.island.cursor))

    @property
    def can_end_filter(self) -> bool:
        return super().can_end_filter or not self.island.has_focus

    def selected_row_text(self) -> str | None:
        return self.island.cursor

    # --- painting -------------------------------------------------------------------------------

    def _paint(self, stroke: Callable[[Painting], object]) -> None:
        """Change the painted hexes, if there is a painting."""
        if self.painting is not None:
            stroke(self.painting)
            self.show_painting()

    def action_paint(self) -> None:
        self._paint(lambda painting: painting.toggle(self.island.cursor))

    action_unpaint = partialmethod(_paint, Painting.clear_or_restore)

    def on_island_map_pointed(self, event: IslandMap.Pointed) -> None:
        if event.again:
            self.action_paint()

    def on_island_map_dragged(self, event: IslandMap.Dragged) -> None:
        self._paint(lambda painting: painting.hexes.add(event.hex))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.value.strip() and not self._hits:
            try:
                self._paint(lambda painting: painting.replace_by_typed(event.value))
            except (RefusedError, ValueError) as problem:
                self.app.show_warning(str(problem))

    def is_typing(self) -> bool:
        return self.painting is not None and self.painting.is_changed

    def show_painting(self) -> None:
        """Show the painted hexes; their effect follows a moment later."""
        painting = self.painting
        self.island.replace_hex_marks(frozenset(painting.hexes) if painting else frozenset())
        self.show_legend()
        self.refresh_bindings()
        self.refresh_state_line()
        self.workers.cancel_group(self, "painting")
        self._tell(painting.painted_text() if painting else "")
        if painting is not None:
            self._follow()

    @work(group="painting", exclusive=True)
    async def _follow(self) -> None:
        """Show the effect of the painting, or the reason why it is not allowed."""
        self.app.let_keys_pass()
        await asyncio.sleep(BEFORE_LOOKING_UP)
        painting = self.painting
        if painting is None:
            return
        raw = painting.raw
        try:
            words = Content(await self.effect_text(painting))
        except RefusedError as problem:
            words = Content(f"{painting.painted_text()}\n") + Content.styled(
                str(problem), "$warning"
            )
        if painting is self.painting and painting.raw == raw:
            self._tell(words)

    def _tell(self, words: str | Content) -> None:
        """Show the question, and some words about the painting."""
        painting, told = self.painting, self.query_one("#painted", HangingText)
        lines = Content.assemble((painting.prompt, "bold"), "\n", words, "\n") if painting else ""
        told.display = painting is not None
        told.set_text(Content(lines) if isinstance(lines, str) else lines)

    async def effect_text(self, painting: Painting) -> str:
        """Return the effect of a painting in words. Raises RefusedError if it is not allowed."""
        seen, rows = self.seen, self.app.size.height
        is_short, most = is_screen_low(self), max(LEAST_NAMED, rows - OTHER_ROWS)
        return await self.app.session.look_up(
            lambda _: perimeter_effect(seen.view, seen.card, painting, most, is_short)
        )


def perimeter_effect(
    view: Campaign, card: Card, painting: Painting, most: int, in_short: bool
) -> str:
    """Return the effect of Perimeters, as a seat may know it: the Setup Areas (15.6071), and the
    units that become Isolated (15.6072), of which at most this many are named. If `in_short`, all
    areas are on one line; else each has its own line, with the painted hexes."""
    after = campaign_divided_by_perimeters(view, card, tuple(painting.painted_areas()))
    painted = {hexes[0]: painting.form.worded([list(hexes)]) for hexes in painting.painted_areas()}
    areas = []
    for area in after.areas.values():
        hexes = "" if in_short else painted.get(sort_hexes(area.hexes)[0], "")
        areas.append(
            ": ".join(
                filter(None, (f"{area.display_name} {count_text(len(area.hexes), 'hex')}", hexes))
            )
        )
    cut_off = [piece for piece in after.sort_counters_in_play(after.pieces()) if piece.isolated]
    by_hex = group_pairs((ground_hex(str(piece.location)), piece.label) for piece in cut_off[:most])
    heading = f"{len(cut_off)} Isolated:" if cut_off else "Isolated: none"
    isolated = [f"{hex} {', '.join(labels)}" for hex, labels in by_hex.items()]
    if len(cut_off) > most:
        isolated.append(f"{len(cut_off) - most} more")
    if in_short:
        return f"{', '.join(areas)}\n{heading} {'; '.join(isolated)}"
    return "\n".join((*areas, "", heading, *isolated))


def _words_of(view: Campaign, counter: Counter) -> str:
    return f"{counter.label} {counter.id} {notable_state_text(counter)}"


def _hex_text(hex: Hex) -> Content:
    """Return a hex in words: its terrain, and its side."""
    facts = [hex.terrain.label, hex.beach and locations.beach_name(hex.beach)]
    if hex.area and hex.holder:
        facts.append(f"{area_name(hex.area)}, {hex.holder.label}")
    facts += ["Front Line"] if hex.front else []
    facts += [f"{hex.isolated.label} Isolated"] if hex.isolated else []
    text = " · ".join(filter(None, facts))
    return Content.assemble((hex.name, "bold"), f"  {text}")


def _counter_text(view: Campaign, counter: Counter) -> Content:
    side = counter.side
    place = view.replace_ids_with_names((counter.location or "").partition(":")[2])
    words = ", ".join(filter(None, (place and f"in {place}", notable_state_text(counter))))
    named = f"{SIGNS[side] if side else '·'} {counter.label}"
    return Content.assemble((named, f"${side or 'foreground'}"), (f" {words}", "dim"))


# --- the legend -----------------------------------------------------------------------------------


COLUMN = 16  # the width of a column, two cells from the next


def legend_content(drawings: Sequence[Drawing], width: int, lit: str, in_columns: bool) -> Content:
    """Return the legend for the maps of one campaign, in rows of a width, the most important first:
    everything on the first map, and the states that another map shows by colors. `lit` says in
    words why hexes are marked."""
    drawing = drawings[0]
    told = _shown_on_hexes(drawing)
    parts = [*_land(drawing, told), *_marks_drawn(drawing, lit)]
    for each in drawings:
        parts += _states(each, told)
    if drawing.layout.has_room_for_letters:
        parts += map(Content, _signs(drawing.layout, told))
    parts += _terrain(drawing, told)
    if in_columns:
        parts = [
            part.pad_right(COLUMN - part.cell_length)
            if part.cell_length <= COLUMN
            else part.pad_right(2 * COLUMN + 2 - part.cell_length)
            for part in parts
        ]
        width = (width + 2) // (2 * COLUMN + 4) * (2 * COLUMN + 4)  # two symbols are adjacent
    return flow_in_rows(parts, width)


def _shown_on_hexes(drawing: Drawing) -> Set[str]:
    """Return everything that some hex of the map shows: holders or terrain, symbols, and Isolated
    sides."""
    told: set[str] = set()
    for hex in drawing.sheet.hexes.values():
        told |= {hex.holder or hex.terrain, state_sign(hex), f"{hex.isolated}{CUT_OFF}"}
        for side, stack in hex.stacks.items():
            if stack.is_there:
                told |= {(SIGNS if stack.manned else PROPERTY)[side], *stack.signs}
    return told


def _land(drawing: Drawing, told: Set[str]) -> Iterator[Content]:
    for side, sign in SIGNS.items():
        if sign in told and drawing.layout.has_room_for_letters:
            yield Content(f"{sign} {side.label}")
        if side in told:
            yield _drawn_as(drawing, f"{side.label} land", TerrainType.LAND, side)


def _marks_drawn(drawing: Drawing, lit: str) -> Iterator[Content]:
    """Yield the marks that any hex has now."""
    shown = (
        (HexMark.LIT, drawing.marked, lit),
        (HexMark.DRAWN, drawing.drawn, "selected, or Covered Arc"),
    )
    for mark, hexes, words in shown:
        if hexes:
            yield _drawn_as(drawing, words, TerrainType.LAND, None, mark)


def _states(drawing: Drawing, told: Set[str]) -> Iterator[Content]:
    """Yield the states that have a color if there is no room for a symbol."""
    states = {"contested": (CONTESTED, HexMark.CONTESTED)}
    for side in Side:
        mark = HexMark(f"{side}{CUT_OFF}")
        states[f"{side.label} Isolated"] = (mark, mark)
    for words, (sign, mark) in states.items():
        if sign in told and drawing.has_half_cells and not drawing.layout.has_room_for_letters:
            yield _drawn_as(drawing, words, TerrainType.LAND, None, mark)


def _signs(layout: MapLayout, told: Set[str]) -> Iterator[str]:
    """Yield the symbols that a zoom writes in a hex, each with its meaning."""
    words = {CONTESTED: "contested"}
    if layout.has_room_for_names:
        if told & {*SIGNS.values()}:
            yield f"{SIGNS[Side.MARINE]}1½V squad-equivalents, property"
        words |= {ISOLATED: "Isolated", FRONT: "Front Line"}
    else:
        property = "".join(sign for sign in PROPERTY.values() if sign in told)
        words = {property or CONTESTED: "no units, only property", **words}
    if layout != OVERVIEW:
        words |= LEGEND
    yield from (f"{sign} {what}" for sign, what in words.items() if {*sign} & told)
    if layout == WORKING and CONTESTED in told:
        yield f"{''.join(f'{sign}1' for sign in SIGNS.values())[:-1]}{MANY} {MANY} is 10 or more"


def _terrain(drawing: Drawing, told: Set[str]) -> Iterator[Content]:
    """Yield the terrain that is drawn, in hexes without a holder: a holder's color replaces it."""
    for terrain in TerrainType:
        cell = drawing.legend_cell(terrain)
        if terrain in told and (cell.letter != " " or cell.ground is not None):
            yield _drawn_as(drawing, terrain.label, terrain)


def _drawn_as(
    drawing: Drawing,
    words: str,
    terrain: TerrainType,
    holder: Side | None = None,
    mark: HexMark | None = None,
) -> Content:
    """Return a cell as the map draws it, followed by words."""
    cell = drawing.legend_cell(terrain, holder, mark)
    shown = [colour and Color.from_rich_color(colour) for colour in (cell.ink, cell.ground)]
    style = Style(foreground=shown[0], background=shown[1])
    drawn = Content.styled(cell.letter, style) if cell.ground else Content(cell.letter)
    return Content.assemble(drawn, f" {words}")
